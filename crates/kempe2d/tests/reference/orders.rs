//! Orders of convergence.

use kempe2d::{BodyDef, BodyId, JointDef, Mass, MassProperties, Method, Reference, Vec2, World};

/// A uniform rod of 1 m and 1 kg on a pin, released horizontal.
pub fn pendulum() -> (World, BodyId) {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let mass = Mass::Given(MassProperties { mass: 1.0, inertia: 1.0 / 12.0, center: Vec2::ZERO });
    let rod = BodyDef { position: Vec2::new(0.5, 0.0), mass, ..BodyDef::dynamic() };
    let rod = world.add_body(&rod).unwrap();
    let pin = JointDef::revolute(ground, rod, [Vec2::ZERO, Vec2::new(-0.5, 0.0)]);
    world.add_joint(&pin).unwrap();
    (world, rod)
}

/// The largest relative error of the energy over 10 s, and the angle's at its end.
fn errors(method: Method, dt: f64) -> [f64; 2] {
    let (mut world, rod) = pendulum();
    let energy = |world: &World| world.kinetic_energy() + world.potential_energy();
    let mut worst = 0.0_f64;
    Reference::new(method)
        .watch(&mut world, 10.0, dt, |world| worst = worst.max(energy(world).abs() / 4.905))
        .unwrap();
    // θ(10 s) of a rod that was released at 90°.
    let angle = world[rod].rotation() + std::f64::consts::FRAC_PI_2;
    [worst, (angle - 0.770_957_622_574).abs()]
}

#[test]
fn the_pendulum_has_the_order_of_the_method() {
    // The energy at 1/240 s, and the order between steps of which the longer is this.
    for (method, order, step, most) in [
        (Method::Theta { k: 0.5 }, 2.0, 1.0 / 240.0, 2e-5),
        (Method::GeneralizedAlpha { radius: 0.9 }, 2.0, 1.0 / 240.0, 2e-4),
        (Method::Rattle { order: 2 }, 2.0, 1.0 / 240.0, 1e-4),
        (Method::Rattle { order: 4 }, 4.0, 1.0 / 60.0, 2e-9),
        (Method::Rattle { order: 6 }, 6.0, 1.0 / 40.0, 1e-12),
    ] {
        let [energy, _] = errors(method, 1.0 / 240.0);
        assert!(energy < most, "{method:?}: {energy}");
        let [coarse, fine] = [step, 0.5 * step].map(|step| errors(method, step)[1]);
        let found = (coarse / fine).log2();
        assert!((found - order).abs() < 0.1 * order, "{method:?}: {found}");
    }
}
