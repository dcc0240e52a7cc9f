//! The threads that check watched folders at intervals: as many as there are disks that keep them waiting, and one
//! more.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use parking_lot::MutexGuard;

use super::{Monitor, Shared, State};
use crate::probe::Observation;
use crate::registry::{CheckJob, WatchRegistry};

/// A guard that records the return of a check in the registry, even if it panicked: nothing else on the same disk is
/// checked before that.
struct Back<'a, F: Fn(&mut WatchRegistry, Duration)> {
    monitor: &'a Monitor,
    tell: F,
}

impl<F: Fn(&mut WatchRegistry, Duration)> Drop for Back<'_, F> {
    fn drop(&mut self) {
        (self.tell)(&mut self.monitor.state().registry, self.monitor.now());
        // This thread then ends, and another one takes over that disk.
        if thread::panicking() {
            self.monitor.to_look.notify_one();
        }
    }
}

impl Monitor {
    fn told_at_the_end<F: Fn(&mut WatchRegistry, Duration)>(&self, tell: F) -> Back<'_, F> {
        Back {
            monitor: self,
            tell,
        }
    }
}

impl Shared {
    /// Starts a thread that checks folders. The caller counts it as idle.
    pub(super) fn start_to_look(self: &Arc<Self>) -> io::Result<()> {
        let own = Arc::clone(self);
        let threads = thread::Builder::new().name("folders-look".into());
        threads.spawn(move || own.look_around())?;
        Ok(())
    }

    /// Checks folders when they are due, until the end.
    fn look_around(self: &Arc<Self>) {
        let monitor = &self.monitor;
        let mut state = monitor.state();
        while !state.is_over {
            let now = monitor.now();
            if let Some(errand) = state.registry.take(now) {
                self.hand_over(state);
                let back = monitor.told_at_the_end(|registry, now| registry.looked(&errand, now));
                self.sweep();
                self.run(&errand);
                drop(back);
            } else {
                let next = state.registry.next_look();
                monitor.wait(&monitor.to_look, &mut state, next);
                continue;
            }
            state = monitor.state();
            state.idle += 1;
        }
    }

    /// Hands the next check over to another thread, since this thread's may never return.
    fn hand_over(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        state.idle -= 1;
        if state.idle > 0 {
            self.monitor.to_look.notify_one();
            return;
        }
        state.idle += 1;
        drop(state);
        if let Err(error) = self.start_to_look() {
            tracing::warn!("a disk that does not answer may hold up others: {error}");
            self.monitor.state().idle -= 1;
        }
    }

    /// Checks a watched folder.
    fn run(&self, errand: &CheckJob) {
        let CheckJob { source, known, .. } = errand;
        let there = self.probe.find(source);
        let is_another = errand.is_unsure || there.as_ref().ok() != known.as_ref();
        if is_another && let Some(before) = known {
            self.hear_no_more_of(before);
        }
        if is_another || errand.is_doubted {
            self.attend(source, there, WatchRegistry::change);
        } else if errand.contents
            && let Ok(look) = self.look_into(source)
        {
            let now = self.monitor.now();
            self.monitor.state().registry.compare(source, look, now);
            self.monitor.to_tell.notify_one();
        }
    }

    /// Removes the watch of a folder. Another folder may have its place now, or the same one again: it is watched anew,
    /// also by other paths to it.
    fn hear_no_more_of(&self, before: &Observation) {
        if let Some(events) = &self.events {
            let _listening = self.listening();
            events.forget(&before.place);
            self.monitor.state().registry.doubt(before.identity);
        }
    }
}
