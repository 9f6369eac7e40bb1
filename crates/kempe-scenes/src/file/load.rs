//! From text to a world: reading, setting numbers from outside, decoding, building.

use super::build::{Builder, Built, Fault};
use super::context::Context;
use super::decode::Asked;
use super::evaluate::{Parameters, is_name};
use super::model::{Model, VERSION};
use super::named::Named;
use super::notation::{self, MOST_BYTES, Node, Notation, Value};
use super::number::Number;
use super::places::tell;
use super::problem::{LoadError, Problem, Source};
use super::resolve::words;
use super::{Loaded, set};
use kempe2d::World;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::Path;

/// Parameters that a scene may have.
const MOST_PARAMETERS: usize = 10_000;

/// The fields of a scene.
const FIELDS: [&str; 12] = [
    "version",
    "name",
    "about",
    "parameters",
    "settings",
    "bodies",
    "joints",
    "forces",
    "probes",
    "traces",
    "run",
    "expect",
];

/// Reads the text of a scene from a plain file of at most [`MOST_BYTES`].
pub(super) fn read(path: &Path) -> Result<(String, Notation), LoadError> {
    let name = path.to_string_lossy();
    let refuse = |message: String| LoadError::whole(&name, message);
    let Some(notation) = Notation::of(path) else {
        return Err(refuse("a scene's file ends in .ron or .json".to_owned()));
    };
    let cannot = |error: std::io::Error| refuse(format!("it cannot be read: {error}"));
    if !fs::metadata(path).map_err(cannot)?.is_file() {
        return Err(refuse("it is not a plain file".to_owned()));
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(cannot)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(refuse(format!("it is larger than {} MB", MOST_BYTES >> 20)));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok((text, notation)),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let problem = Problem::at(valid..valid + 3, "this is not UTF-8");
            let source = Source { name: name.into_owned(), text };
            Err(LoadError::new(vec![source], vec![problem], 0))
        }
    }
}

/// Loads a scene from its text.
pub(super) fn parse(
    name: &str,
    text: &str,
    notation: Notation,
    folder: Option<&Path>,
    overrides: &[(String, f64)],
) -> Result<Loaded, LoadError> {
    let read = notation::read(text, notation);
    let mut context = Context::new(text);
    for problem in read.problems {
        context.tell(problem);
    }
    let decoded = read.root.and_then(|mut root| {
        if !check_version(&root, &context) {
            return None;
        }
        set::set(&mut root, overrides, &context);
        Some(decode(&root, &mut context))
    });
    // The tree of a large scene is as large as its world, and is gone by now: it is made once more
    // where places of faults are wanted.
    let mut extra = Vec::new();
    let built = decoded.and_then(|decoded| {
        let (built, faults) = build(&decoded.model, &context.parameters, folder);
        if !faults.is_empty()
            && let Some(mut root) = notation::read(text, notation).root
        {
            set::set(&mut root, overrides, &Context::new(text));
            tell(faults, &root, &decoded, &context, &mut extra);
        }
        built.map(|built| (decoded.model, built))
    });
    let sound = context.problems.borrow().is_empty();
    if let (true, Some((model, built))) = (sound, built) {
        return Ok(Loaded::new(model, built));
    }
    let mut sources = vec![Source { name: name.to_owned(), text: text.to_owned() }];
    sources.extend(extra);
    Err(LoadError::new(sources, context.problems.take(), context.left_out.get()))
}

/// Builds the world of a model.
pub(super) fn build(
    model: &Model,
    parameters: &Parameters,
    folder: Option<&Path>,
) -> (Option<Built>, Vec<Fault>) {
    let builder = Builder {
        model,
        parameters,
        folder: folder.map(Path::to_path_buf),
        world: World::default(),
        bodies: HashMap::new(),
        joints: HashMap::new(),
        faults: Vec::new(),
        programs: HashMap::new(),
        program_bytes: 0,
        files: HashMap::new(),
    };
    builder.run()
}

/// The world of a model that comes from no file.
pub(super) fn build_alone(model: Model, folder: Option<&Path>) -> Result<Loaded, LoadError> {
    let mut parameters = Parameters::default();
    for (name, number) in &model.parameters.0 {
        parameters.add(name, number.value());
    }
    let (built, faults) = build(&model, &parameters, folder);
    if let Some(built) = built {
        return Ok(Loaded::new(model, built));
    }
    let name = model.name.clone().unwrap_or_else(|| "scene".to_owned());
    let problems = faults.into_iter().map(|fault| {
        let message = format!("{}: {}", words(&fault.path), fault.message);
        Problem { span: None, ..Problem::at(0..0, message) }.hint(fault.hint)
    });
    let source = Source { name, text: String::new() };
    Err(LoadError::new(vec![source], problems.collect(), 0))
}

