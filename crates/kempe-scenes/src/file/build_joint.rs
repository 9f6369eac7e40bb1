//! Joints of a model in a world.

use super::axis::or;
use super::build::{Builder, point, way};
use super::joint::{Axis, Joint, Kind, Term};
use super::named::Bodies;
use super::number::{Number, Point};
use kempe2d::{BodyId, JointDef, JointId, JointKind, Vec2};

impl Kind {
    /// The fields that joints of the kind have beside those that all have.
    fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Weld | Self::Revolute => &["at", "anchor_a", "anchor_b", "angle"],
            Self::Prismatic | Self::Slot | Self::Generic => {
                &["at", "anchor_a", "anchor_b", "angle", "rail", "direction"]
            }
            Self::Drive => &["at", "anchor_a", "anchor_b", "angle", "rail", "direction", "pull"],
            Self::Distance => &["points", "anchor_a", "anchor_b"],
            Self::Angle => &["ratio", "angle"],
            Self::Pulley => &["points", "anchors", "ratio"],
            Self::Tendon => &["points", "anchors", "ratios"],
            Self::Path => &["anchor_b", "angle", "path", "follow", "from", "leave"],
            Self::Coupling => &["terms", "constant", "as_it_stands"],
            Self::Filter => &[],
            Self::Text => &["program", "file", "parameters"],
        }
    }

    /// As it is written.
    fn name(self) -> &'static str {
        match self {
            Self::Weld => "weld",
            Self::Revolute => "revolute",
            Self::Prismatic => "prismatic",
            Self::Slot => "slot",
            Self::Distance => "distance",
            Self::Angle => "angle",
            Self::Pulley => "pulley",
            Self::Generic => "generic",
            Self::Drive => "drive",
            Self::Tendon => "tendon",
            Self::Path => "path",
            Self::Coupling => "coupling",
            Self::Filter => "filter",
            Self::Text => "text",
        }
    }
}

impl Joint {
    /// The fields that only some kinds have, and whether they are there.
    fn given(&self) -> [(&'static str, bool); 20] {
        [
            ("at", self.at.is_some()),
            ("points", self.points.is_some()),
            ("anchor_a", self.anchor_a.is_some()),
            ("anchor_b", self.anchor_b.is_some()),
            ("anchors", self.anchors.is_some()),
            ("rail", self.rail.is_some()),
            ("direction", self.direction.is_some()),
            ("angle", self.angle.is_some()),
            ("ratio", self.ratio.is_some()),
            ("ratios", self.ratios.is_some()),
            ("pull", self.pull.is_some()),
            ("path", self.path.is_some()),
            ("follow", self.follow.is_some()),
            ("from", self.from.is_some()),
            ("leave", self.leave.is_some()),
            ("terms", self.terms.is_some()),
            ("constant", self.constant.is_some()),
            ("as_it_stands", self.as_it_stands.is_some()),
            ("program", self.program.is_some() || self.file.is_some()),
            ("parameters", self.parameters.is_some()),
        ]
    }
}

/// A joint that could not be made; why is among the faults.
pub(super) struct Told;

impl Builder<'_> {
    pub(super) fn add_joint(&mut self, index: usize, joint: &Joint) -> Option<JointId> {
        let before = self.faults.len();
        let allowed = joint.kind.fields();
        for (field, _) in
            joint.given().iter().filter(|(field, there)| *there && !allowed.contains(field))
        {
            let message = format!("a {} joint has no `{field}`", joint.kind.name());
            let hint = (!allowed.is_empty()).then(|| format!("it can have {}", allowed.join(", ")));
            let place = if *field == "program" && joint.program.is_none() { "file" } else { field };
            self.hinted(way("joints", index, &[place]), message, hint);
        }
        let def = self.joint_def(index, joint);
        let (Ok(def), true) = (def, self.faults.len() == before) else { return None };
        match self.world.add_joint(&def) {
            Ok(id) => Some(id),
            Err(error) => {
                self.refused(way("joints", index, &[]), &error);
                None
            }
        }
    }

