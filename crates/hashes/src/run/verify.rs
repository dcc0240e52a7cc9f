//! Verification: compares files with their records.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use rustix::fs::FileType;

use super::mount_points::MountPoints;
use super::reader::{ReadRequest, ReadResults, Reader, Task, parts};
use super::report::{Finding, Report};
use super::scope::{Scope, Survey, in_scope, lossy_file};
use super::walk::{WalkOptions, WalkedFile};
use super::{RunError, RunObserver, moves};
use crate::access::kind_of;
use crate::contents::{Contents, ReadError};
use crate::digest::Digest;
use crate::folder::{HashFolder, Index, Problem, RecordRow, UnfinishedRun};
use crate::path::FilePath;
use crate::reason::{Reason, ReasonCode};
use crate::stat::FileStat;
use crate::state::{FileState, is_unchanged, judge};

/// The options of verification.
#[derive(Debug, Clone, Default)]
pub struct VerifyOptions {
    /// Reads only files whose size or times have changed, which reveals no damage. Otherwise every file is read.
    pub quick: bool,
    /// Continues an interrupted verification of the same files that reads all of them.
    pub resume: bool,
    /// Verifies a part that is not resumed: the mark of an interrupted verification stays.
    pub is_part: bool,
    /// The choice of files in a folder.
    pub walk: WalkOptions,
}

impl HashFolder {
    /// Compares the files of a scope with their records. The results are stored in the folder's index, if the
    /// folder is this program's own and no other process is writing there.
    ///
    /// # Errors
    /// [`RunError`]; problems of single files are in the report.
    pub fn verify(
        &self,
        scope: &Scope,
        options: &VerifyOptions,
        now: Timestamp,
        observer: &dyn RunObserver,
    ) -> Result<Report, RunError> {
        // A verification that reads files also reads their records, which may be damaged like any file.
        let (index, is_renewed) = match scope {
            Scope::Everything if !options.quick => (self.rebuilt_index()?, true),
            Scope::Paths(_) if !options.quick => self.index_reading(|index| {
                let rows = in_scope(index, scope).into_iter();
                rows.map(|(path, _)| path.clone()).collect()
            })?,
            Scope::Everything | Scope::Paths(_) => self.index_reading(|_| BTreeSet::new())?,
        };
        let since = self.begin_reading(scope, options, now)?;
        let mut survey = Survey::new(scope, self, &index, &options.walk)?;
        survey.look_up(&in_scope(&index, scope), self, &index, &options.walk)?;
        let mounts = MountPoints::new(self.roots()?);
        let mut run = VerifyRun {
            index: &index,
            report: Report {
                skipped: survey.skipped.clone(),
                ..Report::default()
            },
            found: Vec::new(),
            differing: BTreeMap::new(),
        };
        run.report_unsurveyed(&survey);
        let (requests, missing) = run.partition(scope, &survey, options.quick, since);
        let new = new_files(&survey, &index);
        let new_tasks = candidates(&missing, &new, &index);
        let requests = requests.into_iter().map(Task::Recorded).collect();
        let reader = Reader::new(&survey, observer, &new_tasks, &requests);
        let results = reader.read(new_tasks)?;
        run.count(&results);
        let new_digests = results.new;
        for part in parts(requests) {
            if run.report.is_cancelled {
                break;
            }
            let results = reader.read(part)?;
            run.count(&results);
            run.take_results(results.recorded, &survey);
            self.note_verifications(&index, std::mem::take(&mut run.found), now);
        }
        // Nothing is known of files that were not read.
        if !run.report.is_cancelled {
            run.take_missing(missing, &new, &new_digests, &mounts);
            self.note_verifications(&index, std::mem::take(&mut run.found), now);
        }
        // Other views of the records learn of those that were rewritten.
        if is_renewed {
            self.store_states(&index, Vec::new(), now);
        }
        run.report_problems(self, scope);
        let mut report = run.report;
        report.sort();
        if !options.quick && !options.is_part && !report.is_cancelled {
            self.clear_unfinished_run()?;
        }
        Ok(report)
    }

