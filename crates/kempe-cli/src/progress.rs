//! How far a run is, for people who wait.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::ops::ControlFlow;

/// Parts of a bar.
const PARTS: u64 = 1000;

/// A bar on standard error; nothing where nobody would see it.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    pub(crate) fn new(what: &str, quiet: bool) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar =
            ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{msg} {bar:32} {percent:>3} %  {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what.to_owned());
        Self(bar)
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
