//! The progress of long commands on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The number of times a second that the bar is drawn at most.
const RATE: u8 = 5;
/// The time between two steps of the bar while the amount of work is unknown.
const TICK: Duration = Duration::from_millis(200);

/// The unit of the amount of work.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    /// Steps without a meaning of their own.
    Step,
    Bytes,
}

/// A bar on standard error, if that is a terminal. Programs that read JSON get none.
pub(crate) struct ProgressDisplay {
    bar: ProgressBar,
    unit: Unit,
}

impl ProgressDisplay {
    pub(crate) fn new(unit: Unit, json: bool) -> Self {
        let target = match json {
            true => ProgressDrawTarget::hidden(),
            // It is hidden as well if standard error is no terminal.
            false => ProgressDrawTarget::stderr_with_hz(RATE),
        };
        let bar = ProgressBar::with_draw_target(None, target).with_style(unknown_style());
        bar.enable_steady_tick(TICK);
        Self { bar, unit }
    }

    /// Shows the amount of work that was done; the total is 0 while it is unknown.
    pub(crate) fn set(&self, done: u64, total: u64) {
        if total > 0 && self.bar.length() != Some(total) {
            self.bar.set_length(total);
            self.bar.set_style(self.unit.style());
        }
        self.bar.set_position(done);
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Unit {
    fn style(self) -> ProgressStyle {
        let template = match self {
            Self::Step => "{bar:30} {percent:>3} % {elapsed}",
            Self::Bytes => "{bar:30} {percent:>3} % {bytes} of {total_bytes}, {eta} left",
        };
        let style = ProgressStyle::with_template(template);
        style
            .expect("BUG: the template is invalid")
            .progress_chars("━╸ ")
    }
}

fn unknown_style() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {elapsed}").expect("BUG: the template is invalid")
}
