//! The conversion of the errors of reorganizing pages to responses.

use fumikura_wiki::ReorganizeError;

use super::{ApiError, ErrorCode};

impl From<ReorganizeError> for ApiError {
    fn from(error: ReorganizeError) -> Self {
        let message = error.to_string();
        match error {
            ReorganizeError::Page(error) => error.into(),
            ReorganizeError::NoUser => Self::new(ErrorCode::NoUser, message),
            ReorganizeError::RootProtected => Self::new(ErrorCode::RootProtected, message),
            ReorganizeError::InvalidTag(_) => Self::new(ErrorCode::InvalidTag, message),
            ReorganizeError::IntoItself => Self::new(ErrorCode::IntoItself, message),
            ReorganizeError::TooLarge(_) => Self::new(ErrorCode::TooLarge, message),
            ReorganizeError::Changed(path) => {
                Self::new(ErrorCode::PreconditionFailed, message).at(&path)
            }
            ReorganizeError::Path(error) => error.into(),
            ReorganizeError::Taken(error) => error.into(),
            ReorganizeError::Restore(error) => error.into(),
            ReorganizeError::Gate(error) => error.into(),
            ReorganizeError::Asset(error) => error.into(),
            ReorganizeError::Storage(error) => error.into(),
        }
    }
}
