//! Access to the data of a folder: through the server that has it open, or else directly.

mod running_server;
mod socket;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use fumikura_base::dirs::AppDirs;
use fumikura_server::{Config, LocalClient, Overrides, StartError};
use serde_json::Value;

use crate::interruption::{Interrupted, SignalWatch};
use crate::output;
use crate::progress::{ProgressDisplay, Unit};

pub(crate) use running_server::RunningServer;

/// The time between two polls of a job.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Arguments of every command that works on the data.
#[derive(Args)]
pub(crate) struct Common {
    /// Data folder (pages, settings)
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

impl Common {
    /// Returns the data folder that was named.
    pub(crate) fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// Returns the arguments of a command that has no output of its own.
    pub(crate) fn of(data: Option<PathBuf>) -> Self {
        Self { data, json: false }
    }
}

/// A connection to the data.
pub(crate) enum Client {
    /// The server that has it open.
    Running(RunningServer),
    /// No server has the data open, so this process has, until this is dropped.
    Local(Box<LocalClient>),
}

/// The answer to a request.
pub(crate) struct Answer {
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// There are no data in a folder.
#[derive(Debug, thiserror::Error)]
#[error("there is no data of Fumikura in {}", .0.display())]
struct NoData(PathBuf);

/// The server refused a request.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.message())]
pub(crate) struct Refusal {
    status: u16,
    body: Value,
}

impl Refusal {
    /// Returns the refusal that an error is; none if the error is another one.
    pub(crate) fn of(error: &anyhow::Error) -> Option<&Self> {
        error.downcast_ref()
    }

    /// Returns the code of the closed list `ErrorCode`.
    pub(crate) fn code(&self) -> &str {
        text(&self.body, "code")
    }

    /// Returns the error as the server sent it.
    pub(crate) fn body(&self) -> &Value {
        &self.body
    }

    fn message(&self) -> String {
        match self.body["message"].as_str() {
            Some(message) => message.to_owned(),
            None => format!("the server refused the request: {}", self.status),
        }
    }
}

/// True if the data could not be opened because they are damaged, or lost but for their backups.
pub(crate) fn is_damage(error: &anyhow::Error) -> bool {
    match error.downcast_ref::<NoData>() {
        Some(NoData(data)) => data.join("backups").is_dir(),
        None => matches!(
            error.downcast_ref(),
            Some(StartError::Damaged { .. } | StartError::Missing { .. })
        ),
    }
}

/// Returns the configuration of the data.
pub(crate) fn config_of(common: &Common) -> anyhow::Result<Config> {
    let overrides = Overrides {
        data: Some(data_of(common)?),
        thumb_worker: Some(
            std::env::current_exe().context("couldn't find this program's own path")?,
        ),
        ..Overrides::default()
    };
    Ok(Config::load(overrides)?)
}

fn data_of(common: &Common) -> anyhow::Result<PathBuf> {
    match &common.data {
        Some(data) => Ok(data.clone()),
        None => Ok(AppDirs::of_the_user()?.data),
    }
}

impl Client {
    /// Finds the server of the data folder, or opens the data.
    pub(crate) fn open(common: &Common) -> anyhow::Result<Self> {
        Self::open_data(common, false)
    }

    /// Does the same, and creates the data if there are none.
    pub(crate) fn open_or_create(common: &Common) -> anyhow::Result<Self> {
        Self::open_data(common, true)
    }

    fn open_data(common: &Common, create: bool) -> anyhow::Result<Self> {
        let data = data_of(common)?;
        if let Ok(running) = RunningServer::find(Some(&data)) {
            return Ok(Self::Running(running));
        }
        if !create && !data.join("wiki.redb").exists() {
            return Err(NoData(data).into());
        }
        let local = LocalClient::open(config_of(common)?)?;
        Ok(Self::Local(Box::new(local)))
    }

