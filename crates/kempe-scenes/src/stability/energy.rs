//! How much mechanical energy a mechanism has.
//!
//! Kinetic energy, that of the weights, and what springs store: of a spring with a stiffness the integral of
//! its force. The stiffness of a spring by frequency follows the mass that it moves in the present pose, so
//! what it stores is no function of its length: it counts at the start with the largest stiffness that it can
//! have, by the lightest of its bodies with the other end fixed, and nothing afterwards. What is found gained
//! with such springs is therefore too little, never too much.

use super::maker::Mechanism;
use kempe2d::{Body, BodyId, ForceRange, JointId, JointKind, Softness, Vec2, World};
use std::f64::consts::TAU;

/// What can store energy.
#[derive(Clone, Copy, Debug)]
struct Store {
    joint: JointId,
    /// A row of the hold, or an axis.
    row: Row,
    /// Between these, m or rad, it stores nothing.
    slack: [f64; 2],
    stiffness: f64,
    force: ForceRange,
}

#[derive(Clone, Copy, Debug)]
enum Row {
    Hold(usize),
    Axis(usize),
}

/// Reads the energy of a mechanism.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    bodies: Vec<BodyId>,
    stores: Vec<Store>,
    gravity: Vec2,
    /// At the start, J.
    start: f64,
    /// What gains are compared with, J.
    scale: f64,
}

impl Meter {
    /// Of a mechanism of a world at its start.
    pub(super) fn new(world: &World, mechanism: &Mechanism) -> Self {
        let gravity = world.settings().gravity;
        let (mut stores, mut allowed) = (Vec::new(), 0.0);
        for id in &mechanism.joints {
            for (store, fixed) in stores_of(world, *id) {
                match fixed {
                    true => stores.push(store),
                    false => allowed += store.energy(world),
                }
            }
        }
        let bodies = mechanism.bodies.clone();
        let mut meter = Self { bodies, stores, gravity, start: 0.0, scale: 0.0 };
        let at_start = meter.energy(world);
        let kinetic = meter.kinetic(world);
        let stored: f64 = meter.stores.iter().map(|store| store.energy(world)).sum();
        let weight: f64 = meter.each(world).map(|body| body.mass_properties().mass).sum::<f64>()
            * gravity.length();
        meter.start = at_start + allowed;
        // Without gravity and at rest there is nothing to compare with; a joule is as good as any.
        let scale = (kinetic + stored + allowed).max(weight * mechanism.size);
        meter.scale = if scale > 0.0 { scale } else { 1.0 };
        meter
    }

    fn each<'a>(&'a self, world: &'a World) -> impl Iterator<Item = &'a Body> {
        self.bodies.iter().filter_map(|id| world.body(*id))
    }

    fn kinetic(&self, world: &World) -> f64 {
        self.each(world).map(Body::kinetic_energy).sum()
    }

    fn energy(&self, world: &World) -> f64 {
        let weights = self.each(world).map(|body| {
            let weight = self.gravity * (body.mass_properties().mass * body.gravity_scale());
            -weight.dot(body.center())
        });
        let stored = self.stores.iter().map(|store| store.energy(world));
        self.kinetic(world) + weights.sum::<f64>() + stored.sum::<f64>()
    }

    /// What was gained since the start, in parts of the larger of what could be set free at the start and of
    /// the weights falling as far as the mechanism is large.
    pub(super) fn gain(&self, world: &World) -> f64 {
        (self.energy(world) - self.start) / self.scale
    }

    /// The kinetic energy in the same parts.
    pub(super) fn motion(&self, world: &World) -> f64 {
        self.kinetic(world) / self.scale
    }
}

impl Store {
    fn energy(&self, world: &World) -> f64 {
        let value = match self.row {
            Row::Axis(axis) => world.joint_coordinate(self.joint, axis),
            Row::Hold(row) => world.joint_error(self.joint).and_then(|rows| rows.get(row).copied()),
        };
        // A joint that is gone stores nothing.
        let Some(value) = value else { return 0.0 };
        let [lower, upper] = self.slack;
        let past = (value - upper).max(0.0) + (value - lower).min(0.0);
        // What holds it back: the range below for what is too long, that above for what is too short.
        let most = if past > 0.0 { -self.force.lower } else { self.force.upper };
        let (past, k) = (past.abs(), self.stiffness);
        match k * past <= most {
            true => 0.5 * k * past * past,
            false => most * (past - 0.5 * most / k),
        }
    }
}

