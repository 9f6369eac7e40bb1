//! What an entry solves, and where its fields are.

use crate::joint::KindTag;
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

/// Which law of an axis an entry is. They are solved in this order, and holds after them: what
/// comes last wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum LawKind {
    /// A spring on the first two axes as one, its force limited as a vector.
    Pull,
    /// A velocity of the first two axes as one, likewise.
    Tow,
    Spring,
    /// A force, plain or by a law of coordinate and speed.
    Force,
    /// The force of a motor.
    Push,
    /// A motor to a position: a spring too.
    Servo,
    /// A motor at a speed.
    Motor,
    Friction,
    Limit,
    /// Equal bounds that yield: a spring, on either side.
    Held,
}

impl LawKind {
    /// Whether it is on two rows, with an impulse each.
    pub(crate) fn is_pair(self) -> bool {
        matches!(self, Self::Pull | Self::Tow)
    }

    /// Whether it keeps the impulse it has when the others relax, as springs do.
    pub(crate) fn keeps(self) -> bool {
        matches!(self, Self::Spring | Self::Servo | Self::Held | Self::Force | Self::Push)
    }

    /// Bounds its numbers by the largest force of its joint. Friction, force laws and plain forces say
    /// theirs themselves.
    pub(super) fn bound(self, numbers: &mut [f64; Layout::LIMIT], most: f64) {
        match self {
            Self::Limit => numbers[6] = numbers[6].min(most),
            Self::Spring | Self::Servo | Self::Held | Self::Motor => {
                numbers[1] = numbers[1].max(-most);
                numbers[2] = numbers[2].min(most);
            }
            _ => {}
        }
    }
}

/// What an entry solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// A law on one row.
    Law(LawKind, u8),
    /// These rows as a block, a bit each; and whether their impulses are limited.
    Hold(u8, bool),
}

impl Part {
    pub(crate) fn is_law(self) -> bool {
        matches!(self, Self::Law(..))
    }

    /// The rows of the equation that it solves.
    pub(crate) fn rows(self) -> SmallVec<[usize; 3]> {
        match self {
            Self::Law(law, row) if law.is_pair() => smallvec![row.into(), usize::from(row) + 1],
            Self::Law(_, row) => smallvec![row.into()],
            Self::Hold(mask, _) => (0..3).filter(|row| mask & (1 << row) != 0).collect(),
        }
    }
}

/// Where the fields of an entry are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    parameters: usize,
    pub rows: usize,
    /// Whether the rows are x and y of a point, and the angle if there is a third. Then n is known, and
    /// of the angle all is: a and b of the point are what there is.
    pub point: bool,
    /// How many numbers say where B was: the angle is there for rows that are one.
    pub offsets: usize,
    /// How many rows have something taken off; those of a point count from nothing.
    pub targets: usize,
    /// How many coefficients of softness each entry has: all, or none where all have the same.
    pub(super) soft: usize,
    /// How many masses: all, or none where all have the same.
    pub(super) masses: usize,
    own: usize,
    impulses: usize,
}

impl Layout {
    /// 1/m_x, 1/m_y, 1/I of A, then of B.
    pub(crate) const MASSES: usize = 6;
    /// β, max bias, s, r, γ, whether the relaxing pass solves it, whether its impulse comes in two
    /// halves, and which part of its own mobility a law may lose to the hold of its joint.
    pub(crate) const SOFT: usize = 8;
    pub(crate) const AGAIN: usize = 6;
    pub(crate) const THROUGH: usize = 7;
    /// Numbers of a law: the speed and the range of the force; of a force λ* and D.
    pub(crate) const LAW: usize = 3;
    /// Numbers of a limit: lower and upper bound, restitution, the speeds of the bounds, the speed of
    /// the approach, and the largest force.
    pub(crate) const LIMIT: usize = 7;
    pub(crate) const APPROACH: usize = 5;

    pub(crate) fn new(kind: KindTag, part: Part) -> Self {
        let picked = part.rows();
        let (rows, parameters) = (picked.len(), kind.parameters());
        let own_rows = matches!(kind, KindTag::Text { .. } | KindTag::User { .. });
        let point = kind.is_point() && matches!(part, Part::Hold(mask, _) if mask & 3 == 3);
        let turns = kind.angle_row().is_some_and(|row| picked.contains(&row)) && !own_rows;
        let offsets = 2 + usize::from(turns);
        let still = !own_rows || rows == 2 && kind.is_still();
        let targets = if point && still { 0 } else { rows };
        let own = match part {
            Part::Law(LawKind::Limit, _) => Self::LIMIT,
            Part::Law(law, _) if law.is_pair() => 2,
            Part::Law(..) => Self::LAW,
            Part::Hold(_, limited) => 2 * usize::from(limited),
        };
        let impulses = if matches!(part, Part::Law(..)) { 2 } else { rows };
        let (soft, masses) = (Self::SOFT, Self::MASSES);
        Self { parameters, rows, point, offsets, targets, soft, masses, own, impulses }
    }

