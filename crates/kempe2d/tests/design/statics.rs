//! Reactions, and the forces that motions take.

use crate::{at, bar, lump, near, pin};
use kempe2d::{
    Axis, AxisMotion, By, DesignError, ForceRange, JointDef, JointId, Motor, Target, Vec2, World,
};
use std::f64::consts::TAU;

const G: f64 = 9.81;

#[test]
fn a_hanging_chain_bears_what_is_below() {
    let mut world = World::default();
    let (mut last, mut pins) = (world.ground().unwrap(), Vec::new());
    let count = 12;
    for k in 0..count {
        let (top, low) = (at(0.0, -(k as f64)), at(0.0, -(k as f64) - 1.0));
        let link = bar(&mut world, top, low);
        pins.push(pin(&mut world, last, link, top));
        last = link;
    }
    let load = lump(&mut world, at(0.0, -12.5), 30.0, 1.0);
    pins.push(pin(&mut world, last, load, at(0.0, -12.0)));
    let found = world.static_reactions().unwrap();
    assert!(found.unbalanced() < 1e-9);
    for (k, pin) in pins.iter().enumerate() {
        let reaction = found.of(*pin).unwrap();
        near(reaction.force.y, G * (30.0 + (count - k) as f64), 1e-8);
        near(reaction.force.x, 0.0, 1e-9);
        near(reaction.torque, 0.0, 1e-9);
        assert!(reaction.unique);
    }
}

#[test]
fn a_ladder_on_a_smooth_wall() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let (s, c) = 1.1_f64.sin_cos();
    let ladder = bar(&mut world, at(4.0 * c, 0.0), at(0.0, 4.0 * s));
    let foot = pin(&mut world, ground, ladder, at(4.0 * c, 0.0));
    let wall = JointDef::slot(ground, ladder, [Vec2::ZERO, at(2.0, 0.0)], Vec2::Y);
    let wall = world.add_joint(&wall).unwrap();
    let found = world.static_reactions().unwrap();
    let push = 4.0 * G * c / (2.0 * s);
    let wall = found.of(wall).unwrap();
    near(wall.force.x, push, 1e-9);
    near(wall.force.y, 0.0, 1e-9);
    let foot = found.of(foot).unwrap();
    near(foot.force.x, -push, 1e-9);
    near(foot.force.y, 4.0 * G, 1e-9);
    // On both bodies of the joint, opposite.
    near((foot.on[0].force + foot.on[1].force).length(), 0.0, 1e-9);
}

#[test]
fn a_crane_of_two_bars_and_one_too_many() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let tip = lump(&mut world, at(2.0, 0.0), 100.0, 1.0);
    let strut = JointDef::rod(ground, tip, [Vec2::ZERO; 2], 2.0);
    let tie = JointDef::rod(ground, tip, [at(0.0, 1.5), Vec2::ZERO], 2.5);
    let [strut_id, tie] = [&strut, &tie].map(|def| world.add_joint(def).unwrap());
    let weight = 100.0 * G;
    let found = world.static_reactions().unwrap();
    let force = |joint: JointId| found.of(joint).unwrap().rows[0].force;
    near(force(tie), -weight * 5.0 / 3.0, 1e-8);
    near(force(strut_id), weight * 4.0 / 3.0, 1e-8);
    assert!(found.joints.iter().all(|each| each.unique && each.rows[0].by == By::Hold));
    // Two struts in one place share their load, and nothing says how; the tie's is still certain.
    let second = world.add_joint(&strut).unwrap();
    let found = world.static_reactions().unwrap();
    let [a, b] = [strut_id, second].map(|joint| found.of(joint).unwrap());
    near(a.rows[0].force + b.rows[0].force, weight * 4.0 / 3.0, 1e-7);
    near(a.rows[0].force, b.rows[0].force, 1e-5 * weight);
    assert!(!a.unique && !b.unique && found.of(tie).unwrap().unique);
}

