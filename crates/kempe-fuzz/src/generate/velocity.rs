//! Random expressions that are affine in the velocities, as a velocity constraint must be.
//!
//! The compiler asks for a velocity in every row, after simplification. So nothing here may cancel:
//! directions are never zero, and of several terms all but one have a factor above 1 and none is
//! subtracted.

use super::Generator;
use super::expression::{call, chain};
use super::scope::Kind;
use super::text::{Level, Piece};

impl Generator {
    /// A scalar that is affine in the velocities: a velocity, more of them, and what is not one.
    pub(super) fn affine_scalar(&mut self, depth: usize) -> Piece {
        self.affine(depth, Self::scalar_velocity, Self::scalar)
    }

    /// A vector that is affine in the velocities.
    pub(super) fn affine_vector(&mut self, depth: usize) -> Piece {
        self.affine(depth, Self::vector_velocity, Self::vector)
    }

    fn affine(
        &mut self,
        depth: usize,
        velocity: fn(&mut Self, usize) -> Piece,
        rest: fn(&mut Self, usize) -> Piece,
    ) -> Piece {
        let below = depth.saturating_sub(1);
        let mut sum = velocity(self, below);
        for _ in 0..self.random.below(3) {
            let factor = self.factor(below);
            let term = chain(Level::Term, &factor, "*", &velocity(self, below));
            sum = chain(Level::Sum, &sum, "+", &term);
        }
        if self.random.chance(50) {
            let sign = self.random.pick(&["+", "-"]);
            sum = chain(Level::Sum, &sum, sign, &rest(self, below));
        }
        match self.random.below(8) {
            0 => chain(Level::Term, &sum, "/", &self.positive(below)),
            1 => Piece::new(format!("-{}", sum.fit(Level::Unary)), Level::Unary),
            _ => sum,
        }
    }

    /// A coefficient from 2 to 4.
    fn factor(&mut self, depth: usize) -> Piece {
        let inner = self.bounded(depth);
        Piece::new(format!("3 + {}", inner.fit(Level::Outer)), Level::Sum)
    }

    /// A vector that is not zero: steep, for what a velocity is measured along, or flat, for the
    /// arm of an angular velocity. With an arm of its own kind, or with a zero, a velocity could
    /// vanish: `[1 0] dot (a.angularVel cross [1 0])` is 0, and the compiler finds out.
    fn direction(&mut self, depth: usize, steep: bool) -> Piece {
        let vector = |x: &str, y: &str| {
            Piece::atom(if steep { format!("[{x}, {y}]") } else { format!("[{y}, {x}]") })
        };
        match self.random.below(4) {
            0 => {
                let condition = self.scalar(depth);
                call("choose", &[&condition, &vector("1", "5"), &vector("2", "6")])
            }
            1 => {
                let angle = self.scalar(depth).text;
                vector(&format!("2 + cos({angle})"), &format!("5 + sin({angle})"))
            }
            2 if steep => self.relative(depth, |_, _| Piece::atom("[1 5]")),
            2 => self.relative(depth, |_, _| Piece::atom("[5 1]")),
            _ => {
                let (short, long) = (self.positive(depth), self.positive(depth));
                vector(&short.text, &format!("3 + {}", long.text))
            }
        }
    }

    /// A scalar that is linear in the velocities.
    pub(super) fn scalar_velocity(&mut self, depth: usize) -> Piece {
        let known = self.scope.find(Kind::ScalarVelocity, self.reach, &mut self.random);
        if let (Some(name), true) = (known, self.random.chance(50)) {
            return Piece::atom(name);
        }
        let body = self.body();
        if !self.spend(depth) {
            let field =
                self.random.pick(&["angularVel", "angularVelocity", "velocity.x", "velocity.y"]);
            return Piece::atom(format!("{body}.{field}"));
        }
        let below = depth - 1;
        match self.random.below(5) {
            0..=1 => {
                let along = self.direction(below, true);
                chain(Level::Product, &along, "dot", &self.vector_velocity(below))
            }
            2 => {
                let along = self.direction(below, true);
                chain(Level::Product, &self.vector_velocity(below), "cross", &along)
            }
            3 => {
                let of = self.vector_velocity(below).fit(Level::Postfix);
                Piece::atom(format!("{of}.x"))
            }
            _ => self.choose(below, Self::scalar_velocity),
        }
    }

    /// A vector that is linear in the velocities.
    pub(super) fn vector_velocity(&mut self, depth: usize) -> Piece {
        let known = self.scope.find(Kind::VectorVelocity, self.reach, &mut self.random);
        if let (Some(name), true) = (known, self.random.chance(50)) {
            return Piece::atom(name);
        }
        let body = self.body();
        if !self.spend(depth) {
            return Piece::atom(format!("{body}.velocity"));
        }
        let below = depth - 1;
        match self.random.below(6) {
            0..=1 => {
                let spin = Piece::atom(format!("{body}.angularVel"));
                chain(Level::Product, &spin, "cross", &self.direction(below, false))
            }
            2 => self.relative(below, Self::vector_velocity),
            3 => {
                let turned = self.vector_velocity(below).operand();
                Piece::new(format!("perp {turned}"), Level::Tight)
            }
            4 => {
                let matrix = Piece::atom("[1 2; 3 4]");
                chain(Level::Term, &matrix, "*", &self.vector_velocity(below))
            }
            _ => self.choose(below, Self::vector_velocity),
        }
    }

    fn body(&mut self) -> String {
        // There is one: a `let` hides names only inside expressions without velocities.
        self.scope.find(Kind::Body, self.reach, &mut self.random).unwrap_or_default()
    }
}
