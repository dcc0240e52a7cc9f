//! What is known of a picture beside its `stat`: what its header tells.

use std::fs::File;
use std::io::{self, Seek};

use jiff::civil::DateTime;

use crate::camera::CameraName;
use crate::decode::{Head, Noted};

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
}

impl Facts {
    pub(super) fn read(mut file: File, size: u64) -> io::Result<Self> {
        let noted = Noted::read(file.try_clone()?, size);
        // The two handles have one place in the file.
        file.rewind()?;
        Ok(Self {
            head: Head::read(file, size),
            taken: noted.taken,
            embeds: noted.embeds,
            camera: noted.camera,
        })
    }
}
