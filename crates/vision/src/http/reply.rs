//! The answer of a service, before its dialect parses it.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use ureq::http::{HeaderMap, header};

use super::ApiKey;
use crate::answer::{MAX_MESSAGE, line};
use crate::error::{Error, MalformedReason};

/// The answer of a service.
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// The wait of the `Retry-After` header.
    pub(crate) retry_after: Option<Duration>,
    pub(crate) body: Vec<u8>,
    pub(super) key: Option<ApiKey>,
}

impl Reply {
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Parses the body of a successful answer.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_slice(self.text()).map_err(|error| {
            Error::MalformedAnswer(match error.classify() {
                serde_json::error::Category::Data => MalformedReason::WrongFields,
                serde_json::error::Category::Io
                | serde_json::error::Category::Syntax
                | serde_json::error::Category::Eof => MalformedReason::NotJson,
            })
        })
    }

    /// Parses the description of a failure. Returns the default if the body has another form, such as that of
    /// a proxy.
    pub(crate) fn failure<T: DeserializeOwned + Default>(&self) -> T {
        serde_json::from_slice(self.text()).unwrap_or_default()
    }

    /// Returns the body without a byte order mark.
    fn text(&self) -> &[u8] {
        self.body
            .strip_prefix("\u{feff}".as_bytes())
            .unwrap_or(&self.body)
    }

    /// Returns the status of a failure: that of the answer, or the one in the description of a failure that was
    /// sent as a success.
    pub(crate) fn failure_status(&self, described: Option<u64>) -> u16 {
        let described = described
            .filter(|_| self.is_success())
            .and_then(|code| code.try_into().ok());
        described
            .filter(|code| (400..600).contains(code))
            .unwrap_or(self.status)
    }

    /// Returns the service's message in one line, without the key.
    pub(crate) fn quote(&self, message: &str) -> String {
        let message = match &self.key {
            Some(key) => key.mask(message.to_owned()),
            None => message.to_owned(),
        };
        line(&message, MAX_MESSAGE)
    }

    /// Returns the error for a status that has the same meaning in every dialect.
    pub(crate) fn error(&self, status: u16, message: &str) -> Error {
        match status {
            // A message about a rejected key may quote a part of it.
            401 => Error::Unauthorized {
                message: String::new(),
            },
            403 => Error::Unauthorized {
                message: self.quote(message),
            },
            402 => Error::OutOfCredit {
                message: self.quote(message),
            },
            429 => Error::RateLimited {
                retry_after: self.retry_after,
                per_day: false,
            },
            500..=599 => Error::ServiceError {
                status,
                message: self.quote(message),
            },
            _ => Error::BadRequest {
                status,
                message: self.quote(message),
            },
        }
    }
}

/// Omits the body, which may be long and quote the picture.
impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("status", &self.status)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// Returns the wait of `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date.
pub(super) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let value = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
    Some(Duration::try_from(date.duration_since(now)).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: Option<u64>) {
        let now = "2026-11-06T08:49:37Z".parse().unwrap();
        let headers = HeaderMap::from_iter([(header::RETRY_AFTER, value.parse().unwrap())]);
        assert_eq!(
            retry_after(&headers, now),
            expected.map(Duration::from_secs),
            "{value}"
        );
    }

    #[test]
    fn wait_is_in_seconds_or_until_a_date() {
        check("7", Some(7));
        check("Fri, 06 Nov 2026 08:50:00 GMT", Some(23));
        check("Fri, 06 Nov 2026 08:49:00 GMT", Some(0));
        check("soon", None);
        check("-1", None);
        assert_eq!(retry_after(&HeaderMap::new(), Timestamp::UNIX_EPOCH), None);
    }
}
