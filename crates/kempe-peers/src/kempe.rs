//! Kempe.

use crate::engine::{Engine, STEP, SUBSTEPS, State};
use crate::failure::Failure;
use crate::model::Model;
use kempe2d::{BodyDef, BodyId, BodyKind, JointDef, Mass, Settings, World};

/// A world of Kempe.
#[derive(Debug)]
pub struct Kempe {
    world: World,
}

impl Kempe {
    /// A world as it is, on so many threads.
    ///
    /// # Errors
    /// If there cannot be so many.
    pub fn new(mut world: World, threads: u32) -> Result<Self, Failure> {
        let settings = world.settings();
        world.set_settings(Settings { threads, substeps: SUBSTEPS, sleep: false, ..settings })?;
        Ok(Self { world })
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }
}

impl Engine for Kempe {
    fn step(&mut self) -> Result<(), Failure> {
        self.world.step(STEP)?;
        Ok(())
    }

    fn read(&mut self, out: &mut Vec<State>) -> Result<(), Failure> {
        out.clear();
        out.extend(self.world.bodies().map(|(_, body)| {
            let rotation = body.rotation();
            let (sin, cos) = rotation.sin_cos();
            State {
                position: body.position(),
                rotation,
                cos,
                sin,
                velocity: body.velocity(),
                angular_velocity: body.angular_velocity(),
            }
        }));
        Ok(())
    }
}

/// The scene anew, its bodies without shapes.
///
/// # Errors
/// None but what a world refuses.
pub fn bare(model: &Model) -> Result<World, Failure> {
    let settings = Settings { gravity: model.gravity, sleep: false, ..Settings::default() };
    let mut world = World::new(settings)?;
    let mut ids = Vec::with_capacity(model.bodies.len());
    for body in &model.bodies {
        ids.push(world.add_body(&BodyDef {
            kind: if body.dynamic { BodyKind::Dynamic } else { BodyKind::Static },
            position: body.position,
            rotation: body.rotation,
            velocity: body.velocity,
            angular_velocity: body.angular_velocity,
            mass: Mass::Given(body.mass),
            ..BodyDef::default()
        })?);
    }
    for (_, def) in &model.definitions {
        let own = |id: &BodyId| model.place(*id).map_or(*id, |place| ids[place]);
        let bodies = def.bodies.iter().map(own).collect();
        world.add_joint(&JointDef { bodies, ..def.clone() })?;
    }
    Ok(world)
}
