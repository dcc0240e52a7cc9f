//! The errors of a question about a picture.

use std::fmt;
use std::time::Duration;

use crate::question::Mode;

/// The reason why a question was not answered. [`Error::code`] names each kind for programs; the message is
/// for people. No message contains the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The service cannot be used with this configuration.
    #[error("{0}")]
    NotConfigured(#[from] ApiKeyError),
    /// The service rejected the key, with 401, 403 or another answer.
    #[error("The service does not accept the key.{}", tail(message))]
    Unauthorized {
        /// The service's message; empty if it may quote the key.
        message: String,
    },
    /// The service rejected the request, with 400 or another answer.
    #[error(
        "The service did not accept the request (status {status}).{}",
        tail(message)
    )]
    BadRequest {
        /// The HTTP status.
        status: u16,
        /// The service's message.
        message: String,
    },
    /// 404: the model does not exist (any more) at this address.
    #[error(
        "The model “{model}” is not available at this address (any more): choose another one.{}",
        tail(message)
    )]
    ModelGone {
        /// The requested model.
        model: String,
        /// The service's message.
        message: String,
    },
    /// 429: the rate limit of the service is exceeded.
    #[error("{}", rate_limit(*retry_after, *per_day))]
    RateLimited {
        /// The wait that the service requests.
        retry_after: Option<Duration>,
        /// True if a daily limit is reached, so that waiting for a minute does not help.
        per_day: bool,
    },
    /// The account has no credit left.
    #[error(
        "The service asks for payment: the account has no credit left.{}",
        tail(message)
    )]
    OutOfCredit {
        /// The service's message.
        message: String,
    },
    /// The service refuses to answer about this picture.
    #[error("The service refused to answer about this picture: {reason}")]
    Refused {
        /// The service's name for the reason, such as `SAFETY`, or the model's own text.
        reason: String,
    },
    /// The service answered without content.
    #[error("The service answered without any content. Another model may answer.")]
    EmptyAnswer,
    /// The answer does not have the requested form.
    #[error("The service's answer can't be read: {0}.")]
    MalformedAnswer(MalformedReason),
    /// The answer exceeds the size limit.
    #[error("The service's answer is larger than {limit} bytes.")]
    AnswerTooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The service redirects. Redirects are not followed, because the key would be sent along.
    #[error(
        "The service redirects to {to}, which is not followed: enter the final address instead."
    )]
    Redirected {
        /// The host in the answer, or the address if the answer names none.
        to: String,
    },
    /// The system does not trust the certificate of the service.
    #[error("The certificate of {host} is not trusted: {reason}")]
    UntrustedCertificate {
        /// The host of the configured address.
        host: String,
        /// The finding of the check.
        reason: String,
    },
    /// The connection failed, or ended before the whole answer.
    #[error("{host} can't be reached: {reason}")]
    Unreachable {
        /// The host of the configured address.
        host: String,
        /// The system's message.
        reason: String,
    },
    /// There was no answer within the budget of the call.
    #[error("There was no answer within {} seconds.", after.as_secs_f32().round())]
    TimedOut {
        /// The budget of the call.
        after: Duration,
    },
    /// The caller cancelled the call.
    #[error("Cancelled.")]
    Cancelled,
    /// The service failed with 5xx.
    #[error("The service failed (status {status}).{}", tail(message))]
    ServiceError {
        /// The HTTP status.
        status: u16,
        /// The service's message.
        message: String,
    },
    /// An OCR command supports only the reading of text.
    #[error("An OCR command reads text only; “{0}” needs a vision service.")]
    ModeNotSupported(Mode),
    /// The program of the OCR command does not exist.
    #[error("The program “{program}” is not installed.")]
    CommandMissing {
        /// The program's name or path.
        program: String,
    },
    /// The OCR command failed.
    #[error("The OCR command failed{}.{}", exit(*status), tail(message))]
    CommandFailed {
        /// The exit status, if the program exited by itself.
        status: Option<i32>,
        /// The end of its standard error.
        message: String,
    },
    /// The system failed to run the OCR command.
    #[error("The OCR command can't be run: {reason}")]
    CommandNotRun {
        /// The system's message.
        reason: String,
    },
    /// The output of the OCR command exceeds the size limit.
    #[error("The OCR command wrote more than {limit} bytes.")]
    CommandFlooded {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The OCR command exceeds a limit of its processes.
    #[error("The OCR command used more than {0}.")]
    CommandOverLimit(CommandLimit),
}

