//! A user's folders, empty at first, removed with the test.

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

/// A home for one test, isolated from other tests' data and the developer's.
pub struct Home {
    dir: TempDir,
    language: &'static str,
}

impl Home {
    /// Creates empty folders.
    ///
    /// # Errors
    /// Fails if they can't be created.
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

    /// Makes the programs that are started afterwards use Japanese, as on a Japanese desktop.
    ///
    /// # Errors
    /// Fails if the locale can't be created.
    pub async fn use_japanese(&mut self) -> Result<()> {
        // Test machines seldom have it, and WebKit accepts only an installed locale.
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

    /// Returns the folder of this home's locales, which are used in addition to the system's.
    #[must_use]
    pub fn locales(&self) -> PathBuf {
        self.at("locales")
    }

    /// Returns the language, as in `LANG`.
    #[must_use]
    pub fn language(&self) -> &'static str {
        self.language
    }

    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Returns the application's data folder.
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

    /// Returns the application's cache folder.
    #[must_use]
    pub fn cache(&self) -> PathBuf {
        self.at("cache/fumikura")
    }

    /// Returns the folder of the programs' logs.
    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.at("logs")
    }

    /// Returns the browser's profile.
    #[must_use]
    pub fn profile(&self) -> PathBuf {
        self.at("browser")
    }

    /// Returns the file with the address that the system's browser was asked to open; it exists after the
    /// first request.
    #[must_use]
    pub fn opened_address_file(&self) -> PathBuf {
        self.at("opened")
    }

    /// Returns the PATH of this home: the stand-in for the system's browser comes first.
    pub(super) fn path_variable(&self) -> Result<OsString> {
        let path = env::var_os("PATH").unwrap_or_default();
        Ok(env::join_paths(
            std::iter::once(self.at("bin")).chain(env::split_paths(&path)),
        )?)
    }

    /// Creates a folder for a test's pictures.
    ///
    /// # Errors
    /// Fails if it can't be created.
    pub fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.at("home").join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Returns the environment variables that restrict a program to these folders.
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

    /// Returns the folder that contains all others.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// Writes a stand-in for the system's browser, which only records the address.
fn write_opener(bin: &Path, note: &Path) -> Result<()> {
    let opener = bin.join("xdg-open");
    let note = note.display();
    // The note appears atomically: a test waits for it.
    let script =
        format!("#!/bin/sh\nprintf '%s' \"$1\" > '{note}.part' && mv '{note}.part' '{note}'\n");
    fs::write(&opener, script)?;
    fs::set_permissions(opener, fs::Permissions::from_mode(0o755))?;
    Ok(())
}
