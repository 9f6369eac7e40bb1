//! Any bytes through everything that `kempe-equation` does, driven by libFuzzer.
//!
//! ```sh
//! cargo +nightly fuzz run program fuzz/corpus/program crates/kempe-equation/gallery -- \
//!     -dict=fuzz/program.dict -timeout=1 -rss_limit_mb=512
//! ```
//! What is found is added to the first folder, which must exist; the second is read only.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    kempe_fuzz::run(data);
});
