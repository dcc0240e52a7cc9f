//! The kinds of pictures, and the table of their formats: everything that listings, the server, the documents and the
//! readers of headers know of each.

use std::fs::File;
use std::io;

use image::ImageFormat;

use super::videos::{AVI, MATROSKA, MP4, QUICKTIME, VideoReader, WEBM};

use crate::header::truncation::{self, ReadSeek};
use crate::header::{self, Head};
use crate::sniff;
use crate::window::Window;

/// A kind of picture or video that is recognised. Not every kind can be decoded here; a browser shows most.
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
    /// A video in MP4.
    Mp4,
    /// A video in QuickTime.
    Quicktime,
    /// A video in WebM.
    Webm,
    /// A video in Matroska.
    Matroska,
    /// A video in AVI.
    Avi,
}

/// A reader of a picture's header, from a file at its start and its length in bytes.
pub(crate) type HeaderReader = fn(Window<File>, u64) -> Option<Head>;

/// A check whether a file of this many bytes ends within its pixels.
pub(crate) type TruncationCheck = fn(&mut dyn ReadSeek, u64) -> io::Result<bool>;

/// The place of EXIF in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExifPlace {
    /// A segment, a chunk or an item of the container.
    Container,
    /// The file itself is a directory of TIFF, or a preview within it has EXIF.
    Directory,
    /// None, or none that is read.
    Nowhere,
}

/// The place of text metadata in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextPlace {
    /// Segments at the start of a JPEG.
    Segments,
    /// A chunk of PNG.
    PngChunk,
    /// A chunk of WebP.
    WebpChunk,
    /// An item of a container.
    Item,
    /// A box of JPEG XL.
    JxlBox,
    /// A directory of TIFF, or a box of a camera's container.
    Directory,
    /// None that is read.
    Nowhere,
}

/// The place of a colour profile in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// A compressed chunk of PNG.
    PngChunk,
    /// A chunk of WebP.
    WebpChunk,
    /// Segments at the start of a JPEG.
    JpegSegments,
    TiffTag,
    /// Wherever the `image` crate's decoder finds it.
    Decoder,
    /// None that is read, or one that is expensive to find.
    Nowhere,
}

/// Facts about a format.
#[derive(Debug, Clone, Copy)]
pub struct FormatFacts {
    /// The format.
    pub kind: PictureKind,
    pub name: &'static str,
    /// Its name in the user interface.
    pub label: &'static str,
    /// The name of the type in filters of listings. Some formats share one.
    pub filter: &'static str,
    /// The media type.
    pub mime: &'static str,
    /// Further media types that desktops give to files of this format.
    pub other_mimes: &'static [&'static str],
    /// The extensions of names by which a listing recognises pictures, in lower case.
    pub extensions: &'static [&'static str],
    /// True if every browser shows pictures of this format.
    pub is_shown_by_browsers: bool,
    /// Returns true for the first bytes of a file of this format. At most one format matches.
    pub(crate) is_content: fn(&[u8]) -> bool,
    /// Reads the header. `None` for drawings: their size depends on their whole text.
    pub(crate) header: Option<HeaderReader>,
    /// Reads the header of a video; `None` for pictures.
    pub(crate) video: Option<VideoReader>,
    /// The place of EXIF in a file.
    pub(crate) exif: ExifPlace,
    /// The place of text metadata in a file.
    pub(crate) text: TextPlace,
    /// The place of a colour profile in a file.
    pub(crate) profile: Profile,
    /// Returns true if a file of this many bytes ends within its pixels. `None` for formats that show nothing
    /// if their end is missing, or that do not state where the end is.
    pub(crate) is_truncated: Option<TruncationCheck>,
    /// The `image` crate's name of the format, if that crate decodes it.
    pub(crate) image: Option<ImageFormat>,
    /// The decoder that makes thumbnails.
    pub decoder: &'static str,
    /// The way it is read, a sentence each.
    pub reading: &'static [&'static str],
    /// The parts that are refused, and the reasons, a sentence each.
    pub refused: &'static [&'static str],
}

