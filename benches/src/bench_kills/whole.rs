//! Exports and backups of all data.

use anyhow::{Context, Result, ensure};
use fumikura_tests::stage::Api;
use reqwest::Method;
use serde_json::Value;

use crate::operation::{Operation, job};

/// The signature that begins the end of an archive, which is written last.
const END: &[u8] = b"PK\x05\x06";

/// Exports of all pages. They write nothing: an answer that ends is a complete archive.
pub(crate) struct Exports;

impl Operation for Exports {
    async fn step(&mut self, api: &Api) -> Result<()> {
        let answer = api.send(Method::GET, "api/export", &[], String::new());
        let answer = answer.await?;
        let status = answer.status();
        let archive = answer.bytes().await?;
        ensure!(status.is_success(), "export: {status}");
        let has_end = archive.windows(END.len()).any(|bytes| bytes == END);
        ensure!(has_end, "an archive of {} bytes has no end", archive.len());
        Ok(())
    }

    async fn lost(&mut self, _api: &Api) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}

/// Backups, each of which removes the earlier ones of the day.
#[derive(Default)]
pub(crate) struct Backups {
    /// The name of the newest acknowledged one.
    newest: String,
}

/// Returns what orders the names of backups: the time, and the number among those of the same second.
fn order(name: &str) -> (&str, u32) {
    let (time, number) = name.split_once("Z-").unwrap_or((name, "0"));
    (time.trim_end_matches('Z'), number.parse().unwrap_or(0))
}

impl Operation for Backups {
    async fn step(&mut self, api: &Api) -> Result<()> {
        let made = job(api, "api/backup", &Value::Null).await?;
        let folder = made["folder"].as_str().context("a backup has no folder")?;
        let name = folder.rsplit('/').next().unwrap_or_default();
        ensure!(order(name) > order(&self.newest), "{name} is not newer");
        self.newest = name.to_owned();
        Ok(())
    }

    async fn lost(&mut self, api: &Api) -> Result<Vec<String>> {
        let list = api.get("api/backups").await?;
        let newest = &list["backups"][0];
        let name = newest["name"].as_str().unwrap_or_default();
        let is_newest = order(name) >= order(&self.newest);
        let is_proved = name.is_empty() || !newest["proved_at"].is_null();
        Ok(match is_newest && is_proved {
            true => Vec::new(),
            false => vec![format!("{}; the newest is {newest}", self.newest)],
        })
    }
}
