//! Conversion of written text to stored text: paths of pages become their ids (docs/spec/wiki.md, Links).

use std::collections::{BTreeSet, HashMap};

use super::destination::{Meaning, meaning};
use super::display::{Bindings, bindings_of};
use super::resolve::{Choice, KnownPaths, Resolver};
use super::rewrite::{Rewrite, RewrittenText};
use super::scan::{Destination, scan};
use super::spelling;
use super::trash_path::readable_path;
use super::warning::LinkWarning;
use crate::id::PageId;
use crate::latest_text;
use crate::model::link::{LinkTarget, PageLinks};
use crate::path::PagePath;
use crate::properties;
use crate::repository;
use crate::store::{PAGE_LINKS, Read, ReadSets, StorageError, WriteTxn};

/// A text in its stored form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredText {
    pub(crate) text: String,
    /// The targets of its links, each once.
    pub(crate) targets: Vec<LinkTarget>,
    /// The links that a reader might misunderstand.
    pub(crate) warnings: Vec<LinkWarning>,
    pub(super) links: Vec<Destination>,
    /// The current paths of pages that it links to.
    pub(super) known_paths: HashMap<PageId, PagePath>,
    /// The page's row for the text that this one replaces.
    pub(super) before: Option<PageLinks>,
}

impl StoredText {
    pub(super) fn bound_before(&self) -> Bindings {
        let before = self.before.iter();
        bindings_of(before.flat_map(|links| &links.targets))
    }
}

/// Converts a text of the page `page` at `base` to its stored form: destinations that lead to a page become its
/// id, the others stay. The bindings of the page's latest revision still apply. `read` is the page's text as
/// it is shown now, if the author of the text has read it.
pub(crate) fn storage_text(
    txn: &(impl Read + ReadSets),
    page: PageId,
    base: &PagePath,
    text: &str,
    read: Option<&str>,
) -> Result<StoredText, StorageError> {
    // Byte order marks are not part of the text: a browser removes one more each time it reads it.
    let text = text.trim_start_matches('\u{FEFF}');
    let before = txn.get(PAGE_LINKS, &page.to_bytes())?;
    let links = scan(text);
    let known = read.map(|shown| KnownPaths::in_text(shown, base, before.as_ref()));
    let mut resolver = Resolver::new(txn, before.as_ref(), links.len(), known)?;
    let mut rewrite = Rewrite::new(text, &links);
    let mut targets = BTreeSet::new();
    let mut resolved = Vec::new();
    let mut ambiguous_links: Vec<(String, PagePath, Choice)> = Vec::new();
    for (link, written) in links.iter().enumerate() {
        match meaning(&written.value, base) {
            Meaning::Page(id) => {
                rewrite.put_id(link, id);
                targets.insert(LinkTarget::Page(id));
            }
            Meaning::Path(path) => {
                let choice = resolver.choose(&path)?;
                let may_be_old = matches!(choice, Choice::Linked(_)) && read.is_none();
                if may_be_old || matches!(choice, Choice::Former(_, Some(_))) {
                    let destination = text[written.range.clone()].to_owned();
                    ambiguous_links.push((destination, path.clone(), choice.clone()));
                }
                if let Some(id) = choice.page() {
                    rewrite.put_id(link, id);
                    resolved.push((link, path, LinkTarget::Page(id)));
                } else if let Choice::Erased(last) = choice {
                    rewrite.put_path(link, &last);
                    let path_of_erased = LinkTarget::Path {
                        path: last,
                        bound: None,
                    };
                    resolved.push((link, path, path_of_erased));
                } else {
                    targets.insert(LinkTarget::Path { path, bound: None });
                }
            }
            Meaning::Asset(..) | Meaning::Other => {}
        }
    }
    let RewrittenText { text, links, left } = rewrite.finish();
    for (link, path, target) in resolved {
        targets.insert(if left.contains(&link) {
            let bound = target.page();
            LinkTarget::Path { path, bound }
        } else {
            target
        });
    }
    Ok(StoredText {
        text,
        warnings: warnings(&resolver, ambiguous_links, &targets)?,
        targets: targets.into_iter().collect(),
        links,
        known_paths: resolver.into_known_paths(),
        before,
    })
}

