//! Texts of a source whose pages were changed here as well. Each is a file of its import's report until a user takes
//! it over as a revision of the page, or keeps the page as it is.

use std::collections::{HashMap, HashSet};
use std::io::Read as _;
use std::ops::ControlFlow;

use jiff::Timestamp;

use super::item_key;
use crate::archive::HexDigest;
use crate::assets::{asset_if_present, take_back};
use crate::id::{AssetId, PageId, UserId};
use crate::latest_text::newest;
use crate::locks::{GateError, UnlockedPage};
use crate::migration::MigrationError;
use crate::model::asset::AssetState;
use crate::model::migration::{MigratedItem, MigrationRecord};
use crate::model::page::{MAX_SOURCE_BYTES, SourceHead};
use crate::pages::{Revise, VersionTag, revise};
use crate::parts::Migrations;
use crate::path::PagePath;
use crate::repository::saved;
use crate::revisions::{TextDiff, diff_texts};
use crate::store::{
    Direction, MIGRATED_ITEM, MIGRATION, Read, ReadSets, StorageError, USER, WriteTxn,
};
use crate::wiki::Wiki;

/// Starts the origin of an offered text in the record of an import. The hash of the text before its links were mended,
/// and the origin of its note follow.
const MARK: &str = "\u{1}offered:";

/// A text of a source that waits for a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedText {
    /// The file with the text.
    pub id: AssetId,
    pub page: PageId,
    /// The path of the page.
    pub path: PagePath,
    /// The path of the source.
    pub source: String,
    /// The id of the note in its source.
    pub origin: String,
    /// The time of the import.
    pub offered_at: Timestamp,
    /// The hash of the text before its links were mended.
    pub(super) sha256: [u8; 32],
}

/// An offered text, compared with its page.
#[derive(Debug)]
pub struct OfferedDifference {
    pub offer: OfferedText,
    /// The version of the page with which it was compared.
    pub version: VersionTag,
    /// The difference from the page's text to the offered one.
    pub difference: TextDiff,
    pub text: String,
}

/// A text that became a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenOffer {
    pub page: PageId,
    /// The path of the page.
    pub path: PagePath,
    pub revision: u64,
}

/// Returns the origin of an offered text in the record of an import.
pub(super) fn file_origin(origin: &str, sha256: [u8; 32]) -> String {
    format!("{MARK}{}:{origin}", HexDigest(sha256))
}

fn parse(file_origin: &str) -> Option<([u8; 32], &str)> {
    let (digest, origin) = file_origin.strip_prefix(MARK)?.split_once(':')?;
    Some((HexDigest::parse(digest)?.0, origin))
}

/// Returns the texts that wait for a decision, those of the latest import first.
fn offers(txn: &(impl Read + ReadSets)) -> Result<Vec<OfferedText>, StorageError> {
    let mut records = Vec::new();
    txn.scan::<_, MigrationRecord, &[u8; 16]>(
        MIGRATION,
        ..,
        Direction::Descending,
        |_, record| {
            let offered = record
                .files
                .into_iter()
                .filter(|file| parse(&file.origin).is_some());
            let offered: Vec<_> = offered.map(|file| (file.id, file.origin)).collect();
            if !record.head.undone && !offered.is_empty() {
                records.push((record.head, offered));
            }
            ControlFlow::Continue(())
        },
    )?;
    let mut found = Vec::new();
    for (head, offered) in records {
        for (id, file_origin) in offered {
            let Some((sha256, origin)) = parse(&file_origin) else {
                continue;
            };
            let file = asset_if_present(txn, id)?;
            if file.is_none_or(|file| file.state != AssetState::Live) {
                continue;
            }
            let item = txn.get(MIGRATED_ITEM, &item_key(&head.source, origin))?;
            let Some(MigratedItem::Page { page_id, .. }) = item else {
                continue;
            };
            let Some(info) = saved(txn, page_id)?.filter(|info| !info.path_state.is_deleted())
            else {
                continue;
            };
            found.push(OfferedText {
                id,
                page: page_id,
                path: info.path_state.path().clone(),
                source: head.source.clone(),
                origin: origin.to_owned(),
                offered_at: head.created_at,
                sha256,
            });
        }
    }
    Ok(found)
}

/// Returns the hashes of the texts of a source that wait for a decision, by the origins of their notes.
pub(super) fn offered_of(
    txn: &(impl Read + ReadSets),
    source: &str,
) -> Result<HashMap<String, [u8; 32]>, StorageError> {
    let offers = offers(txn)?.into_iter();
    let own = offers.filter(|offer| offer.source == source);
    Ok(own.map(|offer| (offer.origin, offer.sha256)).collect())
}

