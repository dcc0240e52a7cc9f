//! All routes behind the guard, for one address.

use std::any::Any;
use std::sync::Arc;

use axum::body::Body;
use axum::http::Uri;
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;

use crate::app::App;
use crate::entry::host_name;
use crate::error::{ApiError, ErrorCode};
use crate::guard::{self, Guard};
use crate::{entry, frame, openapi, static_files};

/// The host names that the server answers to, and the name of its cookie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    base: String,
    /// The server's own names, which only this machine reaches.
    hosts: Vec<String>,
    /// The names that a reverse proxy passes on.
    further: Vec<String>,
    cookie_name: String,
    /// The server's own host for browsers, as in their `Host` header.
    own_host: Option<String>,
    /// None for a socket.
    port: Option<u16>,
}

impl Address {
    /// Creates the address of a loopback port. `further` are the names that a reverse proxy passes on.
    #[must_use]
    pub fn port(port: u16, further: &[String]) -> Self {
        let own = ["127.0.0.1", "localhost", "[::1]"];
        let mut hosts: Vec<String> = own.iter().map(|host| format!("{host}:{port}")).collect();
        if port == 80 {
            hosts.extend(own.map(str::to_owned));
        }
        Self {
            base: format!("http://127.0.0.1:{port}/"),
            hosts,
            further: further.to_vec(),
            cookie_name: format!("fumikura_session_{port}"),
            own_host: None,
            port: Some(port),
        }
    }

    /// Creates the address of a Unix socket. A socket has no host name, so `localhost` is used.
    #[must_use]
    pub fn socket(path: &std::path::Path, further: &[String]) -> Self {
        Self {
            base: format!("unix://{}", path.display()),
            hosts: vec!["localhost".to_owned()],
            further: further.to_vec(),
            cookie_name: "fumikura_session".to_owned(),
            own_host: None,
            port: None,
        }
    }

    /// Returns the address for programs.
    #[must_use]
    pub fn base(&self) -> String {
        self.base.clone()
    }

    /// Returns the prefix of a login's path. The name of a socket is known only to its proxy.
    pub(crate) fn entrance(&self) -> &str {
        if self.base.starts_with("unix:") {
            "/"
        } else {
            &self.base
        }
    }

    /// Sets the address that was bound: the loopback has more addresses than `127.0.0.1`.
    pub(crate) fn with_base(mut self, base: String) -> Self {
        let host = base.strip_prefix("http://").unwrap_or(&base);
        let host = host.trim_end_matches('/').to_owned();
        // Browsers omit the default port.
        let short = host.strip_suffix(":80").map(str::to_owned);
        self.hosts.extend(short);
        self.hosts.push(host);
        self.base = base;
        self
    }

    /// Adds an own host for browsers, with the label of [`App::own_host_label`]. A socket has none. An
    /// address with further names has none either, because a proxy may pass on another `Host`.
    #[must_use]
    pub fn with_own_host(mut self, label: Option<&str>) -> Self {
        if let (Some(label), Some(port), []) = (label, self.port, &self.further[..]) {
            let name = host_name(label);
            // Browsers omit the default port.
            self.own_host = Some(match port {
                80 => name,
                _ => format!("{name}:{port}"),
            });
        }
        self
    }

    /// Returns the address of the own host, with a trailing slash.
    pub(crate) fn own_base(&self) -> Option<String> {
        self.own_host.as_ref().map(|host| format!("http://{host}/"))
    }

    /// Returns the prefix of a login's path for a browser.
    pub(crate) fn browser_entrance(&self) -> String {
        self.own_base()
            .unwrap_or_else(|| self.entrance().to_owned())
    }

    /// Returns true if the name is the own host for browsers.
    pub(crate) fn is_own_host(&self, host: &str) -> bool {
        names(self.own_host.as_slice(), host)
    }

    /// Returns true if the name is one of the bound address.
    pub(crate) fn is_bound(&self, host: &str) -> bool {
        names(&self.hosts, host)
    }

    pub(crate) fn answers_to(&self, host: &str) -> bool {
        self.is_own(host) || names(&self.further, host)
    }

    /// Returns true if the name is the server's own, so that the request comes from this machine and not from
    /// a proxy.
    pub(crate) fn is_own(&self, host: &str) -> bool {
        self.is_bound(host) || self.is_own_host(host)
    }

    pub(crate) fn cookie_name(&self) -> &str {
        &self.cookie_name
    }
}

fn names(hosts: &[String], host: &str) -> bool {
    hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
}

impl App {
    /// Builds the router of the whole HTTP interface at an address.
    pub fn router(self: &Arc<Self>, address: Address) -> Router {
        let address = Arc::new(address);
        let (api, _document) = openapi::routes().split_for_parts();
        let guard = Guard {
            app: Arc::clone(self),
            address,
        };
        Router::new()
            .merge(frame::routes())
            .merge(entry::routes())
            .merge(static_files::routes())
            .merge(api)
            .fallback(nothing_here)
            .method_not_allowed_fallback(no_such_method)
            .layer(CatchPanicLayer::custom(panicked))
            .layer(middleware::from_fn_with_state(guard, guard::check))
            .with_state(Arc::clone(self))
    }
}

