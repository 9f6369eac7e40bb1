//! Text to tokens.
//!
//! White space matters in one place only, between the elements of a list, so each token carries
//! its span and the parser looks at the gaps.

use crate::error::{Diagnostic, ErrorKind, Span};
use logos::Logos;

/// The words, marks and numbers of the language.
///
/// Keywords are whole words: `united` is a name, `unit` is not.
#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip r"[ \t\r\n\u{feff}]+")]
#[logos(skip(r"#[^\r\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("body")]
    Body,
    #[token("scalar")]
    Scalar,
    #[token("vector")]
    Vector,
    #[token("matrix")]
    Matrix,
    #[token("limit")]
    Limit,
    #[token("constraint")]
    Constraint,
    #[token("velocity")]
    Velocity,
    #[token("axis")]
    Axis,
    #[token("let")]
    Let,
    #[token("in")]
    In,
    #[token("dot")]
    Dot,
    #[token("cross")]
    Cross,
    #[token("outer")]
    Outer,
    #[token("perp")]
    Perp,
    #[token("unit")]
    Unit,
    #[token("transpose")]
    Transpose,
    #[token("relative")]
    Relative,
    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
    Word,
    #[regex(r"([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?", priority = 9)]
    Number,
    /// `2x` or `1.2.3`: caught whole, since white space separates elements and `{ 2x }` must not
    /// become two of them.
    #[regex(r"([0-9]+(\.[0-9]*)?|\.[0-9]+)[\p{XID_Start}_.][\p{XID_Continue}.]*", priority = 3)]
    BadNumber,
    #[token("->")]
    Arrow,
    #[token("+")]
    Plus,
    // The second is what mathematics is printed with.
    #[token("-")]
    #[token("−")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("^")]
    Caret,
    #[token("(")]
    ParenOpen,
    #[token(")")]
    ParenClose,
    #[token("[")]
    BracketOpen,
    #[token("]")]
    BracketClose,
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token("|")]
    Bar,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token("=")]
    Equals,
    #[token(".")]
    Point,
    /// Characters that the language does not know, and about which an error was reported.
    Unknown,
    /// The end of the program.
    End,
}

impl Token {
    /// Whether a declaration starts here. `let` may also start an expression, and is left out.
    pub(crate) fn starts_declaration(self) -> bool {
        use Token::{Axis, Body, Constraint, Limit, Matrix, Scalar, Vector, Velocity};
        matches!(self, Body | Scalar | Vector | Matrix | Limit | Constraint | Velocity | Axis)
    }

    /// Whether an operand can start here. A sign can too, but is looked at on its own.
    pub(crate) fn starts_operand(self) -> bool {
        use Token::{
            Bar, BraceOpen, BracketOpen, Let, Number, ParenOpen, Perp, Relative, Transpose, Unit,
            Word,
        };
        matches!(
            self,
            Word | Number
                | ParenOpen
                | BracketOpen
                | BraceOpen
                | Bar
                | Unit
                | Perp
                | Transpose
                | Relative
                | Let
        )
    }

    /// Whether this is a reserved word.
    pub(crate) fn is_keyword(self) -> bool {
        use Token::{Cross, Dot, In, Let, Outer, Perp, Relative, Transpose, Unit};
        self.starts_declaration()
            || matches!(self, Let | In | Dot | Cross | Outer | Perp | Unit | Transpose | Relative)
    }
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    pub token: Token,
    pub span: Span,
}

