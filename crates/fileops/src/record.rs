//! Records of file operations, by which they can be undone, also after a crash and in later launches
//! (docs/STORAGE.md).
//!
//! A record is written before the operation starts. The files themselves show which steps were completed.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use fumikura_fs::{
    NodeKind,
    platform::{self, Identity},
};
use fumikura_image::join_files;
use serde::{Deserialize, Serialize};

use super::companions::PictureFiles;
use super::error::FileError;
use super::folder::EntryStatus;
use super::sidecars::SidecarOwners;

fumikura_base::ulid_ids! {
    /// The id of a file operation.
    OperationId;
}

/// The version that this program writes, and the only one that it reads.
const VERSION: u32 = 1;
/// The number of operations that are kept.
const MAX_RECORDS: usize = 100;
/// The largest error of a file system's times, in seconds. FAT is the least exact.
const TIME_TOLERANCE: u64 = 2;

/// The kind of a file operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = FileOperationKind))]
#[serde(rename_all = "snake_case")]
pub enum OperationKind {
    /// The items were renamed.
    Rename,
    /// The items were moved to another folder.
    Move,
    /// The items were copied.
    Copy,
    /// The items were moved to the trash.
    #[serde(rename = "bin")]
    Trash,
    /// Tags of the items were renamed or removed in their sidecars.
    Tags,
}

/// The first line of a record.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Head {
    version: u32,
    pub(super) kind: OperationKind,
    /// The number of files and folders in the request. The others are their sidecars, or were in the way.
    pub(super) named: usize,
    pub(super) first: StoredPath,
    /// True if the steps are those of an undo: undoing them does the operation again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) undone: bool,
    /// True if the other files of pictures went with those that are shown, and are not counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) together: bool,
    /// True if some of the files were in a folder that was not open: dropped from another program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) outside: bool,
}

impl Head {
    pub(super) fn new(
        kind: OperationKind,
        named: usize,
        first: &[u8],
        picture_files: PictureFiles,
    ) -> Self {
        Self {
            version: VERSION,
            kind,
            named,
            first: first.to_vec().into(),
            undone: false,
            together: picture_files == PictureFiles::Together,
            outside: false,
        }
    }
}

/// A line after the head, in the order of execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "did", rename_all = "snake_case")]
pub(super) enum Step {
    /// The entry has another name, or is in another folder.
    Moved {
        from: StoredPath,
        to: StoredPath,
        state: RecordedState,
    },
    /// The entry is a copy.
    Copied {
        to: StoredPath,
        state: RecordedState,
    },
    /// The entry has left the trash.
    Restored {
        to: StoredPath,
        state: RecordedState,
    },
    /// The entry is in a trash folder, under a name there.
    #[serde(rename = "binned")]
    Trashed {
        from: StoredPath,
        bin: StoredPath,
        name: StoredPath,
        state: RecordedState,
    },
}

impl Step {
    /// Records the content of a folder that is copied, or of its copy as the other file system stores it. Returns
    /// true if that is new.
    pub(super) fn set_tree(&mut self, mark: TreeMark) -> bool {
        let (Self::Moved { state, .. }
        | Self::Copied { state, .. }
        | Self::Restored { state, .. }
        | Self::Trashed { state, .. }) = self;
        state.tree.replace(mark) != Some(mark)
    }

    /// Returns the current path of a file, or its path before it was moved to the trash; `None` for a folder.
    fn file(&self) -> Result<Option<Vec<u8>>, FileError> {
        let (Self::Moved {
            to: path, state, ..
        }
        | Self::Copied { to: path, state }
        | Self::Restored { to: path, state }
        | Self::Trashed {
            from: path, state, ..
        }) = self;
        (!state.folder).then(|| path.bytes()).transpose()
    }

    /// Returns the path before the operation, as far as it is recorded. An undo has moved the entry back there.
    fn origin(&self, undone: bool) -> &StoredPath {
        match self {
            Self::Moved { to, .. } if undone => to,
            Self::Moved { from, .. } | Self::Trashed { from, .. } => from,
            Self::Copied { to, .. } | Self::Restored { to, .. } => to,
        }
    }
}

/// An absolute path in JSON: a text, or base64 if the bytes are not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum StoredPath {
    Text(String),
    Bytes { bytes: String },
}

