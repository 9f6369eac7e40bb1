//! Times the engines on a scene, in turns.

use crate::engine::{Engine, Name, STEP, State};
use crate::failure::Failure;
use crate::guard::{Sample, limit};
use crate::measure::{Measure, Quality};
use crate::model::Model;
use kempe2d::World;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// Steps before the timed ones: engines put joints into order in the first.
pub const UNTIMED: usize = 2;

/// A repeat ends after so long even if steps are left, but not before the fewest.
const LONGEST: Duration = Duration::from_secs(2);
/// The fewest steps of a repeat that is asked for more.
const FEWEST: usize = 20;

/// How often a busy repeat is tried again.
const TRIES: usize = 3;

/// How a scene is run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which engines.
    pub engines: Vec<Name>,
    /// How often each.
    pub repeats: usize,
    /// Timed steps in a repeat.
    pub steps: usize,
}

/// What an engine did on a scene.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// The scene.
    pub scene: String,
    /// The engine.
    pub engine: &'static str,
    /// On how many threads.
    pub threads: u32,
    /// The median over the repeats of a repeat's mean step, ms.
    pub ms_median: f64,
    /// The least of them, ms.
    pub ms_min: f64,
    /// The greatest over the least, less 1.
    pub spread: f64,
    /// The largest over the joints of a joint's rms gap over the timed steps, m.
    pub gap_max: f64,
    /// The mean over joints and timed steps, m.
    pub gap_mean: f64,
    /// The largest drift of energy over the timed steps.
    pub energy_drift: f64,
}

/// How the guard decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guarded {
    /// Repeats that were dropped since others had the machine.
    pub dropped: usize,
    /// Repeats that were kept though others had it, for want of better ones.
    pub busy: usize,
    /// All that were kept.
    pub kept: usize,
}

impl std::ops::AddAssign for Guarded {
    fn add_assign(&mut self, other: Self) {
        self.dropped += other.dropped;
        self.busy += other.busy;
        self.kept += other.kept;
    }
}

impl fmt::Display for Guarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dropped, busy, kept } = self;
        write!(f, "{kept} kept, {dropped} dropped, {busy} kept though others had the machine")
    }
}

/// What is known of a scene from other numbers of threads, on which Kempe's results do not depend.
pub type Known = BTreeMap<Name, Quality>;

/// Runs a scene on so many threads. If peers lack one of its joints, Kempe runs alone.
///
/// # Errors
/// If an engine refuses something.
pub fn scene(
    name: &str,
    world: &World,
    threads: u32,
    plan: &Plan,
    known: &mut Known,
    guarded: &mut Guarded,
) -> Result<Vec<Figure>, Failure> {
    let model = Model::new(world)?;
    let alone = model.shared_joints().is_err();
    let mut taken: Vec<(Name, Quality, Vec<f64>)> = Vec::new();
    for engine in &plan.engines {
        if alone && *engine != Name::Kempe {
            continue;
        }
        let quality = match known.get(engine) {
            Some(quality) if !engine.is_peer() => *quality,
            _ => measured(*engine, world, &model, threads, plan.steps)?,
        };
        known.insert(*engine, quality);
        taken.push((*engine, quality, Vec::new()));
    }
    // Where all is busy, no more than twice the time is spent.
    let mut spare = plan.repeats * taken.len();
    for repeat in 0..plan.repeats {
        for turn in 0..taken.len() {
            // Nobody is always behind the same neighbour's heat.
            let at = (turn + repeat) % taken.len();
            let engine = taken[at].0;
            let build = || engine.build(world, &model, threads);
            let time = guarded_time(build, threads, plan.steps, &mut spare, guarded)?;
            taken[at].2.push(time);
        }
    }
    let figure = |(engine, quality, times): (Name, Quality, Vec<f64>)| {
        figure(name, engine, threads, quality, times)
    };
    Ok(taken.into_iter().map(figure).collect())
}

fn figure(name: &str, engine: Name, threads: u32, quality: Quality, mut times: Vec<f64>) -> Figure {
    times.sort_by(f64::total_cmp);
    let least = times.first().copied().unwrap_or(f64::NAN);
    let most = times.last().copied().unwrap_or(f64::NAN);
    Figure {
        scene: name.to_owned(),
        engine: engine.text(),
        threads,
        ms_median: median(&times),
        ms_min: least,
        spread: most / least - 1.0,
        gap_max: if quality.finite { quality.gap_max } else { f64::NAN },
        gap_mean: quality.gap_mean,
        energy_drift: quality.energy_drift,
    }
}

/// Of numbers in order.
pub(crate) fn median(sorted: &[f64]) -> f64 {
    match sorted.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => sorted[count / 2],
        count => 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]),
    }
}

/// Runs the steps of a repeat, untimed, and looks at the bodies after each.
fn measured(
    engine: Name,
    world: &World,
    model: &Model,
    threads: u32,
    steps: usize,
) -> Result<Quality, Failure> {
    let mut engine = engine.build(world, model, threads)?;
    quality(engine.as_mut(), model, steps)
}

/// The gaps and the drift over so many steps behind the untimed ones.
///
/// # Errors
/// If the engine refuses.
pub fn quality(engine: &mut dyn Engine, model: &Model, steps: usize) -> Result<Quality, Failure> {
    let mut states: Vec<State> = Vec::with_capacity(model.bodies.len());
    let mut measure = Measure::new(model);
    engine.read(&mut states)?;
    measure.start(model, &states);
    for step in 1..=UNTIMED + steps {
        engine.step()?;
        if step > UNTIMED {
            engine.read(&mut states)?;
            measure.take(model, &states, step as f64 * STEP);
        }
    }
    Ok(measure.quality())
}

/// The mean step of a repeat, ms; tried again while others have the machine.
fn guarded_time(
    build: impl Fn() -> Result<Box<dyn Engine>, Failure>,
    threads: u32,
    steps: usize,
    spare: &mut usize,
    guarded: &mut Guarded,
) -> Result<f64, Failure> {
    let mut best: Option<(f64, f64)> = None;
    for attempt in 0..=TRIES {
        let mut engine = build()?;
        let mut times: Vec<Duration> = Vec::with_capacity(steps);
        for _ in 0..UNTIMED {
            engine.step()?;
        }
        let sample = Sample::now();
        while times.len() < steps
            && (times.len() < FEWEST || times.iter().sum::<Duration>() < LONGEST)
        {
            engine.timed((steps - times.len()).min(FEWEST), &mut times)?;
        }
        let others = sample.others().unwrap_or(0.0);
        let total: Duration = times.iter().sum();
        let mean = 1e3 * total.as_secs_f64() / times.len().max(1) as f64;
        if best.is_none_or(|(least, _)| others < least) {
            best = Some((others, mean));
        }
        if others <= limit(threads) {
            break;
        }
        if attempt == TRIES || *spare == 0 {
            guarded.busy += 1;
            break;
        }
        *spare -= 1;
        guarded.dropped += 1;
    }
    guarded.kept += 1;
    Ok(best.map_or(f64::NAN, |(_, mean)| mean))
}
