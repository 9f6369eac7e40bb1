//! Curves that are fixed in a body, for a joint that keeps a point of another body on them.
//!
//! A path is known by its arc length s. The foot of a point p is where (p − c(s)) · t(s) = 0; it is
//! followed down the distance from where it was, never sought anew, so that it stays on its branch
//! where the path crosses itself or comes back close by. With n = ⊥t, C = n · (p − c) and the
//! curvature κ, it moves by ds = t · dp / (1 − κ C).

mod piece;
mod spline;
#[cfg(test)]
mod tests;

use crate::error::{Error, finite};
use kempe_scalar::Vec2;
use piece::{Piece, angle};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use std::sync::Arc;

const MOST_POINTS: usize = 100_000;
/// Points closer than this, as a part of the path's size, are one.
const CLOSEST: f64 = 1e-9;

/// A curve in the axes of a body: straight pieces or a smooth spline through points.
///
/// Open paths go on straight beyond their ends, closed ones go round. A copy costs nothing.
///
/// ```
/// use kempe2d::{Path, Vec2};
///
/// let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)].map(Vec2::from);
/// let path = Path::polyline(&corners, false)?;
/// assert_eq!(path.length(), 3.0);
/// assert_eq!(path.point_at(2.5), Vec2::new(2.0, 0.5));
/// assert_eq!(path.nearest(Vec2::new(1.0, -3.0)), 1.0);
/// # Ok::<(), kempe2d::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Path(Arc<Inner>);

#[derive(Debug, PartialEq)]
struct Inner {
    points: Vec<Vec2>,
    closed: bool,
    smooth: bool,
    pieces: Vec<Piece>,
    length: f64,
    /// By how much the tangent turns in a lap.
    lap_turn: f64,
}

/// How a path is written down.
#[derive(Serialize, Deserialize)]
struct Written {
    points: Vec<Vec2>,
    closed: bool,
    smooth: bool,
}

impl TryFrom<Written> for Path {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self, Error> {
        Self::new(written.points, written.closed, written.smooth)
    }
}

impl From<Path> for Written {
    fn from(path: Path) -> Self {
        let Inner { points, closed, smooth, .. } = &*path.0;
        Self { points: points.clone(), closed: *closed, smooth: *smooth }
    }
}

/// A place of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// Arc length. On a closed path it counts laps.
    pub s: f64,
    pub point: Vec2,
    /// Of length 1, where s grows.
    pub tangent: Vec2,
    /// The angle of the tangent, continuous along s but for corners, where it jumps.
    pub turn: f64,
    /// The derivative of `turn` by s.
    pub curvature: f64,
}

/// Where in which piece, in which lap.
#[derive(Clone, Copy)]
struct Spot {
    lap: f64,
    piece: usize,
    at: f64,
}

fn validate(points: &[Vec2], closed: bool) -> Result<(), Error> {
    let refuse = |value: f64, must_be| Err(Error::Number { field: "points", value, must_be });
    let count = points.len();
    if closed && count < 3 {
        return refuse(count as f64, "at least 3 for a closed path");
    } else if count < 2 {
        return refuse(count as f64, "at least 2");
    } else if count > MOST_POINTS {
        return refuse(count as f64, "at most 100000");
    }
    let (mut low, mut high) = (points[0], points[0]);
    for point in points {
        finite("points.x", point.x)?;
        finite("points.y", point.y)?;
        low = Vec2::new(low.x.min(point.x), low.y.min(point.y));
        high = Vec2::new(high.x.max(point.x), high.y.max(point.y));
    }
    let size = (high - low).length();
    // Beyond, squares and cubes would overflow or vanish.
    if !(1e-90..=1e90).contains(&size) {
        return refuse(size, "spread over 1e-90 to 1e90");
    }
    let last = if closed { count } else { count - 1 };
    for k in 0..last {
        let distance = (points[(k + 1) % count] - points[k]).length();
        if distance <= CLOSEST * size {
            return refuse(distance, "apart by more than 1e-9 of the path's size");
        }
    }
    Ok(())
}

impl Path {
    /// Straight pieces from point to point.
    ///
    /// # Errors
    /// If there are fewer than 2 points (3 for a closed path) or more than 100 000, one is not
    /// finite, or two that follow each other, also the last and the first of a closed path, are one.
    pub fn polyline(points: &[Vec2], closed: bool) -> Result<Self, Error> {
        Self::new(points.to_vec(), closed, false)
    }

    /// The smooth curve through points: a cubic spline with a continuous curvature.
    ///
    /// # Errors
    /// As [`polyline`](Self::polyline).
    pub fn spline(points: &[Vec2], closed: bool) -> Result<Self, Error> {
        Self::new(points.to_vec(), closed, true)
    }

