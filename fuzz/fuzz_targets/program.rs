//! Any bytes through everything that `kempe-equation` does, driven by libFuzzer.
//!
//! ```sh
//! cargo +nightly fuzz run program -- -dict=fuzz/program.dict -timeout=1 -rss_limit_mb=512
//! ```
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    kempe_fuzz::run(data);
});
