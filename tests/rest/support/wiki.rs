//! Pages for tests.

use super::{Answer, TestApp};

/// A draft that was just created, or a page that is locked.
pub(crate) struct HeldLock {
    pub(crate) id: String,
    pub(crate) token: String,
    pub(crate) expire: String,
}

impl TestApp {
    /// Creates a draft.
    pub(crate) async fn draft(&self, path: &str) -> HeldLock {
        let begun = self.post(&at("/api/pages", path)).send().await;
        begun.is(201);
        let id = begun.json()["id"].as_str().unwrap().to_owned();
        HeldLock::new(id, &begun)
    }

    /// Creates a page with a text. Returns its id.
    pub(crate) async fn page(&self, path: &str, text: &str) -> String {
        let draft = self.draft(path).await;
        self.save(&draft, text).await.is(200);
        draft.id
    }

    /// Saves, as the lock's holder.
    pub(crate) async fn save(&self, held: &HeldLock, text: &str) -> Answer {
        self.put(&source(&held.id))
            .token(&held.token)
            .markdown(text)
            .send()
            .await
    }

    /// Acquires a page's lock.
    pub(crate) async fn lock(&self, id: &str) -> HeldLock {
        let taken = self.post(&lock(id)).send().await;
        taken.is(204);
        HeldLock::new(id.to_owned(), &taken)
    }

    /// Returns the root page's id.
    pub(crate) async fn root_page(&self) -> String {
        let found = self.get("/api/pages/resolve?path=/").send().await;
        found.is(200).json()["id"].as_str().unwrap().to_owned()
    }

    /// Returns a page's latest text.
    pub(crate) async fn text(&self, id: &str) -> String {
        self.get(&source(id)).send().await.is(200).text().to_owned()
    }
}

impl HeldLock {
    /// Reads `X-Page-Lock: expire=… token=…`.
    pub(crate) fn new(id: String, answer: &Answer) -> Self {
        let lock = answer.header("x-page-lock").unwrap();
        let (expire, token) = lock.split_once(' ').unwrap();
        Self {
            id,
            token: token.strip_prefix("token=").unwrap().to_owned(),
            expire: expire.strip_prefix("expire=").unwrap().to_owned(),
        }
    }
}

/// Returns an address with a page's path in its query.
pub(crate) fn at(address: &str, path: &str) -> String {
    format!("{address}?path={}", encoded(path.as_bytes()))
}

pub(crate) fn source(id: &str) -> String {
    format!("/api/pages/{id}/source")
}

pub(crate) fn lock(id: &str) -> String {
    format!("/api/pages/{id}/lock")
}

/// Encodes bytes for a query.
pub(crate) fn encoded(bytes: &[u8]) -> String {
    percent_encoding::percent_encode(bytes, percent_encoding::NON_ALPHANUMERIC).to_string()
}
