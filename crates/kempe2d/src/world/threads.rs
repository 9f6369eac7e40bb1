//! The threads of a world.

use crate::error::Error;
use std::fmt;
use std::sync::Arc;

/// Threads that wait for work. Copies of a world share them.
#[derive(Clone)]
pub(super) struct Threads(Arc<rayon::ThreadPool>);

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} threads", self.0.current_num_threads())
    }
}

impl Threads {
    /// So many threads; none for one.
    pub(super) fn new(count: u32) -> Result<Option<Self>, Error> {
        if count < 2 {
            return Ok(None);
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count as usize)
            .thread_name(|index| format!("kempe-{index}"))
            .build();
        let pool = pool.map_err(|error| Error::Threads { reason: error.to_string() })?;
        Ok(Some(Self(Arc::new(pool))))
    }

    /// Does something on these threads.
    pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let helpers = self.0.current_num_threads() - 1;
        self.0.install(|| crate::solver::lead(helpers, work))
    }
}
