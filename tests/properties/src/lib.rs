//! Properties of parsers and decoders that hold for any input. `cargo xtask fuzz` searches for inputs that break them;
//! the inputs in `fuzz/corpus` are checked with the tests.

use std::fs::File;
use std::io::{Seek, Write};

use fumikura_image::{Decode, Format, Limits, Mode, PictureKind, Size, Variant};
use rustix::fs::{MemfdFlags, memfd_create};

mod hash_list;
mod hash_name;
mod hash_record;
mod head;
mod import;
mod jpeg_reduce;
mod search;
mod sidecar;

pub use fumikura_server::fuzzing::{read_config as config, read_query as query};
pub use hash_list::hash_list;
pub use hash_name::hash_name;
pub use hash_record::hash_record;
pub use head::head;
pub use import::import;
pub use jpeg_reduce::jpeg_reduce;
pub use search::search;
pub use sidecar::sidecar;

/// Small, so that the time is spent on decoding.
const LIMITS: Limits = Limits {
    pixels: 1 << 20,
    side: 65_535,
    file_bytes: 1 << 20,
};

/// Generates a thumbnail of a picture as the decoding process does; the last byte chooses the variant. Returns false
/// if the bytes are no picture of this kind, or of any.
pub fn thumbnail(kind: Option<PictureKind>, data: &[u8]) -> bool {
    // The choice is at the end, so that a sample of the format is an input.
    let Some((choice, data)) = data.split_last() else {
        return false;
    };
    let found = PictureKind::of(data);
    if found.is_none() || kind.is_some() && found != kind {
        return false;
    }
    let side = 1 + u16::from(choice >> 2);
    let variant = Variant {
        size: Size::new(side, 64).expect("both sides are allowed"),
        mode: [Mode::Crop, Mode::Shrink, Mode::Stretch][usize::from(choice % 3)],
        format: Format::Png,
        ..Variant::default()
    };
    let decoder = fumikura_codecs::in_process(LIMITS);
    // An error is a valid result: the property is that nothing else happens.
    let _ = decoder.thumbnail(file_of(data), data.len() as u64, variant);
    true
}

/// Returns a file with these bytes, at its start.
fn file_of(data: &[u8]) -> File {
    let memory = memfd_create("picture", MemfdFlags::CLOEXEC).expect("memory for a file");
    let mut file = File::from(memory);
    file.write_all(data).expect("memory is writable");
    file.rewind().expect("memory is seekable");
    file
}
