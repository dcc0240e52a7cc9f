//! The start of the shutdown, for which background work and event streams wait.

use tokio::sync::watch;

/// True once the shutdown has started.
pub(crate) struct Stopping(watch::Sender<bool>);

impl Stopping {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Starts the shutdown.
    pub(crate) fn start(&self) {
        self.0.send_replace(true);
    }

    pub(crate) fn has_started(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for the start of the shutdown.
    pub(crate) async fn started(&self) {
        let mut stopping = self.0.subscribe();
        // The sender lives in self, so waiting can't fail before the value arrives.
        let _closed = stopping.wait_for(|stopping| *stopping).await;
    }
}
