//! Jobs: work that takes too long for one request. Each job runs on a blocking thread, reports its progress,
//! and can be paused and cancelled.

mod control;
mod list;

pub(crate) use control::{Cancelled, Progress};
pub(crate) use list::{JobKind, JobRow, JobState, Jobs};

use axum::Json;
use axum::http::header::LOCATION;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody, ErrorCode};

/// The outcome of a job.
pub(crate) type JobOutcome = Result<Value, JobError>;

/// The reason why a job has no result.
#[derive(Debug)]
pub(crate) enum JobError {
    /// Cancelled by a user, or by the end of the program.
    Cancelled,
    /// Failed.
    Failed(ApiError),
}

impl JobError {
    /// Returns the same error for the caller that waits for the job.
    pub(crate) fn body(&self) -> ErrorBody {
        match self {
            Self::Cancelled => ErrorBody::new(ErrorCode::Cancelled, "this was cancelled"),
            Self::Failed(error) => error.body().clone(),
        }
    }
}

impl From<Cancelled> for JobError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl<E: Into<ApiError>> From<E> for JobError {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// A job that was started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct StartedJob {
    /// The job's id.
    pub(crate) id: String,
}

/// Returns the response for a started job.
pub(crate) fn accepted(id: String) -> Response {
    let location = address(&id);
    let body = Json(StartedJob { id });
    (StatusCode::ACCEPTED, [(LOCATION, location)], body).into_response()
}

/// Returns the address of a job for the `Location` header.
pub(crate) fn address(id: &str) -> HeaderValue {
    HeaderValue::try_from(format!("/api/jobs/{id}")).expect("BUG: digits are a header")
}
