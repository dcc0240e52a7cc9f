//! Conversions of errors of imports from other programs, and of repairs, to responses.

use fumikura_convert::ReadError;
use fumikura_wiki::{MigrationError, RepairError, StorageError};

use super::{ApiError, ErrorCode};

impl From<ReadError> for ApiError {
    fn from(error: ReadError) -> Self {
        let message = error.to_string();
        match error {
            ReadError::Cancelled => Self::new(ErrorCode::Cancelled, message),
            ReadError::TooManyFiles(_) => Self::new(ErrorCode::TooLarge, message),
            ReadError::TooMuch(limit) => Self::new(ErrorCode::TooLarge, message).limit(limit),
            ReadError::Password => Self::new(ErrorCode::SourceEncrypted, message),
            ReadError::Unknown => Self::new(ErrorCode::UnknownSource, message),
            ReadError::Damaged(_) | ReadError::Source(_) => {
                Self::new(ErrorCode::InvalidSource, message)
            }
            ReadError::Spool(error) => StorageError::from(error).into(),
        }
    }
}

impl From<RepairError> for ApiError {
    fn from(error: RepairError) -> Self {
        let message = error.to_string();
        match error {
            RepairError::Cancelled => Self::new(ErrorCode::Cancelled, message),
            RepairError::NotCopied(_) => Self::new(ErrorCode::NotRepaired, message),
            RepairError::Storage(error) => error.into(),
        }
    }
}

impl From<MigrationError> for ApiError {
    fn from(error: MigrationError) -> Self {
        let message = error.to_string();
        match error {
            MigrationError::NotFound => Self::new(ErrorCode::ImportNotFound, message),
            MigrationError::Undone => Self::new(ErrorCode::ImportUndone, message),
            MigrationError::NoUser => Self::new(ErrorCode::NoUser, message),
            MigrationError::Cancelled => Self::new(ErrorCode::Cancelled, message),
            MigrationError::Changed | MigrationError::PageChanged => {
                Self::new(ErrorCode::PreconditionFailed, message)
            }
            MigrationError::NoSuchText => Self::new(ErrorCode::ImportNotFound, message),
            MigrationError::Locked => Self::new(ErrorCode::LockRequired, message),
            MigrationError::TooLong { path, .. } => {
                Self::new(ErrorCode::TooLarge, message).at(&path)
            }
            MigrationError::Content { .. } => Self::new(ErrorCode::InvalidSource, message),
            MigrationError::Storage(error) => error.into(),
        }
    }
}
