//! Several codes resolved at once.
//!
//! Of a block only the lowest coefficients are needed, but every code has to be gone past. What the next few bits hold
//! is looked up as a whole: how many coefficients and bits further one is behind all codes that lie within.

use super::bits::Bits;
use super::huffman::{Codes, Symbol, TO_THE_END};

/// How many bits a stride looks at. More would resolve more at once, and push the tables out of the fastest cache.
const STRIDE: u32 = 12;
/// How many bits the start of a block looks at.
const START: u32 = 11;

/// By how much a stride that is none goes on. No sum is this much, so that it is told from all others together
/// with those that go past the end of the block: by this bit, of the coefficient that comes next.
pub(super) const NOWHERE: u32 = 64;

/// For the next [`STRIDE`] bits, how far one goes with the codes that lie within. The number behind the last of them
/// need not, since nobody asks for it.
pub(super) struct Strides(Box<[Stride; 1 << STRIDE]>);

/// The sums of some symbols, packed into a number: in the lower byte of the coefficients, in the upper of the bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stride(u16);

impl Stride {
    /// How many bits are gone past.
    #[inline(always)]
    pub(super) fn length(self) -> u32 {
        (self.0 >> 8).into()
    }

    /// How many coefficients are gone past, and [`TO_THE_END`] for the end of the block.
    #[inline(always)]
    pub(super) fn advance(self) -> u32 {
        (self.0 & 0xFF).into()
    }
}

impl Strides {
    pub(super) fn new(codes: &Codes) -> Self {
        let strides: Vec<_> = (0..1 << STRIDE)
            .map(|window| {
                let walk = Walk::new(window, STRIDE, 0).follow(codes, |_| None);
                let advance = if walk.used > 0 { walk.next } else { NOWHERE };
                let packed = walk.used << 8 | advance;
                Stride(u16::try_from(packed).expect("BUG: 22 bits and 191 coefficients at most"))
            })
            .collect();
        Self(strides.try_into().expect("BUG: as many were made"))
    }

    /// How far one gets with the next bits.
    #[inline(always)]
    pub(super) fn stride(&self, bits: &Bits) -> Stride {
        self.0[bits.peek(STRIDE)]
    }
}

/// For the next [`START`] bits behind the first coefficient, what a block that becomes 2 × 2 pixels begins with: those
/// of its three further coefficients that lie within, and as much of the rest as a stride would go past.
pub(super) struct Starts(Box<[Start; 1 << START]>);

/// From the lowest byte on: how many bits, which coefficient comes next, and the three with two bytes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Start(u64);

impl Start {
    /// Where the coefficients lie: 1, 2 and 4 in zigzag order, which is to the right, below, and diagonal.
    const LANES: [(u32, u32); 3] = [(1, 16), (2, 32), (4, 48)];

    /// How many bits are gone past.
    #[inline(always)]
    pub(super) fn length(self) -> u32 {
        (self.0 & 0xFF) as u32
    }

    /// The coefficient that comes next in zigzag order; at least [`TO_THE_END`] if none does.
    #[inline(always)]
    pub(super) fn next(self) -> u32 {
        ((self.0 >> 8) & 0xFF) as u32
    }

    /// The coefficients, 0 for those that come later.
    #[inline(always)]
    pub(super) fn coefficients(self) -> [i32; 3] {
        Self::LANES.map(|(_, lane)| i32::from((self.0 >> lane) as i16))
    }
}

impl Starts {
    pub(super) fn new(codes: &Codes) -> Self {
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
        Self(starts.try_into().expect("BUG: as many were made"))
    }

    /// What the next bits begin with.
    #[inline(always)]
    pub(super) fn start(&self, bits: &Bits) -> Start {
        self.0[bits.peek(START)]
    }
}

/// A way along the symbols of a few bits, as far as these tell.
struct Walk {
    window: u64,
    length: u32,
    used: u32,
    next: u32,
    lanes: u64,
}

impl Walk {
    /// From the coefficient `next` on, with the `length` bits of `window`.
    fn new(window: u64, length: u32, next: u32) -> Self {
        Self {
            window: window << (64 - length),
            length,
            used: 0,
            next,
            lanes: 0,
        }
    }

    /// Keeps those coefficients for which there is a lane.
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
