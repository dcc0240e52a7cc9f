//! The jobs of this launch: running ones, and the last that ended.

use std::pin::pin;

use fumikura_base::entropy::{Entropy, random_bytes};
use jiff::Timestamp;
use parking_lot::{Mutex, MutexGuard};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Notify;
use utoipa::ToSchema;

use crate::error::ErrorBody;
use crate::jobs::control::Progress;
use crate::jobs::{JobError, JobOutcome};
use crate::shares::WorkKind;

/// The number of ended jobs kept.
const MAX_JOBS: usize = 50;

/// The kind of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JobKind {
    /// Checks the integrity of all data.
    Check,
    /// Backs up all data.
    Backup,
    /// Copies a backup to the second place.
    CopyBackup,
    /// Prepares the data to go back to a backup.
    GoBack,
    /// Exports an archive that other programs can read.
    Export,
    /// Imports such an archive.
    Import,
    /// Reads notes of another program.
    ReadNotes,
    /// Imports notes of another program.
    ImportNotes,
    /// Evicts thumbnails.
    CacheGc,
    /// Deletes the thumbnails and folder indexes of a root, or all.
    CacheClear,
    /// Removes thumbnails and folder indexes that have not been read for long.
    TtlRun,
    /// Moves files to another folder.
    MoveFiles,
    /// Copies files.
    CopyFiles,
    /// Moves files to the trash.
    BinFiles,
    /// Undoes an operation on files.
    UndoFiles,
    /// Rates and tags pictures.
    MarkFiles,
    /// Renames or removes tags of pictures.
    RenameTags,
    /// Exports pictures as new files.
    ExportPictures,
    /// Writes a PDF with rows of pictures.
    ContactSheet,
    /// Reads pictures of albums, and finds those that were moved.
    FindPictures,
    /// Finds pictures with the same contents, or that look alike.
    FindDuplicates,
    /// Records the hashes of files.
    RecordHashes,
    /// Compares files with their records.
    VerifyHashes,
    /// Compares files with the hashes in a list.
    CheckHashes,
    /// Gives hash records with older names the encoded name.
    MigrateHashes,
    /// Sets aside the hash records of missing files.
    TidyHashes,
    /// Describes pictures with a service.
    DescribePictures,
}

impl JobKind {
    /// Returns the kind of work for which jobs of this kind queue.
    pub(crate) fn work(self) -> WorkKind {
        match self {
            Self::Check
            | Self::Backup
            | Self::CopyBackup
            | Self::GoBack
            | Self::Export
            | Self::Import
            | Self::ReadNotes
            | Self::ImportNotes => WorkKind::Archive,
            Self::CacheGc | Self::CacheClear | Self::TtlRun => WorkKind::Cache,
            Self::MoveFiles
            | Self::CopyFiles
            | Self::BinFiles
            | Self::UndoFiles
            | Self::MarkFiles
            | Self::RenameTags
            | Self::ExportPictures
            | Self::ContactSheet
            | Self::FindPictures
            | Self::FindDuplicates => WorkKind::Files,
            Self::RecordHashes
            | Self::VerifyHashes
            | Self::CheckHashes
            | Self::MigrateHashes
            | Self::TidyHashes => WorkKind::HashRun,
            Self::DescribePictures => WorkKind::Describe,
        }
    }
}

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JobState {
    /// Waiting until other jobs of the same client end.
    Queued,
    /// Running.
    Running,
    /// Paused, until it is resumed.
    Paused,
    /// Completed.
    Done,
    /// Failed; `error` has the reason.
    Failed,
    /// Cancelled by a user, or by the end of the program.
    Cancelled,
}

/// A job.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Job)]
pub(crate) struct JobRow {
    pub(crate) id: String,
    pub(crate) kind: JobKind,
    pub(crate) state: JobState,
    /// The amount of work done.
    pub(crate) done: u64,
    /// The total amount of work; 0 while it is unknown.
    pub(crate) total: u64,
    pub(crate) started_at: Timestamp,
    pub(crate) ended_at: Option<Timestamp>,
    /// The result of a completed job.
    #[schema(value_type = Option<Object>)]
    pub(crate) result: Option<Value>,
    /// The error of a failed job.
    pub(crate) error: Option<ErrorBody>,
}

/// The jobs of this launch.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    jobs: Mutex<Vec<Job>>,
    /// Held while the state of a job is published.
    reporting: Mutex<()>,
    /// Notified when a job ends or is paused.
    changed: Notify,
}

#[derive(Debug)]
struct Job {
    id: String,
    kind: JobKind,
    started_at: Timestamp,
    progress: Progress,
    end: Option<JobEnd>,
}

