//! What can be wrong with the data of a picture.

use std::fmt;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A replay has no frame.
    NoFrames,
    /// A list has not as many entries as it must have.
    Count {
        /// Which list.
        list: &'static str,
        /// In which frame, where there is one list for each.
        frame: Option<usize>,
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// An index is beyond the bodies.
    Body {
        /// Whose index it is.
        what: String,
        /// The index.
        index: usize,
        /// How many bodies there are.
        bodies: usize,
    },
    /// The time of a frame is not a number, too large, or not later than that before.
    Time {
        /// Which frame.
        frame: usize,
        /// s.
        value: f64,
    },
    /// There is no such frame.
    Frame {
        /// Which was asked for.
        frame: usize,
        /// How many there are.
        frames: usize,
    },
    /// A number is out of its range.
    Number {
        /// Which.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        must_be: &'static str,
    },
    /// A picture would have too many pixels.
    Size {
        /// Pixels.
        width: f64,
        /// Pixels.
        height: f64,
        /// How long each side may be.
        most: u32,
    },
    /// The encoder of GIF refused.
    Encoder(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFrames => write!(f, "the replay has no frames"),
            Self::Count { list, frame, expected, found } => {
                write!(f, "`{list}`")?;
                if let Some(frame) = frame {
                    write!(f, " of frame {frame}")?;
                }
                write!(f, " has {found} entries; it must have {expected}")
            }
            Self::Body { what, index, bodies } => {
                write!(f, "{what} is on body {index}; there are {bodies} bodies")
            }
            Self::Time { frame, value } => {
                write!(
                    f,
                    "the time of frame {frame} is {value} s; it must be at most 1e15 and later than the frame before"
                )
            }
            Self::Frame { frame, frames } => {
                write!(f, "there is no frame {frame}; there are {frames}")
            }
            Self::Number { field, value, must_be } => {
                write!(f, "`{field}` is {value}; it must be {must_be}")
            }
            Self::Size { width, height, most } => {
                write!(
                    f,
                    "the picture would have {width:.0} × {height:.0} pixels; each side may have {most}"
                )
            }
            Self::Encoder(reason) => write!(f, "the GIF was not written: {reason}"),
        }
    }
}

impl std::error::Error for Error {}
