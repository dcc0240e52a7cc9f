//! Watches of folders.

mod poller;
#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use fumikura_fs::{AccessError, DiskPool, Reach, RelPath, RootId, Source};
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::deep::DeepWatcher;
use crate::event_source::{EventSource, MakeEventSource, OnEvents, SystemEventSource};
use crate::probe::{FsProbe, Observation, SystemProbe};
use crate::registry::{self, Found, Look, WatchRegistry};

/// The interval at which folders are checked: they must still exist, and be the same.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The way in which a folder is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watching {
    /// The file system reports every change.
    Events,
    /// The folder is polled every few seconds: it is on another machine, or the system can't report its changes.
    Polling,
    /// The folder does not exist; its appearance is reported.
    Waiting,
}

/// A lease on a watched folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// The way in which it is watched.
    pub watching: Watching,
    /// True if the folder was watched already: then no change of it was missed.
    pub is_renewed: bool,
}

impl Lease {
    /// The time that a folder is watched after the last request.
    pub const TIME: Duration = registry::LEASE;
}

/// A folder in which something has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The root.
    pub root: RootId,
    /// The folder.
    pub path: RelPath,
}

/// The watched folders, and the listener for their changes. Dropping the value ends the watch.
pub struct Watcher {
    shared: Arc<Shared>,
    poller: Option<JoinHandle<()>>,
}

/// The listener for changes.
type Notify = Box<dyn Fn(Changed) + Send>;

struct Shared {
    pool: Arc<DiskPool>,
    /// None if the system has no event source.
    events: Option<Box<dyn EventSource>>,
    probe: Arc<dyn FsProbe>,
    /// Held while system watches change, so that these and the registry change as one. Never held during disk access: a
    /// watch is added only for a folder that has just been found, by a path without remote parts, so the system has
    /// everything that it needs in memory.
    listening: Mutex<()>,
    deep: DeepWatcher,
    monitor: Arc<Monitor>,
}

/// Records in the registry how a folder was found.
type RecordCheck = fn(&mut WatchRegistry, &Source, Found, Duration) -> Vec<PathBuf>;

/// The state that the watcher's thread waits for.
struct Monitor {
    /// The origin of all times: threads wait by the machine's own clock.
    began: Instant,
    state: Mutex<State>,
    /// Signals that there may be something to report or to check, or the end.
    call: Condvar,
}

struct State {
    registry: WatchRegistry,
    /// True if something may be due since the thread last looked.
    is_called: bool,
    is_over: bool,
}

impl Monitor {
    fn new(look_every: Duration) -> Self {
        Self {
            began: Instant::now(),
            state: Mutex::new(State {
                registry: WatchRegistry::new(look_every),
                is_called: false,
                is_over: false,
            }),
            call: Condvar::new(),
        }
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Has the thread look for what is due.
    fn wake(&self) {
        self.state().is_called = true;
        self.call.notify_one();
    }

    /// Waits for a call, or until that much time has passed.
    fn wait(&self, state: &mut MutexGuard<'_, State>, time: Option<Duration>) {
        if !state.is_called {
            match time {
                Some(time) => {
                    self.call.wait_for(state, time);
                }
                None => self.call.wait(state),
            }
        }
        state.is_called = false;
    }

    fn hint(&self, paths: &[PathBuf]) {
        self.state().registry.hint(paths, self.now());
        self.wake();
    }
}

impl Watcher {
    /// Starts the watcher. `pool` runs what waits for disks; `tell` is called with every change, in a thread of the
    /// watcher.
    ///
    /// # Errors
    /// If the system cannot create more threads.
    pub fn start(
        pool: Arc<DiskPool>,
        tell: impl Fn(Changed) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let events: MakeEventSource = Arc::new(SystemEventSource::make);
        Self::start_with(pool, LOOK_EVERY, events, Arc::new(SystemProbe), tell)
    }

    fn start_with(
        pool: Arc<DiskPool>,
        look_every: Duration,
        make_events: MakeEventSource,
        probe: Arc<dyn FsProbe>,
        tell: impl Fn(Changed) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let tell: Notify = Box::new(tell);
        let monitor = Arc::new(Monitor::new(look_every));
        let hints = Arc::clone(&monitor);
        let hear: OnEvents = Box::new(move |paths, _| hints.hint(paths));
        let wake = {
            let monitor = Arc::clone(&monitor);
            Arc::new(move || monitor.wake())
        };
        let shared = Arc::new(Shared {
            pool: Arc::clone(&pool),
            events: make_events(hear),
            probe: Arc::clone(&probe),
            listening: Mutex::default(),
            deep: DeepWatcher::new(pool, look_every, make_events, probe, wake),
            monitor,
        });
        let mut watcher = Self {
            shared: Arc::clone(&shared),
            poller: None,
        };
        let threads = thread::Builder::new().name("folders".into());
        watcher.poller = Some(threads.spawn(move || shared.poll(&tell))?);
        Ok(watcher)
    }

