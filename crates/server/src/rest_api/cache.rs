//! `/api/cache`: the size of the thumbnail cache, eviction and clearing.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::Extension;
use axum::response::Response;
use fumikura_expiry::Expiry;
use fumikura_pictures::Pictures;
use fumikura_thumbs::{Capacity, can_hold_cache};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::ApiJson;
use crate::blocking::blocking;
use crate::config::{remember_cache_folder, remember_cache_limit};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Caller;
use crate::jobs::{self, JobError, JobKind, JobOutcome, Progress, StartedJob};
use crate::names::name_in_json;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::services::ThumbCache;

/// The limits of the cache that a user can choose, in bytes.
const LIMITS: std::ops::RangeInclusive<u64> = (1 << 20)..=(1 << 50);

/// The name of the thumbnails' folder within a folder that has other contents.
const CACHE_FOLDER: &str = "fumikura-thumbnails";

/// The thumbnail cache: its size, folder, queue and counters.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Cache)]
struct CacheState {
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
    fn of(parts: &ThumbCache) -> Self {
        let thumbs = parts.pictures.thumbs();
        let (cache, engine) = (thumbs.cache_stats(), thumbs.stats());
        let display_path = |path: &Path| name_in_json(path.as_os_str().as_encoded_bytes()).0;
        let next = parts.next_folder.lock();
        Self {
            used_bytes: cache.used_bytes,
            files: cache.files,
            limit_bytes: cache.capacity.limit(),
            folder: display_path(&parts.config.thumbs_dir),
            next_folder: next.as_deref().map(display_path),
            folder_fixed: parts.config.is_thumbs_dir_fixed,
            limit_fixed: parts.config.is_limit_fixed,
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

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(cache_stats))
        .routes(routes!(cache_gc))
        .routes(routes!(cache_set_limit))
        .routes(routes!(cache_clear))
        .routes(routes!(cache_set_folder))
}

/// Returns the size and the limits of the thumbnail cache.
#[utoipa::path(get, path = "/api/cache", tag = "pictures",
    responses((status = 200, body = CacheState)))]
async fn cache_stats(Part(parts): Part<ThumbCache>) -> Json<CacheState> {
    Json(CacheState::of(&parts))
}

/// Starts a job that evicts the least recently used thumbnails, approximately, until `low` is reached.
///
/// The job's result is `{files, bytes}`: the number and the size of the evicted thumbnails. The id of a running
/// eviction is returned if there is one.
#[utoipa::path(post, path = "/api/cache/gc", tag = "pictures", responses((status = 202, body = StartedJob,
    headers(("Location" = String, description = "The job")))))]
async fn cache_gc(Part(parts): Part<ThumbCache>) -> Response {
    let runner = Arc::clone(&parts.runner);
    let job = runner.start(JobKind::CacheGc, move |progress| {
        evict(&parts.pictures, progress)
    });
    jobs::accepted(job)
}

/// The limit of the cache.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CacheLimit {
    /// The limit in bytes, from 1 MiB to 1 PiB.
    limit_bytes: u64,
}

/// Changes the limit of the thumbnail cache.
///
/// It takes effect at once and is written to the configuration file.
#[utoipa::path(put, path = "/api/cache/limit", tag = "pictures", request_body = CacheLimit, responses(
    (status = 200, body = CacheState),
    (status = 409, description = "`set_by_environment`", body = ErrorBody),
    (status = 422, description = "`invalid_value`", body = ErrorBody),
))]
async fn cache_set_limit(
    Part(parts): Part<ThumbCache>,
    ApiJson(limit): ApiJson<CacheLimit>,
) -> Result<Json<CacheState>, ApiError> {
    let set = move |parts: &ThumbCache| limit_cache(parts, limit.limit_bytes);
    Ok(Json(blocking(&parts, set).await?))
}

/// The group to clear.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CacheClear {
    /// A group of `GET /api/ttl`; all groups if absent.
    group: Option<String>,
}

/// Starts a job that deletes the thumbnails and folder indexes of a group, or of all groups.
///
/// The job's result is `{files, bytes, failed}`.
#[utoipa::path(post, path = "/api/cache/clear", tag = "pictures", request_body = CacheClear, responses((status = 202,
    body = StartedJob, headers(("Location" = String, description = "The job")))))]
