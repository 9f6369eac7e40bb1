//! `kempe sweep`.
//!
//! | file | has |
//! |---|---|
//! | `plan` | which values, and what is run with them |
//! | `result` | what is kept of a run: a line |
//! | `journal` | lines of finished runs, so that an interrupted sweep can go on |
//! | `plot` | every probe against the parameter |

mod journal;
mod plan;
mod plot;
mod result;

use crate::arguments::Sweep;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::speak;
use journal::Journal;
use plan::Plan;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

pub(crate) fn run(arguments: &Sweep) -> Result<(), Failure> {
    let plan = Plan::new(arguments)?;
    let folder = &arguments.output;
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::of_file(folder, &"it is a file, and no folder"));
    }
    std::fs::create_dir_all(folder).map_err(|error| Failure::of_file(folder, &error))?;
    let mut journal = Journal::open(folder, &plan)?;
    let before = journal.lines.iter().flatten().count();
    let count = plan.values.len();
    if before > 0 && !arguments.quiet {
        speak::note(&format!("{before} of {count} runs are done already; going on\n"));
    }
    let ahead: Vec<usize> = (0..count).filter(|at| journal.lines[*at].is_none()).collect();
    let bar = Progress::counting("runs", count, before, arguments.quiet);
    work(&plan, &ahead, jobs(arguments), |index, line| {
        bar.one_more();
        journal.add(index, line)
    })?;
    drop(bar);

    let lines: Vec<String> = journal.lines.iter().flatten().cloned().collect();
    let table = format!("{}\n{}\n", result::header(&plan), lines.join("\n"));
    write(&folder.join("sweep.csv"), &table)?;
    write(&folder.join("sweep.svg"), &plot::svg(&plan, &lines))?;
    journal.remove()?;
    tell(arguments, &plan, &lines)
}

/// How many runs are made at a time.
fn jobs(arguments: &Sweep) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    arguments.jobs.map_or_else(cores, |jobs| jobs as usize)
}

/// Runs what is ahead on a few threads, and hands each line over as soon as it is there.
fn work(
    plan: &Plan,
    ahead: &[usize],
    jobs: usize,
    mut done: impl FnMut(usize, String) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(ahead.len()) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                while let Some(index) = ahead.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Nobody listens once something went wrong.
                    if send.send((*index, result::line(plan, *index))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        receive.into_iter().try_for_each(|(index, line)| done(index, line))
    })
}

/// Beside it first, so that there is never half a file.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = Path::new(&beside);
    std::fs::write(beside, text).map_err(|error| Failure::of_file(beside, &error))?;
    std::fs::rename(beside, path).map_err(|error| Failure::of_file(path, &error))
}

fn tell(arguments: &Sweep, plan: &Plan, lines: &[String]) -> Result<(), Failure> {
    let all = lines.len();
    let read: Vec<result::Read> = lines.iter().map(|line| result::read(plan, line)).collect();
    let failed = read.iter().filter(|each| each.failed).count();
    let unmet = read.iter().filter(|each| each.unmet > 0).count();
    let folder = arguments.output.display();
    let name = &plan.parameter;
    let (from, to) = (plan.values[0], plan.values[all - 1]);
    let mut text = format!("{all} runs of {}, {name} from {from} to {to}\n", plan.scene);
    if failed > 0 {
        text += &format!("  {failed} could not be run; why is in the column `error`\n");
    }
    if unmet > 0 {
        text += &format!("  in {unmet} something that is expected does not hold\n");
    } else if read.iter().any(|each| each.met > 0) && failed == 0 {
        text += "  everything that is expected holds\n";
    }
    text += &format!("wrote {folder}/sweep.csv and {folder}/sweep.svg\n");
    speak::print(&text)?;
    match (failed, unmet) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::Unmet(format!("{unmet} of {all} runs do not do what is expected"))),
        _ => Err(Failure::Unmet(format!("{failed} of {all} runs could not be made"))),
    }
}
