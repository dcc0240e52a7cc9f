//! The watcher: its interface, and its thread.

#[cfg(test)]
mod tests;

use std::io;
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use fumikura_fs::{DiskPool, Reach, RelPath, RootId, Source};
use parking_lot::{Condvar, Mutex};

use crate::event_source::{MakeEventSource, SystemEventSource};
use crate::folder_watch::LEASE;
use crate::probe::{FsProbe, SystemProbe};
use crate::registry::{Wake, WatchRegistry};
use crate::system_watches::SystemWatches;

/// The interval at which folders are checked: they must still exist, and be the same.
const CHECK_EVERY: Duration = Duration::from_secs(2);

/// The way in which a folder is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watching {
    /// The file system reports every change.
    Events,
    /// The folder is polled every few seconds: it is on another machine, or the system can't report its changes.
    Polling,
    /// The folder does not exist; its appearance is reported.
    Waiting,
}

/// A lease on a watched folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// The way in which it is watched.
    pub watching: Watching,
    /// True if the folder was watched already: then no change of it was missed.
    pub is_renewed: bool,
}

impl Lease {
    /// The time that a folder is watched after the last request.
    pub const TIME: Duration = LEASE;
}

/// A folder in which something has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The root.
    pub root: RootId,
    /// The folder.
    pub path: RelPath,
}

/// The watched folders, and the listener for their changes. Dropping the value ends the watch.
pub struct Watcher {
    registry: Arc<WatchRegistry>,
    calls: Arc<Calls>,
    thread: Option<JoinHandle<()>>,
}

/// The calls for the watcher's thread.
#[derive(Default)]
struct Calls {
    state: Mutex<CallState>,
    call: Condvar,
}

#[derive(Default)]
struct CallState {
    /// True if something may be due since the thread last looked.
    is_called: bool,
    is_over: bool,
}

impl Calls {
    fn wake(&self) {
        self.state.lock().is_called = true;
        self.call.notify_one();
    }

    fn end(&self) {
        self.state.lock().is_over = true;
        self.call.notify_one();
    }

    /// Waits for a call, or until that much time has passed. Returns false at the end.
    fn wait(&self, time: Option<Duration>) -> bool {
        let mut state = self.state.lock();
        if !state.is_called && !state.is_over {
            match time {
                Some(time) => drop(self.call.wait_for(&mut state, time)),
                None => self.call.wait(&mut state),
            }
        }
        state.is_called = false;
        !state.is_over
    }
}

impl Watcher {
    /// Starts the watcher. `pool` runs what waits for disks; `tell` is called with every change, in a thread of the
    /// watcher.
    ///
    /// # Errors
    /// If the system cannot create more threads.
    pub fn start(pool: Arc<DiskPool>, tell: impl Fn(Changed) + Send + 'static) -> io::Result<Self> {
        let make_events = Box::new(SystemEventSource::make);
        Self::start_with(pool, CHECK_EVERY, make_events, Arc::new(SystemProbe), tell)
    }

    fn start_with(
        pool: Arc<DiskPool>,
        check_every: Duration,
        make_events: MakeEventSource,
        probe: Arc<dyn FsProbe>,
        tell: impl Fn(Changed) + Send + 'static,
    ) -> io::Result<Self> {
        let calls = Arc::<Calls>::default();
        let called = Arc::clone(&calls);
        let wake: Wake = Arc::new(move || called.wake());
        let registry = Arc::new_cyclic(|registry: &Weak<WatchRegistry>| {
            let hints = Weak::clone(registry);
            let events = SystemWatches::make(make_events, move |paths, is_of_folders| {
                if let Some(registry) = hints.upgrade() {
                    registry.hint(paths, is_of_folders);
                }
            });
            WatchRegistry::new(pool, check_every, events, probe, wake)
        });
        let (own, waits) = (Arc::clone(&registry), Arc::clone(&calls));
        let threads = thread::Builder::new().name("folders".to_owned());
        let thread = threads.spawn(move || {
            let mut next = None;
            while waits.wait(next) {
                let (due, wait) = own.step();
                next = wait;
                due.into_iter().for_each(&tell);
            }
        })?;
        Ok(Self {
            registry,
            calls,
            thread: Some(thread),
        })
    }

    /// Watches a folder for [`Lease::TIME`] from now on. Changes after this returns are reported; a folder that does
    /// not exist is waited for. Waits for the disk, unless the folder is watched already. If `reach` includes the
    /// folders beneath it, changes in them are reported as changes of the folder.
    #[must_use]
    pub fn watch(&self, source: &Source, reach: Reach) -> Lease {
        self.registry.watch(source, reach)
    }

    /// Returns the number of folders that are watched by themselves, without those that are watched with everything
    /// beneath them.
    #[must_use]
    pub fn count(&self) -> usize {
        self.registry.count(Reach::Folder)
    }

    /// Ends all watches beneath a root.
    pub fn forget(&self, root: RootId) {
        self.registry.forget(root);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.calls.end();
        self.registry.end();
        // Checks are not waited for: their disks may never answer.
        if let Some(Err(_panic)) = self.thread.take().map(JoinHandle::join) {
            tracing::error!("the thread that tells of changed folders panicked");
        }
    }
}
