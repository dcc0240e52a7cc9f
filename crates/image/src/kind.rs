//! Kinds of pictures.

/// A kind of picture that is recognised. Not every kind can be decoded here; a browser shows most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PictureKind {
    Jpeg,
    /// PNG, animated ones included.
    Png,
    Gif,
    /// WebP.
    Webp,
    Avif,
    /// HEIC and HEIF.
    Heif,
    /// JPEG XL, bare or in a container.
    Jxl,
    /// TIFF and `BigTIFF`.
    Tiff,
    /// Windows bitmap.
    Bmp,
    /// Windows icon: a picture in several sizes.
    Ico,
    /// SVG, not compressed.
    Svg,
    /// SVG, compressed with gzip.
    Svgz,
    /// A camera's sensor data of any maker, with a preview.
    Raw,
}
