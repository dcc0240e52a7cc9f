//! Hash records, and sidecars of picture folders, in a backup: on request, in one zip file. They are brought back only
//! where they are missing.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use fumikura_base::own_file;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipArchive, ZipWriter};

/// The name of the file in the folder of a backup.
pub(super) const FILE: &str = "folder-records.zip";
const MANIFEST: &str = "folder-records.json";
const VERSION: u64 = 1;
/// The largest record that is included, in bytes.
const MAX_RECORD: u64 = 16 << 20;
/// The largest manifest that is read, in bytes.
const MAX_MANIFEST: u64 = 256 << 20;
const ENCODED: AsciiSet = CONTROLS.add(b'%');

/// The kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FolderRecordKind {
    /// A hash record, in the program's own hash folder.
    Hash,
    /// An XMP file beside a picture.
    Sidecar,
}

/// The place of a record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderRecord {
    pub kind: FolderRecordKind,
    /// The absolute path of the hash folder or picture folder.
    pub folder: Vec<u8>,
    /// The path in the folder.
    pub path: Vec<u8>,
}

/// The records in a backup.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct FolderRecordCounts {
    pub hashes: u64,
    pub sidecars: u64,
    /// The folders that could not be read when the backup was made.
    pub unavailable: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct RecordsManifest {
    version: u64,
    unavailable: Vec<String>,
    records: Vec<RecordEntry>,
}

/// A record and its entry. Bytes that are not UTF-8 are percent-encoded.
#[derive(Serialize, Deserialize)]
struct RecordEntry {
    kind: FolderRecordKind,
    folder: String,
    path: String,
    entry: String,
    sha256: String,
}

/// A file of records that is being written.
pub struct FolderRecordsWriter {
    zip: ZipWriter<File>,
    manifest: RecordsManifest,
    /// The folders so far, whose indexes are in the names of entries.
    folders: Vec<Vec<u8>>,
}

impl FolderRecordsWriter {
    /// Begins the file in the folder of a backup.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn begin(backup: &Path) -> io::Result<Self> {
        Ok(Self {
            zip: ZipWriter::new(own_file::create_new(&backup.join(FILE))?),
            manifest: RecordsManifest {
                version: VERSION,
                unavailable: Vec::new(),
                records: Vec::new(),
            },
            folders: Vec::new(),
        })
    }

    /// Adds a record. Those of the same folder follow each other. One that is too large to be a record is left out.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn add(&mut self, record: &FolderRecord, contents: &[u8]) -> io::Result<()> {
        if contents.len() as u64 > MAX_RECORD {
            return Ok(());
        }
        if self.folders.last() != Some(&record.folder) {
            self.folders.push(record.folder.clone());
        }
        let path = encoded(&record.path);
        let entry = match record.kind {
            FolderRecordKind::Hash => format!("hashes/{path}"),
            FolderRecordKind::Sidecar => format!("{}/{path}", self.folders.len()),
        };
        self.zip.start_file(&*entry, options())?;
        self.zip.write_all(contents)?;
        self.manifest.records.push(RecordEntry {
            kind: record.kind,
            folder: encoded(&record.folder),
            path,
            entry,
            sha256: hex::encode(Sha256::digest(contents)),
        });
        Ok(())
    }

    /// Notes a folder that could not be read.
    pub fn note_unavailable(&mut self, folder: String) {
        self.manifest.unavailable.push(folder);
    }

    /// Ends the file, which is on the disk then.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn finish(mut self) -> io::Result<()> {
        self.zip.start_file(MANIFEST, options())?;
        let json = serde_json::to_vec_pretty(&self.manifest)?;
        self.zip.write_all(&json)?;
        self.zip.finish()?.sync_all()
    }
}

/// The same records become the same bytes.
fn options() -> SimpleFileOptions {
    SimpleFileOptions::default().last_modified_time(DateTime::default())
}

/// A file of records.
pub struct FolderRecordsReader {
    zip: ZipArchive<BufReader<File>>,
    entries: Vec<(FolderRecord, RecordEntry)>,
    unavailable: Vec<String>,
}

impl FolderRecordsReader {
    /// Opens the file in the folder of a backup. Returns `None` if the backup has none.
    ///
    /// # Errors
    /// Errors of the file system, and [`io::ErrorKind::InvalidData`] for a damaged file.
    pub fn open(backup: &Path) -> io::Result<Option<Self>> {
        let file = match own_file::open_users(&backup.join(FILE)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut zip = ZipArchive::new(BufReader::new(file))?;
        let manifest = read_entry(&mut zip, MANIFEST, MAX_MANIFEST)?;
        let manifest: RecordsManifest = serde_json::from_slice(&manifest)?;
        if manifest.version != VERSION {
            return Err(invalid(format!("{FILE} has version {}", manifest.version)));
        }
        let entries = manifest.records.into_iter().map(|entry| {
            let record = FolderRecord {
                kind: entry.kind,
                folder: decoded(&entry.folder),
                path: decoded(&entry.path),
            };
            (record, entry)
        });
        Ok(Some(Self {
            zip,
            entries: entries.collect(),
            unavailable: manifest.unavailable,
        }))
    }

    /// Returns the records in their order.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &FolderRecord> {
        self.entries.iter().map(|(record, _)| record)
    }

    #[must_use]
    pub fn counts(&self) -> FolderRecordCounts {
        let of_kind = |kind| self.records().filter(|record| record.kind == kind).count() as u64;
        FolderRecordCounts {
            hashes: of_kind(FolderRecordKind::Hash),
            sidecars: of_kind(FolderRecordKind::Sidecar),
            unavailable: self.unavailable.clone(),
        }
    }

