//! The same questions of joints of every sort.

use crate::{at, bar, lump, near};
use kempe2d::equation::Program;
use kempe2d::{
    BodyDef, JointDef, Method, Oscillation, Path, Reference, Softness, TextJoint, Vec2, World,
};
use std::f64::consts::TAU;

const G: f64 = 9.81;

/// Every mode, against what bodies do that are moved a little along it: a = −ω² ε s.
fn moves_as_told(world: &World) -> Vec<Oscillation> {
    let modes = world.oscillations().unwrap();
    for mode in &modes {
        let pull = |size: f64| -> f64 {
            let mut moved = world.clone();
            for each in &mode.shape {
                let body = &world[each.body];
                let place = body.position() + each.velocity * size;
                moved.set_position(each.body, place).unwrap();
                let turned = body.rotation() + each.angular_velocity * size;
                moved.set_rotation(each.body, turned).unwrap();
            }
            moved.assemble().unwrap();
            let found = moved.static_reactions().unwrap();
            let along = mode.shape.iter().map(|each| {
                let own = found.accelerations.iter().find(|a| a.0 == each.body).unwrap();
                let mass = world[each.body].mass_properties();
                mass.mass * own.1.dot(each.velocity) + mass.inertia * own.2 * each.angular_velocity
            });
            along.sum()
        };
        let size = 1e-4;
        let slope = -(pull(size) - pull(-size)) / (2.0 * size);
        let wanted = (TAU * mode.hertz).powi(2) - mode.growth.powi(2);
        assert!((slope - wanted).abs() < 1e-5 * (1.0 + wanted.abs()), "{slope} for {wanted}");
    }
    modes
}

#[test]
fn a_blade_on_ice_loses_one_freedom_now() {
    let source = "
body ice, skate
velocity constraint
  let across = perp relative skate unit [1, 0] in
  across dot (skate.velocity - ice.velocity)
";
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let skate = lump(&mut world, at(0.3, 0.2), 1.0, 0.2);
    world.set_rotation(skate, 0.5).unwrap();
    let joint = TextJoint::new(&Program::parse(source).unwrap());
    let joint = joint.joint(&[("ice", ground), ("skate", skate)]).unwrap();
    world.add_joint(&joint).unwrap();
    let found = world.mobility().unwrap();
    assert_eq!((found.freedoms(), found.rank(), found.mobility()), (3, 1, 2));
    for motion in found.mechanisms[0].motions.as_ref().unwrap() {
        near(motion[0].velocity.cross(at(0.5_f64.cos(), 0.5_f64.sin())), 0.0, 1e-12);
    }
    // It can be anywhere: there is nothing to assemble.
    assert_eq!(world.assemble().unwrap().moved, 0.0);
}

#[test]
fn a_bead_on_a_wire_from_text() {
    let source = "
body wire, bead
constraint
  let p = relative (-wire.rotation) (bead.position - wire.position) in
  p.y - 0.7 * p.x^2
";
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let bead = lump(&mut world, at(0.6, 1.0), 2.0, 0.2);
    let joint = TextJoint::new(&Program::parse(source).unwrap());
    let joint = joint.joint(&[("wire", ground), ("bead", bead)]).unwrap();
    world.add_joint(&joint).unwrap();
    world.assemble().unwrap();
    near(world[bead].position().y, 0.7 * world[bead].position().x.powi(2), 1e-11);
    assert!(world.settle().unwrap().stable);
    near(world[bead].position().length(), 0.0, 1e-9);
    let modes = moves_as_told(&world);
    near(modes.last().unwrap().hertz, (1.4 * G).sqrt() / TAU, 1e-9);
}

#[test]
fn a_bead_on_a_curve() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let points: Vec<Vec2> =
        (0..24).map(|k| at((k as f64 * TAU / 24.0).cos(), (k as f64 * TAU / 24.0).sin())).collect();
    let circle = Path::spline(&points, true).unwrap();
    let bead = lump(&mut world, at(0.8, -0.5), 2.0, 0.2);
    world.add_joint(&JointDef::path(ground, bead, &circle, Vec2::ZERO)).unwrap();
    world.assemble().unwrap();
    let rest = world.settle().unwrap();
    assert!(rest.stable && (world[bead].position() - at(0.0, -1.0)).length() < 1e-6, "{rest:?}");
    // The spline is not quite a circle.
    let modes = moves_as_told(&world);
    near(modes.last().unwrap().hertz, G.sqrt() / TAU, 0.01);
}

