//! The errors of bringing an archive in as answers.

use fumikura_wiki::ImportError;

use super::{ApiError, ErrorCode};

impl From<ImportError> for ApiError {
    fn from(error: ImportError) -> Self {
        let message = error.to_string();
        match error {
            ImportError::BrokenOff => Self::new(ErrorCode::Cancelled, message),
            ImportError::Invalid(_) => Self::new(ErrorCode::InvalidArchive, message),
            ImportError::Taken(error) => error.into(),
            ImportError::Locked {
                path,
                user_name,
                expire,
            } => Self::held(ErrorCode::Locked, message, user_name, expire).at(&path),
            ImportError::FileTooLarge { .. } | ImportError::TooMuch(_) => {
                Self::new(ErrorCode::TooLarge, message)
            }
            ImportError::NoUser => Self::new(ErrorCode::NoUser, message),
            ImportError::Storage(error) => error.into(),
        }
    }
}