    fn joint_def(&mut self, index: usize, joint: &Joint) -> Result<JointDef, Told> {
        let axes = self.axes(index, joint);
        let mut def = match joint.kind {
            Kind::Text => self.text(index, joint)?,
            Kind::Coupling => self.coupling(index, joint)?,
            _ => {
                let bodies = self.bodies_of(index, joint);
                let bodies = bodies?;
                let kind = self.kind(index, joint, &bodies)?;
                JointDef::over(kind, bodies)
            }
        };
        let axes = axes?;
        let silent = joint.kind == Kind::Coupling && joint.axes.is_none() && axes.is_empty();
        def.axes = if silent { vec![kempe2d::Axis::held(0.0)] } else { axes };
        if let Some(softness) = &joint.softness {
            def.softness = softness.softness().map_err(|message| {
                self.fault(way("joints", index, &["softness"]), message);
                Told
            })?;
        }
        def.max_force = or(joint.max_force.as_ref(), f64::INFINITY);
        def.max_torque = or(joint.max_torque.as_ref(), f64::INFINITY);
        def.breaking = joint.breaking.as_ref().map(|breaking| breaking.build());
        def.threshold = joint.threshold.as_ref().map(Number::value);
        def.collide_connected = joint.collide_connected.unwrap_or(false);
        def.warm_start = joint.warm_start.unwrap_or(true);
        def.enabled = joint.enabled.unwrap_or(true);
        def.user_data = joint.user_data.unwrap_or(0);
        if joint.as_it_stands == Some(true) {
            def = self.world.as_it_stands(&def).map_err(|error| {
                self.refused(way("joints", index, &[]), &error);
                Told
            })?;
        }
        Ok(def)
    }

    fn axes(&mut self, index: usize, joint: &Joint) -> Result<Vec<kempe2d::Axis>, Told> {
        let first = Axis::first(joint);
        let direct = first != Axis::default();
        let (given, fields): (&[Axis], _) = match &joint.axes {
            Some(_) if direct => {
                let message =
                    "what is on the first axis stands in `axes` or on the joint, not both";
                self.fault(way("joints", index, &["axes"]), message);
                return Err(Told);
            }
            Some(axes) => (axes, true),
            None if direct => (std::slice::from_ref(&first), false),
            None => (&[], false),
        };
        let mut built = Vec::with_capacity(given.len());
        let mut sound = true;
        for (number, axis) in given.iter().enumerate() {
            let number = number.to_string();
            let to = |field| if fields { vec!["axes", &number, field] } else { vec![field] };
            match axis.build() {
                Ok(axis) => built.push(axis),
                Err(wrong) => {
                    sound = false;
                    for (field, message) in wrong {
                        self.fault(way("joints", index, &to(field)), message);
                    }
                }
            }
        }
        if sound { Ok(built) } else { Err(Told) }
    }

    /// The bodies of a joint that has them in a row.
    fn bodies_of(&mut self, index: usize, joint: &Joint) -> Result<Vec<BodyId>, Told> {
        let names = match &joint.bodies {
            Some(Bodies::List(names)) => names,
            Some(Bodies::Bound(_)) => {
                let message = "only a program's bodies have names; give a list";
                self.fault(way("joints", index, &["bodies"]), message);
                return Err(Told);
            }
            None => {
                self.fault(way("joints", index, &[]), "`bodies` is missing");
                return Err(Told);
            }
        };
        let wanted = match joint.kind {
            Kind::Pulley => 4,
            Kind::Tendon => names.len().max(2),
            _ => 2,
        };
        let mut found = Vec::with_capacity(names.len());
        for (place, name) in names.iter().enumerate() {
            let place = place.to_string();
            found.push(self.body(name, || way("joints", index, &["bodies", &place])));
        }
        if names.len() != wanted {
            let message = format!("the joint has {wanted} bodies; {} were given", names.len());
            self.fault(way("joints", index, &["bodies"]), message);
            return Err(Told);
        }
        found.into_iter().collect::<Option<Vec<_>>>().ok_or(Told)
    }

