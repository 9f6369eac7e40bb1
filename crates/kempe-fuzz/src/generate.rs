//! Random well-typed programs.
//!
//! A program is made in the order in which the compiler gives meaning to it (bodies and
//! parameters, shared names and axes, rates, statements), since that is the order in which names
//! become visible, and then written in any order that the language allows.

mod expression;
mod scope;
mod shape;
mod text;
mod velocity;

use crate::random::Random;
use scope::{Kind, Reach, Scope};
use shape::rows_of;
use text::{Level, Piece, spread};

/// What a random program is made with.
struct Generator {
    random: Random,
    scope: Scope,
    /// What the present expression may depend on.
    reach: Reach,
    /// How many more operations the present declaration may have.
    fuel: usize,
    /// Declarations whose order matters: `let` and `axis`.
    ordered: Vec<String>,
    /// Declarations that may stand anywhere.
    free: Vec<String>,
    axes: Vec<String>,
    parameters: Vec<(Kind, String)>,
}

/// The `seed`-th random program, which [`kempe_equation::Program::parse`] accepts.
pub fn program(seed: u64) -> String {
    let mut generator = Generator {
        random: Random::new(seed),
        scope: Scope::default(),
        reach: Reach::Constants,
        fuel: 0,
        ordered: Vec::new(),
        free: Vec::new(),
        axes: Vec::new(),
        parameters: Vec::new(),
    };
    generator.bodies();
    generator.parameters();
    generator.shared();
    generator.rates();
    generator.statements();
    generator.assemble()
}

impl Generator {
    fn bodies(&mut self) {
        let mut names = Vec::new();
        for _ in 0..self.random.pick(&[1, 2, 2, 2, 2, 3, 3, 4]) {
            let name = self.scope.fresh(&mut self.random);
            self.scope.push(&name, Kind::Body, Reach::Poses);
            names.push(name);
        }
        let split = if self.random.chance(20) { self.random.below(names.len()) } else { 0 };
        for group in [&names[..split], &names[split..]] {
            if !group.is_empty() {
                self.free.push(format!("body {}", group.join(", ")));
            }
        }
    }

    fn parameters(&mut self) {
        for _ in 0..self.random.below(6) {
            let kind = self.random.pick(&[
                Kind::Scalar,
                Kind::Scalar,
                Kind::Vector,
                Kind::Vector,
                Kind::Matrix,
            ]);
            let name = self.scope.fresh(&mut self.random);
            self.scope.push(&name, kind, Reach::Parameters);
            self.parameters.push((kind, name));
        }
    }

    /// Declares the parameters, with defaults and rates.
    fn rates(&mut self) {
        let mut last = None;
        for (kind, mut text) in std::mem::take(&mut self.parameters) {
            if self.random.chance(60) {
                self.start(Reach::Constants, 6);
                text = format!("{text} = {}", self.of(kind, 3).text);
            }
            if self.random.chance(30) {
                self.start(Reach::Parameters, 6);
                text = format!("{text} -> {}", self.of(kind, 3).text);
            }
            match self.free.last_mut() {
                Some(before) if last == Some(kind) && self.random.chance(70) => {
                    before.push_str(", ");
                    before.push_str(&text);
                }
                _ => {
                    let word = match kind {
                        Kind::Vector => "vector",
                        Kind::Matrix => "matrix",
                        _ => "scalar",
                    };
                    self.free.push(format!("{word} {text}"));
                }
            }
            last = Some(kind);
        }
    }

    /// Before a declaration: what it may depend on, and how large it may be.
    fn start(&mut self, reach: Reach, fuel: usize) {
        self.reach = reach;
        self.fuel = self.random.between(1, fuel);
    }

    fn of(&mut self, kind: Kind, depth: usize) -> Piece {
        match kind {
            Kind::Vector => self.vector(depth),
            Kind::Matrix => self.matrix(depth),
            Kind::Block(shape) => self.block(shape, depth),
            Kind::ScalarVelocity => self.scalar_velocity(depth),
            Kind::VectorVelocity => self.vector_velocity(depth),
            Kind::Scalar | Kind::Body => self.scalar(depth),
        }
    }

