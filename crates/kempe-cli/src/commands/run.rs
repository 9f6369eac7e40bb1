//! `kempe run`.

use crate::arguments::{Output, Run};
use crate::failure::Failure;
use crate::output::{self, Folder, no_picture, plots, replay, tables, words};
use crate::progress::Progress;
use crate::{arguments, scene, speak};
use kempe_picture::{Gif, Theme};
use kempe_scenes::file::{Loaded, Solver};
use kempe_scenes::run::{self, Frames, Options, Outcome, Recording, Summary};
use std::path::Path;

/// Frames a second in replays and trajectories, and at most in films.
const FPS: f64 = 60.0;
const FILM_FPS: f64 = 50.0;

impl From<arguments::Solver> for Solver {
    fn from(solver: arguments::Solver) -> Self {
        match solver {
            arguments::Solver::RealTime => Self::RealTime,
            arguments::Solver::Reference => Self::Reference,
        }
    }
}

impl From<run::RunError> for Failure {
    fn from(error: run::RunError) -> Self {
        Self::Bad(error.to_string())
    }
}

/// What a scene is called: by itself, or by who asks for it.
pub(crate) fn title(loaded: &Loaded, asked: &str) -> String {
    let file = || {
        let stem = Path::new(asked).file_stem();
        stem.map_or_else(|| asked.to_owned(), |stem| stem.to_string_lossy().into_owned())
    };
    loaded.model.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(file)
}

/// A summary as JSON.
pub(crate) fn to_json(value: &impl serde::Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n").map_err(|error| Failure::Bad(error.to_string()))
}

pub(crate) fn run(arguments: &Run) -> Result<(), Failure> {
    let loaded = scene::open(&arguments.scene)?;
    let title = title(&loaded, &arguments.scene.scene);
    warn(&loaded);
    if let Some(folder) = &arguments.output {
        output::check(folder)?;
    }
    let wanted = wanted(&arguments.write, arguments.output.is_some());
    let plan = Options::of(&loaded);
    let tabled = arguments.write.iter().any(|each| *each != Output::Summary)
        && (wanted.contains(&Output::Csv) || wanted.contains(&Output::Json));
    let options = Options {
        solver: arguments.solver.map_or(plan.solver, Solver::from),
        duration: arguments.span.duration.unwrap_or(plan.duration),
        step: arguments.span.step.unwrap_or(plan.step),
        frames: Frames::PerSecond(arguments.fps.unwrap_or(FPS)),
        joints: tabled.then_some(true),
        ..plan
    };
    let progress = Progress::new(&title, arguments.quiet);
    let recording = run::run(&loaded, &options, &mut progress.watch())?;
    let mut summary = Summary::of(&loaded, &recording);
    summary.name.clone_from(&title);
    let mut said = match arguments.json {
        true => to_json(&summary)?,
        false => words::summary(&title, &summary, &recording),
    };
    if let Some(to) = &arguments.output {
        progress.tell("writing");
        let mut folder = Folder::new(to)?;
        write(&mut folder, &wanted, &loaded, &recording, &summary, arguments.fps)?;
        let names = folder.finish()?;
        if !arguments.json {
            said += &format!("\n  {}: {}\n", to.display(), names.join(", "));
        }
    }
    drop(progress);
    speak::print(&said)?;
    judge(&recording)
}

/// What is written, in order and each once.
fn wanted(asked: &[Output], to_folder: bool) -> Vec<Output> {
    use Output::{All, Csv, Gif, Html, Json, Png, Summary, Svg};
    let mut list = match asked {
        [] if to_folder => vec![Html, Svg, Csv, Summary],
        asked if asked.contains(&All) => vec![Csv, Json, Svg, Png, Html, Gif, Summary],
        asked => asked.to_vec(),
    };
    list.sort_unstable();
    list.dedup();
    list
}

fn write(
    folder: &mut Folder,
    wanted: &[Output],
    loaded: &Loaded,
    recording: &Recording,
    summary: &Summary,
    fps: Option<f64>,
) -> Result<(), Failure> {
    let wants = |output: Output| wanted.contains(&output);
    let title = &summary.name;
    if wants(Output::Html) || wants(Output::Gif) {
        let replay = replay::replay(loaded, recording, title);
        if wants(Output::Html) {
            let page = replay.html().map_err(|error| no_picture("replay.html", &error))?;
            folder.add("replay.html", page.as_bytes())?;
        }
        if wants(Output::Gif) {
            let own = Gif::default();
            let fps = fps.map_or(own.fps, |fps| fps.min(FILM_FPS));
            let gif = Gif { theme: Theme::Light, fps, ..own };
            let film = replay.gif(&gif).map_err(|error| no_picture("film.gif", &error))?;
            folder.add("film.gif", &film)?;
        }
    }
    let plots = match wants(Output::Svg) || wants(Output::Png) {
        true => plots::all(loaded, recording, title),
        false => Vec::new(),
    };
    plots::write(folder, &plots, wants(Output::Svg), wants(Output::Png))?;
    if wants(Output::Csv) {
        tables::csv(folder, recording)?;
    }
    if wants(Output::Json) {
        tables::json(folder, recording)?;
    }
    if wants(Output::Summary) {
        folder.add("summary.json", to_json(summary)?.as_bytes())?;
    }
    Ok(())
}

/// Says so if joints are open from the start: that is rarely meant.
fn warn(loaded: &Loaded) {
    let open = |name: &String, id| {
        let (length, angle) = loaded.world.joint_separation(id)?;
        Some((length.max(angle), name.clone()))
    };
    let each = loaded.joints.iter().filter_map(|(name, id)| open(name, *id));
    if let Some((far, name)) =
        each.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|worst| worst.0 > 1e-3)
    {
        let far = words::number(1e3 * far);
        speak::note(&format!(
            "`{name}` starts open by {far} mm or mrad; `kempe check` tells whether it can close\n"
        ));
    }
}

/// A failure that names what does not hold.
fn judge(recording: &Recording) -> Result<(), Failure> {
    let unmet = recording.verdicts.iter().filter(|each| each.outcome == Outcome::Unmet);
    let spoiled = recording.spoiled.iter();
    let spoiled = spoiled.map(|each| format!("at {:.4} s {}", each.time, each.text));
    let lines: Vec<String> =
        spoiled.chain(unmet.map(|each| format!("not met: {}", words::unmet(each)))).collect();
    match lines.is_empty() {
        true => Ok(()),
        false => Err(Failure::Unmet(lines.join("\n"))),
    }
}
