//! Lists of pages that belong to a user: rows of ids beside the settings.

use serde::Serialize;

use crate::id::{PageId, UserId};
use crate::pages;
use crate::path::PagePath;
use crate::repository::present_path;
use crate::store::{Read, SETTINGS, StorageError, WriteTxn};

/// A page in a user's list, with its present path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct VisitedPage {
    /// The page's id.
    #[cfg_attr(feature = "wire", schema(value_type = String))]
    pub page_id: PageId,
    /// Its current path.
    #[cfg_attr(feature = "wire", schema(value_type = String))]
    pub path: PagePath,
    /// The first heading of the page, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// A kind of list; each user has one.
pub(crate) struct UserPages {
    /// The names of the rows, before the user's id.
    prefix: &'static str,
}

impl UserPages {
    pub(crate) const fn new(prefix: &'static str) -> Self {
        Self { prefix }
    }

    /// The user of a row, if the name has this prefix; an error if the rest is not an id.
    pub(crate) fn user_of(&self, name: &str) -> Option<Result<UserId, ()>> {
        let id = name.strip_prefix(self.prefix)?;
        Some(id.parse().map_err(|_| ()))
    }

    pub(crate) fn read(&self, txn: &impl Read, user: UserId) -> Result<Vec<PageId>, StorageError> {
        let Some(json) = txn.get(SETTINGS, self.name_of(user).as_str())? else {
            return Ok(Vec::new());
        };
        decode(&json).map_err(|reason| StorageError::Damaged {
            table: "settings",
            reason,
        })
    }

    pub(crate) fn put(
        &self,
        txn: &WriteTxn,
        user: UserId,
        pages: &[PageId],
    ) -> Result<(), StorageError> {
        txn.put(SETTINGS, self.name_of(user).as_str(), &encode(pages))
    }

    /// The pages of the list that exist and are not in the trash.
    pub(crate) fn present(
        &self,
        txn: &impl Read,
        user: UserId,
    ) -> Result<Vec<VisitedPage>, StorageError> {
        let mut present = Vec::new();
        for page_id in self.read(txn, user)? {
            if let Some(path) = present_path(txn, page_id)? {
                present.push(VisitedPage {
                    page_id,
                    path,
                    title: pages::title(txn, page_id)?,
                });
            }
        }
        Ok(present)
    }

    fn name_of(&self, user: UserId) -> String {
        format!("{}{user}", self.prefix)
    }
}

/// Parses a row.
pub(crate) fn decode(json: &str) -> Result<Vec<PageId>, String> {
    let ids: Vec<String> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let ids = ids.iter().map(|id| id.parse());
    ids.collect::<Result<_, _>>()
        .map_err(|_| "it names what is no page".to_owned())
}

fn encode(pages: &[PageId]) -> String {
    let ids: Vec<String> = pages.iter().map(PageId::to_string).collect();
    serde_json::to_string(&ids).expect("BUG: ids are plain JSON")
}