#[derive(Debug)]
struct JobEnd {
    at: Timestamp,
    state: JobState,
    result: Option<Value>,
    error: Option<ErrorBody>,
}

impl Jobs {
    /// Returns all jobs, newest first.
    pub(crate) fn all(&self) -> Vec<JobRow> {
        self.lock().iter().rev().map(Job::row).collect()
    }

    pub(crate) fn get(&self, id: &str) -> Option<JobRow> {
        self.lock().iter().find(|job| job.id == id).map(Job::row)
    }

    /// Publishes the state of a job, if the job exists. Publications are serialized, so that listeners never
    /// receive an older state after a newer one.
    pub(crate) fn report(&self, id: &str, report: impl FnOnce(JobRow)) {
        let _turn = self.reporting.lock();
        if let Some(row) = self.get(id) {
            report(row);
        }
    }

    /// Pauses or resumes a job. `None` if the job does not exist; an ended one does not change.
    pub(crate) fn pause(&self, id: &str, paused: bool) -> Option<JobRow> {
        let jobs = self.lock();
        let job = jobs.iter().find(|job| job.id == id)?;
        job.progress.pause(paused);
        self.changed.notify_waiters();
        Some(job.row())
    }

    /// Cancels a job. `None` if the job does not exist; an ended one does not change.
    pub(crate) fn cancel(&self, id: &str) -> Option<JobRow> {
        let jobs = self.lock();
        let job = jobs.iter().find(|job| job.id == id)?;
        job.progress.cancel();
        Some(job.row())
    }

    /// Returns true if a job is running or waiting, and not paused.
    pub(crate) fn has_active(&self) -> bool {
        self.lock().iter().any(Job::is_active)
    }

    /// Returns true if a job is running or waiting, and not paused.
    pub(crate) fn is_active(&self, id: &str) -> bool {
        self.lock()
            .iter()
            .any(|job| job.id == id && job.is_active())
    }

    /// Waits until all earlier jobs of this kind have ended or are paused.
    pub(crate) async fn turn(&self, id: &str, kind: JobKind) {
        loop {
            let mut changed = pin!(self.changed.notified());
            // From here on, no notification is missed.
            changed.as_mut().enable();
            let must_wait = {
                let jobs = self.lock();
                let mut earlier = jobs.iter().take_while(|job| job.id != id);
                earlier.any(|job| job.kind == kind && job.is_active())
            };
            if !must_wait {
                return;
            }
            changed.await;
        }
    }

    /// Cancels all jobs.
    pub(crate) fn cancel_all(&self) {
        for job in self.lock().iter() {
            job.progress.cancel();
        }
    }

    /// Registers a new job. If one of its kind is running, returns the id of that one.
    pub(crate) fn begin(
        &self,
        kind: JobKind,
        now: Timestamp,
        entropy: &dyn Entropy,
    ) -> Result<(String, Progress), String> {
        let mut jobs = self.lock();
        let at_work = |job: &&Job| job.kind == kind && job.end.is_none();
        match jobs.iter().find(at_work) {
            Some(running) => Err(running.id.clone()),
            None => Ok(note(&mut jobs, kind, now, entropy)),
        }
    }

    /// Registers a new job, regardless of running ones.
    pub(crate) fn begin_another(
        &self,
        kind: JobKind,
        now: Timestamp,
        entropy: &dyn Entropy,
    ) -> (String, Progress) {
        note(&mut self.lock(), kind, now, entropy)
    }

    /// Records the outcome of a job.
    pub(crate) fn end(&self, id: &str, outcome: JobOutcome, now: Timestamp) {
        let (state, result, error) = match outcome {
            Ok(result) => (JobState::Done, Some(result), None),
            Err(JobError::Cancelled) => (JobState::Cancelled, None, None),
            Err(JobError::Failed(error)) => (JobState::Failed, None, Some(error.into_body())),
        };
        if let Some(job) = self.lock().iter_mut().find(|job| job.id == id) {
            job.end = Some(JobEnd {
                at: now,
                state,
                result,
                error,
            });
        }
        self.changed.notify_waiters();
    }

    /// Removes a job whose outcome its caller knows.
    pub(crate) fn forget(&self, id: &str) {
        self.lock().retain(|job| job.id != id);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Job>> {
        self.jobs.lock()
    }
}

fn note(
    jobs: &mut Vec<Job>,
    kind: JobKind,
    now: Timestamp,
    entropy: &dyn Entropy,
) -> (String, Progress) {
    let id = hex::encode(random_bytes::<16>(entropy));
    let job = Job {
        kind,
        started_at: now,
        progress: Progress::of(id.clone()),
        id,
        end: None,
    };
    let begun = (job.id.clone(), job.progress.clone());
    jobs.push(job);
    let ended_jobs = jobs.iter().filter(|job| job.end.is_some()).count();
    if ended_jobs > MAX_JOBS {
        let oldest = jobs.iter().position(|job| job.end.is_some());
        oldest.map(|at| jobs.remove(at));
    }
    begun
}

impl Job {
    fn is_active(&self) -> bool {
        self.end.is_none() && !self.progress.state().paused
    }

