//! Rebuilds the rows that are derived from others, and removes those that mean nothing without them. A table whose
//! source can't be read completely stays as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use jiff::SignedDuration;

use crate::id::{PageId, UserId};
use crate::links;
use crate::model::asset::{AssetInfo, AssetState};
use crate::model::change::Change;
use crate::model::link::{LinkTarget, PageLinks};
use crate::model::lock::LockInfo;
use crate::model::page::{PageIndex, PageInfo, PageSource, SourceHead};
use crate::pages;
use crate::path::PagePath;
use crate::repository::{PageRecord, rebuild_indexes};
use crate::store::{
    ASSET, ASSET_NAME, ASSET_PAGE, AUTOSAVE, AUTOSAVE_KEY, AUTOSAVE_TOMBSTONE, Direction,
    FORMER_PATHS, Key, LOCK, PAGE_ASSETS, PAGE_INDEX, PAGE_LINKS, PAGE_SOURCE, PAGE_TITLE, Read,
    ReadSets, Record, SESSION, StorageError, Table, USER, USER_NAME, WriteTxn,
};

/// The longest lifetime of a lock that can be configured.
const MAX_LIFETIME: SignedDuration = SignedDuration::from_hours(24);

type Id = [u8; 16];
type Pages = BTreeMap<Id, PageIndex>;

/// The rows of a table that can be read.
struct ReadableRows<K, V> {
    rows: BTreeMap<K, V>,
    /// True if these are all rows.
    are_all: bool,
}

