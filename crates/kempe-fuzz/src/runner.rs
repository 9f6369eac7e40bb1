//! Many inputs through the entry point, each watched for panics, time and memory.

use crate::entry::{Outcome, run};
use crate::generate::program;
use crate::mutate::{arbitrary, mutated};
use crate::random::{Random, derived};
use crate::watch::Watch;
use kempe_equation::gallery::GALLERY;
use std::cell::RefCell;
use std::io::{Seek, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Where an input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`program`]
    Generated,
    /// [`mutated`], of a program of the gallery.
    MutatedGallery,
    /// [`mutated`], of a generated program.
    MutatedGenerated,
    /// [`arbitrary`]
    Arbitrary,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Generated, Self::MutatedGallery, Self::MutatedGenerated, Self::Arbitrary];
}

/// One input.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its number in the run.
    pub number: u64,
    /// Where it comes from.
    pub kind: Kind,
    /// Itself.
    pub bytes: Vec<u8>,
}

impl Case {
    /// The `number`-th input of the run of a seed.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut random = Random::new(derived(seed, number));
        // A generated program costs as much as tens of arbitrary ones; see the figures that the
        // runner prints.
        let kind = match random.below(100) {
            0..6 => Kind::Generated,
            6..22 => Kind::MutatedGallery,
            22..38 => Kind::MutatedGenerated,
            _ => Kind::Arbitrary,
        };
        let own = random.bits();
        let bytes = match kind {
            Kind::Generated => program(own).into_bytes(),
            Kind::MutatedGallery => mutated(own, random.pick(GALLERY).source).into_bytes(),
            Kind::MutatedGenerated => mutated(own, &program(random.bits())).into_bytes(),
            Kind::Arbitrary => arbitrary(own),
        };
        Self { number, kind, bytes }
    }
}

/// What one input may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Of the wall clock.
    pub time: Duration,
    /// Bytes held at once, if the process counts them (see [`crate::watch::Counting`]).
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(1), memory: 256 << 20 }
    }
}

/// What an input took.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Whether it is a program.
    pub outcome: Outcome,
    /// The wall clock's time.
    pub time: Duration,
    /// The most bytes held at once.
    pub peak: usize,
}

/// An input for which something did not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The input.
    pub case: Case,
    /// What did not hold.
    pub what: String,
}

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the message and place of a panic for the report, instead of printing it at once.
pub fn collect_panics() {
    std::panic::set_hook(Box::new(|information| {
        let text = information.to_string();
        PANIC.with(|panic| *panic.borrow_mut() = Some(text));
    }));
}

/// Runs one input.
///
/// # Errors
/// If it panics, takes more than it may, or was generated and is no program all the same.
pub fn examine(case: &Case, limits: Limits) -> Result<Measured, Failure> {
    let measured = measure(case)?;
    let fail = |what: String| Err(Failure { case: case.clone(), what });
    if case.kind == Kind::Generated && measured.outcome == Outcome::Rejected {
        return fail("a generated program was rejected".to_owned());
    }
    if measured.peak > limits.memory {
        return fail(format!("took {} MB of memory", measured.peak >> 20));
    }
    if measured.time > limits.time {
        // Another program may have had the processor; a slow input is slow every time.
        let time = measure(case)?.time.min(measured.time);
        if time > limits.time {
            return fail(format!("took {} ms", time.as_millis()));
        }
        return Ok(Measured { time, ..measured });
    }
    Ok(measured)
}

fn measure(case: &Case) -> Result<Measured, Failure> {
    let watch = Watch::start();
    let start = Instant::now();
    let result = std::panic::catch_unwind(|| run(&case.bytes));
    let (time, peak) = (start.elapsed(), watch.peak());
    match result {
        Ok(outcome) => Ok(Measured { outcome, time, peak }),
        Err(_) => {
            let message = PANIC.with(|panic| panic.borrow_mut().take());
            let what = message.unwrap_or_else(|| "panicked".to_owned());
            Err(Failure { case: case.clone(), what })
        }
    }
}

/// How to run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many inputs.
    pub count: u64,
    /// What they are derived from.
    pub seed: u64,
    /// How many at a time.
    pub threads: usize,
    /// What each may take.
    pub limits: Limits,
    /// Whether to go on after a failure.
    pub keep_going: bool,
    /// Where each thread writes the number of its input before it runs it: a stack overflow ends
    /// the process without a word, and this says which input it was.
    pub journal: Option<PathBuf>,
}

