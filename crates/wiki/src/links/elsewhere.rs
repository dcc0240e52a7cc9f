//! Conversion of stored text to text that is read elsewhere, where pages and files have other names.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

use super::destination::{Meaning, meaning};
use super::scan::{Destination, Form, scan};
use super::spelling;
use crate::id::PageId;
use crate::page_names::PageNames;
use crate::path::PagePath;
use crate::store::StorageError;

/// The target of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkEnd<'t> {
    /// A page by its path, also a deleted or an unwritten one.
    Page(&'t PagePath),
    /// A file of a page.
    File(PageId, &'t str),
}

/// Returns the text of a page with the destinations that `place` returns: for a page without the extension
/// of its file. A link without a place stays as written.
///
/// The text is read by another program, so it need not have the same links here.
pub(crate) fn text_elsewhere(
    names: &impl PageNames,
    page: PageId,
    base: &PagePath,
    stored: &str,
    place: &mut dyn FnMut(LinkEnd<'_>) -> Option<String>,
) -> Result<String, StorageError> {
    let bound = names.bindings(page)?;
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for link in scan(stored) {
        let path = match meaning(&link.value, base) {
            Meaning::Page(id) => last_path(names, id)?,
            Meaning::Path(path) => match bound.get(&path) {
                Some(id) => last_path(names, *id)?.or(Some(path)),
                None => Some(path),
            },
            Meaning::Asset(owner, name) => {
                let owner = names.page_at(&owner)?;
                let file = owner.and_then(|owner| place(LinkEnd::File(owner, &name)));
                if let Some(file) = file {
                    edits.push((written(&link), spelled(&file, link.form)));
                }
                continue;
            }
            Meaning::Other => continue,
        };
        let Some(mut entry) = path.and_then(|path| place(LinkEnd::Page(&path))) else {
            continue;
        };
        if !matches!(link.form, Form::Wiki | Form::Property(_)) {
            entry.push_str(".md");
        }
        edits.push((written(&link), spelled(&entry, link.form)));
    }
    for (range, name) in embeds(stored) {
        if let Some(file) = place(LinkEnd::File(page, &name)) {
            edits.push((range, file));
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    let (mut text, mut at) = (String::with_capacity(stored.len()), 0);
    for (range, destination) in edits {
        // An embed is no link here, so the two never overlap unless the two parsers disagree.
        if range.start < at {
            continue;
        }
        text.push_str(&stored[at..range.start]);
        text.push_str(&destination);
        at = range.end;
    }
    text.push_str(&stored[at..]);
    Ok(text)
}

/// Returns where a destination is written, without what follows its path.
fn written(link: &Destination) -> Range<usize> {
    link.range.start..link.tail
}

fn spelled(place: &str, form: Form) -> String {
    match form {
        Form::Wiki => place.to_owned(),
        Form::Property(quotes) => spelling::in_quotes(place, quotes),
        Form::Plain | Form::Angle | Form::Autolink => spelling::text(place, form),
    }
}

/// Returns the files that `![[name.png]]` embeds, each with the range of its name.
pub(super) fn embeds(text: &str) -> Vec<(Range<usize>, String)> {
    if !text.contains("![[") {
        return Vec::new();
    }
    let options = Options::ENABLE_WIKILINKS
        | Options::ENABLE_TABLES
        | Options::ENABLE_MATH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let events = Parser::new_ext(text, options).into_offset_iter();
    let found = events.filter_map(|(event, range)| {
        let image = matches!(
            event,
            Event::Start(Tag::Image {
                link_type: LinkType::WikiLink { .. },
                ..
            })
        );
        let inner = text[range.clone()].strip_prefix("![[").filter(|_| image)?;
        let name = &inner[..inner.find(['|', ']'])?];
        // In a table the bar after it is written `\|`.
        let name = name.strip_suffix('\\').unwrap_or(name);
        let start = range.start + "![[".len();
        (!name.starts_with('/')).then(|| (start..start + name.len(), name.trim().to_owned()))
    });
    found.collect()
}

/// Returns the path of a page, or the last path that it had.
fn last_path(names: &impl PageNames, page: PageId) -> Result<Option<PagePath>, StorageError> {
    match names.path_state(page)? {
        Some(state) => Ok(Some(state.path().clone())),
        None => names.erased_path(page),
    }
}
