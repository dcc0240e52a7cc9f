//! The scheduler of the reader: it decides which headers are read next, without a disk and without a thread.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use fumikura_fs::RootId;

use super::snapshot::Snapshot;

/// The maximum number of folders in progress; the one that was requested longest ago is dropped.
const MAX_TASKS: usize = 16;
/// The maximum number of pending parts of a folder that are remembered.
const MAX_PAGES: usize = 64;
/// The number of headers that are read before the next job is chosen.
const BATCH: usize = 32;
/// The minimum interval between notifications of one folder.
const NOTIFY_INTERVAL: Duration = Duration::from_millis(500);
/// The interval at which metadata is saved while reading goes on.
const SAVE_INTERVAL: Duration = Duration::from_secs(30);
/// The time that a folder is read on after it was last requested.
pub(super) const LEASE: Duration = Duration::from_secs(120);

/// The folders whose headers are read, and the snapshots to save.
#[derive(Default)]
pub(super) struct Scheduler {
    /// The folder requested last is at the end.
    tasks: Vec<FolderTask>,
    /// Snapshots with metadata from other sources than reading, each folder once, and the time to save them; the next
    /// due first.
    delayed_saves: Vec<(Arc<Snapshot>, Duration)>,
    /// Snapshots that are being read: at most one of each root, since its disk may never answer.
    reading: Vec<Arc<Snapshot>>,
}

struct FolderTask {
    snapshot: Arc<Snapshot>,
    /// The requested parts, the latest at the end.
    pages: Vec<Vec<usize>>,
    /// The entries that no client has requested yet.
    rest: Range<usize>,
    has_rest: bool,
    lease_end: Duration,
    last_notified: Duration,
    last_saved: Duration,
    has_unreported: bool,
    is_unsaved: bool,
}

/// A job: the entries to read now.
pub(super) struct ReadJob {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) entries: Vec<usize>,
}

/// The result of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadOutcome {
    /// Metadata that is worth saving.
    Metadata,
    /// Only failures: files that can't be read, or have vanished.
    OnlyFailures,
}

/// The follow-up of a job, and the snapshot of each step.
#[derive(Default)]
pub(super) struct FollowUp {
    pub(super) notify: Option<Arc<Snapshot>>,
    pub(super) save: Option<Arc<Snapshot>>,
}

impl Scheduler {
    /// Adds a requested part of a listing; `with_rest` adds all other entries, too, which are read when there is time.
    pub(super) fn request(
        &mut self,
        snapshot: &Arc<Snapshot>,
        page: Vec<usize>,
        with_rest: bool,
        now: Duration,
    ) {
        let reading = &self.reading;
        self.tasks.retain(|task| {
            task.is_unsaved || !task.is_expired(now) || is_being_read(reading, &task.snapshot)
        });
        let before = self.remove_task(snapshot);
        if let Some(before) = before
            .as_ref()
            .filter(|before| before.snapshot.id != snapshot.id)
        {
            snapshot.adopt(&before.snapshot);
        }
        // Metadata from before the folder was read again is part of what is known now.
        let is_unsaved = before.as_ref().is_some_and(|task| task.is_unsaved);
        let task = before.filter(|task| task.snapshot.id == snapshot.id);
        let mut task = task.unwrap_or_else(|| FolderTask {
            snapshot: Arc::clone(snapshot),
            pages: Vec::new(),
            rest: 0..0,
            has_rest: false,
            lease_end: now,
            last_notified: now,
            last_saved: now,
            has_unreported: false,
            is_unsaved,
        });
        task.lease_end = now + LEASE;
        if !page.is_empty() {
            task.pages.push(page);
        }
        if task.pages.len() > MAX_PAGES {
            task.pages.remove(0);
        }
        if with_rest && !task.has_rest {
            (task.rest, task.has_rest) = (0..snapshot.len(), true);
        }
        for (one, _) in &mut self.delayed_saves {
            if one.is_like(snapshot) {
                *one = Arc::clone(snapshot);
            }
        }
        self.tasks.push(task);
        if self.tasks.len() > MAX_TASKS {
            let evicted = self.tasks.remove(0);
            if evicted.is_unsaved {
                self.save_later(&evicted.snapshot, now);
            }
        }
    }

    /// Schedules a save of a folder's metadata after a while, with all metadata until then.
    pub(super) fn save_later(&mut self, snapshot: &Arc<Snapshot>, now: Duration) {
        let mut delayed_saves = self.delayed_saves.iter_mut().map(|(one, _)| one);
        match delayed_saves.find(|one| one.is_like(snapshot)) {
            Some(one) => *one = Arc::clone(snapshot),
            None => self
                .delayed_saves
                .push((Arc::clone(snapshot), now + SAVE_INTERVAL)),
        }
    }

