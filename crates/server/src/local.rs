//! The HTTP interface without a socket, for commands that open the data themselves because no server has it
//! open.

use std::io::{self, Write};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::StreamExt;
use tokio::runtime::Runtime;
use tower::ServiceExt;

use crate::address::Address;
use crate::app::App;
use crate::config::Config;
use crate::serve::ANSWERING_THREADS;
use crate::start::StartError;

/// The port in addresses. Nothing listens there.
const PORT: u16 = 80;

/// An application that one process calls directly.
pub struct LocalClient {
    app: Arc<App>,
    router: Router,
    runtime: Runtime,
}

/// A response of [`LocalClient`].
pub struct LocalAnswer<'a> {
    /// The status.
    pub status: u16,
    headers: axum::http::HeaderMap,
    body: Body,
    runtime: &'a Runtime,
}

impl LocalClient {
    /// Opens the data of a configuration.
    ///
    /// # Errors
    /// Those of [`App::open`], and [`StartError::Runtime`] if the system can't create threads.
    pub fn open(config: Config) -> Result<Self, StartError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(ANSWERING_THREADS)
            .enable_all()
            .build();
        let runtime = runtime.map_err(StartError::Runtime)?;
        let entered = runtime.enter();
        let app = App::open(config)?;
        let router = app.router(Address::port(PORT, &[]));
        drop(entered);
        Ok(Self {
            app,
            router,
            runtime,
        })
    }

    /// Sends a request with the Bearer token.
    #[must_use]
    pub fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> LocalAnswer<'_> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "127.0.0.1")
            .header("authorization", format!("Bearer {}", self.app.bearer()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = match request.body(Body::from(body)) {
            Ok(request) => {
                let answered = self.runtime.block_on(self.router.clone().oneshot(request));
                answered.unwrap_or_else(|never| match never {})
            }
            Err(_) => {
                let mut answer = axum::response::Response::new(Body::empty());
                *answer.status_mut() = StatusCode::BAD_REQUEST;
                answer
            }
        };
        let (parts, body) = answer.into_parts();
        LocalAnswer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body,
            runtime: &self.runtime,
        }
    }
}

impl Drop for LocalClient {
    fn drop(&mut self) {
        self.app.stop();
        self.app.pictures.shut_down();
    }
}

impl LocalAnswer<'_> {
    /// Returns the value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Writes the body.
    ///
    /// # Errors
    /// If the body ends too early, or can't be written.
    pub fn write_to(self, out: &mut dyn Write) -> io::Result<()> {
        let mut body = self.body.into_data_stream();
        while let Some(part) = self.runtime.block_on(body.next()) {
            out.write_all(&part.map_err(io::Error::other)?)?;
        }
        Ok(())
    }
}
