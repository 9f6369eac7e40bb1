//! The functions of the type itself: its joint, and what moves by itself.

use super::code::{Code, Scope, leaves, write as expressions};
use super::file::{File, inner, list, push_lines, quoted};
use crate::graph::{Leaf, NodeId};
use crate::types::Type;
use std::fmt::Write;

impl File<'_> {
    pub(super) fn own_functions(&mut self) {
        self.text += "#[allow(dead_code, reason = \"not everybody needs all of them\")]\n";
        let _ = writeln!(self.text, "impl {} {{", self.type_name);
        self.joint();
        self.constructor();
        self.driven_function();
        self.text += "}\n\n";
    }

    fn joint(&mut self) {
        let limited: Vec<(usize, [NodeId; 2])> = (self.plan.axes.iter().enumerate())
            .filter_map(|(k, axis)| axis.limit.map(|limit| (k, limit)))
            .collect();
        let with = if limited.is_empty() { "" } else { ", with the limits of the program" };
        let bodies = quoted(self.program.bodies());
        let mut text = format!("    /// A joint over the bodies {bodies}{with}.\n");
        text += "    pub fn joint(self, bodies: &[BodyId]) -> JointDef {\n";
        if limited.is_empty() {
            text += "        UserJoint::new(self).joint(bodies)\n    }\n";
            self.text += &text;
            return;
        }
        let roots: Vec<NodeId> = limited.iter().flat_map(|each| each.1).collect();
        let Code { lines, expressions } =
            expressions(self.sheet, &roots, Scope::Plain { time: "time" });
        push_lines(&mut text, &lines);
        let mut set = String::new();
        for ((k, _), ends) in limited.iter().zip(expressions.chunks_exact(2)) {
            let name = &self.sheet.limits[*k];
            text += &list(8, &format!("let {name} = Limit::new("), ends, ");", "");
            let _ = writeln!(set, "        joint.axis_mut({k}).limit = Some({name});");
        }
        text += "        let mut joint = UserJoint::new(self).joint(bodies);\n";
        text += &set;
        text += "        joint\n    }\n";
        self.text += &text;
    }

    fn constructor(&mut self) {
        let mut text = "\n    /// From what `parameters` gives, for a registry.\n".to_owned();
        text += "    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {\n";
        if self.is_empty() {
            text += "        numbers.is_empty().then_some(Self)\n    }\n";
            self.text += &text;
            return;
        }
        let vector = "Vec2::new(next()?, next()?)";
        let mut fields = Vec::new();
        for (parameter, field) in self.parameters() {
            let value = match parameter.kind {
                Type::Scalar => "next()?",
                Type::Vector => vector,
                Type::Matrix => "[[next()?, next()?], [next()?, next()?]]",
            };
            fields.push(format!("{field}: {value}"));
        }
        if self.memories() > 0 {
            let each = vec![vector.to_owned(); self.memories()];
            fields.push(inner(12, "remembered: [", &each, "]"));
        }
        if self.driven() {
            fields.push("since: next()".to_owned());
        }
        text += "        let mut numbers = numbers.iter().copied();\n";
        text += "        let mut next = || numbers.next();\n";
        text += &list(8, "let made = Self {", &fields, "};", " ");
        text += "        next().is_none().then_some(made)\n    }\n";
        self.text += &text;
    }

    /// The function that moves the driven parameters on, by Euler's method as an instance does.
    fn driven_function(&mut self) {
        if !self.driven() {
            return;
        }
        let rates = &self.plan.rates;
        let roots: Vec<NodeId> = rates.iter().flat_map(|each| each.1.iter().copied()).collect();
        let Code { lines, expressions } =
            expressions(self.sheet, &roots, Scope::Plain { time: "since" });
        let mut values = expressions.into_iter();
        let depth = if rates.len() == 1 { 8 } else { 12 };
        let (mut items, mut kinds) = (Vec::new(), Vec::new());
        for (index, _) in rates {
            let field = &self.sheet.fields[*index];
            let mut at = |indent: usize, end: &str| {
                let items = [format!("self.{field}{end}"), values.next().unwrap_or_default()];
                inner(indent, "at(", &items, ")")
            };
            match self.program.parameters()[*index].kind {
                Type::Scalar => {
                    items.push(at(depth, ""));
                    kinds.push("S");
                }
                Type::Vector => {
                    let parts = [".x", ".y"].map(|end| at(depth + 4, end));
                    items.push(inner(depth, "Vec2::new(", &parts, ")"));
                    kinds.push("Vec2<S>");
                }
                Type::Matrix => {
                    let row = |ends: [&str; 2]| {
                        inner(depth + 4, "[", &ends.map(|end| at(depth + 8, end)), "]")
                    };
                    let rows = [["[0][0]", "[0][1]"], ["[1][0]", "[1][1]"]].map(row);
                    items.push(inner(depth, "[", &rows, "]"));
                    kinds.push("[[S; 2]; 2]");
                }
            }
        }
        let (kinds, all) = match &items[..] {
            [one] => (kinds.concat(), format!("        {one}\n")),
            _ => (format!("({})", kinds.join(", ")), list(8, "(", &items, ")", "")),
        };
        let named: Vec<String> =
            rates.iter().map(|each| self.program.parameters()[each.0].name.clone()).collect();
        let _ = write!(
            self.text,
            "\n    /// The driven parameters at a time: {}.\n    \
             fn driven<S: Real>(&self, time: S) -> {kinds} {{\n",
            quoted(&named)
        );
        if leaves(self.sheet.graph, &roots).contains(&Leaf::Time) {
            self.text += "        let since = self.since.unwrap_or_default();\n";
        }
        push_lines(&mut self.text, &lines);
        self.text += "        let elapsed = \
                      self.since.map_or(S::zero(), |since| time - S::constant(since));\n        \
                      let at = |value: f64, rate: f64| \
                      S::constant(value) + S::constant(rate) * elapsed;\n";
        self.text += &all;
        self.text += "    }\n";
    }

    pub(super) fn driven_name(&self, parameter: usize) -> &str {
        self.sheet.driven[parameter].as_deref().unwrap_or("_")
    }
}
