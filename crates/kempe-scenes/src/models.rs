//! The models that implicit solvers begin with, each as small as it can be: a mass, pendulums that
//! are fixed, sprung and loose, connections, and a point on a line.

use crate::error::Error;
use crate::scene::{Scene, disc, rod};
use kempe2d::{Axis, BodyDef, JointDef, Locked, Softness, Vec2};

/// A disc of 1 kg that is thrown, spinning.
///
/// Bodies: `mass`.
///
/// # Errors
/// None but what the world refuses.
pub fn mass_object() -> Result<Scene, Error> {
    let mut scene = Scene::awake("mass_object")?;
    let velocity = Vec2::new(3.0, 4.0);
    let mass = BodyDef { velocity, angular_velocity: 5.0, ..disc(Vec2::ZERO, 0.2, 1.0) };
    scene.add_body("mass", &mass)?;
    Ok(scene)
}

/// A rod of 1 m and 1 kg whose pin is off its own line: the angle of the pin seen from the rod counts.
///
/// Bodies: `rod`. Joints: `pin`.
///
/// # Errors
/// None but what the world refuses.
pub fn hung_rod() -> Result<Scene, Error> {
    let mut scene = Scene::awake("hung_rod")?;
    let ground = scene.world.ground()?;
    let rod = scene.add_body("rod", &rod(Vec2::ZERO, Vec2::X, 1.0))?;
    scene.pin("pin", ground, rod, Vec2::new(0.2, 0.3))?;
    Ok(scene)
}

/// A weight of 1 kg on a spring of 1 m, 40 N/m and 2 N·s/m, which takes energy away.
///
/// Bodies: `weight`. Joints: `spring`.
///
/// # Errors
/// None but what the world refuses.
pub fn damped_spring_pendulum() -> Result<Scene, Error> {
    let mut scene = Scene::awake("damped_spring_pendulum")?;
    let ground = scene.world.ground()?;
    let at = Vec2::from_angle(-std::f64::consts::FRAC_PI_6) * 1.2;
    let weight = scene.add_body("weight", &disc(at, 0.1, 1.0))?;
    let softness = Softness::Stiffness { stiffness: 40.0, damping: 2.0 };
    let spring = JointDef::spring(ground, weight, [Vec2::ZERO; 2], 1.0, softness);
    scene.add_joint("spring", &spring)?;
    Ok(scene)
}

/// Two discs that tumble at a fixed distance, with nothing to hold either.
///
/// Bodies: `first`, `second`. Joints: `rod`.
///
/// # Errors
/// None but what the world refuses.
pub fn loose_pendulum() -> Result<Scene, Error> {
    let (mut scene, [first, second]) = thrown("loose_pendulum", 3.0)?;
    scene.add_joint("rod", &JointDef::rod(first, second, [Vec2::ZERO; 2], 1.0))?;
    Ok(scene)
}

/// The same with a rope of 1.5 m, which is slack at first.
///
/// Bodies: `first`, `second`. Joints: `rope`.
///
/// # Errors
/// None but what the world refuses.
pub fn roped_pendulum() -> Result<Scene, Error> {
    let (mut scene, [first, second]) = thrown("roped_pendulum", 3.0)?;
    scene.world.set_velocity(second, Vec2::new(2.0, 3.0))?;
    scene.add_joint("rope", &JointDef::rope(first, second, [Vec2::ZERO; 2], 1.5))?;
    Ok(scene)
}

fn thrown(name: &'static str, speed: f64) -> Result<(Scene, [kempe2d::BodyId; 2]), Error> {
    let mut scene = Scene::awake(name)?.under(Vec2::ZERO)?;
    let first = BodyDef { angular_velocity: 2.0, ..disc(Vec2::ZERO, 0.1, 2.0) };
    let first = scene.add_body("first", &first)?;
    let second = BodyDef { velocity: Vec2::new(0.0, speed), ..disc(Vec2::X, 0.1, 1.0) };
    let second = scene.add_body("second", &second)?;
    Ok((scene, [first, second]))
}

