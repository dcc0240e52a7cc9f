//! Recording of the current contents of files.

use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use parking_lot::{Mutex, MutexGuard};

use super::report::{Finding, Report};
use super::scope::{Scope, Survey, in_scope};
use super::walk::{WalkOptions, WalkedFile};
use super::{RunError, RunObserver, pool};
use crate::contents::{self, Contents, ReadError};
use crate::folder::{Batch, HashFolder, Index, Problem, RecordKind, RecordRow, WriteError};
use crate::lossy;
use crate::path::FilePath;
use crate::reason::{Reason, ReasonCode};
use crate::record::{self, Record};
use crate::state::{FileState, is_unchanged, judge};

/// The largest number of records written at once: a sync of the disk costs the same for all of them.
const BATCH: usize = 4096;
/// The longest time for which a record waits for others.
const BATCH_TIME: Duration = Duration::from_secs(2);

/// The options of recording.
#[derive(Debug, Clone, Default)]
pub struct RecordOptions {
    /// Reads unchanged files as well.
    pub full: bool,
    /// Overwrites malformed records.
    pub force: bool,
    /// The choice of files in a folder.
    pub walk: WalkOptions,
}

impl HashFolder {
    /// Records the new and changed files of a scope. A file that was damaged, or changed without a change of
    /// its times, keeps its record, and is reported.
    ///
    /// # Errors
    /// [`RunError`]; problems of single files are in the report.
    pub fn record(
        &self,
        paths: &[FilePath],
        options: &RecordOptions,
        now: &(dyn Fn() -> Timestamp + Sync),
        observer: &dyn RunObserver,
    ) -> Result<Report, RunError> {
        let _lock = self.lock()?;
        self.sweep();
        let scope = Scope::Paths(paths.to_vec());
        let (mut index, _) = self.index_reading(|index| {
            let rows = in_scope(index, &scope).into_iter();
            let paths = rows.map(|(path, _)| path.clone());
            paths.filter(|_| options.full).collect()
        })?;
        let survey = Survey::new(&scope, self, &index, &options.walk)?;
        let mut report = Report {
            skipped: survey.skipped.clone(),
            ..Report::default()
        };
        for path in survey.unknown.iter().chain(&survey.absent) {
            report.add(missing_finding(path));
        }
        for path in paths.iter().filter(|path| index.rows.contains_key(path)) {
            let is_found = survey.files.contains_key(path) || survey.walked.contains(path);
            if !is_found && survey.unreachable.place_of(path).is_none() {
                report.add(missing_finding(path));
            }
        }
        for (path, error) in &survey.refused {
            report
                .add(Finding::new(path.clone(), FileState::Unreadable).with_reason(error.clone()));
        }
        for finding in survey.unreachable.findings() {
            report.add(finding);
        }
        let run = RecordRun {
            folder: self,
            index: &index,
            options,
            now,
            to: Mutex::new(PendingWrites::new(self, report)),
        };
        let tasks = run.tasks(&survey);
        run.read(tasks, observer)?;
        let PendingWrites {
            mut report,
            rows,
            differing,
            ..
        } = run.finish()?;
        for (path, row) in rows {
            index.problems.retain(|problem| problem.name != row.name);
            index.rows.insert(path, row);
        }
        for (path, state) in differing {
            if let Some(row) = index.rows.get_mut(&path) {
                row.state = Some(state);
            }
        }
        if !report.is_cancelled {
            // A file system that is mounted within may be absent later.
            self.add_roots(&survey.walked)?;
            self.add_roots(&survey.mount_points)?;
        }
        self.save_index(&index)?;
        report.sort();
        Ok(report)
    }
}

struct RecordRun<'a> {
    folder: &'a HashFolder,
    index: &'a Index,
    options: &'a RecordOptions,
    now: &'a (dyn Fn() -> Timestamp + Sync),
    to: Mutex<PendingWrites<'a>>,
}

/// The records that are not yet written, and the report so far.
struct PendingWrites<'a> {
    batch: Batch<'a>,
    /// The index rows of the batch's records, in its order.
    waiting: Vec<(FilePath, RecordRow)>,
    rows: Vec<(FilePath, RecordRow)>,
    /// Files that differ from their records, which are kept.
    differing: Vec<(FilePath, FileState)>,
    since: Instant,
    report: Report,
    failed: Option<WriteError>,
}

/// A file to read.
struct Task {
    path: FilePath,
    found: WalkedFile,
}

impl<'a> RecordRun<'a> {
    /// Returns the files that have to be read.
    fn tasks(&self, survey: &Survey) -> Vec<(u64, Task)> {
        let mut tasks = Vec::new();
        let mut unread = 0;
        for (path, found) in &survey.files {
            let row = self.index.rows.get(path);
            let is_sound = |row: &&RecordRow| {
                let is_ok = matches!(row.state, None | Some(FileState::Ok));
                is_ok && row.stat.is_some() && !row.is_newer
            };
            match row.filter(is_sound) {
                Some(row) if !self.options.full && is_unchanged(&row.baseline(), &found.stat) => {
                    unread += 1
                }
                Some(_) | None => tasks.push((
                    found.device,
                    Task {
                        path: path.clone(),
                        found: *found,
                    },
                )),
            }
        }
        self.pending().report.files_unread = unread;
        tasks
    }

