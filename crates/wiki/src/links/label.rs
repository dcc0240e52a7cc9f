//! The label of a link between double brackets that has no text of its own: the name of its page, as
//! `ui/src/markdown/rules/wiki-links.ts` shows it.

use super::destination::{Meaning, decode, meaning, tail};
use super::display::{bindings, erased_path};
use super::scan::Form;
use super::spelling;
use crate::id::PageId;
use crate::path::PagePath;
use crate::repository::path_state;
use crate::store::{Read, StorageError};

/// The label of a link.
pub(crate) struct Label {
    pub(crate) text: String,
    /// The page that the link leads to.
    pub(crate) page: Option<PageId>,
}

/// Returns the label of a link in the latest text of `source`, by its destination as stored there: an id, or an
/// absolute path.
pub(crate) fn label(
    txn: &impl Read,
    source: PageId,
    destination: &str,
) -> Result<Label, StorageError> {
    let page = match meaning(destination, &PagePath::root()) {
        Meaning::Page(id) => Some(id),
        Meaning::Path(path) => bindings(txn, source)?.get(&path).copied(),
        Meaning::Asset(..) | Meaning::Other => None,
    };
    let Some(id) = page else {
        return Ok(Label {
            text: name(destination),
            page: None,
        });
    };
    // A deleted or erased page keeps its last name.
    let path = match path_state(txn, id)? {
        Some(state) => Some(state.path().clone()),
        None => erased_path(txn, id)?,
    };
    let spelled = match path {
        Some(path) => spelling::path(&path, Form::Wiki),
        None => spelling::id(id),
    };
    Ok(Label {
        text: name(&(spelled + tail(destination))),
        page,
    })
}

/// Returns the last segment of a destination.
fn name(destination: &str) -> String {
    let segment = destination.rsplit('/').find(|name| !name.is_empty());
    decode(segment.unwrap_or("/"))
}
