//! What runs write: into a hidden folder first, and moved to its place when all of it is there.
//!
//! | file | has |
//! |---|---|
//! | `tables` | CSV and JSON |
//! | `plots` | plots of probes, energy, joints and traces |
//! | `replay` | replays and films |
//! | `words` | a summary for people |

pub(crate) mod plots;
pub(crate) mod replay;
pub(crate) mod tables;
pub(crate) mod words;

use crate::failure::Failure;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What hidden folders are called, before the number of the process.
const PART: &str = ".kempe-part-";

/// Files on their way to a folder.
pub(crate) struct Folder {
    to: PathBuf,
    /// Where they wait, and whether the folder was made for it.
    waiting: PathBuf,
    made: Option<PathBuf>,
    names: Vec<String>,
}

/// That something can be written to a folder, before a long run.
pub(crate) fn check(folder: &Path) -> Result<(), Failure> {
    match fs::metadata(folder) {
        Ok(found) if !found.is_dir() => Err(Failure::of_file(folder, &"it is not a folder")),
        Ok(found) if found.permissions().readonly() => {
            Err(Failure::of_file(folder, &"it cannot be written to"))
        }
        _ => Ok(()),
    }
}

/// Removes what runs that were killed have left there, where it can be told that they are gone.
fn clean(folder: &Path) {
    let processes = Path::new("/proc");
    let (true, Ok(entries)) = (processes.join("self").exists(), fs::read_dir(folder)) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(PART)?.parse::<u32>().ok());
        if process.is_some_and(|process| !processes.join(process.to_string()).exists()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

impl Folder {
    /// Files for a folder, which is made if it is missing.
    pub(crate) fn new(to: &Path) -> Result<Self, Failure> {
        // The first folder on the way that is not there yet: it goes again if nothing comes of it.
        let missing = to.ancestors().take_while(|way| !way.as_os_str().is_empty() && !way.exists());
        let made = missing.last().map(Path::to_path_buf);
        clean(to);
        let waiting = to.join(format!("{PART}{}", std::process::id()));
        let folder = Self { to: to.to_path_buf(), waiting, made, names: Vec::new() };
        match fs::create_dir_all(&folder.waiting) {
            Ok(()) => Ok(folder),
            Err(error) => Err(Failure::of_file(to, &error)),
        }
    }

    /// Adds a file.
    pub(crate) fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.write(name, |out| out.write_all(bytes))
    }

    /// Adds a file piece by piece.
    pub(crate) fn write(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::of_file(&self.to.join(name), &error);
        let mut out = BufWriter::new(File::create(self.waiting.join(name)).map_err(failed)?);
        fill(&mut out).and_then(|()| out.flush()).map_err(failed)?;
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Moves all files to their place, and gives their names.
    pub(crate) fn finish(mut self) -> Result<Vec<String>, Failure> {
        for name in &self.names {
            let to = self.to.join(name);
            fs::rename(self.waiting.join(name), &to)
                .map_err(|error| Failure::of_file(&to, &error))?;
        }
        self.made = None;
        Ok(std::mem::take(&mut self.names))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.waiting);
        if let Some(made) = &self.made {
            let _ = fs::remove_dir_all(made);
        }
    }
}

/// A picture that could not be made.
pub(crate) fn no_picture(name: &str, error: &kempe_picture::Error) -> Failure {
    Failure::Bad(format!("{name}: {error}"))
}
