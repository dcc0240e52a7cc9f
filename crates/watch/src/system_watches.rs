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
/// any of its places.
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
    of_folders: HashMap<Identity, Vec<PathBuf>>,
    places: HashMap<PathBuf, Place>,
}

struct Place {
    identity: Identity,
    users: usize,
}

impl Places {
    fn add_user(&mut self, path: &Path, identity: Identity) {
        let users = self.remove(path).map_or(0, |place| place.users);
        let users = users + 1;
        self.places
            .insert(path.to_owned(), Place { identity, users });
        let of_folder = self.of_folders.entry(identity).or_default();
        of_folder.push(path.to_owned());
    }

    /// Returns true if the place has no more users.
    fn remove_user(&mut self, path: &Path) -> bool {
        let Some(place) = self.places.get_mut(path) else {
            return false;
        };
        place.users -= 1;
        place.users == 0
    }

    fn remove(&mut self, path: &Path) -> Option<Place> {
        let place = self.places.remove(path)?;
        if let Some(of_folder) = self.of_folders.get_mut(&place.identity) {
            of_folder.retain(|other| other != path);
            if of_folder.is_empty() {
                self.of_folders.remove(&place.identity);
            }
        }
        Some(place)
    }

    /// Returns the other places of the folder at a place.
    fn others(&self, path: &Path) -> impl Iterator<Item = &PathBuf> {
        let place = self.places.get(path);
        let all = place.and_then(|place| self.of_folders.get(&place.identity));
        let all = all.into_iter().flatten();
        all.filter(move |other| *other != path)
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
    /// already is watched anew: another may have had its place.
    ///
    /// # Errors
    /// If its changes can't be reported.
    pub(super) fn listen(&self, place: &Path, identity: Identity) -> io::Result<()> {
        let _changing = self.changing.lock();
        self.source.listen(place)?;
        self.places.lock().add_user(place, identity);
        Ok(())
    }

    /// Ends the watch of one user.
    pub(super) fn forget(&self, place: &Path) {
        let _changing = self.changing.lock();
        let others = {
            let mut places = self.places.lock();
            if !places.remove_user(place) {
                return;
            }
            let others = Vec::from_iter(places.others(place).cloned());
            places.remove(place);
            others
        };
        self.source.forget(place);
        for other in others {
            if let Err(error) = self.source.listen(&other) {
                tracing::debug!("{} is not listened to: {error}", other.display());
            }
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
        check(&calls, &[('-', "/p/a"), ('+', "/p/b")]);
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
