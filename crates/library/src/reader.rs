//! Reads pictures' headers in the background, visible pictures first. One thread chooses the jobs and saves what is
//! due; the jobs run in the disk pool, one of each root at a time.

use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use fumikura_fs::platform::path_of;
use fumikura_fs::{
    AccessError, Device, DiskPool, FolderScope, RelPath, Root, RootDir, RootId, Stat, SubmitError,
    path,
};
use fumikura_xmp as sidecar;
use parking_lot::{Condvar, Mutex, MutexGuard};

use super::events::LibraryEvent;
use super::header::HeaderMetadata;
use super::manifest::{Manifest, Manifests};
use super::metadata::ReadTask;
use super::natural::NaturalName;
use super::read_state::{FileState, MetadataRead, ReadState};
use super::scheduler::{FollowUp, ReadJob, ReadOutcome, Scheduler};
use super::snapshot::Snapshot;

/// A notification: more is known of a folder's pictures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadersRead {
    pub root: RootId,
    /// The folder.
    pub path: RelPath,
    /// The folder alone, or everything beneath it, too.
    pub scope: FolderScope,
    /// The number of pictures still to be read.
    pub unread: usize,
}

/// Runs a job; blocks forever if a disk never answers.
type ReadFn = Box<dyn Fn(&ReadJob) -> ReadOutcome + Send + Sync>;

/// The time after which a job that the pool refused is submitted again.
const RETRY: Duration = Duration::from_secs(1);

/// The reader. Dropping it ends it; metadata read so far is saved.
pub(super) struct Reader(Arc<SharedReader>);

struct SharedReader {
    pool: Arc<DiskPool>,
    /// The origin of all times: threads wait by the machine's own clock.
    epoch: Instant,
    state: Mutex<ReaderState>,
    has_work: Condvar,
    save_finished: Condvar,
    read: ReadFn,
    manifests: Manifests,
    /// Held by the thread that saves, so that the latest metadata of a folder stays.
    save_lock: Mutex<()>,
}

#[derive(Default)]
struct ReaderState {
    scheduler: Scheduler,
    /// Jobs that the pool refused. Their roots are not read until the pool takes them.
    refused: Vec<Arc<ReadJob>>,
    /// The time at which they are submitted again.
    retry: Duration,
    is_ended: bool,
    /// The number of threads that are saving snapshots from the scheduler.
    saving: usize,
}

/// A guard that is held while a thread saves snapshots from the scheduler.
struct SaveGuard<'a>(&'a SharedReader);

impl Drop for SaveGuard<'_> {
    fn drop(&mut self) {
        self.0.state().saving -= 1;
        self.0.save_finished.notify_all();
    }
}

impl Reader {
    /// # Errors
    /// If the system cannot create more threads.
    pub(super) fn start(pool: Arc<DiskPool>, manifests: Manifests) -> io::Result<Self> {
        Self::start_with(pool, manifests, Box::new(read))
    }

    fn start_with(pool: Arc<DiskPool>, manifests: Manifests, read: ReadFn) -> io::Result<Self> {
        let shared = Arc::new(SharedReader {
            pool,
            epoch: Instant::now(),
            state: Mutex::default(),
            has_work: Condvar::new(),
            save_finished: Condvar::new(),
            read,
            manifests,
            save_lock: Mutex::default(),
        });
        let own = Arc::clone(&shared);
        thread::Builder::new()
            .name("headers".to_owned())
            .spawn(move || own.dispatch())?;
        Ok(Self(shared))
    }

    /// Loads the saved metadata of a folder's pictures.
    pub(super) fn load_manifest(&self, root: &Root, path: &RelPath) -> Manifest {
        let folder = path::join(root.path_bytes(), path);
        let manifest = self.0.manifests.load(&folder);
        if !manifest.is_empty() {
            self.0.manifests.publish_read(&folder);
        }
        manifest
    }

    /// Returns the manifest files.
    pub(super) fn manifests(&self) -> &Manifests {
        &self.0.manifests
    }

