//! A kill while files are added, deleted and lost with their drafts: acknowledged files are complete; no row
//! is without its file, and after the next start no file is without its row.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::support::{Client, ConnectionLost, Home, Random, Reply, Server};

/// The number of clients that add files concurrently.
const UPLOADERS: u64 = 3;
/// The maximum time before the kill, in milliseconds.
const MAX_DELAY_MS: u64 = 500;
/// The time after which a draft is removed.
const LOCK_TTL: Duration = Duration::from_secs(3);

/// A client that adds files to its own page, and remembers the acknowledged ones.
struct Uploader {
    page: String,
    random: Random,
    count: u64,
    /// The contents' digests by id.
    uploaded: BTreeMap<String, String>,
    /// A file that may or may not have been permanently deleted.
    doubt: Option<String>,
    acknowledged: usize,
}

impl Uploader {
    fn new(client: &Client, number: u64, seed: u64) -> Self {
        let draft = client.post(&format!("/api/pages?path=/b{number}")).unwrap();
        let draft = draft.is(201);
        let page = draft.json()["id"].as_str().unwrap().to_owned();
        let source = format!("/api/pages/{page}/source");
        client.save(&source, &draft.lock(), "x").unwrap().is(200);
        Self {
            page,
            random: Random::new(seed.wrapping_add(number)),
            count: 0,
            uploaded: BTreeMap::new(),
            doubt: None,
            acknowledged: 0,
        }
    }

    /// Continues until the server is gone.
    fn work(&mut self, client: &Client) {
        while self.step(client).is_ok() {
            self.acknowledged += 1;
        }
    }

    fn step(&mut self, client: &Client) -> Result<(), ConnectionLost> {
        self.count += 1;
        match self.random.below(8) {
            0 => self.purge(client),
            1 => self.orphan_a_file(client),
            _ => {
                let page = self.page.clone();
                let (reply, digest) = self.upload(client, &page)?;
                let id = reply.is(201).json()["id"].as_str().unwrap().to_owned();
                self.uploaded.insert(id, digest);
                Ok(())
            }
        }
    }

    fn upload(&self, client: &Client, page: &str) -> Result<(Reply, String), ConnectionLost> {
        let length = self.random.below(2000) * if self.random.one_in(3) { 400 } else { 1 };
        let byte = self.random.below(256) as u8;
        let contents = vec![byte; length as usize];
        let uploaded = client.upload(page, &format!("f{}.bin", self.count), &contents)?;
        Ok((uploaded, digest(&contents)))
    }

    fn purge(&mut self, client: &Client) -> Result<(), ConnectionLost> {
        let Some((id, _)) = self.uploaded.pop_first() else {
            return Ok(());
        };
        self.doubt = Some(id.clone());
        client
            .delete(&format!("/api/assets/{id}?hard=true"))?
            .is(204);
        self.doubt = None;
        Ok(())
    }

    fn orphan_a_file(&self, client: &Client) -> Result<(), ConnectionLost> {
        let begun = Instant::now();
        // On a busy machine, the draft may end before its file is there, or is released.
        let is_over = || begun.elapsed() >= LOCK_TTL;
        let path = format!("/api/pages?path=/draft/{}/{}", self.page, self.count);
        let draft = client.post(&path)?.is(201);
        let id = draft.json()["id"].as_str().unwrap().to_owned();
        let (uploaded, _) = self.upload(client, &id)?;
        if !is_over() {
            uploaded.is(201);
        }
        let release = format!("/api/pages/{id}/lock/release");
        let released = client.post_text(&release, &draft.lock())?;
        if !is_over() {
            released.is(204);
        }
        Ok(())
    }

    /// Compares with the server's state. Returns the number of the page's files.
    fn compare(&mut self, client: &Client) -> usize {
        let list = format!("/api/pages/{}/assets?with_deleted=true", self.page);
        let list = client.get(&list).unwrap().is(200).json();
        let listed: BTreeMap<String, String> = list
            .as_array()
            .unwrap()
            .iter()
            .map(|asset| (text(asset, "id"), text(asset, "sha256")))
            .collect();
        for (id, sha256) in &listed {
            let contents = client.bytes(&format!("/api/asset?id={id}")).unwrap();
            assert_eq!(&digest(&contents), sha256, "{id}");
        }
        for (id, sha256) in &self.uploaded {
            assert_eq!(listed.get(id), Some(sha256), "{id} was acknowledged");
        }
        let is_known =
            |id: &String| self.uploaded.contains_key(id) || self.doubt.as_ref() == Some(id);
        let unknown = listed.keys().filter(|id| !is_known(id)).count();
        assert!(unknown <= 1, "only the last one may have come unheard");
        self.uploaded = listed;
        self.doubt = None;
        self.uploaded.len()
    }
}

fn text(asset: &Value, field: &str) -> String {
    asset[field].as_str().unwrap().to_owned()
}

fn digest(contents: &[u8]) -> String {
    let digest = Sha256::digest(contents);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn rows_and_files_match_after_kills() {
    let seed = Random::seed();
    eprintln!("again with FUMIKURA_SEED={seed}");
    let random = Random::new(seed);
    let home = Home::new();
    let server = Server::start(&home);
    let mut uploaders: Vec<Uploader> = (0..UPLOADERS)
        .map(|number| Uploader::new(&server.client(), number, seed))
        .collect();
    server.kill();
    // Drafts of killed clients are removed soon.
    let home = home.with_config(&format!("lock_ttl_seconds = {}", LOCK_TTL.as_secs()));
    let rounds = match std::env::var_os("FUMIKURA_FULL") {
        Some(_) => 150,
        None => 15,
    };
    for _ in 0..rounds {
        let server = Server::start(&home);
        std::thread::scope(|scope| {
            for uploader in &mut uploaders {
                let client = server.client();
                scope.spawn(move || uploader.work(&client));
            }
            std::thread::sleep(Duration::from_millis(random.below(MAX_DELAY_MS)));
            server.kill();
        });
        let server = Server::start(&home);
        let client = server.client();
        let rows: usize = uploaders.iter_mut().map(|it| it.compare(&client)).sum();
        // After the sweep the folder has the files with a row, and those of drafts that have not expired.
        let end = Instant::now() + Duration::from_secs(60);
        while home.assets().len() != rows {
            assert!(
                Instant::now() < end,
                "{} files, {rows} rows",
                home.assets().len()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        server.kill();
    }
    let acknowledged: usize = uploaders.iter().map(|it| it.acknowledged).sum();
    eprintln!("{rounds} kills, {acknowledged} steps");
    assert!(acknowledged > rounds, "only {acknowledged} steps");
}
