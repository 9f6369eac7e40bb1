//! How many instructions the parts take: the same number every time, on a busy machine too.
//!
//! ```text
//! cargo install gungraun-runner --version 0.20.0
//! RUSTFLAGS="" cargo bench -p kempe-peers --bench counts
//! ```
//!
//! It needs valgrind, and tells what is missing where it cannot count. The empty `RUSTFLAGS` is there
//! because valgrind does not know AVX-512, which a build for the native processor has where the
//! processor has it; Kempe itself then asks valgrind's processor what it can do.

mod cases;
mod tools;

fn main() {
    // The runner starts this program again for each case.
    let inside = std::env::args().nth(1).is_some_and(|argument| argument == "--gungraun-run");
    if !inside && let Err(missing) = tools::look() {
        eprintln!("Instructions are not counted: {missing}");
        return;
    }
    cases::run();
}
