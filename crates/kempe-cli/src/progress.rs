//! How far a run is, for people who wait.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::time::Duration;

/// Parts of a bar.
const PARTS: u64 = 1000;

/// A bar on standard error; nothing where nobody would see it.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    pub(crate) fn new(what: &str, quiet: bool) -> Self {
        Self::bar("{msg} {bar:32} {percent:>3} %  {eta} left", what, PARTS, quiet)
    }

    /// Of so many things, of which some are done.
    pub(crate) fn counting(what: &str, count: usize, before: usize, quiet: bool) -> Self {
        let bar = Self::bar("{bar:40} {pos} of {len} {msg}, {eta} left", what, count as u64, quiet);
        bar.0.set_position(before as u64);
        bar.0.reset_eta();
        bar.0.enable_steady_tick(Duration::from_millis(200));
        bar
    }

    fn bar(template: &str, what: &str, count: u64, quiet: bool) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let target = ProgressDrawTarget::stderr_with_hz(10);
        let bar = ProgressBar::with_draw_target(Some(count), target);
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what.to_owned());
        Self(bar)
    }

    /// One more is done.
    pub(crate) fn one_more(&self) {
        self.0.inc(1);
    }

    /// For a run to call.
    pub(crate) fn watch(&self) -> impl FnMut(f64) -> ControlFlow<()> {
        let (bar, mut last) = (self.0.clone(), 0);
        move |done| {
            let part = (done * PARTS as f64) as u64;
            if part > last {
                bar.set_position(part);
                last = part;
            }
            ControlFlow::Continue(())
        }
    }

    /// What is being done now.
    pub(crate) fn tell(&self, what: &str) {
        self.0.set_message(what.to_owned());
        self.0.set_position(0);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
