//! Links that mean something else than one may think, as they are told.

use serde::Serialize;
use utoipa::ToSchema;

/// A link that means something else than before, or than a reader may think.
#[derive(Serialize, ToSchema)]
pub(crate) struct LinkWarning {
    /// The destination as it is written.
    link: String,
    /// What it meant before, or what its path alone would mean: a path, `page:ULID` for a deleted page, or
    /// nothing where it led nowhere.
    before: String,
    /// What it means now, in the same way.
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
