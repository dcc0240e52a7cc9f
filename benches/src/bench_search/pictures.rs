//! Searches for pictures over HTTP, in all open folders.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use fumikura_benches::Figure;
use fumikura_tests::seed;
use fumikura_tests::stage::{Api, Home, Server};
use fumikura_tests::times::Times;
use fumikura_tests::wait;
use fumikura_tests::writer::Writer;
use reqwest::Url;
use serde_json::Value;

/// The number of folders that are opened, and of folders in each.
const ROOTS: usize = 4;
const FOLDERS: usize = 50;
/// One of this many pictures has a sidecar.
const PICTURES_OF_A_SIDECAR: usize = 20;
/// The time limit of reading the headers of all pictures.
const READING_TIME_LIMIT: Duration = Duration::from_secs(1800);
/// The number of repetitions of each query.
const ROUNDS: usize = 50;
/// A search for few pictures, for many, and for all of them.
const QUERIES: [&str; 6] = [
    "IMG_4711",
    "rating:>=4",
    "tag:Places",
    "harbour folder:day_10",
    "type:jpeg -rating:unrated",
    "type:jpeg",
];

/// Measures the results of a search, and the same pictures shown as a folder, by their time of capture.
pub(crate) async fn measure(pictures: usize) -> Result<()> {
    let home = Home::new()?;
    // Registers a user.
    drop(Writer::open(&home.data())?);
    let mut roots = Vec::new();
    for number in 0..ROOTS {
        let root = home.folder(&format!("Pictures {number}"))?;
        fill(&root, pictures / ROOTS)?;
        roots.push(root);
    }
    let server = Server::start(&home, &roots).await?;
    let api = server.api()?;
    for root in &roots {
        let path = root.to_string_lossy();
        let _: Value = api
            .post("api/roots", &serde_json::json!({ "path": path }))
            .await?;
    }
    wait::within(READING_TIME_LIMIT, "the headers", async || {
        let answer = shown(&api, "type:jpeg").await?;
        let is_all = answer["partial"].is_null() && answer["total"] == pictures;
        Ok(is_all.then_some(()))
    })
    .await?;
    let (mut found, mut listed) = (Times::default(), Times::default());
    for _ in 0..ROUNDS {
        for typed in QUERIES {
            let began = Instant::now();
            let answer = results(&api, typed).await?;
            found.push(began.elapsed().as_secs_f64() * 1e3);
            ensure!(answer["total"] != 0, "{typed:?} finds nothing");
            let began = Instant::now();
            shown(&api, typed).await?;
            listed.push(began.elapsed().as_secs_f64() * 1e3);
        }
    }
    println!(
        "search over {pictures} pictures in all folders, {} queries over HTTP: median {:.2} ms",
        found.count(),
        found.median()
    );
    Figure::new("search for pictures, p95", found.percentile(95))
        .unit("ms")
        .at_most(50.0);
    println!(
        "  the same shown as a folder: median {:.2} ms",
        listed.median()
    );
    Figure::new("the same shown as a folder, p95", listed.percentile(95))
        .unit("ms")
        .at_most(50.0);
    crate::http::end(server).await
}

async fn results(api: &Api, typed: &str) -> Result<Value> {
    get(api, "search", &[("q", typed), ("kind", "picture")]).await
}

async fn shown(api: &Api, typed: &str) -> Result<Value> {
    let query = [("q", typed), ("sort", "taken"), ("joined", "true")];
    get(api, "search/pictures", &query).await
}

async fn get(api: &Api, path: &str, query: &[(&str, &str)]) -> Result<Value> {
    let url = Url::parse_with_params("http://localhost/", query)?;
    let query = url.query().unwrap_or_default();
    api.get(&format!("api/{path}?{query}")).await
}

/// Fills folders with hard links to a few pictures; some have a rating, a tag and a caption.
fn fill(root: &Path, pictures: usize) -> Result<()> {
    let originals = root.with_extension("originals");
    fs::create_dir_all(&originals)?;
    let mut copies = Vec::new();
    for number in 0..=8 {
        let name = format!("Landscape_{number}.jpg");
        let copy = originals.join(&name);
        fs::copy(seed::fixture(&format!("images/orientation/{name}")), &copy)?;
        copies.push(copy);
    }
    for number in 0..FOLDERS {
        fs::create_dir(root.join(format!("day_{number}")))?;
    }
    for (number, original) in (0..pictures).zip(copies.iter().cycle()) {
        let folder = root.join(format!("day_{}", number % FOLDERS));
        fs::hard_link(original, folder.join(format!("IMG_{number}.jpg")))?;
        if number % PICTURES_OF_A_SIDECAR == 0 {
            let rating = number / PICTURES_OF_A_SIDECAR % 5 + 1;
            fs::write(
                folder.join(format!("IMG_{number}.jpg.xmp")),
                sidecar(rating),
            )?;
        }
    }
    Ok(())
}

fn sidecar(rating: usize) -> String {
    format!(
        r#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmp:Rating="{rating}">
<dc:subject><rdf:Bag><rdf:li>Places</rdf:li></rdf:Bag></dc:subject>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">The harbour at dawn</rdf:li></rdf:Alt></dc:description>
</rdf:Description></rdf:RDF></x:xmpmeta>"#
    )
}
