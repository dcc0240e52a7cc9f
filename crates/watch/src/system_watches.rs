//! The system watches of all watched folders.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_fs::platform::Identity;
use parking_lot::Mutex;

use crate::event_source::{EventSource, MakeEventSource};

/// The system watches, each with the number of its users.
///
/// The system has one watch for each folder, also if the folder has several places: reached through another mount, or
/// renamed and not found again yet. It reports the place at which the folder was watched last, and ends the watch with
/// any of its places. So the places of a folder stay until none of them has a user.
pub(super) struct SystemWatches {
    source: Box<dyn EventSource>,
    /// Held while system watches change, so that these and the places change as one. Never held during disk access: a
    /// watch is added only for a folder that has just been found, by a path without remote parts, so the system has
    /// everything that it needs in memory.
    changing: Mutex<()>,
    /// Not held while the source is called, since a callback of the source needs it.
    places: Arc<Mutex<Places>>,
}

/// The places that have system watches.
#[derive(Default)]
struct Places {
    identities: HashMap<PathBuf, Identity>,
    /// The places of each folder, with the number of their users.
    folders: HashMap<Identity, HashMap<PathBuf, usize>>,
}

/// A place that was taken from a folder, as another one has it now.
#[derive(Default)]
struct Replaced {
    users: usize,
    /// A place at which that folder is still used.
    elsewhere: Option<PathBuf>,
    /// All places of that folder, if it is not used any more.
    unused: Vec<PathBuf>,
}

impl Places {
    fn add_users(&mut self, path: &Path, identity: Identity, users: usize) {
        self.identities.insert(path.to_owned(), identity);
        let folder = self.folders.entry(identity).or_default();
        *folder.entry(path.to_owned()).or_default() += users;
    }

    /// Returns all places of the folder if it is not used any more.
    fn remove_user(&mut self, path: &Path) -> Vec<PathBuf> {
        let Some(&identity) = self.identities.get(path) else {
            return Vec::new();
        };
        let folder = self.folders.get_mut(&identity);
        if let Some(users) = folder.and_then(|folder| folder.get_mut(path)) {
            *users = users.saturating_sub(1);
        }
        self.remove_unused(identity)
    }

    /// Takes a place from another folder than this one, if it has it.
    fn replace(&mut self, path: &Path, identity: Identity) -> Option<Replaced> {
        let before = *self.identities.get(path)?;
        let folder = self.folders.get_mut(&before)?;
        if before == identity {
            return None;
        }
        let users = folder.remove(path)?;
        self.identities.remove(path);
        let mut used = folder.iter().filter(|(_, users)| **users > 0);
        let elsewhere = used.next().map(|(other, _)| other.clone());
        let mut unused = self.remove_unused(before);
        if elsewhere.is_none() {
            unused.push(path.to_owned());
        }
        Some(Replaced {
            users,
            elsewhere,
            unused,
        })
    }

    fn remove_unused(&mut self, identity: Identity) -> Vec<PathBuf> {
        let folder = self.folders.get(&identity);
        if folder.is_none_or(|folder| folder.values().any(|users| *users > 0)) {
            return Vec::new();
        }
        let folder = self.folders.remove(&identity).unwrap_or_default();
        let paths = Vec::from_iter(folder.into_keys());
        for path in &paths {
            self.identities.remove(path);
        }
        paths
    }

    /// Returns the other places of the folder at a place.
    fn others(&self, path: &Path) -> impl Iterator<Item = &PathBuf> {
        let identity = self.identities.get(path);
        let folder = identity.and_then(|identity| self.folders.get(identity));
        let paths = folder.into_iter().flat_map(HashMap::keys);
        paths.filter(move |other| *other != path)
    }

    /// Adds the paths by which changed entries are reached through other places of their folders.
    fn with_others(&self, paths: &[PathBuf]) -> Vec<PathBuf> {
        let mut all = paths.to_vec();
        for path in paths {
            all.extend(self.others(path).cloned());
            if let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
                all.extend(self.others(folder).map(|other| other.join(name)));
            }
        }
        all
    }
}

impl SystemWatches {
    /// Returns `None` if the system has no event source. `hear` is called with changed paths, or with none if anything
    /// may have changed; and with true if folders may have changed.
    pub(super) fn make(
        make_events: MakeEventSource,
        hear: impl Fn(&[PathBuf], bool) + Send + 'static,
    ) -> Option<Self> {
        let places = Arc::<Mutex<Places>>::default();
        let known = Arc::clone(&places);
        let source = make_events(Box::new(move |paths, is_of_folders| {
            let paths = known.lock().with_others(paths);
            hear(&paths, is_of_folders);
        }))?;
        Some(Self {
            source,
            changing: Mutex::default(),
            places,
        })
    }

    /// Watches the folder that was found at a place, for one more user, but not its subfolders. A folder that is watched
    /// already is watched anew. The watch of another folder that had the place ends, unless it is used elsewhere.
    ///
    /// # Errors
    /// If its changes can't be reported.
    pub(super) fn listen(&self, place: &Path, identity: Identity) -> io::Result<()> {
        let _changing = self.changing.lock();
        let replaced = self.places.lock().replace(place, identity);
        let replaced = replaced.unwrap_or_default();
        for place in &replaced.unused {
            self.source.forget(place);
        }
        // Otherwise its changes would be reported at the place that it no longer has.
        if let Some(other) = &replaced.elsewhere
            && let Err(error) = self.source.listen(other)
        {
            tracing::debug!("{} is not watched: {error}", other.display());
        }
        self.source.listen(place)?;
        let users = replaced.users + 1;
        self.places.lock().add_users(place, identity, users);
        Ok(())
    }

