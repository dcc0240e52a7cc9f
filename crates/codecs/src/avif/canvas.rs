//! The canvas on which tiles are painted.

use fumikura_image::Channels;

/// Pixels that are painted, row by row from the top.
pub(super) struct Canvas<T> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) channels: Channels,
    pub(super) samples: Vec<T>,
}

impl<T: Sample> Canvas<T> {
    pub(super) fn new(width: u32, height: u32, channels: Channels) -> Self {
        let count = width as usize * height as usize * channels.count();
        Self {
            width,
            height,
            channels,
            samples: vec![T::default(); count],
        }
    }

    /// Returns the part of a row from a pixel on, as far as the canvas reaches. It is empty outside.
    pub(super) fn row(&mut self, left: u32, y: u32) -> &mut [T] {
        if left >= self.width || y >= self.height {
            return &mut [];
        }
        let count = self.channels.count();
        let start = y as usize * self.width as usize;
        let end = (start + self.width as usize) * count;
        &mut self.samples[(start + left as usize) * count..end]
    }
}

/// The value of a channel.
pub(super) trait Sample: Copy + Default {
    /// Converts 0…1. Values outside are clamped.
    fn of(part: f32) -> Self;
}

impl Sample for u8 {
    fn of(part: f32) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the conversion clamps"
        )]
        let sample = (part * 255.0 + 0.5) as Self;
        sample
    }
}

impl Sample for u16 {
    fn of(part: f32) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the conversion clamps"
        )]
        let sample = (part * 65_535.0 + 0.5) as Self;
        sample
    }
}
