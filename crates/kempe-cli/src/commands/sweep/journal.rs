//! Lines of finished runs in a file of the folder, so that an interrupted sweep can go on.
//!
//! The first lines say what the sweep is, those behind them `index,line`. A line that was cut off as
//! the sweep was interrupted is left out.

use super::plan::Plan;
use super::result;
use crate::failure::Failure;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const NAME: &str = "sweep.journal";
const TITLE: &str = "kempe sweep, unfinished";

/// What is done of a sweep.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// By run.
    pub lines: Vec<Option<String>>,
}

impl Journal {
    /// Goes on with one that is there, or begins.
    pub fn open(folder: &Path, plan: &Plan) -> Result<Self, Failure> {
        let path = folder.join(NAME);
        let refuse = |error: &dyn std::fmt::Display| Failure::of_file(&path, error);
        let mut open = OpenOptions::new();
        open.read(true).write(true).create(true).truncate(false);
        let mut file = open.open(&path).map_err(|error| refuse(&error))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(refuse(&"a sweep is running in this folder; take another"));
            }
            // Where files cannot be locked, nobody else is expected.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let text = std::fs::read(&path).map_err(|error| refuse(&error))?;
        let text = String::from_utf8_lossy(&text);
        let header = header(plan);
        let mut lines = vec![None; plan.values.len()];
        let kept = match text.strip_prefix(&header) {
            Some(rest) => {
                let mut kept = header.len();
                for line in rest.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
                    let Some((index, line)) = finished(plan, line.trim_end()) else { break };
                    kept += line.len() + index.to_string().len() + 2;
                    lines[index] = Some(line.to_owned());
                }
                kept
            }
            // Interrupted in its first line, or not yet begun.
            None if header.starts_with(&*text) => 0,
            None => return Err(refuse(&differs(plan, &text))),
        };
        let wrote = |file: &mut File| -> std::io::Result<()> {
            file.set_len(kept as u64)?;
            file.seek(SeekFrom::Start(kept as u64))?;
            if kept == 0 { file.write_all(header.as_bytes()) } else { Ok(()) }
        };
        wrote(&mut file).map_err(|error| refuse(&error))?;
        Ok(Self { path, file, lines })
    }

    /// Writes down a run that is done.
    pub fn add(&mut self, index: usize, line: String) -> Result<(), Failure> {
        let written = self.file.write_all(format!("{index},{line}\n").as_bytes());
        written.map_err(|error| Failure::of_file(&self.path, &error))?;
        self.lines[index] = Some(line);
        Ok(())
    }

    /// The sweep is finished.
    pub fn remove(self) -> Result<(), Failure> {
        let Self { path, file, .. } = self;
        drop(file);
        std::fs::remove_file(&path).map_err(|error| Failure::of_file(&path, &error))
    }
}

fn header(plan: &Plan) -> String {
    let lines = plan.identity().into_iter().map(|(name, value)| {
        // A name of a file can be anything.
        format!("# {name}: {}\n", value.replace(['\n', '\r'], " "))
    });
    format!("# {TITLE}\n{}\n", lines.collect::<String>())
}

/// The number of a run, and what is behind it.
fn finished<'a>(plan: &Plan, line: &'a str) -> Option<(usize, &'a str)> {
    let (index, line) = line.split_once(',')?;
    let index: usize = index.parse().ok().filter(|index| *index < plan.values.len())?;
    result::is_whole(plan, line).then_some((index, line))
}

/// What of a journal belongs to another sweep.
fn differs(plan: &Plan, text: &str) -> String {
    let other = |name: &str| {
        let before = format!("# {name}: ");
        text.lines().find_map(|line| line.strip_prefix(&before)).map(str::to_owned)
    };
    let mut lines = Vec::new();
    for (name, value) in plan.identity() {
        match other(name) {
            Some(there) if there != value && name.contains("says") => {
                lines.push("  the scene has been changed since".to_owned());
            }
            Some(there) if there != value => {
                let show =
                    |value: &str| if value.is_empty() { "nothing" } else { value }.to_owned();
                lines.push(format!("  {name} was {}, and is {}", show(&there), show(&value)));
            }
            _ => {}
        }
    }
    if !text.starts_with(&format!("# {TITLE}")) || lines.is_empty() {
        return "it is no journal of a sweep; take another folder, or remove it".to_owned();
    }
    let lines = lines.join("\n");
    format!(
        "another sweep is unfinished in this folder\n{lines}\nrun that one again to go on with it, \
         take another folder, or remove the journal"
    )
}
