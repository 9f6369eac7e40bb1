//! The threads of a world.

use crate::error::Error;
use crate::solver::Crew;
use std::fmt;
use std::sync::Arc;

/// Threads that wait for work. Copies of a world share them.
#[derive(Clone)]
pub(super) struct Threads(Arc<Crew>);

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} threads", self.0.len())
    }
}

impl Threads {
    /// So many threads; none for one.
    pub(super) fn new(count: u32) -> Result<Option<Self>, Error> {
        if count < 2 {
            return Ok(None);
        }
        let crew = Crew::new(count as usize);
        let crew = crew.map_err(|error| Error::Threads { reason: error.to_string() })?;
        Ok(Some(Self(Arc::new(crew))))
    }

    /// Does something on these threads.
    pub(super) fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        self.0.run(work)
    }
}
