//! What must hold after every operation, and in every step.

use crate::run::Run;
use kempe2d::{BodyKind, Event, Joint, JointId, JointKind, Vec2, World};

/// What went wrong. The name tells failures apart while a sequence is made shorter.
#[derive(Debug)]
pub struct Failure {
    pub name: &'static str,
    pub text: String,
}

impl Failure {
    pub fn new(name: &'static str, text: String) -> Self {
        Self { name, text }
    }
}

fn ensure(right: bool, name: &'static str, text: impl FnOnce() -> String) -> Result<(), Failure> {
    if right { Ok(()) } else { Err(Failure::new(name, text())) }
}

/// The world as it stands.
pub fn state(run: &Run) -> Result<(), Failure> {
    let Run { world, bodies, joints, .. } = run;
    let counts = (world.body_count(), world.joint_count());
    ensure(counts == (world.bodies().count(), world.joints().count()), "counts", String::new)?;
    ensure(counts == (bodies.len(), joints.len()), "counts", || {
        format!("{counts:?}, not {:?}", (bodies.len(), joints.len()))
    })?;
    for (id, body) in world.bodies() {
        let numbers = [body.rotation(), body.angular_velocity(), body.torque()];
        let vectors = [body.position(), body.center(), body.velocity(), body.force()];
        let finite = numbers.iter().all(|x| x.is_finite()) && vectors.iter().all(|v| v.is_finite());
        ensure(finite, "finite", || format!("body {}: {body:?}", id.index()))?;
        let still = body.velocity() == Vec2::ZERO && body.angular_velocity() == 0.0;
        ensure(!body.is_asleep() || still, "asleep and moving", || format!("body {}", id.index()))?;
    }
    for (id, joint) in world.joints() {
        let def = joint.def();
        let there: Option<Vec<_>> = def.bodies.iter().map(|id| world.body(*id)).collect();
        let Some(there) = there else {
            return Err(Failure::new("joint without body", format!("joint {}", id.index())));
        };
        let moving = |body: &&&kempe2d::Body| body.kind() == BodyKind::Dynamic;
        let asleep = there.iter().filter(moving).filter(|body| body.is_asleep()).count();
        // A filter connects nothing.
        let holds = def.enabled && def.kind != JointKind::Filter;
        let takes_part = holds && there.iter().all(|body| body.is_enabled());
        let of = there.iter().filter(moving).count();
        ensure(!takes_part || asleep == 0 || asleep == of, "half asleep", || {
            format!("joint {} {}: {asleep} of {of}", id.index(), def.kind.name())
        })?;
        coupled(world, id)?;
        read_outs(world, id)?;
    }
    may_collide(run)
}

/// A coupling refers to axes that are there, and has the bodies of their joints.
fn coupled(world: &World, id: JointId) -> Result<(), Failure> {
    let Some(def) = world.joint(id).map(Joint::def) else { return Ok(()) };
    let JointKind::Coupling { terms, .. } = &def.kind else { return Ok(()) };
    let mut bodies = Vec::new();
    for term in terms {
        let joint = world.joint(term.joint).map(Joint::def);
        let right = joint.as_ref().is_some_and(|def| {
            let coupling = matches!(def.kind, JointKind::Coupling { .. });
            !coupling && term.axis < def.kind.axis_count()
        });
        ensure(right, "coupled", || format!("joint {} refers to {term:?}", id.index()))?;
        bodies.extend(joint.into_iter().flat_map(|def| def.bodies));
    }
    ensure(bodies == def.bodies, "bodies of a coupling", || format!("joint {}", id.index()))
}

/// The first body against the others: what joints say.
fn may_collide(run: &Run) -> Result<(), Failure> {
    let Some(a) = run.bodies.first() else { return Ok(()) };
    for b in &run.bodies {
        let apart = run.world.joints().any(|(_, joint)| {
            let def = joint.def();
            let speaks = !matches!(def.kind, JointKind::Coupling { .. }) && def.enabled;
            speaks && !def.collide_connected && def.bodies.contains(a) && def.bodies.contains(b)
        });
        let may = run.world.may_collide(*a, *b);
        ensure(may == Ok(a != b && !apart), "may collide", || format!("{may:?}"))?;
    }
    Ok(())
}

