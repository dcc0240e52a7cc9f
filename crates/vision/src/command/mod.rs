//! An OCR command that the user installed, such as tesseract or NDLOCR-Lite.

mod output;
mod process;
mod template;

use std::fs;
use std::io::{self, Cursor};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use image::ImageFormat;
use tempfile::TempDir;

use crate::answer::Answer;
use crate::call::Call;
use crate::error::Error;
use crate::picture::{Picture, PictureFormat};
use crate::question::{Mode, Question};
use crate::service::{Model, Recipient, Service};
use process::CommandResult;

pub use template::{CommandTemplate, InvalidTemplate, OutputFormat};

/// The maximum output of a command that is read, in bytes.
pub(crate) const MAX_OUTPUT: u64 = 1 << 20;
/// The maximum size of the files that a command may write into its folder, in bytes.
const MAX_FILES: u64 = 64 << 20;
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
/// and supports only text ([`Mode::Text`]).
#[derive(Debug, Clone)]
pub struct OcrCommand {
    template: CommandTemplate,
}

impl OcrCommand {
    /// Creates a command from its template.
    #[must_use]
    pub fn new(template: CommandTemplate) -> Self {
        Self { template }
    }

    fn run(&self, folder: &Path, question: &Question, call: &Call) -> Result<CommandResult, Error> {
        let picture = folder.join(STEM).with_extension("png");
        let arguments = self
            .template
            .arguments(&picture, folder, &question.language);
        let mut command = Command::new(self.template.program());
        command.args(arguments).current_dir(folder);
        for (name, _) in std::env::vars_os() {
            if is_secret(&name.to_string_lossy()) {
                command.env_remove(name);
            }
        }
        process::run(command, folder, Instant::now() + call.budget, &call.cancel)
            .map_err(|stop| stop.into_error(self.template.program(), call))
    }

    /// Returns the command's answer: its standard output, or the file that it wrote.
    fn read_answer(&self, folder: &Path, result: CommandResult) -> Result<Vec<u8>, Error> {
        if !self.template.writes_file() {
            return Ok(result.output);
        }
        let file = folder
            .join(STEM)
            .with_extension(self.template.format().extension());
        match fs::metadata(&file) {
            Ok(metadata) if metadata.len() > MAX_OUTPUT => {
                Err(Error::CommandFlooded { limit: MAX_OUTPUT })
            }
            Ok(metadata) if metadata.is_file() => fs::read(&file).map_err(system_error),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(system_error(error)),
            // Some programs exit with 0 and report a failure by an empty output.
            Ok(_) | Err(_) => Err(Error::CommandFailed {
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
        let folder = private_folder().map_err(system_error)?;
        write_png(picture, folder.path())?;
        let result = self.run(folder.path(), question, call)?;
        let written = self.read_answer(folder.path(), result)?;
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

/// Creates a folder that other users cannot read.
fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("fumikura-ocr-");
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

fn write_png(picture: &Picture, folder: &Path) -> Result<(), Error> {
    let path = folder.join(STEM).with_extension("png");
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
    fs::write(path, png).map_err(system_error)
}

/// Converts a failure of the system around the command.
fn system_error(error: io::Error) -> Error {
    Error::CommandNotRun {
        reason: crate::http::message(&error.to_string()),
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
