//! The environment variables of the service that describes pictures (docs/VISION.md).

use fumikura_vision::{Address, CommandTemplate, InvalidAddress, OutputFormat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::environment::Environment;
use super::{ConfigError, Secret};

/// The kind of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum VisionDialect {
    /// Google's `generateContent`.
    Gemini,
    /// The `chat/completions` interface of OpenAI, Ollama, LM Studio, llama.cpp and vLLM.
    OpenAi,
    /// An OCR command on this machine.
    Command,
}

/// A setting that the environment can fix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum VisionSetting {
    /// The kind of service.
    Dialect,
    /// The base address.
    Url,
    /// The model.
    Model,
    /// The OCR command and its output format.
    Command,
    /// The limits of requests.
    LocalLimits,
}

/// The service's settings in the environment, which take precedence over stored settings.
#[derive(Debug, Clone, Default)]
pub struct VisionConfig {
    /// The kind.
    pub dialect: Option<VisionDialect>,
    /// The base address.
    pub url: Option<Address>,
    /// The model.
    pub model: Option<String>,
    /// The OCR command.
    pub command: Option<CommandTemplate>,
    /// The key for `gemini`.
    pub gemini_api_key: Option<Secret>,
    /// The key for `openai`.
    pub openai_api_key: Option<Secret>,
}

impl VisionConfig {
    /// Returns the kinds of services for which the environment has a key.
    pub(crate) fn dialects_with_key(&self) -> Vec<VisionDialect> {
        let kinds = [VisionDialect::OpenAi, VisionDialect::Gemini];
        let with_key = kinds.into_iter().filter(|kind| self.key(*kind).is_some());
        with_key.collect()
    }

    /// Returns the key for a kind of service.
    pub(crate) fn key(&self, dialect: VisionDialect) -> Option<&Secret> {
        match dialect {
            VisionDialect::Gemini => self.gemini_api_key.as_ref(),
            VisionDialect::OpenAi => self.openai_api_key.as_ref(),
            VisionDialect::Command => None,
        }
    }

    /// Returns the settings that the environment fixes.
    pub(crate) fn fixed(&self) -> Vec<VisionSetting> {
        let is_set = [
            (self.implied_dialect().is_some(), VisionSetting::Dialect),
            (self.url.is_some(), VisionSetting::Url),
            (self.model.is_some(), VisionSetting::Model),
            (self.command.is_some(), VisionSetting::Command),
        ];
        let fixed = is_set.into_iter().filter(|(is_set, _)| *is_set);
        fixed.map(|(_, setting)| setting).collect()
    }

    /// Returns the kind that is named, or else the kind that our other variables imply. A key implies nothing: it
    /// may be there for other programs.
    pub(crate) fn implied_dialect(&self) -> Option<VisionDialect> {
        let is_set = [
            (self.command.is_some(), VisionDialect::Command),
            (self.url.is_some(), VisionDialect::OpenAi),
        ];
        let implied = is_set.into_iter().find(|(is_set, _)| *is_set);
        self.dialect.or(implied.map(|(_, dialect)| dialect))
    }
}

/// Creates an OCR command from a JSON array of the program and its arguments.
pub(crate) fn read_command(
    argv: Vec<String>,
    output: OcrOutput,
) -> Result<CommandTemplate, String> {
    let format = match output {
        OcrOutput::Text => OutputFormat::Text,
        OcrOutput::Json => OutputFormat::Json,
    };
    CommandTemplate::new(argv, format).map_err(|error| error.to_string())
}

/// The output format of an OCR command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OcrOutput {
    /// Plain text.
    #[default]
    Text,
    /// JSON that contains the text.
    Json,
}

impl From<OutputFormat> for OcrOutput {
    fn from(format: OutputFormat) -> Self {
        match format {
            OutputFormat::Text => Self::Text,
            OutputFormat::Json => Self::Json,
        }
    }
}

