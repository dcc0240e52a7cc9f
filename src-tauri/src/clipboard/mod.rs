//! The contents of the clipboard besides text. WebKitGTK passes neither pictures nor files to a page on
//! paste.

mod gtk;

use std::path::PathBuf;

pub(crate) use gtk::{read, write_text};

/// The pasted contents.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ClipboardContents {
    /// Files that were copied in another program.
    Files(Vec<PathBuf>),
    /// A picture.
    Picture {
        /// The extension of its name: `png`.
        ending: &'static str,
        /// The bytes of a file in that format.
        contents: Vec<u8>,
    },
    /// Neither files nor a picture.
    Nothing,
}
