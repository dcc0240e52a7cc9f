//! A field of a directory: the location and the encoding of its values.

/// The order of a number's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    pub(super) fn short(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }

    pub(super) fn long(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        }
    }

    pub(super) fn long8(self, bytes: [u8; 8]) -> u64 {
        match self {
            Self::Little => u64::from_le_bytes(bytes),
            Self::Big => u64::from_be_bytes(bytes),
        }
    }
}

// Types of values.
const BYTE: u16 = 1;
const ASCII: u16 = 2;
const SHORT: u16 = 3;
const LONG: u16 = 4;
const RATIONAL: u16 = 5;
const SIGNED_BYTE: u16 = 6;
const UNDEFINED: u16 = 7;
const SIGNED_SHORT: u16 = 8;
const SIGNED_LONG: u16 = 9;
const SIGNED_RATIONAL: u16 = 10;
const FLOAT: u16 = 11;
const DOUBLE: u16 = 12;
const DIRECTORY: u16 = 13;
const LONG8: u16 = 16;
const SIGNED_LONG8: u16 = 17;
const DIRECTORY8: u16 = 18;

/// An entry of a directory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) tag: u16,
    kind: u16,
    /// The number of values.
    pub(super) count: u64,
    /// The offset of the values, unless they are in the entry itself.
    pub(super) at: u64,
    /// The end of the entry: short values, or their place.
    field: [u8; 8],
    /// The number of bytes of the field.
    room: u64,
}

impl Entry {
    pub(super) fn classic(bytes: [u8; 12], order: Order) -> Self {
        let [a, b, c, d, e, f, g, h, field @ ..] = bytes;
        let [i, j, k, l] = field;
        Self {
            tag: order.short([a, b]),
            kind: order.short([c, d]),
            count: order.long([e, f, g, h]).into(),
            at: order.long(field).into(),
            field: [i, j, k, l, 0, 0, 0, 0],
            room: 4,
        }
    }

    pub(super) fn big(bytes: [u8; 20], order: Order) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, l, field @ ..] = bytes;
        Self {
            tag: order.short([a, b]),
            kind: order.short([c, d]),
            count: order.long8([e, f, g, h, i, j, k, l]),
            at: order.long8(field),
            field,
            room: 8,
        }
    }

    /// Returns the bytes of a value, or `None` for a type that is not defined.
    pub(super) fn size(&self) -> Option<u64> {
        match self.kind {
            BYTE | ASCII | SIGNED_BYTE | UNDEFINED => Some(1),
            SHORT | SIGNED_SHORT => Some(2),
            LONG | SIGNED_LONG | FLOAT | DIRECTORY => Some(4),
            RATIONAL | SIGNED_RATIONAL | DOUBLE | LONG8 | SIGNED_LONG8 | DIRECTORY8 => Some(8),
            _ => None,
        }
    }

    /// Returns the bytes of all values.
    pub(super) fn length(&self) -> Option<u64> {
        self.count.checked_mul(self.size()?)
    }

    /// Returns the values if they are in the entry.
    pub(super) fn inline(&self) -> Option<&[u8]> {
        let length = self.length().filter(|&length| length <= self.room)?;
        self.field.get(..usize::try_from(length).ok()?)
    }

    /// Returns the whole numbers. Signed values are read as unsigned ones, so only non-negative ones are
    /// correct.
    pub(super) fn numbers(&self, bytes: &[u8], order: Order) -> Vec<u64> {
        match self.kind {
            BYTE | UNDEFINED => bytes.iter().map(|&byte| byte.into()).collect(),
            SHORT | SIGNED_SHORT => each(bytes, |bytes| order.short(bytes).into()),
            LONG | SIGNED_LONG | DIRECTORY => each(bytes, |bytes| order.long(bytes).into()),
            LONG8 | SIGNED_LONG8 | DIRECTORY8 => each(bytes, |bytes| order.long8(bytes)),
            _ => Vec::new(),
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "the fields that are read as fractions hold small numbers"
    )]
    pub(super) fn fractions(&self, bytes: &[u8], order: Order) -> Vec<f64> {
        match self.kind {
            RATIONAL => each(bytes, |[a, b, c, d, e, f, g, h]| {
                f64::from(order.long([a, b, c, d])) / f64::from(order.long([e, f, g, h]))
            }),
            FLOAT => each(bytes, |bytes| f32::from_bits(order.long(bytes)).into()),
            DOUBLE => each(bytes, |bytes| f64::from_bits(order.long8(bytes))),
            _ => {
                let numbers = self.numbers(bytes, order).into_iter();
                numbers.map(|number| number as f64).collect()
            }
        }
    }
}

fn each<const SIZE: usize, T>(bytes: &[u8], read: impl Fn([u8; SIZE]) -> T) -> Vec<T> {
    let (values, _) = bytes.as_chunks();
    values.iter().map(|&value| read(value)).collect()
}
