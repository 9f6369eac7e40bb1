//! What a kind of joint is: what it holds and leaves, its options, and the program that says the same.

use super::{parse, programs};
use crate::failure::Failure;
use kempe2d::KindInfo;
use std::fmt::Write as _;

const WIDTH: usize = 100;
/// Where the text beside a heading begins.
const INDENT: usize = 16;

/// By its name, or that of a constructor.
pub(super) fn find(name: &str) -> Option<&'static KindInfo> {
    let wanted = name.to_lowercase();
    let all = KindInfo::all();
    let own = all.iter().find(|kind| kind.name == wanted);
    own.or_else(|| all.iter().find(|kind| names(kind).any(|each| each == wanted)))
}

/// A kind's own name, and those of its constructors.
pub(super) fn names(kind: &KindInfo) -> impl Iterator<Item = &'static str> {
    let made = kind.constructors.iter().filter_map(|path| path.strip_prefix("JointDef::"));
    std::iter::once(kind.name).chain(made)
}

/// The fields that joints of the kind have in a scene, beside those that all have.
pub(super) fn fields(kind: &str) -> &'static [&'static str] {
    match kind {
        "weld" | "revolute" => &["at", "anchor_a", "anchor_b", "angle"],
        "prismatic" | "slot" | "generic" => {
            &["at", "anchor_a", "anchor_b", "rail", "direction", "angle"]
        }
        "drive" => &["at", "anchor_a", "anchor_b", "rail", "direction", "angle", "pull"],
        "distance" => &["points", "anchor_a", "anchor_b"],
        "angle" => &["ratio", "angle"],
        "pulley" => &["points", "anchors", "ratio"],
        "tendon" => &["points", "anchors", "ratios"],
        "path" => &["path", "anchor_b", "angle", "follow", "from", "leave"],
        "coupling" => &["terms", "constant", "as_it_stands"],
        "text" => &["program", "parameters"],
        _ => &[],
    }
}

/// What a field is.
fn about(field: &str) -> &'static str {
    match field {
        "at" => "a point of the world where both anchors are, as the bodies stand",
        "points" => "points of the world, one for each body, instead of anchors",
        "anchor_a" => "a point of A, in its axes; (0, 0)",
        "anchor_b" => "a point of B, in its axes; (0, 0)",
        "anchors" => "a point of each body, in its axes",
        "rail" => "t, a direction of A of any length; (1, 0)",
        "direction" => "t as a direction of the world, instead",
        "angle" => "φ, where the angle counts from, rad; 0",
        "ratio" => "ρ; 1",
        "ratios" => "ρ of each part; 1",
        "pull" => "what draws it: target, spring_force, velocity, velocity_force, a softness",
        "path" => "the curve, in the axes of A: points, closed, smooth",
        "follow" => "whether the angle is against the curve; false",
        "from" => "where it is at first, by arc length, m; where it is nearest",
        "leave" => "whether it lets go at the end; false",
        "terms" => "the axes, above it in the scene: joint, axis, and ratio, polynomial or curve",
        "constant" => "what the sum counts from; 0",
        "as_it_stands" => "whether it counts from where its joints stand; false",
        "program" => "the program; or `file`, where it is",
        "parameters" => "numbers, vectors [x, y] and matrices [[a, b], [c, d]] by name",
        _ => "",
    }
}

const ON_AXES: &str = "held, limit, motor, spring, law, friction, ratchet";
const ON_ALL: &str = "softness, max_force, max_torque, breaking, threshold, collide_connected, \
                      warm_start, enabled, user_data";

const LEGEND: &str = "\
x is where a body is, θ its angle, r an anchor turned with it; d = x_B + r_B − x_A − r_A goes from
A's anchor to B's. t is a direction of A, ⊥t the one across it, φ where an angle counts from, ρ a
ratio.
";

/// Everything about it.
pub(super) fn describe(kind: &KindInfo) -> Result<String, Failure> {
    let mut text = format!("{}\n  {}\n\n", kind.name, kind.summary);
    let (held, left): (Vec<&str>, Vec<&str>) =
        kind.equations.iter().partition(|equation| equation.starts_with('C'));
    let held = match (kind.rows, &held[..]) {
        (None, _) => kind.equations.iter().map(|equation| (*equation).to_owned()).collect(),
        (Some(0), _) => vec!["nothing by itself".to_owned()],
        (Some(rows), held) => {
            let rows = if rows == 1 { "(1 row)".to_owned() } else { format!("({rows} rows)") };
            held.iter().map(|equation| format!("{equation}    {rows}")).collect()
        }
    };
    put(&mut text, "holds", &held, 0);
    let mut axes: Vec<String> = Vec::new();
    let (of_axes, other): (Vec<&str>, Vec<&str>) =
        left.into_iter().partition(|equation| equation.starts_with('q'));
    for (place, axis) in kind.axes.iter().enumerate() {
        let equation = of_axes.get(place).copied().unwrap_or("");
        axes.push(format!("axis {place}: {axis:<10}  {equation}"));
    }
    axes.extend(other.iter().map(|each| (*each).to_owned()));
    if axes.is_empty() {
        axes.push("nothing".to_owned());
    }
    if kind.rows.is_some() {
        put(&mut text, "leaves", &axes, 8);
    }
    put(&mut text, "bodies", &[kind.bodies], 0);
    put(&mut text, "made by", &[kind.constructors.join(", ")], 0);
    let widest = kind.elsewhere.iter().map(|(engine, _)| engine.len()).max().unwrap_or(0);
    let elsewhere: Vec<String> = kind
        .elsewhere
        .iter()
        .map(|(engine, names)| format!("{engine:<widest$}  {names}"))
        .collect();
    put(&mut text, "elsewhere", &elsewhere, widest + 2);
    options(&mut text, kind);
    if !matches!(kind.name, "filter" | "text" | "user") {
        text.push('\n');
        text += LEGEND;
    }
    match programs::find(kind.name) {
        Some(source) => {
            let program = parse(&format!("{}.kempe", kind.name), source)?;
            let (source, explained) = (source.trim_end(), program.explain_text());
            let _ = write!(text, "\nas a program, which gives the same motion\n\n");
            for line in source.lines() {
                let _ = writeln!(text, "{}", format!("  {line}").trim_end());
            }
            let _ = write!(text, "\n{explained}");
        }
        None => {
            let _ = write!(text, "\n{}", programs::instead(kind.name));
        }
    }
    Ok(text)
}