impl Error {
    /// Returns a stable name of the kind, such as `model_gone`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotConfigured(error) => error.code(),
            Self::Unauthorized { .. } => "unauthorized",
            Self::BadRequest { .. } => "bad_request",
            Self::ModelGone { .. } => "model_gone",
            Self::RateLimited { .. } => "rate_limited",
            Self::OutOfCredit { .. } => "out_of_credit",
            Self::Refused { .. } => "refused",
            Self::EmptyAnswer => "empty_answer",
            Self::MalformedAnswer(_) => "malformed_answer",
            Self::AnswerTooLarge { .. } => "answer_too_large",
            Self::Redirected { .. } => "redirected",
            Self::UntrustedCertificate { .. } => "untrusted_certificate",
            Self::Unreachable { .. } => "unreachable",
            Self::TimedOut { .. } => "timed_out",
            Self::Cancelled => "cancelled",
            Self::ServiceError { .. } => "service_error",
            Self::ModeNotSupported(_) => "mode_not_supported",
            Self::CommandMissing { .. } => "command_missing",
            Self::CommandFailed { .. } | Self::CommandNotRun { .. } => "command_failed",
            Self::CommandFlooded { .. } => "command_flooded",
            Self::CommandOverLimit(_) => "command_over_limit",
        }
    }
}

impl Error {
    /// Returns the text of the service, of the model, or of the OCR command.
    #[must_use]
    pub fn service_message(&self) -> Option<&str> {
        let message = match self {
            Self::Unauthorized { message }
            | Self::BadRequest { message, .. }
            | Self::ModelGone { message, .. }
            | Self::OutOfCredit { message }
            | Self::ServiceError { message, .. }
            | Self::CommandFailed { message, .. } => message,
            Self::Refused { reason } => reason,
            Self::NotConfigured(_)
            | Self::RateLimited { .. }
            | Self::EmptyAnswer
            | Self::MalformedAnswer(_)
            | Self::AnswerTooLarge { .. }
            | Self::Redirected { .. }
            | Self::UntrustedCertificate { .. }
            | Self::Unreachable { .. }
            | Self::TimedOut { .. }
            | Self::Cancelled
            | Self::ModeNotSupported(_)
            | Self::CommandMissing { .. }
            | Self::CommandNotRun { .. }
            | Self::CommandFlooded { .. }
            | Self::CommandOverLimit(_) => return None,
        };
        Some(message.as_str()).filter(|message| !message.is_empty())
    }

    /// Returns a detail that has no translation: the system's message, a status, a host, or the name of a program.
    #[must_use]
    pub fn technical_detail(&self) -> Option<String> {
        match self {
            Self::BadRequest { status, .. } | Self::ServiceError { status, .. } => {
                Some(format!("HTTP {status}"))
            }
            Self::Redirected { to } => Some(to.clone()),
            Self::UntrustedCertificate { host, reason } | Self::Unreachable { host, reason } => {
                Some(format!("{host}: {reason}"))
            }
            Self::CommandMissing { program } => Some(program.clone()),
            Self::CommandNotRun { reason } => Some(reason.clone()),
            Self::CommandFailed { status, .. } => status.map(|status| format!("exit {status}")),
            Self::NotConfigured(_)
            | Self::Unauthorized { .. }
            | Self::ModelGone { .. }
            | Self::RateLimited { .. }
            | Self::OutOfCredit { .. }
            | Self::Refused { .. }
            | Self::EmptyAnswer
            | Self::MalformedAnswer(_)
            | Self::AnswerTooLarge { .. }
            | Self::TimedOut { .. }
            | Self::Cancelled
            | Self::ModeNotSupported(_)
            | Self::CommandFlooded { .. }
            | Self::CommandOverLimit(_) => None,
        }
    }
}

