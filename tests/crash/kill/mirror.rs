//! Kills while a mirror follows a wiki: each of its files is an old text or the newest one, and what was edited outside
//! is never lost.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use crate::support::{Client, Home, Random, Server, files, until};

/// The number of pages.
const PAGES: usize = 6;
/// The maximum time until a kill, in milliseconds.
const MAX_TIME_MS: u64 = 600;

/// Returns the number of kills.
fn kills() -> usize {
    match std::env::var_os("FUMIKURA_FULL") {
        Some(_) => 100,
        None => 12,
    }
}

/// Creates a page. Returns its id.
fn create(client: &Client, path: &str, text: &str) -> String {
    let begun = client
        .post(&format!("/api/pages?path={path}"))
        .unwrap()
        .is(201);
    let id = begun.json()["id"].as_str().unwrap().to_owned();
    let source = format!("/api/pages/{id}/source");
    client.save(&source, &begun.lock(), text).unwrap().is(200);
    id
}

/// Saves until the server is gone. Returns the texts that it may have.
fn save(client: &Client, ids: &[String], round: usize) -> Vec<String> {
    let mut texts = Vec::new();
    loop {
        for (number, id) in ids.iter().enumerate() {
            let text = format!(
                "page {number}, text {} of round {round}\n{}",
                texts.len(),
                "long ".repeat(2000)
            );
            let Ok(held) = client.post(&format!("/api/pages/{id}/lock")) else {
                return texts;
            };
            if held.status == 409 {
                // The kill came between its lock and its save.
                continue;
            }
            texts.push(text.clone());
            let source = format!("/api/pages/{id}/source");
            if client.save(&source, &held.is(204).lock(), &text).is_err() {
                return texts;
            }
        }
    }
}

/// Returns the texts of a folder and of those below, also of hidden ones.
fn texts_below(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(texts_below(&path));
        } else {
            found.push((path.clone(), fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

#[test]
fn killed_mirror_is_whole_and_loses_no_edits() {
    let seed = Random::seed();
    eprintln!("again with FUMIKURA_SEED={seed}");
    let random = Random::new(seed);
    let home = Home::new();
    let folder = home.path().join("mirror");
    fs::create_dir(&folder).unwrap();
    let server = Server::start(&home);
    let client = server.client();
    let first = |number: usize| format!("page {number}");
    let ids: Vec<String> = (0..PAGES)
        .map(|number| create(&client, &format!("/p{number}"), &first(number)))
        .collect();
    let choice = json!({"path": folder.to_str().unwrap()});
    client.put_json("/api/mirror", &choice).unwrap().is(200);
    server.kill();
    // From now on, the locks of killed clients end soon.
    let home = home.with_config("lock_ttl_seconds = 1");
    let mut known: BTreeSet<String> = (0..PAGES).map(first).collect();
    let mut edits: Vec<String> = Vec::new();
    for round in 0..kills() {
        let server = Server::start(&home);
        let (client, updates) = (server.client(), server.client());
        let edited = folder.join(format!("pages/p{}.md", round % PAGES));
        let edit = format!("edited outside in round {round}");
        std::thread::scope(|scope| {
            let saved = scope.spawn(|| save(&client, &ids, round));
            scope.spawn(|| while updates.post("/api/mirror").is_ok() {});
            scope.spawn(|| {
                let beside = folder.join(".editor");
                fs::write(&beside, &edit).unwrap();
                fs::rename(&beside, &edited).unwrap();
            });
            std::thread::sleep(Duration::from_millis(random.below(MAX_TIME_MS)));
            server.kill();
            known.extend(saved.join().unwrap());
        });
        edits.push(edit.clone());
        let found = texts_below(&folder.join("pages"));
        for (path, text) in &found {
            let is_whole = known.contains(text) || edits.contains(text);
            assert!(is_whole, "{} has a part: {text:.40}", path.display());
        }
        let is_there = texts_below(&folder).iter().any(|(_, text)| *text == edit);
        assert!(is_there, "{edit} is lost");

        // The edit is reported by the next start, and taken over or given up.
        let server = Server::start(&home);
        let client = server.client();
        let state = client.post("/api/mirror").unwrap().is(200).json();
        let outside = state["outside"].as_array().unwrap().clone();
        let with_edit = |entry: &str| fs::read_to_string(folder.join(entry)).unwrap() == edit;
        let entries = outside.iter().map(|file| file["entry"].as_str().unwrap());
        let reported: Vec<&str> = entries.filter(|entry| with_edit(entry)).collect();
        let [entry] = reported[..] else {
            panic!("{edit} is not reported: {state}")
        };
        let body = json!({"entry": entry});
        if random.one_in(2) {
            let mut taken = None;
            until("the lock of the last save expires", || {
                let reply = client.post_json("/api/mirror/take-over", &body).unwrap();
                let is_taken = reply.status == 200;
                taken = is_taken.then(|| reply.json());
                is_taken
            });
            let page = taken.unwrap()["page_id"].as_str().unwrap().to_owned();
            let text = client.get(&format!("/api/pages/{page}/source")).unwrap();
            assert_eq!(text.is(200).body, edit);
        } else {
            client
                .post_json("/api/mirror/write-again", &body)
                .unwrap()
                .is(200);
        }
        let state = client.post("/api/mirror").unwrap().is(200).json();
        assert_eq!(state["outside"], json!([]), "{state}");
        server.kill();
    }
    let server = Server::start(&home);
    let client = server.client();
    let state = client.post("/api/mirror").unwrap().is(200).json();
    assert_eq!(
        (&state["outside"], &state["failure"]),
        (&json!([]), &json!(null))
    );
    for (number, id) in ids.iter().enumerate() {
        let text = client.get(&format!("/api/pages/{id}/source")).unwrap();
        let file = folder.join(format!("pages/p{number}.md"));
        assert_eq!(fs::read_to_string(file).unwrap(), text.is(200).body);
    }
    assert_eq!(files(&folder.join("pages")).len(), PAGES);
    client.check_integrity().unwrap();
}
