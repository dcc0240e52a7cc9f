//! A safe interface to the AV1 decoder.
#![expect(
    unsafe_code,
    reason = "rav1d has the interface of the C library that it comes from; each call states why it \
              is sound"
)]

use std::io::{Error, ErrorKind};
use std::ptr::NonNull;
use std::{mem, slice};

use fumikura_image::DecodeError;
use rav1d::Dav1dResult;
use rav1d::include::dav1d::data::Dav1dData;
use rav1d::include::dav1d::dav1d::{Dav1dContext, Dav1dSettings};
use rav1d::include::dav1d::headers::{
    DAV1D_PIXEL_LAYOUT_I400, DAV1D_PIXEL_LAYOUT_I420, DAV1D_PIXEL_LAYOUT_I422,
};
use rav1d::include::dav1d::picture::Dav1dPicture;
use rav1d::src::lib::{
    dav1d_close, dav1d_data_create, dav1d_data_unref, dav1d_default_settings, dav1d_get_picture,
    dav1d_open, dav1d_picture_unref, dav1d_send_data,
};

/// The ratio of chroma samples to luma samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Subsampling {
    /// True if there are half as many across.
    pub(super) across: bool,
    /// True if there are half as many down.
    pub(super) down: bool,
}

/// The meaning of the samples, by ITU-T H.273.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ColourCodes {
    pub(super) primaries: u8,
    pub(super) transfer: u8,
    pub(super) matrix: u8,
    /// True if the full range of numbers is used, not only that of television.
    pub(super) is_full: bool,
}

/// A decoded frame.
pub(super) struct Frame {
    // Released on drop.
    picture: Dav1dPicture,
}

impl Frame {
    /// Decodes the first frame, which has at most as many pixels as `width` × `height`.
    pub(super) fn decode(content: &[u8], width: u32, height: u32) -> Result<Self, DecodeError> {
        let mut stream = FrameStream::of(vec![content], width.saturating_mul(height))?;
        stream.next_of_any_size()
    }

    /// Checks the properties of the frame on which the functions below rely.
    fn checked(self) -> Result<Self, DecodeError> {
        let parameters = &self.picture.p;
        let has_planes = self.picture.data[..self.planes()]
            .iter()
            .all(Option::is_some);
        let is_sound = parameters.w > 0
            && parameters.h > 0
            && matches!(parameters.bpc, 8 | 10 | 12)
            && self.picture.stride.iter().all(|&stride| stride >= 0)
            && has_planes;
        match is_sound {
            true => Ok(self),
            false => Err(DecodeError::Damaged("its frame has no samples".into())),
        }
    }

    pub(super) fn width(&self) -> u32 {
        self.picture.p.w.unsigned_abs()
    }

    pub(super) fn height(&self) -> u32 {
        self.picture.p.h.unsigned_abs()
    }

    /// Returns the bits of a sample: 8, 10 or 12.
    pub(super) fn depth(&self) -> u32 {
        self.picture.p.bpc.unsigned_abs()
    }

    /// Returns `None` for a picture without colours.
    pub(super) fn subsampling(&self) -> Option<Subsampling> {
        let (across, down) = match self.picture.p.layout {
            DAV1D_PIXEL_LAYOUT_I400 => return None,
            DAV1D_PIXEL_LAYOUT_I420 => (true, true),
            DAV1D_PIXEL_LAYOUT_I422 => (true, false),
            _ => (false, false),
        };
        Some(Subsampling { across, down })
    }

    fn planes(&self) -> usize {
        if self.subsampling().is_some() { 3 } else { 1 }
    }

    pub(super) fn numbers(&self) -> ColourCodes {
        // SAFETY: the picture owns a reference to its header, if it has one.
        let header = self
            .picture
            .seq_hdr
            .map(|header| unsafe { header.as_ref() });
        let byte = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
        header.map_or(
            ColourCodes {
                primaries: 2,
                transfer: 2,
                matrix: 2,
                is_full: false,
            },
            |header| ColourCodes {
                primaries: byte(header.pri),
                transfer: byte(header.trc),
                matrix: byte(header.mtrx),
                is_full: header.color_range != 0,
            },
        )
    }

