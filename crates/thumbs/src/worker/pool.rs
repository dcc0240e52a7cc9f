//! The parent's side: a pool of workers, one for each concurrent caller.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fumikura_image::{
    Decode, DecodeError, EncodedThumbnail, Format, Limits, PictureKind, Rendition, Variant, kind_of,
};
use parking_lot::Mutex;

use super::child::{JobOutcome, Worker};
use super::sandbox;
use super::supervisor::{Idle, Starter, Supervisor};
use super::system;
use super::wire::{Job, Settings};
use super::{WorkerConfig, WorkerError};

/// The number of jobs after which a worker is replaced, so that memory leaks of its decoders are never counted
/// against a picture.
const MAX_JOBS: u32 = 500;
/// The number of new workers that are tried if they die before they accept the job.
const MAX_STARTS: u32 = 3;
/// The pause after a failed start: a hundred pictures may wait, and each failure can take seconds.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Returns the decoder of a program that decodes in workers.
pub(crate) fn decoder(config: WorkerConfig, limits: Limits) -> io::Result<Arc<dyn Decode>> {
    Ok(Arc::new(AllWorkers {
        videos: Workers::start_silently(config.for_videos(), limits)?,
        pictures: Workers::start(config, limits)?,
    }))
}

/// A decoder with workers for pictures, and others for videos.
#[derive(Debug)]
struct AllWorkers {
    pictures: Workers,
    videos: Workers,
}

impl Decode for AllWorkers {
    fn thumbnail(
        &self,
        mut file: File,
        length: u64,
        variant: Variant,
    ) -> Result<EncodedThumbnail, DecodeError> {
        // A file that is no picture is refused by the worker.
        let kind = kind_of(&mut file).ok();
        let workers = match kind.is_some_and(|kind| kind.facts().is_video()) {
            true => &self.videos,
            false => &self.pictures,
        };
        workers.thumbnail(file, length, variant)
    }

    /// Videos are refused by the worker for pictures.
    fn render(
        &self,
        file: File,
        length: u64,
        rendition: Rendition,
    ) -> Result<Vec<u8>, DecodeError> {
        self.pictures.render(file, length, rendition)
    }

    fn frames(&self, file: File, length: u64, from: u32) -> Result<Vec<u8>, DecodeError> {
        self.pictures.frames(file, length, from)
    }

    fn shut_down(&self) {
        self.videos.shut_down();
        self.pictures.shut_down();
    }
}

/// A decoder in child processes, one for each concurrent caller. They are started on demand and end after an idle
/// time, with this value, or with this process, whichever comes first.
#[derive(Debug)]
pub struct Workers {
    config: WorkerConfig,
    settings: Settings,
    idle: Arc<Idle>,
    starter: Starter,
    supervisor: Mutex<Option<Supervisor>>,
    is_shut_down: AtomicBool,
    next_job: AtomicU64,
    /// The time and the cause of the last start, if it failed.
    failed: Mutex<Option<(Instant, Arc<WorkerError>)>>,
}

impl Workers {
    /// Creates the pool. No worker is started before there is something to decode. If the program is missing, this is
    /// logged, and each request for a thumbnail fails.
    ///
    /// # Errors
    /// [`io::Error`] if the system provides no more threads.
    pub fn start(config: WorkerConfig, limits: Limits) -> io::Result<Self> {
        if let Err(error) = std::fs::metadata(&config.program) {
            let program = config.program.display();
            tracing::error!("no thumbnails can be made: {program}: {error}");
        }
        if !sandbox::can_refuse_files() {
            tracing::warn!(
                "this kernel has no Landlock: decoders of pictures can't be kept from reading files"
            );
        }
        Self::start_silently(config, limits)
    }

    /// Creates the pool like [`start`](Self::start), and logs nothing.
    fn start_silently(config: WorkerConfig, limits: Limits) -> io::Result<Self> {
        let idle = Arc::new(Idle::default());
        let supervisor = Supervisor::start(config.clone(), Arc::clone(&idle))?;
        let settings = Settings {
            pixels: limits.pixels,
            side: limits.side,
            file_bytes: limits.file_bytes,
            memory: config.limits.memory,
            cpu_seconds: config.limits.cpu.as_secs(),
            output: config.limits.output,
        };
        Ok(Self {
            config,
            settings,
            idle,
            starter: supervisor.starter(),
            supervisor: Mutex::new(Some(supervisor)),
            is_shut_down: AtomicBool::new(false),
            next_job: AtomicU64::new(1),
            failed: Mutex::default(),
        })
    }

    /// Returns an idle worker, or a new one.
    fn take(&self) -> Result<Worker, Arc<WorkerError>> {
        while let Some(worker) = self.idle.take() {
            if worker.is_ready() {
                return Ok(worker);
            }
        }
        if self.is_shut_down.load(Ordering::Acquire) {
            return Err(Arc::new(WorkerError::ShutDown));
        }
        if let Some((when, error)) = &*self.lock_failed()
            && when.elapsed() < RETRY_AFTER
        {
            return Err(Arc::clone(error));
        }
        let started = self.start_worker().map_err(Arc::new);
        self.record_start(started.as_ref().err());
        started
    }