impl Error {
    /// Returns all texts of the service, of the system and of the configuration.
    pub(crate) fn texts_mut(&mut self) -> Vec<&mut String> {
        match self {
            Self::Unauthorized { message }
            | Self::BadRequest { message, .. }
            | Self::OutOfCredit { message }
            | Self::ServiceError { message, .. }
            | Self::CommandFailed { message, .. } => vec![message],
            Self::ModelGone { model, message } => vec![model, message],
            Self::Refused { reason } | Self::CommandNotRun { reason } => vec![reason],
            Self::Redirected { to } => vec![to],
            Self::UntrustedCertificate { host, reason } | Self::Unreachable { host, reason } => {
                vec![host, reason]
            }
            Self::CommandMissing { program } => vec![program],
            Self::NotConfigured(_)
            | Self::RateLimited { .. }
            | Self::EmptyAnswer
            | Self::MalformedAnswer(_)
            | Self::AnswerTooLarge { .. }
            | Self::TimedOut { .. }
            | Self::Cancelled
            | Self::ModeNotSupported(_)
            | Self::CommandFlooded { .. }
            | Self::CommandOverLimit(_) => Vec::new(),
        }
    }
}

/// The reason why a key is missing or cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ApiKeyError {
    /// The service requires a key and none is configured.
    #[error("No key for the vision service is configured.")]
    Missing,
    /// The key has characters that are not allowed in a key.
    #[error("The key for the vision service contains characters that can't be sent.")]
    Invalid,
    /// The key would be sent unencrypted outside the local network.
    #[error(
        "The key is sent over https only, except to this machine and the local network: enter an https address."
    )]
    Unencrypted,
}

impl ApiKeyError {
    /// Returns a stable name of the kind, such as `key_missing`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Missing => "key_missing",
            Self::Invalid => "key_invalid",
            Self::Unencrypted => "key_unencrypted",
        }
    }
}

/// A limit of the processes of an OCR command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CommandLimit {
    /// The number of processes.
    #[error("{0} processes")]
    Processes(usize),
    /// The memory of all processes, in bytes.
    #[error("{0} bytes of memory")]
    Memory(u64),
}

/// The reason why an answer cannot be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MalformedReason {
    /// The answer is not JSON, or is truncated.
    #[error("it is not the requested JSON")]
    NotJson,
    /// The answer is not UTF-8 text.
    #[error("it is not UTF-8 text")]
    NotText,
    /// The JSON lacks a field or has one of another type.
    #[error("its JSON does not have the requested fields")]
    WrongFields,
    /// The service stopped at a length limit.
    #[error("it was cut off at the service's length limit")]
    CutShort,
    /// A bounding box reaches far beyond the picture, as pixels or another unit would.
    #[error("its bounding boxes are outside of the picture")]
    BoxesOutside,
}

fn tail(message: &str) -> impl fmt::Display {
    match message {
        "" => String::new(),
        message => format!(" Its message: {message}"),
    }
}

fn exit(status: Option<i32>) -> impl fmt::Display {
    status.map_or_else(String::new, |status| format!(" with exit status {status}"))
}

fn rate_limit(retry_after: Option<Duration>, per_day: bool) -> String {
    match (per_day, retry_after) {
        (true, _) => "The service's daily limit is reached.".to_owned(),
        (false, Some(wait)) => format!(
            "The service allows no more questions for the moment: try again in {} seconds.",
            wait.as_secs_f64().ceil()
        ),
        (false, None) => "The service allows no more questions for the moment.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(error: Error, code: &str, message: &str) {
        assert_eq!((error.code(), error.to_string().as_str()), (code, message));
    }

    #[test]
    fn message_omits_unknown_details() {
        check(
            Error::Unauthorized {
                message: String::new(),
            },
            "unauthorized",
            "The service does not accept the key.",
        );
        check(
            Error::CommandFailed {
                status: Some(1),
                message: "no such language".into(),
            },
            "command_failed",
            "The OCR command failed with exit status 1. Its message: no such language",
        );
        check(
            Error::CommandFailed {
                status: None,
                message: String::new(),
            },
            "command_failed",
            "The OCR command failed.",
        );
        check(
            Error::RateLimited {
                retry_after: Some(Duration::from_millis(2100)),
                per_day: false,
            },
            "rate_limited",
            "The service allows no more questions for the moment: try again in 3 seconds.",
        );
    }
}
