//! Decodes single frames of a video with GStreamer.
#![expect(
    unsafe_code,
    reason = "GStreamer is a C library; each call states why it is sound"
)]

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::library::{Functions, GError, SourceCallbacks};

/// The reader of a container.
#[derive(Debug, Clone, Copy)]
pub(super) enum Demuxer {
    /// MP4 and QuickTime.
    Quicktime,
    /// Matroska and WebM.
    Matroska,
    Avi,
}

/// Returns the way from the file to pixels. Only the first track of pictures is decoded; pixels become square. The
/// reader of the container is fixed: if `decodebin` chose one, it would sometimes swallow its errors.
fn pipeline(demuxer: Demuxer) -> String {
    let demuxer = match demuxer {
        Demuxer::Quicktime => "qtdemux",
        Demuxer::Matroska => "matroskademux",
        Demuxer::Avi => "avidemux",
    };
    format!(
        "appsrc name=source stream-type=random-access format=bytes ! {demuxer} name=demuxer \
         demuxer.video_0 ! decodebin expose-all-streams=false caps=\"video/x-raw(ANY)\" \
         ! videoconvert ! videoscale add-borders=false \
         ! video/x-raw,format=RGB,pixel-aspect-ratio=1/1 \
         ! appsink name=sink sync=false max-buffers=1"
    )
}

/// The most bytes that are read at once. A hostile file may ask for more.
const MAX_READ: usize = 32 << 20;
/// The number of bytes that are read if the reader doesn't say how many it needs.
const ANY_READ: usize = 64 << 10;
const BYTES_PER_PIXEL: usize = 3;
/// Rows of pixels begin at multiples of this.
const ROW_ALIGNMENT: usize = 4;

// Numbers of GStreamer's interface, by their names there.
const STATE_NULL: c_int = 1;
const STATE_PAUSED: c_int = 3;
const STATE_CHANGE_FAILURE: c_int = 0;
const FORMAT_TIME: c_int = 3;
const SEEK_FLAG_FLUSH: c_int = 1;
const SEEK_FLAG_ACCURATE: c_int = 1 << 1;
const SEEK_FLAG_KEY_UNIT: c_int = 1 << 2;
const MESSAGE_EOS: c_int = 1;
const MESSAGE_ERROR: c_int = 1 << 1;
const MESSAGE_ASYNC_DONE: c_int = 1 << 21;
const CORE_ERROR_MISSING_PLUGIN: c_int = 12;
const STREAM_ERROR_CODEC_NOT_FOUND: c_int = 6;

/// A frame of a video as it is stored: not turned, with square pixels.
pub(super) struct Frame {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Red, green and blue of each pixel, without gaps.
    pub(super) rgb: Vec<u8>,
}

/// A reason why there is no frame.
#[derive(Debug)]
pub(super) enum PlayError {
    /// No plugin decodes it.
    NoDecoder(String),
    Damaged(String),
    /// No frame before the deadline.
    Late,
}

/// The position from which a frame is taken.
#[derive(Debug, Clone, Copy)]
pub(super) enum Seek {
    /// Exactly this time.
    Exact(Duration),
    /// The key frame near this time.
    KeyFrame(Duration),
}

/// The file that is read, from the threads of GStreamer.
struct Source<'a> {
    functions: &'a Functions,
    file: File,
    length: u64,
    position: AtomicU64,
}

/// A video that is paused at a frame.
pub(super) struct Player<'a> {
    functions: &'a Functions,
    pipeline: Object<'a>,
    bus: Object<'a>,
    sink: Object<'a>,
    /// Used by the callbacks until the pipeline has stopped.
    _source: Box<Source<'a>>,
    deadline: Instant,
}

