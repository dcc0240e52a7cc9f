//! A request, put together step by step.

use axum::Router;
use axum::body::Body;
use axum::http::request::Builder;
use axum::http::{Request, header};
use serde_json::Value;
use tower::ServiceExt;

use super::Answer;

/// A request that has not been sent yet.
pub(crate) struct Call {
    router: Router,
    request: Builder,
    body: Body,
    what: String,
}

impl Call {
    pub(super) fn new(router: Router, method: &str, path: &str) -> Self {
        Self {
            router,
            request: Request::builder().method(method).uri(path),
            body: Body::empty(),
            what: format!("{method} {path}"),
        }
    }

    /// With a header, beside those of the same name that are there.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.request = self.request.header(name, value);
        self
    }

    /// With headers.
    pub(crate) fn headers(self, headers: &[(&str, &str)]) -> Self {
        headers
            .iter()
            .fold(self, |call, (name, value)| call.header(name, value))
    }

    /// With a body of a type.
    pub(crate) fn body(mut self, kind: &str, body: impl Into<Body>) -> Self {
        self.body = body.into();
        self.header(header::CONTENT_TYPE.as_str(), kind)
    }

    /// With a page's text.
    pub(crate) fn markdown(self, text: &str) -> Self {
        self.body("text/markdown", text.to_owned())
    }

    /// With JSON.
    pub(crate) fn json(self, value: Value) -> Self {
        self.body("application/json", value.to_string())
    }

    /// With the proof of a lock.
    pub(crate) fn token(self, token: &str) -> Self {
        self.header("x-lock-authentication", &format!("token={token}"))
    }

    /// Sends it and reads the whole answer.
    pub(crate) async fn send(self) -> Answer {
        let (what, response) = self.begin().await;
        Answer::read(what, response).await
    }

    /// Sends it and leaves the answer's body where it is, for one that does not end by itself.
    pub(crate) async fn stream(self) -> Body {
        let (what, response) = self.begin().await;
        assert_eq!(response.status(), 200, "{what}");
        response.into_body()
    }

    async fn begin(self) -> (String, axum::response::Response) {
        let request = self.request.body(self.body).unwrap();
        (self.what, self.router.oneshot(request).await.unwrap())
    }
}
