//! Light bodies between stops, and joints that cannot be held together.

use super::maker::Maker;
use crate::error::Error;
use kempe2d::{JointDef, Limit, Vec2};

/// 1 to 5 bars in a chain of sliders and slots with stops and pins with limits, of masses up to 100 times
/// each other's.
pub(super) fn stops(maker: &mut Maker<'_>) -> Result<(), Error> {
    let mut last = maker.frame;
    for k in 0..maker.random.whole(2, 6) {
        let mass = maker.mass();
        let from = maker.point(last);
        let spot = maker.random.between(-1.0, 1.0);
        let bar = maker.bar_at(from, spot, mass)?;
        let rail = maker.random.direction();
        let low = if maker.random.chance(0.2) { 0.0 } else { maker.random.between(-0.5, -0.02) };
        let limit = Limit::new(low, maker.random.between(0.02, 0.5));
        let world = &maker.world;
        let mut def = match if k == 0 { 0 } else { maker.random.whole(0, 3) } {
            0 => world.prismatic_at(last, bar, from, rail)?,
            1 | 2 if !maker.plain => world.slot_at(last, bar, from, rail)?,
            1 => world.prismatic_at(last, bar, from, rail)?,
            _ => world.revolute_at(last, bar, from)?,
        };
        def.axis_mut(0).limit = Some(limit);
        maker.joint(&def)?;
        if maker.random.chance(0.8) {
            last = bar;
        }
    }
    Ok(())
}

/// What cannot be: a triangle of rods against the triangle inequality, two pins at distances that do not
/// fit, a rod and a weld of another length, a bar pinned to the frame at both ends that is too long.
pub(super) fn contradictory(maker: &mut Maker<'_>) -> Result<(), Error> {
    let at = maker.origin;
    let masses = [0; 3].map(|_| maker.mass());
    let off = maker.random.between(0.05, 0.4);
    match maker.random.whole(0, 3) {
        0 => {
            let [x, y] = [maker.random.between(0.5, 1.0), maker.random.between(0.2, 0.8)];
            let p = maker.ball(at + Vec2::X * x, 0.1, masses[0])?;
            let q = maker.ball(at + Vec2::Y * -y, 0.1, masses[1])?;
            let long = x + y + off;
            for (a, b, length) in [(maker.frame, p, x), (maker.frame, q, y), (p, q, long)] {
                maker.joint(&JointDef::rod(a, b, [Vec2::ZERO; 2], length))?;
            }
        }
        1 => {
            let along = maker.random.direction();
            let a = maker.bar(at, at + along, masses[0])?;
            let b = maker.bar(at + along, at + along * 2.0, masses[1])?;
            maker.pin(maker.frame, a, at)?;
            // On A they are further apart than on B.
            let near = Vec2::new(0.1, 0.0);
            let far = Vec2::new(0.1 + off, 0.0);
            maker.joint(&JointDef::revolute(a, b, [Vec2::X * 0.4 - far, Vec2::X * -0.5 - near]))?;
            maker.joint(&JointDef::revolute(a, b, [Vec2::X * 0.4, Vec2::X * -0.5]))?;
        }
        2 => {
            let a = maker.bar_at(at, -1.0, masses[0])?;
            let weld = maker.world.weld_at(maker.frame, a, at)?;
            maker.joint(&weld)?;
            let end = maker.point(a);
            let mut rod = maker.world.rod_between(maker.frame, a, at + Vec2::Y * 0.5, end)?;
            if let Some(limit) = &mut rod.axis_mut(0).limit {
                limit.lower += off;
                limit.upper += off;
            }
            maker.joint(&rod)?;
        }
        _ => {
            let along = maker.random.direction();
            let a = maker.bar(at, at + along, masses[0])?;
            maker.pin(maker.frame, a, at)?;
            let to = along * (1.0 + off);
            maker.joint(&JointDef::revolute(maker.frame, a, [to, Vec2::X * 0.5]))?;
            let b = maker.bar_at(at + along, -1.0, masses[2])?;
            maker.pin(a, b, at + along)?;
        }
    }
    Ok(())
}
