//! Import of a full archive into an empty wiki: everything in it is checked in a temporary database, and put in place
//! in one transaction.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use fumikura_base::own_file;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::manifest::{
    FULL_MANIFEST, FULL_VERSION, FullManifest, TableEntry, TableName, contents_entry,
};
use super::rows::{
    FileRow, HexDigest, ImportRow, ImportedItemRow, PageRow, RevisionRow, SettingRow, UnsavedRow,
    UserRow,
};
use crate::archive::bounds::{check_free_space, max_unpacked};
use crate::archive::error::{EntryFault, ImportError, InvalidArchive};
use crate::archive::plan::is_untouched;
use crate::archive::reader::Archive;
use crate::assets::{IncomingFile, ReceivedFile, digest, unlink_without_row};
use crate::check::{CheckError, check_rows};
use crate::id::{AssetId, PageId};
use crate::model::asset::AssetState;
use crate::model::change::Change;
use crate::model::page::{MAX_SOURCE_BYTES, PageIndex};
use crate::pages;
use crate::parts::Archives;
use crate::repository;
use crate::store::{
    ASSET, ASSET_NAME, ASSET_PAGE, AUTOSAVE, AUTOSAVE_KEY, AUTOSAVE_TEXT, DELETION, Direction,
    FORMER_PATHS, MIGRATED_ITEM, MIGRATION, PAGE_ASSETS, PAGE_INDEX, PAGE_SOURCE, PAGE_TITLE,
    PendingFilesGuard, Read, SETTINGS, StorageError, Store, USER, USER_NAME, WriteTxn,
    replace_rows,
};

/// The maximum length of a row in bytes: a text whose characters are all escaped, or an import of half a million pages.
const MAX_LINE: usize = 128 << 20;
/// The number of faults that an error names.
const MAX_FAULTS: usize = 3;

/// The contents of an imported full archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreReport {
    pub users: u64,
    /// The number of pages, including those in the trash.
    pub pages: u64,
    pub revisions: u64,
    /// The number of files of pages.
    pub assets: u64,
    /// The files whose contents were lost before the export.
    pub missing: Vec<AssetId>,
    /// The albums of pictures, which the wiki does not bring back.
    pub albums: Vec<serde_json::Value>,
}

/// A checked full archive, ready to be put in place. Dropping it leaves nothing behind.
pub struct RestorePlan {
    /// The rows.
    staged: Store,
    files: Vec<(AssetId, ReceivedFile)>,
    report: RestoreReport,
}

impl RestorePlan {
    /// Returns the albums of pictures, which the wiki does not bring back.
    #[must_use]
    pub fn albums(&self) -> &[serde_json::Value] {
        &self.report.albums
    }
}

/// True if an archive is a full one, which only an empty wiki takes.
///
/// # Errors
/// Returns the error of reading it.
pub fn is_full_archive(archive: &File) -> Result<bool, ImportError> {
    let archive = Archive::open(archive.try_clone()?, 0)?;
    Ok(archive.has(FULL_MANIFEST))
}

