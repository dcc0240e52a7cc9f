//! The packed index of a hash folder: a row per record, and the problems of the other files. It is derived
//! from the records and rebuilt if it is missing, damaged, of another version or older than the folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{HashFolder, packed_file};
use crate::digest::Digest;
use crate::path::FilePath;
use crate::reason::Reason;
use crate::stat::FileStat;
use crate::state::{Baseline, FileState};

/// The file's first bytes: its name and version.
const MAGIC: &[u8; 8] = b"FKHASH05";
const FILE: &str = "index";

/// The kind of a record's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordKind {
    /// The path is written in the name.
    Encoded,
    /// A hash, as the encoded path is too long.
    Fallback,
    /// A hash, from before encoded names.
    Legacy,
    /// A hash, of a record that does not show the kind.
    Hashed,
    /// A name that begins like an encoded one but is not.
    Malformed,
    /// Not the name of a record.
    Foreign,
}

/// A record in the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordRow {
    /// The record's file name.
    pub name: Vec<u8>,
    /// The name's kind.
    pub kind: RecordKind,
    /// The hash of the contents.
    pub digest: Digest,
    /// The file's size, times and inode when it was read.
    pub stat: Option<FileStat>,
    /// The time at which these contents were recorded.
    #[serde(with = "jiff::fmt::serde::timestamp::nanosecond::optional")]
    pub recorded_at: Option<Timestamp>,
    /// The time at which the contents last matched.
    #[serde(with = "jiff::fmt::serde::timestamp::nanosecond::optional")]
    pub verified_at: Option<Timestamp>,
    /// The state that the last verification found.
    pub state: Option<FileState>,
    /// True if the name and the path contain bytes that are not UTF-8 and were replaced.
    pub is_lossy: bool,
    /// True if a later program wrote the record.
    pub is_newer: bool,
    /// True if it contains another program's analysis.
    pub has_analysis: bool,
    /// The record's own size, times and inode when it was read; `None` if it was just written.
    pub file: Option<FileStat>,
}

/// A file in the folder that is not a usable record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The file's name.
    pub name: Vec<u8>,
    /// The name's kind.
    pub kind: RecordKind,
    /// [`FileState::Malformed`], [`FileState::Collision`], [`FileState::Legacy`] or [`FileState::Foreign`].
    pub state: FileState,
    /// The path of the record, if it states one.
    pub path: Option<Vec<u8>>,
    pub reason: Reason,
}

/// All records of a folder, by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index {
    /// The usable records.
    pub rows: BTreeMap<FilePath, RecordRow>,
    /// The other files.
    pub problems: Vec<Problem>,
}

#[derive(Serialize, Deserialize)]
struct IndexFile {
    folder: FolderVersion,
    rows: Vec<(Vec<u8>, RecordRow)>,
    problems: Vec<Problem>,
}

/// A folder's version, which changes with each name in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FolderVersion {
    inode: u64,
    mtime: (i64, i64),
    limit: u64,
}

/// The version of a hash folder's records and of the results of verifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexVersion {
    folder: FolderVersion,
    stored: Option<(u64, i64, i64)>,
}

impl RecordRow {
    /// Returns the part with which files are compared.
    #[must_use]
    pub fn baseline(&self) -> Baseline {
        Baseline {
            digest: self.digest,
            stat: self.stat,
            read_at: self.recorded_at.max(self.verified_at),
        }
    }
}

impl Index {
    /// Returns the rows of a folder and of everything beneath it, or of one file.
    pub fn within<'a, 'f>(
        &'a self,
        folder: &'f FilePath,
    ) -> impl Iterator<Item = (&'a FilePath, &'a RecordRow)> + use<'a, 'f> {
        let rows = self.rows.range(folder.clone()..);
        // Names such as `a-b` are sorted between `a` and `a/b`.
        let prefix = folder.as_bytes();
        rows.take_while(move |(path, _)| path.as_bytes().starts_with(prefix))
            .filter(move |(path, _)| path.is_within(folder))
    }
}

