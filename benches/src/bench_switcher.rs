//! The time from a key press in the switcher to the painted results, in Chromium, compared with an empty query.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use anyhow::Result;
use clap::Parser;
use fantoccini::key::Key;
use fumikura_benches::Figure;
use fumikura_tests::key_latency::{KeyEffect, KeyLatency};
use fumikura_tests::page::Page;
use fumikura_tests::stage::{Kind, Stage};
use fumikura_tests::times::Times;
use fumikura_tests::writer::Writer;

/// The maximum additional time of the 95th percentile over key presses that empty the field, in milliseconds.
const AIM_MS: f64 = 50.0;

/// Prefixes, words, both kinds of kana, scattered letters in order, and a text without results.
const TYPED: [&str; 9] = [
    "旅行",
    "winter",
    "winter lantern",
    "京都",
    "写真 旅行",
    "/文庫",
    "9999",
    "wntr",
    "てがみ",
];

/// The list has an attribute with the query that it answers.
const RESULTS: KeyEffect<'_> = KeyEffect {
    field: "[data-testid='palette-input']",
    output: "[data-testid='palette-list']",
    is_done: "output.dataset.query === field.value.trim()",
};

#[derive(Parser)]
struct SwitcherOptions {
    /// Number of pages in the wiki
    #[arg(long, default_value_t = 100_000)]
    pages: usize,
    /// Number of times that everything is typed
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = SwitcherOptions::parse();
    let mut stage = Stage::new(Kind::Browser).await?;
    Writer::open(&stage.home().data())?.grow(0..options.pages)?;
    let page = stage.start(&[]).await?.clone();
    page.wait_for("page-body").await?;
    // The side panel has read all pages by then, and disturbs nothing anymore.
    page.wait_for("recent").await?;
    page.press(&[Key::Control], "k").await?;
    page.wait_for("palette-input").await?;
    let latency = KeyLatency::watch(&page, RESULTS).await?;

    let (mut empty, mut typed) = (Times::default(), Times::default());
    // Not counted: the first search reads all names.
    type_all(
        &page,
        &latency,
        &mut Times::default(),
        &mut Times::default(),
    )
    .await?;
    for _ in 0..options.rounds {
        type_all(&page, &latency, &mut empty, &mut typed).await?;
    }
    let (base, full) = (empty.percentile(95), typed.percentile(95));
    println!(
        "{} pages, {} key presses; from key press to painted results, ms, p50 (p95)",
        options.pages,
        typed.count()
    );
    println!("empty query  {:.1} ({base:.1})", empty.median());
    println!("typed        {:.1} ({full:.1})", typed.median());
    Figure::new(
        "key press to results in the switcher, more than empty, p95",
        full - base,
    )
    .unit("ms")
    .at_most(AIM_MS);
    Ok(())
}

/// Types each text letter by letter, and empties the field again.
async fn type_all(
    page: &Page,
    latency: &KeyLatency<'_>,
    empty: &mut Times,
    typed: &mut Times,
) -> Result<()> {
    for text in TYPED {
        for letter in text.chars() {
            // A space at the end changes nothing in the query.
            if letter == ' ' {
                page.press(&[], " ").await?;
            } else {
                typed.push(latency.press(&letter.to_string()).await?);
            }
        }
        page.press(&[Key::Control], "a").await?;
        empty.push(
            latency
                .press(&char::from(Key::Backspace).to_string())
                .await?,
        );
    }
    Ok(())
}
