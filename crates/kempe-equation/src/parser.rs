//! Tokens to a syntax tree: the declarations.
//!
//! ```text
//! program     = { declaration }
//! declaration = "body" name { "," name }
//!             | ("scalar" | "vector" | "matrix") parameter { "," parameter }
//!             | "limit" expr expr expr
//!             | "limit" ["velocity"] "constraint" expr expr
//!             | ["velocity"] "constraint" expr
//!             | "axis" name "=" expr
//!             | "let" name "=" expr
//! parameter   = name ["=" expr] ["->" expr]
//! ```
//! A mistake ends its declaration; reading goes on at the next one, so that every broken
//! declaration is reported.

mod expression;

use crate::error::{Diagnostic, ErrorKind, Span, did_you_mean};
use crate::lexer::{Lexeme, Token, clip, tokens};
use crate::syntax::{
    CONSTANTS, Declaration, Expr, ExprId, Function, Name, ParameterSyntax, Syntax,
};
use crate::types::Type;

/// The error was recorded; the declaration cannot be read further.
pub(crate) struct Broken;

type Parsed<T> = Result<T, Broken>;

pub(crate) struct Parser<'s> {
    source: &'s str,
    lexemes: Vec<Lexeme>,
    at: usize,
    depth: usize,
    syntax: Syntax,
    errors: Vec<Diagnostic>,
}

/// Reads a program: what could be read, and the mistakes.
pub(crate) fn parse(source: &str) -> (Syntax, Vec<Diagnostic>) {
    if source.len() > crate::limits::MAX_SOURCE {
        let limit = crate::limits::MAX_SOURCE;
        let error = Diagnostic::new(
            ErrorKind::TooLarge,
            Span::new(0, 0),
            format!("the program has {} bytes; the limit is {limit}", source.len()),
        );
        return (Syntax::default(), vec![error]);
    }
    let (lexemes, errors) = tokens(source);
    let mut parser = Parser { source, lexemes, at: 0, depth: 0, syntax: Syntax::default(), errors };
    while parser.peek() != Token::End {
        if parser.declaration().is_err() {
            parser.depth = 0;
            parser.skip_to_declaration();
        }
    }
    (parser.syntax, parser.errors)
}

