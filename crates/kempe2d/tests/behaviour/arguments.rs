//! Every bad argument: a typed error that names it, and a world that is as it was.

use super::{H, block};
use kempe2d::{
    BodyDef, BodyKind, Error, Locked, Mass, MassProperties, Settings, Shape, Vec2, World,
};

const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// Runs a call that must fail, and shows that nothing changed.
#[track_caller]
fn refused(world: &mut World, call: impl FnOnce(&mut World) -> Result<(), Error>, names: &str) {
    let before = world.state_hash();
    let error = call(world).unwrap_err().to_string();
    assert!(error.contains(names), "{error} does not name {names}");
    assert_eq!(world.state_hash(), before, "{error}");
}

#[test]
fn numbers_of_a_new_body() {
    let mut world = World::default();
    for bad in BAD {
        let v = Vec2::new(0.0, bad);
        let defs = [
            (BodyDef { position: v, ..BodyDef::dynamic() }, "position.y"),
            (BodyDef { rotation: bad, ..BodyDef::dynamic() }, "rotation"),
            (BodyDef { velocity: v, ..BodyDef::dynamic() }, "velocity.y"),
            (BodyDef { angular_velocity: bad, ..BodyDef::dynamic() }, "angular_velocity"),
            (BodyDef { gravity_scale: bad, ..BodyDef::dynamic() }, "gravity_scale"),
            (BodyDef { linear_damping: bad, ..BodyDef::dynamic() }, "linear_damping"),
            (BodyDef { angular_damping: bad, ..BodyDef::dynamic() }, "angular_damping"),
            (BodyDef { mass: Mass::Total(bad), ..BodyDef::dynamic() }, "mass"),
            (BodyDef { shapes: vec![(Shape::circle(bad), 1.0)], ..BodyDef::dynamic() }, "radius"),
            (BodyDef { shapes: vec![(Shape::circle(1.0), bad)], ..BodyDef::dynamic() }, "density"),
        ];
        for (def, field) in defs {
            refused(&mut world, |world| world.add_body(&def).map(|_| ()), field);
        }
    }
    for bad in [-1.0, 0.0] {
        let given = MassProperties { mass: bad, ..MassProperties::default() };
        for mass in [Mass::Total(bad), Mass::Given(given)] {
            let def = BodyDef { mass, ..BodyDef::dynamic() };
            refused(&mut world, |world| world.add_body(&def).map(|_| ()), "mass");
        }
        let given = MassProperties { inertia: bad, ..MassProperties::default() };
        let def = BodyDef { mass: Mass::Given(given), ..BodyDef::dynamic() };
        refused(&mut world, |world| world.add_body(&def).map(|_| ()), "inertia");
    }
    let weightless = BodyDef { shapes: vec![(Shape::circle(1.0), 0.0)], ..BodyDef::dynamic() };
    refused(&mut world, |world| world.add_body(&weightless).map(|_| ()), "mass of the shapes");
    assert_eq!(world.body_count(), 0);
}

#[test]
fn numbers_of_a_living_body() {
    let mut world = World::default();
    let id = world.add_body(&block(Vec2::ZERO)).unwrap();
    for bad in BAD {
        let v = Vec2::new(bad, 0.0);
        refused(&mut world, |w| w.set_position(id, v), "position.x");
        refused(&mut world, |w| w.set_rotation(id, bad), "rotation");
        refused(&mut world, |w| w.set_velocity(id, v), "velocity.x");
        refused(&mut world, |w| w.set_angular_velocity(id, bad), "angular_velocity");
        refused(&mut world, |w| w.set_target(id, v, 0.0, 1.0), "position.x");
        refused(&mut world, |w| w.set_target(id, Vec2::ZERO, bad, 1.0), "rotation");
        refused(&mut world, |w| w.set_target(id, Vec2::ZERO, 0.0, bad), "seconds");
        refused(&mut world, |w| w.set_gravity_scale(id, bad), "gravity_scale");
        refused(&mut world, |w| w.set_damping(id, bad, 0.0), "linear_damping");
        refused(&mut world, |w| w.set_damping(id, 0.0, bad), "angular_damping");
        refused(&mut world, |w| w.apply_force(id, v, Vec2::ZERO), "force.x");
        refused(&mut world, |w| w.apply_force(id, Vec2::X, v), "point.x");
        refused(&mut world, |w| w.apply_torque(id, bad), "torque");
        refused(&mut world, |w| w.apply_impulse(id, v, Vec2::ZERO), "impulse.x");
        refused(&mut world, |w| w.apply_impulse(id, Vec2::X, v), "point.x");
        refused(&mut world, |w| w.apply_angular_impulse(id, bad), "angular impulse");
        let mass = MassProperties { mass: bad, ..MassProperties::default() };
        refused(&mut world, |w| w.set_mass_properties(id, mass), "mass");
        refused(&mut world, |w| w.set_shapes(id, vec![(Shape::circle(bad), 1.0)]), "radius");
        refused(&mut world, |w| w.step(bad).map(|_| ()), "dt");
    }
    refused(&mut world, |w| w.step(-H).map(|_| ()), "dt");
    refused(&mut world, |w| w.set_target(id, Vec2::ZERO, 0.0, 0.0), "seconds");
    refused(
        &mut world,
        |w| w.apply_force(id, Vec2::new(f64::MAX, 0.0), Vec2::new(0.0, 1e9)),
        "torque",
    );
    let many = Settings { substeps: 0, ..Settings::default() };
    refused(&mut world, |w| w.set_settings(many), "substeps");
    let heavy = Settings { gravity: Vec2::new(f64::NAN, 0.0), ..Settings::default() };
    refused(&mut world, |w| w.set_settings(heavy), "gravity.x");
}