impl HashFolder {
    pub(super) fn version(&self) -> io::Result<FolderVersion> {
        let metadata = fs::metadata(self.path())?;
        Ok(FolderVersion {
            inode: metadata.ino(),
            mtime: (metadata.mtime(), metadata.mtime_nsec()),
            limit: self.name_limit() as u64,
        })
    }

    /// Returns all records. Those of an own folder come from its packed index unless the folder has changed since,
    /// except records that another program has rewritten in place.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn index(&self) -> io::Result<Index> {
        Ok(self.index_reading(|_| BTreeSet::new())?.0)
    }

    /// Returns the same, with the records of chosen files read again. Also returns true if the result is not the
    /// stored index.
    ///
    /// # Errors
    /// Errors of the file system.
    pub(crate) fn index_reading(
        &self,
        choose: impl FnOnce(&Index) -> BTreeSet<FilePath>,
    ) -> io::Result<(Index, bool)> {
        let version = self.version()?;
        match self.stored_index() {
            Some((of, mut index)) if of == version => {
                let chosen = choose(&index);
                let is_renewed = self.renew(&mut index, &chosen);
                Ok((index, is_renewed))
            }
            stored => {
                let mut index = self.scan()?;
                if let Some((_, older)) = stored {
                    index.keep_verifications(&older);
                }
                Ok((index, true))
            }
        }
    }

    /// Returns the version of the result of [`HashFolder::index`]. If it differs, the result may differ.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn index_version(&self) -> io::Result<IndexVersion> {
        let stored = fs::metadata(self.own(FILE)).ok();
        Ok(IndexVersion {
            folder: self.version()?,
            stored: stored
                .map(|metadata| (metadata.ino(), metadata.mtime(), metadata.mtime_nsec())),
        })
    }

    /// Rebuilds the result of [`HashFolder::index`] from every record.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn rebuilt_index(&self) -> io::Result<Index> {
        let mut index = self.scan()?;
        if let Some((_, older)) = self.stored_index() {
            index.keep_verifications(&older);
        }
        Ok(index)
    }

    /// Stores the index for the next time. Must be called under the folder's lock.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn save_index(&self, index: &Index) -> io::Result<()> {
        if !self.is_own() {
            return Ok(());
        }
        let rows = index.rows.iter();
        let stored = IndexFile {
            folder: self.version()?,
            rows: rows
                .map(|(path, row)| (path.as_bytes().to_vec(), self.with_file(row)))
                .collect(),
            problems: index.problems.clone(),
        };
        packed_file::write(&self.own(FILE), MAGIC, &stored)
    }

    /// Adds the status of a record that was just written.
    fn with_file(&self, row: &RecordRow) -> RecordRow {
        RecordRow {
            file: row.file.or_else(|| self.status(&row.name)),
            ..row.clone()
        }
    }

    /// Returns the status of a record's own file.
    pub(super) fn status(&self, name: &[u8]) -> Option<FileStat> {
        let metadata = fs::symlink_metadata(self.file(name)).ok()?;
        Some(FileStat::from(&metadata))
    }

    /// Returns the stored index and the folder's version when it was stored, or `None` if there is no intact one.
    fn stored_index(&self) -> Option<(FolderVersion, Index)> {
        if !self.is_own() {
            return None;
        }
        let stored: IndexFile = packed_file::read(&self.own(FILE), MAGIC)?;
        let rows = stored.rows.into_iter();
        let rows = rows.map(|(path, row)| Some((FilePath::new(path).ok()?, row)));
        let index = Index {
            rows: rows.collect::<Option<_>>()?,
            problems: stored.problems,
        };
        Some((stored.folder, index))
    }
}

impl Index {
    /// Takes over the results of verifications. They are stored in the index alone, as rewriting each record
    /// would cost more than reading its file.
    pub(crate) fn keep_verifications(&mut self, older: &Index) {
        for (path, row) in &mut self.rows {
            if let Some(before) = older.rows.get(path)
                && (before.digest, before.stat) == (row.digest, row.stat)
            {
                row.verified_at = row.verified_at.max(before.verified_at);
                row.state = before.state;
            }
        }
    }
}
