//! Whether other processes had the machine's cores.
//!
//! What Linux counts in `/proc/stat` as busy (and as taken by other guests of the host), less what this
//! process used by `/proc/self/stat`, is what others took. Both count ticks of 10 ms; two of them are
//! let pass, since either end of a span may be off by one.

use std::fs;
use std::time::Instant;

/// Ticks in a second: Linux tells all programs of 100, whatever it uses itself.
const TICKS: f64 = 100.0;

/// What was used up to a time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    at: Instant,
    /// By everything, and by this process, in ticks; none where the system does not tell.
    used: Option<[u64; 2]>,
}

impl Sample {
    /// Now.
    pub fn now() -> Self {
        Self { at: Instant::now(), used: all_ticks().zip(own_ticks()).map(<[u64; 2]>::from) }
    }

    /// How many cores others had since then, on average.
    pub fn others(&self) -> Option<f64> {
        let now = Self::now();
        let seconds = (now.at - self.at).as_secs_f64();
        let (before, after) = (self.used?, now.used?);
        let all = after[0].saturating_sub(before[0]);
        let own = after[1].saturating_sub(before[1]);
        let ticks = all.saturating_sub(own).saturating_sub(2);
        (seconds > 0.0).then(|| ticks as f64 / TICKS / seconds)
    }
}

/// What others may have had: 0.6 of a core beside one thread, 0.1 beside more.
pub fn limit(threads: u32) -> f64 {
    if threads <= 1 { 0.6 } else { 0.1 }
}

/// Whether the system tells.
pub fn works() -> bool {
    Sample::now().used.is_some()
}

fn all_ticks() -> Option<u64> {
    busy_ticks(&fs::read_to_string("/proc/stat").ok()?)
}

fn own_ticks() -> Option<u64> {
    process_ticks(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// Of the line `cpu`: user, nice, system, (idle, waiting,) interrupts, soft interrupts, stolen.
fn busy_ticks(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with("cpu "))?;
    let numbers: Vec<u64> = line.split_whitespace().skip(1).map_while(|w| w.parse().ok()).collect();
    let kinds = [0, 1, 2, 5, 6, 7].map(|kind| numbers.get(kind).copied());
    kinds.into_iter().sum()
}

/// User and system time: the 12th and 13th field behind the name, which may have spaces in it.
fn process_ticks(text: &str) -> Option<u64> {
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let (user, system) = (fields.next()?, fields.next()?);
    Some(user.parse::<u64>().ok()? + system.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::{busy_ticks, process_ticks};

    #[test]
    fn the_system_is_read_as_it_writes() {
        let stat = "cpu  10 20 30 1000 50 1 2 3 0 0\ncpu0 1 1 1 1\n";
        assert_eq!(busy_ticks(stat), Some(66));
        assert_eq!(busy_ticks("cpu0 1 2 3\n"), None);
        let own = "42 (a name) b) S 1 2 3 0 -1 4 5 6 7 8 70 7 0 0 20 0 1 0 33 3 3\n";
        assert_eq!(process_ticks(own), Some(77));
        assert_eq!(process_ticks(""), None);
    }
}