#[test]
fn handles_that_find_nothing() {
    let mut world = World::default();
    let mut other = World::default();
    let id = world.add_body(&block(Vec2::ZERO)).unwrap();
    let foreign = other.add_body(&block(Vec2::ZERO)).unwrap();
    world.remove_body(id).unwrap();
    let new = world.add_body(&block(Vec2::ZERO)).unwrap();
    assert_eq!(new.index(), id.index(), "the slot is reused, the handle is not");
    assert!(world.body(id).is_none() && world.body(foreign).is_none());
    for (id, reason) in [(id, "stale"), (foreign, "another world")] {
        refused(&mut world, |w| w.remove_body(id), reason);
        refused(&mut world, |w| w.set_position(id, Vec2::ZERO), reason);
        refused(&mut world, |w| w.set_rotation(id, 0.0), reason);
        refused(&mut world, |w| w.set_velocity(id, Vec2::ZERO), reason);
        refused(&mut world, |w| w.set_angular_velocity(id, 0.0), reason);
        refused(&mut world, |w| w.set_target(id, Vec2::ZERO, 0.0, 1.0), reason);
        refused(&mut world, |w| w.set_kind(id, BodyKind::Static), reason);
        refused(&mut world, |w| w.set_mass_properties(id, MassProperties::default()), reason);
        refused(&mut world, |w| w.set_shapes(id, vec![(Shape::circle(1.0), 1.0)]), reason);
        refused(&mut world, |w| w.set_locked(id, Locked::default()), reason);
        refused(&mut world, |w| w.set_enabled(id, false), reason);
        refused(&mut world, |w| w.set_gravity_scale(id, 1.0), reason);
        refused(&mut world, |w| w.set_damping(id, 0.0, 0.0), reason);
        refused(&mut world, |w| w.set_user_data(id, 1), reason);
        refused(&mut world, |w| w.apply_force(id, Vec2::X, Vec2::ZERO), reason);
        refused(&mut world, |w| w.apply_central_force(id, Vec2::X), reason);
        refused(&mut world, |w| w.apply_torque(id, 1.0), reason);
        refused(&mut world, |w| w.apply_impulse(id, Vec2::X, Vec2::ZERO), reason);
        refused(&mut world, |w| w.apply_angular_impulse(id, 1.0), reason);
    }
}

#[test]
fn the_hash_sees_everything() {
    let mut world = World::default();
    let id = world.add_body(&block(Vec2::ZERO)).unwrap();
    let mut seen = vec![world.state_hash()];
    let mut changed = |world: &World| {
        let hash = world.state_hash();
        assert!(!seen.contains(&hash));
        seen.push(hash);
    };
    world.set_velocity(id, Vec2::new(1e-300, 0.0)).unwrap();
    changed(&world);
    world.set_user_data(id, 5).unwrap();
    changed(&world);
    world.set_locked(id, Locked { x: true, ..Locked::default() }).unwrap();
    changed(&world);
    world.set_enabled(id, false).unwrap();
    changed(&world);
    world.set_kind(id, BodyKind::Kinematic).unwrap();
    changed(&world);
    world.step(H).unwrap();
    changed(&world);
    let copy = world.clone();
    assert_eq!(copy.state_hash(), world.state_hash());
}