    /// Marks the start of a verification that reads all files. If it resumes another one, returns the time since
    /// which files count as verified.
    fn begin_reading(
        &self,
        scope: &Scope,
        options: &VerifyOptions,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, RunError> {
        if options.quick || options.is_part {
            return Ok(None);
        }
        let scope = format!("{scope:?}");
        let unfinished = self
            .unfinished_run()
            .filter(|unfinished| unfinished.scope == scope);
        if let Some(unfinished) = unfinished.filter(|_| options.resume) {
            return Ok(Some(unfinished.started_at));
        }
        self.store_unfinished_run(&UnfinishedRun {
            started_at: now,
            scope,
        })?;
        Ok(None)
    }

    /// Stores the times of this verification. Losing them costs no more than another verification.
    fn note_verifications(
        &self,
        index: &Index,
        states: Vec<(FilePath, FileState)>,
        now: Timestamp,
    ) {
        if !states.is_empty() {
            self.store_states(index, states, now);
        }
    }

    fn store_states(&self, index: &Index, states: Vec<(FilePath, FileState)>, now: Timestamp) {
        if !self.is_own() {
            return;
        }
        let noted = self.lock().and_then(|_lock| {
            // Another process may have written records meanwhile, and the stored index may be wrong about others.
            let (mut current, _) = self.index_reading(|stored| stored.differing_from(index))?;
            current.record_states(index, states, now);
            self.save_index(&current)
        });
        if let Err(error) = noted {
            tracing::warn!("verification times can't be stored: {error}");
        }
    }
}

impl Index {
    /// Returns the files whose rows are not those of another index.
    fn differing_from(&self, other: &Index) -> BTreeSet<FilePath> {
        let is_equal = |path: &FilePath, row: &RecordRow| {
            let of = |row: &RecordRow| (row.digest, row.stat);
            other.rows.get(path).map(of) == Some(of(row))
        };
        let rows = self.rows.iter();
        rows.filter(|(path, row)| !is_equal(path, row))
            .map(|(path, _)| path.clone())
            .collect()
    }

    /// Stores the findings of a verification for records that are unchanged since.
    fn record_states(
        &mut self,
        verified: &Index,
        states: Vec<(FilePath, FileState)>,
        now: Timestamp,
    ) {
        for (path, state) in states {
            let (Some(row), Some(before)) = (self.rows.get_mut(&path), verified.rows.get(&path))
            else {
                continue;
            };
            if (row.digest, row.stat) != (before.digest, before.stat) {
                continue;
            }
            row.state = Some(state);
            if matches!(state, FileState::Ok | FileState::Touched) {
                row.verified_at = Some(now);
            }
        }
    }
}

/// A verification in progress.
struct VerifyRun<'a> {
    index: &'a Index,
    report: Report,
    /// Recorded files and their states.
    found: Vec<(FilePath, FileState)>,
    /// The recorded files that were read and differ from their records.
    differing: BTreeMap<FilePath, FileState>,
}

