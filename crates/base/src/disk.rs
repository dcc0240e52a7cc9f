//! Free space of disks.

use std::io;
use std::path::Path;

/// Returns the number of bytes that this user may still write to the disk of a folder. For a folder that does
/// not exist yet, it is the disk on which it will be.
///
/// # Errors
/// Errors of the file system.
pub fn free_space(folder: &Path) -> io::Result<u64> {
    let existing = folder.ancestors().find(|above| above.exists());
    let disk = rustix::fs::statvfs(existing.unwrap_or(folder))?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}
