//! Between what a scene says of axes and what the engine has.

use super::joint::{Axis, Breaking, Joint, Limit, Motor, Pull, Ratchet, Softness, Spring, Then};
use super::number::{Formula, Law, Number, Target};
use kempe2d::{Break, ForceLaw, ForceRange, OnBreak};

/// The numbers that a softness may have.
pub(super) struct Given<'a> {
    pub hertz: Option<&'a Number>,
    pub damping_ratio: Option<&'a Number>,
    pub stiffness: Option<&'a Number>,
    pub damping: Option<&'a Number>,
    pub stiffness_per_mass: Option<&'a Number>,
    pub damping_per_mass: Option<&'a Number>,
    pub compliance: Option<&'a Number>,
    pub remaining: Option<&'a Number>,
    pub max_bias: Option<&'a Number>,
}

/// A softness from its numbers, of which only those of one unit may be there.
pub(super) fn softness(given: &Given<'_>) -> Result<kempe2d::Softness, String> {
    let value = |number: Option<&Number>, absent: f64| number.map_or(absent, Number::value);
    let units = [
        ("hertz", given.hertz),
        ("stiffness", given.stiffness),
        ("stiffness_per_mass", given.stiffness_per_mass),
        ("compliance", given.compliance),
        ("remaining", given.remaining),
    ];
    let mut there = units.iter().filter_map(|(name, number)| number.map(|number| (*name, number)));
    let first = there.next();
    if let (Some((one, _)), Some((other, _))) = (first, there.next()) {
        return Err(format!("a softness is given by `{one}` or by `{other}`, not both"));
    }
    let unit = first.map_or("", |(name, _)| name);
    let extras = [
        ("damping_ratio", given.damping_ratio, &["hertz"][..]),
        ("damping", given.damping, &["stiffness", "compliance"]),
        ("damping_per_mass", given.damping_per_mass, &["stiffness_per_mass"]),
        ("max_bias", given.max_bias, &["remaining"]),
    ];
    for (name, number, with) in extras {
        if number.is_some() && !with.contains(&unit) {
            return Err(format!(
                "`{name}` belongs to `{}`, which is not there",
                with.join("` or `")
            ));
        }
    }
    let Some((_, number)) = first else { return Ok(kempe2d::Softness::Rigid) };
    let main = number.value();
    Ok(match unit {
        "hertz" => {
            kempe2d::Softness::Hertz { hertz: main, damping_ratio: value(given.damping_ratio, 0.0) }
        }
        "stiffness" => {
            kempe2d::Softness::Stiffness { stiffness: main, damping: value(given.damping, 0.0) }
        }
        "stiffness_per_mass" => kempe2d::Softness::MassNormalized {
            stiffness: main,
            damping: value(given.damping_per_mass, 0.0),
        },
        "compliance" => {
            kempe2d::Softness::Compliance { compliance: main, damping: value(given.damping, 0.0) }
        }
        _ => kempe2d::Softness::ErrorBias {
            remaining: main,
            max_bias: value(given.max_bias, f64::INFINITY),
        },
    })
}

/// A number, or what it is when it is absent.
pub(super) fn or(number: Option<&Number>, absent: f64) -> f64 {
    number.map_or(absent, Number::value)
}

/// A number, unless it is what it would be when absent.
pub(super) fn unless(value: f64, absent: f64) -> Option<Number> {
    (value.to_bits() != absent.to_bits()).then_some(Number::Value(value))
}

/// `max_force` alone goes either way.
fn range(max: Option<&Number>, min: Option<&Number>) -> ForceRange {
    let upper = or(max, f64::INFINITY);
    ForceRange { lower: or(min, if max.is_some() { -upper } else { f64::NEG_INFINITY }), upper }
}

/// `max_force` and `min_force` of a range.
fn bounds(range: ForceRange) -> [Option<Number>; 2] {
    let ForceRange { lower, upper } = range;
    let unbounded = upper == f64::INFINITY;
    let max = (!unbounded).then_some(Number::Value(upper));
    let implied = if unbounded { f64::NEG_INFINITY } else { -upper };
    [max, unless(lower, implied)]
}

pub(super) fn target(target: &Target) -> Result<kempe2d::Target, kempe2d::Error> {
    match target {
        Target::Constant(number) => Ok(number.value().into()),
        Target::Moving(formula) => kempe2d::Target::expression(&formula.complete),
    }
}

fn written(target: &kempe2d::Target) -> Target {
    match target.source() {
        Some(source) => Target::Moving(Box::new(Formula::new(source))),
        None => target.at(0.0).0.into(),
    }
}

