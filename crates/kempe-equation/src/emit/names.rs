//! Names of a program as identifiers of Rust.

use crate::lexer::{Token, tokens};
use std::collections::HashSet;

/// The words that Rust keeps for itself, in any edition.
const KEYWORDS: &[&str] = &[
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The types that the text itself speaks of.
const TAKEN: &[&str] = &[
    "BodyId",
    "Constraint",
    "Counts",
    "Default",
    "Err",
    "JointDef",
    "Limit",
    "None",
    "Ok",
    "Option",
    "Pose",
    "Real",
    "Result",
    "S",
    "Some",
    "String",
    "TINY",
    "UserJoint",
    "Vec",
    "Vec2",
    "f64",
    "str",
    "usize",
];

const GREEK: &[(char, &str)] = &[
    ('α', "alpha"),
    ('β', "beta"),
    ('γ', "gamma"),
    ('δ', "delta"),
    ('ε', "epsilon"),
    ('ζ', "zeta"),
    ('η', "eta"),
    ('θ', "theta"),
    ('ι', "iota"),
    ('κ', "kappa"),
    ('λ', "lambda"),
    ('μ', "mu"),
    ('ν', "nu"),
    ('ξ', "xi"),
    ('ο', "omicron"),
    ('π', "pi"),
    ('ρ', "rho"),
    ('σ', "sigma"),
    ('τ', "tau"),
    ('υ', "upsilon"),
    ('φ', "phi"),
    ('χ', "chi"),
    ('ψ', "psi"),
    ('ω', "omega"),
];

/// Whether a type can have this name.
pub(super) fn is_type_name(name: &str) -> bool {
    // The names of the language are those of Rust: XID.
    let (lexemes, errors) = tokens(name);
    let [word, end] = &lexemes[..] else { return false };
    let letters = word.token == Token::Word || word.token.is_keyword();
    letters
        && errors.is_empty()
        && word.span.start == 0
        && word.span.end == name.len()
        && end.token == Token::End
        && !name.trim_matches('_').is_empty()
        && !KEYWORDS.contains(&name)
        && !TAKEN.contains(&name)
}

/// Whether a type of this name is written as types are.
pub(super) fn is_camel_case(name: &str) -> bool {
    !name.starts_with(char::is_lowercase) && !name.contains('_')
}

/// `jointMin` as `joint_min`: lower case, of ASCII, and no keyword.
pub(super) fn snake_case(name: &str) -> String {
    let mut words = String::new();
    let mut before = '_';
    for c in name.chars() {
        let greek = GREEK.iter().find(|(letter, _)| c.to_lowercase().eq([*letter]));
        if c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit()) {
            words.push('_');
        }
        match greek {
            Some((_, spelt)) => words += spelt,
            None if c.is_ascii() => words.push(c.to_ascii_lowercase()),
            None => words += &format!("u{:x}", u32::from(c)),
        }
        before = c;
    }
    let mut name: String =
        words.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, 'n');
    }
    if KEYWORDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// Names that are given out once each.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// With these taken already.
    pub(super) fn without(words: &[&str]) -> Self {
        Self { taken: words.iter().map(|word| (*word).to_owned()).collect() }
    }

    /// The name as an identifier, with a number behind it if it is taken.
    pub(super) fn take(&mut self, name: &str) -> String {
        let name = snake_case(name);
        let spelling = |n: u32| if n == 1 { name.clone() } else { format!("{name}_{n}") };
        let free = (1..).map(spelling).find(|each| !self.taken.contains(each));
        let free = free.unwrap_or_default();
        self.taken.insert(free.clone());
        free
    }

    /// The first of `t1`, `t2` and so on that is free.
    pub(super) fn fresh(&mut self, counter: &mut u32) -> String {
        loop {
            *counter += 1;
            let name = format!("t{counter}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        for (name, expected) in [
            ("jointMin", "joint_min"),
            ("anchor1", "anchor1"),
            ("K", "k"),
            ("aB2C", "a_b2_c"),
            ("_x__y_", "x_y"),
            ("type", "type_"),
            ("_", "n"),
            ("_1", "n1"),
            ("θ", "theta"),
            ("Ω0", "omega0"),
            ("größe", "gruf6udfe"),
        ] {
            assert_eq!(snake_case(name), expected, "{name}");
        }
        let mut names = Names::without(&["time"]);
        assert_eq!(names.take("time"), "time_2");
        assert_eq!(names.take("aB"), "a_b");
        assert_eq!(names.take("a_b"), "a_b_2");
    }

    #[test]
    fn names_of_types() {
        for name in ["Pivot", "pivot", "_Pivot2", "Größe", "body"] {
            assert!(is_type_name(name), "{name}");
        }
        for name in ["", " ", "_", "2D", "a b", " A", "A ", "A-B", "fn", "Self", "Vec2", "S", "#"] {
            assert!(!is_type_name(name), "{name}");
        }
        assert!(is_camel_case("Pivot2") && !is_camel_case("pivot") && !is_camel_case("A_B"));
    }
}
