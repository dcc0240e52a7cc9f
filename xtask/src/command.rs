//! Starting other programs: shown while they run, or quiet unless they fail.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Error, Result, bail};

use crate::{place, say};

/// How many lines of a failed program are told again: what failed in a row of tests is told in their last ones.
const LAST: usize = 60;

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

/// Runs it, shows line by line what it says on both its outputs, and gives each line to `each` too; if it fails,
/// the end of what it said is the cause.
pub(crate) fn follow(command: &mut Command, mut each: impl FnMut(&str)) -> Result<()> {
    let (output, said) = io::pipe()?;
    command.stdout(said.try_clone()?).stderr(said);
    let child = command.spawn();
    // Our own ends of the pipe would keep it open.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.with_context(|| format!("`{}` could not be started", words(command)))?;
    let mut last = VecDeque::with_capacity(LAST);
    for line in BufReader::new(output).split(b'\n') {
        let line = line.context("the output of a program could not be read")?;
        let line = String::from_utf8_lossy(&line).into_owned();
        say::line(&line);
        each(&line);
        if last.len() == LAST {
            last.pop_front();
        }
        last.push_back(line);
    }
    let status = child.wait()?;
    if !status.success() {
        // A cause of its own: whoever has just read it needs no more than that it failed.
        let said = Error::msg(format!("it said at last:\n{}", Vec::from(last).join("\n")));
        return Err(said.context(format!("`{}` failed ({status})", words(command))));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_is_told_with_the_end_of_what_it_said() {
        let mut lines = Vec::new();
        let error = follow(
            program("sh").args(["-c", "seq 70; echo 'no such thing' >&2; exit 3"]),
            |line| lines.push(line.to_owned()),
        )
        .expect_err("it failed");
        assert_eq!(lines.len(), 71);
        let headline = error.to_string();
        assert!(headline.ends_with("failed (exit status: 3)"), "{headline}");
        let said = error.root_cause().to_string();
        assert_eq!(said.lines().nth(1), Some("12"));
        assert_eq!(said.lines().last(), Some("no such thing"));
    }
}
