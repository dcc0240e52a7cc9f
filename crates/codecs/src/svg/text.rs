//! The text of a drawing: decompressed and decoded.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use fumikura_image::DecodeError;

/// Reads the text of at most `max` bytes, both compressed and decompressed.
pub(super) fn read(file: impl Read, max: u64) -> Result<String, DecodeError> {
    let bytes = limited(file, max)?;
    let bytes = match bytes.starts_with(&[0x1F, 0x8B]) {
        true => limited(MultiGzDecoder::new(&bytes[..]), max)?,
        false => bytes,
    };
    Ok(decode(bytes))
}

fn limited(file: impl Read, max: u64) -> Result<Vec<u8>, DecodeError> {
    let mut bytes = Vec::new();
    file.take(max + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > max {
        true => Err(DecodeError::TooLarge("its text is too long".into())),
        false => Ok(bytes),
    }
}

/// Decodes UTF-16 with a byte order mark or without, UTF-8, and anything else as Latin-1.
fn decode(bytes: Vec<u8>) -> String {
    let text = match bytes[..] {
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => decode_utf16(&bytes, u16::from_le_bytes),
        [0xFE, 0xFF, ..] | [0, b'<', ..] => decode_utf16(&bytes, u16::from_be_bytes),
        _ => String::from_utf8(bytes).unwrap_or_else(|error| {
            let bytes = error.into_bytes();
            bytes.into_iter().map(char::from).collect()
        }),
    };
    match text.strip_prefix('\u{FEFF}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (units, _) = bytes.as_chunks();
    let units: Vec<_> = units.iter().map(|&bytes| unit(bytes)).collect();
    String::from_utf16_lossy(&units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(decode(bytes.to_vec()), expected);
    }

    #[test]
    fn every_encoding_is_read() {
        check("<é>".as_bytes(), "<é>");
        check("\u{FEFF}<é>".as_bytes(), "<é>");
        check(b"<\xe9>", "<é>");
        check(b"\xff\xfe<\0\xe9\0>\0", "<é>");
        check(b"\xfe\xff\0<\0\xe9\0>", "<é>");
        check(b"<\0\xe9\0>\0", "<é>");
    }

    #[test]
    fn longer_texts_are_refused() {
        assert!(read(&b"<svg/>"[..], 6).is_ok());
        assert!(matches!(
            read(&b"<svg/>"[..], 5),
            Err(DecodeError::TooLarge(_))
        ));
    }
}
