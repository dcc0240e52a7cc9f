//! Huffman codes (ITU-T T.81, annex C and F.2.2.3), resolved by tables.

use crate::bits::Bits;

/// A table as a file defines it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Specification<'a> {
    /// The number of codes of 1, 2, … 16 bits.
    counts: [u8; MAX_CODE_BITS as usize],
    /// The symbols of the codes, in their order.
    symbols: &'a [u8],
}

/// The longest code, in bits.
const MAX_CODE_BITS: u32 = 16;
/// The longest code that is resolved by one lookup.
const LOOKUP_BITS: u32 = 10;

/// A code with its symbol, packed into a number. From the lowest byte on: the bits of the code and of the
/// number behind it, the bits of that number, and the number of coefficients to advance. 0 is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Symbol(u32);

/// The advance of the end of a block, larger than that of any coefficient.
pub(crate) const TO_THE_END: u32 = 128;

impl Symbol {
    pub(crate) const NONE: Self = Self(0);

    fn new(code: u32, size: u32, advance: u32) -> Self {
        Self(advance << 16 | size << 8 | (code + size))
    }

    /// Creates the symbol of the difference of a first coefficient (F.1.2.1): at most 11 bits, with samples of 8.
    fn of_difference(code: u32, symbol: u8) -> Self {
        match symbol {
            0..=11 => Self::new(code, symbol.into(), 0),
            _ => Self::NONE,
        }
    }

    /// Creates the symbol of another coefficient (F.1.2.2): the zeros before it, and its size, at most 10 bits.
    fn of_coefficient(code: u32, symbol: u8) -> Self {
        let (run, size) = (u32::from(symbol >> 4), u32::from(symbol & 15));
        match (run, size) {
            (0, 0) => Self::new(code, 0, TO_THE_END),
            (15, 0) | (_, 1..=10) => Self::new(code, size, run + 1),
            _ => Self::NONE,
        }
    }

    /// Returns the bits of the code and of the number.
    #[inline(always)]
    pub(crate) fn length(self) -> u32 {
        self.0 & 0xFF
    }

    /// Returns the bits of the number.
    #[inline(always)]
    pub(crate) fn size(self) -> u32 {
        (self.0 >> 8) & 0xFF
    }

    /// Returns the advance from one coefficient to the next, or [`TO_THE_END`].
    #[inline(always)]
    pub(crate) fn advance(self) -> u32 {
        self.0 >> 16
    }

    /// Returns the number behind the code.
    #[inline(always)]
    pub(crate) fn number(self, bits: &Bits) -> i32 {
        bits.number(self.length() - self.size(), self.size())
    }
}

/// The codes of a table.
pub(crate) struct Codes {
    at_once: Box<[Symbol; 1 << LOOKUP_BITS]>,
    /// The first longer code for each length, left-aligned in 16 bits.
    limits: [u32; MAX_CODE_BITS as usize + 1],
    /// The difference between a code and its index among the symbols, for each length.
    places: [i32; MAX_CODE_BITS as usize + 1],
    symbols: Vec<Symbol>,
}

impl<'a> Specification<'a> {
    /// Reads a definition. Also returns the data behind it.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (&counts, rest) = bytes.split_first_chunk::<{ MAX_CODE_BITS as usize }>()?;
        let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
        let (symbols, rest) = rest.split_at_checked(total)?;
        (total <= 256).then_some((Self { counts, symbols }, rest))
    }

    /// Returns the codes for differences of first coefficients.
    pub(crate) fn of_differences(self) -> Option<Codes> {
        self.codes(Symbol::of_difference)
    }

    /// Returns the codes for the other coefficients.
    pub(crate) fn of_coefficients(self) -> Option<Codes> {
        self.codes(Symbol::of_coefficient)
    }

    /// Returns `None` if there are more codes of some length than possible.
    fn codes(self, meaning: fn(u32, u8) -> Symbol) -> Option<Codes> {
        let mut codes = Codes {
            at_once: Box::new([Symbol::NONE; 1 << LOOKUP_BITS]),
            limits: [0; MAX_CODE_BITS as usize + 1],
            places: [0; MAX_CODE_BITS as usize + 1],
            symbols: Vec::with_capacity(self.symbols.len()),
        };
        let mut next: u32 = 0;
        let mut symbols = self.symbols.iter();
        for (length, &count) in (1..=MAX_CODE_BITS).zip(&self.counts) {
            codes.places[length as usize] = codes.symbols.len() as i32 - next as i32;
            for &symbol in symbols.by_ref().take(count.into()) {
                let symbol = meaning(length, symbol);
                codes.symbols.push(symbol);
                if length <= LOOKUP_BITS {
                    let spare = LOOKUP_BITS - length;
                    let all = codes.at_once.get_mut((next as usize) << spare..)?;
                    all.get_mut(..1 << spare)?.fill(symbol);
                }
                next += 1;
            }
            // No code is all ones (C.2).
            if next >= 1 << length && count > 0 {
                return None;
            }
            codes.limits[length as usize] = next << (MAX_CODE_BITS - length);
            next <<= 1;
        }
        Some(codes)
    }
}

impl Codes {
    /// Returns the symbol of the next bits, if it has a code of at most [`LOOKUP_BITS`] bits, and
    /// [`Symbol::NONE`] otherwise.
    #[inline(always)]
    pub(crate) fn short(&self, bits: &Bits) -> Symbol {
        self.at_once[bits.peek(LOOKUP_BITS)]
    }

    /// Returns the symbol of the next bits, at least 16, or `None` if there is none.
    #[inline(always)]
    pub(crate) fn symbol(&self, bits: &Bits) -> Option<Symbol> {
        match self.short(bits) {
            Symbol::NONE => self.long(bits.peek(MAX_CODE_BITS)),
            symbol => Some(symbol),
        }
    }

    /// Returns the symbol at the start of 16 bits.
    #[cold]
    #[inline(never)]
    fn long(&self, next: usize) -> Option<Symbol> {
        let next = u32::try_from(next).ok()?;
        let length = (1..=MAX_CODE_BITS).find(|&length| next < self.limits[length as usize])?;
        let code = (next >> (MAX_CODE_BITS - length)) as i32;
        let place = usize::try_from(code + self.places[length as usize]).ok()?;
        let symbol = *self.symbols.get(place)?;
        (symbol != Symbol::NONE).then_some(symbol)
    }
}
