//! The identity of clients for the limiter.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;

use ipnet::IpNet;
use sha2::{Digest, Sha256};

/// The length of the significant part of a user agent.
const AGENT_BYTES: usize = 64;
/// The length of the stored part of its hash, in bytes.
const AGENT_HASH: usize = 4;

/// The key under which a client's requests are counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClientKey(Arc<str>);

/// The properties by which clients are distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeyMode {
    /// The address only.
    #[default]
    Ip,
    /// The address and the user agent.
    IpAndAgent,
}

/// The other end of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// An internet address.
    Ip(IpAddr),
    /// A Unix socket, whose clients have no address.
    Unix,
}

impl ClientKey {
    /// Returns the key of a client: `{ip}`, or `{ip}:{first 8 hexadecimal digits of the SHA-256 of the user
    /// agent's first 64 bytes}`. IPv6 clients are counted by their /64 network, because one client usually
    /// has all of it.
    #[must_use]
    pub fn new(peer: Peer, agent: &[u8], mode: KeyMode) -> Self {
        let address = match peer {
            Peer::Unix => "unix".to_owned(),
            Peer::Ip(address) => network(address),
        };
        Self(match mode {
            KeyMode::Ip => address.into(),
            KeyMode::IpAndAgent => {
                let hash = Sha256::digest(&agent[..agent.len().min(AGENT_BYTES)]);
                format!("{address}:{}", hex::encode(&hash[..AGENT_HASH])).into()
            }
        })
    }

    /// Returns the key of a user of this machine: `user:{uid}`.
    #[must_use]
    pub fn of_user(uid: u32) -> Self {
        Self(format!("user:{uid}").into())
    }

    /// Returns the key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ClientKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        // The loopback is one address, which a /64 network would not show.
        IpAddr::V6(Ipv6Addr::LOCALHOST) => Ipv6Addr::LOCALHOST.to_string(),
        IpAddr::V6(address) => {
            let network = Ipv6Addr::from_bits(address.to_bits() >> 64 << 64);
            format!("{network}/64")
        }
    }
}

/// Proxies whose `X-Forwarded-For` header is trusted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    networks: Vec<IpNet>,
    unix: bool,
}

impl Proxies {
    /// Returns the client behind `peer`. The addresses of `X-Forwarded-For` are read from right to left, as
    /// long as the previous address is a trusted proxy. An unreadable address ends the search: the proxy that
    /// wrote it is the client.
    #[must_use]
    pub fn client_of(&self, peer: Peer, forwarded: &[&str]) -> Peer {
        let addresses = forwarded.iter().rev().flat_map(|value| value.rsplit(','));
        let mut client = peer;
        for address in addresses {
            let Some(next) = self
                .trusts(client)
                .then(|| read_address(address.trim()))
                .flatten()
            else {
                break;
            };
            client = Peer::Ip(next);
        }
        client
    }

    fn trusts(&self, peer: Peer) -> bool {
        match peer {
            Peer::Unix => self.unix,
            Peer::Ip(address) => {
                let address = address.to_canonical();
                self.networks
                    .iter()
                    .any(|network| network.contains(&address))
            }
        }
    }
}

/// Reads an address of a header. Proxies write addresses with and without a port.
fn read_address(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(text);
    let address = bare.parse().ok();
    let address = address.or_else(|| text.parse().ok().map(|socket: SocketAddr| socket.ip()));
    address.map(|address| address.to_canonical())
}

/// A text that is not a list of proxies.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is neither an address, nor a network such as 10.0.0.0/8, nor “unix”")]
pub struct InvalidProxy(String);

impl FromStr for Proxies {
    type Err = InvalidProxy;

    /// Reads addresses, networks in CIDR notation and `unix`, separated by commas.
    fn from_str(text: &str) -> Result<Self, InvalidProxy> {
        let mut proxies = Self::default();
        for part in text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            if part == "unix" {
                proxies.unix = true;
                continue;
            }
            let network = part
                .parse()
                .or_else(|_| part.parse().map(|address: IpAddr| address.into()));
            proxies
                .networks
                .push(network.map_err(|_| InvalidProxy(part.to_owned()))?);
        }
        Ok(proxies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> Peer {
        Peer::Ip(text.parse().unwrap())
    }

    #[track_caller]
    fn key(peer: Peer, agent: &[u8], mode: KeyMode, expected: &str) {
        assert_eq!(ClientKey::new(peer, agent, mode).as_str(), expected);
    }

    #[test]
    fn clients_are_distinguished_by_address() {
        key(ip("192.168.1.1"), b"x", KeyMode::Ip, "192.168.1.1");
        key(ip("::ffff:192.168.1.1"), b"x", KeyMode::Ip, "192.168.1.1");
        key(
            ip("2001:db8:1:2:3:4:5:6"),
            b"x",
            KeyMode::Ip,
            "2001:db8:1:2::/64",
        );
        key(ip("::1"), b"x", KeyMode::Ip, "::1");
        key(Peer::Unix, b"x", KeyMode::Ip, "unix");
    }

    #[test]
    fn user_agent_counts_up_to_64_bytes() {
        // printf curl/8.5.0 | sha256sum
        key(
            ip("192.168.1.1"),
            b"curl/8.5.0",
            KeyMode::IpAndAgent,
            "192.168.1.1:07d1d539",
        );
        key(Peer::Unix, b"", KeyMode::IpAndAgent, "unix:e3b0c442");
        let agent = |length| ClientKey::new(Peer::Unix, &vec![b'a'; length], KeyMode::IpAndAgent);
        assert_eq!(agent(64), agent(65));
        assert_ne!(agent(63), agent(64));
    }

    #[test]
    fn forwarded_addresses_are_believed_from_proxies_only() {
        let proxies: Proxies = "10.0.0.0/8, 127.0.0.1,unix".parse().unwrap();
        let check = |peer, forwarded: &[&str], client| {
            assert_eq!(proxies.client_of(peer, forwarded), client, "{forwarded:?}");
        };
        check(ip("192.0.2.1"), &["198.51.100.7"], ip("192.0.2.1"));
        check(ip("127.0.0.1"), &["198.51.100.7"], ip("198.51.100.7"));
        check(Peer::Unix, &["198.51.100.7:443"], ip("198.51.100.7"));
        check(
            ip("::ffff:127.0.0.1"),
            &["[2001:db8::1]:443"],
            ip("2001:db8::1"),
        );
        // Anything to the left of a client may be forged by it.
        check(
            ip("127.0.0.1"),
            &["1.1.1.1, 198.51.100.7, 10.0.0.2"],
            ip("198.51.100.7"),
        );
        check(
            ip("127.0.0.1"),
            &["1.1.1.1", "198.51.100.7,10.0.0.2"],
            ip("198.51.100.7"),
        );
        check(ip("127.0.0.1"), &["198.51.100.7, unknown"], ip("127.0.0.1"));
        check(
            ip("127.0.0.1"),
            &["198.51.100.7, unknown, 10.0.0.2"],
            ip("10.0.0.2"),
        );
        check(ip("127.0.0.1"), &[], ip("127.0.0.1"));
    }

    #[test]
    fn list_of_proxies_is_checked() {
        assert_eq!("".parse(), Ok(Proxies::default()));
        assert_eq!(
            "10.0.0.0/33".parse::<Proxies>(),
            Err(InvalidProxy("10.0.0.0/33".into()))
        );
    }
}
