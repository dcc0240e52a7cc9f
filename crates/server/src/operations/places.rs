//! Opening the places that a user named to the desktop: folders, and pictures in their folders.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use fumikura_fs::{AccessError, RelPath, Source};
use fumikura_library::EntryKind;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::events::Event;
use crate::services::LocalFiles;

/// The characters to percent-encode in the path of an address, as `ui/src/api/names.ts` does.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

impl LocalFiles {
    /// Opens a folder that was named on the command line, and returns its root's id. Open pages are notified.
    ///
    /// # Errors
    /// The error of the REST interface, if the folder can't be read or stored.
    pub fn open_folder(&self, path: &Path) -> Result<String, Box<ErrorBody>> {
        let added = self.pictures.roots().add(path);
        let root = added.map_err(|error| Box::new(ApiError::from(error).into_body()))?;
        self.events.publish(Event::roots_changed(root.id()));
        Ok(root.id().to_string())
    }

    /// Opens a folder or a picture that was named on the command line, and returns the address of its page. The
    /// folder stays open in later launches. The folder of a picture is opened for this launch only, unless an open
    /// folder already contains it. Open pages are notified.
    ///
    /// # Errors
    /// The error of the REST interface, if nothing that can be shown is there.
    pub fn open_place(&self, path: &Path) -> Result<String, Box<ErrorBody>> {
        let opened = match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => self.open_picture(path),
            Ok(_) => {
                let root = self.open_folder(path)?;
                return Ok(format!("/pictures/{root}/"));
            }
            Err(error) => Err(AccessError::from(error).into()),
        };
        opened.map_err(|error| Box::new(error.into_body()))
    }

    /// Returns the address of the picture among those of its folder.
    fn open_picture(&self, path: &Path) -> Result<String, ApiError> {
        let name = path.file_name().unwrap_or_default();
        if EntryKind::of_file(name.as_bytes()) != EntryKind::Picture {
            let message = "The file is not a picture.";
            return Err(ApiError::new(ErrorCode::NotAPicture, message));
        }
        let picture = match self.pictures.roots().source_at(path.as_os_str().as_bytes()) {
            Ok(picture) if picture.find().is_ok() => picture,
            Ok(_) | Err(_) => self.open_folder_of(path)?,
        };
        picture.find()?;
        let (folder, name) = picture.path().split_last().unwrap_or_default();
        let encoded = |path: &[u8]| percent_encode(path, PATH).to_string();
        Ok(format!(
            "/pictures/{}/{}?view={}",
            picture.root(),
            encoded(folder.as_bytes()),
            encoded(name)
        ))
    }

    /// Opens the folder of a picture for this launch. A link to a picture elsewhere could not be followed out of
    /// its folder, so its target is opened instead.
    fn open_folder_of(&self, path: &Path) -> Result<Source, ApiError> {
        let target = path.canonicalize().map_err(AccessError::from)?;
        let folder = path.parent().unwrap_or(path);
        let real_folder = folder.canonicalize().map_err(AccessError::from)?;
        let (folder, name) = if target.starts_with(real_folder) {
            (folder, path.file_name())
        } else {
            (target.parent().unwrap_or(&target), target.file_name())
        };
        let root = self.pictures.roots().view_for_session(folder)?;
        self.events.publish(Event::roots_changed(root.id()));
        let name =
            RelPath::parse(name.unwrap_or_default().as_bytes()).map_err(AccessError::from)?;
        Ok(Source::new(root, name))
    }
}
