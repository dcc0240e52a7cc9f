//! A picture for a request: small, JPEG or PNG, without metadata.

use std::fmt;
use std::io::Cursor;

use image::{ImageFormat, ImageReader};

/// The maximum size of a picture, in bytes.
pub const MAX_PICTURE_BYTES: usize = 8 << 20;
/// The maximum edge length of a picture, in pixels.
pub const MAX_PICTURE_EDGE: u32 = 4096;

const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const JPEG_SIGNATURE: &[u8] = b"\xff\xd8\xff";
/// Segments of a JPEG that hold Exif, XMP or IPTC, and the start of the compressed picture.
const APP1: u8 = 0xe1;
const APP13: u8 = 0xed;
const START_OF_SCAN: u8 = 0xda;
/// Chunks of a PNG that hold Exif, XMP or other text.
const PNG_METADATA: [&[u8]; 4] = [b"eXIf", b"iTXt", b"tEXt", b"zTXt"];

/// The file format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    Jpeg,
    Png,
}

/// A picture that may be sent: JPEG or PNG, at most [`MAX_PICTURE_BYTES`] and [`MAX_PICTURE_EDGE`], without
/// metadata.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    bytes: Vec<u8>,
    format: PictureFormat,
    width: u32,
    height: u32,
}

/// The reason why a picture cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPicture {
    /// The file is neither JPEG nor PNG.
    #[error("The picture is neither JPEG nor PNG.")]
    UnknownFormat,
    /// The header cannot be read.
    #[error("The picture can't be decoded.")]
    Damaged,
    /// The file has too many bytes or pixels.
    #[error("The picture is too large to be sent.")]
    TooLarge,
    /// The file still contains metadata, which may reveal the place and time of the picture.
    #[error("The picture still contains metadata, which is never sent.")]
    Metadata,
}

impl Picture {
    /// Checks that the header of an encoded picture is valid and that it contains no metadata.
    ///
    /// # Errors
    /// See [`InvalidPicture`].
    pub fn new(bytes: Vec<u8>) -> Result<Self, InvalidPicture> {
        let (format, has_metadata) = if bytes.starts_with(PNG_SIGNATURE) {
            (PictureFormat::Png, png_has_metadata(&bytes))
        } else if bytes.starts_with(JPEG_SIGNATURE) {
            (PictureFormat::Jpeg, jpeg_has_metadata(&bytes))
        } else {
            return Err(InvalidPicture::UnknownFormat);
        };
        if bytes.len() > MAX_PICTURE_BYTES {
            return Err(InvalidPicture::TooLarge);
        }
        if has_metadata.ok_or(InvalidPicture::Damaged)? {
            return Err(InvalidPicture::Metadata);
        }
        let (width, height) =
            ImageReader::with_format(Cursor::new(&bytes), format.for_image_crate())
                .into_dimensions()
                .map_err(|_| InvalidPicture::Damaged)?;
        if width.max(height) > MAX_PICTURE_EDGE {
            return Err(InvalidPicture::TooLarge);
        }
        Ok(Self {
            bytes,
            format,
            width,
            height,
        })
    }

    /// Returns the encoded picture.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the file format.
    #[must_use]
    pub fn format(&self) -> PictureFormat {
        self.format
    }

    /// Returns the width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }
}

impl PictureFormat {
    /// Returns the media type, `image/jpeg` or `image/png`.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
        }
    }

    pub(crate) fn for_image_crate(self) -> ImageFormat {
        match self {
            Self::Jpeg => ImageFormat::Jpeg,
            Self::Png => ImageFormat::Png,
        }
    }
}

/// Omits the bytes.
impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Picture")
            .field("format", &self.format)
            .field("width", &self.width)
            .field("height", &self.height)
            .field("bytes", &self.bytes.len())
            .finish()
    }
}

/// Returns `None` if the segments before the compressed picture are damaged.
fn jpeg_has_metadata(bytes: &[u8]) -> Option<bool> {
    let mut rest = &bytes[2..];
    loop {
        let [0xff, marker, tail @ ..] = rest else {
            return None;
        };
        match *marker {
            APP1 | APP13 => return Some(true),
            START_OF_SCAN => return Some(false),
            // A fill byte before the marker.
            0xff => rest = &rest[1..],
            _ => {
                let length = usize::from(u16::from_be_bytes(*tail.first_chunk()?));
                rest = tail.get(length.max(2)..)?;
            }
        }
    }
}

