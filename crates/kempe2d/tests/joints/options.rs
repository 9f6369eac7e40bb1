//! Everything that an axis or a joint can have, on every wider kind: the same closed forms for all.
//!
//! Each kind is set up so that its coordinate has 2 kg (or kg·m²) behind it and nothing else acts.

use kempe2d::{Axis, BodyDef, BodyId, Break, Direct, Event, ForceLaw, ForceRange, JointDef};
use kempe2d::{
    JointId, JointKind, Limit, Mass, MassProperties, Motor, OnBreak, Path, Pull, Ratchet,
};
use kempe2d::{Registry, Settings, Softness, Spring, Term, Vec2, World};

const DT: f64 = 1.0 / 60.0;
const MASS: f64 = 2.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Generic,
    /// The third axis.
    Angle,
    Drive,
    Tendon,
    Path,
    Coupling,
}

const KINDS: [Kind; 6] =
    [Kind::Generic, Kind::Angle, Kind::Drive, Kind::Tendon, Kind::Path, Kind::Coupling];

struct Scene {
    world: World,
    kind: Kind,
    bodies: [BodyId; 2],
    joint: JointId,
    axis: usize,
    /// The coordinate at first.
    start: f64,
    /// What messages begin with.
    name: String,
    events: Vec<Event>,
}

