//! The package for Fedora, openSUSE and their relatives.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::stage::Stage;
use super::{DESCRIPTION, Facts, HOMEPAGE, MAINTAINER, NAME, SUMMARY, moved, wrapped};
use crate::command;

pub(super) fn pack(stage: &Stage, facts: &Facts, out: &Path) -> Result<PathBuf> {
    let work = out.join("rpm");
    fs::create_dir_all(&work)?;
    let spec = work.join("fumikura.spec");
    fs::write(&spec, spec_of(stage, facts)?)?;
    command::quiet(
        command::program("rpmbuild")
            .env("SOURCE_DATE_EPOCH", &facts.time)
            .arg("-bb")
            .args(["--define", &format!("_topdir {}", work.display())])
            .arg(&spec),
    )?;
    let folder = fs::read_dir(work.join("RPMS"))?.next();
    let folder = folder.context("rpmbuild has written no package")??.path();
    let package = fs::read_dir(&folder)?.next();
    let package = package.context("rpmbuild has written no package")??;
    let name = package.file_name();
    moved(&package.path(), out.join(name))
}

/// Returns the description of a package of files that are built already.
fn spec_of(stage: &Stage, facts: &Facts) -> Result<String> {
    let Facts { version, time } = facts;
    let date = command::quiet(command::program("date").env("LC_ALL", "C").args([
        "--utc",
        &format!("--date=@{time}"),
        "+%a %b %d %Y",
    ]))?;
    // Unlike Debian's, these summaries begin with a capital letter.
    let summary = SUMMARY[..1].to_uppercase() + &SUMMARY[1..];
    let tree = stage.path("usr");
    let tree = tree.display();
    Ok(format!(
        "Name: {NAME}\n\
         Version: {version}\n\
         Release: 1\n\
         Summary: {summary}\n\
         License: MIT OR Apache-2.0\n\
         URL: {HOMEPAGE}\n\
         Group: Applications/Text\n\
         Packager: {MAINTAINER}\n\
         Recommends: gstreamer1-plugins-good\n\
         %global debug_package %{{nil}}\n\
         %global __strip /bin/true\n\
         %global __brp_compress %{{nil}}\n\
         %global _build_id_links none\n\
         %global _buildhost localhost\n\
         %global use_source_date_epoch_as_buildtime 1\n\
         %global clamp_mtime_to_source_date_epoch 1\n\
         %global _binary_payload w9.xzdio\n\
         \n\
         %description\n\
         {}\
         \n\
         %install\n\
         mkdir -p %{{buildroot}}\n\
         cp -a {tree} %{{buildroot}}/usr\n\
         mv %{{buildroot}}/usr/share/zsh/vendor-completions %{{buildroot}}/usr/share/zsh/site-functions\n\
         touch --date=@{} %{{buildroot}}/usr/share/zsh\n\
         \n\
         %files\n\
         /usr/bin/*\n\
         /usr/lib/systemd/user/*\n\
         /usr/share/applications/*\n\
         /usr/share/bash-completion/completions/*\n\
         /usr/share/fish/vendor_completions.d/*\n\
         /usr/share/icons/hicolor/*/apps/*\n\
         /usr/share/metainfo/*\n\
         /usr/share/zsh/site-functions/*\n\
         %doc /usr/share/doc/{NAME}\n\
         %doc /usr/share/man/man1/*\n\
         \n\
         %changelog\n\
         * {} {MAINTAINER} - {version}-1\n\
         - A package of this version.\n",
        wrapped(DESCRIPTION, ""),
        time,
        date.trim(),
    ))
}
