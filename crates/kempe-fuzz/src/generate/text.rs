//! Pieces of program text: how tightly they bind, and white space between their words.

use crate::random::Random;

/// How tightly the outermost operation of a piece binds: the order of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Let,
    Sum,
    Outer,
    Product,
    Term,
    Unary,
    Power,
    Tight,
    Postfix,
}

impl Level {
    /// The level of the operands of a chain of this level.
    pub(super) fn tighter(self) -> Self {
        match self {
            Self::Let => Self::Sum,
            Self::Sum => Self::Outer,
            Self::Outer => Self::Product,
            Self::Product => Self::Term,
            Self::Term => Self::Unary,
            Self::Unary => Self::Power,
            Self::Power => Self::Tight,
            Self::Tight | Self::Postfix => Self::Postfix,
        }
    }
}

/// An expression as text. A space in it may become any white space.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub text: String,
    pub level: Level,
}

impl Piece {
    pub(super) fn new(text: impl Into<String>, level: Level) -> Self {
        Self { text: text.into(), level }
    }

    /// A name, a number or a bracket.
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self::new(text, Level::Postfix)
    }

    /// The text, in parentheses if it binds less tightly than `least`.
    pub(super) fn fit(&self, least: Level) -> String {
        if self.level >= least { self.text.clone() } else { format!("({})", self.text) }
    }

    /// An operand of a function word: signs may stand in front of it.
    pub(super) fn operand(&self) -> String {
        // `-a * b` is a product, and `-a^2` a power: of what starts with a sign, only a sign in
        // front of something tight may stay bare.
        match self.text.strip_prefix('-') {
            Some(rest) if self.level == Level::Unary && is_word(rest) => self.text.clone(),
            // `unit (v).x` is a component of the direction, not the sign of a component.
            _ if self.level == Level::Postfix && self.text.starts_with('(') => {
                format!("({})", self.text)
            }
            _ => self.fit(Level::Tight),
        }
    }
}

/// Whether this is one name, with or without fields.
fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}

/// The program with its single spaces made into white space of all sorts.
pub(super) fn spread(text: &str, random: &mut Random) -> String {
    // Most programs stay readable; a few are spread out everywhere.
    let often = random.pick(&[0, 0, 2, 2, 10, 60]);
    let mut spread = String::with_capacity(text.len());
    let mut comment = false;
    for c in text.chars() {
        comment = (comment || c == '#') && c != '\n';
        if c == ' ' && !comment && random.chance(often) {
            let gaps = ["  ", "\n", "\t", "\r\n", " # why\n", " #\n", "   \n  ", " # |({[ λ\n "];
            spread.push_str(random.pick(&gaps));
        } else {
            spread.push(c);
        }
    }
    spread
}
