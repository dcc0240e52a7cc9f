//! A call: its time budget, its cancellation, and the clock for both.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fumikura_base::clock::{Clock, SystemClock};
use jiff::Timestamp;
use parking_lot::{Condvar, Mutex, MutexGuard};

/// The bounds of one call.
#[derive(Debug, Clone)]
pub struct Call {
    /// The time within which the call ends, including its retry; usually [`crate::DEFAULT_BUDGET`].
    pub budget: Duration,
    /// Ends the call early.
    pub cancel: Cancel,
}

impl Default for Call {
    fn default() -> Self {
        Self {
            budget: crate::DEFAULT_BUDGET,
            cancel: Cancel::default(),
        }
    }
}

/// A cancellation that clones share. It interrupts a wait, a request in flight and a running command, but not
/// a name resolution or a connection attempt; those have a time limit of their own.
#[derive(Clone, Default)]
pub struct Cancel(Arc<SharedCall>);

#[derive(Default)]
struct SharedCall {
    state: Mutex<CallState>,
    changed: Condvar,
}

#[derive(Default)]
struct CallState {
    is_cancelled: bool,
    next_id: u64,
    hooks: Vec<(u64, Hook)>,
}

type Hook = Box<dyn FnOnce() + Send>;

impl Cancel {
    /// Cancels all clones permanently.
    pub fn cancel(&self) {
        let hooks = {
            let mut state = self.state();
            state.is_cancelled = true;
            self.0.changed.notify_all();
            std::mem::take(&mut state.hooks)
        };
        for (_, hook) in hooks {
            hook();
        }
    }

    /// Returns true if [`Cancel::cancel`] was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state().is_cancelled
    }

    /// Waits for `duration` or until cancelled.
    pub fn wait(&self, duration: Duration) {
        let end = Instant::now() + duration;
        let mut state = self.state();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if state.is_cancelled || left.is_zero() {
                return;
            }
            self.0.changed.wait_for(&mut state, left);
        }
    }

    /// Runs `hook` on cancellation, or at once if already cancelled, as long as the returned value lives.
    pub(crate) fn on_cancel(&self, hook: impl FnOnce() + Send + 'static) -> Registration {
        let mut state = self.state();
        let id = state.next_id;
        state.next_id += 1;
        if state.is_cancelled {
            drop(state);
            hook();
        } else {
            state.hooks.push((id, Box::new(hook)));
        }
        Registration {
            cancel: self.clone(),
            id,
        }
    }

    fn state(&self) -> MutexGuard<'_, CallState> {
        self.0.state.lock()
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}

/// A registered hook; dropping it removes the hook.
pub(crate) struct Registration {
    cancel: Cancel,
    id: u64,
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.cancel.state().hooks.retain(|(id, _)| *id != self.id);
    }
}

/// A clock that can wait. Tests pass one whose waits take no time.
pub trait Timer: Clock + fmt::Debug {
    /// Waits for `duration`, or until cancelled.
    fn wait(&self, duration: Duration, cancel: &Cancel);
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemTimer(SystemClock);

impl Clock for SystemTimer {
    fn now(&self) -> Timestamp {
        self.0.now()
    }

    fn monotonic(&self) -> Duration {
        self.0.monotonic()
    }
}

impl Timer for SystemTimer {
    fn wait(&self, duration: Duration, cancel: &Cancel) {
        cancel.wait(duration);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn cancel_ends_a_wait_in_another_thread() {
        let cancel = Cancel::default();
        let waiting = thread::spawn({
            let cancel = cancel.clone();
            move || cancel.wait(LONG)
        });
        cancel.cancel();
        waiting.join().unwrap();
        assert!(cancel.is_cancelled());
    }

    #[test]
    fn hooks_run_once_while_they_are_registered() {
        let runs = Arc::new(AtomicUsize::new(0));
        let count = || {
            let runs = Arc::clone(&runs);
            move || {
                runs.fetch_add(1, Ordering::SeqCst);
            }
        };
        let cancel = Cancel::default();
        drop(cancel.on_cancel(count()));
        let kept = cancel.on_cancel(count());
        cancel.cancel();
        cancel.cancel();
        assert_eq!(runs.load(Ordering::SeqCst), 1);
        drop(kept);
        let late = cancel.on_cancel(count());
        assert_eq!(runs.load(Ordering::SeqCst), 2);
        drop(late);
    }
}
