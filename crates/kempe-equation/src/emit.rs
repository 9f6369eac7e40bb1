//! A program as the text of a Rust type, for [`Program::to_rust`].
//!
//! What is written are the values alone; the derivatives come from dual numbers in the world that
//! the joint is used in. The text is the same for the same program, to the byte.

mod code;
mod constraint;
mod expression;
mod file;
mod flat;
mod functions;
mod helpers;
mod names;

use crate::check::{Model, Rows};
use crate::graph::{Graph, Leaf, Node, NodeId};
use crate::program::Program;
use crate::types::Type;
use code::Sheet;
use flat::Flat;
use names::{Names, is_type_name};
use std::collections::HashMap;
use std::fmt;

/// As many rows as a joint from Rust can have.
const MAX_ROWS: usize = 32;

/// Why a program cannot be written out as Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmitError {
    /// The name for the type is no identifier, a keyword, or the name of a type that the text uses.
    TypeName {
        /// The name.
        name: String,
    },
    /// The bounds of a range move, with time or with a driven parameter. A joint from Rust has its
    /// ranges as limits of axes, which stay. (Bounds that are equal may move.)
    MovingBounds {
        /// Which row or axis.
        row: String,
    },
    /// A row of the velocity constraint is a range. A joint from Rust has equations of velocities
    /// only.
    VelocityRange {
        /// Which row.
        row: String,
    },
    /// A `limit` is to be checked again and again, because it depends on a body, on time or on a
    /// driven parameter. A joint from Rust checks its parameters when it is made or changed.
    MovingCheck {
        /// The limit as it was written.
        limit: String,
    },
    /// A joint from Rust has at least one body, and at most 32 rows and axes together.
    Size {
        /// The bodies of the program.
        bodies: usize,
        /// Its rows and axes.
        rows: usize,
    },
    /// Without matrices and powers the program is larger than [`crate::limits`] allow.
    TooLarge,
}

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TypeName { name } => write!(f, "`{name}` cannot be the name of the Rust type"),
            Self::MovingBounds { row } => {
                write!(f, "{row} has bounds that move, which the limit of an axis cannot")
            }
            Self::VelocityRange { row } => {
                write!(f, "{row} has bounds that are not equal, which a velocity equation cannot")
            }
            Self::MovingCheck { limit } => {
                write!(f, "`limit {limit}` depends on more than parameters that stay")
            }
            Self::Size { bodies, rows } => write!(
                f,
                "a joint has at least 1 body and 1 to {MAX_ROWS} rows, the program {bodies} and {rows}"
            ),
            Self::TooLarge => f.write_str("the program is too large to be written out"),
        }
    }
}

impl std::error::Error for EmitError {}

impl Program {
    /// The program as Rust: a type that implements `Constraint` of the crate `kempe2d`.
    ///
    /// Parameters become public fields. Rows that are equations are held, rows with a range become
    /// axes behind those of the program, and the function `joint` of the type sets the limits on
    /// them. Driven parameters and remembered directions are kept in the fields `since` and
    /// `remembered`. The text is a file or a module of its own; it depends on `kempe2d` alone.
    ///
    /// ```
    /// use kempe_equation::Program;
    ///
    /// let hinge = Program::parse("body a, b  axis turn = b.rotation - a.rotation")?;
    /// let text = hinge.to_rust("Hinge")?;
    /// assert!(text.contains("pub struct Hinge;"));
    /// assert!(text.contains("out[0] = b.rotation - a.rotation;"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the type cannot have this name, or if the program states what a joint from Rust cannot.
    pub fn to_rust(&self, type_name: &str) -> Result<String, EmitError> {
        if !is_type_name(type_name) {
            return Err(EmitError::TypeName { name: type_name.to_owned() });
        }
        let mut model = Model::clone(&self.model);
        let plan = Plan::new(self, &mut model)?;
        let sheet = sheet(&model, &plan);
        Ok(file::write(self, type_name, &plan, &sheet))
    }
}

/// An axis of the type.
#[derive(Debug)]
struct AxisPlan {
    /// How it is called in the program.
    what: String,
    name: String,
    value: NodeId,
    /// The bounds, unless there are none.
    limit: Option<[NodeId; 2]>,
}

