//! What yields: beams of bars with springs, soft welds, networks of springs.

use super::maker::Maker;
use crate::error::Error;
use kempe2d::{Axis, BodyId, JointDef, Softness, Vec2};
use std::f64::consts::TAU;

/// A spring for a beam of so many bars, each with this inertia about its end.
fn bending(maker: &mut Maker<'_>, length: f64, inertia: f64) -> Softness {
    let damping_ratio = maker.random.between(0.0, 1.0);
    if maker.plain || maker.random.chance(0.3) {
        return Softness::Hertz { hertz: maker.random.decades(10.0, 300.0), damping_ratio };
    }
    let stiffness = maker.random.decades(1.0, 1000.0) / length;
    let damping = 2.0 * damping_ratio * (stiffness * inertia).sqrt();
    Softness::Stiffness { stiffness, damping }
}

/// 4 to 20 bars of 1 m and 1 kg in all, one end fixed.
fn beam(maker: &mut Maker<'_>, welded: bool) -> Result<(), Error> {
    let count = maker.random.whole(4, 20);
    let (length, mass) = (1.0 / count as f64, 1.0 / count as f64);
    let softness = bending(maker, length, mass * length * length / 3.0);
    let way = match maker.random.chance(0.5) {
        true => Vec2::X,
        false => maker.random.direction(),
    } * length;
    let (mut last, mut from) = (maker.frame, maker.origin);
    for _ in 0..count {
        let bar = maker.bar(from, from + way, mass)?;
        let def = match welded {
            true => maker.world.weld_at(last, bar, from)?.with_softness(softness),
            false => {
                maker.world.revolute_at(last, bar, from)?.with_axis(Axis::sprung(0.0, softness))
            }
        };
        maker.joint(&def)?;
        from += way;
        last = bar;
    }
    Ok(())
}

/// A beam of pins with springs.
pub(super) fn beams(maker: &mut Maker<'_>) -> Result<(), Error> {
    beam(maker, false)
}

/// A beam of soft welds.
pub(super) fn soft_welds(maker: &mut Maker<'_>) -> Result<(), Error> {
    beam(maker, true)
}

/// 2 to 8 balls and bars, some pinned, with springs of 0.1 to 300 Hz between them, half of them undamped.
pub(super) fn springs(maker: &mut Maker<'_>) -> Result<(), Error> {
    let count = maker.random.whole(2, 8);
    for _ in 0..count {
        let at = maker.origin + maker.random.direction() * maker.random.between(0.2, 1.5);
        let mass = maker.mass();
        if maker.random.chance(0.3) {
            let bar = maker.bar_at(at, 1.0, mass)?;
            if maker.random.chance(0.7) {
                maker.pin(maker.frame, bar, at)?;
            }
        } else {
            maker.ball(at, 0.1, mass)?;
        }
    }
    for _ in 0..maker.random.whole(count, 2 * count) {
        let [a, b] = maker.pair();
        spring(maker, a, b)?;
    }
    // Nothing falls out of the world.
    for b in maker.made.bodies.clone() {
        spring(maker, maker.frame, b)?;
    }
    Ok(())
}

/// A spring between points of two bodies, at rest or not. By frequency only between middles, where the mass
/// that it moves is the same in every pose: otherwise an undamped one can truly be pumped up.
fn spring(maker: &mut Maker<'_>, a: BodyId, b: BodyId) -> Result<(), Error> {
    let by_frequency = maker.plain || maker.random.chance(0.2);
    let anchors = if by_frequency { [Vec2::ZERO; 2] } else { [maker.spot(a), maker.spot(b)] };
    let apart = maker.world[b].world_point(anchors[1]) - maker.world[a].world_point(anchors[0]);
    let rest = apart.length() * maker.random.between(0.7, 1.3);
    let hertz = maker.random.decades(0.1, 300.0);
    let damping_ratio = if maker.random.chance(0.5) { 0.0 } else { maker.random.between(0.0, 1.0) };
    let softness = match by_frequency {
        true => Softness::Hertz { hertz, damping_ratio },
        false => {
            let inverse = [a, b].map(|id| match maker.made.bodies.contains(&id) {
                true => 1.0 / maker.world[id].mass_properties().mass,
                false => 0.0,
            });
            let mass = 1.0 / (inverse[0] + inverse[1]);
            let omega = TAU * hertz;
            let damping = 2.0 * damping_ratio * omega * mass;
            Softness::Stiffness { stiffness: omega * omega * mass, damping }
        }
    };
    maker.joint(&JointDef::spring(a, b, anchors, rest, softness))?;
    Ok(())
}
