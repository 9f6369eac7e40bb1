//! Worlds of many pairs of bodies, with a joint of one kind between the two of each pair.
//!
//! There is no gravity, and the two bodies have opposite velocities and turn: so a pair stays where it
//! is, and every joint has something to do.

use kempe_peers::failure::Failure;
use kempe_peers::model::Model;
use kempe_peers::{text, user};
use kempe2d::{
    Axis, BodyDef, BodyId, Direct, ForceRange, JointDef, Limit, Motor, Path, Pull, Settings, Shape,
    Softness, Spring, Vec2, World,
};
use std::f64::consts::TAU;

/// How many pairs there are.
pub const PAIRS: usize = 2000;

const SOFT: Softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.1 };

/// What is between the bodies of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Bodies,
    Weld,
    Revolute,
    RevoluteLimit,
    RevoluteMotor,
    RevoluteSpring,
    /// Limit, motor and spring.
    RevoluteAll,
    Prismatic,
    Slot,
    /// Held.
    Distance,
    DistanceSpring,
    /// Held, with a ratio.
    Angle,
    /// A spring along x, stops along y, and a held angle.
    Generic,
    /// To a place.
    Drive,
    Pulley,
    /// Through four points.
    Tendon,
    /// On a ring.
    Path,
    /// Each body pinned to the ground: what a coupling couples.
    Shafts,
    /// Gears on two shafts, the shafts counted in.
    Coupling,
    /// A pivot.
    Text,
    /// A pivot with its Jacobian.
    User,
    /// A pivot without.
    UserDerived,
}

