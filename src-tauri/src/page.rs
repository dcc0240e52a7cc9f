//! The state of the page in the window.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::watch;

/// The time after a reload within which a second crash of the page is final.
const CRASH_LOOP_WINDOW: Duration = Duration::from_secs(30);

/// The page's state, as the web view reports it.
#[derive(Debug, Default)]
pub(crate) struct WindowPage {
    is_loaded: watch::Sender<bool>,
    /// True if the server has answered with a page since the start.
    is_answered: watch::Sender<bool>,
    /// True if the page listens to events of the shell.
    listens: watch::Sender<bool>,
    /// True if something has been drawn since the start.
    is_drawn: watch::Sender<bool>,
    last_end: Mutex<Option<Instant>>,
}

impl WindowPage {
    /// Records that a page has been loaded.
    pub(crate) fn set_loaded(&self) {
        self.is_loaded.send_replace(true);
    }

    /// Records that another page is being loaded.
    pub(crate) fn set_loading(&self) {
        self.is_loaded.send_replace(false);
        self.listens.send_replace(false);
    }

    /// Records that a page of the server begins to arrive.
    pub(crate) fn set_answered(&self) {
        self.is_answered.send_replace(true);
    }

    /// Records that the page listens to all events of the shell.
    pub(crate) fn set_listening(&self) {
        self.listens.send_replace(true);
    }

    /// Records that the page has been drawn.
    pub(crate) fn set_drawn(&self) {
        self.is_drawn.send_replace(true);
    }

    /// Records that the page's process has ended. Returns true if the page should be reloaded: unsaved text
    /// is on the server, but a page that crashes repeatedly would do so forever.
    pub(crate) fn record_end(&self) -> bool {
        self.record_end_at(Instant::now())
    }

    fn record_end_at(&self, now: Instant) -> bool {
        self.set_loading();
        let mut last = self.last_end.lock();
        let again = last
            .replace(now)
            .is_some_and(|last| now.duration_since(last) < CRASH_LOOP_WINDOW);
        !again
    }

    /// Returns true if there is a page.
    pub(crate) fn is_loaded(&self) -> bool {
        *self.is_loaded.borrow()
    }

    /// Waits until there is a page.
    pub(crate) async fn wait_until_loaded(&self) {
        wait_until_true(&self.is_loaded).await;
    }

    /// Waits until something has been drawn. Returns false if nothing is within `draw_limit` of the server's answer, or if
    /// there is no answer within `answer_limit`: a server that is slow to answer is not a blank window.
    pub(crate) async fn wait_until_drawn(
        &self,
        answer_limit: Duration,
        draw_limit: Duration,
    ) -> bool {
        let answered = wait_until_true(&self.is_answered);
        let is_answered = tokio::time::timeout(answer_limit, answered).await.is_ok();
        let limit = if is_answered {
            draw_limit
        } else {
            Duration::ZERO
        };
        self.is_drawn_within(limit).await
    }

    /// Waits until something has been drawn, at most for `limit`. Returns false if nothing is.
    pub(crate) async fn is_drawn_within(&self, limit: Duration) -> bool {
        let drawn = wait_until_true(&self.is_drawn);
        tokio::time::timeout(limit, drawn).await.is_ok()
    }

    /// Waits until the page listens to events of the shell, which begins shortly after it is loaded.
    pub(crate) async fn wait_until_listening(&self) {
        wait_until_true(&self.listens).await;
    }
}

async fn wait_until_true(watched: &watch::Sender<bool>) {
    let mut watched = watched.subscribe();
    // The sender lives as long as the page's state, so waiting cannot fail before the value arrives.
    let _closed = watched.wait_for(|it| *it).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_that_crashes_repeatedly_is_not_reloaded() {
        let page = WindowPage::default();
        let start = Instant::now();
        assert!(page.record_end_at(start));
        assert!(!page.record_end_at(start + CRASH_LOOP_WINDOW / 2));
        assert!(page.record_end_at(start + CRASH_LOOP_WINDOW * 3));
    }

    #[test]
    fn only_a_loaded_page_can_answer() {
        let page = WindowPage::default();
        assert!(!page.is_loaded());
        page.set_loaded();
        assert!(page.is_loaded());
        page.record_end();
        assert!(!page.is_loaded());
    }

    #[tokio::test]
    async fn page_is_overdue_some_time_after_its_answer() {
        const SHORT: Duration = Duration::from_millis(20);
        const LONG: Duration = Duration::from_secs(60);
        let page = WindowPage::default();
        assert!(!page.wait_until_drawn(SHORT, LONG).await, "no answer");
        page.set_answered();
        assert!(!page.wait_until_drawn(LONG, SHORT).await, "not drawn");
        page.set_drawn();
        page.set_loading();
        assert!(page.wait_until_drawn(LONG, LONG).await);
    }

    #[tokio::test]
    async fn page_listens_until_another_is_loaded() {
        let page = WindowPage::default();
        let listens =
            || tokio::time::timeout(Duration::from_millis(20), page.wait_until_listening());
        page.set_loaded();
        assert!(listens().await.is_err());
        page.set_listening();
        assert!(listens().await.is_ok());
        page.set_loading();
        assert!(listens().await.is_err());
    }
}
