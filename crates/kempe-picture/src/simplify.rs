//! Lines with fewer points that look the same.

/// How many points are looked at together.
const CHUNK: usize = 512;

/// Of the points in each column of pixels the first, the lowest, the highest and the last, in their
/// order; x must not fall.
pub(crate) fn columns(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut result: Vec<[f64; 2]> = Vec::new();
    for column in points.chunk_by(|a, b| a[0].floor() == b[0].floor()) {
        let by_height = |&a: &usize, &b: &usize| column[a][1].total_cmp(&column[b][1]);
        let low = (0..column.len()).min_by(by_height).unwrap_or(0);
        let high = (0..column.len()).max_by(by_height).unwrap_or(0);
        let mut kept = [0, low, high, column.len() - 1];
        kept.sort_unstable();
        let mut before = None;
        for index in kept {
            if before != Some(index) {
                result.push(column[index]);
            }
            before = Some(index);
        }
    }
    result
}

/// Leaves out points that are closer than a tolerance to the lines between those that are kept.
/// The first and the last are kept.
pub(crate) fn straight(points: &[[f64; 2]], tolerance: f64) -> Vec<[f64; 2]> {
    let mut result = Vec::new();
    let mut start = 0;
    while start + 1 < points.len() {
        let end = (start + CHUNK).min(points.len() - 1);
        let piece = &points[start..=end];
        let kept = kept(piece, tolerance);
        // The last point is the first of the next piece.
        let before_last = piece.iter().zip(kept).take(piece.len() - 1);
        result.extend(before_last.filter(|(_, kept)| *kept).map(|(point, _)| *point));
        start = end;
    }
    result.extend(points.last());
    result
}

/// Which points of a piece are needed.
fn kept(points: &[[f64; 2]], tolerance: f64) -> Vec<bool> {
    let mut kept = vec![false; points.len()];
    let mut ranges = vec![(0, points.len() - 1)];
    while let Some((first, last)) = ranges.pop() {
        kept[first] = true;
        kept[last] = true;
        let off = |i: usize| distance(points[i], points[first], points[last]);
        let farthest = (first + 1..last).max_by(|a, b| off(*a).total_cmp(&off(*b)));
        if let Some(farthest) = farthest.filter(|farthest| off(*farthest) > tolerance) {
            ranges.push((first, farthest));
            ranges.push((farthest, last));
        }
    }
    kept
}

/// From a point to a segment.
fn distance(point: [f64; 2], start: [f64; 2], end: [f64; 2]) -> f64 {
    let along = [end[0] - start[0], end[1] - start[1]];
    let to = [point[0] - start[0], point[1] - start[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let part = if length > 0.0 { (to[0] * along[0] + to[1] * along[1]) / length } else { 0.0 };
    let part = part.clamp(0.0, 1.0);
    f64::hypot(to[0] - part * along[0], to[1] - part * along[1])
}

/// Points in pixels, thinned for pixels.
pub(crate) fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let rising = points.is_sorted_by(|a, b| a[0] <= b[0]);
    if rising && points.len() > 4 { straight(&columns(points), 0.1) } else { straight(points, 0.1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(count: usize) -> Vec<[f64; 2]> {
        let y = |i: usize| 100.0 * ((i * i % 7919) as f64 * 0.37).sin();
        (0..count).map(|i| [700.0 * i as f64 / count as f64, y(i)]).collect()
    }

    #[test]
    fn extremes_are_kept_in_every_column() {
        let points = noise(100_000);
        let thin = columns(&points);
        assert!(thin.len() <= 4 * 700, "{}", thin.len());
        assert!(thin.is_sorted_by(|a, b| a[0] <= b[0]));
        for x in [0.0, 1.0, 350.0, 699.0] {
            let range = |points: &[[f64; 2]]| {
                let inside = points.iter().filter(|point| point[0].floor() == x);
                inside.fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p[1]), b.max(p[1])))
            };
            assert_eq!(range(&thin), range(&points), "{x}");
        }
        assert_eq!((thin[0], thin.last()), (points[0], points.last()));
    }

    #[test]
    fn lines_lose_what_is_straight_only() {
        let line: Vec<[f64; 2]> = (0..3000).map(|i| [f64::from(i), 2.0 * f64::from(i)]).collect();
        assert!(straight(&line, 0.1).len() <= 3000 / CHUNK + 2);
        let circle: Vec<[f64; 2]> = (0..=4000)
            .map(|i| 0.01 * f64::from(i))
            .map(|turn| [100.0 * turn.cos(), 100.0 * turn.sin()])
            .collect();
        let thin = straight(&circle, 0.1);
        assert!(thin.len() < circle.len() / 5, "{}", thin.len());
        for point in &circle {
            let near = thin.windows(2).map(|pair| distance(*point, pair[0], pair[1]));
            assert!(near.fold(f64::MAX, f64::min) < 0.1001);
        }
    }

    #[test]
    fn few_points_and_points_in_one_place() {
        assert!(thinned(&[]).is_empty());
        assert_eq!(thinned(&[[1.0, 2.0]]), [[1.0, 2.0]]);
        assert_eq!(thinned(&[[1.0, 2.0], [1.0, 9.0]]), [[1.0, 2.0], [1.0, 9.0]]);
        assert_eq!(thinned(&[[1.0, 2.0]; 5000]).first(), Some(&[1.0, 2.0]));
        assert!(thinned(&[[1.0, 2.0]; 5000]).len() <= 4);
    }
}
