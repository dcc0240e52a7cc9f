//! What the clipboard holds besides text. WebKitGTK gives a page that is pasted into neither pictures
//! nor files; the web views of other systems give it both.

#[cfg(target_os = "linux")]
mod gtk;
#[cfg(not(target_os = "linux"))]
mod none;

use std::path::PathBuf;

#[cfg(target_os = "linux")]
pub(crate) use gtk::read;
#[cfg(not(target_os = "linux"))]
pub(crate) use none::read;

/// What can be pasted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Pasted {
    /// Files that were copied in another program.
    Files(Vec<PathBuf>),
    /// A picture.
    Picture {
        /// What its name ends in: `png`.
        ending: &'static str,
        /// As a file of that kind.
        contents: Vec<u8>,
    },
    /// Neither.
    Nothing,
}
