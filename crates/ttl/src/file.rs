//! The index on the disk: a snapshot, and a log of later changes. Both are derived, and synced only when the index is
//! closed. After a crash, a truncated log is read up to the damage, and a mark shows that changes are missing.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::PathBuf;

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use sha1::{Digest, Sha1};

use crate::artifact::{ROW_BYTES, Row};
use crate::index::{Change, Index};
use crate::{ArtifactKey, GroupName};

const MAGIC: &[u8; 16] = b"fumikura ttl\n\0\0\0";
/// The version of both files.
const VERSION: u32 = 2;
const SUM: usize = 20;
/// The length of a checksum in the log, in bytes.
const SHORT_SUM: usize = 4;
/// The first byte of each entry of the log.
const PUT: u8 = 1;
const REMOVE: u8 = 2;
const GROUP: u8 = 3;

/// The files of the index in a folder.
#[derive(Debug)]
pub struct IndexFile {
    folder: PathBuf,
    logged: u64,
    /// True if changes were taken from the index and are not in a file.
    is_behind: bool,
    /// True if the mark of an open index is there, by this program.
    is_marked: bool,
}

/// A pending write.
#[derive(Debug)]
#[must_use = "it has been taken from the index"]
pub struct Save(SaveContents);

#[derive(Debug)]
enum SaveContents {
    All(Vec<GroupName>, Vec<Row>),
    Changes(Vec<Change>),
}

/// The reason why the index cannot be read; it is then rebuilt.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no index yet.
    #[error("there is no index of cached artifacts yet")]
    Missing,
    /// The checksum or the format is wrong.
    #[error("the index of cached artifacts is damaged")]
    Damaged,
    /// Another version of the program wrote the index. Numbers of variants mean something else in version 1.
    #[error("the index of cached artifacts is of version {0}, and this program reads {VERSION}")]
    OtherVersion(u32),
    /// The file cannot be read.
    #[error("the index of cached artifacts can't be read: {0}")]
    Io(#[from] io::Error),
}

impl IndexFile {
    /// Uses the files in this folder, which is created at the first write.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            logged: 0,
            is_behind: false,
            is_marked: false,
        }
    }

    /// Marks the index as open. Returns true if it was closed before; otherwise a crash may have lost changes.
    ///
    /// # Errors
    /// If the mark can't be written. [`write`](Self::write) tries again.
    pub fn mark_open(&mut self) -> io::Result<bool> {
        durable::create_folder(&self.folder, Access::Private)?;
        let created = own_file::create_new(&self.mark());
        let was_closed = match created {
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
            Err(error) => return Err(error),
        };
        self.is_marked = true;
        Ok(was_closed)
    }

    /// Makes the written changes durable and removes the mark, so that the next launch takes the index as
    /// complete. Does nothing if it is closed.
    ///
    /// # Errors
    /// If a file can't be synced, or the mark can't be removed.
    pub fn close(&mut self) -> io::Result<()> {
        if !self.is_marked {
            return Ok(());
        }
        for path in [self.snapshot(), self.log()] {
            match own_file::open(&path, own_file::INDEX) {
                Ok(file) => file.sync_all()?,
                // Nothing was ever written.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        durable::sync_folder(&self.folder)?;
        fs::remove_file(self.mark())?;
        self.is_marked = false;
        Ok(())
    }

    /// Reads the index.
    ///
    /// # Errors
    /// [`LoadError`] if the index has to be rebuilt.
    pub fn load(&mut self) -> Result<Index, LoadError> {
        // Until a load has succeeded, a save writes the whole index.
        self.is_behind = true;
        let bytes = match own_file::read(&self.snapshot(), own_file::INDEX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(LoadError::Missing);
            }
            Err(error) => return Err(error.into()),
        };
        let (mut groups, mut rows) = read_snapshot(&bytes)?;
        let log = match own_file::read(&self.log(), own_file::INDEX) {
            Ok(log) => log,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        self.logged = replay(&log, &bytes[bytes.len() - SUM..], &mut groups, &mut rows);
        self.is_behind = false;
        Ok(Index::restored(groups, rows))
    }

    /// Takes the data to write from the index: the changes since the last time, or everything if the log has
    /// become long. The index is not needed after this call.
    pub fn prepare(&self, index: &mut Index) -> Save {
        let changes = index.changed() as u64;
        let is_long = self.logged + changes > (index.len() as u64 / 4).max(4096);
        if self.is_behind || is_long || !self.log().exists() {
            drop(index.take_changes());
            let (groups, rows) = index.parts();
            return Save(SaveContents::All(groups.to_vec(), rows.to_vec()));
        }
        Save(SaveContents::Changes(index.take_changes()))
    }

    /// Writes the prepared data.
    ///
    /// # Errors
    /// If a file cannot be written. The next [`prepare`](Self::prepare) then takes everything.
    pub fn write(&mut self, save: Save) -> io::Result<()> {
        if matches!(&save.0, SaveContents::Changes(changes) if changes.is_empty()) {
            return Ok(());
        }
        // Stays set until the write has succeeded.
        self.is_behind = true;
        // Another process on the same folder may have removed the mark at its end.
        self.mark_open()?;
        match save.0 {
            SaveContents::All(groups, rows) => self.replace(&groups, &rows)?,
            SaveContents::Changes(changes) => self.append(&changes)?,
        }
        self.is_behind = false;
        Ok(())
    }

    fn append(&mut self, changes: &[Change]) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(changes.len() * (ROW_BYTES + SHORT_SUM + 1));
        for change in changes {
            write_change(&mut bytes, change);
        }
        let mut log = own_file::open_with(&self.log(), File::options().append(true))?;
        log.write_all(&bytes)?;
        self.logged += changes.len() as u64;
        Ok(())
    }

    fn replace(&mut self, groups: &[GroupName], rows: &[Row]) -> io::Result<()> {
        let bytes = written_snapshot(groups, rows);
        own_file::replace(&self.snapshot(), &bytes)?;
        // The log names its snapshot: an older log is not replayed on a newer snapshot.
        own_file::replace(&self.log(), &bytes[bytes.len() - SUM..])?;
        self.logged = 0;
        Ok(())
    }

    fn snapshot(&self) -> PathBuf {
        self.folder.join("artifacts")
    }

    fn log(&self) -> PathBuf {
        self.folder.join("artifacts.log")
    }

    fn mark(&self) -> PathBuf {
        self.folder.join("open")
    }

    /// Returns the size of both files in bytes.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn size(&self) -> io::Result<u64> {
        let size = |path| fs::symlink_metadata(path).map(|found| found.len());
        Ok(size(self.snapshot())? + size(self.log())?)
    }
}