    /// Returns the time of the next save that is due even if nothing is read until then.
    pub(super) fn due(&self) -> Option<Duration> {
        self.delayed_saves.first().map(|(_, due)| *due)
    }

    /// Forgets a root. Its jobs that have not begun must not begin any more: they are not [current](Self::is_current).
    pub(super) fn forget(&mut self, root: RootId) {
        self.tasks.retain(|task| task.snapshot.root.id() != root);
        self.reading.retain(|one| one.root.id() != root);
        self.delayed_saves.retain(|(one, _)| one.root.id() != root);
    }

    /// Renews the lease on folders that a client still shows.
    pub(super) fn renew(&mut self, is_it: impl Fn(&Snapshot) -> bool, now: Duration) {
        for task in self.tasks.iter_mut().filter(|task| is_it(&task.snapshot)) {
            task.lease_end = now + LEASE;
        }
    }

    fn remove_task(&mut self, snapshot: &Snapshot) -> Option<FolderTask> {
        let is_it = |task: &FolderTask| task.snapshot.is_like(snapshot);
        let at = self.tasks.iter().position(is_it)?;
        Some(self.tasks.remove(at))
    }

    /// Returns the next job, and the snapshots to save because they are read no further. No other job of the same root
    /// is returned until that one is [`done`](Self::done).
    pub(super) fn next(&mut self, now: Duration) -> (Option<ReadJob>, Vec<Arc<Snapshot>>) {
        let reading = &mut self.reading;
        let (active, over): (Vec<_>, Vec<_>) = self
            .tasks
            .drain(..)
            .partition(|task| !task.is_expired(now) || is_being_read(reading, &task.snapshot));
        self.tasks = active;
        // A part that was read without the rest is followed by others, while a client goes through the folder.
        let (over, partial): (Vec<_>, Vec<_>) = over.into_iter().partition(|task| task.has_rest);
        for task in partial.into_iter().filter(|task| task.is_unsaved) {
            self.save_later(&task.snapshot, now);
        }
        let due = self
            .delayed_saves
            .iter()
            .take_while(|(_, due)| *due <= now)
            .count();
        let due: Vec<_> = self.delayed_saves.drain(..due).collect();
        let reading = &mut self.reading;
        let is_free = |task: &&mut FolderTask| {
            let root = task.snapshot.root.id();
            reading.iter().all(|one| one.root.id() != root)
        };
        let job = self
            .tasks
            .iter_mut()
            .rev()
            .find(is_free)
            .map(FolderTask::next);
        reading.extend(job.iter().map(|job| Arc::clone(&job.snapshot)));
        (job, unsaved(over, due))
    }

    /// True unless the root of a job was forgotten since it was returned.
    pub(super) fn is_current(&self, job: &ReadJob) -> bool {
        let mut reading = self.reading.iter();
        reading.any(|one| Arc::ptr_eq(one, &job.snapshot))
    }

    /// Completes a job, and returns its follow-up.
    pub(super) fn done(&mut self, job: &ReadJob, metadata: ReadOutcome, now: Duration) -> FollowUp {
        let ReadJob { snapshot, entries } = job;
        self.reading.retain(|one| !Arc::ptr_eq(one, snapshot));
        let mut tasks = self.tasks.iter_mut();
        let Some(task) = tasks.find(|task| task.snapshot.is_like(snapshot)) else {
            return FollowUp::default();
        };
        if task.snapshot.id != snapshot.id {
            // The folder has been read again meanwhile. Even if that happens all the time, reading makes progress.
            task.snapshot.adopt_among(snapshot, entries);
        }
        task.has_unreported = true;
        task.is_unsaved |= metadata == ReadOutcome::Metadata;
        let is_at_rest = task.pages.is_empty();
        let is_done = is_at_rest && task.rest.is_empty();
        let mut after = FollowUp::default();
        if task.has_unreported
            && (is_done || now.saturating_sub(task.last_notified) >= NOTIFY_INTERVAL)
        {
            (task.last_notified, task.has_unreported) = (now, false);
            after.notify = Some(Arc::clone(&task.snapshot));
        }
        let is_whole = is_done && task.has_rest;
        if task.is_unsaved && (is_whole || now.saturating_sub(task.last_saved) >= SAVE_INTERVAL) {
            (task.last_saved, task.is_unsaved) = (now, false);
            after.save = Some(Arc::clone(&task.snapshot));
        }
        after
    }

