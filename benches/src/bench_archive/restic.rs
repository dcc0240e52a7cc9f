//! Backups by restic, a deduplicating backup program.

use std::io;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::peers::run;

/// restic, if it is installed.
pub(crate) struct Restic;

impl Restic {
    pub(crate) fn find() -> Result<Option<Self>> {
        match Command::new("restic").arg("version").output() {
            Ok(output) => {
                let version = String::from_utf8_lossy(&output.stdout);
                println!("compared with {}", version.trim());
                Ok(Some(Self))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                println!(
                    "restic is not installed, so backups are not compared with it: \
                     `apt-get install restic` provides it on Debian"
                );
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn create(&self, repository: &Path) -> Result<()> {
        run(self.command(repository).arg("init"))
    }

    pub(crate) fn back_up(&self, repository: &Path, folder: &Path) -> Result<()> {
        run(self.command(repository).arg("backup").arg(folder))
    }

    /// Reads everything again, as a proof of ours does.
    pub(crate) fn check(&self, repository: &Path) -> Result<()> {
        run(self.command(repository).args(["check", "--read-data"]))
    }

    /// Removes all backups but the last one.
    pub(crate) fn prune(&self, repository: &Path) -> Result<()> {
        let forget = ["forget", "--keep-last", "1", "--prune"];
        run(self.command(repository).args(forget))
    }

    fn command(&self, repository: &Path) -> Command {
        let mut command = Command::new("restic");
        command
            .args(["--quiet", "--no-cache", "--repo"])
            .arg(repository)
            .env("RESTIC_PASSWORD", "measurement");
        command
    }
}
