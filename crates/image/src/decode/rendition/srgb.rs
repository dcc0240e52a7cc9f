//! The colour profile of sRGB (ICC.1:2022, a matrix and a curve), which encoders of other programs expect.

const D50: [u32; 3] = [0xF6D6, 0x1_0000, 0xD32D];
/// The colours of the primaries, adapted to D50.
const PRIMARIES: [([u8; 4], [u32; 3]); 3] = [
    (*b"rXYZ", [0x6FA2, 0x38F5, 0x0390]),
    (*b"gXYZ", [0x6299, 0xB785, 0x18DA]),
    (*b"bXYZ", [0x24A0, 0x0F84, 0xB6CF]),
];
/// The adaptation from D65 to D50 (Bradford).
const ADAPTATION: [u32; 9] = [
    0x1_0C42,
    0x05DE,
    0xFFFF_F325,
    0x0793,
    0xFD90,
    0xFFFF_FBA1,
    0xFFFF_FDA2,
    0x03DC,
    0xC06E,
];
/// The function type of a curve with a straight beginning, and its parameters: 2.4, 1 / 1.055, 0.055 / 1.055,
/// 1 / 12.92, 0.04045.
const CURVE: [u32; 6] = [3 << 16, 0x2_6666, 0xF2A7, 0x0D59, 0x13D0, 0x0A5B];
const HEADER_BYTES: usize = 128;
const ENTRY_BYTES: usize = 12;

/// Returns the profile.
pub(super) fn profile() -> Vec<u8> {
    let mut parts = vec![
        (*b"desc", text("sRGB")),
        (*b"cprt", text("CC0")),
        (*b"wtpt", part(*b"XYZ ", &D50)),
        (*b"chad", part(*b"sf32", &ADAPTATION)),
    ];
    for (name, colour) in PRIMARIES {
        parts.push((name, part(*b"XYZ ", &colour)));
    }
    for name in [*b"rTRC", *b"gTRC", *b"bTRC"] {
        parts.push((name, part(*b"para", &CURVE)));
    }
    let start = HEADER_BYTES + 4 + ENTRY_BYTES * parts.len();
    let mut table = number(parts.len()).to_vec();
    let mut contents = Vec::new();
    for (name, part) in parts {
        table.extend_from_slice(&name);
        table.extend_from_slice(&number(start + contents.len()));
        table.extend_from_slice(&number(part.len()));
        contents.extend_from_slice(&part);
        contents.resize(contents.len().next_multiple_of(4), 0);
    }
    [header(start + contents.len()), table, contents].concat()
}

/// Returns the header of a profile of this length, for screens.
fn header(length: usize) -> Vec<u8> {
    const VERSION: u32 = 0x0440_0000;
    let mut header = vec![0; HEADER_BYTES];
    let mut set = |at: usize, bytes: [u8; 4]| header[at..at + 4].copy_from_slice(&bytes);
    set(0, number(length));
    set(8, VERSION.to_be_bytes());
    set(12, *b"mntr");
    set(16, *b"RGB ");
    set(20, *b"XYZ ");
    // The date that the format was published, as the time of making must not differ.
    set(24, [0x07, 0xE6, 0, 5]);
    set(28, [0, 1, 0, 0]);
    set(36, *b"acsp");
    for (at, value) in D50.into_iter().enumerate() {
        set(68 + 4 * at, value.to_be_bytes());
    }
    header
}

fn part(kind: [u8; 4], numbers: &[u32]) -> Vec<u8> {
    let mut part = [kind, [0; 4]].concat();
    part.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
    part
}

/// Returns a text in English.
fn text(words: &str) -> Vec<u8> {
    const START: usize = 28;
    const RECORD_BYTES: usize = 12;
    let encoded: Vec<u8> = words.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut part = [*b"mluc", [0; 4], number(1), number(RECORD_BYTES)].concat();
    part.extend_from_slice(b"enUS");
    part.extend_from_slice(&number(encoded.len()));
    part.extend_from_slice(&number(START));
    part.extend_from_slice(&encoded);
    part
}

fn number(number: usize) -> [u8; 4] {
    let number = u32::try_from(number).expect("BUG: a profile is short");
    number.to_be_bytes()
}

#[cfg(test)]
mod tests {
    use moxcms::{ColorProfile, Layout, TransformOptions};

    use super::*;

    #[test]
    fn profile_is_that_of_srgb() {
        let own = ColorProfile::new_from_slice(&profile()).unwrap();
        let options = TransformOptions::default();
        let srgb = ColorProfile::new_srgb();
        let transform = own
            .create_transform_8bit(Layout::Rgb, &srgb, Layout::Rgb, options)
            .unwrap();
        let before: Vec<u8> = (0..=255).flat_map(|at| [at, 255 - at, at / 2]).collect();
        let mut after = vec![0; before.len()];
        transform.transform(&before, &mut after).unwrap();
        for (before, after) in before.iter().zip(&after) {
            assert!(before.abs_diff(*after) <= 1, "{before} {after}");
        }
    }
}
