//! Errors of the database, sorted by what a person can do about them.

use std::io;
use std::path::{Path, PathBuf};

use super::medium::NoLocks;

/// A failed transaction. It was not acknowledged: none of it happened, or, if the disk failed at the very last
/// step, all of it; never a part.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// There is no space left on the data's disk.
    #[error("the disk is full")]
    DiskFull(#[source] io::Error),
    /// The data may be read but not written.
    #[error("the data can't be written: it is read-only")]
    ReadOnly(#[source] io::Error),
    /// The disk or the file system failed in another way.
    #[error("the disk failed: {0}")]
    Io(#[source] io::Error),
    /// A record can't be decoded as its type.
    #[error("a record of the table {table} is damaged: {reason}")]
    Damaged {
        /// The table's name.
        table: &'static str,
        reason: String,
    },
    /// The database refused in a way that no caller can handle.
    #[error("the database failed: {0}")]
    Database(#[source] redb::Error),
}

/// The database can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it open.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// Its file system has no locks that would keep other processes out.
    #[error(
        "{} is on a file system without locks, where two programs could destroy it; use a data folder on another disk",
        .0.display()
    )]
    NoLocks(PathBuf),
    /// It was written by a newer version of the program.
    #[error("{} was written by a newer version (its schema is {found}, this version knows {supported})", .path.display())]
    TooNew {
        /// The database.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// The latest schema version that this program knows.
        supported: u32,
    },
    /// It was written by an earlier version of the program, whose schema this one does not read.
    #[error(
        "{} was written by an earlier version (its schema is {found}, this version needs {needed}). \
         Nothing was changed. Export the pages with that version, and import the archive into a new wiki",
        .path.display()
    )]
    TooOld {
        /// The database.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// The schema version that this program reads.
        needed: u32,
    },
    /// The file is not a database of this program.
    #[error("{} is damaged or no database of Fumikura: {reason}", .path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        reason: String,
    },
    /// It is a database with invalid contents. Nothing was changed.
    #[error(
        "{} is damaged: {reason}. Nothing was changed",
        .path.display()
    )]
    Damaged {
        /// The database.
        path: PathBuf,
        reason: String,
    },
    /// Reading or writing it failed.
    #[error("{} can't be opened: {source}", .path.display())]
    Storage {
        /// The database.
        path: PathBuf,
        /// The cause.
        source: StorageError,
    },
}

impl StorageError {
    /// Returns the error for invalid contents of the database; `message` describes them.
    pub(crate) fn corrupted(message: String) -> Self {
        Self::Database(redb::Error::Corrupted(message))
    }

    /// Describes the damage if the database's contents cause the error, rather than the disk or a temporary
    /// condition.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "redb's errors and io::ErrorKind are open; the rest is no damage"
    )]
    pub(crate) fn damage(&self) -> Option<String> {
        use redb::Error as Redb;
        match self {
            Self::Damaged { .. } => Some(self.to_string()),
            Self::Database(error) => match error {
                Redb::Corrupted(reason) => Some(reason.clone()),
                Redb::TableDoesNotExist(_)
                | Redb::TableTypeMismatch { .. }
                | Redb::TableIsMultimap(_)
                | Redb::TableIsNotMultimap(_)
                | Redb::TypeDefinitionChanged { .. }
                | Redb::RepairAborted => Some(error.to_string()),
                _ => None,
            },
            Self::Io(error) => match error.kind() {
                io::ErrorKind::UnexpectedEof => Some("its file ends too early".to_owned()),
                io::ErrorKind::InvalidData => Some(error.to_string()),
                _ => None,
            },
            Self::DiskFull(_) | Self::ReadOnly(_) => None,
        }
    }
}

impl OpenError {
    /// True if the file is damaged, can't be read, or is something else, so that only a backup helps.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::NotOurs { .. } | Self::Damaged { .. } => true,
            Self::Storage { source, .. } => matches!(source, StorageError::Io(_)),
            Self::InUse(_) | Self::NoLocks(_) | Self::TooNew { .. } | Self::TooOld { .. } => false,
        }
    }

    /// Converts a failure of the first use of the database.
    pub(crate) fn failure(path: &Path, source: StorageError) -> Self {
        let path = path.to_owned();
        match source.damage() {
            Some(reason) => Self::Damaged { path, reason },
            None => Self::Storage { path, source },
        }
    }

    /// Converts redb's refusal to open the file.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "redb's errors are open; the rest is storage that failed"
    )]
    pub(super) fn refusal(path: &Path, error: redb::DatabaseError) -> Self {
        use redb::DatabaseError as Redb;
        let not_ours = |reason: String| Self::NotOurs {
            path: path.to_owned(),
            reason,
        };
        match error {
            Redb::DatabaseAlreadyOpen => Self::InUse(path.to_owned()),
            Redb::Storage(redb::StorageError::Io(error))
                if error.get_ref().is_some_and(|cause| cause.is::<NoLocks>()) =>
            {
                Self::NoLocks(path.to_owned())
            }
            Redb::UpgradeRequired(version) => not_ours(format!(
                "its file format is version {version}, which is too old"
            )),
            Redb::Storage(redb::StorageError::Io(error))
                if error.kind() == io::ErrorKind::InvalidData =>
            {
                not_ours(error.to_string())
            }
            other => Self::failure(path, other.into()),
        }
    }
}

impl From<io::Error> for StorageError {
    fn from(error: io::Error) -> Self {
        use io::ErrorKind as Kind;
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "io::ErrorKind is open; the rest is a failing disk"
        )]
        match error.kind() {
            Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => Self::DiskFull(error),
            Kind::ReadOnlyFilesystem | Kind::PermissionDenied => Self::ReadOnly(error),
            _ => Self::Io(error),
        }
    }
}

/// Converts every error of redb's methods through redb's single sum type.
impl From<redb::Error> for StorageError {
    fn from(error: redb::Error) -> Self {
        if let redb::Error::Io(error) = error {
            error.into()
        } else {
            Self::Database(error)
        }
    }
}

macro_rules! convert_through_sum_type {
    ($($error:ty),+) => {$(
        impl From<$error> for StorageError {
            fn from(error: $error) -> Self {
                redb::Error::from(error).into()
            }
        }
    )+};
}

convert_through_sum_type!(
    redb::StorageError,
    redb::TableError,
    redb::TransactionError,
    redb::CommitError,
    redb::DatabaseError,
    redb::SetDurabilityError
);
