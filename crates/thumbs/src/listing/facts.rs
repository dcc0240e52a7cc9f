//! What is known of a picture beside its `stat`: what its header tells.

use std::fs::File;
use std::io::{self, Seek};

use jiff::civil::DateTime;

use crate::camera::CameraName;
use crate::decode::{Head, Noted, is_cut_off, kind_of};

/// What the header of a picture tells, in one state of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facts {
    /// None of a picture that tells nothing, or that is none. Asking for its thumbnail tells why.
    pub(super) head: Option<Head>,
    /// By the camera's own clock.
    pub(super) taken: Option<DateTime>,
    /// Whether the camera has put a small picture into its notes.
    pub(super) embeds: bool,
    pub(super) camera: Option<CameraName>,
    /// True for a picture whose end is missing.
    pub(super) is_incomplete: bool,
}

impl Facts {
    pub(super) fn read(mut file: File, size: u64) -> io::Result<Self> {
        let noted = Noted::read(file.try_clone()?, size);
        // All handles have one place in the file.
        file.rewind()?;
        let is_incomplete = match kind_of(&mut file) {
            Ok(kind) => is_cut_off(kind, &file, size)?,
            Err(_) => false,
        };
        file.rewind()?;
        Ok(Self {
            head: Head::read(file, size),
            taken: noted.taken,
            embeds: noted.embeds,
            camera: noted.camera,
            is_incomplete,
        })
    }
}
