//! Watching all that lies beneath a folder: by a thread for each, so that a disk that never answers holds up no other.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::board::{LEASE, Look};
use super::burst::Burst;
use super::ears::{Ears, SystemEars};
use super::look::{Eyes, SystemEyes, There, deep_signature, folders_beneath};
use super::{Changed, Lease, Watching};
use crate::access::{AccessError, Source};
use crate::platform;
use crate::roots::RootId;

/// So many folders are watched with all that lies beneath them. Beyond that, whichever was asked for longest ago no
/// longer is.
const MOST: usize = 8;

/// Who is told of what happens.
pub(super) type Tell = Arc<dyn Fn(Changed) + Send + Sync>;

/// The folders that are watched with all that lies beneath them. Dropping the value ends the watch.
pub(super) struct DeepWatcher {
    /// The one that was asked for last at the end.
    watches: Mutex<Vec<Arc<DeepWatch>>>,
    look_every: Duration,
    /// Whether the system tells of changes.
    has_ears: bool,
    tell: Tell,
}

/// One of them.
struct DeepWatch {
    source: Source,
    began: Instant,
    state: Mutex<State>,
    /// Something was heard, is known for the first time, or the end has come.
    call: Condvar,
}

#[derive(Default)]
struct State {
    until: Duration,
    /// None until it was found for the first time.
    how: Option<Watching>,
    /// Where it was found.
    place: PathBuf,
    burst: Option<Burst>,
    /// Whether there may be other folders by now.
    is_stale: bool,
    is_over: bool,
}

/// How a folder and those beneath it are heard of.
enum How {
    Waiting,
    Events {
        there: There,
        folders: HashSet<PathBuf>,
    },
    Polling {
        there: There,
        look: Look,
        next: Duration,
    },
}

impl DeepWatcher {
    pub(super) fn new(look_every: Duration, has_ears: bool, tell: Tell) -> Self {
        Self {
            watches: Mutex::default(),
            look_every,
            has_ears,
            tell,
        }
    }

    /// Watches a folder and all that lies beneath it for [`LEASE`] from now on. Waits until the disk has answered.
    ///
    /// # Errors
    /// When the system gives no more threads.
    pub(super) fn watch(&self, source: &Source) -> io::Result<Lease> {
        let (watch, is_new) = self.take(source)?;
        let mut state = watch.state();
        state.until = watch.began.elapsed() + LEASE;
        // Of one that has not been found yet, something may have been missed.
        let is_renewed = !is_new && state.how.is_some();
        let watching = loop {
            match state.how {
                Some(watching) => break watching,
                // Another one has taken its place already.
                None if state.is_over => break Watching::Waiting,
                None => state = watch.wait(state, None),
            }
        };
        Ok(Lease {
            watching,
            is_renewed,
        })
    }

    /// The one that is there, or a new one: the last from now on. And whether it is new.
    fn take(&self, source: &Source) -> io::Result<(Arc<DeepWatch>, bool)> {
        let mut watches = self.watches();
        watches.retain(|watch| !watch.state().is_over);
        if let Some(at) = watches.iter().position(|watch| watch.source == *source) {
            let found = watches.remove(at);
            watches.push(Arc::clone(&found));
            return Ok((found, false));
        }
        let watch = Arc::new(DeepWatch {
            source: source.clone(),
            began: Instant::now(),
            state: Mutex::new(State {
                until: LEASE,
                ..State::default()
            }),
            call: Condvar::new(),
        });
        let (own, tell) = (Arc::clone(&watch), Arc::clone(&self.tell));
        let Self {
            look_every,
            has_ears,
            ..
        } = *self;
        let threads = thread::Builder::new().name("folders-beneath".into());
        threads.spawn(move || own.run(look_every, has_ears, &tell))?;
        if watches.len() == MOST {
            watches.remove(0).end();
        }
        watches.push(Arc::clone(&watch));
        Ok((watch, true))
    }

    /// Watches nothing beneath a root any more.
    pub(super) fn forget(&self, root: RootId) {
        self.watches().retain(|watch| {
            let stays = watch.source.root() != root;
            if !stays {
                watch.end();
            }
            stays
        });
    }

    fn watches(&self) -> MutexGuard<'_, Vec<Arc<DeepWatch>>> {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for DeepWatcher {
    fn drop(&mut self) {
        for watch in self.watches().drain(..) {
            // The thread is not waited for: its disk may never answer.
            watch.end();
        }
    }
}

