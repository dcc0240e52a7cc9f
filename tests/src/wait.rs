//! Waiting for a condition, never for a fixed time.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::time::{Instant, sleep};

/// The maximum time of any operation on a busy machine, before it counts as failed.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The polling interval.
const PAUSE: Duration = Duration::from_millis(40);

/// Polls `look` until it returns a value. `what` is named in the error if it never does.
///
/// # Errors
/// Fails after `PATIENCE`. The last error that `look` returned is the cause.
pub async fn until<T>(what: &str, look: impl AsyncFnMut() -> Result<Option<T>>) -> Result<T> {
    within(PATIENCE, what, look).await
}

/// Does the same as [`until`], with another limit.
///
/// # Errors
/// Fails after the limit. The last error that `look` returned is the cause.
pub async fn within<T>(
    limit: Duration,
    what: &str,
    mut look: impl AsyncFnMut() -> Result<Option<T>>,
) -> Result<T> {
    let end = Instant::now() + limit;
    loop {
        // A page that is being replaced answers with errors: only the last one counts.
        let outcome = look().await;
        if let Ok(Some(found)) = outcome {
            return Ok(found);
        }
        if Instant::now() >= end {
            let waited = format!("waited {} s for {what}", limit.as_secs());
            return match outcome {
                Err(error) => Err(error).context(waited),
                Ok(_) => bail!(waited),
            };
        }
        sleep(PAUSE).await;
    }
}
