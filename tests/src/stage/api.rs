//! The server's API, as another program of the same user calls it.

use anyhow::{Context, Result, ensure};
use reqwest::{Client, Method, Response, Url};
use serde_json::Value;
use tokio::fs;

use super::home::Home;
use crate::wait;

/// A client that sends the launch's Bearer token.
pub struct Api {
    client: Client,
    base: Url,
    token: String,
}

impl Api {
    pub(super) fn at(url: &str, token: &str) -> Result<Self> {
        Ok(Self {
            client: Client::new(),
            base: Url::parse(url)?,
            token: token.to_owned(),
        })
    }

    /// Connects to the application that uses this home's data, by its `server.json`.
    pub(super) async fn of(home: &Home) -> Result<Self> {
        let path = home.data().join("server.json");
        let text = fs::read(&path)
            .await
            .with_context(|| path.display().to_string())?;
        let server: Value = serde_json::from_slice(&text)?;
        let text = |field: &str| {
            server[field]
                .as_str()
                .with_context(|| format!("server.json lacks {field}"))
        };
        Self::at(text("url")?, text("token")?)
    }

    /// Sends any request and returns the response as it is.
    ///
    /// # Errors
    /// Fails if there is no response.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: String,
    ) -> Result<Response> {
        let mut request = self
            .client
            .request(method, self.base.join(path)?)
            .bearer_auth(&self.token)
            .body(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Ok(request.send().await?)
    }

    /// Sends a file.
    ///
    /// # Errors
    /// Fails if there is no response.
    pub async fn send_bytes(
        &self,
        method: Method,
        path: &str,
        contents: Vec<u8>,
    ) -> Result<Response> {
        let request = self
            .client
            .request(method, self.base.join(path)?)
            .bearer_auth(&self.token)
            .body(contents);
        Ok(request.send().await?)
    }

    /// Gets JSON.
    ///
    /// # Errors
    /// Fails if there is no response, or it is an error.
    pub async fn get(&self, path: &str) -> Result<Value> {
        let answer = self.send(Method::GET, path, &[], String::new()).await?;
        Ok(answer.error_for_status()?.json().await?)
    }

    /// Runs the application's integrity check of all its data.
    ///
    /// # Errors
    /// Fails with the description of a fault, or if there is no response.
    pub async fn check_integrity(&self) -> Result<()> {
        let started = self.post("/api/check", &Value::Null).await?;
        let id = started["id"].as_str().context("a check has no id")?;
        let path = format!("/api/jobs/{id}");
        let job = wait::until("the check to end", async || {
            let job = self.get(&path).await?;
            Ok((!job["ended_at"].is_null()).then_some(job))
        })
        .await?;
        let faults = job["result"]["faults"].as_array();
        ensure!(faults.is_some_and(Vec::is_empty), "{job}");
        Ok(())
    }

    /// Posts JSON.
    ///
    /// # Errors
    /// Fails if there is no response, or it is an error.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value> {
        let json = [("content-type", "application/json")];
        let answer = self
            .send(Method::POST, path, &json, body.to_string())
            .await?;
        Ok(answer.error_for_status()?.json().await?)
    }
}
