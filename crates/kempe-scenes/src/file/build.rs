//! From a model to a world.

use super::evaluate::Parameters;
use super::model::{Direct, Force, Model, Run, Settings, Solver, Springs};
use super::number::{Number, Point, Target};
use super::problem::{MOST_PROBLEMS, did_you_mean};
use super::{Plan, expect, probe};
use kempe2d::{BodyId, JointDef, JointId, JointKind, Method, Motor, Vec2, World};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::path::PathBuf;

/// What the world's own ground is called where no body has the name.
pub(super) const GROUND: &str = "ground";

/// A step on the way to a part of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Field(String),
    Item(usize),
}

/// Something that a model cannot have, by the way to it.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub path: Vec<Step>,
    /// In a text of the scene, where in it.
    pub within: Option<Range<usize>>,
    /// In a file beside the scene's: its name and text.
    pub file: Option<(String, String)>,
    pub message: String,
    pub hint: Option<String>,
    /// The way to another place that matters.
    pub related: Option<(Vec<Step>, String)>,
}

/// The way to an item of a list and on to a field of it.
pub(super) fn way(list: &str, index: usize, fields: &[&str]) -> Vec<Step> {
    let mut path = vec![Step::Field(list.to_owned()), Step::Item(index)];
    path.extend(fields.iter().map(|field| match field.parse() {
        Ok(index) => Step::Item(index),
        Err(_) => Step::Field((*field).to_owned()),
    }));
    path
}

/// A world under construction.
pub(super) struct Builder<'m> {
    pub model: &'m Model,
    pub parameters: &'m Parameters,
    /// Where the scene's file is, for those that it names.
    pub folder: Option<PathBuf>,
    pub world: World,
    /// By name; none for what could not be made.
    pub bodies: HashMap<String, Option<BodyId>>,
    pub joints: HashMap<String, Option<JointId>>,
    pub faults: Vec<Fault>,
    pub programs: HashMap<String, kempe2d::equation::Program>,
    /// How long they are together.
    pub program_bytes: usize,
    pub files: HashMap<PathBuf, Result<String, String>>,
}

/// What was built.
pub(super) struct Built {
    pub world: World,
    pub bodies: BTreeMap<String, BodyId>,
    pub joints: BTreeMap<String, JointId>,
    pub probes: Vec<probe::Reader>,
    pub traces: Vec<(BodyId, Vec2)>,
    pub expected: Vec<expect::Expected>,
    pub plan: Plan,
}

pub(super) fn point(point: Option<&Point>) -> Vec2 {
    point.map_or(Vec2::ZERO, Point::value)
}

