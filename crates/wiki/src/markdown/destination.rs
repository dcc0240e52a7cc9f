//! The destination of a link.

use std::ops::Range;

/// The notation of a destination, which decides which characters may occur in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `(destination)`, or after `[label]:`.
    Plain,
    /// `<destination>` in the same positions.
    Angle,
    /// `[[destination]]`.
    Wiki,
    /// `[[destination]]` in a value of the front matter.
    Property(Quotes),
    /// `<page:…>` in the text. A path cannot be written like this, so it is never rewritten.
    Autolink,
}

/// The YAML around a text, which decides how its characters are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quotes {
    None,
    Single,
    Double,
    /// The lines below `|` or `>`.
    Block,
}

/// The destination of a link or picture, and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Destination {
    /// Its bytes in the text, without the marks around it.
    pub(crate) range: Range<usize>,
    /// The start of its query or fragment, within `range` or at its end.
    pub(crate) tail: usize,
    /// The notation.
    pub(crate) form: Form,
    /// Its value: escapes and entities are resolved.
    pub(crate) value: String,
}
