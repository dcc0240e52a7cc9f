//! The links of a page that is renamed (docs/spec/wiki.md, Renames).

use std::collections::{BTreeMap, BTreeSet};

use super::destination::{Meaning, is_asset, is_relative, meaning};
use super::display::bindings;
use super::rewrite::{Rewrite, RewrittenText};
use super::scan::scan;
use super::warning::{LinkChanges, LinkWarning, is_own, name};
use crate::id::PageId;
use crate::model::link::LinkTarget;
use crate::model::page::PageInfo;
use crate::path::PagePath;
use crate::repository::path_state;
use crate::store::{Read, StorageError};

/// The links of a page that moves to another path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MovedText {
    /// The text to store from now on: every link that leads to a page has its id.
    pub(crate) text: String,
    /// The targets of its links at the new path.
    pub(crate) targets: Vec<LinkTarget>,
    /// The meanings of the links just before, by path; `None` if a link led to no page.
    pub(crate) link_refs: BTreeMap<String, Option<PageId>>,
    /// Links that mean something else at the new path.
    pub(crate) warnings: Vec<LinkWarning>,
}

/// Determines the effect of a page's new path on the links of its latest text. Must be called before any page
/// that moves along is at its new path. After all are, [`bind_waiting_links`](super::bind_waiting_links) must
/// be called for each.
///
/// `MovedText::text` must become the page's latest text, in a revision of its own or in place of the latest one, of
/// which it is another spelling.
pub(crate) fn move_page(
    txn: &impl Read,
    page: &PageInfo,
    text: &str,
    to: &PagePath,
) -> Result<MovedText, StorageError> {
    let from = page.path_state.path();
    let bound = bindings(txn, page.page_id)?;
    let links = scan(text);
    let mut rewrite = Rewrite::new(text, &links);
    let mut resolved = Vec::new();
    let mut link_refs = BTreeMap::new();
    let mut targets = BTreeSet::new();
    let mut changes = LinkChanges::default();
    for (number, written) in links.iter().enumerate() {
        let destination = &written.value;
        let link = &text[written.range.clone()];
        match meaning(destination, from) {
            Meaning::Page(id) => {
                add_link_ref(txn, &mut link_refs, id)?;
                targets.insert(LinkTarget::Page(id));
            }
            Meaning::Path(path) => match bound.get(&path) {
                Some(id) => {
                    rewrite.put_id(number, *id);
                    resolved.push((number, *id));
                    add_link_ref(txn, &mut link_refs, *id)?;
                }
                None => {
                    let after = meaning(destination, to);
                    if let Meaning::Path(path) = &after {
                        targets.insert(LinkTarget::Path {
                            path: path.clone(),
                            bound: None,
                        });
                    }
                    changes.add(link, name(&Meaning::Path(path.clone())), name(&after));
                    link_refs.entry(path.to_string()).or_insert(None);
                }
            },
            before @ Meaning::Asset(..) => {
                let after = meaning(destination, to);
                if !(is_own(&before, from) && is_own(&after, to)) {
                    changes.add(link, name(&before), name(&after));
                }
            }
            Meaning::Other if is_relative(destination) => {
                let after = meaning(destination, to);
                if let Meaning::Path(path) = &after {
                    targets.insert(LinkTarget::Path {
                        path: path.clone(),
                        bound: None,
                    });
                }
                changes.add(link, String::new(), name(&after));
            }
            Meaning::Other => {}
        }
    }
    let RewrittenText { text, left, .. } = rewrite.finish();
    for (number, id) in resolved {
        if !left.contains(&number) {
            targets.insert(LinkTarget::Page(id));
        } else if let Meaning::Path(path) = meaning(&links[number].value, to) {
            let bound = Some(id);
            targets.insert(LinkTarget::Path { path, bound });
        }
    }
    Ok(MovedText {
        text,
        targets: targets.into_iter().collect(),
        link_refs,
        warnings: changes.warnings,
    })
}

/// True if the warning concerns a file whose page moves along, from beneath `from` to beneath `to`: then the
/// link still means the same file.
pub(crate) fn stays_same_file(warning: &LinkWarning, from: &PagePath, to: &PagePath) -> bool {
    let along = PagePath::new(&warning.before).is_ok_and(|before| {
        before.is_within(from)
            && before.moved(from, to).as_ref().map(PagePath::as_str) == Ok(&warning.after)
    });
    along && is_asset(&warning.link)
}

/// Records a link to the page, under its current path or the path that it had when it was deleted. A page that
/// exists takes precedence over a deleted one.
fn add_link_ref(
    txn: &impl Read,
    link_refs: &mut BTreeMap<String, Option<PageId>>,
    id: PageId,
) -> Result<(), StorageError> {
    let Some(state) = path_state(txn, id)? else {
        return Ok(());
    };
    let path = state.path().to_string();
    match link_refs.get(&path) {
        Some(Some(_)) if state.is_deleted() => {}
        _ => {
            link_refs.insert(path, Some(id));
        }
    }
    Ok(())
}