impl FormatFacts {
    /// True for videos, of which a thumbnail shows one frame.
    #[must_use]
    pub fn is_video(&self) -> bool {
        self.video.is_some()
    }
}

/// All formats, in the order of [`PictureKind`].
pub const FORMATS: [FormatFacts; 18] = [
    JPEG, PNG, GIF, WEBP, AVIF, HEIF, JXL, TIFF, BMP, ICO, SVG, SVGZ, RAW, MP4, QUICKTIME, WEBM,
    MATROSKA, AVI,
];

const JPEG: FormatFacts = FormatFacts {
    kind: PictureKind::Jpeg,
    name: "JPEG",
    label: "JPEG",
    filter: "jpeg",
    mime: "image/jpeg",
    other_mimes: &[],
    extensions: &["jpg", "jpeg", "jpe", "jfif"],
    is_shown_by_browsers: true,
    is_content: sniff::is_jpeg,
    header: Some(header::jpeg_head),
    video: None,
    exif: ExifPlace::Container,
    text: TextPlace::Segments,
    profile: Profile::JpegSegments,
    is_truncated: Some(truncation::jpeg),
    image: Some(ImageFormat::Jpeg),
    decoder: "our own decoder for reduced pictures; mozjpeg (libjpeg-turbo) for the rest",
    reading: &[
        "Pictures are reduced by 2, 4 or 8 during decoding, so that a thumbnail costs only a fraction of a complete \
         decode.",
        "A progressive picture is read only as far as its thumbnail needs, and at most 100 scans.",
        "Grey, YCbCr, RGB, CMYK and YCCK; Huffman and arithmetic coding.",
        "The orientation comes from EXIF.",
        "The available part of a truncated file is displayed and marked; the rest is grey.",
    ],
    refused: &[
        "12 bits per sample: the library is built for 8.",
        "Lossless and hierarchical JPEG: the library does not decode them.",
    ],
};

const PNG: FormatFacts = FormatFacts {
    kind: PictureKind::Png,
    name: "PNG",
    label: "PNG",
    filter: "png",
    mime: "image/png",
    other_mimes: &["image/apng"],
    extensions: &["png", "apng"],
    is_shown_by_browsers: true,
    is_content: sniff::is_png,
    header: Some(header::png_head),
    video: None,
    exif: ExifPlace::Container,
    text: TextPlace::PngChunk,
    profile: Profile::PngChunk,
    is_truncated: Some(truncation::png),
    image: Some(ImageFormat::Png),
    decoder: "the `image` crate (`png`)",
    reading: &[
        "All colour types and depths, interlaced or not.",
        "An animated PNG is displayed as its default image.",
        "Colours come from `cICP` (PQ and HLG are tone-mapped), an ICC profile, or `gAMA` and `cHRM`; the orientation \
         comes from EXIF, even after the pixels.",
        "The available part of a truncated file is displayed and marked; the rest is grey, or transparent if the \
         picture has an alpha channel.",
    ],
    refused: &[],
};

const GIF: FormatFacts = FormatFacts {
    kind: PictureKind::Gif,
    name: "GIF",
    label: "GIF",
    filter: "gif",
    mime: "image/gif",
    other_mimes: &[],
    extensions: &["gif"],
    is_shown_by_browsers: true,
    is_content: sniff::is_gif,
    header: Some(|file, _| header::decoder_head(file, ImageFormat::Gif)),
    video: None,
    exif: ExifPlace::Nowhere,
    text: TextPlace::Nowhere,
    profile: Profile::Decoder,
    is_truncated: Some(truncation::gif),
    image: Some(ImageFormat::Gif),
    decoder: "the `gif` crate",
    reading: &[
        "The first frame, on the canvas of the whole picture.",
        "The available rows of a truncated file are displayed and marked; the rest is transparent.",
    ],
    refused: &[],
};

