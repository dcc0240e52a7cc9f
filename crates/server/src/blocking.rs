//! The one seam between the asynchronous server and the synchronous parts behind it.

use std::sync::Arc;

use crate::app::App;
use crate::error::{ApiError, ErrorCode};

/// Runs `work` where it may block, and waits for it without holding a thread of the server.
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
