//! A builder of requests.

use axum::Router;
use axum::body::Body;
use axum::http::request::Builder;
use axum::http::{Request, header};
use fumikura_server::PeerUser;
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

    /// Adds a header, keeping others of the same name.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.request = self.request.header(name, value);
        self
    }

    /// Sets the user at the other end of the connection.
    pub(crate) fn by(mut self, user: PeerUser) -> Self {
        self.request = self.request.extension(user);
        self
    }

    /// Adds headers.
    pub(crate) fn headers(self, headers: &[(&str, &str)]) -> Self {
        headers
            .iter()
            .fold(self, |call, (name, value)| call.header(name, value))
    }

    /// Sets a body with its type.
    pub(crate) fn body(mut self, kind: &str, body: impl Into<Body>) -> Self {
        self.body = body.into();
        self.header(header::CONTENT_TYPE.as_str(), kind)
    }

    /// Sets a page's text.
    pub(crate) fn markdown(self, text: &str) -> Self {
        self.body("text/markdown", text.to_owned())
    }

    /// Sets JSON.
    pub(crate) fn json(self, value: Value) -> Self {
        self.body("application/json", value.to_string())
    }

    /// Adds the proof of a lock.
    pub(crate) fn token(self, token: &str) -> Self {
        self.header("x-lock-authentication", &format!("token={token}"))
    }

    /// Sends the request and reads the whole response.
    pub(crate) async fn send(self) -> Answer {
        let (what, response) = self.begin().await;
        Answer::read(what, response).await
    }

    /// Sends the request and returns the unread body, which may not end by itself.
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
