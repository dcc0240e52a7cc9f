//! The program and the arguments of an OCR command, with placeholders.

use std::ffi::OsString;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::question::Language;

const PICTURE: &str = "{picture}";
const LANGUAGE: &str = "{language}";
const LANGUAGE3: &str = "{language3}";
const OUTPUT: &str = "{output}";
const PLACEHOLDERS: [&str; 4] = [PICTURE, LANGUAGE, LANGUAGE3, OUTPUT];

/// A program and its arguments. No shell is involved. Placeholders in arguments are replaced:
///
/// - `{picture}`: the path of the PNG file, at least once;
/// - `{language}`: the requested language, such as `ja`;
/// - `{language3}`: its ISO 639-2 code, as tesseract uses it, such as `jpn`;
/// - `{output}`: the path of an existing folder, in which the command writes `picture.txt` or `picture.json`.
///   Without it, the answer is the command's standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandTemplate {
    program: String,
    arguments: Vec<String>,
    format: OutputFormat,
}

/// The output format of an OCR command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = OcrOutput))]
#[serde(rename_all = "lowercase")]
pub enum OutputFormat {
    /// The text itself, in UTF-8.
    #[default]
    Text,
    /// `{"text": …}`, or NDLOCR-Lite's `{"contents": [[{"text": …}, …]]}`.
    Json,
}

/// The reason why a command cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTemplate {
    /// The program is missing.
    #[error("The OCR command names no program.")]
    NoProgram,
    /// No argument contains `{{picture}}`.
    #[error("The OCR command must contain {{picture}}, where the path of the picture goes.")]
    NoPicture,
    #[error("The OCR command contains {0}, which has no meaning there.")]
    UnknownPlaceholder(String),
}

impl CommandTemplate {
    /// Creates a template from a program and its arguments.
    ///
    /// # Errors
    /// See [`InvalidTemplate`].
    pub fn new(
        argv: impl IntoIterator<Item = String>,
        format: OutputFormat,
    ) -> Result<Self, InvalidTemplate> {
        let mut argv = argv.into_iter();
        let program = argv.next().unwrap_or_default();
        if program.trim().is_empty() {
            return Err(InvalidTemplate::NoProgram);
        }
        let arguments: Vec<String> = argv.collect();
        let unknown = arguments
            .iter()
            .flat_map(|argument| placeholders(argument))
            .chain(placeholders(&program).take(1))
            .find(|name| !PLACEHOLDERS.contains(name) || program.contains(name));
        if let Some(name) = unknown {
            return Err(InvalidTemplate::UnknownPlaceholder(name.to_owned()));
        }
        if !arguments.iter().any(|argument| argument.contains(PICTURE)) {
            return Err(InvalidTemplate::NoPicture);
        }
        Ok(Self {
            program,
            arguments,
            format,
        })
    }

    pub(super) fn program(&self) -> &str {
        &self.program
    }

    /// Returns the program and its arguments.
    #[must_use]
    pub fn argv(&self) -> Vec<String> {
        let program = std::iter::once(&self.program);
        program.chain(&self.arguments).cloned().collect()
    }

    /// Returns the format of the answer.
    #[must_use]
    pub fn format(&self) -> OutputFormat {
        self.format
    }

    /// Returns true if the answer is a file in the command's folder.
    pub(super) fn writes_file(&self) -> bool {
        self.arguments
            .iter()
            .any(|argument| argument.contains(OUTPUT))
    }

    pub(super) fn arguments(
        &self,
        picture: &Path,
        output: &Path,
        language: &Language,
    ) -> Vec<OsString> {
        let replacement = |name: &str| match name {
            PICTURE => picture.as_os_str().to_owned(),
            OUTPUT => output.as_os_str().to_owned(),
            LANGUAGE => language.tag().into(),
            _ => language.three_letters().into(),
        };
        let filled = |argument: &String| {
            let mut filled = OsString::new();
            let mut rest = argument.as_str();
            while let Some((before, name, after)) = split(rest) {
                filled.push(before);
                filled.push(replacement(name));
                rest = after;
            }
            filled.push(rest);
            filled
        };
        self.arguments.iter().map(filled).collect()
    }
}

impl OutputFormat {
    /// Returns the extension of the file in which a command writes the format.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Json => "json",
        }
    }
}

fn placeholders(argument: &str) -> impl Iterator<Item = &str> {
    let mut rest = argument;
    std::iter::from_fn(move || {
        let (_, name, after) = split(rest)?;
        rest = after;
        Some(name)
    })
}

/// Returns the first placeholder, letters and digits in braces, and the text before and after it.
fn split(argument: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let start = from + argument[from..].find('{')?;
        let inside = &argument[start + 1..];
        let length = inside
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(inside.len());
        if length > 0 && inside[length..].starts_with('}') {
            let end = start + length + 2;
            return Some((&argument[..start], &argument[start..end], &argument[end..]));
        }
        from = start + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(argv: &[&str]) -> Result<CommandTemplate, InvalidTemplate> {
        let argv = argv.iter().map(|argument| (*argument).to_owned());
        CommandTemplate::new(argv, OutputFormat::Text)
    }

    #[test]
    fn placeholders_are_replaced_once() {
        let template = template(&[
            "ocr",
            "--in={picture}",
            "{",
            "{}",
            "{a b}",
            "-l{language3}+{language}",
            "x{output}y",
        ]);
        let found = template.unwrap().arguments(
            Path::new("/tmp/{output}/picture.png"),
            Path::new("/tmp/o"),
            &"ja".parse().unwrap(),
        );
        assert_eq!(
            found,
            [
                "--in=/tmp/{output}/picture.png",
                "{",
                "{}",
                "{a b}",
                "-ljpn+ja",
                "x/tmp/oy"
            ]
        );
    }

    #[test]
    fn unusable_command_is_rejected() {
        let unknown = |name: &str| Err(InvalidTemplate::UnknownPlaceholder(name.into()));
        assert_eq!(template(&[]), Err(InvalidTemplate::NoProgram));
        assert_eq!(
            template(&[" ", "{picture}"]),
            Err(InvalidTemplate::NoProgram)
        );
        assert_eq!(
            template(&["ocr", "picture"]),
            Err(InvalidTemplate::NoPicture)
        );
        assert_eq!(template(&["ocr", "{picture}", "{lang}"]), unknown("{lang}"));
        assert_eq!(template(&["{picture}", "{picture}"]), unknown("{picture}"));
    }
}
