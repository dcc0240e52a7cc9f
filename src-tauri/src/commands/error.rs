//! The error of a command.

use fumikura_server::{ErrorBody, ErrorCode};
use serde::Serialize;
use serde_json::Value;

/// An error in the form of the REST interface; `code` is for the page, `message` for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct CommandError(Value);

impl CommandError {
    /// Returns the error for a request that is not allowed.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        ErrorBody::new(ErrorCode::BadRequest, message.into()).into()
    }

    /// Returns the error for a failure of the system.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        ErrorBody::new(ErrorCode::Internal, message.into()).into()
    }
}

impl From<ErrorBody> for CommandError {
    fn from(body: ErrorBody) -> Self {
        Self(serde_json::to_value(body).expect("BUG: an error is plain JSON"))
    }
}

impl From<Value> for CommandError {
    fn from(body: Value) -> Self {
        Self(body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_has_the_form_of_the_contract() {
        let error = serde_json::to_value(CommandError::bad_request("No.")).unwrap();
        assert_eq!(
            error,
            serde_json::json!({ "code": "bad_request", "message": "No." })
        );
    }
}