impl Archives<'_> {
    /// Checks a whole full archive, of which at most `limit` bytes are unpacked, and trusts nothing in it: its rows are
    /// written to an unnamed database in the folder `aside` and checked there, and its files are unpacked to temporary
    /// files in the asset folder. Reports the number of checked bytes and the total to `watch`, and stops when it
    /// breaks.
    ///
    /// # Errors
    /// Returns, as far as it can be known now, the error that the import itself would return.
    pub fn plan_restore(
        &self,
        archive: File,
        limit: u64,
        aside: &Path,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<RestorePlan, ImportError> {
        self.store.read(check_empty)?;
        let unpacked = limit.min(max_unpacked(archive.metadata()?.len()));
        let mut archive = Archive::open(archive, unpacked)?;
        let manifest = read_manifest(&mut archive)?;
        let tables = Tables::of(&manifest)?;
        let mut reader = TableReader {
            archive,
            done: 0,
            total: tables.0.iter().map(|table| table.bytes).sum(),
            watch,
        };
        let missing: BTreeSet<HexDigest> = manifest.missing.iter().copied().collect();
        let mut files = Vec::new();
        reader.read(tables.get(TableName::Files), &mut |row: FileRow| {
            files.push(row);
            Ok(())
        })?;
        check_entries(&reader.archive, &files, &missing)?;
        self.check_sizes(&files, limit, &mut reader)?;
        let files = self.unpack(&mut reader, files, &missing)?;

        let staged = Store::temporary(aside)?;
        staged.write(|txn| stage(txn, &mut reader, &tables, &files))?;
        let checked = staged.read(|txn| check_rows(txn, self.lock_time.lifetime()));
        let checked = checked.map_err(|error| match error {
            CheckError::Storage(error) => error.into(),
            CheckError::Cancelled => ImportError::Cancelled,
        })?;
        if !checked.faults.is_empty() {
            let faults = checked.faults.iter().take(MAX_FAULTS);
            let faults: Vec<String> = faults.map(ToString::to_string).collect();
            return Err(InvalidArchive::Contradictory(faults.join("; ")).into());
        }
        let mut report = RestoreReport {
            users: tables.get(TableName::Users).rows,
            pages: checked.pages,
            revisions: checked.revisions,
            assets: files.len() as u64,
            missing: Vec::new(),
            albums: manifest.albums,
        };
        let mut received = Vec::with_capacity(files.len());
        for UnpackedFile { row, contents } in files {
            match contents {
                Some(contents) => received.push((row.id, contents)),
                None => report.missing.push(row.id),
            }
        }
        Ok(RestorePlan {
            staged,
            files: received,
            report,
        })
    }

    /// Puts a full archive in place: all of it, or nothing. Browsers stay signed in. The files are moved to their
    /// places before the rows are written: a crash between the two leaves files without rows.
    ///
    /// # Errors
    /// Returns [`ImportError`], also if something was written since the plan was made.
    pub fn apply_restore(&self, plan: RestorePlan) -> Result<RestoreReport, ImportError> {
        let RestorePlan {
            staged,
            files,
            report,
        } = plan;
        let mut placed = Vec::new();
        let done = self.place_restored(files, &mut placed).and_then(|()| {
            self.store.write(|txn| {
                check_empty(txn)?;
                staged.read(|from| {
                    record_pages(txn, txn)?;
                    record_pages(from, txn)?;
                    replace_rows(from, txn)
                })?;
                txn.report(Change::Unknown);
                Ok(())
            })
        });
        if done.is_err() {
            for (id, _pending) in &placed {
                unlink_without_row(self.store, self.files, *id);
            }
        }
        done.map(|()| report)
    }

    fn check_sizes(
        &self,
        files: &[FileRow],
        limit: u64,
        reader: &mut TableReader<'_>,
    ) -> Result<(), ImportError> {
        if let Some(file) = files.iter().find(|file| file.size > self.limit) {
            return Err(ImportError::FileTooLarge {
                entry: contents_entry(file.sha256),
                limit: self.limit,
            });
        }
        let sizes = files.iter().map(|file| file.size);
        let unpacked = sizes.fold(0, u64::saturating_add);
        if unpacked > limit {
            return Err(ImportError::TooMuch(limit));
        }
        // The rows are written twice: to the temporary database, and to that of the wiki.
        let rows = reader.total.saturating_mul(2);
        let free = self.files.free_space()?;
        check_free_space(unpacked.saturating_add(rows), free)?;
        reader.total = reader.total.saturating_add(unpacked);
        reader.advance(0)
    }

    /// Unpacks the contents of the files: each to a file of its own, also where the archive has them once.
    fn unpack(
        &self,
        reader: &mut TableReader<'_>,
        rows: Vec<FileRow>,
        missing: &BTreeSet<HexDigest>,
    ) -> Result<Vec<UnpackedFile>, ImportError> {
        let mut unpacked: Vec<UnpackedFile> = Vec::with_capacity(rows.len());
        let mut first: HashMap<[u8; 32], usize> = HashMap::new();
        for row in rows {
            if missing.contains(&row.sha256) {
                unpacked.push(UnpackedFile {
                    row,
                    contents: None,
                });
                continue;
            }
            let mut incoming = IncomingFile::begin(self.files)?;
            let twin = first.get(&row.sha256.0).and_then(|at| unpacked.get(*at));
            if let Some(twin) = twin.and_then(|twin| twin.contents.as_ref()) {
                let mut contents = own_file::open_users(&twin.path)?;
                incoming.copy_from(&mut contents)?;
                reader.advance(row.size)?;
            } else {
                let entry = contents_entry(row.sha256);
                let (size, too_long) = (row.size, || EntryFault::Size(row.size));
                let mut read = 0;
                let TableReader { archive, .. } = &mut *reader;
                archive.unpack(&entry, size, too_long, &mut |bytes| {
                    read += bytes.len() as u64;
                    Ok(incoming.write(bytes)?)
                })?;
                reader.advance(read)?;
                first.insert(row.sha256.0, unpacked.len());
            }
            let entry = contents_entry(row.sha256);
            let contents = incoming.finish()?;
            if contents.size != row.size {
                return Err(EntryFault::Size(row.size).of(&entry).into());
            }
            if contents.sha256 != row.sha256.0 {
                return Err(EntryFault::Hash.of(&entry).into());
            }
            unpacked.push(UnpackedFile {
                row,
                contents: Some(contents),
            });
        }
        Ok(unpacked)
    }

    /// Moves every file to its place. One that is there already, left by an interrupted import, stays.
    fn place_restored(
        &self,
        files: Vec<(AssetId, ReceivedFile)>,
        placed: &mut Vec<(AssetId, PendingFilesGuard)>,
    ) -> Result<(), ImportError> {
        for (id, contents) in files {
            let pending = self.store.pending_files.add(vec![id.to_bytes()]);
            match self.files.keep_new(contents.path, id)? {
                Ok(()) => placed.push((id, pending)),
                Err(_unneeded) => {
                    if digest(&mut self.files.open(id)?)?.1 != contents.sha256 {
                        return Err(ImportError::NotEmpty("other contents of its files"));
                    }
                }
            }
        }
        Ok(())
    }
}

