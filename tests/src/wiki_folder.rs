//! A wiki in a folder, without a server: its configuration, its user, and requests to save pages.

use std::path::Path;

use anyhow::Result;
use fumikura_wiki::{
    PageId, Precondition, SaveRequest, Template, UserId, UserName, Wiki, WikiConfig,
};

/// Returns the configuration of the wiki in `folder`.
#[must_use]
pub fn config(folder: &Path) -> WikiConfig {
    WikiConfig {
        database: folder.join("wiki.redb"),
        assets: folder.join("asset"),
        asset_limit: WikiConfig::ASSET_LIMIT,
        lock_ttl: WikiConfig::LOCK_TTL,
        open_timeout: WikiConfig::OPEN_TIMEOUT,
    }
}

/// Returns the first user, who is registered by this name if there is none.
///
/// # Errors
/// Fails if the database can't be read or written.
pub fn first_user(wiki: &Wiki, name: &str) -> Result<UserId> {
    Ok(match wiki.users().all()?.into_iter().next() {
        Some(user) => user.id,
        None => {
            wiki.users()
                .register(UserName::new(name)?, Template::En)?
                .user
                .id
        }
    })
}

/// Returns a request to save an unlocked page, whatever its latest revision is.
#[must_use]
pub fn save_request(page_id: PageId, user: UserId, source: String) -> SaveRequest {
    SaveRequest {
        page_id,
        user,
        source,
        token: None,
        if_match: Some(Precondition::Any),
        amend: false,
        keep_lock: false,
        tab: None,
        read: None,
    }
}