#[test]
fn friction_holds_as_far_as_it_can_and_stops_do_not_pull() {
    let slides = |friction: f64| {
        let mut world = World::default();
        let ground = world.ground().unwrap();
        let block = lump(&mut world, Vec2::ZERO, 2.0, 1.0);
        let mut def = JointDef::prismatic(ground, block, [Vec2::ZERO; 2], Vec2::X);
        def.axis_mut(0).friction = Some(friction);
        let joint = world.add_joint(&def).unwrap();
        world.apply_central_force(block, at(5.0, 0.0)).unwrap();
        let found = world.static_reactions().unwrap();
        let rows = found.of(joint).unwrap().rows.clone();
        let row = rows.iter().find(|row| row.by == By::Friction).unwrap().force;
        (found.accelerations[0].1.x, row)
    };
    let (a, force) = slides(7.0);
    near(a, 0.0, 1e-9);
    near(force, -5.0, 1e-9);
    let (a, force) = slides(3.0);
    near(a, 1.0, 1e-9);
    near(force, -3.0, 1e-9);
    let rope = |y: f64| {
        let mut world = World::default();
        let ground = world.ground().unwrap();
        let ball = lump(&mut world, at(0.0, y), 2.0, 1.0);
        let def = JointDef::rope(ground, ball, [Vec2::ZERO; 2], 1.0);
        let rope = world.add_joint(&def).unwrap();
        let found = world.static_reactions().unwrap();
        (found.of(rope).unwrap().force.y, found.unbalanced())
    };
    let (hangs, falls) = (rope(-1.0), rope(1.0));
    near(hangs.0, 2.0 * G, 1e-9);
    near(hangs.1, 0.0, 1e-9);
    near(falls.0, 0.0, 1e-9);
    near(falls.1, G, 1e-9);
}

/// A crank of 0.5 m, a rod of 1.5 m, a slider of 3 kg; the joint of the crank.
fn slider_crank(angle: f64) -> (World, JointId) {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let knee = at(angle.cos(), angle.sin()) * 0.5;
    let end = at(knee.x + (2.25 - knee.y * knee.y).sqrt(), 0.0);
    let crank = bar(&mut world, Vec2::ZERO, knee);
    let rod = bar(&mut world, knee, end);
    let slider = lump(&mut world, end, 3.0, 1.0);
    let drive = JointDef::revolute(ground, crank, [Vec2::ZERO, at(-0.25, 0.0)]);
    let drive = world.add_joint(&drive).unwrap();
    pin(&mut world, crank, rod, knee);
    pin(&mut world, rod, slider, end);
    let rail = JointDef::prismatic(ground, slider, [Vec2::ZERO; 2], Vec2::X);
    world.add_joint(&rail).unwrap();
    (world, drive)
}

/// I(θ) of T = ½ I θ̇², and V(θ).
fn inertia_and_energy(angle: f64) -> [f64; 2] {
    let (r, l) = (0.5, 1.5);
    let (s, c) = angle.sin_cos();
    let (sin, slope) = (r * s / l, r * c / l);
    let cos = (1.0 - sin * sin).sqrt();
    let turn = -slope / cos;
    let end = -r * s - l * sin * slope / cos;
    let middle = at(-r * s - 0.5 * l * sin * slope / cos, 0.5 * r * c);
    let own = r.powi(3) / 3.0 + l * middle.length_squared() + l.powi(3) / 12.0 * turn * turn;
    [own + 3.0 * end * end, G * (r * 0.5 * r * s + l * 0.5 * r * s)]
}

/// I θ̈ + ½ I' θ̇² + V'
fn torque(motion: AxisMotion) -> f64 {
    let h = 1e-5;
    let [after, before] = [h, -h].map(|h| inertia_and_energy(motion.position + h));
    let [i, v] = [0, 1].map(|k| (after[k] - before[k]) / (2.0 * h));
    let own = inertia_and_energy(motion.position)[0];
    own * motion.acceleration + 0.5 * i * motion.speed.powi(2) + v
}

