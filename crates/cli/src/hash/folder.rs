//! The hash folder that a command uses.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use fumikura_base::dirs::AppDirs;
use fumikura_hashes::{HashFolder, OpenError};

#[derive(Args)]
pub(super) struct Folder {
    /// Hash folder; by default “hashes” in the data folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Data folder
    #[arg(long, value_name = "DIR", conflicts_with = "dir")]
    data: Option<PathBuf>,
}

impl Folder {
    fn path(&self) -> anyhow::Result<PathBuf> {
        Ok(match (&self.dir, &self.data) {
            (Some(dir), _) => dir.clone(),
            (None, Some(data)) => data.join("hashes"),
            (None, None) => AppDirs::of_the_user()?.data.join("hashes"),
        })
    }

    /// Opens the folder for reading.
    pub(super) fn open(&self) -> anyhow::Result<HashFolder> {
        Ok(HashFolder::open(&self.path()?)?)
    }

    /// Opens the folder for writing, and creates it if it does not exist.
    pub(super) fn create(&self, foreign: bool) -> anyhow::Result<HashFolder> {
        match HashFolder::create(&self.path()?) {
            Ok(folder) => Ok(folder),
            Err(OpenError::Foreign(folder)) if foreign => Ok(HashFolder::open(&folder)?),
            Err(error @ OpenError::Foreign(_)) => {
                bail!("{error}: add --foreign to write there anyway")
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the length of the longest name that the folder may contain, or of any name if it does not exist
    /// yet.
    pub(super) fn name_limit(&self) -> usize {
        let folder = self.open();
        folder.map_or(fumikura_hashes::MAX_NAME, |folder| folder.name_limit())
    }
}
