//! The service that describes pictures, in the environment and in the configuration file (docs/VISION.md).

use fumikura_vision::{Address, CommandTemplate, Gemini, InvalidAddress, OutputFormat};
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

/// A setting that the environment or the configuration file can fix.
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

/// The service's settings in the environment and in the configuration file. They take precedence over stored settings,
/// and the environment over the file.
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
    /// The settings in the configuration file.
    pub file: VisionFile,
}

/// The service's settings in the configuration file. They imply no kind of service, so that a user can choose among
/// those that they describe.
#[derive(Debug, Clone, Default)]
pub struct VisionFile {
    /// The kind.
    pub dialect: Option<VisionDialect>,
    /// The base address for `gemini`.
    pub gemini_url: Option<Address>,
    /// The base address for `openai`.
    pub openai_url: Option<Address>,
    /// The model.
    pub model: Option<String>,
    /// The OCR command.
    pub command: Option<CommandTemplate>,
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

    /// Returns the settings of a service of this kind that can't be changed.
    pub(crate) fn fixed(&self, dialect: Option<VisionDialect>) -> Vec<VisionSetting> {
        let url = dialect.and_then(|dialect| self.fixed_url(dialect));
        let is_set = [
            (self.fixed_dialect().is_some(), VisionSetting::Dialect),
            (url.is_some(), VisionSetting::Url),
            (self.fixed_model().is_some(), VisionSetting::Model),
            (self.fixed_command().is_some(), VisionSetting::Command),
        ];
        let fixed = is_set.into_iter().filter(|(is_set, _)| *is_set);
        fixed.map(|(_, setting)| setting).collect()
    }

    /// Returns the kind of service, unless it can be chosen.
    pub(crate) fn fixed_dialect(&self) -> Option<VisionDialect> {
        self.implied_dialect().or(self.file.dialect)
    }

    /// Returns the base address of a kind of service, unless the stored settings have it.
    pub(crate) fn fixed_url(&self, dialect: VisionDialect) -> Option<&Address> {
        let in_file = match dialect {
            VisionDialect::Gemini => self.file.gemini_url.as_ref(),
            VisionDialect::OpenAi => self.file.openai_url.as_ref(),
            VisionDialect::Command => None,
        };
        self.url.as_ref().or(in_file)
    }

    pub(crate) fn fixed_model(&self) -> Option<&String> {
        self.model.as_ref().or(self.file.model.as_ref())
    }

    pub(crate) fn fixed_command(&self) -> Option<&CommandTemplate> {
        self.command.as_ref().or(self.file.command.as_ref())
    }

    /// Returns the address of a kind of service that the environment or the file names. Its key in the environment is
    /// meant for that address.
    pub(crate) fn named_address(&self, dialect: VisionDialect) -> Option<Address> {
        let is_named = self.dialect.or(self.file.dialect) == Some(dialect);
        let address = || self.fixed_url(dialect).cloned();
        is_named.then(|| address().unwrap_or_else(|| default_address(dialect)))
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

/// The address of OpenAI itself.
const OPENAI_ADDRESS: &str = "https://api.openai.com/v1";

/// Returns the address of Google's or OpenAI's own service.
pub(crate) fn default_address(dialect: VisionDialect) -> Address {
    let address = match dialect {
        VisionDialect::Gemini => Gemini::DEFAULT_ADDRESS,
        VisionDialect::OpenAi | VisionDialect::Command => OPENAI_ADDRESS,
    };
    address.parse().expect("BUG: the address is one")
}

/// Creates an OCR command from a JSON array of the program and its arguments.
pub(crate) fn read_command(
    argv: Vec<String>,
    format: OutputFormat,
) -> Result<CommandTemplate, String> {
    CommandTemplate::new(argv, format).map_err(|error| error.to_string())
}

/// The form of an OCR command.
const ARGV: &str = "an array such as [\"tesseract\",\"{picture}\",\"-\",\"-l\",\"{language3}\"]";

/// The table `[vision]` of the configuration file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct VisionTable {
    dialect: Option<String>,
    gemini_url: Option<String>,
    openai_url: Option<String>,
    model: Option<String>,
    command: Option<Vec<String>>,
    command_output: Option<String>,
}

impl VisionTable {
    pub(super) fn read(self) -> Result<VisionFile, ConfigError> {
        let output = self.command_output.as_deref();
        let output = read_value("vision.command_output", output, OUTPUTS, output_named)?;
        let command = |argv: Vec<String>| {
            let bad = |_| ConfigError::bad("vision.command", format!("{argv:?}"), ARGV);
            read_command(argv.clone(), output.unwrap_or_default()).map_err(bad)
        };
        let address = |name, url: Option<String>| url.map(|url| read_url(name, &url)).transpose();
        Ok(VisionFile {
            dialect: read_value("vision.dialect", self.dialect.as_deref(), DIALECTS, named)?,
            gemini_url: address("vision.gemini_url", self.gemini_url)?,
            openai_url: address("vision.openai_url", self.openai_url)?,
            model: self.model,
            command: self.command.map(command).transpose()?,
        })
    }
}

impl Environment {
    pub(super) fn vision(&self, file: VisionFile) -> Result<VisionConfig, ConfigError> {
        let output = self.ocr_output()?;
        let command = |text: &str| {
            let argv = serde_json::from_str(text).ok();
            argv.and_then(|argv| read_command(argv, output).ok())
        };
        let secret = |name| self.text(name).map(Secret::new);
        Ok(VisionConfig {
            dialect: self.read("FUMIKURA_VISION_DIALECT", DIALECTS, named)?,
            url: self.vision_url()?,
            model: self.text("FUMIKURA_VISION_MODEL"),
            command: self.read("FUMIKURA_VISION_COMMAND", ARGV, command)?,
            gemini_api_key: secret("GEMINI_API_KEY"),
            openai_api_key: secret("OPENAI_API_KEY"),
            file,
        })
    }

