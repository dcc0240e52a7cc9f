//! Searches for duplicates and similar pictures: the job, its outcomes of this launch, and which pictures of a group may go to the trash.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::File;
use std::io;
use std::sync::Arc;

use fumikura_fileops::CompanionLookup;
use fumikura_fs::{PictureVersion, RelPath, RootId, Source, SourceFile};
use fumikura_hashes::{FilePath, FileStat, FileState, Index, is_unchanged, read_file};
use fumikura_library::{Entry, Likeness};
use fumikura_pictures::{
    ContentHash, ContentHasher, DuplicatePicture, Duplicates as Outcome, DuplicatesProgress,
    MemberFacts, Pictures, Proposal, SearchCancelled, propose,
};
use parking_lot::Mutex;
use serde_json::json;

use crate::error::{ApiError, ErrorCode};
use crate::job_runner::JobRunner;
use crate::jobs::{JobError, JobKind, JobOutcome, Progress};
use crate::services::Hashes;

/// The number of outcomes that are kept.
const KEPT: usize = 4;
/// The number of pictures of a group that are shown at once.
const SHOWN: usize = 60;

/// The searches for duplicates of this launch.
pub(crate) struct Duplicates {
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) hashes: Arc<Hashes>,
    pub(crate) runner: Arc<JobRunner>,
    /// The last outcomes, by their jobs.
    pub(crate) found: Mutex<VecDeque<Found>>,
    /// The hashes of the last search. The version of a file changes with its contents.
    pub(crate) known: Mutex<HashMap<PictureVersion, ContentHash>>,
}

/// The outcome of a search.
pub(crate) struct Found {
    job: String,
    pub(crate) likeness: Likeness,
    pub(crate) outcome: Arc<Outcome>,
}

/// A group as it is now.
pub(crate) struct ShownGroup {
    /// The number of the group in the outcome.
    pub(crate) number: usize,
    /// The pictures that still exist; none if there are fewer than two.
    pub(crate) members: Vec<ShownMember>,
    /// The number of further pictures.
    pub(crate) more: usize,
    pub(crate) proposal: Option<Proposal>,
}

/// A picture of a group.
pub(crate) struct ShownMember {
    /// The entry, in a folder that begins with the id of its root.
    pub(crate) entry: Entry,
    /// Its folder with the name of the root, for display.
    pub(crate) folder: String,
    /// The number of its other files.
    pub(crate) companions: usize,
}

impl Duplicates {
    /// Starts a search in these folders and below them.
    ///
    /// # Errors
    /// `too_much_work`.
    pub(crate) fn start(
        self: &Arc<Self>,
        folders: Vec<Source>,
        likeness: Likeness,
    ) -> Result<String, ApiError> {
        let this = Arc::clone(self);
        let work = move |progress: &Progress| this.search(&folders, likeness, progress);
        self.runner.start_another(JobKind::FindDuplicates, work)
    }

    fn search(&self, folders: &[Source], likeness: Likeness, progress: &Progress) -> JobOutcome {
        let advance = |done, total| progress.advance(done, total).is_ok();
        let outcome = match likeness {
            Likeness::Identical => self.identical(folders, &advance)?,
            Likeness::Close | Likeness::Similar => self
                .pictures
                .find_similar(folders, likeness, &advance)
                .map_err(|SearchCancelled| JobError::Cancelled)?,
        };
        let result = json!({
            "groups": outcome.groups.len(),
            "pictures": outcome.pictures,
            "unreadable": outcome.unreadable,
        });
        let mut found = self.found.lock();
        found.push_front(Found {
            job: progress.job().to_owned(),
            likeness,
            outcome: Arc::new(outcome),
        });
        found.truncate(KEPT);
        Ok(result)
    }

    /// Finds pictures with the same contents.
    fn identical(
        &self,
        folders: &[Source],
        advance: DuplicatesProgress<'_>,
    ) -> Result<Outcome, JobError> {
        let hasher = RecordedHashes {
            index: self.hashes.own_hash_index()?,
            known: self.known.lock().clone(),
            used: Mutex::default(),
        };
        let found = self.pictures.find_duplicates(folders, &hasher, advance);
        // A cancelled search has read files, too.
        let used = hasher.used.into_inner();
        match found {
            Ok(outcome) => {
                *self.known.lock() = used;
                Ok(outcome)
            }
            Err(SearchCancelled) => {
                self.known.lock().extend(used);
                Err(JobError::Cancelled)
            }
        }
    }