/// What a joint of the kind can have in a scene.
fn options(text: &mut String, kind: &KindInfo) {
    if kind.name == "user" {
        return;
    }
    let fields = fields(kind.name);
    let widest = fields.iter().map(|field| field.len()).max().unwrap_or(0);
    let at = fields.contains(&"at");
    let more = |field: &&str| match *field {
        "angle" if at => ", or how the bodies stand with `at`",
        _ => "",
    };
    let lines: Vec<String> = fields
        .iter()
        .map(|field| format!("{field:<widest$}  {}{}", about(field), more(field)))
        .collect();
    let _ = write!(text, "\n  in a scene, (name: …, kind: {}, …)\n", kind.name);
    put(text, "own options", &lines, widest + 2);
    if !kind.axes.is_empty() || kind.rows.is_none() {
        put(text, "on each axis", &[ON_AXES], 0);
    }
    put(text, "on any joint", &[ON_ALL], 0);
}

/// A heading with lines beside it, broken between words; what goes on is further in.
fn put(text: &mut String, heading: &str, lines: &[impl AsRef<str>], further: usize) {
    let mut beside = heading;
    for line in lines {
        let _ = write!(text, "  {beside:<width$}", width = INDENT - 2);
        beside = "";
        let (mut column, mut first) = (INDENT, true);
        // Blanks at the start of a part belong to a column.
        for word in line.as_ref().split_inclusive(' ') {
            let length = word.trim_end().chars().count();
            if !first && column + length > WIDTH {
                text.truncate(text.trim_end().len());
                let _ = write!(text, "\n{:indent$}", "", indent = INDENT + further);
                column = INDENT + further;
            }
            text.push_str(word);
            column += word.chars().count();
            first = false;
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::{about, describe, fields, find};
    use kempe_scenes::file::{self, Notation};
    use kempe2d::KindInfo;

    /// A value of each field that only some kinds have.
    const VALUES: [(&str, &str); 20] = [
        ("at", "[0, 0]"),
        ("points", "[[0, 0], [1, 0]]"),
        ("anchor_a", "[0, 0]"),
        ("anchor_b", "[0, 0]"),
        ("anchors", "[[0, 0], [1, 0]]"),
        ("rail", "[1, 0]"),
        ("direction", "[1, 0]"),
        ("angle", "0"),
        ("ratio", "1"),
        ("ratios", "[1]"),
        ("pull", "{}"),
        ("path", r#"{"points": [[0, 0], [1, 0]]}"#),
        ("follow", "true"),
        ("from", "0"),
        ("leave", "true"),
        ("terms", "[]"),
        ("constant", "0"),
        ("as_it_stands", "true"),
        ("program", r#""body a axis q = a.rotation""#),
        ("parameters", "{}"),
    ];

    #[test]
    fn the_options_are_those_that_scenes_take() {
        for kind in KindInfo::all().iter().filter(|kind| kind.name != "user") {
            for (field, value) in VALUES {
                let name = kind.name;
                let text = format!(
                    r#"{{"version": 1, "joints": [{{"kind": "{name}", "{field}": {value}}}]}}"#
                );
                let refused = match file::parse("x", &text, Notation::Json, &[]) {
                    Ok(_) => false,
                    Err(error) => error.to_string().contains(&format!("joint has no `{field}`")),
                };
                assert_eq!(refused, !fields(name).contains(&field), "{name} {field}");
            }
            assert!(fields(kind.name).iter().all(|field| !about(field).is_empty()));
        }
    }

    #[test]
    fn every_kind_is_described_in_lines_that_fit() {
        for kind in KindInfo::all() {
            let text = describe(kind).unwrap_or_default();
            assert!(text.starts_with(kind.name), "{}", kind.name);
            // What the language prints may be longer.
            let own = text.split("as a program").next().unwrap_or("");
            assert!(own.lines().all(|line| line.chars().count() <= 100), "{own}");
            assert!(text.lines().all(|line| line.trim_end() == line), "{text}");
        }
        assert_eq!(find("rope").map(|kind| kind.name), Some("distance"));
        assert_eq!(find("Weld").map(|kind| kind.name), Some("weld"));
        assert_eq!(find("teapot"), None);
    }
}
