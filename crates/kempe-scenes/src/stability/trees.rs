//! Trees of bars, and what is added to them: loops, joints twice, friction.

use super::maker::Maker;
use crate::error::Error;
use kempe2d::{BodyId, JointDef, JointKind, Limit, Vec2};

/// How a bar hangs on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    Pin,
    Rod,
    Weld,
    Prismatic,
    Slot,
}

const LINKS: [Link; 7] =
    [Link::Pin, Link::Pin, Link::Pin, Link::Rod, Link::Weld, Link::Prismatic, Link::Slot];
/// Those that every engine has.
const PLAIN: [Link; 6] = [Link::Pin, Link::Pin, Link::Pin, Link::Rod, Link::Weld, Link::Prismatic];

/// 2 to 10 bars of 0.1 to 10 kg. Three of four hang on the frame, from rest; others turn freely without
/// gravity, which only a mechanism with a world of its own can.
pub(super) fn trees(maker: &mut Maker<'_>) -> Result<(), Error> {
    grow(maker, true)
}

/// The same, hanging.
pub(super) fn hanging(maker: &mut Maker<'_>) -> Result<(), Error> {
    grow(maker, false)
}

fn grow(maker: &mut Maker<'_>, may_float: bool) -> Result<(), Error> {
    let floats = maker.random.chance(0.25) && may_float;
    for k in 0..maker.random.whole(2, 10) {
        let mass = maker.mass();
        if floats && k == 0 {
            let at = maker.origin;
            maker.bar_at(at, 0.0, mass)?;
            continue;
        }
        let parent = loop {
            let parent = maker.any();
            if parent != maker.frame || !floats {
                break parent;
            }
        };
        let from = maker.point(parent);
        let kind = maker.random.pick(if maker.plain { &PLAIN[..] } else { &LINKS });
        hang(maker, parent, from, kind, mass)?;
    }
    if floats {
        maker.without_gravity()?;
        let speed = maker.random.between(-6.0, 6.0);
        maker.spin(speed)?;
    }
    Ok(())
}

/// A new bar on another, at a point of the world.
pub(super) fn hang(
    maker: &mut Maker<'_>,
    parent: BodyId,
    from: Vec2,
    kind: Link,
    mass: f64,
) -> Result<BodyId, Error> {
    let at = match kind {
        Link::Rod => from + maker.random.direction() * maker.random.between(0.2, 1.0),
        _ => from,
    };
    let spot = maker.random.between(-1.0, 1.0);
    let bar = maker.bar_at(at, spot, mass)?;
    let rail = maker.random.direction();
    let stops = [maker.random.between(-0.5, -0.02), maker.random.between(0.02, 0.5)];
    let world = &maker.world;
    let def = match kind {
        Link::Pin => world.revolute_at(parent, bar, at)?,
        Link::Rod => world.rod_between(parent, bar, from, at)?,
        Link::Weld => world.weld_at(parent, bar, at)?,
        Link::Prismatic => {
            world.prismatic_at(parent, bar, at, rail)?.with_limit(stops[0], stops[1])
        }
        Link::Slot => world.slot_at(parent, bar, at, rail)?.with_limit(stops[0], stops[1]),
    };
    maker.joint(&def)?;
    Ok(bar)
}

/// A tree with 1 to 4 rods between points of it.
pub(super) fn rods_loops(maker: &mut Maker<'_>) -> Result<(), Error> {
    trees(maker)?;
    for _ in 0..maker.random.whole(1, 4) {
        let [a, b] = moving_or_framed(maker);
        let (p, q) = (maker.point(a), maker.point(b));
        // A rod without length has no direction.
        if (q - p).length() > 0.05 {
            let def = maker.world.rod_between(a, b, p, q)?;
            maker.joint(&def)?;
        }
    }
    Ok(())
}

/// A tree with 1 to 4 pins between bodies of it.
pub(super) fn pin_loops(maker: &mut Maker<'_>) -> Result<(), Error> {
    trees(maker)?;
    for _ in 0..maker.random.whole(1, 4) {
        let [a, b] = moving_or_framed(maker);
        let at = maker.point(b);
        maker.pin(a, b, at)?;
    }
    Ok(())
}

/// Two bodies; the frame only where it holds the mechanism already: what floats stays free.
fn moving_or_framed(maker: &mut Maker<'_>) -> [BodyId; 2] {
    let floats = maker.world.settings().gravity == Vec2::ZERO;
    loop {
        let pair = maker.pair();
        if !floats || pair[0] != maker.frame {
            return pair;
        }
    }
}

/// A tree, 60 % of its joints twice: as it is, or at another point.
pub(super) fn doubled(maker: &mut Maker<'_>) -> Result<(), Error> {
    trees(maker)?;
    double(maker)
}

/// The same, hanging.
pub(super) fn doubled_hanging(maker: &mut Maker<'_>) -> Result<(), Error> {
    hanging(maker)?;
    double(maker)
}

