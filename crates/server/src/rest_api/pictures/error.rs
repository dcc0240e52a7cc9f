//! The pictures' errors as answers, one exhaustive translation for each.

use std::io;

use fumikura_thumbs::{
    AccessError, AddRootError, DecodeError, ListQueryError, OriginalError, RemoveRootError,
    ThumbError, WorkerError,
};
use fumikura_wiki::StorageError;

use crate::error::{ApiError, ErrorCode};

impl From<AccessError> for ApiError {
    fn from(error: AccessError) -> Self {
        let code = match &error {
            AccessError::RootNotFound(_) => ErrorCode::RootNotFound,
            AccessError::FolderUnavailable { .. } => ErrorCode::FolderUnavailable,
            AccessError::InvalidPath(_) => ErrorCode::BadRequest,
            AccessError::OutsideRoots
            | AccessError::NotAFile(_)
            | AccessError::PermissionDenied => ErrorCode::OutsideRoots,
            AccessError::NotFound => ErrorCode::NotFound,
            AccessError::NotAFolder => ErrorCode::NotAFolder,
            AccessError::Io(_) => {
                return Self::internal(
                    ErrorCode::StorageFailed,
                    "The file could not be read.",
                    &error,
                );
            }
        };
        Self::new(code, error)
    }
}

impl From<OriginalError> for ApiError {
    fn from(error: OriginalError) -> Self {
        match error {
            OriginalError::Access(error) => error.into(),
            OriginalError::NotAPicture => Self::new(ErrorCode::NotAPicture, error),
        }
    }
}

impl From<DecodeError> for ApiError {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::NotAPicture
            | DecodeError::UnsupportedKind(_)
            | DecodeError::FileTooLarge { .. }
            | DecodeError::TooManyPixels { .. }
            | DecodeError::TooLarge(_)
            | DecodeError::Damaged(_)
            | DecodeError::Panicked
            | DecodeError::Crashed(_)
            | DecodeError::Killed
            | DecodeError::TimedOut(_)
            | DecodeError::Unanswered(_)
            | DecodeError::Unintelligible(_)
            | DecodeError::Io(_) => Self::new(ErrorCode::PictureUndecodable, error),
            DecodeError::NoDecoder(reason) if matches!(*reason, WorkerError::ShutDown) => {
                ThumbError::ShuttingDown.into()
            }
            // The workers told the log, once and not for each picture.
            DecodeError::NoDecoder(_) => Self::new(
                ErrorCode::DecoderUnavailable,
                "the program that decodes pictures can't be used; the log says why",
            ),
        }
    }
}

impl From<ThumbError> for ApiError {
    fn from(error: ThumbError) -> Self {
        match error {
            ThumbError::Access(error) => error.into(),
            ThumbError::Decode(error) => error.into(),
            ThumbError::Changing => Self::new(ErrorCode::SourceChanging, error),
            ThumbError::QueueFull => Self::new(ErrorCode::QueueFull, error),
            ThumbError::ShuttingDown => Self::new(ErrorCode::ShuttingDown, error),
            ThumbError::Storage(error) => {
                StorageError::from(io::Error::new(error.kind(), error)).into()
            }
            ThumbError::Failed => Self::internal(
                ErrorCode::Internal,
                "The thumbnail could not be made",
                &error,
            ),
        }
    }
}

impl From<AddRootError> for ApiError {
    fn from(error: AddRootError) -> Self {
        let code = match error {
            AddRootError::NotAbsolute => ErrorCode::BadRequest,
            AddRootError::NotFound | AddRootError::Folder(_) => ErrorCode::FolderUnavailable,
            AddRootError::NotAFolder => ErrorCode::NotAFolder,
            AddRootError::PermissionDenied | AddRootError::OutsideAllowed => {
                ErrorCode::OutsideRoots
            }
            AddRootError::Storage(error) => return StorageError::from(error).into(),
        };
        Self::new(code, error)
    }
}

impl From<RemoveRootError> for ApiError {
    fn from(error: RemoveRootError) -> Self {
        match error {
            RemoveRootError::Unknown(_) => Self::new(ErrorCode::RootNotFound, error),
            RemoveRootError::Storage(error) => StorageError::from(error).into(),
        }
    }
}

impl From<ListQueryError> for ApiError {
    fn from(error: ListQueryError) -> Self {
        Self::new(ErrorCode::BadRequest, error)
    }
}
