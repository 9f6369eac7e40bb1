//! Linkages: closed loops of bars.

use crate::error::Error;
use crate::scene::{Scene, disc, link, rod};
use kempe2d::{BodyDef, BodyId, JointDef, MassProperties, Vec2};

/// A four-bar linkage from rest: frame 1.1 m, crank 0.5 m, coupler 1.2 m, rocker 0.75 m, the crank
/// at 1.6 rad and the coupler above the frame.
///
/// Lengths, masses and inertias are those of the four-bar example of RigidBodyDynamics.jl.
///
/// Bodies: `crank`, `coupler`, `rocker`, whose x axes point along them from A, B and D. Joints: `a`,
/// `b`, `c`, `d`, in their order around the loop.
///
/// # Errors
/// None but what the world refuses.
pub fn four_bar() -> Result<Scene, Error> {
    let mut scene = Scene::awake("four_bar")?;
    let ground = scene.world.ground()?;
    let (a, d) = (Vec2::ZERO, Vec2::new(1.1, 0.0));
    let b = Vec2::from_angle(1.6) * 0.5;
    let c = meeting([b, d], [1.2, 0.75]);
    let mass = |mass: f64, inertia: f64| MassProperties { mass, center: Vec2::ZERO, inertia };
    let crank = scene.add_body("crank", &link(a, b, mass(0.5, 0.333)))?;
    let coupler = scene.add_body("coupler", &link(b, c, mass(1.0, 0.537)))?;
    let rocker = scene.add_body("rocker", &link(d, c, mass(0.75, 0.4)))?;
    scene.pin("a", ground, crank, a)?;
    scene.pin("b", crank, coupler, b)?;
    scene.pin("c", coupler, rocker, c)?;
    scene.pin("d", ground, rocker, d)?;
    Ok(scene)
}

/// The point to the left of the way from the first centre to the second that is so far from both.
fn meeting([p, q]: [Vec2; 2], [r, s]: [f64; 2]) -> Vec2 {
    let way = q - p;
    let square = way.length_squared();
    let along = 0.5 * (square + r * r - s * s) / square;
    let across = (r * r / square - along * along).max(0.0).sqrt();
    p + way * along + way.perp() * across
}

/// Peaucellier's linkage of seven bars of 1 kg/m, which draws an exact straight line: P stays on
/// x = 1.05 m. Gravity is along x, and the crank starts at 0.9 rad, so that it swings about the
/// middle and never folds.
///
/// Bodies: `crank` C–B, `upper arm` O–A and `lower arm` O–D of 1 m, and the rhombus of 0.4 m `ab`,
/// `db`, `ap`, `dp`, each with its x axis along it from the first point. Joints: `p` and nine
/// more, by the point and the bars.
///
/// # Errors
/// None but what the world refuses.
pub fn peaucellier() -> Result<Scene, Error> {
    let mut scene = Scene::awake("peaucellier")?.under(Vec2::new(9.81, 0.0))?;
    let ground = scene.world.ground()?;
    let (o, c) = (Vec2::ZERO, Vec2::new(0.4, 0.0));
    let b = c + Vec2::from_angle(0.9) * 0.4;
    let a = meeting([o, b], [1.0, 0.4]);
    let d = meeting([b, o], [0.4, 1.0]);
    // The rhombus: P is to A and D what B is.
    let p = a + d - b;
    let mut bar = |name: &str, from: Vec2, to: Vec2| -> Result<BodyId, Error> {
        scene.add_body(name, &rod(from, to, (to - from).length()))
    };
    let crank = bar("crank", c, b)?;
    let upper = bar("upper arm", o, a)?;
    let lower = bar("lower arm", o, d)?;
    let [ab, db] = [bar("ab", a, b)?, bar("db", d, b)?];
    let [ap, dp] = [bar("ap", a, p)?, bar("dp", d, p)?];
    for (name, first, second, point) in [
        ("c", ground, crank, c),
        ("o, upper arm", ground, upper, o),
        ("o, lower arm", ground, lower, o),
        ("a, ab", upper, ab, a),
        ("a, ap", upper, ap, a),
        ("d, db", lower, db, d),
        ("d, dp", lower, dp, d),
        ("b, ab", crank, ab, b),
        ("b, db", crank, db, b),
        ("p", ap, dp, p),
    ] {
        scene.pin(name, first, second, point)?;
    }
    Ok(scene)
}

