//! Runs jobs on blocking threads, and publishes their progress.

use std::pin::pin;
use std::sync::Arc;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use futures_util::FutureExt;
use serde_json::Value;
use tokio::task::JoinError;

use crate::acting_user::RequestedUser;
use crate::error::{ApiError, ErrorCode};
use crate::events::EventHub;
use crate::jobs::{Cancelled, JobError, JobKind, JobOutcome, Jobs, Progress};
use crate::shares::{Shares, WorkPlace, WorkTurn};

/// The work for whose end a job waits before it begins.
enum Queue {
    None,
    /// Other work of the client.
    Share(WorkPlace),
    /// Earlier jobs of this kind, unless they are paused.
    Kind(JobKind),
}

/// Starts jobs, and publishes their progress.
pub(crate) struct JobRunner {
    pub(crate) jobs: Jobs,
    shares: Arc<Shares>,
    events: Arc<EventHub>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

impl JobRunner {
    pub(crate) fn new(
        shares: &Arc<Shares>,
        events: &Arc<EventHub>,
        clock: &Arc<dyn Clock>,
        entropy: &Arc<dyn Entropy>,
    ) -> Self {
        Self {
            jobs: Jobs::default(),
            shares: Arc::clone(shares),
            events: Arc::clone(events),
            clock: Arc::clone(clock),
            entropy: Arc::clone(entropy),
        }
    }

    /// Starts a job and returns its id. If one of its kind is running already, returns the id of that one.
    pub(crate) fn start(
        self: &Arc<Self>,
        kind: JobKind,
        work: impl FnOnce(&Progress) -> JobOutcome + Send + 'static,
    ) -> String {
        match self.jobs.begin(kind, self.clock.now(), &*self.entropy) {
            Ok(begun) => self.run(begun, Queue::None, work),
            Err(running) => running,
        }
    }

    /// Starts a job, which waits until the earlier ones of its kind have ended or are paused.
    pub(crate) fn start_next(
        self: &Arc<Self>,
        kind: JobKind,
        work: impl FnOnce(&Progress) -> JobOutcome + Send + 'static,
    ) -> String {
        let begun = self.begin_another(kind);
        self.run(begun, Queue::Kind(kind), work)
    }

    /// Starts a job, regardless of running ones. It waits for its turn among the client's work of this kind.
    ///
    /// # Errors
    /// `too_much_work` if too many of the client's jobs wait already.
    pub(crate) fn start_another(
        self: &Arc<Self>,
        kind: JobKind,
        work: impl FnOnce(&Progress) -> JobOutcome + Send + 'static,
    ) -> Result<String, ApiError> {
        let place = self.shares.current().queue(kind.work())?;
        let begun = self.begin_another(kind);
        Ok(self.run(begun, Queue::Share(place), work))
    }

    fn begin_another(&self, kind: JobKind) -> (String, Progress) {
        self.jobs
            .begin_another(kind, self.clock.now(), &*self.entropy)
    }

    fn run(
        self: &Arc<Self>,
        (id, progress): (String, Progress),
        queue: Queue,
        work: impl FnOnce(&Progress) -> JobOutcome + Send + 'static,
    ) -> String {
        self.announce(&id);
        self.announce_steps(&id, &progress);
        let (runner, job) = (Arc::clone(self), id.clone());
        let user = RequestedUser::current();
        tokio::spawn(async move {
            let outcome = match runner.wait_for_turn(&progress, queue).await {
                Ok(turn) => run_at_turn(turn, move || user.run(|| work(&progress))).await,
                Err(cancelled) => Ok(Err(cancelled.into())),
            };
            let outcome =
                outcome.unwrap_or_else(|panic| Err(JobError::Failed(panic_error(&panic))));
            runner.jobs.end(&job, outcome, runner.clock.now());
            runner.announce(&job);
        });
        id
    }

    /// Waits until it is the job's turn, or the job is cancelled.
    async fn wait_for_turn(
        &self,
        progress: &Progress,
        queue: Queue,
    ) -> Result<Option<WorkTurn>, Cancelled> {
        let mut turn = pin!(async {
            match queue {
                Queue::None => None,
                Queue::Share(place) => Some(place.turn().await),
                Queue::Kind(kind) => {
                    self.jobs.turn(progress.job(), kind).await;
                    None
                }
            }
        });
        if let Some(turn) = turn.as_mut().now_or_never() {
            return Ok(turn);
        }
        progress.set_queued(true);
        self.announce(progress.job());
        tokio::select! {
            turn = turn => {
                progress.set_queued(false);
                self.announce(progress.job());
                Ok(turn)
            }
            () = progress.cancelled() => Err(Cancelled),
        }
    }

    /// Publishes the progress of a job as it advances.
    fn announce_steps(self: &Arc<Self>, id: &str, progress: &Progress) {
        let (watched, job) = (Arc::downgrade(self), id.to_owned());
        progress.on_step(move || {
            if let Some(runner) = watched.upgrade() {
                runner.announce(&job);
            }
        });
    }

    /// Runs work and waits for its result. The work runs to its end even if the caller stops waiting. Slow work
    /// is listed as a job, and can be paused and cancelled there. It waits for its turn among the client's work of
    /// this kind.
    pub(crate) async fn run_attended<T: Send + 'static>(
        self: &Arc<Self>,
        kind: JobKind,
        work: impl FnOnce(&Progress) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let queue = Queue::Share(self.shares.current().queue(kind.work())?);
        let (id, progress) = self.begin_another(kind);
        self.announce_steps(&id, &progress);
        let (runner, user) = (Arc::clone(self), RequestedUser::current());
        // The caller's future may be dropped. The work continues, and its end must be recorded.
        let attended = tokio::spawn(async move {
            let outcome = match runner.wait_for_turn(&progress, queue).await {
                Ok(turn) => run_at_turn(turn, move || user.run(|| work(&progress))).await,
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
            runner.jobs.end(&id, ended, runner.clock.now());
            runner.announce(&id);
            runner.jobs.forget(&id);
            outcome
        });
        attended
            .await
            .unwrap_or_else(|panic| Err(panic_error(&panic)))
    }

    /// Publishes the state of a job to clients.
    pub(crate) fn announce(&self, id: &str) {
        self.jobs.report(id, |row| self.events.publish(row.into()));
    }
}

/// Runs work on a blocking thread. The turn ends with the work.
async fn run_at_turn<T: Send + 'static>(
    turn: Option<WorkTurn>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    let run = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        work()
    });
    run.await
}

fn panic_error(panic: &JoinError) -> ApiError {
    let message = "Something went wrong inside the program";
    ApiError::internal(ErrorCode::Internal, message, panic)
}
