//! Joints from text, and the files that their programs are in.

use super::build::{Builder, Fault, way};
use super::build_joint::Told;
use super::joint::Joint;
use super::named::{Bodies, Named};
use super::number::Values;
use kempe2d::equation::{Program, Value, limits};
use kempe2d::{BodyId, JointDef, JointKind, TextJoint};
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Bytes of different programs that a scene may have.
const MOST_PROGRAMS: usize = 4 << 20;

impl Builder<'_> {
    pub(super) fn text(&mut self, index: usize, joint: &Joint) -> Result<JointDef, Told> {
        let program = self.program(index, joint)?;
        let mut text = TextJoint::new(&program);
        let mut sound = true;
        for (name, values) in joint.parameters.iter().flat_map(|Named(list)| list) {
            let path = || way("joints", index, &["parameters", name]);
            let known = program.parameters().iter().map(|each| each.name.as_str());
            if !known.clone().any(|each| each == name) {
                let message = format!("the program has no parameter `{name}`");
                let hint = self.near(name, known);
                self.hinted(path(), message, hint);
                sound = false;
                continue;
            }
            let set = value(values).ok_or_else(|| {
                "this must be a number, a vector [x, y] or a matrix [[a, b], [c, d]]".to_owned()
            });
            let set = set.and_then(|value| text.set(name, value).map_err(|why| why.to_string()));
            if let Err(message) = set {
                self.fault(path(), message);
                sound = false;
            }
        }
        let bound = self.bound(index, joint, &program)?;
        if !sound {
            return Err(Told);
        }
        Ok(JointDef::over(JointKind::Text(text), bound))
    }

    /// The bodies of a program, in its order.
    fn bound(
        &mut self,
        index: usize,
        joint: &Joint,
        program: &Program,
    ) -> Result<Vec<BodyId>, Told> {
        let field = |field: &str| way("joints", index, &["bodies", field]);
        let mut found = vec![None; program.bodies().len()];
        let mut sound = true;
        match &joint.bodies {
            Some(Bodies::List(names)) if names.len() != found.len() => {
                let message = format!(
                    "the program has {} bodies ({}); {} were given",
                    found.len(),
                    program.bodies().join(", "),
                    names.len()
                );
                self.fault(way("joints", index, &["bodies"]), message);
                return Err(Told);
            }
            Some(Bodies::List(names)) => {
                for (place, name) in names.iter().enumerate() {
                    found[place] = self.body(name, || field(&place.to_string()));
                    sound &= found[place].is_some();
                }
            }
            Some(Bodies::Bound(Named(list))) => {
                for (own, name) in list {
                    let body = self.body(name, || field(own));
                    match program.bodies().iter().position(|each| each == own) {
                        Some(place) => found[place] = body,
                        None => {
                            let known = program.bodies().iter().map(String::as_str);
                            let hint = self.near(own, known);
                            self.hinted(
                                field(own),
                                format!("the program has no body `{own}`"),
                                hint,
                            );
                        }
                    }
                    sound &= body.is_some();
                }
            }
            None => {}
        }
        if let (true, Some(place)) = (sound, found.iter().position(Option::is_none)) {
            let message = format!("the program's body `{}` is not bound", program.bodies()[place]);
            let hint = Some("give it in `bodies`".to_owned());
            self.hinted(way("joints", index, &["bodies"]), message, hint);
        }
        found.into_iter().collect::<Option<Vec<_>>>().ok_or(Told)
    }

    /// The program of a joint, read once for all that have it.
    fn program(&mut self, index: usize, joint: &Joint) -> Result<Program, Told> {
        let (source, file) = match (&joint.program, &joint.file) {
            (Some(program), None) => (program.clone(), None),
            (None, Some(file)) => match self.read(file) {
                Ok((path, text)) => (text, Some(path)),
                Err(message) => {
                    self.fault(way("joints", index, &["file"]), message);
                    return Err(Told);
                }
            },
            _ => {
                let message = "the joint needs a `program` or a `file`, one of them";
                self.fault(way("joints", index, &[]), message);
                return Err(Told);
            }
        };
        if let Some(program) = self.programs.get(&source) {
            return Ok(program.clone());
        }
        self.program_bytes += source.len();
        if self.program_bytes > MOST_PROGRAMS {
            let message = format!("a scene has at most {} MB of programs", MOST_PROGRAMS >> 20);
            self.fault(way("joints", index, &[]), message);
            return Err(Told);
        }
        match Program::parse(&source) {
            Ok(program) => {
                self.programs.insert(source, program.clone());
                Ok(program)
            }
            Err(errors) => {
                for error in errors.diagnostics() {
                    let path = if file.is_some() { "file" } else { "program" };
                    self.faults.push(Fault {
                        path: way("joints", index, &[path]),
                        within: Some(error.span.start..error.span.end),
                        file: file
                            .as_ref()
                            .map(|path| (path.to_string_lossy().into_owned(), source.clone())),
                        message: error.message.clone(),
                        hint: error.help.clone(),
                        related: None,
                    });
                }
                Err(Told)
            }
        }
    }

    /// The text of a file beside the scene's.
    fn read(&mut self, file: &str) -> Result<(PathBuf, String), String> {
        let Some(folder) = &self.folder else {
            return Err("the scene is in no folder, so that it cannot name files".to_owned());
        };
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !Path::new(file).components().all(inside) {
            return Err("the file must be in the folder of the scene, or below it".to_owned());
        }
        let path = folder.join(file);
        let read = self.files.entry(path.clone()).or_insert_with(|| read_program(&path));
        read.clone().map(|text| (path, text))
    }
}

fn read_program(path: &Path) -> Result<String, String> {
    let refuse = |error: std::io::Error| format!("{} cannot be read: {error}", path.display());
    // What is no plain file could keep a reader waiting.
    if !fs::metadata(path).map_err(refuse)?.is_file() {
        return Err(format!("{} is not a plain file", path.display()));
    }
    let most = limits::MAX_SOURCE as u64;
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(refuse)?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(refuse)?;
    if bytes.len() as u64 > most {
        return Err(format!("{} is larger than {} KB", path.display(), most >> 10));
    }
    String::from_utf8(bytes).map_err(|_| format!("{} is not UTF-8", path.display()))
}

/// A parameter of a program, if it has the shape of one.
fn value(values: &Values) -> Option<Value> {
    let number = |values: &Values| match values {
        Values::Scalar(number) => Some(number.value()),
        Values::List(_) => None,
    };
    let pair = |values: &Values| match values {
        Values::List(list) => match list.as_slice() {
            [x, y] => Some([number(x)?, number(y)?]),
            _ => None,
        },
        Values::Scalar(_) => None,
    };
    match values {
        Values::Scalar(number) => Some(Value::Scalar(number.value())),
        Values::List(rows) => match (pair(values), rows.as_slice()) {
            (Some(vector), _) => Some(Value::Vector(vector)),
            (None, [first, second]) => Some(Value::Matrix([pair(first)?, pair(second)?])),
            _ => None,
        },
    }
}
