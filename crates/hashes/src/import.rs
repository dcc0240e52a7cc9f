//! Lists of other programs: records made from them, and records exported to them.

use std::collections::BTreeSet;
use std::io::{self, Write};

use jiff::Timestamp;
use serde::Deserialize;

use crate::checksum::Algorithm;
use crate::digest::Digest;
use crate::folder::{Batch, HashFolder, Index, RecordKind, RecordRow};
use crate::lists::{self, List, ListEntry, ListedNames, OmittedFile};
use crate::path::FilePath;
use crate::reason::{Reason, ReasonCode};
use crate::record::{Format, Notes, Record, SCHEMA};
use crate::reported::Reported;
use crate::run::RunError;

/// The number of records written at once.
const BATCH: usize = 4096;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportOutcome {
    /// The number of records that were made.
    pub imported: u64,
    /// The number of files whose record already has the same hash.
    pub already_recorded: u64,
    /// Files whose record has another hash. The record is kept.
    pub conflicts: Reported<Conflict>,
    /// Files whose names have another Unicode form than in the list, with the number of the line.
    pub other_forms: Reported<(usize, FilePath)>,
    /// The unused lines, with the reason.
    pub skipped: Reported<(usize, Reason)>,
}

impl ImportOutcome {
    /// Returns the different reasons for unused lines, if no line was used.
    #[must_use]
    pub fn reasons_for_nothing(&self) -> Option<BTreeSet<&Reason>> {
        let is_nothing =
            self.imported == 0 && self.already_recorded == 0 && self.conflicts.is_empty();
        is_nothing.then(|| self.skipped.iter().map(|(_, reason)| reason).collect())
    }
}

/// A file whose record and list entry differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    pub path: FilePath,
    /// The recorded hash.
    pub recorded: Digest,
    /// The list's hash.
    pub listed: Digest,
}

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = HashExportFormat))]
#[serde(rename_all = "snake_case")]
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
    /// Makes a record of each file in a list that has none. Relative names are resolved against `base`; if the
    /// import `is_confined`, files outside of it are skipped. No file is read: a verification shows if they match
    /// the list.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn import(
        &self,
        list: &List,
        base: &FilePath,
        is_confined: bool,
        now: Timestamp,
    ) -> Result<ImportOutcome, RunError> {
        let _lock = self.lock()?;
        self.sweep();
        let mut index = self.index()?;
        let mut imported = ImportOutcome {
            skipped: (list.skipped).map(|line| (line.line, Reason::from(&line.reason))),
            ..ImportOutcome::default()
        };
        let mut names = ListedNames::new(base, is_confined);
        let mut batch = Batch::new(self);
        for entry in &list.entries {
            let (path, digest) = match recordable(entry, &mut names) {
                Ok((path, digest, is_other_form)) => {
                    if is_other_form {
                        imported.other_forms.push((entry.line, path.clone()));
                    }
                    (path, digest)
                }
                Err(reason) => {
                    imported.skipped.push((entry.line, reason));
                    continue;
                }
            };
            match index.rows.get(&path) {
                Some(row) if row.digest == digest => imported.already_recorded += 1,
                Some(row) => imported.conflicts.push(Conflict {
                    path,
                    recorded: row.digest,
                    listed: digest,
                }),
                None => {
                    let record = record_from_list(path.clone(), digest, now);
                    let name = self.name_for(&path);
                    let kind = if name.starts_with(b"~") {
                        RecordKind::Encoded
                    } else {
                        RecordKind::Fallback
                    };
                    batch.put(name.clone(), &record, false);
                    index.rows.insert(path, RecordRow::new(name, kind, &record));
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
        imported.skipped.sort();
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

/// Returns the file of an entry, its hash, and true if its name on the disk has another Unicode form.
fn recordable(
    entry: &ListEntry,
    names: &mut ListedNames,
) -> Result<(FilePath, Digest, bool), Reason> {
    if entry.checksum.algorithm() != Algorithm::Sha256 {
        let name = entry.checksum.algorithm().name();
        let text = format!("the hash is {name}; only SHA-256 is recorded");
        return Err(Reason::new(ReasonCode::OtherAlgorithm, text));
    }
    let mut digest = Digest([0; 32]);
    digest.0.copy_from_slice(entry.checksum.as_bytes());
    let file = names.find(&entry.path);
    let file = file.map_err(|error| Reason::from(&error))?;
    Ok((file.path, digest, file.is_other_form))
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
