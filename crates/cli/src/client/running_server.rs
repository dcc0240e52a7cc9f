//! A client of the running server of a data folder.

use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use fumikura_base::dirs::AppDirs;
use fumikura_base::entropy::{SystemEntropy, random_bytes};
use fumikura_base::exposure;
use fumikura_server::{LocalEndpoint, ServerFile, find_running};
use serde_json::Value;
use ureq::Agent;
use ureq::http::Request;
use ureq::http::request::Builder;

use super::{RESPONSE_HEADERS, error_of, socket};

/// The number of random bytes of a challenge.
const CHALLENGE: usize = 32;
/// The time within which the program at the stored address must prove that it is the server.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A server that runs as this user, or has proved that it knows the token of its launch.
pub(crate) struct RunningServer {
    agent: Agent,
    access: Access,
}

/// The way to a server.
enum Access {
    /// Its Unix socket, which trusts this user.
    Socket {
        /// The address for people: that of `server.json`, or else the socket's path.
        shown: String,
    },
    /// Its port, with the token of `server.json`.
    Port(ServerFile),
}

impl RunningServer {
    /// Finds the server of the data folder, which is the user's own by default: by its Unix socket, or else by
    /// `server.json`.
    pub(crate) fn find(data: Option<&Path>) -> anyhow::Result<Self> {
        let data = match data {
            Some(data) => data.to_owned(),
            None => AppDirs::of_the_user()?.data,
        };
        // A user who can write to the folder could have put a forged server.json there.
        exposure::check(&data)?;
        if let Some(server) = Self::at_socket(&data) {
            return Ok(server);
        }
        let file = find_verified(&Agent::from(config(Some(TIMEOUT))), &data)?;
        // Moving a folder, or asking a service, may take long.
        let agent = config(None).into();
        let access = Access::Port(file);
        Ok(Self { agent, access })
    }

    /// Returns the server that answers at the socket of the data folder.
    fn at_socket(data: &Path) -> Option<Self> {
        let endpoint = LocalEndpoint::find(data)?;
        let shown = match find_running(data) {
            Some(file) => file.url,
            None => format!("unix://{}", endpoint.path().display()),
        };
        let agent = socket::agent(config(None), endpoint);
        let health = agent.get(format!("{}healthz", socket::BASE)).config();
        let health = health.timeout_recv_response(Some(TIMEOUT)).build().call();
        health
            .is_ok_and(|answer| answer.status().is_success())
            .then_some(Self {
                agent,
                access: Access::Socket { shown },
            })
    }

    /// Returns the address for people.
    pub(crate) fn url(&self) -> &str {
        match &self.access {
            Access::Socket { shown } => shown,
            Access::Port(file) => &file.url,
        }
    }

    /// Returns true if an address is one of this server's logins.
    pub(crate) fn is_own_login(&self, address: &str) -> bool {
        match &self.access {
            Access::Socket { .. } => address.starts_with("http://"),
            Access::Port(file) => file.is_own_login(address),
        }
    }

    /// Returns true if an address is one of this server's logins for browsers.
    pub(crate) fn is_own_browser_login(&self, address: &str) -> bool {
        match &self.access {
            Access::Socket { .. } => address.starts_with("http://"),
            Access::Port(file) => file.is_own_browser_login(address),
        }
    }

    /// Sends a request, and writes the answer's body to `out` as it arrives. Returns the headers that commands
    /// read.
    pub(super) fn ask(
        &self,
        method: &str,
        address: &str,
        headers: &[(&str, &str)],
        body: &[u8],
        out: &mut dyn Write,
    ) -> anyhow::Result<Vec<(String, String)>> {
        let mut request = self.request(method, address);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = match method {
            "GET" | "DELETE" => self.agent.run(request.body(())?),
            _ => self.agent.run(request.body(body)?),
        };
        let answer = answer.context("the running server can't be reached")?;
        let (parts, body) = answer.into_parts();
        let mut body = body.into_with_config().limit(u64::MAX).reader();
        if parts.status.is_success() {
            std::io::copy(&mut body, out)?;
            let value = |name: &&str| {
                let value = parts.headers.get(*name)?.to_str().ok()?;
                Some(((*name).to_owned(), value.to_owned()))
            };
            return Ok(RESPONSE_HEADERS.iter().filter_map(value).collect());
        }
        let mut words = Vec::new();
        body.read_to_end(&mut words)?;
        Err(error_of(parts.status.as_u16(), &words))
    }

    /// Sends a request without headers or a body, and writes the answer's body to `out` as it arrives.
    pub(crate) fn download(
        &self,
        method: &str,
        address: &str,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        self.ask(method, address, &[], b"", out).map(drop)
    }

    /// Requests an address, such as `api/config/usage`, and returns the JSON of its answer.
    pub(crate) fn get(&self, address: &str) -> anyhow::Result<Value> {
        self.json("GET", address)
    }

    /// Posts an empty body to an address, and returns the JSON of the answer.
    pub(crate) fn post(&self, address: &str) -> anyhow::Result<Value> {
        self.json("POST", address)
    }

    fn json(&self, method: &str, address: &str) -> anyhow::Result<Value> {
        let mut body = Vec::new();
        self.ask(method, address, &[], b"", &mut body)?;
        if body.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&body).context("the running server's answer is invalid")
    }

    fn request(&self, method: &str, address: &str) -> Builder {
        let request = Request::builder().method(method);
        match &self.access {
            Access::Socket { .. } => request.uri(format!("{}{address}", socket::BASE)),
            Access::Port(file) => request
                .uri(format!("{}{address}", file.url))
                .header("Authorization", format!("Bearer {}", file.token)),
        }
    }
}

/// Returns the settings of an HTTP client for this machine only: neither a proxy nor a redirect gets the token.
fn config(timeout: Option<Duration>) -> ureq::config::Config {
    Agent::config_builder()
        .proxy(None)
        .max_redirects(0)
        .http_status_as_error(false)
        .timeout_connect(Some(TIMEOUT))
        .timeout_recv_response(timeout)
        .build()
}

/// Finds the server of the data folder, and verifies that it is the one at the stored address. Another program
/// may have taken the address since the file was written. So the program there first gets only a challenge, and
/// must prove that it knows the token.
fn find_verified(agent: &Agent, data: &Path) -> anyhow::Result<ServerFile> {
    let none = || {
        format!(
            "no server is running on {}: start one with “fumi serve”",
            data.display()
        )
    };
    let server = find_running(data).with_context(none)?;
    if server.url.starts_with("unix:") {
        bail!(
            "the running server listens on a Unix socket, and can't be reached for local programs"
        );
    }
    let challenge = hex::encode(random_bytes::<CHALLENGE>(&SystemEntropy));
    let mut answer = agent
        .get(format!("{}healthz?challenge={challenge}", server.url))
        .call()
        .with_context(none)?;
    let health: Value = answer.body_mut().read_json().with_context(none)?;
    let is_same = health["instance"].as_str() == Some(&server.instance);
    let proof = health["proof"].as_str().unwrap_or_default();
    if !is_same || !server.is_proved_by(proof, &challenge) {
        bail!(none());
    }
    Ok(server)
}
