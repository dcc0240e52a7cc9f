//! System watches of a folder, or of all folders beneath it.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_fs::{AccessError, MAX_FOLDERS, NodeKind, Reach, RelPath, Source, platform};

use super::doubts::Doubts;
use crate::change_hint;
use crate::probe::FsProbe;
use crate::system_watches::SystemWatches;
use crate::walk::{Enter, Opened, Start, Visitor, walk};

/// The event source for a folder, and the means to walk it.
#[derive(Clone, Copy)]
pub(super) struct Listener<'a> {
    pub(super) events: &'a Arc<SystemWatches>,
    pub(super) probe: &'a dyn FsProbe,
    pub(super) source: &'a Source,
    /// The path of the folder.
    pub(super) place: &'a Path,
    pub(super) reach: Reach,
}

/// The folders that have system watches. The watches end when it is dropped.
pub(super) struct Listened {
    events: Arc<SystemWatches>,
    folders: BTreeSet<PathBuf>,
}

/// A walk that watches each folder before it is read, so that later additions cause events.
struct Listening<'a> {
    listener: Listener<'a>,
    folders: &'a mut Listened,
}

impl Listener<'_> {
    /// Watches all folders; `None` if the changes of one can't be reported. The caller reports changes that happen
    /// meanwhile, once this is done.
    pub(super) fn listen(&self) -> Option<Listened> {
        let mut folders = Listened::new(self.events);
        let start = Start {
            folder: self.source.path().clone(),
            above: None,
        };
        let is_told = self.walk(start, &mut folders).unwrap_or(false);
        // A folder that can be found may be unreadable.
        (is_told && folders.folders.contains(self.place)).then_some(folders)
    }

    /// Watches the folders that exist by now at doubtful places; false if the changes of one can't be reported.
    pub(super) fn listen_again(&self, doubts: Doubts, folders: &mut Listened) -> bool {
        match doubts {
            Doubts::None => true,
            Doubts::At(places) => self.listen_at(places, folders),
            Doubts::Everywhere => {
                // The old watches end first, or they would take the new ones along.
                *folders = Listened::new(self.events);
                let listened = self.listen();
                let is_told = listened.is_some();
                if let Some(listened) = listened {
                    *folders = listened;
                }
                is_told
            }
        }
    }

    fn listen_at(&self, places: BTreeSet<PathBuf>, folders: &mut Listened) -> bool {
        let places = Doubts::outermost(places);
        // A renamed folder is the same to the system: its old name is removed first, or it would take the new one
        // along.
        for place in &places {
            drop(folders.take(place));
        }
        let mut starts = places.iter().filter_map(|place| self.start(place));
        // Folders that can't be read, or have vanished, are left out.
        starts.all(|start| self.walk(start, folders).unwrap_or(true))
    }

    fn walk(&self, start: Start, folders: &mut Listened) -> Result<bool, AccessError> {
        let most = MAX_FOLDERS.saturating_sub(folders.folders.len());
        let mut listening = Listening {
            listener: *self,
            folders,
        };
        walk(self.probe, self.source, start, most, &mut listening)
    }

    /// Returns `None` if there is no folder that is shown.
    fn start(&self, place: &Path) -> Option<Start> {
        let inside = place.strip_prefix(self.place).ok()?;
        let name = inside.file_name()?;
        if !change_hint::shows(self.place, place, Reach::Beneath) {
            return None;
        }
        let join = |folder: RelPath, part| folder.join(platform::bytes_of(part));
        let above = inside.parent()?.iter();
        let above = above.fold(self.source.path().clone(), join);
        let opened = self.probe.open(self.source, &above, None).ok()?;
        let name = platform::bytes_of(name);
        let stat = platform::stat_of_entry(&opened.dir, name)?;
        (stat.kind == NodeKind::Folder).then(|| Start {
            folder: above.join(name),
            above: Some(opened.identity.device()),
        })
    }
}

impl Drop for Listened {
    fn drop(&mut self) {
        for folder in &self.folders {
            self.events.forget(folder);
        }
    }
}

impl fmt::Debug for Listened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Listened").field(&self.folders).finish()
    }
}

impl Listened {
    fn new(events: &Arc<SystemWatches>) -> Self {
        Self {
            events: Arc::clone(events),
            folders: BTreeSet::new(),
        }
    }

    /// Removes the folders at a place or beneath it, and returns them.
    fn take(&mut self, place: &Path) -> Self {
        let from = (Bound::Included(place), Bound::Unbounded);
        let from = self.folders.range::<Path, _>(from);
        let taken = from.take_while(|folder| folder.starts_with(place));
        let folders: BTreeSet<_> = taken.cloned().collect();
        for folder in &folders {
            self.folders.remove(folder);
        }
        Self {
            events: Arc::clone(&self.events),
            folders,
        }
    }
}

impl Visitor for Listening<'_> {
    fn enter(&mut self, folder: &RelPath, opened: &Opened) -> Enter {
        let Listener {
            events,
            source,
            place,
            reach,
            ..
        } = self.listener;
        let mut place = place.to_owned();
        let inside = folder.relative_to(source.path());
        if !inside.is_empty() {
            place.push(inside.as_path());
        }
        if opened.is_remote {
            tracing::debug!("nobody tells of all changes in {}", place.display());
            return Enter::Stop;
        }
        match events.listen(&place, opened.identity) {
            Ok(()) => {
                self.folders.folders.insert(place);
                match reach {
                    Reach::Folder => Enter::LeaveOut,
                    Reach::Beneath => Enter::Read,
                }
            }
            // The folder has vanished again, or can't be read either.
            Err(error) if is_of_folder(&error) => Enter::LeaveOut,
            Err(error) => {
                tracing::warn!("nobody tells of changes in {}: {error}", place.display());
                Enter::Stop
            }
        }
    }
}

fn is_of_folder(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
    )
}
