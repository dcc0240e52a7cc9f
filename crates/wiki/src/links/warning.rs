//! Links that mean something else than before, or than a reader may think.

use std::collections::BTreeSet;

use serde::Serialize;

use super::destination::Meaning;
use super::spelling;
use crate::path::PagePath;

/// A link that means something else than before, or than a reader may expect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct LinkWarning {
    /// The destination as written.
    pub link: String,
    /// The former meaning, or the meaning of its path alone: a path (`/path@trash` for a page in the trash whose path
    /// another page has), or empty if it led nowhere.
    pub before: String,
    /// Its meaning now, in the same form.
    pub after: String,
}

/// True if an asset belongs to the page itself.
pub(super) fn is_own(meaning: &Meaning, page: &PagePath) -> bool {
    matches!(meaning, Meaning::Asset(owner, _) if owner == page)
}

/// Returns a meaning as people read it, or an empty string if it leads nowhere.
pub(super) fn name(meaning: &Meaning) -> String {
    match meaning {
        Meaning::Path(path) => path.to_string(),
        Meaning::Asset(page, file) => format!("{}/{file}", page.as_str().trim_end_matches('/')),
        Meaning::Page(id) => spelling::id(*id),
        Meaning::Other => String::new(),
    }
}

/// The links that mean something else, each once.
#[derive(Default)]
pub(super) struct LinkChanges {
    pub(super) warnings: Vec<LinkWarning>,
    pub(super) seen: BTreeSet<String>,
}

impl LinkChanges {
    pub(super) fn add(&mut self, link: &str, before: String, after: String) {
        if before != after && self.seen.insert(link.to_owned()) {
            self.warnings.push(LinkWarning {
                link: link.to_owned(),
                before,
                after,
            });
        }
    }
}