impl<'a> Player<'a> {
    /// Opens the video in `file`, which is `length` bytes long. All later calls end at `deadline`, too.
    pub(super) fn open(
        functions: &'a Functions,
        demuxer: Demuxer,
        (file, length): (File, u64),
        deadline: Instant,
    ) -> Result<Self, PlayError> {
        let description = CString::new(pipeline(demuxer)).expect("BUG: it has no zero");
        let mut error = ptr::null_mut();
        // SAFETY: the text ends with a zero; the error is freed by `take_error`.
        let pipeline =
            unsafe { (functions.gst_parse_launch)(description.as_ptr(), &raw mut error) };
        let pipeline = Object::new(functions, pipeline);
        if !error.is_null() {
            return Err(PlayError::NoDecoder(functions.take_error(error)));
        }
        let pipeline =
            pipeline.ok_or_else(|| PlayError::NoDecoder("there is no pipeline".to_owned()))?;
        let source = Box::new(Source {
            functions,
            file,
            length,
            position: AtomicU64::new(0),
        });
        let app_source = pipeline.child(c"source")?;
        let mut callbacks = SourceCallbacks {
            need_data,
            enough_data: None,
            seek_data,
            reserved: [ptr::null_mut(); 4],
        };
        let user_data = (&raw const *source).cast_mut().cast();
        // SAFETY: the callbacks are copied. The source outlives the pipeline, which `drop` stops.
        unsafe {
            (functions.gst_app_src_set_size)(
                app_source.0.as_ptr(),
                i64::try_from(length).unwrap_or(i64::MAX),
            );
            (functions.gst_app_src_set_callbacks)(
                app_source.0.as_ptr(),
                &raw mut callbacks,
                user_data,
                None,
            );
        }
        let sink = pipeline.child(c"sink")?;
        // SAFETY: the pipeline is valid; the bus is a new reference.
        let bus = Object::new(functions, unsafe {
            (functions.gst_element_get_bus)(pipeline.0.as_ptr())
        });
        let bus = bus.ok_or_else(|| PlayError::Damaged("there is no bus".to_owned()))?;
        let player = Self {
            functions,
            pipeline,
            bus,
            sink,
            _source: source,
            deadline,
        };
        // SAFETY: the pipeline is valid.
        let changed =
            unsafe { (functions.gst_element_set_state)(player.pipeline.0.as_ptr(), STATE_PAUSED) };
        if changed == STATE_CHANGE_FAILURE {
            return Err(player
                .wait()
                .err()
                .unwrap_or_else(|| PlayError::Damaged("it can't be read".to_owned())));
        }
        player.wait()?;
        Ok(player)
    }

    /// Returns the duration, if the video states or reveals it.
    pub(super) fn duration(&self) -> Option<Duration> {
        let mut nanoseconds = 0;
        // SAFETY: the pipeline is valid, and the number is for the result.
        let is_known = unsafe {
            (self.functions.gst_element_query_duration)(
                self.pipeline.0.as_ptr(),
                FORMAT_TIME,
                &raw mut nanoseconds,
            )
        };
        let nanoseconds = u64::try_from(nanoseconds)
            .ok()
            .filter(|some| *some > 0 && is_known != 0)?;
        Some(Duration::from_nanos(nanoseconds))
    }

    /// Goes to another frame.
    pub(super) fn seek(&self, to: Seek) -> Result<(), PlayError> {
        let (time, flag) = match to {
            Seek::Exact(time) => (time, SEEK_FLAG_ACCURATE),
            Seek::KeyFrame(time) => (time, SEEK_FLAG_KEY_UNIT),
        };
        let time = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        let flags = SEEK_FLAG_FLUSH | flag;
        // SAFETY: the pipeline is valid.
        let is_done = unsafe {
            (self.functions.gst_element_seek_simple)(
                self.pipeline.0.as_ptr(),
                FORMAT_TIME,
                flags,
                time,
            )
        };
        match is_done {
            0 => Err(PlayError::Damaged("it has no other position".to_owned())),
            _ => self.wait(),
        }
    }

