//! Paths in which another program replaced each byte that is not UTF-8.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use crate::contents::is_absent;
use crate::path::FilePath;
use crate::record::Record;

/// The replacement.
const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

/// Returns true if a path may have replaced bytes.
pub(crate) fn is_possible(path: &[u8]) -> bool {
    path.windows(REPLACEMENT.len())
        .any(|bytes| bytes == REPLACEMENT)
}

/// Returns a path in the form written by a program that replaces each byte that is not UTF-8.
pub(crate) fn with_replacements(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.extend_from_slice(chunk.valid().as_bytes());
        for _ in chunk.invalid() {
            text.extend_from_slice(REPLACEMENT);
        }
    }
    text
}

/// Returns true if a record is about a path, or about the replaced form of it.
pub(crate) fn is_record_of(record: &Record, path: &FilePath) -> bool {
    record.path == *path
        || (!record.has_notes && with_replacements(path.as_bytes()) == record.path.as_bytes())
}

/// Returns the other existing paths that have this one as their replaced form.
///
/// # Errors
/// Errors of the file system, unless nothing exists at the path of a folder.
pub(crate) fn candidates(path: &FilePath) -> io::Result<Vec<FilePath>> {
    let mut found = vec![PathBuf::from("/")];
    for component in path.as_path().components() {
        let Component::Normal(name) = component else {
            continue;
        };
        if is_possible(name.as_bytes()) {
            let mut matching = Vec::new();
            for folder in &found {
                matching.extend(matching_names(folder, name.as_bytes())?);
            }
            found = matching;
        } else {
            for folder in &mut found {
                folder.push(name);
            }
        }
    }
    let existing = found
        .iter()
        .filter(|found| fs::symlink_metadata(found).is_ok() && *found != path.as_path());
    existing
        .map(|found| FilePath::try_from(&**found).map_err(io::Error::other))
        .collect()
}

/// Returns the file of a path with replaced bytes, if exactly one has it.
///
/// # Errors
/// Those of [`candidates`].
pub(crate) fn only_candidate(path: &FilePath) -> io::Result<Option<FilePath>> {
    let mut candidates = candidates(path)?;
    let only = candidates.pop();
    Ok(only.filter(|_| candidates.is_empty()))
}

fn matching_names(folder: &Path, replaced: &[u8]) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut matching = Vec::new();
    for entry in entries {
        let entry = entry?;
        if with_replacements(entry.file_name().as_bytes()) == replaced {
            matching.push(entry.path());
        }
    }
    Ok(matching)
}
