//! Clients that browse a folder with pictures of all formats, and look after it: hashes, expiry, ratings, and a folder
//! that comes and goes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, ensure};
use fumikura_tests::generator::Generator;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Home;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::counters::{Requests, address};

/// The folders of the fixtures: all formats, photographs, and files that no decoder accepts.
const FIXTURES: [&str; 4] = ["samples", "photographs", "animated", "broken"];
/// The sizes of thumbnails, of which a client asks for one after the other.
const SIZES: std::ops::Range<usize> = 64..512;

/// The folder that the server may read, with the library in it.
pub(crate) struct Places {
    folder: PathBuf,
    names: Vec<String>,
}

impl Places {
    /// Fills the library with the fixtures.
    pub(crate) fn fill(home: &Home) -> Result<Self> {
        let folder = home.folder("Places")?;
        let library = folder.join("Library");
        fs::create_dir_all(&library)?;
        let mut names = Vec::new();
        for fixtures in FIXTURES {
            for entry in fs::read_dir(fixture(&format!("images/{fixtures}")))? {
                let (path, name) = {
                    let entry = entry?;
                    (entry.path(), entry.file_name())
                };
                if path.is_file() {
                    fs::copy(&path, library.join(&name))?;
                    names.push(name.to_string_lossy().into_owned());
                }
            }
        }
        ensure!(names.len() > 50, "only {} fixtures", names.len());
        Ok(Self { folder, names })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }
}

/// Opens a folder below [`Places`]. Returns its id.
pub(crate) async fn open(requests: &Requests, folder: &Path) -> Result<String> {
    let opened = requests.post("api/roots", &json!({"path": folder})).await?;
    let id = opened["id"].as_str().context("a root has no id")?;
    Ok(id.to_owned())
}

/// A client that lists the library and asks for its thumbnails.
pub(crate) struct Browsing {
    pub(crate) requests: Requests,
    pub(crate) generator: Generator,
    pub(crate) root: String,
    pub(crate) names: Vec<String>,
}

impl Browsing {
    pub(crate) async fn run(self) {
        let mut round = 0;
        while !self.requests.counters.have_ended() {
            let outcome = match round % 20 {
                0 => self.list(round).await,
                _ => self.thumbnail().await,
            };
            self.requests.counters.note(outcome);
            round += 1;
        }
    }

    async fn list(&self, round: usize) -> Result<()> {
        let sort = ["name", "taken", "size"][round / 20 % 3];
        let query = [
            ("root", self.root.as_str()),
            ("sort", sort),
            ("limit", "200"),
        ];
        let address = address("api/folders", &query)?;
        self.requests.get(&address).await.map(drop)
    }

    async fn thumbnail(&self) -> Result<()> {
        let name = &self.names[self.generator.below(self.names.len())];
        let size = SIZES.start + self.generator.below(SIZES.len());
        let size = format!("{size}x{size}");
        let query = [
            ("root", self.root.as_str()),
            ("path", name),
            ("size", &size),
        ];
        let status = self.requests.status(&address("thumb", &query)?).await?;
        // Fixtures that can't be decoded are refused, and so is a picture whose decoder was killed.
        let is_expected = !status.is_server_error() || status == StatusCode::SERVICE_UNAVAILABLE;
        ensure!(is_expected, "{name} at {size}: {status}");
        let counters = &self.requests.counters;
        counters.thumbnails.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// A client that does what a person does now and then.
pub(crate) struct Upkeep {
    pub(crate) requests: Requests,
    pub(crate) root: String,
    pub(crate) names: Vec<String>,
    pub(crate) visiting: PathBuf,
}

impl Upkeep {
    pub(crate) async fn run(self) {
        let policy = json!({"enabled": true, "ttl_days": 1, "remove_gone": true});
        let outcome = self.put("api/ttl/default", &policy).await;
        self.requests.counters.note(outcome);
        let mut round = 0;
        while !self.requests.counters.have_ended() {
            let outcome = self.work(round).await;
            self.requests.counters.note(outcome);
            round += 1;
        }
    }

    async fn work(&self, round: usize) -> Result<()> {
        let root = json!({"root": self.root});
        let job = match round % 6 {
            0 => self.requests.job("api/hashes/record", &root).await?,
            1 => self.requests.job("api/hashes/verify", &root).await?,
            2 => return self.visit().await,
            // It fails for an hour after a jump of the clock.
            3 => {
                let run = self.requests.job("api/ttl/run", &Value::Null);
                return run.await.map(drop);
            }
            4 => return self.rate(round).await,
            _ => self.requests.job("api/backup", &Value::Null).await?,
        };
        let is_over = job["state"] == "done" || self.requests.counters.have_ended();
        ensure!(is_over, "{job}");
        Ok(())
    }

    /// Opens a folder that has just appeared, and lets it disappear.
    async fn visit(&self) -> Result<()> {
        fs::create_dir_all(&self.visiting)?;
        let library = self.visiting.with_file_name("Library");
        for name in self.names.iter().take(20) {
            fs::copy(library.join(name), self.visiting.join(name))?;
        }
        let root = open(&self.requests, &self.visiting).await?;
        let folder = [("root", root.as_str())];
        self.requests.get(&address("api/folders", &folder)?).await?;
        let watched = address("api/folders/watch", &folder)?;
        self.put(&watched, &Value::Null).await?;
        for name in self.names.iter().take(20) {
            let query = [("root", root.as_str()), ("path", name), ("size", "80x80")];
            self.requests.status(&address("thumb", &query)?).await?;
        }
        fs::remove_dir_all(&self.visiting)?;
        let closed = format!("api/roots/{root}");
        self.requests
            .send(Method::DELETE, &closed, &[], String::new())
            .await
            .map(drop)
    }

    async fn rate(&self, round: usize) -> Result<()> {
        let items = self.names.iter().take(10);
        let items: Vec<_> = items
            .map(|name| json!({"root": self.root, "path": name}))
            .collect();
        let rated = json!({"items": items, "rating": round % 5 + 1});
        self.requests
            .post("api/files/marks", &rated)
            .await
            .map(drop)
    }

    async fn put(&self, address: &str, body: &Value) -> Result<()> {
        let json = [("content-type", "application/json")];
        self.requests
            .send(Method::PUT, address, &json, body.to_string())
            .await
            .map(drop)
    }
}
