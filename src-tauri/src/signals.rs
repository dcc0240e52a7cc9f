//! The system's wish that the application ends: the same as a click on the close button.

use tauri::AppHandle;

use crate::closing;

/// Waits for SIGINT or SIGTERM (elsewhere Ctrl C) and closes the window.
pub(crate) async fn close_on_signal(app: AppHandle) {
    match asked_to_end().await {
        Ok(()) => closing::close(&app),
        Err(error) => tracing::warn!(%error, "signals can't be awaited"),
    }
}

#[cfg(unix)]
async fn asked_to_end() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (
        signal(SignalKind::interrupt())?,
        signal(SignalKind::terminate())?,
    );
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn asked_to_end() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
