//! Folders of Markdown files: vaults of Obsidian, and what other programs keep in such folders.

use crate::ReadError;
use crate::detect::Format;
use crate::source::{Source, Watch};
use crate::spool::Spool;
use crate::tree::Tree;

/// Reads a folder.
pub(crate) fn read(
    _tree: &Tree,
    _format: Format,
    _spool: &Spool,
    _watch: &mut Watch<'_>,
) -> Result<Source, ReadError> {
    Ok(Source::default())
}
