//! Pictures as pixels.

use crate::color::{Color, Role, Theme};
use crate::error::Error;
use crate::font::{self, Point};
use crate::picture::{Align, Item, Pen, Picture};
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

/// How many pixels a side may have.
const MOST: u32 = 8192;
/// How much fatter the outlines of fat letters are, in em.
const BOLD: f64 = 0.045;

/// Pixels, row by row from the top left; nothing shines through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Each of them.
    pub colors: Vec<Color>,
}

pub(crate) fn draw(picture: &Picture, theme: Theme, scale: f64) -> Result<Pixels, Error> {
    let [width, height] = [picture.width, picture.height].map(|side| (side * scale).round());
    let sides = 1.0..=f64::from(MOST);
    if !sides.contains(&width) || !sides.contains(&height) {
        return Err(Error::Size { width, height, most: MOST });
    }
    let too_large = Error::Size { width, height, most: MOST };
    let mut sheet = Sheet {
        map: Pixmap::new(width as u32, height as u32).ok_or(too_large)?,
        transform: Transform::from_scale(scale as f32, scale as f32),
        theme,
    };
    let [red, green, blue] = Role::Paper.color(theme);
    sheet.map.fill(tiny_skia::Color::from_rgba8(red, green, blue, 255));
    for item in &picture.items {
        sheet.item(item);
    }
    let colors = sheet.map.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
    Ok(Pixels { width: sheet.map.width(), height: sheet.map.height(), colors: colors.collect() })
}

struct Sheet {
    map: Pixmap,
    transform: Transform,
    theme: Theme,
}

impl Sheet {
    fn item(&mut self, item: &Item) {
        match item {
            Item::Lines { points, closed, pen } => {
                if let Some(path) = lines(points, *closed) {
                    self.path(&path, pen);
                }
            }
            Item::Circle { center: [x, y], radius, pen } => {
                let circle = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32);
                if let Some(path) = circle {
                    self.path(&path, pen);
                }
            }
            Item::Text { at, text, size, align, bold, role } => {
                let wide = font::width(text) * size;
                let left = match align {
                    Align::Start => at[0],
                    Align::Middle => at[0] - 0.5 * wide,
                    Align::End => at[0] - wide,
                };
                if let Some(path) = letters([left, at[1]], text, *size) {
                    let pen = Pen::area(*role);
                    let fat = Pen { stroke: Some(*role), width: BOLD * size, ..pen };
                    self.path(&path, if *bold { &fat } else { &pen });
                }
            }
        }
    }

    fn path(&mut self, path: &Path, pen: &Pen) {
        if let Some(role) = pen.fill {
            let paint = self.paint(role, pen.cover * pen.opacity);
            self.map.fill_path(path, &paint, FillRule::Winding, self.transform, None);
        }
        if let Some(role) = pen.stroke {
            let paint = self.paint(role, pen.opacity);
            let dash = pen.dash.pattern().and_then(|pattern| {
                let pattern = pattern.map(|part| (part * pen.width.max(1.0)) as f32);
                StrokeDash::new(pattern.to_vec(), 0.0)
            });
            let stroke = Stroke {
                width: pen.width as f32,
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                dash,
                ..Stroke::default()
            };
            self.map.stroke_path(path, &paint, &stroke, self.transform, None);
        }
    }

    fn paint(&self, role: Role, opacity: f64) -> Paint<'static> {
        let [red, green, blue] = role.color(self.theme);
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        let alpha = (255.0 * opacity.clamp(0.0, 1.0)).round() as u8;
        paint.set_color_rgba8(red, green, blue, alpha);
        paint
    }
}

fn lines(points: &[[f64; 2]], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (i, [x, y]) in points.iter().enumerate() {
        match i {
            0 => builder.move_to(*x as f32, *y as f32),
            _ => builder.line_to(*x as f32, *y as f32),
        }
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

fn letters([mut x, y]: [f64; 2], text: &str, size: f64) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for glyph in text.chars().filter_map(font::glyph) {
        let place = |point: Point| Point { x: x + size * point.x, y: y - size * point.y, ..point };
        for contour in &glyph.contours {
            let contour: Vec<Point> = contour.iter().map(|point| place(*point)).collect();
            curve(&contour, &mut builder);
        }
        x += size * glyph.advance;
    }
    builder.finish()
}

fn middle(a: Point, b: Point) -> Point {
    Point { x: 0.5 * (a.x + b.x), y: 0.5 * (a.y + b.y), on_curve: true }
}

/// A closed curve; between two points off it is one on it, in their middle.
fn curve(points: &[Point], builder: &mut PathBuilder) {
    let [first, .., last] = points else { return };
    let start = match (first.on_curve, last.on_curve) {
        (true, _) => *first,
        (false, true) => *last,
        (false, false) => middle(*first, *last),
    };
    builder.move_to(start.x as f32, start.y as f32);
    let mut control: Option<Point> = None;
    let to = |control: Option<Point>, end: Point, builder: &mut PathBuilder| match control {
        Some(c) => builder.quad_to(c.x as f32, c.y as f32, end.x as f32, end.y as f32),
        None => builder.line_to(end.x as f32, end.y as f32),
    };
    for point in points.iter().skip(usize::from(first.on_curve)) {
        if point.on_curve {
            to(control.take(), *point, builder);
        } else {
            if let Some(before) = control {
                to(control, middle(before, *point), builder);
            }
            control = Some(*point);
        }
    }
    if control.is_some() {
        to(control, start, builder);
    }
    builder.close();
}
