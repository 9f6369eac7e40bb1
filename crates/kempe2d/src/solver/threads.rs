//! Work that is divided among threads, and the state of the bodies as they see it.
//!
//! A step is hundreds of short loops one after the other, each of some microseconds. To wake a thread
//! takes as long as that. So threads are woken once in a step: until its end they follow the one that
//! steps, from loop to loop. Each of them takes the chunks of its own part first, which it had in the
//! loop before and so has at hand; then those that others have left. Which of them takes which chunk
//! does not matter to the results, nor into how many a loop is divided.
#![expect(unsafe_code, reason = "threads share a closure, and write different rows of one slice")]

use super::HOT;
use std::any::Any;
use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

thread_local! {
    /// The team that this thread leads.
    static LED: Cell<*const Team> = const { Cell::new(std::ptr::null()) };
}

/// How often a thread looks for work before it lets others have the processor.
const PATIENCE: u32 = 2_000;

/// Parts that chunks are dealt out in, at most: threads beyond that only help the others.
const PARTS: usize = 64;

/// Chunks of a job at most.
const CHUNKS: usize = 1 << 20;

/// A part of the chunks that nobody has taken: the number of the job in the upper 24 bits, the first
/// chunk and the one behind the last in 20 bits each. While there are none, nothing of the job can be
/// taken, and the next one may be put in its place.
#[derive(Default)]
#[repr(align(64))]
struct Part {
    left: AtomicU64,
    /// What to do with them; beside them, as one comes with the other from cache to cache.
    job: AtomicPtr<Job<'static>>,
}

impl Part {
    fn deal(&self, number: u64, job: *mut Job<'static>, from: usize, to: usize) {
        self.job.store(job, Ordering::Relaxed);
        self.left.store(number << 40 | (from as u64) << 20 | to as u64, Ordering::Release);
    }

    /// The job that it is of.
    fn number(&self) -> u64 {
        self.left.load(Ordering::Acquire) >> 40
    }

    /// Takes the first chunk, or the last one.
    fn take(&self, number: u64, first: bool) -> Option<Chunk> {
        let mask = CHUNKS as u64 - 1;
        let mut now = self.left.load(Ordering::Acquire);
        loop {
            let job = self.job.load(Ordering::Relaxed);
            let (from, to) = (now >> 20 & mask, now & mask);
            if now >> 40 != number || from >= to {
                return None;
            }
            let (chunk, next) = if first { (from, now + (1 << 20)) } else { (to - 1, now - 1) };
            // Fails if the job has become another since its pointer was read.
            let orders = (Ordering::AcqRel, Ordering::Acquire);
            match self.left.compare_exchange_weak(now, next, orders.0, orders.1) {
                Ok(_) => return Some(Chunk { job, index: chunk as usize }),
                Err(changed) => now = changed,
            }
        }
    }
}

/// A chunk that was taken, of a job that lives until it is done.
struct Chunk {
    job: *mut Job<'static>,
    index: usize,
}

/// What the threads of a step have in common. Fields that one thread writes while another looks at
/// others have lines of the cache of their own.
pub(super) struct Team {
    parts: [Part; PARTS],
    done: Done,
    /// How many of them there are.
    count: usize,
    /// Whether the step is over.
    over: AtomicBool,
    /// Whether something went wrong, and what.
    failed: AtomicBool,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// How many chunks those that follow have taken, as far as the one that leads has waited for them.
    awaited: AtomicUsize,
}

/// How many chunks those that follow have done.
#[derive(Default)]
#[repr(align(64))]
struct Done(AtomicUsize);

struct Job<'a> {
    run: &'a (dyn Fn(usize) + Sync),
}