/// A disc on an arm of another body, which turns freely at its end: fixed on one side.
///
/// Bodies: `first`, `second`. Joints: `arm`.
///
/// # Errors
/// None but what the world refuses.
pub fn one_side_fixed() -> Result<Scene, Error> {
    let (mut scene, [first, second]) = thrown("one_side_fixed", 2.0)?;
    scene.add_joint("arm", &JointDef::revolute(first, second, [Vec2::X, Vec2::ZERO]))?;
    Ok(scene)
}

/// The same, fixed on both sides: two discs and the arm are one body.
///
/// Bodies: `first`, `second`. Joints: `arm`.
///
/// # Errors
/// None but what the world refuses.
pub fn fixed_connection() -> Result<Scene, Error> {
    let (mut scene, [first, second]) = thrown("fixed_connection", 2.0)?;
    for body in [first, second] {
        scene.world.set_angular_velocity(body, 2.0)?;
    }
    scene.add_joint("arm", &JointDef::weld(first, second, [Vec2::X, Vec2::ZERO], 0.0))?;
    Ok(scene)
}

/// A disc of 0.5 kg on a line of a turntable that turns freely, with this dry friction along the
/// line, N.
///
/// Bodies: `table`, `point`. Joints: `shaft`, `line`.
///
/// # Errors
/// If the friction is negative or not finite.
pub fn point_on_line(friction: f64) -> Result<Scene, Error> {
    let mut scene = Scene::awake("point_on_line")?.under(Vec2::ZERO)?;
    let ground = scene.world.ground()?;
    let table = BodyDef { angular_velocity: 3.0, ..disc(Vec2::ZERO, 1.0, 4.0) };
    let table = scene.add_body("table", &table)?;
    scene.pin("shaft", ground, table, Vec2::ZERO)?;
    let point = BodyDef {
        velocity: Vec2::new(-0.5, 0.9),
        locked: Locked { rotation: true, ..Locked::default() },
        ..disc(Vec2::new(0.3, 0.0), 0.05, 0.5)
    };
    let point = scene.add_body("point", &point)?;
    let line = JointDef::slot(table, point, [Vec2::ZERO; 2], Vec2::X);
    let axis = Axis { friction: (friction != 0.0).then_some(friction), ..Axis::default() };
    scene.add_joint("line", &line.with_axis(axis))?;
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kempe2d::{Event, Method, Reference};

    const DT: f64 = 1.0 / 240.0;

    fn run(scene: &mut Scene, seconds: f64) -> Vec<(f64, Event)> {
        Reference::default().run(&mut scene.world, seconds, DT).unwrap().events
    }

    /// Σ m v, and the angular momentum about the origin.
    fn momentum(scene: &Scene) -> [f64; 3] {
        scene.world.bodies().fold([0.0; 3], |[x, y, turn], (_, body)| {
            if body.kind() != kempe2d::BodyKind::Dynamic {
                return [x, y, turn];
            }
            let mass = body.mass_properties();
            let p = body.velocity() * mass.mass;
            let spin = mass.inertia * body.angular_velocity();
            [x + p.x, y + p.y, turn + body.center().cross(p) + spin]
        })
    }

    #[test]
    fn a_mass_flies_on_a_parabola() {
        let mut scene = mass_object().unwrap();
        run(&mut scene, 1.0);
        let mass = &scene.world[scene.bodies["mass"]];
        assert!((mass.position() - Vec2::new(3.0, 4.0 - 0.5 * 9.81)).length() < 1e-12);
        assert!((mass.rotation() - 5.0).abs() < 1e-12);
    }

    #[test]
    fn a_hung_rod_keeps_its_energy() {
        let mut scene = hung_rod().unwrap();
        let before = scene.energy();
        let method = Method::Rattle { order: 6 };
        Reference::new(method).run(&mut scene.world, 5.0, DT).unwrap();
        assert!((scene.energy() - before).abs() < 1e-11, "{}", scene.energy() - before);
        assert!(scene.separation().0 < 1e-13);
    }

    #[test]
    fn a_damper_takes_energy_away_until_it_hangs() {
        let mut scene = damped_spring_pendulum().unwrap();
        let weight = scene.bodies["weight"];
        let total = |scene: &Scene| {
            let past = scene.world[weight].position().length() - 1.0;
            scene.energy() + 20.0 * past * past
        };
        let mut last = total(&scene);
        for _ in 0..50 {
            run(&mut scene, 1.0);
            assert!(total(&scene) < last + 1e-9, "{} after {last}", total(&scene));
            last = total(&scene);
        }
        // The swing is hardly damped, the spring is.
        let hangs = scene.world[weight].position().length();
        assert!((hangs - 1.0 - 9.81 / 40.0).abs() < 0.2, "{hangs}");
    }

    #[test]
    fn what_nothing_holds_keeps_its_momentum() {
        for build in [loose_pendulum, roped_pendulum, one_side_fixed, fixed_connection] {
            let mut scene = build().unwrap();
            // The start is made consistent first, by impulses within.
            let before = momentum(&scene);
            run(&mut scene, 3.0);
            let after = momentum(&scene);
            for (before, after) in before.iter().zip(after) {
                assert!(
                    (before - after).abs() < 1e-12 * (1.0 + before.abs()),
                    "{} {before} {after}",
                    scene.name
                );
            }
            assert!(scene.separation().0 < 1e-11, "{}", scene.name);
        }
    }

    #[test]
    fn a_rope_goes_taut_and_slack_and_taut() {
        let mut scene = roped_pendulum().unwrap();
        let axis = Axis::limited(f64::NEG_INFINITY, 1.5);
        let rope = scene.joints["rope"];
        let events = run(&mut scene, 3.0);
        assert_eq!(events[0].1, Event::Taut(rope));
        // 1 m apart and going on at 2 m/s and 3 m/s: |(1 + 2t, 3t)| = 1.5.
        let taut = (-4.0 + (16.0_f64 + 4.0 * 13.0 * 1.25).sqrt()) / 26.0;
        assert!((events[0].0 - taut).abs() < 1e-10, "{} {taut}", events[0].0);
        // With a rope that gives speed back it is slack again at once.
        let mut scene = roped_pendulum().unwrap();
        let mut limit = axis.limit.unwrap();
        limit.restitution = 1.0;
        let rope = scene.joints["rope"];
        scene.world.edit_joint(rope, |def| def.axis_mut(0).limit = Some(limit)).unwrap();
        let before = scene.energy();
        let events = run(&mut scene, 3.0);
        let kinds: Vec<Event> = events.iter().map(|event| event.1).collect();
        assert!(kinds.len() >= 4, "{kinds:?}");
        for pair in kinds.chunks_exact(2) {
            assert_eq!(pair, [Event::Taut(rope), Event::Slack(rope)]);
        }
        assert!((scene.energy() - before).abs() < 1e-9);
    }

    #[test]
    fn a_point_slides_out_on_its_line_and_friction_stops_it() {
        let mut free = point_on_line(0.0).unwrap();
        let line = free.joints["line"];
        run(&mut free, 2.0);
        // Nothing holds it: it is flung out.
        assert!(free.world.joint_coordinate(line, 0).unwrap() > 1.0);
        let before = momentum(&free)[2];
        run(&mut free, 1.0);
        assert!((momentum(&free)[2] - before).abs() < 1e-4 * before);
        let mut held = point_on_line(4.0).unwrap();
        let line = held.joints["line"];
        run(&mut held, 2.0);
        assert!(held.world.joint_speed(line, 0).unwrap().abs() < 1e-10);
        // 0.5 kg · 3² r stays below 4 N.
        assert!(held.world.joint_coordinate(line, 0).unwrap().abs() < 0.9);
    }
}
