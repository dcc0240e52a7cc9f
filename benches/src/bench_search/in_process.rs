//! Queries in this process.

use std::collections::HashMap;
use std::time::Instant;

use anyhow::{Context, Result};
use fumikura_benches::Figure;
use fumikura_search::{Budget, Directory, Index, IndexHit, PageFacts, PageKey, Query, extract};
use fumikura_tests::corpus::Corpus;
use fumikura_tests::stage::Home;
use fumikura_tests::times::Times;
use fumikura_tests::writer::Writer;
use fumikura_wiki::{PageId, SearchablePage};

/// The number of results that are shown.
const SNIPPET_PAGES: usize = 20;
/// The number of snippets of each.
const SNIPPETS: usize = 2;

/// The wiki and its index, without a server.
pub(crate) struct LocalSearch {
    writer: Writer,
    index: Index,
    directory: Directory,
    /// The corpus number of each page.
    numbers: HashMap<PageKey, usize>,
    /// The pages by corpus number.
    keys: Vec<PageKey>,
}

impl LocalSearch {
    pub(crate) fn new(corpus: &Corpus, home: &Home, pages: usize) -> Result<Self> {
        let writer = Writer::open(&home.data())?;
        let began = Instant::now();
        let directory: Directory = writer
            .wiki()
            .search()
            .searchable_pages()?
            .into_iter()
            .map(facts)
            .collect();
        let read = began.elapsed();
        let index = Index::open(&home.data().join("search"))?;
        let mut search = Self {
            writer,
            index,
            directory,
            numbers: HashMap::new(),
            keys: Vec::new(),
        };
        search.ask("first")?;
        println!("in this process:");
        let first = began.elapsed();
        println!("  reading the facts of all pages: {:.0} ms", millis(read));
        Figure::new("first search after the start", millis(first - read))
            .unit("ms")
            .at_most(100.0);
        let by_path: HashMap<String, usize> = (0..pages)
            .map(|number| (corpus.path(number), number))
            .collect();
        let pages = search.directory.pages();
        search.numbers = pages
            .filter_map(|facts| Some((facts.key, *by_path.get(&facts.path)?)))
            .collect();
        let mut keys: Vec<_> = search.numbers.iter().collect();
        keys.sort_by_key(|(_, number)| **number);
        search.keys = keys.into_iter().map(|(key, _)| *key).collect();
        Ok(search)
    }

    /// Returns the ids of the corpus' pages, by number.
    pub(crate) fn ids(&self) -> Vec<String> {
        let id = |key: &PageKey| PageId::from_bytes(*key).to_string();
        self.keys.iter().map(id).collect()
    }

    pub(crate) fn find(&self, typed: &str) -> Result<Vec<IndexHit>> {
        Ok(self.index.find(&Query::parse(typed)?, &self.directory)?)
    }

    /// Returns the facts of the corpus' page with this number.
    pub(crate) fn facts(&self, number: usize) -> Option<&PageFacts> {
        self.directory.get(self.keys.get(number)?)
    }

    /// Returns the corpus number of a page, or `None` for pages outside of the corpus.
    pub(crate) fn number(&self, key: &PageKey) -> Option<usize> {
        self.numbers.get(key).copied()
    }

    /// Answers a query as the server does: reads the texts of the best pages and makes their snippets.
    /// Returns the number of all results.
    fn ask(&self, typed: &str) -> Result<usize> {
        let query = Query::parse(typed)?;
        let mut found = self.index.find(&query, &self.directory)?;
        let total = found.len();
        let best = |a: &IndexHit, b: &IndexHit| b.weight.total_cmp(&a.weight);
        if total > SNIPPET_PAGES {
            found.select_nth_unstable_by(SNIPPET_PAGES, best);
            found.truncate(SNIPPET_PAGES);
        }
        found.sort_unstable_by(best);
        for page in &found {
            let source = self
                .writer
                .wiki()
                .pages()
                .source(PageId::from_bytes(page.key), None)?
                .source;
            let text = extract(&source);
            std::hint::black_box(text.snippets(&query, SNIPPETS, &Budget::unlimited()));
        }
        Ok(total)
    }
}

fn facts(page: SearchablePage) -> PageFacts {
    PageFacts {
        key: page.page_id.to_bytes(),
        path: page.path.to_string(),
        former: Vec::new(),
        title: page.title,
        deleted: page.deleted,
        updated: page.updated.as_millisecond(),
        author: page.user_name,
        version: 1,
    }
}

fn millis(time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Runs all queries and returns the time of each.
pub(crate) fn queries(search: &LocalSearch, queries: &[String]) -> Result<Vec<f64>> {
    let mut each = Vec::with_capacity(queries.len());
    for typed in queries {
        let began = Instant::now();
        let total = search.ask(typed).with_context(|| typed.clone())?;
        each.push(millis(began.elapsed()));
        std::hint::black_box(total);
    }
    report("in this process", queries, &each);
    Ok(each)
}

/// Prints the times of queries by their lengths.
fn report(how: &str, queries: &[String], each: &[f64]) {
    let mut all = Times::default();
    let mut by_length = vec![Times::default(); LENGTHS.len()];
    let mut slowest = [(0.0, ""); LENGTHS.len()];
    for (typed, took) in queries.iter().zip(each) {
        let class = length_class(typed);
        all.push(*took);
        by_length[class].push(*took);
        if *took > slowest[class].0 {
            slowest[class] = (*took, typed.as_str());
        }
    }
    for ((times, class), slowest) in by_length.iter().zip(LENGTHS).zip(slowest) {
        println!(
            "  {class}: median {:.2} ms, p95 {:.2} ms; the slowest {:?}",
            times.median(),
            times.percentile(95),
            slowest.1
        );
    }
    println!("  {} queries: median {:.2} ms", all.count(), all.median());
    Figure::new(format!("full-text search {how}, p95"), all.percentile(95))
        .unit("ms")
        .at_most(5.0);
}

/// The classes of query lengths.
pub(crate) const LENGTHS: [&str; 4] = ["1 character", "2 characters", "3 characters", "more"];

/// Returns the index of a query's length in [`LENGTHS`].
pub(crate) fn length_class(typed: &str) -> usize {
    typed.chars().count().clamp(1, LENGTHS.len()) - 1
}
