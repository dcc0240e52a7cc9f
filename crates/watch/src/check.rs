//! Checks of a watched folder, and the method by which its changes are found.

#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cap_std::fs::Dir;
use fumikura_fs::{
    AccessError, Device, FolderScope, MAX_FOLDERS, RelPath, RootId, Source, platform::path_of,
};
use notify::ErrorKind;

use crate::probe::{FsProbe, Observation, Signature, signature};
use crate::system_watches::{SystemWatches, WatchedFolders};
use crate::walk::{Next, walk};
use crate::watcher::{FolderChange, WatchMode};

/// The minimum interval between polls of a folder without events, and the rest after a poll as a multiple of its
/// duration.
const POLL: Duration = Duration::from_secs(3);
const POLL_REST: u32 = 20;

/// A folder to watch, alone or with everything beneath it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) source: Source,
    pub(super) scope: FolderScope,
}

/// The method by which a folder is watched.
pub(super) enum Method {
    /// The folder did not exist at the last check.
    Waiting,
    /// Events of the file system.
    Events {
        found: Observation,
        /// Their system watches end with this value.
        _folders: WatchedFolders,
    },
    /// Polls.
    Polling {
        found: Observation,
        /// The signature at the last poll.
        signature: Signature,
        /// The time of the next poll.
        next: Instant,
    },
}

/// The result of a check.
pub(super) struct CheckResult {
    /// None if it is the same as before.
    pub(super) method: Option<Method>,
    /// True if the folder is another, or contains something else, than was known.
    pub(super) is_change: bool,
    /// The time that it took to watch all folders anew.
    pub(super) took: Duration,
}

/// The means of a check.
pub(super) struct Checker {
    pub(super) probe: Arc<dyn FsProbe>,
    /// None if the system has no event source.
    pub(super) events: Option<Arc<SystemWatches>>,
}

impl Target {
    pub(super) fn root(&self) -> RootId {
        self.source.root()
    }

    pub(super) fn change(&self) -> FolderChange {
        FolderChange {
            root: self.root(),
            path: self.source.path().clone(),
        }
    }

    /// Returns the disk of the folder by the table of mounts.
    pub(super) fn device(&self) -> Device {
        Device::at(self.root(), path_of(&self.source.absolute()))
    }
}

impl Method {
    pub(super) fn mode(&self) -> WatchMode {
        match self {
            Self::Waiting => WatchMode::Waiting,
            Self::Events { .. } => WatchMode::Events,
            Self::Polling { .. } => WatchMode::Polling,
        }
    }

    pub(super) fn device(&self) -> Option<Device> {
        let identity = self.found()?.identity;
        Some(Device::FileSystem(identity.device()))
    }

    fn found(&self) -> Option<&Observation> {
        match self {
            Self::Waiting => None,
            Self::Events { found, .. } | Self::Polling { found, .. } => Some(found),
        }
    }
}

impl Checker {
    /// Checks a folder for a watch of this number. `is_stale` is true if folders may lack system watches. Those of
    /// before end later, so that those of the same folders stay.
    pub(super) fn check(
        &self,
        watch: u64,
        target: &Target,
        before: &Method,
        is_stale: bool,
    ) -> CheckResult {
        let began = Instant::now();
        let found = self.probe.find(&target.source, target.scope).ok();
        if found.is_some() && found.as_ref() == before.found() && !is_stale {
            return self.poll_again(target, before);
        }
        let method = found.map_or(Method::Waiting, |found| self.begin(watch, target, found));
        CheckResult {
            is_change: before.found().is_some() || method.found().is_some(),
            method: Some(method),
            took: began.elapsed(),
        }
    }

    /// Watches, by events or otherwise by polling, a folder that was found.
    fn begin(&self, watch: u64, target: &Target, found: Observation) -> Method {
        let events = self.events.as_ref().filter(|_| !found.is_remote);
        if let Some(events) = events {
            let folders = WatchedFolders::new(events, watch);
            if let Some(folders) = self.watch_folders(target, &found.place, folders) {
                return Method::Events {
                    found,
                    _folders: folders,
                };
            }
        }
        match self.poll(target) {
            Ok((signature, next)) => Method::Polling {
                found,
                signature,
                next,
            },
            Err(_) => Method::Waiting,
        }
    }

    /// Adds a system watch for each folder before it is read, so that later additions cause events. Returns `None` if
    /// the changes of one can't be reported.
    fn watch_folders(
        &self,
        target: &Target,
        top: &Path,
        mut folders: WatchedFolders,
    ) -> Option<WatchedFolders> {
        let enter = |folder: &RelPath, dir: &Dir| {
            let mut place = top.to_owned();
            let inside = folder.relative_to(target.source.path());
            if !inside.is_empty() {
                place.push(inside.as_path());
            }
            if self.probe.is_remote(folder, dir) {
                tracing::debug!("{} is on a remote file system", place.display());
                return Next::Stop;
            }
            match folders.add(&place) {
                Ok(()) if target.scope == FolderScope::Recursive => Next::Read,
                Ok(()) => Next::Skip,
                // The folder has vanished again, or can't be read either.
                Err(error) if is_of_folder(&error) => Next::Skip,
                Err(error) => {
                    tracing::warn!("{} can't be watched: {error}", place.display());
                    Next::Stop
                }
            }
        };
        let source = &target.source;
        let is_complete = walk(&*self.probe, source, MAX_FOLDERS, enter, |_, _| ());
        // A folder that can be found may be unreadable.
        let is_watched = is_complete.unwrap_or(false) && !folders.is_empty();
        is_watched.then_some(folders)
    }

    /// Polls a folder without events if it is time.
    fn poll_again(&self, target: &Target, before: &Method) -> CheckResult {
        let mut result = CheckResult {
            method: None,
            is_change: false,
            took: Duration::ZERO,
        };
        if let Method::Polling {
            found,
            signature,
            next,
        } = before
            && *next <= Instant::now()
            && let Ok((polled, next)) = self.poll(target)
        {
            result.is_change = polled != *signature;
            let (found, signature) = (found.clone(), polled);
            result.method = Some(Method::Polling {
                found,
                signature,
                next,
            });
        }
        result
    }

    /// Returns the signature of the contents, and the time of the next poll.
    fn poll(&self, target: &Target) -> Result<(Signature, Instant), AccessError> {
        let began = Instant::now();
        let signature = signature(&*self.probe, &target.source, target.scope)?;
        let rest = POLL.max(began.elapsed() * POLL_REST);
        Ok((signature, Instant::now() + rest))
    }
}

fn is_of_folder(error: &notify::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    if let ErrorKind::Io(error) = &error.kind {
        return [NotADirectory, NotFound, PermissionDenied].contains(&error.kind());
    }
    matches!(error.kind, ErrorKind::PathNotFound)
}
