//! The check of everything that is stored, and its repair: the wiki, the search index, the thumbnail cache, hash
//! records, the mirror and backups.

use fumikura_expiry::CacheFaults;
use fumikura_hashes::{HashFolder, OpenError, RecordKind};
use fumikura_searcher::IndexFault;
use fumikura_wiki::{
    CheckError, CheckReport, Depth, Fault, RepairError, RepairReport, StorageError, list_backups,
};
use serde_json::{Value, json};

use super::watching;
use crate::jobs::{JobError, JobOutcome, Progress};
use crate::services::Checker;

/// The largest number of damaged hash records that are named.
const MAX_RECORDS: usize = 20;

/// A fault of what is beside the wiki.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OtherFault {
    place: &'static str,
    words: String,
    repairable: bool,
}

/// The faults of what is beside the wiki.
#[derive(Default)]
struct OtherFaults {
    index: Vec<IndexFault>,
    cache: CacheFaults,
    /// Faults that can't be repaired.
    lasting: Vec<OtherFault>,
}

impl OtherFaults {
    fn words(&self) -> Vec<OtherFault> {
        let repairable = |place, words| OtherFault {
            place,
            words,
            repairable: true,
        };
        let index = self.index.iter();
        let mut found: Vec<OtherFault> = index
            .map(|fault| repairable("search index", fault.to_string()))
            .collect();
        for (count, one, many) in [
            (
                self.cache.damaged.len(),
                "thumbnail is damaged",
                "thumbnails are damaged",
            ),
            (
                self.cache.missing.len(),
                "entry of the index has no file",
                "entries of the index have no file",
            ),
            (
                self.cache.unlisted.len(),
                "file is not in the index",
                "files are not in the index",
            ),
        ] {
            let words = if count == 1 { one } else { many };
            if count > 0 {
                found.push(repairable("thumbnail cache", format!("{count} {words}")));
            }
        }
        found.extend(self.lasting.iter().cloned());
        found
    }
}

impl Checker {
    /// Checks everything. Nothing is changed.
    pub(crate) fn check(&self, progress: &Progress) -> JobOutcome {
        let depth = Depth::Everything;
        let checked = self
            .wiki
            .check_with_progress(depth, &mut watching(progress));
        let report = checked.map_err(check_error)?;
        let others = self.check_others(progress)?.words();
        Ok(self.written(&report, &others, Vec::new(), None)?)
    }

    /// Repairs what can be repaired without a loss, and checks again.
    pub(crate) fn repair(&self, progress: &Progress) -> JobOutcome {
        let backups = self.config.backups();
        let repaired = self
            .wiki
            .backups()
            .repair(&backups, &mut watching(progress));
        let RepairReport {
            copy,
            repaired,
            after,
        } = match repaired {
            Ok(report) => report,
            Err(RepairError::Cancelled) => return Err(JobError::Cancelled),
            Err(error) => return Err(error.into()),
        };
        let found = self.check_others(progress)?;
        let before = found.words();
        self.repair_others(&found, progress)?;
        let others = match before.iter().any(|fault| fault.repairable) {
            true => self.check_others(progress)?.words(),
            false => before.clone(),
        };
        let gone = before.iter().filter(|fault| !others.contains(fault));
        let written = |place: &str, words: &str| {
            tracing::info!("repaired: {place}: {words}");
            json!({"place": place, "words": words})
        };
        let repaired = repaired.iter();
        let repaired = repaired.map(|fault| written(fault.place, &fault.words));
        let gone = gone.map(|fault| written(fault.place, &fault.words));
        let copy = copy.map(|copy| copy.display().to_string());
        Ok(self.written(&after, &others, repaired.chain(gone).collect(), copy)?)
    }

