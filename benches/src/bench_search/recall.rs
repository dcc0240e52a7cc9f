//! Recall and precision: the results of the index compared with a scan of the folded texts.

use std::collections::HashSet;
use std::thread;

use aho_corasick::{AhoCorasick, MatchKind};
use anyhow::{Result, ensure};
use fumikura_benches::Figure;
use fumikura_folding::fold;
use fumikura_search::{Budget, Query, extract};
use fumikura_tests::corpus::Corpus;

use crate::in_process::{LENGTHS, LocalSearch, length_class};

/// The number of queries that one pass over the texts answers.
const BATCH: usize = 500;
/// The number of pages of each query, found beyond the scan, that are examined.
const SAMPLES: usize = 2;

/// The pages that have each query, ascending.
pub(crate) type Expected = Vec<Vec<u32>>;

#[derive(Clone, Copy, Default)]
struct Counts {
    expected: usize,
    missed: usize,
    found: usize,
}

/// Compares all queries, and returns the results of the scan.
pub(crate) fn compare(
    corpus: &Corpus,
    search: &LocalSearch,
    queries: &[String],
) -> Result<Expected> {
    let texts = folded_texts(corpus, search.ids().len());
    let mut counts = [Counts::default(); LENGTHS.len()];
    let (mut examined, mut unfit) = (0, 0);
    let mut all = Expected::new();
    for batch in queries.chunks(BATCH) {
        for (typed, expected) in batch.iter().zip(scan(&texts, batch)?) {
            let found = search.find(typed)?.into_iter();
            let found: HashSet<usize> = found.filter_map(|page| search.number(&page.key)).collect();
            let missed = expected
                .iter()
                .filter(|page| !found.contains(&(**page as usize)));
            let count = &mut counts[length_class(typed)];
            count.missed += missed.count();
            count.expected += expected.len();
            count.found += found.len();
            let beyond = found
                .iter()
                .filter(|page| expected.binary_search(&(**page as u32)).is_err());
            for page in beyond.take(SAMPLES) {
                examined += 1;
                unfit += usize::from(!fits(corpus, search, typed, *page)?);
            }
            all.push(expected);
        }
    }
    report(&counts, queries.len());
    println!(
        "  of {examined} pages found beyond the scan, {unfit} are against the rules of docs/SEARCH.md"
    );
    let missed: usize = counts.iter().map(|count| count.missed).sum();
    ensure!(missed == 0, "the index misses what a scan finds");
    ensure!(unfit == 0, "the index finds what does not fit");
    Ok(all)
}

fn report(counts: &[Counts], queries: usize) {
    println!("{queries} queries compared with a scan of all folded texts and paths:");
    let mut sum = Counts::default();
    for (count, class) in counts.iter().zip(LENGTHS) {
        println!(
            "  {class}: recall {:.4} %, precision {:.1} %",
            recall(count),
            precision(count)
        );
        sum.expected += count.expected;
        sum.missed += count.missed;
        sum.found += count.found;
    }
    println!(
        "  precision {:.1} % of {} pages",
        precision(&sum),
        sum.found
    );
    Figure::new("full-text search, recall", recall(&sum))
        .to("a scan of every text")
        .unit("%")
        .at_least(100.0);
}

fn recall(count: &Counts) -> f64 {
    100.0 * (count.expected - count.missed) as f64 / count.expected.max(1) as f64
}

fn precision(count: &Counts) -> f64 {
    100.0 * (count.expected - count.missed) as f64 / count.found.max(1) as f64
}

/// Returns the folded path and text of each page.
fn folded_texts(corpus: &Corpus, pages: usize) -> Vec<String> {
    let text = |number| {
        let text = extract(&corpus.text(number));
        format!(
            "{}\n{}",
            fold(&corpus.path(number)),
            fold(text.body().text())
        )
    };
    (0..pages).map(text).collect()
}

/// Returns true if a page fits a query by the rules for texts without an index.
fn fits(corpus: &Corpus, search: &LocalSearch, typed: &str, page: usize) -> Result<bool> {
    let text = extract(&corpus.text(page));
    let query = Query::parse(typed)?;
    let facts = search.facts(page);
    let weight = facts.map(|facts| query.weigh(facts, &text, &Budget::unlimited()));
    Ok(weight.transpose()?.flatten().is_some())
}

/// Returns the texts that contain each query, in one pass over them in two threads.
fn scan(texts: &[String], queries: &[String]) -> Result<Expected> {
    let folded: Vec<String> = queries.iter().map(|typed| fold(typed)).collect();
    let finder = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .build(&folded)?;
    let middle = texts.len() / 2;
    let (first, second) = thread::scope(|scope| {
        let first = scope.spawn(|| scan_part(&finder, queries.len(), texts, 0..middle));
        let second = scan_part(&finder, queries.len(), texts, middle..texts.len());
        (first.join(), second)
    });
    let mut all = first.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    for (pages, more) in all.iter_mut().zip(second) {
        pages.extend(more);
    }
    Ok(all)
}

fn scan_part(
    finder: &AhoCorasick,
    queries: usize,
    texts: &[String],
    part: std::ops::Range<usize>,
) -> Expected {
    let mut found = vec![Vec::new(); queries];
    for number in part {
        for place in finder.find_overlapping_iter(&texts[number]) {
            let pages: &mut Vec<u32> = &mut found[place.pattern().as_usize()];
            if pages.last() != Some(&(number as u32)) {
                pages.push(number as u32);
            }
        }
    }
    found
}
