//! Runs disk-bound work on tokio's blocking pool, so that requests do not wait for each other, or inline if a
//! thread hop would cost more than the work.

use std::sync::Arc;

use tokio::runtime::Handle;

use crate::app::App;
use crate::error::{ApiError, ErrorCode};

/// Runs `work` on a blocking thread. A panic fails only this request.
pub(crate) async fn blocking<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let app = Arc::clone(app);
    match tokio::task::spawn_blocking(move || work(&app)).await {
        Ok(outcome) => outcome,
        Err(panic) => Err(ApiError::internal(
            ErrorCode::Internal,
            "Something went wrong inside the program",
            &panic,
        )),
    }
}

/// Runs work as [`blocking`] does, or inline. For work that reads only what the kernel nearly always has in
/// memory: a thread hop takes longer than such work.
pub(crate) async fn brief<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    match app
        .inline_work
        .try_start(Handle::current().metrics().num_workers())
    {
        Some(_permit) => work(app),
        None => blocking(app, work).await,
    }
}
