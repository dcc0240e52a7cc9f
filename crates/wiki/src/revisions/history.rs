//! The history of a page as a text to read (docs/spec/wiki.md, History and differences): its revisions by time,
//! and its renames.

use std::ops::ControlFlow;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::id::PageId;
use crate::links;
use crate::model::history::Deletion;
use crate::model::page::{PageInfo, RenameInfo, SourceHead};
use crate::pages::{PageError, saved_page};
use crate::parts::Revisions;
use crate::repository::path_state;
use crate::revisions::wording::Wording;
use crate::store::{DELETION, Direction, PAGE_SOURCE, Read, ReadTxn, StorageError};

/// The maximum number of revisions that are described at once.
const MAX_REVISIONS: usize = 1_000;
/// The total number of links in renames at which the list ends, to be continued by another request.
const MAX_LINKS: usize = 10_000;
/// The maximum number of links that are listed for one rename.
const MAX_LINKS_OF_RENAME: usize = 100;

impl Revisions<'_> {
    /// Returns the page's history in Markdown, starting with the latest revision, or with the one before
    /// `before`: a thousand revisions, or fewer if they had very many links. Links are shown as current paths.
    /// Deleted pages have a history too.
    ///
    /// # Errors
    /// Returns [`PageError::Draft`] while there are no revisions yet.
    pub fn history(
        &self,
        page_id: PageId,
        wording: Wording,
        before: Option<u64>,
    ) -> Result<String, PageError> {
        self.store.read(|txn| {
            let info = saved_page(txn, page_id, self.lock_time.moment())?;
            let mut history = HistoryText {
                wording,
                text: String::new(),
            };
            history.heading(&info, txn.get(DELETION, &page_id.to_bytes())?.as_ref());
            let heads = heads(txn, &info, before)?;
            for head in &heads {
                history.revision(txn, page_id, head)?;
            }
            let oldest = heads.last().map_or(info.gc_min, |head| head.revision);
            if oldest > info.gc_min {
                history.paragraph(&wording.older(info.gc_min, oldest - 1));
            } else if info.gc_min > 1 {
                history.paragraph(&wording.removed(info.gc_min - 1));
            }
            let base = info.path_state.path();
            Ok(links::display_text(
                txn,
                page_id,
                base,
                &history.text,
                false,
            )?)
        })
    }
}

/// Returns the metadata of the latest remaining revisions, or of those before `before`, newest first.
fn heads(
    txn: &ReadTxn,
    info: &PageInfo,
    before: Option<u64>,
) -> Result<Vec<SourceHead>, StorageError> {
    let id = info.page_id.to_bytes();
    let newest = before.map_or(info.latest, |before| {
        before.saturating_sub(1).min(info.latest)
    });
    let (mut heads, mut links) = (Vec::new(), 0);
    if newest < info.gc_min {
        return Ok(heads);
    }
    txn.scan::<_, SourceHead, (&[u8; 16], u64)>(
        PAGE_SOURCE.read_as(),
        (&id, info.gc_min)..=(&id, newest),
        Direction::Descending,
        |_, head| {
            links += head.rename.as_ref().map_or(0, |it| it.link_refs.len());
            heads.push(head);
            if heads.len() < MAX_REVISIONS && links < MAX_LINKS {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        },
    )?;
    Ok(heads)
}

/// The text that was written so far.
struct HistoryText {
    wording: Wording,
    text: String,
}

impl HistoryText {
    fn heading(&mut self, info: &PageInfo, deletion: Option<&Deletion>) {
        let path = escape(info.path_state.path().as_str());
        self.text = format!("# {}\n\n", self.wording.heading(&path));
        if let Some(deletion) = deletion {
            let (when, who) = (moment(deletion.deleted_at), escape(&deletion.user_name));
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
        let (when, who) = (moment(head.created_at), escape(&head.user_name));
        let link = format!("[{name}](page:{page_id}?rev={revision})");
        let line = self.wording.attribution(&link, &when, &who, head.amends);
        self.text += &format!("- {line}\n");
        if let Some(rename) = &head.rename {
            self.rename(txn, rename)?;
        }
        Ok(())
    }

    /// Describes a rename and its possible effects: the targets of the page's links just before.
    fn rename(&mut self, txn: &ReadTxn, rename: &RenameInfo) -> Result<(), StorageError> {
        let from = rename.from.as_ref().map(|path| escape(path.as_str()));
        let line = self
            .wording
            .renamed(from.as_deref(), &escape(rename.to.as_str()));
        self.text += &format!("  - {line}\n");
        if rename.link_refs.is_empty() {
            return Ok(());
        }
        self.text += &format!("  - {}\n", self.wording.links());
        for (path, page) in rename.link_refs.iter().take(MAX_LINKS_OF_RENAME) {
            let meant = match page {
                Some(id) => match path_state(txn, *id)? {
                    Some(state) => format!("[{}](page:{id})", escape(state.path().as_str())),
                    None => self.wording.erased_page().to_owned(),
                },
                None => self.wording.no_page().to_owned(),
            };
            self.text += &format!("    - {} → {meant}\n", escape(path));
        }
        let more = rename.link_refs.len().saturating_sub(MAX_LINKS_OF_RENAME);
        if more > 0 {
            self.text += &format!("    - {}\n", self.wording.more_links(more));
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

/// Escapes a name with any characters as plain text in Markdown.
fn escape(text: &str) -> String {
    let mut escape = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>()#|~&!^${}:".contains(c) {
            escape.push('\\');
        }
        escape.push(c);
    }
    escape
}
