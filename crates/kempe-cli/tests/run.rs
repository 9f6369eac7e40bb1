//! `kempe run`, `kempe compare` and `kempe` alone, as a user runs them.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SCENE: &str = r#"(
    version: 1,
    name: "a, \"small\" one",
    bodies: [(name: "bob, left", position: (1, 0), mass: 2, shapes: [(circle: (radius: 0.1))])],
    joints: [(name: "pin", kind: revolute, bodies: (ground, "bob, left"), at: (0, 0))],
    probes: [(name: "height", body: "bob, left", what: y), (name: "pull", joint: pin, what: force)],
    traces: [(body: "bob, left")],
    run: (duration: 0.5, step: 0.01),
    expect: [(probe: height, max: LIMIT)],
)"#;

/// An empty folder with a scene of which `height` must stay below a limit.
fn folder(name: &str, limit: f64) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("scene.ron"), SCENE.replace("LIMIT", &limit.to_string())).unwrap();
    folder
}

fn kempe(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kempe"));
    command.args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

/// Cells of a line of CSV.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            letter => cells.last_mut().unwrap().push(letter),
        }
    }
    cells
}

#[test]
fn everything_that_is_written_can_be_read() {
    let folder = folder("everything", 1.0);
    let output = kempe(&folder, &["run", "scene.ron", "-o", "out", "--write", "all"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(output.stderr.is_empty());
    let out = folder.join("out");
    let expected = [
        "energy.png",
        "energy.svg",
        "film.gif",
        "joints.png",
        "joints.svg",
        "probes.csv",
        "probes.json",
        "probes.png",
        "probes.svg",
        "reactions.csv",
        "reactions.json",
        "replay.html",
        "summary.json",
        "traces.png",
        "traces.svg",
        "trajectory.csv",
        "trajectory.json",
    ];
    assert_eq!(names(&out), expected);
    let read = |name: &str| fs::read(out.join(name)).unwrap();
    for name in expected {
        let bytes = read(name);
        match name.rsplit('.').next().unwrap() {
            "svg" => {
                let svg = text(&bytes);
                assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
                assert!(!svg.contains("NaN"));
            }
            "png" => {
                assert!(bytes.starts_with(b"\x89PNG\r\n") && bytes.ends_with(b"IEND\xaeB`\x82"));
            }
            "gif" => assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(&[0x3b])),
            "html" => assert!(text(&bytes).trim_end().ends_with("</html>")),
            "csv" => {
                let table = text(&bytes);
                let columns = cells(table.lines().next().unwrap()).len();
                assert!(table.lines().count() > 20, "{name}");
                assert!(table.lines().all(|line| cells(line).len() == columns), "{name}");
            }
            _ => assert!(serde_json::from_slice::<Value>(&bytes).unwrap().is_object()),
        }
    }
    // The same numbers in both, and they are those of a pendulum that has begun to fall.
    let json: Value = serde_json::from_slice(&read("probes.json")).unwrap();
    let csv = text(&read("probes.csv"));
    assert_eq!(csv.lines().next(), Some("time (s),height (m),pull (N)"));
    assert_eq!(csv.lines().count(), 52);
    let last = cells(csv.lines().last().unwrap());
    assert_eq!((json["time"][50].as_f64(), last[0].parse().ok()), (Some(0.5), Some(0.5)));
    let height = json["probes"][0]["values"][50].as_f64().unwrap();
    assert!(height < -0.8 && height > -1.0, "{height}");
    // What reads JSON rounds the last digit.
    let same = |value: f64| (value - height).abs() < 1e-14;
    assert!(same(last[1].parse().unwrap()));
    let path: Value = serde_json::from_slice(&read("trajectory.json")).unwrap();
    let body = path["bodies"].as_array().unwrap().iter().find(|each| each["name"] == "bob, left");
    let end = path["time"].as_array().unwrap().len() - 1;
    assert!(same(body.unwrap()["y"][end].as_f64().unwrap()));
    let joints: Value = serde_json::from_slice(&read("reactions.json")).unwrap();
    let pin = &joints["joints"][0];
    assert_eq!((&pin["name"], &pin["kind"]), (&"pin".into(), &"revolute".into()));
    assert_eq!(pin["coordinates"][0].as_array().unwrap().len(), end + 1);
    assert!(pin["force_y"][end].as_f64().unwrap() > 10.0);
    let said = text(&output.stdout);
    for word in
        ["bob, left", "pin", "height", "energy (J)", "1 of 1 expectation met", "replay.html"]
    {
        assert!(said.contains(word), "{word} is missing in\n{said}");
    }
    assert!(said.lines().count() <= 40);
}

#[test]
fn without_a_choice_it_writes_what_people_look_at() {
    let folder = folder("default", 1.0);
    assert!(kempe(&folder, &["run", "scene.ron", "-o", "a/b"]).status.success());
    let names = names(&folder.join("a/b"));
    for name in ["replay.html", "probes.svg", "probes.csv", "summary.json"] {
        assert!(names.iter().any(|each| each == name), "{name}");
    }
    assert!(!names.iter().any(|name| name.ends_with(".png") || name.starts_with('.')));
    // What a run that was killed has left goes; what is someone else's stays.
    fs::create_dir(folder.join("a/b/.kempe-part-999999999")).unwrap();
    fs::write(folder.join("a/b/mine.txt"), "mine").unwrap();
    assert!(kempe(&folder, &["run", "scene.ron", "-o", "a/b", "-w", "csv"]).status.success());
    assert_eq!(fs::read_to_string(folder.join("a/b/mine.txt")).unwrap(), "mine");
    let left = folder.join("a/b/.kempe-part-999999999").exists();
    assert!(!left || !Path::new("/proc/self").exists());
}

#[test]
fn what_is_not_met_is_named_after_all_is_written() {
    let folder = folder("unmet", -0.5);
    for solver in ["real-time", "reference"] {
        let arguments = ["run", "scene.ron", "-o", solver, "--json", "--solver", solver];
        let output = kempe(&folder, &arguments);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("height"), "{}", text(&output.stderr));
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(said["expectations"][0]["outcome"], "unmet");
        assert_eq!(said["expectations"][0]["found"], 0.0);
        assert!(folder.join(solver).join("summary.json").exists());
    }
}

