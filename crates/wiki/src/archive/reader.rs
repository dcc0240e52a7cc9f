//! A reader of archives. The sizes that an archive declares are not trusted: unpacked bytes are counted.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use zip::ZipArchive;
use zip::result::ZipError;

use super::error::{EntryFault, ImportError, InvalidArchive};
use super::manifest::{Manifest, VERSION};
use super::names::MANIFEST;
use crate::model::page::MAX_SOURCE_BYTES;
use crate::store::StorageError;

/// The number of bytes that are unpacked at once.
const PIECE: usize = 64 * 1024;
/// The maximum length of a manifest in bytes: enough for half a million pages.
const MAX_MANIFEST: u64 = 128 * 1024 * 1024;

/// The maximum number of bytes that are read to find the entries of an archive: the names of half a million
/// entries. All of it is kept in memory, and several times that.
const MAX_DIRECTORY: u64 = 64 * 1024 * 1024;

/// An archive that is being read.
pub(super) struct Archive {
    zip: ZipArchive<BufReader<LimitedFile>>,
    /// The number of bytes that may still be unpacked, and its initial value.
    left: u64,
    limit: u64,
}

impl Archive {
    /// Opens an archive, from which at most `limit` bytes are unpacked.
    pub(super) fn open(file: File, limit: u64) -> Result<Self, ImportError> {
        Self::open_within(file, limit, MAX_DIRECTORY)
    }

    fn open_within(file: File, limit: u64, directory: u64) -> Result<Self, ImportError> {
        let ration = Arc::new(AtomicU64::new(directory));
        let file = LimitedFile {
            file,
            left: Arc::clone(&ration),
        };
        let mut zip = ZipArchive::new(BufReader::new(file)).map_err(not_zip)?;
        ration.store(u64::MAX, Ordering::Relaxed);
        // Without this check one piece of the archive could be unpacked any number of times.
        if zip.has_duplicate_names() || zip.has_overlapping_files().map_err(not_zip)? {
            let reason = "its entries lie on top of each other".to_owned();
            return Err(InvalidArchive::NotZip(reason).into());
        }
        Ok(Self {
            zip,
            left: limit,
            limit,
        })
    }

    /// Returns the number of entries that are files.
    pub(super) fn files(&self) -> usize {
        let is_file = |index| {
            self.zip
                .by_index_data(index)
                .is_ok_and(|entry| entry.is_file())
        };
        (0..self.zip.len()).filter(|index| is_file(*index)).count()
    }

    /// Returns the declared size of an entry, or 0 if there is no such entry.
    pub(super) fn declared_size(&self, entry: &str) -> u64 {
        let index = self.zip.index_for_name_raw(entry.as_bytes());
        let entry = index.and_then(|index| self.zip.by_index_data(index).ok());
        entry.map_or(0, |entry| entry.size())
    }

    pub(super) fn manifest(&mut self) -> Result<Manifest, ImportError> {
        /// The field that is read first: a later version may have a different form otherwise.
        #[derive(serde::Deserialize)]
        struct Version {
            version: u64,
        }
        if !self.has(MANIFEST) {
            return Err(InvalidArchive::NoManifest.into());
        }
        let bytes = self.manifest_bytes(MANIFEST)?;
        let unreadable = |error: serde_json::Error| InvalidArchive::Manifest(error.to_string());
        let Version { version } = serde_json::from_slice(&bytes).map_err(unreadable)?;
        if version != VERSION {
            return Err(InvalidArchive::Version(version).into());
        }
        Ok(serde_json::from_slice(&bytes).map_err(unreadable)?)
    }

    /// True if it has an entry of this name.
    pub(super) fn has(&self, entry: &str) -> bool {
        self.zip.index_for_name_raw(entry.as_bytes()).is_some()
    }

    /// Returns the names of all entries.
    pub(super) fn names(&self) -> Result<Vec<String>, ImportError> {
        let names = self.zip.file_names();
        let names = names.map(|name| name.map(std::borrow::Cow::into_owned));
        names.collect::<Result<_, _>>().map_err(not_zip)
    }

