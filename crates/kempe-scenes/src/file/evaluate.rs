//! Expressions: numbers of a scene that follow from its parameters, and probes that follow from others.

use super::problem::did_you_mean;
use kempe2d::equation::{Cells, Compiled, ErrorKind, Input, Program, limits};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Something wrong in an expression, at a place in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mistake {
    pub span: Range<usize>,
    pub message: String,
    pub hint: Option<String>,
}

/// The parameters of a scene, with their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters {
    list: Vec<(String, f64)>,
    places: HashMap<String, usize>,
}

impl Parameters {
    pub(super) fn add(&mut self, name: &str, value: f64) {
        self.places.insert(name.to_owned(), self.list.len());
        self.list.push((name.to_owned(), value));
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|(name, _)| name.as_str())
    }

    /// The values of those that an expression names, as the beginning of it.
    fn given(&self, source: &str, variables: &[&str]) -> String {
        let mut text = String::new();
        let mut done: HashSet<&str> = HashSet::new();
        for word in words(source) {
            if let Some(place) = self.places.get(word)
                && !variables.contains(&word)
                && done.insert(word)
            {
                text += &format!("let {word} = ({:?}) in ", self.list[*place].1);
            }
        }
        text
    }

    /// An expression with the values of the parameters that it names.
    pub(super) fn complete(&self, source: &str, variables: &[&str]) -> String {
        let given = self.given(source, variables);
        if given.is_empty() { source.to_owned() } else { format!("{given}({source}\n)") }
    }
}

/// The words of an expression that are not part of a number or a field of something.
pub(super) fn words(source: &str) -> impl Iterator<Item = &str> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let code = source.lines().map(|line| line.split('#').next().unwrap_or(""));
    code.flat_map(move |line| line.split(move |c| !part(c)))
        .filter_map(|word| word.split('.').next())
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// Whether a parameter or a probe can have this name in an expression.
pub(super) fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    let first = letters.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    let word = first && letters.all(|c| c.is_alphanumeric() || c == '_') && name.len() <= 64;
    word && Program::parse(&format!("scalar {name}\nconstraint {name}")).is_ok()
}

/// The program `constraint (source)` in which variables stand for numbers.
fn program(
    source: &str,
    parameters: &Parameters,
    variables: &[&str],
) -> Result<Program, Vec<Mistake>> {
    let whole = |message: &str| {
        vec![Mistake { span: 0..source.len(), message: message.to_owned(), hint: None }]
    };
    if source.len() > limits::MAX_SOURCE {
        return Err(whole("the expression is too long"));
    }
    let declared: String = variables.iter().map(|name| format!("scalar {name}\n")).collect();
    let given = parameters.given(source, variables);
    let before = format!("{declared}constraint ({given}(");
    let program = Program::parse(&format!("{before}{source}\n))")).map_err(|errors| {
        let each = errors.diagnostics().iter().map(|error| {
            let inside = |at: usize| at.saturating_sub(before.len()).min(source.len());
            let span = inside(error.span.start)..inside(error.span.end);
            let mut hint = error.help.clone();
            if error.kind == ErrorKind::UnknownName
                && let Some(word) = source.get(span.clone())
            {
                let known = parameters.names().chain(variables.iter().copied());
                hint = did_you_mean(word, known).or(hint);
            }
            Mistake { span, message: error.message.clone(), hint }
        });
        each.collect::<Vec<_>>()
    })?;
    let other = program.parameters().len() != variables.len() || !program.bodies().is_empty();
    if other || program.row_count() != 1 || program.axes().count() > 0 {
        return Err(whole("the expression must be one number"));
    }
    Ok(program)
}

/// Tests an expression in these variables and `time`.
pub(super) fn check(
    source: &str,
    parameters: &Parameters,
    variables: &[&str],
) -> Result<(), Vec<Mistake>> {
    program(source, parameters, variables).map(|_| ())
}

/// The value of an expression.
pub(super) fn evaluate(source: &str, parameters: &Parameters) -> Result<f64, Vec<Mistake>> {
    match source.trim() {
        "inf" => return Ok(f64::INFINITY),
        "-inf" => return Ok(f64::NEG_INFINITY),
        _ => {}
    }
    let whole = |message: &str| {
        vec![Mistake { span: 0..source.len(), message: message.to_owned(), hint: None }]
    };
    let program = program(source, parameters, &[])?;
    let compiled = program.compiled();
    if compiled.equations().inputs().contains(&Input::Time) {
        return Err(whole("`time` cannot be here: the number is needed when the scene is loaded"));
    }
    let mut cells = Cells::precise(compiled.equations());
    cells.fill(|_| 0.0);
    cells.run();
    let value = cells.output(compiled.value(0));
    if value.is_finite() { Ok(value) } else { Err(whole("the expression gives no finite number")) }
}

/// The value of an expression that names no parameters.
pub(super) fn constant(source: &str) -> Result<f64, String> {
    evaluate(source, &Parameters::default()).map_err(|mistakes| {
        let texts = mistakes.into_iter().map(|mistake| mistake.message);
        texts.collect::<Vec<_>>().join("; ")
    })
}

/// An expression of probes and `time`.
#[derive(Clone)]
pub struct Combined {
    source: String,
    compiled: Arc<Compiled>,
    /// By variable, its place among the probes.
    places: Vec<usize>,
}

impl Combined {
    /// An expression of the probes of these names.
    pub(super) fn new(
        source: &str,
        parameters: &Parameters,
        probes: &[&str],
    ) -> Result<Self, Vec<Mistake>> {
        let mut places: Vec<usize> = Vec::new();
        for word in words(source) {
            if let Some(place) = probes.iter().position(|probe| *probe == word)
                && !places.contains(&place)
            {
                places.push(place);
            }
        }
        let variables: Vec<&str> = places.iter().map(|place| probes[*place]).collect();
        let known = |mut mistake: Mistake| {
            if mistake.hint.is_none()
                && let Some(word) = source.get(mistake.span.clone())
            {
                mistake.hint = did_you_mean(word, probes.iter().copied());
            }
            mistake
        };
        let program = program(source, parameters, &variables);
        let program =
            program.map_err(|list| list.into_iter().map(known).collect::<Vec<Mistake>>())?;
        let compiled = Arc::clone(program.compiled());
        Ok(Self { source: source.to_owned(), compiled, places })
    }

    /// Its value, by those of the probes.
    pub fn at(&self, probes: &[f64], time: f64) -> f64 {
        let mut cells = Cells::precise(self.compiled.equations());
        cells.fill(|input| match input {
            Input::Time => time,
            Input::Parameter { index, .. } => {
                let place = self.places.get(index);
                place.and_then(|place| probes.get(*place)).copied().unwrap_or(f64::NAN)
            }
            _ => 0.0,
        });
        cells.run();
        cells.output(self.compiled.value(0))
    }
}

impl fmt::Debug for Combined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.source)
    }
}