impl<K: Ord, V: Record> ReadableRows<K, V> {
    fn of<T: Key>(
        txn: &WriteTxn,
        table: Table<T, V>,
        key: impl Fn(T::SelfType<'_>) -> K,
    ) -> Result<Self, StorageError> {
        let (mut rows, mut are_all, mut failure) = (BTreeMap::new(), true, None);
        txn.try_scan(table, |row| {
            match row {
                Ok((at, value)) => drop(rows.insert(key(at), value)),
                Err(error) if error.damage().is_some() => are_all = false,
                Err(error) => {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        })?;
        match failure {
            Some(error) => Err(error),
            None => Ok(Self { rows, are_all }),
        }
    }
}

/// Rebuilds everything that can be rebuilt.
pub(super) fn repair(txn: &WriteTxn) -> Result<(), StorageError> {
    let users = ReadableRows::of(txn, USER, |id| *id)?;
    if users.are_all {
        txn.clear(USER_NAME)?;
        for (id, user) in &users.rows {
            if txn.get(USER_NAME, user.name.as_str())?.is_none() {
                txn.put(USER_NAME, user.name.as_str(), id)?;
            }
        }
    }
    let users: BTreeSet<Id> = users.rows.into_keys().collect();
    let index = ReadableRows::of(txn, PAGE_INDEX, |id| *id)?;
    if index.are_all {
        let mut pages = index.rows;
        locks(txn, &mut pages, &users)?;
        path_revisions(txn, &mut pages)?;
        texts(txn, &pages)?;
        indexes(txn, &pages)?;
        for id in pages.keys() {
            txn.record_text(*id);
        }
    }
    files(txn)?;
    unsaved(txn, &users)?;
    let sessions = ReadableRows::of(txn, SESSION, |key| *key)?;
    if !sessions.are_all {
        txn.clear(SESSION)?;
        for (key, session) in &sessions.rows {
            txn.put(SESSION, key, session)?;
        }
    }
    txn.report(Change::Unknown);
    Ok(())
}

/// Removes the locks of pages that are not locked, and unlocks pages whose lock is gone. A draft gets its lock back: it
/// is removed when that expires.
fn locks(txn: &WriteTxn, pages: &mut Pages, users: &BTreeSet<Id>) -> Result<(), StorageError> {
    let locks: ReadableRows<Id, LockInfo> = ReadableRows::of(txn, LOCK, |token| *token)?;
    let user = users.first().copied().map(UserId::from_bytes);
    txn.clear(LOCK)?;
    for (id, page) in pages {
        let (token, is_deleted) = match page {
            PageIndex::Page(PageInfo {
                lock_token: None, ..
            }) => continue,
            PageIndex::Page(info) => (info.lock_token, info.path_state.is_deleted()),
            PageIndex::Draft(draft) => (Some(draft.lock_token), false),
        };
        let lock = token.and_then(|token| locks.rows.get(&token.to_bytes()));
        let lock = lock.filter(|lock| {
            Some(lock.token) == token
                && lock.page.to_bytes() == *id
                && users.contains(&lock.user.to_bytes())
                && (SignedDuration::ZERO..=MAX_LIFETIME)
                    .contains(&lock.expire.duration_since(lock.token.timestamp()))
                && !is_deleted
        });
        match (lock, page) {
            (Some(lock), _) => txn.put(LOCK, &lock.token.to_bytes(), lock)?,
            (None, PageIndex::Page(info)) => {
                info.lock_token = None;
                let unlocked = PageIndex::Page(info.clone());
                txn.put(PAGE_INDEX, id, &unlocked)?;
            }
            (None, PageIndex::Draft(draft)) => {
                let token = draft.lock_token;
                let Some(user) = user else { continue };
                let lock = LockInfo {
                    token,
                    page: PageId::from_bytes(*id),
                    user,
                    expire: token.timestamp() + crate::WikiConfig::LOCK_TTL,
                };
                txn.put(LOCK, &token.to_bytes(), &lock)?;
            }
        }
    }
    Ok(())
}

/// Makes the pages list the revisions that set their paths.
fn path_revisions(txn: &WriteTxn, pages: &mut Pages) -> Result<(), StorageError> {
    let heads: ReadableRows<(Id, u64), SourceHead> =
        ReadableRows::of(txn, PAGE_SOURCE.read_as(), |(page, revision)| {
            (*page, revision)
        })?;
    if !heads.are_all {
        return Ok(());
    }
    for (id, page) in pages {
        let PageIndex::Page(info) = page else {
            continue;
        };
        let own = heads.rows.range((*id, info.gc_min)..=(*id, info.latest));
        let renamed = own.filter(|(_, head)| head.rename.is_some());
        let renamed: Vec<u64> = renamed.map(|((_, revision), _)| *revision).collect();
        if renamed != info.rename_revisions {
            info.rename_revisions = renamed;
            txn.put(PAGE_INDEX, id, &PageIndex::Page(info.clone()))?;
        }
    }
    Ok(())
}

/// Derives titles and links from the newest texts. The pages to which links by path lead stay, where they are recorded.
fn texts(txn: &WriteTxn, pages: &Pages) -> Result<(), StorageError> {
    let titles = ReadableRows::of(txn, PAGE_TITLE, |id| *id)?.rows;
    let links = ReadableRows::of(txn, PAGE_LINKS, |id| *id)?.rows;
    let at_path = |(id, page): (&Id, &PageIndex)| {
        let path = page.present_path()?.clone();
        Some((path, PageId::from_bytes(*id)))
    };
    let present: BTreeMap<PagePath, PageId> = pages.iter().filter_map(at_path).collect();
    txn.clear(PAGE_TITLE)?;
    txn.clear(PAGE_LINKS)?;
    for (id, page) in pages {
        let PageIndex::Page(info) = page else {
            continue;
        };
        let newest = match txn.try_get(PAGE_SOURCE, (id, info.latest)) {
            Ok(newest) => newest,
            Err(error) => error.damage().map(|_| None).ok_or(error)?,
        };
        let Some(PageSource { source, .. }) = newest else {
            // What was derived from a lost text is all that is left of it.
            if let Some(title) = titles.get(id) {
                txn.put(PAGE_TITLE, id, title)?;
            }
            if let Some(links) = links.get(id) {
                txn.put(PAGE_LINKS, id, links)?;
            }
            continue;
        };
        if let Some(title) = pages::title_row(&source) {
            txn.put(PAGE_TITLE, id, &title)?;
        }
        let targets = links::targets_in(info.path_state.path(), &source);
        let links = with_bindings(targets, links.get(id), &present);
        txn.put(PAGE_LINKS, id, &links)?;
    }
    Ok(())
}

/// Returns the targets of a text, in the recorded order if they are the recorded ones.
fn with_bindings(
    targets: BTreeSet<LinkTarget>,
    recorded: Option<&PageLinks>,
    present: &BTreeMap<PagePath, PageId>,
) -> PageLinks {
    let recorded = recorded.map(|links| links.targets.as_slice());
    let recorded = recorded.unwrap_or_default();
    let bound_of = |path: &PagePath| {
        let found = recorded.iter().find_map(|target| match target {
            LinkTarget::Path { path: at, bound } if at == path => *bound,
            LinkTarget::Path { .. } | LinkTarget::Page(_) => None,
        });
        found.or_else(|| present.get(path).copied())
    };
    let bound = |target: LinkTarget| match target {
        LinkTarget::Page(_) => target,
        LinkTarget::Path { path, .. } => LinkTarget::Path {
            bound: bound_of(&path),
            path,
        },
    };
    let derived: BTreeSet<LinkTarget> = targets.into_iter().map(bound).collect();
    let is_recorded =
        recorded.len() == derived.len() && recorded.iter().all(|target| derived.contains(target));
    PageLinks {
        targets: match is_recorded {
            true => recorded.to_vec(),
            false => derived.into_iter().collect(),
        },
    }
}

/// Rebuilds the indexes of pages.
fn indexes(txn: &WriteTxn, pages: &Pages) -> Result<(), StorageError> {
    let links = ReadableRows::of(txn, PAGE_LINKS, |id| *id)?;
    let former = ReadableRows::of(txn, FORMER_PATHS, |id| *id)?;
    if !links.are_all || !former.are_all {
        return Ok(());
    }
    let mut records: BTreeMap<Id, PageRecord> = BTreeMap::new();
    for (id, page) in pages {
        records.entry(*id).or_default().index = Some(page.clone());
    }
    for (id, links) in links.rows {
        records.entry(id).or_default().links = Some(links);
    }
    for (id, former) in former.rows {
        records.entry(id).or_default().former_paths = Some(former);
    }
    rebuild_indexes(txn, &records)
}

/// Rebuilds the indexes of files. The page of a file is in two tables: either one is enough.
fn files(txn: &WriteTxn) -> Result<(), StorageError> {
    let files: ReadableRows<Id, AssetInfo> = ReadableRows::of(txn, ASSET, |id| *id)?;
    if !files.are_all {
        return Ok(());
    }
    let mut owners = ReadableRows::of(txn, ASSET_PAGE, |id| *id)?.rows;
    let listed = txn.scan_ids_in::<_, &Id>(PAGE_ASSETS, .., Direction::Ascending, |page, ids| {
        for id in ids {
            owners.entry(id).or_insert(*page);
        }
        ControlFlow::Continue(())
    });
    if let Err(error) = listed {
        error.damage().ok_or(error)?;
    }
    txn.clear(ASSET_PAGE)?;
    txn.clear(ASSET_NAME)?;
    txn.clear_sets(PAGE_ASSETS)?;
    for (id, info) in &files.rows {
        let Some(page) = owners.get(id) else {
            continue;
        };
        if matches!(info.state, AssetState::Orphaned { .. }) {
            continue;
        }
        txn.put(ASSET_PAGE, id, page)?;
        txn.insert_id(PAGE_ASSETS, page, id)?;
        let key = (page, info.file_name.as_str());
        if info.state == AssetState::Live && txn.get(ASSET_NAME, key)?.is_none() {
            txn.put(ASSET_NAME, key, id)?;
        }
    }
    Ok(())
}

/// Rebuilds the index of unsaved texts, and removes tombstones that can't be read or have no owner.
fn unsaved(txn: &WriteTxn, users: &BTreeSet<Id>) -> Result<(), StorageError> {
    let heads = ReadableRows::of(txn, AUTOSAVE, |id| *id)?;
    if heads.are_all {
        txn.clear(AUTOSAVE_KEY)?;
        for (id, head) in &heads.rows {
            let (page, user) = (head.page_id.to_bytes(), head.user.to_bytes());
            txn.put(AUTOSAVE_KEY, (&page, &user, head.tab.as_str()), id)?;
        }
    }
    let ends = ReadableRows::of(txn, AUTOSAVE_TOMBSTONE, |(page, user, tab)| {
        (*page, *user, tab.to_owned())
    })?;
    txn.clear(AUTOSAVE_TOMBSTONE)?;
    for ((page, user, tab), end) in &ends.rows {
        if users.contains(user) {
            txn.put(AUTOSAVE_TOMBSTONE, (page, user, tab.as_str()), end)?;
        }
    }
    Ok(())
}
