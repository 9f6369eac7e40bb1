//! What is asked of an engine.

use crate::failure::Failure;
use crate::model::Model;
use crate::{box2d, kempe, rapier, text, user};
use kempe2d::Vec2;
use std::time::{Duration, Instant};

/// The length of a step, s.
pub const STEP: f64 = 1.0 / 60.0;
/// Sub-steps of Kempe and Box2D, solver iterations of Rapier.
pub const SUBSTEPS: u32 = 4;

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// Of its origin, m.
    pub position: Vec2,
    /// rad; unwrapped if the engine has it so.
    pub rotation: f64,
    /// Of the rotation.
    pub cos: f64,
    /// Of the rotation.
    pub sin: f64,
    /// Of its centre of mass, m/s.
    pub velocity: Vec2,
    /// rad/s.
    pub angular_velocity: f64,
}

impl State {
    /// A direction of the body in the world.
    pub fn turned(&self, local: Vec2) -> Vec2 {
        local.turned(self.cos, self.sin)
    }

    /// A point of the body in the world.
    pub fn point(&self, local: Vec2) -> Vec2 {
        self.position + self.turned(local)
    }
}

/// A world of some engine.
pub trait Engine {
    /// One step.
    ///
    /// # Errors
    /// If the engine refuses.
    fn step(&mut self) -> Result<(), Failure>;

    /// The bodies, in the order of the model.
    ///
    /// # Errors
    /// If the engine does not tell.
    fn read(&mut self, out: &mut Vec<State>) -> Result<(), Failure>;

    /// How long each of so many steps takes, with nothing between them.
    ///
    /// # Errors
    /// If the engine refuses.
    fn timed(&mut self, steps: usize, out: &mut Vec<Duration>) -> Result<(), Failure> {
        for _ in 0..steps {
            let start = Instant::now();
            self.step()?;
            out.push(start.elapsed());
        }
        Ok(())
    }
}

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// Kempe with its own joints.
    Kempe,
    /// Pivot, distance and weld as text.
    KempeText,
    /// Pivot, distance and weld written in this crate, with their Jacobians.
    KempeUser,
    /// The same with Jacobians that Kempe finds.
    KempeUserDerived,
    /// Box2D with shapes.
    Box2d,
    /// Rapier with shapes.
    Rapier,
    /// Box2D without shapes.
    Box2dBare,
    /// Rapier without shapes.
    RapierBare,
}

impl Name {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 8] = [
        Self::Kempe,
        Self::KempeText,
        Self::KempeUser,
        Self::KempeUserDerived,
        Self::Box2d,
        Self::Rapier,
        Self::Box2dBare,
        Self::RapierBare,
    ];

    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Kempe => "kempe",
            Self::KempeText => "kempe-text",
            Self::KempeUser => "kempe-user",
            Self::KempeUserDerived => "kempe-user-derived",
            Self::Box2d => "box2d",
            Self::Rapier => "rapier",
            Self::Box2dBare => "box2d-bare",
            Self::RapierBare => "rapier-bare",
        }
    }

    /// Whether it is another engine.
    pub fn is_peer(self) -> bool {
        matches!(self, Self::Box2d | Self::Rapier | Self::Box2dBare | Self::RapierBare)
    }

    /// Whether its bodies have no shapes, so that there is no broad phase.
    pub fn is_bare(self) -> bool {
        matches!(self, Self::Box2dBare | Self::RapierBare)
    }

    /// Builds the scene on so many threads.
    ///
    /// # Errors
    /// If the engine lacks a joint of the scene, or refuses something.
    pub fn build(
        self,
        world: &kempe2d::World,
        model: &Model,
        threads: u32,
    ) -> Result<Box<dyn Engine>, Failure> {
        Ok(match self {
            Self::Kempe => Box::new(kempe::Kempe::new(world.clone(), threads)?),
            Self::KempeText => Box::new(kempe::Kempe::new(text::written(world, model)?, threads)?),
            Self::KempeUser => {
                Box::new(kempe::Kempe::new(user::written::<true>(world, model)?, threads)?)
            }
            Self::KempeUserDerived => {
                Box::new(kempe::Kempe::new(user::written::<false>(world, model)?, threads)?)
            }
            Self::Box2d => Box::new(box2d::Box2d::new(model, true, threads)?),
            Self::Box2dBare => Box::new(box2d::Box2d::new(model, false, threads)?),
            Self::Rapier => Box::new(rapier::Rapier::new(model, true, threads)?),
            Self::RapierBare => Box::new(rapier::Rapier::new(model, false, threads)?),
        })
    }
}
