//! The system watches of all watched folders, and their events, by `notify`.

#[cfg(test)]
pub(crate) mod tests;

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_fs::platform::{Identity, bytes_of};
use notify::event::{AccessKind, AccessMode, Event, EventKind, ModifyKind, RenameMode};
use notify::{RecommendedWatcher, RecursiveMode};
use parking_lot::Mutex;

const WRITTEN: EventKind = EventKind::Access(AccessKind::Close(AccessMode::Write));
const MOVED_AWAY: EventKind = EventKind::Modify(ModifyKind::Name(RenameMode::From));

/// The part of a watched folder that has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hint {
    /// A file in it.
    File,
    /// A folder in it has appeared, vanished, or got another name or other permissions.
    Folder,
    /// The folder itself, or anything, as events were lost.
    Itself,
}

/// A source of events, which watches folders by their paths.
pub(super) type EventSource = Box<dyn notify::Watcher + Send>;
/// A callback for events.
pub(super) type OnEvent = Box<dyn FnMut(notify::Result<Event>) + Send>;
/// Creates an event source for a callback.
pub(super) type MakeEventSource = Box<dyn FnOnce(OnEvent) -> notify::Result<EventSource>>;

/// Creates the event source of the operating system, as a [`MakeEventSource`].
pub(super) fn system_events(on_event: OnEvent) -> notify::Result<EventSource> {
    let source: RecommendedWatcher = notify::recommended_watcher(on_event)?;
    Ok(Box::new(source))
}

/// The system watches: one for each folder, which ends when it has no user.
///
/// `notify` tells folders apart by their paths, and the kernel by their identity: if `notify` ended the watch of a path
/// that a folder had, that of its present path would end as well. So the table has one path of each folder, the last one.
pub(super) struct SystemWatches {
    /// Locked while system watches change. Events are handled meanwhile.
    source: Mutex<EventSource>,
    /// Not locked during a call of the source, which waits until its events are handled.
    table: Arc<Mutex<Table>>,
}

#[derive(Default)]
struct Table {
    folders: HashMap<Identity, SystemWatch>,
    /// The paths that the source may be watching.
    places: BTreeMap<PathBuf, Identity>,
}

struct SystemWatch {
    place: PathBuf,
    /// The numbers of the folder watches that use it, once for each use.
    users: Vec<u64>,
    /// True if the source may have ended the watch, or events of it were lost.
    is_over: bool,
}

impl SystemWatches {
    /// Returns `None` if the system has no event source. `report` is called with the users of a changed folder, or
    /// without if events of all folders were lost.
    pub(super) fn make(
        make_source: MakeEventSource,
        report: impl Fn(Hint, Option<&[u64]>) + Send + 'static,
    ) -> Option<Self> {
        let table = Arc::<Mutex<Table>>::default();
        let shared = Arc::clone(&table);
        let on_event = move |event| match hints(&shared, event) {
            Some(hints) => hints
                .iter()
                .for_each(|(hint, users)| report(*hint, Some(users))),
            None => report(Hint::Itself, None),
        };
        match make_source(Box::new(on_event)) {
            Ok(source) => Some(Self {
                source: Mutex::new(source),
                table,
            }),
            Err(error) => {
                tracing::warn!("the system reports no changes in folders: {error}");
                None
            }
        }
    }
}

impl Table {
    /// Adds a user. Returns the places to unwatch before the source watches the folder; `None` if it does already.
    fn claim(&mut self, user: u64, place: &Path, identity: Identity) -> Option<Vec<PathBuf>> {
        let watch = self.folders.entry(identity).or_insert_with(|| SystemWatch {
            place: place.to_owned(),
            users: Vec::new(),
            is_over: true,
        });
        watch.users.push(user);
        if !watch.is_over && watch.place == place {
            return None;
        }
        watch.is_over = false;
        let before = std::mem::replace(&mut watch.place, place.to_owned());
        let mut ended = Vec::from_iter(self.leave(&before, identity));
        if let Some(other) = self.places.insert(place.to_owned(), identity) {
            ended.push(place.to_owned());
            if let Some(other) = self.folders.get_mut(&other) {
                other.is_over = true;
            }
        }
        Some(ended)
    }

    /// Removes a user. Returns the place to unwatch after the last one.
    fn release(&mut self, user: u64, identity: Identity) -> Option<PathBuf> {
        let watch = self.folders.get_mut(&identity)?;
        if let Some(at) = watch.users.iter().position(|it| *it == user) {
            watch.users.swap_remove(at);
        }
        if !watch.users.is_empty() {
            return None;
        }
        let watch = self.folders.remove(&identity)?;
        self.leave(&watch.place, identity)
    }

