//! The key of a service: from the environment, or from the system's keyring. It is never written to a file or
//! a log.

use keyring::Entry;
use serde::Serialize;
use utoipa::ToSchema;

use super::settings::VisionSettings;
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

/// Finds the key for a kind of service. Queries the keyring over D-Bus, which blocks.
///
/// The environment's key is used if the environment names the kind of service as well. Otherwise, it may be there for
/// other programs, and is used only for a host that the user allowed.
pub(super) fn find(
    config: &VisionConfig,
    dialect: VisionDialect,
    settings: &VisionSettings,
) -> (KeySource, Option<Secret>) {
    let is_allowed = config.dialect == Some(dialect)
        || settings.key_host.is_some() && settings.key_host == settings.host();
    if let Some(key) = config.key(dialect).filter(|_| is_allowed) {
        return (KeySource::Environment, Some(key.clone()));
    }
    if dialect == VisionDialect::Command {
        return (KeySource::Missing, None);
    }
    match entry(dialect).and_then(|entry| entry.get_password()) {
        Ok(key) => (KeySource::Keyring, Some(Secret::new(key))),
        Err(keyring::Error::NoEntry) => (KeySource::Missing, None),
        Err(error) => {
            tracing::debug!("there is no keyring: {error}");
            (KeySource::NoKeyring, None)
        }
    }
}

/// Stores a key in the keyring.
pub(super) fn keep(dialect: VisionDialect, key: &str) -> Result<(), ApiError> {
    let stored = entry(dialect).and_then(|entry| entry.set_password(key));
    stored.map_err(|error| unavailable(&error))
}

/// Deletes the key from the keyring. A missing key is not an error.
pub(super) fn delete(dialect: VisionDialect) -> Result<(), ApiError> {
    match entry(dialect).and_then(|entry| entry.delete_credential()) {
        Ok(()) | Err(keyring::Error::NoEntry) => Ok(()),
        Err(error) => Err(unavailable(&error)),
    }
}

fn entry(dialect: VisionDialect) -> keyring::Result<Entry> {
    let user = match dialect {
        VisionDialect::Gemini => "gemini",
        VisionDialect::OpenAi => "openai",
        VisionDialect::Command => "command",
    };
    Entry::new(KEYRING_SERVICE, user)
}

fn unavailable(error: &keyring::Error) -> ApiError {
    let message =
        format!("the system’s keyring can’t be used ({error}); set the key in the environment");
    ApiError::new(ErrorCode::KeyringUnavailable, message)
}
