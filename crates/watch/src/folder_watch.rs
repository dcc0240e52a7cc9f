//! The state of a watched folder: what is due, and what the last check found.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use fumikura_fs::{Device, FolderScope};

use crate::check::{CheckResult, Method, Target};
use crate::debouncer::Debouncer;
use crate::system_watches::Hint;
use crate::watcher::{Lease, WatchMode};

/// The rest after all folders were watched anew, as a multiple of the time that this took: if folders appear all the
/// time, other work is done as well.
const REST: u32 = 4;

/// A watch of a folder. Times are those of the registry.
pub(super) struct FolderWatch {
    /// The number of the watch. A later watch of the same folder has another one.
    pub(super) id: u64,
    pub(super) target: Target,
    expires: Duration,
    /// The result of the last check; none until the first one.
    pub(super) method: Option<Arc<Method>>,
    is_being_checked: bool,
    /// The disk that a check waits for, as far as is known. That of a folder that vanished is remembered: a check may
    /// wait for it once more.
    pub(super) device: Option<Device>,
    pub(super) next_check: Duration,
    debouncer: Option<Debouncer>,
    /// True if folders may lack system watches: they may have appeared or been replaced.
    is_stale: bool,
    /// The time until which they are left alone.
    rested: Duration,
    /// True if a check found a change that was not reported.
    has_news: bool,
    /// True if changes may have been missed since the last request, as a check failed.
    has_gap: bool,
}

/// The next step of a watch.
pub(super) enum Step {
    /// Reports a change.
    Report,
    /// Checks the folder.
    Check {
        /// True if folders may lack system watches.
        is_stale: bool,
    },
    /// Waits for that time, or until the watch changes.
    Wait(Duration),
}

impl FolderWatch {
    pub(super) fn new(id: u64, target: Target) -> Self {
        Self {
            id,
            target,
            expires: Duration::ZERO,
            method: None,
            is_being_checked: false,
            device: None,
            next_check: Duration::ZERO,
            debouncer: None,
            is_stale: false,
            rested: Duration::ZERO,
            has_news: false,
            has_gap: false,
        }
    }

    /// Returns the way in which the folder is watched; `None` until the first check.
    pub(super) fn mode(&self) -> Option<WatchMode> {
        Some(self.method.as_ref()?.mode())
    }

    pub(super) fn is_expired(&self, now: Duration) -> bool {
        now >= self.expires
    }

    /// Extends the lease. Returns true if no change was missed since the last request.
    pub(super) fn renew(&mut self, now: Duration) -> bool {
        self.expires = now + Lease::TIME;
        let has_gap = std::mem::take(&mut self.has_gap);
        self.method.is_some() && !has_gap
    }

    /// Takes the next step. No check begins while another folder of the same disk is checked.
    pub(super) fn step(&mut self, now: Duration, is_disk_busy: bool) -> Step {
        if std::mem::take(&mut self.has_news) {
            return Step::Report;
        }
        let left = self.expires.saturating_sub(now);
        if self.is_being_checked {
            return Step::Wait(left);
        }
        let due = self.debouncer.map(|debouncer| debouncer.due());
        let is_due = due.is_some_and(|due| due <= now);
        let is_quiet = is_due || due.is_none();
        let is_stale = self.is_stale && self.rested <= now && is_quiet && !is_disk_busy;
        if is_due {
            self.debouncer = None;
            // Changes in a new folder before it is watched are reported together with it.
            if !is_stale {
                return Step::Report;
            }
        }
        let is_due = is_stale || self.next_check <= now && !is_disk_busy;
        if is_due {
            self.is_being_checked = true;
            self.is_stale &= !is_stale;
            return Step::Check { is_stale };
        }
        // Folders that were left alone at a report are watched later.
        let rested = (self.is_stale && due.is_none()).then_some(self.rested);
        let checks = rested.into_iter().chain([self.next_check]);
        let times = checks.filter(|_| !is_disk_busy).chain(due);
        let soonest = times.map(|time| time.saturating_sub(now)).min();
        Step::Wait(soonest.map_or(left, |time| time.min(left)))
    }

    /// Records an event.
    pub(super) fn hint(&mut self, hint: Hint, now: Duration) {
        self.debouncer = Some(Debouncer::with_hint(self.debouncer, now));
        self.is_stale |= match hint {
            Hint::File => false,
            // A folder that is watched alone does not depend on those in it.
            Hint::Folder => self.target.scope == FolderScope::Recursive,
            Hint::Itself => true,
        };
    }

    /// Records the result of a check, and returns the method that it replaces. Without a result, the check was refused
    /// or panicked, and is repeated later: a caller that waits for the first one gets the answer that the folder was not
    /// found, and its appearance is reported; one that renews the watch learns of the gap.
    pub(super) fn finish(
        &mut self,
        result: &mut Option<CheckResult>,
        now: Duration,
        check_every: Duration,
    ) -> Option<Arc<Method>> {
        self.is_being_checked = false;
        self.next_check = now + check_every;
        let Some(result) = result.take() else {
            self.has_gap = true;
            self.is_stale = true;
            // Another disk may be mounted there by now.
            self.device = None;
            self.rested = self.next_check;
            self.method.get_or_insert_with(|| Arc::new(Method::Waiting));
            return None;
        };
        self.has_news |= result.is_change && self.method.is_some();
        self.rested = self.rested.max(now + REST * result.took);
        let replaced = result
            .method
            .and_then(|method| self.method.replace(Arc::new(method)));
        let method = self.method.as_ref();
        self.is_stale &= method.is_some_and(|method| method.mode() == WatchMode::Events);
        let device = method.and_then(|method| method.device()).or(self.device);
        self.device = device.or(Some(Device::Root(self.target.root())));
        replaced
    }
}
