//! Tokens to a syntax tree: the expressions.
//!
//! ```text
//! expr    = { "let" name "=" expr "in" } sum
//! sum     = outer { ("+" | "-") outer }
//! outer   = product { "outer" product }
//! product = term { ("dot" | "cross") term }
//! term    = unary { ("*" | "/") unary }
//! unary   = ("-" | "+") unary | power
//! power   = tight [ "^" exponent ]            exponent = ("-" | "+") exponent | power
//! tight   = ("unit" | "perp" | "transpose") last | "relative" operand last | postfix
//! last    = "(" expr ")" { "." name } | operand
//! operand = ("-" | "+") operand | tight
//! postfix = atom { "." name }
//! atom    = number | name | function "(" expr { "," expr } ")" | "(" expr ")" | "|" expr "|"
//!         | "[" list "]" | "[" list ";" list "]" | "{" list "}"
//! list    = expr { [","] expr } [","]
//! ```
//! In a list, and after `limit`, white space separates elements, and a sign with space before it
//! and none after it starts a new element: `{ a -b }` is two, `{ a - b }` and `{ a-b }` are one.
//! A bar opens where an operand is expected and closes where an operator is, so bars nest.

use super::{Broken, Parsed, Parser};
use crate::error::{Diagnostic, ErrorKind, Span, did_you_mean};
use crate::lexer::Token;
use crate::limits::MAX_DEPTH;
use crate::syntax::{Binary, Expr, ExprId, Function, Name, Prefix};

