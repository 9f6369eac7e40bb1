//! A scene with many mistakes: all of them are told at once, with their places.

use crate::ron;
use kempe_scenes::file::{self, Notation};

#[test]
fn every_mistake_is_told() {
    let text = ron(include_str!("wrong.ron")).unwrap_err().to_string();
    let golden = include_str!("wrong.txt");
    assert_eq!(text.trim_end(), golden.trim_end(), "\n{text}\n");
}

#[test]
fn mistakes_are_drawn() {
    let scene = r##"(
    version: 1,
    bodies: [(name: "crank"), (name: "crank")],
    joints: [
        (kind: revolute, bodies: ("ground", "crnak")),
        (kind: text, bodies: (a: "ground", b: "crank"), program: r#"
            body a, b
            constraint b.positoin - a.position
        "#),
    ],
)"##;
    let picture = ron(scene).unwrap_err().render(false);
    let golden = include_str!("drawn.txt");
    assert_eq!(picture.trim_end(), golden.trim_end(), "\n{picture}\n");
    let colored = ron(scene).unwrap_err().render(true);
    assert!(colored.contains("\u{1b}["));
}

#[test]
fn mistakes_of_notation_are_told() {
    let told =
        |text: &str, notation| file::parse("scene", text, notation, &[]).unwrap_err().to_string();
    for (text, line) in [
        (
            "(version: 1 name: \"a\")",
            "scene:1:13: there is `n` instead of `,` or `)` (is a comma missing?)",
        ),
        ("(version: 1, bodies: [(name: \"a\")", "scene:1:22: this is not closed (`]` is missing)"),
        ("(version: 1, name: \"a", "scene:1:20: the text does not end"),
        ("(version: 1] ", "scene:1:12: there is `]` instead of `,` or `)`"),
        ("(version = 1)", "scene:1:10: there is `=` instead of `:`"),
        ("", "scene:1:1: the file ends where a value should be"),
        ("(version: 1) x", "scene:1:14: there is `x` instead of the end of the file"),
        ("(version: 1, run: (step: 1/60))", "scene:1:27: there is `/` instead of a value"),
    ] {
        assert_eq!(told(text, Notation::Ron), line, "{text}");
    }
    for (text, line) in [
        ("{\"version\": 1, }", "scene:1:14: JSON has no comma at the end of a list"),
        ("{version: 1}", "scene:1:2: there is `v` instead of a name in quotes"),
        ("{\"version\": 1, \"name\": x}", "scene:1:24: `x` is no value of JSON (write \"x\")"),
        ("(version: 1)", "scene:1:1: there is `(` instead of a value"),
    ] {
        assert_eq!(told(text, Notation::Json), line);
    }
    let many = format!("(version: 1, bodies: [{}])", "(mass: -1), ".repeat(1000));
    let error = ron(&many).unwrap_err();
    assert_eq!((error.problems().len(), error.left_out()), (100, 900));
    assert!(error.to_string().ends_with("and 900 more"));
}

#[test]
fn models_without_a_file_tell_the_way() {
    let mut model = ron("(version: 1, bodies: [(name: \"a\")])").unwrap().model;
    model.bodies[0].mass = Some(file::Either::Plain((-1.0).into()));
    model.traces.push(file::Trace { body: "b".to_owned(), point: None });
    let error = file::build(model, None).unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines[0], "scene: bodies.0.mass: `mass` is -1; it must be finite and above 0");
    assert_eq!(lines[1], "scene: traces.0.body: no body is called `b`");
}

#[test]
fn the_schema_has_every_field() {
    let schema = file::schema();
    let fields = schema["properties"].as_object().unwrap();
    for field in ["version", "bodies", "joints", "forces", "probes", "run", "expect"] {
        assert!(fields.contains_key(field), "{field}");
    }
    assert_eq!(schema["additionalProperties"], false);
    let joint = schema["$defs"]["Joint"]["properties"].as_object().unwrap();
    for field in ["kind", "at", "motor", "axes", "program", "breaking"] {
        assert!(joint.contains_key(field), "{field}");
    }
    assert_eq!(schema["required"], serde_json::json!(["version"]));
}
