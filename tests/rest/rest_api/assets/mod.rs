//! Files of pages: adding, reading, changing.

mod add_files;
mod change;
mod contents;
mod from_files;
mod lookup;
mod orphans;
mod thumbnails;
mod upload;

use serde_json::Value;

use crate::support::wiki::encoded;
use crate::support::{Answer, TestApp};

/// A file id that does not exist.
const UNKNOWN_ID: &str = "01JD0000000000000000000000";

/// Returns the address for uploading a file of this name.
fn upload_address(page: &str, name: &str) -> String {
    format!("/api/pages/{page}/assets/{}", encoded(name.as_bytes()))
}

impl TestApp {
    async fn upload_asset(&self, page: &str, name: &str, contents: &[u8]) -> Answer {
        let call = self.post(&upload_address(page, name));
        call.body("application/octet-stream", contents.to_vec())
            .send()
            .await
    }

    /// Adds a file and returns its id.
    pub(crate) async fn add_asset(&self, page: &str, name: &str, contents: &[u8]) -> String {
        let answer = self.upload_asset(page, name, contents).await;
        let id = &answer.is(201).json()["id"];
        id.as_str().unwrap().to_owned()
    }

    /// Returns a page's files.
    async fn assets(&self, page: &str, with_deleted: bool) -> Vec<Value> {
        let query = format!("/api/pages/{page}/assets?with_deleted={with_deleted}");
        let list = self.get(&query).send().await.is(200).json();
        list.as_array().unwrap().clone()
    }

    /// Returns the number of files in the asset folder.
    fn stored_files(&self) -> usize {
        files(&self.base_dir().join("data/asset"))
    }

    /// Returns the path of a file's contents.
    pub(crate) fn asset_path(&self, id: &str) -> std::path::PathBuf {
        let folder = self.base_dir().join("data/asset");
        folder.join(&id[..2]).join(&id[2..5]).join(id)
    }
}

fn files(folder: &std::path::Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries
        .map(|entry| entry.unwrap())
        .map(|entry| match entry.file_type().unwrap().is_dir() {
            true => files(&entry.path()),
            false => 1,
        })
        .sum()
}

fn asset(id: &str) -> String {
    format!("/api/asset?id={id}")
}
