//! Limits of the markup that is rendered.

/// The maximum nesting of blocks, or of links within one another. Deeper markup is text.
pub(super) const MAX_NESTING: usize = 100;
/// The maximum nesting of brackets in the text of a link.
pub(super) const MAX_LABEL_NESTING: usize = 50;
/// The maximum number of columns of a table that are rendered.
pub(super) const MOST_COLUMNS: usize = 200;
/// The maximum number of footnotes of a page that are rendered.
pub(super) const MAX_FOOTNOTES: usize = 2_000;
