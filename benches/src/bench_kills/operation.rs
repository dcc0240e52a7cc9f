//! An operation that runs until its server is gone, and the tally of what became of its writes.

use anyhow::{Context, Result, bail, ensure};
use fumikura_tests::stage::Api;
use reqwest::Method;
use serde_json::Value;
use tokio::time::{Duration, sleep};

/// A kind of writes that can be compared with what is there later.
pub(crate) trait Operation {
    /// Does one write. Returns once it is acknowledged.
    ///
    /// # Errors
    /// Fails with a [`reqwest::Error`] without a status if the server is gone.
    async fn step(&mut self, api: &Api) -> Result<()>;

    /// Returns the descriptions of the acknowledged writes that are lost. A write that was not acknowledged may be
    /// there or not.
    async fn lost(&mut self, api: &Api) -> Result<Vec<String>>;
}

/// The counts of an operation.
pub(crate) struct Tally {
    pub(crate) name: &'static str,
    pub(crate) acknowledged: u64,
    pub(crate) lost: u64,
    /// The unexpected answers.
    pub(crate) faults: u64,
    /// The first loss or fault.
    pub(crate) first: Option<String>,
}

impl Tally {
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            acknowledged: 0,
            lost: 0,
            faults: 0,
            first: None,
        }
    }

    /// Counts something that was done, or its error.
    pub(crate) fn note(&mut self, outcome: Result<()>) {
        match outcome {
            Ok(()) => self.acknowledged += 1,
            Err(error) => {
                self.faults += 1;
                self.first.get_or_insert_with(|| format!("{error:#}"));
            }
        }
    }
}

/// An operation with its tally.
pub(crate) struct Running<O> {
    operation: O,
    tally: Tally,
}

impl<O: Operation> Running<O> {
    pub(crate) fn new(name: &'static str, operation: O) -> Self {
        Self {
            operation,
            tally: Tally::new(name),
        }
    }

    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Repeats the operation until the server is gone, or answers something unexpected.
    pub(crate) async fn run(&mut self, api: Api) {
        loop {
            let outcome = self.operation.step(&api).await;
            if outcome.as_ref().is_err_and(is_gone) {
                return;
            }
            let is_over = outcome.is_err();
            self.tally.note(outcome);
            if is_over {
                return;
            }
        }
    }

    /// Compares what is there with what was acknowledged.
    pub(crate) async fn check(&mut self, api: &Api) -> Result<()> {
        let lost = self.operation.lost(api).await;
        for what in lost.with_context(|| self.tally.name)? {
            self.tally.lost += 1;
            self.tally.first.get_or_insert(what);
        }
        Ok(())
    }
}

/// Returns whether a request got no complete answer.
fn is_gone(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<reqwest::Error>();
    error.is_some_and(|error| error.status().is_none())
}

/// Sends JSON, or nothing, and reads the answer as text.
pub(crate) async fn send(api: &Api, method: Method, path: &str, body: &Value) -> Result<String> {
    let json = [("content-type", "application/json")];
    let (headers, body) = match body.is_null() {
        true => (&[][..], String::new()),
        false => (&json[..], body.to_string()),
    };
    let answer = api.send(method, path, headers, body).await?;
    let status = answer.status();
    let text = answer.text().await?;
    ensure!(status.is_success(), "{path}: {status} {text}");
    Ok(text)
}

/// Posts JSON, or nothing, and returns the JSON of the answer.
pub(crate) async fn post(api: &Api, path: &str, body: &Value) -> Result<Value> {
    Ok(serde_json::from_str(
        &send(api, Method::POST, path, body).await?,
    )?)
}

/// Runs a job to its end, which must be a success. Returns its result.
pub(crate) async fn job(api: &Api, path: &str, body: &Value) -> Result<Value> {
    let started = post(api, path, body).await?;
    let id = started["id"].as_str().context("a job has no id")?;
    let path = format!("api/jobs/{id}");
    loop {
        let text = send(api, Method::GET, &path, &Value::Null).await?;
        let mut job: Value = serde_json::from_str(&text)?;
        match job["state"].as_str() {
            Some("done") => return Ok(job["result"].take()),
            Some("failed" | "cancelled") => bail!("{path}: {job}"),
            _ => sleep(Duration::from_millis(10)).await,
        }
    }
}

/// Opens a folder below one that the server may read. Returns its id.
pub(crate) async fn open(api: &Api, folder: &std::path::Path) -> Result<String> {
    let opened = post(api, "api/roots", &serde_json::json!({"path": folder})).await?;
    let id = opened["id"].as_str().context("a root has no id")?;
    Ok(id.to_owned())
}