/// What the inputs of one kind came to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// How many were programs.
    pub parsed: u64,
    /// How many were not.
    pub rejected: u64,
    /// How many failed.
    pub failed: u64,
    /// How long all of them took together.
    pub time: Duration,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By [`Kind`], in the order of [`Kind::ALL`].
    pub kinds: [Count; 4],
    /// The longest time, and the number of the input that took it.
    pub slowest: (Duration, u64),
    /// The most bytes, and the number of the input that took them.
    pub largest: (usize, u64),
    /// The failures, at most [`MAX_FAILURES`] of them.
    pub failures: Vec<Failure>,
}

/// How many failures are kept; all are counted.
pub const MAX_FAILURES: usize = 1000;

impl Tally {
    fn add(&mut self, case: &Case, result: Result<Measured, Failure>) {
        let count = &mut self.kinds[case.kind as usize];
        match result {
            Ok(measured) => {
                match measured.outcome {
                    Outcome::Parsed => count.parsed += 1,
                    Outcome::Rejected => count.rejected += 1,
                }
                count.time += measured.time;
                self.slowest = self.slowest.max((measured.time, case.number));
                self.largest = self.largest.max((measured.peak, case.number));
            }
            Err(failure) => {
                count.failed += 1;
                if self.failures.len() < MAX_FAILURES {
                    self.failures.push(failure);
                }
            }
        }
    }

    fn merge(&mut self, other: Self) {
        for (mine, theirs) in self.kinds.iter_mut().zip(other.kinds) {
            mine.parsed += theirs.parsed;
            mine.rejected += theirs.rejected;
            mine.failed += theirs.failed;
            mine.time += theirs.time;
        }
        self.slowest = self.slowest.max(other.slowest);
        self.largest = self.largest.max(other.largest);
        self.failures.extend(other.failures);
        self.failures.sort_by_key(|failure| failure.case.number);
        self.failures.truncate(MAX_FAILURES);
    }
}

/// Inputs are handed out this many at a time.
const BATCH: u64 = 64;

/// Runs the inputs of `settings`. `progress` hears, about once a second, how many inputs are
/// handed out, and the number of an input that one of the threads has been at for a minute.
pub fn run_all(settings: &Settings, mut progress: impl FnMut(u64, Option<u64>)) -> Tally {
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let busy: Vec<AtomicU64> = (0..settings.threads).map(|_| AtomicU64::new(u64::MAX)).collect();
    let mut total = Tally::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = busy
            .iter()
            .enumerate()
            .map(|(index, busy)| {
                let (next, stop) = (&next, &stop);
                scope.spawn(move || work(settings, index, busy, next, stop))
            })
            .collect();
        let mut since: Vec<(u64, u32)> = vec![(u64::MAX, 0); busy.len()];
        let mut ticks = 0_u32;
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(20));
            ticks += 1;
            if !ticks.is_multiple_of(50) {
                continue;
            }
            let mut stuck = None;
            for (now, since) in busy.iter().zip(&mut since) {
                let now = now.load(Ordering::Relaxed);
                *since = if since.0 == now { (now, since.1 + 1) } else { (now, 0) };
                if now != u64::MAX && since.1 >= 60 {
                    stuck = Some(now);
                }
            }
            progress(next.load(Ordering::Relaxed).min(settings.count), stuck);
        }
        for worker in workers {
            // A worker catches the panics of its inputs and has none of its own.
            total.merge(worker.join().unwrap_or_default());
        }
    });
    total
}

fn work(
    settings: &Settings,
    index: usize,
    busy: &AtomicU64,
    next: &AtomicU64,
    stop: &AtomicBool,
) -> Tally {
    let journal = settings.journal.as_ref();
    let mut journal =
        journal.and_then(|path| std::fs::File::create(path.with_extension(index.to_string())).ok());
    let mut tally = Tally::default();
    while !stop.load(Ordering::Relaxed) {
        let first = next.fetch_add(BATCH, Ordering::Relaxed);
        if first >= settings.count {
            break;
        }
        for number in first..(first + BATCH).min(settings.count) {
            busy.store(number, Ordering::Relaxed);
            if let Some(file) = &mut journal {
                // A journal that cannot be written is not worth ending the run for.
                let _ =
                    file.rewind().and_then(|()| file.write_all(format!("{number:<20}").as_bytes()));
            }
            let case = Case::new(settings.seed, number);
            let result = examine(&case, settings.limits);
            if result.is_err() && !settings.keep_going {
                stop.store(true, Ordering::Relaxed);
            }
            tally.add(&case, result);
        }
    }
    busy.store(u64::MAX, Ordering::Relaxed);
    tally
}
