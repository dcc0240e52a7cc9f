//! Builds the configured service from its settings.

use std::sync::Arc;

use fumikura_vision::{Address, ApiKey, Call, Gemini, OcrCommand, OpenAi, Service};

use super::configured_service::{ConfiguredService, ServiceConnection};
use super::key::{KeyOwner, KeySource};
use super::settings::{LocalLimits, VisionSettings};
use super::state::Vision;
use crate::config::{Secret, VisionDialect, default_address, read_command};
use crate::error::{ApiError, ErrorCode};

impl Vision {
    /// Returns the service, which is built once until the settings change. May query the keyring, and the
    /// service for its models.
    pub(super) fn service(&self) -> Result<Arc<ConfiguredService>, ApiError> {
        if let Some(configured) = &*self.built_service() {
            return Ok(Arc::clone(configured));
        }
        let settings = self.effective_settings()?;
        let dialect = settings.dialect.ok_or_else(not_configured)?;
        let ServiceConnection { service, .. } = self.reach(dialect, &settings)?;
        let origin = settings.origin();
        let has_consent = origin.is_some() && origin == settings.agreed_origin;
        let model = match (settings.model, dialect) {
            (Some(model), _) => model,
            (None, VisionDialect::Command) => String::new(),
            (None, VisionDialect::Gemini | VisionDialect::OpenAi) => first_model(&*service)?,
        };
        let configured = Arc::new(ConfiguredService {
            service,
            model,
            language: settings.language,
            has_consent,
        });
        Ok(Arc::clone(self.built_service().insert(configured)))
    }

    /// Returns the service of these settings.
    pub(super) fn reach(
        &self,
        dialect: VisionDialect,
        settings: &VisionSettings,
    ) -> Result<ServiceConnection, ApiError> {
        let (source, key) = self.key(settings)?;
        let key = key
            .map(|key: Secret| ApiKey::new(key.expose().to_owned()))
            .transpose();
        let key = key.map_err(fumikura_vision::Error::from)?;
        let service: Arc<dyn Service> = match dialect {
            VisionDialect::Gemini => {
                let missing = fumikura_vision::ApiKeyError::Missing;
                let key = key.ok_or(fumikura_vision::Error::from(missing))?;
                Arc::new(Gemini::new(settings.address(dialect)?, key)?)
            }
            VisionDialect::OpenAi => {
                let address = settings.address(dialect)?;
                let may_be_keyless = settings.keyless_origin == Some(address.origin());
                Arc::new(match key {
                    None if may_be_keyless => OpenAi::without_key(address)?,
                    key => OpenAi::new(address, key)?,
                })
            }
            VisionDialect::Command => {
                let command = match self.config.fixed_command() {
                    Some(command) => command.clone(),
                    None => settings.template()?,
                };
                Arc::new(OcrCommand::new(command))
            }
        };
        Ok(ServiceConnection {
            service,
            key: source,
        })
    }

    /// Finds the key of the effective service.
    pub(super) fn key(
        &self,
        settings: &VisionSettings,
    ) -> Result<(KeySource, Option<Secret>), ApiError> {
        let Some(owner) = settings.key_owner()? else {
            return Ok((KeySource::Missing, None));
        };
        let permitted = settings.key_origin.as_deref();
        Ok(owner.find(&self.config, permitted, &*self.keys))
    }
}

/// The maximum limit of requests to a local service, per minute and per day.
const MAX_LOCAL_LIMIT: u32 = 1_000_000;

impl VisionSettings {
    /// Returns the effective address of a kind of service.
    fn address(&self, dialect: VisionDialect) -> Result<Address, ApiError> {
        let Some(url) = &self.url else {
            return Ok(default_address(dialect));
        };
        url.parse().map_err(|error| {
            ApiError::new(ErrorCode::InvalidValue, error).with_reason("invalid_address")
        })
    }

    fn template(&self) -> Result<fumikura_vision::CommandTemplate, ApiError> {
        let command = self.command.clone();
        let command = command.ok_or_else(|| not_configured().with_reason("no_command"))?;
        read_command(command, self.command_output).map_err(|error| {
            ApiError::new(ErrorCode::InvalidValue, error).with_reason("invalid_command")
        })
    }

    /// Returns the effective address; `None` for a command, and without a service.
    fn service_address(&self) -> Option<Address> {
        match self.dialect? {
            VisionDialect::Command => None,
            dialect @ (VisionDialect::Gemini | VisionDialect::OpenAi) => self.address(dialect).ok(),
        }
    }

    /// Returns the owner of the key; `None` for a command, and without a service.
    pub(super) fn key_owner(&self) -> Result<Option<KeyOwner>, ApiError> {
        match self.dialect {
            None | Some(VisionDialect::Command) => Ok(None),
            Some(dialect @ (VisionDialect::Gemini | VisionDialect::OpenAi)) => {
                Ok(Some(KeyOwner::new(dialect, &self.address(dialect)?)))
            }
        }
    }

    /// Returns the origin of the effective address.
    pub(super) fn origin(&self) -> Option<String> {
        Some(self.service_address()?.origin())
    }

    /// Returns the host of the effective address.
    pub(super) fn host(&self) -> Option<String> {
        let address = self.service_address()?;
        Some(address.host().to_owned())
    }

    /// Returns true for an OCR command, and a service on this machine or the local network.
    pub(super) fn is_local(&self) -> bool {
        self.dialect == Some(VisionDialect::Command)
            || self.service_address().is_some_and(|it| it.is_local())
    }

    /// Validates the address, the command, the language and the limits.
    pub(super) fn check(&self) -> Result<(), ApiError> {
        self.address(VisionDialect::OpenAi)?;
        if let Some(LocalLimits { per_minute, daily }) = self.local_limits {
            let is_in_range = |limit| (1..=MAX_LOCAL_LIMIT).contains(&limit);
            if !is_in_range(per_minute) || !is_in_range(daily) {
                let message = format!("a limit is a number from 1 to {MAX_LOCAL_LIMIT}");
                return Err(
                    ApiError::new(ErrorCode::InvalidValue, message).with_reason("invalid_limit")
                );
            }
        }
        if self.command.is_some() {
            self.template()?;
        }
        match &self.language {
            Some(tag) => super::scan::language(tag).map(drop),
            None => Ok(()),
        }
    }
}

fn not_configured() -> ApiError {
    let message = "no service that describes pictures is configured";
    ApiError::new(ErrorCode::NotConfigured, message)
}

/// Returns the first model that the service offers, for a user who has not chosen one. The program has no
/// default model.
fn first_model(service: &dyn Service) -> Result<String, ApiError> {
    let models = service.models(&Call::default())?;
    let first = models.into_iter().next().map(|model| model.id);
    let message = "the service offers no model; name one in the settings";
    first.ok_or_else(|| ApiError::new(ErrorCode::NotConfigured, message))
}