/// What of a joint stores energy, and whether its stiffness is fixed.
fn stores_of(world: &World, id: JointId) -> Vec<(Store, bool)> {
    let Some(joint) = world.joint(id) else { return Vec::new() };
    let def = joint.def();
    let mut found = Vec::new();
    let any = ForceRange::default();
    let mut add = |row: Row, slack: [f64; 2], softness: Softness, force: ForceRange| {
        let turns = turns(&def.kind, row);
        if let Some((stiffness, fixed)) = stiffness(world, &def.bodies, &def.kind, softness, turns)
        {
            found.push((Store { joint: id, row, slack, stiffness, force }, fixed));
        }
    };
    for row in 0..def.kind.hold_count() {
        add(Row::Hold(row), [0.0; 2], def.softness, any);
    }
    for (k, axis) in def.axes.iter().enumerate() {
        if let Some(spring) = axis.spring {
            add(Row::Axis(k), [spring.rest; 2], spring.softness, spring.force);
        }
        if let Some(limit) = axis.limit {
            let held = limit.lower == limit.upper && limit.softness == Softness::Rigid;
            let softness = if held { def.softness } else { limit.softness };
            let force = ForceRange::symmetric(limit.force);
            add(Row::Axis(k), [limit.lower, limit.upper], softness, force);
        }
    }
    found
}

/// Whether a row is an angle.
fn turns(kind: &JointKind, row: Row) -> bool {
    match (kind, row) {
        (JointKind::Weld { .. }, Row::Hold(row)) => row == 2,
        (JointKind::Prismatic { .. }, Row::Hold(row)) => row == 1,
        (JointKind::Revolute { .. } | JointKind::Angle { .. }, Row::Axis(_)) => true,
        (JointKind::Slot { .. } | JointKind::Path { .. }, Row::Axis(axis)) => axis == 1,
        (JointKind::Generic { .. } | JointKind::Drive { .. }, Row::Axis(axis)) => axis == 2,
        _ => false,
    }
}

/// N/m or N·m/rad, and whether it is that in every pose.
fn stiffness(
    world: &World,
    bodies: &[BodyId],
    kind: &JointKind,
    softness: Softness,
    turns: bool,
) -> Option<(f64, bool)> {
    let by_mass = match softness {
        Softness::Rigid | Softness::ErrorBias { .. } => return None,
        Softness::Stiffness { stiffness, .. } => return Some((stiffness, true)),
        Softness::Compliance { compliance: 0.0, .. } => return None,
        Softness::Compliance { compliance, .. } => return Some((1.0 / compliance, true)),
        Softness::MassNormalized { stiffness, .. } => stiffness,
        Softness::Hertz { hertz, .. } => (TAU * hertz) * (TAU * hertz),
    };
    let reach = match kind {
        JointKind::Revolute { anchor_a, anchor_b, .. } => [*anchor_a, *anchor_b],
        _ => [Vec2::ZERO; 2],
    };
    let each = bodies.iter().enumerate().filter_map(|(k, id)| {
        let body = world.body(*id).filter(|body| body.kind() == kempe2d::BodyKind::Dynamic)?;
        let own = body.mass_properties();
        let arm = reach.get(k).map_or(0.0, |anchor| (*anchor - own.center).length_squared());
        Some(if turns { own.inertia + own.mass * arm } else { own.mass })
    });
    let lightest = each.fold(f64::INFINITY, f64::min);
    lightest.is_finite().then_some((by_mass * lightest, false))
}

#[cfg(test)]
mod tests {
    use super::{Meter, stores_of};
    use crate::stability::Class;

    /// The reference solver knows what springs store, by another way.
    #[test]
    fn the_energy_is_that_of_the_reference_solver() {
        let mut compared = 0;
        for name in ["trees", "beams", "soft_welds", "springs", "mixed"] {
            let class = Class::named(name).unwrap();
            for seed in 0..10 {
                let mut sample = class.world(seed).unwrap();
                let mechanism = &sample.mechanisms[0];
                let meter = Meter::new(&sample.world, mechanism);
                let stores = mechanism.joints.iter().flat_map(|id| stores_of(&sample.world, *id));
                if stores.into_iter().any(|(_, fixed)| !fixed) {
                    continue;
                }
                for step in 0..4 {
                    if step > 0 {
                        sample.world.step(1.0 / 240.0).unwrap();
                    }
                    let Ok(known) = sample.world.energies() else { continue };
                    let (own, known) = (meter.energy(&sample.world), known.total());
                    // It closes joints first, which real time leaves open by some micrometres: stiff springs
                    // feel that. At the start they are closed.
                    let allowed = if step == 0 { 1e-9 } else { 1e-3 };
                    let close = (own - known).abs() < allowed * meter.scale;
                    assert!(close, "{name}, {seed}: {own} J is {known} J");
                    compared += 1;
                }
            }
        }
        assert!(compared > 30, "{compared}");
    }
}