    /// Watches a folder for [`Lease::TIME`] from now on. Changes after this returns are reported; a folder that does
    /// not exist is waited for. Accesses the disk, and waits for it, unless the folder is watched already. If `reach`
    /// includes the folders beneath it, changes in them are reported as changes of the folder.
    #[must_use]
    pub fn watch(&self, source: &Source, reach: Reach) -> Lease {
        match reach {
            Reach::Folder => self.watch_folder(source),
            Reach::Beneath => self.shared.deep.watch(source),
        }
    }

    fn watch_folder(&self, source: &Source) -> Lease {
        let shared = &self.shared;
        let now = shared.monitor.now();
        if let Some(watching) = shared.monitor.state().registry.renew(source, now) {
            return Lease {
                watching,
                is_renewed: true,
            };
        }
        shared.sweep();
        let watching = shared.attend(source, shared.probe.find(source), WatchRegistry::begin);
        // The next check may now be due sooner.
        shared.monitor.wake();
        Lease {
            watching,
            is_renewed: false,
        }
    }

    /// Returns the number of folders that are watched by themselves, without those that are watched with everything
    /// beneath them.
    #[must_use]
    pub fn count(&self) -> usize {
        self.shared.monitor.state().registry.count()
    }

    /// EndGuard all watches beneath a root.
    pub fn forget(&self, root: RootId) {
        let shared = &self.shared;
        shared.deep.forget(root);
        let _listening = shared.listening();
        let left = shared.monitor.state().registry.forget(root);
        shared.leave(left);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let monitor = &self.shared.monitor;
        monitor.state().is_over = true;
        monitor.call.notify_all();
        self.shared.deep.end();
        // Checks are not waited for: their disks may never answer.
        if let Some(Err(_panic)) = self.poller.take().map(JoinHandle::join) {
            tracing::error!("the thread that tells of changed folders panicked");
        }
    }
}

impl Shared {
    /// Watches, by events or otherwise by polling, a folder that was found, and records this in the registry.
    fn attend(
        &self,
        source: &Source,
        there: Result<Observation, AccessError>,
        settle: RecordCheck,
    ) -> Watching {
        let found = match there {
            Err(_) => Found::Nothing,
            Ok(there) if there.is_remote => self.looked_into(source, there),
            Ok(there) => match self.listen(source, there, settle) {
                Ok(()) => return Watching::Events,
                Err(there) => self.looked_into(source, there),
            },
        };
        let watching = found.watching();
        let _listening = self.listening();
        self.settle(source, found, settle);
        watching
    }

    /// Watches a folder by events. Gives the folder back if the system can't report its changes.
    fn listen(
        &self,
        source: &Source,
        there: Observation,
        settle: RecordCheck,
    ) -> Result<(), Observation> {
        let Some(events) = &self.events else {
            return Err(there);
        };
        let _listening = self.listening();
        self.monitor.state().registry.trust(source);
        if let Err(error) = events.listen(&there.place) {
            let place = there.place.display();
            tracing::warn!("nobody tells of changes in {place}: {error}");
            return Err(there);
        }
        self.settle(source, Found::Told(there), settle);
        Ok(())
    }

    fn settle(&self, source: &Source, found: Found, settle: RecordCheck) {
        let now = self.monitor.now();
        let left = settle(&mut self.monitor.state().registry, source, found, now);
        self.leave(left);
        self.monitor.wake();
    }

    fn listening(&self) -> MutexGuard<'_, ()> {
        self.listening.lock()
    }

    /// EndGuard the watches whose leases have expired.
    fn sweep(&self) {
        let _listening = self.listening();
        let now = self.monitor.now();
        let left = self.monitor.state().registry.sweep(now);
        self.leave(left);
    }

    fn looked_into(&self, source: &Source, there: Observation) -> Found {
        match self.look_into(source) {
            Ok(look) => Found::Untold(there, look),
            Err(_) => Found::Nothing,
        }
    }

    fn look_into(&self, source: &Source) -> Result<Look, AccessError> {
        let began = self.monitor.now();
        let signature = self.probe.signature(source)?;
        let took = self.monitor.now().saturating_sub(began);
        Ok(Look { signature, took })
    }

    /// Removes the system watches of places that are no longer watched.
    fn leave(&self, places: Vec<PathBuf>) {
        if let Some(events) = &self.events {
            for place in places {
                events.forget(&place);
            }
        }
    }
}