impl From<Vec<u8>> for StoredPath {
    fn from(path: Vec<u8>) -> Self {
        match String::from_utf8(path) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Bytes {
                bytes: BASE64_STANDARD.encode(error.as_bytes()),
            },
        }
    }
}

impl StoredPath {
    pub(super) fn bytes(&self) -> Result<Vec<u8>, FileError> {
        match self {
            Self::Text(text) => Ok(text.clone().into_bytes()),
            Self::Bytes { bytes } => BASE64_STANDARD
                .decode(bytes)
                .map_err(|error| FileError::Damaged(error.to_string())),
        }
    }
}

/// The state of a file, for the comparison with its later state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RecordedState {
    folder: bool,
    size: u64,
    seconds: i64,
    nanoseconds: u32,
    /// Device and inode, as far as they are stable: on FAT they change if the disk is mounted again.
    file: [u64; 2],
    /// The content of a folder that is copied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tree: Option<TreeMark>,
}

/// A digest that detects changes in a folder: SHA-1 over names, sizes and times, in hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct TreeMark([u8; 20]);

impl From<[u8; 20]> for TreeMark {
    fn from(digest: [u8; 20]) -> Self {
        Self(digest)
    }
}

impl From<TreeMark> for String {
    fn from(mark: TreeMark) -> Self {
        hex::encode(mark.0)
    }
}

impl TryFrom<String> for TreeMark {
    type Error = hex::FromHexError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let mut digest = [0; 20];
        hex::decode_to_slice(text, &mut digest).map(|()| Self(digest))
    }
}

impl From<EntryStatus> for RecordedState {
    fn from(EntryStatus { stat, identity }: EntryStatus) -> Self {
        Self {
            folder: stat.kind == NodeKind::Folder,
            size: stat.size,
            seconds: stat.mtime.seconds,
            nanoseconds: stat.mtime.nanoseconds,
            file: identity.numbers(),
            tree: None,
        }
    }
}

impl RecordedState {
    /// Returns true if a file is still in this state. A folder is identified by device and inode, whatever changed in
    /// it; if these are not stable, its time must be unchanged. A folder with a `tree` always matches, and its
    /// content is compared separately.
    pub(super) fn is_unchanged(self, now: EntryStatus) -> bool {
        let EntryStatus { stat, identity } = now;
        let very_time = (self.seconds, self.nanoseconds);
        let is_unchanged = very_time == (stat.mtime.seconds, stat.mtime.nanoseconds);
        let same_time = self.seconds.abs_diff(stat.mtime.seconds) <= TIME_TOLERANCE;
        match (self.folder, stat.kind == NodeKind::Folder) {
            (true, true) => self.tree.is_some() || self.is_same_file(identity) || is_unchanged,
            (false, false) => self.size == stat.size && same_time,
            (true, false) | (false, true) => false,
        }
    }

    /// Returns true if it is the same file, in whatever state.
    pub(super) fn is_same_file(self, identity: Identity) -> bool {
        self.file == identity.numbers()
    }

    /// Returns true if it is the same file, in the same state.
    pub(super) fn is_same(self, now: EntryStatus) -> bool {
        self.is_same_file(now.identity) && self.is_unchanged(now)
    }
}

/// A file operation with its steps.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) head: Head,
    pub(super) steps: Vec<Step>,
}

impl Record {
    /// Removes all other steps. Returns true if any is left.
    ///
    /// # Errors
    /// [`FileError::Damaged`] if a path can't be read.
    pub(super) fn retain_steps(&mut self, indexes: &HashSet<usize>) -> Result<bool, FileError> {
        let mut at = 0;
        self.steps.retain(|_| {
            at += 1;
            indexes.contains(&(at - 1))
        });
        self.renew_head()
    }

    /// Returns the record of an undo of this operation, or of the operation that an undo of an undo does again; `None`
    /// if nothing was done.
    ///
    /// # Errors
    /// [`FileError::Damaged`] if a path can't be read.
    pub(super) fn inverse(&self, steps: Vec<Step>) -> Result<Option<Self>, FileError> {
        let head = Head {
            undone: !self.head.undone,
            ..self.head.clone()
        };
        let mut inverse = Self { head, steps };
        if !inverse.renew_head()? {
            return Ok(None);
        }
        if inverse.head.named == self.head.named {
            // The original of a copy is not in the steps.
            inverse.head.first = self.head.first.clone();
        }
        Ok(Some(inverse))
    }