    /// Shared names and axes.
    fn shared(&mut self) {
        for _ in 0..self.random.below(4) {
            let shape = self.shape();
            let kind = self.random.pick(&[
                Kind::Scalar,
                Kind::Vector,
                Kind::Vector,
                Kind::Matrix,
                Kind::Block(shape),
                Kind::Body,
                Kind::ScalarVelocity,
                Kind::VectorVelocity,
            ]);
            let reach = if self.random.chance(80) { Reach::Poses } else { Reach::Parameters };
            let moves = matches!(kind, Kind::Body | Kind::ScalarVelocity | Kind::VectorVelocity);
            self.start(if moves { Reach::Poses } else { reach }, 10);
            let reach = self.reach;
            let value = match kind {
                // A second name for a body.
                Kind::Body => self.scope.find(kind, reach, &mut self.random).unwrap_or_default(),
                kind => self.of(kind, 4).text,
            };
            let name = self.scope.fresh(&mut self.random);
            self.ordered.push(format!("let {name} = {value}"));
            self.scope.push(&name, kind, reach);
        }
        for _ in 0..self.random.pick(&[0, 0, 0, 1, 1, 2]) {
            self.axis();
        }
    }

    fn axis(&mut self) {
        self.start(Reach::Poses, 10);
        let value = self.scalar(4);
        let name = self.scope.fresh(&mut self.random);
        let at = self.ordered.len();
        self.ordered.insert(at, format!("axis {name} = {}", value.text));
        self.scope.push(&name, Kind::Scalar, Reach::Poses);
        self.axes.push(name);
    }

    /// One to five rows, each a scalar or a vector. See [`Kind::Block`].
    fn shape(&mut self) -> u16 {
        let count = self.random.pick(&[1, 2, 2, 2, 3, 3, 5]);
        (0..count).fold(1, |shape, _| shape << 1 | u16::from(self.random.chance(30)))
    }

    fn statements(&mut self) {
        let what = self.random.below(10);
        if what < 8 {
            self.constraint();
        }
        if what >= 6 {
            self.velocity_constraint();
        }
        for axis in self.axes.clone() {
            if self.random.chance(50) {
                let (low, high) = self.bounds();
                let limit = self.limit(&[Piece::atom(axis), low, high]);
                self.free.push(limit);
            }
        }
        for _ in 0..self.random.pick(&[0, 0, 1, 1, 2]) {
            let check = self.check();
            self.free.push(check);
        }
    }

    fn constraint(&mut self) {
        self.start(Reach::Poses, 30);
        let depth = self.random.between(1, 5);
        let (shape, value) = match self.random.below(4) {
            0..=1 => (0b10, self.scalar(depth)),
            2 => (0b11, self.vector(depth)),
            _ => {
                let shape = self.shape();
                (shape, self.block(shape, depth))
            }
        };
        self.free.push(format!("constraint {}", value.text));
        if self.random.chance(50) {
            self.limit_of("constraint", shape);
        }
    }

    fn velocity_constraint(&mut self) {
        self.start(Reach::Poses, 20);
        let depth = self.random.between(1, 4);
        let (shape, value) = match self.random.below(4) {
            0..=1 => (0b10, self.affine_scalar(depth)),
            2 => (0b11, self.affine_vector(depth)),
            _ => {
                let shape = self.shape();
                let rows: Vec<Piece> = rows_of(shape)
                    .into_iter()
                    .map(|vector| match vector {
                        true => self.affine_vector(depth),
                        false => self.affine_scalar(depth),
                    })
                    .collect();
                (shape, Piece::atom(format!("{{ {} }}", self.list(&rows))))
            }
        };
        self.free.push(format!("velocity constraint {}", value.text));
        if self.random.chance(40) {
            self.limit_of("velocity constraint", shape);
        }
    }

    fn limit_of(&mut self, what: &str, shape: u16) {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for vector in rows_of(shape) {
            // A vector is bounded by a vector or by two rows.
            let pairs = [self.bounds(), self.bounds()];
            let count = 1 + usize::from(vector);
            let (low, high): (Vec<Piece>, Vec<Piece>) = pairs.into_iter().take(count).unzip();
            if vector && self.random.chance(50) {
                lower.push(Piece::atom(format!("[{}]", self.list(&low))));
                upper.push(Piece::atom(format!("[{}]", self.list(&high))));
            } else {
                lower.extend(low);
                upper.extend(high);
            }
        }
        let ends = [lower, upper].map(|mut rows| match rows.len() {
            1 if self.random.chance(80) => rows.swap_remove(0),
            _ => Piece::atom(format!("{{{}}}", self.list(&rows))),
        });
        let limit = format!("limit {what} {}", self.list(&ends));
        self.free.push(limit);
    }

