//! The appearance of the tree of pages, as a user left it: stored beside the settings.

use serde::{Deserialize, Serialize};

use crate::id::UserId;
use crate::parts::Tree;
use crate::path::PagePath;
use crate::store::{Read, SETTINGS, StorageError};

/// The names of these rows, before the user's id.
const PREFIX: &str = "tree/";
/// The maximum number of open branches.
const MAX_OPEN: usize = 1_000;

/// The appearance of the tree of pages. A field that is missing in the store has its default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TreeView {
    /// The order of pages with the same parent.
    pub sort: TreeSort,
    /// The paths whose children are shown, at most 1,000.
    #[cfg_attr(feature = "wire", schema(value_type = Vec<String>, max_items = 1000))]
    pub open: Vec<PagePath>,
    /// The scroll position, in CSS pixels.
    pub scroll: u32,
}

/// The order of pages with the same parent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TreeSort {
    #[default]
    Title,
    /// By the last segment of the path.
    Path,
    /// By the last change of the page or of a page below it, the latest first.
    Changed,
}

/// The appearance has too many open branches.
#[derive(Debug, thiserror::Error)]
pub enum TreeViewError {
    #[error("at most {MAX_OPEN} branches of the tree are stored as open")]
    TooManyOpen,
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl Tree<'_> {
    /// The appearance of the tree for a user; the defaults if nothing was stored.
    ///
    /// # Errors
    /// If the database fails, or the record is damaged.
    pub fn view(&self, user: UserId) -> Result<TreeView, StorageError> {
        let name = name_of(user);
        let row: Option<String> = self.store.read(|txn| txn.get(SETTINGS, name.as_str()))?;
        let Some(json) = row else {
            return Ok(TreeView::default());
        };
        decode(&json).map_err(|error| StorageError::Damaged {
            table: "settings",
            reason: error.to_string(),
        })
    }

    /// Stores the appearance of the tree for a user.
    ///
    /// # Errors
    /// [`TreeViewError::TooManyOpen`]; or if the database fails.
    pub fn set_view(&self, user: UserId, view: &TreeView) -> Result<(), TreeViewError> {
        if view.open.len() > MAX_OPEN {
            return Err(TreeViewError::TooManyOpen);
        }
        let json = serde_json::to_string(view).expect("BUG: the tree's appearance is plain JSON");
        self.store
            .write(|txn| Ok(txn.put(SETTINGS, name_of(user).as_str(), &json)?))
    }
}

/// The user of a row, if the name has this prefix; an error if the rest is not an id.
pub(crate) fn user_of(name: &str) -> Option<Result<UserId, ()>> {
    let id = name.strip_prefix(PREFIX)?;
    Some(id.parse().map_err(|_| ()))
}

/// Parses a row.
pub(crate) fn decode(json: &str) -> Result<TreeView, serde_json::Error> {
    serde_json::from_str(json)
}

fn name_of(user: UserId) -> String {
    format!("{PREFIX}{user}")
}
