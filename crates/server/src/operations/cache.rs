//! The thumbnails' cache (thumbnail-server.md §4): what it holds, and making room in it.

use std::sync::Arc;

use fumikura_thumbs::{CacheStats, EngineStats};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, ErrorCode};
use crate::jobs::{self, JobError, JobKind, Outcome, Progress, StartedJob};

/// The thumbnails' folder, and who works for it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Cache)]
pub struct CacheState {
    /// Bytes of all thumbnails, as far as they have been counted.
    used_bytes: u64,
    /// Thumbnails.
    files: u64,
    /// Bytes that it may hold.
    limit_bytes: u64,
    /// The part of the limit above which thumbnails are deleted.
    high: f64,
    /// The part of the limit that is left then.
    low: f64,
    /// Whether they are being counted.
    scanning: bool,
    queue: CacheQueue,
    counters: CacheCounters,
}

/// Requests that wait for their thumbnails to be made.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
struct CacheQueue {
    /// Requests in it.
    len: usize,
    /// Requests that have room in it.
    capacity: usize,
    /// How many thumbnails are made at once.
    workers: usize,
}

/// What happened since the start.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
struct CacheCounters {
    /// Requests whose thumbnail was there.
    hits: u64,
    /// Requests whose thumbnail was not.
    misses: u64,
    /// Thumbnails made.
    generated: u64,
    /// Thumbnails that could not be made.
    failed: u64,
    /// Thumbnails deleted to make room.
    evicted: u64,
}

impl CacheState {
    fn new(cache: CacheStats, engine: EngineStats) -> Self {
        Self {
            used_bytes: cache.used_bytes,
            files: cache.files,
            limit_bytes: cache.capacity.limit(),
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
    /// What the thumbnails take up.
    #[must_use]
    pub fn cache_stats(&self) -> CacheState {
        CacheState::new(self.thumbs.cache_stats(), self.thumbs.stats())
    }

    /// Starts a job that makes room for thumbnails, unless one is at work already, which is given then.
    /// To be called on a runtime, which the job takes a thread of.
    pub fn cache_gc(self: &Arc<Self>) -> StartedJob {
        StartedJob {
            id: jobs::start(self, JobKind::CacheGc, make_room),
        }
    }
}

fn make_room(app: &App, progress: &Progress) -> Outcome {
    let total = app.thumbs.cache_stats().excess_bytes();
    let mut cancelled = None;
    let freed = app.thumbs.collect(&mut |freed| {
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
