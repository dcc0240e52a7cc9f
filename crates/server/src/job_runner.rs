//! Runs jobs on blocking threads, and publishes their progress.

use std::sync::Arc;

use serde_json::Value;

use crate::app::App;
use crate::error::{ApiError, ErrorCode};
use crate::jobs::{JobError, JobKind, Outcome, Progress};

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
    progress.on_step(move || {
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
            .unwrap_or_else(|panic| Err(JobError::Failed(panic_error(&panic))));
        app.jobs.end(&job, outcome, app.clock.now());
        announce(&app, &job);
    });
    id
}

/// Runs work and waits for its result. The work runs to its end even if the caller stops waiting. Slow work
/// is listed as a job, and can be paused and cancelled there.
pub(crate) async fn run_attended<T: Send + 'static>(
    app: &Arc<App>,
    kind: JobKind,
    work: impl FnOnce(&App, &Progress) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let (id, progress) = app.jobs.begin_another(kind, app.clock.now(), &*app.entropy);
    let (watched, job) = (Arc::downgrade(app), id.clone());
    progress.on_step(move || {
        if let Some(app) = watched.upgrade() {
            announce(&app, &job);
        }
    });
    let app = Arc::clone(app);
    // The caller's future may be dropped. The work continues, and its end must be recorded.
    let attended = tokio::spawn(async move {
        let worker = Arc::clone(&app);
        let run = tokio::task::spawn_blocking(move || work(&worker, &progress));
        let outcome = run.await.unwrap_or_else(|panic| Err(panic_error(&panic)));
        let ended = match &outcome {
            Ok(_) => Ok(Value::Null),
            Err(error) if error.code() == ErrorCode::Cancelled => Err(JobError::Cancelled),
            Err(error) => Err(JobError::Failed(error.body().clone().into())),
        };
        app.jobs.end(&id, ended, app.clock.now());
        announce(&app, &id);
        app.jobs.forget(&id);
        outcome
    });
    attended
        .await
        .unwrap_or_else(|panic| Err(panic_error(&panic)))
}

fn panic_error(panic: &tokio::task::JoinError) -> ApiError {
    let message = "Something went wrong inside the program";
    ApiError::internal(ErrorCode::Internal, message, panic)
}

/// Publishes the state of a job to clients.
pub(crate) fn announce(app: &App, id: &str) {
    app.jobs.report(id, |row| app.events.publish(row.into()));
}
