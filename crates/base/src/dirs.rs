//! The three folders of the application, by the XDG base directories.

use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The folder's name beneath each base directory.
const APPLICATION: &str = "fumikura";

/// An error if the environment names no home folder, so that no folder can be determined.
#[derive(Debug, thiserror::Error)]
#[error("the home folder is unknown: set HOME, or specify the folders with --data and --cache")]
pub struct NoHome;

/// The application's folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppDirs {
    /// Persistent data: `$XDG_DATA_HOME/fumikura`.
    pub data: PathBuf,
    /// Data that can be made again: `$XDG_CACHE_HOME/fumikura`.
    pub cache: PathBuf,
    /// Settings made by hand: `$XDG_CONFIG_HOME/fumikura`.
    pub config: PathBuf,
}

impl AppDirs {
    /// Returns the folders of the user who started the program.
    ///
    /// # Errors
    /// [`NoHome`] if the environment names no home folder.
    pub fn of_the_user() -> Result<Self, NoHome> {
        let base = etcetera::choose_base_strategy().map_err(|_| NoHome)?;
        Ok(Self {
            data: base.data_dir().join(APPLICATION),
            cache: base.cache_dir().join(APPLICATION),
            config: base.config_dir().join(APPLICATION),
        })
    }
}
