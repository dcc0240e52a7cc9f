//! A client that writes, and remembers the acknowledged state.

use serde_json::json;

use super::page::{Page, UncertainWrite};
use crate::support::{Client, ConnectionLost, Random};

/// The maximum number of a writer's pages; after that, only these are written.
const PAGES: usize = 40;

/// A writer. No other writer changes its pages.
pub(super) struct Writer {
    number: u64,
    random: Random,
    pages: Vec<Page>,
    /// Paths of pages whose draft may or may not have been created.
    begun: Vec<String>,
    count: u64,
    acknowledged: usize,
}

impl Writer {
    pub(super) fn new(number: u64, seed: u64) -> Self {
        Self {
            number,
            random: Random::new(seed),
            pages: Vec::new(),
            begun: Vec::new(),
            count: 0,
            acknowledged: 0,
        }
    }

    /// Returns the number of acknowledged operations.
    pub(super) fn acknowledged(&self) -> usize {
        self.acknowledged
    }

    /// Writes until the server is gone.
    pub(super) fn write(&mut self, client: &Client) {
        while self.step(client).is_ok() {
            self.acknowledged += 1;
        }
    }

    fn step(&mut self, client: &Client) -> Result<(), ConnectionLost> {
        self.count += 1;
        let can_write = self.pages.iter().any(|page| !page.is_inaccessible());
        if !can_write || (self.pages.len() < PAGES && self.random.one_in(5)) {
            return self.begin(client);
        }
        let free: Vec<usize> = (0..self.pages.len())
            .filter(|&at| !self.pages[at].is_inaccessible())
            .collect();
        let at = free[self.random.below(free.len() as u64) as usize];
        let text = self
            .random
            .text(&format!("{}, number {}", self.pages[at].path, self.count));
        let page = &mut self.pages[at];
        match page.token.clone() {
            None => lock(page, client),
            Some(_) if self.random.one_in(2) => autosave(page, client, self.count, text),
            Some(token) => save(page, client, &token, text),
        }
    }

    fn begin(&mut self, client: &Client) -> Result<(), ConnectionLost> {
        let path = format!("/w{}/p{}", self.number, self.count);
        self.begun.push(path.clone());
        let reply = client.post(&format!("/api/pages?path={path}"))?.is(201);
        self.begun.pop();
        let id = reply.json()["id"].as_str().unwrap().to_owned();
        self.pages.push(Page::new(id, path, reply.lock()));
        Ok(())
    }

    /// Compares with the server's state, and resolves operations in doubt.
    pub(super) fn compare(&mut self, client: &Client) -> Result<(), ConnectionLost> {
        for path in self.begun.drain(..) {
            let reply = client.get(&format!("/api/pages/resolve?path={path}"))?;
            let error = reply.is(404).json();
            let code = error["code"].as_str().unwrap();
            assert!(["draft", "page_not_found"].contains(&code), "{error}");
        }
        for page in &mut self.pages {
            page.compare(client)?;
        }
        Ok(())
    }

    /// Compares every revision of every page.
    pub(super) fn compare_all(&self, client: &Client) -> Result<(), ConnectionLost> {
        for page in &self.pages {
            page.compare_revisions(client)?;
        }
        let list = client.get(&format!("/api/pages?prefix=/w{}&limit=1000", self.number))?;
        let list = list.is(200).json();
        let mut listed: Vec<_> = list["items"].as_array().unwrap().iter().collect();
        listed.retain(|item| item["path"] != "/");
        let mut listed: Vec<_> = listed
            .iter()
            .map(|item| {
                (
                    item["path"].as_str().unwrap(),
                    item["page_id"].as_str().unwrap(),
                )
            })
            .collect();
        listed.sort_unstable();
        let saved = self.pages.iter().filter(|page| !page.texts.is_empty());
        let mut saved: Vec<_> = saved
            .map(|page| (page.path.as_str(), page.id.as_str()))
            .collect();
        saved.sort_unstable();
        assert_eq!(listed, saved);
        Ok(())
    }
}

fn lock(page: &mut Page, client: &Client) -> Result<(), ConnectionLost> {
    page.doubt = UncertainWrite::Lock;
    let reply = client
        .post(&format!("/api/pages/{}/lock", page.id))?
        .is(204);
    page.token = Some(reply.lock());
    page.doubt = UncertainWrite::None;
    Ok(())
}

fn autosave(
    page: &mut Page,
    client: &Client,
    seq: u64,
    text: String,
) -> Result<(), ConnectionLost> {
    // The latest text is the base.
    let base = Some(page.texts.len()).filter(|revision| *revision > 0);
    let body = json!({
        "path": page.path, "base_revision": base, "source": text, "seq": seq,
    });
    page.doubt = UncertainWrite::Autosave(text.clone());
    client
        .put_json(&format!("/api/journal/{}?tab=tab", page.id), &body)?
        .is(204);
    page.unsaved = Some(text);
    page.doubt = UncertainWrite::None;
    Ok(())
}

fn save(page: &mut Page, client: &Client, token: &str, text: String) -> Result<(), ConnectionLost> {
    page.doubt = UncertainWrite::Save(text.clone());
    let path = format!("/api/pages/{}/source?tab=tab", page.id);
    let saved = client.save(&path, token, &text)?.is(200).json();
    page.record_save(text);
    assert_eq!(saved["revision"], page.texts.len());
    Ok(())
}
