//! The state of the page in the window.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::watch;

/// The time after a reload within which a second crash of the page is final.
const FAILS_AGAIN_WITHIN: Duration = Duration::from_secs(30);

/// The page's state, as the web view reports it.
#[derive(Debug, Default)]
pub(crate) struct Page {
    is_there: watch::Sender<bool>,
    /// True if the page listens to events of the shell.
    listens: watch::Sender<bool>,
    last_end: Mutex<Option<Instant>>,
}

impl Page {
    /// Records that a page has been loaded.
    pub(crate) fn is_loaded(&self) {
        self.is_there.send_replace(true);
    }

    /// Records that another page is being loaded.
    pub(crate) fn is_loading(&self) {
        self.is_there.send_replace(false);
        self.listens.send_replace(false);
    }

    /// Records that the page listens to all events of the shell.
    pub(crate) fn listens(&self) {
        self.listens.send_replace(true);
    }

    /// Records that the page's process has ended. Returns true if the page should be reloaded: unsaved text
    /// is on the server, but a page that crashes repeatedly would do so forever.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended_at(Instant::now())
    }

    fn has_ended_at(&self, now: Instant) -> bool {
        self.is_loading();
        let mut last = self.last_end.lock();
        let again = last
            .replace(now)
            .is_some_and(|last| now.duration_since(last) < FAILS_AGAIN_WITHIN);
        !again
    }

    /// Returns true if there is a page.
    pub(crate) fn is_there(&self) -> bool {
        *self.is_there.borrow()
    }

    /// Waits until there is a page.
    pub(crate) async fn comes(&self) {
        is_true(&self.is_there).await;
    }

    /// Waits until the page listens to events of the shell, which begins shortly after it is loaded.
    pub(crate) async fn hears(&self) {
        is_true(&self.listens).await;
    }
}

async fn is_true(watched: &watch::Sender<bool>) {
    let mut watched = watched.subscribe();
    // The sender lives as long as the page's state, so waiting cannot fail before the value arrives.
    let _closed = watched.wait_for(|it| *it).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_that_crashes_repeatedly_is_not_reloaded() {
        let page = Page::default();
        let start = Instant::now();
        assert!(page.has_ended_at(start));
        assert!(!page.has_ended_at(start + FAILS_AGAIN_WITHIN / 2));
        assert!(page.has_ended_at(start + FAILS_AGAIN_WITHIN * 3));
    }

    #[test]
    fn only_a_loaded_page_can_answer() {
        let page = Page::default();
        assert!(!page.is_there());
        page.is_loaded();
        assert!(page.is_there());
        page.has_ended();
        assert!(!page.is_there());
    }

    #[tokio::test]
    async fn page_listens_until_another_is_loaded() {
        let page = Page::default();
        let hears = || tokio::time::timeout(Duration::from_millis(20), page.hears());
        page.is_loaded();
        assert!(hears().await.is_err());
        page.listens();
        assert!(hears().await.is_ok());
        page.is_loading();
        assert!(hears().await.is_err());
    }
}
