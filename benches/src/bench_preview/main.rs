//! The times from a key press in the editor to the frame with the letter, and to the painted preview of a long page,
//! compared with a field that echoes its input, in turns, and with the least that rendering on the local server would
//! take.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

mod remote;

use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use fantoccini::key::Key;
use fumikura_benches::Figure;
use fumikura_tests::blank_page::BlankPage;
use fumikura_tests::key_latency::{KeyEffect, KeyLatency};
use fumikura_tests::long_page::{self, KINDS, PLACES};
use fumikura_tests::page::Page;
use fumikura_tests::stage::{Kind, Stage};
use fumikura_tests::times::Times;
use fumikura_tests::writer::Writer;

/// The maximum of the 95th percentile of the preview, in milliseconds.
const PREVIEW_AIM_MS: f64 = 50.0;
/// The same of the letter in the text: two frames.
const LETTER_AIM_MS: f64 = 32.0;

/// The path of the long page.
const PATH: &str = "/long";

/// The text that is typed at each place, letter by letter.
const TYPED: &str = "abcdefgh";

/// The text: the line with the typed letter changes. The preview is shown beside it.
const LETTER: KeyEffect<'_> = KeyEffect {
    field: ".cm-content",
    output: ".cm-content",
    is_done: "nodes.some((node) => (node.closest ? node : node.parentElement)?.closest('.cm-line')?.textContent.includes(window.awaited))",
};

/// The preview: the block with the typed text appears or changes.
const PREVIEW: KeyEffect<'_> = KeyEffect {
    field: ".cm-content",
    output: "[data-testid='editor-preview'] article",
    is_done: "nodes.some((node) => node !== output && node.textContent.includes(window.awaited))",
};

/// The simplest possible echo.
const ECHO: KeyEffect<'_> = KeyEffect {
    field: "textarea",
    output: "output",
    is_done: "output.textContent.endsWith(window.awaited)",
};
const ECHO_SCRIPT: &str = "document.querySelector('textarea').addEventListener(
    'input', ({ target }) => (document.querySelector('output').textContent = target.value));";

#[derive(Parser)]
struct PreviewOptions {
    /// Number of pages in the wiki
    #[arg(long, default_value_t = 100_000)]
    pages: usize,
    /// Number of times that everything is typed
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Use the desktop window, without a comparison
    #[arg(long)]
    window: bool,
}

/// A place on the page, and the times of typing there.
struct Place {
    name: String,
    /// The word by which it is found, with the text typed after it so far.
    word: String,
    times: Times,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = PreviewOptions::parse();
    let kind = if options.window {
        Kind::Window
    } else {
        Kind::Browser
    };
    let mut stage = Stage::new(kind).await?;
    let start = Instant::now();
    let writer = Writer::open(&stage.home().data())?;
    writer.grow(0..options.pages)?;
    writer.create(PATH, long_page::text(long_page::LENGTH))?;
    drop(writer);
    println!(
        "{} pages, written in {:.0} s",
        options.pages,
        start.elapsed().as_secs_f64()
    );

    let page = stage.start(&[]).await?.clone();
    page.wait_for("page-body").await?;
    page.execute(&format!("location.href = '/wiki{PATH}'"))
        .await?;
    page.wait_for_address(&format!("/wiki{PATH}")).await?;
    page.wait_for("page-body").await?;
    page.click("page-edit").await?;
    page.wait_for_address(&format!("/edit{PATH}")).await?;
    page.wait_for("editor-preview").await?;
    page.wait_for_selector(".cm-content").await?;

    let blank = BlankPage::serve().await?;
    let peer = Peer::open(&page, &blank, options.window).await?;
    for (what, effect, aim) in [
        ("the frame with the letter", LETTER, LETTER_AIM_MS),
        ("the painted preview", PREVIEW, PREVIEW_AIM_MS),
    ] {
        KeyLatency::watch(&page, effect).await?;
        let (places, echo) = measure(&page, peer.as_ref(), options.rounds).await?;
        report(what, &places, &echo, aim);
    }
    if let Some(peer) = &peer {
        page.client().switch_to_window(peer.theirs.clone()).await?;
        remote::measure(&page, long_page::text(long_page::LENGTH)).await?;
    }
    Ok(())
}

