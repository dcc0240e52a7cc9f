//! Paths on the command line.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use fumikura_base::printable::Printable;
use fumikura_hashes::FilePath;

/// Returns the absolute paths of files, with symbolic links resolved as far as the files exist.
pub(super) fn resolve(paths: &[PathBuf]) -> anyhow::Result<Vec<FilePath>> {
    paths.iter().map(|path| resolve_one(path)).collect()
}

pub(super) fn resolve_one(path: &Path) -> anyhow::Result<FilePath> {
    let resolved = resolve_path(&std::path::absolute(path)?);
    let resolved = resolved.with_context(|| display_path(path))?;
    FilePath::try_from(&*resolved).with_context(|| display_path(path))
}

/// Resolves the symbolic links in a path. Missing parts keep their names. A link at the end is not resolved: it
/// is not a regular file.
fn resolve_path(path: &Path) -> io::Result<PathBuf> {
    let is_link = path
        .symlink_metadata()
        .is_ok_and(|metadata| metadata.is_symlink());
    let outcome = if is_link {
        Err(io::ErrorKind::NotFound.into())
    } else {
        path.canonicalize()
    };
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            match (path.parent(), path.file_name()) {
                (Some(parent), Some(name)) => Ok(resolve_path(parent)?.join(name)),
                _ => Ok(path.to_owned()),
            }
        }
        outcome => outcome,
    }
}

pub(super) fn display_path(path: &Path) -> String {
    Printable(String::from_utf8_lossy(path.as_os_str().as_bytes())).to_string()
}
