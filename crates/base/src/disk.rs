//! How much room a disk has.

use std::io;
use std::path::Path;

/// How many bytes this user may still write to the disk on which a folder is; of a folder that is not there yet, on
/// which it will be.
///
/// # Errors
/// Those of the file system.
#[cfg(unix)]
pub fn free_space(folder: &Path) -> io::Result<u64> {
    let there = folder.ancestors().find(|above| above.exists());
    let disk = rustix::fs::statvfs(there.unwrap_or(folder))?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// As much as anyone could need: this system does not say.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn free_space(_folder: &Path) -> io::Result<u64> {
    Ok(u64::MAX)
}
