//! The folder of a cache.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Returns the folder of the expiry index in a cache that servers with one data folder have used.
///
/// # Errors
/// Fails if no server has used the cache.
pub fn expiry_index(cache: &Path) -> io::Result<PathBuf> {
    let mut indexes = fs::read_dir(cache.join("ttl"))?;
    let index = indexes.next().ok_or(ErrorKind::NotFound)??;
    Ok(index.path())
}