    /// Sends a request and returns its answer. A refusal becomes an error with the server's message.
    pub(crate) fn ask(
        &self,
        method: &str,
        address: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> anyhow::Result<Answer> {
        let mut bytes = Vec::new();
        let headers = self.download(method, address, headers, body, &mut bytes)?;
        Ok(Answer {
            headers,
            body: bytes,
        })
    }

    /// Sends a request like [`ask`](Self::ask), but writes the answer's body to `out` as it arrives. Returns
    /// the headers.
    pub(crate) fn download(
        &self,
        method: &str,
        address: &str,
        headers: &[(&str, &str)],
        body: &[u8],
        out: &mut dyn Write,
    ) -> anyhow::Result<Vec<(String, String)>> {
        match self {
            Self::Running(running) => running.ask(method, address, headers, body, out),
            Self::Local(local) => {
                let answer = local.ask(method, &format!("/{address}"), headers, body.to_vec());
                let status = answer.status;
                let received = RESPONSE_HEADERS
                    .iter()
                    .filter_map(|name| Some(((*name).to_owned(), answer.header(name)?.to_owned())));
                let received = received.collect();
                if (200..300).contains(&status) {
                    answer.write_to(out)?;
                    return Ok(received);
                }
                let mut words = Vec::new();
                answer.write_to(&mut words)?;
                Err(error_of(status, &words))
            }
        }
    }

    /// Requests an address and returns the JSON of its answer.
    pub(crate) fn get(&self, address: &str) -> anyhow::Result<Value> {
        self.ask("GET", address, &[], b"")?.json()
    }

    /// Sends a request without headers or a body.
    pub(crate) fn send(&self, method: &str, address: &str) -> anyhow::Result<Answer> {
        self.ask(method, address, &[], b"")
    }

    /// Sends JSON, and returns the JSON of the answer.
    pub(crate) fn send_json(
        &self,
        method: &str,
        address: &str,
        body: &Value,
    ) -> anyhow::Result<Value> {
        let kind = [("content-type", "application/json")];
        let answer = self.ask(method, address, &kind, body.to_string().as_bytes())?;
        answer.json()
    }

    /// Starts a job with a request, waits for it to end, and returns its result. An interruption of the command cancels
    /// the job, which may end all the same if it is in a step that can't be.
    /// The words say what remains then.
    pub(crate) fn run_job(
        &self,
        start: impl FnOnce() -> anyhow::Result<Answer>,
        json: bool,
        if_cancelled: &str,
    ) -> anyhow::Result<Value> {
        // Before the job exists: it would go on without the command otherwise.
        let watch = SignalWatch::begin()?;
        let started = start()?.json()?;
        let id = started["id"].as_str().context("the answer names no job")?;
        let display = ProgressDisplay::new(Unit::Step, json);
        let address = format!("api/jobs/{id}");
        let mut is_cancelled = false;
        loop {
            let job = self.get(&address)?;
            let amount = |field: &str| job[field].as_u64().unwrap_or_default();
            display.set(amount("done"), amount("total"));
            match job["state"].as_str() {
                Some("done") => return Ok(job["result"].clone()),
                Some("failed") => {
                    let why = job["error"]["message"].as_str().unwrap_or("it failed");
                    bail!("{why}");
                }
                Some("cancelled") if is_cancelled => {
                    return Err(Interrupted(if_cancelled.to_owned()).into());
                }
                Some("cancelled") => bail!("it was cancelled"),
                _ if watch.is_interrupted() && !is_cancelled => {
                    is_cancelled = true;
                    self.send("DELETE", &address)?;
                }
                _ => thread::sleep(POLL_INTERVAL),
            }
        }
    }
}

/// The response headers that commands read.
const RESPONSE_HEADERS: [&str; 3] = ["etag", "x-page-lock", "x-page-revision"];

impl Answer {
    pub(crate) fn json(&self) -> anyhow::Result<Value> {
        if self.body.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&self.body).context("the server's answer is invalid")
    }

    pub(crate) fn header(&self, name: &str) -> anyhow::Result<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        let found = found.map(|(_, value)| value.as_str());
        found.with_context(|| format!("the server's answer has no {name}"))
    }
}

/// Creates an error with the server's message.
fn error_of(status: u16, body: &[u8]) -> anyhow::Error {
    let body = serde_json::from_slice(body).unwrap_or_default();
    Refusal { status, body }.into()
}

/// Percent-encodes a text for an address.
pub(crate) fn percent_encode(text: &str) -> String {
    percent_encode_bytes(text.as_bytes())
}

/// Percent-encodes the bytes of a path for an address.
pub(crate) fn percent_encode_bytes(bytes: &[u8]) -> String {
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    bytes.iter().copied().map(encode).collect()
}

/// Prints a line, or JSON on request.
pub(crate) fn print(json: bool, value: &Value, line: &str) -> anyhow::Result<()> {
    let mut out = output::stdout();
    match json {
        true => writeln!(out, "{value}")?,
        false => writeln!(out, "{}", fumikura_base::printable::Printable(line))?,
    }
    Ok(())
}

/// Joins fields to a line, separated by tabs. Tabs and line breaks within fields are escaped.
pub(crate) fn row(fields: &[&str]) -> String {
    let fields = fields
        .iter()
        .map(|field| fumikura_base::printable::Printable(field).to_string());
    fields.collect::<Vec<_>>().join("\t")
}

/// Returns a text field of a JSON object; empty if there is none.
pub(crate) fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_encoded() {
        assert_eq!(percent_encode("/旅 a&b~"), "%2F%E6%97%85%20a%26b~");
    }
}
