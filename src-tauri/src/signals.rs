//! The signals that request the application to end have the effect of the close button, but without a
//! question.
//!
//! Ctrl C in a terminal, and the end of a session, send them to all processes of the application at once. The
//! page's process must outlive the signal until the page has saved everything: it inherits a signal mask from
//! the main thread that defers such signals. This process receives them on the runtime's threads.

use tauri::AppHandle;

use crate::close;

/// Waits for SIGINT or SIGTERM (elsewhere Ctrl C) and closes the window.
pub(crate) async fn close_on_signal(app: AppHandle) {
    match termination_requested().await {
        Ok(()) => close::close(&app),
        Err(error) => tracing::warn!(%error, "signals can't be awaited"),
    }
}

/// Defers the signals in this thread, and in the processes that it starts.
pub(crate) fn defer() -> std::io::Result<()> {
    Ok(termination_signals().thread_block()?)
}

/// Receives the signals in this thread, and in the processes that it starts.
pub(crate) fn unblock() {
    if let Err(error) = termination_signals().thread_unblock() {
        tracing::warn!(%error, "a thread is deaf to signals");
    }
}

fn termination_signals() -> nix::sys::signal::SigSet {
    use nix::sys::signal::Signal;
    [Signal::SIGINT, Signal::SIGTERM].into_iter().collect()
}

async fn termination_requested() -> std::io::Result<()> {
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
