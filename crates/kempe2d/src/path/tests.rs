//! Lengths, order and continuity; feet that stay on their branch; what is refused.

use super::*;
use kempe_scalar::precise::sin_cos;
use std::f64::consts::{FRAC_PI_2, PI};

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} {b}, apart by {:e}", (a - b).abs());
}

fn circle(radius: f64, count: u32) -> Path {
    let at = |k| Vec2::from_angle(TAU * f64::from(k) / f64::from(count)) * radius;
    Path::spline(&(0..count).map(at).collect::<Vec<Vec2>>(), true).unwrap()
}

/// A closed curve without symmetry, with points at uneven distances.
fn blob() -> Path {
    let at = |k: u32| {
        let angle = TAU * (f64::from(k) + 0.3 * f64::from(k % 3)) / 24.0;
        let (wave, _) = sin_cos(3.0 * angle + 0.4);
        Vec2::from_angle(angle) * (2.0 + 0.3 * wave) + Vec2::new(0.5, -3.0)
    };
    Path::spline(&(0..24).map(at).collect::<Vec<Vec2>>(), true).unwrap()
}

/// Points of a cycloid from which its cusps are cut off: its arc length is −4 cos(t/2).
fn cycloid_point(t: f64) -> Vec2 {
    let (sin, cos) = sin_cos(t);
    Vec2::new(t - sin, 1.0 - cos)
}

fn cycloid(count: u32) -> Path {
    let at = |k| cycloid_point(0.8 + 4.0 * f64::from(k) / f64::from(count));
    Path::spline(&(0..=count).map(at).collect::<Vec<Vec2>>(), false).unwrap()
}

fn polyline(points: &[(f64, f64)], closed: bool) -> Path {
    let points: Vec<Vec2> = points.iter().copied().map(Vec2::from).collect();
    Path::polyline(&points, closed).unwrap()
}

#[test]
fn a_circle() {
    let path = circle(2.5, 64);
    close(path.length(), TAU * 2.5, 1e-6 * TAU * 2.5);
    close(path.0.lap_turn, TAU, 1e-12);
    let lap = path.place(0.3 + path.length()).turn - path.place(0.3).turn;
    close(lap, TAU, 1e-12);
    // The second derivative of a cubic spline is off by h²/12 at the knots.
    for (count, bound) in [(64, 1e-3), (256, 6e-5)] {
        let path = circle(2.5, count);
        for k in 0..200 {
            let place = path.place(path.length() * f64::from(k) / 200.0);
            close(place.curvature * 2.5, 1.0, bound);
            close(place.point.length(), 2.5, 1e-5);
        }
    }
    let back: Vec<Vec2> = path.points().iter().rev().copied().collect();
    close(Path::spline(&back, true).unwrap().0.lap_turn, -TAU, 1e-12);
}

