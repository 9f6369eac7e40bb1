//! Random vectors, matrices and blocks of rows.

use super::Generator;
use super::expression::chain;
use super::scope::{Kind, Reach};
use super::text::{Level, Piece};

impl Generator {
    /// A random vector, at most `depth` operations deep.
    pub(super) fn vector(&mut self, depth: usize) -> Piece {
        if !self.spend(depth) {
            return self.vector_leaf();
        }
        let below = depth - 1;
        match self.random.below(20) {
            0..=4 => self.sum(below, Self::vector),
            5 => chain(Level::Term, &self.bounded(below), "*", &self.vector(below)),
            6 => chain(Level::Term, &self.vector(below), "*", &self.bounded(below)),
            7 => self.quotient(below, Self::vector),
            8 => chain(Level::Term, &self.matrix(below), "*", &self.vector(below)),
            9 => self.signed(below, Self::vector),
            10 => self.prefixed("perp", below, Self::vector),
            11 => self.prefixed("unit", below, Self::with_direction),
            12..=14 => self.relative(below, Self::vector),
            15 => self.pair(below),
            16 => chain(Level::Product, &self.bounded(below), "cross", &self.vector(below)),
            17 => match self.random.below(2) {
                0 => chain(Level::Product, &self.vector(below), "cross", &self.bounded(below)),
                _ => chain(Level::Outer, &self.vector(below), "outer", &self.bounded(below)),
            },
            18 => self.choose(below, Self::vector),
            _ => self.binding(below, Self::vector),
        }
    }

    fn vector_leaf(&mut self) -> Piece {
        if self.reach >= Reach::Poses
            && self.random.chance(50)
            && let Some(body) = self.scope.find(Kind::Body, self.reach, &mut self.random)
        {
            return Piece::atom(format!("{body}.position"));
        }
        match self.scope.find(Kind::Vector, self.reach, &mut self.random) {
            Some(name) => Piece::atom(name),
            None => self.pair(0),
        }
    }

    /// `[x y]`
    fn pair(&mut self, depth: usize) -> Piece {
        let elements = [self.scalar(depth), self.scalar(depth)];
        Piece::atom(format!("[{}]", self.list(&elements)))
    }

    /// A vector that has a direction, where it must have one: at zero length that of earlier times
    /// is remembered, and the default of a parameter has no earlier times.
    pub(super) fn with_direction(&mut self, depth: usize) -> Piece {
        if self.reach == Reach::Constants { self.not_zero(depth) } else { self.vector(depth) }
    }

    /// A vector that is not zero.
    fn not_zero(&mut self, depth: usize) -> Piece {
        let elements = [self.positive(depth), self.scalar(depth)];
        Piece::atom(format!("[{}]", self.list(&elements)))
    }

    fn prefixed(
        &mut self,
        word: &str,
        depth: usize,
        inner: fn(&mut Self, usize) -> Piece,
    ) -> Piece {
        let inner = inner(self, depth);
        // `unit(v)` reads like a call and is the same.
        if self.random.chance(30) {
            return Piece::new(format!("{word}({})", inner.text), Level::Tight);
        }
        Piece::new(format!("{word} {}", inner.operand()), Level::Tight)
    }

    /// `relative body v` or `relative angle v`
    pub(super) fn relative(
        &mut self,
        depth: usize,
        vector: fn(&mut Self, usize) -> Piece,
    ) -> Piece {
        let body = self.scope.find(Kind::Body, self.reach, &mut self.random);
        let angle = match body {
            Some(body) if self.random.chance(50) => Piece::atom(body),
            Some(body) if self.random.chance(50) => {
                Piece::new(format!("-{body}.rotation"), Level::Unary)
            }
            _ => self.scalar(depth.min(2)),
        };
        let vector = vector(self, depth).operand();
        Piece::new(format!("relative {} {vector}", angle.operand()), Level::Tight)
    }