    fn read(&self, tasks: Vec<(u64, Task)>, observer: &dyn RunObserver) -> Result<(), RunError> {
        let total = tasks.iter().map(|(_, task)| task.found.stat.size).sum();
        let done = AtomicU64::new(0);
        let may_continue = |count: u64| {
            let done = done.fetch_add(count, Ordering::Relaxed) + count;
            observer.advance(done, total)
        };
        pool::for_each(tasks, |task| {
            let is_over = {
                let pending = self.pending();
                pending.report.is_cancelled || pending.failed.is_some()
            };
            if is_over {
                return;
            }
            if !may_continue(0) {
                self.pending().report.is_cancelled = true;
                return;
            }
            if let Err(finding) = self.refuse(&task) {
                self.pending().report.add(*finding);
                return;
            }
            match contents::read(&task.path, &may_continue) {
                Ok(read) => self.take(&task.path, &read),
                Err(ReadError::Cancelled) => self.pending().report.is_cancelled = true,
                Err(error) => {
                    let state = if matches!(error, ReadError::Missing) {
                        FileState::Missing
                    } else {
                        FileState::Unreadable
                    };
                    let finding = Finding::new(task.path, state).with_stat(&task.found.stat);
                    self.pending().report.add(finding.with_reason(&error));
                }
            }
        })
    }

    /// Reports a file that must not be recorded, because its record would weaken another program's protection,
    /// or lose text of the existing record.
    fn refuse(&self, task: &Task) -> Result<(), Box<Finding>> {
        let refused = |state, reason: Reason| {
            Err(Box::new(
                Finding::new(task.path.clone(), state)
                    .with_stat(&task.found.stat)
                    .with_reason(reason),
            ))
        };
        let row = self.index.rows.get(&task.path);
        let is_program = || {
            task.found.is_executable
                || row.is_some_and(|row| row.has_analysis)
                || is_script(&task.path)
        };
        if !self.folder.is_own() && is_program() {
            let reason = "programs are not recorded into another program's hash folder: a record without an analysis weakens its check";
            let reason = Reason::new(ReasonCode::ProgramOfOthers, reason);
            return refused(FileState::Unreadable, reason);
        }
        match row {
            Some(row) if row.is_newer => {
                let text = "a later version of a program wrote the record; it is not overwritten";
                let reason = Reason::new(ReasonCode::NewerRecord, text);
                return refused(FileState::Unreadable, reason);
            }
            Some(_) => return Ok(()),
            None => {}
        }
        let name = self.folder.name_for(&task.path);
        let problem = self
            .index
            .problems
            .iter()
            .find(|problem| problem.name == name);
        match problem {
            Some(problem) if !self.may_replace(problem) => {
                refused(problem.state, problem.reason.clone())
            }
            _ => Ok(()),
        }
    }

    /// Returns true if a problem may be overwritten: only a malformed record, and only on request. The record
    /// of another file never is.
    fn may_replace(&self, problem: &Problem) -> bool {
        self.options.force && problem.state == FileState::Malformed
    }

    /// Decides about a file that was read.
    fn take(&self, path: &FilePath, read: &Contents) {
        let now = (self.now)();
        let row = self.index.rows.get(path);
        let (state, record) = match row {
            None => (FileState::Ok, Ok(Record::new(path.clone(), read, now))),
            Some(row) => {
                let state = judge(&row.baseline(), read.digest, &read.stat);
                let old = match record::load(&self.folder.file(&row.name)) {
                    // Another program has rewritten it during the run.
                    Ok(old) if !lossy::is_record_of(&old, path) => {
                        let text = format!("the record is about {}", old.path);
                        let finding = Finding::new(path.clone(), FileState::Collision);
                        let reason = Reason::new(ReasonCode::OtherPath, text);
                        self.pending().report.add(finding.with_reason(reason));
                        return;
                    }
                    old => old,
                };
                (
                    state,
                    old.map(|old| Record {
                        // Another program may have replaced bytes in the path.
                        path: path.clone(),
                        ..old.renewed(read, state, now)
                    }),
                )
            }
        };
        let mut pending = self.pending();
        pending.report.files_read += 1;
        pending.report.bytes_read += read.stat.size;
        if self.keeps_record(state) {
            pending.differing.push((path.clone(), state));
            let mut finding = Finding::new(path.clone(), state).with_stat(&read.stat);
            finding.expected = row.map(|row| row.digest.into());
            finding.actual = Some(read.digest.into());
            let text = "the record is kept: accept the contents, or restore the file";
            let reason = Reason::new(ReasonCode::RecordKept, text);
            pending.report.add(finding.with_reason(reason));
            return;
        }
        match record {
            Ok(record) => {
                pending.report.summary.add(FileState::Ok, 1);
                if let Some(row) = row.filter(|row| row.digest != read.digest) {
                    pending.report_replaced(path, row, read);
                }
                self.put(&mut pending, &record, row);
            }
            Err(error) => {
                let finding = Finding::new(path.clone(), FileState::Malformed);
                pending.report.add(finding.with_reason(&error));
            }
        }
    }

