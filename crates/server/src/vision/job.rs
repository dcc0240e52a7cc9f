//! A job that describes many pictures, and waits if the limiter requires it.

use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::Clock;
use fumikura_fs::RootId;
use fumikura_limits::ClientKey;
use fumikura_vision::{Call, Mode};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::runtime::Handle;
use utoipa::ToSchema;

use super::scan::ScanRequest;
use crate::blocking::queued;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::jobs::{self, JobKind, JobOutcome, Progress, StartedJob};
use crate::services::Describer;
use crate::shares::{Share, WorkKind};

/// The maximum number of pictures of a job.
const MAX_PICTURES: usize = 10_000;
/// The maximum number of failures in a job's result.
const MAX_FAILURES: usize = 100;
/// The time between two checks of a waiting job for pausing and cancellation.
const STEP: Duration = Duration::from_millis(200);

/// A request to describe pictures.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DescribeRequest {
    /// The root's id.
    #[schema(value_type = String)]
    root: RootId,
    /// The pictures' paths, relative to the root.
    paths: Vec<String>,
    /// The kind of answer.
    mode: Mode,
    /// The language of the answers.
    language: Option<String>,
}

/// A picture that was not described.
#[derive(Serialize)]
struct DescriptionFailure {
    path: String,
    error: ErrorBody,
}

impl Describer {
    /// Starts a job that asks one question about many pictures. Its result is `{described, cached, failed, failures}`.
    pub(crate) async fn describe(
        self: &Arc<Self>,
        request: DescribeRequest,
        client: ClientKey,
    ) -> Result<StartedJob, ApiError> {
        if request.paths.is_empty() || request.paths.len() > MAX_PICTURES {
            let message = format!("a job takes 1 to {MAX_PICTURES} pictures");
            return Err(ApiError::new(ErrorCode::InvalidValue, message));
        }
        queued(&self.shares, WorkKind::Question, &self.vision, |vision| {
            vision.service()?.require_consent()
        })
        .await?;
        let (describer, share) = (Arc::clone(self), self.shares.current());
        let work = move |progress: &Progress| run(&describer, request, &client, &share, progress);
        Ok(StartedJob {
            id: self.runner.start_another(JobKind::DescribePictures, work)?,
        })
    }
}

fn run(
    describer: &Arc<Describer>,
    request: DescribeRequest,
    client: &ClientKey,
    share: &Arc<Share>,
    progress: &Progress,
) -> JobOutcome {
    let total = request.paths.len() as u64;
    let (mut described, mut cached, mut failed) = (0_u64, 0_u64, 0_u64);
    let mut failures = Vec::new();
    for (done, path) in request.paths.iter().enumerate() {
        let done = done as u64;
        progress.advance(done, total)?;
        let question = ScanRequest {
            root: Some(request.root),
            path: Some(path.clone()),
            path_bytes: None,
            asset: None,
            mode: request.mode,
            language: request.language.clone(),
            again: false,
        };
        let answer = loop {
            let call = Call::default();
            let scan = describer.scan(question.clone(), client.clone(), call);
            // The questions queue together with those of the client's requests.
            match Handle::current().block_on(Arc::clone(share).scope(scan)) {
                Err(error) if is_brief(&error) => {
                    let wait = error.body().retry_after.unwrap_or(1);
                    wait_for(
                        &*describer.clock,
                        Duration::from_secs(wait),
                        done,
                        total,
                        progress,
                    )?;
                }
                answer => break answer,
            }
        };
        match answer {
            Ok(answer) => {
                described += 1;
                cached += u64::from(answer.cached);
            }
            Err(error) if is_general(&error) => return Err(error.into()),
            Err(error) => {
                failed += 1;
                if failures.len() < MAX_FAILURES {
                    let (path, error) = (path.clone(), error.into());
                    failures.push(DescriptionFailure { path, error });
                }
            }
        }
    }
    progress.advance(total, total)?;
    Ok(json!({"described": described, "cached": cached, "failed": failed, "failures": failures}))
}

/// Returns true for the limit per minute, a busy limiter, a full queue, and for a limit of the service that ends within
/// two minutes.
fn is_brief(error: &ApiError) -> bool {
    let wait = error.body().retry_after;
    let is_of_service = error.code() == ErrorCode::VisionLimited;
    let is_own = matches!(
        error.code(),
        ErrorCode::RateLimited | ErrorCode::LimiterBusy | ErrorCode::TooMuchWork
    );
    is_own || is_of_service && wait.is_some_and(|wait| wait <= 120)
}

/// Returns true for an error that affects the following pictures as well.
fn is_general(error: &ApiError) -> bool {
    matches!(
        error.code(),
        ErrorCode::DailyLimitReached
            | ErrorCode::LimiterUnavailable
            | ErrorCode::NotConfigured
            | ErrorCode::ConsentRequired
            | ErrorCode::ModelGone
            | ErrorCode::ModeNotSupported
            | ErrorCode::VisionLimited
            | ErrorCode::VisionUnreachable
            | ErrorCode::RootNotFound
            | ErrorCode::ShuttingDown
    ) || matches!(
        error.body().reason.as_deref(),
        Some(
            "unauthorized"
                | "out_of_credit"
                | "redirected"
                | "untrusted_certificate"
                | "command_missing"
        )
    )
}

/// Waits by the server's clock, until the job is cancelled.
fn wait_for(
    clock: &dyn Clock,
    time: Duration,
    done: u64,
    total: u64,
    progress: &Progress,
) -> Result<(), jobs::Cancelled> {
    let end = clock.monotonic() + time;
    while clock.monotonic() < end {
        progress.advance(done, total)?;
        std::thread::sleep(STEP);
    }
    Ok(())
}
