//! Runs disk-bound work on tokio's blocking pool, so that requests do not wait for each other, or inline if a
//! thread hop would cost more than the work.

use std::sync::Arc;

use fumikura_base::budget::Budget;
use tokio::runtime::Handle;

use crate::acting_user::RequestedUser;
use crate::error::{ApiError, ErrorCode};
use crate::inline_work::InlineWork;
use crate::shares::{Share, Shares, WorkKind};

/// Runs `work` with a part of the application on a blocking thread. A panic fails only this request. The work of one client uses few of the threads:
/// more of it waits without one. A client that leaves does not end the work, so its turn lasts as long as the work.
pub(crate) async fn blocking<P: Send + Sync + 'static, T: Send + 'static>(
    part: &Arc<P>,
    work: impl FnOnce(&P) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let turn = match Share::current() {
        Some(share) => Some(share.turn(WorkKind::Blocking).await?),
        None => None,
    };
    let part = Arc::clone(part);
    let user = RequestedUser::current();
    let work = move || {
        let _turn = turn;
        user.run(|| work(&part))
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(outcome) => outcome,
        Err(panic) => Err(ApiError::internal(
            ErrorCode::Internal,
            "Something went wrong inside the program",
            &panic,
        )),
    }
}

/// Runs work as [`blocking`] does, with a budget that is cancelled when the request ends first: when its client leaves.
pub(crate) async fn cancellable<P: Send + Sync + 'static, T: Send + 'static>(
    part: &Arc<P>,
    work: impl FnOnce(&P, Budget) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    with_budget(|budget| blocking(part, move |part| work(part, budget))).await
}

/// Cancels the budget of some work when the returned future is dropped.
async fn with_budget<T, F: Future<Output = T>>(start: impl FnOnce(Budget) -> F) -> T {
    let budget = Budget::unlimited();
    let _end = CancelOnDrop(budget.clone());
    start(budget).await
}

/// Cancels a budget when it is dropped.
struct CancelOnDrop(Budget);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Runs long work of a kind as [`blocking`] does, when it is the client's turn. The turn lasts as long as the work.
///
/// # Errors
/// `too_much_work` if too much of it waits already, and those of the work.
pub(crate) async fn queued<P: Send + Sync + 'static, T: Send + 'static>(
    shares: &Shares,
    kind: WorkKind,
    part: &Arc<P>,
    work: impl FnOnce(&P) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let turn = shares.current().turn(kind).await?;
    let work = move |part: &P| {
        let _turn = turn;
        work(part)
    };
    blocking(part, work).await
}

/// Runs work as [`blocking`] does, or inline. For work that reads only what the kernel nearly always has in
/// memory: a thread hop takes longer than such work.
pub(crate) async fn brief<P: AsRef<InlineWork> + Send + Sync + 'static, T: Send + 'static>(
    part: &Arc<P>,
    work: impl FnOnce(&P) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let workers = Handle::current().metrics().num_workers();
    let inline_work: &InlineWork = (**part).as_ref();
    match inline_work.try_start(workers) {
        Some(_permit) => work(part),
        None => blocking(part, work).await,
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn work_ends_when_its_request_is_dropped() {
        let (started, start) = oneshot::channel();
        let (ended, end) = oneshot::channel();
        let request = tokio::spawn(with_budget(|budget| {
            tokio::task::spawn_blocking(move || {
                started.send(()).unwrap();
                while budget.spend().is_ok() {
                    std::thread::yield_now();
                }
                ended.send(()).unwrap();
            })
        }));
        start.await.unwrap();
        request.abort();
        end.await.unwrap();
    }
}