    /// A random matrix, at most `depth` operations deep.
    pub(super) fn matrix(&mut self, depth: usize) -> Piece {
        if !self.spend(depth) {
            return match self.scope.find(Kind::Matrix, self.reach, &mut self.random) {
                Some(name) => Piece::atom(name),
                None => self.rows_of_two(0),
            };
        }
        let below = depth - 1;
        match self.random.below(12) {
            0..=1 => self.sum(below, Self::matrix),
            2 => chain(Level::Term, &self.bounded(below), "*", &self.matrix(below)),
            3 => chain(Level::Term, &self.matrix(below), "*", &self.bounded(below)),
            4 => chain(Level::Term, &self.matrix(below), "*", &self.matrix(below)),
            5 => self.quotient(below, Self::matrix),
            6 => self.prefixed("transpose", below, Self::matrix),
            7 => {
                // A direction keeps the product moderate.
                let first = self.prefixed("unit", below, Self::with_direction);
                chain(Level::Outer, &first, "outer", &self.vector(below))
            }
            8 => self.signed(below, Self::matrix),
            9 => self.choose(below, Self::matrix),
            10 => self.binding(below, Self::matrix),
            _ => self.rows_of_two(below),
        }
    }

    /// `[a b; c d]`
    fn rows_of_two(&mut self, depth: usize) -> Piece {
        let first = [self.bounded_or_number(depth), self.bounded_or_number(depth)];
        let second = [self.bounded_or_number(depth), self.bounded_or_number(depth)];
        let (first, second) = (self.list(&first), self.list(&second));
        let between = self.random.pick(&["; ", ";", " ; "]);
        Piece::atom(format!("[{first}{between}{second}]"))
    }

    fn bounded_or_number(&mut self, depth: usize) -> Piece {
        if depth == 0 || self.random.chance(50) { self.number() } else { self.bounded(depth) }
    }

    /// Elements with commas or white space between them.
    pub(super) fn list(&mut self, elements: &[Piece]) -> String {
        let mut text = String::new();
        for (index, element) in elements.iter().enumerate() {
            // A sign with space on both sides would be an operator: `{ a - -b }` is one element.
            let apart = element.text.starts_with("- ") || element.text.starts_with("+ ");
            let separators = if apart { &[", ", ","][..] } else { &[", ", " ", ",", " , "] };
            text.push_str(if index == 0 { "" } else { self.random.pick(separators) });
            text.push_str(&element.text);
        }
        text
    }

    /// Rows of this shape: one bit each below a leading 1, whether it is a vector.
    pub(super) fn block(&mut self, shape: u16, depth: usize) -> Piece {
        let known = self.scope.find(Kind::Block(shape), self.reach, &mut self.random);
        if let (Some(name), true) = (known, self.random.chance(30)) {
            return Piece::atom(name);
        }
        if !self.spend(depth) || self.random.chance(70) {
            return self.braces(shape, depth);
        }
        let below = depth - 1;
        let first = self.block(shape, below);
        match self.random.below(7) {
            0 => chain(Level::Sum, &first, "+", &self.block(shape, below)),
            1 => chain(Level::Sum, &first, "-", &self.block(shape, below)),
            2 => chain(Level::Term, &self.bounded(below), "*", &first),
            3 => chain(Level::Term, &first, "*", &self.bounded(below)),
            4 => chain(Level::Term, &first, "/", &self.positive(below)),
            5 => chain(Level::Outer, &first, "outer", &self.bounded(below)),
            _ => Piece::new(format!("-{}", first.fit(Level::Unary)), Level::Unary),
        }
    }

    fn braces(&mut self, shape: u16, depth: usize) -> Piece {
        let vectors = rows_of(shape);
        let mut elements = Vec::new();
        let mut at = 0;
        while at < vectors.len() {
            // Rows may stand in a block of their own, which changes nothing.
            let inner = at + 1 < vectors.len() && self.random.chance(10);
            let count = if inner { 2 } else { 1 };
            let rows: Vec<Piece> = vectors[at..at + count]
                .iter()
                .map(|vector| if *vector { self.vector(depth) } else { self.scalar(depth) })
                .collect();
            at += count;
            let list = self.list(&rows);
            elements.push(Piece::atom(if inner { format!("{{{list}}}") } else { list }));
        }
        Piece::atom(format!("{{ {} }}", self.list(&elements)))
    }
}

/// Whether each row of a shape is a vector.
pub(super) fn rows_of(shape: u16) -> Vec<bool> {
    let count = u16::BITS - 1 - shape.max(1).leading_zeros();
    (0..count).rev().map(|bit| shape >> bit & 1 == 1).collect()
}