    /// Removes a user whose watch was refused.
    fn refuse(&mut self, user: u64, identity: Identity) {
        self.release(user, identity);
        // Other users may have watched the folder at another place.
        if let Some(watch) = self.folders.get_mut(&identity) {
            watch.is_over = true;
        }
    }

    /// Returns a place to unwatch, unless another folder is watched there by now.
    fn leave(&mut self, place: &Path, identity: Identity) -> Option<PathBuf> {
        let is_own = self.places.get(place) == Some(&identity);
        is_own.then(|| self.places.remove(place));
        is_own.then(|| place.to_owned())
    }
}

/// Returns the hints of an event for the users of system watches; `None` if events were lost.
fn hints(table: &Mutex<Table>, event: notify::Result<Event>) -> Option<Vec<(Hint, Vec<u64>)>> {
    let event = match event {
        Ok(event) if !event.need_rescan() => event,
        lost => {
            if let Err(error) = lost {
                tracing::warn!("changes in folders were lost: {error}");
            }
            let mut table = table.lock();
            table
                .folders
                .values_mut()
                .for_each(|watch| watch.is_over = true);
            return None;
        }
    };
    let kind = event.kind;
    let mut hints = Vec::new();
    if kind.is_access() && kind != WRITTEN {
        return Some(hints);
    }
    let is_of_contents = kind == WRITTEN || matches!(kind, EventKind::Modify(ModifyKind::Data(_)));
    let has_ended = kind == MOVED_AWAY || kind.is_remove();
    for path in event.paths {
        // A folder that is new, or has other permissions, may be readable from now on.
        let is_folder = || path.symlink_metadata().is_ok_and(|it| it.is_dir());
        let is_folder = !is_of_contents && !has_ended && is_folder();
        let table = &mut *table.lock();
        let from_path = (Bound::Included(&*path), Bound::Unbounded);
        let beneath = table.places.range::<Path, _>(from_path);
        let beneath = beneath.take_while(|(place, _)| place.starts_with(&path));
        let changed = beneath.filter(|(place, _)| has_ended || **place == path);
        let mut is_watched = false;
        for (_, identity) in changed {
            is_watched = true;
            if let Some(watch) = table.folders.get_mut(identity) {
                watch.is_over |= has_ended;
                hints.push((Hint::Itself, watch.users.clone()));
            }
        }
        let is_hidden = path
            .file_name()
            .is_some_and(|name| bytes_of(name).starts_with(b"."));
        let parent = path.parent().and_then(|parent| table.places.get(parent));
        let parent = parent.and_then(|parent| table.folders.get(parent));
        if let Some(parent) = parent.filter(|_| !is_hidden) {
            let hint = match is_folder || is_watched {
                true => Hint::Folder,
                false => Hint::File,
            };
            hints.push((hint, parent.users.clone()));
        }
    }
    Some(hints)
}

fn unwatch(source: &mut EventSource, place: &Path) {
    // Fails for a folder that has vanished, together with its watch.
    if let Err(error) = source.unwatch(place) {
        tracing::debug!("{} was not watched: {error}", place.display());
    }
}

/// Folders with system watches, which end when this is dropped.
pub(super) struct WatchedFolders {
    watches: Arc<SystemWatches>,
    user: u64,
    folders: Vec<Identity>,
}

impl WatchedFolders {
    pub(super) fn new(watches: &Arc<SystemWatches>, user: u64) -> Self {
        Self {
            watches: Arc::clone(watches),
            user,
            folders: Vec::new(),
        }
    }

    /// Watches one more folder, but not its subfolders.
    ///
    /// # Errors
    /// If its changes can't be reported.
    pub(super) fn add(&mut self, place: &Path) -> notify::Result<()> {
        let SystemWatches { source, table } = &*self.watches;
        let identity = Identity::at(place)?;
        let mut source = source.lock();
        let ended = table.lock().claim(self.user, place, identity);
        if let Some(ended) = ended {
            ended.iter().for_each(|place| unwatch(&mut source, place));
            if let Err(error) = source.watch(place, RecursiveMode::NonRecursive) {
                table.lock().refuse(self.user, identity);
                return Err(error);
            }
        }
        self.folders.push(identity);
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }
}

impl Drop for WatchedFolders {
    fn drop(&mut self) {
        let SystemWatches { source, table } = &*self.watches;
        for folder in &self.folders {
            let mut source = source.lock();
            let ended = table.lock().release(self.user, *folder);
            if let Some(place) = ended {
                unwatch(&mut source, &place);
            }
        }
    }
}
