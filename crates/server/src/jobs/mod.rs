//! Jobs: work that takes longer than an answer may. Each runs on a thread where it may block, tells
//! how far it is, and can be paused and cancelled.

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

/// What a job comes to.
pub(crate) type Outcome = Result<Value, JobError>;

/// Why a job came to nothing.
#[derive(Debug)]
pub(crate) enum JobError {
    /// Someone cancelled it, or the program is closing.
    Cancelled,
    /// It failed.
    Failed(ApiError),
}

impl JobError {
    /// The same for whoever waits for the job.
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

/// Starts a job, unless one of its kind is at work already; gives the id of the one that is.
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

/// Starts a job, whatever else is at work.
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

/// Does work for whoever waits for its answer, to its end also if they wait no longer. While it takes long, it is seen
/// among the jobs, and can be paused and cancelled there.
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
    // Whoever waits may go; the work goes on, and somebody has to note its end.
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

/// Tells the pages how the job stands.
pub(crate) fn announce(app: &App, id: &str) {
    app.jobs.tell(id, |row| app.events.publish(row.into()));
}

/// A job that was started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct StartedJob {
    /// Its id.
    pub(crate) id: String,
}

/// The answer to whoever started a job.
pub(crate) fn accepted(id: String) -> Response {
    let location = address(&id);
    let body = Json(StartedJob { id });
    (StatusCode::ACCEPTED, [(LOCATION, location)], body).into_response()
}

/// Where a job is asked for, as `Location` says it.
pub(crate) fn address(id: &str) -> HeaderValue {
    HeaderValue::try_from(format!("/api/jobs/{id}")).expect("BUG: digits are a header")
}
