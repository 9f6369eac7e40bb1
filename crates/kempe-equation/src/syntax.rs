//! The syntax tree: what was written, with spans, before any meaning.
//!
//! Expressions live in one arena and chains of one precedence are one node, so a program of
//! thousands of terms is neither deep to walk nor deep to drop.

use crate::error::Span;
use crate::types::Type;
use std::collections::HashSet;

/// An expression in the arena of its [`Syntax`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExprId(pub u32);

/// A name and where it was written.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Outer,
    Dot,
    Cross,
    Multiply,
    Divide,
}

impl Binary {
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Outer => "outer",
            Self::Dot => "dot",
            Self::Cross => "cross",
            Self::Multiply => "*",
            Self::Divide => "/",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    Minus,
    Plus,
    Unit,
    Perp,
    Transpose,
}

/// The functions that can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan2,
    Sqrt,
    Exp,
    Ln,
    Abs,
    Sign,
    Min,
    Max,
    Clamp,
    Choose,
}

impl Function {
    pub(crate) const ALL: [(&'static str, Self, usize); 15] = [
        ("sin", Self::Sin, 1),
        ("cos", Self::Cos, 1),
        ("tan", Self::Tan, 1),
        ("asin", Self::Asin, 1),
        ("acos", Self::Acos, 1),
        ("atan2", Self::Atan2, 2),
        ("sqrt", Self::Sqrt, 1),
        ("exp", Self::Exp, 1),
        ("ln", Self::Ln, 1),
        ("abs", Self::Abs, 1),
        ("sign", Self::Sign, 1),
        ("min", Self::Min, 2),
        ("max", Self::Max, 2),
        ("clamp", Self::Clamp, 3),
        ("choose", Self::Choose, 3),
    ];

    pub(crate) fn named(name: &str) -> Option<(Self, usize)> {
        Self::ALL.iter().find(|each| each.0 == name).map(|each| (each.1, each.2))
    }

    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|each| each.1 == self).map_or("", |each| each.0)
    }
}

/// Names of values that are always there.
pub(crate) const CONSTANTS: [&str; 4] = ["pi", "inf", "eps", "time"];

/// The value of `eps`, a length or angle below which nothing is told apart from zero.
pub(crate) const EPS: f64 = 1e-10;

#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Number(f64),
    Name(String),
    /// `.x`, `.position`, …
    Field(ExprId, Name),
    /// Operators of one precedence, from left to right.
    Chain(ExprId, Vec<(Binary, ExprId)>),
    Power(ExprId, ExprId),
    Prefix(Prefix, ExprId),
    /// `relative angle vector`
    Relative(ExprId, ExprId),
    /// `| … |`
    Bars(ExprId),
    /// `[x y]`
    Vector(Vec<ExprId>),
    /// `[a b; c d]`, by rows
    Matrix(Vec<Vec<ExprId>>),
    Block(Vec<ExprId>),
    Call(Function, Vec<ExprId>),
    /// `let a = … in let b = … in …`
    Let(Vec<(Name, ExprId)>, ExprId),
    /// What could not be read, and was reported.
    Broken,
}

/// A parameter: `name = default -> rate`.
#[derive(Clone, Debug)]
pub(crate) struct ParameterSyntax {
    pub kind: Type,
    pub name: Name,
    pub default: Option<ExprId>,
    pub rate: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub(crate) enum Declaration {
    Bodies(Vec<Name>),
    Parameters(Type, Vec<ParameterSyntax>),
    /// `limit expr lower upper`
    Limit {
        what: ExprId,
        lower: ExprId,
        upper: ExprId,
    },
    /// `limit constraint lower upper`
    LimitConstraint {
        velocity: bool,
        keyword: Span,
        lower: ExprId,
        upper: ExprId,
    },
    /// `constraint expr`, `velocity constraint expr`
    Constraint {
        velocity: bool,
        keyword: Span,
        what: ExprId,
    },
    Axis {
        name: Name,
        what: ExprId,
    },
    Let {
        name: Name,
        what: ExprId,
    },
}

/// A parsed program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Syntax {
    pub exprs: Vec<Expr>,
    pub spans: Vec<Span>,
    pub declarations: Vec<Declaration>,
}

impl Syntax {
    pub(crate) fn push(&mut self, expr: Expr, span: Span) -> ExprId {
        let id = ExprId(self.exprs.len() as u32);
        self.exprs.push(expr);
        self.spans.push(span);
        id
    }

    /// Every name that is declared for the whole program.
    pub(crate) fn declared_names(&self) -> HashSet<String> {
        let mut names = HashSet::new();
        for declaration in &self.declarations {
            match declaration {
                Declaration::Bodies(list) => {
                    names.extend(list.iter().map(|each| each.text.clone()));
                }
                Declaration::Parameters(_, list) => {
                    names.extend(list.iter().map(|each| each.name.text.clone()));
                }
                Declaration::Axis { name, .. } | Declaration::Let { name, .. } => {
                    names.insert(name.text.clone());
                }
                _ => {}
            }
        }
        names
    }

    pub(crate) fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    pub(crate) fn span(&self, id: ExprId) -> Span {
        self.spans[id.0 as usize]
    }
}
