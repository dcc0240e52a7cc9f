//! Export of everything as a full archive.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::manifest::{
    FULL_MANIFEST, FULL_VERSION, FullManifest, TableEntry, TableName, contents_entry,
};
use super::rows::{
    FileRow, HexDigest, ImportRow, ImportedItemRow, PageRow, RevisionRow, SettingRow, UnsavedRow,
    UserRow,
};
use crate::archive::export::{Archive, ExportError, ExportReport};
use crate::assets::{AssetFiles, digest};
use crate::id::{AssetId, PageId};
use crate::model::asset::{AssetInfo, AssetState};
use crate::model::page::PageIndex;
use crate::repository::PageRecord;
use crate::store::{
    ASSET, ASSET_PAGE, AUTOSAVE, AUTOSAVE_TEXT, DELETION, FORMER_PATHS, Key, MIGRATED_ITEM,
    MIGRATION, PAGE_INDEX, PAGE_LINKS, PAGE_SOURCE, Read, ReadTxn, Record, SETTINGS, StorageError,
    Table, UNRECORDED_MOVE, USER,
};

/// The time of every entry, so that archives of the same wiki are the same bytes: the first that a zip can have.
const NO_TIME: Timestamp = Timestamp::UNIX_EPOCH;

/// The parts of a full archive, apart from the rows themselves.
pub(in crate::archive) struct FullParts {
    tables: Vec<TableEntry>,
    contents: Vec<StoredContents>,
    pages: u64,
    pub(in crate::archive) albums: Vec<Value>,
}

/// The contents of one or more files of pages.
struct StoredContents {
    sha256: [u8; 32],
    size: u64,
    is_text: bool,
    ids: Vec<AssetId>,
}

impl FullParts {
    /// Returns the number of bytes to write, before compression.
    pub(in crate::archive) fn size(&self) -> u64 {
        let tables: u64 = self.tables.iter().map(|table| table.bytes).sum();
        let contents: u64 = self.contents.iter().map(|contents| contents.size).sum();
        tables + contents
    }
}

/// Takes the rows of one moment: into an unnamed file in `aside`, one table after another.
pub(in crate::archive) fn take(
    txn: &ReadTxn,
    taken_at: Timestamp,
    aside: &Path,
) -> Result<(FullParts, File), StorageError> {
    let mut rows = RowWriter::new(tempfile::tempfile_in(aside)?);
    let mut tables = Vec::with_capacity(TableName::ALL.len());
    let (mut pages, mut files) = (0, BTreeMap::new());
    for table in TableName::ALL {
        match table {
            TableName::Users => rows.put_all(txn, USER, |_, user| Ok(Some(UserRow::from(user))))?,
            TableName::Settings => rows.put_all(txn, SETTINGS, |name, json: String| {
                let value = serde_json::from_str(&json);
                let value: Value = value.map_err(|error| StorageError::Damaged {
                    table: SETTINGS.name,
                    reason: format!("{name}: {error}"),
                })?;
                let name = name.to_owned();
                Ok(Some(SettingRow { name, value }))
            })?,
            TableName::Pages => pages = put_pages(txn, &mut rows)?,
            TableName::Revisions => rows.put_all(txn, PAGE_SOURCE, |(page, _), source| {
                Ok(Some(RevisionRow::of(PageId::from_bytes(*page), source)))
            })?,
            TableName::Files => rows.put_all(txn, ASSET, |id, info| {
                let id = AssetId::from_bytes(*id);
                let contents = files.entry(info.sha256).or_insert_with(|| StoredContents {
                    sha256: info.sha256,
                    size: info.size,
                    is_text: info.mime.starts_with("text/"),
                    ids: Vec::new(),
                });
                contents.ids.push(id);
                file(txn, id, info, taken_at).map(Some)
            })?,
            TableName::Unsaved => rows.put_all(txn, AUTOSAVE, |id, head| {
                let text = txn.get(AUTOSAVE_TEXT, id)?;
                let text = text.ok_or_else(|| StorageError::Damaged {
                    table: AUTOSAVE_TEXT.name,
                    reason: format!("the text of {} is missing", head.id),
                })?;
                Ok(Some(UnsavedRow::of(head, text)))
            })?,
            TableName::Imports => {
                rows.put_all(txn, MIGRATION, |_, record| Ok(Some(ImportRow::of(record))))?
            }
            TableName::ImportedItems => rows.put_all(txn, MIGRATED_ITEM, |item, row| {
                Ok(Some(ImportedItemRow::of(*item, row)))
            })?,
        }
        tables.push(rows.end_table(table));
    }
    let parts = FullParts {
        tables,
        contents: files.into_values().collect(),
        pages,
        albums: Vec::new(),
    };
    Ok((parts, rows.finish()?))
}

/// Puts all pages. Returns the number of saved ones.
fn put_pages(txn: &ReadTxn, rows: &mut RowWriter) -> Result<u64, StorageError> {
    let (mut ids, mut saved) = (BTreeSet::new(), 0);
    keys(txn, PAGE_INDEX.read_as(), &mut ids)?;
    keys(txn, FORMER_PATHS.read_as(), &mut ids)?;
    for id in ids {
        let record = PageRecord {
            index: txn.get(PAGE_INDEX, &id)?,
            title: None,
            links: txn.get(PAGE_LINKS, &id)?,
            former_paths: txn.get(FORMER_PATHS, &id)?,
            unrecorded_move: txn.get(UNRECORDED_MOVE, &id)?,
            deletion: txn.get(DELETION, &id)?,
        };
        saved += u64::from(matches!(record.index, Some(PageIndex::Page(_))));
        if let Some(row) = PageRow::of(PageId::from_bytes(id), record) {
            rows.put(&row)?;
        }
    }
    Ok(saved)
}