    /// Returns the snapshots still to be saved at the end.
    pub(super) fn close(&mut self) -> Vec<Arc<Snapshot>> {
        let (tasks, delayed_saves) = (
            std::mem::take(&mut self.tasks),
            std::mem::take(&mut self.delayed_saves),
        );
        unsaved(tasks, delayed_saves)
    }
}

fn is_being_read(reading: &[Arc<Snapshot>], snapshot: &Snapshot) -> bool {
    reading
        .iter()
        .any(|one| one.is_of(&snapshot.root, &snapshot.path))
}

/// Returns each folder once. Of two snapshots, the one from [`Scheduler::save_later`] wins: it is the later one.
fn unsaved(tasks: Vec<FolderTask>, due: Vec<(Arc<Snapshot>, Duration)>) -> Vec<Arc<Snapshot>> {
    let mut unsaved: Vec<_> = due.into_iter().map(|(snapshot, _)| snapshot).collect();
    for task in tasks.into_iter().filter(|task| task.is_unsaved) {
        let is_it = |one: &Arc<Snapshot>| one.is_like(&task.snapshot);
        if !unsaved.iter().any(is_it) {
            unsaved.push(task.snapshot);
        }
    }
    unsaved
}

impl FolderTask {
    fn is_expired(&self, now: Duration) -> bool {
        now >= self.lease_end || (self.pages.is_empty() && self.rest.is_empty())
    }