    fn check_others(&self, progress: &Progress) -> Result<OtherFaults, JobError> {
        let goes_on = || !progress.state().cancelled;
        let index = self.search.check(&self.wiki)?;
        let mut lasting = Vec::new();
        let cache = match self.expiry.check_cache(&goes_on) {
            Ok(cache) => cache,
            Err(error) => {
                lasting.push(unreadable("thumbnail cache", &error));
                CacheFaults::default()
            }
        };
        self.check_hash_records(&mut lasting);
        let outside = self.mirroring.faults(&|| progress.state().cancelled);
        lasting.extend(outside.into_iter().map(|words| OtherFault {
            place: "mirror",
            words,
            repairable: false,
        }));
        let backups = self.config.backups();
        let parts = self.wiki.backups();
        let inspected = parts.inspect(&backups, &mut watching(progress));
        let inspected = inspected.map_err(check_error)?;
        lasting.extend(inspected.into_iter().map(|fault| OtherFault {
            place: fault.place,
            words: fault.words,
            repairable: false,
        }));
        if progress.state().cancelled {
            return Err(JobError::Cancelled);
        }
        Ok(OtherFaults {
            index,
            cache,
            lasting,
        })
    }

    /// Reads the records in the program's own hash folder, if there is one.
    fn check_hash_records(&self, faults: &mut Vec<OtherFault>) {
        let folder = match HashFolder::open(&self.config.hashes()) {
            Ok(folder) => folder,
            Err(OpenError::Missing(_)) => return,
            Err(error) => return faults.push(unreadable("hash records", &error)),
        };
        let index = match folder.rebuilt_index() {
            Ok(index) => index,
            Err(error) => return faults.push(unreadable("hash records", &error)),
        };
        let damaged = index.problems.iter();
        let damaged = damaged.filter(|problem| problem.kind != RecordKind::Foreign);
        faults.extend(damaged.take(MAX_RECORDS).map(|problem| {
            let name = String::from_utf8_lossy(&problem.name);
            OtherFault {
                place: "hash records",
                words: format!("{name}: {}", problem.reason),
                repairable: false,
            }
        }));
    }

    fn repair_others(&self, found: &OtherFaults, progress: &Progress) -> Result<(), StorageError> {
        if !found.index.is_empty() {
            let mut goes_on = || !progress.state().cancelled;
            self.search.rebuild(&self.wiki, &found.index, &mut goes_on);
        }
        let CacheFaults {
            damaged,
            missing,
            unlisted,
        } = &found.cache;
        if damaged.len() + missing.len() + unlisted.len() > 0 {
            self.expiry.repair_cache(&found.cache)?;
        }
        Ok(())
    }

    /// Returns the job's result.
    fn written(
        &self,
        report: &CheckReport,
        others: &[OtherFault],
        repaired: Vec<Value>,
        copy: Option<String>,
    ) -> Result<Value, StorageError> {
        let backups = self.config.backups();
        let remaining = |fault: &Fault| {
            let repairable = self.wiki.backups().can_repair(&backups, fault)?;
            Ok(json!({"place": fault.place, "words": fault.words, "repairable": repairable}))
        };
        let faults: Result<Vec<Value>, StorageError> =
            report.faults.iter().map(remaining).collect();
        let mut faults = faults?;
        faults.extend(others.iter().map(|fault| {
            json!({"place": fault.place, "words": fault.words, "repairable": fault.repairable})
        }));
        let listed = list_backups(&backups)?;
        let proved = listed
            .iter()
            .find(|backup| backup.record.proved_at.is_some());
        Ok(json!({
            "pages": report.pages,
            "revisions": report.revisions,
            "faults": faults,
            "repaired": repaired,
            "copy": copy,
            "last_proved_backup": proved.map(|backup| backup.record.taken_at.to_string()),
        }))
    }
}

fn unreadable(place: &'static str, error: &dyn std::fmt::Display) -> OtherFault {
    OtherFault {
        place,
        words: format!("can't be read: {error}"),
        repairable: false,
    }
}

fn check_error(error: CheckError) -> JobError {
    match error {
        CheckError::Cancelled => JobError::Cancelled,
        CheckError::Storage(error) => error.into(),
    }
}