    /// Counts the requested items, and finds the first. Returns false if there are no steps.
    fn renew_head(&mut self) -> Result<bool, FileError> {
        let Some(step) = self.steps.first() else {
            return Ok(false);
        };
        let undone = self.head.undone;
        let named = self.requested()?;
        // An undo begins with the last item.
        let first = match undone {
            true => named.iter().max(),
            false => named.iter().min(),
        };
        let first = first.map_or(step, |&at| &self.steps[at]);
        self.head.first = first.origin(undone).clone();
        self.head.named = named.len().max(1);
        Ok(true)
    }

    /// Returns the indices of the requested items. Their sidecars, and entries that were in the way, are not counted.
    ///
    /// # Errors
    /// [`FileError::Damaged`] if a path can't be read.
    pub(super) fn requested(&self) -> Result<HashSet<usize>, FileError> {
        let all = HashSet::from_iter(0..self.steps.len());
        let companions = self.companions_among(&all)?;
        let counts = |at: &usize| !companions.contains(at) && !self.is_replaced_entry(*at);
        Ok(all.into_iter().filter(counts).collect())
    }

    /// Returns those of these steps that only accompany another one of them.
    ///
    /// # Errors
    /// [`FileError::Damaged`] if a path can't be read.
    pub(super) fn companions_among(
        &self,
        some: &HashSet<usize>,
    ) -> Result<HashSet<usize>, FileError> {
        let mut files = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            if let Some(file) = step.file()?.filter(|_| some.contains(&at)) {
                files.push((at, file));
            }
        }
        let owners = SidecarOwners::new(files.iter().map(|(_, file)| &file[..]));
        let came = files.iter().filter(|(at, _)| !self.is_replaced_entry(*at));
        let came: HashSet<&[u8]> = came.map(|(_, file)| &file[..]).collect();
        let joined = self.joined_among(&files);
        let is_companion = |(at, file): &&(usize, Vec<u8>)| {
            owners.has_owner_of(file)
                || joined.contains(at)
                || self.is_replaced_entry(*at) && came.contains(&file[..])
        };
        Ok(files
            .iter()
            .filter(is_companion)
            .map(|(at, _)| *at)
            .collect())
    }

    /// Returns the files among these that went with another file of their picture.
    fn joined_among(&self, files: &[(usize, Vec<u8>)]) -> HashSet<usize> {
        let mut by_folder: HashMap<&[u8], Vec<(usize, &[u8])>> = HashMap::new();
        for (at, file) in files.iter().filter(|_| self.head.together) {
            if let Some(slash) = file.iter().rposition(|&byte| byte == b'/') {
                let names = by_folder.entry(&file[..slash]).or_default();
                names.push((*at, &file[slash + 1..]));
            }
        }
        let joined = by_folder
            .into_values()
            .flat_map(|names| join_files(names.into_iter()));
        joined
            .flat_map(|one| one.companions.into_iter().map(|(_, at)| at))
            .collect()
    }

    /// Returns true if an entry was in the way of another one, and has left its place or come back to it.
    fn is_replaced_entry(&self, at: usize) -> bool {
        let replaced = match &self.steps[at] {
            Step::Trashed { .. } => !self.head.undone,
            Step::Restored { .. } => self.head.undone,
            Step::Moved { .. } | Step::Copied { .. } => false,
        };
        replaced && self.head.kind != OperationKind::Trash
    }
}

/// The folder with a file for each operation.
pub(super) struct Records {
    folder: PathBuf,
}

impl Records {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Stores a record, which is on the disk when this returns.
    pub(super) fn put<S: Serialize>(
        &self,
        id: OperationId,
        head: &Head,
        steps: &[S],
    ) -> io::Result<()> {
        durable::create_folder(&self.folder, Access::Private)?;
        durable::write_with(&self.path(id), Access::Private, |file| -> io::Result<()> {
            let mut lines = io::BufWriter::new(file);
            write_line(&mut lines, head)?;
            for step in steps {
                write_line(&mut lines, step)?;
            }
            lines.flush()
        })?;
        Ok(())
    }

    /// Deletes the oldest records if there are too many, except those of running operations.
    pub(super) fn prune(&self, is_running: impl Fn(OperationId) -> bool) {
        let pruned = self.ids().and_then(|ids| {
            let old = ids.into_iter().skip(MAX_RECORDS);
            old.filter(|&id| !is_running(id))
                .try_for_each(|id| self.remove(id))
        });
        if let Err(error) = pruned {
            tracing::warn!(%error, "the record of an old file operation can't be deleted");
        }
    }