fn check_version(root: &Node<'_>, context: &Context<'_>) -> bool {
    let Value::Map(_) = root.value else {
        let message = format!("a scene is a map, not {}", root.describe());
        context.tell(Problem::at(root.span.range(), message));
        return false;
    };
    let Some(version) = root.get("version") else {
        let start = root.span.range().start;
        let problem = Problem::at(start..start + 1, "the scene does not say its `version`");
        context.tell(problem.hint(Some(format!("write `version: {VERSION}`"))));
        return true;
    };
    if version.value == Value::Number(f64::from(VERSION)) {
        return true;
    }
    let message = format!("this is a version of the format that is not known; {VERSION} is");
    context.tell(Problem::at(version.span.range(), message));
    false
}

/// A model, and where its parts stood in the file's lists.
pub(super) struct Decoded {
    pub model: Model,
    pub places: HashMap<&'static str, Vec<usize>>,
}

fn decode(root: &Node<'_>, context: &mut Context<'_>) -> Decoded {
    let mut model = Model { version: VERSION, ..Model::default() };
    if let Value::Map(entries) = &root.value {
        for (key, _) in entries.iter().filter(|(key, _)| !FIELDS.contains(&&*key.name)) {
            context.tell_unknown(key, FIELDS.into_iter());
        }
    }
    // First, since others name them.
    model.parameters = parameters(root.get("parameters"), context);
    let context = &*context;
    model.name = one(root, "name", context);
    model.about = one(root, "about", context);
    model.settings = one(root, "settings", context);
    model.run = one(root, "run", context);
    let mut places = HashMap::new();
    let mut keep = |field: &'static str, indices: Vec<usize>| {
        places.insert(field, indices);
    };
    let (bodies, at) = list(root, "bodies", context);
    (model.bodies, ()) = (bodies, keep("bodies", at));
    let (joints, at) = list(root, "joints", context);
    (model.joints, ()) = (joints, keep("joints", at));
    let (forces, at) = list(root, "forces", context);
    (model.forces, ()) = (forces, keep("forces", at));
    let (probes, at) = list(root, "probes", context);
    (model.probes, ()) = (probes, keep("probes", at));
    let (traces, at) = list(root, "traces", context);
    (model.traces, ()) = (traces, keep("traces", at));
    let (expect, at) = list(root, "expect", context);
    (model.expect, ()) = (expect, keep("expect", at));
    Decoded { model, places }
}

fn parameters(node: Option<&Node<'_>>, context: &mut Context<'_>) -> Named<Number> {
    let Some(node) = node else { return Named::default() };
    let Value::Map(entries) = &node.value else {
        let message = format!("parameters are a map of numbers, not {}", node.describe());
        context.tell(Problem::at(node.span.range(), message));
        return Named::default();
    };
    if entries.len() > MOST_PARAMETERS {
        let message = format!("there are more than {MOST_PARAMETERS} parameters");
        context.tell(Problem::at(node.span.range(), message));
        return Named::default();
    }
    let mut list = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        if !is_name(&key.name) {
            let message = format!("a parameter cannot be called `{}`", key.name);
            let hint = "names are letters, digits and `_`, and no word of the language";
            context.tell(Problem::at(key.span.range(), message).hint(Some(hint.to_owned())));
            continue;
        }
        match Number::deserialize(Asked { node: value, context }) {
            Ok(number) => {
                if !number.value().is_finite() {
                    let message = "a parameter must be finite";
                    context.tell(Problem::at(value.span.range(), message));
                }
                context.parameters.add(&key.name, number.value());
                list.push((key.name.clone().into_owned(), number));
            }
            Err(failure) => failure.tell(context, value.span),
        }
    }
    Named(list)
}

fn one<T: DeserializeOwned>(root: &Node<'_>, field: &str, context: &Context<'_>) -> Option<T> {
    let node = root.get(field).filter(|node| node.value != Value::Null)?;
    match T::deserialize(Asked { node, context }) {
        Ok(value) => Some(value),
        Err(failure) => {
            failure.tell(context, node.span);
            None
        }
    }
}

/// The items of a list, each by itself, and where each stood.
fn list<T: DeserializeOwned>(
    root: &Node<'_>,
    field: &str,
    context: &Context<'_>,
) -> (Vec<T>, Vec<usize>) {
    let nodes: &[Node<'_>] = match root.get(field).map(|node| (node, &node.value)) {
        None | Some((_, Value::Null)) => &[],
        Some((_, Value::List(nodes))) => nodes,
        Some((_, Value::Map(entries))) if entries.is_empty() => &[],
        Some((node, _)) => {
            let message = format!("`{field}` is a list, not {}", node.describe());
            context.tell(Problem::at(node.span.range(), message));
            &[]
        }
    };
    let (mut items, mut places) = (Vec::with_capacity(nodes.len()), Vec::new());
    for (index, node) in nodes.iter().enumerate() {
        match T::deserialize(Asked { node, context }) {
            Ok(item) => {
                items.push(item);
                places.push(index);
            }
            Err(failure) => failure.tell(context, node.span),
        }
    }
    (items, places)
}
