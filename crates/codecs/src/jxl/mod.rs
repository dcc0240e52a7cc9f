//! JPEG XL, decoded with jxl-oxide up to the first shown picture.

mod coarse;

use std::error::Error;
use std::fs::File;
use std::io::Read;

use fumikura_image::{
    Channels, Codec, DecodeError, Limits, Picture, PictureKind, Pixels, Raster, TargetSize,
};
use image::metadata::Orientation;
use jxl_oxide::{
    AllocTracker, EnumColourEncoding, ImageStream, InitializeResult, JxlImage, PixelFormat,
    RenderingIntent,
};

use crate::colour::divide_by_opacity;

/// Decodes JPEG XL, bare or in a container.
#[derive(Debug, Clone, Copy, Default)]
pub struct Jxl;

/// The number of bytes that are read at once.
const STEP: usize = 64 << 10;
/// The memory that the decoder may use in addition to pixels: for tables, and for small pictures.
const WORKING_BYTES: usize = 64 << 20;
/// The memory that a pixel may take in the decoder: three numbers of 4 bytes, for the picture, for the frame
/// that is drawn over it, for filters' copies, and for frames that others refer to.
const BYTES_PER_PIXEL: usize = 64;

/// The start of the decoder's message if it is out of memory.
const NO_MEMORY: &str = "failed to allocate";

impl Codec for Jxl {
    fn decodes(&self, kind: PictureKind) -> bool {
        kind == PictureKind::Jxl
    }

    fn decode(
        &self,
        file: File,
        length: u64,
        target: TargetSize,
        limits: Limits,
    ) -> Result<Picture, DecodeError> {
        let mut image = read(file.take(length), limits)?;
        if let Some(picture) = coarse(&image, target) {
            return Ok(picture);
        }
        // Colours are converted to those of thumbnails while they are still exact: until then most files have
        // no profile of their own.
        let is_grey = image.pixel_format().is_grayscale();
        image.request_color_encoding(match is_grey {
            true => EnumColourEncoding::gray_srgb(RenderingIntent::Relative),
            false => EnumColourEncoding::srgb(RenderingIntent::Relative),
        });
        let render = image.render_frame(0).map_err(decode_error)?;
        let pixels = pixels(render.stream(), &image)?;
        Ok(Picture {
            reduced: 1,
            width: pixels.width(),
            height: pixels.height(),
            raster: Raster::Interleaved(pixels),
            // The decoder has applied the orientation. Exif, if there is any, repeats that of the header.
            orientation: Orientation::NoTransforms,
            profile: None,
        })
    }
}

/// Returns the picture in an eighth of its size, if that is stored and enough for the wanted size.
fn coarse(image: &JxlImage, target: TargetSize) -> Option<Picture> {
    let header = image.image_header();
    let (width, height) = (header.size.width, header.size.height);
    let orientation = u8::try_from(header.metadata.orientation).ok()?;
    let orientation = Orientation::from_exif(orientation)?;
    let is_enough = target.reduction(width, height, orientation) >= f64::from(coarse::BLOCK);
    let pixels = is_enough.then(|| coarse::pixels(image)).flatten()?;
    Some(Picture {
        reduced: coarse::BLOCK,
        width,
        height,
        raster: Raster::Interleaved(pixels),
        orientation,
        profile: None,
    })
}

/// Reads the picture up to its first shown frame.
fn read(mut file: impl Read, limits: Limits) -> Result<JxlImage, DecodeError> {
    let max = usize::try_from(limits.pixels).unwrap_or(usize::MAX);
    let tracker = AllocTracker::with_limit(WORKING_BYTES);
    let mut header = JxlImage::builder()
        .alloc_tracker(tracker.clone())
        .build_uninit();
    let mut buffer = Buffer::new();
    let mut image = loop {
        if !buffer.fill(&mut file)? {
            return Err(cut());
        }
        let used = header.feed_bytes(buffer.bytes()).map_err(decode_error)?;
        buffer.skip(used);
        match header.try_init().map_err(decode_error)? {
            InitializeResult::NeedMoreData(more) => header = more,
            InitializeResult::Initialized(image) => break image,
        }
    };
    limits.allow(image.width(), image.height())?;
    let pixels = image.width() as usize * image.height() as usize;
    tracker.expand_limit(pixels.min(max).saturating_mul(BYTES_PER_PIXEL));
    while image.num_loaded_keyframes() == 0 {
        if !buffer.fill(&mut file)? {
            return Err(cut());
        }
        let used = image.feed_bytes(buffer.bytes()).map_err(decode_error)?;
        buffer.skip(used);
    }
    Ok(image)
}

/// Bytes that were read and not used yet.
struct Buffer {
    bytes: Box<[u8]>,
    filled: usize,
}

impl Buffer {
    fn new() -> Self {
        Self {
            bytes: vec![0; STEP].into(),
            filled: 0,
        }
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// Reads more bytes. Returns `false` at the end of the file.
    fn fill(&mut self, file: &mut impl Read) -> Result<bool, DecodeError> {
        let read = file.read(&mut self.bytes[self.filled..])?;
        self.filled += read;
        Ok(read > 0)
    }

    fn skip(&mut self, used: usize) {
        self.bytes.copy_within(used..self.filled, 0);
        self.filled -= used;
    }
}

fn pixels(mut stream: ImageStream<'_>, image: &JxlImage) -> Result<Pixels, DecodeError> {
    // Inks were converted to light.
    let channels = match image.pixel_format() {
        PixelFormat::Gray => Channels::Gray,
        PixelFormat::Graya => Channels::GrayAlpha,
        PixelFormat::Rgb | PixelFormat::Cmyk => Channels::Rgb,
        PixelFormat::Rgba | PixelFormat::Cmyka => Channels::Rgba,
    };
    let (width, height) = (stream.width(), stream.height());
    let is_expected = (width, height) == (image.width(), image.height())
        && stream.channels() as usize == channels.count();
    if !is_expected {
        let message = "its first frame is not as its header says";
        return Err(DecodeError::Damaged(message.into()));
    }
    let mut bytes = vec![0; width as usize * height as usize * channels.count()];
    stream.write_to_buffer(&mut bytes);
    if is_premultiplied(image) {
        divide_by_opacity(&mut bytes, channels.count());
    }
    Pixels::new(width, height, channels, bytes)
        .ok_or_else(|| DecodeError::Damaged("it has no pixels".into()))
}

fn is_premultiplied(image: &JxlImage) -> bool {
    let mut channels = image.image_header().metadata.ec_info.iter();
    channels.find_map(|channel| channel.alpha_associated()) == Some(true)
}

fn cut() -> DecodeError {
    DecodeError::Damaged("it ends before its first frame does".into())
}

fn decode_error(error: Box<dyn Error + Send + Sync>) -> DecodeError {
    // The type of the error is not public.
    match error.to_string().starts_with(NO_MEMORY) {
        true => DecodeError::TooLarge(error.to_string()),
        false => DecodeError::Damaged(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_exhaustion_differs_from_damage() {
        let refused = AllocTracker::with_limit(1).alloc::<u16>(1).unwrap_err();
        assert!(matches!(
            decode_error(refused.into()),
            DecodeError::TooLarge(_)
        ));
        assert!(matches!(
            decode_error("else".into()),
            DecodeError::Damaged(_)
        ));
    }
}
