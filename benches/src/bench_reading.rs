//! The time from opening an address in a fresh browser to the page's text on the screen, compared with a page
//! of one line, in turns.
//!
//! Each time the browser was just started, with an empty profile: its caches contain nothing of ours.
//! "Painted" is the browser's own time of the text's first frame, counted from the start of the navigation.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use std::iter;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use fumikura_benches::Figure;
use fumikura_tests::blank_page::BlankPage;
use fumikura_tests::long_page;
use fumikura_tests::stage::{Browser, Display, Home, Server};
use fumikura_tests::times::Times;
use fumikura_tests::wait;
use fumikura_tests::writer::Writer;
use serde_json::Value;

/// The maximum additional time of a page's text over the line of the blank page, in milliseconds.
const AIM_MS: f64 = 200.0;

/// The page that is also read in a small wiki.
const SHORT: &str = "/short";

/// Records the browser's entries for its largest pieces of text; returns the times of the first paint and of
/// the text.
const PAINTS: &str = "
    if (window.paints === undefined) {
        window.paints = [];
        new PerformanceObserver((list) => window.paints.push(...list.getEntries()))
            .observe({ type: 'largest-contentful-paint', buffered: true });
    }
    const text = window.paints.find(({ element }) => element?.closest(TEXT));
    const first = performance.getEntriesByName('first-contentful-paint')[0];
    return text && first ? [first.startTime, text.startTime] : null;";

#[derive(Parser)]
struct ReadingOptions {
    /// Number of pages in the wiki
    #[arg(long, default_value_t = 100_000)]
    pages: usize,
    /// Number of openings of each page
    #[arg(long, default_value_t = 7)]
    rounds: usize,
}

/// A page that is opened, and its results.
struct Subject<'a> {
    name: &'a str,
    url: String,
    /// The selector of the element with the text.
    text: &'a str,
    /// The cookie of a session that may read it.
    session: Option<(String, String)>,
    first: Times,
    painted: Times,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = ReadingOptions::parse();
    let (home, small_home) = (Home::new()?, Home::new()?);
    let start = Instant::now();
    let writer = Writer::open(&home.data())?;
    writer.grow(0..options.pages)?;
    write(&writer)?;
    drop(writer);
    write(&Writer::open(&small_home.data())?)?;
    println!(
        "{} pages, written in {:.0} s",
        options.pages,
        start.elapsed().as_secs_f64()
    );

    let display = Display::open(&home).await?;
    let blank = BlankPage::serve().await?;
    let server = Server::start(&home, &[]).await?;
    let small_server = Server::start(&small_home, &[]).await?;
    let mut subjects = subjects(&blank, &server, &small_server).await?;
    // The first round is not counted: it brings programs and pages into memory.
    for round in 0..=options.rounds {
        for subject in &mut subjects {
            let (first, painted) = open(&home, &display, &blank, subject)
                .await
                .with_context(|| format!("opening {}", subject.name))?;
            if round > 0 {
                subject.first.push(first);
                subject.painted.push(painted);
            }
        }
    }
    report(options.rounds, &subjects);
    Ok(())
}

/// Returns the kinds of pages that are opened: names, paths and texts.
fn kinds() -> [(&'static str, &'static str, String); 5] {
    let live = "# Live\n\nSome text, and $e^{i\\pi} = -1$.\n\n```rust\nfn main() {}\n```\n\n\
                $$\\int_0^1 x^2\\,dx = \\frac13$$\n\n```mermaid\ngraph LR\n  A --> B\n```\n";
    let japanese = "静かな庭を歩く。石の上に落ち葉が一枚、朝の光の中にある。\n".repeat(40);
    [
        (
            "a short page",
            SHORT,
            "# Short\n\nA few words.\n".to_owned(),
        ),
        ("100 KiB", "/long", long_page::text(long_page::LENGTH)),
        ("code, formulas, a diagram", "/live", live.to_owned()),
        (
            "ten levels deep",
            "/a/page/that/lies/deep/in/the/tree/of/pages",
            // Larger than the path above it: the browser reports only its largest pieces of text.
            format!("# Deep\n\n{}\n", "A few words. ".repeat(40)),
        ),
        (
            "in Japanese",
            "/旅/京都/秋の庭",
            format!("# 秋の庭\n\n{japanese}"),
        ),
    ]
}

fn write(writer: &Writer) -> Result<()> {
    for (_, path, text) in kinds() {
        writer.create(path, text)?;
    }
    Ok(())
}

async fn subjects<'a>(
    blank: &BlankPage,
    server: &Server,
    small: &Server,
) -> Result<Vec<Subject<'a>>> {
    let subject = |name, url, text, session| Subject {
        name,
        url,
        text,
        session,
        first: Times::default(),
        painted: Times::default(),
    };
    let ours = |name, server: &Server, path: &str, session: &(String, String)| {
        let url = format!("{}wiki{path}", server.url());
        subject(name, url, "article.reading", Some(session.clone()))
    };
    let (session, small_session) = (server.session().await?, small.session().await?);
    let peer = subject("blank", blank.url().to_owned(), "p", None);
    let alone = ours("short, no other pages", small, SHORT, &small_session);
    let read = kinds().map(|(name, path, _)| ours(name, server, path, &session));
    Ok(iter::once(peer).chain(read).chain([alone]).collect())
}

/// Returns the times of the first paint and of the text, in milliseconds.
async fn open(
    home: &Home,
    display: &Display,
    blank: &BlankPage,
    subject: &Subject<'_>,
) -> Result<(f64, f64)> {
    let profile = tempfile::tempdir()?;
    let browser = Browser::open(home, display, profile.path()).await?;
    let page = browser.page();
    // Each starts on the same page: a cookie can only be set on a page of its host.
    page.go(blank.url()).await?;
    if let Some((name, value)) = &subject.session {
        // A cookie belongs to a host, regardless of the port.
        let cookie = Value::from(format!("{name}={value}; path=/; samesite=strict"));
        page.execute(&format!("document.cookie = {cookie}")).await?;
    }
    page.go(&subject.url).await?;
    let script = PAINTS.replace("TEXT", &Value::from(subject.text).to_string());
    wait::until("the text to be painted", async || {
        let paints = page.execute(&script).await?;
        Ok(paints[0].as_f64().zip(paints[1].as_f64()))
    })
    .await
}

fn report(rounds: usize, subjects: &[Subject<'_>]) {
    let Some((blank, ours)) = subjects.split_first() else {
        return;
    };
    println!("{rounds} browsers for each, in turns; from address to paint, ms, p50 (p95)");
    println!(
        "{:<28}{:>14}{:>14}{:>22}",
        "", "anything", "the text", "more than blank"
    );
    let show = |times: &Times| format!("{:.0} ({:.0})", times.median(), times.percentile(95));
    println!(
        "{:<28}{:>14}{:>14}",
        blank.name,
        show(&blank.first),
        show(&blank.painted)
    );
    let mut largest = f64::NEG_INFINITY;
    for subject in ours {
        let more =
            |percent| subject.painted.percentile(percent) - blank.painted.percentile(percent);
        largest = largest.max(more(95));
        println!(
            "{:<28}{:>14}{:>14}{:>22}",
            subject.name,
            show(&subject.first),
            show(&subject.painted),
            format!("{:.0} ({:.0})", more(50), more(95))
        );
    }
    Figure::new(
        "address to painted text, more than a blank page, p95",
        largest,
    )
    .unit("ms")
    .at_most(AIM_MS);
}
