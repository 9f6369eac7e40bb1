//! Random scalars. Vectors, matrices and blocks are in [`super::shape`].
//!
//! Tests of numbers want expressions that are smooth and inside their domains, and of moderate
//! size: a factor is bounded, a divisor and the base of a power are positive, an arc function gets
//! less than 1. Kinks (`abs`, `min`, `choose`, lengths, …) occur too, but most of what is made has
//! none.

use super::Generator;
use super::scope::{Kind, Reach};
use super::text::{Level, Piece};

impl Generator {
    /// Whether there is room for one more operation.
    pub(super) fn spend(&mut self, depth: usize) -> bool {
        let room = depth > 0 && self.fuel > 0;
        self.fuel -= usize::from(room);
        room
    }

    /// A random scalar, at most `depth` operations deep.
    pub(super) fn scalar(&mut self, depth: usize) -> Piece {
        if !self.spend(depth) {
            return self.scalar_leaf();
        }
        let below = depth - 1;
        match self.random.below(20) {
            0..=4 => self.sum(below, Self::scalar),
            5..=7 => self.product_of_scalars(below),
            8 => self.quotient(below, Self::scalar),
            9 => self.signed(below, Self::scalar),
            10 => self.power(below),
            11..=13 => self.smooth_call(below),
            14..=15 => self.kink(below),
            16 => self.field(below),
            17..=18 => self.vectors_to_scalar(below),
            _ => self.binding(below, Self::scalar),
        }
    }

    /// A scalar between −1 and 1.
    pub(super) fn bounded(&mut self, depth: usize) -> Piece {
        let inner = self.scalar(depth);
        match self.random.below(10) {
            0..=4 => call("sin", &[&inner]),
            5..=8 => call("cos", &[&inner]),
            _ => Piece::atom(format!("clamp({}, -1, 1)", inner.text)),
        }
    }

    /// A scalar between 1 and 3.
    pub(super) fn positive(&mut self, depth: usize) -> Piece {
        let inner = self.bounded(depth);
        match self.random.below(3) {
            0 => Piece::new(format!("2 + {}", inner.fit(Level::Outer)), Level::Sum),
            1 => Piece::new(format!("2 - {}", inner.fit(Level::Outer)), Level::Sum),
            _ => Piece::new(format!("{}+2", inner.fit(Level::Sum)), Level::Sum),
        }
    }

    fn scalar_leaf(&mut self) -> Piece {
        if self.random.chance(25) || self.reach == Reach::Constants && self.random.chance(60) {
            return self.number();
        }
        if self.reach >= Reach::Poses
            && self.random.chance(60)
            && let Some(body) = self.scope.find(Kind::Body, self.reach, &mut self.random)
        {
            let field = self.random.pick(&["rotation", "rotation", "position.x", "position.y"]);
            return Piece::atom(format!("{body}.{field}"));
        }
        if let Some(name) = self.scope.find(Kind::Scalar, self.reach, &mut self.random) {
            return Piece::atom(name);
        }
        match self.random.below(4) {
            0 if self.reach >= Reach::Parameters => Piece::atom("time"),
            1 => Piece::atom("pi"),
            2 if self.random.chance(20) => Piece::atom("eps"),
            _ => self.number(),
        }
    }

    /// A number in one of the ways to write it.
    pub(super) fn number(&mut self) -> Piece {
        let whole = self.random.below(4);
        let part = self.random.below(1000);
        Piece::atom(match self.random.below(9) {
            0..=2 => format!("{}", whole + 1),
            3 => format!("{whole}.{part:03}"),
            4 => format!(".{part}"),
            5 => format!("{}e-2", part + 1),
            6 => format!("0.{part}E+1"),
            7 => format!("{whole}.5e0"),
            _ => format!("0.{}", self.random.bits()),
        })
    }

    /// Operands joined by signs, with space around them or none.
    pub(super) fn sum(&mut self, depth: usize, operand: fn(&mut Self, usize) -> Piece) -> Piece {
        let count = if self.random.chance(80) { 2 } else { 3 };
        let mut text = operand(self, depth).fit(Level::Outer);
        for _ in 1..count {
            let sign = self.random.pick(&[" + ", " - ", " + ", " - ", "+", "-"]);
            // Never `a -b`, which a list takes for two elements.
            text = format!("{text}{sign}{}", operand(self, depth).fit(Level::Outer));
        }
        Piece::new(text, Level::Sum)
    }

    fn product_of_scalars(&mut self, depth: usize) -> Piece {
        let first = if self.random.chance(70) { self.bounded(depth) } else { self.number() };
        let second = self.scalar(depth);
        match self.random.below(10) {
            // The scalar meanings of the products of vectors.
            0 => chain(Level::Product, &first, "dot", &second),
            1 => chain(Level::Outer, &first, "outer", &second),
            2..=5 => chain(Level::Term, &first, "*", &second),
            _ => chain(Level::Term, &second, "*", &first),
        }
    }

    pub(super) fn quotient(&mut self, depth: usize, above: fn(&mut Self, usize) -> Piece) -> Piece {
        let above = above(self, depth);
        let below = self.positive(depth.saturating_sub(1));
        chain(Level::Term, &above, "/", &below)
    }

    pub(super) fn signed(&mut self, depth: usize, inner: fn(&mut Self, usize) -> Piece) -> Piece {
        let inner = inner(self, depth);
        let sign = self.random.pick(&["-", "-", "-", "+", "- -", "--"]);
        Piece::new(format!("{sign}{}", inner.fit(Level::Unary)), Level::Unary)
    }