/// A file of a page, and its contents, if the archive has them.
struct UnpackedFile {
    row: FileRow,
    contents: Option<ReceivedFile>,
}

/// Returns an error unless the wiki is as the registration of its first users left it.
fn check_empty(txn: &impl Read) -> Result<(), ImportError> {
    let mut indexes = Vec::new();
    txn.scan::<_, PageIndex, &[u8; 16]>(PAGE_INDEX, .., Direction::Ascending, |_, index| {
        indexes.push(index);
        match indexes.len() {
            1 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    })?;
    match indexes.as_slice() {
        [] => {}
        [PageIndex::Page(info)] if info.lock_token.is_some() => {
            return Err(ImportError::NotEmpty("a page that is being edited"));
        }
        [PageIndex::Page(info)] if is_untouched(txn, info)? => {}
        _ => return Err(ImportError::NotEmpty("pages")),
    }
    for (rows, what) in [
        (txn.count(DELETION)?, "pages in the trash"),
        (txn.count(FORMER_PATHS)?, "pages that were deleted"),
        (txn.count(ASSET)?, "files"),
        (txn.count(AUTOSAVE)?, "unsaved text"),
        (txn.count(MIGRATION)?, "imports from other programs"),
    ] {
        if rows > 0 {
            return Err(ImportError::NotEmpty(what));
        }
    }
    Ok(())
}

/// Records the pages of one database as written in a transaction of the other.
fn record_pages(of: &impl Read, txn: &WriteTxn) -> Result<(), StorageError> {
    of.scan::<_, (), &[u8; 16]>(PAGE_INDEX.read_as(), .., Direction::Ascending, |id, ()| {
        txn.record_text(*id);
        ControlFlow::Continue(())
    })
}

fn read_manifest(archive: &mut Archive) -> Result<FullManifest, ImportError> {
    /// The field that is read first: a later version may have a different form otherwise.
    #[derive(serde::Deserialize)]
    struct Version {
        version: u64,
    }
    let bytes = archive.manifest_bytes(FULL_MANIFEST)?;
    let unreadable = |error: serde_json::Error| InvalidArchive::FullManifest(error.to_string());
    let Version { version } = serde_json::from_slice(&bytes).map_err(unreadable)?;
    if version != FULL_VERSION {
        return Err(InvalidArchive::FullVersion(version).into());
    }
    Ok(serde_json::from_slice(&bytes).map_err(unreadable)?)
}

/// The entries with rows: each table once, in their order.
struct Tables(Vec<TableEntry>);

impl Tables {
    fn of(manifest: &FullManifest) -> Result<Self, InvalidArchive> {
        let listed = manifest.tables.iter().map(|table| table.entry.as_str());
        if !listed.eq(TableName::ALL.map(TableName::entry)) {
            let reason = "it does not list the tables of this version".to_owned();
            return Err(InvalidArchive::FullManifest(reason));
        }
        Ok(Self(manifest.tables.clone()))
    }

    fn get(&self, table: TableName) -> &TableEntry {
        &self.0[table as usize]
    }
}

/// Checks that the archive has exactly the entries that its rows name.
fn check_entries(
    archive: &Archive,
    files: &[FileRow],
    missing: &BTreeSet<HexDigest>,
) -> Result<(), ImportError> {
    let contents = files.iter().map(|file| file.sha256);
    let contents = contents.filter(|sha256| !missing.contains(sha256));
    let tables = TableName::ALL.map(|table| table.entry().to_owned());
    let mut listed: BTreeSet<String> = contents.map(contents_entry).collect();
    listed.extend(tables);
    listed.insert(FULL_MANIFEST.to_owned());
    for name in archive.names()? {
        if !listed.remove(&name) {
            return Err(EntryFault::Unlisted.of(&name).into());
        }
    }
    match listed.first() {
        Some(entry) => Err(EntryFault::Missing.of(entry).into()),
        None => Ok(()),
    }
}

/// A reader of the rows of an archive, which reports its progress.
struct TableReader<'w> {
    archive: Archive,
    done: u64,
    total: u64,
    watch: &'w mut dyn FnMut(u64, u64) -> ControlFlow<()>,
}

