//! Saves with and without an index, and searches right after them.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use fumikura_benches::Figure;
use fumikura_tests::corpus::{Corpus, Random};
use fumikura_tests::stage::{Api, Home, Server};
use fumikura_tests::times::Times;
use reqwest::Method;

use crate::http::{end, search, until_indexed};

/// The number of rounds in which each server is saved to in turn, and the length of each.
const ROUNDS: usize = 7;
const ROUND: Duration = Duration::from_secs(2);
/// The number of searches after saves.
const SEARCHES: usize = 200;

/// Copies a wiki for a server that can't write an index: there is a file in place of its folder.
pub(crate) fn unindexed_copy(home: &Home) -> Result<Home> {
    let copy = Home::new()?;
    fs::create_dir_all(copy.data())?;
    let database = "wiki.redb";
    fs::copy(home.data().join(database), copy.data().join(database))?;
    fs::write(copy.data().join("search"), "")?;
    Ok(copy)
}

pub(crate) async fn measure(
    home: &Home,
    unindexed: &Home,
    corpus: &Corpus,
    ids: &[String],
) -> Result<()> {
    let with = Server::start(home, &[]).await?;
    let without = Server::start(unindexed, &[]).await?;
    let (indexed, plain) = (with.api()?, without.api()?);
    until_indexed(&indexed).await?;
    search(&plain, "one two").await?;
    let mut random = Random::new(1 << 42);
    let (mut ratios, mut all, mut others) = (Times::default(), Times::default(), Times::default());
    for _ in 0..ROUNDS {
        let one = saves(&plain, corpus, ids, &mut random).await?;
        let other = saves(&indexed, corpus, ids, &mut random).await?;
        // So that it does not disturb the other server.
        until_indexed(&indexed).await?;
        ratios.push(other.median() / one.median());
        others.extend(&one);
        all.extend(&other);
    }
    println!(
        "saves over HTTP: median {:.3} ms with the index, {:.3} ms without ({} of them)",
        all.median(),
        others.median(),
        all.count() + others.count()
    );
    Figure::new("save with a search index", ratios.median())
        .to("without one")
        .at_most(1.05);
    end(without).await?;
    after_saves(&indexed, corpus, ids, &mut random).await?;
    end(with).await
}

async fn save(api: &Api, id: &str, text: String) -> Result<()> {
    let address = format!("api/pages/{id}/source");
    let headers = [("if-match", "*"), ("content-type", "text/markdown")];
    let answer = api.send(Method::PUT, &address, &headers, text).await?;
    let status = answer.status();
    let body = answer.text().await?;
    ensure!(status.is_success(), "{address}: {status} {body}");
    Ok(())
}

async fn saves(api: &Api, corpus: &Corpus, ids: &[String], random: &mut Random) -> Result<Times> {
    let mut times = Times::default();
    let end = Instant::now() + ROUND;
    while Instant::now() < end {
        let number = random.below(ids.len());
        let text = format!("{}\n{}", corpus.text(number), random.below(1_000_000));
        let began = Instant::now();
        save(api, &ids[number], text).await?;
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    Ok(times)
}

/// Searches for a new word immediately after it is saved.
async fn after_saves(
    api: &Api,
    corpus: &Corpus,
    ids: &[String],
    random: &mut Random,
) -> Result<()> {
    let mut times = Times::default();
    for round in 0..SEARCHES {
        let number = random.below(ids.len());
        let word = format!("針{round}千本");
        let text = format!("{}\n{word}\n", corpus.text(number));
        save(api, &ids[number], text).await?;
        let began = Instant::now();
        while !has(api, &word, &ids[number]).await? {
            ensure!(
                began.elapsed() < Duration::from_secs(30),
                "{word} is not found"
            );
        }
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    println!(
        "a search after a save: median {:.2} ms, p95 {:.2} ms",
        times.median(),
        times.percentile(95)
    );
    Figure::new("a saved page is found, slowest", times.percentile(100))
        .unit("ms")
        .at_most(100.0);
    Ok(())
}

async fn has(api: &Api, word: &str, id: &str) -> Result<bool> {
    let answer = search(api, word).await?;
    let items = answer["items"].as_array();
    Ok(items.is_some_and(|items| items.iter().any(|item| item["page_id"] == id)))
}
