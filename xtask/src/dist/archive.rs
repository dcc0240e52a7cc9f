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
            .args(["--create", "--sort=name", "--format=posix"])
            // The window of 128 MiB, the largest that is unpacked without an option, holds both programs.
            .arg("--use-compress-program=zstd -19 --long=27 --single-thread")
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
