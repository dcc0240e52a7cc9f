//! Ratings, moves, hash records and expiry in a folder of pictures.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Api;
use reqwest::{Method, StatusCode, Url};
use serde_json::{Value, json};

use crate::operation::{Operation, job, open, post, send};

/// The number of pictures of each operation.
const PICTURES: usize = 5;

/// Creates a folder with pictures, and opens it. Returns both.
async fn album(api: &Api, places: &Path, name: &str) -> Result<(PathBuf, String)> {
    let folder = places.join(name);
    fs::create_dir_all(&folder)?;
    for number in 0..PICTURES {
        let original = fixture("images/orientation/Landscape_1.jpg");
        fs::copy(original, folder.join(format!("{number}.jpg")))?;
    }
    let root = open(api, &folder).await?;
    Ok((folder, root))
}

fn address(path: &str, query: &[(&str, &str)]) -> Result<String> {
    let url = Url::parse_with_params(&format!("http://localhost/{path}"), query)?;
    Ok(format!("{path}?{}", url.query().unwrap_or_default()))
}

/// Ratings in sidecars.
pub(crate) struct Ratings {
    root: String,
    /// The acknowledged rating of each picture, and one that may have been written.
    ratings: [(u64, Option<u64>); PICTURES],
    count: usize,
}

impl Ratings {
    pub(crate) async fn prepare(api: &Api, places: &Path) -> Result<Self> {
        let (_, root) = album(api, places, "Ratings").await?;
        Ok(Self {
            root,
            ratings: [(0, None); PICTURES],
            count: 0,
        })
    }
}

impl Operation for Ratings {
    async fn step(&mut self, api: &Api) -> Result<()> {
        self.count += 1;
        let number = self.count % PICTURES;
        let rating = (self.count as u64 / 5) % 5 + 1;
        self.ratings[number].1 = Some(rating);
        let item = json!({"root": self.root, "path": format!("{number}.jpg")});
        let body = json!({"items": [item], "rating": rating});
        let rated = post(api, "api/files/marks", &body).await?;
        ensure!(rated["failed"] == json!([]), "{rated}");
        self.ratings[number] = (rating, None);
        Ok(())
    }

    async fn lost(&mut self, api: &Api) -> Result<Vec<String>> {
        let mut lost = Vec::new();
        for (number, (acknowledged, pending)) in self.ratings.iter_mut().enumerate() {
            let name = format!("{number}.jpg");
            let query = [("root", self.root.as_str()), ("path", &name)];
            let marks = api.get(&address("api/files/marks", &query)?).await?;
            let there = marks["rating"].as_u64().unwrap_or(0);
            if there != *acknowledged && Some(there) != *pending {
                lost.push(format!("{name}: {acknowledged}, not {there}"));
            }
            (*acknowledged, *pending) = (there, None);
        }
        Ok(lost)
    }
}

/// Moves of pictures between two folders.
pub(crate) struct Moves {
    root: String,
    folder: PathBuf,
    contents: Vec<u8>,
    /// Whether each picture is in the second folder, and whether it may have been moved since.
    places: [(bool, bool); PICTURES],
    count: usize,
}

impl Moves {
    pub(crate) async fn prepare(api: &Api, places: &Path) -> Result<Self> {
        let (folder, root) = album(api, places, "Moves").await?;
        fs::create_dir_all(folder.join("other"))?;
        Ok(Self {
            root,
            contents: fs::read(folder.join("0.jpg"))?,
            folder,
            places: [(false, false); PICTURES],
            count: 0,
        })
    }
}

impl Operation for Moves {
    async fn step(&mut self, api: &Api) -> Result<()> {
        self.count += 1;
        let number = self.count % PICTURES;
        let (is_away, is_moving) = &mut self.places[number];
        let (from, to) = match is_away {
            false => (format!("{number}.jpg"), "other"),
            true => (format!("other/{number}.jpg"), ""),
        };
        *is_moving = true;
        let body = json!({
            "items": [{"root": self.root, "path": from}],
            "to": {"root": self.root, "path": to},
            "existing": "refuse",
        });
        let moved = post(api, "api/files/move", &body).await?;
        ensure!(moved["done"] == 1, "{moved}");
        (*is_away, *is_moving) = (!*is_away, false);
        Ok(())
    }

