//! `cargo xtask run`: installs, builds and opens the window, even on a fresh machine.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::build::{self, Profile};
use crate::{install, output};

#[derive(clap::Args)]
pub(crate) struct RunTaskOptions {
    /// Build with all optimisations, as for a package; slower to build
    #[arg(long)]
    release: bool,

    /// Passed to the program: folders to open, or without a display folders and options of `fumi serve`
    #[arg(last = true)]
    arguments: Vec<OsString>,
}

pub(crate) fn run(options: &RunTaskOptions) -> Result<()> {
    install::for_building()?;
    let profile = if options.release {
        Profile::Release
    } else {
        Profile::Dev
    };
    build::programs(profile)?;
    let programs = profile.out_dir();
    let displayed = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| env::var_os(name).is_some_and(|it| !it.is_empty()));
    if displayed {
        // Replaces this process, so that the terminal and its signals belong to the window's program.
        let error = Command::new(programs.join("fumikura"))
            .args(&options.arguments)
            .exec();
        return Err(error).context("the window's program could not be started");
    }
    serve(&programs.join("fumi"), &options.arguments)
}

/// Serves without a display, and prints the address.
fn serve(fumi: &Path, arguments: &[OsString]) -> Result<()> {
    let mut child = Command::new(fumi)
        .arg("serve")
        .args(serve_arguments(arguments))
        .stdout(Stdio::piped())
        .spawn()
        .context("the server could not be started")?;
    let output = child.stdout.take().expect("BUG: the output was piped");
    for line in BufReader::new(output).lines() {
        if let Some(login) = login(&line?) {
            output::line(format!(
                "\nThere is no display here, so Fumikura is served. Open this address once in a browser on this machine:\n\n  \
                 {login}\n\nCtrl C ends it."
            ));
        }
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("the server ended ({status})");
    }
    Ok(())
}

/// Converts the window's arguments for the server: folders to open become folders that may be read.
fn serve_arguments(arguments: &[OsString]) -> Vec<OsString> {
    let mut served = Vec::new();
    let mut value_follows = false;
    for argument in arguments {
        let is_option = argument.to_string_lossy().starts_with('-');
        if !is_option && !value_follows {
            served.push("--allow".into());
        }
        // `--addr 127.0.0.1:0`, but not `--addr=127.0.0.1:0`: every option of `fumi serve` takes a value.
        value_follows = is_option && !argument.to_string_lossy().contains('=');
        served.push(argument.clone());
    }
    served
}

/// Returns the login address of the ready line.
fn login(line: &str) -> Option<String> {
    let ready: serde_json::Value =
        serde_json::from_str(line.strip_prefix("FUMIKURA_READY ")?).ok()?;
    Some(ready.get("login")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_become_allow_and_options_pass_through() {
        let arguments =
            ["/pictures", "--user", "Aya", "--addr=127.0.0.1:0", "/more"].map(OsString::from);
        let expected = [
            "--allow",
            "/pictures",
            "--user",
            "Aya",
            "--addr=127.0.0.1:0",
            "--allow",
            "/more",
        ];
        assert_eq!(serve_arguments(&arguments), expected.map(OsString::from));
    }

    #[test]
    fn login_address_is_parsed_from_ready_line() {
        let line = r#"FUMIKURA_READY {"url":"http://127.0.0.1:7/","token":"t","login":"http://127.0.0.1:7/login?token=x"}"#;
        assert_eq!(
            login(line).as_deref(),
            Some("http://127.0.0.1:7/login?token=x")
        );
        assert_eq!(login("something else"), None);
    }
}