fn read_outs(world: &World, id: JointId) -> Result<(), Failure> {
    let Some(joint) = world.joint(id) else { return Ok(()) };
    let kind = joint.kind();
    let axes = kind.axis_count();
    // A program whose `limit` fails has no rows to read, nor what is coupled with it.
    let text = |kind: &JointKind| matches!(kind, JointKind::Text(_));
    let readable = match kind {
        JointKind::Coupling { terms, .. } => {
            let mut of = terms.iter().filter_map(|term| world.joint(term.joint));
            !of.any(|joint| text(joint.kind()))
        }
        kind => !text(kind),
    };
    let mut all = vec![
        ("impulses", world.joint_impulses(id).is_some()),
        ("slack", world.joint_is_slack(id).is_some()),
        ("forces", world.joint_forces(id).is_some() || !readable),
        ("force", world.joint_force(id).is_some() || !readable),
        ("reaction", world.joint_reaction(id).is_some() || !readable),
        ("error", world.joint_error(id).is_some() || !readable),
        ("separation", world.joint_separation(id).is_some() || !readable),
        ("power", world.joint_power(id).is_some() || !readable),
        ("no such axis", world.joint_coordinate(id, axes).is_none()),
        ("no such axis", world.joint_speed(id, axes).is_none()),
        ("no such axis", world.joint_axis_force(id, axes).is_none()),
    ];
    for axis in 0..axes {
        all.push(("coordinate", world.joint_coordinate(id, axis).is_some() || !readable));
        all.push(("speed", world.joint_speed(id, axis).is_some() || !readable));
        all.push(("axis force", world.joint_axis_force(id, axis).is_some()));
    }
    for (name, there) in all {
        ensure(there, "read-out", || format!("{name} of joint {} {}", id.index(), kind.name()))?;
    }
    Ok(())
}

/// Takes a step, and looks at what it did; if `thorough`, a snapshot takes it too.
pub fn step(run: &mut Run, dt: f64, thorough: bool) -> Result<(), Failure> {
    let world = &mut run.world;
    let mut copy = world.clone();
    let hash = world.state_hash();
    ensure(copy.state_hash() == hash, "clone", || "has another hash".to_owned())?;
    let poses = |world: &World| -> Vec<_> {
        world
            .bodies()
            .map(|(id, body)| (id, body.center(), body.rotation(), body.is_asleep()))
            .collect()
    };
    let before = poses(world);
    let done = world.step(dt).cloned();
    let Ok(report) = done else {
        run.refused += 1;
        return ensure(world.state_hash() == hash, "refused", || format!("step {dt}"));
    };
    run.steps += 1;
    let after = world.state_hash();
    ensure(dt > 0.0 || after == hash, "no time", || "the state has changed".to_owned())?;
    let again = copy.step(dt).cloned();
    ensure(copy.state_hash() == after, "clone", || "goes on otherwise".to_owned())?;
    let again = again.map(|again| again.events).unwrap_or_default();
    ensure(format!("{again:?}") == format!("{:?}", report.events), "events", || {
        format!("of a clone {again:?}, not {:?}", report.events)
    })?;
    if thorough {
        restored(run, dt, after)?;
    }
    if dt == 0.0 {
        return Ok(());
    }
    happened(run, &report.events)?;
    let world = &run.world;
    let asleep = world.bodies().filter(|(_, body)| body.is_asleep()).count();
    ensure(report.counts.asleep == asleep, "count asleep", || {
        format!("{} reported, {asleep} are", report.counts.asleep)
    })?;
    ensure(report.counts.moved <= before.len(), "count moved", || {
        format!("{} of {}", report.counts.moved, before.len())
    })?;
    for ((id, center, rotation, slept), now) in before.iter().zip(poses(world)) {
        let woke = report.events.contains(&Event::Woke(*id));
        let still = (now.1, now.2) == (*center, *rotation);
        ensure(!slept || !now.3 || woke || still, "moved asleep", || {
            format!("body {}", id.index())
        })?;
        let fixed = world
            .body(*id)
            .is_some_and(|body| !body.is_enabled() || body.kind() == BodyKind::Static);
        ensure(!fixed || still, "moved fixed", || format!("body {}", id.index()))?;
    }
    Ok(())
}

/// Couplings that went with a joint were told of, and points that left their paths are free.
fn happened(run: &mut Run, events: &[Event]) -> Result<(), Failure> {
    run.note_couplings();
    for id in std::mem::take(&mut run.gone) {
        let told = events.iter().any(|event| match event {
            Event::Removed { joint, .. } | Event::Broke { joint, .. } => *joint == id,
            _ => false,
        });
        ensure(told, "removed", || format!("coupling {} without an event", id.index()))?;
    }
    for event in events {
        let right = match event {
            Event::Removed { joint, .. } => run.world.joint(*joint).is_none(),
            Event::PathLeft { joint, .. } => {
                run.world.joint(*joint).is_none_or(|joint| !joint.is_enabled())
            }
            _ => true,
        };
        ensure(right, "event", || format!("{event:?}"))?;
    }
    Ok(())
}

/// A snapshot has the same hash, and goes on as the world does.
fn restored(run: &Run, dt: f64, hash: u64) -> Result<(), Failure> {
    let bytes = run.world.snapshot();
    let mut other = World::from_snapshot(&bytes, &run.registry)
        .map_err(|error| Failure::new("snapshot", error.to_string()))?;
    ensure(other.state_hash() == hash, "snapshot", || "has another hash".to_owned())?;
    let mut copy = run.world.clone();
    for _ in 0..2 {
        let _ = (copy.step(dt), other.step(dt));
        let same = copy.state_hash() == other.state_hash();
        ensure(same, "snapshot", || "goes on otherwise".to_owned())?;
    }
    Ok(())
}
