//! Couplings: what the coordinates of other joints have to do with each other.

use super::axis::Axis;
use super::def::{JointDef, JointId};
use super::kind::JointKind;
use crate::error::{Error, finite};
use crate::expression::Expression;
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// How a coordinate counts in a coupling: a polynomial of it, or an expression in `q`.
///
/// ```
/// use kempe2d::Curve;
///
/// let cam = Curve::text("0.05 * sin(q)^2")?;
/// let follower = Curve::polynomial([0.0, 0.1, 0.02, 0.0, 0.0]);
/// assert_eq!(follower.at(2.0, 0.0), 0.28);
/// # let _ = cam;
/// # Ok::<(), kempe2d::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Curve(Inner);

#[derive(Clone, Debug, PartialEq)]
enum Inner {
    Polynomial([f64; 5]),
    Text(Expression),
}

#[derive(Serialize, Deserialize)]
enum Written {
    Polynomial([f64; 5]),
    Text(String),
}

impl TryFrom<Written> for Curve {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self, Error> {
        match written {
            Written::Polynomial(coefficients) => Ok(Self::polynomial(coefficients)),
            Written::Text(source) => Self::text(&source),
        }
    }
}

impl From<Curve> for Written {
    fn from(curve: Curve) -> Self {
        match curve.0 {
            Inner::Polynomial(coefficients) => Self::Polynomial(coefficients),
            Inner::Text(expression) => Self::Text(expression.source().to_owned()),
        }
    }
}

impl Curve {
    /// ratio · q.
    pub fn linear(ratio: f64) -> Self {
        Self::polynomial([0.0, ratio, 0.0, 0.0, 0.0])
    }

    /// c₀ + c₁ q + c₂ q² + c₃ q³ + c₄ q⁴.
    pub fn polynomial(coefficients: [f64; 5]) -> Self {
        Self(Inner::Polynomial(coefficients))
    }

    /// An expression in `q` and `time`.
    ///
    /// # Errors
    /// If it is none, names something else, or is not a scalar.
    pub fn text(source: &str) -> Result<Self, Error> {
        Ok(Self(Inner::Text(Expression::parse(source, &["q"])?)))
    }

    /// The expression, if it is one.
    pub fn source(&self) -> Option<&str> {
        match &self.0 {
            Inner::Polynomial(_) => None,
            Inner::Text(expression) => Some(expression.source()),
        }
    }

    /// Its coefficients, if it is a polynomial.
    pub fn coefficients(&self) -> Option<[f64; 5]> {
        match &self.0 {
            Inner::Polynomial(coefficients) => Some(*coefficients),
            Inner::Text(_) => None,
        }
    }

    /// The value at a coordinate and a time.
    pub fn at(&self, q: f64, time: f64) -> f64 {
        self.evaluate(q, time)[0]
    }

    /// f, ∂f/∂q, ∂f/∂t.
    pub(crate) fn evaluate(&self, q: f64, time: f64) -> [f64; 3] {
        match &self.0 {
            Inner::Polynomial([c0, c1, c2, c3, c4]) => {
                let value = c0 + q * (c1 + q * (c2 + q * (c3 + q * c4)));
                let slope = c1 + q * (2.0 * c2 + q * (3.0 * c3 + q * 4.0 * c4));
                [value, slope, 0.0]
            }
            Inner::Text(expression) => {
                let (value, by_time, slopes) = expression.evaluate(&[q], time);
                [value, slopes[0], by_time]
            }
        }
    }

    /// ∂f/∂q and ∂²f/∂q².
    #[cfg(feature = "reference")]
    pub(crate) fn slopes(&self, q: f64, time: f64) -> [f64; 2] {
        let slope = self.evaluate(q, time)[1];
        let bend = match &self.0 {
            Inner::Polynomial([_, _, c2, c3, c4]) => 2.0 * c2 + q * (6.0 * c3 + q * 12.0 * c4),
            Inner::Text(_) => {
                let step = 1e-5 * q.abs().max(1.0);
                let [after, before] = [q + step, q - step].map(|q| self.evaluate(q, time)[1]);
                (after - before) / (2.0 * step)
            }
        };
        [slope, bend]
    }

    /// Whether it changes with time.
    pub(crate) fn moves(&self) -> bool {
        matches!(&self.0, Inner::Text(expression) if expression.follows_clock())
    }

    fn validate(&self) -> Result<(), Error> {
        if let Inner::Polynomial(coefficients) = &self.0 {
            for coefficient in coefficients {
                finite("terms.curve", *coefficient)?;
            }
        }
        Ok(())
    }
}

