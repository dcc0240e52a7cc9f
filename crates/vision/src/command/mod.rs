//! An OCR command that the user installed, such as tesseract or NDLOCR-Lite.

mod folder;
mod limits;
mod output;
mod process;
mod template;

use std::io::{self, Cursor};
use std::process::Command;
use std::time::Instant;

use image::ImageFormat;

use crate::answer::{Answer, MAX_MESSAGE, line};
use crate::call::Call;
use crate::error::Error;
use crate::picture::{Picture, PictureFormat};
use crate::question::{Mode, Question};
use crate::service::{Model, Recipient, Service};
use folder::{CommandFolder, Written};
use process::CommandResult;

pub use limits::CommandLimits;
pub use template::{CommandTemplate, InvalidTemplate, OutputFormat};

/// The maximum output of a command that is read, in bytes.
pub(crate) const MAX_OUTPUT: u64 = 1 << 20;
/// The file stem of the picture in the command's folder, and of the command's answer.
const STEM: &str = "picture";
/// Parts of the names of environment variables that are not passed to commands.
const SECRETS: [&str; 7] = [
    "API_KEY",
    "APIKEY",
    "FUMIKURA_",
    "PASSWORD",
    "REDIS_URL",
    "SECRET",
    "TOKEN",
];

/// An OCR command. It receives the picture as a PNG file in a private folder, which is deleted afterwards,
/// and supports only text ([`Mode::Text`]). It has the rights of this user, but not the environment's secrets.
#[derive(Debug, Clone)]
pub struct OcrCommand {
    template: CommandTemplate,
    limits: CommandLimits,
}

impl OcrCommand {
    /// Creates a command from its template.
    #[must_use]
    pub fn new(template: CommandTemplate) -> Self {
        Self::with_limits(template, CommandLimits::default())
    }

    /// Creates a command with other limits.
    #[must_use]
    pub fn with_limits(template: CommandTemplate, limits: CommandLimits) -> Self {
        Self { template, limits }
    }

    fn run(
        &self,
        folder: &CommandFolder,
        question: &Question,
        call: &Call,
    ) -> Result<CommandResult, Error> {
        let place = folder.path();
        let picture = place.join(STEM).with_extension("png");
        let arguments = self.template.arguments(&picture, place, &question.language);
        let mut command = Command::new(self.template.program());
        command.args(arguments).current_dir(place);
        // Temporary files count as the command's, and are deleted with its folder.
        command.env("TMPDIR", place);
        for (name, _) in std::env::vars_os() {
            if is_secret(&name.to_string_lossy()) {
                command.env_remove(name);
            }
        }
        let limits = self.limits;
        limits
            .apply(&mut command, call.budget)
            .map_err(system_error)?;
        let bounds = process::Bounds {
            folder,
            limits,
            end: Instant::now() + call.budget,
            cancel: &call.cancel,
        };
        process::run(command, &bounds)
            .map_err(|stop| stop.into_error(self.template.program(), call))
    }

    /// Returns the command's answer: its standard output, or the file that it wrote.
    fn read_answer(&self, folder: &CommandFolder, result: CommandResult) -> Result<Vec<u8>, Error> {
        if !self.template.writes_file() {
            return Ok(result.output);
        }
        let name = format!("{STEM}.{}", self.template.format().extension());
        match folder.read(&name, MAX_OUTPUT).map_err(system_error)? {
            Written::Contents(contents) => Ok(contents),
            Written::TooLarge => Err(Error::CommandFlooded { limit: MAX_OUTPUT }),
            // Some programs exit with 0 and report a failure by an empty output.
            Written::Nothing => Err(Error::CommandFailed {
                status: Some(0),
                message: result.message,
            }),
        }
    }
}

impl Service for OcrCommand {
    fn scan(&self, picture: &Picture, question: &Question, call: &Call) -> Result<Answer, Error> {
        if question.mode != Mode::Text {
            return Err(Error::ModeNotSupported(question.mode));
        }
        if call.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let folder = CommandFolder::create().map_err(system_error)?;
        write_png(picture, &folder)?;
        let result = self.run(&folder, question, call)?;
        let written = self.read_answer(&folder, result)?;
        output::parse(&written, self.template.format()).map(Answer::Text)
    }

    fn models(&self, _: &Call) -> Result<Vec<Model>, Error> {
        Ok(Vec::new())
    }

    fn recipient(&self) -> Recipient {
        Recipient::ThisMachine
    }
}

fn is_secret(variable: &str) -> bool {
    let variable = variable.to_uppercase();
    SECRETS.iter().any(|part| variable.contains(part))
}

fn write_png(picture: &Picture, folder: &CommandFolder) -> Result<(), Error> {
    let png = match picture.format() {
        PictureFormat::Png => picture.bytes().to_vec(),
        PictureFormat::Jpeg => {
            let mut png = Cursor::new(Vec::new());
            image::load_from_memory_with_format(picture.bytes(), ImageFormat::Jpeg)
                .and_then(|decoded| decoded.write_to(&mut png, ImageFormat::Png))
                .map_err(|error| system_error(io::Error::other(error)))?;
            png.into_inner()
        }
    };
    let name = format!("{STEM}.png");
    folder.write(&name, &png).map_err(system_error)
}

/// Converts a failure of the system around the command.
fn system_error(error: io::Error) -> Error {
    Error::CommandNotRun {
        reason: line(&error.to_string(), MAX_MESSAGE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_environment_variables_are_recognized() {
        for name in [
            "GEMINI_API_KEY",
            "OPENAI_API_KEY",
            "REDIS_URL",
            "FUMIKURA_TOKEN",
            "Db_Password",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "PATH",
            "HOME",
            "TESSDATA_PREFIX",
            "LANG",
            "XKB_DEFAULT_LAYOUT",
            "PYTHONPATH",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
