//! Full-text search: whether the index finds all that a scan of every text finds, how fast, and what it takes up,
//! beside ripgrep over the same texts.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use fumikura_search::{Directory, Index, PageFacts, PageKey, PageText, Query, extract, fold};
use fumikura_tests::generator::Generator;
use fumikura_tests::times::Times;

/// How many pages are committed at once.
const BATCH: usize = 10_000;
/// How many queries ripgrep answers: each reads all texts.
const BESIDE: usize = 20;

#[derive(Parser)]
struct Options {
    /// How many pages there are
    #[arg(long, default_value_t = 100_000)]
    pages: usize,
    /// How many queries are asked
    #[arg(long, default_value_t = 10_000)]
    queries: usize,
    /// How many of them are compared with a scan of every text
    #[arg(long, default_value_t = 1_000)]
    compared: usize,
}

struct Pages {
    texts: Vec<PageText>,
    directory: Directory,
    bytes: usize,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let pages = Pages::new(options.pages);
    println!(
        "{} pages, {} MB of text",
        options.pages,
        megabytes(pages.bytes)
    );
    let folder = tempfile::tempdir()?;
    let index = build(&pages, folder.path())?;
    let queries = queries(&pages, options.queries);
    let times = ask(&index, &pages, &queries)?;
    compare(
        &index,
        &pages,
        &queries[..options.compared.min(queries.len())],
    )?;
    beside_ripgrep(&pages, &queries[..BESIDE.min(queries.len())], &times)
}

fn key(number: usize) -> PageKey {
    (number as u128).to_be_bytes()
}

impl Pages {
    fn new(count: usize) -> Self {
        let generator = Generator::new(4);
        let texts: Vec<PageText> = (0..count)
            .map(|number| extract(&generator.text(number)))
            .collect();
        let facts = |number: usize| PageFacts {
            key: key(number),
            path: Generator::path(number),
            former: Vec::new(),
            title: None,
            deleted: false,
            updated: 0,
            author: String::new(),
            version: 1,
        };
        Self {
            bytes: texts.iter().map(|text| text.body().text().len()).sum(),
            directory: (0..count).map(facts).collect(),
            texts,
        }
    }
}

fn build(pages: &Pages, folder: &Path) -> Result<Index> {
    let began = Instant::now();
    let index = Index::open(folder)?;
    let mut writer = index.writer()?;
    for (number, text) in pages.texts.iter().enumerate() {
        writer.put(&key(number), 1, text)?;
        if number % BATCH == BATCH - 1 {
            writer.commit()?;
        }
    }
    writer.commit()?;
    writer.finish()?;
    let seconds = began.elapsed().as_secs_f64();
    index.reload()?;
    let size: u64 = fs::read_dir(folder)?
        .map(|file| Ok(file?.metadata()?.len()))
        .sum::<std::io::Result<u64>>()?;
    println!(
        "indexed in {seconds:.1} s; {} MB, {:.2} × the text (aim: at most 1.5)",
        megabytes(usize::try_from(size)?),
        size as f64 / pages.bytes as f64
    );
    Ok(index)
}

/// Parts of one to eight characters of the texts.
fn queries(pages: &Pages, count: usize) -> Vec<String> {
    let random = Generator::new(5);
    let mut queries = Vec::with_capacity(count);
    while queries.len() < count {
        let text = pages.texts[random.below(pages.texts.len())].body().text();
        let characters: Vec<char> = text.chars().collect();
        if characters.is_empty() {
            continue;
        }
        let start = random.below(characters.len());
        let length = 1 + random.below(8);
        let typed: String = characters[start..].iter().take(length).collect();
        let is_asked = Query::parse(&typed).is_ok_and(|query| !query.is_empty());
        if is_asked && !typed.contains(['"', '“', '「', '-', ':', '\n']) {
            queries.push(typed);
        }
    }
    queries
}

fn ask(index: &Index, pages: &Pages, queries: &[String]) -> Result<Times> {
    let mut times = Times::default();
    let began = Instant::now();
    found(index, pages, &queries[0])?;
    println!(
        "first answer: {:.1} ms",
        began.elapsed().as_secs_f64() * 1e3
    );
    for typed in queries {
        let answer = times.measure(|| found(index, pages, typed));
        answer?;
    }
    println!(
        "{} queries: median {:.2} ms, p95 {:.2} ms (aim: under 5)",
        times.count(),
        times.median(),
        times.percentile(95)
    );
    Ok(times)
}

fn found(index: &Index, pages: &Pages, typed: &str) -> Result<BTreeSet<usize>> {
    let found = index.find(&Query::parse(typed)?, &pages.directory)?;
    let number = |key: PageKey| usize::try_from(u128::from_be_bytes(key));
    Ok(found
        .into_iter()
        .map(|found| number(found.key))
        .collect::<Result<_, _>>()?)
}

/// What a search for a part of the folded text finds has to be found. What is found beyond that is looser: other forms
/// of a word, words in another place.
fn compare(index: &Index, pages: &Pages, queries: &[String]) -> Result<()> {
    let folded: Vec<String> = pages
        .texts
        .iter()
        .map(|text| fold(text.body().text()))
        .collect();
    let (mut expected, mut missed, mut all) = (0, 0, 0);
    for typed in queries {
        let part = fold(typed.trim());
        let scanned = (0..folded.len()).filter(|number| folded[*number].contains(&part));
        let found = found(index, pages, typed)?;
        all += found.len();
        for number in scanned {
            expected += 1;
            missed += usize::from(!found.contains(&number));
        }
    }
    println!(
        "{} queries beside a scan: recall {:.4} % ({missed} of {expected} missed), precision {:.1} %",
        queries.len(),
        100.0 * (expected - missed) as f64 / expected.max(1) as f64,
        100.0 * (expected - missed) as f64 / all.max(1) as f64
    );
    ensure!(missed == 0, "the index misses what a scan finds");
    Ok(())
}

fn beside_ripgrep(pages: &Pages, queries: &[String], ours: &Times) -> Result<()> {
    let folder = tempfile::tempdir()?;
    for (number, text) in pages.texts.iter().enumerate() {
        let part = folder.path().join((number / 1000).to_string());
        fs::create_dir_all(&part)?;
        fs::write(part.join(number.to_string()), text.body().text())?;
    }
    let mut times = Times::default();
    for typed in queries {
        let mut ripgrep = Command::new("rg");
        ripgrep.args([
            "--fixed-strings",
            "--ignore-case",
            "--files-with-matches",
            "--",
            typed.trim(),
        ]);
        ripgrep.arg(folder.path()).stdout(Stdio::null());
        let ended = times.measure(|| ripgrep.status());
        ended.context("ripgrep is not installed")?;
    }
    println!(
        "ripgrep: median {:.0} ms, {:.0} times ours",
        times.median(),
        times.median() / ours.median()
    );
    Ok(())
}

fn megabytes(bytes: usize) -> usize {
    bytes / 1_000_000
}
