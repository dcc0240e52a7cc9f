//! File-system change events, through `notify`.

use std::io;
use std::path::{Path, PathBuf};

use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RemoveKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use parking_lot::{Mutex, MutexGuard};

/// A source of file-system change events.
pub(super) trait EventSource: Send + Sync {
    /// Watches a folder, but not its subfolders. Watching twice has the effect of watching once.
    ///
    /// # Errors
    /// If its changes can't be reported, for example because the system has no watches left.
    fn listen(&self, place: &Path) -> io::Result<()>;

    /// Ends the watch of a folder, if it still exists.
    fn forget(&self, place: &Path);
}

/// A callback for changes. It gets the changed paths, or none if anything may have changed; and true if folders may
/// have changed.
pub(super) type OnEvents = Box<dyn Fn(&[PathBuf], bool) + Send>;

/// Creates an event source for a callback; `None` if the system has none.
pub(super) type MakeEventSource = Box<dyn FnOnce(OnEvents) -> Option<Box<dyn EventSource>>>;

/// The event source of the operating system.
pub(super) struct SystemEventSource(Mutex<RecommendedWatcher>);

impl SystemEventSource {
    /// Creates the event source, as a [`MakeEventSource`].
    pub(super) fn make(hear: OnEvents) -> Option<Box<dyn EventSource>> {
        let events = Self::new(hear).inspect_err(|error| {
            tracing::warn!("the system does not tell of changes in folders: {error}");
        });
        events
            .ok()
            .map(|events| Box::new(events) as Box<dyn EventSource>)
    }

    fn new(hear: OnEvents) -> io::Result<Self> {
        let watcher = notify::recommended_watcher(move |told: notify::Result<Event>| match told {
            Ok(event) if event.need_rescan() => hear(&[], true),
            Ok(event) if is_change(event.kind) => hear(&event.paths, may_be_of_folders(event.kind)),
            Ok(_) => {}
            Err(error) => {
                tracing::warn!("what changed in a folder was not told: {error}");
                hear(&[], true);
            }
        });
        Ok(Self(Mutex::new(watcher.map_err(as_io)?)))
    }

    fn watcher(&self) -> MutexGuard<'_, RecommendedWatcher> {
        self.0.lock()
    }
}

impl EventSource for SystemEventSource {
    fn listen(&self, place: &Path) -> io::Result<()> {
        self.watcher()
            .watch(place, RecursiveMode::NonRecursive)
            .map_err(as_io)
    }

    fn forget(&self, place: &Path) {
        // Fails for a folder that has vanished, together with its watch.
        if let Err(error) = self.watcher().unwatch(place) {
            tracing::debug!("{} was not listened to: {error}", place.display());
        }
    }
}

/// True if the event is a change. Reading changes nothing. A written file is complete when it is closed.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        EventKind::Any
        | EventKind::Create(_)
        | EventKind::Modify(_)
        | EventKind::Remove(_)
        | EventKind::Other => true,
    }
}

/// True if the event may concern folders, as renames and unspecified events do.
fn may_be_of_folders(kind: EventKind) -> bool {
    !matches!(
        kind,
        EventKind::Access(_)
            | EventKind::Create(CreateKind::File)
            | EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_))
            | EventKind::Remove(RemoveKind::File)
    )
}

fn as_io(error: notify::Error) -> io::Error {
    match error.kind {
        notify::ErrorKind::Io(error) => error,
        notify::ErrorKind::PathNotFound => io::ErrorKind::NotFound.into(),
        notify::ErrorKind::MaxFilesWatch
        | notify::ErrorKind::Generic(_)
        | notify::ErrorKind::WatchNotFound
        | notify::ErrorKind::InvalidConfig(_) => io::Error::other(error),
    }
}