/// Deletes the offered texts of a note: a newer one takes their place.
pub(super) fn withdraw(
    txn: &WriteTxn,
    source: &str,
    origin: &str,
    now: Timestamp,
) -> Result<(), StorageError> {
    for offer in offers(txn)? {
        if offer.source == source && offer.origin == origin {
            take_back(txn, offer.id, None, now, &HashSet::new())?;
        }
    }
    Ok(())
}

fn offer(txn: &(impl Read + ReadSets), id: AssetId) -> Result<OfferedText, MigrationError> {
    let found = offers(txn)?.into_iter().find(|offer| offer.id == id);
    found.ok_or(MigrationError::NoSuchText)
}

/// Removes an offered text, and records that the source has it: a later import offers only what is changed after it.
fn settle(
    txn: &WriteTxn,
    offer: &OfferedText,
    revision: Option<u64>,
    now: Timestamp,
) -> Result<(), StorageError> {
    let key = item_key(&offer.source, &offer.origin);
    if let Some(MigratedItem::Page {
        page_id,
        revision: earlier,
        ..
    }) = txn.get(MIGRATED_ITEM, &key)?
    {
        let item = MigratedItem::Page {
            page_id,
            sha256: offer.sha256,
            revision: revision.unwrap_or(earlier),
        };
        txn.put(MIGRATED_ITEM, &key, &item)?;
    }
    take_back(txn, offer.id, None, now, &HashSet::new())?;
    Ok(())
}

impl Migrations<'_> {
    /// Returns the texts of sources whose pages were changed here as well, and that wait for a decision.
    ///
    /// # Errors
    /// If the database fails.
    pub fn offered(&self) -> Result<Vec<OfferedText>, StorageError> {
        self.store.read(offers)
    }

    /// Makes an offered text a revision of its page. If `version` is given, the page must still have it.
    ///
    /// # Errors
    /// [`MigrationError`]; nothing has changed then.
    pub fn take_offered(
        &self,
        id: AssetId,
        version: Option<VersionTag>,
        user: UserId,
    ) -> Result<TakenOffer, MigrationError> {
        let (_, text) = self.offered_text(id)?;
        self.store.write(|txn| {
            let now = self.clock.now();
            let user = txn.get(USER, &user.to_bytes())?;
            let user = user.ok_or(MigrationError::NoUser)?;
            let offer = offer(txn, id)?;
            let info = saved(txn, offer.page)?.ok_or(MigrationError::NoSuchText)?;
            let head: SourceHead = newest(txn, &info)?;
            let present = VersionTag {
                revision: head.revision,
                amends: head.amends,
            };
            if version.is_some_and(|version| version != present) {
                return Err(MigrationError::PageChanged);
            }
            let moment = self.lock_time.moment();
            let page = match UnlockedPage::verify(txn, info, None, moment) {
                Ok(page) => page,
                Err(GateError::Storage(error)) => return Err(error.into()),
                Err(GateError::Required { .. } | GateError::Invalid) => {
                    return Err(MigrationError::Locked);
                }
            };
            let revision = revise(txn, page, (&user, now), &text, Revise::Add)?.revision;
            settle(txn, &offer, Some(revision), now)?;
            Ok(TakenOffer {
                page: offer.page,
                path: offer.path,
                revision,
            })
        })
    }

    /// Keeps the page of an offered text as it is. The text is deleted.
    ///
    /// # Errors
    /// [`MigrationError::NoSuchText`].
    pub fn keep_own(&self, id: AssetId) -> Result<(), MigrationError> {
        self.store.write(|txn| {
            let offer = offer(txn, id)?;
            Ok(settle(txn, &offer, None, self.clock.now())?)
        })
    }

    fn offered_text(&self, id: AssetId) -> Result<(OfferedText, String), MigrationError> {
        let offer = self.store.read(|txn| offer(txn, id))?;
        let mut text = String::new();
        let limit = MAX_SOURCE_BYTES as u64 + 1;
        let file = self.files.open(id)?;
        file.take(limit).read_to_string(&mut text)?;
        Ok((offer, text))
    }
}

impl Wiki {
    /// Compares an offered text with the text of its page.
    ///
    /// # Errors
    /// [`MigrationError::NoSuchText`].
    pub fn compare_offered(&self, id: AssetId) -> Result<OfferedDifference, MigrationError> {
        let (offer, text) = self.migrations().offered_text(id)?;
        let missing = |_gone| MigrationError::NoSuchText;
        let current = self.pages().source(offer.page, None).map_err(missing)?;
        Ok(OfferedDifference {
            version: current.version,
            difference: diff_texts(&current.source, &text),
            offer,
            text,
        })
    }
}
