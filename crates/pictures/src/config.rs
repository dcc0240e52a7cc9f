//! The configuration of the pictures.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use fumikura_image::Limits;
use fumikura_thumbs::{Capacity, WorkerConfig};

/// The configuration of the pictures. The defaults are those of docs/spec/thumbnails.md, Capacity.
#[derive(Debug, Clone)]
pub struct Config {
    /// The folder of the thumbnails. Created if it is missing (`ESTELLE_CACHE_DIR`).
    pub thumbs: PathBuf,
    /// The folder of the stored metadata of folders' pictures. Created when there is something to store.
    pub folders: PathBuf,
    /// The file that stores the roots. Its folder must exist.
    pub roots_file: PathBuf,
    /// The folder of the records of file operations. Created when there is something to store.
    pub undo: PathBuf,
    /// The trash of the home folder (`XDG_DATA_HOME`, `HOME`). Other disks have their own.
    pub home_trash: Option<PathBuf>,
    /// The number of threads that make thumbnails, at least one (`ESTELLE_WORKERS`).
    pub workers: usize,
    /// The number of places in the queue, at least one (`ESTELLE_QUEUE_SIZE`).
    pub queue_size: usize,
    /// The capacity of the cache (`ESTELLE_CACHE_LIMIT`, `ESTELLE_GC_HIGH_RATIO`, `ESTELLE_GC_LOW_RATIO`).
    pub capacity: Capacity,
    /// The maximum size of the thumbnails in memory, in bytes.
    pub memory: u64,
    /// The limits for decoding one picture.
    pub limits: Limits,
    /// The time that a listing that may [grow](fumikura_library::ListQuery::may_grow) waits for all names.
    pub listing_timeout: Duration,
    /// The processes that decode pictures. `None` decodes in this process.
    pub worker: Option<WorkerConfig>,
}

impl Config {
    /// Creates the defaults: records of file operations beside the roots, half as many workers as there are
    /// processors, 1024 places in the queue, 1 GiB of thumbnails, 32 MiB of them in memory, decoded in this
    /// process.
    #[must_use]
    pub fn new(thumbs: PathBuf, folders: PathBuf, roots_file: PathBuf) -> Self {
        Self {
            thumbs,
            folders,
            undo: roots_file.with_file_name("undo"),
            roots_file,
            home_trash: fumikura_fileops::home_trash(),
            workers: thread::available_parallelism().map_or(1, |cpus| (cpus.get() / 2).max(1)),
            queue_size: 1024,
            capacity: Capacity::default(),
            memory: 32 * 1024 * 1024,
            limits: Limits::default(),
            listing_timeout: Duration::from_millis(250),
            worker: None,
        }
    }
}
