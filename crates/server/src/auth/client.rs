//! A client that signs in by an address made for it.

use std::sync::{Arc, OnceLock};

use fumikura_wiki::SessionKey;

/// A client that signs in by one address, such as a window, before and after it does so. Grants of a client are
/// valid for its session alone.
#[derive(Debug, Clone, Default)]
pub struct Client(Arc<OnceLock<SessionKey>>);

impl Client {
    /// Records that the client has signed in. An address admits a client once, so this is called once.
    pub(crate) fn has_entered(&self, session: SessionKey) {
        self.0
            .set(session)
            .expect("BUG: an address has admitted a client twice");
    }

    /// Returns the client's session, if it has signed in.
    pub(crate) fn session(&self) -> Option<SessionKey> {
        self.0.get().copied()
    }

    /// Returns true if this session is the client's.
    pub(crate) fn has(&self, session: SessionKey) -> bool {
        self.0.get() == Some(&session)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_has_only_its_own_session() {
        let (client, session) = (Client::default(), SessionKey::of("secret"));
        assert!(!client.has(session));
        client.clone().has_entered(session);
        assert!(client.has(session));
        assert!(!client.has(SessionKey::of("other")));
    }
}
