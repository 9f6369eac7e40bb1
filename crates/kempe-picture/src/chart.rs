//! How a plot is laid out.

use crate::color::Role;
use crate::font;
use crate::picture::{Align, Dash, Pen, Picture, fitted};
use crate::plot::{Panel, Plot, Scale, Series};
use crate::simplify::thinned;
use crate::ticks::{self, Ticks};

/// Sizes of letters, pixels.
const TITLE: f64 = 16.0;
const LABEL: f64 = 12.0;
/// Between things, pixels.
const GAP: f64 = 16.0;
/// Of a row of a legend, pixels.
const ROW: f64 = 19.0;
/// The line in a legend, pixels.
const SWATCH: f64 = 18.0;
/// Of the area of a panel: of a single one, and of one of several; pixels.
const ALONE: f64 = 320.0;
const STACKED: f64 = 170.0;
/// How many series a legend names.
const NAMED: usize = 24;

/// Places along an axis.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    /// Around places; nothing where there are none.
    fn around(places: impl Iterator<Item = f64>) -> Option<Self> {
        let (low, high) =
            places.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        (low <= high).then_some(Self { low, high })
    }

    /// With some room; a single place gets room to either side.
    fn roomy(self, part: f64) -> Self {
        let Self { low, high } = self;
        let size = low.abs().max(high.abs());
        let room = match high - low > 1e-12 * size {
            true => part * (high - low),
            false if size == 0.0 => 1.0,
            false => 0.5 * size,
        };
        Self { low: low - room, high: high + room }
    }

    fn length(self) -> f64 {
        self.high - self.low
    }

    fn enlarged(self, factor: f64) -> Self {
        let (middle, half) = (0.5 * (self.low + self.high), 0.5 * factor * self.length());
        Self { low: middle - half, high: middle + half }
    }
}

/// A panel that is being drawn.
struct Area<'a> {
    panel: &'a Panel,
    y: Range,
    ticks: Ticks,
    empty: bool,
}

/// Points as places along the axes; a place that is not there is NaN.
fn places(plot: &Plot, panel: &Panel, series: &Series) -> Vec<[f64; 2]> {
    let place = |point: &[f64; 2]| {
        let place = plot.x_scale.place(point[0]).zip(panel.scale.place(point[1]));
        place.map_or([f64::NAN; 2], |(x, y)| [x, y])
    };
    series.points.iter().map(place).collect()
}

fn marks(scale: Scale, range: Range, most: usize) -> Ticks {
    match scale {
        Scale::Linear => ticks::linear(range.low, range.high, most),
        Scale::Log => ticks::logarithmic(range.low, range.high, most),
    }
}

/// Ranges and marks of all panels, and where their left edge is.
struct Layout<'a> {
    x: Range,
    areas: Vec<Area<'a>>,
    left: f64,
    tall: f64,
}

