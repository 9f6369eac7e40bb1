//! `kempe new`.

use crate::arguments::New;
use crate::failure::Failure;
use crate::speak;
use kempe_scenes::file::{self, Notation};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A slider-crank with a motor, a spring, stops and a cam from text; every section is explained.
const STARTER: &str = include_str!("new/starter.ron");
/// What it is called there.
const NAME: &str = "NAME";

pub(crate) fn run(arguments: &New) -> Result<(), Failure> {
    let (path, notation) = place(&arguments.name)?;
    let text = starter(&path, notation)?;
    let file = OpenOptions::new().write(true).create_new(true).open(&path);
    let mut file = file.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Failure::of_file(
            &path,
            &"it is there already, and is left as it is; choose another name",
        ),
        _ => Failure::of_file(&path, &error),
    })?;
    file.write_all(text.as_bytes()).map_err(|error| Failure::of_file(&path, &error))?;
    let name = path.display();
    let next = [
        (format!("check {name}"), "whether it fits together, and how it can move"),
        (format!("run {name} -o out -w html,svg"), "simulate it; then open out/replay.html"),
        (format!("sweep {name} --param speed --from 2 --to 12 -o out"), "run it many times over"),
        ("explain revolute".to_owned(), "what a kind of joint does"),
        ("scenes".to_owned(), "more scenes to start from"),
    ];
    let widest = next.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    let next = next.iter().map(|(command, about)| format!("  kempe {command:<widest$}  {about}\n"));
    speak::print(&format!(
        "wrote {name}: a slider-crank with a motor, a spring and a cam\n\nnext\n{}",
        next.collect::<String>()
    ))
}

/// Where it goes, and in which notation.
fn place(name: &Path) -> Result<(PathBuf, Notation), Failure> {
    if name.file_name().is_none() {
        return Err(Failure::Bad(format!("`{}` is no name of a file", name.display())));
    }
    let Some(ending) = name.extension() else {
        let mut name = name.as_os_str().to_owned();
        name.push(".ron");
        return Ok((name.into(), Notation::Ron));
    };
    match Notation::of(name) {
        Some(notation) => Ok((name.to_owned(), notation)),
        None => {
            let ending = ending.display();
            Err(Failure::of_file(name, &format!("a scene ends in .ron or .json, not .{ending}")))
        }
    }
}

fn starter(path: &Path, notation: Notation) -> Result<String, Failure> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let plain: String =
        stem.chars().filter(|c| !c.is_control() && !matches!(c, '"' | '\\')).collect();
    let text = STARTER.replacen(NAME, &plain, 1);
    match notation {
        Notation::Ron => Ok(text),
        // Comments are for people, and JSON is not.
        Notation::Json => {
            let loaded = file::parse("starter.ron", &text, Notation::Ron, &[])?;
            file::write(&loaded.model, notation).map_err(|error| Failure::Bad(error.to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{STARTER, place, starter};
    use kempe_scenes::file::{self, Notation, Solver};
    use kempe_scenes::run::{self, Options, Outcome};
    use std::path::Path;

    #[test]
    fn the_starter_runs_with_both_solvers_and_is_what_it_expects() {
        let scene = file::parse("starter.ron", STARTER, Notation::Ron, &[]).unwrap();
        assert!(scene.expected.len() >= 5 && scene.probes.len() >= 5 && !scene.traces.is_empty());
        for solver in [Solver::RealTime, Solver::Reference] {
            let options = Options { solver, ..Options::of(&scene) };
            let recording = run::run(&scene, &options, &mut run::unwatched).unwrap();
            for verdict in &recording.verdicts {
                assert_eq!(verdict.outcome, Outcome::Met, "{solver:?} {verdict:?}");
            }
        }
    }

    #[test]
    fn its_expectations_can_fail() {
        for (set, value) in
            [("joints.drive.motor.speed", 0.5), ("joints.drive.motor.max_force", 0.1)]
        {
            let set = [(set.to_owned(), value)];
            let mut scene = file::parse("starter.ron", STARTER, Notation::Ron, &set).unwrap();
            scene.plan.duration = 0.3;
            let options = Options::of(&scene);
            let recording = run::run(&scene, &options, &mut run::unwatched).unwrap();
            assert!(recording.verdicts.iter().any(|verdict| verdict.outcome == Outcome::Unmet));
        }
    }

    #[test]
    fn json_says_the_same() {
        let json = starter(Path::new("a.json"), Notation::Json).unwrap();
        let ron = starter(Path::new("a.ron"), Notation::Ron).unwrap();
        let [json, ron] = [(&json, Notation::Json), (&ron, Notation::Ron)]
            .map(|(text, notation)| file::parse("a", text, notation, &[]).unwrap());
        assert_eq!(json.model, ron.model);
        assert_eq!(ron.model.name.as_deref(), Some("a"));
    }

    #[test]
    fn names_get_an_ending() {
        let to = |name: &str| place(Path::new(name)).map(|(path, _)| path.display().to_string());
        assert_eq!(to("crank").unwrap(), "crank.ron");
        assert_eq!(to("a/b.json").unwrap(), "a/b.json");
        assert!(to("crank.txt").is_err() && to("..").is_err() && to("").is_err());
        let odd = starter(Path::new("a \"b\\ \n.ron"), Notation::Ron).unwrap();
        let odd = file::parse("odd", &odd, Notation::Ron, &[]).unwrap();
        assert_eq!(odd.model.name.as_deref(), Some("a b "));
    }
}
