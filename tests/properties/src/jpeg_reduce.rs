//! JPEG, reduced without libjpeg: any file is refused, or has planes of the sizes that its header states.

use fumikura_jpeg_reduce::{Divisor, reduce};

/// Checks one input.
pub fn jpeg_reduce(data: &[u8]) {
    for divisor in [Divisor::Four, Divisor::Eight] {
        for plane in reduce(data, divisor).unwrap_or_default() {
            let samples = plane.width as usize * plane.height as usize;
            assert_eq!(plane.samples.len(), samples);
        }
    }
}
