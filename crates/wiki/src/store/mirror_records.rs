//! The records of a mirror, `mirror.redb` in the data folder: what was written where, and which files were set aside.
//! They belong to the folder, not to the wiki, so that a wiki from a backup does not forget what its mirror has.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use fumikura_base::own_file;
use jiff::Timestamp;
use redb::{Builder, Database, ReadableDatabase, ReadableTable, TableDefinition, TableError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::StorageError;
use super::panics::catch_panic;
use crate::archive::HexDigest;
use crate::id::PageId;

const FILE: &str = "mirror.redb";
/// The size of its page cache in bytes.
const CACHE: usize = 4 << 20;

type Json = TableDefinition<'static, &'static str, &'static [u8]>;

/// The files, by their paths below the folder.
const ENTRY: Json = TableDefinition::new("entry");
/// The paths of the texts, by their pages.
const TEXT: TableDefinition<[u8; 16], &str> = TableDefinition::new("text");
/// The files that were set aside, by their names in the folder of the mark.
const ASIDE: Json = TableDefinition::new("aside");

/// A place in the folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntryRecord {
    pub(crate) page: PageId,
    /// True for the text of the page, false for one of its files.
    pub(crate) is_text: bool,
    /// The contents that the mirror wrote; `None` if another program has the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sha256: Option<HexDigest>,
    /// The contents that are being written: after a crash, the file has either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<HexDigest>,
    /// The status of the file when it had the contents `sha256`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stat: Option<FileStat>,
}

impl EntryRecord {
    /// Returns true for contents that the mirror has written.
    pub(crate) fn wrote(&self, found: HexDigest) -> bool {
        self.sha256 == Some(found) || self.next == Some(found)
    }
}

/// The status of a file: while it is the same, the contents are not read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct FileStat {
    size: u64,
    inode: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileStat {
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        Ok(Self::from(&file.metadata()?))
    }

    /// Returns true for the same file with the same contents, as far as can be told, that may have got or lost another
    /// name in between.
    pub(crate) fn is_same_but_for_links(&self, other: &Self) -> bool {
        Self {
            changed: other.changed,
            ..*self
        } == *other
    }
}

