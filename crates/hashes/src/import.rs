//! Lists of other programs: records made from them, and records exported to them.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use jiff::Timestamp;

use crate::digest::Digest;
use crate::folder::{Batch, HashFolder, Index, RecordKind, Row};
use crate::lists::{self, List, OmittedFile};
use crate::path::FilePath;
use crate::reason::{Reason, ReasonCode};
use crate::record::{Format, Notes, Record, SCHEMA};
use crate::run::RunError;

/// The number of records written at once.
const BATCH: usize = 4096;

/// The outcome of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportOutcome {
    /// The number of records that were made.
    pub imported: u64,
    /// The number of files whose record already has the same hash.
    pub already_recorded: u64,
    /// Files whose record has another hash. The record is kept.
    pub conflicts: Vec<Conflict>,
    /// The unused lines, with the reason.
    pub skipped: Vec<(usize, Reason)>,
}

/// A file whose record and list entry differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The file.
    pub path: FilePath,
    /// The recorded hash.
    pub recorded: Digest,
    /// The list's hash.
    pub listed: Digest,
}

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// For `sha256sum -c`.
    Sha256sums,
    /// For `hashdeep -a -k`.
    Hashdeep,
    /// For `rhash -c`.
    Rhash,
    /// One JSON object.
    Json,
    /// A table.
    Csv,
    /// Lines for people.
    Text,
}

impl HashFolder {
    /// Makes a record of each file in a list that has none. Relative names are resolved against `base`; files
    /// outside of `within` are skipped. No file is read: a verification shows if they match the list.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn import(
        &self,
        list: &List,
        base: &FilePath,
        within: Option<&FilePath>,
        now: Timestamp,
    ) -> Result<ImportOutcome, RunError> {
        let _lock = self.lock()?;
        self.sweep();
        let mut index = self.index()?;
        let skipped = list.skipped.iter();
        let mut imported = ImportOutcome {
            skipped: skipped
                .map(|line| (line.line, Reason::from(&line.reason)))
                .collect(),
            ..ImportOutcome::default()
        };
        let mut batch = Batch::new(self);
        for entry in &list.entries {
            let path = match resolve(&entry.path, base) {
                Ok(path) if within.is_none_or(|within| path.is_within(within)) => path,
                Ok(path) => {
                    let text = format!("{path} is outside of the folder");
                    let reason = Reason::new(ReasonCode::OutsideFolder, text);
                    imported.skipped.push((entry.line, reason));
                    continue;
                }
                Err(reason) => {
                    imported.skipped.push((entry.line, reason));
                    continue;
                }
            };
            match index.rows.get(&path) {
                Some(row) if row.digest == entry.digest => imported.already_recorded += 1,
                Some(row) => imported.conflicts.push(Conflict {
                    path,
                    recorded: row.digest,
                    listed: entry.digest,
                }),
                None => {
                    let record = record_from_list(path.clone(), entry.digest, now);
                    let name = self.name_for(&path);
                    let kind = if name.starts_with(b"~") {
                        RecordKind::Encoded
                    } else {
                        RecordKind::Fallback
                    };
                    batch.put(name.clone(), &record, false);
                    index.rows.insert(path, Row::new(name, kind, &record));
                    imported.imported += 1;
                }
            }
            if batch.len() >= BATCH {
                self.commit(
                    &mut index,
                    std::mem::replace(&mut batch, Batch::new(self)),
                    &mut imported,
                )?;
            }
        }
        self.commit(&mut index, batch, &mut imported)?;
        self.save_index(&index)?;
        Ok(imported)
    }

    /// Writes the pending records. A taken name means that the file is not one of our records.
    fn commit(
        &self,
        index: &mut Index,
        batch: Batch<'_>,
        imported: &mut ImportOutcome,
    ) -> Result<(), RunError> {
        for name in batch.commit()? {
            index.rows.retain(|_, row| row.name != name);
            imported.imported -= 1;
            let name = String::from_utf8_lossy(&name);
            let text = format!("a file named {name} is in the hash folder already");
            let reason = Reason::new(ReasonCode::NameTaken, text);
            imported.skipped.push((0, reason));
        }
        Ok(())
    }
}

/// Returns a record without data about the file itself.
fn record_from_list(path: FilePath, digest: Digest, now: Timestamp) -> Record {
    Record {
        path,
        digest,
        format: Format::Schema(SCHEMA),
        notes: Notes {
            recorded_at: Some(now),
            ..Notes::default()
        },
        has_notes: true,
        analysis: Vec::new(),
        has_older_analysis: false,
    }
}

/// Returns the absolute, clean path of a name in a list.
fn resolve(name: &[u8], base: &FilePath) -> Result<FilePath, Reason> {
    let joined = base.as_path().join(Path::new(OsStr::from_bytes(name)));
    let mut clean = PathBuf::new();
    for component in joined.components() {
        match component {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => {
                clean.push(component)
            }
        }
    }
    FilePath::try_from(&*clean).map_err(|error| Reason::from(&error))
}

/// Writes records in some form: all, or those of a folder. Returns the files that the form cannot hold.
///
/// # Errors
/// Errors of the writer.
pub fn export(
    out: &mut impl Write,
    index: &Index,
    within: Option<&FilePath>,
    format: ExportFormat,
) -> io::Result<Vec<OmittedFile>> {
    let chosen;
    let index = match within {
        Some(folder) => {
            let rows = index
                .within(folder)
                .map(|(path, row)| (path.clone(), row.clone()));
            chosen = Index {
                rows: rows.collect(),
                problems: Vec::new(),
            };
            &chosen
        }
        None => index,
    };
    let rows = index.rows.iter();
    let files = rows.map(|(path, row)| (path, &row.digest, row.stat.map(|stat| stat.size)));
    let done = match format {
        ExportFormat::Sha256sums => lists::write_sha256sums(out, files, within),
        ExportFormat::Hashdeep => return lists::write_hashdeep(out, files, within),
        ExportFormat::Rhash => return lists::write_rhash(out, files, within),
        ExportFormat::Json => lists::records_json(out, index),
        ExportFormat::Csv => lists::records_csv(out, index),
        ExportFormat::Text => lists::records_text(out, index),
    };
    done.map(|()| Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_resolved_from_the_base_folder() {
        let base = FilePath::new("/photos/2026").unwrap();
        let resolved = |name: &[u8]| resolve(name, &base).map(|path| path.to_text().into_owned());
        assert_eq!(resolved(b"./a//b").as_deref(), Ok("/photos/2026/a/b"));
        assert_eq!(resolved(b"../c").as_deref(), Ok("/photos/c"));
        assert_eq!(resolved(b"/etc/d").as_deref(), Ok("/etc/d"));
        assert!(resolved(b"a\0").is_err());
    }
}
