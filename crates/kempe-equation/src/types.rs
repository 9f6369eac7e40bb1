//! The types of the language.

use std::fmt;

/// The type of a parameter or of a value.
///
/// The plane has these three; space will add its vectors, matrices and rotations here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// One number.
    Scalar,
    /// Two numbers, a column.
    Vector,
    /// Two by two numbers.
    Matrix,
}

impl Type {
    /// How many numbers a value of this type holds.
    pub const fn components(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vector => 2,
            Self::Matrix => 4,
        }
    }

    /// How it is called in a program.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Vector => "vector",
            Self::Matrix => "matrix",
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a ")?;
        f.write_str(self.keyword())
    }
}

/// A value of one of the types, in f64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// One number.
    Scalar(f64),
    /// x and y.
    Vector([f64; 2]),
    /// The rows.
    Matrix([[f64; 2]; 2]),
}

impl Value {
    /// The type of the value.
    pub const fn kind(self) -> Type {
        match self {
            Self::Scalar(_) => Type::Scalar,
            Self::Vector(_) => Type::Vector,
            Self::Matrix(_) => Type::Matrix,
        }
    }

    /// The numbers, a matrix by rows; those past [`Type::components`] are zero.
    pub const fn components(self) -> [f64; 4] {
        match self {
            Self::Scalar(s) => [s, 0.0, 0.0, 0.0],
            Self::Vector([x, y]) => [x, y, 0.0, 0.0],
            Self::Matrix([[a, b], [c, d]]) => [a, b, c, d],
        }
    }

    /// The value of type `kind` with these numbers.
    pub const fn from_components(kind: Type, numbers: [f64; 4]) -> Self {
        let [a, b, c, d] = numbers;
        match kind {
            Type::Scalar => Self::Scalar(a),
            Type::Vector => Self::Vector([a, b]),
            Type::Matrix => Self::Matrix([[a, b], [c, d]]),
        }
    }

    /// Whether every number is finite.
    pub fn is_finite(self) -> bool {
        self.components().iter().all(|each| each.is_finite())
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Scalar(value)
    }
}

impl From<[f64; 2]> for Value {
    fn from(value: [f64; 2]) -> Self {
        Self::Vector(value)
    }
}

impl From<[[f64; 2]; 2]> for Value {
    fn from(value: [[f64; 2]; 2]) -> Self {
        Self::Matrix(value)
    }
}

impl fmt::Display for Value {
    /// In the syntax of the language.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(s) => write!(f, "{s}"),
            Self::Vector([x, y]) => write!(f, "[{x}, {y}]"),
            Self::Matrix([[a, b], [c, d]]) => write!(f, "[{a}, {b}; {c}, {d}]"),
        }
    }
}
