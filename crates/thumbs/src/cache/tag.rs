//! The mark that makes a folder ours: `CACHEDIR.TAG`, which backup programs recognise as well.

use std::fs;
use std::io;
use std::path::Path;

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;

use fumikura_fs::{path::display_path, platform};

const NAME: &str = "CACHEDIR.TAG";

/// The contents of the file. The first line is that of the Cache Directory Tagging Specification
/// (bford.info/cachedir). The second one distinguishes our folder from another program's.
const CONTENT: &str = "\
Signature: 8a477f597d28d172789f06886806bc55
# Fumikura keeps thumbnails here, and deletes them as it needs to.
# They can all be made again: this folder needs no backup.
";

/// A folder can't be used for thumbnails.
#[derive(Debug, thiserror::Error)]
pub enum CacheFolderError {
    /// The folder contains other files.
    #[error(
        "the folder {0} holds other files: thumbnails need an empty folder, or one that Fumikura made"
    )]
    Foreign(String),
    /// The path is a file, not a folder.
    #[error("{0} is not a folder")]
    NotAFolder(String),
    /// The file system failed.
    #[error("the folder {path} can't be used for thumbnails: {source}")]
    Io {
        /// The folder.
        path: String,
        /// The cause.
        source: io::Error,
    },
}

/// Marks the folder as ours, or recognises it as ours. A folder with other contents is left alone: they might
/// be deleted later, and may be valuable to their owner.
pub(super) fn claim(top: &Path) -> Result<(), CacheFolderError> {
    let path = || display_path(platform::bytes_of(top.as_os_str()));
    let failed = |source: io::Error| CacheFolderError::Io {
        path: path(),
        source,
    };
    match fs::metadata(top) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(CacheFolderError::NotAFolder(path())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            platform::create_private_folder(top).map_err(failed)?;
        }
        Err(error) => return Err(failed(error)),
    }
    match read(top) {
        Ok(content) if content == CONTENT.as_bytes() => return Ok(()),
        Ok(_) => return Err(CacheFolderError::Foreign(path())),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            return Err(CacheFolderError::Foreign(path()));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    if !is_empty(top).map_err(failed)? {
        return Err(CacheFolderError::Foreign(path()));
    }
    durable::write_file(&top.join(NAME), CONTENT.as_bytes(), Access::Private).map_err(failed)
}

/// Removes the mark.
pub(super) fn release(top: &Path) -> io::Result<()> {
    fs::remove_file(top.join(NAME))
}

/// True if the folder is marked as ours now. Another folder may have taken its place.
pub(super) fn is_ours(top: &Path) -> bool {
    read(top).is_ok_and(|content| content == CONTENT.as_bytes())
}

fn read(top: &Path) -> io::Result<Vec<u8>> {
    own_file::read(&top.join(NAME), own_file::VALUE)
}

/// True if a folder contains nothing but an interrupted write of the tag, or the contents of a newly made
/// file system.
fn is_empty(top: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(top)? {
        let name = entry?.file_name();
        let name = platform::bytes_of(&name);
        let remnant = name.starts_with(b".") && name.ends_with(b".tmp");
        if !remnant && name != b"lost+found" && name != NAME.as_bytes() {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn new_folder_is_private_and_recognized_later() {
        let outer = tempfile::tempdir().unwrap();
        let top = outer.path().join("cache/thumbs");
        claim(&top).unwrap();
        for folder in [&top, &outer.path().join("cache")] {
            assert_eq!(
                fs::metadata(folder).unwrap().permissions().mode() & 0o777,
                0o700
            );
        }
        fs::create_dir(top.join("a3")).unwrap();
        claim(&top).unwrap();
        assert!(
            fs::read_to_string(top.join(NAME))
                .unwrap()
                .starts_with("Signature: 8a477f597d28d172789f06886806bc55\n")
        );
    }

    #[test]
    fn interrupted_marking_of_empty_folder_is_completed() {
        let top = tempfile::tempdir().unwrap();
        fs::write(top.path().join(".abc123.tmp"), "Signa").unwrap();
        claim(top.path()).unwrap();
    }

    #[test]
    fn folder_with_foreign_files_is_refused_unchanged() {
        let top = tempfile::tempdir().unwrap();
        fs::write(top.path().join("thesis.odt"), "dear").unwrap();
        assert!(matches!(
            claim(top.path()),
            Err(CacheFolderError::Foreign(_))
        ));
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 1);
    }

    #[test]
    fn another_programs_cache_is_refused() {
        let top = tempfile::tempdir().unwrap();
        fs::write(
            top.path().join(NAME),
            "Signature: 8a477f597d28d172789f06886806bc55\n# cargo\n",
        )
        .unwrap();
        assert!(matches!(
            claim(top.path()),
            Err(CacheFolderError::Foreign(_))
        ));
    }

    #[test]
    fn file_in_place_of_folder_is_reported() {
        let outer = tempfile::tempdir().unwrap();
        let top = outer.path().join("thumbs");
        fs::write(&top, "").unwrap();
        assert!(matches!(claim(&top), Err(CacheFolderError::NotAFolder(_))));
    }
}
