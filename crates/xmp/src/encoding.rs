//! The encoding of a sidecar's text, which stays the same when the file is written again.

use super::SidecarError;

/// The maximum size of a sidecar. The largest ones of darktable, with many drawn masks, have a few MiB.
pub(super) const MAX_BYTES: usize = 16 << 20;

const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The encoding of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Encoding {
    unit: Unit,
    /// True if a byte order mark comes first.
    has_mark: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Utf8,
    Utf16Little,
    Utf16Big,
}

impl Encoding {
    /// Decodes bytes. The encoding is detected from their beginning, with or without a byte order mark (ISO
    /// 16684-1, 7.1).
    pub(super) fn decode(bytes: &[u8]) -> Result<(String, Self), SidecarError> {
        if bytes.len() > MAX_BYTES {
            return Err(SidecarError::TooLarge);
        }
        let (unit, mark) = match bytes {
            [0xFF, 0xFE, 0, 0, ..] => return Err(SidecarError::Encoding),
            [0xFF, 0xFE, ..] => (Unit::Utf16Little, 2),
            [0xFE, 0xFF, ..] => (Unit::Utf16Big, 2),
            [b'<', 0, second, ..] if *second != 0 => (Unit::Utf16Little, 0),
            [0, b'<', 0, second, ..] if *second != 0 => (Unit::Utf16Big, 0),
            _ if bytes.starts_with(UTF8_MARK) => (Unit::Utf8, UTF8_MARK.len()),
            _ => (Unit::Utf8, 0),
        };
        let encoding = Self {
            unit,
            has_mark: mark > 0,
        };
        let text = encoding
            .text(&bytes[mark..])
            .ok_or(SidecarError::Encoding)?;
        if encoding.is_declared_by(&text) {
            Ok((text, encoding))
        } else {
            Err(SidecarError::Encoding)
        }
    }

    pub(super) fn encode(self, text: &str) -> Vec<u8> {
        match self.unit {
            Unit::Utf8 => {
                let mark = if self.has_mark { UTF8_MARK } else { &[] };
                [mark, text.as_bytes()].concat()
            }
            Unit::Utf16Little => self.units(text).flat_map(u16::to_le_bytes).collect(),
            Unit::Utf16Big => self.units(text).flat_map(u16::to_be_bytes).collect(),
        }
    }

    fn units(self, text: &str) -> impl Iterator<Item = u16> {
        let mark = self.has_mark.then_some(0xFEFF);
        mark.into_iter().chain(text.encode_utf16())
    }

    fn text(self, bytes: &[u8]) -> Option<String> {
        let of_units = |unit: fn([u8; 2]) -> u16| {
            let (pairs, rest) = bytes.as_chunks();
            let units = pairs.iter().copied().map(unit);
            rest.is_empty()
                .then(|| char::decode_utf16(units).collect::<Result<_, _>>().ok())?
        };
        match self.unit {
            Unit::Utf8 => str::from_utf8(bytes).ok().map(str::to_owned),
            Unit::Utf16Little => of_units(u16::from_le_bytes),
            Unit::Utf16Big => of_units(u16::from_be_bytes),
        }
    }

    /// Returns true if the text's XML declaration states the same encoding, or none.
    fn is_declared_by(self, text: &str) -> bool {
        let declaration = text
            .strip_prefix("<?xml")
            .and_then(|rest| rest.split_once("?>"));
        let Some((declaration, _)) = declaration else {
            return true;
        };
        let Some((_, value)) = declaration.split_once("encoding") else {
            return true;
        };
        let value = value.trim_start_matches(|c: char| c == '=' || c.is_ascii_whitespace());
        let name = value.split(['"', '\'']).nth(1).unwrap_or_default();
        let allowed: &[&str] = match self.unit {
            Unit::Utf8 => &["UTF-8"],
            Unit::Utf16Little => &["UTF-16", "UTF-16LE"],
            Unit::Utf16Big => &["UTF-16", "UTF-16BE"],
        };
        allowed
            .iter()
            .any(|allowed| name.eq_ignore_ascii_case(allowed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], unit: Unit, has_mark: bool) {
        let (text, encoding) = Encoding::decode(bytes).unwrap();
        assert_eq!(text, "<é😀/>");
        assert_eq!(encoding, Encoding { unit, has_mark });
        assert_eq!(encoding.encode(&text), bytes);
    }

    #[test]
    fn each_xmp_encoding_round_trips() {
        let little: Vec<u8> = "<é😀/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "<é😀/>".encode_utf16().flat_map(u16::to_be_bytes).collect();
        check("<é😀/>".as_bytes(), Unit::Utf8, false);
        check("\u{feff}<é😀/>".as_bytes(), Unit::Utf8, true);
        check(&little, Unit::Utf16Little, false);
        check(&big, Unit::Utf16Big, false);
        check(
            &[&[0xFF, 0xFE], &little[..]].concat(),
            Unit::Utf16Little,
            true,
        );
        check(&[&[0xFE, 0xFF], &big[..]].concat(), Unit::Utf16Big, true);
    }

    #[test]
    fn unknown_or_misdeclared_encoding_is_refused() {
        let refused = |bytes: &[u8]| {
            let result = Encoding::decode(bytes);
            assert!(matches!(result, Err(SidecarError::Encoding)), "{bytes:?}");
        };
        refused(b"<a>\xE9</a>");
        refused(b"<?xml version='1.0' encoding='ISO-8859-1'?><a/>");
        refused(b"<?xml version='1.0' encoding='UTF-16'?><a/>");
        refused(b"\xFF\xFE\0\0<\0\0\0");
        refused(b"\xFF\xFE<\0a");
        refused(b"\xFF\xFE\0\xD8");
        assert!(Encoding::decode(b"<?xml version='1.0' encoding = 'utf-8'?><a/>").is_ok());
        assert!(Encoding::decode(b"<?xml version='1.0'?><a/>").is_ok());
    }

    #[test]
    fn oversized_file_is_refused() {
        let large = vec![b' '; MAX_BYTES + 1];
        let result = Encoding::decode(&large);
        assert!(matches!(result, Err(SidecarError::TooLarge)));
    }
}
