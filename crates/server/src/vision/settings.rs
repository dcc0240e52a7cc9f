//! The settings of the service, in a file of the data folder. The environment takes precedence.

use std::fs;
use std::io;
use std::sync::Arc;

use fumikura_base::durable::{self, Access};
use fumikura_limits::Limits as RateLimits;
use fumikura_vision::{CommandTemplate, Model};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::configured_service::{Recipient, ServiceConnection};
use super::key::{self, KeySource};
use crate::app::App;
use crate::blocking::blocking;
use crate::config::{OcrOutput, VisionDialect, VisionSetting};
use crate::error::{ApiError, ErrorCode};

/// The settings of the service that describes pictures.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct VisionSettings {
    /// The kind of service; null disables descriptions.
    pub(crate) dialect: Option<VisionDialect>,
    /// The base address; null for that of Google or OpenAI.
    pub(crate) url: Option<String>,
    /// The model; null for the first one that the service offers.
    pub(crate) model: Option<String>,
    /// The program of an OCR command and its arguments.
    pub(crate) command: Option<Vec<String>>,
    /// The output format of the OCR command.
    pub(crate) command_output: OcrOutput,
    /// The language of answers; null for that of the request.
    pub(crate) language: Option<String>,
    /// The host that the user agreed to send pictures to. This machine needs no agreement.
    pub(crate) agreed_host: Option<String>,
    /// The host that gets the key of the environment, unless the environment names the kind of service itself.
    pub(crate) key_host: Option<String>,
    /// The kinds of services whose key in the environment is not offered any more.
    pub(crate) declined_keys: Vec<VisionDialect>,
    /// The host on the local network that is used without a key. This machine needs no permission.
    pub(crate) keyless_host: Option<String>,
    /// The limits of requests to a local service; null for those of the configuration.
    pub(crate) local_limits: Option<LocalLimits>,
}

/// The limits of requests of one client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LocalLimits {
    /// Requests in any 60 seconds.
    pub(crate) per_minute: u32,
    /// Requests in a local calendar day.
    pub(crate) daily: u32,
}

/// The settings and their effect.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VisionState {
    /// The stored settings.
    settings: VisionSettings,
    /// The effective settings: the environment takes precedence over stored ones.
    effective: VisionSettings,
    /// The settings that the environment fixes.
    fixed: Vec<VisionSetting>,
    /// True if pictures can be described.
    configured: bool,
    /// The recipient of pictures, if a service is configured.
    recipient: Option<Recipient>,
    /// The host of the effective address; null for a command.
    host: Option<String>,
    /// True for a command, and a service on this machine or the local network.
    is_local: bool,
    /// The source of the key.
    key: KeySource,
    /// The kinds of services for which the environment has a key, used or not.
    environment_keys: Vec<VisionDialect>,
    /// The reason why the service can't be used, for people.
    problem: Option<String>,
    /// The same reason for programs: `key_missing`, `key_invalid`, `key_unencrypted`, `invalid_address`,
    /// `no_command`, `invalid_command`; null for any other problem.
    problem_reason: Option<String>,
}

impl App {
    /// Returns the effective settings.
    pub(super) fn effective_vision(&self) -> Result<VisionSettings, ApiError> {
        let stored = self.stored_vision()?;
        let environment = &self.config.vision;
        let command = environment.command.as_ref();
        Ok(VisionSettings {
            dialect: environment.implied_dialect().or(stored.dialect),
            url: environment
                .url
                .as_ref()
                .map(ToString::to_string)
                .or(stored.url),
            model: environment.model.clone().or(stored.model),
            command: command.map(CommandTemplate::argv).or(stored.command),
            command_output: command.map_or(stored.command_output, |one| one.format().into()),
            ..stored
        })
    }

