//! A decoder of sequential JPEG with Huffman codes (ITU-T T.81: baseline, and extended with samples of 8 bits)
//! that produces only reduced pictures.
//!
//! A picture reduced by 4 needs only two coefficients along each side of a block, and one reduced by 8 only
//! one. The others are skipped, many at a time (`strides.rs`), and the transform adds four numbers
//! (`transform.rs`).
//!
//! The decoder rejects unusual and damaged files, which are left to a complete decoder. So how a damaged file
//! looks does not depend on this one.

mod bits;
mod block;
mod frame;
mod huffman;
mod scan;
mod strides;
mod transform;
mod zigzag;

use frame::Frame;
use scan::Samples;

pub use zigzag::{BLOCK, COEFFICIENTS, zigzag};

/// The number by which each side of a picture is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Divisor {
    /// Four pixels along each side become one.
    Four,
    /// Eight pixels along each side become one.
    Eight,
}

/// The samples of a component of a reduced picture, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plane {
    /// The number of samples in a row.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// The number of pixels across per number of samples.
    pub across: (u8, u8),
    /// The number of pixels down per number of samples.
    pub down: (u8, u8),
    pub samples: Vec<u8>,
}

/// Decodes a file. Returns one plane, or three: usually luminance and two colour differences, but nothing in
/// here depends on that. Components that are stored with fewer samples stay as small as they are.
///
/// Returns `None` for everything that this decoder does not support, including all damage.
#[must_use]
pub fn reduce(bytes: &[u8], divisor: Divisor) -> Option<Vec<Plane>> {
    let frame = Frame::read(bytes)?;
    let samples = match divisor {
        Divisor::Four => scan::decode::<2>(&frame)?,
        Divisor::Eight => scan::decode::<1>(&frame)?,
    };
    let (across, down) = frame.sampling();
    let ratio = |max: usize, own: usize| Some((max.try_into().ok()?, own.try_into().ok()?));
    let plane = |(samples, component): (Samples, &frame::Component<'_>)| {
        Some(Plane {
            width: samples.width.try_into().ok()?,
            height: samples.height.try_into().ok()?,
            across: ratio(across, component.across)?,
            down: ratio(down, component.down)?,
            samples: samples.bytes,
        })
    };
    let components = frame.components.iter();
    samples.into_iter().zip(components).map(plane).collect()
}
