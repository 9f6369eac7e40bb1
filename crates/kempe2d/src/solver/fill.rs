//! What an entry keeps over steps: masses, anchors, coefficients, impulses.

use super::bucket::{LawKind, Layout, Part};
use super::build::{At, Solver};
use super::drive::Drive;
use super::pieces::{Piece, is_held};
use crate::body::{Body, BodyKind};
use crate::joint::{Joint, JointKind, Kept, KindTag, Motor};
use crate::user::Erased;
use crate::world::Springs;
use kempe_scalar::Vec2;
use kempe_solve::{Coefficients, Pool, Softness};

/// The frequency of a rigid row that yields, as a part of the rate of the sub-steps: about a quarter.
const RIGID_RATE: f64 = 0.253;
/// Its damping ratio.
const RIGID_RATIO: f64 = 2.0;
/// Springs whose h ω is below this keep their energy: symplectic Euler, stable for many of them on one
/// body. Above the other one they are implicit, and in between in part.
const RESOLVED: f64 = 0.25;
const UNRESOLVED: f64 = 0.75;
/// How much further than by itself a law goes that counts on the hold of its joint: below 2 no single one
/// adds energy.
const FASTER: f64 = 1.5;
/// How much of its error a joint that is alone removes in a sub-step.
const ALONE_RATE: f64 = 0.7;
/// However short a sub-step is, an error goes no faster than by this rate, 1/s.
const FASTEST: f64 = 200.0;

/// An anchor further from the centre of a body than this is counted in f64, m: its last digit in f32 would be
/// 4 µm and more.
const FAR: f64 = 32.0;

/// What a law is made of.
struct LawNumbers {
    /// Where the coordinate counts from.
    target: f64,
    numbers: [f64; Layout::LIMIT],
    softness: Softness,
}

impl Solver {
    /// Takes new settings of a joint over into its entries, where they do not ask for other ones. The
    /// impulses are those that the joint keeps.
    pub(crate) fn refill(&mut self, bodies: &Pool<Body>, joint: &mut Joint, slot: usize) {
        let places = std::mem::take(&mut self.places[slot]);
        let springs = self.unbounded_springs(&places);
        let driven = self.driven.len();
        self.driven.retain(|drive| drive.joint != slot);
        let were = driven - self.driven.len();
        let others = self.driven.len();
        for at in places.iter().map(|place| place.at()) {
            self.fill(at, bodies, joint, slot);
            if let At::Built(index, _) = at {
                let bucket = &mut self.buckets[index];
                bucket.compare();
                // With other parameters a program may have to be evaluated in another way.
                if let KindTag::Text { .. } = bucket.kind {
                    self.dirty |= self.programs.tag(joint, bodies) != Some(bucket.kind);
                }
            }
        }
        // Springs with and without a largest force are solved in different ways.
        self.dirty |= springs != self.unbounded_springs(&places);
        self.places[slot] = places;
        // What follows the clock is in no tile.
        self.dirty |= (were == 0) != (self.driven.len() == others);
    }

