//! Decoding of texts whose encoding is not stated.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// A text and the encoding that it was read in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedText {
    pub text: String,
    /// The detected encoding; `None` for UTF-8, with or without a byte order mark, and for UTF-16 with one.
    pub guessed: Option<&'static str>,
}

/// Decodes a text: as a byte order mark states, as UTF-8, or else in the most probable encoding. Line ends become LF.
#[must_use]
pub fn decode(bytes: &[u8]) -> DecodedText {
    let (text, guessed) = match encoding_rs::Encoding::for_bom(bytes) {
        Some((encoding, _)) => (encoding.decode(bytes).0, None),
        None => match std::str::from_utf8(bytes) {
            Ok(text) => (text.into(), None),
            Err(_) => {
                let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
                detector.feed(bytes, true);
                let encoding = detector.guess(None, Utf8Detection::Deny);
                let (text, _) = encoding.decode_without_bom_handling(bytes);
                (text, Some(encoding.name()))
            }
        },
    };
    let text = if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text.into_owned()
    };
    DecodedText { text, guessed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], text: &str, guessed: Option<&str>) {
        let decoded = decode(bytes);
        assert_eq!((decoded.text.as_str(), decoded.guessed), (text, guessed));
    }

    #[test]
    fn encodings_are_detected() {
        check("a\r\n京都".as_bytes(), "a\n京都", None);
        check("\u{feff}a".as_bytes(), "a", None);
        check(b"\xff\xfea\0b\0", "ab", None);
        let shift_jis = encoding_rs::SHIFT_JIS
            .encode("日本語の長い文章です。これは試験です。")
            .0;
        check(
            &shift_jis,
            "日本語の長い文章です。これは試験です。",
            Some("Shift_JIS"),
        );
    }
}
