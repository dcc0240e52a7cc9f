//! Conversions of services' errors to responses.

use fumikura_vision::{Error, InvalidPicture};

use crate::error::{ApiError, ErrorCode};

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        let code = match &error {
            Error::NotConfigured(_) => ErrorCode::NotConfigured,
            Error::ModelGone { .. } => ErrorCode::ModelGone,
            Error::RateLimited { .. } => ErrorCode::VisionLimited,
            Error::Refused { .. } => ErrorCode::VisionRefused,
            Error::ModeNotSupported(_) => ErrorCode::ModeNotSupported,
            Error::Cancelled => ErrorCode::Cancelled,
            Error::Unreachable { .. } | Error::TimedOut { .. } => ErrorCode::VisionUnreachable,
            Error::Unauthorized { .. }
            | Error::BadRequest { .. }
            | Error::OutOfCredit { .. }
            | Error::EmptyAnswer
            | Error::MalformedAnswer(_)
            | Error::AnswerTooLarge { .. }
            | Error::Redirected { .. }
            | Error::UntrustedCertificate { .. }
            | Error::ServiceError { .. }
            | Error::CommandMissing { .. }
            | Error::CommandFailed { .. }
            | Error::CommandNotRun { .. }
            | Error::CommandFlooded { .. }
            | Error::CommandOverLimit(_) => ErrorCode::VisionFailed,
        };
        let refused = Self::new(code, &error)
            .with_reason(error.code())
            .quoting(error.service_message(), error.technical_detail());
        let Error::RateLimited {
            retry_after: Some(wait),
            ..
        } = error
        else {
            return refused;
        };
        refused.retry_after(wait.as_secs().saturating_add(1))
    }
}

impl From<InvalidPicture> for ApiError {
    fn from(error: InvalidPicture) -> Self {
        Self::new(ErrorCode::PictureUndecodable, error)
    }
}