    /// Writes what stays over steps into an entry.
    pub(super) fn fill(&mut self, at: At, bodies: &Pool<Body>, joint: &Joint, slot: usize) {
        let def = &joint.def;
        let piece = self.piece(at);
        let h = self.law_step(slot);
        let mut law = match piece {
            Piece::Law(law, row) => law_numbers(joint, law, row, h),
            Piece::Hold(_) => None,
        };
        if let (Piece::Law(LawKind::Push, _), Some(law)) = (&piece, &mut law) {
            law.numbers[0] *= h;
        }
        // Teeth neither slip nor yield.
        let teeth = matches!(piece, Piece::Law(LawKind::Limit, row) if def.has_teeth(row));
        if let (Piece::Law(kind, row), Some(law), Some(tag)) = (&piece, &mut law, def.kind.tag())
            && !teeth
        {
            kind.bound(&mut law.numbers, def.most(tag.angle_row() == Some(usize::from(*row))));
        }
        let pull = match (&piece, &def.kind) {
            (Piece::Law(law, _), JointKind::Drive { pull, .. }) if law.is_pair() => {
                Some((*law, **pull))
            }
            _ => None,
        };
        let softness = match (&piece, &law) {
            (Piece::Law(LawKind::Limit, _), Some(law)) if !teeth => def.yields(law.softness),
            (_, Some(law)) => law.softness,
            (_, None) => def.softness,
        };
        let (c, cold) = match pull {
            // The value is the velocity to reach.
            Some((LawKind::Tow, _)) => {
                let c = Coefficients {
                    bias_rate: 1.0,
                    max_bias: f64::INFINITY,
                    mass_scale: 1.0,
                    impulse_scale: 0.0,
                    gamma: 0.0,
                    relax: true,
                };
                (c, 0.0)
            }
            Some((_, pull)) => self.coefficients(pull.softness, bodies, joint, slot),
            None => self.coefficients(softness, bodies, joint, slot),
        };
        let halves = self.comes_in_halves(&piece, def, bodies);
        let in_part = halves || cold > 0.0;
        let limited = def.max_force.min(def.max_torque) < f64::INFINITY;
        // An error that goes at a rate, with a force that is limited, is a motion that stays.
        let pushes = matches!((&piece, softness), (Piece::Hold(_), Softness::ErrorBias { .. }));
        let pushes = pushes && limited;
        let hold = def.softness.coefficients(self.h, Coefficients::rigid(self.h, 1.0, 1.0));
        // How much of its own mobility a law may lose to the hold of its joint. Where other joints wait
        // for their turn, the hold does not answer at once: a law that counts on it overshoots, and a
        // chain of such laws runs away; it may move no more than it would by itself.
        let through = match hold.relax && !limited {
            // A motor has a speed to reach, and energy to do it with.
            true if self.exact[slot] || matches!(piece, Piece::Law(LawKind::Motor, _)) => 1.0,
            true => 1.0 - c.mass_scale / FASTER,
            false => 0.0,
        };
        let soft = [
            c.bias_rate,
            c.max_bias,
            c.mass_scale,
            c.impulse_scale,
            c.gamma,
            f64::from(u8::from(c.relax && !pushes)),
            if halves { 1.0 } else { -cold },
            through,
        ];
        // An impulse is a force times the sub-step: the force goes on.
        let scale = if joint.cached.h > 0.0 { (self.h / joint.cached.h) as f32 } else { 1.0 };
        let impulses: Vec<f32> = match &piece {
            Piece::Law(law, row) => {
                let same = joint.cached.laws.iter().find(|each| (each.0, each.1) == (*row, *law));
                same.map_or([0.0; 2], |each| each.2).to_vec()
            }
            Piece::Hold(rows) => {
                let cached = |row: &u8| joint.cached.hold.get(usize::from(*row)).copied();
                rows.iter().map(|row| cached(row).unwrap_or(0.0)).collect()
            }
        };
        let [force, torque] = match pull {
            Some((LawKind::Tow, pull)) => [pull.velocity_force, 0.0],
            Some((_, pull)) => [pull.spring_force, 0.0],
            None if teeth => [f64::INFINITY; 2],
            None => [def.max_force, def.max_torque],
        };
        // Of a law over any bodies it is the force: its numbers are bounded by it where its row is known.
        let bounds_law = matches!((&piece, at), (Piece::Law(..), At::Wide(..)));
        let most = [force, torque].map(|most| if bounds_law { most } else { most * h });
        let rebounds = law.as_ref().is_some_and(|law| law.numbers[2] > 0.0)
            && matches!(piece, Piece::Law(LawKind::Limit, _));
        match at {
            At::Built(index, lane) => {
                self.fill_built(index, lane, bodies, joint, h);
                let bucket = &mut self.buckets[index];
                bucket.soften(lane, soft.map(|value| value as f32));
                let layout = bucket.layout;
                bucket.rebounds |= rebounds;
                bucket.halves |= in_part;
                bucket.bounded |= c.max_bias.is_finite();
                for (k, impulse) in impulses.into_iter().enumerate() {
                    bucket.set(lane, layout.impulse(k), scale * impulse);
                }
                match bucket.part {
                    Part::Law(kind, _) if !kind.is_pair() => {
                        let count =
                            if kind == LawKind::Limit { Layout::LIMIT } else { Layout::LAW };
                        let numbers = law.map_or([0.0; Layout::LIMIT], |law| law.numbers);
                        for (k, value) in numbers.into_iter().enumerate().take(count) {
                            bucket.set(lane, layout.law() + k, value as f32);
                        }
                    }
                    Part::Hold(_, true) | Part::Law(..) => {
                        for (k, value) in most.into_iter().enumerate() {
                            bucket.set(lane, layout.most() + k, value as f32);
                        }
                    }
                    Part::Hold(..) => {}
                }
            }
            At::Wide(index, lane) => {
                let wide = &mut self.wides[index];
                let layout = wide.layout;
                wide.rebounds |= rebounds;
                wide.halves |= in_part;
                wide.bounded |= c.max_bias.is_finite();
                for body in 0..layout.bodies {
                    let row = wide.lists[body][lane] as usize;
                    let Some(body_now) = bodies.at(row - 1) else { continue };
                    for (k, mass) in body_now.inverse_mass().into_iter().enumerate() {
                        wide.set(lane, layout.masses(body) + k, mass as f32);
                    }
                }
                for (k, value) in soft.into_iter().enumerate() {
                    wide.set(lane, layout.soft() + k, value as f32);
                }
                for (k, impulse) in impulses.into_iter().enumerate() {
                    wide.set(lane, layout.impulse(k), scale * impulse);
                }
                for (k, value) in most.into_iter().enumerate() {
                    wide.set(lane, layout.most() + k, value as f32);
                }
                let holds = matches!(piece, Piece::Hold(_));
                let bounded = most.iter().any(|most| most.is_finite());
                wide.limited |= holds && bounded;
                wide.bounds_laws |= !holds && bounded;
                if let JointKind::User(user) = &def.kind {
                    wide.clamped |= holds && user.made().is_some_and(Erased::clamps);
                }
                let hold = def.kind.hold_count();
                match &piece {
                    Piece::Hold(rows) => {
                        for (k, row) in rows.iter().enumerate() {
                            let axis = usize::from(*row).checked_sub(hold);
                            let limit = axis.and_then(|axis| def.axis(axis)?.limit);
                            let at = lane * layout.rows + k;
                            wide.targets[at] = limit.map_or(0.0, |limit| limit.lower);
                            let text = matches!(def.kind, JointKind::Text(_));
                            wide.own_bounds[at] = text && limit.is_none();
                        }
                    }
                    Piece::Law(kind, _) => match law {
                        Some(law) => {
                            wide.targets[lane] = law.target;
                            for (k, value) in law.numbers.into_iter().enumerate() {
                                wide.set(lane, layout.law() + k, value as f32);
                            }
                        }
                        None => {
                            wide.own_bounds[lane] = *kind == LawKind::Limit;
                            let field = layout.law() + Layout::LIMIT - 1;
                            wide.set(lane, field, f32::INFINITY);
                        }
                    },
                }
            }
        }
        if let Piece::Law(law, row) = piece
            && let Some(axis) = usize::from(row).checked_sub(def.kind.hold_count())
            && is_driven(def, law, axis)
        {
            self.driven.push(Drive { at, joint: slot, axis, law, row: row.into() });
        }
    }

