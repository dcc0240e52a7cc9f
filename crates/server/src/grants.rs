//! Grants: the right to read one path of the machine, given by a dialog or a drop on a window, and valid for
//! one use by that window.

use std::collections::HashMap;
use std::path::PathBuf;

use fumikura_base::entropy::{Entropy, random_bytes};
use fumikura_wiki::SessionKey;
use parking_lot::Mutex;

use crate::auth::Client;
use crate::error::{ApiError, ErrorCode};
use crate::guard::Caller;

/// The maximum number of unused grants; the oldest is dropped first.
const MAX_GRANTS: usize = 10_000;

/// The unused grants.
#[derive(Debug, Default)]
pub(crate) struct Grants {
    state: Mutex<GrantTable>,
}

#[derive(Debug, Default)]
struct GrantTable {
    grants: HashMap<String, Grant>,
    count: u64,
}

#[derive(Debug)]
struct Grant {
    number: u64,
    path: PathBuf,
    client: Client,
}

impl Grants {
    /// Grants the client the right to read `path`. Returns the grant's id.
    pub(crate) fn give(&self, path: PathBuf, client: Client, entropy: &dyn Entropy) -> String {
        let id = hex::encode(random_bytes::<16>(entropy));
        let mut state = self.state.lock();
        if state.grants.len() >= MAX_GRANTS {
            let oldest = state
                .grants
                .iter()
                .min_by_key(|(_, grant)| grant.number)
                .map(|(id, _)| id.clone());
            oldest.and_then(|id| state.grants.remove(&id));
        }
        state.count += 1;
        let grant = Grant {
            number: state.count,
            path,
            client,
        };
        state.grants.insert(id.clone(), grant);
        id
    }

    /// Consumes a grant of the caller's session and returns the path.
    ///
    /// # Errors
    /// `grant_invalid`.
    pub(crate) fn take_by(&self, id: &str, caller: Caller) -> Result<PathBuf, ApiError> {
        let path = match caller {
            Caller::Session(session) => self.take(id, session),
            Caller::Bearer | Caller::Token(_) | Caller::Anyone => None,
        };
        path.ok_or_else(invalid)
    }

    /// Returns the path of a grant of the caller's session. The grant stays valid.
    ///
    /// # Errors
    /// `grant_invalid`.
    pub(crate) fn path_for(&self, id: &str, caller: Caller) -> Result<PathBuf, ApiError> {
        let Caller::Session(session) = caller else {
            return Err(invalid());
        };
        let state = self.state.lock();
        let grant = state.grants.get(id);
        let theirs = grant.filter(|grant| grant.client.has(session));
        theirs.map(|grant| grant.path.clone()).ok_or_else(invalid)
    }

    /// Consumes a grant by its client's session and returns the path. Another session gets nothing, and does
    /// not consume it.
    fn take(&self, id: &str, session: SessionKey) -> Option<PathBuf> {
        let mut state = self.state.lock();
        let is_theirs = state.grants.get(id)?.client.has(session);
        let grant = is_theirs.then(|| state.grants.remove(id)).flatten();
        grant.map(|grant| grant.path)
    }
}

fn invalid() -> ApiError {
    ApiError::new(
        ErrorCode::GrantInvalid,
        "the permission to use this file or folder is unknown, already used, or belongs to another window; choose it again",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use fumikura_base::entropy::SeededEntropy;

    /// Returns a client with a session of that secret.
    fn entered(secret: &str) -> (Client, SessionKey) {
        let (client, session) = (Client::default(), SessionKey::of(secret));
        client.has_entered(session);
        (client, session)
    }

    #[test]
    fn grant_is_valid_only_for_its_client() {
        let (grants, entropy) = (Grants::default(), SeededEntropy::new(1));
        let ((client, session), (_, other)) = (entered("window"), entered("other"));
        let grant = grants.give("/pictures".into(), client, &entropy);
        assert_eq!(grants.take(&grant, other), None);
        let path_for = |session| grants.path_for(&grant, Caller::Session(session)).ok();
        assert_eq!(path_for(other), None);
        assert_eq!(path_for(session), Some("/pictures".into()));
        assert!(grants.path_for(&grant, Caller::Bearer).is_err());
        assert_eq!(grants.take(&grant, session), Some("/pictures".into()));
    }

    #[test]
    fn grants_are_single_use_and_bounded_in_number() {
        let (grants, entropy) = (Grants::default(), SeededEntropy::new(1));
        let (client, session) = entered("window");
        let give = |path: &str| grants.give(path.into(), client.clone(), &entropy);
        let first = give("/pictures");
        assert_eq!(grants.take(&first, session), Some("/pictures".into()));
        assert_eq!(grants.take(&first, session), None);
        let old = give("/old");
        for _ in 0..MAX_GRANTS {
            give("/new");
        }
        assert_eq!(grants.take(&old, session), None);
        assert_eq!(grants.state.lock().grants.len(), MAX_GRANTS);
    }
}
