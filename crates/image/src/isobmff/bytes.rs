//! Numbers and boxes in memory.

use super::ContainerError;

/// The name of a kind of box, item or reference.
pub(super) type FourCc = [u8; 4];

pub(super) fn malformed(what: &'static str) -> ContainerError {
    ContainerError::Malformed(what)
}

/// The unread rest of some bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], ContainerError> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(malformed("a box ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ContainerError> {
        let (taken, rest) = self
            .0
            .split_first_chunk()
            .ok_or(malformed("a box ends too early"))?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(super) fn u8(&mut self) -> Result<u8, ContainerError> {
        self.array().map(u8::from_be_bytes)
    }

    pub(super) fn u16(&mut self) -> Result<u16, ContainerError> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, ContainerError> {
        self.array().map(u32::from_be_bytes)
    }

    pub(super) fn i32(&mut self) -> Result<i32, ContainerError> {
        self.array().map(i32::from_be_bytes)
    }

    pub(super) fn four_cc(&mut self) -> Result<FourCc, ContainerError> {
        self.array()
    }

    /// Reads a number of 0, 4 or 8 bytes.
    pub(super) fn sized(&mut self, bytes: u8) -> Result<u64, ContainerError> {
        match bytes {
            0 => Ok(0),
            4 => self.u32().map(u64::from),
            8 => self.array().map(u64::from_be_bytes),
            _ => Err(malformed("a number has an unknown length")),
        }
    }

    /// Reads a number of 2 bytes, or of 4 if the box says so.
    pub(super) fn short_or_long(&mut self, is_long: bool) -> Result<u32, ContainerError> {
        if is_long {
            self.u32()
        } else {
            self.u16().map(u32::from)
        }
    }

    /// Reads the version and the flags that begin many boxes.
    pub(super) fn version(&mut self) -> Result<(u8, u32), ContainerError> {
        let [version, flags @ ..] = self.array::<4>()?;
        let [a, b, c] = flags;
        Ok((version, u32::from_be_bytes([0, a, b, c])))
    }

    /// Reads the next box.
    pub(super) fn next_box(&mut self) -> Result<(FourCc, Bytes<'a>), ContainerError> {
        let length = self.u32()?;
        let kind = self.four_cc()?;
        let body = match length {
            0 => Some(self.0.len() as u64),
            1 => self.sized(8)?.checked_sub(16),
            length => u64::from(length).checked_sub(8),
        };
        let body = body.ok_or(malformed("a box is shorter than its head"))?;
        let body = usize::try_from(body).map_err(|_| malformed("a box ends too early"))?;
        Ok((kind, Bytes(self.take(body)?)))
    }

    /// Returns the boxes up to the end.
    pub(super) fn boxes(
        mut self,
    ) -> impl Iterator<Item = Result<(FourCc, Bytes<'a>), ContainerError>> {
        std::iter::from_fn(move || {
            if self.0.is_empty() {
                return None;
            }
            let next = self.next_box();
            if next.is_err() {
                self.0 = &[];
            }
            Some(next)
        })
    }
}