    fn kind(&mut self, index: usize, joint: &Joint, bodies: &[BodyId]) -> Result<JointKind, Told> {
        let path = |field: &str| way("joints", index, &[field]);
        let angle = |own: f64| or(joint.angle.as_ref(), own);
        Ok(match joint.kind {
            Kind::Weld => {
                let (anchor_a, anchor_b, own) = self.anchors(index, joint, bodies)?;
                JointKind::Weld { anchor_a, anchor_b, angle: angle(own) }
            }
            Kind::Revolute => {
                let (anchor_a, anchor_b, own) = self.anchors(index, joint, bodies)?;
                JointKind::Revolute { anchor_a, anchor_b, angle: angle(own) }
            }
            Kind::Prismatic | Kind::Slot | Kind::Generic | Kind::Drive => {
                let (anchor_a, anchor_b, own) = self.anchors(index, joint, bodies)?;
                let (angle, rail) = (angle(own), self.rail(index, joint, bodies)?);
                match joint.kind {
                    Kind::Prismatic => JointKind::Prismatic { anchor_a, anchor_b, rail, angle },
                    Kind::Slot => JointKind::Slot { anchor_a, anchor_b, rail, angle },
                    Kind::Generic => JointKind::Generic { anchor_a, anchor_b, rail, angle },
                    _ => {
                        let pull = joint.pull.clone().unwrap_or_default().build();
                        let pull = pull.map_err(|message| {
                            self.fault(path("pull"), message);
                            Told
                        })?;
                        JointKind::Drive { anchor_a, anchor_b, rail, angle, pull }
                    }
                }
            }
            Kind::Distance => {
                let ends = match &joint.points {
                    Some(_) if joint.anchor_a.is_some() || joint.anchor_b.is_some() => {
                        self.fault(path("points"), "there are `points` or anchors, not both");
                        return Err(Told);
                    }
                    Some(points) => self.local(index, points, bodies)?,
                    None => vec![point(joint.anchor_a.as_ref()), point(joint.anchor_b.as_ref())],
                };
                JointKind::Distance { anchor_a: ends[0], anchor_b: ends[1] }
            }
            Kind::Angle => {
                JointKind::Angle { ratio: or(joint.ratio.as_ref(), 1.0), angle: angle(0.0) }
            }
            Kind::Pulley => {
                let ends = self.ends(index, joint, bodies)?;
                let ratio = or(joint.ratio.as_ref(), 1.0);
                JointKind::Pulley { anchors: [ends[0], ends[1], ends[2], ends[3]], ratio }
            }
            Kind::Tendon => {
                let anchors = self.ends(index, joint, bodies)?;
                let ratios = match &joint.ratios {
                    Some(ratios) => ratios.iter().map(Number::value).collect(),
                    None => vec![1.0; anchors.len().saturating_sub(1)],
                };
                JointKind::Tendon { anchors, ratios }
            }
            Kind::Path => self.path(index, joint)?,
            Kind::Filter | Kind::Coupling | Kind::Text => JointKind::Filter,
        })
    }

    /// The anchors of a joint between two bodies, and how B stands against A.
    fn anchors(
        &mut self,
        index: usize,
        joint: &Joint,
        bodies: &[BodyId],
    ) -> Result<(Vec2, Vec2, f64), Told> {
        let Some(at) = &joint.at else {
            return Ok((point(joint.anchor_a.as_ref()), point(joint.anchor_b.as_ref()), 0.0));
        };
        if joint.anchor_a.is_some() || joint.anchor_b.is_some() {
            self.fault(way("joints", index, &["at"]), "there is `at` or anchors, not both");
            return Err(Told);
        }
        let met = self.world.revolute_at(bodies[0], bodies[1], at.value());
        match met.map(|def| def.kind) {
            Ok(JointKind::Revolute { anchor_a, anchor_b, angle }) => {
                Ok((anchor_a, anchor_b, angle))
            }
            Ok(_) => Err(Told),
            Err(error) => {
                self.fault(way("joints", index, &["at"]), error.to_string());
                Err(Told)
            }
        }
    }

    fn rail(&mut self, index: usize, joint: &Joint, bodies: &[BodyId]) -> Result<Vec2, Told> {
        match (&joint.rail, &joint.direction) {
            (Some(_), Some(_)) => {
                let message = "there is `rail` or `direction`, not both";
                self.fault(way("joints", index, &["direction"]), message);
                Err(Told)
            }
            (None, Some(direction)) => {
                let body = self.world.body(bodies[0]).ok_or(Told)?;
                let from = body.local_point(body.center());
                Ok(body.local_point(body.center() + direction.value()) - from)
            }
            (rail, None) => Ok(rail.as_ref().map_or(Vec2::X, Point::value)),
        }
    }

    /// Points of the world in the axes of bodies.
    fn local(
        &mut self,
        index: usize,
        points: &[Point],
        bodies: &[BodyId],
    ) -> Result<Vec<Vec2>, Told> {
        self.count(index, "points", points.len(), bodies.len())?;
        let each = points
            .iter()
            .zip(bodies)
            .map(|(point, id)| self.world.body(*id).map(|body| body.local_point(point.value())));
        each.collect::<Option<Vec<Vec2>>>().ok_or(Told)
    }