/// Returns `None` if the chunks are damaged.
fn png_has_metadata(bytes: &[u8]) -> Option<bool> {
    const LENGTH_AND_NAME: usize = 8;
    const CHECKSUM: usize = 4;
    let mut rest = &bytes[PNG_SIGNATURE.len()..];
    loop {
        let length = usize::try_from(u32::from_be_bytes(*rest.first_chunk()?)).ok()?;
        let name = rest.get(4..LENGTH_AND_NAME)?;
        if PNG_METADATA.contains(&name) {
            return Some(true);
        }
        if name == b"IEND" {
            return Some(false);
        }
        rest = rest.get(length.checked_add(LENGTH_AND_NAME + CHECKSUM)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, RgbImage};

    use super::*;

    fn encoded(format: ImageFormat, width: u32) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::from(RgbImage::new(width, 2))
            .write_to(&mut bytes, format)
            .unwrap();
        bytes.into_inner()
    }

    fn with(bytes: &[u8], at: usize, inserted: &[u8]) -> Vec<u8> {
        [&bytes[..at], inserted, &bytes[at..]].concat()
    }

    #[track_caller]
    fn check(bytes: Vec<u8>, expected: InvalidPicture) {
        assert_eq!(Picture::new(bytes), Err(expected));
    }

    #[test]
    fn format_and_size_come_from_the_header() {
        let jpeg = Picture::new(encoded(ImageFormat::Jpeg, 3)).unwrap();
        let png = Picture::new(encoded(ImageFormat::Png, 5)).unwrap();
        assert_eq!(
            (jpeg.format().media_type(), jpeg.width(), jpeg.height()),
            ("image/jpeg", 3, 2)
        );
        assert_eq!(
            (png.format().media_type(), png.width(), png.height()),
            ("image/png", 5, 2)
        );
    }

    #[test]
    fn picture_with_metadata_is_rejected() {
        let jpeg = encoded(ImageFormat::Jpeg, 3);
        check(
            with(&jpeg, 2, b"\xff\xe1\x00\x08Exif\0\0"),
            InvalidPicture::Metadata,
        );
        check(
            with(&jpeg, 2, b"\xff\xed\x00\x04ab"),
            InvalidPicture::Metadata,
        );
        let png = encoded(ImageFormat::Png, 3);
        let after_header = 8 + 25;
        for name in [b"eXIf", b"tEXt", b"iTXt", b"zTXt"] {
            let chunk = [b"\0\0\0\x01", &name[..], b"x\0\0\0\0"].concat();
            check(with(&png, after_header, &chunk), InvalidPicture::Metadata);
        }
        let before_end = png.len() - 12;
        check(
            with(&png, before_end, b"\0\0\0\x01tEXtx\0\0\0\0"),
            InvalidPicture::Metadata,
        );
    }

    #[test]
    fn damaged_or_large_picture_is_rejected() {
        let jpeg = encoded(ImageFormat::Jpeg, 3);
        let png = encoded(ImageFormat::Png, 3);
        check(b"GIF89a".to_vec(), InvalidPicture::UnknownFormat);
        check(Vec::new(), InvalidPicture::UnknownFormat);
        check(jpeg[..30].to_vec(), InvalidPicture::Damaged);
        check(png[..30].to_vec(), InvalidPicture::Damaged);
        check(png[..png.len() - 12].to_vec(), InvalidPicture::Damaged);
        let wide = encoded(ImageFormat::Png, MAX_PICTURE_EDGE + 1);
        check(wide, InvalidPicture::TooLarge);
        let mut long = jpeg;
        long.resize(MAX_PICTURE_BYTES + 1, 0);
        check(long, InvalidPicture::TooLarge);
    }

    #[test]
    fn debug_output_leaves_the_bytes_out() {
        let picture = Picture::new(encoded(ImageFormat::Png, 3)).unwrap();
        assert!(format!("{picture:?}").len() < 100);
    }
}
