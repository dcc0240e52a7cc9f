//! The pages that a user read last: a few ids, the latest first, stored beside the settings.

use serde::Serialize;

use crate::id::{PageId, UserId};
use crate::pages;
use crate::pages::{PageError, present_page};
use crate::parts::Visits;
use crate::path::PagePath;
use crate::repository::present_path;
use crate::store::{PAGE_INDEX, Read, SETTINGS, StorageError};

/// The maximum number of pages per user.
const MAX_VISITS: usize = 50;
/// The names of these rows, before the user's id.
const PREFIX: &str = "visits/";

/// A recently read page, with its present path.
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

impl Visits<'_> {
    /// Records that a user reads a page. Nothing is written if it is already the latest.
    ///
    /// # Errors
    /// [`PageError::Deleted`], [`PageError::Draft`] and [`PageError::NotFound`] if there is no page to
    /// read.
    pub fn visit_page(&self, user: UserId, page: PageId) -> Result<(), PageError> {
        let is_last = self.store.read(|txn| {
            present_page(txn, page, self.lock_time.moment())?;
            Ok::<_, PageError>(read(txn, user)?.first() == Some(&page))
        })?;
        if is_last {
            return Ok(());
        }
        self.store.write(|txn| {
            let mut pages = vec![page];
            for other in read(txn, user)? {
                // Permanently deleted pages are dropped. Pages in the trash may be restored.
                if other != page && txn.get(PAGE_INDEX, &other.to_bytes())?.is_some() {
                    pages.push(other);
                }
            }
            pages.truncate(MAX_VISITS);
            Ok(txn.put(SETTINGS, name_of(user).as_str(), &encode(&pages))?)
        })
    }

    /// The pages that a user read last, at most 50, the latest first, with their current paths. Pages
    /// in the trash are left out until they are restored.
    ///
    /// # Errors
    /// If the database fails, or the record is damaged.
    pub fn recent_pages(&self, user: UserId) -> Result<Vec<VisitedPage>, StorageError> {
        self.store.read(|txn| {
            let mut visited = Vec::new();
            for page_id in read(txn, user)? {
                if let Some(path) = present_path(txn, page_id)? {
                    visited.push(VisitedPage {
                        page_id,
                        path,
                        title: pages::title(txn, page_id)?,
                    });
                }
            }
            Ok(visited)
        })
    }
}

/// The user of a row, if the name has this prefix; an error if the rest is not an id.
pub(crate) fn user_of(name: &str) -> Option<Result<UserId, ()>> {
    let id = name.strip_prefix(PREFIX)?;
    Some(id.parse().map_err(|_| ()))
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

fn name_of(user: UserId) -> String {
    format!("{PREFIX}{user}")
}

fn read<R: Read>(txn: &R, user: UserId) -> Result<Vec<PageId>, StorageError> {
    let Some(json) = txn.get(SETTINGS, name_of(user).as_str())? else {
        return Ok(Vec::new());
    };
    decode(&json).map_err(|reason| StorageError::Damaged {
        table: "settings",
        reason,
    })
}