impl Builder<'_> {
    pub(super) fn fault(&mut self, path: Vec<Step>, message: impl Into<String>) {
        self.hinted(path, message, None);
    }

    pub(super) fn hinted(
        &mut self,
        path: Vec<Step>,
        message: impl Into<String>,
        hint: Option<String>,
    ) {
        let message = message.into();
        self.faults.push(Fault { path, within: None, file: None, message, hint, related: None });
    }

    /// What is near to a name, as long as someone will read it.
    pub(super) fn near<'a>(
        &self,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Option<String> {
        if self.faults.len() > MOST_PROBLEMS { None } else { did_you_mean(name, known) }
    }

    /// What the engine refuses of an item; its field leads to the place.
    pub(super) fn refused(&mut self, mut path: Vec<Step>, error: &kempe2d::Error) {
        if let kempe2d::Error::Number { field, .. } = error {
            path.extend(field.split('.').map(|part| match part {
                "x" => Step::Item(0),
                "y" => Step::Item(1),
                part => Step::Field(part.to_owned()),
            }));
        }
        let field = match error {
            kempe2d::Error::SameBody | kempe2d::Error::BodyCount { .. } => Some("bodies"),
            kempe2d::Error::NoSuchAxis { .. } => Some("axes"),
            kempe2d::Error::Joint(_) => Some("parameters"),
            _ => None,
        };
        path.extend(field.map(|field| Step::Field(field.to_owned())));
        self.fault(path, error.to_string());
    }

    /// The body of a name, or a fault.
    pub(super) fn body(&mut self, name: &str, path: impl FnOnce() -> Vec<Step>) -> Option<BodyId> {
        match self.bodies.get(name) {
            Some(found) => *found,
            None => {
                let known = self.bodies.keys().map(String::as_str).chain([GROUND]);
                let hint = self.near(name, known);
                self.hinted(path(), format!("no body is called `{name}`"), hint);
                None
            }
        }
    }

    /// The joint of a name, or a fault.
    pub(super) fn joint(
        &mut self,
        name: &str,
        path: impl FnOnce() -> Vec<Step>,
    ) -> Option<JointId> {
        if let Some(found) = self.joints.get(name) {
            return *found;
        }
        let many = self.faults.len() > MOST_PROBLEMS;
        let mut named = self.model.joints.iter().filter_map(|joint| joint.name.as_deref());
        let hint = if many {
            None
        } else if named.any(|each| each == name) {
            Some("it stands further below; a coupling stands behind its joints".to_owned())
        } else {
            let own = self.model.joints.iter().filter_map(|joint| joint.name.as_deref());
            self.near(name, own)
        };
        self.hinted(path(), format!("no joint is called `{name}`"), hint);
        None
    }

    /// Builds everything; what is wrong is in `faults`.
    pub(super) fn run(mut self) -> (Option<Built>, Vec<Fault>) {
        let model = self.model;
        self.settings(model.settings.as_ref());
        self.all_bodies();
        let names = model.joints.iter().enumerate();
        self.unique("joints", names.map(|(k, joint)| (k, joint.name.as_deref())));
        for (index, joint) in model.joints.iter().enumerate() {
            let id = self.add_joint(index, joint);
            if let Some(name) = &joint.name {
                self.joints.insert(name.clone(), id);
            }
        }
        for (index, force) in model.forces.iter().enumerate() {
            self.force(index, force);
        }
        let probes = self.probes();
        let traces = model.traces.iter().enumerate().filter_map(|(index, trace)| {
            let body = self.body(&trace.body, || way("traces", index, &["body"]))?;
            Some((body, point(trace.point.as_ref())))
        });
        let traces = traces.collect();
        let expected = self.expectations();
        let plan = self.plan(model.run.as_ref());
        // The end may be computed in two ways.
        let latest = plan.duration * (1.0 + 1e-12);
        for (index, given) in model.expect.iter().enumerate() {
            if given.at.as_ref().is_some_and(|at| at.value() > latest) {
                let message = format!("the run ends before, at {} s", plan.duration);
                self.fault(way("expect", index, &["at"]), message);
            }
        }
        if !self.faults.is_empty() {
            return (None, self.faults);
        }
        let found = |(name, id): (String, Option<BodyId>)| id.map(|id| (name, id));
        let bodies = self.bodies.into_iter().filter_map(found).collect();
        let joints = self.joints.into_iter().filter_map(|(name, id)| id.map(|id| (name, id)));
        let joints = joints.collect();
        let world = self.world;
        let built = Built { world, bodies, joints, probes, traces, expected, plan };
        (Some(built), Vec::new())
    }

    fn settings(&mut self, given: Option<&Settings>) {
        let Some(given) = given else { return };
        let own = kempe2d::Settings::default();
        let number = |number: &Option<Number>, own: f64| number.as_ref().map_or(own, Number::value);
        let settings = kempe2d::Settings {
            gravity: given.gravity.as_ref().map_or(own.gravity, Point::value),
            substeps: given.substeps.unwrap_or(own.substeps),
            threads: given.threads.unwrap_or(own.threads),
            direct: match given.direct {
                Some(Direct::Always) => kempe2d::Direct::Always,
                Some(Direct::Never) => kempe2d::Direct::Never,
                Some(Direct::Auto) | None => kempe2d::Direct::Auto,
            },
            springs: match given.springs {
                Some(Springs::ImplicitEuler) => kempe2d::Springs::ImplicitEuler,
                Some(Springs::SecondOrder) | None => kempe2d::Springs::SecondOrder,
            },
            sleep: given.sleep.unwrap_or(own.sleep),
            sleep_speed: number(&given.sleep_speed, own.sleep_speed),
            sleep_turn: number(&given.sleep_turn, own.sleep_turn),
            sleep_time: number(&given.sleep_time, own.sleep_time),
            timing: given.timing.unwrap_or(own.timing),
        };
        if let Err(error) = self.world.set_settings(settings) {
            self.refused(vec![Step::Field("settings".to_owned())], &error);
        }
    }

    /// Tells of names that stand twice in a list.
    pub(super) fn unique<'a>(
        &mut self,
        list: &str,
        names: impl Iterator<Item = (usize, Option<&'a str>)>,
    ) {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (index, name) in names {
            let Some(name) = name else { continue };
            if name.trim().is_empty() || name.chars().any(char::is_control) {
                let message = "a name has at least one letter, and no control characters";
                self.fault(way(list, index, &["name"]), message);
            }
            if let Some(first) = seen.get(name) {
                let first = way(list, *first, &["name"]);
                self.fault(way(list, index, &["name"]), format!("`{name}` is a name twice"));
                if let Some(fault) = self.faults.last_mut() {
                    fault.related = Some((first, "first here".to_owned()));
                }
            } else {
                seen.insert(name, index);
            }
        }
    }

    /// A force is a joint with the ground that leaves everything, with motors on its axes: so both
    /// solvers see an expression of `time` inside their steps.
    fn force(&mut self, index: usize, force: &Force) {
        let body = self.body(&force.body, || way("forces", index, &["body"]));
        let (Some(body), Ok(ground)) = (body, self.world.ground()) else { return };
        let anchor_b = point(force.point.as_ref());
        let kind = JointKind::Generic { anchor_a: Vec2::ZERO, anchor_b, rail: Vec2::X, angle: 0.0 };
        let mut def = JointDef::new(kind, ground, body);
        def.collide_connected = true;
        let along = force.force.iter().flatten().enumerate();
        let all: Vec<(usize, &Target)> = along.chain(force.torque.iter().map(|t| (2, t))).collect();
        for (axis, target) in all {
            let field = if axis == 2 { "torque" } else { "force" };
            match super::axis::target(target) {
                Ok(force) => def.axis_mut(axis).motor = Some(Motor::Force { force }),
                Err(error) => self.fault(way("forces", index, &[field]), error.to_string()),
            }
        }
        match self.world.add_joint(&def) {
            Ok(id) => {
                if let Some(name) = &force.name {
                    if self.joints.contains_key(name) {
                        let path = way("forces", index, &["name"]);
                        self.fault(path, format!("a joint is called `{name}` already"));
                    }
                    self.joints.insert(name.clone(), Some(id));
                }
            }
            Err(error) => self.refused(way("forces", index, &[]), &error),
        }
    }

    fn plan(&mut self, run: Option<&Run>) -> Plan {
        let mut plan = Plan::default();
        let Some(run) = run else { return plan };
        let field = |name: &str| vec![Step::Field("run".to_owned()), Step::Field(name.to_owned())];
        for (name, given, to) in
            [("duration", &run.duration, &mut plan.duration), ("step", &run.step, &mut plan.step)]
        {
            let Some(number) = given else { continue };
            *to = number.value();
            if !(to.is_finite() && *to > 0.0) {
                self.fault(field(name), format!("`{name}` is {to}; it must be finite and above 0"));
            }
        }
        if plan.duration / plan.step > 1e12 {
            self.fault(field("step"), "there would be more than 10^12 steps");
        }
        plan.solver = run.solver.unwrap_or_default();
        if let Some(method) = &run.method {
            let all = [
                method.theta.as_ref().map(|k| Method::Theta { k: k.value() }),
                method
                    .generalized_alpha
                    .as_ref()
                    .map(|radius| Method::GeneralizedAlpha { radius: radius.value() }),
                method.rattle.map(|order| Method::Rattle { order }),
            ];
            let mut given = all.into_iter().flatten();
            match (given.next(), given.next()) {
                (Some(one), None) if method_is_sound(one) => plan.method = one,
                (Some(_), None) => {
                    let message = "theta is from 0.5 to 1, generalized_alpha from 0 to 1, and \
                                   rattle 2, 4 or 6";
                    self.fault(field("method"), message);
                }
                _ => {
                    let message = "a method is one of theta, generalized_alpha and rattle";
                    self.fault(field("method"), message);
                }
            }
            if plan.solver == Solver::RealTime {
                self.fault(field("method"), "only the reference solver has a method");
            }
        }
        plan
    }
}

fn method_is_sound(method: Method) -> bool {
    match method {
        Method::Theta { k } => (0.5..=1.0).contains(&k),
        Method::GeneralizedAlpha { radius } => (0.0..=1.0).contains(&radius),
        Method::Rattle { order } => [2, 4, 6].contains(&order),
    }
}

/// Names that are used, to give what has none one of its own.
pub(super) fn fresh(prefix: &str, index: usize, taken: &HashSet<String>) -> String {
    let mut name = format!("{prefix}_{index}");
    while taken.contains(&name) {
        name.push('_');
    }
    name
}
