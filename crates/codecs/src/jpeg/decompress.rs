//! A safe interface to the library.
//!
//! libjpeg reports a fatal error by calling a function that must not return. Here it unwinds, through the C
//! frames (the library is compiled for that), up to the call that is guarded by [`Decompress::call`].
#![expect(
    unsafe_code,
    reason = "libjpeg is a C library; each call states why it is sound"
)]

use std::ffi::{CStr, c_int, c_long, c_uint};
use std::marker::PhantomData;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;

use fumikura_image::DecodeError;
use mozjpeg_sys::{
    J_COLOR_SPACE, boolean, jpeg_CreateDecompress, jpeg_common_struct, jpeg_consume_input,
    jpeg_decompress_struct, jpeg_destroy_decompress, jpeg_error_mgr, jpeg_has_multiple_scans,
    jpeg_mem_src, jpeg_read_header, jpeg_read_scanlines, jpeg_save_markers, jpeg_start_decompress,
    jpeg_start_output, jpeg_std_error,
};

use super::SampleMeaning;
use super::markers::{ADOBE, EXIF, ICC, Marker};
use super::message::fill_placeholders;
use super::precision::{
    BLOCK, COEFFICIENTS, MAX_SCANS, Precisions, Sampling, Tolerance, side_of_component, suffices,
};

/// The channels of a pixel, as the decoder returns it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Gray,
    Rgb,
    Cmyk,
}

impl Layout {
    fn bytes(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::Rgb => 3,
            Self::Cmyk => 4,
        }
    }
}

/// The contents of a file's header.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) layout: Layout,
    /// True if the samples are stored as grey, or as luminance and colours.
    pub(super) is_gray_or_ycc: bool,
    pub(super) markers: Vec<Marker>,
}

/// Pixels, row by row.
#[derive(Debug)]
pub(super) struct Pixels {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) bytes: Vec<u8>,
}

/// A decompression of `bytes`.
pub(super) struct Decompress<'a> {
    // The library keeps pointers from one to the other, so neither may be moved.
    state: Box<DecompressState>,
    bytes: PhantomData<&'a [u8]>,
}

struct DecompressState {
    info: jpeg_decompress_struct,
    error: jpeg_error_mgr,
}

/// True, as the library's type.
const TRUE: boolean = 1;
/// The marker of the first application segment.
const APP0: c_int = 0xE0;
/// The longest segment.
const WHOLE_SEGMENT: c_uint = 0xFFFF;
/// The version of the interface for which the bindings are.
const VERSION: c_int = mozjpeg_sys::JPEG_LIB_VERSION;

/// Results of `jpeg_consume_input`: the end of the file; the end of a scan.
const REACHED_EOI: c_int = 2;
const SCAN_COMPLETED: c_int = 4;
/// The start of the library's message if it is out of memory.
const NO_MEMORY: &str = "Insufficient memory";

/// The payload of an unwinding that an error of the library started.
struct Fault(String);