    /// Returns the number of samples of a plane across and down.
    pub(super) fn samples(&self, plane: usize) -> (usize, usize) {
        let (width, height) = (self.width() as usize, self.height() as usize);
        match self.subsampling().filter(|_| plane > 0) {
            None => (width, height),
            Some(Subsampling { across, down }) => (
                width.div_ceil(1 + usize::from(across)),
                height.div_ceil(1 + usize::from(down)),
            ),
        }
    }

    /// Returns a row of a plane: 0 is luma, 1 and 2 are chroma.
    pub(super) fn row(&self, plane: usize, y: usize) -> Vec<u16> {
        let (width, height) = self.samples(plane);
        assert!(plane < self.planes() && y < height, "BUG: no such row");
        let start = self.picture.data[plane].expect("BUG: checked when it was decoded");
        let offset = y * self.picture.stride[usize::from(plane > 0)].unsigned_abs();
        // SAFETY: the decoder's plane has as many rows as its picture, each of them a stride behind
        // the one before.
        let start = unsafe { start.cast::<u8>().add(offset) };
        if self.depth() == 8 {
            // SAFETY: each row of a picture with 8 bits has that many bytes, which are not written any more.
            let row = unsafe { slice::from_raw_parts(start.as_ptr(), width) };
            row.iter().copied().map(u16::from).collect()
        } else {
            // SAFETY: with more bits each sample is one of 16, aligned like the plane and its stride.
            let row = unsafe { slice::from_raw_parts(start.cast::<u16>().as_ptr(), width) };
            row.to_vec()
        }
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        // SAFETY: the picture came from the decoder, or is empty, and is released once.
        unsafe { dav1d_picture_unref(Some(NonNull::from(&mut self.picture))) };
    }
}

/// Bytes in the decoder's own memory.
struct Data(Dav1dData);

impl Data {
    fn of(content: &[u8]) -> Result<Self, DecodeError> {
        if content.is_empty() {
            return Err(DecodeError::Damaged("a picture in it is empty".into()));
        }
        let mut data = Self(Dav1dData::default());
        // SAFETY: `data` is valid for writing, and empty, so nothing is leaked.
        let room = unsafe { dav1d_data_create(Some(NonNull::from(&mut data.0)), content.len()) };
        let room = NonNull::new(room)
            .ok_or_else(|| DecodeError::TooLarge("no memory for what is encoded".into()))?;
        // SAFETY: the room has the requested length, and there is no other reference to it yet.
        unsafe { slice::from_raw_parts_mut(room.as_ptr(), content.len()) }.copy_from_slice(content);
        Ok(data)
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        // SAFETY: the data was made by the decoder, or is empty, and is released once.
        unsafe { dav1d_data_unref(Some(NonNull::from(&mut self.0))) };
    }
}

/// The frames of encoded samples, one of each.
pub(super) struct FrameStream<'a> {
    decoder: Decoder,
    samples: std::vec::IntoIter<&'a [u8]>,
    /// The rest of a sample that the decoder has not accepted yet.
    pending: Option<Data>,
    size: (u32, u32),
}

impl<'a> FrameStream<'a> {
    /// Begins to decode frames that all have this size.
    pub(super) fn open(samples: Vec<&'a [u8]>, size: (u32, u32)) -> Result<Self, DecodeError> {
        let stream = Self::of(samples, size.0.saturating_mul(size.1))?;
        Ok(Self { size, ..stream })
    }

    fn of(samples: Vec<&'a [u8]>, pixels: u32) -> Result<Self, DecodeError> {
        Ok(Self {
            decoder: Decoder::open(pixels)?,
            samples: samples.into_iter(),
            pending: None,
            size: (0, 0),
        })
    }

    pub(super) fn next(&mut self) -> Result<Frame, DecodeError> {
        let frame = self.next_of_any_size()?;
        match (frame.width(), frame.height()) == self.size {
            true => Ok(frame),
            false => Err(DecodeError::Damaged("its frames differ in size".into())),
        }
    }

