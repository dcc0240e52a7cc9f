//! The package for Debian and its derivatives.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::stage::{PROGRAMS, Stage, compress};
use super::{DESCRIPTION, Facts, HOMEPAGE, MAINTAINER, NAME, SUMMARY, moved, wrapped};
use crate::{command, paths};

/// The revision of the package, of one version of the application.
const REVISION: u32 = 1;

pub(super) fn pack(stage: &Stage, facts: &Facts, out: &Path) -> Result<PathBuf> {
    let work = out.join("deb");
    let tree = work.join("tree");
    fs::create_dir_all(tree.join("DEBIAN"))?;
    command::quiet(
        command::program("cp")
            .args(["-a", "--no-target-directory"])
            .arg(stage.path("usr"))
            .arg(tree.join("usr")),
    )?;
    let overrides = tree.join("usr/share/lintian/overrides");
    fs::create_dir_all(&overrides)?;
    fs::copy(
        paths::root().join("packaging/lintian-overrides"),
        overrides.join(NAME),
    )?;
    let architecture = command::quiet(command::program("dpkg").arg("--print-architecture"))?;
    let architecture = architecture.trim();
    let control = control(&tree, facts, architecture, &depends(&work, &tree)?)?;
    fs::write(tree.join("DEBIAN/control"), control)?;
    write_changelog(&tree, facts)?;
    let sums = "find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum > DEBIAN/md5sums";
    command::quiet(command::program("sh").args(["-c", sums]).current_dir(&tree))?;
    let package = work.join("package.deb");
    command::quiet(
        command::program("dpkg-deb")
            .env("SOURCE_DATE_EPOCH", &facts.time)
            .args(["--root-owner-group", "--uniform-compression", "-Znone"])
            .arg("--build")
            .arg(&tree)
            .arg(&package),
    )?;
    compress_members(&package, &work)?;
    let name = format!("{NAME}_{}-{REVISION}_{architecture}.deb", facts.version);
    moved(&package, out.join(name))
}

/// Compresses the members of a package. `dpkg-deb` could do so, but not with the filter for machine code, by which programs
/// are 7 % smaller.
fn compress_members(package: &Path, work: &Path) -> Result<()> {
    let members = ["debian-binary", "control.tar", "data.tar"];
    command::quiet(
        command::program("ar")
            .arg("x")
            .arg(package)
            .current_dir(work),
    )?;
    for member in &members[1..] {
        command::quiet(
            command::program("xz")
                // The dictionary holds the first program when the second one follows. Several threads would compress them
                // apart.
                .args(["--x86", "--lzma2=preset=9e,dict=64MiB", "--threads=1"])
                .arg(work.join(member)),
        )?;
    }
    fs::remove_file(package).with_context(|| package.display().to_string())?;
    command::quiet(
        command::program("ar")
            // Without owners and times.
            .args(["rcD"])
            .arg(package)
            .args(["debian-binary", "control.tar.xz", "data.tar.xz"])
            .current_dir(work),
    )
    .map(drop)
}

/// Writes the changelog of the package itself.
fn write_changelog(tree: &Path, facts: &Facts) -> Result<()> {
    let date = format!("--date=@{}", facts.time);
    let date = command::quiet(command::program("date").args(["--utc", "--rfc-email", &date]))?;
    let path = tree.join(format!("usr/share/doc/{NAME}/changelog.Debian"));
    let entry = format!(
        "{NAME} ({}-{REVISION}) unstable; urgency=medium\n\n  * A package of this version.\n\n -- {MAINTAINER}  {date}",
        facts.version
    );
    fs::write(&path, entry).with_context(|| path.display().to_string())?;
    compress(&path)
}

/// Returns the packages of the libraries that the programs load, with their versions.
fn depends(work: &Path, tree: &Path) -> Result<String> {
    // The tool reads only the name of the source from there.
    fs::create_dir_all(work.join("debian"))?;
    fs::write(
        work.join("debian/control"),
        format!("Source: {NAME}\n\nPackage: {NAME}\nArchitecture: any\n"),
    )?;
    let mut shlibdeps = command::program("dpkg-shlibdeps");
    shlibdeps.current_dir(work).arg("-O");
    for name in PROGRAMS {
        shlibdeps.arg(format!("-e{}", tree.join("usr/bin").join(name).display()));
    }
    let found = command::quiet(&mut shlibdeps)?;
    let line = found
        .lines()
        .find_map(|line| line.strip_prefix("shlibs:Depends="));
    Ok(line
        .context("dpkg-shlibdeps names no libraries")?
        .to_owned())
}

fn control(tree: &Path, facts: &Facts, architecture: &str, depends: &str) -> Result<String> {
    let size = command::quiet(
        command::program("du")
            .args(["-sk", "--apparent-size"])
            .arg(tree),
    )?;
    let size = size.split_whitespace().next().context("du prints a size")?;
    Ok(format!(
        "Package: {NAME}\n\
         Version: {}-{REVISION}\n\
         Architecture: {architecture}\n\
         Maintainer: {MAINTAINER}\n\
         Installed-Size: {size}\n\
         Depends: {depends}\n\
         Recommends: fonts-noto-cjk, gstreamer1.0-plugins-good, xdg-desktop-portal\n\
         Section: text\n\
         Priority: optional\n\
         Homepage: {HOMEPAGE}\n\
         Description: {SUMMARY}\n{}",
        facts.version,
        wrapped(DESCRIPTION, " ")
    ))
}