impl VerifyRun<'_> {
    /// Reports the absent and unreadable folders of the scope, each as one finding, and its unknown paths.
    fn report_unsurveyed(&mut self, survey: &Survey) {
        for folder in &survey.absent {
            let files = self.index.within(folder).count() as u64;
            let mut finding = Finding::new(folder.clone(), FileState::RootAway);
            finding.files = Some(files);
            self.report.add(finding);
        }
        for path in &survey.unknown {
            let finding = Finding::new(path.clone(), FileState::Missing);
            self.report.add(finding.with_reason(Reason::new(
                ReasonCode::NoRecord,
                "the file does not exist and has no record",
            )));
        }
        for (path, error) in &survey.refused {
            let finding = Finding::new(path.clone(), FileState::Unreadable);
            self.report.add(finding.with_reason(error.clone()));
        }
        for finding in survey.unreachable.findings() {
            self.report.add(finding);
        }
    }

    /// Sorts the recorded files of the scope: those to be read, and those that are missing. The rest is unchanged.
    fn partition(
        &mut self,
        scope: &Scope,
        survey: &Survey,
        is_quick: bool,
        since: Option<Timestamp>,
    ) -> (Vec<ReadRequest>, BTreeMap<FilePath, Digest>) {
        let mut requests = Vec::new();
        let mut missing = BTreeMap::new();
        let mut done = 0;
        for (path, row) in in_scope(self.index, scope) {
            if survey.unreachable.holds_file(path) {
                self.found.push((path.clone(), FileState::Unreadable));
                continue;
            }
            let is_absent = || survey.absent.iter().any(|folder| path.is_within(folder));
            if survey.left_out.contains(path) || is_absent() {
                continue;
            }
            let is_done = row
                .verified_at
                .zip(since)
                .is_some_and(|(at, since)| at >= since);
            // A file in another state is read until it matches its record again: the times do not reveal damage.
            let is_sound = matches!(row.state, None | Some(FileState::Ok));
            let is_skipped = |stat| is_sound && is_quick && is_unchanged(&row.baseline(), stat);
            match survey.files.get(path) {
                Some(_) if is_done => done += 1,
                Some(found) if is_skipped(&found.stat) => self.report.files_unread += 1,
                Some(found) => requests.push(ReadRequest::new(path, path, found)),
                None => match lossy_file(path, row) {
                    Ok(Some(at)) => requests.push(ReadRequest {
                        path: path.clone(),
                        size: size_of(&at),
                        at,
                    }),
                    Ok(None) | Err(_) => {
                        missing.insert(path.clone(), row.digest);
                    }
                },
            }
        }
        self.report.summary.add(FileState::Ok, done);
        (requests, missing)
    }

    fn count(&mut self, results: &ReadResults) {
        self.report.files_read += results.files;
        self.report.bytes_read += results.bytes;
        self.report.is_cancelled |= results.is_cancelled;
    }

    fn take_results(
        &mut self,
        requests: Vec<(ReadRequest, Result<Contents, ReadError>)>,
        survey: &Survey,
    ) {
        for (request, outcome) in requests {
            let row = &self.index.rows[&request.path];
            match outcome {
                Ok(read) => self.judge(request.path, row, &read),
                Err(ReadError::Missing) => {
                    self.report.add(missing_finding(&request.path, row));
                    self.differing
                        .insert(request.path.clone(), FileState::Missing);
                    self.found.push((request.path, FileState::Missing));
                }
                Err(ReadError::Cancelled) => {}
                Err(error) => {
                    let mut finding = Finding::new(request.path.clone(), FileState::Unreadable)
                        .expecting(row.digest);
                    if let Some(found) = survey.files.get(&request.path) {
                        finding = finding.with_stat(&found.stat);
                    }
                    self.report.add(finding.with_reason(&error));
                    self.differing
                        .insert(request.path.clone(), FileState::Unreadable);
                    self.found.push((request.path, FileState::Unreadable));
                }
            }
        }
    }

    fn judge(&mut self, path: FilePath, row: &RecordRow, read: &Contents) {
        let state = judge(&row.baseline(), read.digest, &read.stat);
        self.found.push((path.clone(), state));
        if state != FileState::Ok {
            self.differing.insert(path.clone(), state);
            let mut finding = Finding::new(path, state)
                .expecting(row.digest)
                .with_stat(&read.stat);
            finding.actual = Some(read.digest.into());
            self.report.add(finding);
        } else {
            self.report.summary.add(state, 1);
        }
    }

    /// Reports files that are missing, moved or new. Files on an absent disk are neither missing nor moved.
    fn take_missing(
        &mut self,
        mut missing: BTreeMap<FilePath, Digest>,
        new: &BTreeMap<FilePath, WalkedFile>,
        digests: &BTreeMap<FilePath, Digest>,
        mounts: &MountPoints,
    ) {
        let mut away: BTreeMap<FilePath, u64> = BTreeMap::new();
        missing.retain(|path, _| match mounts.unmounted_above(path) {
            Some(point) => {
                *away.entry(point).or_default() += 1;
                false
            }
            None => true,
        });
        for (point, files) in away {
            let mut finding = Finding::new(point, FileState::RootAway);
            finding.files = Some(files);
            self.report.add(finding);
        }
        let mut candidates = digests.clone();
        candidates.extend(self.recorded_elsewhere(&missing));
        let pairs = moves::pair(&missing, &candidates);
        self.found
            .extend(pairs.keys().map(|path| (path.clone(), FileState::Moved)));
        let targets: BTreeSet<_> = pairs.values().collect();
        for finding in moves::findings(&pairs, self.index) {
            self.report.add(finding);
        }
        for path in missing.keys().filter(|path| !pairs.contains_key(*path)) {
            self.report
                .add(missing_finding(path, &self.index.rows[path]));
            self.found.push((path.clone(), FileState::Missing));
        }
        for (path, found) in new.iter().filter(|(path, _)| !targets.contains(path)) {
            let mut finding = Finding::new(path.clone(), FileState::New).with_stat(&found.stat);
            finding.actual = digests.get(path).copied().map(Into::into);
            self.report.add(finding);
        }
    }

    /// Returns recorded files with the contents of missing ones that were recorded after these were last
    /// seen, and match their records: the place to which a file moved.
    fn recorded_elsewhere(
        &self,
        missing: &BTreeMap<FilePath, Digest>,
    ) -> BTreeMap<FilePath, Digest> {
        let mut last_seen: BTreeMap<Digest, Timestamp> = BTreeMap::new();
        for (path, digest) in missing {
            let Some(read_at) = self.index.rows[path].baseline().read_at else {
                continue;
            };
            let first = last_seen.entry(*digest).or_insert(read_at);
            *first = read_at.min(*first);
        }
        if last_seen.is_empty() {
            return BTreeMap::new();
        }
        let is_sound = |path: &FilePath, row: &RecordRow| match self.differing.get(path) {
            Some(state) => *state == FileState::Touched,
            None => is_as_recorded(path, row),
        };
        let rows = self.index.rows.iter();
        rows.filter(|(path, row)| {
            let seen = last_seen.get(&row.digest);
            let is_later = seen
                .zip(row.recorded_at)
                .is_some_and(|(seen, at)| at > *seen);
            is_later && !missing.contains_key(*path) && is_sound(path, row)
        })
        .map(|(path, row)| (path.clone(), row.digest))
        .collect()
    }

    /// Reports unusable records, each by its own path: all of them, or those of files in the scope.
    fn report_problems(&mut self, folder: &HashFolder, scope: &Scope) {
        for problem in self
            .index
            .problems
            .iter()
            .filter(|one| concerns(one, scope, self.index))
        {
            let file = FilePath::try_from(&*folder.file(&problem.name));
            let Ok(file) = file else { continue };
            self.report
                .add(Finding::new(file, problem.state).with_reason(problem.reason.clone()));
        }
        let is_everything = matches!(scope, Scope::Everything);
        for (path, row) in self.index.rows.iter().filter(|_| is_everything) {
            if row.kind == crate::folder::RecordKind::Legacy {
                let name = String::from_utf8_lossy(&row.name).into_owned();
                let finding = Finding::new(path.clone(), FileState::Legacy);
                let text = format!("its record has the older name {name}");
                self.report
                    .add(finding.with_reason(Reason::new(ReasonCode::OlderName, text)));
            }
        }
    }
}

