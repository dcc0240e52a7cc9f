//! The words of failures. They contain no text of the server, which may repeat the password in any form.

use std::error::Error;
use std::io;

use redis::{ErrorKind, RedisError};
use rustls::CertificateError;

use super::pool::TIMEOUT;
use crate::BackendError;

/// The known error codes, and what they mean.
const CODES: [(&str, &str); 21] = [
    ("BUSY", "it is running a script"),
    ("CLUSTERDOWN", "its cluster is down"),
    ("CROSSSLOT", "its cluster keeps the keys on several nodes"),
    ("DENIED", "it accepts no other computers without a password"),
    ("ERR", "it can't run a command"),
    ("EXECABORT", "it can't run a command"),
    ("LOADING", "it is still loading its data"),
    ("MASTERDOWN", "its primary is down"),
    ("MISCONF", "it can't save its data"),
    ("NOAUTH", "it requires a password"),
    ("NOPERM", "the user lacks a permission"),
    ("NOPROTO", "it has no such protocol"),
    ("NOREPLICAS", "it has too few replicas"),
    ("NOSCRIPT", "it has lost a script"),
    ("OOM", "its memory is full"),
    ("READONLY", "it is a replica, which can't be written to"),
    ("TRYAGAIN", "its cluster is moving the keys"),
    ("UNBLOCKED", "it was interrupted"),
    ("UNKILLABLE", "it is running a script"),
    ("WRONGPASS", "the user or the password is wrong"),
    ("WRONGTYPE", "a key of the limiter has another type"),
];
/// An error whose code is not known.
const UNKNOWN: (&str, &str) = ("unknown", "it gave another error");

pub(super) fn failure(error: &RedisError) -> BackendError {
    if error.is_timeout() {
        return BackendError::TimedOut(TIMEOUT.as_millis());
    }
    match (error.code(), error.kind()) {
        (Some("CLOCKSKEW"), _) => BackendError::ClocksDiffer,
        (Some("MOVED" | "ASK"), _) => BackendError::Redirected,
        (Some(code), _) => refused(code),
        (None, ErrorKind::AuthenticationFailed) => refused("WRONGPASS"),
        (None, ErrorKind::Io) => BackendError::Unreachable(connection_fault(error)),
        (None, _) => BackendError::NotUnderstood,
    }
}

fn refused(code: &str) -> BackendError {
    let known = CODES.iter().find(|(known, _)| *known == code);
    let (code, reason) = *known.unwrap_or(&UNKNOWN);
    BackendError::Refused { code, reason }
}

/// Describes a failed connection in the words of the system, or in our own.
fn connection_fault(error: &RedisError) -> String {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    let mut words = "the connection failed".to_owned();
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            words = match error.raw_os_error() {
                Some(number) => io::Error::from_raw_os_error(number).to_string(),
                None => error.kind().to_string(),
            };
            if let Some(inner) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
                return tls_fault(inner).to_owned();
            }
        }
        cause = error.source();
    }
    words
}

fn tls_fault(error: &rustls::Error) -> &'static str {
    let rustls::Error::InvalidCertificate(fault) = error else {
        return "the encrypted connection failed";
    };
    if matches!(fault, CertificateError::UnknownIssuer) {
        "the authority of its certificate is unknown"
    } else if matches!(
        fault,
        CertificateError::Expired | CertificateError::ExpiredContext { .. }
    ) {
        "its certificate has expired"
    } else if matches!(
        fault,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. }
    ) {
        "its certificate is for another name"
    } else {
        "its certificate is invalid"
    }
}
