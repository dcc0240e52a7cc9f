//! The watcher: its interface, and its thread.

#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use fumikura_fs::{DiskPool, FolderScope, RelPath, RootId, Source};

use crate::check::Target;
use crate::probe::{FsProbe, SystemProbe};
use crate::registry::WatchRegistry;
use crate::system_watches::{MakeEventSource, system_events};

/// The interval at which folders are checked: they must still exist, and be the same.
const CHECK_EVERY: Duration = Duration::from_secs(2);

/// The way in which a folder is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchMode {
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
    pub mode: WatchMode,
    /// True if the folder was watched already: then no change of it was missed.
    pub is_renewed: bool,
}

impl Lease {
    /// The time that a folder is watched after the last request.
    pub const TIME: Duration = Duration::from_secs(120);
}

/// A folder in which something has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderChange {
    /// The root.
    pub root: RootId,
    /// The folder.
    pub path: RelPath,
}

/// The watched folders. Dropping the value ends the watch.
pub struct Watcher {
    registry: Arc<WatchRegistry>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Starts the watcher. `pool` runs what waits for disks; `report` is called with every change, in a thread of the
    /// watcher.
    ///
    /// # Errors
    /// If the system cannot create more threads.
    pub fn start(
        pool: Arc<DiskPool>,
        report: impl Fn(FolderChange) + Send + 'static,
    ) -> io::Result<Self> {
        let make_events = Box::new(system_events);
        let probe = Arc::new(SystemProbe);
        Self::start_with(pool, CHECK_EVERY, make_events, probe, report)
    }

    fn start_with(
        pool: Arc<DiskPool>,
        check_every: Duration,
        make_events: MakeEventSource,
        probe: Arc<dyn FsProbe>,
        report: impl Fn(FolderChange) + Send + 'static,
    ) -> io::Result<Self> {
        let registry = WatchRegistry::new(pool, check_every, make_events, probe);
        let own = Arc::clone(&registry);
        let threads = thread::Builder::new().name("folders".to_owned());
        let thread = threads.spawn(move || own.run(&report))?;
        Ok(Self {
            registry,
            thread: Some(thread),
        })
    }

    /// Watches a folder for [`Lease::TIME`] from now on. Changes after this returns are reported; a folder that does
    /// not exist is waited for. Waits for the disk, unless the folder is watched already. If `scope` includes the
    /// folders beneath it, changes in them are reported as changes of the folder.
    #[must_use]
    pub fn watch(&self, source: &Source, scope: FolderScope) -> Lease {
        let source = source.clone();
        self.registry.watch(&Target { source, scope })
    }

    /// Returns the number of folders that are watched by themselves, without those that are watched with everything
    /// beneath them.
    #[must_use]
    pub fn count(&self) -> usize {
        self.registry.count(FolderScope::Direct)
    }

    /// Ends all watches beneath a root.
    pub fn forget(&self, root: RootId) {
        self.registry.forget(root);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.registry.shut_down();
        // Checks are not waited for: their disks may never answer.
        if let Some(Err(_panic)) = self.thread.take().map(JoinHandle::join) {
            tracing::error!("the thread that reports changed folders panicked");
        }
    }
}