    /// Returns the bytes of a manifest.
    pub(super) fn manifest_bytes(&mut self, entry: &str) -> Result<Vec<u8>, ImportError> {
        let mut bytes = Vec::new();
        let too_long = || EntryFault::Unreadable("it is too long".to_owned());
        self.unpack(entry, MAX_MANIFEST, too_long, &mut |piece| {
            bytes.extend_from_slice(piece);
            Ok(())
        })?;
        Ok(bytes)
    }

    /// Returns a page's text.
    pub(super) fn text(&mut self, entry: &str) -> Result<String, ImportError> {
        let mut bytes = Vec::new();
        let too_long = || EntryFault::TextTooLong;
        self.unpack(entry, MAX_SOURCE_BYTES as u64, too_long, &mut |piece| {
            bytes.extend_from_slice(piece);
            Ok(())
        })?;
        let text = String::from_utf8(bytes);
        Ok(text.map_err(|_not_utf8| EntryFault::NotUtf8.of(entry))?)
    }

    /// Unpacks an entry of at most `max` bytes into `output`, piece by piece.
    pub(super) fn unpack(
        &mut self,
        entry: &str,
        max: u64,
        too_long: impl FnOnce() -> EntryFault,
        output: &mut dyn FnMut(&[u8]) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let index = self.zip.index_for_name_raw(entry.as_bytes());
        let index = index.ok_or_else(|| EntryFault::Missing.of(entry))?;
        let opened = self.zip.by_index(index);
        let mut opened = opened.map_err(|error| unreadable(entry, error.into()))?;
        if !opened.is_file() {
            return Err(EntryFault::NotAFile.of(entry).into());
        }
        let mut piece = vec![0; PIECE];
        let mut length: u64 = 0;
        loop {
            let read = match opened.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(unreadable(entry, error)),
            };
            length += read as u64;
            if length > max {
                return Err(too_long().of(entry).into());
            }
            let left = self.left.checked_sub(read as u64);
            self.left = left.ok_or(ImportError::TooMuch(self.limit))?;
            output(&piece[..read])?;
        }
    }

    /// Lifts the limit after the archive was checked: unpacking a second time does not count.
    pub(super) fn lift_limit(&mut self) {
        self.left = u64::MAX;
    }
}

/// A file of which only a limited number of bytes may be read.
struct LimitedFile {
    file: File,
    left: Arc<AtomicU64>,
}

impl Read for LimitedFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(out)?;
        let left = self.left.load(Ordering::Relaxed);
        match left.checked_sub(read as u64) {
            // Unlimited, once the directory is read.
            Some(_) if left == u64::MAX => {}
            Some(less) => self.left.store(less, Ordering::Relaxed),
            None => return Err(io::Error::other("its directory is too long")),
        }
        Ok(read)
    }
}

impl Seek for LimitedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

fn not_zip(error: ZipError) -> ImportError {
    let error = io::Error::from(error);
    if error.raw_os_error().is_some() {
        return StorageError::from(error).into();
    }
    InvalidArchive::NotZip(error.to_string()).into()
}

/// Converts an error: a failure of the disk is reported as such, everything else is the archive's fault.
fn unreadable(entry: &str, error: io::Error) -> ImportError {
    if error.raw_os_error().is_some() {
        return StorageError::from(error).into();
    }
    EntryFault::Unreadable(error.to_string()).of(entry).into()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    #[test]
    fn directory_longer_than_its_limit_is_refused() {
        let mut zip = ZipWriter::new(tempfile::tempfile().unwrap());
        for entry in 0..1000 {
            let name = format!("an entry that holds next to nothing {entry}");
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(b"x").unwrap();
        }
        let file = zip.finish().unwrap();
        let open = |directory| {
            let archive = Archive::open_within(file.try_clone().unwrap(), 1 << 20, directory);
            archive.map(|archive| archive.files())
        };
        assert_eq!(open(1 << 20).unwrap(), 1000);
        let refused = open(50_000).unwrap_err().to_string();
        assert!(refused.ends_with("its directory is too long"), "{refused}");
    }
}
