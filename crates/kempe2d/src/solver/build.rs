//! Putting joints into buckets, and getting their impulses back.

use super::Hot;
use super::bucket::{Bucket, LawKind, Layout, Part};
use super::hold::Pass;
use super::motion::Movers;
use crate::body::Body;
use crate::joint::{Axis, Joint, JointDef, KindTag, Motor};
use kempe_scalar::Isa;
use kempe_solve::{Coefficients, Coloring, Pool, Softness};

/// Where an entry of a joint is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub part: Part,
    pub bucket: usize,
    pub lane: usize,
}

/// The joints in lanes, and the bodies that they move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solver {
    pub hot: Hot,
    /// Laws first, in their order, then holds; by colour.
    pub buckets: Vec<Bucket>,
    /// By joint slot.
    pub places: Vec<Vec<Place>>,
    /// By body slot: how many joints that take part refer to it.
    pub joints_on: Vec<u32>,
    /// By body slot: x, y of the centre of mass and the angle, at the start of the step.
    poses: Vec<[f64; 3]>,
    /// Bodies that a joint refers to and that move.
    pub movers: Movers,
    /// Whether something changed that the buckets were made from.
    pub dirty: bool,
    /// The sub-step that the impulses belong to.
    h: f64,
}

/// What an entry's law is made of: (where the coordinate rests, three numbers, softness).
struct LawNumbers {
    target: f64,
    numbers: [f64; 3],
    softness: Softness,
}

impl Solver {
    /// Makes the buckets anew if something changed, and the coefficients if the sub-step did.
    pub(crate) fn prepare(&mut self, bodies: &Pool<Body>, joints: &mut Pool<Joint>, h: f64) {
        let resized = h != self.h;
        if self.dirty || resized {
            self.store(joints);
            // An impulse is a force times the sub-step: keep the force.
            if resized && self.h > 0.0 {
                scale(joints, (h / self.h) as f32);
            }
            self.h = h;
            self.build(bodies, joints);
            self.dirty = false;
        }
        self.remember(joints);
        self.poses.clear();
        self.poses.resize(bodies.slots(), [0.0; 3]);
        for (id, body) in bodies.iter() {
            self.poses[id.index()] = [body.center.x, body.center.y, body.rotation];
        }
        for bucket in &mut self.buckets {
            bucket.start(&self.poses);
        }
    }

    /// Writes the impulses back into the joints.
    fn store(&mut self, joints: &mut Pool<Joint>) {
        for (slot, places) in self.places.iter().enumerate() {
            let Some(joint) = joints.at_mut(slot) else { continue };
            for place in places {
                let bucket = &self.buckets[place.bucket];
                let impulse = |k: usize| bucket.get(place.lane, bucket.layout.impulse(k));
                match place.part {
                    Part::Law(law, row) => {
                        let axis = usize::from(row) - joint.def.kind.tag().hold();
                        joint.laws[axis][law as usize] = [impulse(0), impulse(1)];
                    }
                    Part::Hold(_) => {
                        for (k, row) in place.part.rows().into_iter().enumerate() {
                            joint.hold[row] = impulse(k);
                        }
                    }
                }
            }
        }
    }

    fn build(&mut self, bodies: &Pool<Body>, joints: &Pool<Joint>) {
        self.buckets.clear();
        self.places = vec![Vec::new(); joints.slots()];
        self.joints_on = vec![0; bodies.slots()];
        // Laws and holds are solved in passes of their own, and coloured so.
        let mut colorings = [Coloring::default(), Coloring::default()];
        for coloring in &mut colorings {
            coloring.reset(bodies.slots());
        }
        let mut entries: Vec<(Part, KindTag, usize, usize)> = Vec::new();
        for (id, joint) in joints.iter() {
            let ends = [joint.def.a.index(), joint.def.b.index()];
            let takes_part = |slot: usize| bodies.at(slot).is_some_and(|body| body.enabled);
            if !joint.def.enabled || !ends.into_iter().all(takes_part) {
                continue;
            }
            let moving = |slot: &usize| bodies.at(*slot).is_some_and(Body::moves);
            if !ends.iter().any(moving) {
                continue;
            }
            for slot in ends {
                self.joints_on[slot] += 1;
            }
            for part in parts(&joint.def) {
                let class = usize::from(matches!(part, Part::Hold(_)));
                let moving = ends.into_iter().filter(moving);
                // What finds no colour goes one by one: a bucket of its own each.
                let color = colorings[class].color(moving).unwrap_or(100_000 + id.index());
                entries.push((part, joint.def.kind.tag(), color, id.index()));
            }
        }
        entries.sort_unstable();
        let mut last = None;
        for (part, kind, color, slot) in entries {
            let Some(joint) = joints.at(slot) else { continue };
            if last != Some((part, kind, color)) {
                self.buckets.push(Bucket::new(kind, part));
                last = Some((part, kind, color));
            }
            let index = self.buckets.len() - 1;
            let (a, b) = (joint.def.a.index(), joint.def.b.index());
            let lane = self.buckets[index].push(slot, a, b);
            self.places[slot].push(Place { part, bucket: index, lane });
            self.fill(index, lane, bodies, joint);
        }
    }

