//! Rotation of picture files without loss: a new file with another orientation takes the place of the old one, which goes
//! to the trash.

use std::fs;
use std::io::{self, Read, Seek};
use std::path::PathBuf;
use std::sync::Arc;

use fumikura_base::durable::{self, Access};
use fumikura_fileops::{ExistingPolicy, FileError, FilesOutcome, PictureFiles};
use fumikura_fs::{AccessError, Source, platform};
use fumikura_image::{Head, PictureKind, Turn};
use fumikura_library::{Original, OriginalError, embedded_marks};
use fumikura_xmp::{MarksChange, OrientationChange, SidecarError};

use crate::jpeg_orientation::with_orientation;
use crate::pictures::Pictures;

/// The maximum size of a file, in bytes.
const MAX_BYTES: u64 = 512 << 20;

/// An error of rotating a picture file, which is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum RotationError {
    /// The format, or the metadata in the file, do not allow it.
    #[error("only JPEG files whose metadata can be changed are rotated without loss")]
    NotRotatable,
    /// The file can't be read.
    #[error(transparent)]
    Original(#[from] OriginalError),
    /// The sidecar can't be read or written.
    #[error(transparent)]
    Sidecar(#[from] SidecarError),
    /// The file can't be replaced.
    #[error(transparent)]
    File(#[from] FileError),
}

impl From<AccessError> for RotationError {
    fn from(error: AccessError) -> Self {
        Self::Original(error.into())
    }
}

impl From<io::Error> for RotationError {
    fn from(error: io::Error) -> Self {
        Self::Original(AccessError::Io(Arc::new(error)).into())
    }
}

/// A folder of the program's own, which is deleted in the end.
struct Workspace(PathBuf);

impl Drop for Workspace {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "the files of a rotation can't be deleted");
        }
    }
}

impl Pictures {
    /// Turns a picture as it is shown in its own file: a copy with another orientation in its metadata replaces it. The
    /// compressed picture stays as it is, byte for byte, and the old file goes to the trash, from which an undo brings it
    /// back. An orientation in the sidecar is removed, since the file has it now.
    ///
    /// # Errors
    /// [`RotationError`]
    pub fn rotate_file(&self, picture: &Source, turn: Turn) -> Result<FilesOutcome, RotationError> {
        let _alone = self.rotation.lock();
        let (folder, name) = picture
            .path()
            .split_last()
            .ok_or(RotationError::NotRotatable)?;
        let Original {
            mut file,
            source_file,
            kind,
            ..
        } = Original::open(picture)?;
        let size = source_file.stat().size;
        if kind != PictureKind::Jpeg || size > MAX_BYTES {
            return Err(RotationError::NotRotatable);
        }
        let mut jpeg = Vec::new();
        file.by_ref().take(MAX_BYTES).read_to_end(&mut jpeg)?;
        file.rewind()?;
        let permissions = file.metadata()?.permissions();
        let own = Head::read(file, size).and_then(|head| Turn::of_number(head.orientation));
        let stated = self.marks(picture)?.sidecar.marks.orientation;
        let shown = stated.and_then(Turn::of_number).or(own);
        let wanted = shown.ok_or(RotationError::NotRotatable)?.then(turn);
        let rotated =
            with_orientation(&jpeg, wanted.number()).ok_or(RotationError::NotRotatable)?;
        drop(jpeg);

        let workspace = Workspace(self.workspace.clone());
        match fs::remove_dir_all(&workspace.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        durable::create_folder(&workspace.0, Access::Private)?;
        let path = workspace.0.join(platform::path_of(name));
        durable::write_file(&path, &rotated, Access::Private)?;
        let copy = Source::own(&workspace.0, platform::path_of(name))?;
        let (written, written_file) = copy.open()?;
        let orientation =
            Head::read(written, written_file.stat().size).map(|head| head.orientation);
        if orientation != Some(wanted.number()) {
            return Err(RotationError::NotRotatable);
        }
        if let Some(sidecar) = fumikura_xmp::sidecar_name(picture)? {
            let from = Source::new(Arc::clone(picture.root_ref()), folder.join(&sidecar));
            let (from, _) = from.open()?;
            let sidecar = workspace.0.join(platform::path_of(&sidecar));
            durable::write_from(&sidecar, &mut from.take(MAX_BYTES), Access::Default)?;
            let change = MarksChange {
                orientation: OrientationChange::Map([0; 9]),
                ..MarksChange::default()
            };
            fumikura_xmp::set_marks(&copy, &change, &embedded_marks(picture).marks)?;
        }
        fs::set_permissions(&path, permissions)?;
        let to = Source::new(Arc::clone(picture.root_ref()), folder);
        let (replace, apart) = (ExistingPolicy::Replace, PictureFiles::Apart);
        Ok(self
            .files()
            .copy_to(&to, &[copy], replace, apart, &mut |_, _| true)?)
    }
}