    fn count(
        &mut self,
        index: usize,
        field: &str,
        given: usize,
        wanted: usize,
    ) -> Result<(), Told> {
        if given == wanted {
            return Ok(());
        }
        let message = format!("there is a point for each body: {wanted}, not {given}");
        self.fault(way("joints", index, &[field]), message);
        Err(Told)
    }

    /// The anchors of a pulley or a tendon.
    fn ends(&mut self, index: usize, joint: &Joint, bodies: &[BodyId]) -> Result<Vec<Vec2>, Told> {
        match (&joint.anchors, &joint.points) {
            (Some(anchors), None) => {
                self.count(index, "anchors", anchors.len(), bodies.len())?;
                Ok(anchors.iter().map(Point::value).collect())
            }
            (None, Some(points)) => self.local(index, points, bodies),
            _ => {
                let message = "the joint needs `anchors` or `points`, one of them";
                self.fault(way("joints", index, &[]), message);
                Err(Told)
            }
        }
    }

    fn path(&mut self, index: usize, joint: &Joint) -> Result<JointKind, Told> {
        let Some(path) = &joint.path else {
            self.fault(way("joints", index, &[]), "`path` is missing");
            return Err(Told);
        };
        let points: Vec<Vec2> = path.points.iter().map(Point::value).collect();
        let closed = path.closed.unwrap_or(false);
        let made = match path.smooth {
            Some(true) => kempe2d::Path::spline(&points, closed),
            _ => kempe2d::Path::polyline(&points, closed),
        };
        let path = made.map_err(|error| {
            self.refused(way("joints", index, &["path"]), &error);
            Told
        })?;
        Ok(JointKind::Path {
            path,
            anchor: point(joint.anchor_b.as_ref()),
            angle: or(joint.angle.as_ref(), 0.0),
            follow: joint.follow.unwrap_or(false),
            from: joint.from.as_ref().map(Number::value),
            leave: joint.leave.unwrap_or(false),
        })
    }

    fn coupling(&mut self, index: usize, joint: &Joint) -> Result<JointDef, Told> {
        if joint.bodies.is_some() {
            let message = "a coupling has the bodies of its joints";
            self.fault(way("joints", index, &["bodies"]), message);
        }
        let Some(given) = &joint.terms else {
            self.fault(way("joints", index, &[]), "`terms` is missing");
            return Err(Told);
        };
        let mut terms = Vec::with_capacity(given.len());
        for (place, term) in given.iter().enumerate() {
            let number = place.to_string();
            let way_to = |field: &str| way("joints", index, &["terms", &number, field]);
            let other = self.joint(&term.joint, || way_to("joint"));
            match curve(term) {
                Ok(curve) => {
                    let axis = term.axis.unwrap_or(0);
                    terms.push(other.map(|joint| kempe2d::Term { joint, axis, curve }));
                }
                Err((field, message)) => {
                    self.fault(way_to(field), message);
                    terms.push(None);
                }
            }
        }
        let terms = terms.into_iter().collect::<Option<Vec<_>>>().ok_or(Told)?;
        let constant = or(joint.constant.as_ref(), 0.0);
        Ok(JointDef::over(JointKind::Coupling { terms, constant }, Vec::new()))
    }
}

/// How a coordinate counts, or what is wrong with it.
fn curve(term: &Term) -> Result<kempe2d::Curve, (&'static str, String)> {
    match (&term.ratio, &term.polynomial, &term.curve) {
        (ratio, None, None) => Ok(kempe2d::Curve::linear(or(ratio.as_ref(), 1.0))),
        (None, Some(given), None) => {
            let mut coefficients = [0.0; 5];
            if given.len() > coefficients.len() {
                return Err(("polynomial", "a polynomial has at most 5 coefficients".to_owned()));
            }
            for (to, from) in coefficients.iter_mut().zip(given) {
                *to = from.value();
            }
            Ok(kempe2d::Curve::polynomial(coefficients))
        }
        (None, None, Some(curve)) => {
            kempe2d::Curve::text(&curve.0.complete).map_err(|error| ("curve", error.to_string()))
        }
        _ => Err(("curve", "a term has `ratio`, `polynomial` or `curve`, one of them".to_owned())),
    }
}
