//! Access tokens: each gives another program some of the rights of the user, until it expires or is revoked. Only the
//! hashes of tokens are stored, so that a copy of the file gives no access.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use fumikura_base::durable::{self, Access};
use fumikura_base::entropy::Entropy;
use fumikura_base::own_file;
use fumikura_wiki::UserId;
use jiff::Timestamp;
use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::watch;
use utoipa::ToSchema;

use super::new_secret;

/// The version of the file that this program writes.
const VERSION: u32 = 1;
/// The beginning of each token, by which programs that search for secrets recognize it.
const PREFIX: &str = "fumi_";
/// The maximum number of tokens.
pub(crate) const MAX_TOKENS: usize = 100;

fumikura_base::ulid_ids! {
    /// An access token, as it is listed. The token can't be derived from it.
    AccessTokenId;
}

/// A right that a token gives.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = TokenScope)]
pub(crate) enum Scope {
    /// Read pages and their files.
    Read,
    /// Change what the other scopes let the program read; pages also without `read`.
    Write,
    /// See pictures, folders and albums.
    Pictures,
    /// See hash records.
    Hashes,
}

/// The rights of a valid token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenGrant {
    pub(crate) id: AccessTokenId,
    pub(crate) user: UserId,
    scopes: u8,
}

impl TokenGrant {
    pub(crate) fn has(self, scope: Scope) -> bool {
        self.scopes & bit(scope) != 0
    }
}

fn bit(scope: Scope) -> u8 {
    1 << scope as u8
}

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AccessToken {
    pub(crate) id: AccessTokenId,
    /// The SHA-256 of the token, in hexadecimal digits.
    sha256: String,
    pub(crate) name: String,
    pub(crate) scopes: BTreeSet<Scope>,
    /// The user on whose behalf the program acts.
    pub(crate) user: UserId,
    pub(crate) created_at: Timestamp,
    pub(crate) expires_at: Timestamp,
}

/// A token to create.
pub(crate) struct NewToken {
    pub(crate) name: String,
    pub(crate) scopes: BTreeSet<Scope>,
    pub(crate) user: UserId,
    pub(crate) expires_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct StoredTokens {
    version: u32,
    tokens: Vec<AccessToken>,
}

/// All access tokens, in a file of the data folder.
pub(crate) struct AccessTokens {
    file: PathBuf,
    tokens: Mutex<Vec<AccessToken>>,
    /// Changes each time a token is revoked.
    revocations: watch::Sender<()>,
}

impl AccessTokens {
    /// Reads the tokens. Of a file that can't be used, none is valid, and the next token replaces it.
    pub(crate) fn open(data: &Path) -> Self {
        let file = data.join("tokens.json");
        let tokens = read(&file).unwrap_or_else(|error| {
            tracing::warn!("{} can't be used: {error}", file.display());
            Vec::new()
        });
        Self {
            file,
            tokens: Mutex::new(tokens),
            revocations: watch::Sender::new(()),
        }
    }

    /// Returns the rights of a token, if it is valid.
    pub(crate) fn grant(&self, token: &str, now: Timestamp) -> Option<TokenGrant> {
        if !token.starts_with(PREFIX) {
            return None;
        }
        // The time of comparing hashes reveals nothing about the token.
        let sha256 = digest(token);
        let tokens = self.tokens();
        let found = tokens.iter().find(|token| token.sha256 == sha256)?;
        (found.expires_at > now).then(|| TokenGrant {
            id: found.id,
            user: found.user,
            scopes: found.scopes.iter().copied().map(bit).sum(),
        })
    }

    /// Returns the tokens that have not expired, the latest first.
    pub(crate) fn list(&self, now: Timestamp) -> Vec<AccessToken> {
        let tokens = self.tokens();
        let valid = tokens.iter().rev().filter(|token| token.expires_at > now);
        valid.cloned().collect()
    }

    /// Creates a token, and removes expired ones. Returns it, and its description; `None` if there are too many.
    ///
    /// # Errors
    /// If the file can't be written.
    pub(crate) fn create(
        &self,
        new: NewToken,
        now: Timestamp,
        entropy: &dyn Entropy,
    ) -> io::Result<Option<(String, AccessToken)>> {
        let token = format!("{PREFIX}{}", new_secret(entropy));
        let NewToken {
            name,
            scopes,
            user,
            expires_at,
        } = new;
        let created = AccessToken {
            id: AccessTokenId::generate(now, entropy),
            sha256: digest(&token),
            name,
            scopes,
            user,
            created_at: now,
            expires_at,
        };
        let mut tokens = self.tokens();
        let mut changed = tokens.clone();
        changed.retain(|token| token.expires_at > now);
        if changed.len() >= MAX_TOKENS {
            return Ok(None);
        }
        changed.push(created.clone());
        self.write(&mut tokens, changed)?;
        Ok(Some((token, created)))
    }

