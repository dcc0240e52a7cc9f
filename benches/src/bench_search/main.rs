//! Full-text search of a large wiki: its recall compared with a scan of every text, its cost, and its
//! response times, compared with SQLite's FTS5 and ripgrep on the same texts; and the search for pictures in open
//! folders.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

mod http;
mod in_process;
mod peers;
mod pictures;
mod recall;
mod saves;

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use clap::Parser;
use fumikura_search::extract;
use fumikura_tests::corpus::Corpus;
use fumikura_tests::stage::Home;
use fumikura_tests::writer::Writer;

use in_process::LocalSearch;

#[derive(Parser)]
struct SearchOptions {
    /// The numbers of pages; each is measured
    #[arg(long, value_delimiter = ',', default_value = "10000,100000")]
    pages: Vec<usize>,
    /// Search for pictures only
    #[arg(long, conflicts_with = "pages")]
    no_pages: bool,
    /// The number of queries
    #[arg(long, default_value_t = 10_000)]
    queries: usize,
    /// The number of pictures in open folders; 0 for no search for pictures
    #[arg(long, default_value_t = 100_000)]
    pictures: usize,
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = SearchOptions::parse();
    let corpus = Corpus::default();
    for pages in options.pages.into_iter().filter(|_| !options.no_pages) {
        measure(&corpus, pages, options.queries).await?;
    }
    if options.pictures > 0 {
        pictures::measure(options.pictures).await?;
    }
    Ok(())
}

async fn measure(corpus: &Corpus, pages: usize, queries: usize) -> Result<()> {
    let home = Home::new()?;
    let began = Instant::now();
    write(corpus, &home.data(), pages)?;
    let texts = (0..pages).map(|number| extract(&corpus.text(number)).body().text().len());
    let text: usize = texts.sum();
    println!(
        "\n{pages} pages, {} MB of text, written in {:.0} s",
        text / 1_000_000,
        began.elapsed().as_secs_f64()
    );
    let unindexed = saves::unindexed_copy(&home)?;
    let visible_text = |source: &str| extract(source).body().text().to_owned();
    let queries = corpus.queries(pages, queries, visible_text);

    http::indexing(&home, &unindexed, text).await?;
    http::queries(&home, &queries).await?;
    http::starts(&home).await?;
    let search = LocalSearch::new(corpus, &home, pages)?;
    let times = in_process::queries(&search, &queries)?;
    let expected = recall::compare(corpus, &search, &queries)?;
    peers::sqlite(corpus, pages, &queries, &expected, &times)?;
    peers::ripgrep(corpus, pages, &queries, &times)?;
    let ids = search.ids();
    drop(search);
    saves::measure(&home, &unindexed, corpus, &ids).await
}

fn write(corpus: &Corpus, data: &Path, pages: usize) -> Result<()> {
    fs::create_dir_all(data)?;
    let writer = Writer::open(data)?;
    for number in 0..pages {
        writer.create(&corpus.path(number), corpus.text(number))?;
    }
    Ok(())
}

pub(crate) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