    fn next_of_any_size(&mut self) -> Result<Frame, DecodeError> {
        loop {
            if self.pending.is_none() {
                self.pending = self.samples.next().map(Data::of).transpose()?;
            }
            let Some(data) = &mut self.pending else {
                break;
            };
            let left = data.0.sz;
            self.decoder.send(data)?;
            let rest = data.0.sz;
            if rest == 0 {
                self.pending = None;
            }
            if let Some(frame) = self.decoder.picture()? {
                return frame.checked();
            }
            if rest == left {
                return Err(DecodeError::Damaged("its frame has no end".into()));
            }
        }
        // Without data before it, the call makes the decoder wait for the frames in progress.
        match self.decoder.picture()? {
            Some(frame) => frame.checked(),
            None => Err(DecodeError::Damaged("it has no frame".into())),
        }
    }
}

struct Decoder {
    /// `None` if it is closed.
    context: Option<Dav1dContext>,
}

impl Decoder {
    /// Opens a decoder for frames of at most this many pixels.
    fn open(pixels: u32) -> Result<Self, DecodeError> {
        let mut settings = mem::MaybeUninit::<Dav1dSettings>::uninit();
        // SAFETY: the settings may be written, and their previous contents are not read.
        unsafe { dav1d_default_settings(NonNull::from(&mut settings).cast()) };
        // SAFETY: the call has written all settings.
        let mut settings = unsafe { settings.assume_init() };
        // Two threads, although the number of concurrent pictures already matches the number of useful
        // threads. With one thread the decoder aborts the process on a damaged frame, whose header it
        // accesses after giving it away (rav1d 1.1, `on_error` in `rav1d_submit_frame`).
        settings.n_threads = 2;
        settings.max_frame_delay = 2;
        settings.frame_size_limit = pixels;
        // One picture, whatever the number of layers.
        settings.all_layers = 0;
        // The error output is not read, and the result reports errors. The type of this field has no name
        // outside of the crate.
        let empty = mem::MaybeUninit::<Dav1dSettings>::zeroed();
        // SAFETY: a logger is two pointers, either of which may be null. Then nothing is called.
        settings.logger = unsafe { (&raw const (*empty.as_ptr()).logger).read() };
        let mut context = None;
        // SAFETY: both are valid for the call, which keeps neither of them.
        let result = unsafe {
            dav1d_open(
                Some(NonNull::from(&mut context)),
                Some(NonNull::from(&mut settings)),
            )
        };
        check_result(result)?;
        Ok(Self { context })
    }

    /// Passes on as much data as the decoder accepts.
    fn send(&mut self, data: &mut Data) -> Result<(), DecodeError> {
        let data = Some(NonNull::from(&mut data.0));
        // SAFETY: the context is open; the data was made by the decoder, which updates it.
        let result = unsafe { dav1d_send_data(self.context, data) };
        match is_again(result) {
            true => Ok(()),
            false => check_result(result),
        }
    }

    /// Returns the next frame, if it is ready.
    fn picture(&mut self) -> Result<Option<Frame>, DecodeError> {
        let mut frame = Frame {
            picture: Dav1dPicture::default(),
        };
        let out = Some(NonNull::from(&mut frame.picture));
        // SAFETY: the context is open; the picture is empty, so nothing is leaked.
        let result = unsafe { dav1d_get_picture(self.context, out) };
        if is_again(result) {
            return Ok(None);
        }
        check_result(result)?;
        Ok(Some(frame))
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: the context was opened, or is `None`, and is closed once.
        unsafe { dav1d_close(Some(NonNull::from(&mut self.context))) };
    }
}

/// True if the decoder needs another call first.
fn is_again(result: Dav1dResult) -> bool {
    Error::from_raw_os_error(-result.0).kind() == ErrorKind::WouldBlock
}

fn check_result(result: Dav1dResult) -> Result<(), DecodeError> {
    if result.0 == 0 {
        return Ok(());
    }
    let error = Error::from_raw_os_error(-result.0);
    if error.kind() == ErrorKind::OutOfMemory {
        return Err(DecodeError::TooLarge(error.to_string()));
    }
    let message = format!("its frame can't be decoded (error {})", -result.0);
    Err(DecodeError::Damaged(message))
}
