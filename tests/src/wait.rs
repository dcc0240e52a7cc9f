//! Waiting for a condition, never for a time.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::time::{Instant, sleep};

/// How long anything may take on a busy machine before we call it broken.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// How often we look.
const PAUSE: Duration = Duration::from_millis(40);

/// Looks again and again until `look` gives something; `what` is named in the error if it never does.
///
/// # Errors
/// Fails if `PATIENCE` is over; the last error that `look` gave is the cause.
pub async fn until<T>(what: &str, look: impl AsyncFnMut() -> Result<Option<T>>) -> Result<T> {
    within(PATIENCE, what, look).await
}

/// As [`until`], with a limit of its own.
///
/// # Errors
/// Fails if the limit is over; the last error that `look` gave is the cause.
pub async fn within<T>(
    limit: Duration,
    what: &str,
    mut look: impl AsyncFnMut() -> Result<Option<T>>,
) -> Result<T> {
    let end = Instant::now() + limit;
    loop {
        // A page that is just being replaced answers with errors: only the last one counts.
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
