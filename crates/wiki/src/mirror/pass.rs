//! A pass over the mirror: writes what has changed in the wiki, and finds what was edited outside.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use fumikura_base::dir_handle::{TemporaryName, is_temporary, temporary_name};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::Mirror;
use super::conflicts::{has_conflict_markers, original_of};
use super::disk::{ASIDE, Found, MirrorDisk, Placed, WRITING, contents};
use super::error::MirrorError;
use super::place::MirrorPlace;
use super::wanted::{WantedContents, WantedFile, text, wanted, wanted_of};
use super::work::MirrorWork;
use crate::archive::{HexDigest, fold};
use crate::id::PageId;
use crate::model::page::PagePathState;
use crate::repository::path_state;
use crate::store::{AsideRecord, EntryRecord, MirrorRecords, RecordChange, StorageError};

/// The time for which a replaced file stays, in case that a program still writes to it.
const HOLD: Duration = Duration::from_secs(10);
/// The maximum number of files that are written in one step, and of the bytes of their texts.
const CHUNK: usize = 64;
const CHUNK_BYTES: usize = 8 << 20;
/// The maximum number of files that a report names.
const MAX_REPORTED: usize = 1000;

/// The state of a mirror.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MirrorReport {
    /// The number of texts in it, and of files of pages.
    pub pages: u64,
    pub files: u64,
    /// The number of files that the last pass wrote or removed.
    pub changed: u64,
    /// The files that were edited outside, by their paths below the folder.
    pub outside: BTreeMap<String, OutsideFile>,
    /// True if there are more of them.
    pub truncated: bool,
    /// True if a later pass has files to delete that are replaced by now.
    pub is_holding: bool,
}

/// A file of the mirror that was edited outside, and is left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutsideFile {
    pub kind: OutsideKind,
    /// The page whose text it may become.
    pub page: Option<PageId>,
}

/// The kind of a change from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OutsideKind {
    /// The text of a page was edited.
    Edited,
    /// The text has the conflict markers of git.
    ConflictMarkers,
    /// The contents of another file were changed.
    Replaced,
    /// A folder, a link, or a file that can't be read, is in the place of a file.
    InTheWay,
    /// The file was edited, and its page or file has moved or is gone.
    Left,
    /// Syncthing, or the mirror itself, has set the file aside because it was changed in two places.
    ConflictCopy,
}

/// A file to write.
struct NewFile {
    wanted: WantedFile,
    sha256: HexDigest,
    text: Option<String>,
    /// The contents of the place, if they are the mirror's.
    known: Option<EntryRecord>,
}

/// A new file that is written, and waits for its place.
struct PreparedFile<'p> {
    file: NewFile,
    temporary: TemporaryName<'p>,
    /// Its name in the folder of the mark, which a displaced file takes.
    name: String,
    /// The contents that may be replaced.
    ours: Vec<HexDigest>,
}

impl Mirror<'_> {
    /// Brings the mirror up to date. A file that was edited outside is left alone and reported.
    ///
    /// # Errors
    /// [`MirrorError`]. What was written until then is recorded, and the next pass has to do everything.
    pub fn run(
        &self,
        work: &MirrorWork,
        report: &mut MirrorReport,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<(), MirrorError> {
        let mut pass = self.begin(is_cancelled)?;
        pass.report = MirrorReport {
            changed: 0,
            ..report.clone()
        };
        pass.run(work)?;
        *report = pass.report;
        Ok(())
    }

    /// Opens the folder and the records.
    pub(super) fn begin<'p>(
        &'p self,
        is_cancelled: &'p dyn Fn() -> bool,
    ) -> Result<Pass<'p>, MirrorError> {
        let place = MirrorPlace::read(self.data)?.ok_or(MirrorError::NotSet)?;
        let root = place.open()?;
        let disk = MirrorDisk::new(root).map_err(|error| MirrorError::at(&place.folder, error))?;
        Ok(Pass {
            mirror: self,
            records: MirrorRecords::open(self.data)?,
            place,
            disk,
            report: MirrorReport::default(),
            changes: Vec::new(),
            is_cancelled,
        })
    }
}

