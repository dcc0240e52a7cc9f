//! Durable writes: ratings, compared with a file that is written and synced for each; and the bytes that the disk takes for
//! one save, one rating and one thumbnail, compared with the bytes themselves.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

mod disk;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use fumikura_benches::{Figure, median};
use fumikura_tests::generator::Generator;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::{Api, Home, Server};
use fumikura_tests::writer::Writer;
use reqwest::{Method, Url};
use serde_json::{Value, json};

use disk::{Disk, Taken};

/// The maximum time of ratings, as a multiple of writing and syncing as many files.
const RATINGS_AIM: f64 = 1.3;
/// The maximum number of bytes that the disk takes for a byte of a saved page.
const SAVE_AIM: f64 = 4.0;
/// The number of pages in the wiki.
const PAGES: usize = 1000;
/// The length of a saved page, in bytes.
const PAGE: usize = 10 << 10;
/// The side of the thumbnails.
const SIDE: usize = 256;

#[derive(Parser)]
struct WritesOptions {
    /// Number of pictures that are rated at once
    #[arg(long, default_value_t = 2000)]
    pictures: usize,
    /// Number of times that all are rated, by either side
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Number of saves, of ratings and of thumbnails whose bytes are counted
    #[arg(long, default_value_t = 100)]
    writes: usize,
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = WritesOptions::parse();
    let home = Home::new()?;
    let folder = home.folder("Photos")?;
    let names = put_pictures(&folder, options.pictures.max(options.writes))?;
    Writer::open(&home.data())?.grow(0..PAGES)?;
    let server = Server::start(&home, std::slice::from_ref(&folder)).await?;
    let api = server.api()?;
    let root = post(&api, "api/roots", &json!({"path": folder})).await?;
    let root = root["id"].as_str().context("a root has no id")?.to_owned();
    let subject = Subject { api, root, names };
    ratings(&options, &subject, &home).await?;
    let disk = Disk::of(home.path())?;
    bytes(&options, &subject, &home, &disk).await
}

/// Copies a photo under many names. Returns the names.
fn put_pictures(folder: &Path, count: usize) -> Result<Vec<String>> {
    let photo = fixture("images/photographs/Fig.jpg");
    let photo = fs::read(&photo).with_context(|| photo.display().to_string())?;
    let names: Vec<String> = (0..count)
        .map(|number| format!("{number:05}.jpg"))
        .collect();
    for name in &names {
        fs::write(folder.join(name), &photo)?;
    }
    Ok(names)
}

/// The server with its open folder.
struct Subject {
    api: Api,
    root: String,
    names: Vec<String>,
}

impl Subject {
    async fn rate(&self, names: &[String], rating: usize) -> Result<()> {
        let items = names.iter();
        let items: Vec<Value> = items
            .map(|name| json!({"root": self.root, "path": name}))
            .collect();
        let rated = json!({"items": items, "rating": rating});
        let rated = post(&self.api, "api/files/marks", &rated).await?;
        let marked = rated["marked"].as_array().map_or(0, Vec::len);
        ensure!(marked == names.len(), "{marked} of {} rated", names.len());
        Ok(())
    }

    /// Asks for a thumbnail that has not been made. Returns its length.
    async fn thumbnail(&self, name: &str) -> Result<usize> {
        let size = format!("{SIDE}x{SIDE}");
        let query = [
            ("root", self.root.as_str()),
            ("path", name),
            ("size", &size),
        ];
        let address = address("thumb", &query)?;
        let answer = self.api.send(Method::GET, &address, &[], String::new());
        let answer = answer.await?.error_for_status()?;
        Ok(answer.bytes().await?.len())
    }
}

/// Returns a relative address with an encoded query.
fn address(path: &str, query: &[(&str, &str)]) -> Result<String> {
    let url = Url::parse_with_params(&format!("http://localhost/{path}"), query)?;
    Ok(format!("{path}?{}", url.query().unwrap_or_default()))
}

