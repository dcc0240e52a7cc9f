//! Builds the configured service from its settings.

use std::sync::Arc;

use fumikura_vision::{Address, ApiKey, Call, Gemini, OcrCommand, OpenAi, Service};

use super::configured_service::{ConfiguredService, ServiceConnection};
use super::key;
use super::settings::VisionSettings;
use crate::app::App;
use crate::config::{Secret, VisionDialect, read_command};
use crate::error::{ApiError, ErrorCode};

impl App {
    /// Returns the service, which is built once until the settings change. May query the keyring, and the
    /// service for its models.
    pub(super) fn vision_service(&self) -> Result<Arc<ConfiguredService>, ApiError> {
        if let Some(configured) = &*self.vision.service() {
            return Ok(Arc::clone(configured));
        }
        let settings = self.effective_vision()?;
        let dialect = settings.dialect.ok_or_else(not_configured)?;
        let ServiceConnection { service, .. } = self.reach(dialect, &settings)?;
        let model = match (settings.model, dialect) {
            (Some(model), _) => model,
            (None, VisionDialect::Command) => String::new(),
            (None, VisionDialect::Gemini | VisionDialect::OpenAi) => first_model(&*service)?,
        };
        let configured = Arc::new(ConfiguredService {
            service,
            model,
            language: settings.language,
        });
        Ok(Arc::clone(self.vision.service().insert(configured)))
    }

    /// Returns the service of these settings.
    pub(super) fn reach(
        &self,
        dialect: VisionDialect,
        settings: &VisionSettings,
    ) -> Result<ServiceConnection, ApiError> {
        let (source, key) = key::find(&self.config.vision, dialect);
        let key = key
            .map(|key: Secret| ApiKey::new(key.expose().to_owned()))
            .transpose();
        let key = key.map_err(fumikura_vision::Error::from)?;
        let service: Arc<dyn Service> = match dialect {
            VisionDialect::Gemini => {
                let missing = fumikura_vision::ApiKeyError::Missing;
                let key = key.ok_or(fumikura_vision::Error::from(missing))?;
                let address = settings.address(Gemini::DEFAULT_ADDRESS)?;
                Arc::new(Gemini::new(address, key)?)
            }
            VisionDialect::OpenAi => Arc::new(OpenAi::new(settings.address(OPENAI_ADDRESS)?, key)?),
            VisionDialect::Command => {
                let command = match &self.config.vision.command {
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
}

/// The address of OpenAI itself.
const OPENAI_ADDRESS: &str = "https://api.openai.com/v1";

impl VisionSettings {
    fn address(&self, default: &str) -> Result<Address, ApiError> {
        let address = self.url.as_deref().unwrap_or(default).parse();
        address.map_err(|error| {
            ApiError::new(ErrorCode::InvalidValue, error).because("invalid_address")
        })
    }

    fn template(&self) -> Result<fumikura_vision::CommandTemplate, ApiError> {
        let command = self.command.clone();
        let command = command.ok_or_else(|| not_configured().because("no_command"))?;
        read_command(command, self.command_output).map_err(|error| {
            ApiError::new(ErrorCode::InvalidValue, error).because("invalid_command")
        })
    }

    /// Validates the address, the command and the language.
    pub(super) fn check(&self) -> Result<(), ApiError> {
        self.address(OPENAI_ADDRESS)?;
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
