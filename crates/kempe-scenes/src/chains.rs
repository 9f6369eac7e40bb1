//! Chains and bridges: revolute joints in a row.

use crate::error::Error;
use crate::scene::{Scene, disc, plank, rod};
use kempe_scalar::precise;
use kempe2d::{BodyDef, BodyId, JointDef, JointId, Vec2};

/// Half extents of a link.
const LINK: Vec2 = Vec2::new(0.25, 0.0625);
/// Half extents of a plank.
const PLANK: Vec2 = Vec2::new(0.5, 0.125);

/// As `def`, with so many times its mass.
fn heavier(def: BodyDef, mass_ratio: f64) -> BodyDef {
    let shapes = def.shapes.into_iter().map(|(shape, density)| (shape, density * mass_ratio));
    BodyDef { shapes: shapes.collect(), ..def }
}

/// Links of 0.5 m in a row from a static body at `from`, the first joint and the last link with names.
fn row(
    scene: &mut Scene,
    name: &str,
    from: Vec2,
    links: usize,
    mass_ratio: f64,
) -> Result<(), Error> {
    let mut last = scene.world.add_body(&BodyDef { position: from, ..BodyDef::fixed() })?;
    for k in 0..links {
        let center = from + Vec2::new(LINK.x * (2 * k + 1) as f64, 0.0);
        let ratio = if k + 1 == links { mass_ratio } else { 1.0 };
        let link = scene.world.add_body(&heavier(plank(center, LINK), ratio))?;
        let end = if k == 0 { Vec2::ZERO } else { Vec2::new(LINK.x, 0.0) };
        let joint = JointDef::revolute(last, link, [end, Vec2::new(-LINK.x, 0.0)]);
        let joint = scene.world.add_joint(&joint)?;
        if k == 0 {
            scene.joints.insert(format!("{name}pin"), joint);
        }
        last = link;
    }
    scene.bodies.insert(format!("{name}last"), last);
    Ok(())
}

/// A chain of boxes of 0.5 m × 0.125 m and 1 kg/m², horizontal at first and pinned at one end; the
/// last link has `mass_ratio` times the mass of the others.
///
/// Bodies: `last`. Joints: `pin`.
///
/// # Errors
/// If the mass ratio is not positive.
pub fn chain(links: usize, mass_ratio: f64) -> Result<Scene, Error> {
    let mut scene = Scene::awake("chain")?;
    row(&mut scene, "", Vec2::ZERO, links, mass_ratio)?;
    Ok(scene)
}

/// So many [`chain`]s, 60 m apart, 20 in a row.
///
/// Bodies: `0 last`, `1 last`, … Joints: `0 pin`, `1 pin`, …
///
/// # Errors
/// None but what the world refuses.
pub fn chains(count: usize, links: usize) -> Result<Scene, Error> {
    let mut scene = Scene::awake("chains")?;
    for k in 0..count {
        let from = Vec2::new(60.0 * (k % 20) as f64, -60.0 * (k / 20) as f64);
        row(&mut scene, &format!("{k} "), from, links, 1.0)?;
    }
    Ok(scene)
}

/// Thin links of 0.2 m and 1 kg that hang, with a ball of `ball` kg pinned to their end; all of it
/// swings at 0.25 rad/s.
///
/// Bodies: `ball`. Joints: `top`, `bottom`.
///
/// # Errors
/// If the mass is not positive.
pub fn heavy_chain(links: usize, ball: f64) -> Result<Scene, Error> {
    laden("heavy_chain", links, ball, -Vec2::Y, 0.25)
}

/// The same, horizontal and at rest at first.
///
/// # Errors
/// If the mass is not positive.
pub fn heavy_chain_dropped(links: usize, ball: f64) -> Result<Scene, Error> {
    laden("heavy_chain_dropped", links, ball, Vec2::X, 0.0)
}

fn laden(
    name: &'static str,
    links: usize,
    ball: f64,
    along: Vec2,
    speed: f64,
) -> Result<Scene, Error> {
    const LENGTH: f64 = 0.2;
    let mut scene = Scene::awake(name)?;
    let turning = |def: BodyDef| BodyDef {
        velocity: def.position.perp() * speed,
        angular_velocity: speed,
        ..def
    };
    let mut last = scene.world.ground()?;
    for k in 0..links {
        let (from, to) = (along * (LENGTH * k as f64), along * (LENGTH * (k + 1) as f64));
        let link = scene.world.add_body(&turning(rod(from, to, 1.0)))?;
        let joint = scene.world.add_joint(&scene.world.revolute_at(last, link, from)?)?;
        if k == 0 {
            scene.joints.insert("top".to_owned(), joint);
        }
        last = link;
    }
    let end = along * (LENGTH * links as f64);
    let ball = scene.add_body("ball", &turning(disc(end, 0.25, ball)))?;
    scene.pin("bottom", last, ball, end)?;
    Ok(scene)
}