    fn new(points: Vec<Vec2>, closed: bool, smooth: bool) -> Result<Self, Error> {
        validate(&points, closed)?;
        let mut pieces = if smooth {
            spline::pieces(&points, closed)
        } else {
            let ends = points.windows(2).map(|ends| Piece::straight(ends[0], ends[1]));
            let seam = closed.then(|| Piece::straight(points[points.len() - 1], points[0]));
            ends.chain(seam).collect()
        };
        let mut length = 0.0;
        let mut turn = angle(Vec2::X, pieces[0].tangent(0.0));
        let first = turn;
        for k in 0..pieces.len() {
            let next = pieces[(k + 1) % pieces.len()].tangent(0.0);
            let piece = &mut pieces[k];
            (piece.start, piece.turn) = (length, turn);
            length += piece.length;
            let end = piece.tangent(piece.width);
            turn += angle(piece.b, end) + angle(end, next);
        }
        // Full turns, but for rounding.
        let lap_turn = if closed { ((turn - first) / TAU).round() * TAU } else { 0.0 };
        Ok(Self(Arc::new(Inner { points, closed, smooth, pieces, length, lap_turn })))
    }

    /// The points it goes through.
    pub fn points(&self) -> &[Vec2] {
        &self.0.points
    }

    /// Whether it goes from the last point back to the first.
    pub fn is_closed(&self) -> bool {
        self.0.closed
    }

    /// Whether it is a spline.
    pub fn is_smooth(&self) -> bool {
        self.0.smooth
    }

    /// The arc length from end to end, or of one lap, m.
    pub fn length(&self) -> f64 {
        self.0.length
    }

    /// The point at an arc length, m.
    pub fn point_at(&self, s: f64) -> Vec2 {
        self.place(s).point
    }

    /// The unit vector along the path at an arc length, m.
    pub fn tangent_at(&self, s: f64) -> Vec2 {
        self.place(s).tangent
    }

    /// The arc length of the place that is nearest to a point, from 0 to the length. Of places that
    /// are as near as each other, it is the first.
    pub fn nearest(&self, point: Vec2) -> f64 {
        let Inner { pieces, length, .. } = &*self.0;
        // Rounding decides nothing.
        let slack = 1e-12 * length;
        let (mut best, mut nearest) = (f64::INFINITY, 0.0);
        let mut from = (pieces[0].point(0.0) - point).length();
        for piece in pieces {
            let to = (piece.point(piece.width) - point).length();
            // A place of the piece is at most `length` from both of its ends together.
            if 0.5 * (from + to - piece.length) < best {
                piece.feet(point, |u| {
                    let distance = (piece.point(u) - point).length();
                    if distance < best - slack {
                        (best, nearest) = (distance, piece.start + piece.arc(u));
                    }
                });
            }
            from = to;
        }
        if !self.is_smooth() {
            return if self.is_closed() && nearest >= *length { 0.0 } else { nearest };
        }
        let s = self.follow(point, nearest).s;
        if !self.is_closed() {
            return s.clamp(0.0, *length);
        }
        let s = s - (s / length).floor() * length;
        if length - s <= slack { 0.0 } else { s }
    }

    /// The place at an arc length.
    pub(crate) fn place(&self, s: f64) -> Place {
        let (spot, s_of_piece) = self.find(s);
        let at = self.0.pieces[spot.piece].at_arc(s_of_piece);
        Place { s, ..self.place_of(Spot { at, ..spot }) }
    }

    /// The foot of a point: where the distance from it is least on the way down from arc length
    /// `near`.
    ///
    /// At a corner `s` keeps by a hair to the side that it came from, so that the next call comes from
    /// there too.
    pub(crate) fn follow(&self, point: Vec2, near: f64) -> Place {
        let (spot, s_of_piece) = self.find(near);
        let at = self.0.pieces[spot.piece].guess(s_of_piece);
        let spot = self.descend(point, Spot { at, ..spot });
        let spot = if self.0.smooth { spot } else { self.round_corner(point, spot) };
        let mut place = self.place_of(spot);
        self.turn_at_corner(point, spot, &mut place);
        place
    }