#[test]
fn the_torque_of_a_slider_crank() {
    let (world, drive) = slider_crank(0.7);
    for (position, speed, acceleration) in
        [(0.7, 0.0, 0.0), (0.7, 5.0, 0.0), (1.9, -3.0, 8.0), (2.6, 12.0, -4.0)]
    {
        let motion = AxisMotion { position, speed, acceleration };
        let found = world.drive_force(drive, 0, motion).unwrap();
        let wanted = torque(motion);
        near(found.force, wanted, 2e-7 * (1.0 + wanted.abs()));
        near(found.power, found.force * speed, 0.0);
    }
    // With that torque it moves so.
    let (mut world, drive) = slider_crank(1.2);
    let motion = AxisMotion { position: 1.2, speed: 0.0, acceleration: 6.5 };
    let force = world.drive_force(drive, 0, motion).unwrap().force;
    let motor = Motor::Force { force: force.into() };
    world.edit_joint(drive, |def| def.axis_mut(0).motor = Some(motor)).unwrap();
    near(world.reactions().unwrap().accelerations[0].2, 6.5, 1e-8);
    // The ends of the range: a held axis has no motor, and there is one axis.
    world.edit_joint(drive, |def| *def.axis_mut(0) = Axis::held(1.2)).unwrap();
    assert_eq!(
        world.drive_force(drive, 0, motion),
        Err(DesignError::Held { joint: drive, axis: 0 })
    );
    assert!(world.drive_force(drive, 1, motion).is_err());
}

#[test]
fn the_torque_over_a_turn() {
    let (world, drive) = slider_crank(0.3);
    let target = Target::expression("0.3 + 2 * pi * time + 0.4 * sin(3 * time)").unwrap();
    let before = world.state_hash();
    let found = world.drive_forces(drive, 0, &target, 1.0, 1.0 / 60.0).unwrap();
    assert_eq!((found.len(), world.state_hash()), (61, before));
    let mut worst = 0.0_f64;
    for each in &found {
        let (speed, turn) = (TAU + 1.2 * (3.0 * each.time).cos(), -3.6 * (3.0 * each.time).sin());
        near(each.motion.speed, speed, 1e-9);
        near(each.motion.acceleration, turn, 1e-4);
        let motion = AxisMotion { acceleration: turn, ..each.motion };
        worst = worst.max((each.force - torque(motion)).abs());
    }
    println!("largest error {worst:e} N·m");
    assert!(worst < 1e-4);
    assert!(found.iter().any(|each| each.force.abs() > 20.0));
}

#[test]
fn a_motor_that_is_too_weak_slips() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let arm = bar(&mut world, Vec2::ZERO, at(2.0, 0.0));
    let mut def = JointDef::revolute(ground, arm, [Vec2::ZERO, at(-1.0, 0.0)]);
    let brake =
        |most: f64| Motor::Velocity { speed: 3.0.into(), force: ForceRange::symmetric(most) };
    def.axis_mut(0).motor = Some(brake(30.0));
    let joint = world.add_joint(&def).unwrap();
    let found = world.static_reactions().unwrap();
    near(found.unbalanced(), 0.0, 1e-9);
    let motor = |found: &kempe2d::Reactions| {
        let rows = &found.of(joint).unwrap().rows;
        rows.iter().find(|row| row.by == By::Motor).unwrap().force
    };
    near(motor(&found), 2.0 * G, 1e-9);
    world.edit_joint(joint, |def| def.axis_mut(0).motor = Some(brake(10.0))).unwrap();
    let found = world.static_reactions().unwrap();
    near(motor(&found), 10.0, 1e-9);
    // I α = τ − m g d about the pin, I = m l²/3.
    near(found.accelerations[0].2, (10.0 - 2.0 * G) / (8.0 / 3.0), 1e-9);
}

#[test]
fn a_redundant_mechanism_in_motion() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let up = at(0.3, 1.0);
    let points = [at(0.0, 0.0), up, at(2.0, 0.0) + up, at(2.0, 0.0)];
    let (bars, _) = crate::four_bar(&mut world, points);
    let third = bar(&mut world, at(1.0, 0.0), at(1.0, 0.0) + up);
    pin(&mut world, ground, third, at(1.0, 0.0));
    pin(&mut world, third, bars[1], at(1.0, 0.0) + up);
    world.set_angular_velocity(bars[0], 2.0).unwrap();
    // Three bars of 1.044 m on their feet, and 2 kg that only translate: as one pendulum.
    let length = up.length();
    let turn = world.reactions().unwrap().accelerations[0].2;
    let inertia = 3.0 * length.powi(3) / 3.0 + 2.0 * length * length;
    near(turn, -G * (3.0 * length * 0.5 + 2.0) * up.x / inertia, 1e-7);
    let audit = kempe2d::Reference::default().audit(&mut world, 0.5, 0.005).unwrap();
    let fell = audit.start.potential() - audit.end.potential();
    assert!(fell > 1.0, "{fell}");
    near(audit.unexplained(), 0.0, 1e-3);
}