/// Planks of 1 m × 0.25 m and 1 kg/m² between two static bodies, on a parabola that sags by a tenth
/// of the span, each on a chord of 1 m; the middle one has `mass_ratio` times the mass of the others.
///
/// Bodies: `middle`. Joints: `left`, `right`.
///
/// # Errors
/// If the mass ratio is not positive.
pub fn bridge(planks: usize, mass_ratio: f64) -> Result<Scene, Error> {
    let mut scene = Scene::awake("bridge")?;
    let points = parabola(planks);
    let bank = |position: Vec2| BodyDef { position, ..BodyDef::fixed() };
    let mut last = scene.world.add_body(&bank(points[0]))?;
    let right = scene.world.add_body(&bank(points[planks]))?;
    for (k, pair) in points.windows(2).enumerate() {
        let along = pair[1] - pair[0];
        let middle = k == planks / 2;
        let def = BodyDef {
            rotation: precise::atan2(along.y, along.x),
            ..plank((pair[0] + pair[1]) * 0.5, PLANK)
        };
        let plank = scene.world.add_body(&heavier(def, if middle { mass_ratio } else { 1.0 }))?;
        let joint = hinge(&mut scene, last, plank, pair[0])?;
        if k == 0 {
            scene.joints.insert("left".to_owned(), joint);
        }
        if middle {
            scene.bodies.insert("middle".to_owned(), plank);
        }
        last = plank;
    }
    let joint = hinge(&mut scene, last, right, points[planks])?;
    scene.joints.insert("right".to_owned(), joint);
    Ok(scene)
}

fn hinge(scene: &mut Scene, a: BodyId, b: BodyId, point: Vec2) -> Result<JointId, Error> {
    let def = scene.world.revolute_at(a, b, point)?;
    Ok(scene.world.add_joint(&def)?)
}

/// The ends of so many chords of 1 m on the parabola y = −0.4 x (1 − x/L), which sags by 0.1 L; the
/// span L is what lets the last of them end at its other side.
fn parabola(chords: usize) -> Vec<Vec2> {
    let (mut short, mut long) = (0.5 * chords as f64, chords as f64);
    // Bisection to the last bit: a longer span leaves the chords short of its end.
    for _ in 0..80 {
        let span = 0.5 * (short + long);
        let ends_before = walk(chords, span).last().is_some_and(|end| end.x < span);
        *(if ends_before { &mut long } else { &mut short }) = span;
    }
    walk(chords, 0.5 * (short + long))
}

fn walk(chords: usize, span: f64) -> Vec<Vec2> {
    let height = |x: f64| -0.4 * x * (1.0 - x / span);
    let mut points = vec![Vec2::ZERO];
    let mut x = 0.0;
    for _ in 0..chords {
        // The chord's slope hardly depends on its end, so that this converges at once.
        let mut way = 1.0;
        for _ in 0..40 {
            let slope = 0.4 * (1.0 - (2.0 * x + way) / span);
            let next = 1.0 / (1.0 + slope * slope).sqrt();
            if next == way {
                break;
            }
            way = next;
        }
        x += way;
        points.push(Vec2::new(x, height(x)));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::parabola;

    #[test]
    fn the_chords_of_the_bridge_are_equal_and_end_level() {
        for chords in [1, 2, 7, 1000] {
            let points = parabola(chords);
            assert_eq!(points.len(), chords + 1);
            for pair in points.windows(2) {
                assert!(((pair[1] - pair[0]).length() - 1.0).abs() < 1e-9);
            }
            let (span, end) = (points[chords].x, points[chords].y);
            assert!(end.abs() < 1e-9 * span, "{end}");
            let sag = points.iter().map(|point| -point.y).fold(0.0, f64::max);
            assert!(chords % 2 != 0 || (sag - 0.1 * span).abs() < 1e-9 * span);
        }
    }
}