async fn cache_clear(
    Part(parts): Part<ThumbCache>,
    ApiJson(clear): ApiJson<CacheClear>,
) -> Result<Response, ApiError> {
    let expiry = Arc::clone(&parts.expiry);
    let job = parts
        .runner
        .start_another(JobKind::CacheClear, move |progress| {
            clear_group(&expiry, clear.group.as_deref(), progress)
        })?;
    Ok(jobs::accepted(job))
}

/// A folder for the thumbnails.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CacheFolder {
    /// The grant of a folder that the user chose.
    grant: String,
}

/// Moves the thumbnail cache to another folder at the next launch.
///
/// The folder itself is used if it is empty or already a thumbnail cache of this program. Otherwise a folder
/// `fumikura-thumbnails` in it is used.
#[utoipa::path(put, path = "/api/cache/folder", tag = "pictures", request_body = CacheFolder, responses(
    (status = 200, body = CacheState),
    (status = 403, description = "`grant_invalid`", body = ErrorBody),
    (status = 409, description = "`set_by_environment`", body = ErrorBody),
    (status = 422, description = "`invalid_value`: both folders contain other files", body = ErrorBody),
))]
async fn cache_set_folder(
    Part(parts): Part<ThumbCache>,
    Extension(caller): Extension<Caller>,
    ApiJson(folder): ApiJson<CacheFolder>,
) -> Result<Json<CacheState>, ApiError> {
    let set = move |parts: &ThumbCache| {
        let chosen = parts.grants.take_by(&folder.grant, caller)?;
        choose_folder(parts, &chosen)
    };
    Ok(Json(blocking(&parts, set).await?))
}

/// Changes the limit of the cache, immediately and for later launches.
fn limit_cache(parts: &ThumbCache, bytes: u64) -> Result<CacheState, ApiError> {
    if !LIMITS.contains(&bytes) {
        let words = "the limit is from 1 MiB to 1 PiB";
        return Err(ApiError::new(ErrorCode::InvalidValue, words));
    }
    if parts.config.is_limit_fixed {
        let words = "ESTELLE_CACHE_LIMIT sets the limit";
        return Err(ApiError::new(ErrorCode::SetByEnvironment, words));
    }
    remember_cache_limit(&parts.config.config_file, bytes).map_err(|error| {
        let message = "The configuration file can't be written";
        ApiError::internal(ErrorCode::StorageFailed, message, &error)
    })?;
    let before = parts.pictures.thumbs().cache_stats().capacity;
    let capacity = Capacity::new(bytes, before.high(), before.low());
    parts
        .pictures
        .thumbs()
        .set_capacity(capacity.expect("BUG: the marks were checked"));
    Ok(CacheState::of(parts))
}

/// Keeps the thumbnails in another folder from the next launch on: in the chosen folder if it is empty or a thumbnail
/// cache, else in a folder within it.
fn choose_folder(parts: &ThumbCache, chosen: &Path) -> Result<CacheState, ApiError> {
    if parts.config.is_thumbs_dir_fixed {
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
    let from = parts.config.thumbs_dir.to_string_lossy();
    remember_cache_folder(&parts.config.config_file, text, &from).map_err(|error| {
        let message = "The configuration file can't be written";
        ApiError::internal(ErrorCode::StorageFailed, message, &error)
    })?;
    let next = Some(folder.to_owned()).filter(|next| *next != parts.config.thumbs_dir);
    *parts.next_folder.lock() = next;
    Ok(CacheState::of(parts))
}

fn evict(pictures: &Pictures, progress: &Progress) -> JobOutcome {
    let total = pictures.thumbs().cache_stats().excess_bytes();
    let mut cancelled = None;
    let freed = pictures.thumbs().evict(&mut |freed| {
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

/// Deletes the thumbnails and folder indexes of a group, or all.
fn clear_group(expiry: &Expiry, group: Option<&str>, progress: &Progress) -> JobOutcome {
    let artifacts = expiry.index().artifacts(group);
    let total = artifacts.len() as u64;
    let (mut files, mut bytes, mut failed) = (0_u64, 0_u64, 0_u64);
    for (done, artifact) in (0..).zip(&artifacts) {
        progress.advance(done, total)?;
        match expiry.remove_artifact(artifact, &|| true) {
            Ok(size) => {
                files += u64::from(size.is_some());
                bytes += size.unwrap_or(0);
                expiry.index().remove(&artifact.key);
            }
            Err(error) => {
                failed += 1;
                tracing::warn!("a file of the cache can't be deleted: {error}");
            }
        }
    }
    Ok(json!({"files": files, "bytes": bytes, "failed": failed}))
}
