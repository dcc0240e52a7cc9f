//! Cameras' raw files: the preview that the camera rendered from its sensor data and stored beside it.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

use fumikura_image::{Codec, DecodeError, Limits, Picture, PictureKind, TargetSize, raw::preview};

use crate::jpeg;

/// Decodes raw files.
#[derive(Debug, Clone, Copy, Default)]
pub struct Raw;

impl Codec for Raw {
    fn decodes(&self, kind: PictureKind) -> bool {
        kind == PictureKind::Raw
    }

    fn decode(
        &self,
        file: File,
        length: u64,
        target: TargetSize,
        limits: Limits,
    ) -> Result<Picture, DecodeError> {
        let mut file = BufReader::new(file);
        let found = preview(&mut file, length)?;
        file.seek(SeekFrom::Start(found.offset))?;
        let mut bytes = Vec::new();
        file.take(found.length).read_to_end(&mut bytes)?;
        jpeg::decode(&bytes, target, limits, found.orientation)
    }
}
