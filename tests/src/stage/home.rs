//! A person's folders, empty at first, gone with the test.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use tempfile::TempDir;
use tokio::process::Command;

use super::programs;

const JAPANESE: &str = "ja_JP.UTF-8";

/// A home of its own, so that no test sees another's data, nor the developer's.
pub struct Home {
    dir: TempDir,
    language: &'static str,
}

impl Home {
    /// Empty folders.
    ///
    /// # Errors
    /// Fails if they can't be made.
    pub fn new() -> Result<Self> {
        let dir = tempfile::Builder::new().prefix("fumikura-").tempdir()?;
        for name in [
            "home", "data", "cache", "config", "run", "logs", "browser", "bin", "locales", "tmp",
        ] {
            fs::create_dir(dir.path().join(name))?;
        }
        write_opener(&dir.path().join("bin"), &dir.path().join("opened"))?;
        fs::set_permissions(dir.path().join("run"), fs::Permissions::from_mode(0o700))?;
        Ok(Self {
            dir,
            language: "C.UTF-8",
        })
    }

    /// Has the programs that are started from now on speak Japanese, as on a Japanese desktop.
    ///
    /// # Errors
    /// Fails if the locale can't be made.
    pub async fn speak_japanese(&mut self) -> Result<()> {
        // A test machine seldom has it, and WebKit believes in an installed locale only.
        let made = Command::new(programs::system("localedef")?)
            .args(["-i", "ja_JP", "-f", "UTF-8"])
            .arg(self.locales().join(JAPANESE))
            .output()
            .await?;
        ensure!(
            made.status.success(),
            "localedef: {}",
            String::from_utf8_lossy(&made.stderr)
        );
        self.language = JAPANESE;
        Ok(())
    }

    /// The locales of this home, beside the system's own.
    #[must_use]
    pub fn locales(&self) -> PathBuf {
        self.at("locales")
    }

    /// As in `LANG`.
    #[must_use]
    pub fn language(&self) -> &'static str {
        self.language
    }

    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The application's own data.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.at("data/fumikura")
    }

    /// Writes the application's configuration, for the next start.
    ///
    /// # Errors
    /// Fails if it can't be written.
    pub fn configure(&self, toml: &str) -> Result<()> {
        let folder = self.at("config/fumikura");
        fs::create_dir_all(&folder)?;
        Ok(fs::write(folder.join("config.toml"), toml)?)
    }

    /// The application's own cache.
    #[must_use]
    pub fn cache(&self) -> PathBuf {
        self.at("cache/fumikura")
    }

    /// What the programs wrote while they ran.
    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.at("logs")
    }

    /// The browser's profile.
    #[must_use]
    pub fn profile(&self) -> PathBuf {
        self.at("browser")
    }

    /// What the system's browser was asked to open, once it was.
    #[must_use]
    pub fn opened(&self) -> PathBuf {
        self.at("opened")
    }

    /// The PATH of this home: the stand-in for the system's browser comes first.
    pub(super) fn path_variable(&self) -> Result<OsString> {
        let path = env::var_os("PATH").unwrap_or_default();
        Ok(env::join_paths(
            std::iter::once(self.at("bin")).chain(env::split_paths(&path)),
        )?)
    }

    /// A folder in which a test may put pictures.
    ///
    /// # Errors
    /// Fails if it can't be made.
    pub fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.at("home").join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// The variables that lead a program to these folders and to nothing else of the machine.
    pub fn variables(&self) -> impl Iterator<Item = (&'static str, PathBuf)> {
        [
            ("HOME", "home"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_RUNTIME_DIR", "run"),
            ("TMPDIR", "tmp"),
        ]
        .into_iter()
        .map(|(variable, name)| (variable, self.at(name)))
    }

    /// Everything of it.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// A stand-in for the system's browser, which only notes down where it is sent.
fn write_opener(bin: &Path, note: &Path) -> Result<()> {
    let opener = bin.join("xdg-open");
    let note = note.display();
    // The note is there only when it is whole: somebody waits for it.
    let script =
        format!("#!/bin/sh\nprintf '%s' \"$1\" > '{note}.part' && mv '{note}.part' '{note}'\n");
    fs::write(&opener, script)?;
    fs::set_permissions(opener, fs::Permissions::from_mode(0o755))?;
    Ok(())
}
