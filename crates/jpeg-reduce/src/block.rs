//! The codes of a block (ITU-T T.81, F.2.2), of which only the lowest coefficients are kept.

use crate::bits::{Bits, Buffer};
use crate::frame::Component;
use crate::huffman::{Codes, TO_THE_END};
use crate::strides::{NOWHERE, Starts, Strides};
use crate::transform::{Block, last_of};
use crate::zigzag::COEFFICIENTS;

/// The codes of a component's blocks.
pub(crate) struct Coding {
    dc: Codes,
    ac: Codes,
    starts: Starts,
    strides: Strides,
}

impl Coding {
    pub(crate) fn of(component: &Component<'_>) -> Option<Self> {
        let ac = component.ac.of_coefficients()?;
        Some(Self {
            dc: component.dc.of_differences()?,
            starts: Starts::new(&ac),
            strides: Strides::new(&ac),
            ac,
        })
    }

    /// Reads a block, and stores the coefficients for `SIDE` × `SIDE` pixels in `block`, each at its place
    /// among `places`. The first coefficient is an exception: its difference from the block before is
    /// returned. Returns `None` if the data is not a block.
    #[inline(always)]
    pub(crate) fn read<const SIDE: usize>(
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
            // The available bits suffice for this as well: the first coefficient took at most 27, and these
            // take at most 21.
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

    /// Skips the rest of a block from the coefficient `at` on.
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

    /// Skips one symbol, if a stride would go beyond the end of the block. Takes the bits by value, because
    /// passing them by reference would keep them out of registers elsewhere as well.
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