    /// The same with so many coefficients of softness for each entry, and so many masses.
    pub(super) fn with_own(self, soft: usize, masses: usize) -> Self {
        Self { soft, masses, ..self }
    }

    /// The same for a hold of so many rows, which it has; of a point, if it is one.
    #[inline(always)]
    pub(crate) fn with_hold(self, rows: usize, point: bool) -> Self {
        Self { rows, point, impulses: rows, ..self }
    }

    /// The same for a law on one row, which it is.
    #[inline(always)]
    pub(crate) fn with_law(self) -> Self {
        Self { rows: 1, point: false, impulses: 2, ..self }
    }

    /// n_x, n_y, a, b of a row; a and b alone of those of a point, and nothing of its angle.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> usize {
        if self.point { 2 * row.min(2) } else { 4 * row }
    }

    /// Reads n_x, n_y, a, b of a row, by what reads a field and what makes a number of one that is known.
    #[inline(always)]
    pub(crate) fn read_row<T>(
        &self,
        row: usize,
        read: impl Fn(usize) -> T,
        known: impl Fn(f32) -> T,
    ) -> [T; 4] {
        let field = self.row(row);
        match (self.point, row) {
            (false, _) => [read(field), read(field + 1), read(field + 2), read(field + 3)],
            (true, 0) => [known(1.0), known(0.0), read(field), read(field + 1)],
            (true, 1) => [known(0.0), known(1.0), read(field), read(field + 1)],
            (true, _) => [known(0.0), known(0.0), known(1.0), known(1.0)],
        }
    }

    /// Writes them, by what writes a field.
    #[inline(always)]
    pub(crate) fn write_row<T>(&self, row: usize, [x, y, a, b]: [T; 4], write: impl Fn(usize, T)) {
        let mut field = self.row(row);
        if self.point && row > 1 {
            return;
        }
        if !self.point {
            write(field, x);
            write(field + 1, y);
            field += 2;
        }
        write(field, a);
        write(field + 1, b);
    }

    /// The coordinate of a row, less where it should be.
    #[inline(always)]
    pub(crate) fn value(&self, row: usize) -> usize {
        self.row(self.rows) + row
    }

    /// 1/D of the factors of K, then L by rows.
    #[inline(always)]
    pub(crate) fn factors(&self) -> usize {
        self.value(self.rows)
    }

    /// Impulses of this sub-step; a limit has two.
    #[inline(always)]
    pub(crate) fn impulse(&self, row: usize) -> usize {
        self.factors() + self.rows * (self.rows + 1) / 2 + row
    }

    /// Impulses of the whole step so far.
    #[inline(always)]
    pub(crate) fn total(&self, row: usize) -> usize {
        self.impulse(self.impulses) + row
    }

    #[inline(always)]
    pub(crate) fn soft(&self) -> usize {
        self.total(self.impulses)
    }

    /// The largest impulses of force and of torque, where they are limited.
    #[inline(always)]
    pub(crate) fn most(&self) -> usize {
        self.law()
    }

    #[inline(always)]
    pub(crate) fn masses(&self) -> usize {
        self.soft() + self.soft
    }

    #[inline(always)]
    pub(crate) fn law(&self) -> usize {
        self.masses() + self.masses
    }

    // What follows is needed for the rows alone: the passes do not touch it.

    /// From A to B at the start of the step: x, y, and the angle where it is needed.
    #[inline(always)]
    pub(crate) fn offset(&self) -> usize {
        self.law() + self.own
    }

    /// The joint's own numbers.
    #[inline(always)]
    pub(crate) fn parameters(&self) -> usize {
        self.offset() + self.offsets
    }

    /// Whether the lane is left out of the step, for joints that are not built in.
    pub(crate) fn off(&self) -> usize {
        self.target(0) - 1
    }

    /// What is taken off the coordinate of a row, if it is one of `targets`.
    #[inline(always)]
    pub(crate) fn target(&self, row: usize) -> usize {
        self.parameters() + self.parameters + row
    }

    #[inline(always)]
    pub(crate) fn fields(&self) -> usize {
        self.target(self.targets)
    }
}