/// Collects the keys of a table.
fn keys(
    txn: &ReadTxn,
    table: Table<crate::store::IdKey, ()>,
    ids: &mut BTreeSet<[u8; 16]>,
) -> Result<(), StorageError> {
    let mut ended = Ok(());
    txn.try_scan(table, |row| {
        ended = row.map(|(id, ())| {
            ids.insert(*id);
        });
        continue_if_ok(&ended)
    })?;
    ended
}

/// Returns the row of a file. One of a draft, which is not in the archive, is orphaned there.
fn file(
    txn: &ReadTxn,
    id: AssetId,
    mut info: AssetInfo,
    taken_at: Timestamp,
) -> Result<FileRow, StorageError> {
    let Some(page) = txn.get(ASSET_PAGE, &id.to_bytes())? else {
        return Ok(FileRow::of(id, None, info));
    };
    if let Some(PageIndex::Draft(draft)) = txn.get(PAGE_INDEX, &page)? {
        info.state = AssetState::Orphaned {
            at: taken_at,
            last_path: draft.path,
        };
        return Ok(FileRow::of(id, None, info));
    }
    Ok(FileRow::of(id, Some(PageId::from_bytes(page)), info))
}

/// A writer of rows, one JSON object a line.
struct RowWriter {
    out: BufWriter<File>,
    hash: Sha256,
    rows: u64,
    bytes: u64,
}

impl RowWriter {
    fn new(file: File) -> Self {
        Self {
            out: BufWriter::new(file),
            hash: Sha256::new(),
            rows: 0,
            bytes: 0,
        }
    }

    fn put(&mut self, row: &impl Serialize) -> Result<(), StorageError> {
        let mut line = serde_json::to_vec(row).map_err(|error| StorageError::Damaged {
            table: "archive",
            reason: error.to_string(),
        })?;
        line.push(b'\n');
        self.hash.update(&line);
        self.rows += 1;
        self.bytes += line.len() as u64;
        Ok(self.out.write_all(&line)?)
    }

    /// Puts the rows of a table, as `row` converts them.
    fn put_all<K: Key, V: Record, R: Serialize>(
        &mut self,
        txn: &ReadTxn,
        table: Table<K, V>,
        mut row: impl FnMut(K::SelfType<'_>, V) -> Result<Option<R>, StorageError>,
    ) -> Result<(), StorageError> {
        let mut ended = Ok(());
        txn.try_scan(table, |read| {
            let put = read.and_then(|(key, value)| match row(key, value)? {
                Some(row) => self.put(&row),
                None => Ok(()),
            });
            ended = put;
            continue_if_ok(&ended)
        })?;
        ended
    }

    /// Ends the rows of a table.
    fn end_table(&mut self, table: TableName) -> TableEntry {
        let entry = TableEntry {
            entry: table.entry().to_owned(),
            rows: self.rows,
            bytes: self.bytes,
            sha256: HexDigest(self.hash.finalize_reset().into()),
        };
        (self.rows, self.bytes) = (0, 0);
        entry
    }

    /// Returns the file with all rows, at its beginning.
    fn finish(self) -> Result<File, StorageError> {
        let mut file = self
            .out
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }
}

fn continue_if_ok<E>(so_far: &Result<(), E>) -> ControlFlow<()> {
    match so_far {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}

impl<W: Write> Archive<'_, W> {
    /// Writes a full archive: the contents of the files first, because only then is it known which are missing.
    pub(in crate::archive) fn fill_full(
        &mut self,
        files: &AssetFiles,
        parts: FullParts,
        mut rows: File,
        taken_at: Timestamp,
    ) -> Result<ExportReport, ExportError> {
        let mut report = ExportReport {
            pages: parts.pages,
            assets: 0,
            missing: Vec::new(),
        };
        let mut missing = Vec::new();
        for contents in parts.contents {
            let sha256 = HexDigest(contents.sha256);
            let Some(mut whole) = contents.open(files)? else {
                missing.push(sha256);
                report.missing.extend(contents.ids);
                continue;
            };
            report.assets += contents.ids.len() as u64;
            let entry = contents_entry(sha256);
            self.begin(&entry, NO_TIME, contents.size, contents.is_text)?;
            if self.copy(&mut whole, contents.size)? != contents.sha256 {
                let reason = format!("{entry} changed while it was read");
                return Err(StorageError::from(io::Error::other(reason)).into());
            }
        }
        for table in &parts.tables {
            self.begin(&table.entry, NO_TIME, table.bytes, true)?;
            self.copy(&mut rows, table.bytes)?;
        }
        let manifest = FullManifest {
            version: FULL_VERSION,
            exported_at: taken_at,
            tables: parts.tables,
            missing,
            albums: parts.albums,
        };
        let json = serde_json::to_vec_pretty(&manifest);
        let json = json.map_err(|error| ExportError::Output(error.into()))?;
        self.add(FULL_MANIFEST, NO_TIME, &json, true)?;
        Ok(report)
    }
}

impl StoredContents {
    /// Opens a file with these contents. Returns `None` if all of them are lost or damaged.
    fn open(&self, files: &AssetFiles) -> Result<Option<File>, StorageError> {
        for id in &self.ids {
            let mut file = match files.open(*id) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error.into()),
            };
            if digest(&mut file)? == (self.size, self.sha256) {
                file.seek(SeekFrom::Start(0))?;
                return Ok(Some(file));
            }
        }
        Ok(None)
    }
}