impl Environment {
    pub(super) fn vision(&self) -> Result<VisionConfig, ConfigError> {
        let argv =
            "a JSON array such as [\"tesseract\",\"{picture}\",\"-\",\"-l\",\"{language3}\"]";
        let output = self.ocr_output()?;
        let command = |text: &str| {
            let argv = serde_json::from_str(text).ok();
            argv.and_then(|argv| read_command(argv, output).ok())
        };
        let secret = |name| self.text(name).map(Secret::new);
        Ok(VisionConfig {
            dialect: self.read(
                "FUMIKURA_VISION_DIALECT",
                "gemini, openai or command",
                named,
            )?,
            url: self.vision_url()?,
            model: self.text("FUMIKURA_VISION_MODEL"),
            command: self.read("FUMIKURA_VISION_COMMAND", argv, command)?,
            gemini_api_key: secret("GEMINI_API_KEY"),
            openai_api_key: secret("OPENAI_API_KEY"),
        })
    }

    fn vision_url(&self) -> Result<Option<Address>, ConfigError> {
        let name = "FUMIKURA_VISION_URL";
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let bad = |error| match error {
            InvalidAddress::NotHttp => {
                ConfigError::bad(name, &text, "an address such as http://127.0.0.1:11434/v1")
            }
            // These parts may contain a password or a key.
            InvalidAddress::ExtraParts => ConfigError::bad(
                name,
                "(not shown)",
                "an address without user name, password, ? and #",
            ),
        };
        text.parse().map(Some).map_err(bad)
    }

    fn read<T>(
        &self,
        name: &str,
        allowed: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, ConfigError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let value = read(&text).ok_or_else(|| ConfigError::bad(name, &text, allowed))?;
        Ok(Some(value))
    }

    fn ocr_output(&self) -> Result<OcrOutput, ConfigError> {
        let output = |text: &str| match text {
            "text" => Some(OcrOutput::Text),
            "json" => Some(OcrOutput::Json),
            _ => None,
        };
        let output = self.read("FUMIKURA_VISION_COMMAND_OUTPUT", "text or json", output)?;
        Ok(output.unwrap_or_default())
    }
}

fn named(text: &str) -> Option<VisionDialect> {
    match text {
        "gemini" => Some(VisionDialect::Gemini),
        "openai" => Some(VisionDialect::OpenAi),
        "command" => Some(VisionDialect::Command),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<const N: usize>(variables: [(&str, &str); N], expected: Option<VisionDialect>) {
        let vision = Environment::from(variables).vision().unwrap();
        assert_eq!(vision.implied_dialect(), expected);
    }

    #[test]
    fn variables_imply_the_kind_of_service() {
        check([], None);
        check([("GEMINI_API_KEY", "k"), ("OPENAI_API_KEY", "k")], None);
        let url = ("FUMIKURA_VISION_URL", "http://127.0.0.1:11434/v1");
        check([url], Some(VisionDialect::OpenAi));
        check([url, ("GEMINI_API_KEY", "k")], Some(VisionDialect::OpenAi));
        let command = r#"["ocr", "{picture}"]"#;
        check(
            [("FUMIKURA_VISION_COMMAND", command)],
            Some(VisionDialect::Command),
        );
        check(
            [url, ("FUMIKURA_VISION_DIALECT", "gemini")],
            Some(VisionDialect::Gemini),
        );
    }

    #[test]
    fn bad_vision_values_are_named() {
        for (name, value) in [
            ("FUMIKURA_VISION_DIALECT", "claude"),
            ("FUMIKURA_VISION_URL", "ftp://host"),
            ("FUMIKURA_VISION_COMMAND", "ocr {picture}"),
            ("FUMIKURA_VISION_COMMAND", r#"["ocr"]"#),
            ("FUMIKURA_VISION_COMMAND_OUTPUT", "xml"),
        ] {
            let message = Environment::from([(name, value)])
                .vision()
                .unwrap_err()
                .to_string();
            assert!(message.contains(name), "{message}");
        }
    }

    #[test]
    fn secret_in_an_address_is_not_shown() {
        for url in [
            "https://me:secret@host/v1",
            "ftp://me:secret@host/v1",
            "https://host/v1?key=secret",
            "https://host/v1#secret",
        ] {
            let vision = Environment::from([("FUMIKURA_VISION_URL", url)]).vision();
            let message = vision.unwrap_err().to_string();
            assert!(message.contains("FUMIKURA_VISION_URL"), "{message}");
            assert!(!message.contains("secret"), "{message}");
        }
    }
}
