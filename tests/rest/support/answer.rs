//! A response, read to its end, and the checks that apply to every one.

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::response::Response;
use http_body_util::BodyExt;
use serde_json::Value;

use super::document;

/// A response.
pub(crate) struct Answer {
    what: String,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    /// Reads the response and checks the rules for every response.
    pub(super) async fn read(what: String, response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let answer = Self {
            what,
            status: parts.status.as_u16(),
            headers: parts.headers,
            body: body.collect().await.unwrap().to_bytes(),
        };
        answer.check_security_headers();
        answer.check_error_form();
        answer.check_documented_form();
        answer
    }

    /// Returns a header's text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// Checks the status.
    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> &Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// Checks a header's value.
    #[track_caller]
    pub(crate) fn has(&self, name: &str, value: &str) -> &Self {
        assert_eq!(self.header(name), Some(value), "{name} of {self:?}");
        self
    }

    /// Checks an error's status and code, and returns it.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: &str) -> Value {
        self.is(status);
        let error = self.json();
        assert_eq!(error["code"], code, "{self:?}");
        error
    }

    /// Checks that JSON has the form that the OpenAPI document describes.
    fn check_documented_form(&self) {
        let is_json = self.header("content-type") == Some("application/json");
        if is_json && !self.body.is_empty() {
            document::check(&self.what, self.status, &self.json());
        }
    }

    fn check_security_headers(&self) {
        self.has("x-content-type-options", "nosniff");
        self.has("cross-origin-resource-policy", "same-origin");
        // Only answers to a window of the program do without (`only_windows_do_without_opener_isolation`).
        let opener = self.header("cross-origin-opener-policy");
        let is_for_window = opener == Some("unsafe-none");
        assert!(is_for_window || opener == Some("same-origin"), "{self:?}");
        let opened = self
            .headers
            .keys()
            .find(|name| name.as_str().starts_with("access-control-"));
        assert_eq!(opened, None, "no CORS headers, ever: {self:?}");
    }

    /// Checks that a refusal is `{code, message}` with a sentence for people, or a page. A range that can't
    /// be served has its details in `Content-Range`.
    fn check_error_form(&self) {
        let is_page = |kind: &str| kind.starts_with("text/html");
        if self.status < 400
            || self.status == 416
            || self.what.starts_with("HEAD ")
            || self.header("content-type").is_some_and(is_page)
        {
            return;
        }
        self.has("content-type", "application/json")
            .has("cache-control", "no-store");
        let error = self.json();
        let known = [
            "code",
            "message",
            "path",
            "names",
            "reasons",
            "count",
            "identical",
            "moved_to",
            "page_id",
            "seq",
            "revision",
            "name_fault",
            "query_fault",
            "user_name",
            "expire",
            "retry_after",
            "reason",
            "service_message",
            "technical_detail",
        ];
        let own = error.as_object().unwrap();
        assert!(
            own.keys().all(|key| known.contains(&key.as_str())),
            "{error}"
        );
        assert!(error["code"].is_string(), "{error}");
        let message = error["message"].as_str().unwrap();
        let begins = message.chars().next().unwrap();
        assert!(
            !begins.is_lowercase() && message.ends_with(['.', ')', '?', '。']),
            "no sentence: {message}"
        );
    }
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let start = &self.body[..self.body.len().min(600)];
        write!(
            f,
            "{} → {} {:?} {}",
            self.what,
            self.status,
            self.headers,
            String::from_utf8_lossy(start)
        )
    }
}