    /// Writes what stays over steps: masses, anchors, coefficients, impulses.
    fn fill(&mut self, index: usize, lane: usize, bodies: &Pool<Body>, joint: &Joint) {
        let (Some(a), Some(b)) = (bodies.at(joint.def.a.index()), bodies.at(joint.def.b.index()))
        else {
            return;
        };
        let h = self.h;
        let bucket = &mut self.buckets[index];
        let layout = bucket.layout;
        let mut set = |field: usize, value: f64| bucket.set(lane, field, value as f32);
        for (k, mass) in a.inverse_mass().into_iter().chain(b.inverse_mass()).enumerate() {
            set(Layout::MASSES + k, mass);
        }
        let (anchor_a, anchor_b, rail, _, ratio) = joint.def.kind.numbers();
        // From the centres of mass: a joint refers to the origins, whatever the mass.
        let arm_a = anchor_a - a.properties.center;
        let arm_b = anchor_b - b.properties.center;
        let rail = rail * (1.0 / rail.length());
        let [x, y] = joint.remembered.map(f64::from);
        let direction =
            if joint.def.kind.tag() == KindTag::Distance { [x, y] } else { rail.into() };
        let own = match joint.def.kind.tag() {
            KindTag::Angle => [ratio, 0.0, 0.0, 0.0, 0.0, 0.0],
            _ => [arm_a.x, arm_a.y, arm_b.x, arm_b.y, direction[0], direction[1]],
        };
        for (k, value) in own.into_iter().enumerate().take(joint.def.kind.tag().parameters()) {
            set(Layout::PARAMETERS + k, value);
        }
        let rigid = self.rigid([joint.def.a.index(), joint.def.b.index()], bodies);
        let (softness, law) = match bucket_law(&joint.def, self.buckets[index].part) {
            Some(law) => (law.softness, law.numbers),
            None => (joint.def.softness, [0.0; 3]),
        };
        let c = softness.coefficients(h, rigid);
        let soft = [
            c.bias_rate,
            c.max_bias,
            c.mass_scale,
            c.impulse_scale,
            c.gamma,
            f64::from(u8::from(c.relax)),
        ];
        let bucket = &mut self.buckets[index];
        for (k, value) in soft.into_iter().enumerate() {
            bucket.set(lane, layout.soft() + k, value as f32);
        }
        let (_, _, _, reference, ratio) = joint.def.kind.numbers();
        let mut from = reference;
        for (k, row) in bucket.part.rows().into_iter().enumerate() {
            let target = target(&joint.def, bucket.part, row);
            // Many turns are taken off in f64, before f32 would lose them.
            let is_angle = joint.def.kind.tag().angle_row() == Some(row);
            from += if is_angle { target } else { 0.0 };
            bucket.set(lane, layout.target(k), if is_angle { 0.0 } else { target as f32 });
        }
        bucket.angles[lane] = [ratio, from];
        match bucket.part {
            Part::Law(kind, row) => {
                for (k, value) in law.into_iter().enumerate() {
                    bucket.set(lane, layout.law() + k, value as f32);
                }
                let axis = usize::from(row) - joint.def.kind.tag().hold();
                for (k, impulse) in joint.laws[axis][kind as usize].into_iter().enumerate() {
                    bucket.set(lane, layout.impulse(k), impulse);
                }
            }
            Part::Hold(_) => {
                for (k, row) in bucket.part.rows().into_iter().enumerate() {
                    bucket.set(lane, layout.impulse(k), joint.hold[row]);
                }
            }
        }
    }

    /// What a rigid row between these bodies is made of.
    ///
    /// Where joints meet at a body they are solved in turn, and must yield a little, or loops of
    /// them never come to rest: a spring, as stiff as a sub-step can follow, which sags by g/ω²
    /// under its load. A joint whose bodies have no other joint is solved exactly by its block and
    /// needs not yield: most of the error goes in one sub-step, and nothing sags.
    fn rigid(&self, ends: [usize; 2], bodies: &Pool<Body>) -> Coefficients {
        let h = self.h;
        let yields = Coefficients::rigid(h, 0.25 / h, RIGID_RATIO);
        let moving = |slot: &usize| bodies.at(*slot).is_some_and(Body::moves);
        if ends.iter().filter(|slot| moving(slot)).all(|slot| self.joints_on[*slot] == 1) {
            return Coefficients {
                bias_rate: ALONE_RATE / h,
                mass_scale: 1.0,
                impulse_scale: 0.0,
                ..yields
            };
        }
        yields
    }

    /// Lengths remember their last direction, for when there is none.
    fn remember(&mut self, joints: &mut Pool<Joint>) {
        for bucket in self.buckets.iter_mut().filter(|each| each.kind == KindTag::Distance) {
            let layout = bucket.layout;
            for lane in 0..bucket.joints.len() {
                let Some(joint) = joints.at_mut(bucket.joints[lane] as usize) else { continue };
                let n = [0, 1].map(|k| bucket.get(lane, layout.row(0) + k));
                if n[0] * n[0] + n[1] * n[1] > 0.5 {
                    joint.remembered = n;
                }
                for (k, value) in joint.remembered.into_iter().enumerate() {
                    bucket.set(lane, Layout::PARAMETERS + 4 + k, value);
                }
            }
        }
    }