impl Parser<'_> {
    fn declaration(&mut self) -> Parsed<()> {
        let start = self.span();
        match self.peek() {
            Token::Body => {
                self.advance();
                let mut names = Vec::new();
                let result = self.names(&mut names);
                self.syntax.declarations.push(Declaration::Bodies(names));
                return result;
            }
            Token::Scalar => self.parameters(Type::Scalar)?,
            Token::Vector => self.parameters(Type::Vector)?,
            Token::Matrix => self.parameters(Type::Matrix)?,
            Token::Limit => self.limit()?,
            Token::Constraint => {
                self.advance();
                if self.peek() == Token::Velocity {
                    let error = Diagnostic::new(
                        ErrorKind::Syntax,
                        self.span(),
                        "expected an operand, found `velocity`",
                    )
                    .label("expected an operand")
                    .help("the words come the other way round: `velocity constraint …`");
                    self.report(error);
                    self.advance();
                    return Err(Broken);
                }
                return self.constraint(false, start);
            }
            Token::Velocity => {
                self.advance();
                let keyword = start.to(self.span());
                self.expect(Token::Constraint, "`constraint` after `velocity`")?;
                return self.constraint(true, keyword);
            }
            Token::Axis => {
                self.advance();
                let name = self.name("a name for the axis")?;
                self.expect(Token::Equals, "`=` after the name of the axis")?;
                let (what, result) = self.whole_expression();
                self.syntax.declarations.push(Declaration::Axis { name, what });
                return result;
            }
            Token::Let => {
                self.advance();
                let name = self.name("a name after `let`")?;
                self.expect(Token::Equals, "`=` after the name")?;
                let (what, result) = self.whole_expression();
                self.syntax.declarations.push(Declaration::Let { name, what });
                result?;
                if self.peek() == Token::In {
                    return self.fail_here(
                        "a `let` that starts a declaration holds for the whole program and has \
                         no `in`; to use `let … in`, start with `constraint` or `axis`",
                        "the next declaration",
                    );
                }
            }
            _ => return self.not_a_declaration(),
        }
        Ok(())
    }

    fn constraint(&mut self, velocity: bool, keyword: Span) -> Parsed<()> {
        let (what, result) = self.whole_expression();
        self.syntax.declarations.push(Declaration::Constraint { velocity, keyword, what });
        result
    }

    /// An expression, or a stand-in for one that is broken: what it belongs to was declared all
    /// the same, and uses of it are no mistakes.
    fn whole_expression(&mut self) -> (ExprId, Parsed<()>) {
        let start = self.span();
        match self.expression(false) {
            Ok(what) => (what, Ok(())),
            Err(broken) => (self.syntax.push(Expr::Broken, start), Err(broken)),
        }
    }

    fn not_a_declaration(&mut self) -> Parsed<()> {
        let words = ["body", "scalar", "vector", "matrix", "limit", "constraint", "velocity"];
        let text = self.text(self.span());
        let help = match (self.peek(), text) {
            (Token::Word, "rowvector") => {
                Some("there are no row vectors: use `vector`, with `dot` and `outer`".to_owned())
            }
            (Token::Word, _) => self.word_help(text, &words),
            (Token::Semicolon, _) => Some("declarations need nothing between them".to_owned()),
            (Token::Slash, _) => Some("a comment starts with `#`".to_owned()),
            (Token::Equals, _) => Some(
                "a constraint is kept at zero, or within `limit constraint`: subtract the right \
                 side"
                    .to_owned(),
            ),
            (Token::In, _) => Some("`in` belongs to a `let` before it".to_owned()),
            _ => None,
        };
        let error = self.unexpected("an operator or the next declaration").help_if(help);
        let misspelt = self.peek() == Token::Word;
        self.report(error);
        self.advance();
        // `velocty constraint`: one mistake, not a position constraint that follows it.
        if misspelt && self.peek() == Token::Constraint {
            self.advance();
        }
        Err(Broken)
    }

    /// What a word that starts no declaration was meant to be.
    fn word_help(&self, text: &str, words: &[&'static str]) -> Option<String> {
        let next = self.lexemes.get(self.at + 1).map(|lexeme| lexeme.token);
        let before = self.at.checked_sub(1).map(|at| self.lexemes[at].token);
        let gap = &self.source[self.previous_end()..self.span().start];
        let same_line = !gap.contains('\n');
        if same_line && self.after_a_name() {
            return Some("names are separated by commas".to_owned());
        }
        if same_line && before == Some(Token::Number) && next != Some(Token::Equals) {
            return Some("a product is written with `*`".to_owned());
        }
        let known = words.iter().copied().chain(["axis", "let"]);
        if let Some(help) = did_you_mean(text, known) {
            return Some(help);
        }
        let meant = match text.to_lowercase().as_str() {
            "bodies" => "body",
            "float" | "double" | "real" | "number" | "int" => "scalar",
            "vec" | "vec2" => "vector",
            "mat" | "mat2" => "matrix",
            "def" | "var" | "const" => "let",
            _ if next == Some(Token::Equals) && same_line => {
                return Some("parameters of one type are separated by commas".to_owned());
            }
            _ if next == Some(Token::Equals) => {
                return Some(format!("a name for a part is given by `let {text} = …`"));
            }
            _ => {
                let rule = "elements stand side by side only inside `{ }`, `[ ]` and after `limit`";
                return Some(rule.to_owned());
            }
        };
        Some(format!("did you mean `{meant}`?"))
    }

    /// Whether the token before this one is a name in a list of names.
    fn after_a_name(&self) -> bool {
        let before = |back: usize| self.at.checked_sub(back).map(|at| self.lexemes[at].token);
        let starts = [Token::Body, Token::Scalar, Token::Vector, Token::Matrix, Token::Comma];
        let list = matches!(
            self.syntax.declarations.last(),
            Some(Declaration::Bodies(_) | Declaration::Parameters(..))
        );
        list && before(1) == Some(Token::Word) && before(2).is_some_and(|t| starts.contains(&t))
    }

    fn limit(&mut self) -> Parsed<()> {
        let start = self.span();
        self.advance();
        let mut velocity = false;
        if self.peek() == Token::Velocity {
            self.advance();
            velocity = true;
            if self.peek() != Token::Constraint {
                return self.fail_here("`velocity` is followed by `constraint`", "`constraint`");
            }
        }
        let of_constraint = self.peek() == Token::Constraint;
        if of_constraint {
            let keyword = start.to(self.span());
            self.advance();
            let lower = self.element("the lower bound")?;
            let upper = self.element("the upper bound")?;
            let limit = Declaration::LimitConstraint { velocity, keyword, lower, upper };
            self.syntax.declarations.push(limit);
        } else {
            let what = self.element("what is limited")?;
            let lower = self.element("the lower bound")?;
            let upper = self.element("the upper bound")?;
            self.syntax.declarations.push(Declaration::Limit { what, lower, upper });
        }
        Ok(())
    }

    /// One of the expressions after `limit`, which stand side by side or with commas between.
    fn element(&mut self, what: &str) -> Parsed<ExprId> {
        let first = matches!(self.lexemes[self.at - 1].token, Token::Limit | Token::Constraint);
        if self.peek() == Token::Comma && !first {
            self.advance();
        }
        let sign = matches!(self.peek(), Token::Plus | Token::Minus);
        if !sign && !self.peek().starts_operand() {
            let error = self
                .unexpected(what)
                .help("`limit` takes an expression, a lower and an upper bound");
            self.report(error);
            return Err(Broken);
        }
        self.expression(true)
    }

    fn parameters(&mut self, kind: Type) -> Parsed<()> {
        self.advance();
        let mut parameters: Vec<ParameterSyntax> = Vec::new();
        let result = loop {
            match self.parameter(kind) {
                Ok((parameter, None)) => parameters.push(parameter),
                // The name is known even if its default is broken: uses of it are no mistakes.
                Ok((parameter, Some(broken))) => {
                    parameters.push(parameter);
                    break Err(broken);
                }
                Err(broken) => break Err(broken),
            }
            if self.peek() != Token::Comma {
                break Ok(());
            }
            self.advance();
        };
        self.syntax.declarations.push(Declaration::Parameters(kind, parameters));
        result
    }

    fn parameter(&mut self, kind: Type) -> Parsed<(ParameterSyntax, Option<Broken>)> {
        let name = self.name("the name of a parameter")?;
        let mut parameter = ParameterSyntax { kind, name, default: None, rate: None };
        if self.peek() == Token::Equals {
            self.advance();
            match self.expression(false) {
                Ok(default) => parameter.default = Some(default),
                Err(broken) => return Ok((parameter, Some(broken))),
            }
        }
        if self.peek() == Token::Arrow {
            self.advance();
            match self.expression(false) {
                Ok(rate) => parameter.rate = Some(rate),
                Err(broken) => return Ok((parameter, Some(broken))),
            }
        }
        Ok((parameter, None))
    }

    /// Names with commas between; those before a mistake are kept.
    fn names(&mut self, names: &mut Vec<Name>) -> Parsed<()> {
        loop {
            names.push(self.name("the name of a body")?);
            if self.peek() != Token::Comma {
                return Ok(());
            }
            self.advance();
        }
    }

    fn name(&mut self, expected: &str) -> Parsed<Name> {
        let span = self.span();
        let text = self.text(span);
        // `body a,` and a declaration on the next line: the name is missing, not badly chosen.
        let gap = &self.source[self.previous_end()..span.start];
        let missing = gap.contains('\n') && self.peek().starts_declaration();
        let reserved = self.peek().is_keyword()
            || Function::named(text).is_some()
            || CONSTANTS.contains(&text);
        if reserved && !missing {
            let error = Diagnostic::new(
                ErrorKind::Reserved,
                span,
                format!("`{text}` is a word of the language and cannot be a name"),
            )
            .label("a reserved word")
            .help(format!("call it `{text}_`, or another name"));
            self.report(error);
            return Err(Broken);
        }
        if self.peek() != Token::Word {
            let error = self.unexpected(expected);
            self.report(error);
            return Err(Broken);
        }
        let name = Name { text: text.to_owned(), span };
        self.advance();
        Ok(name)
    }

    fn expect(&mut self, token: Token, expected: &str) -> Parsed<()> {
        if self.peek() == token {
            self.advance();
            return Ok(());
        }
        let error = self.unexpected(expected);
        self.report(error);
        Err(Broken)
    }

    fn fail_here<T>(&mut self, help: &str, expected: &str) -> Parsed<T> {
        let error = self.unexpected(expected).help(help);
        self.report(error);
        Err(Broken)
    }

    /// Records an error, unless it is about characters that the lexer has complained about.
    fn report(&mut self, error: Diagnostic) {
        if self.peek() != Token::Unknown {
            self.errors.push(error);
        }
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = self.span();
        let text = match self.peek() {
            Token::End => "the end of the program".to_owned(),
            _ => format!("`{}`", clip(self.text(found))),
        };
        // What is missing at the end of a declaration is missed there, not where the next begins.
        let ended = self.peek() == Token::End || self.peek().starts_declaration();
        let end = self.previous_end();
        let span = if ended && self.at > 0 { Span::new(end, end) } else { found };
        Diagnostic::new(ErrorKind::Syntax, span, format!("expected {expected}, found {text}"))
            .label(format!("expected {}", expected.split(" (").next().unwrap_or(expected)))
    }

    fn skip_to_declaration(&mut self) {
        while self.peek() != Token::End && !self.peek().starts_declaration() {
            self.advance();
        }
    }

    fn peek(&self) -> Token {
        self.lexemes[self.at].token
    }

    fn span(&self) -> Span {
        self.lexemes[self.at].span
    }

    fn text(&self, span: Span) -> &str {
        &self.source[span.start..span.end]
    }

    /// Where the token before this one ended.
    fn previous_end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |before| self.lexemes[before].span.end)
    }

    fn space_before(&self) -> bool {
        self.previous_end() < self.span().start
    }

    fn space_after(&self) -> bool {
        self.lexemes.get(self.at + 1).is_none_or(|next| self.span().end < next.span.start)
    }

    fn advance(&mut self) {
        // The closing `End` is never passed.
        self.at = (self.at + 1).min(self.lexemes.len() - 1);
    }
}
