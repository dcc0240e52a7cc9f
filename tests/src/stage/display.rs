//! A display that nobody sees: an X server, a window manager, a session bus.

use anyhow::{Context, Result, ensure};
use tokio::process::Command;

use super::home::Home;
use super::process::Process;
use super::programs;

/// The size of the screen; the window is as large as it wants to be within.
const SCREEN: &str = "1600x1000x24";

/// A private desktop; gone when dropped.
pub struct Display {
    name: String,
    bus: String,
    _processes: Vec<Process>,
}

impl Display {
    /// Opens one.
    ///
    /// # Errors
    /// When one of its programs is missing or does not start.
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
                .args(["--session", "--nofork", "--nopidfile", "--print-address=1"])
                .env("DISPLAY", &name),
        )
        .await?;
        let mut display = Self {
            name,
            bus,
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

    /// A command that is shown on this display.
    ///
    /// # Errors
    /// When its log can't be written.
    pub fn command(&self, home: &Home, program: impl AsRef<std::ffi::OsStr>) -> Result<Command> {
        let mut command = Process::command(home, program)?;
        command
            .env("DISPLAY", &self.name)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus)
            .env("GDK_BACKEND", "x11")
            // No GPU and no screen reader here: neither is looked for.
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env("NO_AT_BRIDGE", "1")
            .env("GSETTINGS_BACKEND", "memory");
        Ok(command)
    }

    /// Acts as a hand on keyboard and mouse: the words of an `xdotool` command.
    ///
    /// # Errors
    /// When xdotool is missing or fails.
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

    /// Its name, as in `DISPLAY`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}
