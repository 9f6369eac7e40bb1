//! What each row of a joint asks for.

use crate::expression::Target;
use crate::joint::{ForceRange, Joint, JointKind, Limit, Motor, Ratchet};
use crate::law::ForceLaw;
use crate::solver::{LawKind, Piece, pieces};
use crate::world::World;
use kempe_equation::{Bound, RowKind};
use kempe_solve::Softness;

/// A row of a joint, and what is asked of it.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub part: usize,
    /// Of the joint: its held rows, then its axes.
    pub row: usize,
    /// The row among the axes.
    pub axis: Option<usize>,
    /// What it is on its axis; none for what a joint holds.
    pub law: Option<LawKind>,
    pub what: What,
    /// The range that a program gives to the row, which may move.
    pub bound: Option<Bound>,
}

/// What is asked of a row.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// q = target.
    Hold(f64),
    /// q̇ = 0, of a row of velocities.
    Rate,
    /// A spring and a damper.
    Spring { rest: Target, speed: Option<Target>, softness: Softness, force: ForceRange },
    /// A force of q, q̇ and t.
    Law(ForceLaw),
    /// A force of t.
    Push(Target),
    /// q̇ = speed, with a force in a range.
    Motor { speed: Target, force: ForceRange },
    /// Dry friction.
    Friction(f64),
    /// lower ≤ q ≤ upper.
    Limit(Limit),
    /// Behind the last tooth.
    Ratchet(Ratchet),
}

impl What {
    /// Whether it can be off: then it has a mode.
    pub(crate) fn switches(&self) -> bool {
        matches!(self, Self::Motor { .. } | Self::Friction(_) | Self::Limit(_) | Self::Ratchet(_))
    }

    /// Whether what it asks for at a time is a number.
    pub(crate) fn is_number_at(&self, t: f64) -> bool {
        match self {
            Self::Spring { rest, speed, .. } => {
                rest.is_number_at(t) && speed.as_ref().is_none_or(|speed| speed.is_number_at(t))
            }
            Self::Push(target) | Self::Motor { speed: target, .. } => target.is_number_at(t),
            _ => true,
        }
    }

    /// Bounds it by the largest force of its joint. Friction, force laws and plain forces say theirs
    /// themselves, and teeth hold any.
    pub(crate) fn bound(&mut self, most: f64) {
        match self {
            Self::Spring { force, .. } | Self::Motor { force, .. } => *force = force.within(most),
            Self::Limit(limit) => limit.force = limit.force.min(most),
            _ => {}
        }
    }

    /// Whether it is a spring by frequency, which goes by the mass that it moves.
    pub(crate) fn asks_for_mass(&self) -> bool {
        let softness = match self {
            Self::Spring { softness, .. } => *softness,
            Self::Limit(limit) => limit.softness,
            _ => return false,
        };
        matches!(softness, Softness::Hertz { .. } | Softness::MassNormalized { .. })
    }
}

