//! A client that saves, reads, lists and searches pages.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result};
use fumikura_tests::generator::Generator;
use fumikura_tests::stage::Api;
use reqwest::Method;

use crate::counters::{Requests, address};

/// The words of the searches.
const SEARCHED: [&str; 6] = ["winter", "京都", "letter 1", "写真", "garden", "旅行 2"];

/// A client with a connection of its own.
pub(crate) struct WikiClient {
    pub(crate) requests: Requests,
    pub(crate) generator: Generator,
    pub(crate) ids: Arc<Vec<String>>,
}

impl WikiClient {
    pub(crate) async fn run(self) {
        let mut round = 0;
        while !self.requests.counters.have_ended() {
            let outcome = self.request(round).await;
            self.requests.counters.note(outcome);
            round += 1;
        }
    }

    /// Sends the kinds of requests in turns.
    async fn request(&self, round: usize) -> Result<()> {
        let number = self.generator.below(self.ids.len());
        let words = SEARCHED[number % SEARCHED.len()];
        let address = match round % 5 {
            0 => return self.save(number).await,
            1 => format!("api/pages/{}/source", self.ids[number]),
            2 => {
                let from = Generator::path(number);
                address("api/pages", &[("forward", &from), ("limit", "50")])?
            }
            3 => address("api/pages/search", &[("q", words)])?,
            _ => address("api/search", &[("q", words), ("kind", "page")])?,
        };
        self.requests.get(&address).await.map(drop)
    }

    async fn save(&self, number: usize) -> Result<()> {
        let text = self.generator.text(number);
        let address = format!("api/pages/{}/source", self.ids[number]);
        let headers = [("if-match", "*"), ("content-type", "text/markdown")];
        let saved = self.requests.send(Method::PUT, &address, &headers, text);
        saved.await?;
        self.requests.counters.saves.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// Returns the ids of the generator's pages.
pub(crate) async fn page_ids(api: &Api, pages: usize) -> Result<Vec<String>> {
    let mut ids = Vec::with_capacity(pages);
    for number in 0..pages {
        let address = address("api/pages/resolve", &[("path", &Generator::path(number))])?;
        let found = api.get(&address).await?;
        let id = found["id"].as_str().context("a page has no id")?;
        ids.push(id.to_owned());
    }
    Ok(ids)
}