/// Four-bar linkages of rods of 1 m and 1 kg, side by side: `windows` + 1 cranks stand upright 1 m apart, and
/// couplers join their upper ends, which start with 1 m/s along x. With 40 it is problem A02 of the
/// IFToMM library. Whenever the cranks are level it could fold, and goes on as parallelograms.
///
/// Bodies: `first crank`, with its x axis upwards. Joints: none.
///
/// # Errors
/// None but what the world refuses.
pub fn n_four_bar(windows: usize) -> Result<Scene, Error> {
    let mut scene = Scene::awake("n_four_bar")?;
    let ground = scene.world.ground()?;
    let mut last: Option<BodyId> = None;
    for k in 0..=windows {
        let foot = Vec2::new(k as f64, 0.0);
        let head = foot + Vec2::Y;
        let upright = BodyDef {
            velocity: Vec2::new(0.5, 0.0),
            angular_velocity: -1.0,
            ..rod(foot, head, 1.0)
        };
        let crank = scene.world.add_body(&upright)?;
        if k == 0 {
            scene.bodies.insert("first crank".to_owned(), crank);
        }
        pin(&mut scene, ground, crank, foot)?;
        if let Some(last) = last {
            pin(&mut scene, last, crank, head)?;
        }
        if k < windows {
            let coupler = BodyDef { velocity: Vec2::X, ..rod(head, head + Vec2::X, 1.0) };
            let coupler = scene.world.add_body(&coupler)?;
            pin(&mut scene, crank, coupler, head)?;
            last = Some(coupler);
        }
    }
    Ok(scene)
}

fn pin(scene: &mut Scene, a: BodyId, b: BodyId, point: Vec2) -> Result<(), Error> {
    let def = scene.world.revolute_at(a, b, point)?;
    scene.world.add_joint(&def)?;
    Ok(())
}

/// A slider-crank that runs freely without gravity: crank 0.15 m, rod 0.3 m, stretched at first, the
/// crank at `speed` rad/s.
///
/// Masses and inertias are those of the rigid parts of Simeon's slider-crank. Nothing but the speed
/// has a unit of time, so a run at 150 rad/s is every other one, faster.
///
/// Bodies: `crank`, `rod`, `slider`. Joints: `main`, `big end`, `small end`, `guide`.
///
/// # Errors
/// If the speed is not finite.
pub fn slider_crank(speed: f64) -> Result<Scene, Error> {
    let mut scene = Scene::awake("slider_crank")?.under(Vec2::ZERO)?;
    let ground = scene.world.ground()?;
    let (l1, l2) = (0.15, 0.3);
    let (b, c) = (Vec2::new(l1, 0.0), Vec2::new(l1 + l2, 0.0));
    // Inertias are given about the ends; here they are about the middle.
    let middle = |mass: f64, about_end: f64, length: f64| {
        let inertia = about_end - 0.25 * mass * length * length;
        MassProperties { mass, center: Vec2::ZERO, inertia }
    };
    let crank = BodyDef {
        velocity: Vec2::new(0.0, 0.5 * l1 * speed),
        angular_velocity: speed,
        ..link(Vec2::ZERO, b, middle(0.36, 0.002727, l1))
    };
    // The crank's end moves across, the slider stands at its dead point.
    let rod = BodyDef {
        velocity: Vec2::new(0.0, 0.5 * l1 * speed),
        angular_velocity: -speed * l1 / l2,
        ..link(b, c, middle(0.151_104, 0.004_533_925_9, l2))
    };
    let crank = scene.add_body("crank", &crank)?;
    let rod = scene.add_body("rod", &rod)?;
    let slider = scene.add_body("slider", &disc(c, 0.03, 0.075_552))?;
    scene.pin("main", ground, crank, Vec2::ZERO)?;
    scene.pin("big end", crank, rod, b)?;
    scene.pin("small end", rod, slider, c)?;
    let guide = JointDef::prismatic(ground, slider, [Vec2::ZERO; 2], Vec2::X);
    scene.add_joint("guide", &guide)?;
    Ok(scene)
}
