//! `/api/cache`: what the thumbnails take up, and making room.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use fumikura_thumbs::{CacheStats, EngineStats};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::{ApiError, ErrorCode};
use crate::jobs::{self, JobError, JobKind, Outcome, Progress, StartedJob};

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(get))
        .routes(routes!(collect))
}

/// The thumbnails' folder, and who works for it.
#[derive(Serialize, ToSchema)]
#[schema(as = Cache)]
struct CacheDto {
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
    queue: QueueDto,
    counters: CountersDto,
}

/// Requests that wait for their thumbnails to be made.
#[derive(Serialize, ToSchema)]
#[schema(as = CacheQueue)]
struct QueueDto {
    /// Requests in it.
    len: usize,
    /// Requests that have room in it.
    capacity: usize,
    /// How many thumbnails are made at once.
    workers: usize,
}

/// What happened since the start.
#[derive(Serialize, ToSchema)]
#[schema(as = CacheCounters)]
struct CountersDto {
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

impl CacheDto {
    fn new(cache: CacheStats, engine: EngineStats) -> Self {
        Self {
            used_bytes: cache.used_bytes,
            files: cache.files,
            limit_bytes: cache.capacity.limit(),
            high: cache.capacity.high(),
            low: cache.capacity.low(),
            scanning: cache.scanning,
            queue: QueueDto {
                len: engine.queued,
                capacity: engine.capacity,
                workers: engine.workers,
            },
            counters: CountersDto {
                hits: engine.hits,
                misses: engine.misses,
                generated: engine.generated,
                failed: engine.failed,
                evicted: cache.evicted,
            },
        }
    }
}

/// What the thumbnails take up.
#[utoipa::path(get, path = "/api/cache", tag = "pictures",
    responses((status = 200, body = CacheDto)))]
async fn get(State(app): State<Arc<App>>) -> Json<CacheDto> {
    Json(CacheDto::new(app.thumbs.cache_stats(), app.thumbs.stats()))
}

/// Starts a job that deletes the thumbnails that were not used for longest, nearly, until no more is
/// left than `low` allows. Its result is `{files, bytes}`, what was deleted. While one is at work, its
/// id is given.
#[utoipa::path(post, path = "/api/cache/gc", tag = "pictures", responses((status = 202, body = StartedJob,
    headers(("Location" = String, description = "The job")))))]
async fn collect(State(app): State<Arc<App>>) -> Response {
    jobs::accepted(jobs::start(&app, JobKind::CacheGc, make_room))
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
