//! Whether random passive mechanisms gain energy, engine by engine.
//!
//! The worlds are those of `kempe_scenes::stability` whose joints every engine has, from the same seeds.
//! After each step the state of an engine is put into a copy of the Kempe world that it was built from,
//! and energies and gaps are read there, so that they are the same quantities for all. Bodies have no
//! shapes; steps are of 1/60 s with 4 sub-steps, for 10 s. Rods of Rapier are ropes, as in all scenes here.

use crate::engine::{Engine, Name, STEP, State};
use crate::failure::Failure;
use crate::model::Model;
use kempe_scenes::stability::{CLASSES, Class, Figure, Outcome, Sample, Watch};
use kempe2d::{BodyId, World};
use std::f64::consts::TAU;

/// How long a world runs, s.
const SECONDS: f64 = 10.0;

/// The engines that are compared.
const ENGINES: [Name; 3] = [Name::Kempe, Name::Box2dBare, Name::RapierBare];

/// Measures so many worlds of each class that engines share, on those of `engines` that are compared;
/// `tell` hears of each as it is done.
///
/// # Errors
/// If an engine lacks or refuses something.
pub fn measure(
    engines: &[Name],
    worlds: usize,
    mut tell: impl FnMut(&Figure),
) -> Result<Vec<Figure>, Failure> {
    let mut figures = Vec::new();
    for class in CLASSES.iter().filter(|class| class.shared) {
        for name in ENGINES.into_iter().filter(|name| engines.contains(name)) {
            let mut found = Vec::new();
            for seed in 0..worlds as u64 {
                let sample = class.plain(seed)?;
                let outcomes = run(class, &sample, name, SECONDS)?;
                found.extend(outcomes.into_iter().map(|outcome| (seed, outcome)));
            }
            let figure = Figure::new(class, name.text(), SECONDS, &found);
            tell(&figure);
            figures.push(figure);
        }
    }
    Ok(figures)
}

/// Runs one world on one engine for so long, s.
///
/// # Errors
/// If the engine lacks or refuses something.
pub fn run(
    class: &Class,
    sample: &Sample,
    name: Name,
    seconds: f64,
) -> Result<Vec<Outcome>, Failure> {
    let model = Model::new(&sample.world)?;
    let mut engine = name.build(&sample.world, &model, 1)?;
    let mut mirror = Mirror::new(sample, &model);
    let mut watch = Watch::new(class, sample);
    let steps = (seconds / STEP).round() as u32;
    for step in 1..=steps {
        // Box2D and Rapier do not go on, or do not tell, where something is not finite.
        if engine.step().is_err() || !mirror.take(engine.as_mut())? {
            watch.lose();
            break;
        }
        watch.look(&mirror.world, f64::from(step) * STEP);
    }
    Ok(watch.outcomes())
}

/// A Kempe world that is never stepped, in the state of another engine.
struct Mirror {
    world: World,
    ids: Vec<BodyId>,
    moves: Vec<bool>,
    states: Vec<State>,
}

impl Mirror {
    fn new(sample: &Sample, model: &Model) -> Self {
        let moves = model.bodies.iter().map(|body| body.dynamic).collect();
        Self { world: sample.world.clone(), ids: model.ids.clone(), moves, states: Vec::new() }
    }

    /// Takes over the state of an engine, and tells whether it is finite.
    fn take(&mut self, engine: &mut dyn Engine) -> Result<bool, Failure> {
        if engine.read(&mut self.states).is_err() {
            return Ok(false);
        }
        for ((id, state), moves) in self.ids.iter().zip(&self.states).zip(&self.moves) {
            if !moves {
                continue;
            }
            let turn = state.rotation.is_finite() && state.angular_velocity.is_finite();
            if !(turn && state.position.is_finite() && state.velocity.is_finite()) {
                return Ok(false);
            }
            // Other engines keep angles within a turn.
            let before = self.world[*id].rotation();
            let rotation = before + wrapped(state.rotation - before);
            self.world.set_position(*id, state.position)?;
            self.world.set_rotation(*id, rotation)?;
            self.world.set_velocity(*id, state.velocity)?;
            self.world.set_angular_velocity(*id, state.angular_velocity)?;
        }
        Ok(true)
    }
}

/// The same angle from −π to π.
fn wrapped(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

#[cfg(test)]
mod tests {
    use super::{ENGINES, run};
    use kempe_scenes::stability::CLASSES;

    #[test]
    fn every_engine_has_the_worlds() {
        for class in CLASSES.iter().filter(|class| class.shared) {
            let sample = class.plain(3).unwrap();
            for name in ENGINES {
                let found = run(class, &sample, name, 0.1).unwrap();
                let gain = found[0].gain;
                assert!(gain.is_finite() && gain < 1.0, "{}, {}: {gain}", class.name, name.text());
            }
        }
    }
}
