//! Many joints of one kind, with the dimensions of well-known benchmarks of joints.

use crate::error::Error;
use crate::scene::{Scene, plank};
use kempe2d::{BodyDef, BodyId, JointDef, Shape, Softness, Vec2};

/// Half extents of a box of a cantilever.
const BOX: Vec2 = Vec2::new(0.25, 0.0625);

/// A disc of 1 kg/m² that may be fixed.
fn disc(position: Vec2, radius: f64, fixed: bool) -> BodyDef {
    let kind = if fixed { BodyDef::fixed() } else { BodyDef::dynamic() };
    BodyDef { position, shapes: vec![(Shape::circle(radius), 1.0)], ..kind }
}

/// Discs of radius 0.4 m, 1 m apart, pinned to the neighbours above and to the left; seven in the
/// middle of the top row (of a narrow one, all of it) hold the others.
///
/// Bodies: `first` and `last` of the bottom row.
///
/// # Errors
/// None but what the world refuses.
pub fn joint_grid(columns: usize, rows: usize) -> Result<Scene, Error> {
    let mut scene = Scene::awake("joint_grid")?;
    let world = &mut scene.world;
    // 47 to 53 of a hundred.
    let middle = (columns / 2).saturating_sub(3)..=columns / 2 + 3;
    let mut bodies: Vec<BodyId> = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let holds = row == 0 && middle.contains(&column);
            let position = Vec2::new(column as f64, -(row as f64));
            let this = world.add_body(&disc(position, 0.4, holds))?;
            let mut pin = |other: BodyId, anchor: Vec2| {
                world.add_joint(&JointDef::revolute(other, this, [anchor, -anchor]))
            };
            if row > 0 {
                pin(bodies[bodies.len() - columns], Vec2::new(0.0, -0.5))?;
            }
            if column > 0 {
                pin(bodies[bodies.len() - 1], Vec2::new(0.5, 0.0))?;
            }
            bodies.push(this);
        }
    }
    name_bottom(&mut scene, &bodies, columns);
    Ok(scene)
}

/// Discs of radius 0.1 m, 0.5 m apart, with rods to the neighbours above and, below the top row, to
/// the left; the top row is fixed.
///
/// Bodies: `first` and `last` of the bottom row.
///
/// # Errors
/// None but what the world refuses.
pub fn cloth(columns: usize, rows: usize) -> Result<Scene, Error> {
    const SPACING: f64 = 0.5;
    let mut scene = Scene::awake("cloth")?;
    let world = &mut scene.world;
    let mut bodies: Vec<BodyId> = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let position = Vec2::new(column as f64, -(row as f64)) * SPACING;
            let this = world.add_body(&disc(position, 0.1, row == 0))?;
            let mut tie = |other: BodyId| {
                world.add_joint(&JointDef::rod(other, this, [Vec2::ZERO; 2], SPACING))
            };
            if row > 0 {
                tie(bodies[bodies.len() - columns])?;
                if column > 0 {
                    tie(bodies[bodies.len() - 1])?;
                }
            }
            bodies.push(this);
        }
    }
    name_bottom(&mut scene, &bodies, columns);
    Ok(scene)
}

fn name_bottom(scene: &mut Scene, bodies: &[BodyId], columns: usize) {
    let ends = [("first", columns), ("last", 1)];
    for (name, from_end) in ends {
        if let Some(place) = bodies.len().checked_sub(from_end)
            && let Some(body) = bodies.get(place)
        {
            scene.bodies.insert(name.to_owned(), *body);
        }
    }
}

/// Boxes of 0.5 m × 0.125 m and 1 kg/m², welded in a row to a static body; the last has `mass_ratio`
/// times the mass of the others.
///
/// Bodies: `tip`. Joints: `root`.
///
/// # Errors
/// If the mass ratio is not positive.
pub fn cantilever(boxes: usize, mass_ratio: f64) -> Result<Scene, Error> {
    let mut scene = Scene::awake("cantilever")?;
    beam(&mut scene, "", Vec2::ZERO, boxes, mass_ratio)?;
    Ok(scene)
}

/// So many [`cantilever`]s, 4 m apart, 50 in a row.
///
/// Bodies: `0 tip`, `1 tip`, … Joints: `0 root`, `1 root`, …
///
/// # Errors
/// None but what the world refuses.
pub fn cantilevers(count: usize, boxes: usize) -> Result<Scene, Error> {
    let mut scene = Scene::awake("cantilevers")?;
    for k in 0..count {
        let from = Vec2::new(4.0 * (k % 50) as f64, -4.0 * (k / 50) as f64);
        beam(&mut scene, &format!("{k} "), from, boxes, 1.0)?;
    }
    Ok(scene)
}

fn beam(
    scene: &mut Scene,
    name: &str,
    from: Vec2,
    boxes: usize,
    mass_ratio: f64,
) -> Result<(), Error> {
    let mut last = scene.world.add_body(&BodyDef { position: from, ..BodyDef::fixed() })?;
    for k in 0..boxes {
        let center = from + Vec2::new(BOX.x * (2 * k + 1) as f64, 0.0);
        let mut def = plank(center, BOX);
        if k + 1 == boxes {
            def.shapes[0].1 *= mass_ratio;
        }
        let this = scene.world.add_body(&def)?;
        let end = if k == 0 { Vec2::ZERO } else { Vec2::new(BOX.x, 0.0) };
        let weld = JointDef::weld(last, this, [end, Vec2::new(-BOX.x, 0.0)], 0.0);
        let weld = scene.world.add_joint(&weld)?;
        if k == 0 {
            scene.joints.insert(format!("{name}root"), weld);
        }
        last = this;
    }
    scene.bodies.insert(format!("{name}tip"), last);
    Ok(())
}

/// Pairs of discs of radius 0.25 m, 1.5 m apart, with a spring of 1 m, 2 Hz and a damping ratio of
/// 0.1 between them; no gravity.
///
/// # Errors
/// None but what the world refuses.
pub fn springs(pairs: usize) -> Result<Scene, Error> {
    let mut scene = Scene::awake("springs")?.under(Vec2::ZERO)?;
    let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.1 };
    for k in 0..pairs {
        let at = Vec2::new(3.0 * (k % 100) as f64, -((k / 100) as f64));
        let a = scene.world.add_body(&disc(at, 0.25, false))?;
        let b = scene.world.add_body(&disc(at + Vec2::new(1.5, 0.0), 0.25, false))?;
        scene.world.add_joint(&JointDef::spring(a, b, [Vec2::ZERO; 2], 1.0, softness))?;
    }
    Ok(scene)
}
