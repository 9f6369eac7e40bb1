//! What a joint is divided into: its hold, and the laws of its axes.

use super::bucket::{LawKind, Part};
use crate::body::Body;
use crate::joint::{Acts, Joint, JointKind, Kept, Motor};
use kempe_equation::Bound;
use kempe_solve::{Pool, Softness};

/// A part of a joint, as it is solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A law on a row.
    Law(LawKind, u8),
    /// These rows as a block.
    Hold(Vec<u8>),
}

/// Whether a joint connects its bodies: it is enabled, and all of them are.
pub(crate) fn connects(joint: &Joint, bodies: &Pool<Body>) -> bool {
    let each = || joint.def.bodies.iter().filter_map(|id| bodies.at(id.index()));
    let holds = joint.def.kind != JointKind::Filter;
    joint.def.enabled && holds && each().all(|body| body.enabled)
}

/// Whether a joint is solved: it connects its bodies, and something moves and is awake.
pub(crate) fn takes_part(joint: &Joint, bodies: &Pool<Body>) -> bool {
    let each = || joint.def.bodies.iter().filter_map(|id| bodies.at(id.index()));
    connects(joint, bodies) && each().any(|body| body.moves() && !body.asleep)
}

/// An axis whose limit has equal rigid bounds is held with the rest.
pub(crate) fn is_held(axis: &Acts<'_>) -> bool {
    axis.limit.is_some_and(|limit| {
        let rigid = limit.softness == Softness::Rigid && limit.force == f64::INFINITY;
        limit.lower == limit.upper && rigid
    })
}

/// The entries of a joint; `bounds` are those that a program gives to its rows.
pub(crate) fn pieces(def: &Kept, bounds: Option<&[Bound]>) -> Vec<Piece> {
    let hold = def.kind.hold_count();
    let text = matches!(def.kind, JointKind::Text(_));
    let own = |row: usize| bounds.filter(|_| text).map(|bounds| bounds[row]);
    let mut held: Vec<u8> = Vec::new();
    let mut pieces = Vec::new();
    if let JointKind::Drive { pull, .. } = &def.kind {
        let laws = [(LawKind::Pull, pull.spring_force), (LawKind::Tow, pull.velocity_force)];
        let acting = laws.iter().filter(|law| law.1 > 0.0);
        pieces.extend(acting.map(|law| Piece::Law(law.0, hold as u8)));
    }
    for row in 0..hold {
        match own(row) {
            Some(bound) if !bound.is_equation() => {
                pieces.push(Piece::Law(LawKind::Limit, row as u8));
            }
            _ => held.push(row as u8),
        }
    }
    for index in 0..def.kind.axis_count() {
        let axis = def.axis(index).unwrap_or_default();
        let row = (hold + index) as u8;
        let bound = own(hold + index).filter(|bound| {
            axis.limit.is_none()
                && axis.ratchet.is_none()
                && (bound.lower.is_finite() || bound.upper.is_finite())
        });
        if is_held(&axis) || bound.is_some_and(|bound| bound.is_equation()) {
            held.push(row);
            continue;
        }
        // Equal bounds that slip are two stops, equal ones that yield a spring.
        let equal = axis
            .limit
            .is_some_and(|limit| limit.lower == limit.upper && limit.softness != Softness::Rigid);
        let limited = axis.limit.is_some() && !equal || axis.ratchet.is_some() || bound.is_some();
        let servo = matches!(axis.motor, Some(Motor::Position { .. } | Motor::Both { .. }));
        let laws = [
            (LawKind::Spring, axis.spring.is_some()),
            (LawKind::Force, axis.law.is_some()),
            (LawKind::Push, matches!(axis.motor, Some(Motor::Force { .. }))),
            (LawKind::Servo, servo),
            (LawKind::Motor, matches!(axis.motor, Some(Motor::Velocity { .. }))),
            (LawKind::Friction, axis.friction.is_some()),
            (LawKind::Limit, limited),
            (LawKind::Held, equal),
        ];
        pieces.extend(laws.iter().filter(|law| law.1).map(|law| Piece::Law(law.0, row)));
    }
    if !held.is_empty() {
        pieces.push(Piece::Hold(held));
    }
    pieces
}

pub(super) fn part(def: &Kept, piece: &Piece) -> Part {
    match piece {
        Piece::Law(law, row) => Part::Law(*law, *row),
        Piece::Hold(rows) => {
            let mask = rows.iter().fold(0, |mask, row| mask | 1 << row);
            Part::Hold(mask, def.max_force.min(def.max_torque) < f64::INFINITY)
        }
    }
}

pub(super) fn piece_of(part: Part) -> Piece {
    match part {
        Part::Law(law, row) => Piece::Law(law, row),
        Part::Hold(..) => Piece::Hold(part.rows().into_iter().map(|row| row as u8).collect()),
    }
}