impl From<&Metadata> for FileStat {
    fn from(metadata: &Metadata) -> Self {
        Self {
            size: metadata.size(),
            inode: metadata.ino(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// A file that was replaced or removed. It is deleted later, unless a program has written to it meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AsideRecord {
    /// Its path below the folder.
    pub(crate) entry: String,
    pub(crate) since: Timestamp,
    /// The contents that may be deleted.
    pub(crate) ours: Vec<HexDigest>,
}

/// A change of the records.
pub(crate) enum RecordChange {
    Put(String, EntryRecord),
    Remove(String),
    PutAside(String, AsideRecord),
    RemoveAside(String),
}

pub(crate) struct MirrorRecords(Database);

impl MirrorRecords {
    /// Opens the records, which are created if they are missing. Damaged ones are replaced: every file of the mirror is
    /// then compared with the wiki, and reported if it differs.
    pub(crate) fn open(data: &Path) -> Result<Self, StorageError> {
        let file = path(data);
        match open(&file) {
            Err(error) if is_damaged(&error) => {
                tracing::warn!("{} is made anew: {error}", file.display());
                remove_if_present(&file)?;
                open(&file)
            }
            opened => opened,
        }
    }

    /// Forgets everything.
    pub(crate) fn remove(data: &Path) -> Result<(), StorageError> {
        Ok(remove_if_present(&path(data))?)
    }

    pub(crate) fn entry(&self, entry: &str) -> Result<Option<EntryRecord>, StorageError> {
        let txn = self.0.begin_read()?;
        let row = txn.open_table(ENTRY)?.get(entry)?;
        row.map(|row| decode(row.value())).transpose()
    }

    /// Returns the path of a page's text.
    pub(crate) fn text_of(&self, page: PageId) -> Result<Option<String>, StorageError> {
        let txn = self.0.begin_read()?;
        let row = txn.open_table(TEXT)?.get(page.to_bytes())?;
        Ok(row.map(|row| row.value().to_owned()))
    }

    /// Returns the files whose paths begin with a prefix.
    pub(crate) fn below(
        &self,
        prefix: &str,
    ) -> Result<BTreeMap<String, EntryRecord>, StorageError> {
        let txn = self.0.begin_read()?;
        let mut found = BTreeMap::new();
        for row in txn.open_table(ENTRY)?.range(prefix..)? {
            let (entry, record) = row?;
            if !entry.value().starts_with(prefix) {
                break;
            }
            found.insert(entry.value().to_owned(), decode(record.value())?);
        }
        Ok(found)
    }

    /// Returns the files that were set aside.
    pub(crate) fn aside(&self) -> Result<Vec<(String, AsideRecord)>, StorageError> {
        let txn = self.0.begin_read()?;
        let mut found = Vec::new();
        for row in txn.open_table(ASIDE)?.iter()? {
            let (name, record) = row?;
            found.push((name.value().to_owned(), decode(record.value())?));
        }
        Ok(found)
    }

    /// Makes changes, durably and in one step.
    pub(crate) fn change(
        &self,
        changes: impl IntoIterator<Item = RecordChange>,
    ) -> Result<(), StorageError> {
        let mut changes = changes.into_iter().peekable();
        if changes.peek().is_none() {
            return Ok(());
        }
        let txn = self.0.begin_write()?;
        {
            let mut entries = txn.open_table(ENTRY)?;
            let mut texts = txn.open_table(TEXT)?;
            let mut aside = txn.open_table(ASIDE)?;
            for change in changes {
                match change {
                    RecordChange::Put(entry, record) => {
                        if record.is_text {
                            texts.insert(record.page.to_bytes(), entry.as_str())?;
                        }
                        entries.insert(entry.as_str(), encode(&record)?.as_slice())?;
                    }
                    RecordChange::Remove(entry) => {
                        let row = entries.remove(entry.as_str())?;
                        let record: Option<EntryRecord> =
                            row.map(|row| decode(row.value())).transpose()?;
                        let Some(record) = record.filter(|record| record.is_text) else {
                            continue;
                        };
                        let key = record.page.to_bytes();
                        // The page may have another text by now.
                        let is_its_own = texts.get(key)?.is_some_and(|text| text.value() == entry);
                        if is_its_own {
                            texts.remove(key)?;
                        }
                    }
                    RecordChange::PutAside(name, record) => {
                        aside.insert(name.as_str(), encode(&record)?.as_slice())?;
                    }
                    RecordChange::RemoveAside(name) => drop(aside.remove(name.as_str())?),
                }
            }
        }
        Ok(txn.commit()?)
    }
}

/// Removes a file of the data folder.
pub(crate) fn remove_if_present(file: &Path) -> io::Result<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn path(data: &Path) -> PathBuf {
    data.join(FILE)
}

fn open(file: &Path) -> Result<MirrorRecords, StorageError> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let opened = own_file::open_with(file, &mut options)?;
    let create = || {
        let database = Builder::new().set_cache_size(CACHE).create_file(opened);
        let database = database.map_err(|error| StorageError::from(redb::Error::from(error)))?;
        // Reading a table that was never written is an error in redb.
        let is_new = match database.begin_read()?.open_table(ASIDE) {
            Ok(_) => false,
            Err(TableError::TableDoesNotExist(_)) => true,
            Err(error) => return Err(error.into()),
        };
        if is_new {
            let txn = database.begin_write()?;
            txn.open_table(ENTRY)?;
            txn.open_table(TEXT)?;
            txn.open_table(ASIDE)?;
            txn.commit()?;
        }
        Ok(MirrorRecords(database))
    };
    catch_panic(create).unwrap_or_else(|reason| Err(damaged(reason)))
}

fn is_damaged(error: &StorageError) -> bool {
    match error {
        StorageError::Damaged { .. }
        | StorageError::Database(redb::Error::Corrupted(_) | redb::Error::UpgradeRequired(_)) => {
            true
        }
        StorageError::Io(error) => error.kind() == io::ErrorKind::InvalidData,
        StorageError::Database(_) | StorageError::DiskFull(_) | StorageError::ReadOnly(_) => false,
    }
}

fn encode(record: &impl Serialize) -> Result<Vec<u8>, StorageError> {
    serde_json::to_vec(record).map_err(|error| damaged(error.to_string()))
}

fn decode<T: DeserializeOwned>(row: &[u8]) -> Result<T, StorageError> {
    serde_json::from_slice(row).map_err(|error| damaged(error.to_string()))
}

fn damaged(reason: String) -> StorageError {
    StorageError::Damaged {
        table: "mirror",
        reason,
    }
}
