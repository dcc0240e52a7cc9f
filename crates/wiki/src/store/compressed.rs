//! Rows of revisions: the text is compressed with zstd if that makes it shorter.
//!
//! Each row can be read without any other: a damaged row costs one revision, never its neighbours.

use std::cell::RefCell;
use std::io;

use parking_lot::Mutex;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::{CParameter, get_frame_content_size};

use super::record::Record;
use crate::model::page::{PageSource, SourceText, StoredSource};

/// The minimum length in bytes of a text to compress: shorter texts seldom shrink.
const MIN_COMPRESSED_LENGTH: usize = 128;
/// The compression level, zstd's default. Higher levels gain a few hundredths for several times the time.
const LEVEL: i32 = 3;

/// The shared compressor: creating one takes longer than compressing most texts. The lock is never contended,
/// because there is one writer at a time.
static COMPRESSOR: Mutex<Option<Compressor<'static>>> = Mutex::new(None);

thread_local! {
    /// The decompressor of this thread, cached for the same reason.
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

impl Record for PageSource {
    fn encode(&self) -> Result<Vec<u8>, String> {
        let text = match compress_text(&self.source)? {
            Some(frame) => SourceText::Zstd(frame),
            None => SourceText::Plain(self.source.clone()),
        };
        StoredSource {
            head: self.head.clone(),
            bytes: self.source.len() as u64,
            text,
        }
        .encode()
    }

    fn decode_leading(row: &[u8]) -> Result<(Self, &[u8]), String> {
        let (StoredSource { head, bytes, text }, rest) = StoredSource::decode_leading(row)?;
        let source = match text {
            SourceText::Plain(text) => text,
            SourceText::Zstd(frame) => decompress_text(&frame, bytes)?,
        };
        if source.len() as u64 != bytes {
            let found = source.len();
            return Err(format!("its text has {found} bytes instead of {bytes}"));
        }
        Ok((Self { head, source }, rest))
    }
}

/// Compresses the text to a zstd frame. Returns `None` if that is no shorter.
fn compress_text(text: &str) -> Result<Option<Vec<u8>>, String> {
    if text.len() < MIN_COMPRESSED_LENGTH {
        return Ok(None);
    }
    let mut shared = COMPRESSOR.lock();
    let shared = &mut *shared;
    let mut compress = || {
        let compressor = match shared {
            Some(there) => there,
            None => shared.insert(compressor()?),
        };
        compressor.compress(text.as_bytes())
    };
    let frame = compress().map_err(|error: io::Error| error.to_string())?;
    Ok(Some(frame).filter(|frame| frame.len() < text.len()))
}

fn compressor() -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(LEVEL)?;
    // The checksum lets decompression report a text in which a single bit has changed.
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    Ok(compressor)
}

/// Decompresses the text of a frame, of a known length in bytes.
fn decompress_text(frame: &[u8], bytes: u64) -> Result<String, String> {
    let unreadable = |why: &str| format!("its compressed text can't be read: {why}");
    if !matches!(get_frame_content_size(frame), Ok(Some(size)) if size == bytes) {
        return Err(unreadable("its length is not the one that was saved"));
    }
    let mut text = Vec::new();
    // A damaged length is an error here; `with_capacity` would abort the process.
    let reserved = usize::try_from(bytes).map(|length| text.try_reserve_exact(length));
    if !matches!(reserved, Ok(Ok(()))) {
        return Err(unreadable("it is too long for the memory"));
    }
    let read = DECOMPRESSOR.with_borrow_mut(|decompressor| {
        let decompressor = match decompressor {
            Some(there) => there,
            None => decompressor.insert(Decompressor::new()?),
        };
        decompressor.decompress_to_buffer(frame, &mut text)
    });
    read.map_err(|error: io::Error| unreadable(&error.to_string()))?;
    String::from_utf8(text).map_err(|_| unreadable("it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use fumikura_base::entropy::{Entropy, SeededEntropy};
    use jiff::Timestamp;

    use super::*;
    use crate::id::UserId;
    use crate::model::page::SourceHead;

    fn row(source: &str) -> PageSource {
        PageSource {
            head: SourceHead {
                revision: 7,
                created_at: Timestamp::UNIX_EPOCH,
                author: UserId::from_bytes([1; 16]),
                user_name: "あや".to_owned(),
                rename: None,
                amends: 0,
            },
            source: source.to_owned(),
        }
    }

    fn japanese() -> String {
        "京都の秋の庭を歩いた。写真は[ここ](/写真)にある。\n".repeat(30)
    }

    fn incompressible() -> String {
        let mut bytes = [0; 1024];
        SeededEntropy::new(1).fill(&mut bytes);
        bytes
            .iter()
            .map(|byte| char::from(b' ' + byte % 95))
            .collect()
    }

    /// Checks that a text is read as it was written, and that its row is shorter than the text if `is_shorter`.
    #[track_caller]
    fn check(source: &str, is_shorter: bool) {
        let bytes = row(source).encode().unwrap();
        assert_eq!(PageSource::decode(&bytes).unwrap(), row(source));
        assert_eq!(SourceHead::decode(&bytes).unwrap(), row(source).head);
        assert_eq!(bytes.len() < source.len(), is_shorter);
    }

    #[test]
    fn texts_are_compressed_where_that_pays() {
        check("", false);
        check("# A short page\n", false);
        check(&japanese(), true);
        check(&"line\r\n".repeat(100_000), true);
        let text = incompressible();
        check(&text, true);
        let noise: String = "\0\u{1}あ".to_owned() + &text[..MIN_COMPRESSED_LENGTH - 5];
        check(&noise, false);
    }

    #[test]
    fn damaged_frame_never_yields_another_text() {
        let bytes = row(&japanese()).encode().unwrap();
        let mut stored = StoredSource::decode(&bytes).unwrap();
        let SourceText::Zstd(whole) = &stored.text else {
            panic!("the text is not compressed");
        };
        let whole = whole.clone();
        for bit in 0..whole.len() * 8 {
            let mut frame = whole.clone();
            frame[bit / 8] ^= 1 << (bit % 8);
            stored.text = SourceText::Zstd(frame);
            let damaged = PageSource::decode(&stored.encode().unwrap());
            // One bit of the header has no meaning.
            let is_another = damaged.is_ok_and(|read| read != row(&japanese()));
            assert!(!is_another, "bit {bit}");
        }
        for length in 0..whole.len() {
            stored.text = SourceText::Zstd(whole[..length].to_vec());
            let cut_off = PageSource::decode(&stored.encode().unwrap());
            assert!(cut_off.is_err(), "{length} bytes");
        }
    }

    #[test]
    fn wrong_text_length_is_an_error() {
        for text in [japanese(), "short".to_owned()] {
            let bytes = row(&text).encode().unwrap();
            for length in [0, text.len() as u64 - 1, text.len() as u64 + 1, u64::MAX] {
                let stored = StoredSource::decode(&bytes).unwrap();
                let stored = StoredSource {
                    bytes: length,
                    ..stored
                };
                let decoded = PageSource::decode(&stored.encode().unwrap());
                assert!(decoded.is_err(), "{length} bytes");
            }
        }
    }
}
