//! Reads pictures' headers while nobody waits for them: first of those that are seen.

use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::desk::{After, Desk, Errand, Learned};
use super::facts::{Facts, State};
use super::manifest::Manifests;
use super::snapshot::{Known, Snapshot};
use crate::access::{AccessError, Beneath};
use crate::path::{self, RelPath};
use crate::roots::{Root, RootId};
use crate::stat::Stat;

/// A folder of whose pictures more is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadersRead {
    /// The root.
    pub root: RootId,
    /// The folder.
    pub path: RelPath,
    /// How many headers are still to be read.
    pub unread: usize,
}

type Listener = Box<dyn Fn(HeadersRead) + Send + Sync>;

/// The reader. Dropping it ends it; what it has learned is kept.
pub(super) struct Reader(Arc<Shared>);

struct Shared {
    /// What all times are counted from: threads wait by the machine's own clock.
    began: Instant,
    state: Mutex<Business>,
    is_wanted: Condvar,
    manifests: Manifests,
    listener: OnceLock<Listener>,
}

#[derive(Default)]
struct Business {
    desk: Desk,
    is_over: bool,
}

impl Reader {
    /// # Errors
    /// When the system gives no more threads.
    pub(super) fn start(manifests: Manifests) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            began: Instant::now(),
            state: Mutex::default(),
            is_wanted: Condvar::new(),
            manifests,
            listener: OnceLock::new(),
        });
        let own = Arc::clone(&shared);
        thread::Builder::new()
            .name("headers".to_owned())
            .spawn(move || own.run())?;
        Ok(Self(shared))
    }

    /// The first one stays.
    pub(super) fn listen(&self, listener: impl Fn(HeadersRead) + Send + Sync + 'static) {
        self.0.listener.get_or_init(|| Box::new(listener));
    }

    /// What was known of a folder's pictures when it was last kept.
    pub(super) fn kept(&self, root: &Root, path: &RelPath) -> HashMap<Box<[u8]>, Known> {
        let kept = self.0.manifests.load(&path::join(root.path_bytes(), path));
        let known = kept
            .into_iter()
            .map(|(name, facts)| (name, Known::Is(facts)));
        known.collect()
    }

    /// Reads what is not known of these entries; `with_rest` of all others, too, when there is time.
    pub(super) fn want(&self, snapshot: &Arc<Snapshot>, part: Vec<usize>, with_rest: bool) {
        let now = self.0.now();
        self.0.state().desk.want(snapshot, part, with_rest, now);
        self.0.is_wanted.notify_one();
    }

    /// Somebody still looks at a folder.
    pub(super) fn renew(&self, root: RootId, path: &RelPath) {
        let now = self.0.now();
        let is_it = |one: &Snapshot| one.root.id() == root && one.path == *path;
        self.0.state().desk.renew(is_it, now);
    }
}

impl Reader {
    /// A root may be read no more.
    pub(super) fn forget(&self, root: RootId) {
        self.0.state().desk.forget(root);
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let unsaved = {
            let mut state = self.0.state();
            state.is_over = true;
            state.desk.close()
        };
        self.0.is_wanted.notify_one();
        // The thread is not waited for: it may read from a disk that never answers.
        for snapshot in unsaved {
            self.0.save(&snapshot);
        }
    }
}

impl Shared {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn state(&self) -> MutexGuard<'_, Business> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        while let Some(errand) = self.next() {
            let learned = read(&errand);
            let After { tell, save } = self.state().desk.done(&errand, learned, self.now());
            if let Some(snapshot) = tell {
                self.tell(&snapshot);
            }
            if let Some(snapshot) = save {
                self.save(&snapshot);
            }
        }
    }

    /// Waits for something to read; none at the end.
    fn next(&self) -> Option<Errand> {
        let mut state = self.state();
        while !state.is_over {
            let (errand, unsaved) = state.desk.next(self.now());
            if !unsaved.is_empty() {
                drop(state);
                for snapshot in unsaved {
                    self.save(&snapshot);
                }
                state = self.state();
                // Something may have been asked for meanwhile.
                if errand.is_none() {
                    continue;
                }
            }
            if errand.is_some() {
                return errand;
            }
            let woken = self.is_wanted.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn tell(&self, snapshot: &Snapshot) {
        if let Some(listener) = self.listener.get() {
            listener(HeadersRead {
                root: snapshot.root.id(),
                path: snapshot.path.clone(),
                unread: snapshot.unread(),
            });
        }
    }

    /// What can't be kept is read again another time.
    fn save(&self, snapshot: &Snapshot) {
        let folder = path::join(snapshot.root.path_bytes(), &snapshot.path);
        if let Err(error) = self.manifests.save(&folder, &snapshot.facts()) {
            tracing::warn!("what pictures' headers tell can't be kept: {error}");
        }
    }
}

fn read(errand: &Errand) -> Learned {
    let Errand { snapshot, entries } = errand;
    match read_entries(snapshot, entries) {
        Ok(learned) => learned,
        Err(error) => {
            // The folder has gone; who looks at it hears of that by other means.
            tracing::debug!("headers can't be read: {error}");
            snapshot.learn(entries.iter().map(|&index| (index, Known::Failed(None))));
            Learned::ThatItFails
        }
    }
}

fn read_entries(snapshot: &Snapshot, entries: &[usize]) -> Result<Learned, AccessError> {
    let root = Beneath::open(snapshot.root.path_bytes())?;
    let folder = root.open_folder(&snapshot.path)?;
    let to_read = snapshot.to_read(&folder, entries);
    let known = to_read.iter().map(|&(index, stat)| {
        let path = snapshot.path_of(index);
        let read = catch_unwind(AssertUnwindSafe(|| read_picture(&root, &path, stat)));
        (index, read.unwrap_or(Known::Failed(Some(stat.into()))))
    });
    let known: Vec<_> = known.collect();
    let has_facts = known.iter().any(|(_, known)| matches!(known, Known::Is(_)));
    snapshot.learn(known);
    Ok(if has_facts {
        Learned::Facts
    } else {
        Learned::ThatItFails
    })
}

fn read_picture(root: &Beneath, path: &RelPath, listed: Stat) -> Known {
    let failed = Known::Failed(Some(listed.into()));
    let Ok((file, stat)) = root.open_listed_file(path) else {
        return failed;
    };
    // Of another state than the one that is listed, nothing is said.
    if State::from(stat) != State::from(listed) {
        return failed;
    }
    Facts::read(file, stat).map_or(failed, Known::Is)
}
