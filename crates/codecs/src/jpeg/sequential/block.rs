//! The codes of one block (ITU-T T.81, F.2.2), of which only the lowest coefficients are kept.

use super::bits::{Bits, Buffer};
use super::frame::Component;
use super::huffman::{Codes, TO_THE_END};
use super::strides::{NOWHERE, Starts, Strides};
use super::transform::{Block, last_of};
use crate::jpeg::precision::COEFFICIENTS;

/// The codes that a component's blocks are written in.
pub(super) struct Coding {
    dc: Codes,
    ac: Codes,
    starts: Starts,
    strides: Strides,
}

impl Coding {
    pub(super) fn of(component: &Component<'_>) -> Option<Self> {
        let ac = component.ac.of_coefficients()?;
        Some(Self {
            dc: component.dc.of_differences()?,
            starts: Starts::new(&ac),
            strides: Strides::new(&ac),
            ac,
        })
    }

    /// Reads a block, and puts the coefficients that `SIDE` × `SIDE` pixels are made of into `block`, each at its
    /// place among `places`; but for the first, of which the difference from the block before is returned. `None` if
    /// this is no block.
    #[inline(always)]
    pub(super) fn read<const SIDE: usize>(
        &self,
        bits: &mut Bits,
        buffer: &Buffer,
        places: &[u8; COEFFICIENTS],
        block: &mut Block,
    ) -> Option<i32> {
        bits.refill(buffer);
        let symbol = self.dc.symbol(bits)?;
        let difference = symbol.number(bits);
        bits.skip(symbol.length());
        let mut at = 1;
        if SIDE == 2 {
            // The bits are enough for this, too: 27 at most were for the first, and 21 at most are for these.
            let start = self.starts.start(bits);
            let [right, below, diagonal] = start.coefficients();
            (block[1], block[2], block[3]) = (right, below, diagonal);
            bits.skip(start.length());
            at = start.next();
        }
        while at <= last_of::<SIDE>() {
            bits.refill(buffer);
            let symbol = self.ac.symbol(bits)?;
            at += symbol.advance();
            if at >= TO_THE_END {
                bits.skip(symbol.length());
                break;
            }
            let place = usize::from(places[(at - 1) as usize % COEFFICIENTS]);
            block[place % block.len()] = symbol.number(bits);
            bits.skip(symbol.length());
        }
        self.go_past(bits, buffer, at)?;
        Some(difference)
    }

    /// Goes past what is left of a block from the coefficient `at` on.
    #[inline(always)]
    fn go_past(&self, bits: &mut Bits, buffer: &Buffer, mut at: u32) -> Option<()> {
        while at < TO_THE_END {
            bits.refill(buffer);
            let stride = self.strides.stride(bits);
            let next = at + stride.advance();
            if next & NOWHERE == 0 {
                bits.skip(stride.length());
                at = next;
            } else {
                (*bits, at) = self.step(*bits, at)?;
            }
        }
        Some(())
    }

    /// Goes past one symbol, where several would go past the end of the block. Takes the bits by value, since
    /// what is handed out by reference is not held in registers elsewhere, either.
    #[cold]
    #[inline(never)]
    fn step(&self, mut bits: Bits, at: u32) -> Option<(Bits, u32)> {
        let end = COEFFICIENTS as u32;
        if at >= end {
            return (at == end).then_some((bits, TO_THE_END));
        }
        let symbol = self.ac.symbol(&bits)?;
        bits.skip(symbol.length());
        let next = at + symbol.advance();
        (next <= end || next >= TO_THE_END).then_some((bits, next))
    }
}
