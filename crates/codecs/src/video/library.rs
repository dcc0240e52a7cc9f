//! The functions of the system's GStreamer that decode a frame, found at run time: the program starts without it.
#![expect(
    unsafe_code,
    reason = "GStreamer is a C library; each call states why it is sound"
)]

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

/// The library, by the name of its stable interface. The functions of those on which it depends are found through it.
const APP: &CStr = c"libgstapp-1.0.so.0";

/// The plugins that may see a video, as far as the system has them: reading of containers, parsing, decoding and
/// conversion. None of them uses a device, the network or a display.
const PLUGINS: [&str; 21] = [
    "coreelements",
    "app",
    "playback",
    "typefindfunctions",
    // One plugin from 1.22 on, and two before.
    "videoconvertscale",
    "videoconvert",
    "videoscale",
    "isomp4",
    "matroska",
    "avi",
    "videoparsersbad",
    "jpeg",
    "png",
    "vpx",
    "theora",
    "dav1d",
    "rsdav1d",
    "aom",
    "openh264",
    "de265",
    "libav",
];

/// An error of GLib.
#[repr(C)]
pub(super) struct GError {
    pub(super) domain: u32,
    pub(super) code: c_int,
    pub(super) message: *mut c_char,
}

/// The functions that a source calls when it needs data.
#[repr(C)]
pub(super) struct SourceCallbacks {
    pub(super) need_data: unsafe extern "C" fn(*mut c_void, c_uint, *mut c_void),
    pub(super) enough_data: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
    pub(super) seek_data: unsafe extern "C" fn(*mut c_void, u64, *mut c_void) -> c_int,
    pub(super) reserved: [*mut c_void; 4],
}

macro_rules! functions {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// Addresses of functions, by their C names.
        #[derive(Debug)]
        pub(super) struct Functions {
            $(pub(super) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            /// Finds the functions.
            ///
            /// # Safety
            /// `library` is an open handle of libraries with these functions, with these types.
            unsafe fn find(library: *mut c_void) -> Result<Self, String> {
                Ok(Self {
                    $($name: {
                        let name = concat!(stringify!($name), "\0");
                        // SAFETY: the handle is open, and the name ends with a zero.
                        let address = unsafe { libc::dlsym(library, name.as_ptr().cast()) };
                        if address.is_null() {
                            return Err(format!("GStreamer lacks {}", stringify!($name)));
                        }
                        // SAFETY: the caller promises that the function has this type.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>(address) }
                    },)*
                })
            }
        }
    };
}

functions! {
    gst_init_check: fn(*mut c_int, *mut c_void, *mut *mut GError) -> c_int;
    gst_plugin_load_file: fn(*const c_char, *mut *mut GError) -> *mut c_void;
    gst_parse_launch: fn(*const c_char, *mut *mut GError) -> *mut c_void;
    gst_bin_get_by_name: fn(*mut c_void, *const c_char) -> *mut c_void;
    gst_element_set_state: fn(*mut c_void, c_int) -> c_int;
    gst_element_query_duration: fn(*mut c_void, c_int, *mut i64) -> c_int;
    gst_element_seek_simple: fn(*mut c_void, c_int, c_int, i64) -> c_int;
    gst_element_get_bus: fn(*mut c_void) -> *mut c_void;
    gst_bus_timed_pop_filtered: fn(*mut c_void, u64, c_int) -> *mut c_void;
    gst_message_parse_error: fn(*mut c_void, *mut *mut GError, *mut *mut c_char);
    gst_object_unref: fn(*mut c_void);
    gst_mini_object_unref: fn(*mut c_void);
    gst_core_error_quark: fn() -> u32;
    gst_stream_error_quark: fn() -> u32;
    gst_sample_get_buffer: fn(*mut c_void) -> *mut c_void;
    gst_sample_get_caps: fn(*mut c_void) -> *mut c_void;
    gst_caps_get_structure: fn(*const c_void, c_uint) -> *mut c_void;
    gst_structure_get_int: fn(*const c_void, *const c_char, *mut c_int) -> c_int;
    gst_buffer_get_size: fn(*mut c_void) -> usize;
    gst_buffer_extract: fn(*mut c_void, usize, *mut c_void, usize) -> usize;
    gst_buffer_new_allocate: fn(*mut c_void, usize, *mut c_void) -> *mut c_void;
    gst_buffer_fill: fn(*mut c_void, usize, *const c_void, usize) -> usize;
    gst_app_sink_try_pull_preroll: fn(*mut c_void, u64) -> *mut c_void;
    gst_app_src_set_callbacks: fn(*mut c_void, *mut SourceCallbacks, *mut c_void, Option<unsafe extern "C" fn(*mut c_void)>);
    gst_app_src_set_size: fn(*mut c_void, i64);
    gst_app_src_push_buffer: fn(*mut c_void, *mut c_void) -> c_int;
    gst_app_src_end_of_stream: fn(*mut c_void) -> c_int;
    g_error_free: fn(*mut GError);
    g_free: fn(*mut c_void);
}

