//! Runs jobs on blocking threads, and publishes their progress.

use std::pin::pin;
use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::Value;
use tokio::task::JoinError;

use crate::app::App;
use crate::error::{ApiError, ErrorCode};
use crate::jobs::{Cancelled, JobError, JobKind, Outcome, Progress};
use crate::shares::{WorkPlace, WorkTurn};

/// Starts a job and returns its id. If one of its kind is running already, returns the id of that one.
pub(crate) fn start(
    app: &Arc<App>,
    kind: JobKind,
    work: impl FnOnce(&App, &Progress) -> Outcome + Send + 'static,
) -> String {
    match app.jobs.begin(kind, app.clock.now(), &*app.entropy) {
        Ok(begun) => run(app, begun, None, work),
        Err(running) => running,
    }
}

/// Starts a job, regardless of running ones. It waits for its turn among the client's work of this kind.
///
/// # Errors
/// `too_much_work` if too many of the client's jobs wait already.
pub(crate) fn start_another(
    app: &Arc<App>,
    kind: JobKind,
    work: impl FnOnce(&App, &Progress) -> Outcome + Send + 'static,
) -> Result<String, ApiError> {
    let place = app.shares.current().queue(kind.work())?;
    let begun = app.jobs.begin_another(kind, app.clock.now(), &*app.entropy);
    Ok(run(app, begun, Some(place), work))
}

fn run(
    app: &Arc<App>,
    (id, progress): (String, Progress),
    place: Option<WorkPlace>,
    work: impl FnOnce(&App, &Progress) -> Outcome + Send + 'static,
) -> String {
    announce(app, &id);
    announce_steps(app, &id, &progress);
    let (app, job) = (Arc::clone(app), id.clone());
    tokio::spawn(async move {
        let outcome = match wait_for_turn(&app, &progress, place).await {
            Ok(turn) => run_at_turn(&app, turn, move |app| work(app, &progress)).await,
            Err(cancelled) => Ok(Err(cancelled.into())),
        };
        let outcome = outcome.unwrap_or_else(|panic| Err(JobError::Failed(panic_error(&panic))));
        app.jobs.end(&job, outcome, app.clock.now());
        announce(&app, &job);
    });
    id
}

/// Runs work on a blocking thread. The turn ends with the work.
async fn run_at_turn<T: Send + 'static>(
    app: &Arc<App>,
    turn: Option<WorkTurn>,
    work: impl FnOnce(&App) -> T + Send + 'static,
) -> Result<T, JoinError> {
    let app = Arc::clone(app);
    let run = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        work(&app)
    });
    run.await
}

/// Waits until it is the job's turn, or the job is cancelled.
async fn wait_for_turn(
    app: &App,
    progress: &Progress,
    place: Option<WorkPlace>,
) -> Result<Option<WorkTurn>, Cancelled> {
    let Some(place) = place else { return Ok(None) };
    let mut turn = pin!(place.turn());
    if let Some(turn) = turn.as_mut().now_or_never() {
        return Ok(Some(turn));
    }
    progress.set_queued(true);
    announce(app, progress.job());
    tokio::select! {
        turn = turn => {
            progress.set_queued(false);
            announce(app, progress.job());
            Ok(Some(turn))
        }
        () = progress.cancelled() => Err(Cancelled),
    }
}

/// Publishes the progress of a job as it advances.
fn announce_steps(app: &Arc<App>, id: &str, progress: &Progress) {
    let (watched, job) = (Arc::downgrade(app), id.to_owned());
    progress.on_step(move || {
        if let Some(app) = watched.upgrade() {
            announce(&app, &job);
        }
    });
}

/// Runs work and waits for its result. The work runs to its end even if the caller stops waiting. Slow work
/// is listed as a job, and can be paused and cancelled there. It waits for its turn among the client's work of this kind.
pub(crate) async fn run_attended<T: Send + 'static>(
    app: &Arc<App>,
    kind: JobKind,
    work: impl FnOnce(&App, &Progress) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let place = app.shares.current().queue(kind.work())?;
    let (id, progress) = app.jobs.begin_another(kind, app.clock.now(), &*app.entropy);
    announce_steps(app, &id, &progress);
    let app = Arc::clone(app);
    // The caller's future may be dropped. The work continues, and its end must be recorded.
    let attended = tokio::spawn(async move {
        let outcome = match wait_for_turn(&app, &progress, Some(place)).await {
            Ok(turn) => run_at_turn(&app, turn, move |app| work(app, &progress)).await,
            Err(Cancelled) => Ok(Err(ApiError::new(
                ErrorCode::Cancelled,
                "this was cancelled",
            ))),
        };
        let outcome = outcome.unwrap_or_else(|panic| Err(panic_error(&panic)));
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

fn panic_error(panic: &JoinError) -> ApiError {
    let message = "Something went wrong inside the program";
    ApiError::internal(ErrorCode::Internal, message, panic)
}

/// Publishes the state of a job to clients.
pub(crate) fn announce(app: &App, id: &str) {
    app.jobs.report(id, |row| app.events.publish(row.into()));
}
