//! A scan of every file of a hash folder.

use std::collections::BTreeSet;
use std::collections::btree_map::Entry;
use std::io;
use std::os::unix::ffi::OsStringExt;

use rayon::prelude::*;

use super::index::{Index, Problem, RecordKind, RecordRow};
use super::{HashFolder, OWN};
use crate::lossy;
use crate::name::{self, NameKind};
use crate::path::FilePath;
use crate::reason::{Reason, ReasonCode};
use crate::record::{self, Record};
use crate::state::FileState;

/// Folders of go-safe-cmd-runner beside its records, with names of the same kind.
const FOREIGN_FOLDERS: [&str; 2] = ["lib-cache", "dynlib-analysis"];

impl HashFolder {
    /// Reads every record.
    pub(super) fn scan(&self) -> io::Result<Index> {
        let mut names = Vec::new();
        for entry in self.handle()?.entries()? {
            let name = entry.name.into_vec();
            let is_temporary = name.starts_with(b".") && name.ends_with(b".tmp");
            let is_ours = name == OWN.as_bytes() || is_temporary;
            if !is_ours && !FOREIGN_FOLDERS.iter().any(|own| own.as_bytes() == name) {
                names.push(name);
            }
        }
        let mut index = Index::default();
        self.examine_all(names, &mut index);
        Ok(index)
    }

    /// Reads the records of chosen files again, those that were rewritten in place, and the files that were no
    /// usable records. Returns true if there were any of the first two.
    pub(super) fn renew(&self, index: &mut Index, chosen: &BTreeSet<FilePath>) -> bool {
        let rows = std::mem::take(&mut index.rows);
        let (kept, stale): (Vec<_>, Vec<_>) = rows
            .into_par_iter()
            .partition(|(path, row)| self.is_current(row) && !chosen.contains(path));
        let (foreign, unusable): (Vec<_>, Vec<_>) = std::mem::take(&mut index.problems)
            .into_iter()
            .partition(|problem| problem.kind == RecordKind::Foreign);
        index.rows = kept.into_iter().collect();
        index.problems = foreign;
        let older = Index {
            rows: stale.into_iter().collect(),
            problems: Vec::new(),
        };
        let names = older.rows.values().map(|row| row.name.clone());
        let unusable = unusable.into_iter().map(|problem| problem.name);
        self.examine_all(names.chain(unusable).collect(), index);
        index.keep_verifications(&older);
        !older.rows.is_empty()
    }

    /// Returns true if the record's file is the one that was read.
    fn is_current(&self, row: &RecordRow) -> bool {
        row.file.is_some() && row.file == self.status(&row.name)
    }