impl Functions {
    /// Loads GStreamer and its plugins into this process. Nothing is written, and no other process is started: the
    /// system's registry of plugins is not used.
    ///
    /// # Safety
    /// No other thread reads or changes the environment.
    pub(super) unsafe fn load() -> Result<Self, String> {
        let app = open(APP)?;
        // SAFETY: the caller promises that no other thread uses the environment.
        unsafe { std::env::set_var("GST_REGISTRY_DISABLE", "yes") };
        // Each arena of a thread would reserve 64 MiB of the limited address space.
        // SAFETY: this changes a parameter of the allocator.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
        // SAFETY: these are the libraries with these functions, whose types are stable within 1.0.
        let functions = unsafe { Self::find(app) }?;
        let mut error = ptr::null_mut();
        // SAFETY: there are no arguments; the error is freed below.
        if unsafe { (functions.gst_init_check)(ptr::null_mut(), ptr::null_mut(), &raw mut error) }
            == 0
        {
            return Err(functions.take_error(error));
        }
        let folder = plugin_folder(functions.gst_init_check as *const c_void)?;
        for plugin in PLUGINS {
            functions.load_plugin(&folder.join(format!("libgst{plugin}.so")));
        }
        Ok(functions)
    }

    /// Loads a plugin. One that is missing, or can't be loaded, is left out.
    fn load_plugin(&self, path: &Path) {
        let Some(path) = path.to_str().and_then(|path| CString::new(path).ok()) else {
            return;
        };
        let mut error = ptr::null_mut();
        // SAFETY: the path ends with a zero. The plugin stays registered; the reference to it is never freed, like
        // the plugin itself.
        unsafe { (self.gst_plugin_load_file)(path.as_ptr(), &raw mut error) };
        if !error.is_null() {
            drop(self.take_error(error));
        }
    }

    /// Returns the text of an error, and frees it.
    pub(super) fn take_error(&self, error: *mut GError) -> String {
        if error.is_null() {
            return "an unknown error of GStreamer".to_owned();
        }
        // SAFETY: the error is valid, with a text that ends with a zero, and is not used afterwards.
        unsafe {
            let text = CStr::from_ptr((*error).message)
                .to_string_lossy()
                .into_owned();
            (self.g_error_free)(error);
            text
        }
    }
}

/// Opens a library for the rest of the process's life.
fn open(name: &CStr) -> Result<*mut c_void, String> {
    // SAFETY: the system's GStreamer may be loaded at any time. Its names stay local: this program contains other
    // builds of some of the libraries that it uses.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if !handle.is_null() {
        return Ok(handle);
    }
    // SAFETY: after a failure, the text is valid until the next call.
    let text = unsafe { CStr::from_ptr(libc::dlerror()) };
    Err(text.to_string_lossy().into_owned())
}

/// Returns the folder of the system's plugins, which is beside the library.
fn plugin_folder(function: *const c_void) -> Result<PathBuf, String> {
    let mut place = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: the structure is for the result.
    let found = unsafe { libc::dladdr(function, place.as_mut_ptr()) };
    // SAFETY: zeros are a valid value, too.
    let path = unsafe { place.assume_init() }.dli_fname;
    if found == 0 || path.is_null() {
        return Err("GStreamer's folder is unknown".to_owned());
    }
    // SAFETY: the name of a loaded library ends with a zero.
    let path = unsafe { CStr::from_ptr(path) }
        .to_string_lossy()
        .into_owned();
    let folder = Path::new(&path).parent().unwrap_or(Path::new("/"));
    Ok(folder.join("gstreamer-1.0"))
}
