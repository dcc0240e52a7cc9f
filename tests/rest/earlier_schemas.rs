//! Databases of earlier versions, with their files: every answer recorded when they were made is still given.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::Value;

use crate::support::{NOON, TestApp};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/wiki");

/// Fields that may change at any time: text for people, and values that depend only on a list's own order. The
/// recorded sizes of revisions are those of the stored form; the present ones, of the text as read.
const FREE: [&str; 4] = ["message", "score", "cursor", "bytes"];

/// The contents of the database, recorded by the program that made it.
#[derive(Deserialize)]
struct Contents {
    made_at: jiff::Timestamp,
    pages: Vec<Page>,
    /// The contents of files by id.
    assets: BTreeMap<String, String>,
    #[serde(rename = "told")]
    answers: Vec<RecordedAnswer>,
}

#[derive(Deserialize)]
struct Page {
    id: String,
    /// The latest text as it was served.
    shown: String,
    oldest: u64,
    revisions: Vec<Revision>,
}

/// A revision as it was stored.
#[derive(Deserialize)]
struct Revision {
    version: String,
    source: String,
}

/// A recorded answer in JSON.
#[derive(Deserialize)]
struct RecordedAnswer {
    address: String,
    status: u16,
    answer: Value,
}

/// Opens an application on such a database, with the clock at the moment at which it was made.
fn open(name: &str) -> (TestApp, Contents) {
    let json = std::fs::read(format!("{FIXTURES}/{name}.json")).unwrap();
    let contents: Contents = serde_json::from_slice(&json).unwrap();
    let app = TestApp::with(|config| unpack(name, &contents, &config.data_dir));
    let since = contents.made_at.duration_since(NOON.parse().unwrap());
    app.advance(Duration::try_from(since).unwrap());
    (app, contents)
}

fn unpack(name: &str, contents: &Contents, data: &Path) {
    let packed = std::fs::File::open(format!("{FIXTURES}/{name}.redb.gz")).unwrap();
    let mut database = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut database).unwrap();
    std::fs::create_dir_all(data).unwrap();
    std::fs::write(data.join("wiki.redb"), database).unwrap();
    for (id, text) in &contents.assets {
        let folder = data.join("asset").join(&id[..2]).join(&id[2..5]);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(id), text).unwrap();
    }
}

/// Returns true if the present answer contains everything of the former one. It may contain more.
fn includes(now: &Value, then: &Value) -> bool {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => then.iter().all(|(name, then)| {
            FREE.contains(&name.as_str()) || now.get(name).is_some_and(|now| includes(now, then))
        }),
        (Value::Array(now), Value::Array(then)) => {
            now.len() == then.len() && now.iter().zip(then).all(|(now, then)| includes(now, then))
        }
        (now, then) => now == then,
    }
}

/// Checks that every recorded answer is still given.
async fn check_answers(name: &str) {
    let (app, contents) = open(name);
    assert!(contents.answers.len() > 90);
    for RecordedAnswer {
        address,
        status,
        answer,
    } in contents.answers
    {
        let now = app.get(&address).send().await;
        let now = now.is(status).json();
        assert!(includes(&now, &answer), "{address}: {now:#} was {answer:#}");
    }
}

/// Checks that every text and file is unchanged.
async fn check_contents(name: &str) {
    let (app, contents) = open(name);
    assert!(contents.pages.len() > 10 && contents.assets.len() > 5);
    for page in &contents.pages {
        let source = format!("/api/pages/{}/source", page.id);
        let shown = app.get(&source).send().await;
        assert_eq!(shown.is(200).text(), page.shown);
        for (number, kept) in (page.oldest..).zip(&page.revisions) {
            let raw = app.get(&format!("{source}?rev={number}&raw=true"));
            let raw = raw.send().await;
            assert_eq!(raw.is(200).text(), kept.source, "{number} of {}", page.id);
            let tag = raw.header("etag").unwrap();
            assert!(tag.starts_with(&format!("\"{}-", kept.version)), "{tag}");
        }
    }
    for (id, text) in &contents.assets {
        let file = app.get(&format!("/api/asset?id={id}")).send().await;
        assert_eq!(file.is(200).body, text.as_str(), "{id}");
    }
}

#[tokio::test]
async fn answers_of_schema_2_are_the_same() {
    check_answers("schema-2").await;
}

#[tokio::test]
async fn contents_of_schema_2_are_the_same() {
    check_contents("schema-2").await;
}

#[tokio::test]
async fn answers_of_schema_3_are_the_same() {
    check_answers("schema-3").await;
}

#[tokio::test]
async fn contents_of_schema_3_are_the_same() {
    check_contents("schema-3").await;
}

#[tokio::test]
async fn answers_of_schema_4_are_the_same() {
    check_answers("schema-4").await;
}

#[tokio::test]
async fn contents_of_schema_4_are_the_same() {
    check_contents("schema-4").await;
}

#[tokio::test]
async fn session_of_schema_3_keeps_its_start() {
    let (app, _) = open("schema-3");
    let sessions = app.get("/api/sessions").send().await.is(200).json();
    let session = &sessions["items"][0];
    let began = "2026-11-22T05:09:23.13266Z";
    assert_eq!([&session["began_at"], &session["seen_at"]], [began, began]);
    assert_eq!(session["ends_at"], "2026-12-22T05:09:23.13266Z");
    assert_eq!(session["browser"], Value::Null);
}
