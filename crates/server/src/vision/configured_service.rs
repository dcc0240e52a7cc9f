//! The configured service, and where it sends pictures.

use std::sync::Arc;

use fumikura_vision::{Recipient, Service};

use super::key::KeySource;
use crate::error::{ApiError, ErrorCode};

/// A service that is ready for questions.
pub(super) struct ConfiguredService {
    pub(super) service: Arc<dyn Service>,
    pub(super) model: String,
    /// The language of answers, if the settings name one.
    pub(super) language: Option<String>,
    /// True if the user agreed to send pictures to the service's origin.
    pub(super) has_consent: bool,
}

impl ConfiguredService {
    /// Returns an error unless pictures may be sent. Pictures for this machine need no consent.
    pub(super) fn require_consent(&self) -> Result<(), ApiError> {
        match self.service.recipient() {
            Recipient::Host(host) if !self.has_consent => {
                let message = format!(
                    "pictures would be sent to {host}, which needs the user’s consent (agreed_origin)"
                );
                Err(ApiError::new(ErrorCode::ConsentRequired, message))
            }
            Recipient::Host(_) | Recipient::ThisMachine => Ok(()),
        }
    }
}

/// A service without its model, and the source of its key.
pub(super) struct ServiceConnection {
    pub(super) service: Arc<dyn Service>,
    pub(super) key: KeySource,
}
