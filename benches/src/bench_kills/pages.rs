//! Edits of pages, deletions and restorations, and imports.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use fumikura_tests::seed;
use fumikura_tests::stage::{Api, Home};
use reqwest::Method;
use serde_json::{Value, json};

use crate::operation::{Operation, job, send};

/// The number of pages of each operation.
const PAGES: usize = 5;

/// A state that was acknowledged, and one that may have been reached since.
struct Known<T> {
    acknowledged: T,
    pending: Option<T>,
}

impl<T: PartialEq> Known<T> {
    fn new(acknowledged: T) -> Self {
        Self {
            acknowledged,
            pending: None,
        }
    }

    fn acknowledge(&mut self) {
        if let Some(reached) = self.pending.take() {
            self.acknowledged = reached;
        }
    }

    /// Takes the state that is there. Returns whether it may be.
    fn accept(&mut self, there: T) -> bool {
        let may_be = self.acknowledged == there || self.pending.as_ref() == Some(&there);
        self.acknowledged = there;
        self.pending = None;
        may_be
    }
}

/// Saves of new texts.
pub(crate) struct Edits {
    pages: Vec<(String, Known<String>)>,
    count: usize,
}

impl Edits {
    pub(crate) async fn prepare(api: &Api) -> Result<Self> {
        let mut pages = Vec::new();
        for number in 0..PAGES {
            let text = "new\n".to_owned();
            let id = seed::write(api, &format!("/edits/{number}"), text.clone()).await?;
            pages.push((id, Known::new(text)));
        }
        Ok(Self { pages, count: 0 })
    }
}

impl Operation for Edits {
    async fn step(&mut self, api: &Api) -> Result<()> {
        self.count += 1;
        let (id, text) = &mut self.pages[self.count % PAGES];
        let next = format!("edit {}\n{}", self.count, "long ".repeat(400));
        text.pending = Some(next.clone());
        let path = format!("api/pages/{id}/source");
        let headers = [("if-match", "*"), ("content-type", "text/markdown")];
        let saved = api.send(Method::PUT, &path, &headers, next).await?;
        let status = saved.status();
        let answer = saved.text().await?;
        anyhow::ensure!(status.is_success(), "{path}: {status} {answer}");
        text.acknowledge();
        Ok(())
    }

    async fn lost(&mut self, api: &Api) -> Result<Vec<String>> {
        let mut lost = Vec::new();
        for (id, text) in &mut self.pages {
            let path = format!("api/pages/{id}/source");
            let there = send(api, Method::GET, &path, &Value::Null).await?;
            if !text.accept(there) {
                lost.push(format!("the text of {id}"));
            }
        }
        Ok(lost)
    }
}

/// Moves of pages into the trash and out of it.
pub(crate) struct Trashing {
    /// Whether each page is in the trash.
    pages: Vec<(String, Known<bool>)>,
    count: usize,
}

impl Trashing {
    pub(crate) async fn prepare(api: &Api) -> Result<Self> {
        let mut pages = Vec::new();
        for number in 0..PAGES {
            let path = format!("/trashing/{number}");
            let id = seed::write(api, &path, "text\n".to_owned()).await?;
            pages.push((id, Known::new(false)));
        }
        Ok(Self { pages, count: 0 })
    }
}

impl Operation for Trashing {
    async fn step(&mut self, api: &Api) -> Result<()> {
        self.count += 1;
        let number = self.count % PAGES;
        let (id, is_deleted) = &mut self.pages[number];
        let before = is_deleted.acknowledged;
        is_deleted.pending = Some(!before);
        let (method, path) = match before {
            false => (Method::DELETE, format!("api/pages/{id}")),
            true => (
                Method::POST,
                format!("api/pages/{id}/path?restore_to=/trashing/{number}"),
            ),
        };
        send(api, method, &path, &Value::Null).await?;
        is_deleted.acknowledge();
        Ok(())
    }

    async fn lost(&mut self, api: &Api) -> Result<Vec<String>> {
        let mut lost = Vec::new();
        for (number, (id, is_deleted)) in self.pages.iter_mut().enumerate() {
            let path = format!("api/pages/resolve?path=/trashing/{number}");
            let found = api.send(Method::GET, &path, &[], String::new()).await?;
            if !is_deleted.accept(!found.status().is_success()) {
                lost.push(format!("the deletion or restoration of {id}"));
            }
        }
        Ok(lost)
    }
}

/// Imports of folders with one page.
pub(crate) struct Imports {
    folder: PathBuf,
    count: usize,
    /// The imported pages since the last comparison.
    acknowledged: Vec<usize>,
}

impl Imports {
    pub(crate) fn prepare(home: &Home) -> Result<Self> {
        Ok(Self {
            folder: home.folder("Notes")?,
            count: 0,
            acknowledged: Vec::new(),
        })
    }
}

impl Operation for Imports {
    async fn step(&mut self, api: &Api) -> Result<()> {
        self.count += 1;
        let folder = self.folder.join(self.count.to_string());
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("Note.md"), format!("note {}\n", self.count))?;
        let into = format!("/imports/{}", self.count);
        let source = json!({"path": folder, "into": into});
        let preview = job(api, "api/imports", &source).await?;
        let id = preview["id"].as_str().context("an import has no id")?;
        job(api, &format!("api/imports/{id}/run"), &Value::Null).await?;
        self.acknowledged.push(self.count);
        Ok(())
    }

    async fn lost(&mut self, api: &Api) -> Result<Vec<String>> {
        let mut lost = Vec::new();
        for number in self.acknowledged.drain(..) {
            let path = format!("api/pages/resolve?path=/imports/{number}/Note");
            let found = api.send(Method::GET, &path, &[], String::new()).await?;
            if !found.status().is_success() {
                lost.push(format!("import {number}"));
            }
        }
        Ok(lost)
    }
}
