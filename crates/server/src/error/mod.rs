//! Errors as responses: a code for programs, a sentence for people. Statuses are chosen only here and in the
//! submodules.

mod archive;
mod code;
mod domain;
mod hashes;
mod imports;
mod query;
mod reorganize;
mod tree;
mod undo;

use std::fmt;
use std::io;

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use fumikura_base::error_chain::{any_io_cause, error_chain};
use fumikura_base::handles;
use fumikura_limits::{Limits as RateLimits, Usage, policy_header, state_header};
use fumikura_wiki::{PageId, PagePath};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

pub use archive::ArchiveFault;
pub use code::ErrorCode;
pub use hashes::HashNameFault;
pub use query::QueryFault;
pub use undo::UndoConflict;

/// The maximum number of names in an error.
const MAX_NAMES: usize = 100;

/// The header fields of draft-ietf-httpapi-ratelimit-headers-11.
const RATE_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATE_STATE: HeaderName = HeaderName::from_static("ratelimit");

/// An error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorBody {
    /// The kind of the error, for programs.
    pub code: ErrorCode,
    /// The message, for people.
    pub message: String,
    /// The path of the conflicting page, or the last path of the page in the trash (`page_not_found`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The names of the conflicting files, or of those that can't be restored: the first hundred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    /// The reasons why the files of `names` can't be restored, in the same order (`changed_since`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<UndoConflict>>,
    /// The total number of files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// The number of files whose contents are identical to those of the files that have their names
    /// (`file_name_taken` of a move or copy). Without it, they were not compared: they are too large, or unreadable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identical: Option<usize>,
    /// The current path of the requested page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
    /// The user's own conflicting draft, whose lock can be taken over; or the page in the trash that had the
    /// requested path last, or is named by it (`page_not_found`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_id: Option<String>,
    /// The sequence number from which the tab's messages continue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// The revision that the tab saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
    /// The fault of an archive that was not imported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<ArchiveFault>,
    /// The archive's entry that has the fault, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// The exceeded limit in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// The fault of a path or of a hash record's name (`invalid_path`, `malformed_name`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_fault: Option<HashNameFault>,
    /// The fault of a search query (`invalid_value`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_fault: Option<QueryFault>,
    /// The name of the lock's holder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_name: Option<String>,
    /// The time at which the lock ends unless it is renewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expire: Option<Timestamp>,
    /// The seconds after which a limited request may be repeated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// The reason for a failure of the service that describes pictures, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The text of that service, or the output of the OCR command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_message: Option<String>,
    /// A detail of that failure without a translation: the system's message, a status, or the name of a host or a
    /// program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub technical_detail: Option<String>,
}

impl ErrorBody {
    /// Creates an error without further fields.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl fmt::Display) -> Self {
        ApiError::new(code, message).into_body()
    }
}

/// An error before it is sent.
#[derive(Debug)]
pub(crate) struct ApiError {
    /// Boxed, because most results are not errors.
    body: Box<ErrorBody>,
    /// The values of `RateLimit-Policy` and `RateLimit`.
    rate: Option<Box<[String; 2]>>,
}

impl ApiError {
    /// Creates an error that the caller caused.
    pub(crate) fn new(code: ErrorCode, message: impl fmt::Display) -> Self {
        let message = sentence(&message.to_string());
        Self {
            body: Box::new(ErrorBody {
                code,
                message,
                path: None,
                names: None,
                reasons: None,
                count: None,
                identical: None,
                moved_to: None,
                page_id: None,
                seq: None,
                revision: None,
                fault: None,
                entry: None,
                limit: None,
                name_fault: None,
                query_fault: None,
                user_name: None,
                expire: None,
                retry_after: None,
                reason: None,
                service_message: None,
                technical_detail: None,
            }),
            rate: None,
        }
    }

