//! Lookup of several codes at once.
//!
//! Only the lowest coefficients of a block are needed, but every code has to be skipped. So the next few bits
//! are looked up as a whole: the table gives the coefficients and bits to skip for all codes among them.

use crate::bits::Bits;
use crate::huffman::{Codes, Symbol, TO_THE_END};

/// The number of bits that a stride looks up. More would resolve more at once, and push the tables out of the
/// fastest cache.
const STRIDE: u32 = 12;
/// The number of bits that the start of a block looks up.
const START: u32 = 11;

/// The advance of an impossible stride. No sum reaches it, so one test detects it together with strides
/// beyond the end of the block: that of this bit in the next coefficient.
pub(crate) const NOWHERE: u32 = 64;

/// The stride of each value of the next [`STRIDE`] bits, over all codes among them. The number behind the
/// last code need not be among them, since it is not used.
pub(crate) struct Strides(Box<[Stride; 1 << STRIDE]>);

/// The sums over some symbols, packed into a number: coefficients in the lower byte, bits in the upper one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stride(u16);

impl Stride {
    /// Returns the number of bits to skip.
    #[inline(always)]
    pub(crate) fn length(self) -> u32 {
        (self.0 >> 8).into()
    }

    /// Returns the number of coefficients to skip, and [`TO_THE_END`] for the end of the block.
    #[inline(always)]
    pub(crate) fn advance(self) -> u32 {
        (self.0 & 0xFF).into()
    }
}

impl Strides {
    pub(crate) fn new(codes: &Codes) -> Self {
        let strides: Vec<_> = (0..1 << STRIDE)
            .map(|window| {
                let walk = Walk::new(window, STRIDE, 0).follow(codes, |_| None);
                let advance = if walk.used > 0 { walk.next } else { NOWHERE };
                let packed = walk.used << 8 | advance;
                Stride(u16::try_from(packed).expect("BUG: 22 bits and 191 coefficients at most"))
            })
            .collect();
        Self(
            strides
                .try_into()
                .expect("BUG: the number of entries is fixed"),
        )
    }

    /// Returns the stride over the next bits.
    #[inline(always)]
    pub(crate) fn stride(&self, bits: &Bits) -> Stride {
        self.0[bits.peek(STRIDE)]
    }
}

/// The start of a block that becomes 2 × 2 pixels, for each value of the next [`START`] bits behind the first
/// coefficient: those of its three further coefficients that are among them, and as much of the rest as a
/// stride would skip.
pub(crate) struct Starts(Box<[Start; 1 << START]>);

/// The fields from the lowest byte on: the number of bits, the next coefficient, and the three coefficients
/// with two bytes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Start(u64);

impl Start {
    /// The positions of the coefficients: 1, 2 and 4 in zigzag order, which is to the right, below, and diagonal.
    const LANES: [(u32, u32); 3] = [(1, 16), (2, 32), (4, 48)];

    /// Returns the number of bits to skip.
    #[inline(always)]
    pub(crate) fn length(self) -> u32 {
        (self.0 & 0xFF) as u32
    }

    /// Returns the next coefficient in zigzag order; at least [`TO_THE_END`] if there is none.
    #[inline(always)]
    pub(crate) fn next(self) -> u32 {
        ((self.0 >> 8) & 0xFF) as u32
    }

    /// Returns the coefficients, 0 for later ones.
    #[inline(always)]
    pub(crate) fn coefficients(self) -> [i32; 3] {
        Self::LANES.map(|(_, lane)| i32::from((self.0 >> lane) as i16))
    }
}

impl Starts {
    pub(crate) fn new(codes: &Codes) -> Self {
        let lane_of = |at| {
            let lane = Start::LANES.iter().find(|(place, _)| *place == at);
            lane.map(|(_, lane)| *lane)
        };
        let starts: Vec<_> = (0..1 << START)
            .map(|window| {
                let walk = Walk::new(window, START, 1).follow(codes, lane_of);
                Start(walk.lanes | u64::from(walk.next) << 8 | u64::from(walk.used))
            })
            .collect();
        Self(
            starts
                .try_into()
                .expect("BUG: the number of entries is fixed"),
        )
    }

    /// Returns the start for the next bits.
    #[inline(always)]
    pub(crate) fn start(&self, bits: &Bits) -> Start {
        self.0[bits.peek(START)]
    }
}

/// A walk along the symbols of a few bits, as far as these reach.
struct Walk {
    window: u64,
    length: u32,
    used: u32,
    next: u32,
    lanes: u64,
}

impl Walk {
    /// Starts at the coefficient `next`, with the `length` bits of `window`.
    fn new(window: u64, length: u32, next: u32) -> Self {
        Self {
            window: window << (64 - length),
            length,
            used: 0,
            next,
            lanes: 0,
        }
    }

    /// Walks on, and keeps the coefficients that have a lane.
    fn follow(mut self, codes: &Codes, lane_of: impl Fn(u32) -> Option<u32>) -> Self {
        while self.used < self.length && self.next < TO_THE_END {
            let bits = Bits::of(self.window << self.used);
            let symbol = codes.short(&bits);
            let lane = if symbol.size() > 0 {
                lane_of(self.next + symbol.advance() - 1)
            } else {
                None
            };
            let needed = match lane {
                Some(_) => symbol.length(),
                None => symbol.length() - symbol.size(),
            };
            let is_too_far = self.next + symbol.advance() % TO_THE_END >= NOWHERE;
            if symbol == Symbol::NONE || is_too_far || self.used + needed > self.length {
                break;
            }
            if let Some(lane) = lane {
                self.lanes |= u64::from(symbol.number(&bits) as u16) << lane;
            }
            self.used += symbol.length();
            self.next += symbol.advance();
        }
        self
    }
}
