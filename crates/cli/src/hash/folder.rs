//! The hash folder that a command is about.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use fumikura_base::dirs::AppDirs;
use fumikura_hashes::{HashFolder, OpenError};

#[derive(Args)]
pub(super) struct Folder {
    /// Hash folder; the data folder's “hashes” if none is named
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

    /// Opens it to read it.
    pub(super) fn open(&self) -> anyhow::Result<HashFolder> {
        Ok(HashFolder::open(&self.path()?)?)
    }

    /// Opens it to write into it, making it if it is not there.
    pub(super) fn create(&self, foreign: bool) -> anyhow::Result<HashFolder> {
        match HashFolder::create(&self.path()?) {
            Ok(folder) => Ok(folder),
            Err(OpenError::Foreign(folder)) if foreign => Ok(HashFolder::open(&folder)?),
            Err(error @ OpenError::Foreign(_)) => {
                bail!("{error}: add --foreign to write there all the same")
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The longest name in it; in a folder that is not there yet, the longest that any has.
    pub(super) fn name_limit(&self) -> usize {
        let folder = self.open();
        folder.map_or(fumikura_hashes::MAX_NAME, |folder| folder.name_limit())
    }
}