impl Parser<'_> {
    pub(super) fn expression(&mut self, list: bool) -> Parsed<ExprId> {
        self.nested(|parser| {
            let start = parser.span();
            let mut bindings = Vec::new();
            while parser.peek() == Token::Let {
                parser.advance();
                let name = parser.name("a name after `let`")?;
                parser.expect(Token::Equals, "`=` after the name")?;
                let value = parser.expression(false)?;
                parser.keyword_in(&name)?;
                bindings.push((name, value));
            }
            let body = parser.sum(list)?;
            if bindings.is_empty() {
                return Ok(body);
            }
            let span = start.to(parser.syntax.span(body));
            Ok(parser.syntax.push(Expr::Let(bindings, body), span))
        })
    }

    /// The `in` of a `let`. If it is missing the body is read all the same, so that the rest of
    /// the program is still looked at.
    fn keyword_in(&mut self, name: &Name) -> Parsed<()> {
        if self.peek() == Token::In {
            self.advance();
            return Ok(());
        }
        let at = self.previous_end();
        let error = Diagnostic::new(
            ErrorKind::MissingIn,
            Span::new(at, at),
            format!("expected `in` after the value of `{}`", name.text),
        )
        .label("`in` is missing here")
        .related(name.span, "the `let` that it belongs to")
        .help("a `let` inside an expression is written `let name = value in expression`");
        self.report(error);
        if self.peek().starts_operand() { Ok(()) } else { Err(Broken) }
    }

    fn sum(&mut self, list: bool) -> Parsed<ExprId> {
        self.chain(list, Self::outer, |token| match token {
            Token::Plus => Some(Binary::Add),
            Token::Minus => Some(Binary::Subtract),
            _ => None,
        })
    }

    fn outer(&mut self, list: bool) -> Parsed<ExprId> {
        self.chain(list, Self::product, |token| (token == Token::Outer).then_some(Binary::Outer))
    }

    fn product(&mut self, list: bool) -> Parsed<ExprId> {
        self.chain(list, Self::term, |token| match token {
            Token::Dot => Some(Binary::Dot),
            Token::Cross => Some(Binary::Cross),
            _ => None,
        })
    }

    fn term(&mut self, list: bool) -> Parsed<ExprId> {
        self.chain(list, Self::unary, |token| match token {
            Token::Star => Some(Binary::Multiply),
            Token::Slash => Some(Binary::Divide),
            _ => None,
        })
    }

    /// Operands joined by operators of one precedence.
    fn chain(
        &mut self,
        list: bool,
        operand: fn(&mut Self, bool) -> Parsed<ExprId>,
        operator: fn(Token) -> Option<Binary>,
    ) -> Parsed<ExprId> {
        let first = operand(self, list)?;
        let mut rest = Vec::new();
        while let Some(binary) = operator(self.peek()) {
            let sign = matches!(binary, Binary::Add | Binary::Subtract);
            if list && sign && self.space_before() && !self.space_after() {
                break;
            }
            self.advance();
            rest.push((binary, operand(self, list)?));
        }
        let Some((_, last)) = rest.last() else {
            return Ok(first);
        };
        let span = self.syntax.span(first).to(self.syntax.span(*last));
        Ok(self.syntax.push(Expr::Chain(first, rest), span))
    }

    fn unary(&mut self, _list: bool) -> Parsed<ExprId> {
        self.signed(Self::power)
    }

    /// Signs in front of what `operand` reads.
    fn signed(&mut self, operand: impl FnOnce(&mut Self) -> Parsed<ExprId>) -> Parsed<ExprId> {
        let mut signs = Vec::new();
        loop {
            let sign = match self.peek() {
                Token::Minus => Prefix::Minus,
                Token::Plus => Prefix::Plus,
                _ => break,
            };
            signs.push((sign, self.span()));
            if signs.len() > MAX_DEPTH {
                return self.too_deep();
            }
            self.advance();
        }
        let mut value = operand(self)?;
        for (sign, start) in signs.into_iter().rev() {
            let span = start.to(self.syntax.span(value));
            value = self.syntax.push(Expr::Prefix(sign, value), span);
        }
        Ok(value)
    }

    fn power(&mut self) -> Parsed<ExprId> {
        let base = self.tight()?;
        if self.peek() != Token::Caret {
            return Ok(base);
        }
        self.advance();
        let exponent = self.nested(|parser| parser.signed(Self::power))?;
        let span = self.syntax.span(base).to(self.syntax.span(exponent));
        Ok(self.syntax.push(Expr::Power(base, exponent), span))
    }

    fn tight(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        let prefix = match self.peek() {
            Token::Unit => Prefix::Unit,
            Token::Perp => Prefix::Perp,
            Token::Transpose => Prefix::Transpose,
            Token::Relative => {
                self.advance();
                let angle = self.operand()?;
                if self.peek() == Token::Comma {
                    return self.fail_here("write `relative angle vector`", "a vector");
                }
                let vector = self.last_operand()?;
                let span = start.to(self.syntax.span(vector));
                let value = self.syntax.push(Expr::Relative(angle, vector), span);
                return self.fields(value);
            }
            _ => return self.postfix(),
        };
        self.advance();
        let value = self.last_operand()?;
        let span = start.to(self.syntax.span(value));
        let value = self.syntax.push(Expr::Prefix(prefix, value), span);
        self.fields(value)
    }

    fn operand(&mut self) -> Parsed<ExprId> {
        self.nested(|parser| parser.signed(Self::tight))
    }

    /// What a prefix word applies to. In parentheses it is like the argument of a call: a
    /// component that is taken behind them is the result's, as in `unit(v).x`.
    fn last_operand(&mut self) -> Parsed<ExprId> {
        if self.peek() == Token::ParenOpen {
            return self.nested(Self::atom);
        }
        self.operand()
    }

    fn postfix(&mut self) -> Parsed<ExprId> {
        let value = self.atom()?;
        self.fields(value)
    }

    /// The components taken of `value`.
    fn fields(&mut self, mut value: ExprId) -> Parsed<ExprId> {
        while self.peek() == Token::Point {
            if self.space_before() || self.space_after() {
                return self.fail_here("there is no white space around `.`", "an operator");
            }
            self.advance();
            let span = self.span();
            if self.peek() != Token::Word && !self.peek().is_keyword() {
                let help = "a part of a body or of a vector has a name";
                return self.fail_here(help, "a name after `.`");
            }
            let field = Name { text: self.text(span).to_owned(), span };
            self.advance();
            let whole = self.syntax.span(value).to(span);
            value = self.syntax.push(Expr::Field(value, field), whole);
        }
        Ok(value)
    }

    fn atom(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        match self.peek() {
            Token::Number => {
                // A number that could not be read was reported by the lexer.
                let value = self.text(start).parse().unwrap_or(0.0);
                self.advance();
                Ok(self.syntax.push(Expr::Number(value), start))
            }
            Token::Word => self.word(),
            Token::ParenOpen => {
                self.advance();
                let value = self.expression(false)?;
                self.close(Token::ParenClose, "`)`", start)?;
                // The parentheses belong to the span: a label should cover them.
                self.syntax.spans[value.0 as usize] = self.since(start);
                Ok(value)
            }
            Token::Bar => {
                self.advance();
                let value = self.expression(false)?;
                self.close(Token::Bar, "a closing `|`", start)?;
                Ok(self.syntax.push(Expr::Bars(value), self.since(start)))
            }
            Token::BraceOpen => {
                self.advance();
                let elements = self.list(Token::BraceClose)?;
                self.close(Token::BraceClose, "`}`", start)?;
                Ok(self.syntax.push(Expr::Block(elements), self.since(start)))
            }
            Token::BracketOpen => {
                self.advance();
                let mut rows = vec![self.list(Token::BracketClose)?];
                while self.peek() == Token::Semicolon {
                    self.advance();
                    rows.push(self.list(Token::BracketClose)?);
                }
                self.close(Token::BracketClose, "`]`", start)?;
                let span = self.since(start);
                let expr = match rows.len() {
                    1 => Expr::Vector(rows.swap_remove(0)),
                    _ => Expr::Matrix(rows),
                };
                Ok(self.syntax.push(expr, span))
            }
            Token::Star => self.fail_here("a power is written with `^`", "an operand"),
            Token::Slash => self.fail_here("a comment starts with `#`", "an operand"),
            Token::Dot | Token::Cross | Token::Outer => {
                let word = self.text(self.span()).to_owned();
                self.fail_here(&format!("it stands between: `u {word} v`"), "an operand")
            }
            Token::Let => self.fail_here(
                "inside an expression, `let … in …` stands in parentheses",
                "an operand",
            ),
            _ => {
                let error = self.unexpected("an operand (a name, a number, `(`, `[`, `{` or `|`)");
                self.report(error);
                Err(Broken)
            }
        }
    }

    /// A name, or a call of a built-in function.
    fn word(&mut self) -> Parsed<ExprId> {
        let span = self.span();
        let text = self.text(span).to_owned();
        self.advance();
        let calls = self.peek() == Token::ParenOpen;
        if let Some((function, count)) = Function::named(&text) {
            if !calls {
                return self.fail_here(
                    &format!("a function is called with parentheses: `{text}(…)`"),
                    &format!("`(` after `{text}`"),
                );
            }
            return self.call(function, count, span);
        }
        if calls && !self.space_before() {
            let functions = Function::ALL.iter().map(|each| each.0);
            let help = match text.to_lowercase().as_str() {
                "length" | "norm" | "len" | "magnitude" => "a length is written `|v|`".to_owned(),
                "normalize" | "normalise" => "a direction is written `unit v`".to_owned(),
                "deg" | "degrees" | "radians" | "rad" => {
                    "angles are in radians: `20 * pi / 180`".to_owned()
                }
                "pow" | "power" => "a power is written with `^`".to_owned(),
                "log" => "the natural logarithm is `ln`".to_owned(),
                "atan" | "arctan" => "write `atan2(y, x)`".to_owned(),
                "vec" | "vec2" => "a vector is written `[x, y]`".to_owned(),
                _ => did_you_mean(&text, functions).unwrap_or_else(|| {
                    format!(
                        "a product is written with `*`; two elements of a list are `{text} (…)`"
                    )
                }),
            };
            let error = Diagnostic::new(
                ErrorKind::Call,
                span,
                format!("`{text}` is not a function; only built-in functions are called"),
            )
            .label("not a function")
            .help(help);
            self.report(error);
            return Err(Broken);
        }
        Ok(self.syntax.push(Expr::Name(text), span))
    }

    fn call(&mut self, function: Function, count: usize, name: Span) -> Parsed<ExprId> {
        let open = self.span();
        self.advance();
        let mut arguments = Vec::new();
        if self.peek() != Token::ParenClose {
            arguments.push(self.expression(false)?);
            while self.peek() == Token::Comma {
                self.advance();
                arguments.push(self.expression(false)?);
            }
        }
        self.close(Token::ParenClose, "`,` or `)`", open)?;
        let span = self.since(name);
        if arguments.len() != count {
            let plural = if count == 1 { "argument" } else { "arguments" };
            let error = Diagnostic::new(
                ErrorKind::Call,
                span,
                format!("`{}` takes {count} {plural}, {} given", function.name(), arguments.len()),
            )
            .label(format!("expected {count} {plural}"));
            self.report(error);
            return Err(Broken);
        }
        Ok(self.syntax.push(Expr::Call(function, arguments), span))
    }

    /// The elements up to `close` or `;`, separated by commas or white space.
    fn list(&mut self, close: Token) -> Parsed<Vec<ExprId>> {
        let mut elements = Vec::new();
        let ends = |token| token == close || token == Token::Semicolon;
        while !ends(self.peek()) && self.peek() != Token::End && !self.peek().starts_declaration() {
            if !elements.is_empty() {
                if self.peek() == Token::Comma {
                    self.advance();
                    // A comma after the last element is as good as none.
                    if ends(self.peek()) {
                        break;
                    }
                } else if !self.space_before() {
                    let error = self.unexpected("white space or a comma between two elements");
                    self.report(error);
                    return Err(Broken);
                }
            }
            elements.push(self.expression(true)?);
        }
        Ok(elements)
    }

    fn close(&mut self, token: Token, expected: &str, open: Span) -> Parsed<()> {
        if self.peek() == token {
            self.advance();
            return Ok(());
        }
        let mut error = self.unexpected(expected).related(open, "opened here");
        if token == Token::ParenClose && self.peek() == Token::Comma {
            error = error.help("a vector is written `[x, y]`");
        }
        self.report(error);
        Err(Broken)
    }

    fn since(&self, start: Span) -> Span {
        Span::new(start.start, self.previous_end())
    }

    /// Runs `read` one level deeper, if that is allowed.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.too_deep();
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn too_deep<T>(&mut self) -> Parsed<T> {
        let error = Diagnostic::new(
            ErrorKind::TooLarge,
            self.span(),
            format!("the expression is nested deeper than {MAX_DEPTH} levels"),
        )
        .label("too deep")
        .help("name a part of it with `let`");
        self.report(error);
        Err(Broken)
    }
}
