//! Contact sheets: pictures in rows on the pages of a PDF, with captions.
//!
//! A sheet is written as its pictures come, so it needs the memory of one page. It knows nothing of folders: its
//! pictures are complete JPEGs, upright and in sRGB.

mod font;
mod jpeg;
mod layout;
mod pdf;
mod sheet;

pub use font::Font;
pub use layout::{InvalidLayout, Layout, PageSize, SheetLayout};
pub use sheet::{Cell, Sheet};