    /// Whether the impulse of an entry comes in two halves: a hold all of whose bodies split.
    fn comes_in_halves(&self, piece: &Piece, def: &Kept, bodies: &Pool<Body>) -> bool {
        let moving = |slot: &usize| bodies.at(*slot).is_some_and(Body::moves);
        let mut ends = def.bodies.iter().map(|id| id.index()).filter(moving);
        matches!(piece, Piece::Hold(_)) && ends.all(|slot| self.split[slot])
    }

    /// Whether a joint has a spring that sub-steps do not resolve.
    pub(super) fn is_stiff(&self, bodies: &Pool<Body>, joint: &Joint) -> bool {
        let axes = joint.def.axes().flat_map(|axis| {
            let motor = match axis.motor {
                Some(Motor::Position { softness, .. } | Motor::Both { softness, .. }) => {
                    Some(*softness)
                }
                _ => None,
            };
            let limit = axis.limit.map(|limit| limit.softness);
            [axis.spring.map(|spring| spring.softness), motor, limit]
        });
        let mut all = axes.flatten().chain([joint.def.softness]);
        let mobile = most_mobile(bodies, joint);
        all.any(|softness| {
            let square = softness.square_frequency(mobile).unwrap_or(0.0);
            square * self.h * self.h > UNRESOLVED * UNRESOLVED
        })
    }

