//! The harness of all tests: the decoder with all codecs, and the fixtures.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use fumikura_image::{Decode, DecodeError, Limits, Variant};
use image::DynamicImage;

/// Returns the decoded thumbnail of the file with this content.
pub(crate) fn thumbnail(bytes: &[u8], wanted: &str) -> Result<DynamicImage, DecodeError> {
    thumbnail_within(Limits::default(), bytes, wanted)
}

pub(crate) fn thumbnail_within(
    limits: Limits,
    bytes: &[u8],
    wanted: &str,
) -> Result<DynamicImage, DecodeError> {
    let decoder = fumikura_codecs::in_process(limits);
    let path = tempfile::NamedTempFile::new().unwrap();
    path.as_file().write_all(bytes).unwrap();
    let file = File::open(path.path()).unwrap();
    let made = decoder.thumbnail(file, bytes.len() as u64, variant(wanted))?;
    Ok(image::load_from_memory(&made.bytes).unwrap())
}

/// Parses a variant as it is written in a file's name.
fn variant(text: &str) -> Variant {
    let (size, rest) = text.split_once('-').unwrap();
    let (mode, format) = rest.split_once('.').unwrap();
    Variant::parse(Some(size), Some(mode), Some(format)).unwrap()
}

/// Returns a file of the fixtures.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let images = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/images");
    std::fs::read(images.join(name)).unwrap()
}

pub(crate) fn sample(name: &str) -> Vec<u8> {
    fixture(&format!("samples/{name}"))
}