    fn vision_url(&self) -> Result<Option<Address>, ConfigError> {
        let name = "FUMIKURA_VISION_URL";
        self.text(name)
            .map(|text| read_url(name, &text))
            .transpose()
    }

    fn read<T>(
        &self,
        name: &str,
        allowed: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, ConfigError> {
        read_value(name, self.text(name).as_deref(), allowed, read)
    }

    fn ocr_output(&self) -> Result<OutputFormat, ConfigError> {
        let output = self.read("FUMIKURA_VISION_COMMAND_OUTPUT", OUTPUTS, output_named)?;
        Ok(output.unwrap_or_default())
    }
}

const DIALECTS: &str = "gemini, openai or command";
const OUTPUTS: &str = "text or json";

fn read_value<T>(
    name: &str,
    text: Option<&str>,
    allowed: &'static str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, ConfigError> {
    let bad = |text| ConfigError::bad(name, text, allowed);
    text.map(|text| read(text).ok_or_else(|| bad(text)))
        .transpose()
}

fn read_url(name: &str, text: &str) -> Result<Address, ConfigError> {
    text.parse().map_err(|error| match error {
        InvalidAddress::NotHttp => {
            ConfigError::bad(name, text, "an address such as http://127.0.0.1:11434/v1")
        }
        // These parts may contain a password or a key.
        InvalidAddress::ExtraParts => ConfigError::bad(
            name,
            "(not shown)",
            "an address without user name, password, ? and #",
        ),
    })
}

fn output_named(text: &str) -> Option<OutputFormat> {
    match text {
        "text" => Some(OutputFormat::Text),
        "json" => Some(OutputFormat::Json),
        _ => None,
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
        let vision = Environment::from(variables)
            .vision(VisionFile::default())
            .unwrap();
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
                .vision(VisionFile::default())
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
            let environment = Environment::from([("FUMIKURA_VISION_URL", url)]);
            let message = environment
                .vision(VisionFile::default())
                .unwrap_err()
                .to_string();
            assert!(message.contains("FUMIKURA_VISION_URL"), "{message}");
            assert!(!message.contains("secret"), "{message}");
            let openai_url = Some(url.to_owned());
            let table = VisionTable {
                openai_url,
                ..VisionTable::default()
            };
            let message = table.read().unwrap_err().to_string();
            assert!(message.contains("vision.openai_url"), "{message}");
            assert!(!message.contains("secret"), "{message}");
        }
    }

    #[test]
    fn file_describes_services_to_choose_among() {
        let table = r#"
            gemini_url = "https://gemini.example"
            command = ["ocr", "{picture}"]
            command_output = "json"
        "#;
        let file = toml_edit::de::from_str::<VisionTable>(table)
            .unwrap()
            .read();
        let vision = Environment::from([]).vision(file.unwrap()).unwrap();
        let url = vision.fixed_url(VisionDialect::Gemini).unwrap();
        assert_eq!(url.to_string(), "https://gemini.example");
        assert_eq!(vision.fixed_url(VisionDialect::OpenAi), None);
        assert_eq!(vision.fixed_command().unwrap().format(), OutputFormat::Json);
        assert_eq!(vision.fixed(None), [VisionSetting::Command]);
        let environment =
            Environment::from([("FUMIKURA_VISION_COMMAND", r#"["mine", "{picture}"]"#)]);
        let vision = environment.vision(vision.file).unwrap();
        assert_eq!(vision.fixed_command().unwrap().argv()[0], "mine");
        for (name, value) in [
            ("dialect", r#""claude""#),
            ("gemini_url", r#""ftp://host""#),
            ("command", r#"["ocr"]"#),
            ("command_output", r#""xml""#),
        ] {
            let table = format!("{name} = {value}");
            let table = toml_edit::de::from_str::<VisionTable>(&table).unwrap();
            let message = table.read().unwrap_err().to_string();
            assert!(message.contains(&format!("vision.{name}")), "{message}");
        }
    }
}
