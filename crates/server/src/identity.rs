//! The file `server.json`, by which other programs of the same user find the running server, and the proof
//! that a server wrote it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::address::Address;
use crate::auth::is_host_name;
use crate::services::Launch;

/// The file's contents. A killed process leaves the file behind, and any program may take the address then.
/// Clients therefore send only a challenge until a response has proved that the server knows the token
/// ([`ServerFile::is_proved_by`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerFile {
    /// The address of the server: `http://127.0.0.1:PORT/` or `unix:///path`.
    pub url: String,
    /// The launch's Bearer token.
    pub token: String,
    /// The launch's id.
    pub instance: String,
}

impl Launch {
    /// Returns the contents of `server.json` while the application is served at this address.
    pub(crate) fn server_file(&self, address: &Address) -> ServerFile {
        ServerFile {
            url: address.base(),
            token: self.auth.bearer().expose().to_owned(),
            instance: self.instance.clone(),
        }
    }
}

fn file_of(data: &Path) -> PathBuf {
    data.join("server.json")
}

/// Reads the data folder's `server.json`, if it is readable.
#[must_use]
pub fn find_running(data: &Path) -> Option<ServerFile> {
    serde_json::from_slice(&own_file::read(&file_of(data), own_file::VALUE).ok()?).ok()
}

/// The allowed lengths of a challenge, in characters.
const CHALLENGE: std::ops::RangeInclusive<usize> = 32..=128;

