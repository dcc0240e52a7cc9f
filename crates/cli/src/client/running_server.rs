//! A client of the running server of a data folder.

use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use fumikura_base::dirs::AppDirs;
use fumikura_base::entropy::{SystemEntropy, random_bytes};
use fumikura_base::exposure;
use fumikura_server::{ServerFile, find_running};
use serde_json::Value;
use ureq::Agent;
use ureq::http::Request;

use super::{RESPONSE_HEADERS, error_of};

/// The number of random bytes of a challenge.
const CHALLENGE: usize = 32;
/// The time within which the program at the stored address must prove that it is the server.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A server that has proved that it knows the token of its launch.
pub(crate) struct RunningServer {
    agent: Agent,
    file: ServerFile,
}

impl RunningServer {
    /// Finds the server of the data folder, which is the user's own by default.
    pub(crate) fn find(data: Option<&Path>) -> anyhow::Result<Self> {
        let data = match data {
            Some(data) => data.to_owned(),
            None => AppDirs::of_the_user()?.data,
        };
        // A user who can write to the folder could have put a forged server.json there.
        exposure::check(&data)?;
        let file = find_verified(&agent(Some(TIMEOUT)), &data)?;
        // Moving a folder, or asking a service, may take long.
        let agent = agent(None);
        Ok(Self { agent, file })
    }

    pub(crate) fn file(&self) -> &ServerFile {
        &self.file
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
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{address}", self.file.url))
            .header("Authorization", self.bearer());
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

    fn bearer(&self) -> String {
        format!("Bearer {}", self.file.token)
    }
}

/// Creates an HTTP client for this machine only: neither a proxy nor a redirect gets the token.
fn agent(timeout: Option<Duration>) -> Agent {
    let config = Agent::config_builder()
        .proxy(None)
        .max_redirects(0)
        .http_status_as_error(false)
        .timeout_connect(Some(TIMEOUT))
        .timeout_recv_response(timeout);
    config.build().into()
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
        bail!("the running server listens on a Unix socket, which this command can't open");
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