#[test]
fn two_runs_have_one_hash_and_solvers_differ() {
    let folder = folder("hash", 1.0);
    let hash = |solver: &str| {
        let output = kempe(&folder, &["run", "scene.ron", "--json", "--solver", solver]);
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(said["steps"], 50);
        said["state_hash"].as_str().unwrap().to_owned()
    };
    assert_eq!(hash("real-time"), hash("real-time"));
    assert_eq!(hash("reference"), hash("reference"));
    assert_ne!(hash("reference"), hash("real-time"));
    assert_eq!(names(&folder), ["scene.ron"]);
}

#[test]
fn what_cannot_be_done_leaves_nothing_behind() {
    let folder = folder("bad", 1.0);
    fs::write(folder.join("wrong.ron"), "(version: 1, bodies: [(nme: 1)])").unwrap();
    fs::write(folder.join("file"), "mine").unwrap();
    // RATTLE is not for what loses energy.
    let method = "duration: 0.5, solver: reference, method: (rattle: 2)";
    let rubs = SCENE.replace("LIMIT", "1").replace("at: (0, 0)", "at: (0, 0), friction: 1");
    fs::write(folder.join("rubs.ron"), rubs.replace("duration: 0.5", method)).unwrap();
    let before = names(&folder);
    for (arguments, word) in [
        (&["run", "wrong.ron", "-o", "new/out"][..], "nme"),
        (&["run", "missing.ron", "-o", "new/out"][..], "missing.ron"),
        (&["run", "double_pendulm", "-o", "new/out"][..], "double_pendulum"),
        (&["run", "scene.ron", "-o", "file"][..], "not a folder"),
        (&["run", "scene.ron", "-o", "file/out"][..], "file"),
        (&["run", "rubs.ron", "-o", "new/out"][..], "`pin` loses energy by friction"),
        (&["run", "scene.ron", "-o", "new", "--duration", "-1"][..], "above 0"),
        (&["run", "scene.ron", "-o", "new", "--duration", "1e6", "--step", "1e-9"][..], "steps"),
        (&["run", "scene.ron", "-o", "new", "--set", "length=2"][..], "length"),
        (&["run", "scene.ron", "--write", "csv"][..], "--output"),
        (&["compare", "rubs.ron", "-o", "new/out"][..], "friction"),
    ] {
        let output = kempe(&folder, arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(word), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty());
        assert_eq!(names(&folder), before, "{arguments:?}");
    }
    assert_eq!(fs::read_to_string(folder.join("file")).unwrap(), "mine");
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let folder = folder("pipe", 1.0);
    let mut command = Command::new(env!("CARGO_BIN_EXE_kempe"));
    command.args(["run", "scene.ron", "--json"]).current_dir(&folder);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(output.stderr.is_empty());
}

#[test]
fn solvers_are_compared() {
    let folder = folder("compare", 1.0);
    let output = kempe(&folder, &["compare", "scene.ron", "-o", "out"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("bob, left"));
    let out = folder.join("out");
    assert_eq!(names(&out), ["compare.csv", "compare.json", "compare.png", "compare.svg"]);
    let output = kempe(&folder, &["compare", "scene.ron", "--json", "--reference-step", "0.003"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["moments"].as_array().unwrap().len(), 51);
    assert_eq!(found["reference_step"].as_f64(), Some(0.0025));
    let off = |place: &str| found["bodies"][0][place]["largest"].as_f64().unwrap();
    assert!(off("position") > 0.0 && off("position") < 1e-3, "{}", off("position"));
    // Shorter steps are nearer to the truth.
    let finer = kempe(&folder, &["compare", "scene.ron", "--json", "--step", "0.002"]);
    let finer: Value = serde_json::from_slice(&finer.stdout).unwrap();
    let nearer = finer["bodies"][0]["position"]["largest"].as_f64().unwrap();
    assert!(nearer < 0.5 * off("position"), "{nearer} {}", off("position"));
}

#[test]
fn alone_it_simulates_a_mechanism_and_overwrites_nothing() {
    let folder = folder("alone", 1.0);
    fs::create_dir(folder.join("kempe-output")).unwrap();
    fs::write(folder.join("kempe-output/mine.txt"), "mine").unwrap();
    let output = kempe(&folder, &[]);
    let said = text(&output.stdout);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    for word in ["mobility 1", "energy (J)", "reference solver", "steps a second", "kempe-output-2"]
    {
        assert!(said.contains(word), "{word} is missing in\n{said}");
    }
    assert!(said.contains("expectations met") && !said.contains("NOT MET"));
    assert_eq!(names(&folder.join("kempe-output")), ["mine.txt"]);
    let names = names(&folder.join("kempe-output-2"));
    assert!(names.contains(&"replay.html".to_owned()) && names.contains(&"compare.svg".to_owned()));
    let page = fs::read_to_string(folder.join("kempe-output-2/replay.html")).unwrap();
    assert!(page.contains("reference"));
    // The scene that it leaves there runs by itself.
    let scene = "kempe-output-2/peaucellier.ron";
    assert!(kempe(&folder, &["run", scene, "--duration", "0.5"]).status.success());
}