async fn nothing_here(uri: Uri) -> ApiError {
    ApiError::new(ErrorCode::NotFound, format!("nothing is at {}", uri.path()))
}

async fn no_such_method() -> ApiError {
    ApiError::new(
        ErrorCode::MethodNotAllowed,
        "that can't be done with this address",
    )
}

/// Converts a panic to a response, so that only the request that panicked fails. The panic hook has logged
/// the location.
fn panicked(panic: Box<dyn Any + Send>) -> Response<Body> {
    fault(&*panic).into_response()
}

fn fault(panic: &(dyn Any + Send)) -> ApiError {
    let words = panic.downcast_ref::<String>().map(String::as_str);
    let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
    let panicked = Panicked(words.unwrap_or("no words").to_owned());
    let message = "Something went wrong inside the program";
    ApiError::internal(ErrorCode::Internal, message, &panicked)
}

/// The message of a request's panic.
#[derive(Debug, thiserror::Error)]
#[error("a request panicked: {0}")]
struct Panicked(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_that_was_bound_is_answered_to_wherever_on_the_loopback_it_is() {
        let bound = |port, base: &str| Address::port(port, &[]).with_base(base.to_owned());
        let address = bound(4321, "http://127.0.0.2:4321/");
        assert!(address.answers_to("127.0.0.2:4321"));
        assert!(address.answers_to("localhost:4321"));
        assert!(!address.answers_to("127.0.0.2"));
        assert!(!address.answers_to("127.0.0.3:4321"));
        assert!(bound(80, "http://127.0.0.2:80/").answers_to("127.0.0.2"));
    }

    #[test]
    fn what_a_proxy_passes_on_is_answered_to_but_is_not_our_own() {
        let further = ["wiki.example".to_owned()];
        for address in [
            Address::port(4321, &further),
            Address::socket("/s".as_ref(), &further),
        ] {
            assert!(address.answers_to("Wiki.example"));
            assert!(!address.is_own("wiki.example"));
        }
        assert!(Address::port(4321, &further).is_own("localhost:4321"));
        assert!(Address::socket("/s".as_ref(), &further).is_own("localhost"));
    }

    #[test]
    fn own_host_is_answered_to_at_the_port() {
        let label = "0123456789abcdef0123456789abcdef";
        let name = host_name(label);
        let address = Address::port(4321, &[]).with_own_host(Some(label));
        assert!(address.answers_to(&format!("{name}:4321")));
        assert!(address.is_own(&format!("{name}:4321")));
        assert!(!address.is_bound(&format!("{name}:4321")));
        for other in [
            name.clone(),
            format!("{name}:4322"),
            format!("x{name}:4321"),
        ] {
            assert!(!address.answers_to(&other), "{other}");
        }
        assert_eq!(address.browser_entrance(), format!("http://{name}:4321/"));
        assert_eq!(address.entrance(), "http://127.0.0.1:4321/");
        let usual = Address::port(80, &[]).with_own_host(Some(label));
        assert!(usual.answers_to(&name));
    }

    #[test]
    fn proxies_and_sockets_have_no_own_host() {
        let label = Some("0123456789abcdef0123456789abcdef");
        let proxied = Address::port(4321, &["wiki.example".to_owned()]).with_own_host(label);
        assert_eq!(proxied.browser_entrance(), "http://127.0.0.1:4321/");
        let socket = Address::socket("/s".as_ref(), &[]).with_own_host(label);
        assert_eq!(socket.browser_entrance(), "/");
        let off = Address::port(4321, &[]).with_own_host(None);
        assert_eq!(off.browser_entrance(), "http://127.0.0.1:4321/");
    }

    #[test]
    fn a_request_that_panics_is_told_by_which_id_it_stands_in_the_log() {
        let panics: [Box<dyn Any + Send>; 3] = [
            Box::new("upside down"),
            Box::new("upside down".to_owned()),
            Box::new(7),
        ];
        for panic in panics {
            let told = fault(&*panic);
            let message = &told.body().message;
            let (_, id) = message.split_once("(request ").unwrap();
            let id = id.strip_suffix(')').or(id.strip_suffix(").")).unwrap();
            assert!(id.len() == 8 && id.bytes().all(|digit| digit.is_ascii_hexdigit()));
            assert!(!message.contains("upside down"), "{message}");
        }
    }

    #[test]
    fn a_login_is_an_address_or_behind_a_socket_a_path() {
        assert_eq!(
            Address::port(4321, &[]).entrance(),
            "http://127.0.0.1:4321/"
        );
        let socket = Address::socket("/run/fumikura.sock".as_ref(), &[]);
        assert_eq!(socket.entrance(), "/");
    }
}
