//! Every kind of joint with any of its options, redundant or not.

use super::maker::Maker;
use crate::error::Error;
use kempe2d::equation::Program;
use kempe2d::{
    Axis, BodyId, JointDef, JointId, JointKind, Limit, Path, Softness, Spring, Term, TextJoint,
    Vec2,
};
use std::f64::consts::TAU;

/// 2 to 8 bars of 0.01 to 100 kg on each other by all kinds of joints, and up to 4 more joints between them.
pub(super) fn mixed(maker: &mut Maker<'_>) -> Result<(), Error> {
    for _ in 0..maker.random.whole(2, 8) {
        let parent = maker.any();
        let mass = maker.random.decades(0.01, 100.0);
        carry(maker, parent, mass)?;
    }
    for _ in 0..maker.random.whole(0, 4) {
        connect(maker)?;
    }
    Ok(())
}

/// A new bar on a body.
fn carry(maker: &mut Maker<'_>, parent: BodyId, mass: f64) -> Result<(), Error> {
    let from = maker.point(parent);
    let away = maker.random.direction() * maker.random.between(0.2, 1.0);
    let kind = maker.random.whole(0, 11);
    let at = if kind >= 8 { from + away } else { from };
    let spot = maker.random.between(-1.0, 1.0);
    let bar = maker.bar_at(at, spot, mass)?;
    let world = &maker.world;
    let slot = world.slot_at(parent, bar, at, away)?;
    let JointKind::Slot { anchor_a, anchor_b, rail, angle } = slot.kind else { return Ok(()) };
    let def = match kind {
        0 | 1 => world.revolute_at(parent, bar, at)?,
        2 => world.weld_at(parent, bar, at)?,
        3 => world.prismatic_at(parent, bar, at, away)?,
        4 => {
            let ends = [anchor_a - rail * 0.7, anchor_a + rail * 0.5];
            JointDef::groove(parent, bar, ends, anchor_b)
        }
        5 => {
            let bend = rail.perp() * maker.random.between(-0.4, 0.4);
            let points = [anchor_a - rail, anchor_a, anchor_a + rail + bend];
            let path = Path::spline(&points, false)?;
            match maker.random.chance(0.7) {
                true => JointDef::path(parent, bar, &path, anchor_b),
                false => {
                    let place = path.nearest(anchor_a);
                    let tangent = path.tangent_at(place);
                    let turn = kempe_scalar::precise::atan2(tangent.y, tangent.x);
                    JointDef::carriage(parent, bar, &path, anchor_b, angle - turn)
                }
            }
        }
        6 => {
            let kind = JointKind::Generic { anchor_a, anchor_b, rail, angle };
            let axes = [
                if maker.random.chance(0.5) { Axis::held(0.0) } else { Axis::limited(-0.3, 0.2) },
                if maker.random.chance(0.8) { Axis::held(0.0) } else { Axis::limited(-0.1, 0.3) },
                if maker.random.chance(0.3) { Axis::held(0.0) } else { Axis::default() },
            ];
            JointDef { axes: axes.to_vec(), ..JointDef::new(kind, parent, bar) }
        }
        7 => slot.with_limit(-0.4, 0.3),
        8 => {
            let softness = yielding(maker, mass);
            JointDef::wheel(parent, bar, [anchor_a, anchor_b], rail, softness)
        }
        9 => world.rod_between(parent, bar, from, at)?,
        10 => {
            let anchors = [world[parent].local_point(from), anchor_b];
            let length = away.length() * maker.random.between(1.0, 1.3);
            JointDef::rope(parent, bar, anchors, length)
        }
        _ => text_rod(maker, parent, bar)?,
    };
    let def = soften(maker, def, mass);
    let id = maker.joint(&def)?;
    adorn(maker, id, mass)
}

/// A rod between the middles of two bodies, as text.
fn text_rod(maker: &Maker<'_>, a: BodyId, b: BodyId) -> Result<JointDef, Error> {
    let source = "body a, b  scalar length  constraint |b.position - a.position| - length";
    let refuse = |reason: Vec<String>| kempe2d::Error::Program { reason };
    let program = Program::parse(source).map_err(|errors| {
        refuse(errors.diagnostics().iter().map(|error| error.message.clone()).collect())
    })?;
    let length = (maker.world[b].position() - maker.world[a].position()).length();
    Ok(TextJoint::new(&program).with("length", length)?.joint(&[("a", a), ("b", b)])?)
}

