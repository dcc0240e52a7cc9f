//! What the thumbnails need to be told.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use crate::cache::Capacity;
use crate::decode::Limits;
use crate::files;
use crate::worker::WorkerConfig;

/// What the thumbnails need to be told. The defaults are those of docs/spec/thumbnails.md, Capacity.
#[derive(Debug, Clone)]
pub struct Config {
    /// The folder of the thumbnails; made if it is missing (`ESTELLE_CACHE_DIR`).
    pub thumbs: PathBuf,
    /// The folder of what is known of folders' pictures; made when there is something to keep.
    pub folders: PathBuf,
    /// The file that keeps the roots; its folder must be there.
    pub roots_file: PathBuf,
    /// The folder of what was done with files; made when there is something to keep.
    pub undo: PathBuf,
    /// The bin of the home folder (`XDG_DATA_HOME`, `HOME`); on other disks each has its own.
    pub home_bin: Option<PathBuf>,
    /// Threads that make thumbnails, at least one (`ESTELLE_WORKERS`).
    pub workers: usize,
    /// Places in the queue, at least one (`ESTELLE_QUEUE_SIZE`).
    pub queue_size: usize,
    /// What the cache may hold (`ESTELLE_CACHE_LIMIT`, `ESTELLE_GC_HIGH_RATIO`, `ESTELLE_GC_LOW_RATIO`).
    pub capacity: Capacity,
    /// How many bytes of thumbnails are kept in memory at most.
    pub memory: u64,
    /// What one picture may cost.
    pub limits: Limits,
    /// How long a listing that may [grow](crate::ListQuery::may_grow) waits for all names.
    pub patience: Duration,
    /// The processes that pictures are decoded in; `None` decodes in this one.
    pub worker: Option<WorkerConfig>,
}

impl Config {
    /// The defaults: what was done with files beside the roots, half as many workers as there are processors, 1024 places in the queue, 1 GiB of
    /// thumbnails, 32 MiB of them in memory, decoded in this process.
    #[must_use]
    pub fn new(thumbs: PathBuf, folders: PathBuf, roots_file: PathBuf) -> Self {
        Self {
            thumbs,
            folders,
            undo: roots_file.with_file_name("undo"),
            roots_file,
            home_bin: files::home_bin(),
            workers: thread::available_parallelism().map_or(1, |cpus| (cpus.get() / 2).max(1)),
            queue_size: 1024,
            capacity: Capacity::default(),
            memory: 32 * 1024 * 1024,
            limits: Limits::default(),
            patience: Duration::from_millis(250),
            worker: None,
        }
    }
}
