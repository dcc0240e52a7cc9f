//! An HTTP client of a server, which notices when the server is gone.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use ureq::Body;
use ureq::http::request::Builder;
use ureq::http::{Request, Response};

/// The server is gone: the request may or may not have been executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ConnectionLost;

/// A complete response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: String,
    lock: Option<String>,
}

/// A client with the Bearer.
#[derive(Clone)]
pub(crate) struct Client {
    agent: ureq::Agent,
    url: String,
    token: String,
}

impl Client {
    pub(super) fn new(url: &str, token: &str) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(60)));
        Self {
            agent: config.build().into(),
            url: url.trim_end_matches('/').to_owned(),
            token: token.to_owned(),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Result<Reply, ConnectionLost> {
        self.send("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str) -> Result<Reply, ConnectionLost> {
        self.send("POST", path, &[], "")
    }

    pub(crate) fn post_text(&self, path: &str, text: &str) -> Result<Reply, ConnectionLost> {
        self.send("POST", path, &[("content-type", "text/plain")], text)
    }

    pub(crate) fn post_json(&self, path: &str, body: &Value) -> Result<Reply, ConnectionLost> {
        let kind = [("content-type", "application/json")];
        self.send("POST", path, &kind, &body.to_string())
    }

    pub(crate) fn put_json(&self, path: &str, body: &Value) -> Result<Reply, ConnectionLost> {
        let kind = [("content-type", "application/json")];
        self.send("PUT", path, &kind, &body.to_string())
    }

    pub(crate) fn patch_json(&self, path: &str, body: &Value) -> Result<Reply, ConnectionLost> {
        let kind = [("content-type", "application/json")];
        self.send("PATCH", path, &kind, &body.to_string())
    }

    pub(crate) fn delete(&self, path: &str) -> Result<Reply, ConnectionLost> {
        self.send("DELETE", path, &[], "")
    }

    /// Adds a file to a page.
    pub(crate) fn upload(
        &self,
        page: &str,
        name: &str,
        contents: &[u8],
    ) -> Result<Reply, ConnectionLost> {
        let path = format!("/api/pages/{page}/assets/{name}");
        let request = self.request("POST", &path, &[]).body(contents);
        reply(
            self.agent
                .run(request.unwrap())
                .map_err(|_| ConnectionLost)?,
        )
    }

    /// Returns a body that need not be text, and must exist.
    pub(crate) fn bytes(&self, path: &str) -> Result<Vec<u8>, ConnectionLost> {
        let mut answer = self.run("GET", path, &[], "")?;
        let status = answer.status().as_u16();
        let body = answer.body_mut().with_config().limit(64 << 20);
        let body = body.read_to_vec().map_err(|_| ConnectionLost)?;
        let words = String::from_utf8_lossy(&body);
        assert_eq!(status, 200, "{path}: {words}");
        Ok(body)
    }

    /// Returns the status of a response that need not be text, after reading it to the end.
    pub(crate) fn get_bytes(&self, path: &str) -> Result<u16, ConnectionLost> {
        let mut answer = self.run("GET", path, &[], "")?;
        answer
            .body_mut()
            .read_to_vec()
            .map_err(|_| ConnectionLost)?;
        Ok(answer.status().as_u16())
    }

    /// Returns the `ETag` of a response.
    pub(crate) fn tag(&self, path: &str) -> Result<String, ConnectionLost> {
        let mut answer = self.run("GET", path, &[], "")?;
        answer
            .body_mut()
            .read_to_vec()
            .map_err(|_| ConnectionLost)?;
        let tag = answer.headers().get("etag").unwrap();
        Ok(tag.to_str().unwrap().to_owned())
    }

    /// Returns the status of a request with this `ETag` in `If-None-Match`.
    pub(crate) fn get_if_none_match(&self, path: &str, tag: &str) -> Result<u16, ConnectionLost> {
        let mut answer = self.run("GET", path, &[("if-none-match", tag)], "")?;
        answer
            .body_mut()
            .read_to_vec()
            .map_err(|_| ConnectionLost)?;
        Ok(answer.status().as_u16())
    }

    /// Opens a folder below one that the server allows.
    pub(crate) fn open_root(&self, folder: &Path) -> Reply {
        let kind = [("content-type", "application/json")];
        let body = json!({"path": folder}).to_string();
        self.send("POST", "/api/roots", &kind, &body).unwrap()
    }

    /// Saves a page, as the holder of its lock.
    pub(crate) fn save(&self, path: &str, lock: &str, text: &str) -> Result<Reply, ConnectionLost> {
        let proof = format!("token={lock}");
        let headers = [
            ("content-type", "text/markdown"),
            ("x-lock-authentication", proof.as_str()),
        ];
        self.send("PUT", path, &headers, text)
    }

    /// Runs the integrity check, which must find no faults.
    pub(crate) fn check_integrity(&self) -> Result<(), ConnectionLost> {
        let job = self.run_job("/api/check")?;
        assert_eq!(job["result"]["faults"], json!([]), "{job}");
        Ok(())
    }

    /// Starts a job, and waits for its end.
    pub(crate) fn run_job(&self, path: &str) -> Result<Value, ConnectionLost> {
        self.job_of(self.post(path)?)
    }

    /// Starts a job with a body, and waits for its end.
    pub(crate) fn run_job_with(&self, path: &str, body: &Value) -> Result<Value, ConnectionLost> {
        self.job_of(self.post_json(path, body)?)
    }

    fn job_of(&self, started: Reply) -> Result<Value, ConnectionLost> {
        let started = started.is(202).json();
        let id = started["id"].as_str().unwrap();
        for _ in 0..6000 {
            let job = self.get(&format!("/api/jobs/{id}"))?.is(200).json();
            if !job["ended_at"].is_null() {
                return Ok(job);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the job did not end");
    }

    fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Result<Reply, ConnectionLost> {
        reply(self.run(method, path, headers, body)?)
    }

    fn run(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Result<Response<Body>, ConnectionLost> {
        let request = self.request(method, path, headers);
        let answer = match method {
            "GET" | "DELETE" => self.agent.run(request.body(()).unwrap()),
            _ => self.agent.run(request.body(body).unwrap()),
        };
        answer.map_err(|_| ConnectionLost)
    }

    fn request(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Builder {
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url))
            .header("authorization", format!("Bearer {}", self.token));
        headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, *value)
        })
    }
}

/// Reads a response of text.
fn reply(mut answer: Response<Body>) -> Result<Reply, ConnectionLost> {
    let lock = answer.headers().get("x-page-lock");
    let lock = lock.map(|lock| lock.to_str().unwrap().to_owned());
    let status = answer.status().as_u16();
    let body = answer.body_mut().with_config().limit(64 << 20);
    let body = body.read_to_string().map_err(|_| ConnectionLost)?;
    Ok(Reply { status, body, lock })
}

impl Reply {
    /// Checks the status.
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.body);
        self
    }

    /// Checks an error's status and code.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, code: &str) {
        let error = self.is(status).json();
        assert_eq!(error["code"], code, "{error}");
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    /// Returns the token of `X-Page-Lock`.
    pub(crate) fn lock(&self) -> String {
        let lock = self.lock.as_deref().unwrap();
        lock.rsplit("token=").next().unwrap().to_owned()
    }
}