    /// Returns the outcome of a job.
    ///
    /// # Errors
    /// `job_not_found` if there is none, or newer ones have replaced it.
    pub(crate) fn outcome(&self, job: &str) -> Result<(Likeness, Arc<Outcome>), ApiError> {
        let found = self.found.lock();
        let of_job = found.iter().find(|found| found.job == job);
        let outcome = of_job.map(|found| (found.likeness, Arc::clone(&found.outcome)));
        let missing = || ApiError::new(ErrorCode::JobNotFound, "this search is no longer kept");
        outcome.ok_or_else(missing)
    }

    /// Returns a part of the groups as they are now.
    pub(crate) fn groups(&self, outcome: &Outcome, offset: usize, limit: usize) -> Vec<ShownGroup> {
        let groups = outcome.groups.iter().enumerate().skip(offset).take(limit);
        let mut lookup = CompanionLookup::default();
        let present: Vec<(usize, Vec<&DuplicatePicture>)> = groups
            .map(|(number, group)| (number, present(group)))
            .collect();
        let shown = present
            .iter()
            .flat_map(|(_, group)| group.iter().take(SHOWN));
        let mut entries = self.entries(shown.map(|picture| &picture.file.source));
        let mut next = |(number, group): (usize, Vec<&DuplicatePicture>)| {
            let first: Vec<_> = group.iter().take(SHOWN).copied().collect();
            let found = entries.drain(..first.len()).zip(first);
            let found = found.filter_map(|(entry, picture)| Some((entry?, picture)));
            let (members, facts): (Vec<_>, Vec<_>) = found
                .map(|(entry, picture)| self.member(entry, picture, &mut lookup))
                .unzip();
            ShownGroup {
                number,
                more: group.len().saturating_sub(SHOWN),
                proposal: propose(&facts),
                members,
            }
        };
        present.into_iter().map(&mut next).collect()
    }

    fn member<'a>(
        &self,
        entry: Entry,
        picture: &'a DuplicatePicture,
        lookup: &mut CompanionLookup,
    ) -> (ShownMember, MemberFacts<'a>) {
        let source = &picture.file.source;
        // The listing may not have read the sidecar yet, and a rated picture must not be proposed for the trash.
        let marks = self.pictures.marks_joined(source);
        let marks = marks.inspect_err(|error| tracing::debug!(%error, "marks can't be read"));
        let head = entry.head.or_else(|| {
            let info = self.pictures.info(source).ok();
            info.and_then(|(_, info)| info.head)
        });
        let facts = MemberFacts {
            picture,
            is_unchanged: picture.is_unchanged(lookup),
            marks: marks.ok().map(|marks| marks.shown()),
            pixels: head.map(|head| u64::from(head.width) * u64::from(head.height)),
        };
        let root = source.root_ref();
        let (folder, _) = source.path().split_last().unwrap_or_default();
        let member = ShownMember {
            folder: match folder.is_empty() {
                true => String::from_utf8_lossy(root.name()).into_owned(),
                false => String::from_utf8_lossy(&[root.name(), b"/", folder.as_bytes()].concat())
                    .into_owned(),
            },
            entry: Entry {
                head,
                folder: RelPath::default()
                    .join(root.id().to_string().as_bytes())
                    .resolve(folder.as_bytes())
                    .unwrap_or_default(),
                ..entry
            },
            companions: picture.companions.len(),
        };
        (member, facts)
    }

    /// Returns the entries of pictures below several roots, and `None` for those that can't be listed.
    fn entries<'a>(&self, sources: impl Iterator<Item = &'a Source>) -> Vec<Option<Entry>> {
        let sources: Vec<&Source> = sources.collect();
        let mut by_root: HashMap<RootId, Vec<usize>> = HashMap::new();
        for (at, source) in sources.iter().enumerate() {
            by_root.entry(source.root()).or_default().push(at);
        }
        let mut entries = vec![None; sources.len()];
        for (root, places) in by_root {
            let paths: Vec<RelPath> = places
                .iter()
                .map(|&at| sources[at].path().clone())
                .collect();
            let listed = self.pictures.listed_entries_at(root, &paths);
            for (&at, entry) in places.iter().zip(listed.unwrap_or_default()) {
                entries[at] = entry;
            }
            // One that was brought back is in no earlier listing.
            let missing: Vec<usize> = places
                .into_iter()
                .filter(|&at| entries[at].is_none())
                .collect();
            let Some(root) = self
                .pictures
                .roots()
                .get(root)
                .filter(|_| !missing.is_empty())
            else {
                continue;
            };
            let paths: Vec<RelPath> = missing
                .iter()
                .map(|&at| sources[at].path().clone())
                .collect();
            let listed = self.pictures.entries_at(&root, &paths, false);
            for (at, entry) in missing.into_iter().zip(listed.unwrap_or_default()) {
                entries[at] = entry;
            }
        }
        entries
    }

    /// Checks which pictures may go to the trash: those that have not changed since they were compared, as long as
    /// another one of their group stays that has not changed either. Also returns the others, each with the reason.
    pub(crate) fn check(
        outcome: &Outcome,
        requested: &[Source],
    ) -> (Vec<Source>, Vec<(Source, ApiError)>) {
        let places: HashSet<Vec<u8>> = requested.iter().map(Source::absolute).collect();
        let is_requested =
            |picture: &DuplicatePicture| places.contains(&picture.file.source.absolute());
        let mut lookup = CompanionLookup::default();
        let (mut checked, mut refused, mut known) = (Vec::new(), Vec::new(), HashSet::new());
        for group in &outcome.groups {
            let (leaving, staying): (Vec<_>, Vec<_>) =
                group.iter().partition(|picture| is_requested(picture));
            if leaving.is_empty() {
                continue;
            }
            let has_other = staying
                .iter()
                .any(|picture| picture.is_unchanged(&mut lookup));
            for picture in leaving {
                let source = picture.file.source.clone();
                known.insert(source.absolute());
                if !picture.is_unchanged(&mut lookup) {
                    refused.push((source, changed()));
                } else if !has_other {
                    refused.push((source, last_copy()));
                } else {
                    checked.push(source);
                }
            }
        }
        let unknown = requested
            .iter()
            .filter(|one| !known.contains(&one.absolute()));
        refused.extend(unknown.map(|source| (source.clone(), changed())));
        (checked, refused)
    }
}

