//! The reasons why the application did not start, worded for the user.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use fumikura_albums::OpenAlbumsError;
use fumikura_base::exposure::Exposure;
use fumikura_fs::AddRootError;
use fumikura_pictures::OpenError as PicturesError;
use fumikura_thumbs::CacheFolderError;
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
    /// The database is gone, but other data of the wiki are there: an empty wiki must not take its place silently.
    #[error(
        "{} is missing, but other data of a wiki are there. Nothing was changed. {}",
        .database.display(), missing_advice(.command.as_deref())
    )]
    Missing {
        /// The place of the database.
        database: PathBuf,
        /// The command that goes back to the newest proved backup; `None` if there is no backup.
        command: Option<String>,
    },
    /// The cache folder can't be created.
    #[error("the cache folder {} can't be used: {source}", .path.display())]
    Cache {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
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

/// The kind of a failed start, by what a user can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartFault {
    /// A flag, a variable or a key has an invalid value.
    Setting,
    /// The configuration file can't be read.
    SettingsFile,
    /// The environment names no home folder.
    NoHome,
    /// Another process has the data open.
    InUse,
    /// The file system of the data has no locks.
    NoLocks,
    /// There is no space left on the disk of the data.
    DiskFull,
    /// The data can't be written.
    ReadOnly,
    /// A folder can't be created or read for another reason.
    Folder,
    /// Another user could change a folder.
    Exposed,
    /// A newer version wrote the data.
    TooNew,
    /// A version before the first release wrote the data.
    TooOld,
    /// The database is damaged.
    Damaged,
    /// The database is gone.
    Missing,
    /// The disk failed.
    DiskFailed,
    /// The disk of the cache is full, read-only or missing.
    CacheDisk,
    /// The thumbnails' folder holds other files.
    Thumbnails,
    /// The list of open folders can't be used.
    Roots,
    /// The address can't be listened on.
    Address,
    /// The user of `--user` can't be used.
    User,
    /// The system has no more threads.
    Threads,
}

impl StartError {
    /// Returns the kind of the failure.
    #[must_use]
    pub fn fault(&self) -> StartFault {
        match self {
            Self::Config(ConfigError::BadValue { .. }) | Self::Allow { .. } => StartFault::Setting,
            Self::Config(ConfigError::BadFile { .. }) => StartFault::SettingsFile,
            Self::Config(ConfigError::NoHome(_)) => StartFault::NoHome,
            Self::DataInUse(_) => StartFault::InUse,
            Self::Folder { source, .. } | Self::Albums(OpenAlbumsError(source)) => {
                StartFault::of_folder(source)
            }
            Self::Exposed(_) => StartFault::Exposed,
            Self::Database(error) => StartFault::of_database(error),
            Self::Damaged { source, .. } => StartFault::of_database(source),
            Self::Missing { .. } => StartFault::Missing,
            Self::Cache { .. }
            | Self::Thumbnails(PicturesError::Cache(CacheFolderError::Io { .. })) => {
                StartFault::CacheDisk
            }
            Self::Thumbnails(PicturesError::Cache(
                CacheFolderError::Foreign(_) | CacheFolderError::NotAFolder(_),
            )) => StartFault::Thumbnails,
            Self::Thumbnails(PicturesError::Roots(_)) => StartFault::Roots,
            Self::Thumbnails(PicturesError::Threads(_)) | Self::Runtime(_) => StartFault::Threads,
            Self::User(_) | Self::UnknownUser(_) => StartFault::User,
            Self::Storage(error) => StartFault::of_storage(error),
            Self::AddressTaken(_) | Self::Listen { .. } => StartFault::Address,
        }
    }
}

impl StartFault {
    fn of_database(error: &OpenError) -> Self {
        match error {
            OpenError::InUse(_) => Self::InUse,
            OpenError::NoLocks(_) => Self::NoLocks,
            OpenError::TooNew { .. } => Self::TooNew,
            OpenError::TooOld { .. } => Self::TooOld,
            OpenError::NotOurs { .. } | OpenError::Damaged { .. } => Self::Damaged,
            OpenError::Storage { source, .. } => Self::of_storage(source),
        }
    }

    fn of_storage(error: &StorageError) -> Self {
        match error {
            StorageError::DiskFull(_) => Self::DiskFull,
            StorageError::ReadOnly(_) => Self::ReadOnly,
            StorageError::Io(_) | StorageError::Database(_) => Self::DiskFailed,
            StorageError::Damaged { .. } => Self::Damaged,
        }
    }

    fn of_folder(error: &io::Error) -> Self {
        match StorageError::from(io::Error::from(error.kind())) {
            StorageError::DiskFull(_) => Self::DiskFull,
            StorageError::ReadOnly(_) => Self::ReadOnly,
            StorageError::Io(_) | StorageError::Database(_) | StorageError::Damaged { .. } => {
                Self::Folder
            }
        }
    }
}

fn missing_advice(command: Option<&str>) -> String {
    match command {
        Some(command) => format!("To go back to the newest backup, run “{command}”"),
        None => "To start a new wiki, choose another data folder".to_owned(),
    }
}

impl From<OpenError> for StartError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::InUse(path) => {
                Self::DataInUse(path.parent().map(PathBuf::from).unwrap_or(path))
            }
            error @ (OpenError::NoLocks(_)
            | OpenError::TooNew { .. }
            | OpenError::TooOld { .. }
            | OpenError::NotOurs { .. }
            | OpenError::Damaged { .. }
            | OpenError::Storage { .. }) => Self::Database(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_folder(kind: io::ErrorKind, expected: StartFault) {
        let error = StartError::Folder {
            path: "/data".into(),
            source: kind.into(),
        };
        assert_eq!(error.fault(), expected, "{kind}");
    }

    #[test]
    fn folder_fault_tells_the_disk_apart() {
        check_folder(io::ErrorKind::StorageFull, StartFault::DiskFull);
        check_folder(io::ErrorKind::QuotaExceeded, StartFault::DiskFull);
        check_folder(io::ErrorKind::ReadOnlyFilesystem, StartFault::ReadOnly);
        check_folder(io::ErrorKind::PermissionDenied, StartFault::ReadOnly);
        check_folder(io::ErrorKind::NotADirectory, StartFault::Folder);
    }
}