fn layout<'a>(plot: &Plot, panels: &'a [Panel], width: f64) -> Layout<'a> {
    let each = |panel: &Panel, axis: usize| -> Vec<f64> {
        let all = panel.series.iter().flat_map(|series| places(plot, panel, series));
        all.map(|place| place[axis]).filter(|place| !place.is_nan()).collect()
    };
    let unit = Range { low: 0.0, high: 1.0 };
    let room = if plot.equal_aspect || plot.x_scale == Scale::Log { 0.05 } else { 0.0 };
    let x = Range::around(panels.iter().flat_map(|panel| each(panel, 0)));
    let x = x.map_or(unit, |x| x.roomy(room));
    let ys: Vec<Option<Range>> =
        panels.iter().map(|panel| Range::around(each(panel, 1).into_iter())).collect();
    let mut tall = if panels.len() == 1 { ALONE } else { STACKED };
    if plot.equal_aspect {
        let wide = width - 80.0;
        let longest = ys.iter().flatten().map(|y| y.roomy(0.06).length()).fold(0.0, f64::max);
        tall = (wide * longest / x.length()).clamp(0.35 * wide, 1.1 * wide).min(900.0);
    }
    let areas = |shown: &dyn Fn(Range) -> Range| -> Vec<Area<'a>> {
        let area = |(panel, y): (&'a Panel, &Option<Range>)| {
            let range = shown(y.map_or(unit, |y| y.roomy(0.06)));
            let ticks = marks(panel.scale, range, ((tall / 32.0) as usize).max(2));
            Area { panel, y: range, ticks, empty: y.is_none() }
        };
        panels.iter().zip(&ys).map(area).collect()
    };
    let left_of = |areas: &[Area<'_>]| {
        let labels = areas.iter().flat_map(|area| &area.ticks.marks);
        let widest = labels.map(|tick| font::width(&tick.label)).fold(1.5, f64::max);
        (widest * LABEL + 8.0 + GAP).min(0.4 * width).ceil()
    };
    let plain = areas(&|range| range);
    let left = left_of(&plain);
    if !plot.equal_aspect {
        return Layout { x, areas: plain, left, tall };
    }
    // What is longest for its room says how long a unit is; all others show more.
    let wide = width - GAP - left;
    let longest = plain.iter().map(|area| area.y.length() / tall).fold(x.length() / wide, f64::max);
    let even = areas(&|range| range.enlarged(longest * tall / range.length()));
    Layout { x: x.enlarged(longest * wide / x.length()), areas: even, left, tall }
}

pub(crate) fn draw(plot: &Plot) -> Picture {
    let width = if plot.width >= 240.0 { plot.width.min(4000.0) } else { 240.0 };
    let empty = [Panel::default()];
    let panels = if plot.panels.is_empty() { &empty } else { plot.panels.as_slice() };
    let Layout { x, areas, left, tall } = layout(plot, panels, width);
    let frame = Frame { left, right: width - GAP, tall, x };
    let across = ((frame.right - left) / 66.0) as usize;
    let x_ticks = marks(plot.x_scale, x, across.max(2));
    let mut picture = Picture::new(width, 0.0, &plot.title);
    let mut top = 12.0;
    if !plot.title.is_empty() {
        let title = fitted(&plot.title, (width - 2.0 * GAP) / (1.1 * TITLE));
        picture.title([GAP, top + TITLE], &title, TITLE);
        top += TITLE + 14.0;
    }
    for area in &areas {
        top = frame.header(area, top, &mut picture);
        frame.area(plot, area, &x_ticks, top, &mut picture);
        top += tall + GAP;
    }
    top -= GAP;
    for tick in &x_ticks.marks {
        let at = [frame.across(tick.value), top + LABEL + 7.0];
        picture.text(at, &tick.label, LABEL, Align::Middle, Role::Faint);
    }
    top += LABEL + 7.0;
    let x_label = [plot.x_label.as_str(), &x_ticks.factor].join("  ");
    if !x_label.trim().is_empty() {
        top += LABEL + 9.0;
        let middle = 0.5 * (frame.left + frame.right);
        picture.text([middle, top], x_label.trim(), LABEL, Align::Middle, Role::Faint);
    }
    picture.height = (top + 14.0).ceil();
    picture
}

/// Where all panels are.
struct Frame {
    left: f64,
    right: f64,
    tall: f64,
    x: Range,
}

impl Frame {
    fn across(&self, place: f64) -> f64 {
        self.left + (place - self.x.low) / self.x.length() * (self.right - self.left)
    }

