//! Joints from text between two bodies, in the lanes of the built-in ones.
//!
//! A program whose rows are plain equations of two bodies, with n_B = −n_A as all that does not depend
//! on where in the world it is, gives the same four numbers a row as a built-in joint, so that the same
//! kernels solve it. Most programs are evaluated as B is seen from A ([`super::sight_lanes`]), in f32 and
//! 64 joints at a time; those that cannot be, and joints with large parameters, by their changes since the
//! start of the step, which is in f64 ([`super::program_lanes`]).
//!
//! Types of the user that are nothing but their equations are recorded as programs too. Where such a type
//! depends on angles in a way that lanes can follow it is evaluated by its own equations instead, which
//! is faster: see [`super::user_lanes`].

use super::fill::is_driven;
use super::fits::{angle_of, counts_from_nothing, fits, held_rows, is_point};
use super::pieces::{Piece, pieces};
use super::sight_lanes::Seen;
use super::user_lanes::UserType;
use crate::body::Body;
use crate::joint::{Joint, JointKind, KindTag};
use crate::text::TextJoint;
use crate::user::{Erased, Recording};
use kempe_equation::{AtZero, Block, Cells, Compiled, Input, Output, PreciseBlock, Sight};
use kempe_solve::Pool;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A centre of mass this near the origin is in it, m.
const CENTERED: f64 = 1e-9;

/// Something that each thread needs one of, for a while.
#[derive(Debug)]
pub(super) struct Lent<T> {
    first: T,
    free: Mutex<Vec<T>>,
}

impl<T: Clone> Lent<T> {
    fn new(first: T) -> Self {
        Self { first, free: Mutex::default() }
    }

    /// Does something with one that nobody else has.
    pub(super) fn with<R>(&self, run: impl FnOnce(&mut T) -> R) -> R {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = free().pop();
        let mut own = taken.unwrap_or_else(|| self.first.clone());
        let result = run(&mut own);
        free().push(own);
        result
    }
}

impl<T: Clone> Clone for Lent<T> {
    fn clone(&self) -> Self {
        Self::new(self.first.clone())
    }
}

/// How a program is evaluated.
#[derive(Clone, Debug)]
pub(super) enum Way {
    /// As B is seen from A; with the cells of what follows from the parameters.
    Near { sight: Arc<Sight>, seen: Seen, fixed: Lent<Cells<f64>> },
    /// By changes since the start of the step; with the cells of that start.
    Far(Lent<Cells<PreciseBlock>>),
}

/// A program, and the cells of its tapes.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(super) compiled: Arc<Compiled>,
    pub(super) way: Way,
    pub(super) steps: Lent<Cells<Block>>,
    /// Its held rows, and all of them.
    pub(super) hold: usize,
    pub(super) rows: usize,
    /// By row: n_x, n_y, −a, b and the value.
    pub(super) outputs: Vec<[Output; 5]>,
    /// What a step takes.
    pub(super) inputs: Vec<Input>,
    /// Those of them that each joint keeps from sub-step to sub-step.
    pub(super) kept: Range<usize>,
    /// Whether its rows are those of a point, which counts from nothing, and which is an angle.
    point: bool,
    still: bool,
    angle: Option<u8>,
}

impl Program {
    /// The program of these tapes, which are for lanes.
    fn new(compiled: &Arc<Compiled>, near: bool) -> Self {
        let sight = compiled.sight().filter(|_| near);
        let step = sight.map_or(compiled.step(), |sight| sight.step());
        let way = match sight {
            Some(sight) => Way::Near {
                sight: Arc::clone(sight),
                seen: Seen::new(sight),
                fixed: Lent::new(Cells::precise(sight.fixed())),
            },
            None => Way::Far(Lent::new(Cells::precise_lanes(compiled.start()))),
        };
        let rows = compiled.rows().len();
        let outputs = (0..rows).map(|row| {
            let j = |slot, freedom| compiled.jacobian(row, slot, freedom);
            let far = [j(1, 0), j(1, 1), j(0, 2), j(1, 2), compiled.value(row)];
            sight.map_or(far, |sight| sight.row(row)).map(|output| step.outputs()[output])
        });
        let outputs = outputs.collect();
        let inputs = step.inputs().to_vec();
        let stays = |input: &Input| {
            matches!(input, Input::Base(_) | Input::Parameter { .. } | Input::Memory { .. })
        };
        // They follow each other.
        let first = inputs.iter().position(stays).unwrap_or(inputs.len());
        let kept = first..first + inputs[first..].iter().filter(|input| stays(input)).count();
        Self {
            compiled: Arc::clone(compiled),
            way,
            steps: Lent::new(Cells::lanes(step)),
            hold: held_rows(compiled),
            rows,
            outputs,
            inputs,
            kept,
            point: is_point(compiled),
            still: sight.is_some_and(|sight| counts_from_nothing(sight, rows)),
            angle: angle_of(compiled),
        }
    }