    /// Returns the frame at which the video is paused.
    pub(super) fn frame(&self) -> Result<Frame, PlayError> {
        let damaged = |what: &str| PlayError::Damaged(what.to_owned());
        let functions = self.functions;
        // SAFETY: the sink is valid; the sample is a new reference.
        let sample =
            unsafe { (functions.gst_app_sink_try_pull_preroll)(self.sink.0.as_ptr(), self.left()) };
        let sample = Data::new(functions, sample).ok_or_else(|| damaged("it has no frame here"))?;
        // SAFETY: the sample is valid, and owns the caps, their structure and the buffer.
        unsafe {
            let caps = (functions.gst_sample_get_caps)(sample.0.as_ptr());
            let buffer = (functions.gst_sample_get_buffer)(sample.0.as_ptr());
            if caps.is_null() || buffer.is_null() {
                return Err(damaged("its frame is empty"));
            }
            let structure = (functions.gst_caps_get_structure)(caps, 0);
            let side = |name: &CStr| {
                let mut pixels = 0;
                let is_there =
                    (functions.gst_structure_get_int)(structure, name.as_ptr(), &raw mut pixels);
                u32::try_from(pixels)
                    .ok()
                    .filter(|some| *some > 0 && is_there != 0)
            };
            let (Some(width), Some(height)) = (side(c"width"), side(c"height")) else {
                return Err(damaged("its frame has no size"));
            };
            let row = width as usize * BYTES_PER_PIXEL;
            let stride = row.next_multiple_of(ROW_ALIGNMENT);
            let size = stride
                .checked_mul(height as usize)
                .ok_or_else(|| damaged("its frame is too large"))?;
            if (functions.gst_buffer_get_size)(buffer) != size {
                return Err(damaged("its frame has another size"));
            }
            let mut bytes = vec![0; size];
            let copied = (functions.gst_buffer_extract)(buffer, 0, bytes.as_mut_ptr().cast(), size);
            if copied != size {
                return Err(damaged("its frame is incomplete"));
            }
            if stride > row {
                for line in 1..height as usize {
                    bytes.copy_within(line * stride..line * stride + row, line * row);
                }
                bytes.truncate(row * height as usize);
            }
            Ok(Frame {
                width,
                height,
                rgb: bytes,
            })
        }
    }

    /// Waits until the video is paused at a frame.
    fn wait(&self) -> Result<(), PlayError> {
        let functions = self.functions;
        let filter = MESSAGE_ERROR | MESSAGE_EOS | MESSAGE_ASYNC_DONE;
        // SAFETY: the bus is valid; the message is a new reference.
        let message = unsafe {
            (functions.gst_bus_timed_pop_filtered)(self.bus.0.as_ptr(), self.left(), filter)
        };
        let message = Data::new(functions, message).ok_or(PlayError::Late)?;
        match message.message_type() {
            MESSAGE_ASYNC_DONE => Ok(()),
            MESSAGE_ERROR => Err(self.error_of(&message)),
            _ => Err(PlayError::Damaged(
                "it ends before its first frame".to_owned(),
            )),
        }
    }

    fn error_of(&self, message: &Data<'_>) -> PlayError {
        let functions = self.functions;
        let (mut error, mut details): (*mut GError, *mut c_char) =
            (ptr::null_mut(), ptr::null_mut());
        // SAFETY: it is a message of an error; both results are freed here.
        let (domain, code) = unsafe {
            (functions.gst_message_parse_error)(
                message.0.as_ptr(),
                &raw mut error,
                &raw mut details,
            );
            (functions.g_free)(details.cast());
            ((*error).domain, (*error).code)
        };
        let text = functions.take_error(error);
        // SAFETY: these functions only return numbers.
        let (core, stream) = unsafe {
            (
                (functions.gst_core_error_quark)(),
                (functions.gst_stream_error_quark)(),
            )
        };
        let is_missing = (domain, code) == (core, CORE_ERROR_MISSING_PLUGIN)
            || (domain, code) == (stream, STREAM_ERROR_CODEC_NOT_FOUND);
        match is_missing {
            true => PlayError::NoDecoder(text),
            false => PlayError::Damaged(text),
        }
    }

    /// Returns the time until the deadline, in nanoseconds.
    fn left(&self) -> u64 {
        let left = self.deadline.saturating_duration_since(Instant::now());
        u64::try_from(left.as_nanos()).unwrap_or(u64::MAX)
    }
}

impl Drop for Player<'_> {
    fn drop(&mut self) {
        // SAFETY: the pipeline is valid. Its threads have ended when this returns, and call nothing any more.
        unsafe { (self.functions.gst_element_set_state)(self.pipeline.0.as_ptr(), STATE_NULL) };
    }
}

