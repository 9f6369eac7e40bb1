//! Runs a scene that was loaded, by either solver, and keeps what happened.
//!
//! ```
//! use kempe_scenes::file::{self, Notation};
//! use kempe_scenes::run::{self, Options, Summary};
//!
//! let text = r#"(
//!     version: 1,
//!     name: "pendulum",
//!     bodies: [(name: "rod", position: (0.5, 0), mass: 2)],
//!     joints: [(name: "pin", kind: revolute, bodies: (ground, rod), at: (0, 0))],
//!     probes: [(name: "height", body: rod, what: y)],
//!     run: (duration: 0.5),
//!     expect: [(probe: height, max: 0)],
//! )"#;
//! let scene = file::parse("pendulum.ron", text, Notation::Ron, &[])?;
//! let recording = run::run(&scene, &Options::of(&scene), &mut run::unwatched)?;
//! assert_eq!(recording.times.len(), 31);
//! assert!(recording.verdicts[0].is_met());
//!
//! let summary = Summary::of(&scene, &recording);
//! assert_eq!(summary.steps, 30);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | has |
//! |---|---|
//! | `options`, `error` | how it runs, and why it could not |
//! | `parts` | bodies and joints by name, and where joints are drawn |
//! | `recorder`, `recording` | what is kept of a run, and who keeps it |
//! | `read` | what joints bear, and what probes read, by either solver |
//! | `judge` | whether what is expected holds |
//! | `summary` | all of it in a few numbers |

mod error;
mod judge;
mod options;
mod parts;
mod read;
mod recorder;
mod recording;
mod summary;

pub use error::RunError;
pub use judge::{Outcome, Verdict};
pub use options::{Frames, MOST_STEPS, Options};
pub use parts::{BodyPart, JointPart};
pub use read::unit;
pub use recording::{Energy, Happened, JointState, MOST_EVENTS, MOST_NUMBERS, Peak, Recording};
pub use summary::{BodySummary, EnergySummary, JointSummary, Summary};

use crate::file::{Loaded, Solver};
use kempe2d::{Reference, World};
use options::Grid;
use recorder::Recorder;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// So many steps of the reference solver are made at once; then it can be cancelled.
const AT_ONCE: u64 = 256;

/// For a run that nobody watches.
pub fn unwatched(_: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Runs a scene from where it was loaded; the scene stays as it is. `progress` is told which part is
/// done, from 0 to 1, and can end it. The run is the same to the bit, whoever watches.
///
/// # Errors
/// If an option makes no sense, a solver could not go on, or it was ended.
pub fn run(
    loaded: &Loaded,
    options: &Options,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Recording, RunError> {
    let grid = options.grid()?;
    let mut world = loaded.world.clone();
    let mut recorder = Recorder::new(loaded, options, &grid);
    recorder.look(&world, 0);
    let took = match options.solver {
        Solver::RealTime => real_time(&mut world, &grid, &mut recorder, progress)?,
        Solver::Reference => reference(&mut world, options, &grid, &mut recorder, progress)?,
    };
    Ok(recorder.finish(world, took))
}

fn real_time(
    world: &mut World,
    grid: &Grid,
    recorder: &mut Recorder<'_>,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Duration, RunError> {
    let mut took = Duration::ZERO;
    for step in 1..=grid.steps {
        let watch = Instant::now();
        let stepped = world.step(grid.length(step));
        took += watch.elapsed();
        if let Err(error) = stepped {
            return Err(RunError::World { time: grid.end(step - 1), error });
        }
        for event in world.report().events.clone() {
            recorder.happened(grid.end(step), &event);
        }
        recorder.look(world, step);
        if progress(grid.done(step)).is_break() {
            return Err(RunError::Cancelled { time: grid.end(step) });
        }
    }
    Ok(took)
}

fn reference(
    world: &mut World,
    options: &Options,
    grid: &Grid,
    recorder: &mut Recorder<'_>,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Duration, RunError> {
    let solver = Reference::new(options.method);
    let (mut took, mut step) = (Duration::ZERO, 0);
    while step < grid.steps {
        let last = grid.steps.min(step + AT_ONCE);
        let length = (last - step - 1) as f64 * grid.step + grid.length(last);
        let (start, mut looked, mut go_on) = (Instant::now(), Duration::ZERO, true);
        let result = solver.watch(world, length, grid.step, |world| {
            let watch = Instant::now();
            step = last.min(step + 1);
            recorder.look(world, step);
            go_on &= progress(grid.done(step)).is_continue();
            looked += watch.elapsed();
        });
        took += start.elapsed().saturating_sub(looked);
        let time = grid.end(step);
        let report = match result {
            Ok(report) => report,
            Err(error) => return Err(recorder.refused(time, error)),
        };
        for (time, event) in &report.events {
            recorder.happened(*time, event);
        }
        if !go_on {
            return Err(RunError::Cancelled { time });
        }
        step = last;
    }
    Ok(took)
}
