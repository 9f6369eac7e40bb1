//! `kempe` alone: an embedded mechanism by both solvers.

use super::compare::{Compared, both};
use crate::failure::Failure;
use crate::output::words::{self, count, number};
use crate::output::{Folder, no_picture, plots, replay};
use crate::progress::Progress;
use crate::{commands, speak};
use kempe_scenes::file::{self, Loaded, Notation};
use kempe_scenes::run::{Options, Summary};
use kempe2d::Mechanism;
use std::path::PathBuf;

const SCENE: &str = include_str!("../peaucellier.ron");
/// Where it goes, or to the next of the same name.
const FOLDER: &str = "kempe-output";

pub(crate) fn run() -> Result<(), Failure> {
    let loaded = file::parse("peaucellier.ron", SCENE, Notation::Ron, &[])?;
    let title = commands::run::title(&loaded, "peaucellier");
    let to = free()?;
    let progress = Progress::new("real time", false);
    let [fast, exact] = both(&loaded, &Options::of(&loaded), None, &progress)?;
    progress.tell("writing");
    let summary = Summary::of(&loaded, &fast);
    let compared = Compared::of(&title, &fast, &exact);
    let mut folder = Folder::new(&to)?;
    let mut replay = replay::replay(&loaded, &fast, &title);
    replay::ghost(&mut replay, "reference", &exact);
    let page = replay.html().map_err(|error| no_picture("replay.html", &error))?;
    folder.add("replay.html", page.as_bytes())?;
    let mut drawn = plots::all(&loaded, &fast, &title);
    drawn.push(("compare", compared.plot()));
    plots::write(&mut folder, &drawn, true, false)?;
    folder.add("peaucellier.ron", SCENE.as_bytes())?;
    folder.add("summary.json", commands::run::to_json(&summary)?.as_bytes())?;
    let names = folder.finish()?;
    drop(progress);

    let mut said = words::summary(&title, &summary, &fast);
    said += &mobility(&loaded);
    let [position, angle] = compared.largest();
    said += &format!(
        "\n  reference solver: {:.0} steps a second in steps of {} ms, gaps of {} mm at most\n  \
         real time is off by {} mm and {} rad at most\n",
        exact.steps_per_second(),
        number(1e3 * exact.step),
        number(1e3 * exact.largest_error()[0]),
        number(1e3 * position),
        number(angle),
    );
    let page = to.join("replay.html");
    said += &format!(
        "\n  open {} in a browser; beside it are {}\n",
        page.display(),
        names[1..].join(", ")
    );
    said += "  `kempe --help` tells what else there is, `kempe scenes` lists more mechanisms\n";
    speak::print(&said)
}

/// A folder that is not there yet: what is there may be someone else's.
fn free() -> Result<PathBuf, Failure> {
    let names = (2..10_000).map(|number| format!("{FOLDER}-{number}"));
    let mut names = std::iter::once(FOLDER.to_owned()).chain(names).map(PathBuf::from);
    let free = names.find(|name| name.symlink_metadata().is_err());
    free.ok_or_else(|| Failure::Bad(format!("there are too many folders called {FOLDER}")))
}

fn mobility(loaded: &Loaded) -> String {
    match loaded.world.mobility() {
        Ok(found) => {
            let sum = |of: &dyn Fn(&Mechanism) -> usize| found.mechanisms.iter().map(of).sum();
            let (freedoms, rank): (usize, usize) =
                (sum(&|each| each.freedoms), sum(&|each| each.rank));
            let driven = found.driven.len();
            let joints = rank.saturating_sub(driven);
            format!(
                "\n  mobility {}: {freedoms} freedoms, {joints} held by joints, {driven} driven; \
                 {} that say nothing new\n",
                freedoms.saturating_sub(joints),
                count(found.redundant.len(), "row", "rows"),
            )
        }
        Err(error) => format!("\n  mobility: {error}\n"),
    }
}