    /// A lower and an upper bound that it is never above.
    fn bounds(&mut self) -> (Piece, Piece) {
        self.start(Reach::Parameters, 4);
        let minus = |text: &str| Piece::new(format!("-{text}"), Level::Unary);
        match self.random.below(8) {
            0..=1 => (minus("1"), Piece::atom("1")),
            2 => (Piece::atom("0"), Piece::atom("inf")),
            3 => (minus("inf"), Piece::atom("0")),
            4 => (Piece::atom("0"), Piece::atom("0")),
            5 => (minus("inf"), Piece::atom("inf")),
            _ => {
                let low = self.bounded(2).fit(Level::Sum);
                (Piece::new(format!("{low} - 2"), Level::Sum), self.positive(2))
            }
        }
    }

    /// A `limit` that holds whatever the parameters and the poses are.
    fn check(&mut self) -> String {
        self.start(Reach::Poses, 5);
        if self.random.chance(50) {
            self.reach = Reach::Parameters;
        }
        let minus_one = || Piece::new("-1", Level::Unary);
        let all = match self.random.below(5) {
            0 => [Piece::atom("0"), minus_one(), Piece::atom("1")],
            1..=2 => [self.bounded(3), minus_one(), Piece::atom("1")],
            3 => {
                let length = Piece::atom(format!("|{}|", self.vector(2).text));
                [length, Piece::atom("0"), Piece::atom("inf")]
            }
            _ => [self.positive(2), Piece::atom("eps"), Piece::atom("2 + 2")],
        };
        self.limit(&all)
    }

    fn limit(&mut self, all: &[Piece; 3]) -> String {
        let mut all = all.clone();
        for each in &mut all {
            if self.random.chance(30) {
                *each = Piece::atom(format!("({})", each.text));
            }
        }
        // The name of an axis in parentheses is still that axis.
        format!("limit {}", self.list(&all))
    }

    /// All declarations, in an order that the language allows.
    fn assemble(mut self) -> String {
        let mut all = std::mem::take(&mut self.free);
        let orderly = self.random.chance(70);
        let mut least = 0;
        if !orderly {
            self.random.shuffle(&mut all);
        } else {
            let declares = |text: &&String| text.starts_with("body") || is_parameter(text);
            least = all.iter().take_while(declares).count();
        }
        for text in std::mem::take(&mut self.ordered) {
            let at = if orderly { least } else { self.random.between(least, all.len()) };
            all.insert(at, text);
            least = at + 1;
        }
        let mut text = String::new();
        if self.random.chance(30) {
            text.push_str("# A random joint: { [ ( | let\n");
        }
        for declaration in all {
            text.push_str(&declaration);
            text.push_str(self.random.pick(&["\n", "\n", "\n", "\n\n", "  ", " # in\n"]));
        }
        spread(&text, &mut self.random)
    }
}

fn is_parameter(text: &str) -> bool {
    ["scalar ", "vector ", "matrix "].iter().any(|word| text.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kempe_equation::Program;

    /// Separated by `~`.
    const WORDS: &str = "body ~scalar ~vector ~matrix ~limit ~limit constraint~axis ~let ~ in ~\
        velocity constraint~limit velocity constraint~ dot ~ cross ~ outer ~perp ~unit ~\
        transpose ~relative ~sin(~cos(~tan(~asin(~acos(~atan2(~sqrt(~exp(~ln(~abs(~sign(~min(~\
        max(~clamp(~choose(~pi~inf~eps~time~#~->~.position~.rotation~.velocity~.angularVel~\
        .angularVelocity~.xy~^-~{~;~||~--";

    #[test]
    fn generated_programs_are_well_typed_and_cover_the_language() {
        let mut unseen: Vec<&str> = WORDS.split('~').collect();
        for seed in 0..3000 {
            let source = program(seed);
            let read = |text: &str| {
                Program::parse(text).unwrap_or_else(|errors| panic!("{seed}: {errors}\n{source}"))
            };
            let first = read(&source);
            let text = first.to_string();
            assert_eq!(read(&text).to_string(), text, "{seed}");
            unseen.retain(|word| !source.contains(word));
        }
        assert!(unseen.is_empty(), "never generated: {unseen:?}");
    }

    #[test]
    fn equal_seeds_give_equal_programs() {
        assert_eq!(program(99), program(99));
        assert_ne!(program(99), program(100));
    }
}
