//! Exports an archive from a wiki after any steps, and imports it into another one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Seek, Write};
use std::ops::ControlFlow;

use fumikura_wiki::*;

use super::{Run, open, page_path};

/// A seed that no wiki of a run uses.
const SEED: u64 = u64::MAX;

impl Run {
    /// Moves everything to a new wiki, which then has the same pages, with the same texts and files.
    pub(crate) fn check_archive(&self) {
        let folder = tempfile::tempdir().unwrap();
        let there = open(&folder, &self.clock, SEED);
        let name = UserName::new("Cid").unwrap();
        let user = there.users().register(name, Template::Ja).unwrap().user.id;
        let archive = self.archive();
        let import = || {
            let request = ImportRequest {
                user,
                on_conflict: OnConflict::Replace,
                limit: 64 << 20,
            };
            let archive = archive.try_clone().unwrap();
            let plan = there
                .archives()
                .plan_import(archive, request, &mut on)
                .unwrap();
            there.archives().apply_import(plan).unwrap()
        };
        let done = import();
        let pages: BTreeMap<String, PageId> = self
            .state
            .all()
            .into_iter()
            .filter(|(_, _, deleted)| !deleted)
            .map(|(path, id, _)| (path, id))
            .collect();
        let imported = done.created.iter().chain(&done.replaced);
        let imported: BTreeSet<&str> = imported.map(|page| page.path.as_str()).collect();
        let expected: BTreeSet<&str> = pages.keys().map(String::as_str).collect();
        assert_eq!(imported, expected);
        for (path, id) in &pages {
            let same = there.pages().resolve(&page_path(path)).unwrap().id;
            assert_eq!(
                page_contents(self.wiki(), *id, |link| self.link_in_archive(*id, link)),
                page_contents(&there, same, |_| None),
                "{path}"
            );
        }
        let again = import();
        assert_eq!(
            (again.created, again.replaced, again.added),
            Default::default()
        );
        let report = there.check(Depth::Tables).unwrap();
        assert!(report.faults.is_empty(), "{:#?}", report.faults);
    }

    /// Moves everything to a new wiki by a full archive, and exports that one: both archives have the same bytes.
    pub(crate) fn check_full_archive(&self) {
        let folder = tempfile::tempdir().unwrap();
        let there = open(&folder, &self.clock, SEED);
        let name = UserName::new("Cid").unwrap();
        there.users().register(name, Template::Ja).unwrap();
        let export = |wiki: &Wiki| {
            let mut out = Vec::new();
            let taken = wiki
                .archives()
                .begin_export(folder.path(), ExportForm::Full);
            let done = wiki
                .archives()
                .write_export(taken.unwrap(), &mut out, &mut on);
            assert_eq!(done.unwrap().missing, []);
            out
        };
        let archive = export(self.wiki());
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&archive).unwrap();
        let plan = there
            .archives()
            .plan_restore(file, 64 << 20, folder.path(), &mut on)
            .unwrap();
        there.archives().apply_restore(plan).unwrap();
        let report = there.check(Depth::Everything).unwrap();
        assert!(report.faults.is_empty(), "{:#?}", report.faults);
        assert!(archive == export(&there), "the archives differ");
    }

    /// The target of a page's link to a deleted page in an archive, which has nothing else of it: the path by which the
    /// text names it.
    fn link_in_archive(&self, page: PageId, to: PageId) -> Option<String> {
        let targets = self.state.targets(page, &self.state.newest(page).1.text);
        let name = self.state.name(to, &targets);
        if name.starts_with("page:") {
            return None;
        }
        Some(match self.state.saved_at(&name) {
            Some(_) => name,
            None => format!("waiting: {name}"),
        })
    }

    fn archive(&self) -> File {
        let aside = tempfile::tempdir().unwrap();
        let mut archive = tempfile::tempfile().unwrap();
        let taken = self
            .wiki()
            .archives()
            .begin_export(aside.path(), ExportForm::Archive)
            .unwrap();
        let wiki = self.wiki();
        let done = wiki
            .archives()
            .write_export(taken, &mut archive, &mut on)
            .unwrap();
        assert_eq!(done.missing, []);
        archive.rewind().unwrap();
        archive
    }
}

fn on(_done: u64, _total: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The visible contents of a page.
#[derive(Debug, PartialEq)]
struct PageContents {
    text: String,
    links: BTreeSet<String>,
    files: BTreeSet<(FileName, [u8; 32])>,
}

fn page_contents(
    wiki: &Wiki,
    page: PageId,
    deleted: impl Fn(PageId) -> Option<String>,
) -> PageContents {
    let text = wiki.pages().source(page, None).unwrap().source;
    let links = wiki.links().of_page(page).unwrap().into_iter();
    let link = |link| match link {
        PageLink::Page {
            path: Some(path),
            deleted: false,
            ..
        } => path.to_string(),
        PageLink::Page { page_id, .. } => deleted(page_id).unwrap_or_else(|| page_id.to_string()),
        PageLink::Waiting(path) => format!("waiting: {path}"),
    };
    let files = wiki.assets().of_page(page, false).unwrap().into_iter();
    PageContents {
        links: links.map(link).collect(),
        text,
        files: files.map(|file| (file.file_name, file.sha256)).collect(),
    }
}