/// Types at all places, `rounds` times and once before that.
async fn measure(page: &Page, peer: Option<&Peer>, rounds: usize) -> Result<(Vec<Place>, Times)> {
    let mut places = places();
    let mut echo = Times::default();
    // The first round is not counted: the browser optimizes code while it runs.
    type_all(page, peer, &mut places, &mut echo).await?;
    echo = Times::default();
    for place in &mut places {
        place.times = Times::default();
    }
    for _ in 0..rounds {
        type_all(page, peer, &mut places, &mut echo).await?;
    }
    Ok((places, echo))
}

/// The reference field, in a separate tab.
struct Peer {
    ours: fantoccini::wd::WindowHandle,
    theirs: fantoccini::wd::WindowHandle,
}

impl Peer {
    async fn open(page: &Page, blank: &BlankPage, in_window: bool) -> Result<Option<Self>> {
        if in_window {
            return Ok(None);
        }
        let client = page.client();
        let ours = client.window().await?;
        let theirs = client.new_window(true).await?.handle;
        client.switch_to_window(theirs.clone()).await?;
        page.go(blank.url()).await?;
        page.execute(ECHO_SCRIPT).await?;
        KeyLatency::watch(page, ECHO).await?;
        client.switch_to_window(ours.clone()).await?;
        Ok(Some(Self { ours, theirs }))
    }

    async fn type_letters(&self, page: &Page, times: &mut Times) -> Result<()> {
        let client = page.client();
        client.switch_to_window(self.theirs.clone()).await?;
        let latency = KeyLatency::of(page);
        for letter in TYPED.chars() {
            page.execute(&format!("window.awaited = '{letter}'"))
                .await?;
            times.push(latency.press(&letter.to_string()).await?);
        }
        client.switch_to_window(self.ours.clone()).await?;
        Ok(())
    }
}

fn places() -> Vec<Place> {
    let of_place = |(place, word): (&str, &str)| {
        KINDS.map(|kind| Place {
            name: format!("{place}, {kind}"),
            word: long_page::mark(word, kind),
            times: Times::default(),
        })
    };
    PLACES.into_iter().flat_map(of_place).collect()
}

async fn type_all(
    page: &Page,
    peer: Option<&Peer>,
    places: &mut [Place],
    echo: &mut Times,
) -> Result<()> {
    let latency = KeyLatency::of(page);
    for place in places {
        if let Some(peer) = peer {
            peer.type_letters(page, echo).await?;
        }
        go_to(page, &place.word).await?;
        for letter in TYPED.chars() {
            place.word.push(letter);
            page.execute(&format!("window.awaited = '{}'", place.word))
                .await?;
            let ms = latency.press(&letter.to_string()).await;
            place.times.push(ms.with_context(|| place.name.clone())?);
        }
    }
    Ok(())
}

/// Puts the cursor after a word, as a user does: by searching for it.
async fn go_to(page: &Page, word: &str) -> Result<()> {
    page.press(&[Key::Control], "f").await?;
    page.wait_for_selector(".cm-search [name=search]").await?;
    page.press(&[Key::Control], "a").await?;
    page.press(&[], word).await?;
    page.press(&[], &char::from(Key::Enter).to_string()).await?;
    page.wait_until(
        "the word to be selected",
        &format!("return getSelection().toString() === '{word}' || document.querySelector('.cm-searchMatch-selected')?.textContent === '{word}'"),
    )
    .await?;
    page.press(&[], &char::from(Key::Escape).to_string())
        .await?;
    page.wait_until(
        "the text to have the focus",
        "return document.activeElement?.classList.contains('cm-content')",
    )
    .await?;
    page.press(&[], &char::from(Key::Right).to_string()).await
}

fn report(what: &str, places: &[Place], echo: &Times, aim: f64) {
    let mut all = Times::default();
    println!("from key press to {what}, ms, p50 (p95)");
    let line = |name: &str, times: &Times| {
        println!(
            "{name:<26}{:>8.1} ({:.1})",
            times.median(),
            times.percentile(95)
        );
    };
    for Place { name, times, .. } in places {
        line(name, times);
        all.extend(times);
    }
    line(&format!("all {}", all.count()), &all);
    if echo.count() > 0 {
        line("a field that echoes", echo);
        println!(
            "more than the field: {:.1} ({:.1})",
            all.median() - echo.median(),
            all.percentile(95) - echo.percentile(95)
        );
    }
    Figure::new(
        format!("key press to {what} in 100 KiB, p95"),
        all.percentile(95),
    )
    .unit("ms")
    .at_most(aim);
}
