//! The Chromium that the end-to-end tests drive in addition to the window: the machine's, the distribution's
//! or, if that is only a snap, one from the registries.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::{apt, node};
use crate::{command, output, paths};

/// Debian's packages of the browser and its driver.
const PACKAGES: &[&str] = &["chromium", "chromium-driver"];
/// The system packages that the registries' programs need.
const SYSTEM_PACKAGES: &[&str] = &["libnss3", "python3-pip"];
/// The browser's headless shell, inside an npm package, and a driver of the same major version, inside a
/// Python package. Both are updated together.
const SHELL: &str = "@sparticuz/chromium@153.0.0";
const DRIVER: &str = "chromedriver-py==153.0.8010.52";

/// Decompresses a Brotli file. Its two arguments are the source and the target.
const UNPACK: &str = "const [from, to] = process.argv.slice(1);
const fs = require('fs'), zlib = require('zlib');
require('stream').pipeline(
  fs.createReadStream(from), zlib.createBrotliDecompress(), fs.createWriteStream(to, { mode: 0o755 }),
  (error) => { if (error) throw error; });";

/// The origin of the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// A browser on the PATH, with its driver.
    Machine,
    /// The distribution's packages.
    Packages,
    /// The npm registry and PyPI.
    Registries,
}

/// The programs of [`PACKAGES`].
const PROGRAMS: [&str; 2] = ["chromium", "chromedriver"];

/// Determines the origin of the browser on this machine.
pub(crate) fn source() -> Result<Source> {
    let on_path = PROGRAMS.map(|name| paths::on_path(&[name]));
    if are_usable(&on_path) {
        return Ok(Source::Machine);
    }
    if is_installed() {
        return Ok(Source::Registries);
    }
    Ok(decide(apt::offers(PACKAGES)?.as_deref()))
}

/// Returns true if both programs exist and none comes from a snap: those can access neither our folders nor
/// our display.
fn are_usable(programs: &[Option<PathBuf>]) -> bool {
    let is_usable = |program: &Option<PathBuf>| {
        program
            .as_ref()
            .is_some_and(|path| !path.starts_with("/snap"))
    };
    programs.iter().all(is_usable)
}

/// Chooses an origin by the versions of [`PACKAGES`] that the distribution offers, or `None` outside of the
/// Debian family.
fn decide(offered: Option<&[Option<String>]>) -> Source {
    let is_real = |version: &Option<String>| {
        // Ubuntu names such packages `2:1snap1-0ubuntu2`: they only install a snap.
        version
            .as_ref()
            .is_some_and(|version| !version.contains("snap"))
    };
    match offered {
        None => Source::Packages,
        Some(versions) if versions.iter().all(is_real) => Source::Packages,
        Some(_) => Source::Registries,
    }
}

impl Source {
    /// Returns the system packages that this origin needs.
    pub(crate) fn packages(self) -> &'static [&'static str] {
        match self {
            Self::Machine => &[],
            Self::Packages => PACKAGES,
            Self::Registries => SYSTEM_PACKAGES,
        }
    }

    /// Installs the parts that no system package provides.
    pub(crate) fn install(self) -> Result<()> {
        match self {
            Self::Machine | Self::Packages => Ok(()),
            Self::Registries if is_installed() => Ok(()),
            Self::Registries => download(),
        }
    }
}

/// Returns the PATH on which the tests find the browser, if it is not the system's own.
pub(crate) fn search_path() -> Option<OsString> {
    if !is_installed() {
        return None;
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::join_paths(std::iter::once(bin()).chain(env::split_paths(&path))).ok()
}

fn download() -> Result<()> {
    if env::consts::ARCH != "x86_64" {
        bail!(
            "The end-to-end tests drive Chromium. This distribution has it only as a snap, and the registries \
             only for x86_64. Put a `chromium` and a `chromedriver` of the same version on the PATH, then run \
             this again."
        );
    }
    output::step(
        "browser",
        format!(
            "the distribution has Chromium only as a snap: installing {SHELL} (npm) and {DRIVER} (PyPI)"
        ),
    );
    let (shell, driver) = (dir().join("shell"), dir().join("driver"));
    std::fs::create_dir_all(&shell)?;
    std::fs::create_dir_all(bin())?;
    command::quiet(
        node::program("npm")
            .args(["install", "--no-audit", "--no-fund", "--prefix"])
            .arg(&shell)
            .arg(SHELL),
    )?;
    let packed = shell.join("node_modules/@sparticuz/chromium/bin/chromium.br");
    command::quiet(
        node::program("node")
            .args(["-e", UNPACK])
            .arg(&packed)
            .arg(bin().join("chrome-headless-shell")),
    )?;
    command::quiet(
        command::program("python3")
            .args(["-m", "pip", "install", "--quiet", "--no-deps"])
            .args(["--only-binary=:all:", "--upgrade", "--target"])
            .arg(&driver)
            .arg(DRIVER),
    )?;
    copy_program(
        &driver.join("chromedriver_py/chromedriver_linux64"),
        &bin().join("chromedriver"),
    )?;
    for program in ["chrome-headless-shell", "chromedriver"] {
        command::quiet(command::program(bin().join(program)).arg("--version"))?;
    }
    // 200 MB of archives that are already unpacked.
    std::fs::remove_dir_all(shell)?;
    std::fs::remove_dir_all(driver)?;
    std::fs::write(stamp(), stamp_text())?;
    Ok(())
}

fn copy_program(from: &Path, to: &Path) -> Result<()> {
    std::fs::copy(from, to)?;
    command::quiet(command::program("chmod").arg("755").arg(to))?;
    Ok(())
}

fn is_installed() -> bool {
    std::fs::read_to_string(stamp()).is_ok_and(|installed| installed == stamp_text())
}

fn stamp_text() -> String {
    format!("{SHELL} {DRIVER}")
}

fn stamp() -> PathBuf {
    dir().join(".installed")
}

fn bin() -> PathBuf {
    dir().join("bin")
}

fn dir() -> PathBuf {
    paths::tools().join("chromium")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn decides(offered: [Option<&str>; 2], expected: Source) {
        let offered = offered.map(|version| version.map(str::to_owned));
        assert_eq!(decide(Some(&offered)), expected, "{offered:?}");
    }

    #[test]
    fn chromium_of_the_distribution_comes_first() {
        let debian = Some("156.0.8078.79-1~deb12u1");
        decides([debian, debian], Source::Packages);
        assert_eq!(decide(None), Source::Packages);
    }

    #[test]
    fn snap_or_missing_package_is_not_used() {
        let (real, snap) = (Some("156.0.8078.79-1"), Some("2:1snap1-0ubuntu2"));
        decides([None, None], Source::Registries);
        decides([snap, snap], Source::Registries);
        decides([snap, None], Source::Registries);
        decides([real, None], Source::Registries);
    }

    #[test]
    fn programs_of_a_snap_are_not_used() {
        let at = |path: &str| Some(PathBuf::from(path));
        assert!(are_usable(&[
            at("/usr/bin/chromium"),
            at("/usr/bin/chromedriver")
        ]));
        assert!(!are_usable(&[
            at("/snap/bin/chromium"),
            at("/usr/bin/chromedriver")
        ]));
        assert!(!are_usable(&[at("/usr/bin/chromium"), None]));
    }
}