/// Returns true if the scope contains a file without a usable record that the unusable one names, or that its name
/// encodes.
fn concerns(problem: &Problem, scope: &Scope, index: &Index) -> bool {
    let Scope::Paths(paths) = scope else {
        return true;
    };
    let stated = problem.path.clone();
    let stated = stated.and_then(|path| FilePath::new(path).ok());
    let encoded = crate::name::decode(&problem.name).ok();
    let is_in_scope = |file: &FilePath| paths.iter().any(|path| file.is_within(path));
    let mut files = stated.iter().chain(&encoded);
    files.any(|file| !index.rows.contains_key(file) && is_in_scope(file))
}

fn size_of(path: &FilePath) -> u64 {
    path.stat().map_or(0, |stat| FileStat::from(&stat).size)
}

/// Returns true if there is no sign of a change of the file since its record last matched.
fn is_as_recorded(path: &FilePath, row: &RecordRow) -> bool {
    let is_ok = matches!(row.state, None | Some(FileState::Ok));
    is_ok
        && path.stat().is_ok_and(|stat| {
            kind_of(&stat) == FileType::RegularFile
                && is_unchanged(&row.baseline(), &FileStat::from(&stat))
        })
}

fn missing_finding(path: &FilePath, row: &RecordRow) -> Finding {
    let finding = Finding::new(path.clone(), FileState::Missing).expecting(row.digest);
    match &row.stat {
        Some(stat) => finding.with_stat(stat),
        None => finding,
    }
}

/// Returns the files of walked folders without a record.
fn new_files(survey: &Survey, index: &Index) -> BTreeMap<FilePath, WalkedFile> {
    let others: BTreeSet<_> = index
        .rows
        .iter()
        .filter_map(|(path, row)| lossy_file(path, row).ok().flatten())
        .collect();
    let files = survey.files.iter();
    files
        .filter(|(path, _)| !index.rows.contains_key(path) && !others.contains(path))
        .map(|(path, found)| (path.clone(), *found))
        .collect()
}

/// Returns new files that could be missing ones: those of the same size.
fn candidates(
    missing: &BTreeMap<FilePath, Digest>,
    new: &BTreeMap<FilePath, WalkedFile>,
    index: &Index,
) -> Vec<Task> {
    let rows = missing.keys().filter_map(|path| index.rows.get(path));
    let sizes: BTreeSet<Option<u64>> = rows.map(|row| row.stat.map(|stat| stat.size)).collect();
    // A record without a size matches any.
    let fits = |size: u64| size > 0 && (sizes.contains(&Some(size)) || sizes.contains(&None));
    new.iter()
        .filter(|(_, found)| fits(found.stat.size))
        .map(|(path, found)| Task::New(path.clone(), found.stat.size))
        .collect()
}
