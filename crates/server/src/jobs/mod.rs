//! Jobs: work that takes too long for one request. Each job runs on a blocking thread, reports its progress,
//! and can be paused and cancelled.

mod control;
mod list;

pub(crate) use control::{Cancelled, Progress};
pub(crate) use list::{JobKind, JobRow, JobState, Jobs};

use std::sync::Arc;

use axum::Json;
use axum::http::header::LOCATION;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, ErrorBody, ErrorCode};

/// The outcome of a job.
pub(crate) type Outcome = Result<Value, JobError>;

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
    pub(crate) fn told(&self) -> ErrorBody {
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

/// Starts a job and returns its id. If one of its kind is running already, returns the id of that one.
pub(crate) fn start(
    app: &Arc<App>,
    kind: JobKind,
    work: impl FnOnce(&App, &Progress) -> Outcome + Send + 'static,
) -> String {
    match app.jobs.begin(kind, app.clock.now(), &*app.entropy) {
        Ok(begun) => run(app, begun, work),
        Err(running) => running,
    }
}

/// Starts a job, regardless of running ones.
pub(crate) fn start_another(
    app: &Arc<App>,
    kind: JobKind,
    work: impl FnOnce(&App, &Progress) -> Outcome + Send + 'static,
) -> String {
    let begun = app.jobs.begin_another(kind, app.clock.now(), &*app.entropy);
    run(app, begun, work)
}

fn run(
    app: &Arc<App>,
    (id, progress): (String, Progress),
    work: impl FnOnce(&App, &Progress) -> Outcome + Send + 'static,
) -> String {
    announce(app, &id);
    let (watched, job) = (Arc::downgrade(app), id.clone());
    progress.tell_steps(move || {
        if let Some(app) = watched.upgrade() {
            announce(&app, &job);
        }
    });
    let job = id.clone();
    let worker = Arc::clone(app);
    let run = tokio::task::spawn_blocking(move || work(&worker, &progress));
    let app = Arc::clone(app);
    tokio::spawn(async move {
        let outcome = run
            .await
            .unwrap_or_else(|panic| Err(JobError::Failed(panicked(&panic))));
        app.jobs.end(&job, outcome, app.clock.now());
        announce(&app, &job);
    });
    id
}

/// Runs work and waits for its result. The work runs to its end even if the caller stops waiting. Slow work
/// is listed as a job, and can be paused and cancelled there.
pub(crate) async fn attend<T: Send + 'static>(
    app: &Arc<App>,
    kind: JobKind,
    work: impl FnOnce(&App, &Progress) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let (id, progress) = app.jobs.begin_another(kind, app.clock.now(), &*app.entropy);
    let (watched, job) = (Arc::downgrade(app), id.clone());
    progress.tell_steps(move || {
        if let Some(app) = watched.upgrade() {
            announce(&app, &job);
        }
    });
    let app = Arc::clone(app);
    // The caller's future may be dropped. The work continues, and its end must be recorded.
    let attended = tokio::spawn(async move {
        let worker = Arc::clone(&app);
        let run = tokio::task::spawn_blocking(move || work(&worker, &progress));
        let outcome = run.await.unwrap_or_else(|panic| Err(panicked(&panic)));
        let told = match &outcome {
            Ok(_) => Ok(Value::Null),
            Err(error) if error.code() == ErrorCode::Cancelled => Err(JobError::Cancelled),
            Err(error) => Err(JobError::Failed(error.body().clone().into())),
        };
        app.jobs.end(&id, told, app.clock.now());
        announce(&app, &id);
        app.jobs.forget(&id);
        outcome
    });
    attended.await.unwrap_or_else(|panic| Err(panicked(&panic)))
}

fn panicked(panic: &tokio::task::JoinError) -> ApiError {
    let message = "Something went wrong inside the program";
    ApiError::internal(ErrorCode::Internal, message, panic)
}

/// Publishes the state of a job to clients.
pub(crate) fn announce(app: &App, id: &str) {
    app.jobs.tell(id, |row| app.events.publish(row.into()));
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