    /// The label of y and the legend; gives where they end.
    fn header(&self, area: &Area<'_>, top: f64, picture: &mut Picture) -> f64 {
        let label = [area.panel.y_label.as_str(), &area.ticks.factor].join("  ");
        let label = fitted(label.trim(), (self.right - GAP) / LABEL);
        let mut baseline = top + LABEL;
        picture.text([GAP, baseline], &label, LABEL, Align::Start, Role::Faint);
        let series = &area.panel.series;
        let named = |series: &Series| !series.name.is_empty();
        if !series.iter().any(named) {
            return baseline + 12.0;
        }
        let mut x = GAP + font::width(&label) * LABEL + if label.is_empty() { 0.0 } else { 22.0 };
        for (index, series) in series.iter().enumerate().filter(|(_, series)| named(series)) {
            let over = index >= NAMED;
            let rest = area.panel.series.len() - NAMED.min(area.panel.series.len());
            let name = if over { format!("and {rest} more") } else { series.name.clone() };
            let name = fitted(&name, (self.right - GAP - SWATCH - 6.0) / LABEL);
            let wide = SWATCH + 6.0 + font::width(&name) * LABEL;
            if x + wide > self.right && x > GAP {
                x = GAP;
                baseline += ROW;
            }
            if over {
                picture.text([x, baseline], &name, LABEL, Align::Start, Role::Faint);
                break;
            }
            let level = baseline - 0.36 * LABEL;
            let pen = pen(index, series, 2.5);
            picture.lines(&[[x, level], [x + SWATCH, level]], false, pen);
            if series.marks {
                let middle = [x + 0.5 * SWATCH, level];
                picture.circle(middle, 3.0, Pen::area(Role::Series(index)));
            }
            picture.text([x + SWATCH + 6.0, baseline], &name, LABEL, Align::Start, Role::Ink);
            x += wide + 16.0;
        }
        baseline + 12.0
    }

    fn area(&self, plot: &Plot, area: &Area<'_>, x: &Ticks, top: f64, picture: &mut Picture) {
        let bottom = top + self.tall;
        let up = |place: f64| bottom - (place - area.y.low) / area.y.length() * self.tall;
        let grid = Pen::line(Role::Grid, 1.0);
        for tick in &x.marks {
            let x = self.across(tick.value).round() + 0.5;
            picture.lines(&[[x, top], [x, bottom]], false, grid);
        }
        for tick in &area.ticks.marks {
            let y = up(tick.value).round() + 0.5;
            let zero =
                tick.value.abs() < 1e-9 * area.y.length() && area.panel.scale == Scale::Linear;
            let pen = if zero { Pen::line(Role::Faint, 1.0).faint(0.6) } else { grid };
            picture.lines(&[[self.left, y], [self.right, y]], false, pen);
            let at = [self.left - 8.0, y + 0.36 * LABEL];
            picture.text(at, &tick.label, LABEL, Align::End, Role::Faint);
        }
        if area.empty {
            let middle = [0.5 * (self.left + self.right), 0.5 * (top + bottom)];
            picture.text(middle, "no data", LABEL, Align::Middle, Role::Faint);
        }
        for (index, series) in area.panel.series.iter().enumerate() {
            let points: Vec<[f64; 2]> = places(plot, area.panel, series)
                .into_iter()
                .map(|[x, y]| [self.across(x), up(y)])
                .collect();
            let width = if points.len() > 20_000 { 1.25 } else { 1.75 };
            for run in points.split(|point| point[0].is_nan()).filter(|run| !run.is_empty()) {
                let thin = thinned(run);
                picture.lines(&thin, false, pen(index, series, width));
                // A point on its own would not be seen.
                if thin.len() == 1 && !series.marks {
                    picture.circle(thin[0], 2.5, Pen::area(Role::Series(index)));
                }
                if series.marks {
                    for point in run.iter().take(2000) {
                        picture.circle(*point, 3.5, Pen::area(Role::Series(index)));
                    }
                }
            }
        }
    }
}

/// A series after all colours have been used is dashed, so that it is not taken for another.
fn pen(index: usize, series: &Series, width: f64) -> Pen {
    let dash = match (series.dashed, index / Role::SERIES) {
        (true, _) => Dash::Dashed,
        (false, 0) => Dash::Solid,
        (false, 1) => Dash::Dashed,
        (false, _) => Dash::Dotted,
    };
    Pen::line(Role::Series(index), width).dashed(dash)
}