    /// Reads these entries as far as they are unread; `with_rest` reads all others, too, when there is time.
    pub(super) fn request(&self, snapshot: &Arc<Snapshot>, part: Vec<usize>, with_rest: bool) {
        let now = self.0.now();
        self.0
            .state()
            .scheduler
            .request(snapshot, part, with_rest, now);
        self.0.has_work.notify_one();
    }

    /// Schedules a save of a snapshot's metadata after a while, with all metadata until then.
    pub(super) fn save_later(&self, snapshot: &Arc<Snapshot>) {
        let now = self.0.now();
        self.0.state().scheduler.save_later(snapshot, now);
        self.0.has_work.notify_one();
    }

    /// Renews the lease on a folder: a client still shows it.
    pub(super) fn renew(&self, root: RootId, path: &RelPath) {
        let now = self.0.now();
        let is_it = |one: &Snapshot| one.root.id() == root && one.path == *path;
        self.0.state().scheduler.renew(is_it, now);
    }

    /// Forgets a root, which may no longer be read. A job that is running goes on.
    pub(super) fn forget(&self, root: RootId) {
        self.0.state().scheduler.forget(root);
    }

    /// Ends the reader. Metadata read so far is saved.
    pub(super) fn end(&self) {
        let unsaved = {
            let mut state = self.0.state();
            state.is_ended = true;
            state.scheduler.close()
        };
        self.0.has_work.notify_all();
        // Threads that read are not waited for, as their disk may never answer; those that save are.
        self.0.save_all(unsaved);
        self.0
            .save_finished
            .wait_while(&mut self.0.state(), |state| state.saving > 0);
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.end();
    }
}

