//! What the world does, as a user sees it.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod arguments;
mod breaking;
mod cases;
mod joints;
mod limits;
mod momentum;
mod motion;
mod read_outs;
mod sleeping;
mod springs;
mod welds;

use kempe2d::{BodyDef, Settings, Shape, Vec2, World};

pub(crate) const H: f64 = 1.0 / 60.0;

/// A world with this gravity and so many sub-steps.
pub(crate) fn world(gravity: Vec2, substeps: u32) -> World {
    World::new(Settings {
        gravity,
        substeps,
        springs: kempe2d::Springs::ImplicitEuler,
        ..Settings::default()
    })
    .unwrap()
}

/// A box of 2 m by 1 m and 6 kg.
pub(crate) fn block(position: Vec2) -> BodyDef {
    BodyDef { position, shapes: vec![(Shape::rectangle(1.0, 0.5), 3.0)], ..BodyDef::dynamic() }
}

#[track_caller]
pub(crate) fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}