    async fn lost(&mut self, _api: &Api) -> Result<Vec<String>> {
        let mut lost = Vec::new();
        for (number, (is_away, is_moving)) in self.places.iter_mut().enumerate() {
            let name = format!("{number}.jpg");
            let [here, away] = [
                self.folder.join(&name),
                self.folder.join("other").join(&name),
            ]
            .map(|path| fs::read(path).is_ok_and(|bytes| bytes == self.contents));
            let is_as_expected = here != away && (away == *is_away || *is_moving);
            if !is_as_expected {
                lost.push(format!(
                    "{name}: here {here}, away {away}, expected {is_away}"
                ));
            }
            (*is_away, *is_moving) = (away, false);
        }
        Ok(lost)
    }
}

/// Hash records of new files.
pub(crate) struct Records {
    root: String,
    folder: PathBuf,
    count: usize,
    /// The recorded files since the last comparison.
    acknowledged: Vec<PathBuf>,
}

impl Records {
    pub(crate) async fn prepare(api: &Api, places: &Path) -> Result<Self> {
        let (folder, root) = album(api, places, "Records").await?;
        Ok(Self {
            root,
            folder: folder.canonicalize()?,
            count: 0,
            acknowledged: Vec::new(),
        })
    }
}

impl Operation for Records {
    async fn step(&mut self, api: &Api) -> Result<()> {
        self.count += 1;
        let name = format!("{}.txt", self.count);
        let file = self.folder.join(&name);
        fs::write(&file, &name)?;
        let body = json!({"root": self.root, "path": name});
        job(api, "api/hashes/record", &body).await?;
        self.acknowledged.push(file);
        Ok(())
    }

    async fn lost(&mut self, api: &Api) -> Result<Vec<String>> {
        let mut lost = Vec::new();
        for file in self.acknowledged.drain(..) {
            let path = file.to_str().context("the path is UTF-8")?;
            let address = address("api/hashes/record", &[("path", path)])?;
            let found = api.send(Method::GET, &address, &[], String::new()).await?;
            if !found.status().is_success() {
                lost.push(format!("the record of {path}: {}", found.status()));
            }
        }
        Ok(lost)
    }
}

/// Thumbnails that are made, evicted and expired. None is lost for good; each must be sent again.
pub(crate) struct Expiry {
    root: String,
    count: usize,
}

impl Expiry {
    pub(crate) async fn prepare(api: &Api, places: &Path) -> Result<Self> {
        let (_, root) = album(api, places, "Thumbnails").await?;
        let policy = json!({"enabled": true, "ttl_days": 1, "remove_gone": true});
        send(api, Method::PUT, "api/ttl/default", &policy).await?;
        Ok(Self { root, count: 0 })
    }

    async fn thumbnail(&self, api: &Api, number: usize, size: usize) -> Result<StatusCode> {
        let (name, size) = (format!("{number}.jpg"), format!("{size}x{size}"));
        let query = [
            ("root", self.root.as_str()),
            ("path", &name),
            ("size", &size),
        ];
        let address = address("thumb", &query)?;
        let answer = api.send(Method::GET, &address, &[], String::new()).await?;
        let status = answer.status();
        answer.bytes().await?;
        Ok(status)
    }
}

impl Operation for Expiry {
    async fn step(&mut self, api: &Api) -> Result<()> {
        self.count += 1;
        match self.count % 20 {
            0 => job(api, "api/ttl/run", &Value::Null).await.map(drop),
            10 => job(api, "api/cache/gc", &Value::Null).await.map(drop),
            _ => {
                let size = 50 + self.count % 400;
                let status = self.thumbnail(api, self.count % PICTURES, size).await?;
                ensure!(status.is_success(), "a thumbnail: {status}");
                Ok(())
            }
        }
    }

    async fn lost(&mut self, api: &Api) -> Result<Vec<String>> {
        let mut lost = Vec::new();
        for number in 0..PICTURES {
            let status = self.thumbnail(api, number, 50).await?;
            if !status.is_success() {
                lost.push(format!("the thumbnail of {number}.jpg: {status}"));
            }
        }
        Ok(lost)
    }
}
