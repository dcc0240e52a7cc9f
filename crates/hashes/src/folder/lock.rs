//! A lock for a single writer: the window's server and the command line may use the same folder.

use std::fs::File;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use fumikura_base::{durable, own_file};
use rustix::fs::{FlockOperation, flock};

use super::HashFolder;

/// The time for which a writer waits for another one.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
/// The time between two attempts.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// The right to write into a hash folder. It ends with this value, and with the process.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl HashFolder {
    /// Waits a few seconds for another writer to finish. A foreign folder has no lock, since its own program
    /// does not use one.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if another process is still writing, and errors of the file system.
    pub fn lock(&self) -> io::Result<FolderLock> {
        let file = if self.is_own() {
            let mut options = File::options();
            options.create(true).truncate(false).write(true);
            own_file::open_with(&self.own("lock"), &mut options)?
        } else {
            durable::open_folder(self.path())?
        };
        let end = Instant::now() + LOCK_TIMEOUT;
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(FolderLock { _file: file }),
                Err(rustix::io::Errno::WOULDBLOCK) if Instant::now() < end => {
                    thread::sleep(RETRY_INTERVAL);
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}