impl<'a> Decompress<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        // SAFETY: both are plain C structures, for which zeros are the library's own initial values: null
        // pointers, `None` for functions, 0 for numbers and the first of an enumeration.
        let mut state: Box<DecompressState> = Box::new(unsafe { mem::zeroed() });
        // SAFETY: `error` is valid for writing, and is not moved as long as `info` lives.
        unsafe { jpeg_std_error(&mut state.error) };
        state.error.error_exit = Some(fail);
        state.error.emit_message = Some(count_warning);
        state.info.common.err = &raw mut state.error;
        let mut decompress = Self {
            state,
            bytes: PhantomData,
        };
        let length = bytes.len().try_into().map_err(|_| too_long())?;
        decompress.call(|info| {
            // SAFETY: `info` is zeroed except for the error handler, as this function requires; the bytes
            // outlive `Self` by its lifetime, and are only read.
            unsafe {
                jpeg_CreateDecompress(info, VERSION, mem::size_of::<jpeg_decompress_struct>());
                jpeg_mem_src(info, bytes.as_ptr(), length);
            }
        })?;
        Ok(decompress)
    }

    /// Reads up to the first pixels.
    pub(super) fn read_header(&mut self) -> Result<Header, DecodeError> {
        self.call(|info| {
            for number in [EXIF, ICC, ADOBE] {
                // SAFETY: `info` was made by the library.
                unsafe { jpeg_save_markers(info, APP0 + c_int::from(number), WHOLE_SEGMENT) };
            }
            // SAFETY: as above, and the source is set.
            unsafe { jpeg_read_header(info, TRUE) };
        })?;
        let info = &mut self.state.info;
        let layout = match info.num_components {
            1 => Layout::Gray,
            3 => Layout::Rgb,
            4 => Layout::Cmyk,
            count => {
                let message = format!("it has {count} channels, which no known kind has");
                return Err(DecodeError::Damaged(message));
            }
        };
        info.out_color_space = match layout {
            Layout::Gray => J_COLOR_SPACE::JCS_GRAYSCALE,
            Layout::Rgb => J_COLOR_SPACE::JCS_RGB,
            Layout::Cmyk => J_COLOR_SPACE::JCS_CMYK,
        };
        Ok(Header {
            width: info.image_width,
            height: info.image_height,
            layout,
            is_gray_or_ycc: matches!(
                info.jpeg_color_space,
                J_COLOR_SPACE::JCS_GRAYSCALE | J_COLOR_SPACE::JCS_YCbCr
            ),
            markers: self.markers(),
        })
    }

    /// Sets the meaning of the samples to that stated elsewhere, whatever the file states. Must be called
    /// between reading the header and decoding.
    pub(super) fn take_as(&mut self, meaning: SampleMeaning) {
        let info = &mut self.state.info;
        info.jpeg_color_space = match (info.num_components, meaning) {
            (1, _) => J_COLOR_SPACE::JCS_GRAYSCALE,
            (3, SampleMeaning::Ycc) => J_COLOR_SPACE::JCS_YCbCr,
            (3, SampleMeaning::Plain) => J_COLOR_SPACE::JCS_RGB,
            _ => J_COLOR_SPACE::JCS_CMYK,
        };
    }

    /// Decodes the picture, with each side divided by `reduced`: 1, 2, 4 or 8.
    pub(super) fn decode(mut self, layout: Layout, reduced: u32) -> Result<Pixels, DecodeError> {
        self.state.info.scale_num = 1;
        self.state.info.scale_denom = reduced;
        // Missing coefficients are not estimated: the later filter smooths more than that.
        self.state.info.do_block_smoothing = 0;
        // SAFETY: `info` has read its header.
        let scan_by_scan = unsafe { jpeg_has_multiple_scans(&self.state.info) } == TRUE;
        self.state.info.buffered_image = c_int::from(scan_by_scan);
        self.call(|info| {
            // SAFETY: the header is read, and the parameters are set.
            unsafe { jpeg_start_decompress(info) }
        })?;
        if scan_by_scan {
            self.read_scans(reduced)?;
        }
        self.read_rows(layout)
    }

    /// Reads as many scans as the reduced picture needs.
    fn read_scans(&mut self, reduced: u32) -> Result<(), DecodeError> {
        let tolerance = Tolerance::reduced_by(reduced);
        loop {
            let progress = self.call(|info| {
                // SAFETY: the decompression has started in the mode that reads scan by scan.
                unsafe { jpeg_consume_input(info) }
            })?;
            let enough = match progress {
                REACHED_EOI => true,
                SCAN_COMPLETED => {
                    self.state.info.input_scan_number >= MAX_SCANS
                        || self.is_known(BLOCK / reduced as usize, tolerance)
                }
                _ => false,
            };
            if enough {
                break;
            }
        }
        self.call(|info| {
            let scan = info.input_scan_number;
            // SAFETY: as above.
            unsafe { jpeg_start_output(info, scan) }
        })?;
        Ok(())
    }

    /// True if each component is known well enough for blocks of `side` × `side` pixels.
    fn is_known(&self, side: usize, tolerance: Tolerance) -> bool {
        let info = &self.state.info;
        if info.coef_bits.is_null() {
            // The file is not progressive, but has a scan for each component.
            return false;
        }
        let count = usize::try_from(info.num_components).unwrap_or(0);
        // SAFETY: the library has as many descriptions as components since the header was read.
        let components = unsafe { std::slice::from_raw_parts(info.comp_info, count) };
        let samples = |factor: c_int| usize::try_from(factor).unwrap_or(1).max(1);
        let max = Sampling {
            across: samples(info.max_h_samp_factor),
            down: samples(info.max_v_samp_factor),
        };
        // SAFETY: if this is not null, it points to one row of numbers for each component.
        let precisions: &[Precisions] = unsafe {
            std::slice::from_raw_parts(info.coef_bits.cast::<[c_int; COEFFICIENTS]>(), count)
        };
        components
            .iter()
            .zip(precisions)
            .all(|(component, precisions)| {
                let sampling = Sampling {
                    across: samples(component.h_samp_factor),
                    down: samples(component.v_samp_factor),
                };
                suffices(
                    precisions,
                    side_of_component(side, sampling, max),
                    tolerance,
                )
            })
    }

    fn read_rows(&mut self, layout: Layout) -> Result<Pixels, DecodeError> {
        let (width, height) = (self.state.info.output_width, self.state.info.output_height);
        let row = width as usize * layout.bytes();
        if usize::try_from(self.state.info.output_components).ok() != Some(layout.bytes()) {
            return Err(DecodeError::Damaged(
                "its colours are of no known kind".into(),
            ));
        }
        let mut bytes = vec![0; row * height as usize];
        for line in bytes.chunks_exact_mut(row) {
            let read = self.call(|info| {
                let mut lines = [line.as_mut_ptr()];
                // SAFETY: there is room for one row of as many bytes as the output has.
                unsafe { jpeg_read_scanlines(info, lines.as_mut_ptr(), 1) }
            })?;
            if read == 0 {
                return Err(DecodeError::Damaged("its rows end too early".into()));
            }
        }
        Ok(Pixels {
            width,
            height,
            bytes,
        })
    }

    fn markers(&self) -> Vec<Marker> {
        let mut markers = Vec::new();
        let mut next = self.state.info.marker_list;
        // SAFETY: the list, and what its entries point to, lives as long as the decompression.
        while let Some(marker) = unsafe { next.as_ref() } {
            let length = marker.data_length as usize;
            let number = c_int::from(marker.marker) - APP0;
            if let Ok(number) = u8::try_from(number)
                && !marker.data.is_null()
            {
                // SAFETY: as above; the library states the length of the content.
                let content = unsafe { std::slice::from_raw_parts(marker.data, length) };
                markers.push(Marker {
                    number,
                    content: content.to_vec(),
                });
            }
            next = marker.next;
        }
        markers
    }

    /// Calls the library, and converts an error that it reports.
    pub(super) fn call<T>(
        &mut self,
        work: impl FnOnce(&mut jpeg_decompress_struct) -> T,
    ) -> Result<T, DecodeError> {
        // After an error only `Drop` calls the library again, which the library allows. So an inconsistent
        // state is never used.
        let result = catch_unwind(AssertUnwindSafe(|| work(&mut self.state.info)));
        result.map_err(|payload| match payload.downcast::<Fault>() {
            Ok(fault) if fault.0.starts_with(NO_MEMORY) => DecodeError::TooLarge(fault.0),
            Ok(fault) => DecodeError::Damaged(fault.0),
            Err(panic) => resume_unwind(panic),
        })
    }
}