    fn examine_all(&self, names: Vec<Vec<u8>>, index: &mut Index) {
        let files: Vec<_> = names
            .into_par_iter()
            .map(|name| self.examine(name))
            .collect();
        for file in files {
            match file {
                Ok((path, row)) => index.add(path, row),
                Err(problem) => index.problems.push(problem),
            }
        }
        index.problems.sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// Reads the file with one name.
    pub(crate) fn examine(&self, name: Vec<u8>) -> Result<(FilePath, RecordRow), Problem> {
        let kind = match name::kind(&name) {
            NameKind::Encoded => RecordKind::Encoded,
            NameKind::Hashed => RecordKind::Hashed,
            NameKind::Legacy => RecordKind::Legacy,
            NameKind::Malformed => RecordKind::Malformed,
            NameKind::Foreign => {
                let text = "this is not the name of a hash record";
                let reason = Reason::new(ReasonCode::ForeignName, text);
                return Err(problem(
                    name,
                    RecordKind::Foreign,
                    FileState::Foreign,
                    reason,
                ));
            }
        };
        let decoded = match (kind, name::decode(&name)) {
            (RecordKind::Malformed, Err(error)) => {
                return Err(problem(
                    name,
                    kind,
                    FileState::Malformed,
                    Reason::from(&error),
                ));
            }
            (_, decoded) => decoded.ok(),
        };
        let (record, file) = match record::load_with_stat(&self.file(&name)) {
            Ok(loaded) => loaded,
            Err(error) => {
                return Err(problem(
                    name,
                    kind,
                    FileState::Malformed,
                    Reason::from(&error),
                ));
            }
        };
        let Some(path) = path_of(&name, decoded.as_ref(), &record) else {
            let text = match &decoded {
                Some(path) => format!(
                    "the name encodes {path}, but the record is about {}",
                    record.path
                ),
                None => format!("the record is about {}, whose name is another", record.path),
            };
            let reason = Reason::new(ReasonCode::OtherPath, text);
            let mut problem = problem(name, kind, FileState::Collision, reason);
            problem.path = Some(record.path.as_bytes().to_vec());
            return Err(problem);
        };
        let is_long = || name::encode(&path).len() > self.name_limit();
        let kind = if kind != RecordKind::Hashed {
            kind
        } else if is_long() {
            RecordKind::Fallback
        } else {
            RecordKind::Legacy
        };
        let row = RecordRow {
            file: Some(file),
            ..RecordRow::new(name, kind, &record)
        };
        Ok((path, row))
    }
}

/// Returns the path of a record's file, or `None` if the record is about another path than its name. The path of
/// another program's record may have replaced bytes, which its name or the files on the disk show.
fn path_of(name: &[u8], decoded: Option<&FilePath>, record: &Record) -> Option<FilePath> {
    let path = &record.path;
    let is_lossy = !record.has_notes && lossy::is_possible(path.as_bytes());
    match decoded {
        Some(decoded) if decoded == path => Some(path.clone()),
        Some(decoded) => {
            let is_replaced = lossy::with_replacements(decoded.as_bytes()) == path.as_bytes();
            (is_lossy && is_replaced).then(|| decoded.clone())
        }
        None if name::is_short_name_of(name, path) => Some(path.clone()),
        // The name is the hash of the file's real path. Without the file it can't be compared.
        None => is_lossy.then(|| {
            let mut files = lossy::candidates(path).into_iter().flatten();
            let real = files.find(|file| name::is_short_name_of(name, file));
            real.unwrap_or_else(|| path.clone())
        }),
    }
}

impl RecordRow {
    /// Creates the row of a record under its name.
    #[must_use]
    pub fn new(name: Vec<u8>, kind: RecordKind, record: &Record) -> Self {
        Self {
            is_lossy: !record.has_notes && lossy::is_possible(record.path.as_bytes()),
            name,
            kind,
            digest: record.digest,
            stat: record.notes.stat,
            recorded_at: record.notes.recorded_at,
            verified_at: record.notes.verified_at,
            state: None,
            is_newer: record.is_newer(),
            has_analysis: !record.analysis.is_empty() || record.has_older_analysis,
            file: None,
        }
    }
}

impl Index {
    /// Adds a row. Of two records of one path, the one under an encoded name counts; the other is reported.
    fn add(&mut self, path: FilePath, row: RecordRow) {
        let mut other = match self.rows.entry(path.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(row);
                return;
            }
            Entry::Occupied(entry) => {
                let existing = entry.into_mut();
                let is_older = |row: &RecordRow| (row.kind == RecordKind::Legacy, row.name.clone());
                if is_older(&row) < is_older(existing) {
                    std::mem::replace(existing, row)
                } else {
                    row
                }
            }
        };
        let newer = &self.rows[&path];
        let name = String::from_utf8_lossy(&newer.name);
        let text = format!("{path} has a second record: {name}");
        let reason = Reason::new(ReasonCode::SecondRecord, text);
        let name = std::mem::take(&mut other.name);
        let mut second = problem(name, other.kind, FileState::Collision, reason);
        second.path = Some(path.as_bytes().to_vec());
        self.problems.push(second);
    }
}

fn problem(name: Vec<u8>, kind: RecordKind, state: FileState, reason: Reason) -> Problem {
    Problem {
        name,
        kind,
        state,
        path: None,
        reason,
    }
}
