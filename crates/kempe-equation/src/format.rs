//! A program written out in one standard form, which reads back as the same program.

use crate::program::Program;
use crate::syntax::{Binary, Declaration, Expr, ExprId, Prefix, Syntax};
use std::fmt::{self, Write};

impl fmt::Display for Program {
    /// The program in standard form: one declaration a line, lists with commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for declaration in &self.syntax.declarations {
            writeln!(f, "{}", Writer { syntax: &self.syntax }.declaration(declaration))?;
        }
        Ok(())
    }
}

/// How tightly an expression binds; the order of the grammar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
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

struct Writer<'s> {
    syntax: &'s Syntax,
}

impl Writer<'_> {
    fn declaration(&self, declaration: &Declaration) -> String {
        match declaration {
            Declaration::Bodies(names) => {
                let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
                format!("body {}", names.join(", "))
            }
            Declaration::Parameters(kind, parameters) => {
                let each = parameters.iter().map(|parameter| {
                    let mut text = parameter.name.text.clone();
                    if let Some(default) = parameter.default {
                        let _ = write!(text, " = {}", self.expr(default, Level::Let));
                    }
                    if let Some(rate) = parameter.rate {
                        let _ = write!(text, " -> {}", self.expr(rate, Level::Let));
                    }
                    text
                });
                format!("{} {}", kind.keyword(), each.collect::<Vec<_>>().join(", "))
            }
            Declaration::Limit { what, lower, upper } => {
                let all = [what, lower, upper].map(|each| self.expr(*each, Level::Let));
                format!("limit {}, {}, {}", all[0], all[1], all[2])
            }
            Declaration::LimitConstraint { velocity, lower, upper, .. } => {
                let word = if *velocity { "velocity constraint" } else { "constraint" };
                let ends = [lower, upper].map(|each| self.expr(*each, Level::Let));
                format!("limit {word} {}, {}", ends[0], ends[1])
            }
            Declaration::Constraint { velocity, what, .. } => {
                let word = if *velocity { "velocity constraint" } else { "constraint" };
                format!("{word} {}", self.expr(*what, Level::Let))
            }
            Declaration::Axis { name, what } => {
                format!("axis {} = {}", name.text, self.expr(*what, Level::Let))
            }
            Declaration::Let { name, what } => {
                format!("let {} = {}", name.text, self.expr(*what, Level::Let))
            }
        }
    }

    /// An expression, in parentheses if it binds less tightly than `least`.
    fn expr(&self, id: ExprId, least: Level) -> String {
        let (text, level) = self.bare(id);
        if level >= least { text } else { format!("({text})") }
    }

    /// What a component is taken of. Of the result of a prefix word it is taken behind parentheses,
    /// as of a call: `unit (a + b).x`.
    fn whole(&self, id: ExprId) -> (String, Level) {
        match self.syntax.expr(id) {
            Expr::Field(..) => self.bare(id),
            Expr::Prefix(prefix @ (Prefix::Unit | Prefix::Perp | Prefix::Transpose), value) => {
                let value = self.expr(*value, Level::Let);
                (format!("{} ({value})", word(*prefix)), Level::Tight)
            }
            Expr::Relative(angle, vector) => {
                let (angle, vector) = (self.operand(*angle, false), self.expr(*vector, Level::Let));
                (format!("relative {angle} ({vector})"), Level::Tight)
            }
            _ => (self.expr(id, Level::Postfix), Level::Postfix),
        }
    }

    /// What a prefix word applies to; `last` if nothing of the same word follows.
    fn operand(&self, id: ExprId, last: bool) -> String {
        // A sign may stand there as it is; in parentheses it would nest deeper at each reading.
        if let Expr::Prefix(sign @ (Prefix::Minus | Prefix::Plus), value) = self.syntax.expr(id) {
            let sign = if *sign == Prefix::Minus { "-" } else { "+" };
            return format!("{sign}{}", self.operand(*value, last));
        }
        let text = self.expr(id, Level::Tight);
        match self.syntax.expr(id) {
            // `unit (a + b).x` would be read as a component of the unit.
            Expr::Field(..) if last && text.starts_with('(') => format!("({text})"),
            _ => text,
        }
    }

    fn list(&self, elements: &[ExprId]) -> String {
        let texts: Vec<String> = elements.iter().map(|each| self.expr(*each, Level::Let)).collect();
        texts.join(", ")
    }

    fn bare(&self, id: ExprId) -> (String, Level) {
        match self.syntax.expr(id) {
            Expr::Number(value) => (number(*value), Level::Postfix),
            Expr::Name(name) => (name.clone(), Level::Postfix),
            // Not part of any program that was accepted.
            Expr::Broken => (String::new(), Level::Postfix),
            Expr::Field(of, field) => {
                let (text, level) = self.whole(*of);
                (format!("{text}.{}", field.text), level)
            }
            Expr::Chain(first, rest) => self.chain(*first, rest),
            Expr::Power(base, exponent) => {
                // A sign or another power may follow `^` as it is.
                let exponent = self.expr(*exponent, Level::Unary);
                (format!("{}^{exponent}", self.expr(*base, Level::Tight)), Level::Power)
            }
            Expr::Prefix(Prefix::Minus, value) => {
                (format!("-{}", self.expr(*value, Level::Unary)), Level::Unary)
            }
            Expr::Prefix(Prefix::Plus, value) => {
                (format!("+{}", self.expr(*value, Level::Unary)), Level::Unary)
            }
            Expr::Prefix(prefix, value) => {
                let word = word(*prefix);
                (format!("{word} {}", self.operand(*value, true)), Level::Tight)
            }
            Expr::Relative(angle, vector) => {
                let angle = self.operand(*angle, false);
                (format!("relative {angle} {}", self.operand(*vector, true)), Level::Tight)
            }
            Expr::Bars(value) => (format!("|{}|", self.expr(*value, Level::Let)), Level::Postfix),
            Expr::Vector(elements) => (format!("[{}]", self.list(elements)), Level::Postfix),
            Expr::Matrix(rows) => {
                let rows: Vec<String> = rows.iter().map(|row| self.list(row)).collect();
                (format!("[{}]", rows.join("; ")), Level::Postfix)
            }
            Expr::Block(elements) => (format!("{{ {} }}", self.list(elements)), Level::Postfix),
            Expr::Call(function, arguments) => {
                let texts: Vec<String> =
                    arguments.iter().map(|each| self.expr(*each, Level::Let)).collect();
                (format!("{}({})", function.name(), texts.join(", ")), Level::Postfix)
            }
            Expr::Let(bindings, body) => {
                let mut text = String::new();
                for (name, value) in bindings {
                    let _ =
                        write!(text, "let {} = {} in ", name.text, self.expr(*value, Level::Let));
                }
                text += &self.expr(*body, Level::Sum);
                (text, Level::Let)
            }
        }
    }

    fn chain(&self, first: ExprId, rest: &[(Binary, ExprId)]) -> (String, Level) {
        let (level, tighter) = match rest.first().map(|each| each.0) {
            Some(Binary::Add | Binary::Subtract) => (Level::Sum, Level::Outer),
            Some(Binary::Outer) => (Level::Outer, Level::Product),
            Some(Binary::Dot | Binary::Cross) => (Level::Product, Level::Term),
            _ => (Level::Term, Level::Unary),
        };
        let mut text = self.expr(first, tighter);
        for (operator, operand) in rest {
            let _ = write!(text, " {} {}", operator.symbol(), self.expr(*operand, tighter));
        }
        (text, level)
    }
}

fn word(prefix: Prefix) -> &'static str {
    match prefix {
        Prefix::Minus => "-",
        Prefix::Plus => "+",
        Prefix::Unit => "unit",
        Prefix::Perp => "perp",
        Prefix::Transpose => "transpose",
    }
}

/// The shortest decimal that reads back as the same number.
fn number(value: f64) -> String {
    if value != 0.0 && !(1e-5..1e16).contains(&value) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}
