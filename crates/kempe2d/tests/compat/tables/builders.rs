//! One joint for every constructor that a table names.

use kempe2d::compat::box2d::{self, v2};
use kempe2d::compat::{chipmunk, nape, rapier};
use kempe2d::{Axis, BodyDef, BodyId, Break, Curve, Error, Event, ForceLaw, JointDef, JointId};
use kempe2d::{Path, Pull, Softness, Term, Vec2, World};

type Build = fn(&mut Bench) -> Result<JointDef, Error>;

const NONE: [Vec2; 2] = [Vec2::ZERO; 2];
const SOFT: Softness = Softness::Hertz { hertz: 3.0, damping_ratio: 0.5 };

/// Two bodies above the ground, under gravity.
pub(crate) struct Bench {
    world: World,
    ground: BodyId,
    a: BodyId,
    b: BodyId,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let mut world = World::default();
        let ground = world.ground().unwrap();
        let mut at = |x: f64| {
            let position = Vec2::new(x, 1.0);
            world.add_body(&BodyDef { position, ..BodyDef::dynamic() }).unwrap()
        };
        let (a, b) = (at(1.0), at(3.0));
        Self { world, ground, a, b }
    }

    /// Adds the joint and steps.
    #[track_caller]
    pub(crate) fn try_out(mut self, path: &str, build: Build) {
        let def = build(&mut self).unwrap_or_else(|error| fail(path, &error));
        let joint = self.world.add_joint(&def).unwrap_or_else(|error| fail(path, &error));
        for _ in 0..10 {
            let report = self.world.step(1.0 / 60.0).unwrap_or_else(|error| fail(path, &error));
            let bad = |event: &&Event| matches!(event, Event::NotFinite(_) | Event::LeftOut(_));
            let bad = report.events.iter().find(bad);
            assert!(bad.is_none(), "`{path}`: {bad:?}");
        }
        let kept = self.world.joint(joint).is_some_and(kempe2d::Joint::is_enabled);
        assert!(kept, "`{path}` is gone");
    }

    /// A body that turns about its origin.
    fn hinge(&mut self, body: BodyId) -> Result<JointId, Error> {
        let at = self.world[body].position();
        let hinge = self.world.revolute_at(self.ground, body, at)?;
        self.world.add_joint(&hinge)
    }

    /// A body that slides along x.
    fn slider(&mut self, body: BodyId) -> Result<JointId, Error> {
        let at = self.world[body].position();
        let slider = self.world.prismatic_at(self.ground, body, at, Vec2::X)?;
        self.world.add_joint(&slider)
    }

    fn hinges(&mut self) -> Result<[JointId; 2], Error> {
        Ok([self.hinge(self.a)?, self.hinge(self.b)?])
    }

    fn slider_and_hinge(&mut self) -> Result<[JointId; 2], Error> {
        Ok([self.slider(self.a)?, self.hinge(self.b)?])
    }

    /// Ropes from two points above the bodies.
    fn ropes(&self) -> ([BodyId; 4], [Vec2; 4]) {
        let above = |x| Vec2::new(x, 3.0);
        let bodies = [self.ground, self.a, self.ground, self.b];
        (bodies, [above(1.0), Vec2::ZERO, above(3.0), Vec2::ZERO])
    }

    fn cable(&self) -> [(BodyId, Vec2); 3] {
        [(self.a, Vec2::ZERO), (self.ground, Vec2::new(2.0, 3.0)), (self.b, Vec2::ZERO)]
    }
}

#[track_caller]
#[expect(clippy::panic, reason = "a helper of tests")]
fn fail<T>(path: &str, error: &Error) -> T {
    panic!("`{path}`: {error}")
}

/// A curve on the ground through the first body.
fn curve() -> Result<Path, Error> {
    Path::spline(&[Vec2::new(-9.0, 3.0), Vec2::new(1.0, 1.0), Vec2::new(9.0, 3.0)], false)
}

