//! What a command answers when it can't do what it was asked.

use serde::Serialize;

/// An error as the contract has it; `code` is for the page, `message` for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct CommandError {
    code: Code,
    message: String,
}

/// The codes of REST's closed list that commands use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Code {
    BadRequest,
    Internal,
}

impl CommandError {
    /// The page asked for something that is not allowed.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self {
            code: Code::BadRequest,
            message: message.into(),
        }
    }

    /// The system did not do its part.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self {
            code: Code::Internal,
            message: message.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_the_form_of_the_contract() {
        let error = serde_json::to_value(CommandError::bad_request("No.")).unwrap();
        assert_eq!(
            error,
            serde_json::json!({ "code": "bad_request", "message": "No." })
        );
    }
}
