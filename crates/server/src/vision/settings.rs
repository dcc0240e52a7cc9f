//! The settings of the service, in a file of the data folder. The environment and the configuration file take
//! precedence.

use std::io;

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use fumikura_limits::Limits as RateLimits;
use fumikura_vision::{Address, CommandTemplate, Model, OutputFormat, Recipient};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::configured_service::ServiceConnection;
use super::key::{KeyOwner, KeySource};
use super::state::Vision;
use crate::config::{VisionDialect, VisionSetting};
use crate::error::{ApiError, ErrorCode};
use crate::guard::Authority;

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
    pub(crate) command_output: OutputFormat,
    /// The language of answers; null for that of the request.
    pub(crate) language: Option<String>,
    /// The origin that the user agreed to send pictures to. This machine needs no agreement.
    pub(crate) agreed_origin: Option<String>,
    /// The origin that gets the key of the environment, unless the environment or the configuration file names the
    /// service itself.
    pub(crate) key_origin: Option<String>,
    /// The kinds of services whose key in the environment is not offered any more.
    pub(crate) declined_keys: Vec<VisionDialect>,
    /// The origin on the local network that is used without a key. This machine needs no permission.
    pub(crate) keyless_origin: Option<String>,
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

/// The addresses that the owner has set, among which a browser chooses; null for that of Google or OpenAI.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct VisionAddresses {
    /// The address for `gemini`.
    pub(crate) gemini: Option<String>,
    /// The address for `openai`.
    pub(crate) openai: Option<String>,
}

/// The contents of the file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredVision {
    settings: VisionSettings,
    addresses: VisionAddresses,
}

impl VisionAddresses {
    fn get(&self, dialect: VisionDialect) -> Option<&String> {
        match dialect {
            VisionDialect::Gemini => self.gemini.as_ref(),
            VisionDialect::OpenAi => self.openai.as_ref(),
            VisionDialect::Command => None,
        }
    }

    fn set(&mut self, dialect: VisionDialect, url: Option<String>) {
        match dialect {
            VisionDialect::Gemini => self.gemini = url,
            VisionDialect::OpenAi => self.openai = url,
            VisionDialect::Command => {}
        }
    }
}

impl StoredVision {
    /// Returns the name of the first setting of `new` that only the owner can set, and has not set. Any permission can
    /// be withdrawn.
    fn unset_by_owner(
        &self,
        new: &VisionSettings,
        new_origin: Option<String>,
    ) -> Option<&'static str> {
        let old = &self.settings;
        let set_url = match new.dialect {
            Some(dialect) => self.addresses.get(dialect),
            None => old.url.as_ref(),
        };
        let is_kept = |new: &Option<String>, old: &Option<String>| new.is_none() || new == old;
        let has_agreed =
            is_kept(&new.agreed_origin, &old.agreed_origin) || new.agreed_origin == new_origin;
        let is_same_url = new.dialect == old.dialect && new.url == old.url;
        let is_set_url = new.url.is_none() || new.url.as_ref() == set_url;
        let checks = [
            ("url", is_same_url || is_set_url),
            ("command", new.command == old.command),
            ("command_output", new.command_output == old.command_output),
            ("key_origin", is_kept(&new.key_origin, &old.key_origin)),
            (
                "keyless_origin",
                is_kept(&new.keyless_origin, &old.keyless_origin),
            ),
            ("agreed_origin", has_agreed),
        ];
        let unset = checks.into_iter().find(|(_, is_set)| !is_set);
        unset.map(|(name, _)| name)
    }
}

/// The settings and their effect.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VisionState {
    /// The stored settings.
    settings: VisionSettings,
    /// The effective settings: the environment takes precedence over stored ones.
    effective: VisionSettings,
    /// The settings that the environment or the configuration file fixes.
    fixed: Vec<VisionSetting>,
    /// The addresses that the owner has set.
    addresses: VisionAddresses,
    /// True if the requesting client can set programs, addresses and keys: the desktop window, and a program with the
    /// Bearer token.
    can_set_service: bool,
    /// True if pictures can be described.
    configured: bool,
    /// The recipient of pictures, if a service is configured.
    recipient: Option<Recipient>,
    /// The host of the effective address; null for a command.
    host: Option<String>,
    /// The origin of the effective address; null for a command.
    origin: Option<String>,
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

impl Vision {
    /// Returns the effective settings.
    pub(super) fn effective_settings(&self) -> Result<VisionSettings, ApiError> {
        Ok(self.with_fixed(self.stored()?.settings))
    }

    /// Returns settings with those that the environment and the configuration file fix.
    fn with_fixed(&self, stored: VisionSettings) -> VisionSettings {
        let config = &self.config;
        let command = config.fixed_command();
        let dialect = config.fixed_dialect().or(stored.dialect);
        let url = dialect.and_then(|dialect| config.fixed_url(dialect));
        VisionSettings {
            dialect,
            url: url.map(Address::to_string).or(stored.url),
            model: config.fixed_model().cloned().or(stored.model),
            command: command.map(CommandTemplate::argv).or(stored.command),
            command_output: command.map_or(stored.command_output, |one| one.format()),
            ..stored
        }
    }

