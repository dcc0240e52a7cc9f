//! LZW in TIFF's version (TIFF 6.0, section 13), and in that of its first writers: with the lowest bit first, and
//! longer codes one code later.

use std::io::{self, BufRead, BufReader, Read};

use weezl::decode::{Configuration, Decoder};
use weezl::{BitOrder, LzwError, LzwStatus};

/// Decompresses `input`.
pub(super) fn unpacking_reader<'a>(input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut input = BufReader::with_capacity(64 << 10, input);
    // The first code of TIFF's version is 256 in nine bits.
    Ok(match input.fill_buf()? {
        [0, second, ..] if second & 1 == 1 => Box::new(OldLzw::new(input)),
        _ => Box::new(Lzw::new(input)),
    })
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

const CLEAR: u16 = 256;
const END: u16 = 257;
const FIRST: u16 = 258;
const MIN_CODE_BITS: u32 = 9;
const MAX_CODE_BITS: u32 = 12;
const TABLE: usize = 1 << MAX_CODE_BITS;
/// The output that is unpacked at once, in bytes, before it is handed on.
const BATCH: usize = 32 << 10;
/// The bytes that one copy moves. Most strings are shorter.
const STEP: usize = 8;

/// A string of the table: where it was written, and its length.
///
/// A new string is an older one with the byte that followed it, so the output contains it in one piece already. No
/// chain of prefixes is followed.
#[derive(Clone, Copy, Default)]
struct CodeEntry {
    start: usize,
    length: usize,
}

/// TIFF's version.
struct Lzw<R> {
    codes: Codes<R>,
    entries: Box<[CodeEntry; TABLE]>,
    /// The number of codes that have a meaning.
    next: usize,
    width: u32,
    previous: Option<CodeEntry>,
    /// The output to which entries refer, and what has not been read yet. At most 8 MiB: a table has 3,838 strings,
    /// each at most one byte longer than the longest before it.
    output: Vec<u8>,
    written: usize,
    read: usize,
    /// The end of the part to which entries refer, once the table is full.
    referred: usize,
    is_done: bool,
}

impl<R: BufRead> Lzw<R> {
    fn new(input: R) -> Self {
        Self {
            codes: Codes {
                input,
                bits: 0,
                count: 0,
            },
            entries: Box::new([CodeEntry::default(); TABLE]),
            next: usize::from(FIRST),
            width: MIN_CODE_BITS,
            previous: None,
            output: Vec::new(),
            written: 0,
            read: 0,
            referred: 0,
            is_done: false,
        }
    }

    /// Unpacks until a batch is full or a table ends. All output has been read before.
    fn unpack(&mut self) -> io::Result<()> {
        if self.previous.is_none() {
            self.written = 0;
        } else if self.next == TABLE {
            self.written = self.referred;
        }
        self.read = self.written;
        let full = self.written + BATCH;
        while self.written < full {
            match self.codes.next(self.width)? {
                None | Some(END) => {
                    self.is_done = true;
                    break;
                }
                Some(CLEAR) => {
                    self.next = usize::from(FIRST);
                    self.width = MIN_CODE_BITS;
                    self.previous = None;
                    if self.written > self.read {
                        break;
                    }
                    self.written = 0;
                    self.read = 0;
                }
                Some(code) if self.append(usize::from(code)) => {}
                // Everything that was unpacked before is still valid.
                Some(_) if self.written > self.read => {
                    self.is_done = true;
                    break;
                }
                Some(_) => return Err(invalid("a code has no meaning")),
            }
        }
        Ok(())
    }

    /// Writes the string of a code, and adds the one that it completes to the table. Returns false if the code has
    /// no meaning.
    fn append(&mut self, code: usize) -> bool {
        if let Some(previous) = self.previous
            && self.next < TABLE
        {
            self.entries[self.next] = CodeEntry {
                start: previous.start,
                length: previous.length + 1,
            };
            self.next += 1;
            if self.next == (1 << self.width) - 1 && self.width < MAX_CODE_BITS {
                self.width += 1;
            }
        }
        if code >= self.next {
            return false;
        }
        let start = self.written;
        let length = if code < usize::from(CLEAR) {
            self.reserve(1);
            self.output[start] = code as u8;
            1
        } else {
            let entry = self.entries[code];
            self.reserve(entry.length);
            copy_forward(&mut self.output, entry, start);
            entry.length
        };
        self.written += length;
        self.previous = Some(CodeEntry { start, length });
        if self.next < TABLE {
            self.referred = self.written;
        }
        true
    }

    /// Makes room for `length` bytes, and for the last step of a copy behind them.
    fn reserve(&mut self, length: usize) {
        let needed = self.written + length + STEP;
        if self.output.len() < needed {
            self.output.resize(needed + 2 * BATCH, 0);
        }
    }
}

/// Copies a string to `to`, in steps, and some bytes behind it. A string that is being completed by its own first
/// byte reaches one byte into its copy.
fn copy_forward(output: &mut [u8], string: CodeEntry, to: usize) {
    for offset in (0..string.length).step_by(STEP) {
        output.copy_within(
            string.start + offset..string.start + offset + STEP,
            to + offset,
        );
    }
    if string.start + string.length > to {
        output[to + string.length - 1] = output[to];
    }
}

impl<R: BufRead> Read for Lzw<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.written && !self.is_done {
            self.unpack()?;
        }
        let count = buffer.len().min(self.written - self.read);
        buffer[..count].copy_from_slice(&self.output[self.read..self.read + count]);
        self.read += count;
        Ok(count)
    }
}

