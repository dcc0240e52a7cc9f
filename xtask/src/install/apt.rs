//! System packages on Debian and its derivatives.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::{command, output, paths};

/// The packages that the build needs.
pub(crate) const BUILD: &[&str] = &[
    "build-essential",
    "pkg-config",
    "libwebkit2gtk-4.1-dev",
    "librsvg2-dev",
    "nasm",
    "cmake",
];

/// The system's own Node, used only if there is no Node at all.
pub(crate) const NODE: &[&str] = &["nodejs", "npm"];

/// The packages that only packing needs, and checking what was packed.
pub(crate) const PACKAGING: &[&str] = &[
    "appstream",
    "desktop-file-utils",
    "dpkg-dev",
    "lintian",
    "rpm",
    "rpmlint",
    "xz-utils",
    "zstd",
];

/// The packages that only the tests need, apart from the browser ([`super::chromium`]).
pub(crate) const TEST: &[&str] = &[
    "hunspell-en-us",
    "webkit2gtk-driver",
    "xvfb",
    "openbox",
    "dbus-x11",
    "xdotool",
    // Japanese input: about 45 MB in all, most of it mozc and its dictionary.
    "fcitx5",
    "fcitx5-mozc",
    "fcitx5-frontend-gtk3",
    "redis-server",
    "fonts-noto-cjk",
    "locales",
    // Traces the system calls that make a file durable.
    "strace",
    // Provides vipsthumbnail, the reference for thumbnails.
    "libvips-tools",
    // Lists of hashes are exchanged with these tools; sha256sum is always there.
    "hashdeep",
    "rhash",
    // Sidecars and metadata in pictures are exchanged with these tools.
    "libimage-exiftool-perl",
    "exiv2",
    // Decodes the frames of videos.
    "gstreamer1.0-plugins-good",
    // The external command that reads text in pictures.
    "tesseract-ocr",
    "tesseract-ocr-jpn",
    "tesseract-ocr-jpn-vert",
];

/// Installs the missing ones of `packages`. Without the privilege to do so, reports the one command that
/// would install them.
pub(crate) fn ensure(packages: &[&str]) -> Result<()> {
    if packages.is_empty() {
        return Ok(());
    }
    if !is_debian() {
        output::step(
            "packages",
            format!(
                "not a Debian family: make sure that you have what Debian calls {}",
                packages.join(" ")
            ),
        );
        return Ok(());
    }
    let missing = missing(packages)?;
    if missing.is_empty() {
        output::step("packages", "all there");
        return Ok(());
    }
    let Some(privilege) = Privilege::ours() else {
        bail!(
            "These system packages are missing, and installing them needs root. This installs them:\n\n  \
             sudo apt-get update && sudo apt-get install --no-install-recommends {}\n",
            missing.join(" ")
        );
    };
    output::step("packages", format!("installing {}", missing.join(" ")));
    command::quiet(privilege.apt_get().arg("update"))?;
    if let Some(absent) = missing.iter().find(|package| candidate(package).is_none()) {
        bail!("This distribution offers no package `{absent}`, which is needed.");
    }
    command::quiet(
        privilege
            .apt_get()
            .args(["install", "--yes", "--no-install-recommends"])
            .args(&missing),
    )?;
    Ok(())
}

/// Returns a folder with a package's files. The package is downloaded and unpacked, not installed: some
/// packages, of which only a program is needed, would start a service.
pub(crate) fn unpack(package: &str) -> Result<PathBuf> {
    let place = paths::tools().join("unpacked").join(package);
    if place.is_dir() {
        return Ok(place);
    }
    if !is_debian() {
        bail!(
            "This takes the program out of Debian's package `{package}`, which this system has not."
        );
    }
    output::step("packages", format!("unpacking {package}"));
    if let Some(privilege) = Privilege::ours() {
        command::quiet(privilege.apt_get().arg("update"))?;
    }
    let began = place.with_extension("part");
    if began.exists() {
        fs::remove_dir_all(&began)?;
    }
    fs::create_dir_all(&began)?;
    command::quiet(
        Command::new("apt-get")
            .args(["--quiet", "download", package])
            .current_dir(&began),
    )?;
    for entry in fs::read_dir(&began)? {
        let archive = entry?.path();
        command::quiet(
            Command::new("dpkg-deb")
                .arg("--extract")
                .args([&archive, &began]),
        )?;
        fs::remove_file(archive)?;
    }
    // Only a completely unpacked package has this name.
    fs::rename(&began, &place)?;
    Ok(place)
}

