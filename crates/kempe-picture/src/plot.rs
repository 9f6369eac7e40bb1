//! Plots: what is in them.

use crate::color::Theme;
use crate::error::Error;
use crate::picture::Picture;
use serde::{Deserialize, Serialize};

/// Numbers beyond this are taken for infinite.
pub(crate) const LARGEST: f64 = 1e300;

/// How an axis goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// By powers of ten; what is not above 0 is left out.
    Log,
}

impl Scale {
    /// Along the axis; nothing where there is no place for it.
    pub(crate) fn place(self, value: f64) -> Option<f64> {
        let place = match self {
            Self::Linear => value,
            Self::Log => value.log10(),
        };
        // NaN is not.
        (place.abs() <= LARGEST).then_some(place)
    }
}

/// Points in order, with lines from one to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// Along x and y. One that is not finite ends a line; the next begins another.
    pub points: Vec<[f64; 2]>,
    /// Whether each point has a mark.
    #[serde(default)]
    pub marks: bool,
    /// Whether the lines are dashed.
    #[serde(default)]
    pub dashed: bool,
}

impl Series {
    /// A line.
    pub fn new(name: &str, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.to_owned(), points, ..Self::default() }
    }
}

/// Series over each other with an axis of their own for y.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// What y is, with its unit: "angle (rad)".
    pub y_label: String,
    /// What is drawn.
    pub series: Vec<Series>,
    /// How y goes.
    #[serde(default)]
    pub scale: Scale,
}

impl Panel {
    /// With an even axis.
    pub fn new(y_label: &str, series: Vec<Series>) -> Self {
        Self { y_label: y_label.to_owned(), series, scale: Scale::Linear }
    }
}

/// Panels one below the other that share the axis of x.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// Above everything.
    pub title: String,
    /// What x is, with its unit: "time (s)".
    pub x_label: String,
    /// What is drawn.
    pub panels: Vec<Panel>,
    /// How x goes.
    pub x_scale: Scale,
    /// Whether a unit is as long along x as along y: for paths.
    pub equal_aspect: bool,
    /// Pixels, 240 to 4000; the height follows from what is drawn.
    pub width: f64,
}

impl Default for Plot {
    /// Without panels, 720 pixels wide.
    fn default() -> Self {
        Self {
            title: String::new(),
            x_label: String::new(),
            panels: Vec::new(),
            x_scale: Scale::Linear,
            equal_aspect: false,
            width: 720.0,
        }
    }
}

impl Plot {
    /// As primitives.
    pub fn picture(&self) -> Picture {
        crate::chart::draw(self)
    }

    /// As a text in SVG.
    pub fn svg(&self, theme: Theme) -> String {
        self.picture().svg(theme)
    }

    /// As a file in PNG; a scale of 2 has twice as many pixels on each side.
    ///
    /// # Errors
    /// If there were too many pixels, or none.
    pub fn png(&self, theme: Theme, scale: f64) -> Result<Vec<u8>, Error> {
        self.picture().png(theme, scale)
    }
}
