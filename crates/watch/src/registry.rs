//! The registry of watched folders: it has them checked when they are due, one of each disk at a time, and reports their
//! changes.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use fumikura_fs::{Device, DiskPool, FolderScope, RootId};
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::check::{CheckResult, Checker, Method, Target};
use crate::folder_watch::{FolderWatch, Step};
use crate::probe::FsProbe;
use crate::system_watches::{Hint, MakeEventSource, SystemWatches};
use crate::watcher::{FolderChange, Lease, WatchMode};

/// The maximum number of watched folders, and of those that are watched with everything beneath them. Beyond that, the
/// folder requested longest ago is dropped.
const fn most(scope: FolderScope) -> usize {
    match scope {
        FolderScope::Direct => 128,
        FolderScope::Recursive => 8,
    }
}

/// The watched folders.
pub(super) struct WatchRegistry {
    pool: Arc<DiskPool>,
    check_every: Duration,
    checker: Checker,
    /// The origin of all times.
    began: Instant,
    /// Not locked while a disk is asked, nor while system watches change, since an event needs it.
    list: Mutex<WatchList>,
    /// Signals a change of the list.
    has_changed: Condvar,
}

#[derive(Default)]
struct WatchList {
    /// The folder requested last is at the end.
    watches: Vec<FolderWatch>,
    /// The disks that are being checked, by one check each: a single folder never waits for everything beneath another.
    busy: HashSet<(Device, FolderScope)>,
    /// The number of watches that there ever were.
    created: u64,
    is_over: bool,
}

/// The next step of the thread.
enum NextStep {
    Report(FolderChange),
    Check(Check),
    /// Ends a watch that has expired.
    End(FolderWatch),
    /// Waits for that time, or until the list changes.
    Wait(Option<Duration>),
}

/// A check of a folder. Its disk is free when it is dropped, also by a panic, or because the pool refused it.
struct Check {
    registry: Arc<WatchRegistry>,
    watch: u64,
    target: Target,
    device: Option<Device>,
    is_stale: bool,
    before: Option<Arc<Method>>,
    result: Option<CheckResult>,
}

impl Check {
    fn run(mut self) {
        let before = self.before.as_deref().unwrap_or(&Method::Waiting);
        let checker = &self.registry.checker;
        let result = checker.check(self.watch, &self.target, before, self.is_stale);
        self.result = Some(result);
    }
}

impl Drop for Check {
    fn drop(&mut self) {
        let registry = &self.registry;
        let (now, check_every) = (registry.now(), registry.check_every);
        let mut list = registry.list();
        if let Some(device) = self.device {
            list.busy.remove(&(device, self.target.scope));
        }
        // The watch may have ended meanwhile. Its system watches end when the list is no longer locked.
        let watch = list.find(self.watch);
        let ended = watch.and_then(|watch| watch.finish(&mut self.result, now, check_every));
        drop(list);
        drop(ended);
        registry.has_changed.notify_all();
    }
}

impl WatchRegistry {
    pub(super) fn new(
        pool: Arc<DiskPool>,
        check_every: Duration,
        make_events: MakeEventSource,
        probe: Arc<dyn FsProbe>,
    ) -> Arc<Self> {
        Arc::new_cyclic(|registry: &Weak<Self>| {
            let registry = Weak::clone(registry);
            let events = SystemWatches::make(make_events, move |hint, users| {
                if let Some(registry) = registry.upgrade() {
                    registry.hint(hint, users);
                }
            });
            let events = events.map(Arc::new);
            Self {
                pool,
                check_every,
                checker: Checker { probe, events },
                began: Instant::now(),
                list: Mutex::default(),
                has_changed: Condvar::new(),
            }
        })
    }

    /// Watches a folder from now on. Waits until the disk has answered, unless the folder is watched already.
    pub(super) fn watch(&self, target: &Target) -> Lease {
        let (id, is_renewed, evicted) = self.list().request(target, self.now());
        self.has_changed.notify_all();
        drop(evicted);
        let mut list = self.list();
        let mode = loop {
            let Some(watch) = list.find(id) else {
                break WatchMode::Waiting;
            };
            match watch.mode() {
                Some(mode) => break mode,
                None => self.has_changed.wait(&mut list),
            }
        };
        Lease { mode, is_renewed }
    }

    /// Reports changes and submits checks, until the end.
    pub(super) fn run(self: &Arc<Self>, report: &dyn Fn(FolderChange)) {
        let mut list = self.list();
        while !list.is_over {
            match list.next_step(self, self.now()) {
                NextStep::Report(change) => MutexGuard::unlocked(&mut list, || report(change)),
                NextStep::Check(check) => MutexGuard::unlocked(&mut list, || self.submit(check)),
                NextStep::End(watch) => MutexGuard::unlocked(&mut list, || self.expire(watch)),
                NextStep::Wait(Some(time)) => drop(self.has_changed.wait_for(&mut list, time)),
                NextStep::Wait(None) => self.has_changed.wait(&mut list),
            }
        }
    }