impl SharedReader {
    fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    fn state(&self) -> MutexGuard<'_, ReaderState> {
        self.state.lock()
    }

    /// Submits jobs and saves what is due, until the end.
    fn dispatch(self: &Arc<Self>) {
        while let Some(jobs) = self.next() {
            for job in jobs {
                if let Err(error) = self.submit(&job) {
                    tracing::debug!(%error, "headers are read later");
                    let mut state = self.state();
                    state.refused.push(job);
                    state.retry = self.now() + RETRY;
                }
            }
        }
    }

    fn submit(self: &Arc<Self>, job: &Arc<ReadJob>) -> Result<(), SubmitError> {
        if !self.state().scheduler.is_current(job) {
            return Ok(());
        }
        let (shared, own) = (Arc::clone(self), Arc::clone(job));
        let root = &job.snapshot.root;
        let place = path::join(root.path_bytes(), &job.snapshot.path);
        let device = Device::at(root.id(), path_of(&place));
        self.pool.submit(device, move || shared.run(&own)).map(drop)
    }

    fn run(&self, job: &ReadJob) {
        // The root may have been forgotten while the job waited.
        if !self.state().scheduler.is_current(job) {
            return;
        }
        // A panic must not keep its root from being read again.
        let read = catch_unwind(AssertUnwindSafe(|| (self.read)(job)));
        let metadata = read.unwrap_or(ReadOutcome::OnlyFailures);
        let (notify, save, saving) = {
            let mut state = self.state();
            let FollowUp { notify, save } = state.scheduler.done(job, metadata, self.now());
            (notify, save, self.saving(&mut state))
        };
        self.has_work.notify_one();
        if let Some(snapshot) = notify {
            self.notify(&snapshot);
        }
        self.save_all(save);
        drop(saving);
    }

    /// Waits for the next jobs; returns `None` at the end.
    fn next(&self) -> Option<Vec<Arc<ReadJob>>> {
        let mut state = self.state();
        while !state.is_ended {
            if !state.refused.is_empty() && state.retry <= self.now() {
                return Some(std::mem::take(&mut state.refused));
            }
            let (job, unsaved) = state.scheduler.next(self.now());
            if !unsaved.is_empty() {
                let saving = self.saving(&mut state);
                drop(state);
                self.save_all(unsaved);
                drop(saving);
                state = self.state();
                // A job may have been added meanwhile.
                if job.is_none() {
                    continue;
                }
            }
            if let Some(job) = job {
                return Some(vec![Arc::new(job)]);
            }
            self.wait(&mut state);
        }
        None
    }

    /// Begins a save while the scheduler is still locked, so that the end never comes between taking and saving.
    fn saving(&self, state: &mut ReaderState) -> SaveGuard<'_> {
        state.saving += 1;
        SaveGuard(self)
    }

    /// Waits until a job is added or something is due.
    fn wait(&self, state: &mut MutexGuard<'_, ReaderState>) {
        let retry = (!state.refused.is_empty()).then_some(state.retry);
        match state.scheduler.due().into_iter().chain(retry).min() {
            Some(due) => {
                let left = due.saturating_sub(self.now());
                self.has_work.wait_for(state, left);
            }
            None => self.has_work.wait(state),
        }
    }

    fn notify(&self, snapshot: &Snapshot) {
        let read = HeadersRead {
            root: snapshot.root.id(),
            path: snapshot.path.clone(),
            scope: snapshot.scope,
            unread: snapshot.unread(),
        };
        self.manifests
            .events()
            .publish(LibraryEvent::HeadersRead(read));
    }

    /// Saves metadata. Metadata that can't be saved is read again another time.
    fn save_all(&self, unsaved: impl IntoIterator<Item = Arc<Snapshot>>) {
        // An incomplete snapshot would replace the saved metadata of names that it lacks, and is saved with the
        // complete one.
        let mut unsaved = unsaved
            .into_iter()
            .filter(|snapshot| !snapshot.is_growing)
            .peekable();
        if unsaved.peek().is_none() {
            return;
        }
        // A folder that can't be saved does not hold up the others; if several fail, one warning is logged.
        let saved = unsaved.map(|snapshot| self.save(&snapshot));
        let saved = saved.fold(Ok(()), io::Result::and);
        if let Err(error) = saved.and(self.manifests.sweep()) {
            tracing::warn!("what pictures' headers tell can't be kept: {error}");
        }
    }

    fn save(&self, snapshot: &Snapshot) -> io::Result<()> {
        let unsaved = snapshot.take_unsaved();
        let saved = unsaved.map(|(folder, outcomes)| {
            let folder = path::join(snapshot.root.path_bytes(), folder);
            // Another listing of the same folder may be saved at the same time.
            let _guard = self.save_lock.lock();
            // Metadata from another listing stays.
            let mut manifest = self.manifests.load(&folder);
            let outcomes = outcomes.map(|(name, outcome)| {
                let earlier = manifest.take(&NaturalName::new(name));
                (name, outcome.or(earlier.unwrap_or(MetadataRead::UNREAD)))
            });
            self.manifests.save(&folder, outcomes)
        });
        saved.fold(Ok(()), io::Result::and)
    }
}

fn read(job: &ReadJob) -> ReadOutcome {
    let ReadJob { snapshot, entries } = job;
    match read_entries(snapshot, entries) {
        Ok(metadata) => metadata,
        Err(error) => {
            // The folder has vanished; clients learn of that by other means.
            tracing::debug!("headers can't be read: {error}");
            snapshot.record(entries.iter().map(|&index| (index, FAILED)));
            ReadOutcome::OnlyFailures
        }
    }
}

/// The outcome for a picture of which nothing can be read.
const FAILED: MetadataRead = MetadataRead {
    header: ReadState::Failed(None),
    marks: ReadState::Failed(None),
    hash: ReadState::Unread,
};

/// Reads the headers and sidecars of a snapshot's entries.
pub(super) fn read_entries(
    snapshot: &Snapshot,
    entries: &[usize],
) -> Result<ReadOutcome, AccessError> {
    let root = snapshot.root.open()?;
    let tasks = snapshot.read_tasks(&root, entries);
    let read = tasks.into_iter().map(|task| {
        let index = task.index;
        (index, read_picture(&root, snapshot, task))
    });
    let read: Vec<_> = read.collect();
    let is_worth_saving = read.iter().any(|(_, outcome)| outcome.is_worth_saving());
    snapshot.record(read);
    Ok(if is_worth_saving {
        ReadOutcome::Metadata
    } else {
        ReadOutcome::OnlyFailures
    })
}

