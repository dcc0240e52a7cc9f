//! What the file system tells of folders, through `notify`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RemoveKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// Whoever hears of changes in folders.
pub(super) trait Ears: Send + Sync {
    /// Listens to a folder, but not to what is in its folders. Listening twice is listening once.
    ///
    /// # Errors
    /// When nobody can tell of its changes: the system has no watches left, say.
    fn listen(&self, place: &Path) -> io::Result<()>;

    /// Listens to a folder no longer, if it is still there.
    fn forget(&self, place: &Path);
}

/// Is told what changed: the paths, or none where anything may have; and whether there may be other folders for it.
pub(super) type Hear = Box<dyn Fn(&[PathBuf], bool) + Send>;

/// Gives ears, each of them to another who hears; none where the system has none.
pub(super) type MakeEars = Arc<dyn Fn(Hear) -> Option<Box<dyn Ears>> + Send + Sync>;

/// The ears that the operating system has.
pub(super) struct SystemEars(Mutex<RecommendedWatcher>);

impl SystemEars {
    /// As [`MakeEars`] wants it.
    pub(super) fn make(hear: Hear) -> Option<Box<dyn Ears>> {
        let ears = Self::new(hear).inspect_err(|error| {
            tracing::warn!("the system does not tell of changes in folders: {error}");
        });
        ears.ok().map(|ears| Box::new(ears) as Box<dyn Ears>)
    }

    fn new(hear: Hear) -> io::Result<Self> {
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ears for SystemEars {
    fn listen(&self, place: &Path) -> io::Result<()> {
        self.watcher()
            .watch(place, RecursiveMode::NonRecursive)
            .map_err(as_io)
    }

    fn forget(&self, place: &Path) {
        // Fails for a folder that has gone, and with it whoever told of it.
        if let Err(error) = self.watcher().unwatch(place) {
            tracing::debug!("{} was not listened to: {error}", place.display());
        }
    }
}

/// Reading changes nothing. A file that was written is whole when it is closed.
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

/// What has another name, or is told of without saying what it is, may be a folder.
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
