//! Sweeps, whole and interrupted.

use crate::common::{Scratch, folder, kempe, output, text};
use std::path::Path;
use std::time::{Duration, Instant};

const COUNT: usize = 36;

/// The arguments of a sweep that takes a second or so.
fn sweep<'a>(scene: &'a str, folder: &'a str, jobs: &'a str) -> Vec<&'a str> {
    let mut all = vec!["sweep", scene, "--param", "speed", "--from", "1", "--to", "7"];
    all.extend(["--count", "36", "--solver", "reference", "-o", folder, "--jobs", jobs]);
    all
}

fn read(folder: &str, name: &str) -> String {
    std::fs::read_to_string(Path::new(folder).join(name)).unwrap_or_default()
}

#[test]
fn an_interrupted_sweep_goes_on_and_ends_the_same() {
    let scratch = Scratch::new("sweep-interrupted");
    let (whole, torn) = (scratch.path("whole"), scratch.path("torn"));
    let scene = scratch.path("scene.ron");
    let says = std::fs::read_to_string(folder().join("sound.ron")).unwrap();
    std::fs::write(&scene, &says).unwrap();
    assert!(output(&sweep(&scene, &whole, "3")).status.success());
    let table = read(&whole, "sweep.csv");
    assert_eq!(table.lines().count(), COUNT + 1);
    assert!(!Path::new(&whole).join("sweep.journal").exists());

    let mut child = kempe(&sweep(&scene, &torn, "1")).spawn().unwrap();
    let finished = || {
        let journal = read(&torn, "sweep.journal");
        journal.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count()
    };
    let start = Instant::now();
    while finished() < 5 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let done = finished();
    assert!((5..COUNT).contains(&done), "{done}");
    assert!(!Path::new(&torn).join("sweep.csv").exists());
    // The last line may have been cut off.
    let journal = read(&torn, "sweep.journal");
    let cut = journal.trim_end().len() - 3;
    std::fs::write(Path::new(&torn).join("sweep.journal"), &journal[..cut]).unwrap();

    // Other arguments are refused, by name.
    let mut other = sweep(&scene, &torn, "1");
    other[7] = "8";
    let told = output(&other);
    assert_eq!(told.status.code(), Some(2));
    let said = text(&told.stderr);
    assert!(said.contains("another sweep is unfinished") && said.contains("--to was 7, and is 8"));
    // So is another scene of the same name.
    std::fs::write(&scene, says.replace("mass: 2", "mass: 3")).unwrap();
    let told = output(&sweep(&scene, &torn, "1"));
    assert_eq!(told.status.code(), Some(2));
    assert!(text(&told.stderr).contains("the scene has been changed since"));
    std::fs::write(&scene, &says).unwrap();
    assert_eq!(read(&torn, "sweep.journal"), journal[..cut]);

    let told = output(&sweep(&scene, &torn, "2"));
    assert!(told.status.success());
    let said = text(&told.stderr);
    assert!(said.contains(&format!("{} of {COUNT} runs are done already", done - 1)), "{said}");
    assert_eq!(read(&torn, "sweep.csv"), table);
    assert_eq!(read(&torn, "sweep.svg"), read(&whole, "sweep.svg"));
    assert!(!Path::new(&torn).join("sweep.journal").exists());
}

#[test]
fn values_that_make_no_scene_are_results() {
    let scratch = Scratch::new("sweep-values");
    let folder = scratch.path("out");
    let mut arguments = vec!["sweep", "sound.ron", "--param", "bodies.slider.mass", "--from", "-1"];
    arguments.extend(["--to", "1", "--count", "3", "--duration", "0.1", "-o", &folder]);
    let told = output(&arguments);
    assert_eq!(told.status.code(), Some(1), "{}", text(&told.stderr));
    assert!(text(&told.stdout).contains("could not be run"));
    let table = read(&folder, "sweep.csv");
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("bodies.slider.mass,x final,x min,x max,"));
    assert!(lines[1].starts_with("-1,,,") && lines[1].contains("mass"), "{}", lines[1]);
    assert!(lines[3].starts_with("1,0.") && lines[3].ends_with(','), "{}", lines[3]);
    assert!(read(&folder, "sweep.svg").starts_with("<svg"));
}

#[test]
fn what_cannot_be_swept_is_refused() {
    let scratch = Scratch::new("sweep-refused");
    let folder = scratch.path("out");
    for (param, from, more, word) in [
        ("sped", "1", &[][..], "did you mean `speed`?"),
        ("speed", "inf", &[], "must be finite"),
        ("speed", "-1", &["--log"], "above 0"),
        ("speed", "1", &["--set", "speed=2"], "both swept and set"),
    ] {
        let mut arguments = vec!["sweep", "sound.ron", "--param", param, "--from", from];
        arguments.extend(["--to", "3", "-o", &folder]);
        arguments.extend(more);
        let told = output(&arguments);
        assert_eq!(told.status.code(), Some(2), "{param}");
        assert!(text(&told.stderr).contains(word), "{}", text(&told.stderr));
        assert!(!Path::new(&folder).exists());
    }
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(Path::new(&folder).join("sweep.journal"), "my notes").unwrap();
    let told = output(&sweep("sound.ron", &folder, "1"));
    assert_eq!(told.status.code(), Some(2));
    assert!(text(&told.stderr).contains("no journal of a sweep"));
    assert_eq!(read(&folder, "sweep.journal"), "my notes");
    let journal = std::fs::File::options().write(true).open(scratch.path("out/sweep.journal"));
    let journal = journal.unwrap();
    journal.lock().unwrap();
    let told = output(&sweep("sound.ron", &folder, "1"));
    assert_eq!(told.status.code(), Some(2));
    assert!(text(&told.stderr).contains("a sweep is running in this folder"));
}
