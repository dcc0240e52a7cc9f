//! A page as its only writer knows it, compared with the server's state.

use crate::support::{Client, ConnectionLost};

/// An operation that the server may or may not have done when it was killed.
pub(super) enum UncertainWrite {
    None,
    Lock,
    Autosave(String),
    Save(String),
}

/// The acknowledged state of a page.
pub(super) struct Page {
    pub(super) id: String,
    pub(super) path: String,
    /// The texts of its revisions.
    pub(super) texts: Vec<String>,
    /// The token of its lock, while the writer holds it.
    pub(super) token: Option<String>,
    /// The autosave entry.
    pub(super) unsaved: Option<String>,
    pub(super) doubt: UncertainWrite,
    /// True if the lock was acquired but its token was lost.
    has_lost_token: bool,
}

impl Page {
    pub(super) fn new(id: String, path: String, token: String) -> Self {
        Self {
            id,
            path,
            texts: Vec::new(),
            token: Some(token),
            unsaved: None,
            doubt: UncertainWrite::None,
            has_lost_token: false,
        }
    }

    /// Returns true if the page can't be written at present.
    pub(super) fn is_inaccessible(&self) -> bool {
        self.has_lost_token
    }

    /// Records a save: with this tab it makes a revision, consumes the autosave entry and releases the lock.
    pub(super) fn record_save(&mut self, text: String) {
        self.texts.push(text);
        self.unsaved = None;
        self.token = None;
        self.doubt = UncertainWrite::None;
    }

    /// Compares with the server's state. An operation in doubt is done completely or not at all.
    pub(super) fn compare(&mut self, client: &Client) -> Result<(), ConnectionLost> {
        match std::mem::replace(&mut self.doubt, UncertainWrite::None) {
            UncertainWrite::None => {}
            UncertainWrite::Lock => self.has_lost_token = is_locked(client, &self.id)?,
            UncertainWrite::Autosave(text) => {
                let autosaved = autosaved_text(client, self)?;
                if autosaved.as_ref() == Some(&text) {
                    self.unsaved = autosaved;
                }
            }
            UncertainWrite::Save(text) => {
                if newest(client, &self.id)?.0 as usize == self.texts.len() + 1 {
                    self.record_save(text);
                }
            }
        }
        let (revision, text) = newest(client, &self.id)?;
        let last = self.texts.last();
        assert_eq!(revision as usize, self.texts.len(), "of {}", self.path);
        assert_eq!(last, text.as_ref(), "of {}", self.path);
        assert_eq!(
            self.unsaved,
            autosaved_text(client, self)?,
            "of {}",
            self.path
        );
        let locked = self.token.is_some() || self.has_lost_token;
        assert_eq!(is_locked(client, &self.id)?, locked, "of {}", self.path);
        Ok(())
    }

    /// Compares every revision.
    pub(super) fn compare_revisions(&self, client: &Client) -> Result<(), ConnectionLost> {
        for (at, text) in self.texts.iter().enumerate() {
            let revision = at + 1;
            let path = format!("/api/pages/{}/source?rev={revision}", self.id);
            let reply = client.get(&path)?.is(200);
            assert_eq!(&reply.body, text, "{} at {revision}", self.path);
        }
        let reply = client.get(&format!("/api/pages/{}/path", self.id))?;
        assert_eq!(reply.is(200).json()["path"], self.path.as_str());
        Ok(())
    }
}

/// Returns the latest revision and its text; none for a draft.
fn newest(client: &Client, id: &str) -> Result<(u64, Option<String>), ConnectionLost> {
    let meta = client.get(&format!("/api/pages/{id}/meta"))?.is(200).json();
    let scope = &meta["page_info"]["revision_scope"];
    let source = client.get(&format!("/api/pages/{id}/source"))?;
    if scope.is_null() {
        source.refused(404, "draft");
        return Ok((0, None));
    }
    assert_eq!(scope["oldest"], 1);
    Ok((scope["latest"].as_u64().unwrap(), Some(source.is(200).body)))
}

fn autosaved_text(client: &Client, page: &Page) -> Result<Option<String>, ConnectionLost> {
    let list = client.get(&format!("/api/journals?path={}", page.path))?;
    let list = list.is(200).json();
    let entries = list.as_array().unwrap();
    assert!(entries.len() <= 1, "{list}");
    let Some(entry) = entries.first() else {
        return Ok(None);
    };
    // A long text is not in the list.
    if entry["source"].is_null() {
        let id = entry["id"].as_str().unwrap();
        let whole = client.get(&format!("/api/journals/{id}"))?;
        let whole = whole.is(200).json();
        return Ok(Some(whole["source"].as_str().unwrap().to_owned()));
    }
    Ok(Some(entry["source"].as_str().unwrap().to_owned()))
}

fn is_locked(client: &Client, id: &str) -> Result<bool, ConnectionLost> {
    let status = client.get(&format!("/api/pages/{id}/lock"))?.is(200);
    Ok(status.json()["locked"].as_bool().unwrap())
}