    /// Returns true if the contents differ and an ordinary edit does not explain it: only a user can decide
    /// which contents count. Another program's records have no times, and are left to that program.
    fn keeps_record(&self, state: FileState) -> bool {
        match state {
            FileState::Corrupt | FileState::Altered | FileState::Racy => true,
            FileState::Differs => self.folder.is_own(),
            FileState::Ok
            | FileState::Changed
            | FileState::Touched
            | FileState::New
            | FileState::Moved
            | FileState::Missing
            | FileState::RootAway
            | FileState::Unreadable
            | FileState::Orphan
            | FileState::Malformed
            | FileState::Collision
            | FileState::Legacy
            | FileState::Foreign => false,
        }
    }

    fn put(&self, pending: &mut PendingWrites<'a>, record: &Record, row: Option<&RecordRow>) {
        let reusable = row.filter(|row| !row.name.ends_with(b".sha256"));
        let (name, kind) = match reusable {
            Some(row) => (row.name.clone(), row.kind),
            None => {
                let name = self.folder.name_for(&record.path);
                let kind = if name.starts_with(b"~") {
                    RecordKind::Encoded
                } else {
                    RecordKind::Fallback
                };
                (name, kind)
            }
        };
        let forced = self
            .index
            .problems
            .iter()
            .any(|problem| problem.name == name);
        pending
            .batch
            .put(name.clone(), record, reusable.is_some() || forced);
        let row = RecordRow {
            state: Some(FileState::Ok),
            ..RecordRow::new(name, kind, record)
        };
        pending.waiting.push((record.path.clone(), row));
        if pending.batch.len() >= BATCH || pending.since.elapsed() > BATCH_TIME {
            pending.commit(self.folder);
        }
    }

    fn finish(self) -> Result<PendingWrites<'a>, RunError> {
        let folder = self.folder;
        let mut pending = self.to.into_inner();
        pending.commit(folder);
        match pending.failed.take() {
            Some(error) => Err(error.into()),
            None => Ok(pending),
        }
    }

    fn pending(&self) -> MutexGuard<'_, PendingWrites<'a>> {
        self.to.lock()
    }
}

impl<'a> PendingWrites<'a> {
    fn new(folder: &'a HashFolder, report: Report) -> Self {
        Self {
            batch: Batch::new(folder),
            waiting: Vec::new(),
            rows: Vec::new(),
            differing: Vec::new(),
            since: Instant::now(),
            report,
            failed: None,
        }
    }

    /// Reports an edited file that is recorded again. It now matches its record, and the summary counts it as such.
    fn report_replaced(&mut self, path: &FilePath, row: &RecordRow, read: &Contents) {
        let mut finding = Finding::new(path.clone(), FileState::Changed)
            .expecting(row.digest)
            .with_stat(&read.stat);
        finding.actual = Some(read.digest.into());
        self.report.replaced += 1;
        let text = "recorded again; the old hash is in the record's history";
        let reason = Reason::new(ReasonCode::RecordedAgain, text);
        self.report.findings.push(finding.with_reason(reason));
    }

    /// Writes the waiting records.
    fn commit(&mut self, folder: &'a HashFolder) {
        if self.failed.is_some() {
            return;
        }
        let batch = std::mem::replace(&mut self.batch, Batch::new(folder));
        let waiting = std::mem::take(&mut self.waiting);
        self.since = Instant::now();
        match batch.commit() {
            Ok(taken) => {
                for (path, row) in waiting {
                    if taken.contains(&row.name) {
                        self.report_taken(folder, path, &row.name);
                    } else {
                        self.report.written += 1;
                        self.rows.push((path, row));
                    }
                }
            }
            Err(error) => self.failed = Some(error),
        }
    }

    /// Reports a file whose record's name is already taken by that of another path, on a file system that
    /// ignores case.
    fn report_taken(&mut self, folder: &HashFolder, path: FilePath, name: &[u8]) {
        let other = record::load(&folder.file(name)).map(|record| record.path.to_string());
        let text = match other {
            Ok(other) => format!("the hash folder takes the record's name for that of {other}"),
            Err(error) => format!("a file with the record's name is in the hash folder: {error}"),
        };
        let counted = self.report.summary.count(FileState::Ok);
        self.report
            .summary
            .0
            .insert(FileState::Ok, counted.saturating_sub(1));
        self.report.add(
            Finding::new(path, FileState::Collision)
                .with_reason(Reason::new(ReasonCode::NameTaken, text)),
        );
    }
}

fn missing_finding(path: &FilePath) -> Finding {
    Finding::new(path.clone(), FileState::Missing).with_reason(&ReadError::Missing)
}

fn is_script(path: &FilePath) -> bool {
    let mut start = [0; 2];
    let file = path.open_file();
    file.is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start == *b"#!"
}
