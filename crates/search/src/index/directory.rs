//! The files of an index. They are read and not mapped into memory, so that a read error is an error and not a
//! signal, and those to which tantivy gives no checksum get one.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use parking_lot::Mutex;
use tantivy::HasLen;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::footer::Footer;
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, FileSlice, Lock, OwnedBytes,
    TerminatingWrite, WatchCallback, WatchHandle, WritePtr,
};

use super::error::IndexError;

/// The end of a file that is replaced as a whole: a checksum of what is before it.
const CHECKSUM_LENGTH: usize = "\ncrc32 00000000\n".len();
/// The extension of term dictionaries.
const DICTIONARY: &str = "term";

/// A folder with an index.
#[derive(Debug, Clone)]
pub(super) struct IndexDirectory {
    folder: PathBuf,
    /// The term dictionaries in use. They are read as a whole, and opened again at each reload.
    dictionaries: Arc<Mutex<HashMap<PathBuf, Weak<dyn FileHandle>>>>,
}

/// An open file.
#[derive(Debug)]
struct ReadFile {
    file: File,
    len: usize,
}

impl IndexDirectory {
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            dictionaries: Arc::default(),
        }
    }

    /// Compares a file of a segment with its checksum.
    pub(super) fn validate(&self, name: &Path) -> Result<(), IndexError> {
        let damaged = |reason: String| {
            IndexError::Unusable(format!("{} is damaged: {reason}", name.display()))
        };
        let file = self.read_file(name);
        let file = file.map_err(|error| damaged(error.to_string()))?;
        let checked = Footer::extract_footer(FileSlice::new(Arc::new(file)));
        let (footer, body) = checked.map_err(|error| damaged(error.to_string()))?;
        let mut hasher = crc32fast::Hasher::new();
        for chunk in body.stream_file_chunks() {
            hasher.update(&chunk.map_err(|error| damaged(error.to_string()))?);
        }
        match hasher.finalize() == footer.crc {
            true => Ok(()),
            false => Err(damaged("its checksum differs".to_owned())),
        }
    }

    fn read_file(&self, name: &Path) -> Result<ReadFile, OpenReadError> {
        let path = self.folder.join(name);
        let opened = own_file::open_with(&path, File::options().read(true)).and_then(|file| {
            let len = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
            Ok(ReadFile { file, len })
        });
        opened.map_err(|error| read_error(error, name))
    }
}

impl HasLen for ReadFile {
    fn len(&self) -> usize {
        self.len
    }
}

impl FileHandle for ReadFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        if range.start > range.end || range.end > self.len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut bytes = vec![0; range.len()];
        self.file.read_exact_at(&mut bytes, range.start as u64)?;
        Ok(OwnedBytes::new(bytes))
    }
}

impl Directory for IndexDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        if path
            .extension()
            .is_none_or(|extension| extension != DICTIONARY)
        {
            return Ok(Arc::new(self.read_file(path)?));
        }
        let mut dictionaries = self.dictionaries.lock();
        if let Some(dictionary) = dictionaries.get(path).and_then(Weak::upgrade) {
            return Ok(dictionary);
        }
        let file = self.read_file(path)?;
        let bytes = file.read_bytes(0..file.len);
        let bytes = bytes.map_err(|error| OpenReadError::wrap_io_error(error, path.to_owned()))?;
        let dictionary: Arc<dyn FileHandle> = Arc::new(bytes);
        dictionaries.retain(|_, dictionary| dictionary.strong_count() > 0);
        dictionaries.insert(path.to_owned(), Arc::downgrade(&dictionary));
        Ok(dictionary)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        fs::remove_file(self.folder.join(path)).map_err(|error| match is_missing(&error) {
            true => DeleteError::FileDoesNotExist(path.to_owned()),
            false => DeleteError::IoError {
                io_error: Arc::new(error),
                filepath: path.to_owned(),
            },
        })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        let exists = self.folder.join(path).try_exists();
        exists.map_err(|error| read_error(error, path))
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let created = own_file::create_new(&self.folder.join(path));
        let is_taken = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
        let file = created.map_err(|error| match is_taken(&error) {
            true => OpenWriteError::FileAlreadyExists(path.to_owned()),
            false => OpenWriteError::wrap_io_error(error, path.to_owned()),
        })?;
        Ok(BufWriter::new(Box::new(WrittenFile(file))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let read = own_file::read(&self.folder.join(path), own_file::SETTINGS);
        let mut bytes = read.map_err(|error| read_error(error, path))?;
        let end = bytes.len().saturating_sub(CHECKSUM_LENGTH);
        if bytes[end..] != *checksum(&bytes[..end]).as_bytes() {
            let error = io::Error::new(io::ErrorKind::InvalidData, "the checksum differs");
            return Err(OpenReadError::wrap_io_error(error, path.to_owned()));
        }
        bytes.truncate(end);
        Ok(bytes)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let checksum = checksum(data);
        let bytes = [data, checksum.as_bytes()].concat();
        durable::write_file(&self.folder.join(path), &bytes, Access::Private)
    }

    fn sync_directory(&self) -> io::Result<()> {
        durable::sync_folder(&self.folder)
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        let mut options = File::options();
        options.write(true).create(true).truncate(false);
        let opened = own_file::open_with(&self.folder.join(&lock.filepath), &mut options);
        let file = opened.map_err(LockError::wrap_io_error)?;
        if lock.is_blocking {
            file.lock().map_err(LockError::wrap_io_error)?;
        } else {
            file.try_lock().map_err(|error| match error {
                TryLockError::WouldBlock => LockError::LockBusy,
                TryLockError::Error(error) => LockError::wrap_io_error(error),
            })?;
        }
        // The lock ends with the file.
        Ok(DirectoryLock::from(Box::new(file)))
    }

    /// Readers are reloaded explicitly.
    fn watch(&self, _callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

/// A file that is being written. It is synced when it is complete.
struct WrittenFile(File);

impl Write for WrittenFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl TerminatingWrite for WrittenFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.0.sync_data()
    }
}

fn read_error(error: io::Error, path: &Path) -> OpenReadError {
    match is_missing(&error) {
        true => OpenReadError::FileDoesNotExist(path.to_owned()),
        false => OpenReadError::wrap_io_error(error, path.to_owned()),
    }
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// Returns the line that ends a file with these contents.
fn checksum(contents: &[u8]) -> String {
    format!("\ncrc32 {:08x}\n", crc32fast::hash(contents))
}
