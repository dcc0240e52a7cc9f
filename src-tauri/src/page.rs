//! Whether there is a page in the window that can answer.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// How long after it was loaded again a page that ends once more is given up.
const FAILS_AGAIN_WITHIN: Duration = Duration::from_secs(30);

/// The page's state, as the web view tells it.
#[derive(Debug, Default)]
pub(crate) struct Page {
    is_there: watch::Sender<bool>,
    /// Whether it listens to what the shell tells it.
    listens: watch::Sender<bool>,
    last_end: Mutex<Option<Instant>>,
}

impl Page {
    /// A page has been loaded.
    pub(crate) fn is_loaded(&self) {
        self.is_there.send_replace(true);
    }

    /// Another page is being loaded.
    pub(crate) fn is_loading(&self) {
        self.is_there.send_replace(false);
        self.listens.send_replace(false);
    }

    /// The page has said that it hears all that the shell tells it.
    pub(crate) fn listens(&self) {
        self.listens.send_replace(true);
    }

    /// The page's process has ended. True if it is worth loading again: what was unsaved is on the
    /// server, but a page that ends again and again would do so for ever.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended_at(Instant::now())
    }

    fn has_ended_at(&self, now: Instant) -> bool {
        self.is_loading();
        let mut last = self.last_end.lock().unwrap_or_else(PoisonError::into_inner);
        let again = last
            .replace(now)
            .is_some_and(|last| now.duration_since(last) < FAILS_AGAIN_WITHIN);
        !again
    }

    /// Whether there is a page now.
    pub(crate) fn is_there(&self) -> bool {
        *self.is_there.borrow()
    }

    /// Waits until there is a page.
    pub(crate) async fn comes(&self) {
        is_true(&self.is_there).await;
    }

    /// Waits until the page hears what the shell tells it: that begins a moment after it is loaded.
    pub(crate) async fn hears(&self) {
        is_true(&self.listens).await;
    }
}

async fn is_true(watched: &watch::Sender<bool>) {
    let mut watched = watched.subscribe();
    // The sender lives as long as the page's state, so waiting can't fail before the value comes.
    let _closed = watched.wait_for(|it| *it).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_ends_again_at_once_is_given_up() {
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
    async fn a_page_hears_when_it_says_so_and_until_another_is_loaded() {
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
