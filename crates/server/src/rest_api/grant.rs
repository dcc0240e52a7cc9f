//! Files and folders that a user chose in the caller's own window.

use std::path::PathBuf;

use crate::app::App;
use crate::error::{ApiError, ErrorCode};
use crate::guard::Caller;

/// Returns the file or folder of a grant that belongs to the caller's session.
pub(super) fn granted_path(app: &App, grant: &str, caller: Caller) -> Result<PathBuf, ApiError> {
    let path = match caller {
        Caller::Session(session) => app.grants.take(grant, session),
        Caller::Bearer | Caller::Anyone => None,
    };
    path.ok_or_else(|| {
        ApiError::new(
            ErrorCode::GrantInvalid,
            "the permission to use this file or folder is unknown, already used, or belongs to another window; choose it again",
        )
    })
}
