//! Force laws: what an axis pulls with, as a function of its coordinate, its speed and the time.

use crate::error::Error;
use crate::expression::Expression;
use kempe_scalar::{Dual, Real};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A force law of the user, generic over the scalar, so that the solver has its derivatives: a
/// stiff law is taken implicitly, like a spring.
///
/// ```
/// use kempe2d::{ForceLaw, Law, Real};
///
/// /// A spring that hardens: F = −k q − c q³.
/// #[derive(Clone, Debug)]
/// struct Hardening { k: f64, c: f64 }
///
/// impl Law for Hardening {
///     fn name(&self) -> &str { "hardening" }
///     fn parameters(&self) -> Vec<f64> { vec![self.k, self.c] }
///     fn force<S: Real>(&self, q: S, _speed: S, _time: S) -> S {
///         -(S::constant(self.k) * q) - S::constant(self.c) * q * q * q
///     }
/// }
///
/// let law = ForceLaw::function(Hardening { k: 100.0, c: 5000.0 });
/// assert_eq!(law.at(0.1, 0.0, 0.0), -15.0);
/// ```
pub trait Law: fmt::Debug + Send + Sync + 'static {
    /// Names it in snapshots.
    fn name(&self) -> &str;

    /// What a snapshot keeps of it, for the registry to make it anew.
    fn parameters(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The force that raises q, N or N·m.
    fn force<S: Real>(&self, q: S, speed: S, time: S) -> S;
}

trait Erased: fmt::Debug + Send + Sync {
    fn name(&self) -> &str;
    fn parameters(&self) -> Vec<f64>;
    fn evaluate(&self, q: f64, speed: f64, time: f64) -> [f64; 3];
}

impl<T: Law> Erased for T {
    fn name(&self) -> &str {
        Law::name(self)
    }

    fn parameters(&self) -> Vec<f64> {
        Law::parameters(self)
    }

    fn evaluate(&self, q: f64, speed: f64, time: f64) -> [f64; 3] {
        type D = Dual<f64, 2>;
        let force = self.force(D::variable(q, 0), D::variable(speed, 1), D::fixed(time));
        [force.value, force.slopes[0], force.slopes[1]]
    }
}

/// A force that is a function of q, its speed and the time: an expression or a [`Law`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct ForceLaw(Inner);

#[derive(Clone, Debug)]
enum Inner {
    Text(Box<Expression>),
    Function(Arc<dyn Erased>),
    /// Named in a snapshot, before the registry has made it.
    Named(Box<(String, Vec<f64>)>),
}

#[derive(Serialize, Deserialize)]
enum Written {
    Text(String),
    Named(String, Vec<f64>),
}

impl TryFrom<Written> for ForceLaw {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self, Error> {
        match written {
            Written::Text(source) => Self::text(&source),
            Written::Named(name, parameters) => {
                Ok(Self(Inner::Named(Box::new((name, parameters)))))
            }
        }
    }
}

impl From<ForceLaw> for Written {
    fn from(law: ForceLaw) -> Self {
        match law.0 {
            Inner::Text(expression) => Self::Text(expression.source().to_owned()),
            Inner::Function(law) => Self::Named(law.name().to_owned(), law.parameters()),
            Inner::Named(named) => Self::Named(named.0, named.1),
        }
    }
}

impl PartialEq for ForceLaw {
    fn eq(&self, other: &Self) -> bool {
        self.describe() == other.describe()
    }
}

impl ForceLaw {
    /// An expression in `q`, `speed` and `time`, such as `-200 * q - 3 * speed * |speed|`.
    ///
    /// # Errors
    /// If it is none, names something else, or is not a scalar.
    pub fn text(source: &str) -> Result<Self, Error> {
        Ok(Self(Inner::Text(Box::new(Expression::parse(source, &["q", "speed"])?))))
    }

    /// A law in Rust.
    pub fn function(law: impl Law) -> Self {
        Self(Inner::Function(Arc::new(law)))
    }

    /// The expression, if it is one.
    pub fn source(&self) -> Option<&str> {
        match &self.0 {
            Inner::Text(expression) => Some(expression.source()),
            Inner::Function(_) | Inner::Named(_) => None,
        }
    }

    /// The force at a coordinate, a speed and a time.
    pub fn at(&self, q: f64, speed: f64, time: f64) -> f64 {
        self.evaluate(q, speed, time)[0]
    }

    /// F, ∂F/∂q, ∂F/∂q̇.
    pub(crate) fn evaluate(&self, q: f64, speed: f64, time: f64) -> [f64; 3] {
        match &self.0 {
            Inner::Text(expression) => {
                let (force, _, slopes) = expression.evaluate(&[q, speed], time);
                [force, slopes[0], slopes[1]]
            }
            Inner::Function(law) => law.evaluate(q, speed, time),
            Inner::Named(..) => [0.0; 3],
        }
    }

    fn describe(&self) -> (&str, Vec<f64>) {
        match &self.0 {
            Inner::Text(expression) => (expression.source(), Vec::new()),
            Inner::Function(law) => (law.name(), law.parameters()),
            Inner::Named(named) => (&named.0, named.1.clone()),
        }
    }

    /// The name and parameters of a law that a snapshot names and that is not made yet.
    pub(crate) fn missing(&self) -> Option<(&str, &[f64])> {
        match &self.0 {
            Inner::Named(named) => Some((&named.0, &named.1)),
            _ => None,
        }
    }
}