    /// Whether a joint that takes part refers to a body.
    pub(crate) fn is_jointed(&self, slot: usize) -> bool {
        self.joints_on.get(slot).is_some_and(|count| *count > 0)
    }

    pub(crate) fn evaluate(&mut self, isa: Isa) {
        for bucket in &mut self.buckets {
            bucket.evaluate(isa, &self.hot.floats);
        }
    }

    /// One pass over everything, laws before holds.
    pub(crate) fn pass(&mut self, isa: Isa, pass: Pass) {
        let h = self.h as f32;
        for bucket in &mut self.buckets {
            match bucket.part {
                Part::Law(..) => bucket.solve_law(isa, &mut self.hot.floats, pass, h),
                Part::Hold(_) => bucket.solve_hold(isa, &mut self.hot.floats, pass),
            }
        }
    }
}

/// The damping ratio of a rigid row that yields; its frequency is a quarter of the sub-steps' rate.
const RIGID_RATIO: f64 = 2.0;
/// How much of its error a joint that is alone removes in a sub-step.
const ALONE_RATE: f64 = 0.7;

fn scale(joints: &mut Pool<Joint>, factor: f32) {
    for (_, joint) in joints.iter_mut() {
        let laws = joint.laws.iter_mut().flatten().flatten();
        for impulse in joint.hold.iter_mut().chain(laws) {
            *impulse *= factor;
        }
    }
}

/// An axis whose limit has equal rigid bounds is held with the rest.
fn is_held(axis: &Axis) -> bool {
    axis.limit.is_some_and(|limit| limit.lower == limit.upper && limit.softness == Softness::Rigid)
}

/// The entries of a joint.
fn parts(def: &JointDef) -> Vec<Part> {
    let tag = def.kind.tag();
    let mut mask = (1_u8 << tag.hold()) - 1;
    let mut parts = Vec::new();
    for (index, axis) in def.axes.iter().enumerate().take(tag.axes()) {
        let row = (tag.hold() + index) as u8;
        if is_held(axis) {
            mask |= 1 << row;
            continue;
        }
        let equal = axis.limit.is_some_and(|limit| limit.lower == limit.upper);
        let laws = [
            (LawKind::Spring, axis.spring.is_some()),
            (LawKind::Servo, matches!(axis.motor, Some(Motor::Position { .. }))),
            (LawKind::Motor, matches!(axis.motor, Some(Motor::Velocity { .. }))),
            (LawKind::Friction, axis.friction.is_some()),
            (LawKind::Limit, axis.limit.is_some() && !equal),
            (LawKind::Held, equal),
        ];
        parts.extend(laws.iter().filter(|law| law.1).map(|law| Part::Law(law.0, row)));
    }
    if mask != 0 {
        parts.push(Part::Hold(mask));
    }
    parts
}

/// Where a row of an entry should be.
fn target(def: &JointDef, part: Part, row: usize) -> f64 {
    let hold = def.kind.tag().hold();
    match part {
        Part::Law(..) => bucket_law(def, part).map_or(0.0, |law| law.target),
        Part::Hold(_) if row < hold => 0.0,
        Part::Hold(_) => def.axes[row - hold].limit.map_or(0.0, |limit| limit.lower),
    }
}

fn bucket_law(def: &JointDef, part: Part) -> Option<LawNumbers> {
    let Part::Law(law, row) = part else { return None };
    let axis = &def.axes[usize::from(row) - def.kind.tag().hold()];
    let free = Softness::Rigid;
    Some(match law {
        LawKind::Spring => {
            let spring = axis.spring?;
            let numbers = [0.0, spring.force.lower, spring.force.upper];
            LawNumbers { target: spring.rest, numbers, softness: spring.softness }
        }
        LawKind::Held => {
            let limit = axis.limit?;
            let numbers = [0.0, f64::NEG_INFINITY, f64::INFINITY];
            LawNumbers { target: limit.lower, numbers, softness: limit.softness }
        }
        LawKind::Motor | LawKind::Servo => match axis.motor? {
            Motor::Velocity { speed, force } => {
                let numbers = [speed, force.lower, force.upper];
                LawNumbers { target: 0.0, numbers, softness: free }
            }
            Motor::Position { target, softness, force } => {
                LawNumbers { target, numbers: [0.0, force.lower, force.upper], softness }
            }
        },
        LawKind::Friction => {
            let most = axis.friction?;
            LawNumbers { target: 0.0, numbers: [0.0, -most, most], softness: free }
        }
        LawKind::Limit => {
            let limit = axis.limit?;
            // Counted from a bound, so that many turns are not lost.
            let from = if limit.lower.is_finite() { limit.lower } else { limit.upper };
            let from = if from.is_finite() { from } else { 0.0 };
            let numbers = [limit.lower - from, limit.upper - from, 0.0];
            LawNumbers { target: from, numbers, softness: limit.softness }
        }
    })
}