    /// Returns the contents of a record, by its index.
    ///
    /// # Errors
    /// Errors of the file system, and [`io::ErrorKind::InvalidData`] if they are damaged.
    pub fn contents(&mut self, index: usize) -> io::Result<Vec<u8>> {
        let Some((_, entry)) = self.entries.get(index) else {
            return Err(invalid(format!("there is no record {index}")));
        };
        let contents = read_entry(&mut self.zip, &entry.entry, MAX_RECORD)?;
        match hex::encode(Sha256::digest(&contents)) == entry.sha256 {
            true => Ok(contents),
            false => Err(invalid(format!("{} is damaged in {FILE}", entry.entry))),
        }
    }

    /// Reads all records.
    ///
    /// # Errors
    /// The error of the first one that is damaged.
    pub fn verify(&mut self) -> io::Result<()> {
        (0..self.entries.len()).try_for_each(|index| self.contents(index).map(drop))
    }
}

/// Reads the records in the folder of a backup completely. Returns their numbers, or `None` if it has none.
pub(super) fn verified_counts(backup: &Path) -> io::Result<Option<FolderRecordCounts>> {
    let Some(mut reader) = FolderRecordsReader::open(backup)? else {
        return Ok(None);
    };
    reader.verify()?;
    Ok(Some(reader.counts()))
}

/// Replaces the file by a link to that of another backup, if both are the same bytes.
pub(super) fn link_if_same(earlier: &Path, backup: &Path) -> io::Result<()> {
    let (theirs, own) = (earlier.join(FILE), backup.join(FILE));
    if !is_same(&theirs, &own)? {
        return Ok(());
    }
    let linked = backup.join(format!("{FILE}.link"));
    if let Err(error) = fs::hard_link(&theirs, &linked) {
        tracing::debug!("the records of an earlier backup can't be linked: {error}");
        return Ok(());
    }
    fs::rename(linked, own)
}

fn is_same(a: &Path, b: &Path) -> io::Result<bool> {
    let (mut a, mut b) = match (own_file::open_users(a), own_file::open_users(b)) {
        (Ok(a), Ok(b)) => (a, b),
        _ => return Ok(false),
    };
    if a.metadata()?.len() != b.metadata()?.len() {
        return Ok(false);
    }
    Ok(hash(&mut a)? == hash(&mut b)?)
}

fn hash(file: &mut File) -> io::Result<[u8; 32]> {
    let mut hash = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    file.seek(SeekFrom::Start(0))?;
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hash.finalize().into()),
            length => hash.update(&piece[..length]),
        }
    }
}

fn read_entry(zip: &mut ZipArchive<BufReader<File>>, name: &str, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = zip.by_name(name)?.take(most + 1).read_to_end(&mut bytes)?;
    match read as u64 <= most {
        true => Ok(bytes),
        false => Err(invalid(format!("{name} is too large"))),
    }
}

fn encoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.replace('%', "%25"),
        Err(_) => percent_encode(bytes, &ENCODED).to_string(),
    }
}

fn decoded(text: &str) -> Vec<u8> {
    percent_decode_str(text).collect()
}

fn invalid(words: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: FolderRecordKind, folder: &[u8], path: &[u8]) -> FolderRecord {
        FolderRecord {
            kind,
            folder: folder.to_vec(),
            path: path.to_vec(),
        }
    }

    fn records() -> Vec<FolderRecord> {
        use FolderRecordKind::{Hash, Sidecar};
        vec![
            record(Hash, b"/data/hashes", b"~pictures~a.jpg"),
            record(Sidecar, "/写真".as_bytes(), b"50%/a.jpg.xmp"),
            record(Sidecar, "/写真".as_bytes(), b"\xff\xfe.xmp"),
            record(Sidecar, b"/other", b"50%/a.jpg.xmp"),
        ]
    }

    fn write(backup: &Path) {
        let mut writer = FolderRecordsWriter::begin(backup).unwrap();
        for (record, number) in records().iter().zip(0_u8..) {
            writer.add(record, &[number; 100]).unwrap();
        }
        writer.note_unavailable("/usb".to_owned());
        writer.finish().unwrap();
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        let backup = tempfile::tempdir().unwrap();
        assert!(FolderRecordsReader::open(backup.path()).unwrap().is_none());
        write(backup.path());
        let mut reader = FolderRecordsReader::open(backup.path()).unwrap().unwrap();
        assert!(reader.records().eq(&records()));
        for (index, number) in (0..4).zip(0_u8..) {
            assert_eq!(reader.contents(index).unwrap(), [number; 100]);
        }
        let expected = FolderRecordCounts {
            hashes: 1,
            sidecars: 3,
            unavailable: vec!["/usb".to_owned()],
        };
        let counts = verified_counts(backup.path()).unwrap();
        assert_eq!(counts, Some(expected));
    }

    #[test]
    fn damaged_file_is_an_error() {
        let backup = tempfile::tempdir().unwrap();
        write(backup.path());
        let file = backup.path().join(FILE);
        let whole = fs::read(&file).unwrap();
        let entry = whole
            .windows(15)
            .position(|name| name == b"~pictures~a.jpg");
        for at in [entry.unwrap() + 16, whole.len() - 30] {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            fs::write(&file, damaged).unwrap();
            assert!(verified_counts(backup.path()).is_err(), "{at}");
        }
    }

    #[test]
    fn same_records_of_backups_are_linked() {
        use std::os::unix::fs::MetadataExt;
        let backups = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let [first, second] = [backups[0].path(), backups[1].path()];
        write(first);
        link_if_same(first, second).unwrap();
        assert!(!second.join(FILE).exists());
        write(second);
        link_if_same(first, second).unwrap();
        let links = fs::metadata(second.join(FILE)).unwrap().nlink();
        assert_eq!(links, 2);
        assert_eq!(fs::read_dir(second).unwrap().count(), 1);
    }
}
