//! The same queries on reference programs: SQLite's FTS5 with trigrams, and ripgrep.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};
use fumikura_search::extract;
use fumikura_tests::corpus::Corpus;
use fumikura_tests::times::Times;
use rusqlite::{Connection, params};

use crate::in_process::{LENGTHS, length_class};
use crate::megabytes;
use crate::recall::Expected;

/// The number of queries that SQLite answers: each of less than three characters reads all texts.
const SQLITE_QUERIES: usize = 200;
/// The number of queries that ripgrep answers: each reads all files.
const RIPGREP_QUERIES: usize = 20;
/// The number of results that are shown.
const RESULTS_READ: i64 = 20;

/// Measures FTS5 with the trigram tokenizer, and LIKE for queries that it can't answer.
pub(crate) fn sqlite(
    corpus: &Corpus,
    pages: usize,
    queries: &[String],
    expected: &Expected,
    ours: &[f64],
) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("pages.sqlite");
    let mut connection = Connection::open(&file)?;
    connection.execute_batch(
        "PRAGMA cache_size = -64000;
         CREATE VIRTUAL TABLE pages USING fts5 (path, body, tokenize = 'trigram');",
    )?;
    let began = Instant::now();
    let transaction = connection.transaction()?;
    for number in 0..pages {
        let text = extract(&corpus.text(number));
        transaction
            .prepare_cached("INSERT INTO pages (rowid, path, body) VALUES (?1, ?2, ?3)")?
            .execute(params![
                number as i64,
                corpus.path(number),
                text.body().text()
            ])?;
    }
    transaction.commit()?;
    let took = began.elapsed().as_secs_f64();
    println!(
        "SQLite FTS5, trigrams: indexed in {took:.1} s, {:.0} MB with the texts",
        megabytes(fs::metadata(&file)?.len())
    );
    let limit = queries.len().min(SQLITE_QUERIES);
    let mut theirs = vec![Times::default(); LENGTHS.len()];
    let mut same = vec![Times::default(); LENGTHS.len()];
    let (mut wanted, mut missed) = (0, 0);
    for (at, typed) in queries.iter().enumerate().take(limit) {
        let class = length_class(typed);
        theirs[class].measure(|| best(&connection, typed))?;
        same[class].push(ours[at]);
        let found = all(&connection, typed)?;
        wanted += expected[at].len();
        let is_missed = |page: &&u32| found.binary_search(&i64::from(**page)).is_err();
        missed += expected[at].iter().filter(is_missed).count();
    }
    for ((theirs, ours), class) in theirs.iter().zip(&same).zip(LENGTHS) {
        print_beside(class, theirs, ours);
    }
    println!(
        "  recall compared with the same scan: {:.2} % of {limit} queries",
        100.0 * (wanted - missed) as f64 / f64::max(wanted as f64, 1.0)
    );
    Ok(())
}

/// Returns the condition of a query, and its value.
fn condition(typed: &str) -> (&'static str, String) {
    if typed.chars().count() < 3 {
        let escaped = typed.replace('\\', "\\\\");
        let escaped = escaped.replace('%', "\\%").replace('_', "\\_");
        let like = "(body LIKE ?1 ESCAPE '\\' OR path LIKE ?1 ESCAPE '\\')";
        (like, format!("%{escaped}%"))
    } else {
        (
            "pages MATCH ?1",
            format!("\"{}\"", typed.replace('"', "\"\"")),
        )
    }
}

/// Returns the number of results after reading the best texts. LIKE has no order: it reads the first ones.
fn best(connection: &Connection, typed: &str) -> Result<usize> {
    let (condition, value) = condition(typed);
    let order = if condition.contains("MATCH") {
        "ORDER BY rank"
    } else {
        ""
    };
    let count = format!("SELECT count(*) FROM pages WHERE {condition}");
    let count: i64 = connection
        .prepare_cached(&count)?
        .query_row([&value], |row| row.get(0))?;
    let statement =
        format!("SELECT body FROM pages WHERE {condition} {order} LIMIT {RESULTS_READ}");
    let mut statement = connection.prepare_cached(&statement)?;
    let bodies = statement.query_map([value], |row| row.get::<_, String>(0))?;
    let bodies: Vec<String> = bodies.collect::<Result<_, _>>()?;
    std::hint::black_box(bodies);
    Ok(usize::try_from(count)?)
}

/// Returns all results, ascending.
fn all(connection: &Connection, typed: &str) -> Result<Vec<i64>> {
    let (condition, value) = condition(typed);
    let statement = format!("SELECT rowid FROM pages WHERE {condition} ORDER BY rowid");
    let mut statement = connection.prepare_cached(&statement)?;
    let rows = statement.query_map([value], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Measures ripgrep on files with the Markdown of all pages.
pub(crate) fn ripgrep(
    corpus: &Corpus,
    pages: usize,
    queries: &[String],
    ours: &[f64],
) -> Result<()> {
    let folder = tempfile::tempdir()?;
    for number in 0..pages {
        let part = folder.path().join((number / 1000).to_string());
        fs::create_dir_all(&part)?;
        fs::write(part.join(format!("{number}.md")), corpus.text(number))?;
    }
    let (mut theirs, mut same) = (Times::default(), Times::default());
    for (typed, ours) in queries.iter().zip(ours).take(RIPGREP_QUERIES) {
        let mut ripgrep = Command::new("rg");
        ripgrep
            .args([
                "--fixed-strings",
                "--ignore-case",
                "--files-with-matches",
                "--",
            ])
            .arg(typed)
            .arg(folder.path())
            .stdout(Stdio::null());
        let ended = theirs.measure(|| ripgrep.status());
        ended.context("ripgrep is not installed")?;
        same.push(*ours);
    }
    println!("ripgrep over the Markdown:");
    print_beside("all lengths", &theirs, &same);
    Ok(())
}

fn print_beside(what: &str, theirs: &Times, ours: &Times) {
    println!(
        "  {what}: median {:.2} ms, p95 {:.2} ms; ours {:.2} and {:.2} ms: {:.3} and {:.3} of it",
        theirs.median(),
        theirs.percentile(95),
        ours.median(),
        ours.percentile(95),
        ours.median() / theirs.median(),
        ours.percentile(95) / theirs.percentile(95)
    );
}
