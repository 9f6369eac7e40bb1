//! What acts on an axis by a force: springs, force laws, motors, friction, on every kind of joint.
//!
//! Each [`Rig`] has one coordinate that moves on a straight line with a known mass, so that what is
//! on its axis is an equation of one variable, which is solved beside it.

use super::{H, close, world};
use kempe2d::equation::Program;
use kempe2d::{
    Axis, BodyDef, BodyId, Constraint, Counts, Direct, ForceLaw, ForceRange, JointDef, JointId,
    JointKind, Law, Limit, Locked, Mass, MassProperties, Motor, Pose, Real, Settings, Softness,
    Spring, Target, TextJoint, UserJoint, Vec2, World,
};

/// Islands as a whole where the solver sees fit, and joint by joint.
pub(crate) const WAYS: [Direct; 2] = [Direct::Auto, Direct::Never];

/// A world that is solved in one of these ways.
pub(crate) fn world_by(direct: Direct, gravity: Vec2, substeps: u32) -> World {
    let mut world = world(gravity, substeps);
    world.set_settings(Settings { direct, ..world.settings() }).unwrap();
    world
}

/// A joint whose axis is all that moves.
pub(crate) struct Rig {
    pub name: &'static str,
    pub direct: Direct,
    pub world: World,
    pub joint: JointId,
    pub axis: usize,
    /// 1/K of the axis: F = mass · q̈.
    pub mass: f64,
    /// J of the axis, by body.
    row: Vec<(BodyId, Vec2, f64)>,
}

impl Rig {
    pub(crate) fn q(&self) -> f64 {
        self.world.joint_coordinate(self.joint, self.axis).unwrap()
    }

    pub(crate) fn speed(&self) -> f64 {
        self.world.joint_speed(self.joint, self.axis).unwrap()
    }

    /// Pushes along the coordinate over the next step.
    pub(crate) fn push(&mut self, force: f64) {
        for (id, linear, angular) in &self.row {
            self.world.apply_central_force(*id, *linear * force).unwrap();
            self.world.apply_torque(*id, angular * force).unwrap();
        }
    }

    /// Gives the coordinate another speed.
    pub(crate) fn set_speed(&mut self, speed: f64) {
        let change = self.mass * (speed - self.speed());
        for (id, linear, angular) in &self.row {
            let center = self.world[*id].center();
            self.world.apply_impulse(*id, *linear * change, center).unwrap();
            self.world.apply_angular_impulse(*id, angular * change).unwrap();
        }
    }

    pub(crate) fn step(&mut self, steps: usize) {
        for _ in 0..steps {
            self.world.step(H).unwrap();
        }
    }

    #[track_caller]
    pub(crate) fn near(&self, what: &str, found: f64, expected: f64, tolerance: f64) {
        let Self { name, direct, .. } = self;
        let far = (found - expected).abs();
        assert!(
            far <= tolerance,
            "{name} ({direct:?}), {what}: {found} is not {expected}, by {far:e}"
        );
    }
}

/// Holds y and the angle, and leaves x.
#[derive(Clone, Debug)]
struct Bead;

impl Constraint for Bead {
    fn name(&self) -> &str {
        "bead"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 2, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let gap = bodies[1].position - bodies[0].position;
        [out[0], out[1], out[2]] = [gap.y, bodies[1].rotation - bodies[0].rotation, gap.x];
    }
}

const MASS: f64 = 2.5;
const INERTIA: f64 = 0.7;

fn body(position: Vec2, rotation: f64) -> BodyDef {
    let mass = MassProperties { mass: MASS, center: Vec2::ZERO, inertia: INERTIA };
    let mass = Mass::Given(mass);
    BodyDef { position, rotation, mass, can_sleep: false, ..BodyDef::dynamic() }
}

