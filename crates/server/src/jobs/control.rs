//! The line between a job and those who watch it: how far it is, and whether it may go on.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The job is to end now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cancelled;

/// How a job stands, shared between the one who does it and those who watch.
#[derive(Debug, Clone, Default)]
pub(crate) struct Progress(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    reading: Mutex<Reading>,
    changed: Condvar,
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
    /// Says how far the job is, and waits while it is paused.
    ///
    /// # Errors
    /// [`Cancelled`] when the job is to end.
    pub(crate) fn advance(&self, done: u64, total: u64) -> Result<(), Cancelled> {
        let mut reading = self.lock();
        (reading.done, reading.total) = (done, total);
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
