//! The registry of watched folders: it has them checked when they are due, one of each disk at a time, and collects the
//! changes to report.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fumikura_fs::{Device, DiskPool, Reach, RootId, Source};
use parking_lot::{Mutex, MutexGuard};

use crate::folder_watch::{FolderWatch, Step};
use crate::probe::FsProbe;
use crate::system_watches::SystemWatches;
use crate::watcher::{Changed, Lease, Watching};

/// The maximum number of watched folders, and of those that are watched with everything beneath them. Beyond that, the
/// folder requested longest ago is dropped.
const fn most(reach: Reach) -> usize {
    match reach {
        Reach::Folder => 128,
        Reach::Beneath => 8,
    }
}

/// A callback for steps that may be due.
pub(super) type Wake = Arc<dyn Fn() + Send + Sync>;

/// The watched folders.
pub(super) struct WatchRegistry {
    pool: Arc<DiskPool>,
    check_every: Duration,
    events: Option<Arc<SystemWatches>>,
    probe: Arc<dyn FsProbe>,
    /// Has the watcher's thread take the due steps.
    wake: Wake,
    list: Arc<Mutex<WatchList>>,
}

#[derive(Default)]
struct WatchList {
    /// The folder requested last is at the end.
    watches: Vec<Arc<FolderWatch>>,
    /// The disks that are being checked, by one check each: a single folder never waits for everything beneath another.
    busy: HashSet<(Device, Reach)>,
}

/// A check of a folder. Its disk is free when it is dropped, also by a panic, or because the pool refused it.
struct Check {
    watch: Arc<FolderWatch>,
    list: Arc<Mutex<WatchList>>,
    key: Option<(Device, Reach)>,
    wake: Wake,
    check_every: Duration,
    is_done: bool,
}

impl Check {
    fn run(mut self) {
        self.watch.check(self.check_every);
        self.is_done = true;
    }
}

impl Drop for Check {
    fn drop(&mut self) {
        if !self.is_done {
            self.watch.fail(self.check_every);
        }
        if let Some(key) = self.key {
            self.list.lock().busy.remove(&key);
        }
        (self.wake)();
    }
}

impl WatchRegistry {
    pub(super) fn new(
        pool: Arc<DiskPool>,
        check_every: Duration,
        events: Option<SystemWatches>,
        probe: Arc<dyn FsProbe>,
        wake: Wake,
    ) -> Self {
        Self {
            pool,
            check_every,
            events: events.map(Arc::new),
            probe,
            wake,
            list: Arc::default(),
        }
    }

    /// Watches a folder from now on. Waits until the disk has answered, unless the folder is watched already.
    pub(super) fn watch(&self, source: &Source, reach: Reach) -> Lease {
        let (watch, is_new) = self.take(source, reach);
        if is_new {
            (self.wake)();
        }
        let (watching, is_gapless) = watch.renew();
        Lease {
            watching: watching.unwrap_or(Watching::Waiting),
            is_renewed: is_gapless && !is_new,
        }
    }

    /// Returns the existing watch or a new one, which becomes the latest, and true if it is new.
    fn take(&self, source: &Source, reach: Reach) -> (Arc<FolderWatch>, bool) {
        let mut list = self.list();
        let watches = &mut list.watches;
        let is_it = |watch: &Arc<FolderWatch>| watch.is_of(source, reach);
        let at = watches.iter().position(is_it);
        let before = at.map(|at| watches.remove(at));
        if let Some(before) = before.as_ref().filter(|before| before.extend()) {
            watches.push(Arc::clone(before));
            return (Arc::clone(before), false);
        }
        let (probe, events) = (Arc::clone(&self.probe), self.events.clone());
        let watch = FolderWatch::new(source, reach, probe, events);
        let watch = Arc::new(watch);
        watches.push(Arc::clone(&watch));
        let alike = watches.iter().filter(|other| other.reach() == reach);
        let evicted = (alike.count() > most(reach))
            .then(|| watches.iter().position(|other| other.reach() == reach));
        let evicted = evicted.flatten().map(|at| watches.remove(at));
        drop(list);
        before.iter().chain(&evicted).for_each(|watch| watch.end());
        (watch, true)
    }

    /// Takes the due steps of all watches. Returns the changes to report, and the time until the next step.
    pub(super) fn step(&self) -> (Vec<Changed>, Option<Duration>) {
        let (mut due, mut next) = (Vec::new(), None::<Duration>);
        let (mut ended, mut checks) = (Vec::new(), Vec::new());
        let mut list = self.list();
        let mut watches = list.watches.clone();
        // Of one disk, the folder that was checked longest ago comes first.
        // The times may change meanwhile, so each is read once.
        watches.sort_by_cached_key(|watch| watch.next_check());
        for watch in watches {
            let key = watch.device().map(|device| (device, watch.reach()));
            let is_busy = key.is_some_and(|key| list.busy.contains(&key));
            match watch.step(is_busy) {
                Step::Report => due.push(watch.changed()),
                Step::Check => {
                    list.busy.extend(key);
                    checks.push(Check {
                        watch,
                        list: Arc::clone(&self.list),
                        key,
                        wake: Arc::clone(&self.wake),
                        check_every: self.check_every,
                        is_done: false,
                    });
                }
                Step::Wait(time) => next = next.into_iter().chain([time]).min(),
                Step::End => ended.push(watch),
            }
        }
        let is_over = |watch: &Arc<FolderWatch>| ended.iter().any(|it| Arc::ptr_eq(it, watch));
        list.watches.retain(|watch| !is_over(watch));
        drop(list);
        ended.iter().for_each(|watch| watch.end());
        checks.into_iter().for_each(|check| self.submit(check));
        if !due.is_empty() {
            next = Some(Duration::ZERO);
        }
        (due, next)
    }

    fn submit(&self, check: Check) {
        let device = match check.key {
            Some((device, _)) => device,
            None => check.watch.device_by_mount(),
        };
        if let Err(error) = self.pool.submit(device, move || check.run()) {
            tracing::debug!(%error, "a folder is checked later");
        }
    }

    /// Records a change of these paths, or of anything if there are none.
    pub(super) fn hint(&self, paths: &[PathBuf], is_of_folders: bool) {
        let watches = self.list().watches.clone();
        let hinted = watches
            .iter()
            .filter(|watch| watch.hint(paths, is_of_folders));
        if hinted.count() > 0 {
            (self.wake)();
        }
    }

    /// Returns the number of watched folders.
    pub(super) fn count(&self, reach: Reach) -> usize {
        let list = self.list();
        let alike = list.watches.iter().filter(|watch| watch.reach() == reach);
        alike.count()
    }

    /// Ends all watches beneath a root.
    pub(super) fn forget(&self, root: RootId) {
        self.end_if(|watch| watch.changed().root == root);
    }

    /// Ends all watches.
    pub(super) fn end(&self) {
        self.end_if(|_| true);
    }

    fn end_if(&self, is_it: impl Fn(&FolderWatch) -> bool) {
        let mut ended = Vec::new();
        self.list().watches.retain(|watch| {
            let ends = is_it(watch);
            if ends {
                ended.push(Arc::clone(watch));
            }
            !ends
        });
        // The list is not locked while system watches change, since an event needs it.
        ended.iter().for_each(|watch| watch.end());
    }

    fn list(&self) -> MutexGuard<'_, WatchList> {
        self.list.lock()
    }
}
