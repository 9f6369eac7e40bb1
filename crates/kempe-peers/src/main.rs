//! The benchmark against other engines: see `--help`.

use kempe_peers::allocator::Counting;
use kempe_peers::arguments::{Arguments, Format, HELP, Task};
use kempe_peers::failure::Failure;
use kempe_peers::growth::{Growth, growth};
use kempe_peers::memory::{Memory, memory};
use kempe_peers::page::Page;
use kempe_peers::run::{Figure, Guarded, Known, Plan};
use kempe_peers::scenes::Entry;
use kempe_peers::{guard, report, run, stability, targets};
use kempe_scenes::stability as random;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Growth ends here.
const MOST: usize = 1_000_000;

fn main() -> ExitCode {
    match Arguments::parse(std::env::args().skip(1)).and_then(|arguments| perform(&arguments)) {
        Ok(text) => print(&text),
        Err(failure @ Failure::Usage(_)) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

/// A reader that has enough is no error.
fn print(text: &str) -> ExitCode {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

fn perform(arguments: &Arguments) -> Result<String, Failure> {
    match (arguments.task, arguments.format) {
        (Task::Help, _) => Ok(HELP.to_owned()),
        (Task::Stability, format) => {
            let figures = stability::measure(&arguments.engines, arguments.worlds, |figure| {
                eprint!("{}", random::line(figure));
            })?;
            match format {
                Format::Json => report::json(&figures),
                _ => Ok(random::table(&figures)),
            }
        }
        (_, Format::Markdown) => {
            let (figures, guarded) = peers(arguments)?;
            let grown = grown(arguments)?;
            let held = held(&arguments.scenes)?;
            Ok(Page { arguments, figures, guarded, grown, held }.text())
        }
        (Task::Peers, Format::Json) => report::json(&peers(arguments)?.0),
        (Task::Peers, Format::Table) => {
            let (figures, _) = peers(arguments)?;
            let mut text = String::new();
            for scene in report::scenes(&figures) {
                text += &format!("{scene}\n{}\n", report::of_scene(&figures, scene).aligned());
            }
            Ok(text + &report::of_targets(&targets::of_figures(&figures)).aligned())
        }
        (Task::Growth, Format::Json) => report::json(&grown(arguments)?),
        (Task::Growth, Format::Table) => {
            let rows = grown(arguments)?;
            let reached = report::of_targets(&targets::of_growth(&rows)).aligned();
            Ok(report::of_growth(&rows).aligned() + "\n" + &reached)
        }
        (Task::Memory, Format::Json) => report::json(&held(&arguments.scenes)?),
        (Task::Memory, Format::Table) => {
            let rows = held(&arguments.scenes)?;
            let reached = report::of_targets(&targets::of_memory(&rows)).aligned();
            Ok(report::of_memory(&rows).aligned() + "\n" + &reached)
        }
    }
}

/// Times all; what happens on the way goes to stderr.
fn peers(arguments: &Arguments) -> Result<(Vec<Figure>, Guarded), Failure> {
    if !guard::works() {
        eprintln!("the system does not tell who uses it: no repeat is dropped for being disturbed");
    }
    let plan = Plan {
        engines: arguments.engines.clone(),
        repeats: arguments.repeats,
        steps: arguments.steps,
    };
    let mut figures = Vec::new();
    let mut all = Guarded::default();
    for entry in &arguments.scenes {
        let world = entry.build()?.world;
        let mut known = Known::new();
        for threads in &arguments.threads {
            let mut guarded = Guarded::default();
            let of_scene =
                run::scene(entry.name, &world, *threads, &plan, &mut known, &mut guarded)?;
            figures.extend(of_scene);
            eprintln!("{}, {threads}T: {guarded}", entry.name);
            all += guarded;
        }
    }
    Ok((figures, all))
}

fn grown(arguments: &Arguments) -> Result<Vec<Growth>, Failure> {
    growth(&arguments.threads, MOST)
}

fn held(scenes: &[Entry]) -> Result<Vec<Memory>, Failure> {
    scenes.iter().map(memory).collect()
}