/// A spring for something of this mass.
fn yielding(maker: &mut Maker<'_>, mass: f64) -> Softness {
    let hertz = maker.random.decades(0.5, 100.0);
    let damping_ratio = maker.random.between(0.0, 1.0);
    let omega = TAU * hertz;
    let (stiffness, damping) = (omega * omega * mass, 2.0 * damping_ratio * omega * mass);
    match maker.random.whole(0, 3) {
        // By frequency with some damping: what it stores changes with the pose.
        0 => Softness::Hertz { hertz, damping_ratio: 0.3 + 0.7 * damping_ratio },
        1 => Softness::Compliance { compliance: 1.0 / stiffness, damping },
        _ => Softness::Stiffness { stiffness, damping },
    }
}

/// One hold in seven yields.
fn soften(maker: &mut Maker<'_>, def: JointDef, mass: f64) -> JointDef {
    match maker.random.chance(0.15) {
        true => {
            let softness = yielding(maker, mass);
            def.with_softness(softness)
        }
        false => def,
    }
}

/// Limits, friction and springs on what is free.
fn adorn(maker: &mut Maker<'_>, id: JointId, mass: f64) -> Result<(), Error> {
    let Some(joint) = maker.world.joint(id) else { return Ok(()) };
    let mut def = joint.def();
    for k in 0..def.kind.axis_count() {
        let Some(now) = maker.world.joint_coordinate(id, k) else { continue };
        let bound = def.axes.get(k).is_some_and(|axis| axis.limit.is_some());
        let held = def.axes.get(k).and_then(|axis| axis.limit);
        if held.is_some_and(|limit| limit.lower == limit.upper) {
            continue;
        }
        if !bound && maker.random.chance(0.35) {
            let [low, high] = [0; 2].map(|_| maker.random.between(0.01, 0.8));
            let mut limit = Limit::new(now - low, now + high);
            limit.restitution = maker.random.pick(&[0.0, 0.0, 0.5, 1.0]);
            if maker.random.chance(0.15) {
                limit.softness = yielding(maker, mass);
                limit.restitution = 0.0;
            }
            def.axis_mut(k).limit = Some(limit);
        }
        if maker.random.chance(0.25) {
            def.axis_mut(k).friction = Some(maker.random.decades(0.01, 10.0));
        }
        let springs = def.axes.get(k).is_some_and(|axis| axis.spring.is_some());
        if !springs && maker.random.chance(0.2) {
            let rest = now + maker.random.between(-0.3, 0.3);
            let softness = yielding(maker, mass);
            def.axis_mut(k).spring = Some(Spring::new(rest, softness));
        }
    }
    Ok(maker.world.set_joint(id, &def)?)
}