    /// Creates an error about a page whose lock another user holds.
    pub(crate) fn held(
        code: ErrorCode,
        message: impl fmt::Display,
        user_name: String,
        expire: Timestamp,
    ) -> Self {
        let mut error = Self::new(code, message);
        error.body.user_name = Some(user_name);
        error.body.expire = Some(expire);
        error
    }

    /// Adds the path of the conflicting page.
    pub(crate) fn at(mut self, path: &PagePath) -> Self {
        self.body.path = Some(path.to_string());
        self
    }

    /// Adds the names of the files concerned.
    pub(crate) fn names<'a>(mut self, names: impl ExactSizeIterator<Item = &'a [u8]>) -> Self {
        self.body.count = Some(names.len());
        let displayed = names.map(|name| String::from_utf8_lossy(name).into_owned());
        self.body.names = Some(displayed.take(MAX_NAMES).collect());
        self
    }

    /// Adds the number of files with identical contents.
    pub(crate) fn identical(mut self, identical: Option<usize>) -> Self {
        self.body.identical = identical;
        self
    }

    /// Adds the reasons why the named files can't be restored, in the order of the names.
    pub(crate) fn reasons(mut self, reasons: impl Iterator<Item = UndoConflict>) -> Self {
        self.body.reasons = Some(reasons.take(MAX_NAMES).collect());
        self
    }

    /// Adds the current path of the requested page.
    pub(crate) fn moved_to(mut self, path: &PagePath) -> Self {
        self.body.moved_to = Some(path.to_string());
        self
    }

    /// Adds the id of the page in the trash that had the path.
    pub(crate) fn page(mut self, page_id: PageId) -> Self {
        self.body.page_id = Some(page_id.to_string());
        self
    }

    /// Adds the id of the user's own draft, if it is the conflict.
    pub(crate) fn draft(self, page_id: Option<PageId>) -> Self {
        match page_id {
            Some(page_id) => self.page(page_id),
            None => self,
        }
    }

    /// Adds the sequence number from which a tab's messages continue.
    pub(crate) fn count(mut self, seq: u64) -> Self {
        self.body.seq = Some(seq);
        self
    }

    /// Adds the revision that a tab saved.
    pub(crate) fn revision(mut self, revision: u64) -> Self {
        self.body.revision = Some(revision);
        self
    }

    /// Adds the fault of an archive, and its entry.
    pub(crate) fn fault(mut self, fault: ArchiveFault, entry: Option<String>) -> Self {
        self.body.fault = Some(fault);
        self.body.entry = entry;
        self
    }

    /// Adds the seconds after which the request may be repeated.
    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.body.retry_after = Some(seconds);
        self
    }

    /// Adds the reason, for programs.
    pub(crate) fn with_reason(mut self, reason: &str) -> Self {
        self.body.reason = Some(reason.to_owned());
        self
    }

    /// Adds the text of the service that describes pictures, and a detail without a translation.
    pub(crate) fn quoting(mut self, service: Option<&str>, detail: Option<String>) -> Self {
        self.body.service_message = service.map(str::to_owned);
        self.body.technical_detail = detail;
        self
    }

    /// Adds the seconds to wait and the state of the limiter.
    pub(crate) fn limited(mut self, limits: &RateLimits, usage: &Usage, retry_after: u64) -> Self {
        self.body.retry_after = Some(retry_after);
        let values = [policy_header(limits), state_header(limits, usage)];
        self.rate = Some(Box::new(values));
        self
    }

    /// Adds the limit in bytes.
    pub(crate) fn limit(mut self, limit: u64) -> Self {
        self.body.limit = Some(limit);
        self
    }

    /// Adds the fault of a path or of a hash record's name.
    pub(crate) fn name_fault(mut self, fault: HashNameFault) -> Self {
        self.body.name_fault = Some(fault);
        self
    }

    /// Creates an error of the server. Its chain is logged with an id that the response names.
    pub(crate) fn internal(
        code: ErrorCode,
        message: &str,
        error: &(dyn std::error::Error + 'static),
    ) -> Self {
        if let Some(exhausted) = Self::exhausted(error) {
            return exhausted;
        }
        // A path from the request, relative to a folder whose own path is long.
        if any_io_cause(error, |cause| {
            cause.kind() == io::ErrorKind::InvalidFilename
        }) {
            let words = "the path, or a name in it, is longer than the system permits";
            return Self::new(ErrorCode::InvalidPath, words);
        }
        let id = Timestamp::now().as_nanosecond() as u64 & 0xFFFF_FFFF;
        tracing::error!(request = format!("{id:08x}"), "{}", error_chain(error));
        Self::new(code, format!("{message} (request {id:08x})"))
    }

    /// Returns the error of a process without free file handles, if that is the cause of `error`. It is
    /// temporary, and independent of the request.
    pub(crate) fn exhausted(error: &(dyn std::error::Error + 'static)) -> Option<Self> {
        handles::is_exhausted(error).then(|| {
            tracing::error!("no handle is left: {}", error_chain(error));
            let words = "too many files are open at the moment; try again in a moment";
            Self::new(ErrorCode::OutOfHandles, words)
        })
    }

    pub(crate) fn code(&self) -> ErrorCode {
        self.body.code
    }

    pub(crate) fn body(&self) -> &ErrorBody {
        &self.body
    }

    pub(crate) fn into_body(self) -> ErrorBody {
        *self.body
    }
}

impl From<ApiError> for ErrorBody {
    fn from(error: ApiError) -> Self {
        error.into_body()
    }
}

impl From<ErrorBody> for ApiError {
    fn from(body: ErrorBody) -> Self {
        Self {
            body: Box::new(body),
            rate: None,
        }
    }
}

/// Returns the message with a capital letter and a full stop.
fn sentence(message: &str) -> String {
    let mut characters = message.chars();
    let Some(first) = characters.next() else {
        return String::new();
    };
    let mut sentence: String = first.to_uppercase().chain(characters).collect();
    if !sentence.ends_with(['.', '?', ')', '。']) {
        sentence.push('.');
    }
    sentence
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status: StatusCode = self.body.code.status();
        let retry_after = self.body.retry_after;
        let mut response = (status, Json(self.body)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        for (name, value) in [RATE_POLICY, RATE_STATE]
            .into_iter()
            .zip(self.rate.into_iter().flat_map(|values| *values))
        {
            let value = HeaderValue::try_from(value).expect("BUG: numbers and names are a header");
            headers.insert(name, value);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use fumikura_fs::{AccessError, AddRootError};
    use fumikura_image::DecodeError;
    use fumikura_thumbs::ThumbError;
    use fumikura_wiki::StorageError;

    use super::*;

    #[test]
    fn handle_exhaustion_has_its_own_code() {
        let mfile = || std::io::Error::from_raw_os_error(24);
        let shared = || std::sync::Arc::new(mfile());
        let unavailable = AccessError::FolderUnavailable {
            path: "/pictures".to_owned(),
            source: shared(),
        };
        for answer in [
            ApiError::from(StorageError::from(mfile())),
            ApiError::from(AccessError::from(mfile())),
            ApiError::from(unavailable),
            ApiError::from(DecodeError::Io(shared())),
            ApiError::from(ThumbError::Storage(shared())),
            ApiError::from(AddRootError::Folder(mfile())),
        ] {
            assert_eq!(answer.code(), ErrorCode::OutOfHandles, "{answer:?}");
        }
        assert_eq!(ErrorCode::OutOfHandles.status(), 503);
    }

    #[test]
    fn messages_are_sentences() {
        assert_eq!(sentence("no page has this id"), "No page has this id.");
        assert_eq!(sentence("あやさんが編集中です。"), "あやさんが編集中です。");
        assert_eq!(sentence(""), "");
    }
}
