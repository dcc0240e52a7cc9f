//! A log in a few files of limited size: `fumikura.log`, and the earlier ones as `fumikura.1.log`, `fumikura.2.log` …

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;

/// A log that starts a new file before one gets too large, and removes the oldest.
#[derive(Debug)]
pub struct RotatingLog {
    folder: PathBuf,
    /// The largest size of a file, in bytes.
    limit: u64,
    /// The number of files.
    files: usize,
    file: File,
    length: u64,
}

impl RotatingLog {
    /// Opens the log in a folder, which is created, and continues it.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn open(folder: &Path, limit: u64, files: usize) -> io::Result<Self> {
        durable::create_folder(folder, Access::Private)?;
        let file = append(&Self::file(folder, 0))?;
        Ok(Self {
            folder: folder.to_owned(),
            limit,
            files,
            length: file.metadata()?.len(),
            file,
        })
    }

    /// Returns the path of a file of the log; the number 0 is the newest.
    #[must_use]
    pub fn file(folder: &Path, number: usize) -> PathBuf {
        match number {
            0 => folder.join("fumikura.log"),
            number => folder.join(format!("fumikura.{number}.log")),
        }
    }

    fn rotate(&mut self) -> io::Result<()> {
        for number in (1..self.files).rev() {
            let (from, to) = (number - 1, number);
            match fs::rename(Self::file(&self.folder, from), Self::file(&self.folder, to)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        self.file = append(&Self::file(&self.folder, 0))?;
        self.length = self.file.metadata()?.len();
        Ok(())
    }
}

impl Write for RotatingLog {
    /// Writes an event, which is never divided between two files.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.length > 0 && self.length + bytes.len() as u64 > self.limit {
            self.rotate()?;
        }
        self.file.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn append(path: &Path) -> io::Result<File> {
    own_file::open_with(path, File::options().append(true).create(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(folder: &Path) -> Vec<String> {
        let files = (0..).map(|number| fs::read_to_string(RotatingLog::file(folder, number)));
        files.map_while(Result::ok).collect()
    }

    #[test]
    fn oldest_file_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("log");
        let mut log = RotatingLog::open(&folder, 8, 3).unwrap();
        for line in [
            "one\n",
            "two\n",
            "three\n",
            "four\n",
            "longer than it may be\n",
            "five\n",
        ] {
            log.write_all(line.as_bytes()).unwrap();
        }
        assert_eq!(
            contents(&folder),
            ["five\n", "longer than it may be\n", "four\n"]
        );
    }

    #[test]
    fn reopened_log_is_continued() {
        let folder = tempfile::tempdir().unwrap();
        for line in ["one\n", "two\n", "three\n"] {
            let mut log = RotatingLog::open(folder.path(), 8, 3).unwrap();
            log.write_all(line.as_bytes()).unwrap();
        }
        assert_eq!(contents(folder.path()), ["three\n", "one\ntwo\n"]);
    }

    #[test]
    fn link_in_its_place_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        fs::write(&other, "mine").unwrap();
        std::os::unix::fs::symlink(&other, RotatingLog::file(folder.path(), 0)).unwrap();
        assert!(RotatingLog::open(folder.path(), 8, 3).is_err());
        assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
    }
}
