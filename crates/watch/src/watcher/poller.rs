//! The thread that reports changes and has folders checked, when they are due. The checks run in the disk pool, one of
//! each disk at a time.

use std::sync::Arc;

use super::{Monitor, Notify, Shared};
use crate::probe::Observation;
use crate::registry::{CheckJob, WatchRegistry};

/// A check of a folder. When it is dropped, also by a panic or because the pool refused it, the registry is told: nothing
/// else on the same disk is checked before that.
struct Check {
    monitor: Arc<Monitor>,
    job: CheckJob,
}

impl Drop for Check {
    fn drop(&mut self) {
        let now = self.monitor.now();
        self.monitor.state().registry.looked(&self.job, now);
        self.monitor.wake();
    }
}

impl Shared {
    /// Reports changes and submits checks when they are due, until the end.
    pub(super) fn poll(self: &Arc<Self>, tell: &Notify) {
        let monitor = &self.monitor;
        let mut state = monitor.state();
        while !state.is_over {
            let now = monitor.now();
            let mut due = state.registry.take_due(now);
            let job = state.registry.take(now);
            drop(state);
            let (due_beneath, next_beneath) = self.deep.step();
            due.extend(due_beneath);
            let is_idle = due.is_empty() && job.is_none();
            due.into_iter().for_each(tell);
            if let Some(job) = job {
                self.submit(job);
            }
            state = monitor.state();
            if is_idle && !state.is_over {
                let next = [state.registry.next_due(), state.registry.next_look()];
                let next = next.into_iter().flatten().min();
                let next = next.map(|next| next.saturating_sub(now));
                let next = next.into_iter().chain(next_beneath).min();
                monitor.wait(&mut state, next);
            }
        }
    }

    fn submit(self: &Arc<Self>, job: CheckJob) {
        let device = job.device;
        let monitor = Arc::clone(&self.monitor);
        let (shared, check) = (Arc::clone(self), Check { monitor, job });
        let run = move || {
            shared.sweep();
            shared.run(&check.job);
        };
        if let Err(error) = self.pool.submit(device, run) {
            tracing::debug!(%error, "a folder is checked later");
        }
    }

    /// Checks a watched folder.
    fn run(&self, job: &CheckJob) {
        let CheckJob { source, known, .. } = job;
        let there = self.probe.find(source);
        let is_another = job.is_unsure || there.as_ref().ok() != known.as_ref();
        if is_another && let Some(before) = known {
            self.hear_no_more_of(before);
        }
        if is_another || job.is_doubted {
            self.attend(source, there, WatchRegistry::change);
        } else if job.contents
            && let Ok(look) = self.look_into(source)
        {
            let now = self.monitor.now();
            self.monitor.state().registry.compare(source, look, now);
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
