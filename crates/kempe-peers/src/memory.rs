//! How many bytes a body with its joint takes, and whether a steady step asks for any.

use crate::allocator::counted;
use crate::box2d::Box2d;
use crate::engine::{Engine, Name};
use crate::failure::Failure;
use crate::kempe::{self, Kempe};
use crate::model::Model;
use crate::scenes::Entry;
use serde::Serialize;

/// Steps before bytes are counted.
const FIRST: usize = 3;
/// Steps before and while calls are counted.
const STEADY: usize = 60;

/// What a scene holds, without shapes.
#[derive(Clone, Debug, Serialize)]
pub struct Memory {
    /// The scene.
    pub scene: &'static str,
    /// How many bodies, those counted in that nothing moves.
    pub bodies: usize,
    /// How many joints.
    pub joints: usize,
    /// All that Kempe's world holds, by the bodies.
    pub kempe_bytes_per_body: f64,
    /// What Box2D says that it holds, by the bodies; none where it lacks a joint.
    pub box2d_bytes_per_body: Option<f64>,
    /// How often a steady step of Kempe asks for memory: on one thread, then on two.
    pub kempe_allocations_per_step: [f64; 2],
    /// The same with joints from text.
    pub text_allocations_per_step: [f64; 2],
    /// The same with a user's joints.
    pub user_allocations_per_step: [f64; 2],
}

/// Looks at a scene.
///
/// # Errors
/// None but what an engine refuses.
pub fn memory(entry: &Entry) -> Result<Memory, Failure> {
    let scene = entry.build()?;
    let model = Model::new(&scene.world)?;
    let bodies = model.bodies.len();
    let (kempe, counted) = counted(|| -> Result<Kempe, Failure> {
        let mut kempe = Kempe::new(kempe::bare(&model)?, 1)?;
        for _ in 0..FIRST {
            kempe.step()?;
        }
        Ok(kempe)
    });
    drop(kempe?);
    let allocations = |name: Name| -> Result<[f64; 2], Failure> {
        let mut calls = [0.0; 2];
        for (threads, calls) in (1..).zip(&mut calls) {
            let mut engine = name.build(&scene.world, &model, threads)?;
            *calls = allocations(engine.as_mut())?;
        }
        Ok(calls)
    };
    Ok(Memory {
        scene: entry.name,
        bodies,
        joints: model.joints.len(),
        kempe_bytes_per_body: counted.bytes as f64 / bodies as f64,
        box2d_bytes_per_body: box2d_bytes(&model)?.map(|bytes| bytes as f64 / bodies as f64),
        kempe_allocations_per_step: allocations(Name::Kempe)?,
        text_allocations_per_step: allocations(Name::KempeText)?,
        user_allocations_per_step: allocations(Name::KempeUser)?,
    })
}

fn box2d_bytes(model: &Model) -> Result<Option<i64>, Failure> {
    boxdd::Foundation::initialize_default()?;
    let before = boxdd::allocated_byte_count()?;
    let mut world = match Box2d::new(model, false, 1) {
        Ok(world) => world,
        Err(Failure::Lacks { .. }) => return Ok(None),
        Err(failure) => return Err(failure),
    };
    for _ in 0..FIRST {
        world.step()?;
    }
    Ok(Some(boxdd::allocated_byte_count()? - before))
}

fn allocations(engine: &mut dyn Engine) -> Result<f64, Failure> {
    for _ in 0..STEADY {
        engine.step()?;
    }
    let (result, counted) = counted(|| (0..STEADY).try_for_each(|_| engine.step()));
    result?;
    Ok(counted.calls as f64 / STEADY as f64)
}
