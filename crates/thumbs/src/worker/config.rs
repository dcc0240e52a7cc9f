//! The configuration of the workers.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The program that the workers run, and the limits of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerConfig {
    /// The absolute path of the program. While it is missing, there are no thumbnails.
    pub program: PathBuf,
    /// The arguments that make the program a worker.
    pub arguments: Vec<OsString>,
    /// The limits for one picture.
    pub limits: WorkerLimits,
    /// The time after which an idle worker is ended.
    pub idle: Duration,
    /// The time in which workers may finish their pictures at a shutdown.
    pub finish: Duration,
}

impl WorkerConfig {
    /// Creates the configuration of workers that run `fumi`, the program at that path.
    #[must_use]
    pub fn new(program: PathBuf) -> Self {
        Self {
            program,
            arguments: vec!["thumb-worker".into()],
            limits: WorkerLimits::default(),
            idle: Duration::from_secs(30),
            finish: Duration::from_secs(2),
        }
    }

    /// Returns the configuration of the workers for videos, which run the same program within narrower limits: one
    /// frame is decoded, however long a video is.
    pub(super) fn for_videos(&self) -> Self {
        Self {
            arguments: vec!["video-worker".into()],
            limits: WorkerLimits {
                memory: self.limits.memory.min(VIDEO_MEMORY),
                wall: self.limits.wall.min(VIDEO_WALL),
                cpu: self.limits.cpu.min(VIDEO_CPU),
                ..self.limits
            },
            ..self.clone()
        }
    }
}

/// The address space of a worker for videos, in bytes. It includes the libraries of the decoders.
const VIDEO_MEMORY: u64 = 1 << 30;
/// The time limit for a frame of a video.
const VIDEO_WALL: Duration = Duration::from_secs(20);
/// The limit of processor time for a frame of a video.
const VIDEO_CPU: Duration = Duration::from_secs(10);

/// The limits of a worker for one picture, besides those of [`Limits`](fumikura_image::Limits).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerLimits {
    /// The memory in bytes, unless the header shows that less suffices.
    pub memory: u64,
    /// The time limit for the thumbnail.
    pub wall: Duration,
    /// The limit of processor time, in whole seconds. It is shorter than `wall`: on a busy machine, a picture
    /// may use all its processor time before `wall` ends.
    pub cpu: Duration,
    /// The maximum size of the thumbnail, in bytes.
    pub output: u64,
}

impl Default for WorkerLimits {
    /// Allows 2 GiB of memory, a minute in total, half a minute of processor time, and results of 256 MiB
    /// (a picture of 64 megapixels with four incompressible channels).
    fn default() -> Self {
        Self {
            memory: 2 << 30,
            wall: Duration::from_secs(60),
            cpu: Duration::from_secs(30),
            output: 256 << 20,
        }
    }
}
