//! Pictures embedded in a drawing as `data:` addresses. They are decoded here, within the limits of any picture.

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fumikura_image::{DecodeError, Limits, PictureKind, Raster, decode_from_memory, upright};
use image::{DynamicImage, ImageFormat};
use resvg::usvg::{ImageHrefResolver, ImageKind};

use crate::jpeg;

/// The longest side of an embedded picture, in pixels: no thumbnail has a longer one.
const MAX_SIDE: u32 = 4096;

/// Returns a resolver that shows pictures in the drawing, and none in files and at other addresses.
pub(super) fn resolver<'a>(limits: Limits) -> ImageHrefResolver<'a> {
    let left = AtomicU64::new(limits.pixels);
    ImageHrefResolver {
        resolve_data: Box::new(move |_, data, _| embedded_image(&data, limits, &left)),
        resolve_string: Box::new(|_, _| None),
    }
}

/// Returns the picture as a PNG, or `None` if it can't be decoded. All pictures of a drawing together have no
/// more pixels than the limits allow for one.
fn embedded_image(data: &[u8], limits: Limits, left: &AtomicU64) -> Option<ImageKind> {
    let limits = Limits {
        pixels: left.load(Ordering::Relaxed),
        ..limits
    };
    let image = decode(data, limits).ok()?;
    let pixels = u64::from(image.width()) * u64::from(image.height());
    left.store(limits.pixels.saturating_sub(pixels), Ordering::Relaxed);
    let image = match image.width().max(image.height()) > MAX_SIDE {
        true => image.thumbnail(MAX_SIDE, MAX_SIDE),
        false => image,
    };
    let mut png = Cursor::new(Vec::new());
    image
        .into_rgba8()
        .write_to(&mut png, ImageFormat::Png)
        .ok()?;
    Some(ImageKind::PNG(Arc::new(png.into_inner())))
}

/// The formats that a drawing may embed, besides JPEG.
const EMBEDDED: [PictureKind; 4] = [
    PictureKind::Png,
    PictureKind::Gif,
    PictureKind::Webp,
    PictureKind::Bmp,
];

fn decode(data: &[u8], limits: Limits) -> Result<DynamicImage, DecodeError> {
    let kind = PictureKind::of(data).ok_or(DecodeError::NotAPicture)?;
    let picture = if kind == PictureKind::Jpeg {
        jpeg::decode_whole(data, limits)?
    } else if EMBEDDED.contains(&kind) {
        decode_from_memory(data, kind, limits)?
    } else {
        return Err(DecodeError::UnsupportedKind(kind.mime().into()));
    };
    match picture.raster {
        Raster::Interleaved(pixels) => Ok(upright(
            pixels,
            picture.orientation,
            picture.profile.as_deref(),
        )),
        Raster::Planar(_) => Err(DecodeError::Damaged("it has planes".into())),
    }
}
