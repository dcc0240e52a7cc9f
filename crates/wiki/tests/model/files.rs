//! The files of pages in the model (docs/spec/wiki.md, Files). Their state follows from the state of their
//! pages.

use std::collections::BTreeMap;

use fumikura_wiki::{AssetId, PageId};

use crate::state::{Life, Page, Refusals};

#[derive(Debug, Clone, Default)]
pub(crate) struct Files(BTreeMap<AssetId, File>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) fate: Fate,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    Live(PageId),
    Deleted {
        page: PageId,
        with_page: bool,
    },
    /// With the last path of its page.
    Zombie(String),
}

/// The state and path of each page, as far as files depend on them.
pub(crate) type Pages = BTreeMap<PageId, (Life, String)>;

pub(crate) fn lives(pages: &BTreeMap<PageId, Page>) -> Pages {
    let life = |(id, page): (&PageId, &Page)| (*id, (page.life, page.path.clone()));
    pages.iter().map(life).collect()
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
        let own = |file: &File| match file.fate {
            Fate::Live(of) | Fate::Deleted { page: of, .. } => of == page,
            Fate::Zombie(_) => false,
        };
        let files = self.0.iter().filter(|(_, file)| own(file));
        files.map(|(id, file)| (*id, file.clone())).collect()
    }

    pub(crate) fn zombies(&self) -> BTreeMap<AssetId, File> {
        let zombie = |file: &File| matches!(file.fate, Fate::Zombie(_));
        let files = self.0.iter().filter(|(_, file)| zombie(file));
        files.map(|(id, file)| (*id, file.clone())).collect()
    }

    /// Updates the files after changes of their pages.
    pub(crate) fn follow(&mut self, before: &Pages, after: &Pages) {
        for (page, (was, path)) in before {
            let is = after.get(page).map(|(life, _)| *life);
            self.0.retain(|_, file| {
                let fate = match (*was, is, &file.fate) {
                    (Life::Draft, None, Fate::Live(of) | Fate::Deleted { page: of, .. })
                        if of == page =>
                    {
                        return false;
                    }
                    (_, None, Fate::Live(of) | Fate::Deleted { page: of, .. }) if of == page => {
                        Fate::Zombie(path.clone())
                    }
                    (Life::There, Some(Life::Deleted { .. }), Fate::Live(of)) if of == page => {
                        Fate::Deleted {
                            page: *page,
                            with_page: true,
                        }
                    }
                    (
                        Life::Deleted { .. },
                        Some(Life::There),
                        Fate::Deleted {
                            page: of,
                            with_page: true,
                        },
                    ) if of == page => Fate::Live(*page),
                    (_, _, same) => same.clone(),
                };
                file.fate = fate;
                true
            });
        }
    }

    /// The reasons for which a page can't take a file of this name.
    pub(crate) fn can_enter(
        &self,
        file: Option<AssetId>,
        name: &str,
        page: PageId,
        life: Life,
    ) -> Refusals {
        let mut refusals = Refusals::new();
        if matches!(life, Life::Deleted { .. }) {
            refusals.insert("page_deleted");
        }
        let taken = self.0.iter().any(|(id, other)| {
            Some(*id) != file && other.name == name && other.fate == Fate::Live(page)
        });
        if taken {
            refusals.insert("file_name_taken");
        }
        refusals
    }

    /// The reasons for which a file that has to be live is refused.
    pub(crate) fn must_live(&self, id: AssetId) -> Refusals {
        match self.0[&id].fate {
            Fate::Live(_) => Refusals::new(),
            Fate::Deleted { .. } => Refusals::from(["deleted"]),
            Fate::Zombie(_) => Refusals::from(["orphaned"]),
        }
    }

    pub(crate) fn bring(&mut self, id: AssetId, name: &str, page: PageId) {
        let file = File {
            name: name.to_owned(),
            fate: Fate::Live(page),
        };
        self.0.insert(id, file);
    }

    pub(crate) fn rename(&mut self, id: AssetId, name: &str) {
        self.of_id(id).name = name.to_owned();
    }

    pub(crate) fn set(&mut self, id: AssetId, fate: Fate) {
        self.of_id(id).fate = fate;
    }

    pub(crate) fn purge(&mut self, id: AssetId) {
        self.0.remove(&id);
    }

    fn of_id(&mut self, id: AssetId) -> &mut File {
        self.0.get_mut(&id).expect("it is there")
    }
}