/// What makes a joint, by its path in the tables.
pub(crate) const BUILDERS: &[(&str, Build)] = &[
    ("compat::chipmunk::pin_joint", |t| {
        chipmunk::pin_joint(&t.world, t.a, t.b, Vec2::ZERO, Vec2::ZERO)
    }),
    ("compat::chipmunk::slide_joint", |t| {
        Ok(chipmunk::slide_joint(t.a, t.b, Vec2::ZERO, Vec2::ZERO, 1.0, 2.0))
    }),
    ("compat::chipmunk::pivot_joint", |t| {
        chipmunk::pivot_joint(&t.world, t.a, t.b, Vec2::new(2.0, 1.0))
    }),
    ("compat::chipmunk::pivot_joint2", |t| Ok(chipmunk::pivot_joint2(t.a, t.b, Vec2::X, -Vec2::X))),
    ("compat::chipmunk::groove_joint", |t| {
        Ok(chipmunk::groove_joint(t.a, t.b, Vec2::X, Vec2::new(3.0, 0.0), Vec2::ZERO))
    }),
    ("compat::chipmunk::damped_spring", |t| {
        Ok(chipmunk::damped_spring(t.a, t.b, Vec2::ZERO, Vec2::ZERO, 1.0, 50.0, 2.0))
    }),
    ("compat::chipmunk::damped_spring_with", |t| {
        let force = ForceLaw::text("20 * (2 - q)")?;
        Ok(chipmunk::damped_spring_with(t.a, t.b, Vec2::ZERO, Vec2::ZERO, 1.0, force))
    }),
    ("compat::chipmunk::damped_rotary_spring", |t| {
        Ok(chipmunk::damped_rotary_spring(t.a, t.b, 0.5, 5.0, 0.1))
    }),
    ("compat::chipmunk::damped_rotary_spring_with", |t| {
        Ok(chipmunk::damped_rotary_spring_with(t.a, t.b, 0.1, ForceLaw::text("0.5 - q")?))
    }),
    ("compat::chipmunk::rotary_limit_joint", |t| {
        Ok(chipmunk::rotary_limit_joint(t.a, t.b, 0.0, 1.0))
    }),
    ("compat::chipmunk::ratchet_joint", |t| Ok(chipmunk::ratchet_joint(t.a, t.b, 0.0, 0.3))),
    ("compat::chipmunk::gear_joint", |t| Ok(chipmunk::gear_joint(t.a, t.b, 0.0, 2.0))),
    ("compat::chipmunk::simple_motor", |t| Ok(chipmunk::simple_motor(t.a, t.b, 2.0))),
    ("compat::nape::pivot_joint", |t| Ok(nape::pivot_joint(t.a, t.b, Vec2::X, -Vec2::X))),
    ("compat::nape::weld_joint", |t| Ok(nape::weld_joint(t.a, t.b, Vec2::X, -Vec2::X, 0.0))),
    ("compat::nape::distance_joint", |t| {
        Ok(nape::distance_joint(t.a, t.b, Vec2::ZERO, Vec2::ZERO, 1.0, 2.0))
    }),
    ("compat::nape::line_joint", |t| {
        Ok(nape::line_joint(t.a, t.b, Vec2::ZERO, Vec2::ZERO, Vec2::X, 1.0, 2.0))
    }),
    ("compat::nape::angle_joint", |t| Ok(nape::angle_joint(t.a, t.b, 0.0, 1.0, 2.0))),
    ("compat::nape::motor_joint", |t| Ok(nape::motor_joint(t.a, t.b, 2.0, 1.0))),
    ("compat::nape::pulley_joint", |t| {
        let (bodies, anchors) = t.ropes();
        Ok(nape::pulley_joint(bodies, anchors, 0.0, 4.0, 1.0))
    }),
    ("compat::box2d::DistanceJointDef", |t| {
        box2d::DistanceJointDef { length: 2.0, ..box2d::DistanceJointDef::new(t.a, t.b) }.joint()
    }),
    ("compat::box2d::FilterJointDef", |t| box2d::FilterJointDef::new(t.a, t.b).joint()),
    ("compat::box2d::MotorJointDef", |t| {
        let (max_velocity_force, linear_velocity) = (50.0, Vec2::X);
        let def = box2d::MotorJointDef::new(t.a, t.b);
        box2d::MotorJointDef { max_velocity_force, linear_velocity, ..def }.joint()
    }),
    ("compat::box2d::MoverJointDef", |t| {
        let (linear_velocity, max_velocity_force) = (Vec2::X, Vec2::new(50.0, 0.0));
        let def = box2d::MoverJointDef::new(t.ground, t.b);
        box2d::MoverJointDef { linear_velocity, max_velocity_force, ..def }.joint()
    }),
    ("compat::box2d::PogoJointDef", |t| {
        let (hertz, rest_length, max_compression_force) = (5.0, 1.0, 100.0);
        let def = box2d::PogoJointDef::new(t.ground, t.b);
        box2d::PogoJointDef { hertz, rest_length, max_compression_force, ..def }.joint()
    }),
    ("compat::box2d::PrismaticJointDef", |t| box2d::PrismaticJointDef::new(t.a, t.b).joint()),
    ("compat::box2d::RevoluteJointDef", |t| box2d::RevoluteJointDef::new(t.a, t.b).joint()),
    ("compat::box2d::WeldJointDef", |t| box2d::WeldJointDef::new(t.a, t.b).joint()),
    ("compat::box2d::WheelJointDef", |t| box2d::WheelJointDef::new(t.a, t.b).joint()),
    ("compat::box2d::v2::RopeJointDef", |t| {
        v2::RopeJointDef { max_length: 2.0, ..v2::RopeJointDef::new(t.a, t.b) }.joint()
    }),
    ("compat::box2d::v2::PulleyJointDef", |t| {
        let (length_a, length_b) = (2.0, 2.0);
        v2::PulleyJointDef { length_a, length_b, ..v2::PulleyJointDef::new(t.ground, t.a, t.b) }
            .joint()
    }),
    ("compat::box2d::v2::GearJointDef", |t| {
        let [a, b] = t.hinges()?;
        v2::GearJointDef::new(a, b).joint(&t.world)
    }),
    ("compat::box2d::v2::MouseJointDef", |t| {
        let (target, max_force) = (Vec2::new(3.0, 1.0), 100.0);
        v2::MouseJointDef { target, max_force, ..v2::MouseJointDef::new(t.ground, t.b) }
            .joint(&t.world)
    }),
    ("compat::box2d::v2::FrictionJointDef", |t| {
        v2::FrictionJointDef { max_force: 5.0, ..v2::FrictionJointDef::new(t.ground, t.b) }.joint()
    }),
    ("compat::box2d::v2::MotorJointDef", |t| v2::MotorJointDef::new(t.ground, t.b).joint()),
    ("compat::rapier::FixedJoint", |t| rapier::FixedJoint::new().joint(t.a, t.b)),
    ("compat::rapier::RevoluteJoint", |t| rapier::RevoluteJoint::new().joint(t.a, t.b)),
    ("compat::rapier::PrismaticJoint", |t| rapier::PrismaticJoint::new(Vec2::X).joint(t.a, t.b)),
    ("compat::rapier::PinSlotJoint", |t| rapier::PinSlotJoint::new(Vec2::X).joint(t.a, t.b)),
    ("compat::rapier::RopeJoint", |t| rapier::RopeJoint::new(2.0).joint(t.a, t.b)),
    ("compat::rapier::SpringJoint", |t| rapier::SpringJoint::new(1.0, 50.0, 2.0).joint(t.a, t.b)),
    ("compat::rapier::GenericJoint", |t| {
        let axis = rapier::JointAxis::LinY;
        rapier::GenericJoint::default().limits(axis, [-1.0, 1.0]).joint(t.a, t.b)
    }),
    ("JointDef::weld", |t| Ok(JointDef::weld(t.a, t.b, [Vec2::X, -Vec2::X], 0.0))),
    ("JointDef::revolute", |t| Ok(JointDef::revolute(t.a, t.b, [Vec2::X, -Vec2::X]))),
    ("JointDef::prismatic", |t| Ok(JointDef::prismatic(t.a, t.b, NONE, Vec2::X))),
    ("JointDef::wheel", |t| Ok(JointDef::wheel(t.a, t.b, [Vec2::X, -Vec2::X], Vec2::Y, SOFT))),
    ("JointDef::rod", |t| Ok(JointDef::rod(t.a, t.b, NONE, 2.0))),
    ("JointDef::range", |t| Ok(JointDef::range(t.a, t.b, NONE, 1.0, 2.0))),
    ("JointDef::rope", |t| Ok(JointDef::rope(t.a, t.b, NONE, 2.0))),
    ("JointDef::spring", |t| Ok(JointDef::spring(t.a, t.b, NONE, 1.0, SOFT))),
    ("JointDef::angle_range", |t| Ok(JointDef::angle_range(t.a, t.b, 1.0, 0.0, 1.0))),
    ("JointDef::gear", |t| Ok(JointDef::gear(t.a, t.b, -2.0, 0.0))),
    ("JointDef::angular_motor", |t| Ok(JointDef::angular_motor(t.a, t.b, 2.0, 5.0))),
    ("JointDef::pulley", |t| {
        let (bodies, anchors) = t.ropes();
        Ok(JointDef::pulley(bodies, anchors, 1.0, 4.0))
    }),
    ("JointDef::stiff_pulley", |t| {
        let (bodies, anchors) = t.ropes();
        Ok(JointDef::stiff_pulley(bodies, anchors, 1.0, 4.0))
    }),
    ("JointDef::generic", |t| {
        let axes = [Axis::limited(0.0, 3.0), Axis::held(0.0), Axis::sprung(0.0, SOFT)];
        Ok(JointDef::generic(t.a, t.b, NONE, axes))
    }),
    ("JointDef::drive", |t| Ok(JointDef::drive(t.a, t.b, NONE, Pull::to(Vec2::X, SOFT, 50.0)))),
    ("JointDef::mouse", |t| {
        Ok(JointDef::mouse(t.ground, t.b, Vec2::new(3.0, 2.0), Vec2::ZERO, SOFT, 50.0))
    }),
    ("JointDef::mover", |t| Ok(JointDef::mover(t.ground, t.b, Vec2::X, [50.0, 0.0]))),
    ("JointDef::top_down_friction", |t| Ok(JointDef::top_down_friction(t.ground, t.b, 5.0, 1.0))),
    ("JointDef::pogo", |t| Ok(JointDef::pogo(t.ground, t.b, NONE, Vec2::Y, 1.0, SOFT, 0.0, 100.0))),
    ("JointDef::filter", |t| Ok(JointDef::filter(t.a, t.b))),
    ("JointDef::tendon", |t| Ok(JointDef::tendon(&t.cable(), 4.5))),
    ("JointDef::elastic_tendon", |t| {
        Ok(JointDef::elastic_tendon(&t.cable(), f64::NEG_INFINITY, 4.0, SOFT))
    }),
    ("JointDef::path", |t| Ok(JointDef::path(t.ground, t.a, &curve()?, Vec2::ZERO))),
    ("JointDef::path_with_exits", |t| {
        Ok(JointDef::path_with_exits(t.ground, t.a, &curve()?, Vec2::ZERO))
    }),
    ("JointDef::endless_path", |t| {
        Ok(JointDef::endless_path(t.ground, t.a, &curve()?, Vec2::ZERO))
    }),
    ("JointDef::carriage", |t| Ok(JointDef::carriage(t.ground, t.a, &curve()?, Vec2::ZERO, 0.0))),
    ("JointDef::coupling", |t| {
        let [a, b] = t.hinges()?;
        Ok(JointDef::coupling(vec![Term::new(a, 0, 1.0), Term::new(b, 0, 3.0)], 0.0))
    }),
    ("JointDef::follower", |t| {
        let [slider, hinge] = t.slider_and_hinge()?;
        Ok(JointDef::follower(slider, hinge, Curve::text("0.1 * sin(q)")?))
    }),
    ("JointDef::gears", |t| t.hinges().map(|[a, b]| JointDef::gears(a, b, 12.0, 30.0))),
    ("JointDef::planetary", |t| {
        let [sun, ring] = t.hinges()?;
        let carrier = t.world.add_body(&BodyDef::dynamic())?;
        let carrier = t.hinge(carrier)?;
        Ok(JointDef::planetary([sun, ring, carrier], 12.0, 36.0))
    }),
    ("JointDef::rack_and_pinion", |t| {
        t.slider_and_hinge().map(|[rack, pinion]| JointDef::rack_and_pinion(rack, pinion, 0.2))
    }),
    ("JointDef::screw", |t| {
        t.slider_and_hinge().map(|[nut, spindle]| JointDef::screw(nut, spindle, 0.01))
    }),
    ("JointDef::belt", |t| t.hinges().map(|[a, b]| JointDef::belt(a, b, 0.1, 0.3))),
    ("JointDef::with_backlash", |t| {
        t.hinges().map(|[a, b]| JointDef::gears(a, b, 12.0, 30.0).with_backlash(0.01))
    }),
    ("JointDef::with_limit", |t| {
        let wheel = JointDef::wheel(t.a, t.b, [Vec2::X, -Vec2::X], Vec2::Y, SOFT);
        Ok(wheel.with_limit(-0.1, 0.1))
    }),
    ("JointDef::with_break", |t| {
        Ok(JointDef::rod(t.a, t.b, NONE, 2.0).with_break(Break::at_force(1e6)))
    }),
    ("World::weld_at", |t| t.world.weld_at(t.a, t.b, Vec2::new(2.0, 1.0))),
    ("World::revolute_at", |t| t.world.revolute_at(t.a, t.b, Vec2::new(2.0, 1.0))),
    ("World::prismatic_at", |t| t.world.prismatic_at(t.a, t.b, Vec2::new(2.0, 1.0), Vec2::X)),
    ("World::slot_at", |t| t.world.slot_at(t.a, t.b, Vec2::new(2.0, 1.0), Vec2::X)),
    ("World::rod_between", |t| {
        t.world.rod_between(t.a, t.b, Vec2::new(1.0, 1.0), Vec2::new(3.0, 1.0))
    }),
];