    /// Revokes a token: its requests are refused from now on, and its event streams close. Returns false if there is
    /// no such token.
    ///
    /// # Errors
    /// If the file can't be written. The token is valid then.
    pub(crate) fn revoke(&self, id: AccessTokenId) -> io::Result<bool> {
        let mut tokens = self.tokens();
        let mut changed = tokens.clone();
        changed.retain(|token| token.id != id);
        if changed.len() == tokens.len() {
            return Ok(false);
        }
        self.write(&mut tokens, changed)?;
        drop(tokens);
        self.revocations.send_replace(());
        Ok(true)
    }

    /// Waits until the token is revoked.
    pub(crate) async fn revoked(&self, id: AccessTokenId) {
        let mut revocations = self.revocations.subscribe();
        while self.tokens().iter().any(|token| token.id == id) {
            if revocations.changed().await.is_err() {
                return;
            }
        }
    }

    fn write(&self, tokens: &mut Vec<AccessToken>, changed: Vec<AccessToken>) -> io::Result<()> {
        let stored = StoredTokens {
            version: VERSION,
            tokens: changed,
        };
        let bytes = serde_json::to_vec_pretty(&stored)?;
        durable::write_file(&self.file, &bytes, Access::Private)?;
        *tokens = stored.tokens;
        Ok(())
    }

    fn tokens(&self) -> MutexGuard<'_, Vec<AccessToken>> {
        self.tokens.lock()
    }
}

fn read(file: &Path) -> io::Result<Vec<AccessToken>> {
    let bytes = match own_file::read(file, own_file::SETTINGS) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read?,
    };
    let stored: StoredTokens = serde_json::from_slice(&bytes)?;
    if stored.version != VERSION {
        let words = format!("its version is {}, not {VERSION}", stored.version);
        return Err(io::Error::new(io::ErrorKind::InvalidData, words));
    }
    Ok(stored.tokens)
}

fn digest(token: &str) -> String {
    hex::encode(Sha256::digest(token.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use fumikura_base::entropy::SeededEntropy;

    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    fn new_token(scope: Scope) -> NewToken {
        NewToken {
            name: "backup script".to_owned(),
            scopes: [scope].into(),
            user: UserId::from_bytes([1; 16]),
            expires_at: Timestamp::UNIX_EPOCH + DAY,
        }
    }

    #[test]
    fn token_is_valid_until_its_expiry() {
        let (folder, entropy) = (tempfile::tempdir().unwrap(), SeededEntropy::new(1));
        let (tokens, now) = (AccessTokens::open(folder.path()), Timestamp::UNIX_EPOCH);
        let created = tokens.create(new_token(Scope::Hashes), now, &entropy);
        let (token, about) = created.unwrap().unwrap();
        let file = std::fs::read_to_string(folder.path().join("tokens.json")).unwrap();
        assert!(!file.contains(&token[PREFIX.len()..]), "{file}");

        let tokens = AccessTokens::open(folder.path());
        let grant = tokens.grant(&token, now).unwrap();
        assert_eq!((grant.id, grant.user), (about.id, about.user));
        let has = |scope| grant.has(scope);
        assert!(has(Scope::Hashes) && !has(Scope::Read) && !has(Scope::Write));
        for other in ["", PREFIX, &token[1..], &token[..token.len() - 1]] {
            assert_eq!(tokens.grant(other, now), None);
        }
        assert_eq!(tokens.grant(&token, now + DAY), None);
        assert_eq!(tokens.list(now + DAY), []);
    }

    #[tokio::test]
    async fn revoked_token_is_refused() {
        let (folder, entropy) = (tempfile::tempdir().unwrap(), SeededEntropy::new(1));
        let (tokens, now) = (AccessTokens::open(folder.path()), Timestamp::UNIX_EPOCH);
        let created = tokens.create(new_token(Scope::Read), now, &entropy);
        let (token, about) = created.unwrap().unwrap();
        let revoke = async { tokens.revoke(about.id).unwrap() };
        let ((), is_revoked) = tokio::join!(tokens.revoked(about.id), revoke);
        assert!(is_revoked);
        assert_eq!(tokens.grant(&token, now), None);
        assert!(!tokens.revoke(about.id).unwrap());
        let reopened = AccessTokens::open(folder.path());
        assert_eq!(reopened.grant(&token, now), None);
    }

    #[test]
    fn damaged_file_has_no_valid_tokens() {
        let (folder, entropy) = (tempfile::tempdir().unwrap(), SeededEntropy::new(1));
        std::fs::write(folder.path().join("tokens.json"), "{").unwrap();
        let (tokens, now) = (AccessTokens::open(folder.path()), Timestamp::UNIX_EPOCH);
        assert_eq!(tokens.list(now), []);
        let created = tokens.create(new_token(Scope::Read), now, &entropy);
        let (token, _) = created.unwrap().unwrap();
        let reopened = AccessTokens::open(folder.path());
        assert!(reopened.grant(&token, now).is_some());
    }
}