    fn power(&mut self, depth: usize) -> Piece {
        let text = match self.random.below(6) {
            0 => format!("{}^2", self.bounded(depth).fit(Level::Tight)),
            1 => format!("{}^3", self.bounded(depth).fit(Level::Tight)),
            2 => {
                let exponent = self.random.pick(&["0.5", "1.5", "-1", "-2", "2^-1", "+2", "-0.7"]);
                format!("{}^{exponent}", self.positive(depth).fit(Level::Tight))
            }
            3 => {
                let exponent = self.bounded(depth);
                format!("{}^{}", self.positive(depth).fit(Level::Tight), exponent.text)
            }
            4 => format!("2^-{}", self.bounded(depth).fit(Level::Tight)),
            _ => format!("{} ^ 2", self.scalar(depth.min(1)).fit(Level::Tight)),
        };
        Piece::new(text, Level::Power)
    }

    fn smooth_call(&mut self, depth: usize) -> Piece {
        let less = |piece: &Piece| Piece::atom(format!("0.5 * {}", piece.fit(Level::Unary)));
        match self.random.below(10) {
            0 => call("sin", &[&self.scalar(depth)]),
            1 => call("cos", &[&self.scalar(depth)]),
            2 => call("tan", &[&less(&self.bounded(depth))]),
            3 => call("asin", &[&less(&self.bounded(depth))]),
            4 => call("acos", &[&less(&self.bounded(depth))]),
            5 => call("atan2", &[&self.scalar(depth), &self.positive(depth)]),
            6 => {
                let inner = self.scalar(depth).fit(Level::Tight);
                Piece::atom(format!("sqrt(1 + {inner}^2)"))
            }
            7 => call("exp", &[&self.bounded(depth)]),
            8 => call("ln", &[&self.positive(depth)]),
            _ => call("sqrt", &[&self.positive(depth)]),
        }
    }

    fn kink(&mut self, depth: usize) -> Piece {
        match self.random.below(10) {
            0 => call("abs", &[&self.scalar(depth)]),
            1 => {
                let inner = self.scalar(depth);
                Piece::atom(format!("|{}|", inner.text))
            }
            2 => call("sign", &[&self.scalar(depth)]),
            3 => {
                let inner = self.scalar(depth).operand();
                Piece::new(format!("unit {inner}"), Level::Tight)
            }
            4 => call("min", &[&self.scalar(depth), &self.scalar(depth)]),
            5 => call("max", &[&self.scalar(depth), &self.scalar(depth)]),
            6 => {
                let (low, high) = (self.bounded(0), self.positive(0));
                call("clamp", &[&self.scalar(depth), &low, &high])
            }
            7 => {
                let vector = self.with_direction(depth).fit(Level::Postfix);
                Piece::atom(format!("atan2({vector}.y, {vector}.x)"))
            }
            _ => self.choose(depth, Self::scalar),
        }
    }

    pub(super) fn choose(&mut self, depth: usize, branch: fn(&mut Self, usize) -> Piece) -> Piece {
        let condition = self.scalar(depth.min(2));
        let (yes, no) = (branch(self, depth), branch(self, depth));
        call("choose", &[&condition, &yes, &no])
    }

    fn field(&mut self, depth: usize) -> Piece {
        if self.random.chance(75) {
            let of = self.vector(depth).fit(Level::Postfix);
            return Piece::atom(format!("{of}.{}", self.random.pick(&["x", "y"])));
        }
        let of = self.matrix(depth).fit(Level::Postfix);
        Piece::atom(format!("{of}.{}", self.random.pick(&["xx", "xy", "yx", "yy"])))
    }

    fn vectors_to_scalar(&mut self, depth: usize) -> Piece {
        let first = self.vector(depth);
        match self.random.below(4) {
            0 => chain(Level::Product, &first, "dot", &self.vector(depth)),
            1 => chain(Level::Product, &first, "cross", &self.vector(depth)),
            _ => Piece::atom(format!("|{}|", first.text)),
        }
    }

    /// `let name = … in …` around another expression.
    pub(super) fn binding(&mut self, depth: usize, body: fn(&mut Self, usize) -> Piece) -> Piece {
        let outer = self.scope.enter();
        let mut text = String::new();
        for _ in 0..self.random.between(1, 2) {
            let (kind, value) = match self.random.below(8) {
                0..=3 => (Kind::Scalar, self.scalar(depth)),
                4..=6 => (Kind::Vector, self.vector(depth)),
                _ => (Kind::Matrix, self.matrix(depth)),
            };
            let name = self.scope.inner(&mut self.random);
            // A value that is a `let` itself needs no parentheses: its `in` comes first.
            text.push_str(&format!("let {name} = {} in ", value.text));
            self.scope.push(&name, kind, self.reach);
        }
        text.push_str(&body(self, depth).fit(Level::Sum));
        self.scope.leave(outer);
        Piece::new(text, Level::Let)
    }
}

/// Two operands and an operator of a level; the left one may be a chain of the same level.
pub(super) fn chain(level: Level, left: &Piece, operator: &str, right: &Piece) -> Piece {
    Piece::new(format!("{} {operator} {}", left.fit(level), right.fit(level.tighter())), level)
}

pub(super) fn call(name: &str, arguments: &[&Piece]) -> Piece {
    let list: Vec<&str> = arguments.iter().map(|each| each.text.as_str()).collect();
    Piece::atom(format!("{name}({})", list.join(", ")))
}
