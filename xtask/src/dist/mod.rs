//! `cargo xtask dist`: the packages.
//!
//! One tree of files is staged, and each packer (deb, rpm, tar) takes it as it is. The same sources give the same bytes:
//! every file has the time of the last commit.

mod archive;
mod deb;
mod lint;
mod rpm;
mod sbom;
pub(crate) mod size;
mod stage;
pub(crate) mod trial;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::build::{self, Profile};
use crate::{command, install, output, paths};

use stage::Stage;

/// The maximum size of the Debian package, in bytes.
const MAX_DEB: u64 = 15_000_000;

/// The facts about the application in the packages.
struct Facts {
    version: String,
    /// The time of the last commit, in seconds since 1970: that of every file in the packages.
    time: String,
}

const NAME: &str = "fumikura";
const APP_ID: &str = "app.fumikura.Fumikura";
const SUMMARY: &str = "personal wiki, picture browser and inspector of hash records";
const DESCRIPTION: &str = "Fumikura keeps a personal wiki on your own computer, shows your folders of \
pictures, and proves by hash records that files have not changed. It works offline; nothing leaves the machine.";
const MAINTAINER: &str = "The Fumikura authors <authors@fumikura.app>";
const HOMEPAGE: &str = "https://fumikura.app/";

#[derive(clap::Args)]
pub(crate) struct DistTaskOptions {
    /// Pack the programs that are built, without building them
    #[arg(long)]
    built: bool,
    /// Pack twice, and fail if the packages differ
    #[arg(long)]
    twice: bool,
}

pub(crate) fn run(options: &DistTaskOptions) -> Result<()> {
    install::for_building()?;
    install::apt::ensure(install::apt::PACKAGING)?;
    match options.built {
        true => build::derive_headless()?,
        false => build::programs(Profile::Release)?,
    }
    let facts = Facts::gather()?;
    let packages = pack(&facts, &paths::target().join("dist"))?;
    for package in &packages {
        let size = fs::metadata(package)?.len();
        let mebibytes = size as f64 / f64::from(1 << 20);
        output::step(
            "package",
            format!("{}, {mebibytes:.1} MiB", package.display()),
        );
        if is_deb(package) && size > MAX_DEB {
            let aim = MAX_DEB / 1_000_000;
            output::step(
                "package",
                format!("larger than {aim} MB: see `cargo xtask bench size`"),
            );
        }
    }
    lint::check(&packages)?;
    if options.twice {
        compare(
            &packages,
            &pack(&facts, &paths::target().join("dist-again"))?,
        )?;
    }
    Ok(())
}

/// Fills a new folder with the packages.
fn pack(facts: &Facts, out: &Path) -> Result<[PathBuf; 3]> {
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| out.display().to_string())?;
    }
    fs::create_dir_all(out)?;
    let stage = Stage::fill(out.join("stage"), facts)?;
    check_metadata(&stage)?;
    Ok([
        deb::pack(&stage, facts, out)?,
        rpm::pack(&stage, facts, out)?,
        archive::pack(&stage, facts, out)?,
    ])
}

/// Fails if a package of the second packing differs from that of the first.
fn compare(first: &[PathBuf], second: &[PathBuf]) -> Result<()> {
    for (first, second) in first.iter().zip(second) {
        let is_same =
            first.file_name() == second.file_name() && fs::read(first)? == fs::read(second)?;
        if !is_same {
            bail!("{} and {} differ", first.display(), second.display());
        }
    }
    output::step("package", "two packings have the same bytes");
    Ok(())
}

fn is_deb(package: &Path) -> bool {
    package.extension().is_some_and(|name| name == "deb")
}

impl Facts {
    fn gather() -> Result<Self> {
        let time = command::quiet(command::program("git").args(["log", "-1", "--format=%ct"]))?;
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            time: time.trim().to_owned(),
        })
    }
}

/// Checks the files that other programs read, with the programs that define what is right.
fn check_metadata(stage: &Stage) -> Result<()> {
    command::quiet(
        command::program("desktop-file-validate")
            .arg("--warn-kde")
            .arg(
                stage
                    .path("usr/share/applications")
                    .join(format!("{APP_ID}.desktop")),
            ),
    )?;
    let metainfo = stage
        .path("usr/share/metainfo")
        .join(format!("{APP_ID}.metainfo.xml"));
    command::quiet(
        command::program("appstreamcli")
            .args(["validate", "--no-net", "--explain"])
            .arg(metainfo),
    )?;
    Ok(())
}

/// Returns the one file that a packer has written, under its final name.
fn moved(from: &Path, to: PathBuf) -> Result<PathBuf> {
    if !from.is_file() {
        bail!("{} was not written", from.display());
    }
    fs::rename(from, &to).with_context(|| to.display().to_string())?;
    Ok(to)
}

/// The width of the lines of a description.
const WIDTH: usize = 78;

/// Returns a text in lines that begin with `indent`.
fn wrapped(text: &str, indent: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            lines += &format!("{indent}{}\n", line.trim_start());
            line.clear();
        }
        line += " ";
        line += word;
    }
    lines + &format!("{indent}{}\n", line.trim_start())
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::*;

    #[test]
    fn packages_with_other_bytes_differ() {
        let folder = tempfile::tempdir().expect("a folder");
        let [first, second] =
            ["first", "second"].map(|name| folder.path().join(name).join("a.deb"));
        for package in [&first, &second] {
            fs::create_dir_all(package.parent().expect("it lies in a folder")).expect("created");
            fs::write(package, "same").expect("written");
        }
        let compared = || compare(slice::from_ref(&first), slice::from_ref(&second));
        assert!(compared().is_ok());
        fs::write(&second, "other").expect("written");
        assert!(compared().is_err());
    }

    #[test]
    fn description_is_wrapped_after_whole_words() {
        let text = wrapped(DESCRIPTION, " ");
        let fits = |line: &str| line.len() <= 1 + WIDTH && line.starts_with(' ');
        assert!(text.lines().all(fits));
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(words.join(" "), DESCRIPTION);
    }
}
