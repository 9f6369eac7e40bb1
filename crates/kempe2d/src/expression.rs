//! Numbers that are constants or expressions.

use crate::error::{Error, finite};
use kempe_equation::{Cells, Compiled, Input, Program};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// An expression of the language of joints, such as `2 * sin(3 * time)`.
///
/// What it may name depends on where it stands: `time` everywhere; `q` and `speed` in a force law.
#[derive(Clone)]
pub(crate) struct Expression {
    source: String,
    /// By variable, the expression with that variable moving at rate 1; first with none moving, so
    /// that what is left of the derivative is that by time.
    compiled: Vec<Arc<Compiled>>,
}

impl Expression {
    /// Parses an expression in these variables and `time`.
    pub(crate) fn parse(source: &str, variables: &[&str]) -> Result<Self, Error> {
        let refuse = |reason: String| Error::Expression { source: source.to_owned(), reason };
        let mut compiled = Vec::new();
        for moving in std::iter::once(None).chain(variables.iter().map(Some)) {
            let declared = variables.iter().map(|name| {
                let rate = if moving == Some(name) { " -> 1" } else { "" };
                format!("scalar {name}{rate}\n")
            });
            let program = format!("{}constraint ({source}\n)", declared.collect::<String>());
            let program = Program::parse(&program).map_err(|errors| {
                let texts = errors.diagnostics().iter().map(|error| error.message.clone());
                refuse(texts.collect::<Vec<String>>().join("; "))
            })?;
            let others = program.parameters().len() != variables.len();
            if others || program.row_count() != 1 || program.axes().count() > 0 {
                return Err(refuse("it must be one scalar".to_owned()));
            }
            compiled.push(Arc::clone(program.compiled()));
        }
        Ok(Self { source: source.to_owned(), compiled })
    }

    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Whether it names `time`.
    pub(crate) fn follows_clock(&self) -> bool {
        let mut tapes = self.compiled.iter().map(|compiled| compiled.equations());
        tapes.any(|tape| tape.inputs().contains(&Input::Time))
    }

    /// The value, the derivative by time, and the derivatives by the variables.
    pub(crate) fn evaluate(&self, variables: &[f64], time: f64) -> (f64, f64, Vec<f64>) {
        let mut all = self.compiled.iter().map(|compiled| {
            let mut cells = Cells::precise(compiled.equations());
            cells.fill(|input| match input {
                Input::Time => time,
                Input::Parameter { index, .. } => variables.get(index).copied().unwrap_or(0.0),
                _ => 0.0,
            });
            cells.run();
            (cells.output(compiled.value(0)), cells.output(compiled.bias(0)))
        });
        let (value, by_time) = all.next().unwrap_or((0.0, 0.0));
        let slopes = all.map(|(_, rate)| rate - by_time).collect();
        (value, by_time, slopes)
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.source)
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

/// A number, or an expression in `time`, the world's clock.
///
/// ```
/// use kempe2d::Target;
///
/// let constant: Target = 2.0.into();
/// let moving = Target::expression("0.5 * sin(2 * pi * time)")?;
/// assert!(Target::expression("0.5 * sin(").is_err());
/// # let _ = (constant, moving);
/// # Ok::<(), kempe2d::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Target(Inner);

#[derive(Clone, Debug, PartialEq)]
enum Inner {
    Constant(f64),
    Expression(Box<Expression>),
}

/// How a target is written down.
#[derive(Serialize, Deserialize)]
enum Written {
    Constant(f64),
    Expression(String),
}

impl TryFrom<Written> for Target {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self, Error> {
        match written {
            Written::Constant(value) => Ok(value.into()),
            Written::Expression(source) => Self::expression(&source),
        }
    }
}

impl From<Target> for Written {
    fn from(target: Target) -> Self {
        match target.0 {
            Inner::Constant(value) => Self::Constant(value),
            Inner::Expression(expression) => Self::Expression(expression.source),
        }
    }
}

impl From<f64> for Target {
    fn from(value: f64) -> Self {
        Self(Inner::Constant(value))
    }
}

impl Target {
    /// An expression in `time`.
    ///
    /// # Errors
    /// If it is none, names something else, or is not a scalar.
    pub fn expression(source: &str) -> Result<Self, Error> {
        Ok(Self(Inner::Expression(Box::new(Expression::parse(source, &[])?))))
    }

    /// The expression, if it is one.
    pub fn source(&self) -> Option<&str> {
        match &self.0 {
            Inner::Constant(_) => None,
            Inner::Expression(expression) => Some(expression.source()),
        }
    }

    /// Whether it changes.
    pub(crate) fn moves(&self) -> bool {
        matches!(self.0, Inner::Expression(_))
    }

    /// The value at a time, and how fast it grows; 0 where the expression gives no number. A step tells of that
    /// by [`Event::NoNumber`](crate::Event::NoNumber), and the reference solver refuses it.
    pub fn at(&self, time: f64) -> (f64, f64) {
        let (value, rate) = self.found_at(time);
        let number = |value: f64| if value.is_finite() { value } else { 0.0 };
        (number(value), number(rate))
    }

    /// Whether it has a value at a time that is a number.
    pub(crate) fn is_number_at(&self, time: f64) -> bool {
        self.found_at(time).0.is_finite()
    }

    fn found_at(&self, time: f64) -> (f64, f64) {
        match &self.0 {
            Inner::Constant(value) => (*value, 0.0),
            Inner::Expression(expression) => {
                let (value, rate, _) = expression.evaluate(&[], time);
                (value, rate)
            }
        }
    }

    pub(crate) fn validate(&self, field: &'static str) -> Result<(), Error> {
        if let Inner::Constant(value) = self.0 {
            finite(field, value)?;
        }
        Ok(())
    }
}