/// The lines of a joint.
pub(crate) fn lines_of(world: &World, joint: &Joint, part: usize) -> Vec<Line> {
    let def = &joint.def;
    let hold = def.kind.hold_count();
    let bounds: Option<Vec<Bound>> = match &def.kind {
        JointKind::Text(text) => {
            let states = world.body_states(&def.bodies);
            text.instance.evaluate(&states, world.time).ok().map(|found| found.bounds)
        }
        _ => None,
    };
    let rate = |row: usize| match &def.kind {
        JointKind::Text(text) => {
            text.instance.compiled().rows().get(row) == Some(&RowKind::Velocity)
        }
        JointKind::User(user) => {
            let counts = user.counts();
            (counts.hold..counts.hold + counts.velocity).contains(&row)
        }
        _ => false,
    };
    let mut lines = Vec::new();
    for piece in pieces(def, bounds.as_deref()) {
        match piece {
            Piece::Hold(rows) => {
                for row in rows.into_iter().map(usize::from) {
                    let axis = row.checked_sub(hold);
                    let limit = axis.and_then(|axis| def.axis(axis)?.limit);
                    let own = bounds.as_ref().map_or(0.0, |bounds| bounds[row].lower);
                    let target = limit.map_or(own, |limit| limit.lower);
                    let bound = bounds.as_ref().map(|bounds| bounds[row]);
                    let bound = bound.filter(|_| limit.is_none());
                    let what = if rate(row) {
                        What::Rate
                    } else if is_rigid(def.softness) {
                        What::Hold(target)
                    } else {
                        let force = ForceRange::default();
                        let softness = def.softness;
                        What::Spring { rest: target.into(), speed: None, softness, force }
                    };
                    lines.push(Line { part, row, axis, law: None, what, bound });
                }
            }
            Piece::Law(law, row) => {
                let row = usize::from(row);
                let axis = row.checked_sub(hold);
                let acts = axis.and_then(|axis| def.axis(axis));
                let own = bounds.as_ref().map(|bounds| bounds[row]);
                let mut add = |row: usize, what: What| {
                    let ranged = matches!(what, What::Limit(_));
                    let given = acts.is_some_and(|acts| acts.limit.is_some());
                    let bound = own.filter(|_| ranged && !given);
                    let axis = row.checked_sub(hold);
                    lines.push(Line { part, row, axis, law: Some(law), what, bound });
                };
                match (law, acts) {
                    (LawKind::Pull | LawKind::Tow, _) => {
                        let JointKind::Drive { pull, .. } = &def.kind else { continue };
                        for k in 0..2 {
                            let to = |v: kempe_scalar::Vec2| Target::from([v.x, v.y][k]);
                            let what = match law {
                                LawKind::Pull => What::Spring {
                                    rest: to(pull.target),
                                    speed: None,
                                    softness: pull.softness,
                                    // As a vector: see `yields`.
                                    force: ForceRange::default(),
                                },
                                _ => What::Motor {
                                    speed: to(pull.velocity),
                                    force: ForceRange::symmetric(pull.velocity_force),
                                },
                            };
                            add(row + k, what);
                        }
                    }
                    (LawKind::Spring, Some(acts)) => {
                        let Some(spring) = acts.spring else { continue };
                        let (softness, force) = (spring.softness, spring.force);
                        let rest = spring.rest.into();
                        add(row, What::Spring { rest, speed: None, softness, force });
                    }
                    (LawKind::Held, Some(acts)) => {
                        let Some(limit) = acts.limit else { continue };
                        let (softness, rest) = (limit.softness, limit.lower.into());
                        let force = ForceRange::symmetric(limit.force);
                        add(row, What::Spring { rest, speed: None, softness, force });
                    }
                    (LawKind::Force, Some(acts)) => {
                        let Some(law) = acts.law.cloned() else { continue };
                        add(row, What::Law(law));
                    }
                    (LawKind::Push | LawKind::Servo | LawKind::Motor, Some(acts)) => {
                        match acts.motor.cloned() {
                            Some(Motor::Velocity { speed, force }) => {
                                add(row, What::Motor { speed, force });
                            }
                            Some(Motor::Position { target, softness, force }) => {
                                add(
                                    row,
                                    What::Spring { rest: target, speed: None, softness, force },
                                );
                            }
                            Some(Motor::Both { target, speed, softness, force }) => {
                                let speed = Some(speed);
                                add(row, What::Spring { rest: target, speed, softness, force });
                            }
                            Some(Motor::Force { force }) => add(row, What::Push(force)),
                            None => {}
                        }
                    }
                    (LawKind::Friction, Some(acts)) => {
                        let Some(most) = acts.friction else { continue };
                        add(row, What::Friction(most));
                    }
                    (LawKind::Limit, acts) => {
                        let ratchet = acts.and_then(|acts| acts.ratchet);
                        let limit = acts.and_then(|acts| acts.limit);
                        match (ratchet, limit, own) {
                            (Some(ratchet), ..) => add(row, What::Ratchet(ratchet)),
                            (_, Some(limit), _) => {
                                let softness = def.yields(limit.softness);
                                add(row, What::Limit(Limit { softness, ..limit }));
                            }
                            (_, _, Some(own)) => {
                                let (lower, upper) = (own.lower, own.upper);
                                let softness = def.softness;
                                let limit = Limit { softness, ..Limit::new(lower, upper) };
                                add(row, What::Limit(limit));
                            }
                            _ => {}
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    lines
}

/// Whether a hold has no springiness: an error bias is a way to remove errors, and here there are
/// none.
pub(crate) fn is_rigid(softness: Softness) -> bool {
    match softness {
        Softness::Rigid | Softness::ErrorBias { .. } => true,
        Softness::Compliance { compliance, .. } => compliance == 0.0,
        _ => false,
    }
}
