//! System watches of all folders beneath one.

use std::collections::BTreeSet;
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use fumikura_fs::{AccessError, MOST_FOLDERS, NodeKind, Reach, RelPath, Source, platform};

use super::doubts::Doubts;
use crate::change_hint;
use crate::event_source::EventSource;
use crate::probe::FsProbe;
use crate::walk::{Enter, Opened, Start, Visitor, walk};

/// The event source for a folder, and the means to walk it.
#[derive(Clone, Copy)]
pub(super) struct Listener<'a> {
    pub(super) events: &'a dyn EventSource,
    pub(super) probe: &'a dyn FsProbe,
    pub(super) source: &'a Source,
    /// The path of the folder.
    pub(super) place: &'a Path,
}

/// The folders that have system watches.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Listened(BTreeSet<PathBuf>);

/// A walk that watches each folder before it is read, so that later additions cause events.
struct Listening<'a> {
    listener: Listener<'a>,
    folders: &'a mut Listened,
}

impl Listener<'_> {
    /// Watches all folders; `None` if the changes of one can't be reported. The caller reports changes that happen
    /// meanwhile, once this is done.
    pub(super) fn listen(&self) -> Option<Listened> {
        let mut folders = Listened::default();
        let start = Start {
            folder: self.source.path().clone(),
            above: None,
        };
        let is_told = self.walk(start, &mut folders).unwrap_or(false);
        // A folder that can be found may be unreadable.
        if is_told && folders.0.contains(self.place) {
            return Some(folders);
        }
        self.forget(folders);
        None
    }

    /// Watches the folders that exist by now at doubtful places; false if the changes of one can't be reported.
    pub(super) fn listen_again(&self, doubts: Doubts, folders: &mut Listened) -> bool {
        match doubts {
            Doubts::None => true,
            Doubts::At(places) => self.listen_at(places, folders),
            Doubts::Everywhere => {
                self.forget(std::mem::take(folders));
                let listened = self.listen();
                let is_told = listened.is_some();
                *folders = listened.unwrap_or_default();
                is_told
            }
        }
    }

    fn listen_at(&self, places: BTreeSet<PathBuf>, folders: &mut Listened) -> bool {
        let places = Doubts::outermost(places);
        // A renamed folder is the same to the system: its old name is removed first, or it would take the new one
        // along.
        for place in &places {
            self.forget(folders.take(place));
        }
        let mut starts = places.iter().filter_map(|place| self.start(place));
        // Folders that can't be read, or have vanished, are left out.
        starts.all(|start| self.walk(start, folders).unwrap_or(true))
    }

    pub(super) fn forget(&self, folders: Listened) {
        for folder in folders.0 {
            self.events.forget(&folder);
        }
    }

    fn walk(&self, start: Start, folders: &mut Listened) -> Result<bool, AccessError> {
        let most = MOST_FOLDERS.saturating_sub(folders.0.len());
        let mut listening = Listening {
            listener: *self,
            folders,
        };
        walk((self.probe, self.source), start, most, &mut listening)
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
            above: Some(opened.device),
        })
    }
}

impl Listened {
    /// Removes the folders at a place or beneath it, and returns them.
    fn take(&mut self, place: &Path) -> Self {
        let from = (Bound::Included(place), Bound::Unbounded);
        let from = self.0.range::<Path, _>(from);
        let taken = from.take_while(|folder| folder.starts_with(place));
        let taken: BTreeSet<_> = taken.cloned().collect();
        for folder in &taken {
            self.0.remove(folder);
        }
        Self(taken)
    }
}

impl Visitor for Listening<'_> {
    fn enter(&mut self, folder: &RelPath, opened: &Opened) -> Enter {
        let Listener {
            events,
            source,
            place,
            ..
        } = self.listener;
        let mut place = place.to_owned();
        let inside = folder.from(source.path());
        if !inside.is_empty() {
            place.push(inside.as_path());
        }
        if opened.is_remote {
            tracing::debug!("nobody tells of all changes in {}", place.display());
            return Enter::Stop;
        }
        match events.listen(&place) {
            Ok(()) => {
                self.folders.0.insert(place);
                Enter::Read
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