impl Drop for Decompress<'_> {
    fn drop(&mut self) {
        // SAFETY: this is allowed in every state, also for a structure of zeros, and reports no
        // faults.
        unsafe { jpeg_destroy_decompress(&mut self.state.info) };
    }
}

fn too_long() -> DecodeError {
    DecodeError::TooLarge("the file is longer than the decoder can address".into())
}

/// Replaces the library's handler of fatal errors, which would end the program.
unsafe extern "C-unwind" fn fail(info: &mut jpeg_common_struct) {
    // SAFETY: this is the handler that `Decompress::new` has set.
    let error = unsafe { &mut *info.err };
    let number = usize::try_from(error.msg_code).unwrap_or(0);
    let last = usize::try_from(error.last_jpeg_message).unwrap_or(0);
    let format = if error.jpeg_message_table.is_null() || number > last {
        ptr::null()
    } else {
        // SAFETY: the table has an entry for each number up to the last.
        unsafe { *error.jpeg_message_table.add(number) }
    };
    let text = if format.is_null() {
        format!("fault {number}")
    } else {
        // SAFETY: the entries are strings of the library that live for ever.
        let format = unsafe { CStr::from_ptr(format.cast()) }.to_string_lossy();
        // SAFETY: numbers or text, both are bytes that the library zeroed or wrote.
        let numbers = unsafe { *error.msg_parm.i() };
        fill_placeholders(&format, &numbers)
    };
    // Not a panic, which would be reported on the error output: the file is damaged.
    resume_unwind(Box::new(Fault(text)));
}

/// Counts warnings of damage without output: the readable part is shown.
unsafe extern "C-unwind" fn count_warning(info: &mut jpeg_common_struct, level: c_int) {
    if level < 0 {
        // SAFETY: this is the handler that `Decompress::new` has set.
        let error = unsafe { &mut *info.err };
        error.num_warnings = error.num_warnings.saturating_add(1 as c_long);
    }
}
