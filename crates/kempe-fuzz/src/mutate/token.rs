//! Text cut into tokens, without caring whether they are the language's, and its vocabulary.

use crate::random::Random;

/// What a token looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Space,
    Word,
    Number,
    Mark,
}

/// A run of white space, a word, a number, or a mark.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub class: Class,
    pub text: String,
}

fn class_of(c: char) -> Class {
    match c {
        c if c.is_whitespace() => Class::Space,
        c if c.is_ascii_digit() => Class::Number,
        c if c.is_alphabetic() || c == '_' => Class::Word,
        _ => Class::Mark,
    }
}

/// The tokens of a text; joined, they are the text.
pub(super) fn split(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for c in text.chars() {
        let class = class_of(c);
        let joins = |last: &Token| match (last.class, class) {
            (Class::Mark, _) | (_, Class::Mark) => false,
            (Class::Word, Class::Number) => true,
            (before, now) => before == now,
        };
        match tokens.last_mut() {
            Some(last) if joins(last) => last.text.push(c),
            _ => tokens.push(Token { class, text: c.to_string() }),
        }
    }
    tokens
}

/// The words and marks of the language, as libFuzzer's dictionary has them too.
pub(super) const VOCABULARY: [&str; 72] = [
    "body",
    "scalar",
    "vector",
    "matrix",
    "limit",
    "constraint",
    "velocity",
    "axis",
    "let",
    "in",
    "dot",
    "cross",
    "outer",
    "perp",
    "unit",
    "transpose",
    "relative",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan2",
    "sqrt",
    "exp",
    "ln",
    "abs",
    "sign",
    "min",
    "max",
    "clamp",
    "choose",
    "pi",
    "inf",
    "eps",
    "time",
    "position",
    "rotation",
    "angularVel",
    "angularVelocity",
    "x",
    "y",
    "xx",
    "xy",
    "yx",
    "yy",
    "a",
    "b",
    "->",
    "+",
    "-",
    "*",
    "/",
    "^",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    ",",
    ";",
    "=",
    ".",
    "#",
    " ",
    "\n",
    "0",
    "1",
    "2",
    ".5",
];

/// Numbers at the edges: of f32 and f64, of the limits of the compiler, and ones that are none.
const NUMBERS: [&str; 26] = [
    "0",
    "1",
    "2",
    "0.5",
    "-1",
    "16",
    "17",
    "1e7",
    "1e-7",
    "1e38",
    "1e39",
    "1e-45",
    "1e300",
    "1e308",
    "1e309",
    "1e-308",
    "1e-400",
    "4.9e-324",
    "9007199254740993",
    "1e16",
    "1e-5",
    "1e-6",
    "0.1e1",
    "1.2.3",
    "2x",
    "00000000000000000000000000001",
];

/// Characters that a lexer may trip over.
const STRANGE: [&str; 14] = [
    "λ", "é", "e\u{301}", "角", "\u{200b}", "\u{202e}", "\u{feff}", "🙂", "−", "·", "\0", "\r",
    "\u{2028}", "²",
];

/// A token of the language or near it.
pub(super) fn random_token(random: &mut Random) -> String {
    match random.below(20) {
        0..=1 => number(random),
        2 => random.pick(&STRANGE).to_owned(),
        _ => random.pick(&VOCABULARY).to_owned(),
    }
}

/// A number, most often at some edge.
pub(super) fn number(random: &mut Random) -> String {
    match random.below(5) {
        0 => format!("{}", random.below(100)),
        1 => format!("{}e{}", random.below(1000), random.below(400) as i64 - 200),
        2 => format!("{:?}", f64::from_bits(random.bits()).abs()),
        _ => random.pick(&NUMBERS).to_owned(),
    }
}
