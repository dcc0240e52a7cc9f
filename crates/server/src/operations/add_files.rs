//! Adding local files to a page: files chosen in the window, or pictures of an open folder.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use fumikura_base::own_file;
use fumikura_fs::Source;
use fumikura_library::Original;
use fumikura_wiki::{FileName, PageId, StorageError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Caller;
use crate::operations::AssetEntry;
use crate::services::PageFiles;

/// The size of a read, in bytes.
const PIECE: usize = 256 * 1024;

/// A request to add the clipboard's contents to a page.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssetPaste {
    /// The page or draft.
    pub page_id: PageId,
    /// The name for a picture, which has none of its own, without its extension.
    pub name: String,
}

/// A request to add a picture of the clipboard to a page.
#[derive(Debug, Clone)]
pub struct AssetAddPicture {
    /// The page or draft.
    pub page_id: PageId,
    /// Its name. If it is taken, the picture gets a free name like it.
    pub name: String,
    /// Its contents.
    pub contents: Vec<u8>,
}

/// The outcome for one of the files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct AddedFile {
    /// The file's name, as far as it can be shown; empty if the grant is invalid.
    pub name: String,
    /// The file, if it was added.
    pub asset: Option<AssetEntry>,
    /// The error, if it was not added.
    pub error: Option<ErrorBody>,
}

impl PageFiles {
    /// Adds a picture beneath a root to a page, whole or not at all.
    pub(crate) fn add_picture_at(
        &self,
        page: PageId,
        place: Result<Source, ApiError>,
        free_names: bool,
    ) -> AddedFile {
        let name = place.as_ref().map(name_of).unwrap_or_default();
        let name = String::from_utf8_lossy(name).into_owned();
        let added = place.and_then(|source| self.add_picture_of(page, &source, free_names));
        AddedFile::with_name(name, added)
    }

    /// Adds a picture to a page.
    ///
    /// # Errors
    /// `internal`. The error of the picture is returned with it: `invalid_file_name`, `too_large`, and the
    /// errors of an upload.
    pub async fn add_picture(
        self: &Arc<Self>,
        picture: AssetAddPicture,
    ) -> Result<AddedFile, ErrorBody> {
        let work = move |files: &Self| {
            let AssetAddPicture {
                page_id,
                name,
                contents,
            } = picture;
            let added = files.add_contents(page_id, &name, &contents);
            Ok(AddedFile::with_name(name, added))
        };
        Ok(blocking(self, work).await?)
    }

    /// Adds the file of a grant of the caller's window to a page, whole or not at all.
    pub(crate) fn add_granted(
        &self,
        page: PageId,
        grant: &str,
        caller: Caller,
        free_names: bool,
    ) -> AddedFile {
        let path = match self.grants.take_by(grant, caller) {
            Ok(path) => path,
            Err(error) => return AddedFile::with_name(String::new(), Err(error)),
        };
        let name = path.file_name().unwrap_or_default();
        let display_name = name.to_string_lossy().into_owned();
        AddedFile::with_name(display_name, self.add_file(page, &path, free_names))
    }