    /// The coefficients of a row over the step that the laws of its joint take; and how cold a spring starts:
    /// what part of its last impulse is forgotten. A spring that is not resolved, and that others wait for,
    /// may not begin with the force it had: that would be explicit.
    fn coefficients(
        &self,
        softness: Softness,
        bodies: &Pool<Body>,
        joint: &Joint,
        slot: usize,
    ) -> (Coefficients, f64) {
        let (h, rigid) = (self.law_step(slot), self.rigid(self.exact[slot]));
        let implicit = self.springs == Springs::ImplicitEuler || self.midpoint[slot];
        let theta = match softness.square_frequency(most_mobile(bodies, joint)) {
            Some(square) => {
                let turned = h * square.sqrt();
                ((turned - RESOLVED) / (UNRESOLVED - RESOLVED)).clamp(0.0, 1.0)
            }
            None => 1.0,
        };
        let cold = if self.exact[slot] { 0.0 } else { theta };
        (softness.coefficients_by(h, rigid, if implicit { 1.0 } else { theta }), cold)
    }

    /// The length of the step that the laws of a joint take: half a sub-step where its island goes by
    /// the mean velocity, and they act twice.
    pub(super) fn law_step(&self, slot: usize) -> f64 {
        let half = self.midpoint.get(slot).copied().unwrap_or(false);
        if half { 0.5 * self.h } else { self.h }
    }

    fn fill_built(
        &mut self,
        index: usize,
        lane: usize,
        bodies: &Pool<Body>,
        joint: &Joint,
        h: f64,
    ) {
        let def = &joint.def;
        let (Some(a), Some(b)) =
            (bodies.at(def.bodies[0].index()), bodies.at(def.bodies[1].index()))
        else {
            return;
        };
        let bucket = &mut self.buckets[index];
        let ([a_x, a_y, a_turn], [b_x, b_y, b_turn]) = (a.inverse_mass(), b.inverse_mass());
        bucket.weigh(lane, [a_x, a_y, a_turn, b_x, b_y, b_turn].map(|mass| mass as f32));
        let layout = bucket.layout;
        if let KindTag::Text { .. } | KindTag::User { .. } = bucket.kind {
            let target = match bucket.part {
                Part::Law(law, row) => {
                    law_numbers(joint, law, row, h).map_or(0.0, |law| law.target)
                }
                Part::Hold(..) => 0.0,
            };
            bucket.fill_program(&self.programs, lane, joint, target);
            return;
        }
        let numbers = def.kind.numbers();
        // From the centres of mass: a joint refers to the origins, whatever the mass.
        let mut arms =
            [numbers.anchor_a - a.properties.center, numbers.anchor_b - b.properties.center];
        let kind = bucket.kind;
        if kind != KindTag::Angle {
            let far: [Vec2; 2] = std::array::from_fn(|k| {
                let far = [a, b][k].kind == BodyKind::Static && arms[k].length() > FAR;
                if far { std::mem::take(&mut arms[k]) } else { Vec2::ZERO }
            });
            bucket.note_far(lane, far);
        }
        let [arm_a, arm_b] = arms;
        let direction = match kind {
            KindTag::Distance => joint.state.direction,
            _ => (numbers.rail * (1.0 / numbers.rail.length())).into(),
        };
        let own = match kind {
            KindTag::Angle => [numbers.ratio, 0.0, 0.0, 0.0, 0.0, 0.0],
            _ => [arm_a.x, arm_a.y, arm_b.x, arm_b.y, direction[0], direction[1]],
        };
        let held: [f64; 3] = std::array::from_fn(|axis| {
            f64::from(u8::from(def.axis(axis).is_some_and(|axis| is_held(&axis))))
        });
        let own = own.into_iter().chain(held);
        let mut set = |field: usize, value: f64| bucket.set(lane, field, value as f32);
        for (k, value) in own.enumerate().take(kind.parameters()) {
            set(layout.parameters() + k, value);
        }
        if let Some(angle) = bucket.angles.get_mut(lane) {
            *angle = numbers.angle;
        }
        if let Some(ratio) = bucket.ratios.get_mut(lane) {
            *ratio = numbers.ratio;
        }
        for (k, row) in bucket.part.rows().into_iter().enumerate() {
            let target = match bucket.part {
                Part::Law(law, _) if law.is_pair() => match &def.kind {
                    JointKind::Drive { pull, .. } => {
                        let to = if law == LawKind::Tow { pull.velocity } else { pull.target };
                        [to.x, to.y][k]
                    }
                    _ => 0.0,
                },
                Part::Law(law, row) => {
                    law_numbers(joint, law, row, h).map_or(0.0, |law| law.target)
                }
                Part::Hold(..) => {
                    let axis = row.checked_sub(kind.hold()).and_then(|axis| def.axis(axis));
                    axis.and_then(|axis| axis.limit).map_or(0.0, |limit| limit.lower)
                }
            };
            // Many turns are taken off in f64, before f32 would lose them.
            let is_angle = kind.angle_row() == Some(row);
            if let Some(angle) = bucket.angles.get_mut(lane).filter(|_| is_angle) {
                *angle += target;
            }
            if k < layout.targets {
                bucket.set(lane, layout.target(k), if is_angle { 0.0 } else { target as f32 });
            }
        }
    }

