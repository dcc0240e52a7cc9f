//! The DTO of a warning about a link whose meaning changed or may surprise.

use serde::Serialize;
use utoipa::ToSchema;

/// A link that means something else than before, or than a reader may expect.
#[derive(Serialize, ToSchema)]
pub(crate) struct LinkWarning {
    /// The destination, as written.
    link: String,
    /// The former meaning, or the meaning of its path alone: a path (`/path@trash` for a page in the trash whose path
    /// another page has), or empty if it led nowhere.
    before: String,
    /// The current meaning, in the same form.
    after: String,
}

impl From<fumikura_wiki::LinkWarning> for LinkWarning {
    fn from(warning: fumikura_wiki::LinkWarning) -> Self {
        let fumikura_wiki::LinkWarning {
            link,
            before,
            after,
        } = warning;
        Self {
            link,
            before,
            after,
        }
    }
}