fn written_snapshot(groups: &[GroupName], rows: &[Row]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(64 + rows.len() * ROW_BYTES);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(groups.len() as u32).to_le_bytes());
    for group in groups {
        write_name(&mut bytes, group);
    }
    bytes.extend_from_slice(&(rows.len() as u64).to_le_bytes());
    for row in rows {
        bytes.extend_from_slice(&row.to_bytes());
    }
    let sum = Sha1::digest(&bytes);
    bytes.extend_from_slice(&sum);
    bytes
}

fn read_snapshot(bytes: &[u8]) -> Result<(Vec<GroupName>, Vec<Row>), LoadError> {
    let damaged = || LoadError::Damaged;
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(damaged)?;
    let (version, _) = rest.split_first_chunk().ok_or_else(damaged)?;
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(LoadError::OtherVersion(version));
    }
    let (body, sum) = bytes.split_last_chunk::<SUM>().ok_or_else(damaged)?;
    if Sha1::digest(body)[..] != sum[..] {
        return Err(LoadError::Damaged);
    }
    // A matching checksum means that the body is as it was written; a bug in the writer also counts as
    // damage.
    read_body(&body[MAGIC.len() + 4..]).ok_or_else(damaged)
}

fn read_body(mut rest: &[u8]) -> Option<(Vec<GroupName>, Vec<Row>)> {
    let mut count = [0; 4];
    rest.read_exact(&mut count).ok()?;
    let mut groups = Vec::new();
    for _ in 0..u32::from_le_bytes(count) {
        groups.push(read_name(&mut rest)?);
    }
    let mut count = [0; 8];
    rest.read_exact(&mut count).ok()?;
    let (chunks, []) = rest.as_chunks::<ROW_BYTES>() else {
        return None;
    };
    let rows: Option<Vec<Row>> = chunks.iter().map(Row::from_bytes).collect();
    let rows = rows.filter(|rows| rows.len() as u64 == u64::from_le_bytes(count))?;
    let is_sound = rows.is_sorted_by(|a, b| a.key < b.key)
        && rows.iter().all(|row| usize::from(row.group) < groups.len());
    is_sound.then_some((groups, rows))
}