impl TableReader<'_> {
    fn advance(&mut self, more: u64) -> Result<(), ImportError> {
        self.done = self.done.saturating_add(more);
        match (self.watch)(self.done.min(self.total), self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ImportError::Cancelled),
        }
    }

    /// Passes the rows of a table to `each`. The table must be the one that the manifest describes.
    fn read<R: DeserializeOwned>(
        &mut self,
        table: &TableEntry,
        each: &mut dyn FnMut(R) -> Result<(), RowError>,
    ) -> Result<(), ImportError> {
        let (mut line, mut number, mut hash) = (Vec::new(), 0_u64, Sha256::new());
        let (Self { archive, .. }, mut read) = (&mut *self, 0);
        let too_long = || EntryFault::Size(table.bytes);
        archive.unpack(&table.entry, table.bytes, too_long, &mut |mut bytes| {
            hash.update(bytes);
            read += bytes.len() as u64;
            while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
                let (rest, after) = bytes.split_at(end);
                line.extend_from_slice(rest);
                bytes = &after[1..];
                number += 1;
                let row = serde_json::from_slice(&line);
                let row = row.map_err(|error| RowError::Unreadable(error.to_string()));
                row.and_then(&mut *each)
                    .map_err(|error| error.of(number, table))?;
                line.clear();
            }
            line.extend_from_slice(bytes);
            if line.len() > MAX_LINE {
                let error = RowError::Unreadable("the row is too long".to_owned());
                return Err(error.of(number + 1, table));
            }
            Ok(())
        })?;
        if read != table.bytes || !line.is_empty() {
            return Err(EntryFault::Size(table.bytes).of(&table.entry).into());
        }
        if HexDigest(hash.finalize().into()) != table.sha256 || number != table.rows {
            return Err(EntryFault::Hash.of(&table.entry).into());
        }
        self.advance(read)
    }
}

/// The reason why a row was not taken.
enum RowError {
    Unreadable(String),
    Storage(StorageError),
}

impl From<StorageError> for RowError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl From<String> for RowError {
    fn from(reason: String) -> Self {
        Self::Unreadable(reason)
    }
}

impl RowError {
    fn of(self, line: u64, table: &TableEntry) -> ImportError {
        match self {
            Self::Unreadable(reason) => EntryFault::Row { line, reason }.of(&table.entry).into(),
            Self::Storage(error) => error.into(),
        }
    }
}

/// The key of the last row of a table, by which each is there once.
struct LastKey<K>(Option<K>);

impl<K: Ord> LastKey<K> {
    fn follow(&mut self, key: K) -> Result<(), RowError> {
        if self.0.as_ref().is_some_and(|last| *last >= key) {
            return Err(RowError::Unreadable(
                "the row does not follow the one before it".to_owned(),
            ));
        }
        self.0 = Some(key);
        Ok(())
    }
}

