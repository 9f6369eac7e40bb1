//! What the type says of itself as a joint: `impl Constraint`.

use super::Plan;
use super::code::{Code, Scope, leaves, write as expressions};
use super::file::{File, list, push_lines};
use super::names::snake_case;
use crate::graph::{Leaf, NodeId};
use crate::types::Type;
use std::fmt::Write;

impl File<'_> {
    pub(super) fn constraint(&mut self) {
        let Plan { hold, velocity, axes, .. } = self.plan;
        let name = snake_case(self.type_name);
        let bodies = self.program.bodies().len();
        let _ = write!(
            self.text,
            "impl Constraint for {} {{\n    \
             fn name(&self) -> &str {{\n        {name:?}\n    }}\n\n    \
             fn counts(&self) -> Counts {{\n        \
             Counts {{ bodies: {bodies}, hold: {}, velocity: {}, axes: {} }}\n    }}\n\n",
            self.type_name,
            hold.len(),
            velocity.len(),
            axes.len()
        );
        self.equations();
        if !velocity.is_empty() {
            self.velocity_equations();
        }
        if !self.sheet.fields.is_empty() || !self.plan.checks.is_empty() {
            self.validate();
        }
        if self.memories() > 0 || self.driven() {
            self.prepare();
        }
        if !self.is_empty() {
            self.numbers();
        }
        self.text += "}\n";
    }

    /// The lines that name bodies, velocities and driven parameters.
    fn prelude(&self, roots: &[NodeId], scope: Scope) -> Vec<String> {
        let leaves = leaves(self.sheet.graph, roots);
        let mut lines = Vec::new();
        for (slot, body) in self.sheet.bodies.iter().enumerate() {
            let own = [Leaf::Position(slot as u8), Leaf::Rotation(slot as u8)];
            if own.iter().any(|leaf| leaves.contains(leaf)) {
                lines.push(format!("let {body} = &bodies[{slot}];"));
            }
        }
        for (slot, [linear, angular]) in self.sheet.velocities.iter().enumerate() {
            if leaves.contains(&Leaf::Velocity(slot as u8)) {
                let parts = format!("velocities[{slot}][0], velocities[{slot}][1]");
                lines.push(format!("let {linear} = Vec2::new({parts});"));
            }
            if leaves.contains(&Leaf::AngularVelocity(slot as u8)) {
                lines.push(format!("let {angular} = velocities[{slot}][2];"));
            }
        }
        if scope == Scope::Generic && self.reads_driven(&leaves) {
            let name = |(index, _): &(usize, Vec<NodeId>)| {
                let read = leaves.iter().any(|leaf| is_parameter(*leaf, *index));
                if read { self.driven_name(*index) } else { "_" }
            };
            let names: Vec<&str> = self.plan.rates.iter().map(name).collect();
            let names = match names[..] {
                [one] => one.to_owned(),
                _ => format!("({})", names.join(", ")),
            };
            lines.push(format!("let {names} = self.driven(time);"));
        }
        lines
    }

    fn reads_driven(&self, leaves: &[Leaf]) -> bool {
        let read = |index: usize| leaves.iter().any(|leaf| is_parameter(*leaf, index));
        self.plan.rates.iter().any(|each| read(each.0))
    }

    /// "bodies" if they are used and "_bodies" if not, and the same for time.
    fn arguments(&self, roots: &[NodeId], scope: Scope) -> [&'static str; 2] {
        let leaves = leaves(self.sheet.graph, roots);
        let body = |leaf: &Leaf| matches!(leaf, Leaf::Position(_) | Leaf::Rotation(_));
        let driven = scope == Scope::Generic && self.reads_driven(&leaves);
        [
            if leaves.iter().any(body) { "bodies" } else { "_bodies" },
            if driven || leaves.contains(&Leaf::Time) { "time" } else { "_time" },
        ]
    }

    fn body_of_equations(&self, roots: &[NodeId]) -> String {
        let mut text = String::new();
        push_lines(&mut text, &self.prelude(roots, Scope::Generic));
        let Code { lines, expressions } = expressions(self.sheet, roots, Scope::Generic);
        push_lines(&mut text, &lines);
        let out = |(row, value): (usize, &String)| format!("out[{row}] = {value};");
        push_lines(&mut text, &expressions.iter().enumerate().map(out).collect::<Vec<_>>());
        text
    }

    fn equations(&mut self) {
        let roots = self.plan.equations();
        let [bodies, time] = self.arguments(&roots, Scope::Generic);
        let out = if roots.is_empty() { "_out" } else { "out" };
        let head = "    fn equations<S: Real>(&self";
        let head = format!("{head}, {bodies}: &[Pose<S>], {time}: S, {out}: &mut [S]) {{");
        let body = self.body_of_equations(&roots);
        self.text += &head;
        self.text += &if body.is_empty() { "}\n".to_owned() } else { format!("\n{body}    }}\n") };
    }

    fn velocity_equations(&mut self) {
        let roots = &self.plan.velocity;
        let [bodies, time] = self.arguments(roots, Scope::Generic);
        let body = self.body_of_equations(roots);
        let _ = write!(
            self.text,
            "\n    fn velocity_equations<S: Real>(\n        &self,\n        \
             {bodies}: &[Pose<S>],\n        velocities: &[[S; 3]],\n        \
             {time}: S,\n        out: &mut [S],\n    ) {{\n{body}    }}\n"
        );
    }

    fn validate(&mut self) {
        let roots: Vec<NodeId> = self.plan.checks.iter().flat_map(|each| each.1).collect();
        let Code { lines, expressions } =
            expressions(self.sheet, &roots, Scope::Plain { time: "time" });
        self.text += "\n    fn validate(&self) -> Result<(), String> {\n";
        if !self.sheet.fields.is_empty() {
            self.text += "        if self.parameters().iter().any(|number| number.is_nan()) {\n";
            self.text += "            return Err(\"a parameter is not a number\".to_owned());\n";
            self.text += "        }\n";
        }
        push_lines(&mut self.text, &lines);
        for ((limit, _), numbers) in self.plan.checks.iter().zip(expressions.chunks_exact(3)) {
            let mut items = vec![format!("{limit:?}")];
            items.extend_from_slice(numbers);
            self.text += &list(8, "check(", &items, ")?;", "");
        }
        self.text += "        Ok(())\n    }\n";
    }

    fn prepare(&mut self) {
        let scope = Scope::Plain { time: "time" };
        let [bodies, mut time] = self.arguments(&self.plan.memories, scope);
        if self.driven() {
            time = "time";
        }
        let mut text = format!("\n    fn prepare(&mut self, {bodies}: &[Pose], {time}: f64) {{\n");
        if self.driven() {
            let fields: Vec<String> = (self.plan.rates.iter())
                .map(|each| format!("self.{}", self.sheet.fields[each.0]))
                .collect();
            let fields = match &fields[..] {
                [one] => one.clone(),
                _ => format!("({})", fields.join(", ")),
            };
            let _ = writeln!(text, "        {fields} = self.driven(time);");
            text += "        self.since = Some(time);\n";
        }
        push_lines(&mut text, &self.prelude(&self.plan.memories, scope));
        let Code { lines, expressions } = expressions(self.sheet, &self.plan.memories, scope);
        push_lines(&mut text, &lines);
        for (k, vector) in expressions.into_iter().enumerate() {
            let items = [vector, format!("&mut self.remembered[{k}]")];
            text += &list(8, "remember(", &items, ");", "");
        }
        self.text += &text;
        self.text += "    }\n";
    }

    /// The function `parameters`.
    fn numbers(&mut self) {
        let mut items = Vec::new();
        for (parameter, field) in self.parameters() {
            match parameter.kind {
                Type::Scalar => items.push(format!("self.{field}")),
                Type::Vector => items.extend(["x", "y"].map(|k| format!("self.{field}.{k}"))),
                Type::Matrix => {
                    let entry = |k: usize| format!("self.{field}[{}][{}]", k / 2, k % 2);
                    items.extend((0..4).map(entry));
                }
            }
        }
        for k in 0..self.memories() {
            items.extend(["x", "y"].map(|part| format!("self.remembered[{k}].{part}")));
        }
        self.text += "\n    fn parameters(&self) -> Vec<f64> {\n";
        if self.driven() {
            self.text += &list(8, "let mut numbers = vec![", &items, "];", "");
            self.text += "        numbers.extend(self.since);\n        numbers\n";
        } else {
            self.text += &list(8, "vec![", &items, "]", "");
        }
        self.text += "    }\n";
    }
}

fn is_parameter(leaf: Leaf, parameter: usize) -> bool {
    matches!(leaf, Leaf::Parameter(index, _) if usize::from(index) == parameter)
}