fn write_name(bytes: &mut Vec<u8>, name: &str) {
    let length = u16::try_from(name.len()).unwrap_or(u16::MAX);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&name.as_bytes()[..usize::from(length)]);
}

fn read_name(rest: &mut &[u8]) -> Option<GroupName> {
    let mut length = [0; 2];
    rest.read_exact(&mut length).ok()?;
    let (name, after) = rest.split_at_checked(usize::from(u16::from_le_bytes(length)))?;
    *rest = after;
    Some(String::from_utf8_lossy(name).as_ref().into())
}

fn write_change(bytes: &mut Vec<u8>, change: &Change) {
    let start = bytes.len();
    match change {
        Change::Put(row) => {
            bytes.push(PUT);
            bytes.extend_from_slice(&row.to_bytes());
        }
        Change::Remove(key) => {
            bytes.push(REMOVE);
            bytes.extend_from_slice(&key.id);
            bytes.extend_from_slice(&key.variant.to_le_bytes());
        }
        Change::Group(name) => {
            bytes.push(GROUP);
            write_name(bytes, name);
        }
    }
    let sum = Sha1::digest(&bytes[start..]);
    bytes.extend_from_slice(&sum[..SHORT_SUM]);
}

/// Applies the entries of a log up to the first damaged or truncated one, and returns their number. A log of
/// another snapshot has none.
fn replay(log: &[u8], snapshot: &[u8], groups: &mut Vec<GroupName>, rows: &mut Vec<Row>) -> u64 {
    let Some(mut rest) = log.strip_prefix(snapshot) else {
        return 0;
    };
    let mut changed = std::collections::BTreeMap::new();
    let mut count = 0;
    while let Some((change, after)) = read_change(rest) {
        match change {
            Change::Group(name) => groups.push(name),
            Change::Put(row) if usize::from(row.group) < groups.len() => {
                changed.insert(row.key, Some(row));
            }
            Change::Put(_) => break,
            Change::Remove(key) => {
                changed.insert(key, None);
            }
        }
        rest = after;
        count += 1;
    }
    rows.retain(|row| !changed.contains_key(&row.key));
    rows.extend(changed.into_values().flatten());
    rows.sort_by_key(|row| row.key);
    count
}

