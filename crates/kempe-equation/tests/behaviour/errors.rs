//! Mistakes: all at once, at the right place, with a suggestion.

use super::kinds;
use kempe_equation::{Diagnostic, ErrorKind, Errors, Program};

fn errors(source: &str) -> Errors {
    match Program::parse(source) {
        Ok(_) => panic!("accepted: {source}"),
        Err(errors) => errors,
    }
}

/// The only mistake, and the text that it marks.
#[track_caller]
fn only(source: &str) -> (Diagnostic, String) {
    let errors = errors(source);
    assert_eq!(errors.diagnostics().len(), 1, "{errors}");
    let one = errors.diagnostics()[0].clone();
    let marked = source[one.span.start..one.span.end].to_owned();
    (one, marked)
}

#[test]
fn each_kind_marks_its_text() {
    use ErrorKind::*;
    let table: &[(&str, ErrorKind, &str)] = &[
        ("constraint 1 @ 2", Lexical, "@"),
        ("constraint 2x", Lexical, "2x"),
        ("constraint 1.2.3", Lexical, "1.2.3"),
        ("constraint 1e999", Lexical, "1e999"),
        ("constraint 1 +", Syntax, ""),
        ("constraint (1 + 2", Syntax, ""),
        ("constraint 1 2", Syntax, "2"),
        ("constraint |1", Syntax, ""),
        ("constraint [1 2", Syntax, ""),
        ("constraint {1,,2}", Syntax, ","),
        ("body 1 constraint 1", Syntax, "1"),
        ("limit 1 2", Syntax, ""),
        ("constraint velocity 1", Syntax, "velocity"),
        ("velocity 1", Syntax, "1"),
        ("let a = 1 in a constraint a", Syntax, "in"),
        ("rowvector r constraint 1", Syntax, "rowvector"),
        ("constraint sin 1", Syntax, "1"),
        ("constraint { 1[2 3] }", Syntax, "["),
        ("body a, b,\nconstraint 1", Syntax, ""),
        ("body a b constraint a.rotation", Syntax, "b"),
        ("body a constraint a.rotation = 3", Syntax, "="),
        ("body a velocty constraint a.angularVel", Syntax, "velocty"),
        ("body a constraint a . rotation", Syntax, "."),
        ("constraint 1 + let s = 2 in s", Syntax, "let"),
        ("limit, 1 0 2 constraint 1", Syntax, ","),
        ("body a, sin constraint a.rotation", Reserved, "sin"),
        ("scalar x = 0 / 0 constraint x", Type, "0 / 0"),
        ("constraint 1 limit constraint 1 0", Shape, "1 0"),
        ("constraint let a = 1 a", MissingIn, ""),
        ("constraint lenght", UnknownName, "lenght"),
        ("body b constraint b.positoin", UnknownName, "positoin"),
        ("vector v constraint v.z", UnknownName, "z"),
        ("scalar s constraint s.x", UnknownName, "x"),
        ("scalar a, a constraint a", Duplicate, "a"),
        ("body a scalar a constraint 1", Duplicate, "a"),
        ("axis a = 1 axis a = 2", Duplicate, "a"),
        ("axis a = 1 limit a 0 1 limit a 0 2", Duplicate, "a 0 2"),
        ("scalar in constraint 1", Reserved, "in"),
        ("constraint let pi = 3 in pi", Reserved, "pi"),
        ("constraint foo(1)", Call, "foo"),
        ("constraint sin(1, 2)", Call, "sin(1, 2)"),
        ("constraint atan2(1)", Call, "atan2(1)"),
        ("constraint sin()", Call, "sin()"),
        ("constraint 1 + [1 2]", Type, "1 + [1 2]"),
        ("constraint 1 limit constraint { 0 0 } 1", Shape, "{ 0 0 }"),
        ("axis a = 1 limit constraint 0 1", Shape, "limit constraint"),
        ("constraint 1 limit 0 2 1", Shape, "0 2 1"),
        ("body b constraint b.velocity", Velocity, "b.velocity"),
        ("body b axis q = b.angularVel", Velocity, "b.angularVel"),
        ("body b limit b.angularVel 0 1 constraint 1", Velocity, ""),
        ("body b velocity constraint b.rotation", Velocity, "b.rotation"),
        ("body b velocity constraint { b.angularVel, 5 }", Velocity, "5"),
        ("body b velocity constraint b.angularVel^2", Velocity, "b.angularVel^2"),
        ("body b velocity constraint |b.velocity|", Velocity, "|b.velocity|"),
        ("body b velocity constraint sign(b.angularVel)", Velocity, "sign(b.angularVel)"),
        ("body b velocity constraint 1 / b.angularVel", Velocity, "1 / b.angularVel"),
        (
            "body b velocity constraint b.angularVel + b.velocity dot b.velocity",
            Velocity,
            "b.velocity dot b.velocity",
        ),
        ("scalar a, b = a constraint a", Dependency, "a"),
        ("scalar a = time constraint a", Dependency, "time"),
        ("body b scalar a -> b.rotation constraint a", Dependency, "b.rotation"),
        ("body b constraint 1 limit constraint 0 b.rotation", Dependency, "b.rotation"),
        ("body b", Empty, ""),
        ("", Empty, ""),
    ];
    for (source, kind, marked) in table {
        let (error, text) = only(source);
        assert_eq!(error.kind, *kind, "{source}: {}", error.message);
        // Velocity errors of a limit have no text of their own.
        if !(marked.is_empty() && *kind == Velocity) {
            assert_eq!(text, *marked, "{source}: {}", error.message);
        }
    }
}