    /// Ends the watch of one user.
    pub(super) fn forget(&self, place: &Path) {
        let _changing = self.changing.lock();
        let unused = self.places.lock().remove_user(place);
        for place in unused {
            self.source.forget(&place);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::mpsc;

    use super::*;
    use crate::event_source::OnEvents;

    type Calls = Arc<Mutex<Vec<(char, PathBuf)>>>;

    /// An event source that records requests.
    struct Noting(Calls);

    impl EventSource for Noting {
        fn listen(&self, place: &Path) -> io::Result<()> {
            self.0.lock().push(('+', place.to_owned()));
            Ok(())
        }

        fn forget(&self, place: &Path) {
            self.0.lock().push(('-', place.to_owned()));
        }
    }

    fn folder(number: u64) -> Identity {
        Identity::from_numbers(1, number)
    }

    #[track_caller]
    fn check(calls: &Calls, expected: &[(char, &str)]) {
        let calls = std::mem::take(&mut *calls.lock());
        let expected = expected.iter().map(|(call, place)| (*call, place.into()));
        assert_eq!(calls, Vec::from_iter(expected));
    }

    fn watches(hear: impl Fn(&[PathBuf]) + Send + 'static) -> (SystemWatches, Calls, OnEvents) {
        let calls = Calls::default();
        let noting = Noting(Arc::clone(&calls));
        let (give, callback) = mpsc::channel();
        let make = move |on_events: OnEvents| {
            give.send(on_events).unwrap();
            Some(Box::new(noting) as Box<dyn EventSource>)
        };
        let watches = SystemWatches::make(Box::new(make), move |paths, _| hear(paths));
        (watches.unwrap(), calls, callback.recv().unwrap())
    }

    #[test]
    fn watch_ends_with_its_last_user() {
        let (watches, calls, _) = watches(|_| ());
        let place = Path::new("/p/a");
        watches.listen(place, folder(1)).unwrap();
        watches.listen(place, folder(1)).unwrap();
        check(&calls, &[('+', "/p/a"), ('+', "/p/a")]);
        watches.forget(place);
        check(&calls, &[]);
        watches.forget(place);
        watches.forget(place);
        check(&calls, &[('-', "/p/a")]);
    }

    #[test]
    fn folder_stays_watched_at_its_other_place() {
        let (watches, calls, _) = watches(|_| ());
        watches.listen(Path::new("/p/a"), folder(1)).unwrap();
        watches.listen(Path::new("/p/b"), folder(1)).unwrap();
        watches.listen(Path::new("/p/c"), folder(2)).unwrap();
        calls.lock().clear();
        watches.forget(Path::new("/p/a"));
        // The system watch does not end, not even for a moment.
        check(&calls, &[]);
        watches.forget(Path::new("/p/b"));
        let ended = BTreeSet::from_iter(std::mem::take(&mut *calls.lock()));
        let both = ["/p/a", "/p/b"].map(|place| ('-', PathBuf::from(place)));
        assert_eq!(ended, BTreeSet::from(both));
    }

    #[test]
    fn replaced_folder_loses_its_system_watch() {
        let (watches, calls, _) = watches(|_| ());
        let place = Path::new("/p/a");
        // Two users, of whom one finds the new folder first.
        watches.listen(place, folder(1)).unwrap();
        watches.listen(place, folder(1)).unwrap();
        watches.forget(place);
        calls.lock().clear();
        watches.listen(place, folder(2)).unwrap();
        check(&calls, &[('-', "/p/a"), ('+', "/p/a")]);
        watches.forget(place);
        watches.listen(place, folder(2)).unwrap();
        watches.forget(place);
        check(&calls, &[('+', "/p/a")]);
        watches.forget(place);
        check(&calls, &[('-', "/p/a")]);
    }

    #[test]
    fn replaced_folder_stays_watched_elsewhere() {
        let (watches, calls, _) = watches(|_| ());
        watches.listen(Path::new("/p/a"), folder(1)).unwrap();
        watches.listen(Path::new("/p/b"), folder(1)).unwrap();
        calls.lock().clear();
        watches.listen(Path::new("/p/a"), folder(2)).unwrap();
        check(&calls, &[('+', "/p/b"), ('+', "/p/a")]);
        watches.forget(Path::new("/p/b"));
        check(&calls, &[('-', "/p/b")]);
    }

    #[test]
    fn changes_are_reported_at_all_places() {
        let (tell, told) = mpsc::channel();
        let (watches, _, on_events) = watches(move |paths| tell.send(paths.to_vec()).unwrap());
        watches.listen(Path::new("/p/a"), folder(1)).unwrap();
        watches.listen(Path::new("/q/a"), folder(1)).unwrap();
        let hear = |path: &str| {
            on_events(&[path.into()], true);
            BTreeSet::from_iter(told.recv().unwrap())
        };
        let both = |a: &str, b: &str| BTreeSet::from([a, b].map(PathBuf::from));
        assert_eq!(hear("/q/a/x"), both("/p/a/x", "/q/a/x"));
        assert_eq!(hear("/p/a"), both("/p/a", "/q/a"));
        assert_eq!(hear("/p/x"), BTreeSet::from(["/p/x".into()]));
        // Another folder has that place by now.
        watches.listen(Path::new("/q/a"), folder(2)).unwrap();
        assert_eq!(hear("/q/a/x"), BTreeSet::from(["/q/a/x".into()]));
        on_events(&[], true);
        assert!(told.recv().unwrap().is_empty());
    }
}
