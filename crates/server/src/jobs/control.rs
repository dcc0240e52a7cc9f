//! The line between a job and those who watch it: how far it is, and whether it may go on.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How much time passes at least between two steps that are told.
const BETWEEN: Duration = Duration::from_millis(250);

/// The job is to end now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cancelled;

/// How a job stands, shared between the one who does it and those who watch.
#[derive(Debug, Clone, Default)]
pub(crate) struct Progress(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// The job's id.
    job: String,
    reading: Mutex<Reading>,
    changed: Condvar,
    teller: OnceLock<Teller>,
}

/// Tells those who watch of steps.
struct Teller {
    tell: Box<dyn Fn() + Send + Sync>,
    last: Mutex<Told>,
}

impl fmt::Debug for Teller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Teller")
    }
}

/// What was told last, and when.
#[derive(Debug, Clone, Copy)]
struct Told {
    percent: u64,
    at: Instant,
}

impl Told {
    /// Notes a step if it is worth telling: one of a hundredth at least, and not too soon.
    fn step(&mut self, done: u64, total: u64, now: Instant) -> bool {
        let percent = match total {
            0 => 0,
            total => (u128::from(done) * 100 / u128::from(total)) as u64,
        };
        let due = percent != self.percent && now.duration_since(self.at) >= BETWEEN;
        if due {
            *self = Self { percent, at: now };
        }
        due
    }
}

/// What a watcher sees.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    /// How much is done.
    pub(crate) done: u64,
    /// How much there is; 0 while nobody knows.
    pub(crate) total: u64,
    /// Whether the job waits until it is let go on.
    pub(crate) paused: bool,
    /// Whether the job is to end.
    pub(crate) cancelled: bool,
}

impl Progress {
    /// The progress of a job that begins.
    pub(super) fn of(job: String) -> Self {
        Self(Arc::new(Shared {
            job,
            ..Shared::default()
        }))
    }

    /// The id of the job.
    pub(crate) fn job(&self) -> &str {
        &self.0.job
    }

    /// Says how far the job is, and waits while it is paused.
    ///
    /// # Errors
    /// [`Cancelled`] when the job is to end.
    pub(crate) fn advance(&self, done: u64, total: u64) -> Result<(), Cancelled> {
        {
            let mut reading = self.lock();
            (reading.done, reading.total) = (done, total);
        }
        self.tell_step(done, total);
        let mut reading = self.lock();
        while reading.paused && !reading.cancelled {
            let waited = self.0.changed.wait(reading);
            reading = waited.unwrap_or_else(PoisonError::into_inner);
        }
        if reading.cancelled {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }

    /// Has `tell` called as the job goes on, a few times a second at most.
    pub(super) fn tell_steps(&self, tell: impl Fn() + Send + Sync + 'static) {
        let told = Told {
            percent: 0,
            at: Instant::now(),
        };
        // A job has one.
        self.0.teller.get_or_init(|| Teller {
            tell: Box::new(tell),
            last: Mutex::new(told),
        });
    }

    fn tell_step(&self, done: u64, total: u64) {
        let Some(teller) = self.0.teller.get() else {
            return;
        };
        let mut last = teller.last.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.step(done, total, Instant::now());
        drop(last);
        if due {
            (teller.tell)();
        }
    }

    pub(crate) fn reading(&self) -> Reading {
        *self.lock()
    }

    pub(super) fn pause(&self, paused: bool) {
        self.lock().paused = paused;
        self.0.changed.notify_all();
    }

    pub(super) fn cancel(&self) {
        self.lock().cancelled = true;
        self.0.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Reading> {
        self.0
            .reading
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_told_that_are_a_hundredth_and_not_too_soon_after_one_another() {
        let start = Instant::now();
        let mut told = Told {
            percent: 0,
            at: start,
        };
        let mut step =
            |done, total, after| told.step(done, total, start + Duration::from_millis(after));
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
    fn a_paused_job_goes_on_when_it_is_let_and_a_cancelled_one_ends() {
        let progress = Progress::default();
        progress.pause(true);
        let worker = {
            let progress = progress.clone();
            std::thread::spawn(move || (progress.advance(1, 2), progress.advance(2, 2)))
        };
        while progress.reading().done == 0 {
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