    fn start_worker(&self) -> Result<Worker, WorkerError> {
        let started = self.starter.start().ok_or(WorkerError::ShutDown)?;
        let mut worker = started.map_err(WorkerError::Start)?;
        worker.greet(&self.settings, &self.config.limits)?;
        Ok(worker)
    }

    /// Logs once that workers can't be started, and once that they can be started again.
    fn record_start(&self, error: Option<&Arc<WorkerError>>) {
        let now = error.map(|error| (Instant::now(), Arc::clone(error)));
        let before = std::mem::replace(&mut *self.lock_failed(), now);
        let program = self.config.program.display();
        match (before, error) {
            (None, Some(error)) => tracing::error!("no thumbnails can be made: {program}: {error}"),
            (Some(_), None) => tracing::info!("thumbnails can be made again by {program}"),
            (Some(_), Some(_)) | (None, None) => {}
        }
    }

    /// Keeps the worker for the next job, unless it has reached its number of jobs, or a decoder failed in it:
    /// a damaged picture must not affect the next one through the worker's memory.
    fn give_back(&self, worker: Worker, outcome: &Result<EncodedThumbnail, DecodeError>) {
        let is_clean = outcome.as_ref().err().is_none_or(DecodeError::is_by_header);
        if is_clean && worker.jobs() < MAX_JOBS {
            self.idle.put(worker);
        }
        if self.is_shut_down.load(Ordering::Acquire) {
            // No other code would end it.
            drop(self.idle.take());
        }
    }

    /// Converts a failure after a shutdown, for which the picture is not at fault. Logs other failures.
    fn report_failure(&self, error: DecodeError) -> DecodeError {
        if self.is_shut_down.load(Ordering::Acquire) {
            return DecodeError::NoDecoder(Arc::new(WorkerError::ShutDown));
        }
        tracing::warn!("a picture cost its worker: {error}");
        error
    }

    fn lock_failed(&self) -> parking_lot::MutexGuard<'_, Option<(Instant, Arc<WorkerError>)>> {
        self.failed.lock()
    }
}

impl Workers {
    /// Runs a job with a picture, of which the result is a picture of this kind.
    fn run(
        &self,
        file: &File,
        kind: PictureKind,
        job: impl Fn(u64) -> Job,
    ) -> Result<EncodedThumbnail, DecodeError> {
        let limits = &self.config.limits;
        let thumbnail = system::file_in_memory(limits.output)
            .map_err(|error| worker_error(WorkerError::HandingOver(error)))?;
        let mut died = 0;
        while died < MAX_STARTS {
            let mut worker = self.take().map_err(|error| DecodeError::NoDecoder(error))?;
            let is_new = worker.jobs() == 0;
            let job = job(self.next_job.fetch_add(1, Ordering::Relaxed));
            match worker.run(job, kind, [file, &thumbnail], limits) {
                JobOutcome::Answered(outcome) => {
                    self.give_back(worker, &outcome);
                    return outcome;
                }
                JobOutcome::Poisoned(error) => return Err(self.report_failure(error)),
                JobOutcome::Failed(error) => {
                    return Err(worker_error(WorkerError::HandingOver(error)));
                }
                JobOutcome::NotTaken => died += u32::from(is_new),
            }
        }
        Err(worker_error(WorkerError::Dying))
    }
}

impl Decode for Workers {
    fn thumbnail(
        &self,
        file: File,
        length: u64,
        variant: Variant,
    ) -> Result<EncodedThumbnail, DecodeError> {
        let kind = match variant.format {
            Format::Jpg => PictureKind::Jpeg,
            Format::Png => PictureKind::Png,
            Format::Webp => PictureKind::Webp,
        };
        self.run(&file, kind, |number| Job::new(number, length, variant))
    }

    fn render(
        &self,
        file: File,
        length: u64,
        rendition: Rendition,
    ) -> Result<Vec<u8>, DecodeError> {
        let made = self.run(&file, rendition.format.kind(), |number| {
            Job::of_rendition(number, length, rendition)
        });
        Ok(made?.bytes)
    }

    fn frames(&self, file: File, length: u64, from: u32) -> Result<Vec<u8>, DecodeError> {
        let made = self.run(&file, PictureKind::Webp, |number| {
            Job::of_frames(number, length, from)
        });
        Ok(made?.bytes)
    }

    fn shut_down(&self) {
        self.is_shut_down.store(true, Ordering::Release);
        let supervisor = self.supervisor.lock().take();
        if let Some(supervisor) = supervisor {
            supervisor.stop();
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.shut_down();
    }
}

fn worker_error(error: WorkerError) -> DecodeError {
    tracing::error!("a thumbnail can't be made: a worker is needed, and {error}");
    DecodeError::NoDecoder(Arc::new(error))
}
