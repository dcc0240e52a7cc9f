//! Temporary files of converted texts and unpacked files.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use fumikura_base::own_file;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::ReadError;

const PIECE: usize = 64 * 1024;

/// A private folder that is deleted on drop, with one file of texts and any number of others.
#[derive(Debug)]
pub struct Spool {
    folder: TempDir,
    texts: File,
    texts_end: AtomicU64,
    files: AtomicU64,
    left: AtomicU64,
    limit: u64,
}

/// A text in a spool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    at: u64,
    bytes: usize,
    /// The SHA-256 of the text.
    pub sha256: [u8; 32],
}

impl Text {
    /// The length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }
}

/// A file in a spool.
#[derive(Debug, Clone)]
pub struct Spooled {
    path: PathBuf,
    pub size: u64,
    pub sha256: [u8; 32],
}

impl Spooled {
    /// Opens the file.
    ///
    /// # Errors
    /// [`ReadError::Spool`].
    pub fn open(&self) -> Result<File, ReadError> {
        own_file::open(&self.path, self.size).map_err(ReadError::Spool)
    }
}

impl Spool {
    /// Creates the folder in `parent`. At most `limit` bytes are written to it.
    ///
    /// # Errors
    /// [`ReadError::Spool`].
    pub fn new(parent: &Path, limit: u64) -> Result<Self, ReadError> {
        let folder = tempfile::Builder::new()
            .prefix("import-")
            .tempdir_in(parent);
        let folder = folder.map_err(ReadError::Spool)?;
        let texts = tempfile::tempfile_in(folder.path()).map_err(ReadError::Spool)?;
        Ok(Self {
            folder,
            texts,
            texts_end: AtomicU64::new(0),
            files: AtomicU64::new(0),
            left: AtomicU64::new(limit),
            limit,
        })
    }

    /// Keeps a text.
    ///
    /// # Errors
    /// [`ReadError::Spool`], [`ReadError::TooMuch`].
    pub fn keep_text(&self, text: &str) -> Result<Text, ReadError> {
        self.take(text.len() as u64)?;
        let at = self
            .texts_end
            .fetch_add(text.len() as u64, Ordering::Relaxed);
        self.texts
            .write_all_at(text.as_bytes(), at)
            .map_err(ReadError::Spool)?;
        Ok(Text {
            at,
            bytes: text.len(),
            sha256: Sha256::digest(text).into(),
        })
    }

    /// Returns a text that was kept.
    ///
    /// # Errors
    /// [`ReadError::Spool`].
    pub fn text(&self, text: &Text) -> Result<String, ReadError> {
        let mut bytes = vec![0; text.bytes];
        self.texts
            .read_exact_at(&mut bytes, text.at)
            .map_err(ReadError::Spool)?;
        String::from_utf8(bytes)
            .map_err(|error| ReadError::Spool(io::Error::new(io::ErrorKind::InvalidData, error)))
    }

    /// Keeps a file, which is read piece by piece. A fault of the reader is the source's.
    ///
    /// # Errors
    /// [`ReadError::Source`], [`ReadError::Spool`], [`ReadError::TooMuch`].
    pub fn keep_file(&self, reader: &mut dyn Read) -> Result<Spooled, ReadError> {
        let number = self.files.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.path().join(number.to_string());
        let mut file = own_file::create_new(&path).map_err(ReadError::Spool)?;
        let (mut size, mut hash, mut piece) = (0, Sha256::new(), vec![0; PIECE]);
        loop {
            let read = match reader.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(ReadError::Source(error)),
            };
            self.take(read as u64)?;
            size += read as u64;
            hash.update(&piece[..read]);
            file.write_all(&piece[..read]).map_err(ReadError::Spool)?;
        }
        Ok(Spooled {
            path,
            size,
            sha256: hash.finalize().into(),
        })
    }

    fn take(&self, bytes: u64) -> Result<(), ReadError> {
        let less = |left: u64| left.checked_sub(bytes);
        self.left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
            .map(drop)
            .map_err(|_left| ReadError::TooMuch(self.limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_files_are_returned() {
        let parent = tempfile::tempdir().unwrap();
        let spool = Spool::new(parent.path(), 1000).unwrap();
        let first = spool.keep_text("京都").unwrap();
        let second = spool.keep_text("b").unwrap();
        let file = spool.keep_file(&mut &b"bytes"[..]).unwrap();
        assert_eq!(spool.text(&first).unwrap(), "京都");
        assert_eq!(spool.text(&second).unwrap(), "b");
        let mut bytes = String::new();
        file.open().unwrap().read_to_string(&mut bytes).unwrap();
        assert_eq!(bytes, "bytes");
        drop(spool);
        assert_eq!(parent.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn limit_counts_texts_and_files() {
        let parent = tempfile::tempdir().unwrap();
        let spool = Spool::new(parent.path(), 8).unwrap();
        spool.keep_text("1234").unwrap();
        assert!(matches!(
            spool.keep_file(&mut &b"12345"[..]),
            Err(ReadError::TooMuch(8))
        ));
    }
}
