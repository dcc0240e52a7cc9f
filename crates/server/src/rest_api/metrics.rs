//! `/metrics`: metrics for a monitoring program, in the text format of Prometheus.

use std::fmt;

use axum::Json;
use axum::extract::Extension;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use fumikura_ttl::{Counts, Remover};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, text};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::{Caller, WithBearer};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::services::Metrics;

const TEXT: HeaderValue =
    HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");

/// The key that gives access to the metrics.
#[derive(Serialize, ToSchema)]
struct MetricsKeyDto {
    /// The key, to be sent to `/metrics` as `Authorization: Bearer …`. A secret.
    key: String,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(metrics_get))
        .routes(routes!(metrics_key_get, metrics_key_renew))
}

/// Returns metrics for a monitoring program.
///
/// They cover cache, queue, eviction, expiry, rate limiter, wiki and watched folders. Accepts the Bearer token, a
/// session, or the metrics key, which gives access to nothing else.
#[utoipa::path(get, path = "/metrics", tag = "system", responses(
    (status = 200, description = "OpenMetrics text", body = String, content_type = "application/openmetrics-text"),
    (status = 401, description = "`unauthenticated`", body = ErrorBody),
))]
async fn metrics_get(
    Part(metrics): Part<Metrics>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let given_key = given_key(&headers);
    let text = blocking(&metrics, move |metrics| {
        let is_allowed = match caller {
            Caller::Bearer | Caller::Session(_) => true,
            Caller::Token(_) | Caller::Anyone => match given_key {
                Some(given_key) => metrics.key.is(&given_key).map_err(|error| failed(&error))?,
                None => false,
            },
        };
        if !is_allowed {
            let words = "the metrics key is missing or wrong";
            return Err(ApiError::new(ErrorCode::Unauthenticated, words));
        }
        written(metrics)
    })
    .await?;
    Ok(([(CONTENT_TYPE, TEXT)], text).into_response())
}

/// Returns the metrics key.
///
/// The key persists across launches. Requires the Bearer token.
#[utoipa::path(get, path = "/api/metrics/key", tag = "system", responses(
    (status = 200, body = MetricsKeyDto),
    (status = 403, description = "`bearer_required`", body = ErrorBody),
))]
async fn metrics_key_get(
    Part(metrics): Part<Metrics>,
    _: WithBearer,
) -> Result<Json<MetricsKeyDto>, ApiError> {
    blocking(&metrics, |metrics| {
        let key = metrics.key.get(&*metrics.entropy);
        let key = key.map_err(|error| failed(&error))?;
        Ok(Json(MetricsKeyDto { key }))
    })
    .await
}

/// Replaces the metrics key.
///
/// The former key is no longer valid. Requires the Bearer token.
#[utoipa::path(post, path = "/api/metrics/key", tag = "system", responses(
    (status = 200, body = MetricsKeyDto),
    (status = 403, description = "`bearer_required`", body = ErrorBody),
))]
async fn metrics_key_renew(
    Part(metrics): Part<Metrics>,
    _: WithBearer,
) -> Result<Json<MetricsKeyDto>, ApiError> {
    blocking(&metrics, |metrics| {
        let key = metrics.key.renew(&*metrics.entropy);
        let key = key.map_err(|error| failed(&error))?;
        Ok(Json(MetricsKeyDto { key }))
    })
    .await
}

fn given_key(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, key) = value.split_once(' ')?;
    let is_bearer = scheme.eq_ignore_ascii_case("bearer");
    is_bearer.then(|| key.trim().to_owned())
}

fn failed(error: &std::io::Error) -> ApiError {
    let message = "The metrics key can't be read or written";
    ApiError::internal(ErrorCode::StorageFailed, message, error)
}

fn written(parts: &Metrics) -> Result<String, ApiError> {
    let mut registry = Registry::with_prefix("fumikura");
    registry.register_collector(Box::new(Samples(samples(parts)?)));
    let mut text = String::new();
    text::encode(&mut text, &registry).map_err(|error| {
        ApiError::internal(ErrorCode::Internal, "The metrics can't be written", &error)
    })?;
    Ok(text)
}

/// The value of a metric at one moment.
#[derive(Debug)]
struct Sample {
    name: &'static str,
    help: &'static str,
    unit: Option<Unit>,
    value: Value,
}

#[derive(Debug, Clone, Copy)]
enum Value {
    /// A value that only grows while the program runs.
    Counter(u64),
    /// A value that grows and shrinks.
    Gauge(u64),
}

/// The values of all metrics, read before they are encoded.
#[derive(Debug)]
struct Samples(Vec<Sample>);

impl Collector for Samples {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        for sample in &self.0 {
            match sample.value {
                Value::Counter(value) => {
                    let metric = ConstCounter::new(value);
                    encode(&mut encoder, sample, &metric)?;
                }
                Value::Gauge(value) => {
                    let metric = ConstGauge::new(value);
                    encode(&mut encoder, sample, &metric)?;
                }
            }
        }
        Ok(())
    }
}

fn encode(
    encoder: &mut DescriptorEncoder<'_>,
    sample: &Sample,
    metric: &impl EncodeMetric,
) -> fmt::Result {
    let Sample {
        name, help, unit, ..
    } = sample;
    let described = encoder.encode_descriptor(name, help, unit.as_ref(), metric.metric_type())?;
    metric.encode(described)
}

fn counter(name: &'static str, help: &'static str, value: u64) -> Sample {
    Sample {
        name,
        help,
        unit: None,
        value: Value::Counter(value),
    }
}

