//! The thumbnail cache (docs/spec/thumbnails.md, Capacity): its statistics, limit, folder, and eviction.

use std::path::Path;
use std::sync::Arc;

use fumikura_thumbs::{CacheStats, Capacity, EngineStats, can_hold_cache};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::app::App;
use crate::blocking::blocking;
use crate::config::{remember_cache_folder, remember_cache_limit};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::job_runner;
use crate::jobs::{JobError, JobKind, Outcome, Progress, StartedJob};
use crate::names::name_in_json;

/// The limits of the cache that a user can choose, in bytes.
const LIMITS: std::ops::RangeInclusive<u64> = (1 << 20)..=(1 << 50);

/// The name of the thumbnails' folder within a folder that has other contents.
const CACHE_FOLDER: &str = "fumikura-thumbnails";

/// The thumbnail cache: its size, folder, queue and counters.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Cache)]
pub(crate) struct CacheState {
    /// The size of all thumbnails in bytes, as far as they have been counted.
    used_bytes: u64,
    /// The number of thumbnails.
    files: u64,
    /// The limit of the size, in bytes.
    limit_bytes: u64,
    /// The path of the thumbnails' folder.
    folder: String,
    /// The path of the folder from the next launch on; null if it does not change.
    next_folder: Option<String>,
    /// True if the environment or a flag sets the folder, so that it can't be changed.
    folder_fixed: bool,
    /// True if the environment sets the limit, so that it can't be changed.
    limit_fixed: bool,
    /// The part of the limit above which thumbnails are deleted.
    high: f64,
    /// The part of the limit to which thumbnails are deleted.
    low: f64,
    /// True while thumbnails are being counted.
    scanning: bool,
    queue: CacheQueue,
    counters: CacheCounters,
}

/// The queue of requests whose thumbnails are to be made.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
struct CacheQueue {
    /// The number of queued requests.
    len: usize,
    /// The maximum number of queued requests.
    capacity: usize,
    /// The number of thumbnails that are made at the same time.
    workers: usize,
}

/// Counters since the start.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
struct CacheCounters {
    /// Requests for a cached thumbnail.
    hits: u64,
    /// Requests for a thumbnail that was not cached.
    misses: u64,
    /// Thumbnails made.
    generated: u64,
    /// Thumbnails that could not be made.
    failed: u64,
    /// Thumbnails deleted to make room.
    evicted: u64,
}

impl CacheState {
    fn new(cache: CacheStats, engine: EngineStats, app: &App) -> Self {
        let display_path = |path: &Path| name_in_json(path.as_os_str().as_encoded_bytes()).0;
        let next = app.next_cache_folder.lock();
        let next = next;
        Self {
            used_bytes: cache.used_bytes,
            files: cache.files,
            limit_bytes: cache.capacity.limit(),
            folder: display_path(&app.config.thumbs_dir),
            next_folder: next.as_deref().map(display_path),
            folder_fixed: app.config.is_thumbs_dir_fixed,
            limit_fixed: app.config.is_limit_fixed,
            high: cache.capacity.high(),
            low: cache.capacity.low(),
            scanning: cache.scanning,
            queue: CacheQueue {
                len: engine.queued,
                capacity: engine.capacity,
                workers: engine.workers,
            },
            counters: CacheCounters {
                hits: engine.hits,
                misses: engine.misses,
                generated: engine.generated,
                failed: engine.failed,
                evicted: cache.evicted,
            },
        }
    }
}

impl App {
    /// Returns the cache's statistics.
    #[must_use]
    pub(crate) fn cache_stats(&self) -> CacheState {
        let (cache, engine) = (
            self.pictures.thumbs().cache_stats(),
            self.pictures.thumbs().stats(),
        );
        CacheState::new(cache, engine, self)
    }

    /// Changes the limit of the cache, immediately and for later launches.
    ///
    /// # Errors
    /// `invalid_value`, `set_by_environment`, `storage_failed`.
    pub(crate) async fn set_cache_limit(
        self: &Arc<Self>,
        bytes: u64,
    ) -> Result<CacheState, ErrorBody> {
        let set = move |app: &App| {
            if !LIMITS.contains(&bytes) {
                let words = "the limit is from 1 MiB to 1 PiB";
                return Err(ApiError::new(ErrorCode::InvalidValue, words));
            }
            if app.config.is_limit_fixed {
                let words = "ESTELLE_CACHE_LIMIT sets the limit";
                return Err(ApiError::new(ErrorCode::SetByEnvironment, words));
            }
            remember_cache_limit(&app.config.config_file, bytes).map_err(|error| {
                let message = "The configuration file can't be written";
                ApiError::internal(ErrorCode::StorageFailed, message, &error)
            })?;
            let before = app.pictures.thumbs().cache_stats().capacity;
            let capacity = Capacity::new(bytes, before.high(), before.low());
            app.pictures
                .thumbs()
                .set_capacity(capacity.expect("BUG: the marks were checked"));
            Ok(app.cache_stats())
        };
        Ok(blocking(self, set).await?)
    }

    /// Keeps the thumbnails in another folder from the next launch on: in the chosen folder if it is empty or
    /// a thumbnail cache, else in a folder within it.
    pub(crate) fn choose_cache_folder(&self, chosen: &Path) -> Result<CacheState, ApiError> {
        if self.config.is_thumbs_dir_fixed {
            let words = "ESTELLE_CACHE_DIR or --cache says where the thumbnails are";
            return Err(ApiError::new(ErrorCode::SetByEnvironment, words));
        }
        let subfolder = chosen.join(CACHE_FOLDER);
        let folder = [chosen, &subfolder]
            .into_iter()
            .find(|folder| can_hold_cache(folder));
        let usable = folder.and_then(|folder| Some((folder, folder.to_str()?)));
        let Some((folder, text)) = usable else {
            let words = "thumbnails need an empty folder with a name that is text";
            return Err(ApiError::new(ErrorCode::InvalidValue, words));
        };
        // The next launch moves the thumbnails from this folder.
        let from = self.config.thumbs_dir.to_string_lossy();
        remember_cache_folder(&self.config.config_file, text, &from).map_err(|error| {
            let message = "The configuration file can't be written";
            ApiError::internal(ErrorCode::StorageFailed, message, &error)
        })?;
        let next = Some(folder.to_owned()).filter(|next| *next != self.config.thumbs_dir);
        *self.next_cache_folder.lock() = next;
        Ok(self.cache_stats())
    }

    /// Starts a job that evicts thumbnails, and returns its id. If one is running already, returns that
    /// one's. Must be called on a runtime: the job uses one of its threads.
    pub(crate) fn cache_gc(self: &Arc<Self>) -> StartedJob {
        StartedJob {
            id: job_runner::start(self, JobKind::CacheGc, evict),
        }
    }
}

fn evict(app: &App, progress: &Progress) -> Outcome {
    let total = app.pictures.thumbs().cache_stats().excess_bytes();
    let mut cancelled = None;
    let freed = app.pictures.thumbs().evict(&mut |freed| {
        cancelled = progress.advance(freed.bytes, total).err();
        cancelled.is_none()
    });
    match (freed, cancelled) {
        (_, Some(cancelled)) => Err(cancelled.into()),
        (Ok(freed), None) => Ok(json!({"files": freed.files, "bytes": freed.bytes})),
        (Err(error), None) => {
            let message = "Thumbnails can't be deleted";
            Err(JobError::Failed(ApiError::internal(
                ErrorCode::StorageFailed,
                message,
                &error,
            )))
        }
    }
}