/// What was built, or a mark of what is wrong with it.
fn keep<T>(
    field: &'static str,
    built: Result<T, String>,
    wrong: &mut Vec<(&'static str, String)>,
) -> Option<T> {
    built.map_err(|why| wrong.push((field, why))).ok()
}

impl Axis {
    /// What stands on a joint for its first axis.
    pub(super) fn first(joint: &Joint) -> Self {
        Self {
            held: joint.held.clone(),
            limit: joint.limit.clone(),
            motor: joint.motor.clone(),
            spring: joint.spring.clone(),
            law: joint.law.clone(),
            friction: joint.friction.clone(),
            ratchet: joint.ratchet.clone(),
        }
    }

    /// As the engine has it, or everything that is wrong: a field, and why.
    pub(super) fn build(&self) -> Result<kempe2d::Axis, Vec<(&'static str, String)>> {
        let mut wrong = Vec::new();
        let limit = match (&self.held, &self.limit) {
            (Some(_), Some(_)) => {
                wrong.push(("held", "an axis has `held` or `limit`, not both".to_owned()));
                None
            }
            (Some(held), None) => Some(kempe2d::Limit::new(held.value(), held.value())),
            (None, Some(limit)) => keep("limit", limit.build(), &mut wrong),
            (None, None) => None,
        };
        let motor = self.motor.as_ref().and_then(|m| keep("motor", m.build(), &mut wrong));
        let spring = self.spring.as_ref().and_then(|s| keep("spring", s.build(), &mut wrong));
        let law = self.law.as_ref().and_then(|law| {
            let law = ForceLaw::text(&law.0.complete).map_err(|error| error.to_string());
            keep("law", law, &mut wrong)
        });
        if !wrong.is_empty() {
            return Err(wrong);
        }
        Ok(kempe2d::Axis {
            limit,
            motor,
            spring,
            law,
            friction: self.friction.as_ref().map(Number::value),
            ratchet: self.ratchet.as_ref().map(|ratchet| kempe2d::Ratchet {
                step: ratchet.step.value(),
                phase: or(ratchet.phase.as_ref(), 0.0),
            }),
        })
    }

    /// As a file has it; none if it has a law that is not text.
    pub(super) fn of(axis: &kempe2d::Axis) -> Option<Self> {
        let law = match &axis.law {
            Some(law) => Some(Law(Formula::new(law.source()?))),
            None => None,
        };
        let held = axis.limit.filter(|limit| {
            limit.lower.to_bits() == limit.upper.to_bits()
                && *limit == kempe2d::Limit::new(limit.lower, limit.upper)
                && limit.restitution.is_sign_positive()
        });
        Some(Self {
            held: held.map(|limit| limit.lower.into()),
            limit: axis.limit.filter(|_| held.is_none()).map(|limit| Box::new(Limit::of(limit))),
            motor: axis.motor.as_ref().map(|motor| Box::new(Motor::of(motor))),
            spring: axis.spring.map(|spring| {
                let [max_force, min_force] = bounds(spring.force);
                let rest = unless(spring.rest, 0.0);
                let bare = Spring { rest, max_force, min_force, ..Spring::default() };
                Box::new(bare.softened(spring.softness))
            }),
            law,
            friction: axis.friction.map(Number::Value),
            ratchet: axis.ratchet.map(|ratchet| {
                let phase = unless(ratchet.phase, 0.0);
                Box::new(Ratchet { step: ratchet.step.into(), phase })
            }),
        })
    }
}

impl Limit {
    fn build(&self) -> Result<kempe2d::Limit, String> {
        Ok(kempe2d::Limit {
            lower: or(self.lower.as_ref(), f64::NEG_INFINITY),
            upper: or(self.upper.as_ref(), f64::INFINITY),
            softness: self
                .softness
                .as_ref()
                .map_or(Ok(kempe2d::Softness::Rigid), |s| s.softness())?,
            restitution: or(self.restitution.as_ref(), 0.0),
            force: or(self.force.as_ref(), f64::INFINITY),
        })
    }

    fn of(limit: kempe2d::Limit) -> Self {
        Self {
            lower: unless(limit.lower, f64::NEG_INFINITY),
            upper: unless(limit.upper, f64::INFINITY),
            softness: soft(limit.softness),
            restitution: unless(limit.restitution, 0.0),
            force: unless(limit.force, f64::INFINITY),
        }
    }
}

/// How a hold yields; nothing for a rigid one.
pub(super) fn soft(softness: kempe2d::Softness) -> Option<Box<Softness>> {
    let rigid = softness == kempe2d::Softness::Rigid;
    (!rigid).then(|| Box::new(Softness::default().softened(softness)))
}

impl Spring {
    fn build(&self) -> Result<kempe2d::Spring, String> {
        Ok(kempe2d::Spring {
            rest: or(self.rest.as_ref(), 0.0),
            softness: self.softness()?,
            force: range(self.max_force.as_ref(), self.min_force.as_ref()),
        })
    }
}

impl Motor {
    fn build(&self) -> Result<kempe2d::Motor, String> {
        let softness = self.softness()?;
        let force = range(self.max_force.as_ref(), self.min_force.as_ref());
        let built = |given: &Target| target(given).map_err(|error| error.to_string());
        let soft = softness != kempe2d::Softness::Rigid;
        let bounded = self.max_force.is_some() || self.min_force.is_some();
        match (&self.speed, &self.target, &self.force) {
            (None, None, Some(_)) if bounded || soft => {
                Err("a motor with a `force` has no spring and no largest force".to_owned())
            }
            (None, None, Some(force)) => Ok(kempe2d::Motor::Force { force: built(force)? }),
            (Some(_), None, None) if soft => {
                Err("a motor with a `speed` and a spring needs a `target`".to_owned())
            }
            (Some(speed), None, None) => {
                Ok(kempe2d::Motor::Velocity { speed: built(speed)?, force })
            }
            (None, Some(target), None) => {
                Ok(kempe2d::Motor::Position { target: built(target)?, softness, force })
            }
            (Some(speed), Some(target), None) => Ok(kempe2d::Motor::Both {
                target: built(target)?,
                speed: built(speed)?,
                softness,
                force,
            }),
            _ => Err("a motor has a `speed`, a `target`, both, or a `force`".to_owned()),
        }
    }

    fn of(motor: &kempe2d::Motor) -> Self {
        let bounded = |range: &ForceRange| {
            let [max_force, min_force] = bounds(*range);
            Self { max_force, min_force, ..Self::default() }
        };
        match motor {
            kempe2d::Motor::Velocity { speed, force } => {
                Self { speed: Some(written(speed)), ..bounded(force) }
            }
            kempe2d::Motor::Position { target, softness, force } => {
                Self { target: Some(written(target)), ..bounded(force) }.softened(*softness)
            }
            kempe2d::Motor::Both { target, speed, softness, force } => {
                let (target, speed) = (Some(written(target)), Some(written(speed)));
                Self { target, speed, ..bounded(force) }.softened(*softness)
            }
            kempe2d::Motor::Force { force } => {
                Self { force: Some(written(force)), ..Self::default() }
            }
        }
    }
}

impl Pull {
    pub(super) fn build(&self) -> Result<kempe2d::Pull, String> {
        let point = |point: &Option<super::number::Point>| {
            point.as_ref().map_or(kempe2d::Vec2::ZERO, super::number::Point::value)
        };
        Ok(kempe2d::Pull {
            target: point(&self.target),
            softness: self.softness()?,
            spring_force: or(self.spring_force.as_ref(), 0.0),
            velocity: point(&self.velocity),
            velocity_force: or(self.velocity_force.as_ref(), 0.0),
        })
    }

    pub(super) fn of(pull: &kempe2d::Pull) -> Self {
        Self {
            target: Some(pull.target.into()),
            spring_force: unless(pull.spring_force, 0.0),
            velocity: Some(pull.velocity.into()),
            velocity_force: unless(pull.velocity_force, 0.0),
            ..Self::default()
        }
        .softened(pull.softness)
    }
}

impl Breaking {
    pub(super) fn build(&self) -> Break {
        let number = |number: &Option<Number>| or(number.as_ref(), f64::INFINITY);
        Break {
            force: number(&self.force),
            torque: number(&self.torque),
            error: number(&self.error),
            filter: or(self.filter.as_ref(), 0.0),
            then: match self.then.unwrap_or_default() {
                Then::Remove => OnBreak::Remove,
                Then::Disable => OnBreak::Disable,
                Then::Event => OnBreak::Event,
            },
        }
    }

    pub(super) fn of(breaking: &Break) -> Self {
        Self {
            force: unless(breaking.force, f64::INFINITY),
            torque: unless(breaking.torque, f64::INFINITY),
            error: unless(breaking.error, f64::INFINITY),
            filter: unless(breaking.filter, 0.0),
            then: match breaking.then {
                OnBreak::Remove => None,
                OnBreak::Disable => Some(Then::Disable),
                OnBreak::Event => Some(Then::Event),
            },
        }
    }
}
