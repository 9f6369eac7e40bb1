//! A short run of the fuzzer, for `cargo test`. The long one is `examples/fuzz.rs`.

use kempe_fuzz::runner::{Kind, Limits, Settings, collect_panics, run_all};
use kempe_fuzz::watch::{Counting, Watch};
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn no_input_panics_hangs_or_takes_much_memory() {
    collect_panics();
    // A test is no place to measure time: this is built with few optimizations and runs beside
    // other tests, so only what is far beyond the second that the long run allows fails here.
    let limits = Limits { time: Duration::from_secs(20), ..Limits::default() };
    let settings = Settings {
        count: 50_000,
        seed: 1876,
        threads: 2,
        limits,
        keep_going: false,
        journal: None,
    };
    let tally = run_all(&settings, |_, stuck| {
        if let Some(number) = stuck {
            eprintln!("input {number} of seed {} has been running for a minute", settings.seed);
        }
    });
    if let Some(failure) = tally.failures.first() {
        let text = String::from_utf8_lossy(&failure.case.bytes);
        let (number, kind) = (failure.case.number, failure.case.kind);
        let shown: String = text.chars().take(2000).collect();
        panic!("input {number} of seed {}, {kind:?}: {}\n{shown}", settings.seed, failure.what);
    }
    let all: u64 = tally.kinds.iter().map(|kind| kind.parsed + kind.rejected).sum();
    assert_eq!(all, settings.count);
    for kind in Kind::ALL {
        assert!(tally.kinds[kind as usize].parsed > 0, "{kind:?}: none is a program");
    }
    assert!(tally.largest.0 > 0, "memory was not counted");
}

#[test]
fn memory_is_counted_by_thread() {
    let watch = Watch::start();
    let before = watch.peak();
    std::thread::scope(|scope| {
        scope.spawn(|| drop(vec![0_u8; 8 << 20]));
    });
    assert!(watch.peak() - before < 1 << 20, "another thread's memory");
    let mut growing: Vec<u8> = Vec::new();
    growing.resize(1 << 20, 1);
    growing.resize(3 << 20, 1);
    drop(growing);
    assert!((3 << 20..9 << 20).contains(&watch.peak()), "{}", watch.peak());
}
