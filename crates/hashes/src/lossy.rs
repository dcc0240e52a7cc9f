//! Paths in which another program replaced each byte that is not UTF-8.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Component;

use crate::access::is_absent;
use crate::path::FilePath;
use crate::record::Record;

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
    let mut found = vec![FilePath::top()];
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
                *folder = folder.join(name.as_bytes());
            }
        }
    }
    found.retain(|found| found.stat().is_ok() && found != path);
    Ok(found)
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

fn matching_names(folder: &FilePath, replaced: &[u8]) -> io::Result<Vec<FilePath>> {
    let listed = folder.open_folder().and_then(|folder| folder.entries());
    let entries = match listed {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let names = entries.iter().map(|entry| entry.name.as_bytes());
    let matching = names.filter(|name| with_replacements(name) == replaced);
    Ok(matching.map(|name| folder.join(name)).collect())
}
