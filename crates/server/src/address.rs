//! The address of a server: its own host names, those of a proxy, and the name of its cookie.

use axum::http::HeaderValue;

use crate::auth::host_name;

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
    /// `None` for a socket.
    port: Option<u16>,
    /// True if the server's user needs no token.
    trusts_own_user: bool,
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
            trusts_own_user: false,
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
            trusts_own_user: false,
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

    /// Adds an own host for browsers, with the label of [`App::own_host_label`](crate::App::own_host_label). A socket has none. An
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

    /// Returns this address as clients of the server's local socket use it: by the name `localhost`, without a token.
    pub(crate) fn on_local_socket(&self) -> Self {
        let mut own = self.clone();
        own.hosts.push("localhost".to_owned());
        own.trusts_own_user = true;
        own
    }

    /// Returns true if programs of the server's user need no token, because only they can connect.
    pub(crate) fn trusts_own_user(&self) -> bool {
        self.trusts_own_user
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

    /// Returns the cookie that deletes a session's cookie.
    pub(crate) fn removed_cookie(&self) -> HeaderValue {
        let name = self.cookie_name();
        let cookie = format!("{name}=; Max-Age=0; HttpOnly; SameSite=Strict; Path=/");
        HeaderValue::try_from(cookie).expect("BUG: the name of a cookie is a header")
    }
}

fn names(hosts: &[String], host: &str) -> bool {
    hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bound_loopback_address_is_accepted() {
        let bound = |port, base: &str| Address::port(port, &[]).with_base(base.to_owned());
        let address = bound(4321, "http://127.0.0.2:4321/");
        assert!(address.answers_to("127.0.0.2:4321"));
        assert!(address.answers_to("localhost:4321"));
        assert!(!address.answers_to("127.0.0.2"));
        assert!(!address.answers_to("127.0.0.3:4321"));
        assert!(bound(80, "http://127.0.0.2:80/").answers_to("127.0.0.2"));
    }

    #[test]
    fn proxied_host_is_accepted_but_is_not_own() {
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
    fn own_host_is_accepted_at_the_port() {
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
    fn login_address_is_a_path_on_a_socket() {
        assert_eq!(
            Address::port(4321, &[]).entrance(),
            "http://127.0.0.1:4321/"
        );
        let socket = Address::socket("/run/fumikura.sock".as_ref(), &[]);
        assert_eq!(socket.entrance(), "/");
    }
}
