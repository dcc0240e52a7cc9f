//! Determines the media type of a file from its contents, never from its name.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;
use fumikura_image::PictureKind;

use super::markup;

/// The number of leading bytes that are examined closely.
const HEAD: usize = 64 * 1024;

/// Sniffs a file's contents as they arrive.
pub(super) struct Sniffer {
    head: Vec<u8>,
    utf8: Utf8,
    /// True if a byte occurs that no text contains.
    binary: bool,
}

impl Sniffer {
    pub(super) fn new() -> Self {
        Self {
            head: Vec::new(),
            utf8: Utf8::default(),
            binary: false,
        }
    }

    /// Takes the next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let missing = HEAD.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..missing]);
        self.utf8.feed(bytes);
        self.binary = self.binary || bytes.iter().any(|byte| is_binary(*byte));
    }

    /// The media type of the contents; for text with its encoding, as far as it can be determined.
    pub(super) fn mime(self) -> String {
        if self.binary {
            return of_binary(&self.head);
        }
        if let Some(mime) = markup::of_text(&self.head) {
            return mime.to_owned();
        }
        if self.utf8.is_whole() {
            return "text/plain; charset=utf-8".to_owned();
        }
        match encoding(&self.head) {
            Some(encoding) => {
                format!(
                    "text/plain; charset={}",
                    encoding.name().to_ascii_lowercase()
                )
            }
            None => "application/octet-stream".to_owned(),
        }
    }
}

/// True for the control characters that no text contains. Escape is not among them: old texts have escape sequences.
fn is_binary(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B)
}

fn of_binary(head: &[u8]) -> String {
    if let Some(encoding) = utf16(head) {
        return format!("text/plain; charset={encoding}");
    }
    if let Some(kind) = bitmap(head) {
        return kind.mime().to_owned();
    }
    let kind = infer::get(head).map_or("application/octet-stream", |kind| kind.mime_type());
    // Contents with non-text bytes are not text, despite their beginning.
    if kind.starts_with("text/") && kind != "text/html" {
        "application/octet-stream".to_owned()
    } else {
        kind.to_owned()
    }
}

/// Returns the format of a picture, from the table that folders use as well. Videos are excluded, and drawings: a plain one is text,
/// and a compressed one is an archive to a browser.
fn bitmap(head: &[u8]) -> Option<PictureKind> {
    let is_bitmap = |kind: &PictureKind| {
        !matches!(kind, PictureKind::Svg | PictureKind::Svgz) && !kind.facts().is_video()
    };
    PictureKind::of(head).filter(is_bitmap)
}

/// UTF-16, if the bytes begin with a byte order mark and decode to text.
fn utf16(head: &[u8]) -> Option<&'static str> {
    let (encoding, name) = match head {
        [0xFF, 0xFE, ..] => (encoding_rs::UTF_16LE, "utf-16le"),
        [0xFE, 0xFF, ..] => (encoding_rs::UTF_16BE, "utf-16be"),
        _ => return None,
    };
    let even = &head[2..head.len() & !1];
    let (text, malformed) = encoding.decode_without_bom_handling(even);
    // The head may end between the halves of a surrogate pair. This is then the only error.
    let text = text.strip_suffix('\u{FFFD}').unwrap_or(&text);
    let malformed = malformed && text.contains('\u{FFFD}');
    let readable = |c: char| u8::try_from(c).map_or(true, |byte| !is_binary(byte));
    (!malformed && text.chars().all(readable)).then_some(name)
}

/// The encoding of text that is not UTF-8, guessed as browsers do.
fn encoding(head: &[u8]) -> Option<&'static Encoding> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(head, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    // A character that the head cuts in two is no error.
    let mut decoder = guess.new_decoder_without_bom_handling();
    let length = decoder.max_utf8_buffer_length(head.len())?;
    let mut text = vec![0; length];
    let (_, _, _, malformed) = decoder.decode_to_utf8(head, &mut text, false);
    (!malformed).then_some(guess)
}

/// An incremental UTF-8 validator.
#[derive(Default)]
struct Utf8 {
    /// The beginning of a character whose rest has not arrived yet.
    pending: Vec<u8>,
    invalid: bool,
}

impl Utf8 {
    fn feed(&mut self, mut bytes: &[u8]) {
        while !self.invalid && !self.pending.is_empty() {
            let Some((first, rest)) = bytes.split_first() else {
                return;
            };
            bytes = rest;
            self.pending.push(*first);
            match std::str::from_utf8(&self.pending) {
                Ok(_) => self.pending.clear(),
                Err(error) => self.invalid = error.error_len().is_some(),
            }
        }
        if self.invalid {
            return;
        }
        if let Err(error) = std::str::from_utf8(bytes) {
            self.invalid = error.error_len().is_some();
            self.pending = bytes[error.valid_up_to()..].to_vec();
        }
    }

