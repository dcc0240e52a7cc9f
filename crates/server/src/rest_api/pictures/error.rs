//! The pictures' errors as answers, one exhaustive translation for each.

use std::io;

use fumikura_thumbs::{
    AccessError, AddRootError, ListQueryError, OriginalError, RemoveRootError, ThumbError,
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

impl From<ThumbError> for ApiError {
    fn from(error: ThumbError) -> Self {
        match error {
            ThumbError::Access(error) => error.into(),
            ThumbError::Decode(error) => Self::new(ErrorCode::PictureUndecodable, error),
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
