//! Threads that wait for a step to help with.
//!
//! The thread that steps leads; the others follow it until the step is over. Waking them allocates
//! nothing and is not waited for.
#![expect(unsafe_code, reason = "a team that lives on the stack of one thread is seen by others")]

use super::threads::{Team, lead};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// How often a thread looks for the next step before it goes to sleep: some tenths of a millisecond.
const LOOKS: u32 = 20_000;

/// Threads that wait. They end with it.
pub(crate) struct Crew {
    office: Arc<Office>,
    threads: Vec<JoinHandle<()>>,
}

/// Where they wait.
#[derive(Default)]
struct Office {
    desk: Mutex<Desk>,
    /// How many teams there were, for those that look before they wait.
    teams: AtomicU64,
    /// There is a team to follow, or everything ends.
    called: Condvar,
    /// The last one has left the team.
    left: Condvar,
}

#[derive(Default)]
struct Desk {
    team: Option<Followed>,
    /// How many teams there were.
    teams: u64,
    /// How many threads follow the present one.
    following: usize,
    over: bool,
}

/// A team that lives for as long as it is on the desk or followed.
#[derive(Clone, Copy)]
struct Followed(*const Team);

// SAFETY: a team is made to be shared; `Crew::run` says for how long.
unsafe impl Send for Followed {}

impl Office {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does with its life.
    fn attend(&self, thread: usize) {
        let mut desk = self.desk();
        let mut seen = 0;
        while !desk.over {
            let Some(Followed(team)) = desk.team.filter(|_| desk.teams != seen) else {
                // A thread that was woken often runs where the one is that woke it; one that has
                // not yet gone to sleep has a processor of its own.
                drop(desk);
                let looks = (0..LOOKS).take_while(|_| {
                    std::hint::spin_loop();
                    self.teams.load(Ordering::Relaxed) == seen
                });
                let tired = looks.count() == LOOKS as usize;
                desk = self.desk();
                if tired && desk.teams == seen && !desk.over {
                    desk = self.called.wait(desk).unwrap_or_else(PoisonError::into_inner);
                }
                continue;
            };
            seen = desk.teams;
            desk.following += 1;
            drop(desk);
            // SAFETY: the team was on the desk when this thread was counted among those that follow it,
            // and `Crew::run` does not return before all of them have left.
            unsafe { &*team }.follow(thread);
            desk = self.desk();
            desk.following -= 1;
            if desk.following == 0 {
                self.left.notify_all();
            }
        }
    }
}

impl Crew {
    /// So many threads, the one that steps counted in.
    pub(crate) fn new(threads: usize) -> io::Result<Self> {
        let mut crew = Self { office: Arc::default(), threads: Vec::new() };
        for thread in 1..threads {
            let office = Arc::clone(&crew.office);
            let builder = std::thread::Builder::new().name(format!("kempe-{thread}"));
            crew.threads.push(builder.spawn(move || office.attend(thread))?);
        }
        Ok(crew)
    }

    /// How many threads there are, the one that steps counted in.
    pub(crate) fn len(&self) -> usize {
        self.threads.len() + 1
    }

    /// Does something with the others to help with what is divided; alone, if they help another world
    /// just now.
    pub(crate) fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        /// Takes the team from the desk, and waits for those that follow it.
        struct Leave<'a>(&'a Office);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                let mut desk = self.0.desk();
                desk.team = None;
                while desk.following > 0 {
                    desk = self.0.left.wait(desk).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        let team = Team::new(self.len());
        let mut desk = self.office.desk();
        if desk.team.is_some() || desk.following > 0 {
            drop(desk);
            return work();
        }
        desk.team = Some(Followed(&raw const team));
        desk.teams += 1;
        self.office.teams.store(desk.teams, Ordering::Relaxed);
        drop(desk);
        self.office.called.notify_all();
        // Dropped before the team is, whatever happens; by then the work is over, and nobody follows long.
        let _leave = Leave(&self.office);
        lead(&team, work)
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.office.desk().over = true;
        self.office.called.notify_all();
        for thread in self.threads.drain(..) {
            // It does not panic: what it does for others is caught.
            let _ = thread.join();
        }
    }
}