impl Team {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            parts: std::array::from_fn(|_| Part::default()),
            done: Done::default(),
            count: threads.clamp(1, PARTS),
            over: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            panic: Mutex::default(),
            awaited: AtomicUsize::new(0),
        }
    }

    /// Takes chunks of a job until there are none. Says after each part how many were done.
    fn work(&self, number: u64, own: usize, mut done: impl FnMut(usize)) {
        for k in 0..self.count {
            let part = &self.parts[(own + k) % self.count];
            let mut taken = 0;
            while let Some(Chunk { job, index }) = part.take(number, k == 0) {
                // SAFETY: the pointer was read while the part was one of this job, and the job lives
                // until all its chunks are said to be done: this one is not.
                let job = unsafe { &*job };
                if let Err(what) = catch_unwind(AssertUnwindSafe(|| (job.run)(index))) {
                    let mut panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
                    *panic = Some(what);
                    self.failed.store(true, Ordering::Relaxed);
                }
                taken += 1;
            }
            if taken > 0 {
                done(taken);
            }
        }
    }

    /// Works on one job after the other until the step is over.
    pub(super) fn follow(&self, thread: usize) {
        let own = thread % self.count;
        let (mut last, mut looked) = (0, 0);
        while !self.over.load(Ordering::Acquire) {
            let number = self.parts[own].number();
            if number != last {
                (last, looked) = (number, 0);
                self.work(number, own, |done| {
                    self.done.0.fetch_add(done, Ordering::Release);
                });
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
        let pointer = (&raw const job).cast_mut().cast();
        // Who leads has the first part.
        let own = 0;
        // A team is of one step, which has no 16 million loops; if it had, they would begin again.
        let number = (self.parts[own].number() + 1) & 0xff_ffff;
        for (k, part) in self.parts[..self.count].iter().enumerate().rev() {
            part.deal(number, pointer, k * count / self.count, (k + 1) * count / self.count);
        }
        let mut others = count;
        self.work(number, own, |done| others -= done);
        let awaited = self.awaited.load(Ordering::Relaxed).wrapping_add(others);
        self.awaited.store(awaited, Ordering::Relaxed);
        let mut looked = 0;
        while self.done.0.load(Ordering::Acquire) != awaited {
            looked += 1;
            if looked > PATIENCE {
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
        if self.failed.load(Ordering::Relaxed) {
            self.failed.store(false, Ordering::Relaxed);
            let panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(what) = panic {
                resume_unwind(what);
            }
        }
    }
}

/// Does something as the one that leads a team.
pub(super) fn lead<R>(team: &Team, work: impl FnOnce() -> R) -> R {
    struct Over<'a>(&'a Team, *const Team);
    impl Drop for Over<'_> {
        fn drop(&mut self) {
            self.0.over.store(true, Ordering::Release);
            LED.set(self.1);
        }
    }
    let _over = Over(team, LED.replace(team));
    work()
}

/// Does something with the numbers below `count`, on the threads that this one leads.
pub(crate) fn divide(count: usize, run: impl Fn(usize) + Sync) {
    let team = LED.get();
    if team.is_null() || !(2..CHUNKS).contains(&count) {
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

/// The first of a slice that threads share.
struct First<T>(*mut T);

// SAFETY: each thread makes another part of the slice from it.
unsafe impl<T: Send> Sync for First<T> {}

/// How many chunks to make of so many things, `most` of them in each at most: one where they are not
/// divided, else as many for each thread, so that none has more to do than the others.
pub(crate) fn chunks(things: usize, most: usize) -> usize {
    let team = LED.get();
    if team.is_null() || things <= most {
        return 1;
    }
    // SAFETY: as in `divide`.
    let threads = unsafe { &*team }.count;
    threads * things.div_ceil(threads * most)
}

/// Which of them are in a chunk of so many.
pub(crate) fn chunk_of(things: usize, chunk: usize, chunks: usize) -> Range<usize> {
    chunk * things / chunks..(chunk + 1) * things / chunks
}

/// Does something with batches of so many, `most` of them at a time; also told is the first of them.
pub(crate) fn divide_batches<T: Send>(
    all: &mut [T],
    size: usize,
    most: usize,
    run: impl Fn(usize, &mut [T]) + Sync,
) {
    let batches = all.len() / size.max(1);
    let count = chunks(batches, most);
    let first = First(all.as_mut_ptr());
    let first = &first;
    divide(count, |chunk| {
        let Range { start, end } = chunk_of(batches, chunk, count);
        // SAFETY: inside the slice, which is borrowed all the while; `divide` gives each number to
        // one thread, and the parts of two numbers have nothing in common.
        let part = unsafe {
            std::slice::from_raw_parts_mut(first.0.add(start * size), (end - start) * size)
        };
        run(start, part);
    });
}

/// Does something with some parts of a slice, and their numbers. They follow each other.
pub(crate) fn divide_parts<T: Send>(
    all: &mut [T],
    parts: &[Range<usize>],
    run: impl Fn(usize, &mut [T]) + Sync,
) {
    let mut end = 0;
    for part in parts {
        assert!(end <= part.start && part.start <= part.end, "parts follow each other");
        end = part.end;
    }
    assert!(end <= all.len(), "parts are inside");
    let first = First(all.as_mut_ptr());
    let first = &first;
    divide(parts.len(), |index| {
        let part = &parts[index];
        // SAFETY: inside the slice, which is borrowed all the while; `divide` gives each number to
        // one thread, and the parts of two numbers have nothing in common, as was tested.
        let part = unsafe { std::slice::from_raw_parts_mut(first.0.add(part.start), part.len()) };
        run(index, part);
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
pub(crate) struct Shared<'a> {
    first: *mut f32,
    floats: usize,
    hot: PhantomData<&'a mut [f32]>,
}

// SAFETY: the slice that a `Shared` was made from is borrowed while it lives. What threads do at the same
// time is entries of one bucket, which share no body that moves (they have one colour), or tiles, which
// share none either; and each lane has a row of its own to write a body to that does not move. So no
// row is written by two threads, or written by one and read by another.
unsafe impl Send for Shared<'_> {}
// SAFETY: as above.
unsafe impl Sync for Shared<'_> {}

impl<'a> Shared<'a> {
    pub(crate) fn new(hot: &'a mut [f32]) -> Self {
        Self { first: hot.as_mut_ptr(), floats: hot.len(), hot: PhantomData }
    }

    /// The first float.
    pub(crate) fn first(self) -> *mut f32 {
        self.first
    }

    /// How many bodies there are.
    pub(crate) fn bodies(self) -> usize {
        self.floats / HOT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_have_equal_shares() {
        for (threads, things) in [(2, 625), (3, 1000), (4, 49)] {
            let team = Team::new(threads);
            let count = lead(&team, || chunks(things, 48));
            assert!(count.is_multiple_of(threads) && things <= 48 * count, "{count}");
            let sizes: Vec<usize> = (0..count).map(|k| chunk_of(things, k, count).len()).collect();
            let of_part = |part: &[usize]| part.iter().sum::<usize>();
            let shares: Vec<usize> = sizes.chunks(count / threads).map(of_part).collect();
            assert_eq!(of_part(&shares), things);
            assert!(shares.iter().all(|share| share.abs_diff(things / threads) < 2), "{shares:?}");
        }
        assert_eq!(chunks(1000, 48), 1, "alone");
    }
}