    fn row(&self) -> JobRow {
        let progress = self.progress.state();
        let state = match &self.end {
            Some(end) => end.state,
            None if progress.paused => JobState::Paused,
            None if progress.queued => JobState::Queued,
            None => JobState::Running,
        };
        let end = self.end.as_ref();
        JobRow {
            id: self.id.clone(),
            kind: self.kind,
            state,
            done: progress.done,
            total: progress.total,
            started_at: self.started_at,
            ended_at: end.map(|end| end.at),
            result: end.and_then(|end| end.result.clone()),
            error: end.and_then(|end| end.error.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use fumikura_base::entropy::SeededEntropy;
    use serde_json::json;

    use super::*;

    #[test]
    fn one_job_per_kind_runs_with_bounded_history() {
        let (jobs, entropy) = (Jobs::default(), SeededEntropy::new(1));
        let now = Timestamp::UNIX_EPOCH;
        let (first, _) = jobs.begin(JobKind::Check, now, &entropy).unwrap();
        assert_eq!(
            jobs.begin(JobKind::Check, now, &entropy).unwrap_err(),
            first
        );
        jobs.end(&first, Ok(json!({})), now);
        for _ in 0..MAX_JOBS + 3 {
            let (id, _) = jobs.begin(JobKind::Check, now, &entropy).unwrap();
            jobs.end(&id, Err(JobError::Cancelled), now);
        }
        assert!(jobs.get(&first).is_none());
        assert_eq!(jobs.all().len(), MAX_JOBS + 1);
        assert_eq!(jobs.all()[0].state, JobState::Cancelled);
    }

    #[test]
    fn begin_another_allows_concurrent_jobs_of_a_kind() {
        let (jobs, entropy) = (Jobs::default(), SeededEntropy::new(1));
        let now = Timestamp::UNIX_EPOCH;
        let (first, _) = jobs.begin_another(JobKind::Export, now, &entropy);
        let (second, _) = jobs.begin_another(JobKind::Export, now, &entropy);
        assert_ne!(first, second);
        assert_eq!(jobs.all().len(), 2);
    }

    #[tokio::test]
    async fn job_waits_for_earlier_ones_unless_paused() {
        use futures_util::FutureExt;
        let (jobs, entropy) = (Jobs::default(), SeededEntropy::new(1));
        let now = Timestamp::UNIX_EPOCH;
        let begin = |kind| jobs.begin_another(kind, now, &entropy).0;
        let (first, _other) = (begin(JobKind::Backup), begin(JobKind::Check));
        let second = begin(JobKind::Backup);
        let mut turn = pin!(jobs.turn(&second, JobKind::Backup));
        assert_eq!(turn.as_mut().now_or_never(), None);
        jobs.pause(&first, true);
        assert_eq!(turn.as_mut().now_or_never(), Some(()));
        assert!(!jobs.is_active(&first) && jobs.has_active());

        jobs.pause(&first, false);
        let mut turn = pin!(jobs.turn(&second, JobKind::Backup));
        assert_eq!(turn.as_mut().now_or_never(), None);
        jobs.end(&first, Ok(json!({})), now);
        turn.await;
        jobs.turn(&first, JobKind::Backup).await;
    }

    #[test]
    fn reported_progress_never_decreases() {
        const STEPS: u64 = 300;
        let (jobs, entropy) = (Jobs::default(), SeededEntropy::new(1));
        let now = Timestamp::UNIX_EPOCH;
        let (id, progress) = jobs.begin(JobKind::Check, now, &entropy).unwrap();
        let reported = Mutex::new(vec![0]);
        let last = &|| *reported.lock().last().unwrap();
        let report = &|slowly: u32| {
            jobs.report(&id, |row| {
                // Gives faster threads the time to publish another state.
                for _ in 0..slowly * 50 {
                    std::thread::yield_now();
                }
                reported.lock().push(row.done);
            });
        };
        std::thread::scope(|scope| {
            for slowly in 0..3 {
                scope.spawn(move || {
                    while last() < STEPS {
                        report(slowly);
                    }
                });
            }
            for done in 1..=STEPS {
                progress.advance(done, STEPS).unwrap();
                while last() < done {
                    std::thread::yield_now();
                }
            }
        });
        assert!(reported.lock().is_sorted());
    }
}
