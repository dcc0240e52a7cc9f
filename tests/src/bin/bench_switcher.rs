//! From a key press in the switcher to the painted results, in Chromium, beside an empty query.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use std::fs;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use fantoccini::key::Key;
use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SystemEntropy;
use fumikura_tests::generator::{Generator, HUB};
use fumikura_tests::page::Page;
use fumikura_tests::stage::{Kind, Stage};
use fumikura_tests::wait;
use fumikura_wiki::{PagePath, Precondition, SaveRequest, Template, UserName, Wiki, WikiConfig};

/// What nineteen of twenty key presses may take longer than those that empty the field, in milliseconds.
const AIM_MS: f64 = 50.0;

/// Beginnings, words, both kinds of kana, letters in their order, and what nothing fits.
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

/// Notes how long it is from a key press until the results of what then stands in the field are painted.
const WATCH: &str = "
    const field = document.querySelector('[data-testid=\"palette-input\"]');
    const list = document.querySelector('[data-testid=\"palette-list\"]');
    window.painted = [];
    window.pressed = null;
    const press = (event) => (window.pressed ??= event.timeStamp);
    field.addEventListener('keydown', press, true);
    field.addEventListener('beforeinput', press, true);
    const look = () => {
        if (window.pressed === null || list.dataset.query !== field.value.trim()) return;
        const from = window.pressed;
        window.pressed = null;
        requestAnimationFrame(() => {
            const afterwards = new MessageChannel();
            afterwards.port1.onmessage = () => window.painted.push(performance.now() - from);
            afterwards.port2.postMessage(null);
        });
    };
    new MutationObserver(look).observe(list, { attributes: true, childList: true, subtree: true, characterData: true });";

#[derive(Parser)]
struct Options {
    /// How many pages the wiki has
    #[arg(long, default_value_t = 100_000)]
    pages: usize,
    /// How often everything is typed
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = Options::parse();
    let mut stage = Stage::new(Kind::Browser).await?;
    fill(&stage, options.pages)?;
    let page = stage.start(&[]).await?.clone();
    page.see("page-body").await?;
    // The side panel has read all pages by then, and disturbs nothing any more.
    page.see("recent").await?;
    page.press(&[Key::Control], "k").await?;
    page.see("palette-input").await?;
    page.ask(WATCH).await?;

    let (mut empty, mut typed) = (Vec::new(), Vec::new());
    // Once without counting: the first search reads all names.
    type_all(&page, &mut Vec::new(), &mut Vec::new()).await?;
    for _ in 0..options.rounds {
        type_all(&page, &mut empty, &mut typed).await?;
    }
    let (base, full) = (percentile(&mut empty, 95), percentile(&mut typed, 95));
    println!(
        "{} pages, {} key presses; from key press to painted results, ms, p50 (p95)",
        options.pages,
        typed.len()
    );
    println!("empty query  {:.1} ({base:.1})", percentile(&mut empty, 50));
    println!("typed        {:.1} ({full:.1})", percentile(&mut typed, 50));
    println!("more at p95  {:.1}, at most {AIM_MS}", full - base);
    ensure!(full - base <= AIM_MS, "the switcher is too slow");
    Ok(())
}

/// Makes the pages before anything is started.
fn fill(stage: &Stage, pages: usize) -> Result<()> {
    let folder = stage.home().data();
    fs::create_dir_all(&folder)?;
    let config = WikiConfig {
        database: folder.join("wiki.redb"),
        assets: folder.join("asset"),
        asset_limit: WikiConfig::ASSET_LIMIT,
        lock_ttl: WikiConfig::LOCK_TTL,
        patience: WikiConfig::PATIENCE,
    };
    let wiki = Wiki::open(
        &config,
        Arc::new(SystemClock::new()),
        Arc::new(SystemEntropy),
    )?;
    let user = wiki
        .register(UserName::new("Writer")?, Template::En)?
        .user
        .id;
    let generator = Generator::new(1);
    let hub = (HUB.to_owned(), "# Hub\n".to_owned());
    let others = (0..pages).map(|number| (Generator::path(number), generator.text(number)));
    for (path, source) in std::iter::once(hub).chain(others) {
        let (page_id, lock) = wiki.create_draft(&PagePath::new(&path)?, user)?;
        wiki.save(SaveRequest {
            page_id,
            user,
            source,
            token: Some(lock.token),
            if_match: Some(Precondition::Any),
            amend: false,
            tab: None,
        })?;
    }
    Ok(())
}

/// Types each text letter by letter, and empties the field again.
async fn type_all(page: &Page, empty: &mut Vec<f64>, typed: &mut Vec<f64>) -> Result<()> {
    for text in TYPED {
        for letter in text.chars() {
            // A space at the end asks for nothing new.
            if letter == ' ' {
                page.press(&[], " ").await?;
            } else {
                typed.push(press(page, &letter.to_string()).await?);
            }
        }
        page.press(&[Key::Control], "a").await?;
        empty.push(press(page, &char::from(Key::Backspace).to_string()).await?);
    }
    Ok(())
}

/// How long it takes until what follows from a key press is painted, in milliseconds.
async fn press(page: &Page, key: &str) -> Result<f64> {
    page.ask("window.pressed = null; window.painted = [];")
        .await?;
    page.press(&[], key).await?;
    wait::until("the results to be painted", async || {
        let painted = page.ask("return window.painted.pop() ?? null").await?;
        Ok(painted.as_f64())
    })
    .await
    .with_context(|| format!("typing {key:?}"))
}

fn percentile(times: &mut [f64], percent: usize) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    let at = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(at).copied().unwrap_or(f64::NAN)
}
