//! Which names a random expression may use.

use crate::random::Random;

/// What a name stands for, or an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar,
    Vector,
    Matrix,
    /// Rows, one bit each below a leading 1: whether it is a vector.
    Block(u16),
    Body,
    /// A scalar or vector that is linear in the velocities; kept apart from the others, since it
    /// may stand in few places.
    ScalarVelocity,
    VectorVelocity,
}

/// What an expression may depend on; each holds those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// Numbers alone.
    Constants,
    /// Parameters and `time`.
    Parameters,
    /// Positions and rotations of bodies.
    Poses,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub name: String,
    pub kind: Kind,
    pub reach: Reach,
}

/// All names, those of inner scopes last.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    entries: Vec<Entry>,
}

/// Names of all sorts: ordinary ones, ones that look like keywords, like the fields of a body and
/// like the names that the compiler makes up itself, and ones that are not ASCII.
const NAMES: [&str; 56] = [
    "a",
    "b",
    "c",
    "body1",
    "body2",
    "crank",
    "frame",
    "x",
    "y",
    "position",
    "rotation",
    "p",
    "q",
    "r",
    "united",
    "dotted",
    "inner",
    "letter",
    "limits",
    "t1",
    "t2",
    "t3",
    "J1_a",
    "K1_1",
    "C",
    "V",
    "größe",
    "длина",
    "λ",
    "θ",
    "_",
    "_1",
    "x_1",
    "xx",
    "length",
    "anchor",
    "anchor_a",
    "phase",
    "ratio",
    "direction",
    "a_2",
    "a_3",
    "a_inverseMass",
    "pin",
    "sine",
    "e",
    "E1",
    "m",
    "n",
    "infinite",
    "timer",
    "epsilon",
    "axis_1",
    "body_",
    "lambda1",
    "角",
];

impl Scope {
    /// A name that nothing has yet.
    pub(super) fn fresh(&self, random: &mut Random) -> String {
        let name = random.pick(&NAMES);
        if !self.has(name) {
            return name.to_owned();
        }
        let first = random.below(90);
        (first..).map(|n| format!("{name}{n}")).find(|name| !self.has(name)).unwrap_or_default()
    }

    /// A name for a part of an expression, which may hide another.
    pub(super) fn inner(&self, random: &mut Random) -> String {
        match self.entries.len() {
            count if count > 0 && random.chance(15) => {
                self.entries[random.below(count)].name.clone()
            }
            _ => self.fresh(random),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == name)
    }

    pub(super) fn push(&mut self, name: &str, kind: Kind, reach: Reach) {
        self.entries.push(Entry { name: name.to_owned(), kind, reach });
    }

    /// How deep the scopes are, to come back to with [`leave`](Self::leave).
    pub(super) fn enter(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn leave(&mut self, depth: usize) {
        self.entries.truncate(depth);
    }

    /// A name of this kind that an expression of this reach may use.
    pub(super) fn find(&self, kind: Kind, reach: Reach, random: &mut Random) -> Option<String> {
        let fits = |(index, entry): &(usize, &Entry)| {
            let hidden = self.entries[index + 1..].iter().any(|later| later.name == entry.name);
            entry.kind == kind && entry.reach <= reach && !hidden
        };
        let found: Vec<&Entry> =
            self.entries.iter().enumerate().filter(fits).map(|(_, entry)| entry).collect();
        (!found.is_empty()).then(|| random.pick(&found).name.clone())
    }
}