#[test]
fn suggestions() {
    let table = [
        ("body a b constraint a.rotation", "names are separated by commas"),
        ("body a constraint a . rotation", "there is no white space around `.`"),
        ("constraint 1.", "a number has digits after its point: `1.0`"),
        (
            "constraint 1 + let s = 2 in s",
            "inside an expression, `let … in …` stands in parentheses",
        ),
        ("scalar length constraint lenght", "did you mean `length`?"),
        ("body crank constraint crnak.rotation", "did you mean `crank`?"),
        ("bodies a, b", "did you mean `body`?"),
        ("body a, b\nconstrain b.rotation", "did you mean `constraint`?"),
        ("body a\nd = a.position\nconstraint d", "a name for a part is given by `let d = …`"),
        ("scalar s = 1 t = 2 constraint s", "parameters of one type are separated by commas"),
        ("body a constraint 2 a.rotation", "a product is written with `*`"),
        ("body a axis q = a.rotation limit q -20deg 1", "write `20 * pi / 180`"),
        ("body a constraint length(a.position)", "a length is written `|v|`"),
        ("body a constraint dot(a.position, a.position)", "it stands between: `u dot v`"),
        ("body a constraint relative(a, [1, 0])", "a vector is written `[x, y]`"),
        ("body a constraint a.position - (1, 0)", "a vector is written `[x, y]`"),
        ("vector d = 0 constraint d", "a vector is written `[x, y]`"),
        ("matrix m = [1, 2, 3, 4] constraint m.xx", "a matrix is written `[a b; c d]`"),
        (
            "body a constraint [a.position, a.rotation]",
            "rows are put together in a block: `{ v, s }`",
        ),
        ("body a axis q = p let p = a.rotation", "it is declared further down; move that up"),
        ("constraint PI", "did you mean `pi`?"),
        ("body a // two\nconstraint a.rotation", "a comment starts with `#`"),
        ("body a; constraint a.rotation", "declarations need nothing between them"),
        ("body a constraint a.rotation**2", "a power is written with `^`"),
        (
            "body a constraint a.rotation <= 2",
            "bounds are given with `limit constraint lower upper`, or `limit name lower upper`",
        ),
        ("constraint cso(1)", "did you mean `cos`?"),
        ("constarint 1", "did you mean `constraint`?"),
        ("body b constraint b.Position", "did you mean `position`?"),
    ];
    for (source, help) in table {
        let found = errors(source).diagnostics()[0].help.clone();
        assert_eq!(found.as_deref(), Some(help), "{source}");
    }
}

#[test]
fn what_editors_leave_behind_is_accepted() {
    for source in [
        "\u{feff}body a\r\nconstraint a.rotation\r\n",
        "# one\rbody a\rconstraint a.rotation",
        "body a constraint a.rotation − 1",
        "body a constraint { a.rotation, 1, }",
    ] {
        assert!(Program::parse(source).is_ok(), "{source:?}");
    }
    let (error, _) = only("body a constraint { a.rotation\nlimit constraint 0 1");
    assert!(error.message.contains("`}`") && error.related[0].1 == "opened here");
    assert_eq!(only("constraint \"").0.message, "`\"` is not part of the language");
}

#[test]
fn all_at_once() {
    let source = "body a, a
scalar s = [1 2], t = 2 q
vector v -> a.position
constraint a.positoin + x
limit constraint 1 +
axis q = 1 * [1 2] + y
limit s 1 2 3";
    let errors = errors(source);
    let lines: Vec<usize> =
        errors.diagnostics().iter().map(|each| errors.line_column(each.span.start).0).collect();
    for line in 1..=7 {
        assert!(lines.contains(&line), "line {line}: {errors}");
    }
    assert!(lines.is_sorted(), "in the order of the source");
}

