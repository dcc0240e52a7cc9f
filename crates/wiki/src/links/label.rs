//! The label of a link between double brackets that has no text of its own: the title of its page, or else its name,
//! as `ui/src/markdown/rules/links/wiki-links.ts` shows it.

use super::destination::{Meaning, decode, meaning, tail};
use super::scan::Form;
use super::spelling;
use crate::id::PageId;
use crate::markdown::wiki_target;
use crate::page_names::PageNames;
use crate::pages::{Title, resolve_nested_row};
use crate::path::PagePath;
use crate::store::StorageError;

/// The label of a link.
pub(crate) struct Label {
    pub(crate) text: String,
    /// The page that the link leads to, and those whose names its title contains.
    pub(crate) pages: Vec<PageId>,
}

/// The text of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LabelText {
    /// The title of the page, if it exists and has one.
    Title,
    /// The last segment of its path, within the title of another page: titles that name each other end there.
    Name,
}

/// Returns the label of a link in the text of `source`, by its destination as stored there: an id, or an
/// absolute path.
pub(crate) fn label(
    names: &impl PageNames,
    source: PageId,
    destination: &str,
    label_text: LabelText,
) -> Result<Label, StorageError> {
    let destination = &*wiki_target(destination);
    let page = match meaning(destination, &PagePath::root()) {
        Meaning::Page(id) => Some(id),
        Meaning::Path(path) => names.bindings(source)?.get(&path).copied(),
        Meaning::Asset(..) | Meaning::Other => None,
    };
    let Some(id) = page else {
        return Ok(Label {
            text: name(destination),
            pages: Vec::new(),
        });
    };
    // A deleted or erased page keeps its last name.
    let path = match names.path_state(id)? {
        Some(state) => {
            if label_text == LabelText::Title
                && !state.is_deleted()
                && let Some(row) = names.title_row(id)?
            {
                let Title {
                    text,
                    mut linked_pages,
                } = resolve_nested_row(names, id, row)?;
                linked_pages.push(id);
                return Ok(Label {
                    text: text + &decode(tail(destination)),
                    pages: linked_pages,
                });
            }
            Some(state.path().clone())
        }
        None => names.erased_path(id)?,
    };
    let spelled = match path {
        Some(path) => spelling::path(&path, Form::Wiki),
        None => spelling::id(id),
    };
    Ok(Label {
        text: name(&(spelled + tail(destination))),
        pages: vec![id],
    })
}

/// Returns the last segment of a destination.
fn name(destination: &str) -> String {
    let segment = destination.rsplit('/').find(|name| !name.is_empty());
    decode(segment.unwrap_or("/"))
}
