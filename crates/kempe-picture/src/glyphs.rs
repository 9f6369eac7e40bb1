//! How joints, forces and marks are drawn, in pixels.

use crate::color::Role;
use crate::picture::{Dash, Pen, Picture};

type Point = [f64; 2];

/// How joints of a kind look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// A ring.
    Ring,
    /// A rail.
    Rail,
    /// A straight line.
    Line,
    /// A line that goes to and fro.
    Spring,
    /// A square.
    Square,
    /// A line over several points.
    Cable,
    /// A line of dots.
    Dots,
}

impl Sign {
    /// By the name of the kind, in any letters.
    pub fn of(kind: &str) -> Self {
        let kind = kind.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| kind.contains(word));
        if kind == "pin" || has(&["revolute", "hinge", "pivot", "wheel"]) {
            Self::Ring
        } else if has(&["prismatic", "slot", "rail", "slider", "piston", "groove"]) {
            Self::Rail
        } else if has(&["spring", "bushing"]) {
            Self::Spring
        } else if has(&["distance", "rope", "rod"]) {
            Self::Line
        } else if has(&["weld", "fixed", "lock"]) {
            Self::Square
        } else if has(&["pulley", "tendon", "cable", "belt"]) {
            Self::Cable
        } else {
            Self::Dots
        }
    }

    /// As the page has it.
    pub fn number(self) -> u8 {
        match self {
            Self::Ring => 0,
            Self::Rail => 1,
            Self::Line => 2,
            Self::Spring => 3,
            Self::Square => 4,
            Self::Cable => 5,
            Self::Dots => 6,
        }
    }
}

/// A joint from end to end; `rail` is a direction, `line` where a cable goes.
pub(crate) fn joint(
    picture: &mut Picture,
    sign: Sign,
    [a, b]: [Point; 2],
    rail: Option<Point>,
    line: &[Point],
    broken: bool,
) {
    let role = if broken { Role::Broken } else { Role::Joint };
    let faint = if broken { 0.55 } else { 1.0 };
    let pen = Pen::line(role, 1.75).faint(faint);
    let mark = pen.filled(Role::Paper, 1.0);
    let apart = f64::hypot(b[0] - a[0], b[1] - a[1]) > 1.0;
    match sign {
        Sign::Ring => {
            if apart {
                picture.lines(&[a, b], false, Pen { width: 1.25, ..pen }.dashed(Dash::Dotted));
            }
            picture.circle(b, 4.5, mark);
        }
        Sign::Rail => {
            let along = rail.unwrap_or([b[0] - a[0], b[1] - a[1]]);
            let length = f64::hypot(along[0], along[1]);
            let unit = if length > 0.0 { along.map(|v| v / length) } else { [1.0, 0.0] };
            let travel = (b[0] - a[0]) * unit[0] + (b[1] - a[1]) * unit[1];
            let at = |s: f64, off: f64| {
                [a[0] + s * unit[0] - off * unit[1], a[1] + s * unit[1] + off * unit[0]]
            };
            let (start, end) = (travel.min(0.0) - 14.0, travel.max(0.0) + 14.0);
            let thin = Pen { width: 1.25, ..pen };
            picture.lines(&[at(start, 4.0), at(end, 4.0)], false, thin);
            picture.lines(&[at(start, -4.0), at(end, -4.0)], false, thin);
            picture.circle(b, 3.0, mark);
        }
        Sign::Line => {
            picture.lines(&[a, b], false, pen);
            picture.circle(a, 2.5, mark);
            picture.circle(b, 2.5, mark);
        }
        Sign::Spring => {
            picture.lines(&zigzag(a, b), false, pen);
            picture.circle(a, 2.5, mark);
            picture.circle(b, 2.5, mark);
        }
        Sign::Square => {
            let s = 4.0;
            let corners = [[-s, -s], [s, -s], [s, s], [-s, s]].map(|[x, y]| [b[0] + x, b[1] + y]);
            picture.lines(&corners, true, mark);
            picture.lines(&[corners[0], corners[2]], false, pen);
            picture.lines(&[corners[1], corners[3]], false, pen);
        }
        Sign::Cable => {
            let ends = [a, b];
            let line = if line.len() > 1 { line } else { &ends };
            picture.lines(line, false, pen);
            line.iter().for_each(|point| picture.circle(*point, 2.5, mark));
        }
        Sign::Dots => {
            picture.lines(&[a, b], false, pen.dashed(Dash::Dotted));
            picture.circle(a, 2.0, mark);
            picture.circle(b, 2.0, mark);
        }
    }
}

