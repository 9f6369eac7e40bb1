//! The smooth curve through points: a cubic spline with two continuous derivatives, its parameter the
//! length of the chords.
//!
//! With chords hᵢ and their unit vectors Δᵢ, the slopes mᵢ at the points follow from
//!
//! hᵢ mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) mᵢ + hᵢ₋₁ mᵢ₊₁ = 3 (hᵢ Δᵢ₋₁ + hᵢ₋₁ Δᵢ)
//!
//! (de Boor, A Practical Guide to Splines, chapter 4). An open curve takes the slopes at its ends from
//! the cubic through four points, which keeps the fourth order; without curvature at the ends, as the
//! "natural" spline has it, that would be lost. A closed one is solved by Sherman and Morrison.

use super::piece::Piece;
use kempe_scalar::Vec2;

/// The vector at length 1, if it has a direction.
pub(super) fn unit(vector: Vec2) -> Option<Vec2> {
    let length = vector.length();
    (length > 0.0).then(|| vector * (1.0 / length))
}

/// The pieces of the spline through points that are apart.
pub(super) fn pieces(points: &[Vec2], closed: bool) -> Vec<Piece> {
    let n = points.len();
    let count = if closed { n } else { n - 1 };
    let chord = |k: usize| points[(k + 1) % n] - points[k];
    let widths: Vec<f64> = (0..count).map(|k| chord(k).length()).collect();
    let chords: Vec<Vec2> = (0..count).map(|k| chord(k) * (1.0 / widths[k])).collect();
    let slopes = if closed {
        closed_slopes(&widths, &chords)
    } else {
        open_slopes(points, &widths, &chords)
    };
    let mut pieces = Vec::with_capacity(count);
    for k in 0..count {
        let (h, chord) = (widths[k], chords[k]);
        let (from, to) = (slopes[k], slopes[(k + 1) % n]);
        // So written, both are 0 on a straight line.
        let (out, into) = (from - chord, to - chord);
        let (c, d) = (-(out * 2.0 + into) * (1.0 / h), (out + into) * (1.0 / (h * h)));
        Piece::cubic([points[k], from, c, d], h).cut(&mut pieces);
    }
    pieces
}

/// One equation: of the slope before, this one and the next.
#[derive(Clone, Copy)]
struct Line {
    before: f64,
    this: f64,
    after: f64,
    right: Vec2,
}

fn line(widths: [f64; 2], chords: [Vec2; 2]) -> Line {
    let [before, after] = widths;
    let right = (chords[0] * after + chords[1] * before) * 3.0;
    Line { before: after, this: 2.0 * (before + after), after: before, right }
}

/// Solves equations of three slopes each by elimination; they need no pivoting, for `this` outweighs
/// the others. The second result is for `other` on the right side.
fn solve(lines: &[Line], other: &[f64]) -> (Vec<Vec2>, Vec<f64>) {
    let n = lines.len();
    let (mut ahead, mut vectors, mut numbers) = (vec![0.0; n], vec![Vec2::ZERO; n], vec![0.0; n]);
    for k in 0..n {
        let Line { before, this, after, right } = lines[k];
        let (pivot, vector, number) = if k == 0 {
            (this, right, other[k])
        } else {
            let pivot = this - before * ahead[k - 1];
            (pivot, right - vectors[k - 1] * before, other[k] - numbers[k - 1] * before)
        };
        ahead[k] = after / pivot;
        vectors[k] = vector * (1.0 / pivot);
        numbers[k] = number / pivot;
    }
    for k in (0..n.saturating_sub(1)).rev() {
        let (vector, number) = (vectors[k + 1], numbers[k + 1]);
        vectors[k] -= vector * ahead[k];
        numbers[k] -= number * ahead[k];
    }
    (vectors, numbers)
}

fn closed_slopes(widths: &[f64], chords: &[Vec2]) -> Vec<Vec2> {
    let n = widths.len();
    let before = |k: usize| (k + n - 1) % n;
    let mut lines: Vec<Line> = (0..n)
        .map(|k| line([widths[before(k)], widths[k]], [chords[before(k)], chords[k]]))
        .collect();
    // The corners of the matrix, as a product of two vectors that is taken away and put back.
    let (top, bottom) = (lines[0].before, lines[n - 1].after);
    let gamma = -lines[0].this;
    lines[0].this -= gamma;
    lines[n - 1].this -= top * bottom / gamma;
    let mut other = vec![0.0; n];
    (other[0], other[n - 1]) = (gamma, bottom);
    let (mut slopes, others) = solve(&lines, &other);
    let share = top / gamma;
    let along = slopes[0] + slopes[n - 1] * share;
    let factor = along * (1.0 / (1.0 + others[0] + others[n - 1] * share));
    for (slope, other) in slopes.iter_mut().zip(others) {
        *slope -= factor * other;
    }
    slopes
}

fn open_slopes(points: &[Vec2], widths: &[f64], chords: &[Vec2]) -> Vec<Vec2> {
    let n = points.len();
    let first = end_slope(points.iter().copied(), widths.iter().copied());
    let last = -end_slope(points.iter().rev().copied(), widths.iter().rev().copied());
    let mut lines: Vec<Line> =
        (1..n - 1).map(|k| line([widths[k - 1], widths[k]], [chords[k - 1], chords[k]])).collect();
    if let Some(line) = lines.first_mut() {
        line.right -= first * line.before;
    }
    if let Some(line) = lines.last_mut() {
        line.right -= last * line.after;
    }
    let (between, _) = solve(&lines, &vec![0.0; lines.len()]);
    let mut slopes = Vec::with_capacity(n);
    slopes.push(first);
    slopes.extend(between);
    slopes.push(last);
    slopes
}

/// The slope at the first point of the polynomial through the first four, or as many as there are, by
/// Newton's divided differences.
fn end_slope(points: impl Iterator<Item = Vec2>, mut widths: impl Iterator<Item = f64>) -> Vec2 {
    let (mut at, mut table, mut count) = ([0.0; 4], [Vec2::ZERO; 4], 0);
    for point in points.take(4) {
        if count > 0 {
            at[count] = at[count - 1] + widths.next().unwrap_or(1.0);
        }
        table[count] = point;
        count += 1;
    }
    let (mut slope, mut factor) = (Vec2::ZERO, 1.0);
    for order in 1..count {
        for k in 0..count - order {
            table[k] = (table[k + 1] - table[k]) * (1.0 / (at[k + order] - at[k]));
        }
        slope += table[0] * factor;
        factor *= -at[order];
    }
    slope
}
