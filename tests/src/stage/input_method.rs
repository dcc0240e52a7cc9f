//! An input method for Japanese: fcitx5 with mozc, as on a user's desktop.

use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;
use tokio::process::Command;

use super::display::Display;
use super::home::Home;
use super::process::{NOBODY, Process};
use super::programs;
use crate::wait;

/// Debian's path of the program, which is not on the PATH.
const MOZC: &str = "/usr/lib/mozc/mozc_server";

/// Plain keys until it is turned on, then mozc.
const PROFILE: &str = "\
[Groups/0]
Name=Default
Default Layout=us
DefaultIM=mozc

[Groups/0/Items/0]
Name=keyboard-us
Layout=

[Groups/0/Items/1]
Name=mozc
Layout=

[GroupOrder]
0=Default
";

/// The state that `fcitx5-remote` reports while input is composed.
const ON: &str = "2";
const OFF: &str = "1";

/// The input method of one display; ended when dropped.
pub struct InputMethod {
    display: String,
    bus: String,
    // Order matters: the client ends before its server, and both before their folders.
    _fcitx: Process,
    _mozc: Process,
    _place: TempDir,
}

impl InputMethod {
    pub(super) async fn start(home: &Home, display: &Display) -> Result<Self> {
        ensure!(
            Path::new(MOZC).is_file(),
            "`{MOZC}` is not there, and the tests need it; `cargo xtask test` installs it"
        );
        let place = place()?;
        // fcitx5 would start it too, but as a process that outlives a killed test.
        let mozc = Process::spawn(&mut command(home, display, place.path(), MOZC)?)?;
        let session = place.path().join("config/mozc/.session.ipc");
        wait::until("mozc to listen", async || {
            Ok(session.exists().then_some(()))
        })
        .await?;
        let fcitx = programs::system("fcitx5")?;
        let fcitx = Process::spawn(&mut command(home, display, place.path(), fcitx)?)?;
        let started = Self {
            display: display.name().to_owned(),
            bus: display.bus().to_owned(),
            _fcitx: fcitx,
            _mozc: mozc,
            _place: place,
        };
        wait::until("fcitx5 to answer", async || {
            started.remote(&[]).await.map(Some)
        })
        .await?;
        Ok(started)
    }

    /// Turns composing on for the focused element.
    ///
    /// # Errors
    /// Fails if it stays off, for example because no text field has the focus.
    pub async fn turn_on(&self) -> Result<()> {
        self.turn("-o", ON).await
    }

    /// Turns composing off: keys are plain letters again.
    ///
    /// # Errors
    /// Fails if it stays on.
    pub async fn turn_off(&self) -> Result<()> {
        self.turn("-c", OFF).await
    }

    async fn turn(&self, word: &str, state: &str) -> Result<()> {
        // It applies to the focused element, which the application reports asynchronously.
        wait::until("the input method to be turned", async || {
            self.remote(&[word]).await?;
            let now = self.remote(&[]).await?;
            ensure!(now == state, "it is in state {now}");
            Ok(Some(()))
        })
        .await
    }

    async fn remote(&self, words: &[&str]) -> Result<String> {
        let output = Command::new(programs::system("fcitx5-remote")?)
            .args(words)
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus)
            .output()
            .await
            .context("fcitx5-remote")?;
        ensure!(
            output.status.success(),
            "fcitx5-remote {}: {}",
            words.join(" "),
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// Creates a home apart from the user's, which root's other programs own. If the tests run as root, it belongs to
/// the unprivileged user.
fn place() -> Result<TempDir> {
    let place = tempfile::Builder::new().prefix("fumikura-").tempdir()?;
    fs::create_dir_all(place.path().join("config/fcitx5"))?;
    fs::write(place.path().join("config/fcitx5/profile"), PROFILE)?;
    if rustix::process::geteuid().is_root() {
        for part in ["", "config", "config/fcitx5", "config/fcitx5/profile"] {
            chown(place.path().join(part), Some(NOBODY), Some(NOBODY))?;
        }
    }
    Ok(place)
}

fn command(
    home: &Home,
    display: &Display,
    place: &Path,
    program: impl Into<PathBuf>,
) -> Result<Command> {
    let mut command = Process::unprivileged_command(home, program.into())?;
    command
        .env("DISPLAY", display.name())
        .env("DBUS_SESSION_BUS_ADDRESS", display.bus())
        .env("XDG_CONFIG_HOME", place.join("config"))
        .current_dir(place);
    for variable in [
        "HOME",
        "XDG_DATA_HOME",
        "XDG_CACHE_HOME",
        "XDG_RUNTIME_DIR",
        "TMPDIR",
    ] {
        command.env(variable, place);
    }
    Ok(command)
}