const WEBP: FormatFacts = FormatFacts {
    kind: PictureKind::Webp,
    name: "WebP",
    label: "WebP",
    filter: "webp",
    mime: "image/webp",
    other_mimes: &[],
    extensions: &["webp"],
    is_shown_by_browsers: true,
    is_content: sniff::is_webp,
    header: Some(header::webp_head),
    video: None,
    exif: ExifPlace::Container,
    text: TextPlace::WebpChunk,
    profile: Profile::WebpChunk,
    is_truncated: Some(truncation::webp),
    image: Some(ImageFormat::WebP),
    decoder: "libwebp; the `image` crate (`image-webp`) for animations",
    reading: &[
        "Lossy and lossless, with alpha; the first frame of an animation.",
        "Pictures are reduced by up to 16 during decoding.",
        "Colours come from an ICC profile, and the orientation from EXIF.",
        "The available part of a truncated file is displayed and marked; the rest is grey.",
    ],
    refused: &["Animations truncated within the first frame: the decoder needs all of it."],
};

const BMP: FormatFacts = FormatFacts {
    kind: PictureKind::Bmp,
    name: "Windows bitmap",
    label: "BMP",
    filter: "bmp",
    mime: "image/bmp",
    other_mimes: &[],
    extensions: &["bmp"],
    is_shown_by_browsers: true,
    is_content: sniff::is_bitmap,
    header: Some(header::bmp_head),
    video: None,
    exif: ExifPlace::Nowhere,
    text: TextPlace::Nowhere,
    profile: Profile::Nowhere,
    is_truncated: Some(truncation::bmp),
    image: Some(ImageFormat::Bmp),
    decoder: "the `image` crate (`bmp`)",
    reading: &[
        "Headers of Windows (all versions) and of OS/2 1 and 2; 1 to 32 bits per pixel, palettes, masks, RLE4 and \
         RLE8.",
        "The available rows of a truncated file are displayed and marked; the rest is grey.",
    ],
    refused: &[
        "Huffman (1D) and RLE24 of OS/2: no decoder supports them.",
        "JPEG and PNG inside a bitmap, and CMYK: they are meant for printers.",
    ],
};

const TIFF: FormatFacts = FormatFacts {
    kind: PictureKind::Tiff,
    name: "TIFF",
    label: "TIFF",
    filter: "tiff",
    mime: "image/tiff",
    other_mimes: &[],
    extensions: &["tif", "tiff"],
    is_shown_by_browsers: false,
    is_content: sniff::is_tiff,
    header: Some(header::tiff_head),
    video: None,
    exif: ExifPlace::Directory,
    text: TextPlace::Directory,
    profile: Profile::TiffTag,
    is_truncated: Some(truncation::tiff),
    image: Some(ImageFormat::Tiff),
    decoder: "our own reader, with `weezl` (old LZW), `flate2` (Deflate), `ruzstd` (Zstandard), `hayro-ccitt` (fax), \
              mozjpeg (JPEG) and `image-webp` (WebP)",
    reading: &[
        "TIFF and BigTIFF; the first picture of the file.",
        "Strips and tiles, interleaved or separate planes, uncompressed or with PackBits, LZW, Deflate, Zstandard, \
         CCITT RLE, Group 3 and Group 4, JPEG (including old-style) or WebP, and the predictors for integers and \
         floating-point numbers.",
        "Grey, palettes, RGB, YCbCr, CMYK, CIE, ICC and ITU L\\*a\\*b\\*; integers of 1 to 16, 24, 32 and 64 bits, \
         and floating-point numbers of 16, 32 and 64 bits.",
        "Alpha, premultiplied or not; ICC profiles; the orientation.",
        "Strips are reduced by up to 16 while they are read.",
        "Missing or damaged parts are grey. A truncated file is marked.",
    ],
    refused: &[
        "LZMA, JPEG 2000, JPEG XL, LogLuv (SGI), ThunderScan, NeXT and other compression methods: there is no decoder \
         for them.",
        "Sensor values (CFA) and LogL or LogLuv colours: they would need raw development.",
        "Samples of different depths, floating-point palettes, and more than 1024 samples per pixel.",
    ],
};