fn gauge(name: &'static str, help: &'static str, value: u64) -> Sample {
    Sample {
        name,
        help,
        unit: None,
        value: Value::Gauge(value),
    }
}

fn bytes(sample: Sample) -> Sample {
    Sample {
        unit: Some(Unit::Bytes),
        ..sample
    }
}

fn samples(parts: &Metrics) -> Result<Vec<Sample>, ApiError> {
    let mut samples = Vec::from(of_cache(parts));
    samples.extend(of_queue(parts));
    samples.extend(of_expiry(parts));
    samples.extend(of_wiki(parts)?);
    let (granted, refused) = parts.limiters.decided();
    let watched = parts.watcher.count() as u64;
    samples.extend([
        counter(
            "limiter_granted",
            "Requests that the rate limiter granted",
            granted,
        ),
        counter(
            "limiter_refused",
            "Requests that the rate limiter refused",
            refused,
        ),
        gauge("watched_folders", "Folders that are watched", watched),
    ]);
    Ok(samples)
}

fn of_cache(parts: &Metrics) -> [Sample; 8] {
    let (cache, engine) = (
        parts.pictures.thumbs().cache_stats(),
        parts.pictures.thumbs().stats(),
    );
    let limit = cache.capacity.limit();
    [
        bytes(gauge(
            "cache_used",
            "Thumbnails on the disk",
            cache.used_bytes,
        )),
        bytes(gauge("cache_limit", "What the cache may hold", limit)),
        gauge("cache_files", "Thumbnails on the disk", cache.files),
        counter(
            "cache_hits",
            "Requests whose thumbnail was there",
            engine.hits,
        ),
        counter(
            "cache_misses",
            "Requests whose thumbnail was not there",
            engine.misses,
        ),
        counter(
            "cache_generated",
            "Thumbnails that were made",
            engine.generated,
        ),
        counter(
            "cache_failures",
            "Thumbnails that could not be made",
            engine.failed,
        ),
        counter(
            "cache_evicted",
            "Thumbnails that were deleted to make room",
            cache.evicted,
        ),
    ]
}

fn of_queue(parts: &Metrics) -> [Sample; 3] {
    let engine = parts.pictures.thumbs().stats();
    let (queued, waiting) = (engine.queued as u64, engine.waiting as u64);
    [
        gauge("queue_length", "Thumbnails that wait to be made", queued),
        gauge(
            "queue_waiting",
            "Requests that wait for a place in the queue",
            waiting,
        ),
        gauge(
            "queue_workers",
            "Threads that make thumbnails",
            engine.workers as u64,
        ),
    ]
}

fn of_expiry(parts: &Metrics) -> Vec<Sample> {
    let counts = parts.expiry.report().counts;
    let (removed, size) = parts.expiry.removed();
    let regenerated = |remover| parts.expiry.regenerated(remover);
    let again = "Artifacts that were made again after they had been deleted to make room";
    let again_expired = "Artifacts that were made again after they had expired";
    let mut samples = Vec::from(of_expiry_counts(&counts));
    samples.extend([
        counter(
            "ttl_removed",
            "Artifacts that were removed because they had expired",
            removed,
        ),
        bytes(counter(
            "ttl_removed_size",
            "What was removed because it had expired",
            size,
        )),
        counter(
            "cache_regrets_evicted",
            again,
            regenerated(Remover::Eviction),
        ),
        counter(
            "cache_regrets_expired",
            again_expired,
            regenerated(Remover::Expiry),
        ),
    ]);
    samples.extend(parts.expiry.last_success().map(|last| {
        let seconds = u64::try_from(last.as_second()).unwrap_or_default();
        Sample {
            unit: Some(Unit::Seconds),
            ..gauge(
                "ttl_last_success",
                "When a run last marked expired artifacts, since 1970",
                seconds,
            )
        }
    }));
    samples
}

/// The six counts, and two sums of them for alerts.
fn of_expiry_counts(counts: &Counts) -> [Sample; 8] {
    [
        gauge(
            "ttl_expired",
            "Artifacts that have expired and wait for removal",
            counts.expired_blobs + counts.expired_manifests,
        ),
        gauge(
            "ttl_expired_blobs",
            "Thumbnails that have expired and wait for removal",
            counts.expired_blobs,
        ),
        gauge(
            "ttl_expired_manifests",
            "Folder indexes that have expired and wait for removal",
            counts.expired_manifests,
        ),
        gauge(
            "ttl_processing_blobs",
            "Thumbnails that are being removed",
            counts.processing_blobs,
        ),
        gauge(
            "ttl_processing_manifests",
            "Folder indexes that are being removed",
            counts.processing_manifests,
        ),
        gauge(
            "ttl_errors",
            "Artifacts that could not be removed",
            counts.error_blobs + counts.error_manifests,
        ),
        gauge(
            "ttl_error_blobs",
            "Thumbnails that could not be removed",
            counts.error_blobs,
        ),
        gauge(
            "ttl_error_manifests",
            "Folder indexes that could not be removed",
            counts.error_manifests,
        ),
    ]
}

fn of_wiki(parts: &Metrics) -> Result<[Sample; 4], ApiError> {
    let size = parts.wiki.size()?;
    let database = std::fs::metadata(parts.config.database()).map_or(0, |found| found.len());
    Ok([
        gauge(
            "wiki_pages",
            "Pages, including those in the trash",
            size.pages,
        ),
        gauge("wiki_revisions", "Revisions that are kept", size.revisions),
        gauge(
            "wiki_files",
            "Files of pages, including those in the trash",
            size.assets,
        ),
        bytes(gauge(
            "wiki_database",
            "The file of the wiki's database",
            database,
        )),
    ])
}