    fn next(&mut self) -> ReadJob {
        let entries = match self.pages.last_mut() {
            Some(page) => {
                let some = page.drain(..page.len().min(BATCH)).collect();
                if page.is_empty() {
                    self.pages.pop();
                }
                some
            }
            None => self.rest.by_ref().take(BATCH).collect(),
        };
        ReadJob {
            snapshot: Arc::clone(&self.snapshot),
            entries,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    use super::super::entry::EntryKind;
    use super::super::header::HeaderMetadata;
    use super::super::natural::NaturalName;
    use super::super::read_state::{FileState, MetadataRead, ReadState};
    use super::super::scan::ScannedEntry;
    use super::super::snapshot_id::SnapshotId;
    use fumikura_fs::{Ctime, Mtime, RelPath, Root};

    const SECOND: Duration = Duration::from_secs(1);

    fn snapshot(folder: &str, time: u8, pictures: usize) -> Arc<Snapshot> {
        snapshot_of("/pictures", folder, time, pictures)
    }

    /// Returns a snapshot of a folder of pictures, as read at one time or another.
    pub(in super::super) fn snapshot_of(
        root: &str,
        folder: &str,
        time: u8,
        pictures: usize,
    ) -> Arc<Snapshot> {
        let scanned = (0..pictures).map(|number| ScannedEntry {
            name: NaturalName::new(format!("{number}.jpg").as_bytes()),
            kind: EntryKind::Picture,
            stat: None,
            sidecar: None,
        });
        let id = SnapshotId::from_bytes([time; 8]);
        let root = Arc::new(Root::own(root.as_bytes().to_vec()));
        let path = RelPath::parse(folder.as_bytes()).unwrap();
        let scanned = Vec::from_iter(scanned);
        Arc::new(Snapshot::of_folder(id, root, path, &scanned))
    }

    /// Runs all jobs, and returns the entries in the order of reading.
    fn read_all(scheduler: &mut Scheduler, now: Duration) -> Vec<(String, Vec<usize>)> {
        let jobs = std::iter::from_fn(|| {
            let job = scheduler.next(now).0?;
            scheduler.done(&job, ReadOutcome::Metadata, now);
            let folder = String::from_utf8_lossy(job.snapshot.path.as_bytes()).into_owned();
            Some((folder, job.entries))
        });
        jobs.collect()
    }

    #[test]
    fn requested_entries_are_read_before_the_rest() {
        let mut scheduler = Scheduler::default();
        let (a, b) = (snapshot("a", 1, 3), snapshot("b", 2, 40));
        scheduler.request(&a, vec![2], true, SECOND);
        scheduler.request(&b, vec![30, 31], false, SECOND);
        scheduler.request(&b, vec![7], false, SECOND);
        scheduler.request(&a, vec![0], true, SECOND);
        let folder = |name: &str, entries: &[usize]| (name.to_owned(), entries.to_vec());
        let expected = [
            folder("a", &[0]),
            folder("a", &[2]),
            folder("a", &[0, 1, 2]),
            folder("b", &[7]),
            folder("b", &[30, 31]),
        ];
        assert_eq!(read_all(&mut scheduler, SECOND), expected);
    }

    #[test]
    fn one_job_per_root_runs_at_once() {
        let mut scheduler = Scheduler::default();
        let silent = ["a", "b"].map(|folder| snapshot_of("/silent", folder, 1, 3));
        let near = snapshot_of("/near", "", 2, 3);
        scheduler.request(&near, vec![0, 1], false, SECOND);
        scheduler.request(&silent[0], vec![0], false, SECOND);
        scheduler.request(&silent[1], vec![0], false, SECOND);
        let next = |scheduler: &mut Scheduler, now| {
            let (job, unsaved) = scheduler.next(now);
            assert!(unsaved.is_empty());
            job
        };
        // The part requested last still comes first, and the others of that root wait for it.
        let out = next(&mut scheduler, SECOND).unwrap();
        assert_eq!(out.snapshot.id, silent[1].id);
        let job = next(&mut scheduler, SECOND).unwrap();
        assert_eq!(job.snapshot.id, near.id);
        assert!(next(&mut scheduler, SECOND).is_none());
        scheduler.request(&near, vec![2], false, SECOND);
        assert!(next(&mut scheduler, SECOND).is_none());
        // A folder with nothing more to read still gets the follow-up of what was read.
        let after = scheduler.done(&job, ReadOutcome::Metadata, SECOND);
        assert!(after.notify.is_none());
        let job = next(&mut scheduler, SECOND).unwrap();
        assert!(next(&mut scheduler, SECOND + LEASE).is_none());
        scheduler.request(&silent[0], vec![1], false, 2 * LEASE);
        assert!(next(&mut scheduler, 2 * LEASE).is_none());
        assert!(
            scheduler
                .done(&job, ReadOutcome::Metadata, 2 * LEASE)
                .notify
                .is_some()
        );
        assert!(
            scheduler
                .done(&out, ReadOutcome::Metadata, 2 * LEASE)
                .notify
                .is_some()
        );
        let job = next(&mut scheduler, 2 * LEASE).unwrap();
        assert_eq!((job.snapshot.id, job.entries), (silent[0].id, vec![1]));
    }

    #[test]
    fn large_page_is_read_in_batches() {
        let mut scheduler = Scheduler::default();
        scheduler.request(&snapshot("a", 1, 100), (0..70).collect(), false, SECOND);
        let read = read_all(&mut scheduler, SECOND);
        let lengths: Vec<_> = read.iter().map(|(_, entries)| entries.len()).collect();
        assert_eq!(lengths, [BATCH, BATCH, 6]);
    }

    #[test]
    fn evicted_folder_is_saved() {
        let mut scheduler = Scheduler::default();
        let first = snapshot("first", 1, 100);
        scheduler.request(&first, vec![5], false, SECOND);
        let job = scheduler.next(SECOND).0.unwrap();
        scheduler.done(&job, ReadOutcome::Metadata, SECOND);
        for number in 0..MAX_TASKS {
            let other = snapshot(&number.to_string(), 2, 3);
            scheduler.request(&other, vec![0], false, SECOND);
        }
        let saved: Vec<_> = scheduler.close().iter().map(|one| one.id).collect();
        assert_eq!(saved, [first.id]);
    }

    #[test]
    fn expired_folder_is_saved_and_read_no_further() {
        let mut scheduler = Scheduler::default();
        let a = snapshot("a", 1, 100);
        scheduler.request(&a, vec![5], true, SECOND);
        let (job, unsaved) = scheduler.next(SECOND);
        assert!(unsaved.is_empty());
        scheduler.done(&job.unwrap(), ReadOutcome::Metadata, SECOND);
        scheduler.renew(|one| one.is_of(&a.root, &a.path), 2 * SECOND);
        // The first of these is saved at once, as none was for so long.
        for _ in 0..2 {
            let job = scheduler.next(SECOND + LEASE).0.unwrap();
            scheduler.done(&job, ReadOutcome::Metadata, SECOND + LEASE);
        }
        let (job, unsaved) = scheduler.next(2 * SECOND + LEASE);
        assert!(job.is_none());
        assert_eq!(unsaved.len(), 1);
        assert!(scheduler.close().is_empty());
    }

    #[test]
    fn progress_is_reported_and_saved_periodically() {
        let mut scheduler = Scheduler::default();
        scheduler.request(&snapshot("a", 1, 3 * BATCH), Vec::new(), true, SECOND);
        let mut after = |metadata, now| {
            let job = scheduler.next(now).0.unwrap();
            let FollowUp { notify, save } = scheduler.done(&job, metadata, now);
            (notify.is_some(), save.is_some())
        };
        assert_eq!(after(ReadOutcome::Metadata, SECOND), (false, false));
        assert_eq!(
            after(ReadOutcome::Metadata, SECOND + NOTIFY_INTERVAL),
            (true, false)
        );
        // The failure of the last one is notified, too.
        let end = after(ReadOutcome::OnlyFailures, SECOND + NOTIFY_INTERVAL);
        assert_eq!(end, (true, true));
        assert!(scheduler.next(SECOND + NOTIFY_INTERVAL).0.is_none());
    }

    #[test]
    fn pages_of_a_remote_folder_are_saved_together() {
        let mut scheduler = Scheduler::default();
        let far = snapshot("a", 1, 100);
        for page in [vec![0, 1], vec![50, 51]] {
            scheduler.request(&far, page, false, SECOND);
            let job = scheduler.next(SECOND).0.unwrap();
            let after = scheduler.done(&job, ReadOutcome::Metadata, SECOND);
            assert_eq!(
                (after.notify.is_some(), after.save.is_some()),
                (true, false)
            );
            let (job, unsaved) = scheduler.next(SECOND);
            assert!(job.is_none() && unsaved.is_empty());
        }
        assert_eq!(scheduler.next(SECOND + SAVE_INTERVAL).1.len(), 1);
        assert!(scheduler.close().is_empty());
    }

    #[test]
    fn thumbnail_metadata_is_saved_later_or_at_close() {
        let mut scheduler = Scheduler::default();
        let (a, again) = (snapshot("a", 1, 3), snapshot("a", 2, 3));
        let b = snapshot("b", 3, 3);
        assert_eq!(scheduler.due(), None);
        scheduler.save_later(&a, SECOND);
        scheduler.save_later(&b, 2 * SECOND);
        scheduler.save_later(&again, 3 * SECOND);
        assert_eq!(scheduler.due(), Some(SECOND + SAVE_INTERVAL));
        assert!(scheduler.next(SAVE_INTERVAL).1.is_empty());
        let saved_ids =
            |unsaved: Vec<Arc<Snapshot>>| Vec::from_iter(unsaved.iter().map(|one| one.id));
        assert_eq!(
            saved_ids(scheduler.next(SECOND + SAVE_INTERVAL).1),
            [again.id]
        );
        assert_eq!(scheduler.due(), Some(2 * SECOND + SAVE_INTERVAL));
        // Metadata read of the same folder meanwhile is saved with it, once.
        scheduler.request(&b, vec![0], false, 3 * SECOND);
        let job = scheduler.next(3 * SECOND).0.unwrap();
        scheduler.request(&b, vec![1, 2], false, 3 * SECOND);
        scheduler.done(&job, ReadOutcome::Metadata, 3 * SECOND);
        assert_eq!(saved_ids(scheduler.close()), [b.id]);
        assert_eq!(scheduler.due(), None);
        scheduler.save_later(&a, SECOND);
        scheduler.forget(a.root.id());
        assert!(scheduler.close().is_empty());
    }

    #[test]
    fn rescanned_folder_continues_where_it_was() {
        let mut scheduler = Scheduler::default();
        let (before, now) = (snapshot("a", 1, 2), snapshot("a", 2, 2));
        scheduler.request(&before, vec![0], false, SECOND);
        let job = scheduler.next(SECOND).0.unwrap();
        scheduler.request(&now, vec![0, 1], false, SECOND);
        let known = |snapshot: &Snapshot| snapshot.indexes_with_metadata(&snapshot.path).0.len();
        before.record([(0, some_outcome())]);
        assert_eq!((known(&before), known(&now)), (1, 0));
        scheduler.done(&job, ReadOutcome::Metadata, SECOND);
        assert_eq!(known(&now), 1);
        assert_eq!(now.unread(), 1);
        // Known metadata is part of what is to be saved.
        assert_eq!(scheduler.close().len(), 1);
    }

    pub(in super::super) fn some_outcome() -> MetadataRead {
        let mtime = Mtime {
            seconds: 1,
            nanoseconds: 2,
        };
        let header = HeaderMetadata {
            embedded: None,
            head: None,
            taken: None,
            embeds: false,
            is_incomplete: false,
            duration: None,
            camera: None,
            lens: None,
        };
        MetadataRead {
            header: ReadState::Read(
                FileState {
                    size: 3,
                    mtime,
                    ctime: Ctime::default(),
                },
                header,
            ),
            marks: ReadState::Unread,
            hash: ReadState::Unread,
        }
    }
}
