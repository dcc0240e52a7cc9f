//! Pictures that the engines of browsers show on their side, or in other colours.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::str::FromStr;

use fumikura_image::cicp::{Cicp, Hdr};
use fumikura_image::isobmff::{Colours, Container};
use fumikura_image::{Head, PictureKind};

use crate::Original;

/// A browser engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Applies no orientation of PNG and AVIF, no colours of AVIF, and no profile of inks.
    WebKit,
    Other,
}

/// An unknown engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`webkit` or `other` is expected")]
pub struct UnknownEngine;

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "webkit" => Ok(Self::WebKit),
            "other" => Ok(Self::Other),
            _ => Err(UnknownEngine),
        }
    }
}

/// The number of bytes of descriptions that are read of a container.
const MAX_DESCRIPTIONS: u64 = 1 << 20;
/// The number of segments of a JPEG that are skipped before its frame.
const MAX_SEGMENTS: usize = 1_000;
/// The components of a picture in inks.
const INKS: u8 = 4;

impl Original {
    /// Returns true if an engine shows the file upright and in its colours. A file whose header can't be read is left to
    /// the engine. The file is at its first byte again.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn is_shown_rightly_by(&mut self, engine: Engine) -> io::Result<bool> {
        let length = self.source_file.stat().size;
        let file = &mut self.file;
        let is_right = match (self.kind, engine) {
            // No engine applies the orientation of a WebP.
            (PictureKind::Webp, _) | (PictureKind::Png, Engine::WebKit) => {
                is_upright(file.try_clone()?, length)
            }
            (PictureKind::Avif, Engine::WebKit) => is_plain(file),
            (PictureKind::Jpeg, Engine::WebKit) => components(file).ok() != Some(INKS),
            _ => true,
        };
        file.rewind()?;
        Ok(is_right)
    }
}

fn is_upright(file: File, length: u64) -> bool {
    Head::read(file, length).is_none_or(|head| head.orientation == 1)
}

/// Returns true for a container of one picture that needs no transformation of its place or of its colours.
fn is_plain(file: &mut File) -> bool {
    let mut brand = [0; 12];
    // The pictures of a sequence are played by the engine alone.
    if file.read_exact(&mut brand).is_err() || brand.ends_with(b"avis") || file.rewind().is_err() {
        return true;
    }
    let Ok(container) = Container::read(BufReader::new(file), MAX_DESCRIPTIONS) else {
        return true;
    };
    let primary = container.primary();
    let is_upright = primary
        .display_transform()
        .is_ok_and(|transform| transform.orientation.to_exif() == 1);
    is_upright && primary.colours().is_ok_and(is_srgb)
}

fn is_srgb(colours: Colours<'_>) -> bool {
    let number = |number: u16| u8::try_from(number).unwrap_or(2);
    let cicp = colours
        .numbers
        .map_or(Cicp::SRGB, |(primaries, transfer, ..)| Cicp {
            primaries: number(primaries),
            transfer: number(transfer),
        });
    colours.profile.is_none() && cicp.profile().is_none() && Hdr::of(cicp).is_none()
}

/// Returns the number of components of a JPEG, from the header of its frame.
fn components(file: &mut File) -> io::Result<u8> {
    let mut file = BufReader::new(file);
    file.seek(SeekFrom::Start(2))?;
    for _ in 0..MAX_SEGMENTS {
        let mut head = [0; 4];
        file.read_exact(&mut head)?;
        let [mark, marker, high, low] = head;
        let length = u16::from_be_bytes([high, low]);
        if mark != 0xff || length < 2 {
            break;
        }
        // The others of this range are tables.
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let mut frame = [0; 6];
            file.read_exact(&mut frame)?;
            return Ok(frame[5]);
        }
        file.seek_relative(i64::from(length) - 2)?;
    }
    Err(io::ErrorKind::InvalidData.into())
}
