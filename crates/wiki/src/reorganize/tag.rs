//! Renames a tag over all pages, in one transaction, and undoes it.

use crate::catalogue::{is_tag_within, tag_key};
use crate::id::UserId;
use crate::latest_text::newest;
use crate::locks::{UnlockedPage, UnlockedPages};
use crate::markdown;
use crate::model::page::{MAX_SOURCE_BYTES, PageIndex, PagePathState, PageSource};
use crate::pages::{Revise, revise};
use crate::parts::Reorganize;
use crate::properties::{Properties, PropertyChange, PropertyKind, PropertyValue, edited};
use crate::reorganize::{MergedLinks, ReorganizeError};
use crate::repository::{all_saved, saved};
use crate::revisions::roll_back;
use crate::store::{Read, USER};

/// A tag to be renamed, with those below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagRename {
    pub from: String,
    /// Another tag, which may exist.
    pub to: String,
    pub user: UserId,
}

impl Reorganize<'_> {
    /// Renames a tag in all present pages. Each changed page gets a revision; returns these, which undoing requires.
    ///
    /// # Errors
    /// [`ReorganizeError`]; no page has changed then.
    pub fn rename_tag(&self, request: &TagRename) -> Result<Vec<MergedLinks>, ReorganizeError> {
        let to = request.to.trim().trim_start_matches('#');
        if !markdown::is_tag(to) {
            return Err(ReorganizeError::InvalidTag(request.to.clone()));
        }
        let from = tag_key(request.from.trim().trim_start_matches('#'));
        self.store.write(|txn| {
            let now = self.clock.now();
            let user = txn
                .get(USER, &request.user.to_bytes())?
                .ok_or(ReorganizeError::NoUser)?;
            let (mut pages, mut texts) = (Vec::new(), Vec::new());
            for info in all_saved(txn)? {
                if info.path_state.is_deleted() {
                    continue;
                }
                let PageSource { source, .. } = newest(txn, &info)?;
                let text = renamed(&source, &from, to);
                if text.len() > MAX_SOURCE_BYTES {
                    return Err(ReorganizeError::TooLarge(text.len()));
                }
                if text != source {
                    pages.push(PageIndex::Page(info));
                    texts.push(text);
                }
            }
            let unlocked = UnlockedPages::verify(txn, pages, None, self.lock_time.moment())?;
            let mut changed = Vec::new();
            for (info, text) in unlocked.pages.into_iter().zip(texts) {
                let page_id = info.page_id;
                let page = UnlockedPage { info };
                let revision = revise(txn, page, (&user, now), &text, Revise::Add)?.revision;
                changed.push(MergedLinks { page_id, revision });
            }
            Ok(changed)
        })
    }

    /// Returns the pages of a rename to their earlier texts. A page that was written since keeps its text.
    ///
    /// # Errors
    /// [`ReorganizeError`]; no page has changed then.
    pub fn undo_tag_rename(
        &self,
        pages: &[MergedLinks],
        user: UserId,
    ) -> Result<(), ReorganizeError> {
        self.store.write(|txn| {
            let now = self.clock.now();
            let user = txn
                .get(USER, &user.to_bytes())?
                .ok_or(ReorganizeError::NoUser)?;
            for MergedLinks { page_id, revision } in pages {
                let info = saved(txn, *page_id)?.filter(|info| info.latest == *revision);
                if let Some(info) = info
                    && matches!(info.path_state, PagePathState::Current(_))
                    && let Some(before) = revision.checked_sub(1)
                {
                    let page = UnlockedPage::verify(txn, info, None, self.lock_time.moment())?;
                    roll_back(txn, page, before, (&user, now))?;
                }
            }
            Ok(())
        })
    }
}

/// Returns a text with a tag, and those below it, renamed. Front matter in which that is impossible stays.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let rename = |tag: &str| -> Option<String> {
        // A key may be longer or shorter than its tag; levels are the same in both.
        let levels = from.matches('/').count() + 1;
        let is_within = is_tag_within(&tag_key(tag), from);
        let below = tag.splitn(levels + 1, '/').nth(levels);
        is_within.then(|| below.map_or_else(|| to.to_owned(), |below| format!("{to}/{below}")))
    };
    let mut changed = String::with_capacity(text.len());
    let mut at = 0;
    for tag in markdown::tags(text) {
        if let Some(name) = rename(&text[tag.clone()]) {
            changed.push_str(&text[at..tag.start]);
            changed.push_str(&name);
            at = tag.end;
        }
    }
    changed.push_str(&text[at..]);
    for property in Properties::read(text).items {
        if property.kind != PropertyKind::Tags {
            continue;
        }
        let mut keys = std::collections::BTreeSet::new();
        let names = property
            .values
            .iter()
            .map(|tag| rename(tag).unwrap_or_else(|| tag.clone()));
        let values: Vec<String> = names.filter(|tag| keys.insert(tag_key(tag))).collect();
        if property.values.iter().all(|tag| rename(tag).is_none()) {
            continue;
        }
        let kind = PropertyKind::Tags;
        let put = PropertyChange::Put(PropertyValue { kind, values });
        if let Ok(edited) = edited(&changed, &property.name, &put) {
            changed = edited;
        }
    }
    changed
}
