//! Chromium's DevTools commands, for operations that WebDriver lacks.

use std::str::FromStr;

use anyhow::{Context, Result};
use fantoccini::wd::WebDriverCompatibleCommand;
use reqwest::{Method, Url};
use serde_json::{Value, json};

use crate::page::Page;

/// A command of the DevTools protocol, which the driver forwards.
#[derive(Debug)]
struct Command {
    name: &'static str,
    parameters: Value,
}

impl WebDriverCompatibleCommand for Command {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, <Url as FromStr>::Err> {
        let session = session.expect("BUG: a page without a session");
        base.join(&format!("session/{session}/goog/cdp/execute"))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let command = json!({ "cmd": self.name, "params": self.parameters });
        (Method::POST, Some(command.to_string()))
    }
}

/// Runs a command in the page's browser, and waits until it is done.
///
/// # Errors
/// Fails if the browser rejects the command, or is not Chromium.
pub async fn command(page: &Page, name: &'static str, parameters: Value) -> Result<Value> {
    let command = Command { name, parameters };
    let answer = page.client().issue_cmd(command).await;
    answer.with_context(|| format!("the browser's {name}"))
}
