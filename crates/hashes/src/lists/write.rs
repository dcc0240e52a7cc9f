//! Writes lists with which other programs check files.

use std::borrow::Cow;
use std::io::{self, Write};

use super::escape::{escape, is_needed};
use super::{OmissionReason, OmittedFile};
use crate::digest::Digest;
use crate::path::FilePath;

/// The buffer for a line in RHash, including one byte for its end.
const RHASH_LINE: usize = 4095;

/// Writes a list for `sha256sum -c`. Paths beneath `base` become relative to it.
///
/// # Errors
/// Errors of the writer.
pub fn write_sha256sums<'a>(
    out: &mut impl Write,
    files: impl Iterator<Item = (&'a FilePath, &'a Digest, Option<u64>)>,
    base: Option<&FilePath>,
) -> io::Result<()> {
    for (path, digest, _) in files {
        out.write_all(&escaped_line(path, digest, base))?;
    }
    Ok(())
}

/// Writes a list for `hashdeep -a -k`, like [`write_sha256sums`]. Returns the files that such a list cannot
/// hold: hashdeep has no escapes, treats a CR at the end of a line as a part of the line end, and needs
/// sizes.
///
/// # Errors
/// Errors of the writer.
pub fn write_hashdeep<'a>(
    out: &mut impl Write,
    files: impl Iterator<Item = (&'a FilePath, &'a Digest, Option<u64>)>,
    base: Option<&FilePath>,
) -> io::Result<Vec<OmittedFile>> {
    let mut omitted = Vec::new();
    out.write_all(b"%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n")?;
    for (path, digest, size) in files {
        let name = path.as_bytes();
        let size = if name.contains(&b'\n') || name.ends_with(b"\r") {
            Err(OmissionReason::LineBreak)
        } else {
            size.ok_or(OmissionReason::NoSize)
        };
        match size {
            Ok(size) => {
                write!(out, "{size},{},", digest.to_hex())?;
                out.write_all(&relative(path, base))?;
                out.write_all(b"\n")?;
            }
            Err(reason) => omitted.push(OmittedFile {
                path: path.clone(),
                reason,
            }),
        }
    }
    Ok(omitted)
}

/// Writes a list for `rhash -c`, like [`write_sha256sums`]. Returns the files that such a list cannot hold: RHash
/// before 1.4.4 has no escape but that of a line feed, and drops a blank at a name's end.
///
/// # Errors
/// Errors of the writer.
pub fn write_rhash<'a>(
    out: &mut impl Write,
    files: impl Iterator<Item = (&'a FilePath, &'a Digest, Option<u64>)>,
    base: Option<&FilePath>,
) -> io::Result<Vec<OmittedFile>> {
    let mut omitted = Vec::new();
    out.write_all(b"; SHA-256, for rhash -c\n")?;
    for (path, digest, _) in files {
        let line = escaped_line(path, digest, base);
        match rhash_omission(path.as_bytes(), &line) {
            None => out.write_all(&line)?,
            Some(reason) => omitted.push(OmittedFile {
                path: path.clone(),
                reason,
            }),
        }
    }
    Ok(omitted)
}

fn rhash_omission(name: &[u8], line: &[u8]) -> Option<OmissionReason> {
    let is_control = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n');
    if name.contains(&b'\r') {
        Some(OmissionReason::LineBreak)
    } else if name.contains(&b'\\') {
        Some(OmissionReason::Backslash)
    } else if name.ends_with(b" ") || name.ends_with(b"\t") {
        Some(OmissionReason::BlankEnd)
    } else if line.iter().any(is_control) {
        Some(OmissionReason::Control)
    } else {
        (line.len() > RHASH_LINE).then_some(OmissionReason::TooLong)
    }
}

fn escaped_line(path: &FilePath, digest: &Digest, base: Option<&FilePath>) -> Vec<u8> {
    let name = relative(path, base);
    let mark: &[u8] = if is_needed(&name) { b"\\" } else { b"" };
    [
        mark,
        digest.to_hex().as_bytes(),
        b"  ",
        &escape(&name),
        b"\n",
    ]
    .concat()
}

/// Returns the path relative to the base, with `./` before it so that no name is taken for an option or a comment.
fn relative<'a>(path: &'a FilePath, base: Option<&FilePath>) -> Cow<'a, [u8]> {
    let below = base
        .filter(|base| path != *base && path.is_within(base))
        .and_then(|base| path.as_bytes().strip_prefix(base.as_bytes()));
    match below {
        Some(below) => {
            let below = below.strip_prefix(b"/").unwrap_or(below);
            Cow::Owned([b"./", below].concat())
        }
        None => Cow::Borrowed(path.as_bytes()),
    }
}
