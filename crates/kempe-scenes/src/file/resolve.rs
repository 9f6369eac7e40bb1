//! Probes and expectations of a model, found in its world.

use super::build::{Builder, Fault, Step, point, way};
use super::evaluate::Combined;
use super::expect::{Check, Expectation, Expected};
use super::number::Number;
use super::probe::{Probe, Quantity, Reader, What};

/// Probes, and expectations, that a scene may have.
const MOST_MEASURES: usize = 10_000;

impl What {
    fn of_body(self) -> bool {
        matches!(
            self,
            Self::X
                | Self::Y
                | Self::Angle
                | Self::Vx
                | Self::Vy
                | Self::Speed
                | Self::AngularVelocity
                | Self::Kinetic
        )
    }

    fn of_joint(self) -> bool {
        matches!(
            self,
            Self::Coordinate
                | Self::Speed
                | Self::Separation
                | Self::Force
                | Self::ForceX
                | Self::ForceY
                | Self::Torque
                | Self::AxisForce
                | Self::Power
        )
    }

    fn of_world(self) -> bool {
        matches!(
            self,
            Self::Energy | Self::Mechanical | Self::Kinetic | Self::Potential | Self::Separation
        )
    }
}

impl Builder<'_> {
    pub(super) fn probes(&mut self) -> Vec<Reader> {
        let model = self.model;
        let names = model.probes.iter().enumerate();
        self.unique("probes", names.map(|(k, probe)| (k, Some(probe.name.as_str()))));
        if model.probes.len() > MOST_MEASURES {
            let message = format!("there are more than {MOST_MEASURES} probes");
            self.fault(vec![Step::Field("probes".to_owned())], message);
            return Vec::new();
        }
        let mut readers = Vec::with_capacity(model.probes.len());
        for (index, probe) in model.probes.iter().enumerate() {
            // One that could not be made keeps its place.
            let quantity = self.quantity(index, probe).unwrap_or(Quantity::World(What::X));
            readers.push(Reader { name: probe.name.clone(), quantity });
        }
        readers
    }

    fn quantity(&mut self, index: usize, probe: &Probe) -> Option<Quantity> {
        let to = |field: &str| way("probes", index, &[field]);
        if let Some(expression) = &probe.expression {
            let bare = Probe {
                name: probe.name.clone(),
                expression: Some(expression.clone()),
                ..Probe::default()
            };
            if *probe != bare {
                self.fault(to("expression"), "an expression stands by itself");
                return None;
            }
            let before: Vec<&str> =
                self.model.probes[..index].iter().map(|probe| probe.name.as_str()).collect();
            return match Combined::new(expression, self.parameters, &before) {
                Ok(combined) => Some(Quantity::Expression(combined)),
                Err(mistakes) => {
                    self.faults.extend(mistakes.into_iter().map(|mistake| Fault {
                        path: to("expression"),
                        within: Some(mistake.span),
                        file: None,
                        message: mistake.message,
                        hint: mistake.hint,
                        related: None,
                    }));
                    None
                }
            };
        }
        let Some(what) = probe.what else {
            self.fault(way("probes", index, &[]), "`what` is missing, or an `expression`");
            return None;
        };
        let place = match (&probe.body, &probe.joint) {
            (Some(_), Some(_)) => {
                self.fault(to("joint"), "a probe is of a body or of a joint, not both");
                return None;
            }
            (Some(name), None) => {
                let body = self.body(name, || to("body"));
                (
                    what.of_body(),
                    "a body",
                    body.map(|body| {
                        let own = self
                            .world
                            .body(body)
                            .map_or(kempe2d::Vec2::ZERO, |body| body.mass_properties().center);
                        let origin = kempe2d::Vec2::ZERO;
                        let absent = if what == What::Kinetic { own } else { origin };
                        let given = probe.point.as_ref();
                        let point = given.map_or(absent, |given| point(Some(given)));
                        Quantity::Body { body, point, what }
                    }),
                )
            }
            (None, Some(name)) => {
                let joint = self.joint(name, || to("joint"));
                let axis = probe.axis.unwrap_or(0);
                let axes = joint.and_then(|id| self.world.joint(id));
                let axes = axes.map_or(usize::MAX, |joint| joint.kind().axis_count());
                let on_axis = matches!(what, What::Coordinate | What::Speed | What::AxisForce);
                if (on_axis || probe.axis.is_some()) && axis >= axes {
                    let message =
                        format!("the joint leaves {axes} axes; there is none of number {axis}");
                    self.fault(to(if probe.axis.is_some() { "axis" } else { "what" }), message);
                }
                let found = joint.map(|joint| Quantity::Joint { joint, axis, what });
                (what.of_joint(), "a joint", found)
            }
            (None, None) => (what.of_world(), "the world", Some(Quantity::World(what))),
        };
        let (fits, of, quantity) = place;
        if !fits {
            let hint = match (what.of_body(), what.of_joint()) {
                (true, _) => Some("give the `body`".to_owned()),
                (_, true) => Some("give the `joint`".to_owned()),
                _ => None,
            };
            self.hinted(to("what"), format!("this cannot be measured of {of}"), hint);
            return None;
        }
        if probe.point.is_some() && probe.body.is_none() {
            self.fault(to("point"), "only a body has points");
        }
        if probe.axis.is_some() && probe.joint.is_none() {
            self.fault(to("axis"), "only a joint has axes");
        }
        quantity
    }

    pub(super) fn expectations(&mut self) -> Vec<Expected> {
        let model = self.model;
        if model.expect.len() > MOST_MEASURES {
            let message = format!("there are more than {MOST_MEASURES} expectations");
            self.fault(vec![Step::Field("expect".to_owned())], message);
            return Vec::new();
        }
        let mut list = Vec::with_capacity(model.expect.len());
        for (index, expectation) in model.expect.iter().enumerate() {
            let before = self.faults.len();
            let checks = self.checks(index, expectation);
            if checks.is_empty() && self.faults.len() == before {
                let message = "this says nothing that must hold";
                let hint = "there are `is`, `min`, `max`, `drift`, `separation` and `breaks`";
                self.hinted(way("expect", index, &[]), message, Some(hint.to_owned()));
            }
            let solver = expectation.solver;
            list.extend(checks.into_iter().map(|(text, check)| Expected { text, check, solver }));
        }
        list
    }

    /// The probe of a name among all.
    fn probe(&mut self, index: usize, name: &str) -> Option<usize> {
        let mut names = self.model.probes.iter().map(|probe| probe.name.as_str());
        let found = names.position(|each| each == name);
        if found.is_none() {
            let names = self.model.probes.iter().map(|probe| probe.name.as_str());
            let hint = self.near(name, names);
            let path = way("expect", index, &["probe"]);
            self.hinted(path, format!("no probe is called `{name}`"), hint);
        }
        found
    }

    fn checks(&mut self, index: usize, given: &Expectation) -> Vec<(String, Check)> {
        let to = |field: &str| way("expect", index, &[field]);
        let value = |number: &Option<Number>| number.as_ref().map(Number::value);
        let mut checks = Vec::new();
        let missing = |field: &str, needed: &str| format!("`{field}` needs a `{needed}`");
        let of_probe = [
            ("is", given.is.is_some()),
            ("min", given.min.is_some()),
            ("max", given.max.is_some()),
            ("drift", given.drift.is_some()),
        ];
        if let (None, Some((field, _))) = (&given.probe, of_probe.iter().find(|(_, there)| *there))
        {
            self.fault(to(field), missing(field, "probe"));
        }
        for (field, there) in [("at", given.at.is_some()), ("within", given.within.is_some())] {
            if there && given.is.is_none() {
                self.fault(to(field), missing(field, "is"));
            }
        }
        if given.breaks.is_some() && given.joint.is_none() {
            self.fault(to("breaks"), missing("breaks", "joint"));
        }
        for (field, number) in [
            ("at", &given.at),
            ("within", &given.within),
            ("drift", &given.drift),
            ("separation", &given.separation),
        ] {
            if value(number).is_some_and(|value| value < 0.0) {
                self.fault(to(field), format!("`{field}` is negative"));
            }
        }
        if let Some(name) = &given.probe {
            let Some(probe) = self.probe(index, name) else { return checks };
            if let Some(is) = value(&given.is) {
                let (at, within) = (value(&given.at), value(&given.within).unwrap_or(0.0));
                let when = at.map_or("at the end".to_owned(), |at| format!("at {at} s"));
                let text = format!("{name} is {is} ± {within} {when}");
                checks.push((text, Check::Value { probe, at, is, within }));
            }
            if given.min.is_some() || given.max.is_some() {
                let min = value(&given.min).unwrap_or(f64::NEG_INFINITY);
                let max = value(&given.max).unwrap_or(f64::INFINITY);
                if min > max {
                    self.fault(to("min"), "`min` is above `max`");
                }
                let text = format!("{name} stays from {min} to {max}");
                checks.push((text, Check::Range { probe, min, max }));
            }
            if let Some(most) = value(&given.drift) {
                let text = format!("{name} stays within {most} of what it is at the start");
                checks.push((text, Check::Drift { probe, most }));
            }
        }
        let joint = match &given.joint {
            Some(name) => match self.joint(name, || to("joint")) {
                Some(joint) => Some(joint),
                None => return checks,
            },
            None => None,
        };
        let named = given.joint.as_deref().unwrap_or("every joint");
        if let Some(most) = value(&given.separation) {
            let text = format!("{named} is never open by more than {most}");
            checks.push((text, Check::Separation { joint, most }));
        }
        if let (Some(must), Some(joint)) = (given.breaks, joint) {
            let text =
                if must { format!("{named} breaks") } else { format!("{named} does not break") };
            checks.push((text, Check::Breaks { joint, must }));
        }
        checks
    }
}

/// A way in words, for models that come from no file.
pub(super) fn words(path: &[Step]) -> String {
    let each = path.iter().map(|step| match step {
        Step::Field(name) => name.clone(),
        Step::Item(index) => index.to_string(),
    });
    each.collect::<Vec<String>>().join(".")
}
