//! What a link between double brackets shows that has no text of its own: what its page is called, as
//! `ui/src/markdown/rules/wiki-links.ts` has it.

use super::destination::{Meaning, decode, meaning, tail};
use super::resolve::path_state;
use super::scan::Form;
use super::shown::{bound_paths, erased_path};
use super::spelling;
use crate::id::PageId;
use crate::path::PagePath;
use crate::store::{Read, StorageError};

/// What a link shows.
pub(crate) struct Label {
    pub(crate) text: String,
    /// The page that it names.
    pub(crate) page: Option<PageId>,
}

/// What a link shows in the newest text of `source`, by its destination as it is kept there: an id, or an
/// absolute path.
pub(crate) fn label(
    txn: &impl Read,
    source: PageId,
    destination: &str,
) -> Result<Label, StorageError> {
    let page = match meaning(destination, &PagePath::root()) {
        Meaning::Page(id) => Some(id),
        Meaning::Path(path) => bound_paths(txn, source)?.get(&path).copied(),
        Meaning::Asset(..) | Meaning::Other => None,
    };
    let Some(id) = page else {
        return Ok(Label {
            text: name(destination),
            page: None,
        });
    };
    // A page that is deleted or erased keeps the name that it had.
    let path = match path_state(txn, id)? {
        Some(state) => Some(state.path().clone()),
        None => erased_path(txn, id)?,
    };
    let shown = match path {
        Some(path) => spelling::path(&path, Form::Wiki),
        None => spelling::id(id),
    };
    Ok(Label {
        text: name(&(shown + tail(destination))),
        page,
    })
}

/// The last segment of a destination.
fn name(destination: &str) -> String {
    let segment = destination.rsplit('/').find(|name| !name.is_empty());
    decode(segment.unwrap_or("/"))
}