    fn is_near(&self) -> bool {
        matches!(self.way, Way::Near { .. })
    }
}

/// A larger number loses too many digits in f32.
pub(super) const LARGEST: f64 = 1000.0;

/// A parameter of a joint, which is recorded if it is one of the user's.
pub(super) fn parameter(
    joint: &Joint,
    recording: Option<&Recording>,
    index: usize,
    component: usize,
) -> f64 {
    let value = match (&joint.def.kind, recording) {
        (JointKind::Text(text), _) => {
            let name = &text.program().parameters()[index].name;
            let value = text.instance.get(name).ok().flatten();
            value.map(|value| value.components()[component])
        }
        (_, Some(recording)) => recording.constants.get(index).copied(),
        _ => None,
    };
    value.unwrap_or(0.0)
}

/// Whether a joint can be evaluated as B is seen from A.
fn is_near(compiled: &Compiled, joint: &Joint, recording: Option<&Recording>) -> bool {
    let small = |input: &Input| match *input {
        Input::Parameter { index, component } => {
            parameter(joint, recording, index, component).abs() <= LARGEST
        }
        _ => true,
    };
    compiled.sight().is_some_and(|sight| sight.step().inputs().iter().all(small))
}

/// A program that was looked at: whether it goes in lanes, and which ones it is there, far and near.
#[derive(Clone, Debug)]
struct Known {
    compiled: Arc<Compiled>,
    source: String,
    fits: bool,
    programs: [Option<usize>; 2],
}

/// A type of the user that was looked at.
#[derive(Clone, Debug)]
struct Recorded {
    recording: Recording,
    source: String,
    /// The program, if it is one for lanes.
    compiled: Option<Arc<Compiled>>,
    /// Its place among the types that go in lanes by themselves, if it is one of them.
    lanes: Option<usize>,
}

/// The programs of a world that go in lanes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Programs {
    known: Vec<Known>,
    recorded: Vec<Recorded>,
    pub(super) programs: Vec<Program>,
    /// Types of the user that go in lanes by themselves.
    pub(super) types: Vec<UserType>,
    /// By body slot: cos and sin of the angle at the start of the step.
    pub(super) turns: Vec<[f64; 2]>,
}

impl Programs {
    pub(crate) fn clear(&mut self) {
        self.known.clear();
        self.recorded.clear();
        self.programs.clear();
        self.types.clear();
    }