    fn submit(&self, check: Check) {
        let device = check.device.unwrap_or_else(|| check.target.device());
        if let Err(error) = self.pool.submit(device, move || check.run()) {
            tracing::debug!(%error, "a folder is checked later");
        }
    }

    fn expire(&self, watch: FolderWatch) {
        // A caller may wait for its first check, on a disk that never answers.
        self.has_changed.notify_all();
        // A watch of many folders takes a while to end. If the pool refuses, it ends here.
        let device = watch.device.unwrap_or_else(|| watch.target.device());
        let _refused = self.pool.submit(device, move || drop(watch));
    }

    /// Records an event for these watches, or for all.
    fn hint(&self, hint: Hint, users: Option<&[u64]>) {
        let now = self.now();
        let mut list = self.list();
        for watch in &mut list.watches {
            if users.is_none_or(|users| users.contains(&watch.id)) {
                watch.hint(hint, now);
            }
        }
        self.has_changed.notify_all();
    }

    /// Returns the number of watched folders.
    pub(super) fn count(&self, scope: FolderScope) -> usize {
        self.list().count(scope)
    }

    /// Ends all watches beneath a root.
    pub(super) fn forget(&self, root: RootId) {
        let is_forgotten = |watch: &mut FolderWatch| watch.target.root() == root;
        let forgotten = Vec::from_iter(self.list().watches.extract_if(.., is_forgotten));
        self.has_changed.notify_all();
        drop(forgotten);
    }

    /// Ends all watches, and the thread. Running checks are not waited for: their disks may never answer.
    pub(super) fn shut_down(&self) {
        let mut list = self.list();
        list.is_over = true;
        let watches = std::mem::take(&mut list.watches);
        drop(list);
        self.has_changed.notify_all();
        drop(watches);
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn list(&self) -> MutexGuard<'_, WatchList> {
        self.list.lock()
    }
}

impl WatchList {
    /// Extends the watch of a folder, or adds one. Returns its number, true if no change was missed since the last
    /// request, and the watch that made room.
    fn request(&mut self, target: &Target, now: Duration) -> (u64, bool, Option<FolderWatch>) {
        let mut watches = self.watches.iter();
        let position = watches.position(|watch| watch.target == *target);
        let existing = position.map(|at| self.watches.remove(at));
        let mut watch = existing.unwrap_or_else(|| {
            self.created += 1;
            FolderWatch::new(self.created, target.clone())
        });
        let (id, is_renewed) = (watch.id, watch.renew(now));
        self.watches.push(watch);
        let is_over = self.count(target.scope) > most(target.scope);
        let mut watches = self.watches.iter();
        let oldest = watches.position(|watch| watch.target.scope == target.scope);
        let evicted = oldest.filter(|_| is_over).map(|at| self.watches.remove(at));
        (id, is_renewed, evicted)
    }

    fn count(&self, scope: FolderScope) -> usize {
        let watches = self.watches.iter();
        watches.filter(|watch| watch.target.scope == scope).count()
    }

    fn find(&mut self, id: u64) -> Option<&mut FolderWatch> {
        self.watches.iter_mut().find(|watch| watch.id == id)
    }

    /// Takes the next step.
    fn next_step(&mut self, registry: &Arc<WatchRegistry>, now: Duration) -> NextStep {
        let mut watches = self.watches.iter();
        if let Some(at) = watches.position(|watch| watch.is_expired(now)) {
            return NextStep::End(self.watches.remove(at));
        }
        // Of one disk, the folder that was checked longest ago comes first.
        let mut watches = Vec::from_iter(&mut self.watches);
        watches.sort_by_key(|watch| watch.next_check);
        let mut wait = None;
        for watch in watches {
            let device = watch.device;
            let key = device.map(|device| (device, watch.target.scope));
            let is_busy = key.is_some_and(|key| self.busy.contains(&key));
            match watch.step(now, is_busy) {
                Step::Report => return NextStep::Report(watch.target.change()),
                Step::Check { is_stale } => {
                    self.busy.extend(key);
                    return NextStep::Check(Check {
                        registry: Arc::clone(registry),
                        watch: watch.id,
                        target: watch.target.clone(),
                        device,
                        is_stale,
                        before: watch.method.clone(),
                        result: None,
                    });
                }
                Step::Wait(time) => wait = wait.into_iter().chain([time]).min(),
            }
        }
        NextStep::Wait(wait)
    }
}
