//! Numbers, bodies and joints by chance.

use kempe2d::equation::{Program, Type, Value, gallery};
use kempe2d::{
    Axis, BodyDef, BodyId, BodyKind, Break, ForceLaw, ForceRange, JointDef, JointKind, Limit,
    Locked, Mass, MassProperties, Motor, OnBreak, Ratchet, Shape, Softness, Spring, Target,
    TextJoint, UserJoint, Vec2,
};
use std::sync::OnceLock;

use crate::kinds::Known;
use crate::user::{Bounded, Cubic, Gap, Longest, Skid};

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    /// Whether numbers may make no sense.
    pub hostile: bool,
}

impl Random {
    /// Each operation has its own, so that others can be left out without changing it.
    pub fn new(seed: u64, operation: u64, hostile: bool) -> Self {
        let state = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ operation.wrapping_mul(0x9e37_79b9);
        let mut random = Self { state, hostile };
        random.word();
        random
    }

    fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.word() % count.max(1) as u64) as usize
    }

    /// Once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// A number that always makes sense.
    pub fn plain(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number that makes sense, unless this is hostile.
    pub fn between(&mut self, from: f64, to: f64) -> f64 {
        const BAD: [f64; 12] = [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -1.0,
            0.0,
            -0.0,
            1e-310,
            1e-40,
            1e40,
            -1e40,
            1e300,
            f64::MAX,
        ];
        if self.hostile && self.once_in(25) {
            return self.pick(&BAD);
        }
        self.plain(from, to)
    }

    pub fn vector(&mut self, size: f64) -> Vec2 {
        Vec2::new(self.between(-size, size), self.between(-size, size))
    }

    /// Over many powers of ten.
    pub fn wide(&mut self, least: f64, most: f64) -> f64 {
        let power = self.between(least, most);
        10.0_f64.powf(power)
    }

    fn maybe<T>(&mut self, times: usize, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.once_in(times) { Some(make(self)) } else { None }
    }

    pub fn properties(&mut self) -> MassProperties {
        let mass = self.wide(-3.0, 3.0);
        let inertia = mass * self.wide(-2.0, 1.0);
        MassProperties { mass, center: self.vector(0.5), inertia }
    }

    pub fn shapes(&mut self) -> Vec<(Shape, f64)> {
        let shape = |random: &mut Self| {
            let radius = random.between(0.05, 0.5);
            let shape = match random.below(3) {
                0 => Shape::Circle { center: random.vector(0.3), radius },
                1 => {
                    let (start, end) = (random.vector(0.5), random.vector(0.5));
                    Shape::Capsule { start, end, radius }
                }
                _ => Shape::rectangle(radius, random.between(0.05, 0.5)),
            };
            (shape, random.between(0.5, 50.0))
        };
        (0..1 + self.below(2)).map(|_| shape(self)).collect()
    }

    pub fn locked(&mut self) -> Locked {
        Locked { x: self.once_in(4), y: self.once_in(4), rotation: self.once_in(3) }
    }

    pub fn kind(&mut self) -> BodyKind {
        let dynamic = BodyKind::Dynamic;
        self.pick(&[dynamic, dynamic, dynamic, BodyKind::Static, BodyKind::Kinematic])
    }

    pub fn body(&mut self) -> BodyDef {
        let kind = self.kind();
        let shapes = if self.once_in(3) { Vec::new() } else { self.shapes() };
        let mass = match self.below(4) {
            0 => Mass::Given(self.properties()),
            1 => Mass::Total(self.wide(-3.0, 3.0)),
            _ => Mass::FromShapes,
        };
        let slow = self.once_in(2);
        let pace = if slow { 0.0 } else { 3.0 };
        BodyDef {
            kind,
            position: self.vector(4.0),
            rotation: self.between(-4.0, 4.0),
            velocity: self.vector(pace),
            angular_velocity: self.between(-pace, pace),
            shapes,
            mass,
            gravity_scale: if self.once_in(4) { self.between(-1.0, 2.0) } else { 1.0 },
            linear_damping: self.maybe(3, |r| r.between(0.0, 3.0)).unwrap_or(0.0),
            angular_damping: self.maybe(3, |r| r.between(0.0, 3.0)).unwrap_or(0.0),
            locked: if self.once_in(5) { self.locked() } else { Locked::default() },
            enabled: !self.once_in(10),
            can_sleep: !self.once_in(8),
            user_data: 7,
        }
    }

    /// A body that moves slowly, of a mass like others.
    pub fn passive_body(&mut self) -> BodyDef {
        let mass = self.wide(-1.0, 1.0);
        let inertia = mass * self.between(0.05, 0.5);
        let center = if self.once_in(2) { Vec2::ZERO } else { self.vector(0.5) };
        let still = self.once_in(8);
        BodyDef {
            kind: if still { BodyKind::Static } else { BodyKind::Dynamic },
            position: self.vector(2.0),
            rotation: self.between(-4.0, 4.0),
            velocity: self.vector(1.0),
            angular_velocity: self.between(-2.0, 2.0),
            mass: Mass::Given(MassProperties { mass, center, inertia }),
            locked: if self.once_in(6) { self.locked() } else { Locked::default() },
            ..BodyDef::dynamic()
        }
    }

    pub fn softness(&mut self) -> Softness {
        match self.below(7) {
            0 => Softness::Hertz {
                hertz: self.wide(-1.0, 2.0),
                damping_ratio: self.between(0.0, 2.0),
            },
            1 => Softness::Stiffness {
                stiffness: self.wide(-1.0, 6.0),
                damping: self.wide(-2.0, 3.0),
            },
            2 => Softness::MassNormalized {
                stiffness: self.wide(-1.0, 6.0),
                damping: self.wide(-2.0, 3.0),
            },
            3 => Softness::Compliance {
                compliance: if self.once_in(4) { 0.0 } else { self.wide(-9.0, 0.0) },
                damping: self.maybe(2, |r| r.wide(-2.0, 3.0)).unwrap_or(0.0),
            },
            4 => Softness::ErrorBias {
                remaining: self.between(0.0, 1.0),
                max_bias: if self.once_in(2) { f64::INFINITY } else { self.between(0.0, 5.0) },
            },
            _ => Softness::Rigid,
        }
    }

    fn range(&mut self) -> ForceRange {
        match self.below(4) {
            0 => ForceRange::raise(),
            1 => ForceRange::lower(),
            2 => ForceRange::symmetric(self.wide(-1.0, 4.0)),
            _ => ForceRange::default(),
        }
    }

    fn target(&mut self, size: f64) -> Target {
        static TARGETS: OnceLock<Vec<Target>> = OnceLock::new();
        let expressions = TARGETS.get_or_init(|| {
            let sources = ["0.5 * sin(3 * time)", "time", "1 / (time - 0.25)", "sqrt(0.3 - time)"];
            sources.iter().filter_map(|source| Target::expression(source).ok()).collect()
        });
        if self.once_in(3) { self.pick(expressions) } else { self.between(-size, size).into() }
    }

    fn motor(&mut self) -> Motor {
        match self.below(4) {
            0 => Motor::Velocity { speed: self.target(3.0), force: self.range() },
            1 => Motor::Position {
                target: self.target(1.0),
                softness: self.softness(),
                force: self.range(),
            },
            2 => Motor::Both {
                target: self.target(1.0),
                speed: self.target(3.0),
                softness: self.softness(),
                force: self.range(),
            },
            _ => Motor::Force { force: self.target(20.0) },
        }
    }

    fn limit(&mut self) -> Limit {
        let at = self.between(-1.0, 1.0);
        let (lower, upper) = match self.below(6) {
            0 => (at, at),
            1 => (f64::NEG_INFINITY, at),
            2 => (at, f64::INFINITY),
            3 => (f64::NEG_INFINITY, f64::INFINITY),
            _ => (at, at + self.between(0.0, 1.0)),
        };
        let softness = if self.once_in(3) { self.softness() } else { Softness::Rigid };
        let restitution = self.maybe(3, |r| r.between(0.0, 1.0)).unwrap_or(0.0);
        let force = if self.once_in(5) { 20.0 } else { f64::INFINITY };
        Limit { lower, upper, softness, restitution, force }
    }

    fn law(&mut self) -> ForceLaw {
        static LAWS: OnceLock<Vec<ForceLaw>> = OnceLock::new();
        let texts = LAWS.get_or_init(|| {
            let sources =
                ["-20 * q - 3 * speed", "-5 * q^3 + sin(time)", "1 / q", "-speed * |speed|"];
            sources.iter().filter_map(|source| ForceLaw::text(source).ok()).collect()
        });
        if self.once_in(3) {
            ForceLaw::function(Cubic(self.plain(0.0, 50.0)))
        } else {
            self.pick(texts)
        }
    }

    pub fn axis(&mut self) -> Axis {
        let ratchet = self.maybe(6, |r| {
            let step = r.between(-0.5, 0.5);
            Ratchet { step, phase: r.between(-0.5, 0.5) }
        });
        let both = self.hostile && self.once_in(10);
        let limit = if ratchet.is_none() || both { self.maybe(2, Self::limit) } else { None };
        Axis {
            limit,
            motor: self.maybe(3, Self::motor),
            spring: self.maybe(3, |r| Spring {
                rest: r.between(-1.0, 2.0),
                softness: r.softness(),
                force: r.range(),
            }),
            law: self.maybe(5, Self::law),
            friction: self.maybe(4, |r| r.wide(-2.0, 2.0)),
            ratchet,
        }
    }

    fn breaking(&mut self) -> Break {
        let mut breaking = Break {
            filter: if self.once_in(2) { 0.0 } else { self.between(0.0, 2.0) },
            then: self.pick(&[OnBreak::Event, OnBreak::Disable, OnBreak::Remove]),
            ..Break::default()
        };
        match self.below(3) {
            0 => breaking.force = self.wide(0.0, 4.0),
            1 => breaking.torque = self.wide(0.0, 4.0),
            _ => breaking.error = self.wide(-4.0, 0.0),
        }
        breaking
    }

    fn text(&mut self) -> TextJoint {
        let program = self.pick(programs());
        let mut text = TextJoint::new(&program);
        for parameter in program.parameters() {
            if parameter.default.is_some() && !self.once_in(5) {
                continue;
            }
            let value = self.value(parameter.kind);
            // A refused value leaves it unset, and the joint is refused.
            let _ = text.set(&parameter.name, value);
        }
        text
    }

    pub fn value(&mut self, kind: Type) -> Value {
        let mut number = || self.between(-0.2, 3.0);
        match kind {
            Type::Scalar => Value::Scalar(number()),
            Type::Vector => Value::Vector([number(), number()]),
            _ => Value::Matrix([[number(), number()], [number(), number()]]),
        }
    }

    fn user(&mut self) -> UserJoint {
        match self.below(4) {
            0 => UserJoint::new(Longest { length: self.between(0.0, 2.0) }),
            1 => UserJoint::new(Bounded { most: self.between(0.0, 100.0) }),
            2 => UserJoint::new(Skid { rate: self.between(-1.0, 1.0) }),
            _ => UserJoint::new(Gap { at: self.between(-1.0, 1.0) }),
        }
    }

    /// A joint of any kind between bodies of this list.
    pub fn joint(&mut self, bodies: &[BodyId], known: &Known) -> JointDef {
        let (anchor_a, anchor_b) = (self.vector(1.0), self.vector(1.0));
        let (rail, angle) = (self.vector(1.0), self.between(-1.0, 1.0));
        let kind = match self.below(22) {
            0 => JointKind::Weld { anchor_a, anchor_b, angle },
            1 | 2 => JointKind::Revolute { anchor_a, anchor_b, angle },
            3 | 4 => JointKind::Prismatic { anchor_a, anchor_b, rail, angle },
            5 => JointKind::Slot { anchor_a, anchor_b, rail, angle },
            6 => JointKind::Distance { anchor_a, anchor_b },
            7 => JointKind::Angle { ratio: self.between(-2.0, 2.0), angle },
            8 => {
                let zero = self.once_in(4);
                let anchors =
                    std::array::from_fn(|_| if zero { Vec2::ZERO } else { self.vector(1.0) });
                JointKind::Pulley { anchors, ratio: self.between(0.1, 2.0) }
            }
            9 | 10 => JointKind::Text(self.text()),
            11 => JointKind::User(self.user()),
            _ => self.wider_kind(known),
        };
        let count = kind.body_count() + usize::from(self.hostile && self.once_in(40));
        let mut chosen: Vec<BodyId> = (0..count).map(|_| self.pick(bodies)).collect();
        // The same body twice is mostly refused; mostly not try.
        for k in 1..chosen.len() {
            if chosen[k] == chosen[k - 1] && !self.once_in(10) {
                let at = bodies.iter().position(|id| *id == chosen[k]).unwrap_or(0);
                chosen[k] = bodies[(at + 1) % bodies.len()];
            }
        }
        let axes = kind.axis_count() + usize::from(self.hostile && self.once_in(40));
        let mut def = JointDef::over(kind, chosen);
        for axis in 0..axes {
            if self.once_in(3) {
                continue;
            }
            *def.axis_mut(axis) = self.axis();
        }
        self.options(&mut def);
        def
    }

    /// What every joint can have.
    pub fn options(&mut self, def: &mut JointDef) {
        if self.once_in(4) {
            def.softness = self.softness();
        }
        if self.once_in(6) {
            def.max_force = self.wide(0.0, 4.0);
        }
        if self.once_in(6) {
            def.max_torque = self.wide(0.0, 4.0);
        }
        def.breaking = self.maybe(6, Self::breaking);
        def.threshold = self.maybe(6, |r| r.wide(0.0, 3.0));
        def.collide_connected = self.once_in(6);
        def.warm_start = !self.once_in(6);
        def.enabled = !self.once_in(12);
    }
}

/// The gallery, and programs whose rows change between equations and ranges.
pub fn programs() -> &'static [Program] {
    static PROGRAMS: OnceLock<Vec<Program>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let own = [
            "body a, b  scalar low = 1, high = 1
             constraint |b.position - a.position|  limit constraint low high",
            "body a, b  constraint b.position.x - a.position.x
             limit constraint (min(0, sin(5 * time))) (max(0, sin(5 * time - 1)))",
            "body a, b  scalar rate = 1  scalar length = 1 -> rate
             constraint |b.position - a.position| - length  limit constraint 0 inf",
            "body a, b  constraint 1 / (time - 0.5) + b.position.y - a.position.y",
            "body a, b  axis far = |b.position - a.position|  axis turn = b.rotation
             constraint b.rotation - a.rotation",
            "body a, b  velocity constraint b.velocity - a.velocity",
        ];
        let sources = gallery::GALLERY.iter().map(|example| example.source).chain(own);
        sources.map(|source| Program::parse(source).unwrap()).collect()
    })
}
