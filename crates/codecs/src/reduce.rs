//! Reduces a picture while it is decoded: a plain box filter removes the detail that a thumbnail can't show,
//! and the last, better filter does the rest.

/// The number of pixels along each side that remain for the last filter, per pixel of the thumbnail. With
/// two, the effect of the box is visible.
const FILTER_INPUT_SCALE: f64 = 3.0;
/// The largest reduction: more saves nothing.
const MAX_DIVISOR: u32 = 16;

/// Returns the whole number by which each side may be divided, for a picture that is reduced by `wanted` in all.
pub(crate) fn divisor(wanted: f64) -> u32 {
    let wanted = wanted / FILTER_INPUT_SCALE;
    (1..=MAX_DIVISOR)
        .rev()
        .find(|&divisor| f64::from(divisor) <= wanted)
        .unwrap_or(1)
}

/// Returns the divisor as an even number: colours may have half as many samples along a side.
pub(crate) fn even_divisor(wanted: f64) -> u32 {
    match divisor(wanted) {
        divisor @ 2.. => divisor - divisor % 2,
        divisor => divisor,
    }
}

/// Builds a smaller picture from rows that arrive one by one, from the top: each pixel is the mean of a square.
pub(crate) struct Reducer {
    channels: usize,
    divisor: usize,
    /// The number of samples of an input row.
    length: usize,
    /// The sums of the rows that form one, of which some may be missing.
    sums: Vec<u16>,
    summed: u32,
    /// The row of the smaller picture that is being summed.
    at: usize,
    reduced: Vec<u8>,
}

impl Reducer {
    /// Creates a reducer for rows of `length` samples, each pixel's `channels` side by side. `empty` is the
    /// initial smaller picture.
    pub(crate) fn new(length: usize, channels: usize, divisor: u32, empty: Vec<u8>) -> Self {
        Self {
            channels,
            divisor: divisor as usize,
            length,
            sums: vec![0; length],
            summed: 0,
            at: 0,
            reduced: empty,
        }
    }

    /// Adds row `y`. Rows arrive in their order; the mean is over those that are not missing.
    pub(crate) fn take(&mut self, y: usize, row: &[u8]) {
        if y / self.divisor != self.at {
            self.end_row();
            self.at = y / self.divisor;
        }
        for (sum, &sample) in self.sums.iter_mut().zip(row) {
            *sum += u16::from(sample);
        }
        self.summed += 1;
    }

    /// Returns the smaller picture.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.end_row();
        self.reduced
    }

    fn end_row(&mut self) {
        if self.summed == 0 {
            return;
        }
        let channels = self.channels;
        let length = self.length.div_ceil(self.divisor * channels) * channels;
        let row = self.reduced.chunks_exact_mut(length).nth(self.at);
        let squares = self.sums.chunks(self.divisor * channels);
        for (pixel, square) in row
            .into_iter()
            .flat_map(|row| row.chunks_exact_mut(channels))
            .zip(squares)
        {
            let across = u32::try_from(square.len() / channels).unwrap_or(1);
            let count = across * self.summed;
            let pixels = square.chunks_exact(channels);
            for (channel, mean) in pixel.iter_mut().enumerate() {
                let sum: u32 = pixels.clone().map(|sums| u32::from(sums[channel])).sum();
                *mean = u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX);
            }
        }
        self.sums.fill(0);
        self.summed = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisor_is_whole_and_leaves_enough_pixels() {
        let divisors = [0.5, 1.0, 5.9, 6.0, 15.6, 1000.0].map(divisor);
        assert_eq!(divisors, [1, 1, 1, 2, 5, 16]);
        assert_eq!([5.9, 6.0, 9.0, 15.6].map(even_divisor), [1, 2, 2, 4]);
    }

    #[test]
    fn pixel_is_the_mean_of_present_samples() {
        let mut reducer = Reducer::new(6, 2, 2, vec![128; 12]);
        reducer.take(0, &[0, 10, 20, 30, 40, 50]);
        reducer.take(1, &[4, 14, 24, 34, 44, 54]);
        // The third row is missing, and the last has no other to be averaged with.
        reducer.take(3, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(
            reducer.finish(),
            [12, 22, 42, 52, 2, 3, 5, 6, 128, 128, 128, 128]
        );
    }
}