/// Gives the links in properties their stored form. Databases of schemas before 6 lack it.
pub(crate) fn put_property_links(txn: &WriteTxn) -> Result<(), StorageError> {
    for info in repository::all_saved(txn)? {
        let newest = match latest_text::latest_for_update(txn, &info) {
            // A damaged page stays as it is, and does not keep the others from being opened.
            Err(error @ StorageError::Damaged { .. }) => {
                tracing::warn!("the links in properties of {} stay: {error}", info.page_id);
                continue;
            }
            newest => newest?,
        };
        if !properties::links(&newest.source).is_empty() {
            let base = info.path_state.path();
            let stored = storage_text(txn, info.page_id, base, &newest.source, None)?;
            let StoredText { text, targets, .. } = stored;
            latest_text::replace_latest_text(txn, info.page_id, newest, text, targets)?;
        }
    }
    Ok(())
}

/// Returns the warnings for links that could mean two pages. A path that leads to the page now at it needs a
/// warning only if the other page, to which the page linked before, has no link left: then the text may be an
/// old one.
fn warnings<T: Read + ReadSets>(
    resolver: &Resolver<'_, T>,
    ambiguous_links: Vec<(String, PagePath, Choice)>,
    targets: &BTreeSet<LinkTarget>,
) -> Result<Vec<LinkWarning>, StorageError> {
    let name = |page: PageId| -> Result<String, StorageError> {
        let path = readable_path(resolver.txn, page)?;
        Ok(path.map_or_else(|| spelling::id(page), |path| path.to_string()))
    };
    let targets_now: BTreeSet<PageId> = targets.iter().filter_map(LinkTarget::page).collect();
    let lost_target = !resolver.linked.is_subset(&targets_now);
    let mut warnings: Vec<LinkWarning> = Vec::new();
    let mut seen = BTreeSet::new();
    for (link, path, choice) in ambiguous_links {
        let (before, after) = match choice {
            Choice::Former(page, Some(_)) => (path.to_string(), name(page)?),
            Choice::Linked(page) if lost_target => match resolver.former(&path, Some(page))? {
                Some(former) if !targets_now.contains(&former) => (name(former)?, path.to_string()),
                Some(_) | None => continue,
            },
            Choice::Linked(_)
            | Choice::Unlinked(_)
            | Choice::Former(_, None)
            | Choice::InTrash(_)
            | Choice::Erased(_)
            | Choice::Nothing => continue,
        };
        if seen.insert(link.clone()) {
            warnings.push(LinkWarning {
                link,
                before,
                after,
            });
        }
    }
    Ok(warnings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::TestWiki;

    #[test]
    fn earlier_texts_get_property_links() {
        let test = TestWiki::new();
        let to = test.page("/to", "");
        let page = test.page("/p", "");
        let wiki = &test.wiki;
        let earlier = "---\na: ['[[/to]]', '[[/new]]']\n---\n";
        let stored = wiki.store.write(|txn| {
            let info = repository::saved(txn, page)?.unwrap();
            let newest = latest_text::latest_for_update(txn, &info)?;
            latest_text::replace_latest_text(txn, page, newest, earlier.to_owned(), Vec::new())?;
            put_property_links(txn)?;
            latest_text::latest_for_update(txn, &info)
        });
        let expected = earlier.replace("/to", &format!("page:{to}"));
        assert_eq!(stored.unwrap().source, expected);
        assert_eq!(wiki.pages().source(page, None).unwrap().source, earlier);
        assert_eq!(wiki.check(crate::check::Depth::Tables).unwrap().faults, []);
    }
}