#[test]
fn one_mistake_gives_one_error() {
    // What depends on something broken is not broken itself.
    only("body a, b constraint let d = b.positoin - a.position in { d.x, |d|, unit d dot perp d }");
    only("scalar s = + constraint s * 2");
    only("axis q = nothing limit q 0 1 constraint q + q");
}

#[test]
fn velocities_behind_a_name() {
    let (error, text) = only("body b let v = 2 * b.velocity constraint v.x");
    assert_eq!((error.kind, text.as_str()), (ErrorKind::Velocity, "v"));
    let source = "body b let v = b.velocity velocity constraint (relative b v).x";
    assert!(Program::parse(source).is_ok(), "a pose-dependent coefficient is fine");
}

#[test]
fn rendered_with_line_and_column() {
    let source = "body a, b\nscalar length\nconstraint |b.position - a.postion| - lenght";
    let errors = errors(source);
    let plain = errors.to_string();
    assert!(plain.contains("3:28: a body has no `postion`"), "{plain}");
    let picture =
        kempe_equation::render::errors(&errors, "rod.kempe", kempe_equation::render::Colors::Off);
    for part in ["rod.kempe:3:28", "rod.kempe:3:39", "did you mean `length`?", "╭─"] {
        assert!(picture.contains(part), "{part} in\n{picture}");
    }
}

#[test]
fn columns_count_characters() {
    let source = "# θ is fine in comments\nscalar größe constraint größe + ü";
    let errors = errors(source);
    assert_eq!(errors.line_column(errors.diagnostics()[0].span.start), (2, 33));
}

#[test]
fn too_large() {
    let deep = |open: &str, close: &str| {
        format!("constraint {}1{}", open.repeat(5_000), close.repeat(5_000))
    };
    let sources = [
        deep("(", ")"),
        deep("{", "}"),
        deep("|", "|"),
        deep("-", ""),
        deep("unit ", ""),
        deep("2^", ""),
        deep("sin(", ")"),
        deep("let a = ", " in 1"),
        format!("constraint {}", "1 + ".repeat(100_000)),
        format!(
            "body b constraint b.rotation{}",
            " + sin(b.rotation * 2)".repeat(10) + &" * b.rotation".repeat(3_000)
        ),
        format!("body {}b constraint 1", (0..20).map(|k| format!("b{k}, ")).collect::<String>()),
        format!("constraint {{ {} }}", "1 ".repeat(50)),
        format!("scalar {}s constraint s", (0..300).map(|k| format!("s{k}, ")).collect::<String>()),
    ];
    for source in sources {
        let shown: String = source.chars().take(60).collect();
        match Program::parse(&source) {
            // A long product is allowed; what counts is that it ends.
            Ok(program) => assert!(program.compiled().equations().len() < 16_000, "{shown}"),
            Err(errors) => {
                let kinds: Vec<_> = errors.diagnostics().iter().map(|each| each.kind).collect();
                assert!(kinds.contains(&ErrorKind::TooLarge), "{shown}: {errors}");
            }
        }
    }
}

#[test]
fn doubling_stays_small() {
    // Written out this would have 2^60 terms.
    let mut source = "body b constraint let a0 = b.rotation in ".to_owned();
    for k in 1..=60 {
        source += &format!("let a{k} = a{0} * a{0} + sin(a{0}) in ", k - 1);
    }
    source += "a60";
    match Program::parse(&source) {
        Ok(program) => assert!(program.explain_text().len() < 2_000_000),
        Err(errors) => assert_eq!(errors.diagnostics()[0].kind, ErrorKind::TooLarge),
    }
}

#[test]
fn at_most_fifty() {
    let source = format!("constraint {}", "x + ".repeat(1_000) + "x");
    let errors = errors(&source);
    assert_eq!(errors.diagnostics().len(), 50);
    assert!(errors.left_out() > 900);
    assert!(kinds(&source).iter().all(|kind| *kind == ErrorKind::UnknownName));
}

/// Chains through products and turns must not become deep calls.
#[test]
fn long_chains_are_no_deep_calls() {
    let factors = "*s".repeat(30_000);
    let turns: String =
        (1..3_000).map(|k| format!("let v{k} = relative a v{} in ", k - 1)).collect();
    let sources = [
        format!("body a scalar s constraint perp(a.position{factors})"),
        format!("body a scalar s constraint a.position{}", " cross a.rotation".repeat(3_600)),
        format!(
            "body a constraint let v0 = a.position in {turns} {{ |v2999|, unit v2999 dot v2999 }}"
        ),
    ];
    // A spawned thread has 2 MB, as in a user's program; this one has half of that.
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(move || {
        for source in sources {
            if let Err(errors) = Program::parse(&source) {
                assert_eq!(errors.diagnostics()[0].kind, ErrorKind::TooLarge, "{errors}");
            }
        }
    });
    thread.unwrap().join().unwrap();
}