fn missing<'a>(packages: &[&'a str]) -> Result<Vec<&'a str>> {
    // dpkg-query fails if it does not know one of the names, but still prints the others.
    let output = Command::new("dpkg-query")
        .args([
            "--show",
            "--showformat",
            "${binary:Package} ${db:Status-Status}\n",
        ])
        .args(packages)
        .stderr(Stdio::null())
        .output()?;
    let installed = installed_packages(&String::from_utf8_lossy(&output.stdout));
    Ok(packages
        .iter()
        .copied()
        .filter(|package| !installed.contains(*package))
        .collect())
}

/// Returns the installed packages of a `package:arch status` listing.
fn installed_packages(listing: &str) -> BTreeSet<String> {
    listing
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter(|(_, status)| *status == "installed")
        .map(|(name, _)| name.split(':').next().unwrap_or(name).to_owned())
        .collect()
}

/// Returns the versions of the packages that this distribution offers, from lists as recent as our privileges
/// allow. Returns None outside of the Debian family.
pub(crate) fn offers(packages: &[&str]) -> Result<Option<Vec<Option<String>>>> {
    if !is_debian() {
        return Ok(None);
    }
    if let Some(privilege) = Privilege::ours() {
        command::quiet(privilege.apt_get().arg("update"))?;
    }
    Ok(Some(packages.iter().copied().map(candidate).collect()))
}

fn is_debian() -> bool {
    paths::on_path(&["dpkg-query"]).is_some()
}

/// Returns the version that would be installed, if the distribution offers the package.
fn candidate(package: &str) -> Option<String> {
    let policy = Command::new("apt-cache")
        .args(["policy", package])
        .env("LC_ALL", "C")
        .output()
        .ok()?;
    version_in(&String::from_utf8_lossy(&policy.stdout))
}

/// Parses the output of `apt-cache policy`. A package that is unknown, or known by name only, has no version.
fn version_in(policy: &str) -> Option<String> {
    let candidate = policy
        .lines()
        .find_map(|line| line.trim().strip_prefix("Candidate: "))?;
    (candidate != "(none)").then(|| candidate.to_owned())
}

/// A way to become root.
enum Privilege {
    Root,
    Sudo,
}

impl Privilege {
    fn ours() -> Option<Self> {
        let root = command::quiet(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
        if root {
            return Some(Self::Root);
        }
        // Only without a password: a build never asks for one.
        command::quiet(Command::new("sudo").args(["-n", "true"]))
            .ok()
            .map(|_| Self::Sudo)
    }

    fn apt_get(&self) -> Command {
        let mut command = match self {
            Self::Root => Command::new("env"),
            Self::Sudo => {
                let mut sudo = Command::new("sudo");
                sudo.args(["-n", "env"]);
                sudo
            }
        };
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet"]);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidate_version_is_parsed_from_policy() {
        let policy = |candidate: &str| {
            format!("chromium:\n  Installed: (none)\n  Candidate: {candidate}\n  Version table:\n")
        };
        assert_eq!(
            version_in(&policy("2:1snap1-0ubuntu2")).as_deref(),
            Some("2:1snap1-0ubuntu2")
        );
        assert_eq!(version_in(&policy("(none)")), None);
        assert_eq!(version_in(""), None);
    }

    #[test]
    fn only_installed_packages_are_listed() {
        let installed = installed_packages(
            "nasm installed\nlibwebkit2gtk-4.1-dev:amd64 installed\ncmake not-installed\n",
        );
        assert!(installed.contains("nasm"));
        assert!(installed.contains("libwebkit2gtk-4.1-dev"));
        assert!(!installed.contains("cmake"));
    }
}