/// The open folder and records of a mirror.
pub(super) struct Pass<'p> {
    mirror: &'p Mirror<'p>,
    place: MirrorPlace,
    pub(super) disk: MirrorDisk,
    pub(super) records: MirrorRecords,
    report: MirrorReport,
    /// Changes of records that are committed together.
    changes: Vec<RecordChange>,
    is_cancelled: &'p dyn Fn() -> bool,
}

impl Pass<'_> {
    fn run(&mut self, work: &MirrorWork) -> Result<(), MirrorError> {
        self.sweep()?;
        match work {
            MirrorWork::Pages(pages) => {
                for page in pages {
                    if !self.bring_page(*page)? {
                        return self.bring_all();
                    }
                }
                Ok(())
            }
            MirrorWork::Look => match self.is_as_recorded()? {
                true => self.find_conflicts(),
                false => self.bring_all(),
            },
            MirrorWork::All => self.bring_all(),
        }
    }

    /// Brings one page and its files up to date. Returns false if its place is not known.
    fn bring_page(&mut self, page: PageId) -> Result<bool, MirrorError> {
        let Some(entry) = self.records.text_of(page)? else {
            return Ok(false);
        };
        let Some(stem) = entry.strip_suffix(".md") else {
            return Ok(false);
        };
        let of_page = |record: &EntryRecord| record.page == page;
        if !self
            .records
            .entry(&entry)?
            .is_some_and(|known| of_page(&known))
        {
            return Ok(false);
        }
        let files = format!("{stem}.files/");
        let Some(wanted) = self
            .mirror
            .wiki
            .store
            .read(|txn| wanted_of(txn, page, &entry, &files))?
        else {
            return Ok(false);
        };
        let known = self.records.below(&files)?;
        let before = known.len() as u64;
        let places: BTreeSet<String> = wanted.iter().map(|file| file.entry.clone()).collect();
        let touched = |path: &String| *path == entry || path.starts_with(&files);
        let is_copy = |file: &OutsideFile| file.kind == OutsideKind::ConflictCopy;
        let outside = &mut self.report.outside;
        outside.retain(|path, file| !touched(path) || is_copy(file));
        self.write_all(wanted)?;
        self.remove_others(known, &places)?;
        let after = self.records.below(&files)?.len() as u64;
        self.report.files = (self.report.files + after).saturating_sub(before);
        Ok(true)
    }

    fn bring_all(&mut self) -> Result<(), MirrorError> {
        let wanted = self.mirror.wiki.store.read(wanted)?;
        let is_text = |file: &&WantedFile| matches!(file.contents, WantedContents::Text);
        let pages = wanted.iter().filter(is_text).count() as u64;
        self.report = MirrorReport {
            pages,
            files: wanted.len() as u64 - pages,
            changed: self.report.changed,
            is_holding: self.report.is_holding,
            ..MirrorReport::default()
        };
        let places: BTreeSet<String> = wanted.iter().map(|file| file.entry.clone()).collect();
        let folded: BTreeSet<String> = wanted.iter().map(|file| fold(&file.entry)).collect();
        let known = self.records.below("")?;
        let is_gone = |entry: &String| !places.contains(entry);
        // On a disk that ignores case, such a file may be the one that is to be written.
        let renamed = |entry: &String| is_gone(entry) && folded.contains(&fold(entry));
        let (first, later): (BTreeMap<_, _>, BTreeMap<_, _>) = known
            .into_iter()
            .filter(|(entry, _)| is_gone(entry))
            .partition(|(entry, _)| renamed(entry));
        self.remove_others(first, &places)?;
        self.write_all(wanted)?;
        self.remove_others(later, &places)?;
        self.find_conflicts()
    }

    /// Returns true if no file differs from its record that was not reported already.
    fn is_as_recorded(&self) -> Result<bool, MirrorError> {
        for (entry, record) in self.records.below("")? {
            self.check_cancelled()?;
            let is_same = match self.find(&entry, Some(&record))? {
                Found::Nothing => false,
                Found::Contents(found, stat) => {
                    record.sha256 == Some(found) && record.stat == Some(stat)
                }
                Found::Other => false,
            };
            if !is_same && !self.report.outside.contains_key(&entry) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes the files that are not as they should be.
    fn write_all(&mut self, wanted: Vec<WantedFile>) -> Result<(), MirrorError> {
        let mut wanted = wanted.into_iter().peekable();
        while wanted.peek().is_some() {
            self.check_cancelled()?;
            let chunk: Vec<WantedFile> = wanted.by_ref().take(CHUNK).collect();
            let mut new = Vec::new();
            let mut bytes = 0;
            for file in chunk {
                let Some(file) = self.compare(file)? else {
                    continue;
                };
                bytes += file.text.as_ref().map_or(0, String::len);
                new.push(file);
                if bytes > CHUNK_BYTES {
                    bytes = 0;
                    self.write(std::mem::take(&mut new))?;
                }
            }
            self.write(new)?;
            self.commit()?;
        }
        Ok(())
    }

    /// Commits the collected changes of records.
    fn commit(&mut self) -> Result<(), MirrorError> {
        let changes = std::mem::take(&mut self.changes);
        Ok(self.records.change(changes)?)
    }

    /// Compares a file with what is at its place. Returns it if it has to be written.
    fn compare(&mut self, wanted: WantedFile) -> Result<Option<NewFile>, MirrorError> {
        let (sha256, text) = match wanted.contents {
            WantedContents::Asset(_, sha256) => (sha256, None),
            WantedContents::Text => {
                let text = self.mirror.wiki.store.read(|txn| text(txn, wanted.page))?;
                // It is gone by now; another pass follows.
                let Some(text) = text else { return Ok(None) };
                (HexDigest(Sha256::digest(&text).into()), Some(text))
            }
        };
        let known = self.records.entry(&wanted.entry)?;
        let found = self.find(&wanted.entry, known.as_ref())?;
        let is_ours = |found| known.as_ref().is_some_and(|known| known.wrote(found));
        match found {
            Found::Contents(found, stat) if found == sha256 => {
                let record = EntryRecord {
                    page: wanted.page,
                    is_text: text.is_some(),
                    sha256: Some(sha256),
                    next: None,
                    stat: Some(stat),
                };
                if known.as_ref() != Some(&record) {
                    self.changes.push(RecordChange::Put(wanted.entry, record));
                }
                Ok(None)
            }
            Found::Contents(found, _) if !is_ours(found) => self.refuse(&wanted).map(|()| None),
            Found::Other => self.refuse(&wanted).map(|()| None),
            Found::Nothing | Found::Contents(..) => Ok(Some(NewFile {
                wanted,
                sha256,
                text,
                known,
            })),
        }
    }

    /// Writes new files beside their places. Returns them with the changes that record them.
    fn prepare_all(
        &self,
        new: Vec<NewFile>,
    ) -> Result<(Vec<PreparedFile<'_>>, Vec<RecordChange>), MirrorError> {
        let since = self.now();
        let (mut prepared, mut changes) = (Vec::new(), Vec::new());
        for file in new {
            self.check_cancelled()?;
            let Some(temporary) = self.prepare(&file)? else {
                continue;
            };
            let name = temporary_name(ASIDE).to_string_lossy().into_owned();
            let entry = file.wanted.entry.clone();
            let known = file.known.iter();
            let known_digests = known.flat_map(|known| [known.sha256, known.next]);
            let ours: Vec<HexDigest> = known_digests.flatten().chain([file.sha256]).collect();
            let record = EntryRecord {
                page: file.wanted.page,
                is_text: file.text.is_some(),
                sha256: file.known.as_ref().and_then(|known| known.sha256),
                next: Some(file.sha256),
                stat: None,
            };
            changes.push(RecordChange::Put(entry.clone(), record));
            let aside = AsideRecord {
                entry,
                since,
                ours: ours.clone(),
            };
            changes.push(RecordChange::PutAside(name.clone(), aside));
            prepared.push(PreparedFile {
                file,
                temporary,
                name,
                ours,
            });
        }
        Ok((prepared, changes))
    }

    /// Writes new files: first beside their places, then, once that is recorded, in their places.
    fn write(&mut self, new: Vec<NewFile>) -> Result<(), MirrorError> {
        let (prepared, changes) = self.prepare_all(new)?;
        if prepared.is_empty() {
            return Ok(());
        }
        // Also what a crash leaves is then known to be the mirror's, or to be another's.
        self.records.change(changes)?;
        let (mut placed, mut refused, mut done) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_holding = false;
        for prepared in prepared {
            let PreparedFile {
                file,
                temporary,
                name,
                ours,
            } = prepared;
            let entry = file.wanted.entry.clone();
            let failed = |error| MirrorError::at(&self.place.folder.join(&entry), error);
            let is_named = temporary.place(&self.disk.work, OsStr::new(&name));
            if !is_named.map_err(failed)? {
                let taken = io::Error::from(io::ErrorKind::AlreadyExists);
                return Err(failed(taken));
            }
            let is_ours = |found| ours.contains(&found);
            match self.disk.place(OsStr::new(&name), &entry, &is_ours) {
                Ok(Placed::Refused) => refused.push(file),
                Ok(Placed::Fresh) => {
                    done.push(RecordChange::RemoveAside(name));
                    placed.push(file);
                }
                Ok(Placed::Displaced) => {
                    is_holding = true;
                    placed.push(file);
                }
                Err(error) => return Err(failed(error)),
            }
        }
        self.report.is_holding |= is_holding;
        let entries = placed.iter().map(|file| file.wanted.entry.clone());
        let synced = self.disk.sync(entries);
        synced.map_err(|error| MirrorError::at(&self.place.folder, error))?;
        for file in placed {
            self.report.changed += 1;
            let (entry, sha256) = (file.wanted.entry, file.sha256);
            let stat = match self.find(&entry, None)? {
                Found::Contents(found, stat) if found == sha256 => Some(stat),
                Found::Contents(..) | Found::Nothing | Found::Other => None,
            };
            let record = EntryRecord {
                page: file.wanted.page,
                is_text: file.text.is_some(),
                sha256: Some(sha256),
                next: None,
                stat,
            };
            done.push(RecordChange::Put(entry, record));
        }
        self.records.change(done)?;
        for file in refused {
            self.refuse(&file.wanted)?;
        }
        Ok(())
    }

    /// Writes the contents of a file beside its place. Returns `None` if they are lost or damaged, which the check of the
    /// wiki reports.
    fn prepare(&self, file: &NewFile) -> Result<Option<TemporaryName<'_>>, MirrorError> {
        let failed = |error| MirrorError::at(&self.place.folder, error);
        let mut temporary = self.disk.begin().map_err(failed)?;
        match (&file.text, &file.wanted.contents) {
            (Some(text), _) => temporary.write_all(text.as_bytes()).map_err(failed)?,
            (None, WantedContents::Text) => return Ok(None),
            (None, WantedContents::Asset(id, _)) => {
                let mut contents = match self.mirror.wiki.asset_files.open(*id) {
                    Ok(contents) => contents,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                    Err(error) => return Err(StorageError::from(error).into()),
                };
                let mut hash = Sha256::new();
                let mut piece = vec![0; 256 << 10];
                loop {
                    let read = io::Read::read(&mut contents, &mut piece);
                    let read = read.map_err(StorageError::from)?;
                    if read == 0 {
                        break;
                    }
                    hash.update(&piece[..read]);
                    temporary.write_all(&piece[..read]).map_err(failed)?;
                }
                if HexDigest(hash.finalize().into()) != file.sha256 {
                    return Ok(None);
                }
            }
        }
        temporary.file().sync_all().map_err(failed)?;
        Ok(Some(temporary.close()))
    }

    /// Reports what is at the place of a file, and stays.
    fn refuse(&mut self, wanted: &WantedFile) -> Result<(), MirrorError> {
        let known = self.records.entry(&wanted.entry)?;
        let record = match known.clone() {
            Some(known) => EntryRecord {
                stat: None,
                ..known
            },
            None => EntryRecord {
                page: wanted.page,
                is_text: matches!(wanted.contents, WantedContents::Text),
                sha256: None,
                next: None,
                stat: None,
            },
        };
        let (kind, page) = self.outside_kind(&wanted.entry, &record)?;
        if known.as_ref() != Some(&record) {
            let put = RecordChange::Put(wanted.entry.clone(), record);
            self.changes.push(put);
        }
        self.add(wanted.entry.clone(), kind, page);
        Ok(())
    }

    /// Returns the kind of a change, and the page whose text the file may become.
    fn outside_kind(
        &self,
        entry: &str,
        record: &EntryRecord,
    ) -> Result<(OutsideKind, Option<PageId>), MirrorError> {
        let read = self.disk.read_text(entry);
        let read = read.map_err(|error| MirrorError::at(&self.place.folder.join(entry), error));
        let kind = match (self.find(entry, None)?, record.is_text) {
            (Found::Other | Found::Nothing, _) => OutsideKind::InTheWay,
            (Found::Contents(..), false) => OutsideKind::Replaced,
            (Found::Contents(..), true) => match read? {
                Some((text, _)) if has_conflict_markers(&text) => OutsideKind::ConflictMarkers,
                Some(_) => OutsideKind::Edited,
                None => OutsideKind::Replaced,
            },
        };
        let takes_text = matches!(kind, OutsideKind::Edited | OutsideKind::ConflictMarkers);
        Ok((kind, takes_text.then_some(record.page)))
    }

    fn add(&mut self, entry: String, kind: OutsideKind, page: Option<PageId>) {
        if self.report.outside.len() < MAX_REPORTED {
            let file = OutsideFile { kind, page };
            self.report.outside.insert(entry, file);
        } else {
            self.report.truncated = true;
        }
    }

    /// Removes known files that are not wanted any more, unless they were edited.
    fn remove_others(
        &mut self,
        known: BTreeMap<String, EntryRecord>,
        places: &BTreeSet<String>,
    ) -> Result<(), MirrorError> {
        let mut gone = Vec::new();
        for (entry, record) in known {
            if places.contains(&entry) {
                continue;
            }
            self.check_cancelled()?;
            let found = self.find(&entry, Some(&record))?;
            match found {
                // A file of another program, which no file of the mirror needs the place of any more.
                _ if record.sha256.is_none() && record.next.is_none() => {
                    self.changes.push(RecordChange::Remove(entry));
                }
                Found::Nothing => self.changes.push(RecordChange::Remove(entry)),
                Found::Contents(found, _) if record.wrote(found) => gone.push((entry, record)),
                Found::Contents(..) | Found::Other => self.leave(entry, &record)?,
            }
        }
        self.commit()?;
        while !gone.is_empty() {
            let chunk: Vec<_> = gone.drain(..gone.len().min(CHUNK)).collect();
            self.report.changed += chunk.len() as u64;
            for (entry, record) in self.set_aside(chunk)? {
                self.report.changed -= 1;
                self.leave(entry, &record)?;
            }
        }
        Ok(())
    }

    /// Reports an edited file whose page has moved or is gone.
    fn leave(&mut self, entry: String, record: &EntryRecord) -> Result<(), MirrorError> {
        let (_, page) = self.outside_kind(&entry, record)?;
        let exists = match page {
            Some(page) => self.mirror.wiki.store.read(|txn| {
                let state = path_state(txn, page)?;
                Ok::<_, StorageError>(matches!(state, Some(PagePathState::Current(_))))
            })?,
            None => false,
        };
        self.add(entry, OutsideKind::Left, page.filter(|_| exists));
        Ok(())
    }

    /// Moves files with the contents of their records to the folder of the mark, and forgets them. Returns those that have
    /// other contents, and stay.
    pub(super) fn set_aside(
        &mut self,
        files: Vec<(String, EntryRecord)>,
    ) -> Result<Vec<(String, EntryRecord)>, MirrorError> {
        let since = self.now();
        let (mut named, mut changes) = (Vec::new(), Vec::new());
        for (entry, record) in files {
            let name = temporary_name(ASIDE).to_string_lossy().into_owned();
            let digests = [record.sha256, record.next].into_iter().flatten();
            let aside = AsideRecord {
                entry: entry.clone(),
                since,
                ours: digests.collect(),
            };
            changes.push(RecordChange::PutAside(name.clone(), aside));
            named.push((name, entry, record));
        }
        self.records.change(changes)?;
        let (mut removed, mut other) = (Vec::new(), Vec::new());
        for (name, entry, record) in named {
            let is_ours = |found| record.wrote(found);
            let displaced = self.disk.displace(&entry, OsStr::new(&name), &is_ours);
            let failed = |error| MirrorError::at(&self.place.folder.join(&entry), error);
            match displaced.map_err(failed)? {
                true => removed.push(entry),
                false => other.push((entry, record)),
            }
        }
        let synced = self.disk.sync(removed.iter().cloned());
        synced.map_err(|error| MirrorError::at(&self.place.folder, error))?;
        self.report.is_holding |= !removed.is_empty();
        self.records
            .change(removed.into_iter().map(RecordChange::Remove))?;
        Ok(other)
    }

    /// Deletes the files that were set aside a while ago, and brings back those with contents of others.
    fn sweep(&mut self) -> Result<(), MirrorError> {
        let now = self.now();
        let failed = |error| MirrorError::at(&self.place.folder, error);
        self.report.is_holding = false;
        let mut changes = Vec::new();
        for (name, aside) in self.records.aside()? {
            let file = OsStr::new(&name);
            let age = now.duration_since(aside.since).unsigned_abs();
            match contents(&self.disk.work, file).map_err(failed)? {
                Found::Nothing => changes.push(RecordChange::RemoveAside(name)),
                Found::Contents(found, _) if aside.ours.contains(&found) => {
                    if age < HOLD {
                        self.report.is_holding = true;
                        continue;
                    }
                    self.disk.work.remove_file(file).map_err(failed)?;
                    changes.push(RecordChange::RemoveAside(name));
                }
                Found::Contents(..) | Found::Other => {
                    let back = self.disk.bring_back(file, &aside.entry);
                    let back = back.map_err(failed)?;
                    tracing::info!("{back} was edited while the mirror replaced it");
                    changes.push(RecordChange::RemoveAside(name));
                }
            }
        }
        for entry in self.disk.work.entries().map_err(failed)? {
            // A crash has left it.
            if is_temporary(&entry.name, WRITING) {
                self.disk.work.remove_file(&entry.name).map_err(failed)?;
            }
        }
        Ok(self.records.change(changes)?)
    }

    /// Reports the files that were set aside because of a conflict. Hidden folders, such as those of git, are not
    /// searched.
    fn find_conflicts(&mut self) -> Result<(), MirrorError> {
        let is_copy = |file: &OutsideFile| file.kind == OutsideKind::ConflictCopy;
        self.report.outside.retain(|_, file| !is_copy(file));
        let mut folders = vec![String::new()];
        while let Some(below) = folders.pop() {
            self.check_cancelled()?;
            let failed = |error| MirrorError::at(&self.place.folder.join(&below), error);
            let folder = match self.disk.root.folder(Path::new(&below)) {
                Ok(folder) => folder,
                // It was removed or replaced just now.
                Err(_gone) if !below.is_empty() => continue,
                Err(error) => return Err(failed(error)),
            };
            for found in folder.entries().map_err(failed)? {
                let Some(name) = found.name.to_str() else {
                    continue;
                };
                let path = match below.is_empty() {
                    true => name.to_owned(),
                    false => format!("{below}/{name}"),
                };
                if found.is_folder() && !name.starts_with('.') {
                    folders.push(path);
                } else if found.is_file() && !name.starts_with('.') {
                    let Some(original) = original_of(&path) else {
                        continue;
                    };
                    let original = self.records.entry(&original)?;
                    let page = original.filter(|record| record.is_text);
                    self.add(path, OutsideKind::ConflictCopy, page.map(|of| of.page));
                }
            }
        }
        Ok(())
    }

    /// Returns what is at a place.
    pub(super) fn find(
        &self,
        entry: &str,
        known: Option<&EntryRecord>,
    ) -> Result<Found, MirrorError> {
        let known = known.and_then(|known| known.sha256.zip(known.stat));
        let found = self.disk.find(entry, known);
        found.map_err(|error| MirrorError::at(&self.place.folder.join(entry), error))
    }

    /// Reads a text of the folder.
    pub(super) fn read_text(&self, entry: &str) -> Result<(String, HexDigest), MirrorError> {
        let read = self.disk.read_text(entry).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                return MirrorError::NoSuchEntry(entry.to_owned());
            }
            MirrorError::at(&self.place.folder.join(entry), error)
        })?;
        read.ok_or_else(|| MirrorError::NotAText(entry.to_owned()))
    }

    fn now(&self) -> Timestamp {
        self.mirror.wiki.tree().clock.now()
    }

    fn check_cancelled(&self) -> Result<(), MirrorError> {
        match (self.is_cancelled)() {
            true => Err(MirrorError::Cancelled),
            false => Ok(()),
        }
    }
}
