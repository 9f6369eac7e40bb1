//! A picture as a list of primitives, in pixels, y down.

use crate::color::{Role, Theme};
use crate::error::Error;
use crate::raster::Pixels;

/// How a line is interrupted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// Not at all.
    #[default]
    Solid,
    /// Long dashes.
    Dashed,
    /// Dots.
    Dotted,
}

impl Dash {
    /// On and off, in widths of the line.
    pub(crate) fn pattern(self) -> Option<[f64; 2]> {
        match self {
            Self::Solid => None,
            Self::Dashed => Some([4.0, 3.0]),
            Self::Dotted => Some([0.01, 2.5]),
        }
    }
}

/// How something is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// The outline.
    pub stroke: Option<Role>,
    /// Of the outline, pixels.
    pub width: f64,
    /// Of the outline.
    pub dash: Dash,
    /// The area.
    pub fill: Option<Role>,
    /// How much the area covers, 0 to 1.
    pub cover: f64,
    /// How much all of it covers, 0 to 1.
    pub opacity: f64,
}

impl Pen {
    /// A line.
    pub fn line(role: Role, width: f64) -> Self {
        let (dash, fill, cover, opacity) = (Dash::Solid, None, 1.0, 1.0);
        Self { stroke: Some(role), width, dash, fill, cover, opacity }
    }

    /// An area without an outline.
    pub fn area(role: Role) -> Self {
        Self { stroke: None, fill: Some(role), ..Self::line(role, 0.0) }
    }

    /// With another way to interrupt the line.
    #[must_use]
    pub fn dashed(self, dash: Dash) -> Self {
        Self { dash, ..self }
    }

    /// With an area that covers this much.
    #[must_use]
    pub fn filled(self, role: Role, cover: f64) -> Self {
        Self { fill: Some(role), cover, ..self }
    }

    /// Fainter.
    #[must_use]
    pub fn faint(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }
}

/// Which part of a text is at its point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Its start.
    #[default]
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A primitive.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Lines from point to point, or a polygon.
    Lines {
        /// Where it goes.
        points: Vec<[f64; 2]>,
        /// Whether it goes back to its start.
        closed: bool,
        /// How it is drawn.
        pen: Pen,
    },
    /// A circle.
    Circle {
        /// The middle.
        center: [f64; 2],
        /// Pixels.
        radius: f64,
        /// How it is drawn.
        pen: Pen,
    },
    /// A text on one line.
    Text {
        /// Where it is, on the line that letters stand on.
        at: [f64; 2],
        /// What it says.
        text: String,
        /// The height of an em, pixels.
        size: f64,
        /// Which part of it is there.
        align: Align,
        /// Whether the letters are fat.
        bold: bool,
        /// Its colour.
        role: Role,
    },
}

/// Primitives, the later over the earlier, on paper of a size in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Pixels.
    pub width: f64,
    /// Pixels.
    pub height: f64,
    /// What those are told who cannot see it.
    pub title: String,
    /// What is on it.
    pub items: Vec<Item>,
}

fn drawable(point: [f64; 2]) -> bool {
    // NaN is not.
    point.iter().all(|value| value.abs() <= 1e6)
}

impl Picture {
    /// An empty sheet.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        Self { width, height, title: title.to_owned(), items: Vec::new() }
    }

    /// Adds lines from point to point. Where a point is not finite or far off, the lines end; of a
    /// polygon with such a point, nothing is drawn.
    pub fn lines(&mut self, points: &[[f64; 2]], closed: bool, pen: Pen) {
        if closed && points.iter().any(|point| !drawable(*point)) {
            return;
        }
        for run in points.split(|point| !drawable(*point)).filter(|run| run.len() > 1) {
            self.items.push(Item::Lines { points: run.to_vec(), closed, pen });
        }
    }

    /// Adds a circle.
    pub fn circle(&mut self, center: [f64; 2], radius: f64, pen: Pen) {
        if drawable(center) && (0.0..=1e6).contains(&radius) {
            self.items.push(Item::Circle { center, radius, pen });
        }
    }

    /// Adds a text.
    pub fn text(&mut self, at: [f64; 2], text: &str, size: f64, align: Align, role: Role) {
        self.letters(at, text, size, align, role, false);
    }

    /// Adds a text in fat letters.
    pub fn title(&mut self, at: [f64; 2], text: &str, size: f64) {
        self.letters(at, text, size, Align::Start, Role::Ink, true);
    }

    fn letters(
        &mut self,
        at: [f64; 2],
        text: &str,
        size: f64,
        align: Align,
        role: Role,
        bold: bool,
    ) {
        if drawable(at) && !text.is_empty() {
            self.items.push(Item::Text { at, text: text.to_owned(), size, align, bold, role });
        }
    }

    /// As a text in SVG.
    pub fn svg(&self, theme: Theme) -> String {
        crate::svg::write(self, theme)
    }

    /// As pixels; a scale of 2 has twice as many on each side.
    ///
    /// # Errors
    /// If there were too many pixels, or none.
    pub fn pixels(&self, theme: Theme, scale: f64) -> Result<Pixels, Error> {
        crate::raster::draw(self, theme, scale)
    }

    /// As a file in PNG.
    ///
    /// # Errors
    /// If there were too many pixels, or none.
    pub fn png(&self, theme: Theme, scale: f64) -> Result<Vec<u8>, Error> {
        Ok(crate::png::encode(&self.pixels(theme, scale)?))
    }
}

/// A text cut to a width in em, with an ellipsis.
pub(crate) fn fitted(text: &str, most: f64) -> String {
    if crate::font::width(text) <= most {
        return text.to_owned();
    }
    let (mut wide, mut result) = (crate::font::width("…"), String::new());
    for letter in text.chars() {
        wide += crate::font::glyph(letter).map_or(0.0, |glyph| glyph.advance);
        if wide > most {
            break;
        }
        result.push(letter);
    }
    result + "…"
}