#[test]
fn a_rack_on_a_pinion_with_a_spring() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let wheel = lump(&mut world, at(0.0, 1.0), 3.0, 0.4);
    let rack = lump(&mut world, at(0.0, 0.0), 5.0, 1.0);
    let axle = world.revolute_at(ground, wheel, at(0.0, 1.0)).unwrap();
    let axle = world.add_joint(&axle).unwrap();
    let rail = JointDef::prismatic(ground, rack, [Vec2::ZERO; 2], Vec2::Y);
    let rail = world.add_joint(&rail).unwrap();
    let teeth = world.as_it_stands(&JointDef::rack_and_pinion(rail, axle, 0.25)).unwrap();
    world.add_joint(&teeth).unwrap();
    let softness = Softness::Stiffness { stiffness: 30.0, damping: 0.5 };
    world.add_joint(&JointDef::angular_spring(ground, wheel, 0.0, softness)).unwrap();
    assert_eq!(world.mobility().unwrap().mobility(), 1);
    let rest = world.settle().unwrap();
    // k θ = m g r, the rack hangs.
    near(world[wheel].rotation(), -5.0 * G * 0.25 / 30.0, 1e-9);
    assert!(rest.stable);
    let inertia: f64 = 0.4 + 5.0 * 0.0625;
    let [mode] = &moves_as_told(&world)[..] else { panic!() };
    near(mode.hertz, (30.0 / inertia).sqrt() / TAU, 1e-9);
    near(mode.damping_ratio, 0.5 / (2.0 * (30.0 * inertia).sqrt()), 1e-9);
}

#[test]
fn a_load_on_an_elastic_cable() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let plate = bar(&mut world, at(-0.5, -1.0), at(0.5, -1.0));
    let points = [
        (ground, at(-1.0, 0.0)),
        (plate, at(-0.5, 0.1)),
        (plate, at(0.5, 0.1)),
        (ground, at(1.2, 0.2)),
    ];
    let softness = Softness::Stiffness { stiffness: 60.0, damping: 0.0 };
    let cable = JointDef::elastic_tendon(&points, f64::NEG_INFINITY, 2.8, softness);
    world.add_joint(&cable.with_ratios(&[1.0, 1.0, 1.0])).unwrap();
    let rest = world.settle().unwrap();
    assert!(rest.stable && rest.unbalanced < 1e-9, "{rest:?}");
    assert!(world.static_reactions().unwrap().unbalanced() < 1e-7);
    let modes = moves_as_told(&world);
    assert!(modes.len() == 3 && modes.iter().all(|mode| mode.growth == 0.0));
}

#[test]
fn a_moving_base_drives_a_spring() {
    // The work of a hand that moves the end of a spring.
    let mut world = World::default();
    let hand = BodyDef { velocity: at(0.7, 0.0), ..BodyDef::kinematic() };
    let hand = world.add_body(&hand).unwrap();
    let ball = lump(&mut world, at(1.0, 0.0), 2.0, 0.1);
    world.set_gravity_scale(ball, 0.0).unwrap();
    let softness = Softness::Stiffness { stiffness: 50.0, damping: 1.0 };
    let spring = JointDef::spring(hand, ball, [Vec2::ZERO; 2], 1.0, softness);
    let spring = world.add_joint(&spring).unwrap();
    let errors = [0.01, 0.005].map(|dt| {
        let mut world = world.clone();
        let method = Reference::new(Method::Theta { k: 0.5 });
        let audit = method.audit(&mut world, 1.0, dt).unwrap();
        near(world[hand].position().x, 0.7, 1e-12);
        // It pulls and pushes: what the ball and the spring have is from the hand, but for the damper.
        let work = audit.work.joint(spring).unwrap();
        println!("{work:?} {}", audit.end.total());
        assert!(audit.end.total() > 0.3 && work.drive > 0.3);
        audit.unexplained().abs()
    });
    println!("{errors:?}");
    assert!(errors[1] < 1e-3 && errors[0] > 3.0 * errors[1]);
}