impl Source<'_> {
    /// Gives the next `wanted` bytes to `app_source`, or as many as there are.
    fn give(&self, app_source: *mut c_void, wanted: c_uint) {
        let wanted = match wanted {
            c_uint::MAX | 0 => ANY_READ,
            bytes => (bytes as usize).min(MAX_READ),
        };
        let position = self.position.load(Ordering::Acquire);
        let left = usize::try_from(self.length.saturating_sub(position)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; wanted.min(left)];
        let read = read_at(&self.file, &mut bytes, position);
        let functions = self.functions;
        // SAFETY: the source is valid while it calls. The buffer has room for the bytes, and is passed on.
        unsafe {
            if read == 0 {
                (functions.gst_app_src_end_of_stream)(app_source);
                return;
            }
            self.position
                .store(position + read as u64, Ordering::Release);
            let buffer =
                (functions.gst_buffer_new_allocate)(ptr::null_mut(), read, ptr::null_mut());
            (functions.gst_buffer_fill)(buffer, 0, bytes.as_ptr().cast(), read);
            (functions.gst_app_src_push_buffer)(app_source, buffer);
        }
    }
}

/// Reads as much as there is; a file that can't be read ends there.
fn read_at(file: &File, bytes: &mut [u8], position: u64) -> usize {
    let mut read = 0;
    while read < bytes.len() {
        match file.read_at(&mut bytes[read..], position + read as u64) {
            Ok(0) => break,
            Ok(count) => read += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    read
}

/// Called by a thread of GStreamer.
///
/// # Safety
/// `source` is the [`Source`] of the pipeline.
unsafe extern "C" fn need_data(app_source: *mut c_void, wanted: c_uint, source: *mut c_void) {
    // SAFETY: it lives until the pipeline has stopped.
    unsafe { &*source.cast::<Source<'_>>() }.give(app_source, wanted);
}

/// Called by a thread of GStreamer.
///
/// # Safety
/// `source` is the [`Source`] of the pipeline.
unsafe extern "C" fn seek_data(_: *mut c_void, position: u64, source: *mut c_void) -> c_int {
    // SAFETY: it lives until the pipeline has stopped.
    unsafe { &*source.cast::<Source<'_>>() }
        .position
        .store(position, Ordering::Release);
    1
}

/// A reference to an object of GStreamer.
struct Object<'a>(NonNull<c_void>, &'a Functions);

impl<'a> Object<'a> {
    fn new(functions: &'a Functions, object: *mut c_void) -> Option<Self> {
        NonNull::new(object).map(|object| Self(object, functions))
    }

    /// Returns the element of this name in a pipeline.
    fn child(&self, name: &CStr) -> Result<Self, PlayError> {
        // SAFETY: this is a pipeline; the child is a new reference.
        let child = unsafe { (self.1.gst_bin_get_by_name)(self.0.as_ptr(), name.as_ptr()) };
        Self::new(self.1, child)
            .ok_or_else(|| PlayError::NoDecoder(format!("there is no {name:?}")))
    }
}

impl Drop for Object<'_> {
    fn drop(&mut self) {
        // SAFETY: this is the last use of the reference.
        unsafe { (self.1.gst_object_unref)(self.0.as_ptr()) };
    }
}

/// A reference to a sample or a message.
struct Data<'a>(NonNull<c_void>, &'a Functions);

/// The beginning of a message.
#[repr(C)]
struct MessageHead {
    mini_object: MiniObject,
    kind: c_int,
}

/// The part that samples, buffers and messages begin with.
#[repr(C)]
struct MiniObject {
    kind: usize,
    references: c_int,
    lock_state: c_int,
    flags: c_uint,
    functions: [*mut c_void; 3],
    private: (c_uint, *mut c_void),
}

impl<'a> Data<'a> {
    fn new(functions: &'a Functions, data: *mut c_void) -> Option<Self> {
        NonNull::new(data).map(|data| Self(data, functions))
    }

    /// Returns the type of a message.
    fn message_type(&self) -> c_int {
        // SAFETY: this is a message, and the beginning of messages is public and stable.
        unsafe { self.0.cast::<MessageHead>().as_ref() }.kind
    }
}

impl Drop for Data<'_> {
    fn drop(&mut self) {
        // SAFETY: this is the last use of the reference.
        unsafe { (self.1.gst_mini_object_unref)(self.0.as_ptr()) };
    }
}
