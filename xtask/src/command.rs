//! Starts other programs: with their output shown, or silent unless they fail.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Error, Result, bail};

use crate::{output, paths};

/// The number of lines that are repeated from a failed program. Test runners list the failed tests in their
/// last lines.
const LAST_LINES: usize = 60;

/// Returns a command that runs at the root of the repository.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(paths::root());
    command
}

/// Returns a command of the cargo that runs this program, without the description of this package in the environment:
/// build scripts would run again whenever cargo is also called directly.
pub(crate) fn cargo() -> Command {
    let mut cargo = program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(&*name);
        }
    }
    cargo
}

/// Runs a command with our own standard input and output.
pub(crate) fn show(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("`{}` could not be started", words(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", words(command));
    }
    Ok(())
}

/// Runs a command silently and returns its standard output. If it fails, the error contains its output.
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

/// Runs a command, shows both its outputs line by line, and passes each line to `each`. If it fails, the
/// error's cause holds the last lines.
pub(crate) fn follow(command: &mut Command, mut each: impl FnMut(&str)) -> Result<()> {
    let (reader, writer) = io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    let child = command.spawn();
    // Our own ends of the pipe would keep it open.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.with_context(|| format!("`{}` could not be started", words(command)))?;
    let mut last = VecDeque::with_capacity(LAST_LINES);
    for line in BufReader::new(reader).split(b'\n') {
        let line = line.context("the output of a program could not be read")?;
        let line = String::from_utf8_lossy(&line).into_owned();
        output::line(&line);
        each(&line);
        if last.len() == LAST_LINES {
            last.pop_front();
        }
        last.push_back(line);
    }
    let status = child.wait()?;
    if !status.success() {
        // A separate cause: a reader who has just seen the output only needs to know that the command failed.
        let last_output = Error::msg(format!("its last output:\n{}", Vec::from(last).join("\n")));
        return Err(last_output.context(format!("`{}` failed ({status})", words(command))));
    }
    Ok(())
}

/// Formats a command as it would be typed.
fn words(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_includes_the_last_output_lines() {
        let mut lines = Vec::new();
        let error = follow(
            program("sh").args(["-c", "seq 70; echo 'no such thing' >&2; exit 3"]),
            |line| lines.push(line.to_owned()),
        )
        .expect_err("it failed");
        assert_eq!(lines.len(), 71);
        let headline = error.to_string();
        assert!(headline.ends_with("failed (exit status: 3)"), "{headline}");
        let cause = error.root_cause().to_string();
        assert_eq!(cause.lines().nth(1), Some("12"));
        assert_eq!(cause.lines().last(), Some("no such thing"));
    }
}
