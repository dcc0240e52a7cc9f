//! Where things are kept: the three folders of the application, by the XDG base directories.

use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The folder's name beneath each base directory.
const APPLICATION: &str = "fumikura";

/// The machine tells of no home folder, so nothing has a place.
#[derive(Debug, thiserror::Error)]
#[error("no home folder is known: set HOME, or name the folders with --data and --cache")]
pub struct NoHome;

/// The application's folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppDirs {
    /// What must last: `$XDG_DATA_HOME/fumikura`.
    pub data: PathBuf,
    /// What can be made again: `$XDG_CACHE_HOME/fumikura`.
    pub cache: PathBuf,
    /// What the person sets by hand: `$XDG_CONFIG_HOME/fumikura`.
    pub config: PathBuf,
}

impl AppDirs {
    /// The folders of the person who started the program.
    ///
    /// # Errors
    /// [`NoHome`] when the environment names no home folder.
    pub fn of_the_user() -> Result<Self, NoHome> {
        let base = etcetera::choose_base_strategy().map_err(|_| NoHome)?;
        Ok(Self {
            data: base.data_dir().join(APPLICATION),
            cache: base.cache_dir().join(APPLICATION),
            config: base.config_dir().join(APPLICATION),
        })
    }
}
