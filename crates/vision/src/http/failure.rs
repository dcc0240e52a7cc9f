//! Failures of the connection.

use std::error::Error as StdError;
use std::io;

use ureq::Timeout;

use crate::answer::{MAX_MESSAGE, line};
use crate::call::Call;
use crate::error::Error;

/// Returns the error of a request without an answer.
pub(super) fn translate(error: &ureq::Error, host: &str, call: &Call) -> Error {
    let host = host.to_owned();
    if let Some(finding) = certificate(error) {
        return Error::UntrustedCertificate {
            host,
            reason: finding,
        };
    }
    if let ureq::Error::Timeout(timeout) = error {
        return match is_of_connection(*timeout) {
            true => Error::Unreachable {
                host,
                reason: "no connection in time".to_owned(),
            },
            false => Error::TimedOut { after: call.budget },
        };
    }
    Error::Unreachable {
        host,
        reason: reason(error),
    }
}

fn is_of_connection(timeout: Timeout) -> bool {
    matches!(timeout, Timeout::Resolve | Timeout::Connect)
}

fn reason(error: &ureq::Error) -> String {
    if let ureq::Error::Io(error) = error {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return "the connection was closed before the whole answer".to_owned();
        }
        return line(&error.to_string(), MAX_MESSAGE);
    }
    line(&error.to_string(), MAX_MESSAGE)
}

/// Returns the reason why the service's certificate is not trusted, if that is the error.
fn certificate(error: &ureq::Error) -> Option<String> {
    let inner = if let ureq::Error::Io(error) = error {
        // A failed handshake is an error of the stream.
        let inner = error.get_ref()? as &(dyn StdError + 'static);
        inner.downcast_ref()?
    } else if let ureq::Error::Rustls(error) = error {
        error
    } else {
        return None;
    };
    matches!(inner, rustls::Error::InvalidCertificate(_))
        .then(|| line(&inner.to_string(), MAX_MESSAGE))
}