/// A coordinate in a coupling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// Of which joint.
    pub joint: JointId,
    /// Which of its axes, from 0.
    pub axis: usize,
    /// How it counts.
    pub curve: Curve,
}

impl Term {
    /// ratio · q of an axis.
    pub fn new(joint: JointId, axis: usize, ratio: f64) -> Self {
        Self { joint, axis, curve: Curve::linear(ratio) }
    }

    /// Any curve of an axis.
    pub fn curved(joint: JointId, axis: usize, curve: Curve) -> Self {
        Self { joint, axis, curve }
    }

    pub(crate) fn validate(&self) -> Result<(), Error> {
        self.curve.validate()
    }
}

/// Couplings refer to the first axes of joints; for others, give the [`Term`]s. The bodies of a
/// coupling are those of its joints: they need not be given.
///
/// Where its coordinate counts from follows from the joints: `World::as_it_stands` lets it count from
/// where they are.
impl JointDef {
    /// Σ f_k(q_k) − constant = 0, over axes of other joints.
    pub fn coupling(terms: Vec<Term>, constant: f64) -> Self {
        Self::over(JointKind::Coupling { terms, constant }, Vec::new()).with_axis(Axis::held(0.0))
    }

    /// q = f(q_other): the axis of a joint follows a curve of another's.
    pub fn follower(joint: JointId, other: JointId, curve: Curve) -> Self {
        let minus = match &curve.0 {
            Inner::Polynomial(coefficients) => Ok(Curve::polynomial(coefficients.map(|c| -c))),
            Inner::Text(expression) => Curve::text(&format!("-({}\n)", expression.source())),
        };
        let (sign, curve) = match minus {
            Ok(minus) => (1.0, minus),
            // It is as deep as an expression can be: the other sign says the same.
            Err(_) => (-1.0, curve),
        };
        Self::coupling(vec![Term::new(joint, 0, sign), Term::curved(other, 0, curve)], 0.0)
    }

    /// Two gears that mesh, each on a joint of its own, whatever carries these: q_A z_A + q_B z_B
    /// stays. A ring gear has a negative number of teeth.
    pub fn gears(a: JointId, b: JointId, teeth_a: f64, teeth_b: f64) -> Self {
        Self::coupling(vec![Term::new(a, 0, 1.0), Term::new(b, 0, teeth_b / teeth_a)], 0.0)
    }

    /// A planetary gear by its sun, ring and carrier, whose joints are on the same base: Willis' equation
    /// z_s q_s + z_r q_r − (z_s + z_r) q_c stays. The planets need not be there.
    pub fn planetary([sun, ring, carrier]: [JointId; 3], sun_teeth: f64, ring_teeth: f64) -> Self {
        let ratio = ring_teeth / sun_teeth;
        let terms = vec![
            Term::new(sun, 0, 1.0),
            Term::new(ring, 0, ratio),
            Term::new(carrier, 0, -(1.0 + ratio)),
        ];
        Self::coupling(terms, 0.0)
    }

    /// A rack that a pinion moves: x = r θ. A negative radius is the other side of the pinion.
    pub fn rack_and_pinion(rack: JointId, pinion: JointId, radius: f64) -> Self {
        Self::coupling(vec![Term::new(rack, 0, 1.0), Term::new(pinion, 0, -radius)], 0.0)
    }

    /// A nut that a spindle moves: x = pitch · θ / 2π.
    pub fn screw(nut: JointId, spindle: JointId, pitch: f64) -> Self {
        Self::rack_and_pinion(nut, spindle, pitch / TAU)
    }

    /// A belt over two wheels: r_A q_A = r_B q_B. A crossed one has a negative radius.
    pub fn belt(a: JointId, b: JointId, radius_a: f64, radius_b: f64) -> Self {
        Self::coupling(vec![Term::new(a, 0, 1.0), Term::new(b, 0, -radius_b / radius_a)], 0.0)
    }

    /// The same with play: the coupling is free over this range, half of it either way.
    #[must_use]
    pub fn with_backlash(self, play: f64) -> Self {
        self.with_limit(-0.5 * play, 0.5 * play)
    }
}

impl World {
    /// A coupling that counts from where its joints are now.
    ///
    /// # Errors
    /// If it is no coupling, or one that could not be added.
    pub fn as_it_stands(&self, def: &JointDef) -> Result<JointDef, Error> {
        let mut def = def.clone();
        let now = self.coupled(&def)?;
        if let JointKind::Coupling { constant, .. } = &mut def.kind {
            *constant += now;
        }
        Ok(def)
    }
}
