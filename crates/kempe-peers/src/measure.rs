//! How well a scene is held: the gaps of joints and the drift of energy, from the bodies' states alone,
//! for all engines alike.
//!
//! | joint | gap |
//! |---|---|
//! | revolute, weld | the distance of the anchors |
//! | rod | how much longer or shorter it is |
//! | prismatic | the distance of the anchor from the rail |
//! | spring between two free bodies | how far its length is from r + e^(−ζωt) x₀ (cos νt + ζω/ν sin νt), ν = ω √(1 − ζ²) |
//! | gear | ratio · θ_B − θ_A − phase, rad |
//! | pulley | how much longer or shorter the rope is |
//!
//! Other springs have none.
//!
//! Energy is ½ m v² + ½ I ω² − m g·x of the bodies, and ½ k (l − r)² of springs between free bodies. Its
//! drift is how far it is at most from where it should be, over the largest sum of kinetic energy and
//! change of the rest. It should be what it was at the start, and with springs between free bodies what
//! the closed form says. Motors, dampers and stops change it with reason: then drifts are good for
//! comparing engines only.

use crate::engine::State;
use crate::model::{Hold, JointModel, Model, SpringModel};
use kempe2d::{JointDef, JointKind, Vec2};
use std::f64::consts::TAU;

/// What a joint's gap is.
#[derive(Clone, Debug)]
enum Gap {
    Point([usize; 2], [Vec2; 2]),
    Length([usize; 2], [Vec2; 2], f64),
    Rail([usize; 2], [Vec2; 2], Vec2),
    Oscillation([usize; 2], [Vec2; 2], Oscillation),
    Gear([usize; 2], f64, f64),
    Pulley([usize; 4], [Vec2; 4], f64, f64),
    None,
}

/// A spring between two bodies that nothing else acts on.
#[derive(Clone, Copy, Debug)]
struct Oscillation {
    rest: f64,
    /// How far it is out at the start, at rest.
    out: f64,
    /// ω, 1/s.
    omega: f64,
    /// ζ.
    ratio: f64,
    /// Of the two bodies, kg.
    reduced_mass: f64,
}

impl Oscillation {
    /// l − r, and how fast it grows.
    fn at(&self, time: f64) -> (f64, f64) {
        let damping = self.ratio * self.omega;
        let nu = self.omega * (1.0 - self.ratio * self.ratio).sqrt();
        let (sin, cos) = (nu * time).sin_cos();
        let decay = (-damping * time).exp() * self.out;
        let speed = -decay * (nu + damping * damping / nu) * sin;
        (decay * (cos + damping / nu * sin), speed)
    }

    fn potential(&self, out: f64) -> f64 {
        0.5 * self.reduced_mass * self.omega * self.omega * out * out
    }
}

/// Gaps and energies of a run so far.
#[derive(Clone, Debug)]
pub struct Measure {
    gaps: Vec<Gap>,
    /// Σ gap², by joint.
    squares: Vec<f64>,
    sum: f64,
    steps: usize,
    /// Kinetic energy, and the rest, at the start.
    start: Option<[f64; 2]>,
    /// How far the energy was from where it should be at most.
    drift: f64,
    scale: f64,
    finite: bool,
}

/// What was measured.
#[derive(Clone, Copy, Debug)]
pub struct Quality {
    /// The largest over the joints of a joint's rms gap, m.
    pub gap_max: f64,
    /// Over joints and steps, m.
    pub gap_mean: f64,
    /// The largest drift of energy, in parts of the energy that moves.
    pub energy_drift: f64,
    /// Whether all was finite.
    pub finite: bool,
}

impl Measure {
    /// Nothing yet of a scene.
    pub fn new(model: &Model) -> Self {
        let mut uses = vec![0_u32; model.bodies.len()];
        for joint in model.joints.iter().flatten() {
            joint.bodies.iter().for_each(|body| uses[*body] += 1);
        }
        let each = model.joints.iter().zip(&model.definitions);
        let gaps: Vec<Gap> = each
            .map(|(joint, (_, def))| match joint {
                Ok(joint) => gap_of(model, joint, &uses),
                Err(_) => other_gap(model, def),
            })
            .collect();
        let squares = vec![0.0; gaps.len()];
        let (start, finite) = (None, true);
        Self { gaps, squares, sum: 0.0, steps: 0, start, drift: 0.0, scale: 0.0, finite }
    }

    /// Takes the start of a run.
    pub fn start(&mut self, model: &Model, states: &[State]) {
        self.start = Some(self.energy(model, states));
    }

    /// Takes the states of a timed step at a time.
    pub fn take(&mut self, model: &Model, states: &[State], time: f64) {
        for (gap, square) in self.gaps.iter().zip(&mut self.squares) {
            let length = gap.length(states, time);
            self.finite &= length.is_finite();
            *square += length * length;
            self.sum += length;
        }
        self.steps += 1;
        let [kinetic, rest] = self.energy(model, states);
        self.finite &= (kinetic + rest).is_finite();
        let [kinetic_0, rest_0] = self.start.unwrap_or([kinetic, rest]);
        let lost = self.lost(time);
        self.drift = self.drift.max((kinetic + rest - kinetic_0 - rest_0 + lost).abs());
        self.scale = self.scale.max(kinetic + (rest - rest_0).abs());
    }