fn changed() -> ApiError {
    let message = "this file has changed since the search for duplicates";
    ApiError::new(ErrorCode::DuplicateChanged, message)
}

fn last_copy() -> ApiError {
    let message = "no other picture of the group would stay as it was found";
    ApiError::new(ErrorCode::LastCopy, message)
}

/// Returns the pictures of a group that still exist; none if there are fewer than two.
fn present(group: &[DuplicatePicture]) -> Vec<&DuplicatePicture> {
    let exists = |picture: &&DuplicatePicture| picture.file.source.stat().is_ok();
    let present: Vec<_> = group.iter().filter(exists).collect();
    match present.len() {
        0 | 1 => Vec::new(),
        _ => present,
    }
}

/// The hashes of hash records, of the last search, and of files that are read.
struct RecordedHashes {
    index: Arc<Index>,
    known: HashMap<PictureVersion, ContentHash>,
    used: Mutex<HashMap<PictureVersion, ContentHash>>,
}

impl RecordedHashes {
    /// Returns the hash in the record of a file, if the file was intact and has not changed since.
    fn recorded(&self, file: &File, source: &Source) -> io::Result<Option<ContentHash>> {
        let stat = FileStat::from(&file.metadata()?);
        let path = FilePath::new(source.absolute()).ok();
        let row = path.and_then(|path| self.index.rows.get(&path));
        let fresh = row.filter(|row| {
            matches!(row.state, None | Some(FileState::Ok)) && is_unchanged(&row.baseline(), &stat)
        });
        Ok(fresh.map(|row| row.digest.0))
    }
}

impl ContentHasher for RecordedHashes {
    fn hash(
        &self,
        file: &File,
        source_file: &SourceFile,
        continues: &dyn Fn() -> bool,
    ) -> io::Result<ContentHash> {
        let version = source_file.version();
        let known = match self.known.get(&version) {
            Some(hash) => Some(*hash),
            None => self.recorded(file, source_file.source())?,
        };
        let hash = match known {
            Some(hash) => hash,
            None => {
                let read = read_file(file, &|_| continues());
                read.map_err(io::Error::other)?.digest.0
            }
        };
        self.used.lock().insert(version, hash);
        Ok(hash)
    }
}