/// Every kind of axis with this on it, at `q` and at rest, solved in either way; without gravity.
pub(crate) fn rigs(axis: &Axis, q: f64, substeps: u32) -> Vec<Rig> {
    type Make = fn(&mut World, BodyId, f64) -> (JointDef, usize, f64, Vec<(BodyId, Vec2, f64)>);
    let kinds: [(&'static str, Make); 10] = [
        ("revolute", |world, ground, q| {
            let id = world.add_body(&body(Vec2::new(1.0, 2.0), q)).unwrap();
            let def = JointDef::revolute(ground, id, [Vec2::new(1.0, 2.0), Vec2::ZERO]);
            (def, 0, INERTIA, vec![(id, Vec2::ZERO, 1.0)])
        }),
        ("prismatic", |world, ground, q| {
            let rail = Vec2::new(0.6, 0.8);
            let id = world.add_body(&body(rail * q, 0.0)).unwrap();
            let anchors = [Vec2::ZERO, Vec2::ZERO];
            let def = JointDef::prismatic(ground, id, anchors, rail * 4.0);
            (def, 0, MASS, vec![(id, rail, 0.0)])
        }),
        ("slot, along", |world, ground, q| {
            let rail = Vec2::new(-0.8, 0.6);
            let id = world.add_body(&body(rail * q, 0.4)).unwrap();
            let def = JointDef::slot(ground, id, [Vec2::ZERO, Vec2::ZERO], rail);
            (def, 0, MASS, vec![(id, rail, 0.0)])
        }),
        ("slot, turning", |world, ground, q| {
            let id = world.add_body(&body(Vec2::new(2.0, 0.0), q)).unwrap();
            let def = JointDef::slot(ground, id, [Vec2::ZERO, Vec2::ZERO], Vec2::X);
            (def, 1, INERTIA, vec![(id, Vec2::ZERO, 1.0)])
        }),
        ("distance", |world, ground, q| {
            let n = Vec2::new(0.28, -0.96);
            let id = world.add_body(&body(n * q, 0.0)).unwrap();
            let kind = JointKind::Distance { anchor_a: Vec2::ZERO, anchor_b: Vec2::ZERO };
            (JointDef::new(kind, ground, id), 0, MASS, vec![(id, n, 0.0)])
        }),
        ("angle", |world, ground, q| {
            let (ratio, angle) = (-1.5, 0.3);
            let id = world.add_body(&body(Vec2::ZERO, (q + angle) / ratio)).unwrap();
            let def = JointDef::new(JointKind::Angle { ratio, angle }, ground, id);
            (def, 0, INERTIA / (ratio * ratio), vec![(id, Vec2::ZERO, ratio)])
        }),
        ("pulley", |world, ground, q| {
            // 0.4 q on one side and 0.6 q / ρ on the other, each on a line of its own.
            let ratio = 2.0;
            let one = world.add_body(&body(Vec2::new(0.4 * q, 0.0), 0.0)).unwrap();
            let two = world.add_body(&body(Vec2::new(0.0, -0.6 * q / ratio), 0.0)).unwrap();
            let kind = JointKind::Pulley { anchors: [Vec2::ZERO; 4], ratio };
            let def = JointDef::over(kind, vec![ground, one, ground, two]);
            let row = vec![(one, Vec2::X, 0.0), (two, Vec2::Y * -ratio, 0.0)];
            (def, 0, MASS / (1.0 + ratio * ratio), row)
        }),
        ("text, along", |world, ground, q| {
            let id = world.add_body(&body(Vec2::new(0.0, q), 0.0)).unwrap();
            let program = Program::parse(
                "body a, b
                 constraint { b.position.x - a.position.x, b.rotation - a.rotation }
                 axis rise = b.position.y - a.position.y",
            );
            let joint = TextJoint::new(&program.unwrap()).joint(&[("a", ground), ("b", id)]);
            (joint.unwrap(), 0, MASS, vec![(id, Vec2::Y, 0.0)])
        }),
        ("text, turning", |world, ground, q| {
            let id = world.add_body(&body(Vec2::ZERO, q / 3.0)).unwrap();
            let program = Program::parse("body a, b  axis turn = 3 * (b.rotation - a.rotation)");
            let joint = TextJoint::new(&program.unwrap()).joint(&[("a", ground), ("b", id)]);
            (joint.unwrap(), 0, INERTIA / 9.0, vec![(id, Vec2::ZERO, 3.0)])
        }),
        ("user", |world, ground, q| {
            let id = world.add_body(&body(Vec2::new(q, 0.0), 0.0)).unwrap();
            (UserJoint::new(Bead).joint(&[ground, id]), 0, MASS, vec![(id, Vec2::X, 0.0)])
        }),
    ];
    let rig = |direct: Direct, (name, make): (&'static str, Make)| {
        let mut world = world_by(direct, Vec2::ZERO, substeps);
        let ground = world.ground().unwrap();
        let (mut def, at, mass, row) = make(&mut world, ground, q);
        *def.axis_mut(at) = axis.clone();
        let joint = world.add_joint(&def).unwrap();
        Rig { name, direct, world, joint, axis: at, mass, row }
    };
    WAYS.into_iter().flat_map(|direct| kinds.map(|kind| rig(direct, kind))).collect()
}

/// m q̈ = −k q − c q̇ by implicit Euler: v = (v − h k/m q) / (1 + h c/m + h² k/m), q += h v.
fn implicit([q, v]: [f64; 2], [k, c]: [f64; 2], h: f64) -> [f64; 2] {
    let v = (v - h * k * q) / (1.0 + h * c + h * h * k);
    [q + h * v, v]
}

/// Classical Runge–Kutta of q̈ = a(q, v, t), in steps of a thousandth of a second.
fn exact(
    [mut q, mut v]: [f64; 2],
    acceleration: impl Fn(f64, f64, f64) -> f64,
    seconds: f64,
) -> [f64; 2] {
    let steps = (seconds * 1000.0).round();
    let h = seconds / steps;
    for k in 0..steps as usize {
        let t = k as f64 * h;
        let a1 = acceleration(q, v, t);
        let (q2, v2) = (q + 0.5 * h * v, v + 0.5 * h * a1);
        let a2 = acceleration(q2, v2, t + 0.5 * h);
        let (q3, v3) = (q + 0.5 * h * v2, v + 0.5 * h * a2);
        let a3 = acceleration(q3, v3, t + 0.5 * h);
        let (q4, v4) = (q + h * v3, v + h * a3);
        let a4 = acceleration(q4, v4, t + h);
        q += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    [q, v]
}

/// Sub-steps of a quarter and of an eighth and so on have half the error each time: the solver is of
/// the first order, and what it tends to is right.
#[track_caller]
fn converges(axis: &Axis, q: f64, speed: f64, seconds: f64, exact: impl Fn(&Rig) -> [f64; 2]) {
    let mut before: Vec<f64> = Vec::new();
    for substeps in [4, 8, 16] {
        let mut errors = Vec::new();
        for mut rig in rigs(axis, q, substeps) {
            rig.set_speed(speed);
            rig.step((seconds / H).round() as usize);
            let expected = exact(&rig);
            let error = (rig.q() - expected[0]).abs() + (rig.speed() - expected[1]).abs();
            rig.near("the error itself", error, 0.0, 0.4 / f64::from(substeps));
            errors.push(error);
        }
        for (k, (before, now)) in before.iter().zip(&errors).enumerate() {
            // Half, and some for the next order and for f32.
            let name = rigs(axis, q, 1)[k].name;
            assert!(*now < 0.62 * before + 1e-4, "{name}: {before} then {now}");
        }
        before = errors;
    }
}

const HERTZ: f64 = 1.7;
const RATIO: f64 = 0.15;

/// k/m and c/m of the spring above.
fn normalized() -> [f64; 2] {
    let omega = std::f64::consts::TAU * HERTZ;
    [omega * omega, 2.0 * RATIO * omega]
}

/// The same spring in every unit.
fn units(mass: f64) -> [Softness; 4] {
    let [k, c] = normalized();
    [
        Softness::Hertz { hertz: HERTZ, damping_ratio: RATIO },
        Softness::Stiffness { stiffness: mass * k, damping: mass * c },
        Softness::MassNormalized { stiffness: k, damping: c },
        Softness::Compliance { compliance: 1.0 / (mass * k), damping: mass * c },
    ]
}

#[test]
fn a_spring_on_any_axis_is_a_step_of_implicit_euler_in_any_unit() {
    let masses: Vec<f64> = rigs(&Axis::default(), 3.5, 4).iter().map(|rig| rig.mass).collect();
    for unit in 0..4 {
        for (k, mass) in masses.iter().enumerate() {
            let softness = units(*mass)[unit];
            // As a spring, as a servo at a fixed target, and as a held axis that yields.
            let force = ForceRange::default();
            let held = Limit { softness, ..Limit::new(3.0, 3.0) };
            for axis in [
                Axis::sprung(3.0, softness),
                Axis::driven(Motor::Position { target: 3.0.into(), softness, force }),
                Axis { limit: Some(held), ..Axis::default() },
            ] {
                let mut rig = rigs(&axis, 3.5, 4).swap_remove(k);
                let mut expected = [0.5, 0.0];
                for _ in 0..120 {
                    rig.step(1);
                    for _ in 0..4 {
                        expected = implicit(expected, normalized(), H / 4.0);
                    }
                    rig.near("q", rig.q(), 3.0 + expected[0], 2e-5);
                    rig.near("q̇", rig.speed(), expected[1], 2e-4);
                }
            }
        }
    }
}

/// q = e^(−ζωt) (q₀ cos ω_d t + …)
#[test]
fn a_spring_tends_to_the_exact_solution() {
    let axis = Axis::sprung(3.0, Softness::Hertz { hertz: HERTZ, damping_ratio: RATIO });
    let omega = std::f64::consts::TAU * HERTZ;
    let damped = omega * (1.0 - RATIO * RATIO).sqrt();
    converges(&axis, 3.2, 0.3, 0.5, |_| {
        let (q, v, t) = (0.2, 0.3, 0.5);
        let b = (v + RATIO * omega * q) / damped;
        let (sin, cos) = (damped * t).sin_cos();
        let decay = (-RATIO * omega * t).exp();
        let x = decay * (q * cos + b * sin);
        let speed = -RATIO * omega * x + decay * damped * (b * cos - q * sin);
        [3.0 + x, speed]
    });
}

#[test]
fn a_linear_force_law_is_the_spring() {
    for mut rig in rigs(&Axis::default(), 3.5, 4) {
        let [k, c] = normalized().map(|each| rig.mass * each);
        let law = ForceLaw::text(&format!("-{k} * (q - 3) - {c} * speed")).unwrap();
        let at = rig.axis;
        rig.world.edit_joint(rig.joint, |def| def.axis_mut(at).law = Some(law)).unwrap();
        let mut expected = [0.5, 0.0];
        for _ in 0..120 {
            rig.step(1);
            for _ in 0..4 {
                expected = implicit(expected, normalized(), H / 4.0);
            }
            rig.near("q", rig.q(), 3.0 + expected[0], 2e-5);
            rig.near("q̇", rig.speed(), expected[1], 2e-4);
        }
    }
}

/// F = −k (q − 3) − c (q − 3)³ − d q̇ |q̇|
#[derive(Clone, Debug)]
struct Hardening {
    k: f64,
    c: f64,
    d: f64,
}

impl Hardening {
    fn at(&self, q: f64, speed: f64) -> f64 {
        -self.k * (q - 3.0) - self.c * (q - 3.0).powi(3) - self.d * speed * speed.abs()
    }
}

impl Law for Hardening {
    fn name(&self) -> &str {
        "hardening"
    }

    fn force<S: Real>(&self, q: S, speed: S, _time: S) -> S {
        let x = q - S::constant(3.0);
        let square = speed * speed;
        let drag = S::constant(self.d) * speed * square.sqrt();
        -(S::constant(self.k) * x) - S::constant(self.c) * x * x * x - drag
    }
}

#[test]
fn a_nonlinear_force_law_in_text_and_in_rust() {
    let law = Hardening { k: 8.0, c: 60.0, d: 0.2 };
    let text = ForceLaw::text("-8 * (q - 3) - 60 * (q - 3)^3 - 0.2 * speed * |speed|").unwrap();
    for force in [ForceLaw::function(law.clone()), text] {
        close(force.at(3.4, -0.7, 0.0), law.at(3.4, -0.7), 1e-12);
        let axis = Axis { law: Some(force), ..Axis::default() };
        converges(&axis, 3.4, 0.5, 0.5, |rig| {
            exact([3.4, 0.5], |q, v, _| law.at(q, v) / rig.mass, 0.5)
        });
    }
}

#[test]
fn a_force_law_that_follows_the_clock() {
    let law = ForceLaw::text("0.8 * sin(7 * time) - 0.1 * speed").unwrap();
    let axis = Axis { law: Some(law), ..Axis::default() };
    converges(&axis, 3.0, 0.0, 0.5, |rig| {
        exact([3.0, 0.0], |_, v, t| (0.8 * (7.0 * t).sin() - 0.1 * v) / rig.mass, 0.5)
    });
}

/// However stiff, an implicit law does not gain.
#[test]
fn a_stiff_force_law_stays_calm() {
    let law = ForceLaw::text("-1e6 * (q - 3) - 1e6 * (q - 3)^3").unwrap();
    for mut rig in rigs(&Axis { law: Some(law), ..Axis::default() }, 3.5, 1) {
        for _ in 0..60 {
            rig.step(1);
            assert!((rig.q() - 3.0).abs() < 0.51, "{}: {}", rig.name, rig.q());
        }
        rig.near("q", rig.q(), 3.0, 1e-3);
    }
}

#[test]
fn springs_that_only_pull_or_only_push() {
    let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.3 };
    for (force, acts_at, rests_at) in
        [(ForceRange::lower(), 3.5, 2.5), (ForceRange::raise(), 2.5, 3.5)]
    {
        let axis = Axis { spring: Some(Spring { rest: 3.0, softness, force }), ..Axis::default() };
        for mut rig in rigs(&axis, rests_at, 4) {
            rig.step(10);
            rig.near("q of one that rests", rig.q(), rests_at, 1e-6);
            assert!(rig.world.joint_axis_force(rig.joint, rig.axis).unwrap().spring == 0.0);
        }
        for mut rig in rigs(&axis, acts_at, 4) {
            rig.step(1);
            let [k, c] = [16.0 * std::f64::consts::PI.powi(2), 1.2 * std::f64::consts::TAU];
            let mut expected = [acts_at - 3.0, 0.0];
            for _ in 0..4 {
                expected = implicit(expected, [k, c], H / 4.0);
            }
            rig.near("q of one that acts", rig.q(), 3.0 + expected[0], 1e-5);
        }
    }
}

#[test]
fn a_spring_with_a_largest_force() {
    let softness = Softness::Hertz { hertz: 3.0, damping_ratio: 0.0 };
    for (k, rig) in rigs(&Axis::default(), 3.5, 4).into_iter().enumerate() {
        // Far from its rest the spring would pull with more.
        let most = rig.mass * 4.0;
        let force = ForceRange::symmetric(most);
        let axis = Axis { spring: Some(Spring { rest: 3.0, softness, force }), ..Axis::default() };
        let mut rig = rigs(&axis, 3.5, 4).swap_remove(k);
        rig.step(6);
        let t = 6.0 * H;
        rig.near("speed", rig.speed(), -4.0 * t, 1e-5);
        let force = rig.world.joint_axis_force(rig.joint, rig.axis).unwrap();
        rig.near("force", force.spring, -most, 1e-4);
        rig.near("total", force.total(), -most, 1e-4);
    }
}

#[test]
fn a_velocity_motor_without_and_with_a_largest_force() {
    let axis = Axis::driven(Motor::at(1.3));
    for mut rig in rigs(&axis, 3.0, 4) {
        rig.step(1);
        rig.near("speed", rig.speed(), 1.3, 1e-5);
        rig.step(30);
        rig.near("q", rig.q(), 3.0 + 1.3 * 31.0 * H, 2e-5);
    }
    for (k, rig) in rigs(&Axis::default(), 3.0, 4).into_iter().enumerate() {
        // 2 m/s² up, 3 m/s² down.
        let force = ForceRange { lower: -3.0 * rig.mass, upper: 2.0 * rig.mass };
        let motor = |speed: f64| Axis::driven(Motor::Velocity { speed: speed.into(), force });
        let mut rig = rigs(&motor(1.0), 3.0, 4).swap_remove(k);
        rig.step(15);
        rig.near("speed going up", rig.speed(), 0.5, 1e-5);
        rig.near(
            "force",
            rig.world.joint_axis_force(rig.joint, rig.axis).unwrap().motor,
            force.upper,
            1e-4,
        );
        rig.step(30);
        rig.near("speed, reached", rig.speed(), 1.0, 1e-5);
        rig.near(
            "force",
            rig.world.joint_axis_force(rig.joint, rig.axis).unwrap().motor,
            0.0,
            1e-4,
        );
        let at = rig.axis;
        rig.world.edit_joint(rig.joint, |def| *def.axis_mut(at) = motor(-5.0)).unwrap();
        rig.step(15);
        rig.near("speed going down", rig.speed(), 1.0 - 0.75, 1e-5);
    }
}

#[test]
fn a_motor_whose_speed_is_an_expression() {
    let speed = Target::expression("0.8 * cos(3 * time)").unwrap();
    let axis = Axis::driven(Motor::Velocity { speed, force: ForceRange::default() });
    for mut rig in rigs(&axis, 3.0, 4) {
        for step in 1..=60 {
            rig.step(1);
            let t = f64::from(step) * H;
            rig.near("speed", rig.speed(), 0.8 * (3.0 * t).cos(), 1e-5);
        }
        // The integral of the speed, by the right ends of the sub-steps.
        let h = H / 4.0;
        let way: f64 = (1..=240).map(|k| 0.8 * h * (3.0 * f64::from(k) * h).cos()).sum();
        rig.near("q", rig.q(), 3.0 + way, 2e-5);
    }
}

/// The servo's spring pulls k (target − q) + c (d target/dt − q̇).
#[test]
fn a_servo_follows_a_moving_target() {
    let target = Target::expression("3 + 0.4 * sin(2 * time)").unwrap();
    let softness = Softness::Hertz { hertz: HERTZ, damping_ratio: 1.0 };
    let motor = Motor::Position { target, softness, force: ForceRange::default() };
    let omega = std::f64::consts::TAU * HERTZ;
    converges(&Axis::driven(motor), 3.0, 0.8, 1.0, |_| {
        exact(
            [3.0, 0.8],
            |q, v, t| {
                let (sin, cos) = (2.0 * t).sin_cos();
                omega * omega * (3.0 + 0.4 * sin - q) + 2.0 * omega * (0.8 * cos - v)
            },
            1.0,
        )
    });
    // A target that moves evenly is followed without lag.
    let target = Target::expression("3 + 0.5 * time").unwrap();
    let motor = Motor::Position { target, softness, force: ForceRange::default() };
    for mut rig in rigs(&Axis::driven(motor), 3.0, 4) {
        rig.set_speed(0.5);
        rig.step(60);
        rig.near("q", rig.q(), 3.5, 2e-5);
        rig.near("speed", rig.speed(), 0.5, 2e-5);
    }
}

#[test]
fn a_motor_to_a_position_and_at_a_speed() {
    let softness = Softness::Hertz { hertz: HERTZ, damping_ratio: 0.5 };
    let omega = std::f64::consts::TAU * HERTZ;
    let (target, force) = (3.0.into(), ForceRange::default());
    let motor = Motor::Both { target, speed: 0.6.into(), softness, force };
    converges(&Axis::driven(motor), 3.2, 0.0, 0.5, |_| {
        let pull = |q: f64, v: f64, _| omega * omega * (3.0 - q) + omega * (0.6 - v);
        exact([3.2, 0.0], pull, 0.5)
    });
    let [target, speed] =
        ["3 + 0.2 * time", "0.3 * sin(5 * time)"].map(|each| Target::expression(each).unwrap());
    let motor = Motor::Both { target, speed, softness, force };
    converges(&Axis::driven(motor), 3.2, 0.0, 0.5, |_| {
        let pull = |q: f64, v: f64, t: f64| {
            omega * omega * (3.0 + 0.2 * t - q) + omega * (0.3 * (5.0 * t).sin() - v)
        };
        exact([3.2, 0.0], pull, 0.5)
    });
}

#[test]
fn a_motor_of_a_plain_force() {
    let motor = |force: Target| Axis::driven(Motor::Force { force });
    for mut rig in rigs(&motor((-0.7).into()), 3.0, 4) {
        rig.step(60);
        let a = -0.7 / rig.mass;
        rig.near("speed", rig.speed(), a, 1e-5 * a.abs().max(1.0));
        // Symplectic Euler: ½ a t² and half a sub-step's speed more.
        rig.near("q", rig.q(), 3.0 + 0.5 * a * (1.0 + H / 4.0), 2e-5 * a.abs().max(1.0));
    }
    let force = Target::expression("0.5 * cos(4 * time)").unwrap();
    for mut rig in rigs(&motor(force), 3.0, 4) {
        rig.step(60);
        // The middle of a sub-step makes the impulse right to the second order: h²·16/24.
        let speed = 0.5 / 4.0 * 4.0_f64.sin() / rig.mass;
        rig.near("speed", rig.speed(), speed, 3e-5 * speed.abs().max(1.0));
    }
}

#[test]
fn friction_on_any_axis_slides_and_sticks() {
    for (k, rig) in rigs(&Axis::default(), 3.0, 4).into_iter().enumerate() {
        let friction = 2.0 * rig.mass;
        let axis = Axis { friction: Some(friction), ..Axis::default() };
        let mut rig = rigs(&axis, 3.0, 4).swap_remove(k);
        rig.set_speed(1.0);
        rig.step(15);
        rig.near("speed, sliding", rig.speed(), 0.5, 1e-5);
        let found = rig.world.joint_axis_force(rig.joint, rig.axis).unwrap();
        rig.near("friction", found.friction, -friction, 1e-4 * friction);
        rig.step(30);
        rig.near("speed, stuck", rig.speed(), 0.0, 1e-6);
        // v²/2a, less half a sub-step's way.
        rig.near("q", rig.q(), 3.25 - 0.5 * H / 4.0, 2e-5);
        // It holds what is less than it, and lets slide what is more.
        for _ in 0..30 {
            rig.push(0.9 * friction);
            rig.step(1);
        }
        rig.near("speed, held", rig.speed(), 0.0, 1e-6);
        let found = rig.world.joint_axis_force(rig.joint, rig.axis).unwrap();
        rig.near("friction that holds", found.friction, -0.9 * friction, 1e-4 * friction);
        for _ in 0..30 {
            rig.push(1.5 * friction);
            rig.step(1);
        }
        rig.near("speed, sliding again", rig.speed(), 2.0 * 0.5 * 0.5, 1e-5);
    }
}

/// Rigs whose coordinate is an angle.
pub(crate) const TURNING: [&str; 4] = ["revolute", "slot, turning", "angle", "text, turning"];

#[test]
fn springs_and_servos_many_turns_away() {
    let turns = 1000.0 * std::f64::consts::TAU;
    let softness = Softness::Hertz { hertz: HERTZ, damping_ratio: RATIO };
    let (target, force) = (turns.into(), ForceRange::default());
    for axis in [
        Axis::sprung(turns, softness),
        Axis::driven(Motor::Position { target, softness, force }),
        Axis::driven(Motor::Position {
            target: Target::expression(&format!("{turns} + 0 * time")).unwrap(),
            softness,
            force,
        }),
    ] {
        for mut rig in rigs(&axis, turns + 0.5, 4) {
            if !TURNING.contains(&rig.name) {
                continue;
            }
            let mut expected = [0.5, 0.0];
            for _ in 0..60 {
                rig.step(1);
                for _ in 0..4 {
                    expected = implicit(expected, normalized(), H / 4.0);
                }
                rig.near("q", rig.q(), turns + expected[0], 2e-5);
            }
        }
    }
}

/// A law is given q itself, in f32: after a thousand turns a rounding is 2.4e-4 rad.
#[test]
fn a_force_law_many_turns_away() {
    let turns = 1000.0 * std::f64::consts::TAU;
    for mut rig in rigs(&Axis::default(), turns + 0.5, 4) {
        if !TURNING.contains(&rig.name) {
            continue;
        }
        let [k, c] = normalized().map(|each| rig.mass * each);
        let law = ForceLaw::text(&format!("-{k} * (q - {turns}) - {c} * speed")).unwrap();
        let at = rig.axis;
        rig.world.edit_joint(rig.joint, |def| def.axis_mut(at).law = Some(law)).unwrap();
        let mut expected = [0.5, 0.0];
        for _ in 0..60 {
            rig.step(1);
            for _ in 0..4 {
                expected = implicit(expected, normalized(), H / 4.0);
            }
            rig.near("q", rig.q(), turns + expected[0], 2.5e-4);
        }
    }
}

/// A motor on a door: τ / (I + m l²) with a largest torque, and its speed without.
#[test]
fn a_motor_on_a_hinge_away_from_the_centre() {
    let whole = INERTIA + MASS * 1.2 * 1.2;
    let anchors = [Vec2::ZERO, Vec2::new(-1.2, 0.0)];
    for (direct, torque, speed) in
        WAYS.into_iter().flat_map(|way| [(way, 2.0, 2.0 / whole * 0.5), (way, f64::INFINITY, 3.0)])
    {
        let mut world = world_by(direct, Vec2::ZERO, 4);
        let ground = world.ground().unwrap();
        let door = world.add_body(&body(Vec2::new(1.2, 0.0), 0.0)).unwrap();
        let force = ForceRange::symmetric(torque);
        let motor = Motor::Velocity { speed: 3.0.into(), force };
        let def = JointDef::revolute(ground, door, anchors).with_axis(Axis::driven(motor));
        let joint = world.add_joint(&def).unwrap();
        for _ in 0..30 {
            world.step(H).unwrap();
        }
        close(world.joint_speed(joint, 0).unwrap(), speed, 1e-3 * speed);
        close(world[door].velocity().length(), 1.2 * speed, 2e-3 * speed);
        let (gap, _) = world.joint_separation(joint).unwrap();
        close(gap, 0.0, 1e-3);
    }
}

/// Friction in a hinge takes friction × angle of the energy.
#[test]
fn a_pendulum_with_friction_in_its_hinge() {
    for direct in WAYS {
        pendulum_with_friction(direct);
    }
}

fn pendulum_with_friction(direct: Direct) {
    let mut world = world_by(direct, Vec2::new(0.0, -9.81), 16);
    let springs = kempe2d::Springs::SecondOrder;
    world.set_settings(Settings { springs, ..world.settings() }).unwrap();
    let ground = world.ground().unwrap();
    let bob = world.add_body(&body(Vec2::new(1.2, 0.0), 0.0)).unwrap();
    let def = JointDef::revolute(ground, bob, [Vec2::ZERO, Vec2::new(-1.2, 0.0)]);
    let axis = Axis { friction: Some(2.0), ..Axis::default() };
    let joint = world.add_joint(&def.with_axis(axis)).unwrap();
    let energy = |world: &World| world.kinetic_energy() + world.potential_energy();
    let start = energy(&world);
    let (mut way, mut last): (f64, f64) = (0.0, 0.0);
    for _ in 0..120 {
        world.step(H).unwrap();
        let q = world.joint_coordinate(joint, 0).unwrap();
        way += (q - last).abs();
        last = q;
    }
    assert!(way > 3.0, "{way}");
    close(energy(&world) - start, -2.0 * way, 0.02 * 2.0 * way);
}

/// A torsion spring on a door: the hinge is away from the centre of mass, and what turns is
/// I + m l².
#[test]
fn a_spring_on_a_hinge_away_from_the_centre() {
    let period = |direct: Direct, substeps: u32| {
        let mut world = world_by(direct, Vec2::ZERO, substeps);
        let ground = world.ground().unwrap();
        let door = world.add_body(&body(Vec2::new(1.2, 0.0), 0.0)).unwrap();
        let stiffness = 20.0;
        let softness = Softness::Stiffness { stiffness, damping: 0.0 };
        let def = JointDef::revolute(ground, door, [Vec2::ZERO, Vec2::new(-1.2, 0.0)]);
        let joint = world.add_joint(&def.with_axis(Axis::sprung(0.3, softness))).unwrap();
        // From rest at 0 it swings about 0.3; the first time through there is a quarter period.
        let (mut last, mut t) = (-0.3, 0.0);
        loop {
            world.step(H).unwrap();
            t += H;
            let q = world.joint_coordinate(joint, 0).unwrap() - 0.3;
            if q > 0.0 {
                return 4.0 * (t - H * q / (q - last));
            }
            last = q;
        }
    };
    let whole = INERTIA + MASS * 1.2 * 1.2;
    let exact = std::f64::consts::TAU * (whole / 20.0_f64).sqrt();
    for direct in WAYS {
        for substeps in [4, 16] {
            let error = period(direct, substeps) / exact - 1.0;
            let most = 0.06 / f64::from(substeps);
            assert!(error.abs() < most, "{direct:?}, {substeps}: {error}");
        }
    }
}

/// A slider whose rail does not pass its centre of mass, with a spring; 0.5 s from 0.5 m, against
/// implicit Euler of the whole body's mass.
fn beside_its_rail(direct: Direct, softness: Softness, substeps: u32) -> f64 {
    let mut world = world_by(direct, Vec2::ZERO, substeps);
    let ground = world.ground().unwrap();
    let id = world.add_body(&body(Vec2::new(0.5, 0.8), 0.0)).unwrap();
    let anchors = [Vec2::ZERO, Vec2::new(0.0, -0.8)];
    let def = JointDef::prismatic(ground, id, anchors, Vec2::X);
    let joint = world.add_joint(&def.with_axis(Axis::sprung(0.0, softness))).unwrap();
    let mut expected = [0.5, 0.0];
    let mut worst: f64 = 0.0;
    for _ in 0..30 {
        world.step(H).unwrap();
        for _ in 0..substeps {
            expected = implicit(expected, normalized(), H / f64::from(substeps));
        }
        worst = worst.max((world.joint_coordinate(joint, 0).unwrap() - expected[0]).abs());
    }
    worst
}

#[test]
fn a_spring_of_a_stiffness_beside_the_rail() {
    let [k, c] = normalized().map(|each| MASS * each);
    let softness = Softness::Stiffness { stiffness: k, damping: c };
    // As a whole it is that step of implicit Euler; in turn it tends to it.
    let worst = beside_its_rail(Direct::Auto, softness, 4);
    assert!(worst < 2e-5, "{worst}");
    for substeps in [4, 16] {
        let worst = beside_its_rail(Direct::Never, softness, substeps);
        assert!(worst < 0.08 / f64::from(substeps), "{substeps}: {worst}");
    }
}

/// The slider does not turn: the mass that moves is the body's, and the frequency goes by it.
#[test]
fn a_spring_of_a_frequency_beside_the_rail() {
    let softness = Softness::Hertz { hertz: HERTZ, damping_ratio: RATIO };
    let worst = beside_its_rail(Direct::Auto, softness, 4);
    assert!(worst < 0.02, "{worst}");
}

/// A locked freedom takes no part in the mass of a spring.
#[test]
fn a_spring_between_bodies_of_which_one_cannot_turn() {
    let mut world = world(Vec2::ZERO, 4);
    let locked = Locked { rotation: true, ..Locked::default() };
    let a = world.add_body(&BodyDef { locked, ..body(Vec2::ZERO, 0.0) }).unwrap();
    let b = world.add_body(&body(Vec2::new(0.0, 4.0), 0.5)).unwrap();
    let softness = Softness::Hertz { hertz: HERTZ, damping_ratio: RATIO };
    let joint = world.add_joint(&JointDef::angular_spring(a, b, 0.0, softness)).unwrap();
    let mut expected = [0.5, 0.0];
    for _ in 0..60 {
        world.step(H).unwrap();
        for _ in 0..4 {
            expected = implicit(expected, normalized(), H / 4.0);
        }
        close(world.joint_coordinate(joint, 0).unwrap(), expected[0], 1e-5);
        close(world[a].rotation(), 0.0, 0.0);
    }
}