impl DeepWatch {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        self.state().is_over = true;
        self.call.notify_all();
    }

    /// Until somebody calls, or that moment has come.
    fn wait<'a>(
        &self,
        state: MutexGuard<'a, State>,
        until: Option<Duration>,
    ) -> MutexGuard<'a, State> {
        match until {
            Some(until) => {
                let rest = until.saturating_sub(self.began.elapsed());
                let waited = self.call.wait_timeout(state, rest);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self
                .call
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Something has happened to one of these; to whatever is watched, if they are none.
    fn hint(&self, paths: &[PathBuf], is_of_folders: bool) {
        let mut state = self.state();
        let is_way = |path: &PathBuf| state.place.starts_with(path);
        let is_gone = paths.is_empty() || paths.iter().any(is_way);
        if is_gone || paths.iter().any(|path| concerns(path, &state.place)) {
            let now = self.began.elapsed();
            state.burst = Some(Burst::with_hint(state.burst, now));
            state.is_stale |= is_gone || is_of_folders;
            drop(state);
            self.call.notify_all();
        }
    }

    /// None where the system gives none.
    fn ears(self: &Arc<Self>) -> Option<SystemEars> {
        let hints = Arc::clone(self);
        let ears = SystemEars::new(move |paths, is_of_folders| hints.hint(paths, is_of_folders));
        let ears = ears.inspect_err(|error| {
            tracing::warn!("the system does not tell of changes in folders: {error}");
        });
        ears.ok()
    }

    /// Looks at the folder, and tells what happens, until nobody asks for it any more.
    fn run(self: &Arc<Self>, look_every: Duration, has_ears: bool, tell: &Tell) {
        let ears = has_ears.then(|| self.ears()).flatten();
        let mut how = How::Waiting;
        loop {
            let is_first = self.state().how.is_none();
            let is_news = self.look(&mut how, ears.as_ref()) && !is_first;
            let mut state = self.state();
            state.how = Some(how.told());
            if is_news {
                let now = self.began.elapsed();
                state.burst = Some(Burst::with_hint(state.burst, now));
            }
            drop(state);
            self.call.notify_all();
            if !self.tell_until(self.began.elapsed() + look_every, tell) {
                break;
            }
        }
        self.end();
    }

    /// Tells what is to be told until it is time to look again; false at the end.
    fn tell_until(&self, next: Duration, tell: &Tell) -> bool {
        let mut state = self.state();
        loop {
            let now = self.began.elapsed();
            if state.is_over || now >= state.until {
                return false;
            }
            let due = state.burst.map(|burst| burst.due());
            if due.is_some_and(|due| due <= now) {
                // What has come with a new folder, until that is listened to, is told with it.
                if state.is_stale {
                    return true;
                }
                state.burst = None;
                drop(state);
                tell(Changed {
                    root: self.source.root(),
                    path: self.source.path().clone(),
                });
                state = self.state();
                continue;
            }
            if now >= next {
                return true;
            }
            let soonest = due.into_iter().chain([next, state.until]).min();
            state = self.wait(state, soonest);
        }
    }

    /// Whether the folder is another, or holds something else, than was known.
    fn look(&self, how: &mut How, ears: Option<&SystemEars>) -> bool {
        let is_stale = std::mem::take(&mut self.state().is_stale);
        let Ok(there) = SystemEyes.find(&self.source) else {
            let was_there = how.there().is_some();
            self.become_another(how, How::Waiting, ears);
            return was_there;
        };
        let is_same = how.there() == Some(&there);
        match how {
            How::Events { .. } if is_same && !is_stale => return false,
            How::Polling { next, .. } if is_same && self.began.elapsed() < *next => return false,
            How::Polling { look, next, .. } if is_same => {
                let Ok(now) = self.look_into() else {
                    return false;
                };
                let is_news = look.signature != now.signature;
                (*look, *next) = (now, now.next(self.began.elapsed()));
                return is_news;
            }
            How::Waiting | How::Events { .. } | How::Polling { .. } => {}
        }
        self.state().place.clone_from(&there.place);
        let is_other = !is_same;
        let listened = ears
            .filter(|_| !there.is_remote)
            .and_then(|ears| self.listen(&there, how, ears));
        let now = match listened {
            Some(folders) => How::Events { there, folders },
            None => match self.look_into() {
                Ok(look) => How::Polling {
                    there,
                    look,
                    next: look.next(self.began.elapsed()),
                },
                Err(_) => How::Waiting,
            },
        };
        self.become_another(how, now, ears);
        is_other
    }

    /// Listens to all folders that lie there by now; none where nobody tells of their changes.
    fn listen(&self, there: &There, how: &How, ears: &SystemEars) -> Option<HashSet<PathBuf>> {
        let found = folders_beneath(&self.source).ok()??;
        let mut folders = HashSet::from([there.place.clone()]);
        folders.extend(
            found
                .iter()
                .map(|path| there.place.join(platform::path_of(path.as_bytes()))),
        );
        // One that was renamed is the same to the system: its old name goes first, or it would take the new one along.
        if let How::Events {
            folders: before, ..
        } = how
        {
            for gone in before.difference(&folders) {
                ears.forget(gone);
            }
        }
        for folder in &folders {
            match ears.listen(folder) {
                Ok(()) => {}
                // It went again meanwhile.
                Err(_) if !folder.exists() => {}
                Err(error) => {
                    tracing::warn!("nobody tells of changes in {}: {error}", folder.display());
                    folders.iter().for_each(|folder| ears.forget(folder));
                    return None;
                }
            }
        }
        Some(folders)
    }

    fn become_another(&self, how: &mut How, now: How, ears: Option<&SystemEars>) {
        if let (How::Events { folders, .. }, Some(ears)) = (&*how, ears)
            && !matches!(now, How::Events { .. })
        {
            folders.iter().for_each(|folder| ears.forget(folder));
        }
        *how = now;
    }

    fn look_into(&self) -> Result<Look, AccessError> {
        let began = self.began.elapsed();
        let signature = deep_signature(&self.source)?;
        let took = self.began.elapsed().saturating_sub(began);
        Ok(Look { signature, took })
    }
}

impl How {
    fn told(&self) -> Watching {
        match self {
            Self::Waiting => Watching::Waiting,
            Self::Events { .. } => Watching::Events,
            Self::Polling { .. } => Watching::Polling,
        }
    }

    fn there(&self) -> Option<&There> {
        match self {
            Self::Waiting => None,
            Self::Events { there, .. } | Self::Polling { there, .. } => Some(there),
        }
    }
}

/// Whether what happened at `path` changes what a listing of all beneath `place` shows.
fn concerns(path: &Path, place: &Path) -> bool {
    let is_hidden = |part: &std::ffi::OsStr| platform::bytes_of(part).starts_with(b".");
    path.strip_prefix(place)
        .is_ok_and(|rest| !rest.iter().any(is_hidden))
}
