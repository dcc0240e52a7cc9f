//! Authentication: the launch's Bearer token, access tokens, one-time login addresses, and the session cookie.

mod client;
mod notice;
mod own_host;
mod sessions;
mod tokens;
mod user_agent;

use std::collections::HashMap;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fumikura_base::entropy::{Entropy, random_bytes};
use fumikura_wiki::SessionKey;
use jiff::Timestamp;
use parking_lot::Mutex;
use subtle::ConstantTimeEq;

use crate::config::Secret;

pub use client::Client;
pub(crate) use notice::{refused_page, unauthenticated_page};
pub(crate) use own_host::{OwnHost, host_name, is_host_name};
pub(crate) use sessions::{CachedSession, SessionStorage, Sessions};
pub(crate) use tokens::{
    AccessToken, AccessTokenId, AccessTokens, MAX_TOKENS, NewToken, Scope, TokenGrant,
};
pub(crate) use user_agent::Browser;

/// The lifetime of an unused login address.
const LOGIN_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);
/// The maximum number of unused login addresses; the oldest is dropped first.
const MAX_LOGINS: usize = 1000;

/// The credentials of this launch.
pub(crate) struct Auth {
    bearer: Secret,
    /// The unused logins by their tokens' hashes, so that the time of a lookup reveals nothing.
    logins: Mutex<HashMap<SessionKey, Login>>,
    pub(crate) sessions: Sessions,
    pub(crate) tokens: AccessTokens,
}

/// An unused login.
struct Login {
    ends: Timestamp,
    client: LoginClient,
}

/// The client that a login admits, which determines the session's lifetime.
#[derive(Clone)]
pub(crate) enum LoginClient {
    /// Any browser, for the cookie's lifetime.
    Browser,
    /// A client of the launch itself, until the launch ends.
    Client(Client),
}

impl Auth {
    pub(crate) fn new(tokens: AccessTokens, entropy: &dyn Entropy) -> Self {
        Self {
            bearer: Secret::new(new_secret(entropy)),
            logins: Mutex::default(),
            sessions: Sessions::default(),
            tokens,
        }
    }

    pub(crate) fn bearer(&self) -> &Secret {
        &self.bearer
    }

    /// Returns true if this is the launch's Bearer token. Compares in constant time.
    pub(crate) fn is_bearer(&self, token: &str) -> bool {
        self.bearer
            .expose()
            .as_bytes()
            .ct_eq(token.as_bytes())
            .into()
    }

    /// Returns a new token that admits once.
    pub(crate) fn new_login(
        &self,
        client: LoginClient,
        now: Timestamp,
        entropy: &dyn Entropy,
    ) -> String {
        let token = new_secret(entropy);
        let mut logins = self.logins.lock();
        logins.retain(|_, login| login.ends > now);
        if logins.len() >= MAX_LOGINS {
            let oldest = logins.iter().min_by_key(|(_, login)| login.ends);
            let oldest = oldest.map(|(key, _)| *key);
            oldest.and_then(|key| logins.remove(&key));
        }
        let ends = now + LOGIN_LIFETIME;
        logins.insert(SessionKey::of(&token), Login { ends, client });
        token
    }

    /// Consumes a login token and returns the client that it admits. `None` if it is unknown, used or expired.
    pub(crate) fn use_login(&self, token: &str, now: Timestamp) -> Option<LoginClient> {
        let mut logins = self.logins.lock();
        logins
            .remove(&SessionKey::of(token))
            .filter(|login| login.ends > now)
            .map(|login| login.client)
    }
}

/// The length of a secret in characters.
pub(crate) const SECRET_LENGTH: usize = 43;

/// Returns 256 random bits, encoded for addresses and cookies.
pub(crate) fn new_secret(entropy: &dyn Entropy) -> String {
    URL_SAFE_NO_PAD.encode(random_bytes::<32>(entropy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fumikura_base::entropy::SeededEntropy;

    fn new_auth(entropy: &dyn Entropy) -> Auth {
        let folder = tempfile::tempdir().unwrap();
        Auth::new(AccessTokens::open(folder.path()), entropy)
    }

    #[test]
    fn login_works_once_within_a_day() {
        let (entropy, now) = (SeededEntropy::new(1), Timestamp::UNIX_EPOCH);
        let auth = new_auth(&entropy);
        let new_login = || auth.new_login(LoginClient::Browser, now, &entropy);
        let token = new_login();
        assert!(auth.use_login(&token, now).is_some());
        assert!(auth.use_login(&token, now).is_none());
        let (early, late) = (new_login(), new_login());
        let last = now + (LOGIN_LIFETIME - Duration::from_secs(1));
        assert!(auth.use_login(&early, last).is_some());
        assert!(auth.use_login(&late, now + LOGIN_LIFETIME).is_none());
    }

    #[test]
    fn oldest_unused_login_is_dropped_first() {
        let (entropy, mut now) = (SeededEntropy::new(1), Timestamp::UNIX_EPOCH);
        let auth = new_auth(&entropy);
        let new_login = |now| auth.new_login(LoginClient::Browser, now, &entropy);
        let oldest = new_login(now);
        let mut newest = String::new();
        for _ in 0..MAX_LOGINS {
            now += Duration::from_secs(1);
            newest = new_login(now);
        }
        assert!(auth.use_login(&newest, now).is_some());
        assert!(auth.use_login(&oldest, now).is_none());
    }

    #[test]
    fn partial_bearer_token_is_refused() {
        let auth = new_auth(&SeededEntropy::new(1));
        let bearer = auth.bearer().expose().to_owned();
        assert_eq!(bearer.len(), SECRET_LENGTH);
        assert!(auth.is_bearer(&bearer));
        assert!(!auth.is_bearer(&bearer[1..]));
        assert!(!auth.is_bearer(""));
    }
}