/// Codes with the highest bit first.
struct Codes<R> {
    input: R,
    /// The next bits, the first of them highest.
    bits: u64,
    /// The number of bits that count.
    count: u32,
}

impl<R: BufRead> Codes<R> {
    /// Reads a code of `width` bits. `None` at the end.
    fn next(&mut self, width: u32) -> io::Result<Option<u16>> {
        if self.count < width {
            self.refill()?;
            if self.count < width {
                return Ok(None);
            }
        }
        let code = self.bits >> (u64::BITS - width);
        self.bits <<= width;
        self.count -= width;
        Ok(Some(code as u16))
    }

    fn refill(&mut self) -> io::Result<()> {
        if let Some(bytes) = self.input.fill_buf()?.first_chunk() {
            let count = (u64::BITS - self.count) / 8;
            // The bits behind the last whole byte are read again, and are the same then.
            self.bits |= u64::from_be_bytes(*bytes) >> self.count;
            self.count += 8 * count;
            self.input.consume(count as usize);
            return Ok(());
        }
        while self.count <= u64::BITS - 8 {
            let Some(&byte) = self.input.fill_buf()?.first() else {
                break;
            };
            self.bits |= u64::from(byte) << (u64::BITS - 8 - self.count);
            self.count += 8;
            self.input.consume(1);
        }
        Ok(())
    }
}

/// The version of TIFF's first writers.
struct OldLzw<R> {
    input: R,
    decoder: Decoder,
    is_done: bool,
}

impl<R: BufRead> OldLzw<R> {
    fn new(input: R) -> Self {
        Self {
            input,
            decoder: Configuration::new(BitOrder::Lsb, 8).build(),
            is_done: false,
        }
    }
}

impl<R: BufRead> Read for OldLzw<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.is_done && !buffer.is_empty() {
            let bytes = self.input.fill_buf()?;
            let is_end = bytes.is_empty();
            let result = self.decoder.decode_bytes(bytes, buffer);
            self.input.consume(result.consumed_in);
            self.is_done = match result.status {
                Ok(LzwStatus::Ok) => false,
                Ok(LzwStatus::NoProgress) => is_end,
                Ok(LzwStatus::Done) => true,
                // The output before the error is still valid.
                Err(LzwError::InvalidCode) if result.consumed_out > 0 => true,
                Err(error) => return Err(invalid(error)),
            };
            if result.consumed_out > 0 {
                return Ok(result.consumed_out);
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use weezl::encode::Encoder;

    use super::*;

    fn unpack(packed: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        unpacking_reader(packed)
            .unwrap()
            .read_to_end(&mut bytes)
            .unwrap();
        bytes
    }

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = Encoder::with_tiff_size_switch(BitOrder::Msb, 8);
        encoder.encode(bytes).unwrap()
    }

    #[test]
    fn both_orders_of_codes_are_unpacked() {
        let text = b"a text, a text and a text".repeat(300);
        let old = Encoder::new(BitOrder::Lsb, 8).encode(&text).unwrap();
        assert!(unpack(&pack(&text)) == text);
        assert!(unpack(&old) == text);
    }

    #[test]
    fn long_runs_are_unpacked() {
        let run = vec![7; 3_000_000];
        assert!(unpack(&pack(&run)) == run);
    }

    /// Codes of nine bits, then of more, as they come.
    fn codes(codes: &[(u16, u32)]) -> Vec<u8> {
        let mut bits = Vec::new();
        for (code, width) in codes {
            bits.extend((0..*width).rev().map(|bit| code >> bit & 1 == 1));
        }
        let byte = |bits: &[bool]| bits.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
        bits.resize(bits.len().next_multiple_of(8), false);
        bits.chunks(8).map(byte).collect()
    }

    #[test]
    fn output_before_an_invalid_code_is_kept() {
        assert_eq!(unpack(&codes(&[(CLEAR, 9), (65, 9), (300, 9)])), [65]);
        let packed = codes(&[(CLEAR, 9), (300, 9)]);
        let error = unpacking_reader(&packed[..])
            .unwrap()
            .read(&mut [0; 8])
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_full_table_stays_in_use() {
        let mut input = vec![(CLEAR, 9)];
        let mut width = MIN_CODE_BITS;
        let mut next = FIRST;
        // The first code adds no string.
        for count in 0..5_000 + 3 * BATCH {
            input.push((u16::from(count as u8), width));
            if count > 0 && usize::from(next) < TABLE {
                next += 1;
                width = MAX_CODE_BITS.min(width + u32::from(next == (1 << width) - 1));
            }
        }
        // The first string of the table: 0 and 1.
        input.push((FIRST, MAX_CODE_BITS));
        let unpacked = unpack(&codes(&input));
        assert_eq!(unpacked.len(), 5_000 + 3 * BATCH + 2);
        assert!(unpacked.ends_with(&[0, 1]));
        let is_counted = |(index, byte): (usize, &u8)| *byte == index as u8;
        assert!(unpacked[..5_000].iter().enumerate().all(is_counted));
    }

    proptest! {
        #[test]
        fn packed_bytes_are_unpacked(bytes in prop::collection::vec(0_u8..4, 0..60_000)) {
            prop_assert!(unpack(&pack(&bytes)) == bytes);
        }

        #[test]
        fn any_codes_never_panic(bytes: Vec<u8>) {
            let mut unpacked = Lzw::new(&bytes[..]);
            let _ = unpacked.read_to_end(&mut Vec::new());
        }
    }
}
