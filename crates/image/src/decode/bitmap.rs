//! Windows bitmaps whose header the `image` crate does not read: OS/2 2, of 16 to 64 bytes.

use std::io::{Read, Seek, SeekFrom};

use crate::DecodeError;

/// The length of the file header, which precedes the header of the picture, in bytes.
const FILE_HEADER: usize = 14;
/// The length of the Windows header in bytes. An OS/2 2 header begins with the same fields.
const WINDOWS: usize = 40;

/// Returns the file with a Windows header if it has an OS/2 2 header. `file` is back at its start.
pub(super) fn with_windows_header(
    file: &mut (impl Read + Seek),
) -> Result<Option<Vec<u8>>, DecodeError> {
    let mut head = [0; FILE_HEADER + 4];
    file.read_exact(&mut head)?;
    file.seek(SeekFrom::Start(0))?;
    let [.., a, b, c, d] = head;
    let length = u32::from_le_bytes([a, b, c, d]);
    let length = match length {
        16..=39 | 41..=51 | 53..=55 | 57..=64 => length as usize,
        _ => return Ok(None),
    };
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    file.seek(SeekFrom::Start(0))?;
    if bytes.len() < FILE_HEADER + length {
        return Err(DecodeError::Damaged("its header ends too early".into()));
    }
    let rest = bytes.split_off(FILE_HEADER + length);
    let offset = u32::from_le_bytes([bytes[10], bytes[11], bytes[12], bytes[13]]);
    bytes.resize(FILE_HEADER + length.max(WINDOWS), 0);
    bytes.truncate(FILE_HEADER + WINDOWS);
    // 3 and 4 mean other compressions here than in Windows bitmaps.
    if matches!(bytes[FILE_HEADER + 16], 3 | 4) {
        return Err(DecodeError::UnsupportedKind(
            "image/bmp with OS/2's compression".into(),
        ));
    }
    let moved = i64::from(offset) + WINDOWS as i64 - length as i64;
    let moved = u32::try_from(moved).unwrap_or(0);
    bytes[10..14].copy_from_slice(&moved.to_le_bytes());
    bytes[FILE_HEADER..FILE_HEADER + 4].copy_from_slice(&(WINDOWS as u32).to_le_bytes());
    bytes.extend(rest);
    Ok(Some(bytes))
}
