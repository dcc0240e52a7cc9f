//! Readers of an export piece by piece.

use std::io::{self, BufRead, Read};

use encoding_rs::{CoderResult, Decoder};
use md5::{Digest as _, Md5};

const PIECE: usize = 64 << 10;

/// Text in UTF-8, also of a source in UTF-16. What isn't text is replaced.
pub(super) struct Utf8<R> {
    inner: R,
    decoder: Decoder,
    read: Vec<u8>,
    /// The bytes of `read` that aren't decoded yet.
    left: std::ops::Range<usize>,
    text: Vec<u8>,
    at: usize,
    end: usize,
    is_over: bool,
}

impl<R: Read> Utf8<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            decoder: encoding_rs::UTF_8.new_decoder(),
            read: vec![0; PIECE],
            left: 0..0,
            text: vec![0; PIECE],
            at: 0,
            end: 0,
            is_over: false,
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        while self.at == self.end && !self.is_over {
            let mut is_last = false;
            if self.left.is_empty() {
                let length = loop {
                    match self.inner.read(&mut self.read) {
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        read => break read?,
                    }
                };
                self.left = 0..length;
                is_last = length == 0;
            }
            let (result, read, written, _) =
                self.decoder
                    .decode_to_utf8(&self.read[self.left.clone()], &mut self.text, is_last);
            self.left.start += read;
            (self.at, self.end) = (0, written);
            self.is_over = is_last && result == CoderResult::InputEmpty;
        }
        Ok(())
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let length = available.len().min(out.len());
        out[..length].copy_from_slice(&available[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl<R: Read> BufRead for Utf8<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.fill()?;
        Ok(&self.text[self.at..self.end])
    }

    fn consume(&mut self, amount: usize) {
        self.at = (self.at + amount).min(self.end);
    }
}

/// A reader that fails when one event takes more bytes than allowed, all of which would be in memory.
pub(super) struct Guarded<R> {
    inner: R,
    limit: u64,
    left: u64,
}

impl<R> Guarded<R> {
    pub(super) fn new(inner: R, limit: u64) -> Self {
        Self {
            inner,
            limit,
            left: limit,
        }
    }

    /// Starts the next event.
    pub(super) fn renew(&mut self) {
        self.left = self.limit;
    }

    /// Lifts the limit for data that is not kept in memory.
    pub(super) fn lift(&mut self) {
        self.left = u64::MAX;
    }
}

impl<R: BufRead> Read for Guarded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(out)?;
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Guarded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "an element is too long",
            ));
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
        self.left = self.left.saturating_sub(amount as u64);
    }
}

/// The text up to the next tag, without white space.
pub(super) struct Payload<'r, R> {
    inner: &'r mut R,
    is_over: bool,
}

impl<'r, R: BufRead> Payload<'r, R> {
    pub(super) fn new(inner: &'r mut R) -> Self {
        Self {
            inner,
            is_over: false,
        }
    }

    /// Reads to the next tag.
    pub(super) fn drain(&mut self) -> io::Result<()> {
        let mut piece = [0; 4096];
        while self.read(&mut piece)? > 0 {}
        Ok(())
    }
}

impl<R: BufRead> Read for Payload<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut written = 0;
        while written == 0 && !self.is_over && !out.is_empty() {
            let available = self.inner.fill_buf()?;
            if available.is_empty() {
                self.is_over = true;
                break;
            }
            let mut read = 0;
            for byte in available {
                if *byte == b'<' {
                    self.is_over = true;
                    break;
                }
                if written == out.len() {
                    break;
                }
                read += 1;
                if !byte.is_ascii_whitespace() {
                    out[written] = *byte;
                    written += 1;
                }
            }
            self.inner.consume(read);
        }
        Ok(written)
    }
}

/// A reader that computes the MD5 by which a note names the resource.
pub(super) struct Hashed<R> {
    inner: R,
    hasher: Md5,
}

impl<R: Read> Hashed<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            hasher: Md5::new(),
        }
    }

    pub(super) fn hash(self) -> String {
        self.hasher
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(out)?;
        self.hasher.update(&out[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_decoded_in_pieces() {
        let text = "京都".repeat(PIECE);
        let read = io::read_to_string(Utf8::new(text.as_bytes())).unwrap();
        assert!(read == text);
        assert_eq!(
            io::read_to_string(Utf8::new(&b"a\xffb"[..])).unwrap(),
            "a\u{fffd}b"
        );
        assert_eq!(
            io::read_to_string(Utf8::new(&b"\xff\xfea\0"[..])).unwrap(),
            "a"
        );
    }

    #[test]
    fn payload_ends_before_a_tag() {
        let mut text = &b"ab \n cd</data>"[..];
        let read = io::read_to_string(Payload::new(&mut text)).unwrap();
        assert_eq!((read.as_str(), text), ("abcd", &b"</data>"[..]));
    }

    #[test]
    fn long_event_is_refused() {
        let mut guarded = Guarded::new(Utf8::new(&[b'x'; 100][..]), 10);
        guarded.consume(10);
        assert!(guarded.fill_buf().is_err());
        guarded.renew();
        assert!(guarded.fill_buf().is_ok());
    }
}
