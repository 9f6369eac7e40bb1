//! Every joint in a story of its own: a file of under 100 lines to copy from, that builds a world,
//! steps it, and compares what it measures with the closed form.
//!
//! ```text
//! cargo run --release -p kempe2d --example gallery                  # all, drawn into a folder
//! cargo run --release -p kempe2d --example gallery -- gears         # one
//! cargo run --release -p kempe2d --example gallery -- gears FOLDER
//! ```
//!
//! Without a folder, drawings go to `kempe-gallery` in the system's folder for temporary files.

mod angles;
mod backlash;
mod belt;
mod breaking;
pub(crate) mod drawing;
mod drive;
mod elastic_tendon;
mod filter;
mod follower;
mod gear;
mod gears;
mod generic;
mod mouse;
mod mover;
mod path;
mod planetary;
mod pogo;
mod prismatic;
mod pulley;
mod rack_and_pinion;
mod ratchet;
mod revolute;
mod ropes;
mod scene;
mod screw;
mod slot;
mod softness;
mod springs;
mod tendon;
mod text;
mod top_down_friction;
mod user;
mod weld;
mod wheel;

use scene::{Fallible, Scene};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A story: its name, its text and how it runs.
pub struct Family {
    /// As it is asked for.
    pub name: &'static str,
    /// The text of its file.
    pub source: &'static str,
    /// How it runs.
    pub run: fn() -> Fallible<Scene>,
}

macro_rules! families {
    ($($name:ident)*) => {
        /// In the order in which they are told.
        pub fn families() -> Vec<Family> {
            vec![$(Family {
                name: stringify!($name),
                source: include_str!(concat!(stringify!($name), ".rs")),
                run: $name::run,
            }),*]
        }
    };
}

families! {
    weld revolute prismatic slot wheel
    ropes springs angles gear ratchet pulley
    generic drive mouse mover top_down_friction pogo
    gears planetary rack_and_pinion screw belt follower backlash
    path tendon elastic_tendon
    filter breaking text user softness
}

fn main() -> ExitCode {
    match tell(std::env::args().skip(1).collect()) {
        Ok(code) => code,
        // Whoever read it has seen enough.
        Err(error) if is_closed_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn is_closed_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<std::io::Error>();
    error.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

fn tell(arguments: Vec<String>) -> Fallible<ExitCode> {
    let mut families = families();
    if let Some(name) = arguments.first() {
        let known: Vec<&str> = families.iter().map(|family| family.name).collect();
        if !known.contains(&name.as_str()) {
            eprintln!("error: there is no `{name}` here. There are: {}", known.join(", "));
            return Ok(ExitCode::from(2));
        }
        families.retain(|family| family.name == name);
    }
    let folder = match arguments.get(1) {
        Some(folder) => PathBuf::from(folder),
        None => std::env::temp_dir().join("kempe-gallery"),
    };
    std::fs::create_dir_all(&folder)?;
    let mut wrong = 0;
    for family in &families {
        wrong += show(family, &folder)?;
    }
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs a story, draws it, and prints its figures. Says how many are off.
fn show(family: &Family, folder: &Path) -> Fallible<usize> {
    let scene = (family.run)().map_err(|error| format!("{}: {error}", family.name))?;
    let file = folder.join(format!("{}.svg", family.name));
    std::fs::write(&file, drawing::svg(&scene))?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}\n  → {}", scene.caption, file.display())?;
    for figure in &scene.figures {
        let mark = if figure.is_right() { "" } else { "   off" };
        let (label, unit) = (figure.label, figure.unit);
        let (value, expected) = (figure.value, figure.expected);
        writeln!(out, "  {label:<30} {value:>9.4} {unit:<6} should be {expected:.4}{mark}")?;
    }
    writeln!(out)?;
    Ok(scene.figures.iter().filter(|figure| !figure.is_right()).count())
}
