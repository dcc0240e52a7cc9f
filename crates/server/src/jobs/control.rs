//! Communication between a job and its observers: progress, pausing and cancellation.

use std::fmt;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};
use tokio::sync::Notify;

/// The minimum time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// An error: the job was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cancelled;

/// The state of a job, shared by the job and its observers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Progress(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    job: String,
    state: Mutex<ProgressState>,
    changed: Condvar,
    /// Notified when the job is cancelled.
    cancelled: Notify,
    reporter: OnceLock<Reporter>,
}

/// Reports progress to observers.
struct Reporter {
    report: Box<dyn Fn() + Send + Sync>,
    last: Mutex<LastReport>,
}

impl fmt::Debug for Reporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reporter")
    }
}

/// The last report.
#[derive(Debug, Clone, Copy)]
struct LastReport {
    percent: u64,
    at: Instant,
}

impl LastReport {
    /// Records a step if it is to be reported: at least one percent, and not too soon after the last report.
    fn step(&mut self, done: u64, total: u64, now: Instant) -> bool {
        let percent = match total {
            0 => 0,
            total => (u128::from(done) * 100 / u128::from(total)) as u64,
        };
        let due = percent != self.percent && now.duration_since(self.at) >= REPORT_INTERVAL;
        if due {
            *self = Self { percent, at: now };
        }
        due
    }
}

/// The progress of a job at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ProgressState {
    /// The amount of work done.
    pub(crate) done: u64,
    /// The total amount of work; 0 while it is unknown.
    pub(crate) total: u64,
    /// True while the job waits for its turn.
    pub(crate) queued: bool,
    /// True while the job is paused.
    pub(crate) paused: bool,
    /// True if the job was cancelled.
    pub(crate) cancelled: bool,
}

impl Progress {
    /// Creates the progress of a new job.
    pub(super) fn of(job: String) -> Self {
        Self(Arc::new(Shared {
            job,
            ..Shared::default()
        }))
    }

    /// Returns the id of the job.
    pub(crate) fn job(&self) -> &str {
        &self.0.job
    }

    /// Reports progress, and waits while the job is paused.
    ///
    /// # Errors
    /// [`Cancelled`] if the job was cancelled.
    pub(crate) fn advance(&self, done: u64, total: u64) -> Result<(), Cancelled> {
        {
            let mut state = self.lock();
            (state.done, state.total) = (done, total);
        }
        self.report_step(done, total);
        let mut state = self.lock();
        while state.paused && !state.cancelled {
            self.0.changed.wait(&mut state);
        }
        if state.cancelled {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }

    /// Sets the callback for progress, which is called a few times a second at most.
    pub(crate) fn on_step(&self, report: impl Fn() + Send + Sync + 'static) {
        let last = LastReport {
            percent: 0,
            at: Instant::now(),
        };
        // Each job has only one callback.
        self.0.reporter.get_or_init(|| Reporter {
            report: Box::new(report),
            last: Mutex::new(last),
        });
    }

    fn report_step(&self, done: u64, total: u64) {
        let Some(reporter) = self.0.reporter.get() else {
            return;
        };
        let mut last = reporter.last.lock();
        let due = last.step(done, total, Instant::now());
        drop(last);
        if due {
            (reporter.report)();
        }
    }

    pub(crate) fn state(&self) -> ProgressState {
        *self.lock()
    }

    pub(super) fn pause(&self, paused: bool) {
        self.lock().paused = paused;
        self.0.changed.notify_all();
    }

    pub(super) fn cancel(&self) {
        self.lock().cancelled = true;
        self.0.changed.notify_all();
        self.0.cancelled.notify_waiters();
    }

    /// Waits until the job is cancelled.
    pub(crate) async fn cancelled(&self) {
        let mut cancelled = pin!(self.0.cancelled.notified());
        // From here on, no notification is missed.
        cancelled.as_mut().enable();
        if !self.state().cancelled {
            cancelled.await;
        }
    }

    pub(crate) fn set_queued(&self, queued: bool) {
        self.lock().queued = queued;
    }

    fn lock(&self) -> MutexGuard<'_, ProgressState> {
        self.0.state.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_reports_are_throttled_by_percent_and_time() {
        let start = Instant::now();
        let mut last = LastReport {
            percent: 0,
            at: start,
        };
        let mut step =
            |done, total, after| last.step(done, total, start + Duration::from_millis(after));
        assert!(!step(50, 100, 100));
        assert!(step(50, 100, 250));
        assert!(!step(50, 100, 900));
        assert!(!step(509, 1_000, 900));
        assert!(step(510, 1_000, 900));
        assert!(!step(1_000, 1_000, 1_149));
        assert!(step(1_000, 1_000, 1_150));
        assert!(!step(0, 0, 1_150));
    }

    #[test]
    fn paused_job_resumes_and_cancelled_job_ends() {
        let progress = Progress::default();
        progress.pause(true);
        let worker = {
            let progress = progress.clone();
            std::thread::spawn(move || (progress.advance(1, 2), progress.advance(2, 2)))
        };
        while progress.state().done == 0 {
            std::thread::yield_now();
        }
        assert!(!worker.is_finished());
        progress.pause(false);
        assert_eq!(worker.join().unwrap(), (Ok(()), Ok(())));

        progress.pause(true);
        progress.cancel();
        assert_eq!(progress.advance(2, 2), Err(Cancelled));
    }
}
