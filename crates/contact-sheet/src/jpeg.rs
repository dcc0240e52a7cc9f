//! The size and the components of a JPEG, which a PDF states beside it.

/// The facts about a JPEG that a PDF states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JpegHead {
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) is_grey: bool,
}

/// Reads the frame header of a JPEG with one or three components; `None` if it is none.
pub(crate) fn head(jpeg: &[u8]) -> Option<JpegHead> {
    let mut rest = jpeg.strip_prefix(&[0xff, 0xd8])?;
    loop {
        let [0xff, marker, high, low, ..] = *rest else {
            return None;
        };
        let length = usize::from(u16::from_be_bytes([high, low]));
        let segment = rest.get(4..2 + length)?;
        let is_frame = matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
        if is_frame {
            let [8, h1, h0, w1, w0, components, ..] = *segment else {
                return None;
            };
            let (width, height) = (u16::from_be_bytes([w1, w0]), u16::from_be_bytes([h1, h0]));
            let is_shown = width > 0 && height > 0 && matches!(components, 1 | 3);
            return is_shown.then_some(JpegHead {
                width,
                height,
                is_grey: components == 1,
            });
        }
        rest = rest.get(2 + length..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_header_is_found_or_refused() {
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc4\0\x03x\xff\xc2\0\x0b\x08\0\x20\0\x30\x03abc";
        let expected = JpegHead {
            width: 48,
            height: 32,
            is_grey: false,
        };
        assert_eq!(head(jpeg), Some(expected));
        for length in 0..jpeg.len() - 3 {
            assert_eq!(head(&jpeg[..length]), None, "{length}");
        }
        assert_eq!(head(b"\x89PNG\r\n\x1a\n"), None);
    }
}