const ICO: FormatFacts = FormatFacts {
    kind: PictureKind::Ico,
    name: "Windows icon",
    label: "ICO",
    filter: "ico",
    mime: "image/vnd.microsoft.icon",
    other_mimes: &[],
    extensions: &["ico"],
    is_shown_by_browsers: true,
    is_content: sniff::is_icon,
    header: Some(header::ico_head),
    video: None,
    exif: ExifPlace::Nowhere,
    text: TextPlace::Nowhere,
    profile: Profile::Nowhere,
    is_truncated: Some(truncation::ico),
    image: Some(ImageFormat::Ico),
    decoder: "our own reader, with the `image` crate (`png`, `bmp`)",
    reading: &[
        "The picture with the most pixels, and among those the one with the most colours: a PNG, or a bitmap with its \
         mask or alpha.",
        "The available part of a truncated file is displayed and marked.",
    ],
    refused: &[
        "Compressed bitmaps: icons do not contain them.",
        "Cursors (`.cur`): they are not treated as pictures.",
    ],
};

const AVIF: FormatFacts = FormatFacts {
    kind: PictureKind::Avif,
    name: "AVIF",
    label: "AVIF",
    filter: "avif",
    mime: "image/avif",
    other_mimes: &[],
    extensions: &["avif"],
    // Some builds of WebKitGTK do not show it.
    is_shown_by_browsers: false,
    is_content: sniff::is_avif,
    header: Some(header::container_head),
    video: None,
    exif: ExifPlace::Container,
    text: TextPlace::Item,
    profile: Profile::Nowhere,
    is_truncated: None,
    image: None,
    decoder: "`rav1d` (dav1d), with our own container reader",
    reading: &[
        "The main picture, assembled if it is stored in tiles; for an image sequence, the still picture.",
        "8, 10 and 12 bits, all subsamplings, alpha; rotated, mirrored and cropped as the container specifies.",
        "Colours come from an ICC profile or from code points (CICP); PQ and HLG are tone-mapped.",
    ],
    refused: &[
        "Derived pictures other than grids, such as overlays.",
        "Matrices with constant luminance, and ICtCp: they are not converted.",
    ],
};

const HEIF: FormatFacts = FormatFacts {
    kind: PictureKind::Heif,
    name: "HEIC, HEIF",
    label: "HEIC",
    filter: "heic",
    mime: "image/heif",
    other_mimes: &[],
    extensions: &["heic", "heif", "hif"],
    is_shown_by_browsers: false,
    is_content: sniff::is_heif,
    header: Some(header::container_head),
    video: None,
    exif: ExifPlace::Container,
    text: TextPlace::Item,
    profile: Profile::Nowhere,
    is_truncated: None,
    image: None,
    decoder: "`heic-decoder`",
    reading: &[
        "The main picture in HEVC, assembled if it is stored in tiles.",
        "Alpha; rotated, mirrored and cropped as the container specifies.",
        "Colours come from an ICC profile or from code points (CICP); PQ and HLG are tone-mapped.",
    ],
    refused: &[
        "Pictures in codecs other than HEVC, and derived pictures other than grids.",
        "HEVC with several tiles in one coded picture, separate colour planes, PCM blocks or range extension tools: \
         the decoder does not support them.",
    ],
};

