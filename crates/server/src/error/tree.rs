//! Conversions of the errors of renaming, deleting and restoring to responses.

use fumikura_wiki::{DeleteError, InvalidPath, PathTaken, RenameError, RestoreError};

use super::{ApiError, ErrorCode};

impl From<PathTaken> for ApiError {
    fn from(error: PathTaken) -> Self {
        let message = error.to_string();
        match error {
            PathTaken::Page(path) => Self::new(ErrorCode::PathTaken, message).at(&path),
            PathTaken::Draft {
                path,
                user_name,
                expire,
                ..
            } => Self::held(ErrorCode::PathTaken, message, user_name, expire).at(&path),
        }
    }
}

impl From<RenameError> for ApiError {
    fn from(error: RenameError) -> Self {
        let message = error.to_string();
        match error {
            RenameError::NotFound => Self::new(ErrorCode::PageNotFound, message),
            RenameError::NoUser => Self::new(ErrorCode::NoUser, message),
            RenameError::Draft => Self::new(ErrorCode::Draft, message),
            RenameError::Deleted => Self::new(ErrorCode::Deleted, message),
            RenameError::RootProtected => Self::new(ErrorCode::RootProtected, message),
            RenameError::IntoItself { .. } => Self::new(ErrorCode::IntoItself, message),
            RenameError::InvalidPath { path, reason } => invalid(reason, message).at(&path),
            RenameError::Taken(error) => error.into(),
            RenameError::Gate(error) => error.into(),
            RenameError::Storage(error) => error.into(),
        }
    }
}

impl From<DeleteError> for ApiError {
    fn from(error: DeleteError) -> Self {
        let message = error.to_string();
        match error {
            DeleteError::NotFound => Self::new(ErrorCode::PageNotFound, message),
            DeleteError::NoUser => Self::new(ErrorCode::NoUser, message),
            DeleteError::Deleted => Self::new(ErrorCode::Deleted, message),
            DeleteError::RootProtected => Self::new(ErrorCode::RootProtected, message),
            DeleteError::Gate(error) => error.into(),
            DeleteError::Storage(error) => error.into(),
        }
    }
}

impl From<RestoreError> for ApiError {
    fn from(error: RestoreError) -> Self {
        let message = error.to_string();
        match error {
            RestoreError::NotFound => Self::new(ErrorCode::PageNotFound, message),
            RestoreError::Draft => Self::new(ErrorCode::Draft, message),
            RestoreError::NotDeleted => Self::new(ErrorCode::NotDeleted, message),
            RestoreError::InvalidPath { path, reason } => invalid(reason, message).at(&path),
            RestoreError::Taken(error) => error.into(),
            RestoreError::FileNameTaken(_) => Self::new(ErrorCode::FileNameTaken, message),
            RestoreError::Gate(error) => error.into(),
            RestoreError::Storage(error) => error.into(),
        }
    }
}

/// Converts the error of an invalid path that one of several pages would get.
fn invalid(reason: InvalidPath, message: String) -> ApiError {
    ApiError::new(ApiError::from(reason).code(), message)
}