    /// Returns a record; `None` if the operation was undone, or is too old.
    pub(super) fn get(&self, id: OperationId) -> Result<Option<Record>, FileError> {
        let read = self.read(id)?;
        Ok(read.map(|(head, steps)| Record { head, steps }))
    }

    /// Returns the head and the steps of a record.
    pub(super) fn read<S: for<'de> Deserialize<'de>>(
        &self,
        id: OperationId,
    ) -> Result<Option<(Head, Vec<S>)>, FileError> {
        let Some(mut lines) = self.lines(id)? else {
            return Ok(None);
        };
        let head = lines.next().ok_or_else(empty_record)??;
        let head = read_head(&head)?;
        let steps = lines.map(|line| read_line(&line?));
        Ok(Some((head, steps.collect::<Result<_, _>>()?)))
    }

    /// Returns the last operations, the latest first. Unreadable records are omitted.
    pub(super) fn recent(&self, limit: usize) -> io::Result<Vec<(OperationId, Head)>> {
        let ids = self.ids()?.into_iter();
        let heads = ids.filter_map(|id| match self.head(id) {
            Ok(head) => head.map(|head| (id, head)),
            Err(error) => {
                tracing::warn!(%error, %id, "the record of a file operation can't be read");
                None
            }
        });
        Ok(heads.take(limit).collect())
    }

    /// Deletes a record. A missing record is no error.
    pub(super) fn remove(&self, id: OperationId) -> io::Result<()> {
        match fs::remove_file(self.path(id)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            outcome => outcome,
        }
    }

    pub(super) fn head(&self, id: OperationId) -> Result<Option<Head>, FileError> {
        let Some(mut lines) = self.lines(id)? else {
            return Ok(None);
        };
        let head = lines.next().ok_or_else(empty_record)??;
        read_head(&head).map(Some)
    }

    fn lines(
        &self,
        id: OperationId,
    ) -> Result<Option<impl Iterator<Item = Result<String, FileError>> + use<>>, FileError> {
        let unreadable = |error: io::Error| FileError::Damaged(error.to_string());
        match own_file::open(&self.path(id), own_file::ITEM) {
            Ok(file) => Ok(Some(
                BufReader::new(file)
                    .lines()
                    .map(move |line| line.map_err(unreadable)),
            )),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(error)),
        }
    }

    /// Returns the ids, the latest first.
    fn ids(&self) -> io::Result<Vec<OperationId>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut ids = Vec::new();
        for entry in entries {
            ids.extend(parse_file_name(&entry?.file_name()));
        }
        ids.sort_unstable_by(|a, b| b.cmp(a));
        Ok(ids)
    }

    fn path(&self, id: OperationId) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }
}

fn parse_file_name(name: &std::ffi::OsStr) -> Option<OperationId> {
    let name = platform::bytes_of(name).strip_suffix(b".json")?;
    std::str::from_utf8(name).ok()?.parse().ok()
}

fn write_line(lines: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *lines, value)?;
    lines.write_all(b"\n")
}

fn read_line<T: for<'de> Deserialize<'de>>(line: &str) -> Result<T, FileError> {
    serde_json::from_str(line).map_err(|error| FileError::Damaged(error.to_string()))
}

fn read_head(line: &str) -> Result<Head, FileError> {
    #[derive(Deserialize)]
    struct VersionOnly {
        version: u32,
    }
    match read_line::<VersionOnly>(line)?.version {
        VERSION => read_line(line),
        other => Err(FileError::Damaged(format!("version {other} is not known"))),
    }
}

fn empty_record() -> FileError {
    FileError::Damaged("it is empty".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_step_names_are_stable() {
        let step = r#"{"did":"binned","from":"/a","bin":"/bin","name":"a","state":{"folder":false,"size":1,"seconds":2,"nanoseconds":3,"file":[4,5]}}"#;
        let read: Step = serde_json::from_str(step).unwrap();
        assert!(matches!(read, Step::Trashed { .. }));
        assert_eq!(serde_json::to_string(&read).unwrap(), step);
        let kind = serde_json::to_string(&OperationKind::Trash).unwrap();
        assert_eq!(kind, r#""bin""#);
    }
}
