//! Work that is divided among threads, and the state of the bodies as they see it.
//!
//! A step is hundreds of short loops one after the other, each of some microseconds. To wake a thread
//! takes as long as that. So threads are woken once in a step: until its end they follow the one that
//! steps, from loop to loop. Which of them takes which chunk does not matter to the results.
#![expect(unsafe_code, reason = "threads share a closure, and write different rows of one slice")]

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

thread_local! {
    /// The team that this thread leads.
    static LED: Cell<*const Team> = const { Cell::new(std::ptr::null()) };
}

/// How often a thread looks for work before it lets others have the processor.
const PATIENCE: u32 = 20_000;

/// What the threads of a step have in common.
#[derive(Default)]
struct Team {
    /// The number of the job in the upper half, how many of its chunks nobody has taken in the lower:
    /// while there are none, nothing of it can be taken, and the next job may be put in its place.
    ticket: AtomicU64,
    /// How many chunks of the job are done.
    done: AtomicUsize,
    /// A `Job`, while not all of it is done.
    job: AtomicPtr<Job<'static>>,
    /// Whether the step is over.
    over: AtomicBool,
    /// What went wrong.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

struct Job<'a> {
    run: &'a (dyn Fn(usize) + Sync),
}

impl Team {
    /// Takes chunks of a job until there are none.
    fn work(&self, number: u64) {
        let mut ticket = self.ticket.load(Ordering::Acquire);
        loop {
            let job = self.job.load(Ordering::Relaxed);
            let left = (ticket & u64::from(u32::MAX)) as usize;
            if ticket >> 32 != number || left == 0 {
                return;
            }
            // Fails if the job has become another since its pointer was read.
            let taken = self.ticket.compare_exchange_weak(
                ticket,
                ticket - 1,
                Ordering::AcqRel,
                Ordering::Acquire,
            );
            match taken {
                Ok(_) => {
                    // SAFETY: the pointer was read while the ticket was one of this job, and the
                    // job lives until all its chunks are done: this one is not.
                    let job = unsafe { &*job };
                    if let Err(what) = catch_unwind(AssertUnwindSafe(|| (job.run)(left - 1))) {
                        let mut panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
                        *panic = Some(what);
                    }
                    self.done.fetch_add(1, Ordering::Release);
                    ticket = self.ticket.load(Ordering::Acquire);
                }
                Err(now) => ticket = now,
            }
        }
    }

    /// Works on one job after the other until the step is over.
    fn follow(&self) {
        let (mut last, mut looked) = (0, 0);
        while !self.over.load(Ordering::Acquire) {
            let number = self.ticket.load(Ordering::Acquire) >> 32;
            if number != last {
                (last, looked) = (number, 0);
                self.work(number);
            }
            looked += 1;
            if looked > PATIENCE {
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
    }

    fn divide(&self, count: usize, run: &(dyn Fn(usize) + Sync)) {
        let job = Job { run };
        let number = ((self.ticket.load(Ordering::Relaxed) >> 32) + 1) & u64::from(u32::MAX);
        self.job.store((&raw const job).cast_mut().cast(), Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.ticket.store(number << 32 | count as u64, Ordering::Release);
        self.work(number);
        let mut looked = 0;
        while self.done.load(Ordering::Acquire) < count {
            looked += 1;
            if looked > PATIENCE {
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
        let panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(what) = panic {
            resume_unwind(what);
        }
    }
}

/// Does something with so many threads of the present pool beside this one to help with what is
/// [divided](divide).
pub(crate) fn lead<R: Send>(helpers: usize, work: impl FnOnce() -> R + Send) -> R {
    struct Over<'a>(&'a Team, *const Team);
    impl Drop for Over<'_> {
        fn drop(&mut self) {
            self.0.over.store(true, Ordering::Release);
            LED.set(self.1);
        }
    }
    fn with(team: &Team, helpers: usize, work: &mut (dyn FnMut() + Send)) {
        if helpers == 0 {
            let _over = Over(team, LED.replace(team));
            work();
        } else {
            rayon::join(|| with(team, helpers - 1, work), || team.follow());
        }
    }
    let (mut work, mut result) = (Some(work), None);
    let team = Team::default();
    with(&team, helpers, &mut || result = work.take().map(|work| work()));
    match result {
        Some(result) => result,
        None => unreachable!("the work was done"),
    }
}

/// Does something with the numbers below `count`, on the threads that this one leads.
pub(crate) fn divide(count: usize, run: impl Fn(usize) + Sync) {
    let team = LED.get();
    if team.is_null() || count < 2 || u32::try_from(count).is_err() {
        (0..count).for_each(run);
        return;
    }
    struct Back(*const Team);
    impl Drop for Back {
        fn drop(&mut self) {
            LED.set(self.0);
        }
    }
    // What is divided inside of a chunk is one thread's.
    let _back = Back(LED.replace(std::ptr::null()));
    // SAFETY: `lead` holds the team while this thread leads it, and takes the pointer back.
    unsafe { &*team }.divide(count, &run);
}

/// Does something with chunks of so many, the last one shorter, and their numbers.
pub(crate) fn divide_chunks<T: Send>(
    all: &mut [T],
    size: usize,
    run: impl Fn(usize, &mut [T]) + Sync,
) {
    struct First<T>(*mut T);
    // SAFETY: each thread makes another part of the slice from it.
    unsafe impl<T: Send> Sync for First<T> {}
    let (length, first) = (all.len(), First(all.as_mut_ptr()));
    let first = &first;
    divide(length.div_ceil(size.max(1)), |chunk| {
        let (from, to) = (chunk * size, ((chunk + 1) * size).min(length));
        // SAFETY: inside the slice, which is borrowed all the while; `divide` gives each number to
        // one thread, and the parts of two numbers have nothing in common.
        let part = unsafe { std::slice::from_raw_parts_mut(first.0.add(from), to - from) };
        run(chunk, part);
    });
}

/// Does something with several things, each on some thread.
pub(crate) fn divide_list<T: Send>(list: &[Mutex<Option<T>>], run: impl Fn(T) + Sync) {
    divide(list.len(), |index| {
        let taken = list[index].lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(taken) = taken {
            run(taken);
        }
    });
}

/// The hot state. Entries that are solved side by side write different rows of it, and read rows that
/// none of the others writes.
#[derive(Clone, Copy)]
pub(crate) struct Shared(*mut f32);

// SAFETY: a `Shared` lives as long as the passes over one bucket, during which the slice that it was
// made from is borrowed. The entries of a bucket share no body that moves (they have one colour), and
// each lane has a row of its own to write a body to that does not move; so no row is written by two
// threads, or written by one and read by another.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    pub(crate) fn new(hot: &mut [f32]) -> Self {
        Self(hot.as_mut_ptr())
    }

    /// The first float.
    pub(crate) fn first(self) -> *mut f32 {
        self.0
    }
}