fn double(maker: &mut Maker<'_>) -> Result<(), Error> {
    for id in maker.made.joints.clone() {
        let Some(joint) = maker.world.joint(id) else { continue };
        let def = joint.def();
        if !maker.random.chance(0.6) {
            continue;
        }
        let again = match maker.random.chance(0.5) {
            true => def,
            false => elsewhere(maker, def)?,
        };
        maker.joint(&again)?;
    }
    Ok(())
}

/// A joint that holds the same at another point.
fn elsewhere(maker: &mut Maker<'_>, def: JointDef) -> Result<JointDef, Error> {
    let (a, b) = (def.bodies[0], def.bodies[1]);
    let at = maker.point(b);
    let limit = def.axes.first().and_then(|axis| axis.limit);
    let with = |mut def: JointDef| {
        def.axis_mut(0).limit = limit;
        def
    };
    let world = &maker.world;
    Ok(match def.kind {
        JointKind::Revolute { .. } => world.revolute_at(a, b, at)?,
        JointKind::Weld { .. } => world.weld_at(a, b, at)?,
        JointKind::Prismatic { rail, .. } => {
            with(world.prismatic_at(a, b, at, world[a].turned(rail))?)
        }
        JointKind::Slot { rail, .. } => with(world.slot_at(a, b, at, world[a].turned(rail))?),
        _ => {
            let from = maker.point(a);
            match (at - from).length() > 0.05 {
                true => maker.world.rod_between(a, b, from, at)?,
                false => def,
            }
        }
    })
}

/// A tree with dry friction on its axes, and stops on its pins.
pub(super) fn friction(maker: &mut Maker<'_>) -> Result<(), Error> {
    trees(maker)?;
    for id in maker.made.joints.clone() {
        let Some(joint) = maker.world.joint(id) else { continue };
        let mut def = joint.def();
        // A rod has no axis that is free.
        if matches!(def.kind, JointKind::Weld { .. } | JointKind::Distance { .. }) {
            continue;
        }
        if maker.random.chance(0.7) {
            def.axis_mut(0).friction = Some(maker.random.decades(0.01, 20.0));
        }
        if matches!(def.kind, JointKind::Revolute { .. }) && maker.random.chance(0.5) {
            let (low, high) = (maker.random.between(-2.0, -0.02), maker.random.between(0.02, 2.0));
            def.axis_mut(0).limit = Some(Limit::new(low, high));
        }
        maker.world.set_joint(id, &def)?;
    }
    Ok(())
}

/// Bars of 0.2 m whose pins, rods and welds are 2 to 20 m away.
pub(super) fn far_anchors(maker: &mut Maker<'_>) -> Result<(), Error> {
    maker.made.size = 0.0;
    for _ in 0..maker.random.whole(1, 4) {
        let parent = maker.any();
        let from = maker.world[parent].position();
        let far = maker.random.decades(2.0, 20.0);
        maker.made.size += far;
        let away = maker.random.direction() * far;
        let along = maker.random.direction() * 0.1;
        let middle = from + away;
        let mass = maker.mass();
        let bar = maker.bar(middle - along, middle + along, mass)?;
        let at = match maker.random.chance(0.5) {
            true => from,
            false => middle + maker.random.direction() * maker.random.decades(2.0, 20.0),
        };
        let def = match maker.random.whole(0, 3) {
            0 => maker.world.weld_at(parent, bar, at)?,
            1 => maker.world.rod_between(parent, bar, from, at)?,
            _ => maker.world.revolute_at(parent, bar, at)?,
        };
        // A rod without length has no direction.
        match def.kind {
            JointKind::Distance { .. } if (at - from).length() < 0.05 => {
                maker.pin(parent, bar, at)?
            }
            _ => maker.joint(&def)?,
        };
    }
    Ok(())
}

/// Bars pinned at their centres of mass, and several pins and rods at one point.
pub(super) fn coincident(maker: &mut Maker<'_>) -> Result<(), Error> {
    let hub = maker.origin + maker.random.direction() * 0.3;
    let mut last = maker.frame;
    for k in 0..maker.random.whole(2, 6) {
        let mass = maker.mass();
        let spot = if maker.random.chance(0.5) { 0.0 } else { maker.random.between(-1.0, 1.0) };
        let bar = maker.bar_at(hub, spot, mass)?;
        let to = if maker.random.chance(0.5) { maker.frame } else { last };
        maker.pin(to, bar, hub)?;
        if k > 1 && maker.random.chance(0.5) {
            // Around the hub again: redundant.
            let [a, b] = maker.pair();
            maker.pin(a, b, hub)?;
        }
        if maker.random.chance(0.4) {
            let end = maker.point(bar);
            let mass = maker.mass();
            hang(maker, bar, end, Link::Pin, mass)?;
        }
        last = bar;
    }
    Ok(())
}
