//! What is said, word for word.

use crate::common::{folder, output, text};
use std::fmt::Write as _;

/// Compares what commands say with a file.
fn same(name: &str, commands: &[&[&str]]) {
    let mut said = String::new();
    for arguments in commands {
        let told = output(arguments);
        let [out, error] = [&told.stdout, &told.stderr].map(|bytes| text(bytes));
        let status = told.status.code().unwrap_or(-1);
        writeln!(said, "$ kempe {}", arguments.join(" ")).unwrap();
        said += &out;
        if !error.is_empty() {
            writeln!(said, "--- standard error\n{}", error.trim_end()).unwrap();
        }
        writeln!(said, "--- status {status}\n").unwrap();
    }
    let path = folder().join(name).with_extension("txt");
    if std::env::var_os("KEMPE_UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &said).unwrap();
        return;
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    if said == wanted {
        return;
    }
    let lines = said.lines().zip(wanted.lines()).position(|(a, b)| a != b);
    let at = lines.unwrap_or_else(|| said.lines().count().min(wanted.lines().count()));
    let line = |text: &str| text.lines().nth(at).unwrap_or("(the end)").to_owned();
    panic!(
        "{name}.txt, line {}\n  is      {}\n  was     {}\nKEMPE_UPDATE_GOLDEN=1 writes it anew; all of it:\n{said}",
        at + 1,
        line(&said),
        line(&wanted)
    );
}

#[test]
fn help() {
    same("help", &[&["--help"], &["-h"], &["--version"]]);
    let commands =
        ["run", "check", "explain", "compare", "sweep", "scenes", "new", "schema", "completions"];
    for command in commands {
        same(&format!("help-{command}"), &[&[command, "--help"]]);
    }
}

#[test]
fn arguments_that_make_no_sense() {
    same(
        "arguments",
        &[
            &["dance"],
            &["chekc", "sound.ron"],
            &["check"],
            &["check", "sound.ron", "--jsno"],
            &["check", "sound.ron", "--set", "speed"],
            &["check", "sound.ron", "--set", "speed=fast"],
            &["check", "sound.ron", "--set", "speed=nan"],
            &[
                "sweep",
                "sound.ron",
                "--param",
                "speed",
                "--from",
                "1",
                "--to",
                "2",
                "-o",
                "sound.ron",
            ],
            &["completions", "tcsh"],
            &["sweep", "sound.ron", "--param", "speed", "--from", "1"],
        ],
    );
}

#[test]
fn names_that_nothing_has() {
    same(
        "unknown",
        &[
            &["check", "slider_cronk"],
            &["check", "nothing.ron"],
            &["check", "teapot"],
            &["check", "sound.ron", "--set", "sped=3"],
            &["check", "sound.ron", "--set", "joints.drive.motr.speed=3"],
            &["scenes", "geneva_driv"],
            &["explain", "revolut"],
            &["explain", "HingeJoint"],
            &["explain", "teapot"],
            &["explain", "nothing.kempe"],
            &["explain", "sound.ron"],
            &["new", "sound.ron"],
            &["new", "sound.txt"],
        ],
    );
}

#[test]
fn a_scene_with_mistakes() {
    same("mistakes", &[&["check", "mistakes.ron"], &["check", "torn.json"]]);
}

#[test]
fn a_program_with_mistakes() {
    same("broken", &[&["explain", "broken.kempe"]]);
}

#[test]
fn mechanisms_that_are_sound() {
    let scenes = ["sound.ron", "redundant.ron", "sketch.ron", "several.ron", "slider_crank"];
    same("sound", &scenes.map(|scene| ["check", scene]).each_ref().map(|each| &each[..]));
}

#[test]
fn mechanisms_that_are_not_sound() {
    let scenes = ["singular.ron", "contradiction.ron"];
    same("unsound", &scenes.map(|scene| ["check", scene]).each_ref().map(|each| &each[..]));
}

#[test]
fn what_looks_like_a_mistake() {
    same("notes", &[&["check", "notes.ron"]]);
}

#[test]
fn explained() {
    same("explain", &[&["explain"]]);
    same("explain-revolute", &[&["explain", "revolute"]]);
    same("explain-kinds", &[&["explain", "rope"], &["explain", "path"], &["explain", "filter"]]);
}

#[test]
fn a_scene_is_printed() {
    same("scenes-hung_rod", &[&["scenes", "hung_rod"], &["scenes", "hung_rod", "--json"]]);
}
