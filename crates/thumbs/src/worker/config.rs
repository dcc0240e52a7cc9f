//! What the workers need to be told.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Which program the workers run, and what each of them may cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerConfig {
    /// The program, by its absolute path. Where it is missing, there are no thumbnails until it comes.
    pub program: PathBuf,
    /// What makes a worker of it.
    pub arguments: Vec<OsString>,
    /// What one picture may cost.
    pub limits: WorkerLimits,
    /// How long a worker that has nothing to do is kept.
    pub idle: Duration,
}

impl WorkerConfig {
    /// Workers that are `fumi`, which lies at that path.
    #[must_use]
    pub fn new(program: PathBuf) -> Self {
        Self {
            program,
            arguments: vec!["thumb-worker".into()],
            limits: WorkerLimits::default(),
            idle: Duration::from_secs(30),
        }
    }
}

/// What one picture may cost its worker at most, beside what [`Limits`](crate::Limits) say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerLimits {
    /// Bytes of memory, where the header does not tell that less will do.
    pub memory: u64,
    /// How long one waits for the thumbnail.
    pub wall: Duration,
    /// How long the worker may compute, in whole seconds. Less than one waits, so that a machine
    /// that is busy with other things is not held against the picture.
    pub cpu: Duration,
    /// Bytes of the thumbnail.
    pub output: u64,
}

impl Default for WorkerLimits {
    /// 2 GiB, a minute of waiting, half a minute of computing, thumbnails of 96 MiB (4096 × 4096
    /// pixels with four channels that can't be compressed take 64).
    fn default() -> Self {
        Self {
            memory: 2 << 30,
            wall: Duration::from_secs(60),
            cpu: Duration::from_secs(30),
            output: 96 << 20,
        }
    }
}
