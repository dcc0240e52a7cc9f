//! Settling what was edited outside: a file is compared with its page, becomes a revision of it, or is given up.

use super::Mirror;
use super::conflicts::original_of;
use super::disk::Found;
use super::error::MirrorError;
use super::pass::Pass;
use crate::archive::HexDigest;
use crate::id::{PageId, UserId};
use crate::pages::{Precondition, SaveOutcome, SaveRequest, VersionTag};
use crate::path::PagePath;
use crate::revisions::{TextDiff, diff_texts};
use crate::store::{EntryRecord, RecordChange};

/// A text that was edited outside, compared with its page.
#[derive(Debug)]
pub struct OutsideText {
    pub page: PageId,
    pub path: PagePath,
    pub shown: ShownText,
    /// The difference from the page's text to that of the file.
    pub difference: TextDiff,
    /// The text of the file.
    pub text: String,
}

/// The version of a file that a user has seen, and decides about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownText {
    /// The SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// The version of the page with which it was compared.
    pub version: Option<VersionTag>,
}

/// A file that was edited outside.
struct OutsideEntry {
    /// Its record, or, for a conflict copy, that of the original.
    record: EntryRecord,
    is_copy: bool,
}

impl Mirror<'_> {
    /// Compares a file of the mirror with the text of its page.
    ///
    /// # Errors
    /// [`MirrorError`].
    pub fn compare(&self, entry: &str) -> Result<OutsideText, MirrorError> {
        let pass = self.begin(&|| false)?;
        let found = outside(&pass, entry)?;
        let page = found.record.page;
        let (text, sha256) = pass.read_text(entry)?;
        let missing = |_gone| MirrorError::NoSuchEntry(entry.to_owned());
        let pages = self.wiki.pages();
        let current = pages.source(page, None).map_err(missing)?;
        let path = pages.path(page).map_err(missing)?;
        Ok(OutsideText {
            page,
            path,
            shown: ShownText {
                sha256: sha256.to_string(),
                version: Some(current.version),
            },
            difference: diff_texts(&current.source, &text),
            text,
        })
    }

    /// Makes the text of a file a revision of its page. If `shown` is given, the file and the page must still be those. A
    /// conflict copy is then removed.
    ///
    /// # Errors
    /// [`MirrorError`]; nothing has changed then. A page that is being edited is refused.
    pub fn take_over(
        &self,
        entry: &str,
        shown: Option<&ShownText>,
        user: UserId,
    ) -> Result<(PageId, SaveOutcome), MirrorError> {
        let mut pass = self.begin(&|| false)?;
        let OutsideEntry { record, is_copy } = outside(&pass, entry)?;
        if !record.is_text {
            return Err(MirrorError::NotAText(entry.to_owned()));
        }
        let (source, sha256) = pass.read_text(entry)?;
        check_shown(entry, shown, sha256)?;
        let version = shown.and_then(|shown| shown.version);
        let saved = self.wiki.pages().save(SaveRequest {
            page_id: record.page,
            user,
            source,
            token: None,
            if_match: Some(version.map_or(Precondition::Any, |tag| Precondition::OneOf(vec![tag]))),
            amend: false,
            keep_lock: false,
            tab: None,
            read: None,
        })?;
        let page = record.page;
        give_up(&mut pass, entry, record, is_copy, sha256)?;
        Ok((page, saved))
    }

    /// Lets the mirror write its own contents over a file again. A conflict copy is removed, and a file whose page has
    /// moved or is gone as well. `sha256` is that of the file that the user has seen, if its contents were shown.
    ///
    /// # Errors
    /// [`MirrorError`]; nothing has changed then.
    pub fn write_again(&self, entry: &str, shown: Option<&ShownText>) -> Result<(), MirrorError> {
        let mut pass = self.begin(&|| false)?;
        let OutsideEntry { record, is_copy } = outside(&pass, entry)?;
        let sha256 = match pass.find(entry, None)? {
            Found::Contents(found, _) => found,
            Found::Nothing => return Err(MirrorError::NoSuchEntry(entry.to_owned())),
            Found::Other => return Err(MirrorError::NotAText(entry.to_owned())),
        };
        check_shown(entry, shown, sha256)?;
        give_up(&mut pass, entry, record, is_copy, sha256)
    }

    /// Leaves a file whose page has moved or is gone to others: the mirror forgets it.
    ///
    /// # Errors
    /// [`MirrorError`]; nothing has changed then.
    pub fn leave_file(&self, entry: &str) -> Result<(), MirrorError> {
        let pass = self.begin(&|| false)?;
        if pass.records.entry(entry)?.is_none() {
            return Err(MirrorError::NoSuchEntry(entry.to_owned()));
        }
        let remove = RecordChange::Remove(entry.to_owned());
        Ok(pass.records.change([remove])?)
    }
}

/// Returns the record of a file. Only files that a pass may report have one.
fn outside(pass: &Pass<'_>, entry: &str) -> Result<OutsideEntry, MirrorError> {
    if let Some(record) = pass.records.entry(entry)? {
        return Ok(OutsideEntry {
            record,
            is_copy: false,
        });
    }
    let is_hidden = entry.split('/').any(|part| part.starts_with('.'));
    let original = original_of(entry).filter(|_| !is_hidden);
    let record = match original {
        Some(original) => pass.records.entry(&original)?,
        None => None,
    };
    let missing = || MirrorError::NoSuchEntry(entry.to_owned());
    Ok(OutsideEntry {
        record: record.ok_or_else(missing)?,
        is_copy: true,
    })
}

fn check_shown(
    entry: &str,
    shown: Option<&ShownText>,
    found: HexDigest,
) -> Result<(), MirrorError> {
    match shown {
        Some(shown) if shown.sha256 != found.to_string() => {
            Err(MirrorError::Changed(entry.to_owned()))
        }
        Some(_) | None => Ok(()),
    }
}

/// Makes the contents `sha256` of a file the mirror's own, so that the next pass replaces or removes it unless it is
/// edited again. A conflict copy is removed at once.
fn give_up(
    pass: &mut Pass<'_>,
    entry: &str,
    record: EntryRecord,
    is_copy: bool,
    sha256: HexDigest,
) -> Result<(), MirrorError> {
    let record = EntryRecord {
        sha256: Some(sha256),
        next: None,
        stat: None,
        ..record
    };
    if is_copy {
        let other = pass.set_aside(vec![(entry.to_owned(), record)])?;
        return match other.is_empty() {
            true => Ok(()),
            false => Err(MirrorError::Changed(entry.to_owned())),
        };
    }
    let put = RecordChange::Put(entry.to_owned(), record);
    Ok(pass.records.change([put])?)
}