fn read_picture(root: &RootDir, snapshot: &Snapshot, task: ReadTask) -> MetadataRead {
    let ReadTask {
        index,
        picture,
        sidecar,
    } = task;
    let header = picture.map(|stat| {
        let path = snapshot.path_of(index);
        read_file(root, &path, stat, |file, stat| {
            HeaderMetadata::read(file, stat.size).ok()
        })
    });
    let marks = sidecar.map(|(name, stat)| {
        let path = snapshot.folder_of(index).join(&name);
        read_file(root, &path, stat, |file, stat| {
            let marks = sidecar::read_file(file, stat);
            let marks =
                marks.inspect_err(|error| tracing::debug!("a sidecar can't be read: {error}"));
            marks.ok().map(|marks| Arc::new(marks.truncated()))
        })
    });
    MetadataRead {
        header: header.unwrap_or(ReadState::Unread),
        marks: marks.unwrap_or(ReadState::Unread),
        hash: ReadState::Unread,
    }
}

/// Reads a file in the state in which it was listed; another state counts as a failure.
fn read_file<T>(
    root: &RootDir,
    path: &RelPath,
    listed: Stat,
    read: impl FnOnce(File, Stat) -> Option<T>,
) -> ReadState<T> {
    let of = FileState::from(listed);
    let read = || {
        let (file, stat) = root.open_listed_file(path).ok()?;
        if FileState::from(stat) == of {
            read(file, stat)
        } else {
            None
        }
    };
    let read = catch_unwind(AssertUnwindSafe(read));
    let read = read.ok().flatten();
    read.map_or(ReadState::Failed(Some(of)), |read| {
        ReadState::Read(of, read)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tempfile::TempDir;

    use super::super::scheduler::tests::{snapshot_of, some_outcome};
    use super::*;

    /// A timeout that is exceeded only by waiting forever.
    const LONG: Duration = Duration::from_secs(30);

    #[test]
    fn silent_disk_delays_no_other_root() {
        let home = TempDir::new().unwrap();
        let (asked, asks) = mpsc::channel();
        let (answer, answers) = mpsc::channel::<()>();
        let answers = Mutex::new(answers);
        let read = move |job: &ReadJob| {
            if job.snapshot.root.path_bytes() == b"/silent" {
                drop(asked.send(job.snapshot.path.clone()));
                // The call also returns when the test is over, whatever its result.
                let _answer = answers.lock().recv();
            }
            ReadOutcome::OnlyFailures
        };
        let manifests = Manifests::new(home.path().to_owned());
        let (sender, events) = mpsc::channel();
        manifests.events().listen(move |event| {
            if let LibraryEvent::HeadersRead(read) = event {
                drop(sender.send(read.path));
            }
        });
        let reader = Reader::start_with(Arc::default(), manifests, Box::new(read)).unwrap();
        let path = |folder: &str| RelPath::parse(folder.as_bytes()).unwrap();
        let request = |root: &str, folder: &str| {
            let snapshot = snapshot_of(root, folder, 1, 3);
            reader.request(&snapshot, vec![0], false);
        };

        request("/silent", "a");
        assert_eq!(asks.recv_timeout(LONG), Ok(path("a")));
        for folder in ["b", "c", "d", "e", "f"] {
            request("/silent", folder);
        }
        for folder in ["1", "2", "3"] {
            request("/near", folder);
            assert_eq!(events.recv_timeout(LONG), Ok(path(folder)));
        }
        assert!(asks.try_recv().is_err(), "a silent disk is asked twice");

        answer.send(()).unwrap();
        assert_eq!(events.recv_timeout(LONG), Ok(path("a")));
        assert_eq!(asks.recv_timeout(LONG), Ok(path("f")));
        request("/near", "4");
        assert_eq!(events.recv_timeout(LONG), Ok(path("4")));
        // The end does not wait for a disk either.
        drop(reader);
    }

    #[test]
    fn removed_roots_refused_job_is_not_retried() {
        let home = TempDir::new().unwrap();
        let (begin, begun) = mpsc::channel();
        let read = move |job: &ReadJob| {
            let read = (job.snapshot.root.id(), job.entries.clone());
            begin.send(read).unwrap();
            ReadOutcome::OnlyFailures
        };
        let pool = Arc::<DiskPool>::default();
        let manifests = Manifests::new(home.path().to_owned());
        let reader = Reader::start_with(Arc::clone(&pool), manifests, Box::new(read)).unwrap();
        let removed = snapshot_of("/removed", "", 1, 3);
        let other = snapshot_of("/other", "", 1, 3);
        // The disk of both roots is busy until nothing more can wait for it.
        let device = Device::at(removed.root.id(), std::path::Path::new("/removed"));
        let (answer, answers) = mpsc::channel::<()>();
        let (occupied, occupies) = mpsc::channel();
        let answers = Arc::new(Mutex::new(answers));
        let occupy = || {
            let (answers, occupied) = (Arc::clone(&answers), occupied.clone());
            pool.submit(device, move || {
                let _occupied = occupied.send(());
                // Ends when the sender is dropped.
                answers.lock().recv().is_err()
            })
        };
        for _ in 0..8 {
            occupy().unwrap();
            occupies.recv_timeout(LONG).unwrap();
        }
        while occupy().is_ok() {}
        for snapshot in [&removed, &other] {
            reader.request(snapshot, vec![0], false);
        }
        while reader.0.state().refused.len() < 2 {
            thread::yield_now();
        }
        reader.forget(removed.root.id());
        drop(answer);
        assert_eq!(begun.recv_timeout(LONG), Ok((other.root.id(), vec![0])));
        // A root that is opened again is read again.
        reader.request(&removed, vec![1], false);
        assert_eq!(begun.recv_timeout(LONG), Ok((removed.root.id(), vec![1])));
    }

    #[test]
    fn failed_save_does_not_block_other_folders() {
        let home = TempDir::new().unwrap();
        let manifests = Manifests::new(home.path().to_owned());
        std::fs::create_dir_all(manifests.path_of(b"/pictures/a").join("in the way")).unwrap();
        let reader = Reader::start(Arc::default(), manifests).unwrap();
        for (folder, time) in [("a", 1), ("b", 2)] {
            let snapshot = snapshot_of("/pictures", folder, time, 1);
            snapshot.record([(0, some_outcome())]);
            reader.save_later(&snapshot);
        }
        reader.end();
        let manifests = Manifests::new(home.path().to_owned());
        let name = NaturalName::new(b"0.jpg");
        let known = |folder: &[u8]| manifests.load(folder).take(&name);
        assert_eq!(
            [known(b"/pictures/a"), known(b"/pictures/b")],
            [None, Some(some_outcome())]
        );
    }

    #[test]
    fn metadata_from_another_listing_is_kept() {
        let home = TempDir::new().unwrap();
        let manifests = || Manifests::new(home.path().to_owned());
        for metadata in [0, 2] {
            let reader = Reader::start(Arc::default(), manifests()).unwrap();
            let snapshot = snapshot_of("/pictures", "a", 1, 3);
            snapshot.record([(metadata, some_outcome())]);
            reader.save_later(&snapshot);
            reader.end();
        }
        let mut manifest = manifests().load(b"/pictures/a");
        let known = ["0.jpg", "1.jpg", "2.jpg"].map(|name| {
            let name = NaturalName::new(name.as_bytes());
            manifest.take(&name)
        });
        assert_eq!(known, [Some(some_outcome()), None, Some(some_outcome())]);
    }
}