fn read_change(entry: &[u8]) -> Option<(Change, &[u8])> {
    let (kind, mut rest) = entry.split_first()?;
    let change = match *kind {
        PUT => {
            let (row, after) = rest.split_first_chunk()?;
            rest = after;
            Change::Put(Row::from_bytes(row)?)
        }
        REMOVE => {
            let (id, after) = rest.split_first_chunk()?;
            let (variant, after) = after.split_first_chunk()?;
            rest = after;
            Change::Remove(ArtifactKey {
                id: *id,
                variant: u32::from_le_bytes(*variant),
            })
        }
        GROUP => Change::Group(read_name(&mut rest)?),
        _ => return None,
    };
    let (sum, after) = rest.split_first_chunk::<SHORT_SUM>()?;
    let written = &entry[..entry.len() - rest.len()];
    (Sha1::digest(written)[..SHORT_SUM] == sum[..]).then_some((change, after))
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::{Artifact, Kind};

    fn key(number: u32) -> ArtifactKey {
        let mut id = [7; 20];
        id[..4].copy_from_slice(&number.to_be_bytes());
        ArtifactKey {
            id,
            variant: number,
        }
    }

    fn record(index: &mut Index, number: u32) {
        let now = Timestamp::from_second(1_800_000_000 + i64::from(number)).unwrap();
        let group = if number.is_multiple_of(2) {
            "even"
        } else {
            "奇数"
        };
        index.record(key(number), Kind::Blob, group, number.into(), now);
    }

    fn save(file: &mut IndexFile, index: &mut Index) {
        let save = file.prepare(index);
        file.write(save).unwrap();
    }

    fn all(index: &Index, count: u32) -> Vec<Option<Artifact>> {
        (0..count).map(|number| index.get(&key(number))).collect()
    }

    #[test]
    fn saved_index_is_loaded_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = IndexFile::new(folder.path().join("ttl"));
        assert!(matches!(file.load(), Err(LoadError::Missing)));
        let mut index = Index::default();
        for number in 0..300 {
            record(&mut index, number);
            if number % 50 == 0 {
                index.remove(&key(number / 2));
                save(&mut file, &mut index);
            }
        }
        save(&mut file, &mut index);
        let mut again = IndexFile::new(folder.path().join("ttl"));
        let loaded = again.load().unwrap();
        assert_eq!(all(&loaded, 300), all(&index, 300));
        assert!(again.logged > 0);
        again.is_behind = true;
        save(&mut again, &mut index);
        assert_eq!(again.logged, 0);
        assert_eq!(all(&again.load().unwrap(), 300), all(&index, 300));
    }

    #[test]
    fn special_files_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = IndexFile::new(folder.path().to_owned());
        let mut index = Index::default();
        record(&mut index, 1);
        save(&mut file, &mut index);
        for path in [file.snapshot(), file.log()] {
            fs::remove_file(&path).unwrap();
            std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
            assert!(matches!(file.load(), Err(LoadError::Io(_))));
            record(&mut index, 2);
            save(&mut file, &mut index);
            assert!(fs::symlink_metadata(&path).unwrap().is_file());
            assert_eq!(all(&file.load().unwrap(), 3), all(&index, 3));
        }
    }

    #[test]
    fn index_that_was_not_closed_is_recognized() {
        let folder = tempfile::tempdir().unwrap();
        let open = || IndexFile::new(folder.path().join("ttl"));
        let mut index = Index::default();
        let mut file = open();
        assert!(file.mark_open().unwrap(), "there was none");
        assert!(
            !open().mark_open().unwrap(),
            "killed before the first write"
        );
        record(&mut index, 1);
        save(&mut file, &mut index);
        record(&mut index, 2);
        assert!(!open().mark_open().unwrap(), "killed before a write");
        save(&mut file, &mut index);
        file.close().unwrap();
        file.close().unwrap();
        let mut file = open();
        assert!(file.mark_open().unwrap());
        file.close().unwrap();
        // A later change opens it again.
        record(&mut index, 3);
        save(&mut file, &mut index);
        assert!(!open().mark_open().unwrap());
    }

    #[test]
    fn log_is_read_up_to_its_damage() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = IndexFile::new(folder.path().to_owned());
        let mut index = Index::default();
        record(&mut index, 0);
        save(&mut file, &mut index);
        record(&mut index, 1);
        save(&mut file, &mut index);
        record(&mut index, 2);
        save(&mut file, &mut index);
        let whole = fs::read(file.log()).unwrap();
        let known = |file: &mut IndexFile| {
            let index = file.load().unwrap();
            (0..3)
                .map(|number| index.get(&key(number)).is_some())
                .collect::<Vec<_>>()
        };
        assert_eq!(known(&mut file), [true, true, true]);
        for end in SUM..whole.len() {
            fs::write(file.log(), &whole[..end]).unwrap();
            let known = known(&mut file);
            assert!(known[0] && (known[1] || !known[2]), "{end}: {known:?}");
        }
        let mut damaged = whole.clone();
        *damaged.last_mut().unwrap() ^= 1;
        fs::write(file.log(), damaged).unwrap();
        assert_eq!(known(&mut file), [true, true, false]);
        // The log of another snapshot.
        fs::write(file.log(), &whole[1..]).unwrap();
        assert_eq!(known(&mut file), [true, false, false]);
    }

    #[test]
    fn damage_and_other_versions_are_distinguished() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = IndexFile::new(folder.path().to_owned());
        let mut index = Index::default();
        record(&mut index, 1);
        save(&mut file, &mut index);
        let whole = fs::read(file.snapshot()).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(file.snapshot(), &bytes).unwrap();
            let error = file.load().unwrap_err();
            let is_version = (MAGIC.len()..MAGIC.len() + 4).contains(&at);
            let is_expected = match error {
                LoadError::Damaged => true,
                LoadError::OtherVersion(_) => is_version,
                LoadError::Missing | LoadError::Io(_) => false,
            };
            assert!(is_expected, "{at}: {error}");
        }
        fs::write(file.snapshot(), &whole[..whole.len() - 1]).unwrap();
        assert!(matches!(file.load(), Err(LoadError::Damaged)));
    }

    #[test]
    fn artifact_takes_at_most_64_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = IndexFile::new(folder.path().to_owned());
        let mut index = Index::default();
        for number in 0..50_000 {
            record(&mut index, number);
            if number % 1000 == 0 {
                save(&mut file, &mut index);
            }
        }
        save(&mut file, &mut index);
        assert!(file.size().unwrap() < 64 * 50_000);
    }
}
