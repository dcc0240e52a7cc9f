//! An archive that is unpacked anywhere: both programs find each other in their own folder.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::stage::Stage;
use super::{Facts, NAME};
use crate::command;

pub(super) fn pack(stage: &Stage, facts: &Facts, out: &Path) -> Result<PathBuf> {
    let name = format!("{NAME}-{}-{}", facts.version, std::env::consts::ARCH);
    let archive = out.join(format!("{name}.tar.zst"));
    command::quiet(
        command::program("tar")
            .env("ZSTD_CLEVEL", "19")
            .args(["--create", "--zstd", "--sort=name", "--format=posix"])
            .args(["--owner=0", "--group=0", "--numeric-owner"])
            // Otherwise the archive would contain the process that wrote it.
            .arg("--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime")
            .arg(format!("--mtime=@{}", facts.time))
            .arg(format!("--transform=s,^usr,{name},"))
            .arg("--file")
            .arg(&archive)
            .arg("--directory")
            .arg(stage.path(""))
            .arg("usr"),
    )?;
    Ok(archive)
}
