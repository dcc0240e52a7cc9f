//! Starting other programs: shown while they run, or quiet unless they fail.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{place, say};

/// A program, to be started at the root of the repository.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(place::root());
    command
}

/// The same cargo that runs us.
pub(crate) fn cargo() -> Command {
    program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs it with our own input and output.
pub(crate) fn show(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("`{}` could not be started", words(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", words(command));
    }
    Ok(())
}

/// Runs it unseen and gives its standard output; if it fails, what it said is in the error.
pub(crate) fn quiet(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("`{}` could not be started", words(command)))?;
    if !output.status.success() {
        bail!(
            "`{}` failed ({})\n{}{}",
            words(command),
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs it, shows its standard output line by line, and gives each line to `each` too.
pub(crate) fn follow(command: &mut Command, mut each: impl FnMut(&str)) -> Result<()> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("`{}` could not be started", words(command)))?;
    let output = child.stdout.take().expect("BUG: the output was piped");
    for line in BufReader::new(output).split(b'\n') {
        let line = line.context("the output of a program could not be read")?;
        let line = String::from_utf8_lossy(&line);
        say::line(&line);
        each(&line);
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("`{}` failed ({status})", words(command));
    }
    Ok(())
}

/// The command as one would type it.
fn words(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
