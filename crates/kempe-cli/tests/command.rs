//! The command as a user runs it.

use std::process::{Command, Output};

fn kempe(arguments: &[&str]) -> Output {
    let command = Command::new(env!("CARGO_BIN_EXE_kempe")).args(arguments).output();
    assert!(command.is_ok(), "the command starts");
    command.unwrap_or_else(|_| std::process::abort())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn without_arguments_it_simulates_a_mechanism() {
    let output = kempe(&[]);
    let said = text(&output.stdout);
    assert!(output.status.success() && output.stderr.is_empty());
    for word in ["peaucellier", "joints", "energy", "separation", "600 steps", "hash"] {
        assert!(said.contains(word), "{word} is missing in\n{said}");
    }
}

#[test]
fn a_scene_runs_by_its_name_and_for_its_time() {
    let output = kempe(&["run", "four_bar", "2"]);
    assert!(output.status.success());
    assert!(text(&output.stdout).contains("120 steps"));
}

#[test]
fn scenes_are_listed() {
    let output = kempe(&["scenes"]);
    assert!(output.status.success() && text(&output.stdout).lines().count() >= 20);
}

#[test]
fn a_scene_is_drawn() {
    let output = kempe(&["draw", "pendulum", "0.5"]);
    let said = text(&output.stdout);
    assert!(output.status.success());
    assert!(
        said.starts_with("<svg") && said.trim_end().ends_with("</svg>") && !said.contains("NaN")
    );
}

#[test]
fn what_makes_no_sense_is_said_on_stderr() {
    for (arguments, word) in [
        (&["run", "four_barr"][..], "four_bar"),
        (&["run", "pendulum", "soon"][..], "soon"),
        (&["run", "pendulum", "-1"][..], "-1"),
        (&["run", "pendulum", "NaN"][..], "NaN"),
        (&["explain", "no such file"][..], "no such file"),
        (&["dance"][..], "usage"),
    ] {
        let output = kempe(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        let said = text(&output.stderr);
        assert!(said.contains(word), "{arguments:?}: {said}");
    }
}

#[test]
fn a_joint_program_is_explained() {
    let output = kempe(&["explain"]);
    assert!(output.status.success() && text(&output.stdout).contains("line.kempe"));
}