async fn post(api: &Api, address: &str, body: &Value) -> Result<Value> {
    let json = [("content-type", "application/json")];
    let answer = api.send(Method::POST, address, &json, body.to_string());
    let answer = answer.await?;
    let status = answer.status();
    let text = answer.text().await?;
    ensure!(status.is_success(), "{address}: {status} {text}");
    Ok(serde_json::from_str(&text)?)
}

async fn ratings(options: &WritesOptions, subject: &Subject, home: &Home) -> Result<()> {
    let names = &subject.names[..options.pictures];
    // Not counted: the first rating creates the sidecars.
    subject.rate(names, 5).await?;
    let sidecar = sidecar_of(&home.folder("Photos")?, &names[0])?;
    let plain = home.folder("Plain")?;
    let (mut ratios, mut ours, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..options.rounds {
        let begin = Instant::now();
        subject.rate(names, round % 5 + 1).await?;
        let rated = begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        for name in names {
            let mut file = File::create(plain.join(name))?;
            file.write_all(&sidecar)?;
            file.sync_all()?;
        }
        let written = begin.elapsed().as_secs_f64();
        ratios.push(rated / written);
        ours.push(rated);
        theirs.push(written);
    }
    println!(
        "{} ratings: {:.2} s; as many files of {} bytes, written and synced one by one: {:.2} s",
        names.len(),
        median(ours),
        sidecar.len(),
        median(theirs)
    );
    Figure::new("ratings at once", median(ratios))
        .to("writing and syncing each")
        .at_most(RATINGS_AIM);
    Ok(())
}

fn sidecar_of(folder: &Path, name: &str) -> Result<Vec<u8>> {
    let path: PathBuf = folder.join(format!("{name}.xmp"));
    fs::read(&path).with_context(|| path.display().to_string())
}

/// Counts the bytes that the disk takes.
async fn bytes(options: &WritesOptions, subject: &Subject, home: &Home, disk: &Disk) -> Result<()> {
    let names = &subject.names[..options.writes];
    let resolve = address("api/pages/resolve", &[("path", &Generator::path(0))])?;
    let page = subject.api.get(&resolve).await?;
    let id = page["id"].as_str().context("a page has no id")?;
    let generator = Generator::new(1);
    let texts: Vec<String> = (0..options.writes)
        .map(|number| text_of(&generator, number))
        .collect();
    let taken = disk.count(async || {
        for text in &texts {
            let address = format!("api/pages/{id}/source");
            let headers = [("if-match", "*"), ("content-type", "text/markdown")];
            let saved = subject
                .api
                .send(Method::PUT, &address, &headers, text.clone());
            saved.await?.error_for_status()?;
        }
        Ok(texts.iter().map(String::len).sum())
    });
    report("a save of 10 KiB", &taken.await?).at_most(SAVE_AIM);

    let sidecar = sidecar_of(&home.folder("Photos")?, &names[0])?.len();
    let taken = disk.count(async || {
        for (number, name) in names.iter().enumerate() {
            let rating = number % 2 + 1;
            subject.rate(std::slice::from_ref(name), rating).await?;
        }
        Ok(sidecar * names.len())
    });
    report("a rating", &taken.await?).without_aim();

    let taken = disk.count(async || {
        let mut made = 0;
        for name in names {
            made += subject.thumbnail(name).await?;
        }
        Ok(made)
    });
    report("a thumbnail", &taken.await?).without_aim();
    Ok(())
}

/// Returns a text of [`PAGE`] bytes, with other words for each number.
fn text_of(generator: &Generator, number: usize) -> String {
    let mut text = String::new();
    while text.len() < PAGE {
        text.push_str(&generator.text(number + text.len()));
    }
    let mut end = PAGE;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

fn report(work: &str, taken: &Taken) -> Figure {
    println!(
        "{work}: the disk took {} KiB for {} KiB",
        taken.by_disk >> 10,
        taken.bytes >> 10
    );
    let factor = taken.by_disk as f64 / taken.bytes as f64;
    Figure::new(format!("bytes on the disk for {work}"), factor).to("the bytes themselves")
}