impl Scene {
    fn new(kind: Kind, direct: Direct, change: impl FnOnce(&mut JointDef, usize, f64)) -> Self {
        let settings =
            Settings { gravity: Vec2::ZERO, sleep: false, direct, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let ground = world.ground().unwrap();
        // A coupling has wheels of 4 and 1 kg·m²: 1/4 + 0.5²/1 = 1/2. The others have two bodies in
        // one, so that something is held and the island can be solved as a whole.
        let coupling = kind == Kind::Coupling;
        let [first, second] = if coupling { [4.0, 1.0] } else { [1.5, 0.5] };
        let bodies = [(first, 1.0), (second, if coupling { 5.0 } else { 1.0 })].map(|(m, x)| {
            let mass = Mass::Given(MassProperties { mass: m, inertia: m, center: Vec2::ZERO });
            let position = Vec2::new(x, 0.0);
            world.add_body(&BodyDef { position, mass, ..BodyDef::dynamic() }).unwrap()
        });
        let [a, b] = bodies;
        let (pins, axis) = if coupling {
            let pins = bodies.map(|id| {
                let at = world[id].position();
                world.add_joint(&world.revolute_at(ground, id, at).unwrap()).unwrap()
            });
            (Some(pins), 0)
        } else {
            world.add_joint(&JointDef::weld(a, b, [Vec2::ZERO; 2], 0.0)).unwrap();
            (None, if kind == Kind::Angle { 2 } else { 0 })
        };
        let held = || Axis::held(0.0);
        let mut def = match (kind, pins) {
            (Kind::Coupling, Some([on_a, on_b])) => {
                let terms = vec![Term::new(on_a, 0, 1.0), Term::new(on_b, 0, 0.5)];
                JointDef::coupling(terms, 0.0)
            }
            (Kind::Generic, _) => {
                JointDef::generic(ground, a, [Vec2::ZERO; 2], [Axis::default(), held(), held()])
            }
            (Kind::Angle, _) => {
                let axes = [Axis::held(1.0), held(), Axis::default()];
                JointDef::generic(ground, a, [Vec2::ZERO; 2], axes)
            }
            (Kind::Drive, _) => JointDef::drive(ground, a, [Vec2::ZERO; 2], Pull::default()),
            (Kind::Tendon, _) => JointDef::tendon(&[(ground, Vec2::ZERO), (a, Vec2::ZERO)], 1.0),
            _ => {
                let ends = [Vec2::new(-9.0, 0.0), Vec2::new(11.0, 0.0)];
                let path = Path::polyline(&ends, false).unwrap();
                JointDef::endless_path(ground, a, &path, Vec2::ZERO)
            }
        };
        let start = match kind {
            Kind::Generic | Kind::Drive | Kind::Tendon => 1.0,
            Kind::Path => 10.0,
            Kind::Angle | Kind::Coupling => 0.0,
        };
        *def.axis_mut(axis) = Axis::default();
        change(&mut def, axis, start);
        let joint = world.add_joint(&def).unwrap();
        let name = format!("{kind:?} {direct:?}");
        let found = world.joint_coordinate(joint, axis).unwrap();
        assert!((found - start).abs() < 1e-9, "{name}: {found}");
        Self { world, kind, bodies, joint, axis, start, name, events: Vec::new() }
    }

    /// Gives the coordinate this speed.
    fn speed(&mut self, v: f64) {
        let shares = if self.kind == Kind::Coupling { [0.5, 1.0] } else { [1.0, 1.0] };
        for (id, share) in self.bodies.into_iter().zip(shares) {
            if self.turns() {
                self.world.set_angular_velocity(id, v * share).unwrap();
            } else {
                self.world.set_velocity(id, Vec2::new(v, 0.0)).unwrap();
            }
        }
    }

    fn turns(&self) -> bool {
        matches!(self.kind, Kind::Angle | Kind::Coupling)
    }

    /// So many steps with a force along the coordinate.
    fn run(&mut self, steps: usize, force: f64, dt: f64) {
        let shares = if self.kind == Kind::Coupling { [1.0, 0.5] } else { [0.75, 0.25] };
        for _ in 0..steps {
            for (id, share) in self.bodies.into_iter().zip(shares).filter(|_| force != 0.0) {
                if self.turns() {
                    self.world.apply_torque(id, force * share).unwrap();
                } else {
                    let force = Vec2::new(force * share, 0.0);
                    self.world.apply_central_force(id, force).unwrap();
                }
            }
            self.events.extend(self.world.step(dt).unwrap().events.clone());
        }
    }

    /// From where it was at first.
    fn q(&self) -> f64 {
        self.world.joint_coordinate(self.joint, self.axis).unwrap() - self.start
    }

    fn v(&self) -> f64 {
        self.world.joint_speed(self.joint, self.axis).unwrap()
    }

    fn is(&self, what: &str, found: f64, ideal: f64, tolerance: f64) {
        let right = (found - ideal).abs() <= tolerance;
        assert!(right, "{}: {what} is {found}, not {ideal}", self.name);
    }
}

/// Every kind, in lanes and as islands.
fn each(test: impl Fn(Kind, Direct)) {
    for kind in KINDS {
        for direct in [Direct::Always, Direct::Never] {
            test(kind, direct);
        }
    }
}

fn with(kind: Kind, direct: Direct, axis: impl FnOnce(f64) -> Axis) -> Scene {
    Scene::new(kind, direct, |def, at, start| *def.axis_mut(at) = axis(start))
}

fn motor(motor: Motor) -> Axis {
    Axis::driven(motor)
}

#[test]
fn limits() {
    each(|kind, direct| {
        let mut scene = with(kind, direct, |q| Axis::limited(q - 0.3, q + 0.2));
        scene.speed(1.0);
        scene.run(60, 0.0, DT);
        scene.is("the upper stop", scene.q(), 0.2, 2e-3);
        let (joint, axis) = (scene.joint, scene.axis);
        let rope = kind == Kind::Tendon;
        let reached = if rope {
            Event::Taut(joint)
        } else {
            Event::LimitReached { joint, axis, upper: true }
        };
        assert!(scene.events.contains(&reached), "{}: {:?}", scene.name, scene.events);
        // Back to the other one, with half of the speed after it.
        let bounce = Limit { restitution: 0.5, ..Limit::new(scene.start - 0.3, scene.start + 0.2) };
        scene.world.edit_joint(joint, |def| def.axis_mut(axis).limit = Some(bounce)).unwrap();
        scene.speed(-1.0);
        scene.run(45, 0.0, DT);
        // In lanes, what is welded on has its share of the rebound later.
        let tolerance = if direct == Direct::Always { 5e-3 } else { 0.25 };
        scene.is("the speed after the lower stop", scene.v(), 0.5, tolerance);
        assert!(scene.q() > -0.3, "{}", scene.name);
    });
}

#[test]
fn soft_limits_and_soft_holds() {
    // F / k = 20 / 200 beyond the stop, critically damped.
    let softness = Softness::Stiffness { stiffness: 200.0, damping: 40.0 };
    for lower in [-1.0, 0.0] {
        each(|kind, direct| {
            let mut scene = with(kind, direct, |q| {
                let limit = Some(Limit { softness, ..Limit::new(q + lower, q) });
                Axis { limit, ..Axis::default() }
            });
            scene.run(120, 20.0, DT);
            scene.is("the rest in a soft stop", scene.q(), 0.1, 1e-3);
            let force = scene.world.joint_axis_force(scene.joint, scene.axis).unwrap().limit;
            scene.is("its force", force, -20.0, 0.1);
        });
    }
}

#[test]
fn motors() {
    each(|kind, direct| {
        let mut scene = with(kind, direct, |_| motor(Motor::at(0.5)));
        scene.run(60, 0.0, DT);
        scene.is("the speed of a motor", scene.v(), 0.5, 1e-3);
        scene.is("its way", scene.q(), 0.5, 0.01);
        let force = ForceRange::symmetric(1.0);
        let mut scene = with(kind, direct, |_| motor(Motor::Velocity { speed: 5.0.into(), force }));
        scene.run(60, 0.0, DT);
        scene.is("the speed after 1 N", scene.v(), 0.5, 1e-3);
        let found = scene.world.joint_axis_force(scene.joint, scene.axis).unwrap().motor;
        scene.is("its force", found, 1.0, 1e-3);
        let mut scene = with(kind, direct, |_| motor(Motor::Force { force: 3.0.into() }));
        scene.run(60, 0.0, DT);
        scene.is("the speed after 3 N", scene.v(), 1.5, 2e-3);
        let softness = Softness::Hertz { hertz: 4.0, damping_ratio: 1.0 };
        let force = ForceRange::default();
        let mut scene = with(kind, direct, |q| {
            motor(Motor::Position { target: (q + 0.3).into(), softness, force })
        });
        scene.run(120, 0.0, DT);
        scene.is("the place of a servo", scene.q(), 0.3, 1e-3);
    });
}

#[test]
fn springs_laws_and_friction() {
    each(|kind, direct| {
        let softness = Softness::Stiffness { stiffness: 50.0, damping: 0.0 };
        let mut scene = with(kind, direct, |q| Axis {
            spring: Some(Spring::new(q + 0.2, softness)),
            ..Axis::default()
        });
        // Half a period: π √(m / k) = 0.2 π.
        scene.run(60, 0.0, 0.2 * std::f64::consts::PI / 60.0);
        scene.is("the far end of a swing", scene.q(), 0.4, 0.01);
        // Damping alone: e^(−c t / m) after 0.4 s.
        let law = Some(ForceLaw::text("-5 * speed").unwrap());
        let mut scene = with(kind, direct, |_| Axis { law, ..Axis::default() });
        scene.speed(1.0);
        scene.run(24, 0.0, DT);
        scene.is("what a damper leaves", scene.v(), (-1.0_f64).exp(), 5e-3);
        let mut scene = with(kind, direct, |_| Axis { friction: Some(1.0), ..Axis::default() });
        scene.speed(1.0);
        scene.run(60, 0.0, DT);
        scene.is("the speed after friction", scene.v(), 0.5, 1e-3);
        scene.run(75, 0.0, DT);
        scene.is("the speed at rest", scene.v(), 0.0, 1e-4);
        scene.is("the way until then", scene.q(), MASS / 2.0, 0.01);
        // Less than friction moves nothing.
        scene.run(60, 0.9, DT);
        scene.is("the speed that less than friction gives", scene.v(), 0.0, 1e-4);
    });
}

#[test]
fn ratchets() {
    each(|kind, direct| {
        let mut scene = with(kind, direct, |q| Axis {
            ratchet: Some(Ratchet { step: 0.1, phase: q + 0.05 }),
            ..Axis::default()
        });
        scene.speed(1.0);
        scene.run(20, 0.0, DT);
        scene.is("the way forward", scene.q(), 20.0 * DT, 5e-3);
        scene.speed(-1.0);
        scene.run(60, 0.0, DT);
        // The last tooth before 0.333.
        scene.is("the tooth that it falls back on", scene.q(), 0.25, 3e-3);
    });
}

#[test]
fn breaking_and_thresholds() {
    each(|kind, direct| {
        for (force, breaks) in [(15.0, false), (60.0, true)] {
            let mut scene = Scene::new(kind, direct, |def, axis, start| {
                *def.axis_mut(axis) = Axis::held(start);
                let then = OnBreak::Disable;
                def.breaking = Some(Break { force: 20.0, torque: 20.0, then, ..Break::default() });
                def.threshold = Some(10.0);
            });
            scene.run(30, force, DT);
            let count =
                |found: fn(&Event) -> bool| scene.events.iter().filter(|e| found(e)).count();
            let broke = count(|event| matches!(event, Event::Broke { .. }));
            let above = count(|event| matches!(event, Event::Threshold { above: true, .. }));
            assert_eq!(broke, usize::from(breaks), "{} {force}: {:?}", scene.name, scene.events);
            // A threshold is one of forces; torques have none.
            assert_eq!(above, usize::from(!scene.turns()), "{} {:?}", scene.name, scene.events);
            assert_eq!(scene.world.joint(scene.joint).unwrap().is_enabled(), !breaks);
            // It held for one step.
            let way = if breaks { 0.5 * force / MASS * (29.0 * DT) * (29.0 * DT) } else { 0.0 };
            scene.is("the way since", scene.q(), way, 0.02 * way + 2e-3);
        }
    });
}

#[test]
fn holds_of_limited_force() {
    each(|kind, direct| {
        for (force, speed) in [(8.0, 0.0), (30.0, 0.5 * (30.0 - 10.0) / MASS)] {
            let mut scene = Scene::new(kind, direct, |def, axis, start| {
                *def.axis_mut(axis) = Axis::held(start);
                (def.max_force, def.max_torque) = (10.0, 10.0);
            });
            scene.run(30, force, DT);
            scene.is("the speed against a weak hold", scene.v(), speed, 0.02 * speed + 2e-3);
        }
    });
}

#[test]
fn without_warm_start_and_disabled() {
    each(|kind, direct| {
        for warm_start in [true, false] {
            let mut scene = Scene::new(kind, direct, |def, axis, start| {
                *def.axis_mut(axis) = Axis::held(start);
                def.warm_start = warm_start;
            });
            scene.run(60, 30.0, DT);
            scene.is("what is held", scene.q(), 0.0, if warm_start { 1e-3 } else { 0.02 });
            let found = scene.world.joint_axis_force(scene.joint, scene.axis).unwrap().limit;
            scene.is("what holds it", found, -30.0, if warm_start { 0.05 } else { 1.0 });
        }
        let mut scene = Scene::new(kind, direct, |def, axis, start| {
            *def.axis_mut(axis) = Axis { motor: Some(Motor::at(3.0)), ..Axis::held(start) };
            def.enabled = false;
        });
        scene.run(30, 2.0, DT);
        scene.is("the speed without it", scene.v(), 0.5, 1e-3);
        let impulses = scene.world.joint_impulses(scene.joint).unwrap();
        assert!(impulses.iter().all(|impulse| *impulse == 0.0), "{}", scene.name);
        assert!(scene.events.is_empty(), "{}: {:?}", scene.name, scene.events);
        // And with it again.
        scene
            .world
            .edit_joint(scene.joint, |def| {
                def.enabled = true;
                *def.axis_mut(scene.axis) = motor(Motor::at(3.0));
            })
            .unwrap();
        scene.run(30, 2.0, DT);
        scene.is("the speed with it", scene.v(), 3.0, 5e-3);
    });
}

#[test]
fn snapshots() {
    each(|kind, direct| {
        let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.1 };
        let mut scene = Scene::new(kind, direct, |def, axis, q| {
            *def.axis_mut(axis) = Axis {
                limit: Some(Limit::new(q - 0.05, q + 0.1)),
                spring: Some(Spring::new(q + 0.05, softness)),
                motor: Some(Motor::Force { force: 4.0.into() }),
                law: Some(ForceLaw::text("-0.1 * speed + sin(9 * time)").unwrap()),
                friction: Some(0.3),
                ..Axis::default()
            };
            def.breaking =
                Some(Break { filter: 0.2, then: OnBreak::Event, ..Break::at_force(5.0) });
            def.threshold = Some(2.0);
            if let JointKind::Drive { pull, .. } = &mut def.kind {
                **pull = Pull {
                    velocity: Vec2::X,
                    velocity_force: 1.0,
                    ..Pull::to(Vec2::Y, softness, 2.0)
                };
            }
        });
        for step in 0..40 {
            let bytes = scene.world.snapshot();
            let mut other = World::from_snapshot(&bytes, &Registry::new()).unwrap();
            assert_eq!(other.state_hash(), scene.world.state_hash(), "{}", scene.name);
            for _ in 0..3 {
                scene.run(1, 0.0, DT);
                other.step(DT).unwrap();
            }
            let same = other.state_hash() == scene.world.state_hash();
            assert!(same, "{} step {step}", scene.name);
        }
        assert!(scene.q().abs() > 0.0);
    });
}
