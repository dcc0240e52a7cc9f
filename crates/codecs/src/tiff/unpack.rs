//! The bytes of a strip or tile, as a stream that is decompressed while it is read.

use std::io::{self, BufRead, BufReader, Read};

use flate2::read::ZlibDecoder;
use ruzstd::decoding::StreamingDecoder;

use super::ccitt;
use super::layout::{Compression, Layout};
use super::lzw;

/// Decompresses `input`, which contains a part of `width` × `height` pixels.
pub(super) fn unpacking_reader<'a>(
    input: impl Read + 'a,
    layout: &Layout,
    (width, height): (u32, u32),
) -> io::Result<Box<dyn Read + 'a>> {
    let input: Box<dyn Read + 'a> = match layout.is_reversed {
        true => Box::new(BitReverser(input)),
        false => Box::new(input),
    };
    Ok(match layout.compression {
        Compression::None => Box::new(BufReader::new(input)),
        Compression::PackBits => Box::new(PackBits::new(BufReader::new(input))),
        Compression::Lzw => lzw::unpacking_reader(input)?,
        Compression::Deflate => Box::new(ZlibDecoder::new(input)),
        Compression::Zstd => Box::new(StreamingDecoder::new(input).map_err(invalid)?),
        Compression::Fax(fax) => ccitt::unpacking_reader(input, fax, width, height)?,
        Compression::OldJpeg | Compression::Jpeg | Compression::Webp => {
            return Err(invalid("it is a picture of another kind"));
        }
    })
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// Bytes whose bits are in the other order.
struct BitReverser<R>(R);

impl<R: Read> Read for BitReverser<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        for byte in &mut buffer[..read] {
            *byte = byte.reverse_bits();
        }
        Ok(read)
    }
}

/// Runs of bytes (TIFF 6.0, section 9).
struct PackBits<R> {
    input: R,
    run: Run,
}

enum Run {
    Literal(usize),
    Repeated(u8, usize),
}

impl<R: BufRead> PackBits<R> {
    fn new(input: R) -> Self {
        Self {
            input,
            run: Run::Literal(0),
        }
    }

    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        let byte = self.input.fill_buf()?.first().copied();
        self.input.consume(usize::from(byte.is_some()));
        Ok(byte)
    }

    /// Reads the head of the next run. Returns false at the end.
    fn begin_run(&mut self) -> io::Result<bool> {
        const NOTHING: u8 = 128;
        loop {
            let Some(head) = self.next_byte()? else {
                return Ok(false);
            };
            match head {
                NOTHING => {}
                0..NOTHING => {
                    self.run = Run::Literal(usize::from(head) + 1);
                    return Ok(true);
                }
                _ => {
                    let Some(byte) = self.next_byte()? else {
                        return Ok(false);
                    };
                    self.run = Run::Repeated(byte, 257 - usize::from(head));
                    return Ok(true);
                }
            }
        }
    }
}

impl<R: BufRead> Read for PackBits<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if matches!(self.run, Run::Literal(0) | Run::Repeated(_, 0)) && !self.begin_run()? {
            return Ok(0);
        }
        match &mut self.run {
            Run::Literal(left) => {
                let length = (*left).min(buffer.len());
                let read = self.input.read(&mut buffer[..length])?;
                *left -= read;
                Ok(read)
            }
            Run::Repeated(byte, left) => {
                let count = (*left).min(buffer.len());
                buffer[..count].fill(*byte);
                *left -= count;
                Ok(count)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut unpacked = Vec::new();
        PackBits::new(bytes).read_to_end(&mut unpacked).unwrap();
        unpacked
    }

    #[test]
    fn runs_are_unpacked() {
        // The example of TIFF 6.0.
        let bytes = [
            0xFE, 0xAA, 0x02, 0x80, 0x00, 0x2A, 0xFD, 0xAA, 0x80, 0x03, 0x80, 0x00, 0x2A, 0x22,
            0xF7, 0xAA,
        ];
        let expected = [
            0xAA, 0xAA, 0xAA, 0x80, 0x00, 0x2A, 0xAA, 0xAA, 0xAA, 0xAA, 0x80, 0x00, 0x2A, 0x22,
        ];
        assert_eq!(packed(&bytes), [&expected[..], &[0xAA; 10]].concat());
        assert_eq!(packed(&bytes[..6]), expected[..6]);
        assert!(packed(&[0xFE]).is_empty());
    }
}
