//! The base address of a service.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use ureq::http::Uri;

/// The base address of a service: `http` or `https`, a host, optionally a port and a path, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The address without a trailing slash.
    text: String,
    host: String,
    port: u16,
    is_https: bool,
}

/// The reason why a text is not a base address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAddress {
    /// The text is not an `http` or `https` address.
    #[error(
        "The address of the vision service must begin with https:// or http:// and name a host."
    )]
    NotHttp,
    /// The text has a user name, a password, a query or a fragment, which may contain a key.
    #[error("The address of the vision service must contain no user name, password, ? or #.")]
    ExtraParts,
}

impl Address {
    /// Returns the host name, or the IP address without brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the scheme, the host in lower case, and the port unless it is the usual one. A key belongs to one
    /// origin.
    #[must_use]
    pub fn origin(&self) -> String {
        let (scheme, usual) = if self.is_https {
            ("https", 443)
        } else {
            ("http", 80)
        };
        let host = self.host.to_ascii_lowercase();
        let host = if host.contains(':') {
            format!("[{host}]")
        } else {
            host
        };
        match self.port {
            port if port == usual => format!("{scheme}://{host}"),
            port => format!("{scheme}://{host}:{port}"),
        }
    }

    /// Returns true if the address is this machine's own: `localhost`, 127.0.0.0/8 or ::1.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        self.host.eq_ignore_ascii_case("localhost") || self.ip().is_some_and(|ip| ip.is_loopback())
    }

    /// Returns true if a key may be sent to the address: over `https`, to this machine, or to a private
    /// address or a name of the local network (`.local`, `.home.arpa`).
    pub(crate) fn may_get_key(&self) -> bool {
        self.is_https || self.is_local()
    }

    /// Returns true for this machine and machines on the local network, which are contacted without a proxy.
    #[must_use]
    pub fn is_local(&self) -> bool {
        let host = self.host.to_ascii_lowercase();
        let is_private = self.ip().is_some_and(|ip| match ip {
            IpAddr::V4(ip) => ip.is_private() || ip.is_link_local(),
            IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local(),
        });
        self.is_loopback() || is_private || host.ends_with(".local") || host.ends_with(".home.arpa")
    }

    /// Returns the address of `path`, which begins with a slash.
    pub(crate) fn join(&self, path: &str) -> String {
        format!("{}{path}", self.text)
    }

    fn ip(&self) -> Option<IpAddr> {
        let ip: IpAddr = self.host.parse().ok()?;
        Some(ip.to_canonical())
    }
}

impl FromStr for Address {
    type Err = InvalidAddress;

    fn from_str(text: &str) -> Result<Self, InvalidAddress> {
        let text = text.trim().trim_end_matches('/');
        if text.contains(['@', '?', '#']) {
            return Err(InvalidAddress::ExtraParts);
        }
        let uri: Uri = text.parse().map_err(|_| InvalidAddress::NotHttp)?;
        let is_https = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            Some(_) | None => return Err(InvalidAddress::NotHttp),
        };
        let host = uri
            .host()
            .filter(|host| !host.is_empty())
            .ok_or(InvalidAddress::NotHttp)?;
        let host = match host.strip_prefix('[') {
            Some(rest) => {
                let ip = rest.strip_suffix(']').ok_or(InvalidAddress::NotHttp)?;
                ip.parse::<Ipv6Addr>()
                    .map_err(|_| InvalidAddress::NotHttp)?;
                ip
            }
            None => host,
        };
        Ok(Self {
            text: text.to_owned(),
            host: host.to_owned(),
            port: port(&uri, is_https)?,
            is_https,
        })
    }
}

fn port(uri: &Uri, is_https: bool) -> Result<u16, InvalidAddress> {
    let authority = uri.authority().ok_or(InvalidAddress::NotHttp)?;
    let after_host = &authority.as_str()[authority.host().len()..];
    match after_host.strip_prefix(':') {
        None | Some("") => Ok(if is_https { 443 } else { 80 }),
        Some(port) => port.parse().map_err(|_| InvalidAddress::NotHttp),
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, host: &str, is_loopback: bool, may_get_key: bool) {
        let address: Address = text.parse().unwrap();
        assert_eq!(
            (address.host(), address.is_loopback(), address.may_get_key()),
            (host, is_loopback, may_get_key),
            "{text}"
        );
    }

    #[test]
    fn key_needs_https_or_the_local_network() {
        check("https://example.org/v1", "example.org", false, true);
        check("http://example.org/v1", "example.org", false, false);
        check("http://8.8.8.8", "8.8.8.8", false, false);
        check("http://localhost:11434/v1", "localhost", true, true);
        check("http://127.8.0.1", "127.8.0.1", true, true);
        check("http://[::1]:1234/v1", "::1", true, true);
        check("http://[::ffff:127.0.0.1]", "::ffff:127.0.0.1", true, true);
        check("http://192.168.1.5:8000/v1", "192.168.1.5", false, true);
        check("http://[fd00::1]/v1", "fd00::1", false, true);
        check("http://nas.local/v1", "nas.local", false, true);
        check(
            "http://localhost.example.org",
            "localhost.example.org",
            false,
            false,
        );
        check(
            "http://127.0.0.1.example.org",
            "127.0.0.1.example.org",
            false,
            false,
        );
    }

    #[test]
    fn paths_are_joined_with_one_slash() {
        let address: Address = " https://example.org/v1/ ".parse().unwrap();
        assert_eq!(address.join("/models"), "https://example.org/v1/models");
        assert_eq!(address.to_string(), "https://example.org/v1");
    }

    #[test]
    fn origin_has_scheme_host_and_port() {
        let check = |text: &str, expected: &str| {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.origin(), expected, "{text}");
        };
        check("https://API.example.org/v1", "https://api.example.org");
        check("https://example.org:443", "https://example.org");
        check("https://example.org:/v1", "https://example.org");
        check("http://example.org:443/", "http://example.org:443");
        check("http://[::1]:1234/v1", "http://[::1]:1234");
        check("http://localhost:80/v1", "http://localhost");
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in [
            "",
            "example.org",
            "ftp://example.org",
            "https://",
            "http:///v1",
            "/v1",
            "http://[x]/",
            "http://host:65536/",
            "http://host:x/",
        ] {
            assert_eq!(
                text.parse::<Address>(),
                Err(InvalidAddress::NotHttp),
                "{text}"
            );
        }
        for text in [
            "https://a:b@example.org",
            "https://example.org/?key=1",
            "https://example.org/#a",
        ] {
            assert_eq!(
                text.parse::<Address>(),
                Err(InvalidAddress::ExtraParts),
                "{text}"
            );
        }
    }
}
