//! Requests to a service: the key in a header, no redirects, a bounded answer, a deadline.

mod failure;
mod key;
mod mask;
mod reply;
mod tls;

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use secrecy::ExposeSecret;
use ureq::config::Config;
use ureq::http::{HeaderMap, HeaderName, HeaderValue, Request, Response, header};
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{ConnectProxyConnector, Connector, TcpConnector};
use ureq::{Agent, Body, Proxy};

use crate::address::Address;
use crate::call::{Call, Timer};
use crate::error::{ApiKeyError, Error};
use mask::Texts;
use tls::{TlsConnector, Trust};

pub use key::ApiKey;
pub(crate) use reply::Reply;

/// The maximum size of an answer, in bytes.
pub(crate) const MAX_ANSWER: u64 = 1 << 20;
/// The maximum size of an error description, in bytes; the rest is omitted.
const MAX_FAILURE: u64 = 64 << 10;
/// The timeout for a name resolution, and for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The header that carries the key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum KeyHeader {
    /// `x-goog-api-key: …`
    Google,
    /// `Authorization: Bearer …`
    Bearer,
}

/// The client of one service. Every request opens a connection: a model takes seconds for an answer, and an
/// idle connection may be closed before the next request.
#[derive(Debug, Clone)]
pub(crate) struct Http {
    address: Address,
    key: Option<ApiKey>,
    key_header: KeyHeader,
    trust: Trust,
    timer: Arc<dyn Timer>,
}

/// The content of a request.
pub(crate) enum Content<'a> {
    /// GET.
    None,
    /// POST of JSON.
    Json(&'a [u8]),
}

impl Http {
    /// Creates a client that trusts the certificates that the system trusts.
    pub(crate) fn new(
        address: Address,
        key: Option<ApiKey>,
        key_header: KeyHeader,
        timer: Arc<dyn Timer>,
    ) -> Result<Self, Error> {
        if key.is_some() && !address.may_get_key() {
            return Err(ApiKeyError::Unencrypted.into());
        }
        Ok(Self {
            address,
            key,
            key_header,
            trust: Trust::System,
            timer,
        })
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    pub(crate) fn timer(&self) -> &dyn Timer {
        &*self.timer
    }

    /// Sends one request and reads the whole answer within `left`. `path` begins with a slash.
    ///
    /// The caller handles statuses other than 3xx.
    pub(crate) fn send(
        &self,
        path: &str,
        content: Content<'_>,
        call: &Call,
        left: Duration,
    ) -> Result<Reply, Error> {
        if call.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let connector =
            ().chain(ConnectProxyConnector::default())
                .chain(TcpConnector::default())
                .chain(TlsConnector(self.trust.clone()));
        let agent = Agent::with_parts(self.config(left), connector, DefaultResolver::default());
        let on_cancel = agent.clone();
        let _registration = call.cancel.on_cancel(move || on_cancel.shutdown());
        let result = self
            .run(&agent, path, content)
            .and_then(|response| self.read(response));
        // A connection that is shut down looks like a failed or a closed one.
        if call.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        result.map_err(|error| match error {
            HttpFailure::Final(error) => error,
            HttpFailure::Transport(error) => failure::translate(&error, self.address.host(), call),
        })
    }

    /// Masks the key in what the service sent: it is for the service alone.
    pub(crate) fn masked<T: Texts>(&self, result: Result<T, Error>) -> Result<T, Error> {
        match (&self.key, result) {
            (None, result) => result,
            (Some(key), Ok(value)) => Ok(key.mask(value)),
            (Some(key), Err(error)) => Err(key.mask(error)),
        }
    }

    fn run(
        &self,
        agent: &Agent,
        path: &str,
        content: Content<'_>,
    ) -> Result<Response<Body>, HttpFailure> {
        let address = self.address.join(path);
        let response = match content {
            Content::None => {
                let mut request = Request::get(address).body(()).map_err(ureq::Error::from)?;
                self.authorize(request.headers_mut())?;
                agent.run(request)?
            }
            Content::Json(json) => {
                let mut request = Request::post(address)
                    .header(header::CONTENT_TYPE, "application/json")
                    .body(json)
                    .map_err(ureq::Error::from)?;
                self.authorize(request.headers_mut())?;
                agent.run(request)?
            }
        };
        if response.status().is_redirection() {
            return Err(HttpFailure::Final(self.redirected(response.headers())));
        }
        Ok(response)
    }

    fn authorize(&self, headers: &mut HeaderMap) -> Result<(), HttpFailure> {
        let Some(key) = &self.key else {
            return Ok(());
        };
        let key = key.secret().expose_secret();
        let (name, value) = match self.key_header {
            KeyHeader::Google => (
                HeaderName::from_static("x-goog-api-key"),
                HeaderValue::from_str(key),
            ),
            KeyHeader::Bearer => (
                header::AUTHORIZATION,
                HeaderValue::from_str(&format!("Bearer {key}")),
            ),
        };
        let mut value = value.map_err(|_| HttpFailure::Final(ApiKeyError::Invalid.into()))?;
        value.set_sensitive(true);
        headers.insert(name, value);
        Ok(())
    }

    fn read(&self, response: Response<Body>) -> Result<Reply, HttpFailure> {
        let status = response.status();
        let limit = if status.is_success() {
            MAX_ANSWER
        } else {
            MAX_FAILURE
        };
        let retry_after = reply::retry_after(response.headers(), self.timer.now());
        let mut body = Vec::new();
        response
            .into_body()
            .into_reader()
            .take(limit + 1)
            .read_to_end(&mut body)
            .map_err(ureq::Error::from)?;
        let is_too_large = body.len() as u64 > limit;
        if status.is_success() && is_too_large {
            return Err(HttpFailure::Final(Error::AnswerTooLarge { limit }));
        }
        Ok(Reply {
            status: status.as_u16(),
            retry_after,
            body,
            key: self.key.clone(),
        })
    }

    fn redirected(&self, headers: &HeaderMap) -> Error {
        let location = headers.get(header::LOCATION).map(HeaderValue::as_bytes);
        let location = location.map(String::from_utf8_lossy).unwrap_or_default();
        let host = location
            .parse::<ureq::http::Uri>()
            .ok()
            .and_then(|uri| uri.host().map(str::to_owned));
        // A relative address has the same host.
        let to = host.unwrap_or_else(|| self.address.host().to_owned());
        Error::Redirected { to }
    }

    fn config(&self, left: Duration) -> Config {
        // The proxy from the environment would also be used for this machine and the local network.
        let proxy = match self.address.is_local() {
            true => None,
            false => Proxy::try_from_env(),
        };
        Agent::config_builder()
            .proxy(proxy)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .user_agent(concat!("fumikura/", env!("CARGO_PKG_VERSION")))
            .accept("application/json")
            .timeout_global(Some(left))
            .timeout_resolve(Some(CONNECT_TIMEOUT))
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .build()
    }
}

/// A failure within a request.
enum HttpFailure {
    Final(Error),
    /// A connection error, still to be classified.
    Transport(ureq::Error),
}

impl From<ureq::Error> for HttpFailure {
    fn from(error: ureq::Error) -> Self {
        Self::Transport(error)
    }
}

#[cfg(test)]
mod tls_tests;
