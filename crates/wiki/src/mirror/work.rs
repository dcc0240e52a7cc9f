//! The work of a mirror after changes of the wiki: as little as the changes allow.

use std::collections::BTreeSet;

use crate::id::PageId;
use crate::model::change::{AssetChange, Change, PageChange};

/// The part of a mirror that is to be brought up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MirrorWork {
    /// These pages and their files, whose paths and file names are the same as before.
    Pages(BTreeSet<PageId>),
    /// Everything, if files of the mirror are not as they were written.
    Look,
    /// Everything.
    All,
}

impl Default for MirrorWork {
    fn default() -> Self {
        Self::Pages(BTreeSet::new())
    }
}

impl MirrorWork {
    /// Returns true if there is nothing to do.
    #[must_use]
    pub fn is_none(&self) -> bool {
        matches!(self, Self::Pages(pages) if pages.is_empty())
    }

    /// Adds other work.
    pub fn add(&mut self, other: Self) {
        *self = match (std::mem::take(self), other) {
            (Self::All, _) | (_, Self::All) => Self::All,
            (Self::Pages(mut pages), Self::Pages(others)) => {
                pages.extend(others);
                Self::Pages(pages)
            }
            (Self::Look, Self::Pages(pages)) | (Self::Pages(pages), Self::Look) => {
                match pages.is_empty() {
                    true => Self::Look,
                    false => Self::All,
                }
            }
            (Self::Look, Self::Look) => Self::Look,
        };
    }

    /// Adds the work that changes of the wiki make.
    pub fn add_changes(&mut self, changes: &[Change]) {
        for change in changes {
            match change {
                Change::Page {
                    page_id,
                    kind: PageChange::Saved,
                    ..
                }
                | Change::Asset {
                    page_id: Some(page_id),
                    kind: AssetChange::Added,
                    ..
                } => self.add(Self::Pages(BTreeSet::from([*page_id]))),
                // Texts of other pages show the paths of pages and the names of files.
                Change::Page {
                    kind:
                        PageChange::Created
                        | PageChange::Renamed
                        | PageChange::Deleted
                        | PageChange::Restored,
                    ..
                }
                | Change::Asset { .. }
                | Change::Unknown => self.add(Self::All),
                Change::Page {
                    kind: PageChange::Compacted,
                    ..
                }
                | Change::Locked { .. }
                | Change::Unlocked { .. }
                | Change::Settings => {}
            }
        }
    }
}