    fn is_whole(&self) -> bool {
        !self.invalid && self.pending.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mime(bytes: &[u8]) -> String {
        let mut sniffer = Sniffer::new();
        sniffer.feed(bytes);
        sniffer.mime()
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(mime(bytes), expected, "{:?}", bytes.escape_ascii());
    }

    #[test]
    fn pictures_and_documents_are_detected_by_their_signature() {
        check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png");
        check(b"\xff\xd8\xff\xe0\0\x10JFIF\0", "image/jpeg");
        check(b"GIF89a\x01\0\x01\0\0\0\0", "image/gif");
        check(b"RIFF\x06\x15\0\0WEBPVP8X", "image/webp");
        check(b"%PDF-1.7\n%\x01\x02", "application/pdf");
        check(b"%PDF-1.7\n1 0 obj", "application/pdf");
        check(b"PK\x03\x04\x14\0\0\0", "application/zip");
    }

    #[test]
    fn pictures_have_the_types_of_folders() {
        check(b"\xff\x0a\xfa\x7f\x01\x90", PictureKind::Jxl.mime());
        check(
            b"\0\0\0\x18ftypheic\0\0\0\0mif1heic",
            PictureKind::Heif.mime(),
        );
        // BigTIFF.
        check(b"II+\0\x08\0\0\0", PictureKind::Tiff.mime());
        let packed = b"\x1f\x8b\x08\0\0\0\0\0\0\x03";
        check(packed, "application/gzip");
    }

    #[test]
    fn markup_is_detected_whatever_precedes_it() {
        for html in [
            "<!DOCTYPE html><title>x</title>",
            "\u{feff}\n <!-- a --> <!doctype HTML>",
            "<html lang=ja>",
            "<script>alert(1)</script>",
            "<IFRAME src=x>",
            "<p>text",
        ] {
            check(html.as_bytes(), "text/html");
        }
        for svg in [
            "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "<?xml version='1.0'?>\n<!-- drawn -->\n<svg>",
            "<?xml version='1.0'?><!DOCTYPE svg PUBLIC 'a' 'b' [<!ENTITY a 'b'>]><svg>",
            "<!DOCTYPE svg><s:svg xmlns:s='http://www.w3.org/2000/svg'>",
        ] {
            check(svg.as_bytes(), "image/svg+xml");
        }
        check(b"<?xml version='1.0'?><note/>", "application/xml");
        check(
            b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>",
            "application/xhtml+xml",
        );
        check("<h1>日本</h1>".as_bytes(), "text/html");
    }

    #[test]
    fn text_encoding_is_detected() {
        let utf8 = "text/plain; charset=utf-8";
        check(b"", utf8);
        check(b"BMW is a maker of cars", utf8);
        check("# 旅\n\n京都へ行く。\n".as_bytes(), utf8);
        check(b"a <b and c> d", utf8);
        check(b"<name@example.org> wrote:", utf8);
        let japanese = "東京特許許可局は、許可を急いだ。カタカナもひらがなもある。\r\n";
        let (sjis, _, _) = encoding_rs::SHIFT_JIS.encode(japanese);
        check(&sjis, "text/plain; charset=shift_jis");
        let (euc, _, _) = encoding_rs::EUC_JP.encode(japanese);
        check(&euc, "text/plain; charset=euc-jp");
        check(b"caf\xe9 \xe0 la carte", "text/plain; charset=windows-1252");
        let utf16: Vec<u8> = "\u{feff}東京\n😀"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        check(&utf16, "text/plain; charset=utf-16le");
        check(&utf16[..utf16.len() - 2], "text/plain; charset=utf-16le");
    }

    #[test]
    fn unknown_contents_are_octet_streams() {
        check(b"\0\x01\x02", "application/octet-stream");
        check(b"#!/bin/sh\n\0", "application/octet-stream");
        check(b"text\0text", "application/octet-stream");
    }

    #[test]
    fn long_text_is_checked_to_its_end() {
        let mut long = vec![b'a'; 2 * HEAD];
        long.extend("旅".as_bytes());
        check(&long, "text/plain; charset=utf-8");
        long.pop();
        assert_ne!(mime(&long), "text/plain; charset=utf-8");
        long.push(0);
        check(&long, "application/octet-stream");
    }

    proptest! {
        #[test]
        fn result_does_not_depend_on_the_pieces(text in "[aあ😀\n]{0,40}", cut: prop::sample::Index, broken: bool) {
            let mut bytes = text.into_bytes();
            if broken {
                bytes.push(0xE3);
            }
            let at = cut.index(bytes.len() + 1);
            let mut sniffer = Sniffer::new();
            sniffer.feed(&bytes[..at]);
            sniffer.feed(&bytes[at..]);
            prop_assert_eq!(sniffer.utf8.is_whole(), std::str::from_utf8(&bytes).is_ok());
            prop_assert_eq!(sniffer.mime(), mime(&bytes));
        }

        #[test]
        fn any_bytes_have_a_type(bytes: Vec<u8>) {
            let _ = mime(&bytes);
        }
    }
}