    fn add_file(
        &self,
        page: PageId,
        path: &Path,
        free_names: bool,
    ) -> Result<AssetEntry, ApiError> {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(not_utf8)?;
        let name = FileName::new(name)?;
        let file = own_file::open_users(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        self.add_opened(page, name, file, length, free_names)
    }

    fn add_picture_of(
        &self,
        page: PageId,
        source: &Source,
        free_names: bool,
    ) -> Result<AssetEntry, ApiError> {
        let name = std::str::from_utf8(name_of(source)).map_err(|_| not_utf8())?;
        let name = FileName::new(name)?;
        let Original {
            file, source_file, ..
        } = self.pictures.original(source)?;
        self.add_opened(page, name, file, source_file.stat().size, free_names)
    }

    fn add_opened(
        &self,
        page: PageId,
        name: FileName,
        file: File,
        length: u64,
        free_names: bool,
    ) -> Result<AssetEntry, ApiError> {
        let length = Some(length);
        let mut writer = if free_names {
            self.wiki.assets().begin_like(page, name, length)?
        } else {
            self.wiki.assets().begin(page, name, length)?
        };
        read_whole(file, |piece| Ok(writer.write(piece)?))?;
        let user = self.acting.get()?.id;
        Ok(self.wiki.assets().finish(writer, user)?.into())
    }

    fn add_contents(
        &self,
        page: PageId,
        name: &str,
        contents: &[u8],
    ) -> Result<AssetEntry, ApiError> {
        let name = FileName::new(name)?;
        let length = contents.len() as u64;
        let mut writer = self.wiki.assets().begin_like(page, name, Some(length))?;
        for piece in contents.chunks(PIECE) {
            writer.write(piece)?;
        }
        let user = self.acting.get()?.id;
        Ok(self.wiki.assets().finish(writer, user)?.into())
    }
}

impl AddedFile {
    fn with_name(name: String, outcome: Result<AssetEntry, ApiError>) -> Self {
        let (asset, error) = match outcome {
            Ok(asset) => (Some(asset), None),
            Err(error) => (None, Some(error.into_body())),
        };
        Self { name, asset, error }
    }
}

fn name_of(source: &Source) -> &[u8] {
    let path = source.path().as_bytes();
    path.rsplit(|&byte| byte == b'/').next().unwrap_or_default()
}

/// Reads a file to its end. Fails if the file changed meanwhile: it is still being written, and the bytes read
/// are not a consistent state.
fn read_whole(
    mut file: File,
    mut take: impl FnMut(&[u8]) -> Result<(), ApiError>,
) -> Result<(), ApiError> {
    let state = |file: &File| -> io::Result<_> {
        let metadata = file.metadata()?;
        Ok((metadata.len(), metadata.modified()?))
    };
    let before = state(&file).map_err(unreadable)?;
    let mut read = 0;
    let mut piece = vec![0; PIECE];
    loop {
        let length = file.read(&mut piece).map_err(unreadable)?;
        if length == 0 {
            break;
        }
        take(&piece[..length])?;
        read += length as u64;
    }
    if read == before.0 && state(&file).map_err(unreadable)? == before {
        Ok(())
    } else {
        let message = "another program is still writing the file";
        Err(ApiError::new(ErrorCode::SourceChanging, message))
    }
}

/// The names of pages' files are UTF-8.
fn not_utf8() -> ApiError {
    ApiError::new(
        ErrorCode::InvalidFileName,
        "the file's name is not valid text",
    )
}

/// Maps the error of reading the user's own file.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "io::ErrorKind is open; the rest is a failing disk"
)]
fn unreadable(error: io::Error) -> ApiError {
    let words = match error.kind() {
        io::ErrorKind::NotFound => "the file does not exist",
        io::ErrorKind::InvalidData => "this is not a file",
        io::ErrorKind::PermissionDenied => "the system does not permit reading the file",
        _ => return StorageError::Io(error).into(),
    };
    ApiError::new(ErrorCode::NotFound, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    #[test]
    fn file_that_changes_while_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jpg");
        let contents = vec![7; 3 * PIECE];
        let read = |act: &dyn Fn()| {
            fs::write(&path, &contents).unwrap();
            let mut taken = Vec::new();
            let read = read_whole(File::open(&path).unwrap(), |piece| {
                taken.extend_from_slice(piece);
                if taken.len() == 2 * PIECE {
                    act();
                }
                Ok(())
            });
            read.map(|()| taken).map_err(|error| error.code())
        };
        assert_eq!(read(&|| {}).as_ref(), Ok(&contents));
        let append = || {
            let mut file = File::options().append(true).open(&path).unwrap();
            file.write_all(b"more").unwrap();
        };
        assert_eq!(read(&append), Err(ErrorCode::SourceChanging));
        // An overwrite of the same length is detected as well.
        let write_over = || {
            let mut file = File::options().write(true).open(&path).unwrap();
            file.write_all(b"other").unwrap();
            let later = file.metadata().unwrap().modified().unwrap();
            let later = later + std::time::Duration::from_secs(1);
            file.set_modified(later).unwrap();
        };
        assert_eq!(read(&write_over), Err(ErrorCode::SourceChanging));
        let cut = || {
            let file = File::options().write(true).open(&path).unwrap();
            file.set_len(1).unwrap();
        };
        assert_eq!(read(&cut), Err(ErrorCode::SourceChanging));
        // Replacing the file under its name does not change the open one.
        let replace = || fs::remove_file(&path).unwrap();
        assert_eq!(read(&replace).as_ref(), Ok(&contents));
    }
}
