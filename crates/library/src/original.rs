//! The picture's own file, for the full view: its bytes, typed by their content.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::sync::Arc;

use fumikura_fs::{AccessError, Source, SourceFile};

use fumikura_image::isobmff::Container;
use fumikura_image::{PictureKind, SNIFFED};

/// An error of opening a picture's own file.
#[derive(Debug, Clone, thiserror::Error)]
pub enum OriginalError {
    /// The file can't be read.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The content of the file is not a known kind of picture.
    #[error("this file is not a picture of a known format")]
    NotAPicture,
}

impl From<io::Error> for OriginalError {
    fn from(error: io::Error) -> Self {
        Self::Access(AccessError::Io(Arc::new(error)))
    }
}

/// A picture, open for reading from its start.
#[derive(Debug)]
pub struct Original {
    /// The file, at its first byte.
    pub file: File,
    /// The state when it was opened. `source_file.stat()` has the length and the time of change.
    pub source_file: SourceFile,
    /// The kind, by the content.
    pub kind: PictureKind,
    /// True for an animated AVIF, of which engines show no single frames.
    pub is_sequence: bool,
}

impl Original {
    /// Opens a picture.
    ///
    /// # Errors
    /// [`OriginalError`] if the file can't be read, or is not a picture.
    pub fn open(source: &Source) -> Result<Self, OriginalError> {
        let (mut file, source_file) = source.open()?;
        let mut head = Vec::with_capacity(SNIFFED);
        file.by_ref().take(SNIFFED as u64).read_to_end(&mut head)?;
        file.rewind()?;
        let kind = PictureKind::of(&head).ok_or(OriginalError::NotAPicture)?;
        Ok(Self {
            file,
            source_file,
            kind,
            is_sequence: Container::is_sequence(&head),
        })
    }
}