    /// The kind of lanes that a joint goes into, if it is from text and fits.
    pub(crate) fn tag(&mut self, joint: &Joint, bodies: &Pool<Body>) -> Option<KindTag> {
        let def = &joint.def;
        if !matches!(def.kind, JointKind::Text(_) | JointKind::User(_)) {
            return None;
        }
        let centered = |slot: usize| {
            bodies.at(slot).is_some_and(|body| body.properties.center.length() < CENTERED)
        };
        let all: Vec<usize> = def.bodies.iter().map(|id| id.index()).collect();
        let [a, b] = all[..] else { return None };
        let endless = def.max_force.min(def.max_torque) == f64::INFINITY;
        if a == b || !endless || !(centered(a) && centered(b)) {
            return None;
        }
        // What follows an expression or a law, and axes that are held, are for the general lanes.
        let hold = def.kind.hold_count();
        let simple = |piece: &Piece| match piece {
            Piece::Hold(held) => {
                held.len() == hold && held.iter().all(|row| usize::from(*row) < hold)
            }
            Piece::Law(law, row) => {
                let axis = usize::from(*row).checked_sub(hold);
                hold < 3 && axis.is_some_and(|axis| !is_driven(def, *law, axis))
            }
        };
        if !pieces(def, None).iter().all(simple) {
            return None;
        }
        let index = match &def.kind {
            JointKind::Text(text) if unset(text) || disables(text) => None,
            JointKind::Text(text) => {
                let compiled = text.instance.compiled();
                let near = is_near(compiled, joint, None);
                self.of_text(compiled, text.program().source(), near)
            }
            JointKind::User(user) => {
                let made = user.made()?;
                let recording = made.recording()?;
                let at = self.recorded(made, &recording);
                let (known, types) = (&self.recorded[at], &mut self.types);
                if let Some(tag) = known.lanes.and_then(|at| {
                    let compiled = known.compiled.as_ref()?;
                    types[at].tag(at, &recording, is_point(compiled), angle_of(compiled))
                }) {
                    return Some(tag);
                }
                let (compiled, source) = (known.compiled.clone()?, known.source.clone());
                let near = is_near(&compiled, joint, Some(&recording));
                self.of_text(&compiled, &source, near)
            }
            _ => None,
        }?;
        let Program { hold, rows, point, still, angle, .. } = self.programs[index];
        let [hold, rows] = [hold, rows].map(|count| u8::try_from(count).ok());
        let program = u16::try_from(index).ok()?;
        Some(KindTag::Text { program, hold: hold?, rows: rows?, point, still, angle })
    }

    /// Programs of one source are one, whether they were read once or often.
    fn of_text(&mut self, compiled: &Arc<Compiled>, source: &str, near: bool) -> Option<usize> {
        let same = |known: &Known| Arc::ptr_eq(&known.compiled, compiled) || known.source == source;
        let at = self.known.iter().position(same).unwrap_or_else(|| {
            let (fits, source) = (fits(compiled), source.to_owned());
            self.known.push(Known {
                compiled: Arc::clone(compiled),
                source,
                fits,
                programs: [None; 2],
            });
            self.known.len() - 1
        });
        let Known { compiled, fits, programs, .. } = &mut self.known[at];
        fits.then(|| {
            *programs[usize::from(near)].get_or_insert_with(|| {
                self.programs.push(Program::new(compiled, near));
                self.programs.len() - 1
            })
        })
    }

    /// Which recording a joint of the user has.
    fn recorded(&mut self, made: &dyn Erased, recording: &Recording) -> usize {
        let same = |each: &Recorded| each.recording.is_like(recording);
        if let Some(at) = self.recorded.iter().position(same) {
            return at;
        }
        let source = recording.to_text();
        let program = kempe_equation::Program::parse(&source).ok();
        let compiled = program.and_then(|program| program.compiled_for(&[0, 1]).ok());
        // A type that remembers does so itself.
        let compiled = compiled.filter(|compiled| compiled.memories() == 0 && fits(compiled));
        let lanes = compiled.as_ref().and_then(|_| UserType::new(made, recording));
        let at = lanes.as_ref().map(|_| self.types.len());
        self.types.extend(lanes);
        self.recorded.push(Recorded { recording: recording.clone(), source, compiled, lanes: at });
        self.recorded.len() - 1
    }

    /// Before the buckets start: which way bodies are turned, if programs need to know.
    pub(crate) fn note_turns(&mut self, poses: &[[f64; 3]], turned: impl Fn(usize) -> bool) {
        if self.programs.iter().all(Program::is_near) {
            return;
        }
        self.turns.resize(poses.len(), [1.0, 0.0]);
        for (slot, (turn, pose)) in self.turns.iter_mut().zip(poses).enumerate() {
            if turned(slot) {
                let (sin, cos) = kempe_scalar::precise::sin_cos(pose[2]);
                *turn = [cos, sin];
            }
        }
    }
}

/// Whether a parameter of a joint has no value.
fn unset(text: &TextJoint) -> bool {
    let parameters = text.program().parameters();
    parameters.iter().any(|each| !matches!(text.instance.get(&each.name), Ok(Some(_))))
}

/// Whether a length of a joint that becomes zero has no direction, instead of the last one.
fn disables(text: &TextJoint) -> bool {
    text.instance.at_zero == AtZero::Disable && text.instance.compiled().memories() > 0
}