    fn stored(&self) -> Result<StoredVision, ApiError> {
        let path = &self.settings_file;
        let bytes = match own_file::read(path, own_file::SETTINGS) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(StoredVision::default());
            }
            Err(error) => return Err(unreadable(&error)),
        };
        serde_json::from_slice(&bytes).map_err(|error| unreadable(&error))
    }

    /// Returns true if there is a key for the configured service.
    pub(crate) fn has_key(&self) -> bool {
        let settings = self.effective_settings();
        let found = settings.and_then(|settings| self.key(&settings));
        found.is_ok_and(|(_, key)| key.is_some())
    }

    /// Returns the settings and their state.
    pub(crate) fn state(&self, authority: Authority) -> Result<VisionState, ApiError> {
        let StoredVision {
            settings,
            addresses,
        } = self.stored()?;
        let effective = self.with_fixed(settings.clone());
        let reached = effective
            .dialect
            .map(|dialect| self.reach(dialect, &effective));
        let (recipient, problem) = match &reached {
            Some(Ok(ServiceConnection { service, .. })) => (Some(service.recipient()), None),
            Some(Err(error)) => (None, Some(error.body())),
            None => (None, None),
        };
        let key = match &reached {
            Some(Ok(connection)) => connection.key,
            Some(Err(_)) | None => {
                let found = self.key(&effective);
                found.map_or(KeySource::Missing, |(source, _)| source)
            }
        };
        Ok(VisionState {
            settings,
            addresses,
            can_set_service: authority == Authority::Owner,
            configured: recipient.is_some(),
            host: effective.host(),
            origin: effective.origin(),
            is_local: effective.is_local(),
            environment_keys: self.config.dialects_with_key(),
            fixed: self.fixed(effective.dialect),
            effective,
            recipient,
            key,
            problem: problem.map(|body| body.message.clone()),
            problem_reason: problem.and_then(|body| body.reason.clone()),
        })
    }

    /// Stores settings. A browser can set only those that name no program, and no address that receives keys.
    pub(crate) fn set(
        &self,
        settings: VisionSettings,
        authority: Authority,
    ) -> Result<(), ApiError> {
        settings.check()?;
        let _changing = self.changing.lock();
        let mut stored = self.stored()?;
        match authority {
            Authority::Owner => {
                if let Some(dialect) = settings.dialect {
                    stored.addresses.set(dialect, settings.url.clone());
                }
            }
            Authority::Browser => {
                let origin = self.with_fixed(settings.clone()).origin();
                if let Some(name) = stored.unset_by_owner(&settings, origin) {
                    return Err(window_required(name));
                }
            }
        }
        stored.settings = settings;
        let bytes = serde_json::to_vec_pretty(&stored).map_err(|error| unreadable(&error))?;
        let path = &self.settings_file;
        durable::write_file(path, &bytes, Access::Private)
            .map_err(fumikura_wiki::StorageError::from)?;
        *self.built_service() = None;
        self.apply_limits()
    }

    /// Applies the limits of the settings if a local service is used, and those of the configuration otherwise.
    pub(crate) fn apply_limits(&self) -> Result<(), ApiError> {
        let configured = self.limiter_config.limits;
        let settings = self.effective_settings()?;
        let is_own = settings.is_local() && !self.limiter_config.is_fixed;
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

    /// Returns the settings of a service of this kind that can't be changed.
    fn fixed(&self, dialect: Option<VisionDialect>) -> Vec<VisionSetting> {
        let mut fixed = self.config.fixed(dialect);
        if self.limiter_config.is_fixed {
            fixed.push(VisionSetting::LocalLimits);
        }
        fixed
    }

    /// Stores the key of a kind of service at its origin in the system's keyring, or deletes it.
    pub(crate) fn set_key(
        &self,
        dialect: VisionDialect,
        key: Option<&str>,
        authority: Authority,
    ) -> Result<(), ApiError> {
        if authority == Authority::Browser {
            return Err(window_required("key"));
        }
        let owner = self.key_owner(dialect)?;
        if let Some(key) = key {
            fumikura_vision::ApiKey::new(key.to_owned())
                .map_err(|error| ApiError::new(ErrorCode::InvalidValue, error))?;
        }
        owner.store(key.map(str::trim), &*self.keys)?;
        *self.built_service() = None;
        Ok(())
    }

    /// Returns the owner of the key of a kind of service, at the address that it has when it is chosen.
    fn key_owner(&self, dialect: VisionDialect) -> Result<KeyOwner, ApiError> {
        let stored = self.stored()?;
        let own_url = match stored.settings.dialect == Some(dialect) {
            true => stored.settings.url,
            false => stored.addresses.get(dialect).cloned(),
        };
        let fixed_url = self.config.fixed_url(dialect);
        let settings = VisionSettings {
            dialect: Some(dialect),
            url: fixed_url.map(Address::to_string).or(own_url),
            ..VisionSettings::default()
        };
        settings.key_owner()?.ok_or_else(|| {
            let message = "an OCR command has no key";
            ApiError::new(ErrorCode::InvalidValue, message)
        })
    }

    /// Returns the models that the service offers.
    pub(crate) fn models(&self) -> Result<Vec<Model>, ApiError> {
        let settings = self.effective_settings()?;
        let Some(dialect) = settings.dialect else {
            let message = "no service that describes pictures is configured";
            return Err(ApiError::new(ErrorCode::NotConfigured, message));
        };
        let ServiceConnection { service, .. } = self.reach(dialect, &settings)?;
        Ok(service.models(&fumikura_vision::Call::default())?)
    }
}

fn window_required(setting: &str) -> ApiError {
    let message = format!(
        "{setting} is set in the desktop window, with the Bearer token or in config.toml, not by a browser"
    );
    ApiError::new(ErrorCode::WindowRequired, message).with_reason(setting)
}

fn unreadable(error: &(dyn std::error::Error + 'static)) -> ApiError {
    let message = "The settings of the service that describes pictures can't be read";
    ApiError::internal(ErrorCode::StorageFailed, message, error)
}
