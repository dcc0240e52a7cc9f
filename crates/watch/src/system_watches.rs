//! The system watches of all watched folders.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::event_source::{Event, EventSource, MakeEventSource, SystemWatch};

/// The system watches. The system has one for each folder, whatever paths lead there. It ends when it has no user.
pub(super) struct SystemWatches {
    source: Box<dyn EventSource>,
    /// Locked while system watches change, so that an event waits for the user of a new one. That is not long: a watch
    /// is added only for a folder that has just been found, by a path without remote parts, so the system has everything
    /// that it needs in memory.
    users: Arc<Mutex<Users>>,
}

/// The numbers of the folder watches that use a system watch, once for each use.
type Users = HashMap<SystemWatch, Vec<u64>>;

impl SystemWatches {
    /// Returns `None` if the system has no event source. `on_event` is called with an event and the users of its system
    /// watch.
    pub(super) fn make(
        make_source: MakeEventSource,
        on_event: impl Fn(Event<'_>, &[u64]) + Send + 'static,
    ) -> Option<Self> {
        let users = Arc::<Mutex<Users>>::default();
        let shared = Arc::clone(&users);
        let source = make_source(Box::new(move |event| {
            let users = event
                .watch
                .and_then(|watch| shared.lock().get(&watch).cloned());
            on_event(event, &users.unwrap_or_default());
        }))?;
        Some(Self { source, users })
    }
}

/// Folders with system watches, which end when this is dropped.
pub(super) struct WatchedFolders {
    watches: Arc<SystemWatches>,
    user: u64,
    folders: Vec<SystemWatch>,
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
    pub(super) fn add(&mut self, place: &Path) -> io::Result<()> {
        let mut users = self.watches.users.lock();
        let watch = self.watches.source.watch(place)?;
        users.entry(watch).or_default().push(self.user);
        self.folders.push(watch);
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }
}

impl Drop for WatchedFolders {
    fn drop(&mut self) {
        for watch in &self.folders {
            let mut all = self.watches.users.lock();
            let users = all.entry(*watch).or_default();
            if let Some(at) = users.iter().position(|user| *user == self.user) {
                users.swap_remove(at);
            }
            if users.is_empty() {
                all.remove(watch);
                self.watches.source.unwatch(*watch);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::event_source::OnEvent;

    type Calls = Arc<Mutex<Vec<(char, SystemWatch)>>>;

    /// An event source that records requests. Folders of the same name are the same folder.
    struct RecordingSource(Calls);

    impl EventSource for RecordingSource {
        fn watch(&self, place: &Path) -> io::Result<SystemWatch> {
            let name = place.file_name().unwrap().to_str().unwrap();
            let watch = name.parse().unwrap();
            self.0.lock().push(('+', watch));
            Ok(watch)
        }

        fn unwatch(&self, watch: SystemWatch) {
            self.0.lock().push(('-', watch));
        }
    }

    #[track_caller]
    fn check(calls: &Calls, expected: &[(char, SystemWatch)]) {
        assert_eq!(std::mem::take(&mut *calls.lock()), expected);
    }

    fn watches(report: impl Fn(&[u64]) + Send + 'static) -> (Arc<SystemWatches>, Calls, OnEvent) {
        let calls = Calls::default();
        let source = RecordingSource(Arc::clone(&calls));
        let (give, callback) = mpsc::channel();
        let make = move |on_event: OnEvent| {
            give.send(on_event).unwrap();
            Some(Box::new(source) as Box<dyn EventSource>)
        };
        let watches = SystemWatches::make(Box::new(make), move |_, users| report(users));
        (Arc::new(watches.unwrap()), calls, callback.recv().unwrap())
    }

    fn watch(watches: &Arc<SystemWatches>, user: u64, place: &str) -> WatchedFolders {
        let mut folders = WatchedFolders::new(watches, user);
        folders.add(Path::new(place)).unwrap();
        folders
    }

    #[test]
    fn system_watch_ends_with_its_last_user() {
        let (watches, calls, _) = watches(|_| ());
        let first = watch(&watches, 1, "/p/10");
        let again = watch(&watches, 1, "/p/10");
        // The folder has two places: another mount leads to it.
        let mount = watch(&watches, 2, "/mount/10");
        let other = watch(&watches, 2, "/p/20");
        calls.lock().clear();
        drop(first);
        drop(mount);
        // It does not end, not even for a moment.
        check(&calls, &[]);
        drop(again);
        check(&calls, &[('-', 10)]);
        drop(other);
        check(&calls, &[('-', 20)]);
    }

    #[test]
    fn events_are_reported_to_all_users() {
        let (sender, reports) = mpsc::channel();
        let (watches, _, on_event) = watches(move |users| sender.send(users.to_vec()).unwrap());
        let _first = watch(&watches, 1, "/p/10");
        let mount = watch(&watches, 2, "/mount/10");
        let _other = watch(&watches, 2, "/p/20");
        let users = |watch: SystemWatch| {
            on_event(Event {
                watch: Some(watch),
                name: None,
                is_of_folder: true,
            });
            reports.recv().unwrap()
        };
        assert_eq!(
            [users(10), users(20), users(30)],
            [vec![1, 2], vec![2], vec![]]
        );
        drop(mount);
        assert_eq!(users(10), [1]);
    }
}
