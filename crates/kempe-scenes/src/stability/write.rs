//! Worlds as scene files.

use super::maker::Sample;
use super::solver::{Solver, Way};
use crate::file::{self, Notation, Number, Run};
use kempe2d::{Method, Settings};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Writes a world of a class as a scene file that runs by this way of solving, and tells where.
///
/// # Errors
/// If the world has what a file cannot say, or the file cannot be written.
pub fn write(
    folder: &Path,
    name: &str,
    sample: &Sample,
    solver: &Solver,
    seconds: f64,
) -> Result<PathBuf, Box<dyn Error>> {
    let mut world = sample.world.clone();
    let mut run = Run {
        duration: Some(Number::from(seconds)),
        step: Some(Number::from(1.0 / 240.0)),
        solver: None,
        method: None,
    };
    match solver.way {
        Way::RealTime { hertz, substeps, direct } => {
            let settings = world.settings();
            world.set_settings(Settings { substeps, direct, ..settings })?;
            run.step = Some(Number::from(1.0 / hertz));
        }
        Way::Reference(method) => {
            run.solver = Some(file::Solver::Reference);
            run.method = Some(written(method));
        }
    }
    let mut model = file::export_world(&world, &BTreeMap::new(), &BTreeMap::new())?;
    model.name = Some(name.to_owned());
    model.run = Some(run);
    std::fs::create_dir_all(folder)?;
    let path = folder.join(format!("{name}.ron"));
    std::fs::write(&path, file::write(&model, Notation::Ron)?)?;
    Ok(path)
}

fn written(method: Method) -> file::Method {
    let mut written = file::Method { theta: None, generalized_alpha: None, rattle: None };
    match method {
        Method::Theta { k } => written.theta = Some(Number::from(k)),
        Method::GeneralizedAlpha { radius } => {
            written.generalized_alpha = Some(Number::from(radius));
        }
        Method::Rattle { order } => written.rattle = Some(order),
    }
    written
}