    /// What a rigid row of this joint is made of.
    ///
    /// Where joints meet at a body they are solved in turn, and must yield a little, or loops of
    /// them never come to rest: a spring, as stiff as a sub-step can follow, which sags by g/ω²
    /// under its load. A joint that is solved exactly, by its block or with its island, needs not
    /// yield: most of the error goes in one sub-step, and nothing sags.
    fn rigid(&self, exact: bool) -> Coefficients {
        let h = self.h;
        let yields = Coefficients::rigid(h, RIGID_RATE / h, RIGID_RATIO);
        if exact {
            return Coefficients {
                bias_rate: (ALONE_RATE / h).min(FASTEST),
                mass_scale: 1.0,
                impulse_scale: 0.0,
                ..yields
            };
        }
        yields
    }
}

/// The largest J M⁻¹ Jᵀ that a row of a joint between two bodies has in any pose of theirs, so that nothing
/// depends on when it was asked; `None` where that is not known.
fn most_mobile(bodies: &Pool<Body>, joint: &Joint) -> Option<f64> {
    let def = &joint.def;
    let tag = def.kind.tag()?;
    let numbers = def.kind.numbers();
    let [a, b] = [0, 1].map(|k| bodies.at(def.bodies[k].index()));
    let (a, b) = (a?, b?);
    let ([m_a, _, i_a], [m_b, _, i_b]) = (a.inverse_mass(), b.inverse_mass());
    if tag == KindTag::Angle {
        return Some(i_a + numbers.ratio * numbers.ratio * i_b);
    }
    let arm_a = (numbers.anchor_a - a.properties.center).length();
    let arm_b = (numbers.anchor_b - b.properties.center).length();
    // A rail that is held goes through the anchor wherever B is on it; one that is not may be anywhere.
    if tag == KindTag::Generic {
        return None;
    }
    let point = m_a + m_b + i_a * arm_a * arm_a + i_b * arm_b * arm_b;
    // One of its rows may be the angle.
    let angle = if tag.angle_row().is_some() { i_a + i_b } else { 0.0 };
    Some(point.max(angle))
}

/// Whether the numbers of a law change from sub-step to sub-step.
pub(super) fn is_driven(def: &Kept, law: LawKind, axis: usize) -> bool {
    let Some(axis) = def.axis(axis) else { return false };
    match (law, axis.motor) {
        (LawKind::Force, _) => true,
        (LawKind::Limit, _) => axis.ratchet.is_some(),
        (LawKind::Motor, Some(Motor::Velocity { speed, .. })) => speed.moves(),
        (LawKind::Push, Some(Motor::Force { force })) => force.moves(),
        (LawKind::Servo, Some(Motor::Position { target, .. })) => target.moves(),
        (LawKind::Servo, Some(Motor::Both { target, speed, .. })) => {
            target.moves() || speed.moves()
        }
        _ => false,
    }
}