    /// What dampers have taken by right.
    fn lost(&self, time: f64) -> f64 {
        let each = self.gaps.iter().map(|gap| match gap {
            Gap::Oscillation(_, _, spring) => {
                let (out, speed) = spring.at(time);
                let now = spring.potential(out) + 0.5 * spring.reduced_mass * speed * speed;
                spring.potential(spring.out) - now
            }
            _ => 0.0,
        });
        each.sum()
    }

    /// Kinetic energy, and that of weights and springs.
    fn energy(&self, model: &Model, states: &[State]) -> [f64; 2] {
        let (mut kinetic, mut rest) = (0.0, 0.0);
        for (body, state) in model.bodies.iter().zip(states).filter(|(body, _)| body.dynamic) {
            let spin = body.mass.inertia * state.angular_velocity * state.angular_velocity;
            kinetic += 0.5 * (body.mass.mass * state.velocity.length_squared() + spin);
            rest -= body.mass.mass * model.gravity.dot(state.point(body.mass.center));
        }
        for gap in &self.gaps {
            if let Gap::Oscillation(bodies, anchors, spring) = gap {
                rest += spring.potential(between(states, bodies, anchors).length() - spring.rest);
            }
        }
        [kinetic, rest]
    }

    /// What came out.
    pub fn quality(&self) -> Quality {
        let steps = self.steps.max(1) as f64;
        let counted = self.gaps.iter().filter(|gap| !matches!(gap, Gap::None)).count().max(1);
        let largest = self.squares.iter().copied().fold(0.0, f64::max);
        Quality {
            gap_max: (largest / steps).sqrt(),
            gap_mean: self.sum / (steps * counted as f64),
            energy_drift: if self.scale > 0.0 { self.drift / self.scale } else { 0.0 },
            finite: self.finite,
        }
    }
}

/// From A's anchor to B's.
fn between(states: &[State], bodies: &[usize; 2], anchors: &[Vec2; 2]) -> Vec2 {
    states[bodies[1]].point(anchors[1]) - states[bodies[0]].point(anchors[0])
}

impl Gap {
    fn length(&self, states: &[State], time: f64) -> f64 {
        match self {
            Self::Point(bodies, anchors) => between(states, bodies, anchors).length(),
            Self::Length(bodies, anchors, length) => {
                (between(states, bodies, anchors).length() - length).abs()
            }
            Self::Rail(bodies, anchors, rail) => {
                states[bodies[0]].turned(*rail).cross(between(states, bodies, anchors)).abs()
            }
            Self::Oscillation(bodies, anchors, spring) => {
                let out = between(states, bodies, anchors).length() - spring.rest;
                (out - spring.at(time).0).abs()
            }
            Self::Gear([a, b], ratio, phase) => {
                (ratio * states[*b].rotation - states[*a].rotation - phase).abs()
            }
            Self::Pulley([a, b, c, d], anchors, ratio, length) => {
                let first = between(states, &[*a, *b], &[anchors[0], anchors[1]]).length();
                let second = between(states, &[*c, *d], &[anchors[2], anchors[3]]).length();
                (first + ratio * second - length).abs()
            }
            Self::None => 0.0,
        }
    }
}

fn gap_of(model: &Model, joint: &JointModel, uses: &[u32]) -> Gap {
    let JointModel { bodies, anchors, .. } = *joint;
    match joint.hold {
        Hold::Revolute | Hold::Weld => Gap::Point(bodies, anchors),
        Hold::Prismatic { rail } => Gap::Rail(bodies, anchors, rail),
        Hold::Rod { length } => Gap::Length(bodies, anchors, length),
        Hold::Free => match joint.spring {
            Some(spring) if is_alone(model, joint, uses) => {
                Gap::Oscillation(bodies, anchors, oscillation(model, joint, spring))
            }
            _ => Gap::None,
        },
    }
}

/// Whether the closed form holds: two bodies at rest, without weight, that nothing else is on, with the
/// spring between their middles.
fn is_alone(model: &Model, joint: &JointModel, uses: &[u32]) -> bool {
    let two = joint.bodies.iter().zip(joint.anchors).all(|(place, anchor)| {
        let body = &model.bodies[*place];
        let rest = body.velocity == Vec2::ZERO && body.angular_velocity == 0.0;
        uses[*place] == 1 && body.dynamic && rest && anchor == body.mass.center
    });
    two && model.gravity == Vec2::ZERO
}

fn oscillation(model: &Model, joint: &JointModel, spring: SpringModel) -> Oscillation {
    let [a, b] = joint.bodies.map(|place| &model.bodies[place]);
    let apart = (b.position - a.position).length();
    Oscillation {
        rest: spring.rest,
        out: apart - spring.rest,
        omega: TAU * spring.hertz,
        ratio: spring.damping_ratio,
        reduced_mass: 1.0 / (1.0 / a.mass.mass + 1.0 / b.mass.mass),
    }
}

/// Of joints that Kempe alone has.
fn other_gap(model: &Model, def: &JointDef) -> Gap {
    let places: Option<Vec<usize>> = def.bodies.iter().map(|id| model.place(*id)).collect();
    let (Some(places), Some(held)) = (places, crate::text::held(def)) else { return Gap::None };
    match (&def.kind, &places[..]) {
        (JointKind::Angle { ratio, angle }, [a, b]) => Gap::Gear([*a, *b], *ratio, angle + held),
        (JointKind::Pulley { anchors, ratio }, [a, b, c, d]) => {
            Gap::Pulley([*a, *b, *c, *d], *anchors, *ratio, held)
        }
        _ => Gap::None,
    }
}
