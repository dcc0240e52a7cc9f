//! What the targets share.

use std::fs::File;
use std::io::{Seek, Write};

use fumikura_image::{Decode, Format, InProcess, Limits, Mode, PictureKind, Size, Variant};
use libfuzzer_sys::Corpus;
use rustix::fs::{MemfdFlags, memfd_create};

/// Small enough that what is asked for is spent in decoding and not in filling memory.
const LIMITS: Limits = Limits {
    pixels: 1 << 20,
    side: 65_535,
    file_bytes: 1 << 20,
};

/// Makes a thumbnail of `data` as the decoding process does, in the way that the last byte chooses.
pub fn thumbnail(kind: PictureKind, data: &[u8]) -> Corpus {
    // It lies at the end, so that a sample of the format is one of the target.
    let Some((choice, data)) = data.split_last() else {
        return Corpus::Reject;
    };
    if PictureKind::of(data) != Some(kind) {
        return Corpus::Reject;
    }
    let side = 1 + u16::from(choice >> 2);
    let variant = Variant {
        size: Size::new(side, 64).expect("both sides are allowed"),
        mode: [Mode::Crop, Mode::Shrink, Mode::Stretch][usize::from(choice % 3)],
        format: Format::Png,
    };
    let decoder = InProcess {
        limits: LIMITS,
        codecs: fumikura_codecs::all(),
    };
    // An error is an answer; what a target looks for is anything else.
    let _ = decoder.thumbnail(file_of(data), data.len() as u64, variant);
    Corpus::Keep
}

/// A target of pictures of one kind.
#[macro_export]
macro_rules! fuzz_thumbnails {
    ($kind:ident) => {
        libfuzzer_sys::fuzz_target!(|data: &[u8]| -> libfuzzer_sys::Corpus {
            $crate::thumbnail(fumikura_image::PictureKind::$kind, data)
        });
    };
}

/// A file with these bytes, which stands at its start.
pub fn file_of(data: &[u8]) -> File {
    let memory = memfd_create("picture", MemfdFlags::CLOEXEC).expect("memory for a file");
    let mut file = File::from(memory);
    file.write_all(data).expect("memory can be written");
    file.rewind().expect("memory can be read from its start");
    file
}
