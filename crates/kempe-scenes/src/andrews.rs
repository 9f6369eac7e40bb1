//! Andrews' squeezing mechanism, as in Hairer and Wanner, *Solving Ordinary Differential Equations II*,
//! section VII.7, and the IVP test set.

use crate::error::Error;
use crate::scene::Scene;
use kempe2d::{Axis, BodyDef, JointDef, Mass, MassProperties, Motor, Shape, Softness, Vec2, World};
use std::f64::consts::FRAC_PI_2;

/// Where the mechanism is held: A and B carry bodies, C the spring; the crank turns about the origin.
const A: Vec2 = Vec2::new(-0.06934, -0.00227);
const B: Vec2 = Vec2::new(-0.03635, 0.03273);
const C: Vec2 = Vec2::new(0.014, 0.072);

/// β, Θ, γ, φ, δ, Ω, ε at the start, rad.
const START: [f64; 7] = [
    -0.061_713_890_014_276_45,
    0.0,
    0.455_279_819_163_070_4,
    0.222_668_390_165_885_88,
    0.487_364_979_543_842_56,
    -0.222_668_390_165_885_88,
    1.230_547_444_549_821_2,
];

/// A body: its point, its angle, mass, inertia and centre of mass in its axes.
struct Part {
    at: Vec2,
    angle: f64,
    mass: f64,
    inertia: f64,
    center: Vec2,
    /// Its other end, to be seen.
    end: Vec2,
}

/// Seven bodies without gravity at rest, which a torque of 0.033 N·m on the first sets in motion; a
/// spring of 4530 N/m pulls at the third. After 0.03 s the crank has turned two and a half times.
///
/// Bodies: `k1` … `k7`, each from the point that it turns about. Their angles are of one that has all of
/// Hairer's and Wanner's: see [`andrews_angles`]. Joints: `motor`, `spring`, and nine pins by their
/// point and bodies.
///
/// # Errors
/// None but what the world refuses.
pub fn andrews() -> Result<Scene, Error> {
    let mut scene = Scene::awake("andrews")?.under(Vec2::ZERO)?;
    let ground = scene.world.ground()?;
    let [beta, theta, gamma, phi, delta, omega, epsilon] = START;
    let (rr, d, ss, e, zt, zf, u) = (0.007, 0.028, 0.035, 0.02, 0.04, 0.02, 0.04);
    let along = |x: f64| Vec2::new(x, 0.0);
    let at = |point: Vec2, angle: f64, length: f64| point + Vec2::from_angle(angle) * length;
    // Angles of bars whose equations are in (sin, −cos) are turned by a quarter.
    let quarter = |angle: f64| angle - FRAC_PI_2;
    let f = at(Vec2::ZERO, beta, rr);
    let g = at(A, delta, zt);
    let h = at(A, quarter(epsilon), u);
    let point = at(f, beta + theta, -d);
    let part = |at, angle, [mass, inertia]: [f64; 2], center, end| Part {
        at,
        angle,
        mass,
        inertia,
        center,
        end,
    };
    let parts = [
        part(Vec2::ZERO, beta, [0.04325, 2.194e-6], along(0.00092), along(rr)),
        part(f, beta + theta, [0.00365, 4.41e-7], along(-0.0115), along(-d)),
        part(B, quarter(gamma), [0.02373, 5.255e-6], Vec2::new(0.01874, 0.01043), along(ss)),
        part(g, quarter(phi + delta), [0.00706, 5.667e-7], along(e - 0.01421), along(e)),
        part(A, delta, [0.0705, 1.169e-5], Vec2::new(0.02308, 0.00916), along(zt)),
        part(h, omega + epsilon, [0.00706, 5.667e-7], along(zf - 0.01421), along(zf)),
        part(A, quarter(epsilon), [0.05498, 1.912e-5], Vec2::new(0.01228, -0.00449), along(u)),
    ];
    let mut bodies = Vec::new();
    for (k, part) in parts.iter().enumerate() {
        let Part { mass, inertia, center, .. } = *part;
        let shape = Shape::Capsule { start: Vec2::ZERO, end: part.end, radius: 0.001 };
        let def = BodyDef {
            position: part.at,
            rotation: part.angle,
            shapes: vec![(shape, 0.0)],
            mass: Mass::Given(MassProperties { mass, center, inertia }),
            ..BodyDef::dynamic()
        };
        bodies.push(scene.add_body(&format!("k{}", k + 1), &def)?);
    }
    let [k1, k2, k3, k4, k5, k6, k7] = bodies[..] else { return Ok(scene) };
    let torque = Axis::driven(Motor::Force { force: 0.033.into() });
    let motor = scene.world.revolute_at(ground, k1, Vec2::ZERO)?.with_axis(torque);
    scene.add_joint("motor", &motor)?;
    for (name, a, b, own) in [
        ("f, k1 k2", k1, k2, [along(rr), Vec2::ZERO]),
        ("b, k3", ground, k3, [B, Vec2::ZERO]),
        ("a, k5", ground, k5, [A, Vec2::ZERO]),
        ("a, k7", ground, k7, [A, Vec2::ZERO]),
        ("g, k5 k4", k5, k4, [along(zt), Vec2::ZERO]),
        ("h, k7 k6", k7, k6, [along(u), Vec2::ZERO]),
        ("e, k2 k3", k2, k3, [along(-d), along(ss)]),
        ("e, k2 k4", k2, k4, [along(-d), along(e)]),
        ("e, k2 k6", k2, k6, [along(-d), along(zf)]),
    ] {
        scene.add_joint(name, &JointDef::revolute(a, b, own))?;
    }
    debug_assert!((scene.world[k3].world_point(along(ss)) - point).length() < 1e-15);
    let softness = Softness::Stiffness { stiffness: 4530.0, damping: 0.0 };
    // D is at (sd, sc) of the third, in axes that are turned by a quarter.
    let spring = [C, Vec2::new(0.018, 0.02)];
    scene.add_joint("spring", &JointDef::spring(ground, k3, spring, 0.07785, softness))?;
    Ok(scene)
}

/// β, Θ, γ, φ, δ, Ω, ε of the mechanism, rad.
pub fn andrews_angles(scene: &Scene, world: &World) -> [f64; 7] {
    let turn = |name: &str| world[scene.bodies[name]].rotation();
    let [k1, k2, k3, k4, k5, k6, k7] = ["k1", "k2", "k3", "k4", "k5", "k6", "k7"].map(turn);
    let (gamma, epsilon) = (k3 + FRAC_PI_2, k7 + FRAC_PI_2);
    [k1, k2 - k1, gamma, k4 + FRAC_PI_2 - k5, k5, k6 - epsilon, epsilon]
}
