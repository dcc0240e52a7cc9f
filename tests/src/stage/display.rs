//! A virtual display: an X server, a window manager, a session bus.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use tokio::process::Command;

use super::home::Home;
use super::input_method::InputMethod;
use super::process::{NOBODY, Process};
use super::programs;

/// The size of the screen; the window chooses its own size within it.
const SCREEN: &str = "1600x1000x24";

/// A private desktop; ended when dropped.
pub struct Display {
    name: String,
    bus: String,
    // Order matters: it ends before the server and the bus.
    input_method: Option<InputMethod>,
    _processes: Vec<Process>,
}

impl Display {
    /// Starts a display.
    ///
    /// # Errors
    /// Fails if one of its programs is missing or does not start.
    pub async fn open(home: &Home) -> Result<Self> {
        // The server finds a free number by itself and prints it.
        let (server, number, _) =
            Process::spawn_and_read(Process::command(home, programs::system("Xvfb")?)?.args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                SCREEN,
                "-nolisten",
                "tcp",
                "-noreset",
            ]))
            .await?;
        let name = format!(":{number}");
        let (session, bus, _) = Process::spawn_and_read(
            Process::command(home, programs::system("dbus-daemon")?)?
                .arg(format!("--config-file={}", write_bus(home)?.display()))
                .args(["--nofork", "--nopidfile", "--print-address=1"])
                .env("DISPLAY", &name),
        )
        .await?;
        let mut display = Self {
            name,
            bus,
            input_method: None,
            _processes: Vec::new(),
        };
        let manager = Process::spawn(
            display
                .command(home, programs::system("openbox")?)?
                .arg("--sm-disable"),
        )?;
        display._processes = vec![manager, session, server];
        Ok(display)
    }

    /// Returns a command that uses this display.
    ///
    /// # Errors
    /// Fails if its log can't be written.
    pub fn command(&self, home: &Home, program: impl AsRef<std::ffi::OsStr>) -> Result<Command> {
        let mut command = Process::command(home, program)?;
        command
            .env("DISPLAY", &self.name)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus)
            .env("GDK_BACKEND", "x11")
            // There is no GPU and no screen reader: neither is searched for.
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env("NO_AT_BRIDGE", "1")
            .env("GSETTINGS_BACKEND", "memory");
        if self.input_method.is_some() {
            command
                .env("GTK_IM_MODULE", "fcitx")
                .env("XMODIFIERS", "@im=fcitx");
        }
        Ok(command)
    }

    /// Starts an input method, as on a Japanese desktop, for the programs that are started afterwards.
    ///
    /// # Errors
    /// Fails if one of its programs is missing or does not start.
    pub async fn start_input_method(&mut self, home: &Home) -> Result<()> {
        self.input_method = Some(InputMethod::start(home, self).await?);
        Ok(())
    }

    /// Returns the input method.
    ///
    /// # Errors
    /// Fails if none was started.
    pub fn input_method(&self) -> Result<&InputMethod> {
        self.input_method
            .as_ref()
            .context("no input method was brought")
    }

    /// Returns the address of the session bus.
    pub(super) fn bus(&self) -> &str {
        &self.bus
    }

    /// Sends keyboard and mouse input: the words of an `xdotool` command.
    ///
    /// # Errors
    /// Fails if xdotool is missing or fails.
    pub async fn xdotool(&self, words: &[&str]) -> Result<String> {
        let output = Command::new(programs::system("xdotool")?)
            .args(words)
            .env("DISPLAY", &self.name)
            .output()
            .await
            .context("xdotool")?;
        ensure!(
            output.status.success(),
            "xdotool {}: {}",
            words.join(" "),
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Returns the display's name, as in `DISPLAY`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Writes the configuration of a session bus that starts nothing by itself, so that services installed on
/// this machine take no part in a test. If the tests run as root, the bus also admits the programs that
/// refuse to run as root.
fn write_bus(home: &Home) -> Result<PathBuf> {
    let guest = if rustix::process::geteuid().is_root() {
        format!("<allow user=\"{NOBODY}\"/>")
    } else {
        String::new()
    };
    let configuration = BUS
        .replace("PLACE", &home.path().display().to_string())
        .replace("GUEST", &guest);
    let path = home.path().join("bus.conf");
    fs::write(&path, configuration)?;
    Ok(path)
}

const BUS: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:abstract=PLACE/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
    GUEST
  </policy>
</busconfig>
"#;