/// Returns true if a text is a valid challenge: hexadecimal digits, enough of them that no two clients choose
/// the same.
pub(crate) fn is_challenge(text: &str) -> bool {
    CHALLENGE.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl ServerFile {
    /// Returns the proof for a challenge, which only the server that wrote the file can compute: HMAC-SHA256
    /// with the token as the key over the server's address, its instance and the challenge, in hexadecimal
    /// digits. The address is included, so that no other server can forward a challenge and be trusted.
    #[must_use]
    pub fn proof(&self, challenge: &str) -> String {
        hex::encode(self.mac(challenge).finalize().into_bytes())
    }

    /// Returns true if the proof is that of the challenge. Compares in constant time.
    #[must_use]
    pub fn is_proved_by(&self, proof: &str, challenge: &str) -> bool {
        hex::decode(proof).is_ok_and(|proof| self.mac(challenge).verify_slice(&proof).is_ok())
    }

    /// Returns true if an address is one of this server's logins, and leads nowhere else.
    #[must_use]
    pub fn is_own_login(&self, address: &str) -> bool {
        let token = address.strip_prefix(&self.url);
        token.is_some_and(is_login_path)
    }

    /// Returns true if an address is one of this server's logins for browsers: at its address, or at an own
    /// host name on the same port.
    #[must_use]
    pub fn is_own_browser_login(&self, address: &str) -> bool {
        self.is_own_login(address) || self.is_at_own_host(address).unwrap_or(false)
    }

    fn is_at_own_host(&self, address: &str) -> Option<bool> {
        let (_, port) = self.url.trim_end_matches('/').rsplit_once(':')?;
        let (host, path) = address.strip_prefix("http://")?.split_once('/')?;
        let name = match port {
            "80" => host,
            _ => host.strip_suffix(port)?.strip_suffix(':')?,
        };
        Some(is_host_name(name) && is_login_path(path))
    }

    fn mac(&self, challenge: &str) -> Hmac<Sha256> {
        let mac = Hmac::<Sha256>::new_from_slice(self.token.as_bytes());
        let mut mac = mac.expect("BUG: HMAC takes keys of any length");
        // The separator occurs in no part, so different parts never yield the same text.
        for part in ["fumikura server", &self.url, &self.instance, challenge] {
            mac.update(part.as_bytes());
            mac.update(b"\n");
        }
        mac
    }

    /// Writes the file, readable by its owner only.
    pub(crate) fn write(&self, data: &Path) -> io::Result<()> {
        let json = serde_json::to_vec(self).map_err(io::Error::other)?;
        durable::write_file(&file_of(data), &json, Access::Private)
    }

    /// Removes the file, unless another launch has written its own.
    pub(crate) fn remove(&self, data: &Path) -> io::Result<()> {
        if find_running(data).as_ref() == Some(self) {
            fs::remove_file(file_of(data))
        } else {
            Ok(())
        }
    }
}

/// Returns true if the text is a login's path without its leading slash, and nothing else.
fn is_login_path(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    path.strip_prefix("login?token=")
        .is_some_and(|token| !token.is_empty() && token.bytes().all(is_plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> ServerFile {
        ServerFile {
            url: "http://127.0.0.1:4321/".to_owned(),
            token: "secret".to_owned(),
            instance: "0123".to_owned(),
        }
    }

    #[test]
    fn proof_is_bound_to_challenge_address_and_launch() {
        let (file, challenge) = (file(), "a".repeat(32));
        let proof = file.proof(&challenge);
        // Computed with Python's hmac.new(b"secret", …, "sha256"): other programs can compute it.
        assert_eq!(
            proof,
            "dec2adf2df384c38504f7e04355c717574ec759d649cde36f8b6ecf5a17d5e66"
        );
        assert!(file.is_proved_by(&proof, &challenge));
        assert!(!file.is_proved_by(&proof, &"b".repeat(32)));
        assert!(!file.is_proved_by(&proof[2..], &challenge));
        assert!(!file.is_proved_by("", &challenge));
        let change: [fn(&mut ServerFile); 3] = [
            |file| file.url = "http://127.0.0.1:4322/".to_owned(),
            |file| file.token = "Secret".to_owned(),
            |file| file.instance = "0124".to_owned(),
        ];
        for change in change {
            let mut other = file.clone();
            change(&mut other);
            assert!(!other.is_proved_by(&proof, &challenge), "{other:?}");
        }
    }

    #[test]
    fn login_of_another_origin_is_rejected() {
        let file = file();
        assert!(file.is_own_login("http://127.0.0.1:4321/login?token=aB-_9"));
        for other in [
            "http://127.0.0.1:4322/login?token=a",
            "http://127.0.0.1:4321.evil.example/login?token=a",
            "http://127.0.0.1:4321@evil.example/login?token=a",
            "https://127.0.0.1:4321/login?token=a",
            "http://127.0.0.1:4321/login?token=",
            "http://127.0.0.1:4321/login?token=a&next=//evil.example",
            "http://127.0.0.1:4321/login?token=a\n",
            "/login?token=a",
        ] {
            assert!(!file.is_own_login(other), "{other}");
            assert!(!file.is_own_browser_login(other), "{other}");
        }
    }

    #[test]
    fn browser_login_may_use_the_own_host() {
        let file = file();
        let name = "fumikura-0123456789abcdef0123456789abcdef.localhost";
        assert!(file.is_own_browser_login(&format!("http://{name}:4321/login?token=aB-_9")));
        assert!(file.is_own_browser_login("http://127.0.0.1:4321/login?token=aB-_9"));
        for other in [
            format!("http://{name}:4322/login?token=a"),
            format!("http://{name}/login?token=a"),
            format!("https://{name}:4321/login?token=a"),
            format!("http://{name}.evil.example:4321/login?token=a"),
            format!("http://evil.example@{name}:4321/login?token=a"),
            format!("http://{name}:4321/wiki/"),
        ] {
            assert!(!file.is_own_browser_login(&other), "{other}");
        }
    }

    #[test]
    fn challenge_has_a_bounded_number_of_digits() {
        assert!(is_challenge(&"0aF9".repeat(8)) && is_challenge(&"0".repeat(128)));
        for other in ["", "0", &"0".repeat(31), &"0".repeat(129), &"g".repeat(32)] {
            assert!(!is_challenge(other), "{other}");
        }
    }
}
