//! A decoder of sequential JPEG with Huffman codes (ITU-T T.81: baseline, and extended with samples of 8
//! bits) that produces only reduced pictures.
//!
//! For a picture reduced by 4, two coefficients along each side of a block are enough, and by 8 one. The
//! others are only skipped, many at a time (`strides.rs`), and the transform adds four numbers
//! (`transform.rs`).
//!
//! The decoder rejects unusual or damaged files and leaves them to libjpeg. So the result for a damaged file
//! does not depend on this decoder.

mod bits;
mod block;
mod frame;
mod huffman;
mod scan;
mod strides;
#[cfg(test)]
mod tests;
mod transform;

use fumikura_image::{Plane, Planes};

use frame::Frame;
use scan::Samples;

/// Decodes a file, with each side divided by `reduced`: 4 or 8, for which less is needed than libjpeg reads.
/// Components that are stored with fewer samples stay as small as they are. Three components are luminance
/// and colours; no code in here depends on that.
///
/// Returns `None` for everything that this decoder does not support, including all damage.
pub(super) fn decode(bytes: &[u8], reduced: u32) -> Option<Planes> {
    let frame = Frame::read(bytes)?;
    let samples = match reduced {
        4 => scan::decode::<2>(&frame)?,
        8 => scan::decode::<1>(&frame)?,
        _ => return None,
    };
    let (across, down) = frame.sampling();
    let ratio = |most: usize, own: usize| Some((most.try_into().ok()?, own.try_into().ok()?));
    let plane = |(samples, component): (Samples, &frame::Component<'_>)| {
        let sides = (
            samples.width.try_into().ok()?,
            samples.height.try_into().ok()?,
        );
        let ratios = (
            ratio(across, component.across)?,
            ratio(down, component.down)?,
        );
        Plane::new(sides, ratios, samples.bytes)
    };
    let planes: Option<Vec<_>> = samples
        .into_iter()
        .zip(&frame.components)
        .map(plane)
        .collect();
    let planes = match <[Plane; 3]>::try_from(planes?) {
        Ok(planes) => Planes::Ycc(planes),
        Err(planes) => Planes::Gray(planes.into_iter().next()?),
    };
    Some(planes)
}
