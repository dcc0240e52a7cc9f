//! Fixtures for the unit tests of this crate: a configuration, saved pages, and their files.

use std::path::Path;
use std::time::Duration;

use crate::file_name::FileName;
use crate::id::{AssetId, PageId, UserId};
use crate::pages::SaveRequest;
use crate::path::PagePath;
use crate::wiki::{Wiki, WikiConfig};

/// The configuration of a wiki in a folder of its own.
pub(crate) fn config(folder: &Path) -> WikiConfig {
    WikiConfig {
        database: folder.join("wiki.redb"),
        assets: folder.join("asset"),
        asset_limit: WikiConfig::ASSET_LIMIT,
        lock_ttl: WikiConfig::LOCK_TTL,
        patience: Duration::ZERO,
    }
}

/// Creates a page and saves its first text.
pub(crate) fn page(wiki: &Wiki, user: UserId, at: &str, source: &str) -> PageId {
    let path = PagePath::new(at).unwrap();
    let (page_id, lock) = wiki.create_draft(&path, user).unwrap();
    let request = SaveRequest {
        page_id,
        user,
        source: source.to_owned(),
        token: Some(lock.token),
        if_match: None,
        amend: false,
        keep_lock: false,
        tab: None,
    };
    wiki.save(request).unwrap();
    page_id
}

/// Uploads a small file to a page.
pub(crate) fn file(wiki: &Wiki, page: PageId, user: UserId, name: &str) -> AssetId {
    let name = FileName::new(name).unwrap();
    let mut writer = wiki.begin_asset(page, name, None).unwrap();
    writer.write(b"contents").unwrap();
    wiki.finish_asset(writer, user).unwrap().id
}
