//! The files of pages in the model (docs/spec/wiki.md, Files). Their state follows from the state of their
//! pages.

use std::collections::BTreeMap;

use fumikura_wiki::{AssetId, PageId};

use crate::state::{Page, PageStatus, Refusals};

#[derive(Debug, Clone, Default)]
pub(crate) struct Files(BTreeMap<AssetId, File>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) state: FileState,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileState {
    Live(PageId),
    Deleted {
        page: PageId,
        with_page: bool,
    },
    /// With the last path of its page.
    Orphaned(String),
}

/// The state and path of each page, as far as files depend on them.
pub(crate) type Pages = BTreeMap<PageId, (PageStatus, String)>;

pub(crate) fn page_statuses(pages: &BTreeMap<PageId, Page>) -> Pages {
    let status = |(id, page): (&PageId, &Page)| (*id, (page.status, page.path.clone()));
    pages.iter().map(status).collect()
}

impl Files {
    pub(crate) fn get(&self, id: AssetId) -> Option<&File> {
        self.0.get(&id)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// A page's files, live and deleted.
    pub(crate) fn of(&self, page: PageId) -> BTreeMap<AssetId, File> {
        let own = |file: &File| match file.state {
            FileState::Live(of) | FileState::Deleted { page: of, .. } => of == page,
            FileState::Orphaned(_) => false,
        };
        let files = self.0.iter().filter(|(_, file)| own(file));
        files.map(|(id, file)| (*id, file.clone())).collect()
    }

    pub(crate) fn orphaned(&self) -> BTreeMap<AssetId, File> {
        let is_orphaned = |file: &File| matches!(file.state, FileState::Orphaned(_));
        let files = self.0.iter().filter(|(_, file)| is_orphaned(file));
        files.map(|(id, file)| (*id, file.clone())).collect()
    }

    /// Updates the files after changes of their pages.
    pub(crate) fn follow(&mut self, before: &Pages, after: &Pages) {
        for (page, (was, path)) in before {
            let is = after.get(page).map(|(status, _)| *status);
            self.0.retain(|_, file| {
                let state = match (*was, is, &file.state) {
                    (
                        PageStatus::Draft,
                        None,
                        FileState::Live(of) | FileState::Deleted { page: of, .. },
                    ) if of == page => {
                        return false;
                    }
                    (_, None, FileState::Live(of) | FileState::Deleted { page: of, .. })
                        if of == page =>
                    {
                        FileState::Orphaned(path.clone())
                    }
                    (
                        PageStatus::Existing,
                        Some(PageStatus::Deleted { .. }),
                        FileState::Live(of),
                    ) if of == page => FileState::Deleted {
                        page: *page,
                        with_page: true,
                    },
                    (
                        PageStatus::Deleted { .. },
                        Some(PageStatus::Existing),
                        FileState::Deleted {
                            page: of,
                            with_page: true,
                        },
                    ) if of == page => FileState::Live(*page),
                    (_, _, same) => same.clone(),
                };
                file.state = state;
                true
            });
        }
    }

    /// The reasons why a page can't take a file of this name.
    pub(crate) fn can_add(
        &self,
        file: Option<AssetId>,
        name: &str,
        page: PageId,
        status: PageStatus,
    ) -> Refusals {
        let mut refusals = Refusals::new();
        if matches!(status, PageStatus::Deleted { .. }) {
            refusals.insert("page_deleted");
        }
        let taken = self.0.iter().any(|(id, other)| {
            Some(*id) != file && other.name == name && other.state == FileState::Live(page)
        });
        if taken {
            refusals.insert("file_name_taken");
        }
        refusals
    }

    /// The reasons why a file that has to be live is refused.
    pub(crate) fn must_be_live(&self, id: AssetId) -> Refusals {
        match self.0[&id].state {
            FileState::Live(_) => Refusals::new(),
            FileState::Deleted { .. } => Refusals::from(["deleted"]),
            FileState::Orphaned(_) => Refusals::from(["orphaned"]),
        }
    }

    pub(crate) fn add(&mut self, id: AssetId, name: &str, page: PageId) {
        let file = File {
            name: name.to_owned(),
            state: FileState::Live(page),
        };
        self.0.insert(id, file);
    }

    pub(crate) fn rename(&mut self, id: AssetId, name: &str) {
        self.of_id(id).name = name.to_owned();
    }

    pub(crate) fn set(&mut self, id: AssetId, state: FileState) {
        self.of_id(id).state = state;
    }

    pub(crate) fn purge(&mut self, id: AssetId) {
        self.0.remove(&id);
    }

    fn of_id(&mut self, id: AssetId) -> &mut File {
        self.0.get_mut(&id).expect("it is there")
    }
}
