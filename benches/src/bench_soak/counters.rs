//! The counts of the clients' work, and requests that are counted.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use fumikura_tests::stage::Api;
use fumikura_tests::times::Times;
use parking_lot::Mutex;
use reqwest::{Method, StatusCode, Url};
use serde_json::Value;
use tokio::time::sleep;

/// The interval of asking for the state of a job.
const JOB_INTERVAL: Duration = Duration::from_millis(200);

/// The counts of all clients.
#[derive(Default)]
pub(crate) struct Counters {
    ended: AtomicBool,
    pub(crate) requests: AtomicU64,
    pub(crate) saves: AtomicU64,
    pub(crate) thumbnails: AtomicU64,
    pub(crate) jobs: AtomicU64,
    pub(crate) disturbances: AtomicU64,
    pub(crate) errors: AtomicU64,
    /// The first error of each address, and the number of its errors.
    kinds: Mutex<BTreeMap<String, (u64, String)>>,
    /// The response times since they were taken last.
    times: Mutex<Times>,
}

impl Counters {
    /// Tells all clients to end.
    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    pub(crate) fn have_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Counts a round of a client's work, and its error.
    pub(crate) fn note(&self, outcome: Result<()>) {
        if let Err(error) = outcome {
            self.errors.fetch_add(1, Ordering::Relaxed);
            let error = format!("{error:#}");
            let address = error.split([':', '?']).next().unwrap_or_default();
            let mut kinds = self.kinds.lock();
            let kind = kinds.entry(address.to_owned());
            kind.or_insert_with(|| (0, error)).0 += 1;
        }
    }

    /// Returns the number of errors of each kind, and the first of them.
    pub(crate) fn kinds(&self) -> Vec<(u64, String)> {
        self.kinds.lock().values().cloned().collect()
    }

    /// Returns the response times since the last call.
    pub(crate) fn take_times(&self) -> Times {
        std::mem::take(&mut *self.times.lock())
    }
}

/// A connection whose requests are counted.
pub(crate) struct Requests {
    pub(crate) api: Api,
    pub(crate) counters: Arc<Counters>,
}

impl Requests {
    /// Gets something, and reads the response to the end.
    pub(crate) async fn get(&self, address: &str) -> Result<String> {
        self.send(Method::GET, address, &[], String::new()).await
    }

    /// Gets JSON.
    pub(crate) async fn json(&self, address: &str) -> Result<Value> {
        Ok(serde_json::from_str(&self.get(address).await?)?)
    }

    /// Posts JSON.
    pub(crate) async fn post(&self, address: &str, body: &Value) -> Result<Value> {
        let json = [("content-type", "application/json")];
        // No body is not a body of nothing.
        let (headers, body) = match body.is_null() {
            true => (&[][..], String::new()),
            false => (&json[..], body.to_string()),
        };
        let answer = self.send(Method::POST, address, headers, body).await?;
        Ok(serde_json::from_str(&answer)?)
    }

    /// Sends a request, reads the response to the end, and counts both.
    pub(crate) async fn send(
        &self,
        method: Method,
        address: &str,
        headers: &[(&str, &str)],
        body: String,
    ) -> Result<String> {
        let began = Instant::now();
        let answer = self.api.send(method, address, headers, body).await?;
        let status = answer.status();
        let body = answer.text().await?;
        self.count(began);
        ensure!(status.is_success(), "{address}: {status} {body}");
        Ok(body)
    }

    /// Gets bytes, and returns the status. The duration does not count: it depends on the picture.
    pub(crate) async fn status(&self, address: &str) -> Result<StatusCode> {
        let answer = self.api.send(Method::GET, address, &[], String::new());
        let answer = answer.await?;
        let status = answer.status();
        answer.bytes().await?;
        self.counters.requests.fetch_add(1, Ordering::Relaxed);
        Ok(status)
    }

    fn count(&self, began: Instant) {
        let ms = began.elapsed().as_secs_f64() * 1000.0;
        self.counters.times.lock().push(ms);
        self.counters.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// Starts a job, waits until it ends, and returns it.
    pub(crate) async fn job(&self, address: &str, body: &Value) -> Result<Value> {
        let started = self.post(address, body).await?;
        let id = started["id"].as_str().context("a job has no id")?;
        let address = format!("api/jobs/{id}");
        loop {
            let job = self.json(&address).await?;
            if !job["ended_at"].is_null() || self.counters.have_ended() {
                self.counters.jobs.fetch_add(1, Ordering::Relaxed);
                return Ok(job);
            }
            sleep(JOB_INTERVAL).await;
        }
    }
}

/// Returns a relative address with an encoded query.
pub(crate) fn address(path: &str, query: &[(&str, &str)]) -> Result<String> {
    let url = Url::parse_with_params(&format!("http://localhost/{path}"), query)?;
    Ok(format!("{path}?{}", url.query().unwrap_or_default()))
}