/// A spring that is taken implicitly goes with the speed of its damper. Where that is not the speed
/// of the place that it pulls to, the place counts as so much further on.
pub(super) fn beside((_, rate): (f64, f64), speed: f64, h: f64) -> f64 {
    h * (speed - rate)
}

/// The numbers of a law; none if a program gives them.
fn law_numbers(joint: &Joint, law: LawKind, row: u8, h: f64) -> Option<LawNumbers> {
    let index = usize::from(row).checked_sub(joint.def.kind.hold_count())?;
    let axis = joint.def.axis(index)?;
    let rigid = Softness::Rigid;
    let range = |speed: f64, force: crate::joint::ForceRange| {
        [speed, force.lower, force.upper, 0.0, 0.0, 0.0, 0.0]
    };
    Some(match law {
        LawKind::Spring => {
            let spring = axis.spring?;
            let numbers = range(0.0, spring.force);
            LawNumbers { target: spring.rest, numbers, softness: spring.softness }
        }
        LawKind::Held => {
            let limit = axis.limit?;
            let numbers = range(0.0, crate::joint::ForceRange::symmetric(limit.force));
            LawNumbers { target: limit.lower, numbers, softness: limit.softness }
        }
        LawKind::Motor | LawKind::Servo | LawKind::Push => match axis.motor? {
            Motor::Velocity { speed, force } => {
                LawNumbers { target: 0.0, numbers: range(speed.at(0.0).0, *force), softness: rigid }
            }
            Motor::Position { target, softness, force } => LawNumbers {
                target: target.at(0.0).0,
                numbers: range(0.0, *force),
                softness: *softness,
            },
            Motor::Both { target, speed, softness, force } => LawNumbers {
                target: target.at(0.0).0 - beside(target.at(0.0), speed.at(0.0).0, h),
                numbers: range(speed.at(0.0).0, *force),
                softness: *softness,
            },
            Motor::Force { force } => {
                // Of a whole second; of a sub-step where its length is known.
                let numbers = [force.at(0.0).0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
                LawNumbers { target: 0.0, numbers, softness: rigid }
            }
        },
        LawKind::Pull | LawKind::Tow => return None,
        LawKind::Force => {
            LawNumbers { target: 0.0, numbers: [0.0; Layout::LIMIT], softness: rigid }
        }
        LawKind::Friction => {
            let most = axis.friction?;
            let numbers = [0.0, -most, most, 0.0, 0.0, 0.0, 0.0];
            LawNumbers { target: 0.0, numbers, softness: rigid }
        }
        LawKind::Limit => {
            if let Some(ratchet) = axis.ratchet {
                let tooth = joint.state.teeth.get(index).copied();
                let tooth = tooth.filter(|tooth| tooth.is_finite()).unwrap_or(ratchet.phase);
                let (inf, none) = (f64::INFINITY, f64::NEG_INFINITY);
                let [low, high] = if ratchet.step > 0.0 { [0.0, inf] } else { [none, 0.0] };
                let numbers = [low, high, 0.0, 0.0, 0.0, 0.0, inf];
                return Some(LawNumbers { target: tooth, numbers, softness: rigid });
            }
            let limit = axis.limit?;
            let none = limit.lower <= 0.0 && joint.def.kind.is_length(row.into());
            let lower = if none { f64::NEG_INFINITY } else { limit.lower };
            // Counted from a bound, so that many turns are not lost.
            let from = if lower.is_finite() { lower } else { limit.upper };
            let from = if from.is_finite() { from } else { 0.0 };
            let bounds = [lower - from, limit.upper - from];
            let numbers = [bounds[0], bounds[1], limit.restitution, 0.0, 0.0, 0.0, limit.force];
            LawNumbers { target: from, numbers, softness: limit.softness }
        }
    })
}