const JXL: FormatFacts = FormatFacts {
    kind: PictureKind::Jxl,
    name: "JPEG XL",
    label: "JPEG XL",
    filter: "jxl",
    mime: "image/jxl",
    other_mimes: &[],
    extensions: &["jxl"],
    is_shown_by_browsers: false,
    is_content: sniff::is_jxl,
    header: Some(header::jxl_head),
    video: None,
    exif: ExifPlace::Nowhere,
    text: TextPlace::JxlBox,
    profile: Profile::Nowhere,
    is_truncated: None,
    image: None,
    decoder: "`jxl-oxide`",
    reading: &[
        "Bare or in a container, lossy or lossless; for an animation, the first frame, and only as much of the \
         file as it needs.",
        "A thumbnail of an eighth of the size or less is made from the 1:8 image that a lossy picture stores before \
         its details, unless it has alpha, patches, splines or HDR colours.",
        "Alpha; the orientation comes from the header.",
        "The decoder converts colours to sRGB.",
    ],
    refused: &["Truncated files: the decoder needs the whole first frame."],
};

const SVG: FormatFacts = FormatFacts {
    kind: PictureKind::Svg,
    name: "SVG",
    label: "SVG",
    filter: "svg",
    mime: "image/svg+xml",
    other_mimes: &[],
    extensions: &["svg"],
    is_shown_by_browsers: true,
    is_content: sniff::is_svg,
    header: None,
    video: None,
    exif: ExifPlace::Nowhere,
    text: TextPlace::Nowhere,
    profile: Profile::Nowhere,
    is_truncated: None,
    image: None,
    decoder: "`resvg`",
    reading: &[
        "The contents of the drawing itself are rendered at the size of the thumbnail, with the system's fonts, and \
         with pictures embedded as `data:` URLs.",
        "UTF-8 and UTF-16.",
        "The full view displays it as an image, so no script runs.",
    ],
    refused: &[
        "Files and URLs that a drawing refers to: they are left out, so that viewing a picture sends no request.",
        "Drawings of more than 64 MiB, 500,000 nodes, or 256 levels: rendering them would take too long.",
    ],
};

const SVGZ: FormatFacts = FormatFacts {
    kind: PictureKind::Svgz,
    name: "SVG, compressed",
    label: "SVG",
    filter: "svg",
    // The name that desktops use for it.
    mime: "image/svg+xml-compressed",
    other_mimes: &[],
    extensions: &["svgz"],
    // A browser shows it only if a header names its compression.
    is_shown_by_browsers: false,
    is_content: sniff::is_packed_svg,
    header: None,
    video: None,
    exif: ExifPlace::Nowhere,
    text: TextPlace::Nowhere,
    profile: Profile::Nowhere,
    is_truncated: None,
    image: None,
    decoder: "`resvg`, with `flate2`",
    reading: &[
        "A gzip-compressed drawing of at most 64 MiB when decompressed; otherwise like SVG.",
    ],
    refused: &["Like SVG."],
};

const RAW: FormatFacts = FormatFacts {
    kind: PictureKind::Raw,
    name: "Raw files of cameras",
    label: "RAW",
    filter: "raw",
    // Each maker's format has its own name. This is the one that desktops use for all of them.
    mime: "image/x-dcraw",
    other_mimes: &[
        "image/x-adobe-dng",
        "image/x-nikon-nef",
        "image/x-sony-arw",
        "image/x-pentax-pef",
        "image/x-olympus-orf",
        "image/x-panasonic-rw2",
        "image/x-canon-cr2",
        "image/x-canon-cr3",
        "image/x-fuji-raf",
    ],
    extensions: &[
        "dng", "nef", "arw", "pef", "orf", "rw2", "cr2", "cr3", "raf",
    ],
    is_shown_by_browsers: false,
    is_content: sniff::is_raw,
    header: Some(header::raw_head),
    video: None,
    exif: ExifPlace::Directory,
    text: TextPlace::Directory,
    profile: Profile::Nowhere,
    is_truncated: None,
    image: None,
    decoder: "our own reader, with the decoders of JPEG",
    reading: &[
        "The largest JPEG that the camera embedded in the file, rotated as the raw file specifies, or else as the \
         JPEG specifies.",
        "Files based on TIFF (DNG, NEF, ARW, PEF, ORF, RW2, CR2), CR3 and RAF.",
    ],
    refused: &[
        "Sensor data: it is not developed.",
        "Files without an embedded JPEG.",
    ],
};
