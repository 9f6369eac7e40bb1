//! The sources of the crate, as far as public names go. They are formatted, so what begins in the
//! first column ends with a brace there.

use std::collections::BTreeSet;
use std::path::Path;

/// A file: where its items are found from the root, and its text.
struct File {
    module: String,
    text: String,
}

/// Names of one type in one module.
#[derive(Default)]
struct Named {
    module: String,
    name: String,
    members: BTreeSet<String>,
    /// Members that give a joint.
    makes: BTreeSet<String>,
}

pub(crate) struct Sources {
    types: Vec<Named>,
    /// Free functions and constants by path.
    free: BTreeSet<String>,
    /// `pub use` and `pub mod` of the root.
    exports: BTreeSet<String>,
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

fn first(text: &str) -> String {
    words(text).next().unwrap_or_default().to_owned()
}

fn read(folder: &Path, module: &str, private: bool, into: &mut Vec<File>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let beside = folder.with_extension("rs");
        let parent = std::fs::read_to_string(beside).unwrap_or_default();
        // What is in a private module is re-exported by the one above.
        let hidden = private || !parent.contains(&format!("pub mod {stem};"));
        let inner = if hidden { module.to_owned() } else { format!("{module}{stem}::") };
        if path.is_dir() {
            read(&path, &inner, private, into);
        } else if stem != "tests" {
            into.push(File { module: inner, text: std::fs::read_to_string(&path).unwrap() });
        }
    }
}

impl Sources {
    pub(crate) fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let lib = std::fs::read_to_string(root.join("src/lib.rs")).unwrap();
        let mut files = Vec::new();
        read(&root.join("src/compat"), "compat::", false, &mut files);
        for file in &mut files {
            // The folder of an engine is beside its file.
            file.module = file.module.trim_end_matches(':').to_owned();
        }
        let mut own = Vec::new();
        read(&root.join("src"), "", true, &mut own);
        let compat: Vec<String> = files.iter().map(|file| file.text.clone()).collect();
        files.extend(own.into_iter().filter(|file| !compat.contains(&file.text)));
        // What the root exports of other crates.
        let soft = root.join("../kempe-solve/src/softness.rs");
        files.push(File { module: String::new(), text: std::fs::read_to_string(soft).unwrap() });
        read(&root.join("../kempe-equation/src"), "equation", true, &mut files);
        let mut sources =
            Self { types: Vec::new(), free: BTreeSet::new(), exports: BTreeSet::new() };
        for item in
            lib.split(';').filter(|item| item.contains("pub use") || item.contains("pub mod"))
        {
            sources.exports.extend(words(item).map(str::to_owned));
        }
        for file in &files {
            sources.scan(file);
        }
        sources
    }

    fn scan(&mut self, file: &File) {
        let mut open: Option<(Named, &str)> = None;
        let mut signature = String::new();
        for line in file.text.lines() {
            if line.starts_with('}') {
                self.types.extend(open.take().map(|(named, _)| named));
            } else if let Some((named, kind)) = &mut open {
                member(named, kind, line, &mut signature);
            } else if let Some((kind, name)) = opening(line) {
                let named = Named { module: file.module.clone(), name, ..Named::default() };
                if line.ends_with('{') {
                    open = Some((named, kind));
                } else {
                    self.types.push(named);
                }
            } else if let Some(rest) =
                line.strip_prefix("pub fn ").or_else(|| line.strip_prefix("pub const "))
            {
                self.free.insert(format!("{}::{}", file.module, first(rest)));
            }
        }
    }

    /// The types of a path, and the member behind them.
    fn find<'a>(&self, path: &'a str) -> (Vec<&Named>, Option<&'a str>) {
        let of = |path: &str| {
            let (module, name) = path.rsplit_once("::").unwrap_or(("", path));
            let fits = |each: &&Named| each.module == module && each.name == name;
            let exported = module.starts_with("compat") || module == "equation";
            let exported = exported || self.exports.contains(name);
            self.types.iter().filter(fits).filter(|_| exported).collect::<Vec<_>>()
        };
        let types = of(path);
        match path.rsplit_once("::") {
            Some((owner, member)) if types.is_empty() => (of(owner), Some(member)),
            _ => (types, None),
        }
    }

    /// Whether a path is public. One that is a single small word may be a field of any type.
    pub(crate) fn has(&self, path: &str) -> bool {
        if self.free.contains(path) {
            return true;
        }
        if !path.contains("::") && path.starts_with(char::is_lowercase) {
            return self.types.iter().any(|each| each.members.contains(path));
        }
        let (types, member) = self.find(path);
        match member {
            None => !types.is_empty(),
            Some(member) => types.iter().any(|each| each.members.contains(member)),
        }
    }

    /// Whether a path makes a joint, so that it must be tried.
    pub(crate) fn makes_a_joint(&self, path: &str) -> bool {
        if path.starts_with("compat::") {
            return self.constructors().contains(path);
        }
        let (types, member) = self.find(path);
        member.is_some_and(|member| types.iter().any(|each| each.makes.contains(member)))
    }

    /// Every constructor of other engines.
    pub(crate) fn constructors(&self) -> BTreeSet<String> {
        let free = self.free.iter().filter(|path| path.starts_with("compat::"));
        let free = free.filter(|path| !path.ends_with(|c: char| c.is_uppercase())).cloned();
        let types = self.types.iter().filter(|each| {
            let joint = each.name.ends_with("JointDef") || each.name.ends_with("Joint");
            each.module.starts_with("compat::") && joint
        });
        free.chain(types.map(|each| format!("{}::{}", each.module, each.name))).collect()
    }
}

/// What begins in the first column: `(kind, name)`.
fn opening(line: &str) -> Option<(&'static str, String)> {
    for kind in ["pub struct ", "pub enum ", "pub trait ", "pub type "] {
        if let Some(rest) = line.strip_prefix(kind) {
            return Some((kind, first(rest)));
        }
    }
    let rest = line.strip_prefix("impl")?;
    let rest = match rest.strip_prefix('<') {
        Some(generic) => generic.split_once("> ")?.1,
        None => rest.strip_prefix(' ')?,
    };
    (!rest.contains(" for ")).then(|| ("impl", first(rest)))
}

fn member(named: &mut Named, kind: &str, line: &str, signature: &mut String) {
    let (text, depth) = (line.trim_start(), line.len() - line.trim_start().len());
    if text.starts_with("//") || text.starts_with('#') {
        return;
    }
    let function = text.strip_prefix("pub fn ").or_else(|| text.strip_prefix("pub const fn "));
    let function = function.or_else(|| text.strip_prefix("fn ").filter(|_| kind == "pub trait "));
    if depth == 4
        && let Some(rest) = function
    {
        named.members.insert(first(rest));
        signature.clear();
    }
    signature.push_str(line);
    if depth == 4 && signature.contains("-> ") && text.ends_with('{') {
        // A joint, from nothing or from what it is called on; removing one gives it back.
        let own = named.name == "JointDef" && signature.contains("-> Self");
        let of_world = named.name == "World" && signature.contains("-> Result<JointDef");
        let name = signature.split_once("fn ").map(|(_, rest)| first(rest)).unwrap_or_default();
        if (own || of_world && signature.contains("&self")) && named.members.contains(&name) {
            named.makes.insert(name);
        }
        signature.clear();
    }
    match kind {
        "pub enum " => {
            // Variants, and their fields.
            named.members.insert(first(text));
        }
        _ => {
            if let Some((name, _)) = text.strip_prefix("pub ").and_then(|rest| rest.split_once(':'))
                && depth == 4
            {
                named.members.insert(first(name));
            }
        }
    }
}