#[test]
fn the_order_is_four() {
    let error = |count: u32| {
        let path = cycloid(count);
        let away = |k| {
            let point = cycloid_point(0.8 + 4.0 * f64::from(k) / 997.0);
            (path.point_at(path.nearest(point)) - point).length()
        };
        (0..=997).map(away).fold(0.0, f64::max)
    };
    let errors = [32, 64, 128].map(error);
    for pair in errors.windows(2) {
        assert!((13.0..18.0).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
    let cos = |angle| sin_cos(angle).1;
    close(cycloid(64).length(), 4.0 * (cos(0.4) - cos(2.4)), 1e-6);
}

/// Simpson's rule on the speed that differences give, far finer than what is tested.
#[test]
fn arc_length_by_simpson() {
    let uneven = [(0.0, 0.0), (1.0, 0.0), (1.1, 0.1), (0.0, 3.0)].map(Vec2::from);
    let uneven = Path::spline(&uneven, true).unwrap();
    assert!(uneven.0.pieces.len() > 8, "its pieces are too bent for one integral each");
    for path in [blob(), cycloid(9), uneven] {
        for piece in &path.0.pieces {
            let n = 2000;
            let mut sum = 0.0;
            for k in 0..=n {
                let weight = if k == 0 || k == n { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
                sum += weight * piece.slope(piece.width * f64::from(k) / f64::from(n)).length();
            }
            let length = sum * piece.width / (3.0 * f64::from(n));
            close(piece.length / length, 1.0, 1e-12);
            close(piece.arc(piece.width * (1.0 - 1e-15)), piece.length, 1e-12 * length);
        }
    }
}

#[test]
fn arc_length_there_and_back() {
    for path in
        [blob(), circle(1.0, 5), cycloid(7), polyline(&[(0., 0.), (3., 1.), (2., 5.)], true)]
    {
        for piece in &path.0.pieces {
            for k in 0..=50 {
                let s = piece.length * f64::from(k) / 50.0;
                close(piece.arc(piece.at_arc(s)), s, 4e-15 * path.length());
                close(piece.guess(s), piece.at_arc(s), 0.02 * piece.width);
            }
        }
        // A chord is as long as the arc but for its curvature: ds = |dc|.
        for k in 0..300 {
            let (s, ds) = (path.length() * f64::from(k) / 300.0, 1e-5);
            let chord = (path.point_at(s + ds) - path.point_at(s)).length();
            assert!(!path.is_smooth() || (chord / ds - 1.0).abs() < 1e-8, "{chord}");
            close(path.nearest(path.point_at(s)), s, 1e-9);
        }
    }
}

#[test]
fn two_derivatives_are_continuous_at_the_points() {
    for path in [blob(), cycloid(9)] {
        let ends = usize::from(!path.is_closed());
        for point in &path.points()[ends..path.points().len() - ends] {
            let s = path.nearest(*point);
            close((path.point_at(s) - *point).length(), 0.0, 1e-12);
            let step = 1e-4;
            let [back, here, ahead] = [s - step, s, s + step].map(|s| path.place(s));
            let jump = |a: Place, b: Place| (b.tangent - a.tangent) * (1.0 / step);
            // Curvature from either side, by differences of the tangent alone.
            let (before, after) = (jump(back, here), jump(here, ahead));
            assert!((before - after).length() < 5e-3, "{before:?} {after:?}");
            close(here.tangent.cross(after), here.curvature, 5e-3);
            close((ahead.turn - back.turn) / (2.0 * step), here.curvature, 5e-3);
            let [back, ahead] = [s - 1e-9, s + 1e-9].map(|s| path.place(s));
            close(back.curvature, ahead.curvature, 1e-6);
            close(Vec2::from_angle(here.turn).dot(here.tangent), 1.0, 1e-14);
        }
    }
}

#[test]
fn laps_in_small_steps() {
    let path = circle(1.0, 64);
    for way in [1.0, -1.0] {
        let mut s = 0.0;
        for k in 0..3000 {
            let angle = way * 0.005 * f64::from(k);
            let place = path.follow(Vec2::from_angle(angle) * 1.1, s);
            s = place.s;
            close(s, angle, 1e-5);
            close(place.turn, angle + FRAC_PI_2, 1e-5);
            let again = path.place(s);
            close((again.point - place.point).length(), 0.0, 1e-12);
            close(again.turn, place.turn, 1e-12);
        }
    }
}

/// ds = t · dp / (1 − κ C).
#[test]
fn how_the_foot_moves() {
    for path in [blob(), cycloid(12)] {
        for k in 1..60 {
            let place = path.place(path.length() * f64::from(k) / 60.0);
            for offset in [-0.2, 0.0, 0.15] {
                let point = place.point + place.tangent.perp() * offset;
                let foot = path.follow(point, place.s);
                close(foot.s, place.s, 1e-11);
                let step = 1e-6;
                for direction in [Vec2::X, Vec2::Y] {
                    let moved =
                        [-step, step].map(|step| path.follow(point + direction * step, foot.s));
                    let expected = foot.tangent.dot(direction) / (1.0 - foot.curvature * offset);
                    // κ is only continuous at the points of the spline, thus not O(step²).
                    close((moved[1].s - moved[0].s) / (2.0 * step), expected, 1e-4);
                }
            }
        }
    }
}

fn eight(t: f64) -> Vec2 {
    Vec2::new(sin_cos(t).0, 0.5 * sin_cos(2.0 * t).0)
}

#[test]
fn a_figure_eight_keeps_its_branch() {
    let at = |k: u32| eight(TAU * (f64::from(k) + 0.5) / 48.0);
    let points: Vec<Vec2> = (0..48).map(at).collect();
    let smooth = Path::spline(&points, true).unwrap();
    close(smooth.0.lap_turn, 0.0, 1e-12);
    for path in [smooth, Path::polyline(&points, true).unwrap()] {
        assert!(path.nearest(Vec2::ZERO) < 0.5 * path.length(), "the first time through");
        let start = path.nearest(eight(1.0));
        let mut s = start;
        for k in 0..=4000 {
            let t = 1.0 + 2.0 * TAU * f64::from(k) / 4000.0;
            // A little off the path, so that the other branch is nearer at times.
            let point = eight(t) + Vec2::new(0.0, 0.01);
            let place = path.follow(point, s);
            assert!((place.s - s).abs() < 0.1, "from {s} to {}", place.s);
            assert!((place.point - point).length() < 0.02);
            s = place.s;
        }
        close(s - start, 2.0 * path.length(), 0.02);
    }
}

/// Legs 1 mm apart; a point that strays over the middle stays with its leg.
#[test]
fn the_legs_of_a_u_are_far_from_each_other() {
    let corners = [(0.0, 1.0), (0.0, 0.5), (0.0, 0.0), (1e-3, 0.0), (1e-3, 0.5), (1e-3, 1.0)];
    let mut points = vec![];
    points.extend((0..50).map(|k| Vec2::new(0.0, 1.0 - 0.02 * f64::from(k))));
    points
        .extend((1..20).map(|k| {
            Vec2::from_angle(PI + PI * f64::from(k) / 20.0) * 5e-4 + Vec2::new(5e-4, 0.0)
        }));
    points.extend((0..50).map(|k| Vec2::new(1e-3, 0.02 + 0.02 * f64::from(k))));
    for path in [polyline(&corners, false), Path::spline(&points, false).unwrap()] {
        let mut s = 0.05;
        for k in 0..=900 {
            let y = 0.95 - 0.001 * f64::from(k);
            let place = path.follow(Vec2::new(9e-4, y), s);
            close(place.point.x, 0.0, 1e-4);
            close(place.point.y, y, 1e-4);
            s = place.s;
        }
        assert!(s < 0.96);
        assert!(path.nearest(Vec2::new(9e-4, 0.5)) > 1.4, "though the other leg is nearer");
    }
}

#[test]
fn open_paths_go_on_straight() {
    let l = polyline(&[(0., 0.), (2., 0.), (2., 1.)], false);
    for path in [cycloid(9), l] {
        let length = path.length();
        for (end, beyond) in [(0.0, -3.0), (length, length + 3.0)] {
            let (from, place) = (path.place(end), path.place(beyond));
            assert_eq!((place.s, place.curvature), (beyond, 0.0));
            close((place.tangent - from.tangent).length(), 0.0, 1e-14);
            close(place.turn, from.turn, 1e-14);
            let straight = from.point + from.tangent * (beyond - end);
            close((place.point - straight).length(), 0.0, 1e-14);
            // There, and all the way back over the end onto the path.
            let inside = end + 0.1 * (end - beyond);
            let (mut s, beside) = (inside, from.tangent.perp() * 0.1);
            for k in 0..=200 {
                let there = f64::from(k.min(200 - k)) / 100.0;
                let wanted = inside + (beyond - inside) * there;
                let place = path.follow(path.point_at(wanted) + beside, s);
                s = place.s;
                if (wanted - end) * (beyond - end) > 0.01 {
                    close(s, wanted, 1e-12);
                }
            }
            assert!((0.0..=length).contains(&s), "{s}");
            assert_eq!(path.nearest(straight), end);
        }
    }
}

#[test]
fn corners_of_a_polyline() {
    let square = polyline(&[(0., 0.), (1., 0.), (1., 1.), (0., 1.)], true);
    assert_eq!((square.length(), square.0.lap_turn), (4.0, TAU));
    // Around it at a distance: sides and corners in turn, over two laps either way.
    for way in [1.0, -1.0] {
        let mut place = square.place(0.5);
        for k in 0..=1600 {
            let lap = way * f64::from(k) / 800.0;
            let angle = lap * TAU - FRAC_PI_2;
            let point = Vec2::from_angle(angle) * 2.0 + Vec2::new(0.5, 0.5);
            let next = square.follow(point, place.s);
            assert!((next.s - place.s) * way >= -1e-13, "{} {}", next.s, place.s);
            assert!((next.turn - place.turn).abs() < 1.6);
            assert_eq!(next.curvature, 0.0);
            let clamped = Vec2::new(point.x.clamp(0.0, 1.0), point.y.clamp(0.0, 1.0));
            close((next.point - clamped).length(), 0.0, 1e-14);
            // Outside a corner the tangent is across the way to it.
            close(next.tangent.dot(point - next.point), 0.0, 1e-14);
            place = next;
        }
        close(place.s, 0.5 + 8.0 * way, 1e-12);
        close(place.turn, 2.0 * TAU * way, 1e-12);
    }
    // At the inside of a corner it is the nearer of two feet.
    let place = square.follow(Vec2::new(0.7, 0.1), 0.5);
    assert_eq!((place.s, place.tangent), (0.7, Vec2::X));
    for x in [0.9, 1.1] {
        let place = square.follow(Vec2::new(x, 0.3), 0.5);
        close(place.s, 1.3, 1e-15);
    }
    let place = square.follow(Vec2::new(1.1, 0.3), 0.5);
    close(place.s, 1.3, 1e-15);
    assert_eq!(place.tangent, Vec2::Y);
    // A reversal turns by half a turn.
    let back = polyline(&[(0., 0.), (1., 0.), (0., 0.)], false);
    assert_eq!(back.place(1.5).turn, PI);
}

#[test]
fn the_nearest_of_all_places() {
    let square = polyline(&[(0., 0.), (1., 0.), (1., 1.), (0., 1.)], true);
    assert_eq!(square.nearest(Vec2::new(0.5, 0.5)), 0.5, "the first of four");
    assert_eq!(square.nearest(Vec2::new(-1.0, -1.0)), 0.0);
    assert_eq!(square.nearest(Vec2::new(2.0, 0.25)), 1.25);
    for path in [blob(), cycloid(9)] {
        for k in 0..400 {
            let point = Vec2::new(f64::from(k % 20) * 0.3 - 2.5, f64::from(k / 20) * 0.4 - 6.0);
            let at = |k: u32| path.point_at(path.length() * f64::from(k) / 2000.0);
            let sampled =
                (0..=2000).map(|k| (at(k) - point).length()).fold(f64::INFINITY, f64::min);
            let s = path.nearest(point);
            assert!((0.0..=path.length()).contains(&s));
            let distance = (path.point_at(s) - point).length();
            assert!(distance <= sampled + 1e-12 && distance > sampled - 1e-2, "{point:?}");
        }
    }
    assert!(circle(1.0, 64).nearest(Vec2::new(2.0, 0.0)) < 1e-12);
}

#[test]
fn few_points_and_bad_numbers_do_no_harm() {
    let two = Path::spline(&[Vec2::ZERO, Vec2::new(3.0, 4.0)], false).unwrap();
    assert_eq!((two.length(), two.place(2.0).curvature), (5.0, 0.0));
    let three = [Vec2::new(-1.0, 1.0), Vec2::ZERO, Vec2::new(1.0, 1.0)];
    let parabola = Path::spline(&three, false).unwrap();
    for k in 0..=20 {
        let point = parabola.point_at(parabola.length() * f64::from(k) / 20.0);
        close(point.y, point.x * point.x, 1e-14);
    }
    for path in [Path::spline(&three, true).unwrap(), two, blob(), circle(1e60, 12)] {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 0.0] {
            let _ = (path.place(bad), path.follow(Vec2::new(bad, 1.0), 0.3));
            let _ = (path.follow(Vec2::X, bad), path.nearest(Vec2::new(1.0, bad)));
        }
    }
    // Far away it has the same shape.
    let near = blob();
    let moved: Vec<Vec2> = near.points().iter().map(|p| *p + Vec2::new(1e6, 1e6)).collect();
    close(Path::spline(&moved, true).unwrap().length(), near.length(), 1e-8);
}

#[test]
fn written_and_read() {
    for path in [blob(), cycloid(5), polyline(&[(0., 0.), (1., 0.), (1., 1.)], true)] {
        let bytes = postcard::to_allocvec(&path).unwrap();
        assert!(bytes.len() <= 16 * path.points().len() + 3, "only what was given");
        let read: Path = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(read, path);
        assert_eq!(read.place(0.7), path.place(0.7));
    }
    let square = polyline(&[(0., 0.), (1., 0.), (1., 1.)], true);
    assert_ne!(square, polyline(&[(0., 0.), (1., 0.), (1., 1.)], false));
    assert_ne!(square, Path::spline(square.points(), true).unwrap());
    let bad = Written { points: vec![Vec2::ZERO, Vec2::ZERO], closed: false, smooth: true };
    let bytes = postcard::to_allocvec(&bad).unwrap();
    assert!(postcard::from_bytes::<Path>(&bytes).is_err());
}

#[test]
fn what_is_no_path() {
    let refused = |points: &[(f64, f64)], closed: bool| {
        let points: Vec<Vec2> = points.iter().copied().map(Vec2::from).collect();
        let error = Path::polyline(&points, closed).unwrap_err();
        assert_eq!(Path::spline(&points, closed).unwrap_err().to_string(), error.to_string());
        error.to_string()
    };
    assert_eq!(refused(&[(0., 0.)], false), "`points` is 1; it must be at least 2");
    let few = "`points` is 2; it must be at least 3 for a closed path";
    assert_eq!(refused(&[(0., 0.), (1., 0.)], true), few);
    assert_eq!(
        refused(&vec![(0., 0.); 100_001], false),
        "`points` is 100001; it must be at most 100000"
    );
    let not_finite = "`points.x` is NaN; it must be finite";
    assert_eq!(refused(&[(0., 0.), (f64::NAN, 0.)], false), not_finite);
    let not_finite = "`points.y` is inf; it must be finite";
    assert_eq!(refused(&[(0., f64::INFINITY), (1., 0.)], false), not_finite);
    let apart = "it must be apart by more than 1e-9 of the path's size";
    let same = [(0., 0.), (1., 0.), (1., 0.9e-9), (0., 1.)];
    assert!(refused(&same, false).ends_with(apart));
    let seam = [(0., 0.), (1., 0.), (1., 1.), (0., 0.)];
    assert!(refused(&seam, true).ends_with(apart));
    assert!(Path::polyline(&seam.map(Vec2::from), false).is_ok());
    let spread = "it must be spread over 1e-90 to 1e90";
    assert!(refused(&[(0., 0.), (1e200, 0.)], false).ends_with(spread));
    assert!(refused(&[(1., 1.), (1., 1.)], false).ends_with(spread));
}

#[test]
fn the_foot_of_an_end_is_the_end() {
    let line = Path::polyline(&[Vec2::ZERO, Vec2::new(1.0, 0.0)], false).unwrap();
    for near in [0.0, 0.3, 0.999, 1.0, 1.2] {
        assert_eq!(line.follow(Vec2::new(1.0, 0.0), near).s, 1.0, "{near}");
        assert_eq!(line.follow(Vec2::ZERO, near).s, 0.0, "{near}");
    }
}
