//! The bits of the entropy-coded data (ITU-T T.81, F.2.2.5), without stuffed bytes.
//!
//! The data between two markers is copied in pieces into a buffer of constant size, from which eight bytes
//! can be read at a time. It holds more than any MCU needs, so its end is checked only once per MCU.

use memchr::memchr;

/// The bytes that are enough for an MCU of ten blocks: a block has at most 64 codes, each of which has, with
/// the bits that follow it, at most 27 bits.
const MARGIN: usize = 4096;
/// The capacity is a power of two, so that a mask makes any position in the buffer valid.
const CAPACITY: usize = 1 << 15;
/// The number of bytes that are read at a time.
const WORD: usize = 8;

const _: () = assert!(MARGIN > 10 * 64 * 27 / 8 + 2 * WORD);

/// Data without stuffed bytes, some of it already read.
pub(crate) type Buffer = [u8; CAPACITY + WORD];

/// The data of a scan.
pub(crate) struct Source<'a> {
    rest: &'a [u8],
    buffer: Box<Buffer>,
    filled: usize,
    /// True if `rest` begins with a marker, or nothing is left.
    ended: bool,
}

/// A position in the data of a scan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bits {
    /// The next bits, from the highest on. The bits below the valid ones will be overwritten by the same values.
    held: u64,
    /// The number of valid bits of `held`.
    count: u32,
    /// The first byte without a bit among the valid ones.
    next: usize,
}

impl<'a> Source<'a> {
    pub(crate) fn new(data: &'a [u8]) -> (Self, Bits) {
        let mut source = Self {
            rest: data,
            buffer: Box::new([0; CAPACITY + WORD]),
            filled: 0,
            ended: false,
        };
        let bits = source.begin();
        (source, bits)
    }

    pub(crate) fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// Ensures that an MCU can be read at `bits`. Returns `None` if the previous read went beyond the end.
    #[inline]
    pub(crate) fn prepare(&mut self, bits: &mut Bits) -> Option<()> {
        if bits.next + MARGIN <= self.filled {
            return Some(());
        }
        *bits = self.top_up(*bits)?;
        Some(())
    }

    /// Skips the restart marker with this number, 0 to 7, at which `bits` must be.
    pub(crate) fn restart(&mut self, mut bits: Bits, number: u8) -> Option<Bits> {
        self.prepare(&mut bits)?;
        let all_read = self.ended && bits.left(self.filled)? < 8;
        if !all_read {
            return None;
        }
        self.rest = self.rest.strip_prefix(&[0xFF, 0xD0 + number])?;
        Some(self.begin())
    }

    fn begin(&mut self) -> Bits {
        (self.filled, self.ended) = (0, false);
        self.fill();
        Bits {
            held: 0,
            count: 0,
            next: 0,
        }
    }

    #[cold]
    #[inline(never)]
    fn top_up(&mut self, mut bits: Bits) -> Option<Bits> {
        if !self.ended {
            self.buffer.copy_within(bits.next..self.filled, 0);
            self.filled -= bits.next;
            bits.next = 0;
            self.fill();
        }
        bits.left(self.filled).map(|_| bits)
    }

    /// Fills the buffer, at most up to the next marker. Zeros follow the end.
    fn fill(&mut self) {
        while !self.ended && self.filled < CAPACITY - MARGIN {
            let room = CAPACITY - MARGIN - self.filled;
            let part = &self.rest[..self.rest.len().min(room)];
            let stuffed = memchr(0xFF, part);
            let length = stuffed.unwrap_or(part.len());
            self.buffer[self.filled..][..length].copy_from_slice(&part[..length]);
            self.filled += length;
            self.rest = &self.rest[length..];
            match self.rest {
                [0xFF, 0, rest @ ..] if stuffed.is_some() => {
                    self.buffer[self.filled] = 0xFF;
                    self.filled += 1;
                    self.rest = rest;
                }
                [0xFF, ..] if stuffed.is_some() => self.ended = true,
                [] => self.ended = true,
                _ => {}
            }
        }
        if self.ended {
            self.buffer[self.filled..][..MARGIN].fill(0);
        }
    }
}

impl Bits {
    /// The minimum number of valid bits after [`refill`](Self::refill).
    pub(crate) const REFILLED: u32 = 56;

    /// Wraps these bits alone.
    pub(crate) fn of(held: u64) -> Self {
        Self {
            held,
            count: 64,
            next: 0,
        }
    }

    /// Reads more bits.
    #[inline(always)]
    pub(crate) fn refill(&mut self, buffer: &Buffer) {
        let at = self.next & (CAPACITY - 1);
        let word = buffer[at..].first_chunk().copied();
        let word = u64::from_be_bytes(word.expect("BUG: a word follows every position"));
        self.held |= word >> self.count;
        self.next += ((63 - self.count) >> 3) as usize;
        self.count |= Self::REFILLED;
    }

    /// Returns the next `count` bits, at most 32, which must be available.
    #[inline(always)]
    pub(crate) fn peek(&self, count: u32) -> usize {
        (self.held >> (64 - count)) as usize
    }

    /// Returns the number of `size` bits behind `after` bits, in the encoding of differences and coefficients
    /// (F.2.2.1). `size` may be 0, which means the number 0.
    #[inline(always)]
    pub(crate) fn number(&self, after: u32, size: u32) -> i32 {
        let from = self.held << after;
        let value = ((from >> 1) >> (63 - size)) as i32;
        let is_negative = (from >> 63) == 0;
        // The lower half of the values of a size are negative numbers.
        value + if is_negative { 1 - (1 << size) } else { 0 }
    }

    /// Skips this many bits.
    #[inline(always)]
    pub(crate) fn skip(&mut self, count: u32) {
        self.held <<= count;
        self.count -= count;
    }

    /// Returns the number of unread bits of `length` bytes, or `None` if the read went beyond the end.
    fn left(&self, length: usize) -> Option<usize> {
        (length * 8 + self.count as usize).checked_sub(self.next * 8)
    }
}
