//! `cargo xtask gen`: generates `ui/openapi.json`, the tables of commands and picture formats, and the schema of the
//! JSON of `fumi` from the code.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::build::{self, Profile};
use crate::{command, install, output, paths};

#[derive(clap::Args)]
pub(crate) struct GenerateTaskOptions {
    /// Write nothing; fail if the files differ from the code
    #[arg(long)]
    check: bool,
}

/// The document of the HTTP interface, which ends with the generated table of commands.
const API: &str = "docs/API.md";
/// The line before that table.
const BEFORE_COMMANDS: &str =
    "The rest of this page is generated from the routes by `cargo xtask gen`.\n";

pub(crate) fn run(options: &GenerateTaskOptions) -> Result<()> {
    install::for_building()?;
    build::programs(Profile::Dev)?;
    if options.check { check() } else { write() }
}

/// A file of the repository that is generated from the code.
struct GeneratedFile {
    path: &'static str,
    text: String,
}

fn write() -> Result<()> {
    let files = generated_files()?;
    for GeneratedFile { path, text } in &files {
        let path = paths::root().join(path);
        // A file that is written is newer than what was built from it.
        if fs::read_to_string(&path).ok().as_ref() != Some(text) {
            fs::write(&path, text)?;
        }
    }
    let paths: Vec<_> = files.iter().map(|file| file.path).collect();
    output::step("gen", format!("as the code says: {}", paths.join(", ")));
    Ok(())
}

/// Fails if the files in the repository differ from what the code generates. Needs the built programs.
pub(crate) fn check() -> Result<()> {
    for GeneratedFile { path, text } in generated_files()? {
        if read(&paths::root().join(path))? != text {
            bail!("{path} does not match the code. Run `cargo xtask gen` to update it.");
        }
    }
    Ok(())
}

/// Generates the OpenAPI document, the tables of commands and formats, and the schema of the commands' JSON.
fn generated_files() -> Result<[GeneratedFile; 4]> {
    Ok([
        GeneratedFile {
            path: "ui/openapi.json",
            text: output_of(&["openapi"])?,
        },
        GeneratedFile {
            path: API,
            text: with_commands(
                &read(&paths::root().join(API))?,
                &output_of(&["openapi", "--commands"])?,
            )?,
        },
        GeneratedFile {
            path: "docs/FORMATS.md",
            text: output_of(&["formats"])?,
        },
        GeneratedFile {
            path: "docs/fumi.schema.json",
            text: output_of(&["schema"])?,
        },
    ])
}

/// Returns a document with its end replaced by the table of commands.
fn with_commands(document: &str, table: &str) -> Result<String> {
    let (start, _) = document
        .split_once(BEFORE_COMMANDS)
        .with_context(|| format!("{API} lacks the line: {BEFORE_COMMANDS}"))?;
    Ok(format!("{start}{BEFORE_COMMANDS}\n{table}"))
}

/// Returns the output of a command of the built program.
fn output_of(arguments: &[&str]) -> Result<String> {
    command::quiet(command::program(Profile::Dev.out_dir().join("fumi")).args(arguments))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_of_commands_replaces_the_end() {
        let document = format!("# API\n\n{BEFORE_COMMANDS}\n| old |\n| older |\n");
        let expected = format!("# API\n\n{BEFORE_COMMANDS}\n| new |\n");
        assert_eq!(with_commands(&document, "| new |\n").unwrap(), expected);
    }

    #[test]
    fn document_without_its_place_is_an_error() {
        let error = with_commands("# API\n", "| new |\n").unwrap_err();
        assert!(error.to_string().contains(BEFORE_COMMANDS), "{error}");
    }
}