/// One more joint between bodies that are there.
fn connect(maker: &mut Maker<'_>) -> Result<(), Error> {
    let [a, b] = maker.pair();
    let anchors = [maker.spot(a), maker.spot(b)];
    let ends = [maker.world[a].world_point(anchors[0]), maker.world[b].world_point(anchors[1])];
    let (long, mass) = ((ends[1] - ends[0]).length(), maker.world[b].mass_properties().mass);
    // A length of nothing has no direction.
    if long < 0.05 {
        return Ok(());
    }
    let turned = maker.world[b].rotation() - maker.world[a].rotation();
    let softness = yielding(maker, mass);
    let def = match maker.random.whole(0, 17) {
        0 => {
            let ratio = maker.random.pick(&[-2.0, -1.0, 0.5, 1.0, 3.0]);
            let phase = ratio * maker.world[b].rotation() - maker.world[a].rotation();
            JointDef::gear(a, b, ratio, phase)
        }
        1 => JointDef::angle_range(a, b, 1.0, turned - 0.2, turned + 0.4),
        2 => {
            let inertia = maker.world[b].mass_properties().inertia;
            let softness = yielding(maker, inertia);
            JointDef::angular_spring(a, b, turned + maker.random.between(-0.5, 0.5), softness)
        }
        3 => JointDef::ratchet(a, b, turned, maker.random.pick(&[-0.3, -0.1, 0.1, 0.5])),
        4 | 5 => {
            let stiff = maker.random.chance(0.5);
            pulley(maker, [a, b], anchors, stiff)
        }
        6 | 7 => {
            let elastic = maker.random.chance(0.5).then_some(softness);
            tendon(maker, [a, b], anchors, elastic)
        }
        8 => JointDef::tension_spring(a, b, anchors, 0.9 * long, softness),
        9 => JointDef::compression_spring(a, b, anchors, 1.1 * long, softness),
        10 => JointDef::strut(a, b, anchors, 0.9 * long),
        11 => JointDef::range(a, b, anchors, 0.9 * long, 1.2 * long),
        12 => JointDef::rope(a, b, anchors, 1.05 * long),
        13 => JointDef::top_down_friction(a, b, maker.random.decades(0.1, 10.0), 0.1),
        14 => JointDef::pogo(a, b, anchors, Vec2::X, 0.0, softness, 20.0, 50.0),
        15 => maker.world.revolute_at(a, b, ends[1])?,
        16 => JointDef::filter(a, b),
        _ => match coupling(maker)? {
            Some(def) => def,
            None => JointDef::rod(a, b, anchors, long),
        },
    };
    maker.joint(&def)?;
    Ok(())
}

/// A rope from the frame to one body, over it, and down to another.
fn pulley(maker: &mut Maker<'_>, [a, b]: [BodyId; 2], [p, q]: [Vec2; 2], stiff: bool) -> JointDef {
    let frame = maker.frame;
    let first = if a == frame { b } else { a };
    let anchor = if a == frame { q } else { p };
    let [left, right] = [Vec2::new(-0.5, 2.0), Vec2::new(0.5, 2.0)];
    let ratio = maker.random.pick(&[1.0, 2.0, 0.5]);
    let reach = |body: BodyId, on: Vec2, from: Vec2| {
        (maker.world[body].world_point(on) - maker.world[frame].world_point(from)).length()
    };
    let length = reach(first, anchor, left) + ratio * reach(b, q, right);
    let (bodies, anchors) = ([frame, first, frame, b], [left, anchor, right, q]);
    match stiff {
        true => JointDef::stiff_pulley(bodies, anchors, ratio, length),
        false => JointDef::pulley(bodies, anchors, ratio, 1.02 * length),
    }
}

/// A cable from one body by the frame to another, rigid or elastic.
fn tendon(
    maker: &Maker<'_>,
    [a, b]: [BodyId; 2],
    [p, q]: [Vec2; 2],
    elastic: Option<Softness>,
) -> JointDef {
    let block = Vec2::new(0.2, 1.5);
    let points = [(a, p), (maker.frame, block), (b, q)];
    let world = |(body, on): (BodyId, Vec2)| maker.world[body].world_point(on);
    let places = points.map(world);
    let length = (places[1] - places[0]).length() + (places[2] - places[1]).length();
    match elastic {
        Some(softness) => {
            JointDef::elastic_tendon(&points, f64::NEG_INFINITY, 0.98 * length, softness)
        }
        None => JointDef::tendon(&points, 1.02 * length),
    }
}

/// The coordinates of two pins or sliders tied to each other, if there are two.
fn coupling(maker: &mut Maker<'_>) -> Result<Option<JointDef>, Error> {
    let free = |id: &JointId| {
        maker.world.joint(*id).is_some_and(|joint| {
            matches!(joint.kind(), JointKind::Revolute { .. } | JointKind::Prismatic { .. })
        })
    };
    let found: Vec<JointId> = maker.made.joints.iter().copied().filter(free).collect();
    let [first, .., last] = found[..] else { return Ok(None) };
    let ratio = maker.random.pick(&[-2.0, -1.0, 0.5, 1.0]);
    let terms = vec![Term::new(first, 0, 1.0), Term::new(last, 0, ratio)];
    Ok(Some(maker.world.as_it_stands(&JointDef::coupling(terms, 0.0))?))
}