/// What the type has, in nodes that are flat.
#[derive(Debug)]
struct Plan {
    hold: Vec<NodeId>,
    velocity: Vec<NodeId>,
    axes: Vec<AxisPlan>,
    /// The limit as it was written; its value and bounds.
    checks: Vec<(String, [NodeId; 3])>,
    /// The driven parameters and the rates of their components.
    rates: Vec<(usize, Vec<NodeId>)>,
    /// The vectors whose directions are remembered, and by node which of them it has.
    memories: Vec<NodeId>,
    remembers: HashMap<NodeId, usize>,
    given: HashMap<NodeId, String>,
}

impl Plan {
    fn new(program: &Program, model: &mut Model) -> Result<Self, EmitError> {
        let roots = roots(model);
        let flat = Flat::new(&mut model.graph, &roots);
        let mut plan = Self {
            hold: Vec::new(),
            velocity: Vec::new(),
            axes: Vec::new(),
            checks: Vec::new(),
            rates: Vec::new(),
            memories: Vec::new(),
            remembers: HashMap::new(),
            given: given(model, &flat),
        };
        for axis in &model.axes {
            let limit = axis.bounds.map(|(lower, upper)| [flat.one(lower), flat.one(upper)]);
            let (what, name) = (format!("the axis `{}`", axis.name), axis.name.clone());
            plan.axes.push(AxisPlan { what, name, value: flat.one(axis.value), limit });
        }
        let (position, velocity) = (model.position.clone(), model.velocity.clone());
        for (k, [value, lower, upper]) in rows(&mut model.graph, &flat, &position) {
            let what = format!("row {k} of the constraint");
            if lower == upper {
                plan.hold.push(model.graph.sub(value, lower));
            } else {
                let (name, limit) = (format!("row_{k}"), Some([lower, upper]));
                plan.axes.push(AxisPlan { what, name, value, limit });
            }
        }
        for (k, [value, lower, upper]) in rows(&mut model.graph, &flat, &velocity) {
            if lower != upper {
                let row = format!("row {k} of the velocity constraint");
                return Err(EmitError::VelocityRange { row });
            }
            plan.velocity.push(model.graph.sub(value, lower));
        }
        let graph = &mut model.graph;
        for (index, parameter) in model.parameters.iter().enumerate() {
            if let Some(rate) = parameter.rate {
                let rates = match parameter.kind {
                    Type::Scalar => vec![flat.one(rate)],
                    Type::Vector => [0, 1].map(|k| graph.component(flat.one(rate), k)).to_vec(),
                    Type::Matrix => flat.entries(rate).to_vec(),
                };
                plan.rates.push((index, rates));
            }
        }
        let moving = moving(model);
        let moves = |nodes: &[NodeId]| nodes.iter().any(|node| moving[node.0 as usize]);
        for axis in &mut plan.axes {
            if axis.limit.is_some_and(|limit| moves(&limit)) {
                return Err(EmitError::MovingBounds { row: axis.what.clone() });
            }
            let number = |node: NodeId| model.graph.as_number(node);
            axis.limit = axis.limit.filter(|limit| {
                limit.map(number) != [Some(f64::NEG_INFINITY), Some(f64::INFINITY)]
            });
        }
        for check in &model.checks {
            let limit: Vec<&str> = program.text(check.span).split_whitespace().collect();
            let limit = limit.join(" ");
            let nodes = [check.value, check.lower, check.upper].map(|node| flat.one(node));
            if moves(&nodes) {
                return Err(EmitError::MovingCheck { limit });
            }
            plan.checks.push((limit, nodes));
        }
        let (bodies, rows) = (model.bodies.len(), plan.equations().len() + plan.velocity.len());
        if bodies == 0 || rows > MAX_ROWS {
            return Err(EmitError::Size { bodies, rows });
        }
        plan.remember(&mut model.graph, &moving);
        if model.graph.overflowed() { Err(EmitError::TooLarge) } else { Ok(plan) }
    }

    /// The held equations, then the axes.
    fn equations(&self) -> Vec<NodeId> {
        self.hold.iter().copied().chain(self.axes.iter().map(|axis| axis.value)).collect()
    }

    /// Finds the lengths, directions and angles that may be lost.
    fn remember(&mut self, graph: &mut Graph, moving: &[bool]) {
        let mut roots = self.equations();
        roots.extend(&self.velocity);
        for id in graph.order(&roots).into_iter().filter(|id| moving[id.0 as usize]) {
            let vector = match graph.node(id) {
                Node::Norm(vector) | Node::Unit(vector) => vector,
                Node::Atan2(y, x) => graph.vector(x, y),
                _ => continue,
            };
            let known = self.memories.iter().position(|each| *each == vector);
            let memory = known.unwrap_or(self.memories.len());
            if known.is_none() {
                self.memories.push(vector);
            }
            self.remembers.insert(id, memory);
        }
    }
}