/// Writes the rows of an archive into an empty database, with everything that is derived from them.
fn stage(
    txn: &WriteTxn,
    reader: &mut TableReader<'_>,
    tables: &Tables,
    files: &[UnpackedFile],
) -> Result<(), ImportError> {
    let mut last = LastKey(None);
    reader.read(tables.get(TableName::Users), &mut |row: UserRow| {
        last.follow(row.id)?;
        let user = row.read()?;
        if txn.get(USER_NAME, user.name.as_str())?.is_some() {
            return Err(format!("another user has the name {}", user.name).into());
        }
        txn.put(USER_NAME, user.name.as_str(), &user.id.to_bytes())?;
        Ok(txn.put(USER, &user.id.to_bytes(), &user)?)
    })?;
    let mut last = LastKey(None);
    reader.read(tables.get(TableName::Settings), &mut |row: SettingRow| {
        last.follow(row.name.clone())?;
        Ok(txn.put(SETTINGS, row.name.as_str(), &row.value.to_string())?)
    })?;
    stage_pages(txn, reader, tables)?;
    stage_files(txn, tables, files)?;
    let mut last = LastKey(None);
    reader.read(tables.get(TableName::Unsaved), &mut |row: UnsavedRow| {
        last.follow(row.id)?;
        if row.is_too_long() {
            return Err("the text is longer than a page's".to_owned().into());
        }
        let (head, text) = row.read();
        let (page, user) = (head.page_id.to_bytes(), head.user.to_bytes());
        let id = head.id.to_bytes();
        txn.put(AUTOSAVE_KEY, (&page, &user, head.tab.as_str()), &id)?;
        txn.put(AUTOSAVE_TEXT, &id, &text)?;
        Ok(txn.put(AUTOSAVE, &id, &head)?)
    })?;
    let mut last = LastKey(None);
    reader.read(tables.get(TableName::Imports), &mut |row: ImportRow| {
        last.follow(row.id)?;
        Ok(txn.put(MIGRATION, &row.id.to_bytes(), &row.read())?)
    })?;
    let mut last = LastKey(None);
    reader.read(
        tables.get(TableName::ImportedItems),
        &mut |row: ImportedItemRow| {
            last.follow(row.item)?;
            let item = row.item.0;
            Ok(txn.put(MIGRATED_ITEM, &item, &row.read()?)?)
        },
    )
}

/// Writes the pages and their revisions. Titles are derived from the newest texts.
fn stage_pages(
    txn: &WriteTxn,
    reader: &mut TableReader<'_>,
    tables: &Tables,
) -> Result<(), ImportError> {
    let (mut newest, mut last) = (BTreeMap::new(), LastKey(None));
    reader.read(tables.get(TableName::Pages), &mut |row: PageRow| {
        last.follow(row.id)?;
        let id = row.id;
        let record = row.read()?;
        if let Some(PageIndex::Page(info)) = &record.index {
            newest.insert(id, info.latest);
        }
        Ok(record.put(txn, id)?)
    })?;
    let mut last = LastKey(None);
    reader.read(tables.get(TableName::Revisions), &mut |row: RevisionRow| {
        let (page, revision): (PageId, u64) = (row.page, row.revision);
        last.follow((page, revision))?;
        if row.text.len() > MAX_SOURCE_BYTES {
            return Err("the text is longer than a page's".to_owned().into());
        }
        let source = row.read();
        if newest.get(&page) == Some(&revision) {
            let title = pages::title_row(&source.source);
            repository::put(txn, PAGE_TITLE, page, title.as_ref())?;
        }
        Ok(txn.put(PAGE_SOURCE, (&page.to_bytes(), revision), &source)?)
    })
}

/// Writes the rows of files, which have the types of their contents.
fn stage_files(txn: &WriteTxn, tables: &Tables, files: &[UnpackedFile]) -> Result<(), ImportError> {
    let mut last = LastKey(None);
    for (file, line) in files.iter().zip(1..) {
        let row = &file.row;
        let mut stage = || {
            last.follow(row.id)?;
            let mime = file.contents.as_ref().map(|file| file.mime.as_str());
            let (id, info) = (row.id.to_bytes(), row.read(mime));
            if let Some(page) = row.page {
                let page = page.to_bytes();
                let key = (&page, info.file_name.as_str());
                if info.state == AssetState::Live {
                    if txn.get(ASSET_NAME, key)?.is_some() {
                        let name = &info.file_name;
                        return Err(format!("its page has another file named {name}").into());
                    }
                    txn.put(ASSET_NAME, key, &id)?;
                }
                txn.insert_id(PAGE_ASSETS, &page, &id)?;
                txn.put(ASSET_PAGE, &id, &page)?;
            }
            Ok(txn.put(ASSET, &id, &info)?)
        };
        stage().map_err(|error: RowError| error.of(line, tables.get(TableName::Files)))?;
    }
    Ok(())
}
