//! Comparison of the meaning of two texts of a page: the text between their links, and the targets of the
//! links.

use std::borrow::Cow;

use super::destination::{Meaning, meaning};
use super::display::{Bindings, bindings_of};
use super::scan::{Destination, Form, scan};
use super::spelling;
use super::storage::StoredText;
use crate::id::PageId;
use crate::path::PagePath;

/// True if a text in its stored form means the same as `latest`, the page's latest stored text. A link that is
/// stored as a path counts as the page that the path is bound to.
///
/// Links are compared by meaning and not by their spelling in a rewritten text, because some cannot be
/// rewritten: without the blank in a path, the text before it may be read differently.
pub(crate) fn has_same_meaning(base: &PagePath, latest: &str, new: &StoredText) -> bool {
    if new.text == latest {
        return true;
    }
    let (old_bindings, new_bindings) = (new.bound_before(), bindings_of(&new.targets));
    if old_bindings.is_empty() && new_bindings.is_empty() {
        return false;
    }
    parts_of((latest, &scan(latest)), base, &old_bindings)
        == parts_of((&new.text, &new.links), base, &new_bindings)
}

/// The content of a text: its pieces, alternating with the destinations of its links.
#[derive(PartialEq)]
struct TextParts<'t> {
    pieces: Vec<&'t str>,
    links: Vec<Link<'t>>,
}

/// A destination: a page with what follows its path, or the bytes as written.
#[derive(PartialEq)]
enum Link<'t> {
    Page(PageId, Cow<'t, str>),
    Other(&'t str),
}

fn parts_of<'t>(
    (text, destinations): (&'t str, &[Destination]),
    base: &PagePath,
    bound: &Bindings,
) -> TextParts<'t> {
    let (mut pieces, mut links) = (Vec::new(), Vec::new());
    let mut at = 0;
    for written in destinations {
        let page = match meaning(&written.value, base) {
            _ if written.form == Form::Autolink => None,
            Meaning::Page(id) => Some(id),
            Meaning::Path(path) => bound.get(&path).copied(),
            Meaning::Asset(..) | Meaning::Other => None,
        };
        pieces.push(&text[at..written.range.start]);
        links.push(match page {
            Some(id) => {
                let tail = &text[written.tail..written.range.end];
                Link::Page(id, spelling::tail(tail, written.form))
            }
            None => Link::Other(&text[written.range.clone()]),
        });
        at = written.range.end;
    }
    pieces.push(&text[at..]);
    TextParts { pieces, links }
}
