//! The key of a service: from the environment, or from the system's keyring. It is never written to a file or
//! a log. A key belongs to one origin: at another address there is none until it is entered again.

use fumikura_vision::Address;
use keyring::Entry;
use serde::Serialize;
use utoipa::ToSchema;

use crate::config::{Secret, VisionConfig, VisionDialect};
use crate::error::{ApiError, ErrorCode};

const KEYRING_SERVICE: &str = "fumikura";

/// The source of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum KeySource {
    /// An environment variable.
    Environment,
    /// The system's keyring.
    Keyring,
    /// There is no key.
    Missing,
    /// There is no key, and the system has no keyring. Only the environment can provide a key.
    NoKeyring,
}

/// A store of keys by name.
pub(super) trait KeyStore: Send + Sync {
    /// Returns a key, if there is one.
    fn get(&self, name: &str) -> keyring::Result<Option<String>>;
    /// Stores a key; `None` deletes it.
    fn set(&self, name: &str, key: Option<&str>) -> keyring::Result<()>;
}

/// The system's keyring, over D-Bus, which blocks.
pub(super) struct SystemKeyring;

impl KeyStore for SystemKeyring {
    fn get(&self, name: &str) -> keyring::Result<Option<String>> {
        let entry = Entry::new(KEYRING_SERVICE, name)?;
        match entry.get_password() {
            Err(keyring::Error::NoEntry) => Ok(None),
            key => key.map(Some),
        }
    }

    fn set(&self, name: &str, key: Option<&str>) -> keyring::Result<()> {
        let entry = Entry::new(KEYRING_SERVICE, name)?;
        match key {
            Some(key) => entry.set_password(key),
            None => match entry.delete_credential() {
                Err(keyring::Error::NoEntry) => Ok(()),
                deleted => deleted,
            },
        }
    }
}

/// The owner of a key: a kind of service at an origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyOwner {
    dialect: VisionDialect,
    origin: String,
}

impl KeyOwner {
    pub(super) fn new(dialect: VisionDialect, address: &Address) -> Self {
        let origin = address.origin();
        Self { dialect, origin }
    }

    /// Finds the key. The environment's key is used for the service that the environment or the configuration file
    /// names, and for the origin that the owner permitted. Otherwise, it may be there for other programs.
    pub(super) fn find(
        &self,
        config: &VisionConfig,
        permitted_origin: Option<&str>,
        keys: &dyn KeyStore,
    ) -> (KeySource, Option<Secret>) {
        let named = config.named_address(self.dialect);
        let is_named = named.is_some_and(|address| address.origin() == self.origin);
        let is_permitted = permitted_origin == Some(self.origin.as_str());
        let environment = config.key(self.dialect);
        if let Some(key) = environment.filter(|_| is_named || is_permitted) {
            return (KeySource::Environment, Some(key.clone()));
        }
        match keys.get(&self.name()) {
            Ok(Some(key)) => (KeySource::Keyring, Some(Secret::new(key))),
            Ok(None) => (KeySource::Missing, None),
            Err(error) => {
                tracing::debug!("there is no keyring: {error}");
                (KeySource::NoKeyring, None)
            }
        }
    }

    /// Stores a key in the keyring; `None` deletes it. A missing key is not an error.
    pub(super) fn store(&self, key: Option<&str>, keys: &dyn KeyStore) -> Result<(), ApiError> {
        keys.set(&self.name(), key)
            .map_err(|error| unavailable(&error))
    }

    /// Returns the name in the keyring.
    fn name(&self) -> String {
        let kind = match self.dialect {
            VisionDialect::Gemini => "gemini",
            VisionDialect::OpenAi => "openai",
            VisionDialect::Command => "command",
        };
        format!("{kind} {}", self.origin)
    }
}

fn unavailable(error: &keyring::Error) -> ApiError {
    let message =
        format!("the system’s keyring can’t be used ({error}); set the key in the environment");
    ApiError::new(ErrorCode::KeyringUnavailable, message)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use parking_lot::Mutex;

    use super::*;

    #[derive(Default)]
    struct MemoryKeys(Mutex<HashMap<String, String>>);

    impl KeyStore for MemoryKeys {
        fn get(&self, name: &str) -> keyring::Result<Option<String>> {
            Ok(self.0.lock().get(name).cloned())
        }

        fn set(&self, name: &str, key: Option<&str>) -> keyring::Result<()> {
            let mut keys = self.0.lock();
            match key {
                Some(key) => keys.insert(name.to_owned(), key.to_owned()),
                None => keys.remove(name),
            };
            Ok(())
        }
    }

    fn owner(dialect: VisionDialect, address: &str) -> KeyOwner {
        KeyOwner::new(dialect, &address.parse().unwrap())
    }

    #[test]
    fn key_is_found_at_its_own_origin_only() {
        let (config, keys) = (VisionConfig::default(), MemoryKeys::default());
        let home = owner(VisionDialect::OpenAi, "https://ai.example/v1");
        home.store(Some("secret"), &keys).unwrap();
        let find = |owner: KeyOwner| owner.find(&config, None, &keys).0;
        for address in ["https://ai.example/v2", "https://AI.example:443"] {
            assert_eq!(
                find(owner(VisionDialect::OpenAi, address)),
                KeySource::Keyring
            );
        }
        for address in [
            "https://evil.example/v1",
            "https://ai.example:8443/v1",
            "http://ai.example/v1",
            "https://ai.example.evil.example/v1",
        ] {
            assert_eq!(
                find(owner(VisionDialect::OpenAi, address)),
                KeySource::Missing,
                "{address}"
            );
        }
        let other_kind = owner(VisionDialect::Gemini, "https://ai.example/v1");
        assert_eq!(find(other_kind), KeySource::Missing);
        home.store(None, &keys).unwrap();
        assert_eq!(find(home), KeySource::Missing);
    }

    #[test]
    fn environment_key_is_for_one_origin() {
        let keys = MemoryKeys::default();
        let mut config = VisionConfig {
            openai_api_key: Some(Secret::new("secret".to_owned())),
            ..VisionConfig::default()
        };
        let find = |config: &VisionConfig, address: &str, permitted: Option<&str>| {
            let owner = owner(VisionDialect::OpenAi, address);
            owner.find(config, permitted, &keys).0
        };
        let (home, evil) = ("https://api.openai.com/v1", "https://evil.example/v1");
        assert_eq!(find(&config, home, None), KeySource::Missing);
        let permitted = Some("https://api.openai.com");
        assert_eq!(find(&config, home, permitted), KeySource::Environment);
        assert_eq!(find(&config, evil, permitted), KeySource::Missing);
        // The environment names the kind, and thereby the service's own address.
        config.dialect = Some(VisionDialect::OpenAi);
        assert_eq!(find(&config, home, None), KeySource::Environment);
        assert_eq!(find(&config, evil, None), KeySource::Missing);
        config.url = Some("https://gpu.example/v1".parse().unwrap());
        assert_eq!(
            find(&config, "https://gpu.example/v1", None),
            KeySource::Environment
        );
        assert_eq!(find(&config, home, None), KeySource::Missing);
    }
}