    /// Inside a corner both pieces have a foot: the nearer one, if it is as near along the path as the
    /// point is to it.
    fn round_corner(&self, point: Vec2, spot: Spot) -> Spot {
        let pieces = &self.0.pieces;
        let far = |spot: Spot| (point - pieces[spot.piece].point(spot.at)).length();
        let (own, width) = (far(spot), pieces[spot.piece].width);
        if !(0.0..=width).contains(&spot.at) {
            return spot;
        }
        for forward in [true, false] {
            let Some(next) = self.neighbour(spot, forward) else { continue };
            let rest = if forward { width - spot.at } else { spot.at };
            if rest > 3.0 * own {
                continue;
            }
            let (at, _) = pieces[next.piece].descend(point, next.at);
            let other = Spot { at, ..next };
            if far(other) < own && rest + (at - next.at).abs() <= 3.0 * own {
                return other;
            }
        }
        spot
    }

    /// Outside a corner the path is its point: the tangent is across the way to it, between those of
    /// the pieces, so that what leaves one of them past its end is held there.
    fn turn_at_corner(&self, point: Vec2, spot: Spot, place: &mut Place) {
        let piece = &self.0.pieces[spot.piece];
        let forward = spot.at == piece.width;
        if self.0.smooth || !(forward || spot.at == 0.0) {
            return;
        }
        let Some(other) = self.neighbour(spot, forward) else { return };
        let beside = self.0.pieces[other.piece].tangent(other.at);
        let left = if forward { place.tangent.cross(beside) } else { beside.cross(place.tangent) };
        let off = point - place.point;
        let length = off.length();
        if length > 1e-12 * self.0.length {
            let n = off * (if left >= 0.0 { -1.0 } else { 1.0 } / length);
            let tangent = Vec2::new(n.y, -n.x);
            place.turn += angle(place.tangent, tangent);
            place.tangent = tangent;
        }
    }

    /// The piece at an arc length, still without where in it, and the arc length from its start.
    fn find(&self, s: f64) -> (Spot, f64) {
        let Inner { closed, pieces, length, .. } = &*self.0;
        let lap = if *closed { (s / length).floor() } else { 0.0 };
        let along = if *closed { (s - lap * length).clamp(0.0, *length) } else { s };
        let piece = pieces.partition_point(|piece| piece.start <= along).saturating_sub(1);
        (Spot { lap, piece, at: 0.0 }, along - pieces[piece].start)
    }

    /// The piece behind this one or before it, where it starts or ends.
    fn neighbour(&self, spot: Spot, forward: bool) -> Option<Spot> {
        let Inner { closed, pieces, .. } = &*self.0;
        let last = pieces.len() - 1;
        let Spot { lap, piece, .. } = spot;
        let (lap, piece) = match (forward, piece) {
            (true, k) if k < last => (lap, k + 1),
            (false, k) if k > 0 => (lap, k - 1),
            (true, _) if *closed => (lap + 1.0, 0),
            (false, _) if *closed => (lap - 1.0, last),
            _ => return None,
        };
        Some(Spot { lap, piece, at: if forward { 0.0 } else { pieces[piece].width } })
    }

    /// Goes down with the distance from the point, from piece to piece.
    fn descend(&self, point: Vec2, mut spot: Spot) -> Spot {
        let pieces = &self.0.pieces;
        // The distance falls all the way, so that there is an end to it within a lap.
        for _ in 0..=pieces.len() {
            let piece = &pieces[spot.piece];
            let (at, pull) = piece.descend(point, spot.at);
            spot.at = at;
            let forward = pull > 0.0;
            if pull == 0.0 || pull.is_nan() || (at != if forward { piece.width } else { 0.0 }) {
                return spot;
            }
            let Some(next) = self.neighbour(spot, forward) else {
                spot.at += (point - piece.point(at)).dot(piece.tangent(at));
                return spot;
            };
            let pull = pieces[next.piece].pull_at(point, next.at);
            if !(if forward { pull > 0.0 } else { pull < 0.0 }) {
                return spot;
            }
            spot = next;
        }
        spot
    }

    fn place_of(&self, spot: Spot) -> Place {
        let Inner { smooth, length, pieces, lap_turn, .. } = &*self.0;
        let piece = &pieces[spot.piece];
        let Spot { lap, at, .. } = spot;
        let inside = at.clamp(0.0, piece.width);
        let tangent = piece.tangent(inside);
        let mut s = lap * length + (piece.start + piece.arc(at));
        let hair = 4.0 * f64::EPSILON * (s.abs() + length);
        if !smooth && at == 0.0 && self.neighbour(spot, false).is_some() {
            s += hair;
        } else if !smooth && at == piece.width && self.neighbour(spot, true).is_some() {
            s -= hair;
        }
        Place {
            s,
            point: piece.point(inside) + tangent * (at - inside),
            tangent,
            turn: piece.turn + angle(piece.b, tangent) + lap * lap_turn,
            curvature: if at == inside { piece.curvature(at) } else { 0.0 },
        }
    }
}