/// The tokens of `source`, closed by [`Token::End`], and what could not be read.
pub(crate) fn tokens(source: &str) -> (Vec<Lexeme>, Vec<Diagnostic>) {
    let mut lexemes = Vec::new();
    let mut errors: Vec<Diagnostic> = Vec::new();
    for (token, range) in Token::lexer(source).spanned() {
        let span = Span::new(range.start, range.end);
        match token {
            Ok(Token::BadNumber) => {
                let text = &source[range];
                errors.push(bad_number(span, text));
                // Keep an operand in its place, so that one mistake gives one error.
                lexemes.push(Lexeme { token: Token::Number, span });
            }
            Ok(Token::Number) => {
                if source[range.clone()].parse().is_ok_and(f64::is_infinite) {
                    errors.push(
                        Diagnostic::new(
                            ErrorKind::Lexical,
                            span,
                            format!("the number `{}` is too large", &source[range]),
                        )
                        .label("larger than any finite number")
                        .help("write `inf` for a bound that never acts"),
                    );
                }
                lexemes.push(Lexeme { token: Token::Number, span });
            }
            Ok(token) => lexemes.push(Lexeme { token, span }),
            Err(()) => match (errors.last_mut(), lexemes.last_mut()) {
                (Some(error), Some(Lexeme { token: Token::Unknown, span: last }))
                    if last.end == span.start =>
                {
                    last.end = span.end;
                    error.span = *last;
                    error.message = unknown_text(&source[last.start..last.end]);
                }
                _ => {
                    lexemes.push(Lexeme { token: Token::Unknown, span });
                    errors.push(
                        Diagnostic::new(ErrorKind::Lexical, span, unknown_text(&source[range]))
                            .label("not part of the language")
                            .help_if(unknown_help(&source[span.start..])),
                    );
                }
            },
        }
    }
    let end = source.len();
    lexemes.push(Lexeme { token: Token::End, span: Span::new(end, end) });
    (lexemes, errors)
}

fn unknown_text(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(20) {
        if c.is_control() { shown.extend(c.escape_debug()) } else { shown.push(c) }
    }
    format!("`{shown}` is not part of the language")
}

/// What was probably meant by a mark that other languages have.
fn unknown_help(rest: &str) -> Option<String> {
    let help = match rest.chars().next()? {
        '<' | '>' => {
            "bounds are given with `limit constraint lower upper`, or `limit name lower upper`"
        }
        '!' | '&' | '?' | ':' => {
            "there are no conditions but `choose(c, a, b)`: a where c > 0, else b"
        }
        '%' => "there is no remainder; angles are unwrapped",
        '"' | '\'' => "names are written without quotes",
        '°' => "angles are in radians: `20 * pi / 180`",
        '×' => "write `cross`",
        '·' => "write `dot` or `*`",
        '‖' => "write `|`",
        _ => return None,
    };
    Some(help.to_owned())
}

fn bad_number(span: Span, text: &str) -> Diagnostic {
    let split = text
        .char_indices()
        .find(|(_, c)| !(c.is_ascii_digit() || *c == '.'))
        .map_or(text.len(), |(at, _)| at);
    let (number, word) = text.split_at(split);
    let error =
        Diagnostic::new(ErrorKind::Lexical, span, format!("`{}` is not a number", clip(text)));
    let points = number.matches('.').count();
    if word.is_empty() && points == 1 {
        error
            .label("digits are missing")
            .help(format!("a number has digits after its point: `{}0`", clip(number)))
    } else if word.is_empty() || points > 1 {
        error.label("not a number")
    } else if word.starts_with("deg") {
        error.label("angles are in radians").help(format!("write `{number} * pi / 180`"))
    } else {
        error
            .label("a number runs into a name")
            .help(format!("a product is written with `*`: `{number} * {}`", clip(word)))
    }
}

/// The first characters of a text that may be long.
pub(crate) fn clip(text: &str) -> String {
    const SHOWN: usize = 40;
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    text.chars().take(SHOWN).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<Token> {
        tokens(source).0.into_iter().map(|each| each.token).collect()
    }

    #[test]
    fn keywords_are_whole_words() {
        use Token::{End, Unit, Word};
        assert_eq!(kinds("unit united dotted limits inner"), [Unit, Word, Word, Word, Word, End]);
    }

    #[test]
    fn numbers() {
        use Token::{End, Number};
        assert_eq!(kinds("1 1.5 .5 1e-3 2E+4"), [Number, Number, Number, Number, Number, End]);
        for bad in ["2x", "1.2.3", "1e", "3rad", "1."] {
            assert_eq!(tokens(bad).1.len(), 1, "{bad}");
        }
        assert_eq!(tokens("1e999").1[0].kind, ErrorKind::Lexical);
    }

    #[test]
    fn comments_and_unknown_characters() {
        assert_eq!(kinds("a # b\n c"), [Token::Word, Token::Word, Token::End]);
        let (_, errors) = tokens("a @@@ b");
        assert_eq!(errors.len(), 1, "neighbouring characters make one error");
        assert_eq!(errors[0].span, Span::new(2, 5));
    }
}
