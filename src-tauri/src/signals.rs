//! The system's wish that the application ends: the same as a click on the close button.
//!
//! Ctrl C in a terminal, and the end of a session, send it to all of the application's processes at
//! once. The page's process must outlive it for as long as the page needs to put everything in a
//! safe place: it inherits from the main thread that such signals wait. This process hears them on
//! the runtime's threads.

use tauri::AppHandle;

use crate::closing;

/// Waits for SIGINT or SIGTERM (elsewhere Ctrl C) and closes the window.
pub(crate) async fn close_on_signal(app: AppHandle) {
    match asked_to_end().await {
        Ok(()) => closing::close(&app),
        Err(error) => tracing::warn!(%error, "signals can't be awaited"),
    }
}

/// Lets the signals wait in this thread, and in the processes that it starts.
#[cfg(unix)]
pub(crate) fn defer() -> std::io::Result<()> {
    Ok(asking_to_end().thread_block()?)
}

/// Lets the signals through in this thread, and in the processes that it starts.
#[cfg(unix)]
pub(crate) fn hear() {
    if let Err(error) = asking_to_end().thread_unblock() {
        tracing::warn!(%error, "a thread is deaf to signals");
    }
}

#[cfg(unix)]
fn asking_to_end() -> nix::sys::signal::SigSet {
    use nix::sys::signal::Signal;
    [Signal::SIGINT, Signal::SIGTERM].into_iter().collect()
}

/// Elsewhere the page's processes are left alone.
#[cfg(not(unix))]
pub(crate) fn defer() -> std::io::Result<()> {
    Ok(())
}

/// Elsewhere every thread hears.
#[cfg(not(unix))]
pub(crate) fn hear() {}

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