/// To and fro from end to end, always as often.
fn zigzag(a: Point, b: Point) -> Vec<Point> {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length = f64::hypot(along[0], along[1]).max(1e-9);
    let side = [-along[1] / length, along[0] / length];
    let at = |part: f64, off: f64| {
        [a[0] + part * along[0] + off * side[0], a[1] + part * along[1] + off * side[1]]
    };
    let mut points = vec![a, at(0.15, 0.0)];
    points.extend(
        (0..10)
            .map(|i| at(0.15 + 0.07 * (f64::from(i) + 0.5), if i % 2 == 0 { 6.0 } else { -6.0 })),
    );
    points.extend([at(0.85, 0.0), b]);
    points
}

/// An arrow; none where it would not be seen.
pub(crate) fn arrow(picture: &mut Picture, from: Point, along: Point, role: Role) {
    let length = f64::hypot(along[0], along[1]);
    if length.is_nan() || length < 2.0 {
        return;
    }
    let tip = [from[0] + along[0], from[1] + along[1]];
    let unit = along.map(|v| v / length);
    let head = f64::min(8.0, 0.6 * length);
    let back = |off: f64| {
        [tip[0] - head * unit[0] - off * unit[1], tip[1] - head * unit[1] + off * unit[0]]
    };
    picture.lines(&[from, back(0.0)], false, Pen::line(role, 2.0));
    picture.lines(&[back(0.45 * head), tip, back(-0.45 * head)], true, Pen::area(role));
}

/// An arc that turns; `part` from −1 to 1 is how far, counter-clockwise as it is seen.
pub(crate) fn turn(picture: &mut Picture, center: Point, part: f64, role: Role) {
    if part.is_nan() || part.abs() < 0.02 {
        return;
    }
    let sweep = 5.2 * part.clamp(-1.0, 1.0);
    let at = |i: f64, radius: f64| {
        let angle = 0.5 * std::f64::consts::PI + sweep * i;
        [center[0] + radius * angle.cos(), center[1] - radius * angle.sin()]
    };
    let arc: Vec<Point> = (0..=24).map(|i| at(f64::from(i) / 24.0, 13.0)).collect();
    picture.lines(&arc, false, Pen::line(role, 2.0));
    let back = 1.0 - 0.5 / sweep.abs().max(0.5);
    picture.lines(&[at(back, 16.5), at(1.0, 13.0), at(back, 9.5)], false, Pen::line(role, 2.0));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_signs() {
        let signs = [
            ("Revolute", Sign::Ring),
            ("slot", Sign::Rail),
            ("prismatic", Sign::Rail),
            ("rope", Sign::Line),
            ("spring", Sign::Spring),
            ("weld", Sign::Square),
            ("tendon", Sign::Cable),
            ("anything at all", Sign::Dots),
        ];
        for (kind, sign) in signs {
            assert_eq!(Sign::of(kind), sign, "{kind}");
        }
    }

    #[test]
    fn a_force_of_no_size_or_no_number_is_not_drawn() {
        let mut picture = Picture::new(100.0, 100.0, "");
        arrow(&mut picture, [0.0; 2], [0.5, 0.0], Role::Force);
        arrow(&mut picture, [0.0; 2], [f64::NAN, 0.0], Role::Force);
        turn(&mut picture, [0.0; 2], 0.0, Role::Torque);
        turn(&mut picture, [0.0; 2], f64::NAN, Role::Torque);
        assert!(picture.items.is_empty());
        arrow(&mut picture, [0.0; 2], [0.0, 30.0], Role::Force);
        assert_eq!(picture.items.len(), 2);
    }
}