    fn stored_vision(&self) -> Result<VisionSettings, ApiError> {
        let path = &self.vision.settings_file;
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(VisionSettings::default());
            }
            Err(error) => return Err(unreadable(&error)),
        };
        serde_json::from_slice(&bytes).map_err(|error| unreadable(&error))
    }

    /// Returns true if there is a key for the configured service.
    pub(crate) fn has_vision_key(&self) -> bool {
        let settings = self.effective_vision().unwrap_or_default();
        let dialect = settings.dialect;
        let key = |dialect| key::find(&self.config.vision, dialect, &settings).1;
        dialect.is_some_and(|dialect| key(dialect).is_some())
    }

    /// Returns the settings and their state.
    pub(crate) async fn vision_state(self: &Arc<Self>) -> Result<VisionState, ApiError> {
        blocking(self, |app| {
            let effective = app.effective_vision()?;
            let reached = effective
                .dialect
                .map(|dialect| app.reach(dialect, &effective));
            let (recipient, problem) = match &reached {
                Some(Ok(ServiceConnection { service, .. })) => {
                    (Some(service.recipient().into()), None)
                }
                Some(Err(error)) => (None, Some(error.body())),
                None => (None, None),
            };
            let key = match (&reached, effective.dialect) {
                (Some(Ok(connection)), _) => connection.key,
                (_, Some(dialect)) => key::find(&app.config.vision, dialect, &effective).0,
                (_, None) => KeySource::Missing,
            };
            Ok(VisionState {
                settings: app.stored_vision()?,
                configured: recipient.is_some(),
                host: effective.host(),
                is_local: effective.is_local(),
                environment_keys: app.config.vision.dialects_with_key(),
                effective,
                fixed: app.fixed_vision(),
                recipient,
                key,
                problem: problem.map(|body| body.message.clone()),
                problem_reason: problem.and_then(|body| body.reason.clone()),
            })
        })
        .await
    }

    /// Stores settings.
    pub(crate) async fn set_vision(
        self: &Arc<Self>,
        settings: VisionSettings,
    ) -> Result<(), ApiError> {
        blocking(self, move |app| {
            settings.check()?;
            let bytes = serde_json::to_vec_pretty(&settings).map_err(|error| unreadable(&error))?;
            let path = &app.vision.settings_file;
            durable::write_file(path, &bytes, Access::Private)
                .map_err(fumikura_wiki::StorageError::from)?;
            *app.vision.service() = None;
            app.apply_vision_limits()
        })
        .await
    }

    /// Applies the limits of the settings if a local service is used, and those of the configuration otherwise.
    pub(crate) fn apply_vision_limits(&self) -> Result<(), ApiError> {
        let configured = self.config.limiter.limits;
        let settings = self.effective_vision()?;
        let is_own = settings.is_local() && !self.config.limiter.is_fixed;
        let limits = match settings.local_limits.filter(|_| is_own) {
            Some(LocalLimits { per_minute, daily }) => RateLimits {
                per_minute,
                daily,
                ..configured
            },
            None => configured,
        };
        self.limiters.requests.set_limits(limits);
        Ok(())
    }

    /// Returns the settings that the environment fixes.
    fn fixed_vision(&self) -> Vec<VisionSetting> {
        let mut fixed = self.config.vision.fixed();
        if self.config.limiter.is_fixed {
            fixed.push(VisionSetting::LocalLimits);
        }
        fixed
    }

    /// Stores the key of a kind of service in the system's keyring, or deletes it.
    pub(crate) async fn set_vision_key(
        self: &Arc<Self>,
        dialect: VisionDialect,
        key: Option<String>,
    ) -> Result<(), ApiError> {
        blocking(self, move |app| {
            match key {
                Some(key) => {
                    fumikura_vision::ApiKey::new(key.clone())
                        .map_err(|error| ApiError::new(ErrorCode::InvalidValue, error))?;
                    key::keep(dialect, key.trim())?;
                }
                None => key::delete(dialect)?,
            }
            *app.vision.service() = None;
            Ok(())
        })
        .await
    }

    /// Returns the models that the service offers.
    pub(crate) async fn vision_models(self: &Arc<Self>) -> Result<Vec<Model>, ApiError> {
        blocking(self, |app| {
            let settings = app.effective_vision()?;
            let Some(dialect) = settings.dialect else {
                let message = "no service that describes pictures is configured";
                return Err(ApiError::new(ErrorCode::NotConfigured, message));
            };
            let ServiceConnection { service, .. } = app.reach(dialect, &settings)?;
            Ok(service.models(&fumikura_vision::Call::default())?)
        })
        .await
    }
}

fn unreadable(error: &(dyn std::error::Error + 'static)) -> ApiError {
    let message = "The settings of the service that describes pictures can't be read";
    ApiError::internal(ErrorCode::StorageFailed, message, error)
}
