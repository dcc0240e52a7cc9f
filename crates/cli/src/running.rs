//! The running server of a data folder, as other commands ask it.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use fumikura_base::dirs::AppDirs;
use fumikura_base::entropy::{SystemEntropy, random_bytes};
use fumikura_base::exposure;
use fumikura_server::{ServerFile, find_running};
use serde_json::Value;
use ureq::http::Response;
use ureq::{Agent, Body};

/// How many random bytes a challenge has.
const CHALLENGE: usize = 32;
/// How long the running server may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server that has proved that it knows the launch's token.
pub(crate) struct Running {
    agent: Agent,
    file: ServerFile,
}

impl Running {
    /// The server of a data folder, by default the user's own.
    pub(crate) fn find(data: Option<&Path>) -> anyhow::Result<Self> {
        let data = match data {
            Some(data) => data.to_owned(),
            None => AppDirs::of_the_user()?.data,
        };
        // Whoever can write there could have written a server.json of their own.
        exposure::check(&data)?;
        let agent = agent();
        let file = running(&agent, &data)?;
        Ok(Self { agent, file })
    }

    pub(crate) fn file(&self) -> &ServerFile {
        &self.file
    }

    /// Reads JSON at an address, such as `api/config/usage`.
    pub(crate) fn get(&self, address: &str) -> anyhow::Result<Value> {
        let request = self.agent.get(format!("{}{address}", self.file.url));
        let answer = request.header("Authorization", self.bearer()).call();
        Ok(accepted(answer)?.body_mut().read_json()?)
    }

    /// Posts nothing to an address.
    pub(crate) fn post(&self, address: &str) -> anyhow::Result<Response<Body>> {
        let request = self.agent.post(format!("{}{address}", self.file.url));
        accepted(request.header("Authorization", self.bearer()).send_empty())
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.file.token)
    }
}

/// The answer, or the server's own words of what is wrong.
fn accepted(answer: Result<Response<Body>, ureq::Error>) -> anyhow::Result<Response<Body>> {
    let mut answer = answer.context("the running server can't be asked")?;
    if answer.status().is_success() {
        return Ok(answer);
    }
    let body: Value = answer.body_mut().read_json().unwrap_or_default();
    match body["message"].as_str() {
        Some(message) => bail!("the running server refused the request: {message}"),
        None => bail!(
            "the running server refused the request: {}",
            answer.status()
        ),
    }
}

/// Asks this machine alone: neither a proxy nor another server gets to see the token. What answers at
/// the address by now may be a program that never answers.
fn agent() -> Agent {
    let config = Agent::config_builder()
        .proxy(None)
        .max_redirects(0)
        .http_status_as_error(false)
        .timeout_global(Some(PATIENCE));
    config.build().into()
}

/// The server of the data folder, if it is the one that answers at its address. Any program may have taken that
/// since the file was written, so it gets a challenge alone, and has to prove that it knows the token.
fn running(agent: &Agent, data: &Path) -> anyhow::Result<ServerFile> {
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