impl Kind {
    pub const ALL: [Self; 22] = [
        Self::Bodies,
        Self::Weld,
        Self::Revolute,
        Self::RevoluteLimit,
        Self::RevoluteMotor,
        Self::RevoluteSpring,
        Self::RevoluteAll,
        Self::Prismatic,
        Self::Slot,
        Self::Distance,
        Self::DistanceSpring,
        Self::Angle,
        Self::Generic,
        Self::Drive,
        Self::Pulley,
        Self::Tendon,
        Self::Path,
        Self::Shafts,
        Self::Coupling,
        Self::Text,
        Self::User,
        Self::UserDerived,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Bodies => "bodies",
            Self::Weld => "weld",
            Self::Revolute => "revolute",
            Self::RevoluteLimit => "revolute_limit",
            Self::RevoluteMotor => "revolute_motor",
            Self::RevoluteSpring => "revolute_spring",
            Self::RevoluteAll => "revolute_limit_motor_spring",
            Self::Prismatic => "prismatic",
            Self::Slot => "slot",
            Self::Distance => "distance",
            Self::DistanceSpring => "distance_spring",
            Self::Angle => "angle",
            Self::Generic => "generic",
            Self::Drive => "drive",
            Self::Pulley => "pulley",
            Self::Tendon => "tendon",
            Self::Path => "path",
            Self::Shafts => "shafts",
            Self::Coupling => "coupling",
            Self::Text => "text",
            Self::User => "user",
            Self::UserDerived => "user_derived",
        }
    }

    /// The pairs, to be solved joint by joint on one thread.
    pub fn world(self) -> Result<World, Failure> {
        let mut world = World::new(Settings {
            gravity: Vec2::ZERO,
            direct: Direct::Never,
            sleep: false,
            ..Settings::default()
        })?;
        let ground = world.ground()?;
        let corner = |k: i32| Vec2::from_angle(TAU * f64::from(k) / 16.0);
        let ring = Path::spline(&(0..16).map(corner).collect::<Vec<_>>(), true)?;
        for k in 0..PAIRS {
            let at = Vec2::new(4.0 * (k % 50) as f64, -4.0 * (k / 50) as f64);
            let mut disc = |offset: Vec2, sign: f64| {
                world.add_body(&BodyDef {
                    position: at + offset,
                    velocity: Vec2::new(0.1, 0.5) * sign,
                    angular_velocity: 0.8 * sign + 0.3,
                    shapes: vec![(Shape::circle(0.4), 1.0)],
                    ..BodyDef::dynamic()
                })
            };
            let pair = [disc(Vec2::ZERO, -1.0)?, disc(Vec2::X, 1.0)?];
            self.join(&mut world, ground, pair, at, &ring)?;
        }
        let model = || Model::new(&world);
        match self {
            Self::Text => text::written(&world, &model()?),
            Self::User => user::written::<true>(&world, &model()?),
            Self::UserDerived => user::written::<false>(&world, &model()?),
            _ => Ok(world),
        }
    }

    fn join(
        self,
        world: &mut World,
        ground: BodyId,
        [a, b]: [BodyId; 2],
        at: Vec2,
        ring: &Path,
    ) -> Result<(), Failure> {
        let middle = [Vec2::new(0.5, 0.0), Vec2::new(-0.5, 0.0)];
        let centers = [Vec2::ZERO; 2];
        // Above either body.
        let over = [at + Vec2::Y, at + Vec2::new(1.0, 1.0)];
        let limit = Some(Limit::new(-0.1, 0.1));
        let spring = Some(Spring::new(0.0, SOFT));
        let force = ForceRange::symmetric(0.5);
        let motor = Some(Motor::Velocity { speed: 1.0.into(), force });
        let free = Axis::default();
        let revolute = |axis: Axis| JointDef::revolute(a, b, middle).with_axis(axis);
        let def = match self {
            Self::Bodies => return Ok(()),
            Self::Shafts | Self::Coupling => {
                let mut shafts =
                    [a, b].into_iter().zip([at, at + Vec2::X]).map(|(body, center)| {
                        let shaft = world.revolute_at(ground, body, center)?;
                        world.add_joint(&shaft)
                    });
                let (Some(first), Some(second)) = (shafts.next(), shafts.next()) else {
                    return Ok(());
                };
                let gears = JointDef::gears(first?, second?, 20.0, 40.0);
                if self == Self::Shafts {
                    return Ok(());
                }
                gears
            }
            Self::Weld => JointDef::weld(a, b, middle, 0.0),
            Self::Revolute | Self::Text | Self::User | Self::UserDerived => {
                JointDef::revolute(a, b, middle)
            }
            Self::RevoluteLimit => revolute(Axis { limit, ..free }),
            Self::RevoluteMotor => revolute(Axis { motor, ..free }),
            Self::RevoluteSpring => revolute(Axis { spring, ..free }),
            Self::RevoluteAll => revolute(Axis { limit, motor, spring, ..free }),
            Self::Prismatic => JointDef::prismatic(a, b, middle, Vec2::X),
            Self::Slot => JointDef::slot(a, b, middle, Vec2::X),
            Self::Distance => JointDef::rod(a, b, centers, 1.0),
            Self::DistanceSpring => JointDef::spring(a, b, centers, 1.0, SOFT),
            Self::Angle => JointDef::gear(a, b, -2.0, 0.0),
            Self::Generic => {
                let axes = [Axis::sprung(0.1, SOFT), Axis::limited(-0.1, 0.1), Axis::held(0.0)];
                JointDef::generic(a, b, middle, axes)
            }
            Self::Drive => JointDef::drive(a, b, middle, Pull::to(Vec2::new(0.1, 0.0), SOFT, 10.0)),
            Self::Pulley => {
                let anchors = [over[0], Vec2::ZERO, over[1], Vec2::ZERO];
                JointDef::stiff_pulley([ground, a, ground, b], anchors, 2.0, 3.0)
            }
            Self::Tendon => {
                let points =
                    [(ground, over[0]), (a, Vec2::ZERO), (b, Vec2::ZERO), (ground, over[1])];
                JointDef::tendon(&points, 3.0)
            }
            Self::Path => JointDef::path(a, b, ring, Vec2::ZERO),
        };
        world.add_joint(&def)?;
        Ok(())
    }
}