/// By node, whether it depends on more than parameters that stay.
fn moving(model: &Model) -> Vec<bool> {
    let mut moving = Vec::new();
    model.graph.mark(&mut moving, |leaf| match leaf {
        Leaf::Parameter(index, _) => {
            model.parameters.get(usize::from(index)).is_none_or(|each| each.rate.is_some())
        }
        _ => true,
    });
    moving
}

/// Everything that the program states.
fn roots(model: &Model) -> Vec<NodeId> {
    let mut roots = Vec::new();
    for Rows { values, bounds } in [&model.position, &model.velocity] {
        roots.extend(values);
        roots.extend(bounds.iter().flat_map(|(lower, upper)| lower.iter().chain(upper)));
    }
    for axis in &model.axes {
        roots.push(axis.value);
        roots.extend(axis.bounds.iter().flat_map(|(lower, upper)| [lower, upper]));
    }
    roots.extend(model.checks.iter().flat_map(|check| [check.value, check.lower, check.upper]));
    roots.extend(model.parameters.iter().filter_map(|each| each.rate));
    roots
}

/// The rows of a constraint, numbered from 1, each with its bounds.
fn rows(graph: &mut Graph, flat: &Flat, rows: &Rows) -> Vec<(usize, [NodeId; 3])> {
    let mut scalars = |nodes: &[NodeId]| -> Vec<NodeId> {
        let mut list = Vec::new();
        for node in nodes.iter().map(|node| flat.one(*node)) {
            match graph.kind(node) {
                Type::Vector => list.extend([0, 1].map(|k| graph.component(node, k))),
                _ => list.push(node),
            }
        }
        list
    };
    let values = scalars(&rows.values);
    let bounds = rows.bounds.as_ref().map(|(lower, upper)| [scalars(lower), scalars(upper)]);
    let bound = |end: usize, k: usize| {
        bounds.as_ref().and_then(|both| both[end].get(k).copied()).unwrap_or(Graph::ZERO)
    };
    let each = values.iter().enumerate();
    each.map(|(k, value)| (k + 1, [*value, bound(0, k), bound(1, k)])).collect()
}

/// The names of parts: those that the program gives, and of rows that are vectors.
fn given(model: &Model, flat: &Flat) -> HashMap<NodeId, String> {
    let mut given = HashMap::new();
    let axes = model.axes.iter().map(|axis| (axis.value, axis.name.as_str()));
    let named = model.names.iter().map(|(node, name)| (*node, name.as_str()));
    let rows = model.position.values.iter().chain(&model.velocity.values);
    let rows = rows.filter(|node| model.graph.kind(**node) == Type::Vector);
    let rows = rows.map(|node| (*node, "constraint"));
    for (node, name) in named.chain(axes).chain(rows) {
        if flat.has(node) && model.graph.kind(node) != Type::Matrix {
            given.entry(flat.one(node)).or_insert_with(|| name.to_owned());
        }
    }
    given
}

/// The names for everything that the functions of the text speak of.
fn sheet<'a>(model: &'a Model, plan: &Plan) -> Sheet<'a> {
    let mut fields = Names::without(&["remembered", "since"]);
    let fields: Vec<String> = model.parameters.iter().map(|each| fields.take(&each.name)).collect();
    let mut names = Names::without(&[
        "at",
        "bodies",
        "check",
        "elapsed",
        "joint",
        "out",
        "remember",
        "since",
        "time",
        "velocities",
        "guarded_angle",
        "guarded_length",
        "guarded_unit",
    ]);
    let bodies: Vec<String> = model.bodies.iter().map(|name| names.take(name)).collect();
    let velocities = bodies.iter().map(|body| {
        ["velocity", "angular_velocity"].map(|what| names.take(&format!("{body}_{what}")))
    });
    let velocities = velocities.collect();
    let driven = model
        .parameters
        .iter()
        .zip(&fields)
        .map(|(parameter, field)| parameter.rate.map(|_| names.take(field)));
    let driven = driven.collect();
    let limits = plan.axes.iter();
    let limits = limits.map(|axis| names.take(&format!("{}_limit", axis.name))).collect();
    Sheet {
        graph: &model.graph,
        fields,
        bodies,
        velocities,
        driven,
        limits,
        given: plan.given.clone(),
        memories: plan.remembers.clone(),
        moving: moving(model),
        names,
    }
}
