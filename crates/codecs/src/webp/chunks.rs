//! The chunks of a WebP file (RFC 9649, 2.3).

/// The head of the file: `RIFF`, its length, `WEBP`.
const FILE_HEAD: usize = 12;
/// The head of a chunk: its kind and its length.
const CHUNK_HEAD: usize = 8;

/// Returns the contents of the first chunk of a kind. Also returns `None` if the file ends before the chunk does.
pub(super) fn find(bytes: &[u8], wanted: [u8; 4]) -> Option<&[u8]> {
    let mut rest = bytes.get(FILE_HEAD..)?;
    loop {
        let (head, contents) = rest.split_at_checked(CHUNK_HEAD)?;
        let (kind, length) = head.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length.first_chunk()?);
        let length = usize::try_from(length).ok()?;
        if *kind == wanted {
            return contents.get(..length);
        }
        // Chunks have an even length in the file.
        rest = contents.get(length.checked_add(length % 2)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_complete_chunk_is_found_behind_others() {
        let bytes = b"RIFF\x30\0\0\0WEBPVP8X\x03\0\0\0abc\0EXIF\x02\0\0\0II";
        assert_eq!(find(bytes, *b"EXIF"), Some(&b"II"[..]));
        assert_eq!(find(bytes, *b"VP8X"), Some(&b"abc"[..]));
        assert_eq!(find(bytes, *b"ICCP"), None);
        for end in 0..bytes.len() {
            assert_eq!(find(&bytes[..end], *b"EXIF"), None);
        }
        assert_eq!(
            find(b"RIFF\0\0\0\0WEBPEXIF\xff\xff\xff\xff", *b"ICCP"),
            None
        );
    }
}
