//! The MCUs of a scan, in sequence (ITU-T T.81, A.2 and E.2).

use crate::bits::{Bits, Source};
use crate::block::Coding;
use crate::frame::{Component, Frame};
use crate::transform::{Block, Transform, places};
use crate::zigzag::{BLOCK, COEFFICIENTS};

/// The samples of a component.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Samples {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The samples row by row, without gaps.
    pub(crate) bytes: Vec<u8>,
}

/// The largest value of a block's first coefficient before it is multiplied (F.1.1.5).
const MAX_MEAN: u32 = 2047;

/// A component while it is decoded.
struct Channel<'a> {
    component: &'a Component<'a>,
    coding: &'a Coding,
    transform: Transform,
    /// The first coefficient of the previous block.
    mean: i32,
    /// The number of samples in a row, with those that fill up the last MCU.
    stride: usize,
    samples: Vec<u8>,
}

/// Decodes all components. Each of their blocks becomes `SIDE` × `SIDE` samples: 1 or 2. Returns `None` if
/// the data is damaged in any way, or ends too early.
pub(crate) fn decode<const SIDE: usize>(frame: &Frame<'_>) -> Option<Vec<Samples>> {
    let (across, down) = frame.sampling();
    let columns = frame.width.div_ceil(BLOCK * across);
    let rows = frame.height.div_ceil(BLOCK * down);
    let (codings, numbers) = codings(&frame.components)?;
    let mut channels: Vec<_> = frame
        .components
        .iter()
        .zip(numbers)
        .map(|(component, number)| {
            let stride = columns * component.across * SIDE;
            Channel {
                component,
                coding: &codings[number],
                transform: Transform::new::<SIDE>(&component.quantization),
                mean: 0,
                stride,
                samples: vec![0; stride * rows * component.down * SIDE],
            }
        })
        .collect();
    read::<SIDE>(frame, &mut channels, columns, rows)?;
    let of_picture = |pixels: usize, own: usize, max: usize| {
        // The same number as that of libjpeg.
        (pixels * own * SIDE).div_ceil(max * BLOCK)
    };
    let samples = channels.into_iter().map(|channel| {
        let width = of_picture(frame.width, channel.component.across, across);
        let height = of_picture(frame.height, channel.component.down, down);
        channel.cut(width, height)
    });
    Some(samples.collect())
}

/// Returns the codings of the components, and the index of each component's coding. Building one takes a
/// while, and the colour components mostly share theirs.
fn codings(components: &[Component<'_>]) -> Option<(Vec<Coding>, Vec<usize>)> {
    let (mut codings, mut numbers) = (Vec::new(), Vec::new());
    for (place, component) in components.iter().enumerate() {
        let is_same = |other: &Component<'_>| (other.dc, other.ac) == (component.dc, component.ac);
        if let Some(earlier) = components[..place].iter().position(is_same) {
            numbers.push(numbers[earlier]);
        } else {
            numbers.push(codings.len());
            codings.push(Coding::of(component)?);
        }
    }
    Some((codings, numbers))
}

fn read<const SIDE: usize>(
    frame: &Frame<'_>,
    channels: &mut [Channel<'_>],
    columns: usize,
    rows: usize,
) -> Option<()> {
    let places = places::<SIDE>();
    let (mut source, mut bits) = Source::new(frame.data);
    let mut left_in_interval = frame.restart_interval;
    let mut restarts = 0;
    for row in 0..rows {
        for column in 0..columns {
            if frame.restart_interval > 0 {
                if left_in_interval == 0 {
                    bits = source.restart(bits, restarts % 8)?;
                    restarts = restarts.wrapping_add(1);
                    left_in_interval = frame.restart_interval;
                    for channel in &mut *channels {
                        channel.mean = 0;
                    }
                }
                left_in_interval -= 1;
            }
            source.prepare(&mut bits)?;
            for channel in &mut *channels {
                channel.read_mcu::<SIDE>(&mut bits, &source, &places, row, column)?;
            }
        }
    }
    // The last read must not have gone beyond the end.
    source.prepare(&mut bits)
}

impl Channel<'_> {
    /// Reads the blocks of this component in an MCU.
    #[inline(always)]
    fn read_mcu<const SIDE: usize>(
        &mut self,
        bits: &mut Bits,
        source: &Source<'_>,
        places: &[u8; COEFFICIENTS],
        row: usize,
        column: usize,
    ) -> Option<()> {
        // Each read overwrites all parts of the block that are used.
        let mut block = Block::default();
        let (across, down) = (self.component.across, self.component.down);
        for y in row * down..(row + 1) * down {
            for x in column * across..(column + 1) * across {
                let difference =
                    self.coding
                        .read::<SIDE>(bits, source.buffer(), places, &mut block)?;
                self.mean += difference;
                if self.mean.unsigned_abs() > MAX_MEAN {
                    return None;
                }
                block[0] = self.mean;
                let mut at = y * SIDE * self.stride + x * SIDE;
                for line in self.transform.pixels::<SIDE>(&block) {
                    self.samples[at..][..SIDE].copy_from_slice(&line);
                    at += self.stride;
                }
            }
        }
        Some(())
    }

    /// Returns the samples without those that only fill up MCUs.
    fn cut(self, width: usize, height: usize) -> Samples {
        let mut bytes = self.samples;
        if width < self.stride {
            for row in 1..height {
                let from = row * self.stride;
                bytes.copy_within(from..from + width, row * width);
            }
        }
        bytes.truncate(width * height);
        Samples {
            width,
            height,
            bytes,
        }
    }
}
