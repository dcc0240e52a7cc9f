//! A page's past as a text to read (wiki.md §9): its revisions in time, and what the renames were.

use std::ops::ControlFlow;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::id::PageId;
use crate::links;
use crate::model::history::Deletion;
use crate::model::page::{PageIndex, PageInfo, RenameInfo, SourceHead};
use crate::pages::{PageError, saved_page};
use crate::revisions::wording::Wording;
use crate::store::{DELETION, Direction, PAGE_INDEX, PAGE_SOURCE, Read, ReadTxn, StorageError};
use crate::wiki::Wiki;

impl Wiki {
    /// The page's past in Markdown, the newest revision first. Links are shown as paths as they stand
    /// now. Of a deleted page too.
    ///
    /// # Errors
    /// [`PageError::Draft`] while there is nothing to tell yet.
    pub fn history(&self, page_id: PageId, wording: Wording) -> Result<String, PageError> {
        self.store.read(|txn| {
            let info = saved_page(txn, page_id, self.moment())?;
            let mut told = Told {
                wording,
                text: String::new(),
            };
            told.heading(&info, txn.get(DELETION, &page_id.to_bytes())?.as_ref());
            for head in heads(txn, &info)? {
                told.revision(txn, page_id, &head)?;
            }
            if info.gc_min > 1 {
                told.paragraph(&wording.removed(info.gc_min - 1));
            }
            let base = info.path_state.path();
            Ok(links::shown(txn, page_id, base, &told.text, false)?)
        })
    }
}

/// The revisions that are kept, the newest first, without their texts.
fn heads(txn: &ReadTxn, info: &PageInfo) -> Result<Vec<SourceHead>, StorageError> {
    let id = info.page_id.to_bytes();
    let mut heads = Vec::new();
    txn.scan::<_, SourceHead, (&[u8; 16], u64)>(
        PAGE_SOURCE.read_as(),
        (&id, info.gc_min)..=(&id, info.latest),
        Direction::Descending,
        |_, head| {
            heads.push(head);
            ControlFlow::Continue(())
        },
    )?;
    Ok(heads)
}

/// What has been told so far.
struct Told {
    wording: Wording,
    text: String,
}

impl Told {
    fn heading(&mut self, info: &PageInfo, deletion: Option<&Deletion>) {
        let path = escaped(info.path_state.path().as_str());
        self.text = format!("# {}\n\n", self.wording.heading(&path));
        if let Some(deletion) = deletion {
            let (when, who) = (moment(deletion.deleted_at), escaped(&deletion.user_name));
            self.paragraph(&self.wording.deleted(&when, &who));
            self.text.push('\n');
        }
    }

    fn revision(
        &mut self,
        txn: &ReadTxn,
        page_id: PageId,
        head: &SourceHead,
    ) -> Result<(), StorageError> {
        let revision = head.revision;
        let name = self.wording.revision(revision);
        let (when, who) = (moment(head.created_at), escaped(&head.user_name));
        let link = format!("[{name}](page:{page_id}?rev={revision})");
        let line = self.wording.by(&link, &when, &who, head.amends);
        self.text += &format!("- {line}\n");
        if let Some(rename) = &head.rename {
            self.rename(txn, rename)?;
        }
        Ok(())
    }

    /// A rename with what it may have changed: where the links of the page led just before.
    fn rename(&mut self, txn: &ReadTxn, rename: &RenameInfo) -> Result<(), StorageError> {
        let from = rename.from.as_ref().map(|path| escaped(path.as_str()));
        let line = self
            .wording
            .renamed(from.as_deref(), &escaped(rename.to.as_str()));
        self.text += &format!("  - {line}\n");
        if rename.link_refs.is_empty() {
            return Ok(());
        }
        self.text += &format!("  - {}\n", self.wording.links());
        for (path, page) in &rename.link_refs {
            let meant = match page {
                Some(id) => match txn.get(PAGE_INDEX, &id.to_bytes())? {
                    Some(PageIndex::Page(info)) => {
                        let now = escaped(info.path_state.path().as_str());
                        format!("[{now}](page:{id})")
                    }
                    Some(PageIndex::Draft(_)) | None => self.wording.gone().to_owned(),
                },
                None => self.wording.no_page().to_owned(),
            };
            self.text += &format!("    - {} → {meant}\n", escaped(path));
        }
        Ok(())
    }

    fn paragraph(&mut self, text: &str) {
        if !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
        self.text.push_str(text);
        self.text.push('\n');
    }
}

fn moment(moment: Timestamp) -> String {
    let moment = moment.to_zoned(TimeZone::UTC);
    moment.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// A name as plain text in Markdown, whatever it holds.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>()#|~&!^${}:".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
