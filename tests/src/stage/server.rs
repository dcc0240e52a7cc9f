//! `fumi serve`, as started by hand.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, Result};
use reqwest::header;
use rustix::process::Pid;
use serde_json::Value;

use super::home::Home;
use super::process::Process;
use super::{Api, programs};

/// The running server; killed when dropped.
pub struct Server {
    process: Process,
    url: String,
    token: String,
    login: String,
}

impl Server {
    /// Starts the server on the home's data, with permission to open these folders.
    ///
    /// # Errors
    /// Fails if it does not start.
    pub async fn start(home: &Home, folders: &[PathBuf]) -> Result<Self> {
        Self::start_with(home, folders, &[]).await
    }

    /// Starts such a server with further environment variables.
    ///
    /// # Errors
    /// Fails if it does not start.
    pub async fn start_with(
        home: &Home,
        folders: &[PathBuf],
        variables: &[(&str, OsString)],
    ) -> Result<Self> {
        let mut serve = Process::command(home, programs::headless()?)?;
        serve
            .arg("serve")
            .arg("--data")
            .arg(home.data())
            .arg("--cache")
            .arg(home.cache())
            .envs(variables.iter().map(|(name, value)| (name, value)));
        for folder in folders {
            serve.arg("--allow").arg(folder);
        }
        let (process, line, _) = Process::spawn_and_read(&mut serve).await?;
        let ready: Value = serde_json::from_str(
            line.strip_prefix("FUMIKURA_READY ")
                .context("the ready line is another")?,
        )?;
        let text = |field: &str| {
            ready[field]
                .as_str()
                .map(str::to_owned)
                .context("the ready line lacks a field")
        };
        Ok(Self {
            process,
            url: text("url")?,
            token: text("token")?,
            login: text("login")?,
        })
    }

    /// Returns its address, with a trailing slash.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the address that logs one browser in, once.
    #[must_use]
    pub fn login(&self) -> &str {
        &self.login
    }

    /// Uses that address up, and returns the session: the cookie's name and value.
    ///
    /// # Errors
    /// Fails if it was used before.
    pub async fn session(&self) -> Result<(String, String)> {
        let answer = reqwest::get(&self.login).await?.error_for_status()?;
        let cookie = answer
            .headers()
            .get(header::SET_COOKIE)
            .context("who logs in gets no cookie")?
            .to_str()?;
        let (name, rest) = cookie.split_once('=').context("a cookie without a value")?;
        let value = rest.split(';').next().unwrap_or_default();
        Ok((name.to_owned(), value.to_owned()))
    }

    /// Returns its API.
    ///
    /// # Errors
    /// Fails if its address is invalid.
    pub fn api(&self) -> Result<Api> {
        Api::at(&self.url, &self.token)
    }

    /// Returns its id.
    #[must_use]
    pub fn pid(&self) -> Pid {
        self.process.pid()
    }

    pub(super) fn into_process(self) -> Process {
        self.process
    }
}
