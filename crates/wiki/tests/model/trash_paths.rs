//! Names of pages in the trash whose paths have another meaning: `/a@trash`, `/a@trash-2026-11-28`.

use std::collections::BTreeSet;

use fumikura_wiki::PageId;

use crate::run::NOON;
use crate::state::{ModelState, PageStatus};

/// The last path of the named page, and the start of the time of its deletion.
type Name<'t> = (&'t str, &'t str);

fn parse(path: &str) -> Option<Name<'_>> {
    let (last, time) = path.rsplit_once("@trash")?;
    if last.is_empty() || (last.ends_with('/') && last != "/") {
        return None;
    }
    match time.strip_prefix('-') {
        Some(start) => Some((last, start)),
        None => time.is_empty().then_some((last, "")),
    }
}

fn time_text(seconds: i64) -> String {
    let time = jiff::Timestamp::from_second(NOON + seconds);
    time.expect("it is in range").to_string()
}

impl ModelState {
    /// The pages in the trash that were at a path, with the times of their deletions, the first deletion first.
    fn deletions_at(&self, path: &str) -> Vec<(i64, PageId)> {
        let deletion = |(id, page): (&PageId, &crate::state::Page)| match page.status {
            PageStatus::Deleted { at, .. } if page.path == path => Some((at, *id)),
            PageStatus::Deleted { .. } | PageStatus::Draft | PageStatus::Existing => None,
        };
        let mut deletions: Vec<_> = self.pages.iter().filter_map(deletion).collect();
        deletions.sort_unstable();
        deletions
    }

    /// The shortest name that tells a page in the trash from the others that were at its path. No page has or had the
    /// name as its path, and it is not in `waiting`.
    pub(crate) fn trash_path(&self, id: PageId, waiting: &BTreeSet<String>) -> Option<String> {
        let path = &self.pages[&id].path;
        let deletions = self.deletions_at(path);
        let (at, _) = deletions.iter().find(|(_, other)| *other == id)?;
        let own = time_text(*at);
        let names = [0, "2026-11-28".len(), "2026-11-28T12:00".len(), own.len()].map(|length| {
            let start = &own[..length];
            let same = deletions
                .iter()
                .filter(|(at, _)| time_text(*at).starts_with(start));
            let dash = if length == 0 { "" } else { "-" };
            (same.count() == 1).then(|| format!("{path}@trash{dash}{start}"))
        });
        let is_used = |name: &String| {
            let saved = self
                .pages
                .values()
                .filter(|page| page.status != PageStatus::Draft);
            let used = saved.flat_map(|page| page.left.keys().chain([&page.path]));
            used.chain(self.erased.values()).any(|path| path == name)
        };
        let mut names = names.into_iter().flatten();
        names.find(|name| !is_used(name) && !waiting.contains(name))
    }

    /// The page in the trash that a path names.
    pub(crate) fn in_trash(
        &self,
        path: &str,
        is_candidate: impl Fn(PageId) -> bool,
    ) -> Option<PageId> {
        let (last, start) = parse(path)?;
        let mut deletions = self.deletions_at(last).into_iter();
        let named =
            deletions.find(|(at, id)| time_text(*at).starts_with(start) && is_candidate(*id));
        named.map(|(_, id)| id)
    }

    /// The page that a path named in a text that links to `linked`, while that page was in the trash.
    pub(crate) fn was_in_trash(&self, path: &str, linked: &BTreeSet<PageId>) -> Option<PageId> {
        let in_trash = self.in_trash(path, |id| linked.contains(&id));
        let (last, start) = parse(path)?;
        let left = |id: &PageId| {
            let at = *self.pages.get(id)?.left.get(last)?;
            time_text(at).starts_with(start).then_some((at, *id))
        };
        let restored = || linked.iter().filter_map(left).min().map(|(_, id)| id);
        in_trash.or_else(restored)
    }

    /// The path of the page that a path named as one in the trash.
    pub(crate) fn last_path_in(path: &str) -> Option<&str> {
        parse(path).map(|(last, _)| last)
    }
}
