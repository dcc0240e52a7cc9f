//! The coefficients that libjpeg reads from a file, as a reference for another decoder.
#![expect(
    unsafe_code,
    reason = "libjpeg is a C library; each call states why it is sound"
)]

use std::slice;

use fumikura_image::DecodeError;
use mozjpeg_sys::{JBLOCK, jpeg_read_coefficients};

use super::decompress::Decompress;

/// A component's blocks.
#[derive(Debug)]
pub(super) struct Component {
    pub(super) blocks_across: usize,
    /// The coefficients of each block, row by row, multiplied by their steps.
    pub(super) blocks: Vec<[i32; 64]>,
}

/// Reads all coefficients of a file.
pub(super) fn of(bytes: &[u8]) -> Result<Vec<Component>, DecodeError> {
    let mut decompress = Decompress::new(bytes)?;
    decompress.read_header()?;
    decompress.call(|info| {
        let count = usize::try_from(info.num_components).unwrap();
        // SAFETY: the header is read, and no decompression has begun.
        let arrays = unsafe { slice::from_raw_parts(jpeg_read_coefficients(info), count) };
        // SAFETY: the library has as many descriptions as components since the header was read.
        let descriptions = unsafe { slice::from_raw_parts(info.comp_info, count) };
        // SAFETY: the library initializes its memory when it creates a decompression.
        let access = unsafe { &*info.common.mem }.access_virt_barray.unwrap();
        let components = arrays.iter().zip(descriptions);
        components
            .map(|(&array, description)| {
                // SAFETY: the steps were found when the scan began. Without them nothing is read.
                let steps = unsafe { &*description.quant_table }.quantval;
                let mut blocks = Vec::new();
                for row in 0..description.height_in_blocks {
                    // SAFETY: the array is that of this component, which has this row of as many blocks.
                    let row: &[JBLOCK] = unsafe {
                        let rows = access(&mut info.common, array, row, 1, 0);
                        slice::from_raw_parts(*rows, description.width_in_blocks as usize)
                    };
                    blocks.extend(row.iter().map(|block| {
                        std::array::from_fn(|at| i32::from(block[at]) * i32::from(steps[at]))
                    }));
                }
                let blocks_across = description.width_in_blocks as usize;
                Component {
                    blocks_across,
                    blocks,
                }
            })
            .collect()
    })
}
