//! The reasons why the application did not start, worded for the user.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use fumikura_albums::OpenAlbumsError;
use fumikura_base::exposure::Exposure;
use fumikura_fs::AddRootError;
use fumikura_pictures::OpenError as PicturesError;
use fumikura_wiki::{OpenError, RegisterError, StorageError};

use crate::config::ConfigError;

/// The reason why the application did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Another process has the data open.
    #[error("{} is in use: Fumikura is running already", .0.display())]
    DataInUse(PathBuf),
    /// A folder can't be created or written.
    #[error("the folder {} can't be used: {source}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Another user of the machine could change the contents of a folder.
    #[error("{0}")]
    Exposed(#[from] Exposure),
    /// The database can't be used.
    #[error(transparent)]
    Database(OpenError),
    /// The database is damaged, and there are backups.
    #[error(
        "{source}. To go back to the newest backup, run “{command}”; the damaged data are kept in a folder of their own"
    )]
    Damaged {
        /// The reason.
        source: Box<OpenError>,
        /// The command that goes back to the newest proved backup.
        command: String,
    },
    /// The thumbnails' folder or the list of roots can't be used.
    #[error(transparent)]
    Thumbnails(#[from] PicturesError),
    /// The albums can't be read.
    #[error(transparent)]
    Albums(#[from] OpenAlbumsError),
    /// A folder of `--allow` can't be read.
    #[error("the folder {} can't be opened: {source}", .path.display())]
    Allow {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: AddRootError,
    },
    /// The first user could not be registered.
    #[error("couldn't register the user: {0}")]
    User(#[from] RegisterError),
    /// Users are registered, but none with this name.
    #[error("there is no user named {0}")]
    UnknownUser(String),
    /// The wiki could not be read.
    #[error("couldn't read the wiki: {0}")]
    Storage(#[from] StorageError),
    /// The system can't create threads.
    #[error("couldn't start threads: {0}")]
    Runtime(#[source] io::Error),
    /// The address is taken.
    #[error("the address {0} is taken by another program")]
    AddressTaken(SocketAddr),
    /// The address can't be listened on.
    #[error("couldn't listen on {address}: {source}")]
    Listen {
        /// The address or the socket's path.
        address: String,
        /// The reason.
        source: io::Error,
    },
}

impl From<OpenError> for StartError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::InUse(path) => {
                Self::DataInUse(path.parent().map(PathBuf::from).unwrap_or(path))
            }
            error @ (OpenError::TooNew { .. }
            | OpenError::TooOld { .. }
            | OpenError::NotOurs { .. }
            | OpenError::Damaged { .. }
            | OpenError::Storage { .. }) => Self::Database(error),
        }
    }
}
