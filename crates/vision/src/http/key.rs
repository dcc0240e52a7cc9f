//! The key of a service.

use secrecy::{ExposeSecret, SecretString};

use crate::error::ApiKeyError;

/// The key of a service. It is overwritten in memory when dropped, and its debug output is redacted.
#[derive(Debug, Clone)]
pub struct ApiKey(SecretString);

impl ApiKey {
    /// Takes a key and trims it.
    ///
    /// # Errors
    /// [`ApiKeyError::Missing`] for an empty key; [`ApiKeyError::Invalid`] for one with white space or other
    /// than visible ASCII characters.
    pub fn new(key: impl Into<SecretString>) -> Result<Self, ApiKeyError> {
        let key = key.into();
        let trimmed = key.expose_secret().trim();
        if trimmed.is_empty() {
            return Err(ApiKeyError::Missing);
        }
        if !trimmed.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ApiKeyError::Invalid);
        }
        Ok(Self(SecretString::from(trimmed)))
    }

    pub(super) fn secret(&self) -> &SecretString {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(key: &str, expected: Result<&str, ApiKeyError>) {
        let found = ApiKey::new(key);
        let found = found.as_ref().map(|key| key.secret().expose_secret());
        assert_eq!(found.map_err(|error| *error), expected);
    }

    #[test]
    fn key_is_trimmed_and_checked() {
        check(" AIza-x_1\n", Ok("AIza-x_1"));
        check("", Err(ApiKeyError::Missing));
        check(" \n", Err(ApiKeyError::Missing));
        check("a b", Err(ApiKeyError::Invalid));
        check("a\r\nx: y", Err(ApiKeyError::Invalid));
        check("鍵", Err(ApiKeyError::Invalid));
    }

    #[test]
    fn debug_output_is_redacted() {
        let key = ApiKey::new("secret-key").unwrap();
        assert!(!format!("{key:?}").contains("secret-key"));
    }
}
