//! AVI: the chunk `avih`, which is the first one of the file.

use std::io::Read;

use super::VideoHead;

/// Reads the main header.
pub(crate) fn avi(mut file: impl Read) -> Option<VideoHead> {
    let mut bytes = [0; 72];
    file.read_exact(&mut bytes).ok()?;
    let is_header = bytes[12..16] == *b"LIST" && bytes[20..28] == *b"hdrlavih";
    if !is_header {
        return None;
    }
    let number = |at: usize| {
        let at = 32 + at;
        u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
    };
    let mut head = VideoHead {
        size: Some((number(32), number(36))),
        ..VideoHead::default()
    };
    // Microseconds for each frame, and the number of frames.
    head.set_duration(f64::from(number(0)) * f64::from(number(16)) / 1_000_000.0);
    Some(head)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn sample(microseconds: u32, frames: u32) -> Vec<u8> {
        let mut bytes = b"RIFF\0\0\0\0AVI LIST\0\0\0\0hdrlavih\x38\0\0\0".to_vec();
        let mut header = [0_u32; 14];
        [header[0], header[4], header[8], header[9]] = [microseconds, frames, 320, 240];
        bytes.extend(header.iter().flat_map(|one| one.to_le_bytes()));
        bytes
    }

    #[test]
    fn main_header_is_read() {
        let head = avi(&sample(40_000, 250)[..]).unwrap();
        assert_eq!(head.duration, Some(Duration::from_secs(10)));
        assert_eq!(head.size, Some((320, 240)));
        assert_eq!(avi(&sample(u32::MAX, u32::MAX)[..]).unwrap().duration, None);
        assert_eq!(avi(&sample(40_000, 250)[..60]), None);
        assert_eq!(avi(&[0; 100][..]), None);
    }
}
