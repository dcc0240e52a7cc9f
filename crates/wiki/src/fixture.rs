//! Fixtures for the unit tests of this crate: a wiki with a user, saved pages, and their files.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::ManualClock;
use fumikura_base::entropy::SeededEntropy;

use crate::file_name::FileName;
use crate::id::{AssetId, PageId, UserId};
use crate::model::user::UserName;
use crate::pages::{Precondition, SaveRequest};
use crate::path::PagePath;
use crate::users::Template;
use crate::wiki::{Wiki, WikiConfig};

/// A wiki on a manual clock, in a temporary folder, with one user.
pub(crate) struct TestWiki {
    pub(crate) wiki: Wiki,
    pub(crate) user: UserId,
    pub(crate) clock: Arc<ManualClock>,
    _folder: Option<tempfile::TempDir>,
}

impl TestWiki {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let test = Self::at(folder.path());
        Self {
            _folder: Some(folder),
            ..test
        }
    }

    /// Opens a wiki in a folder, and registers its user.
    pub(crate) fn at(folder: &Path) -> Self {
        let clock = Arc::new(ManualClock::new("2026-11-18T12:00:00Z".parse().unwrap()));
        let entropy = Arc::new(SeededEntropy::new(1));
        let wiki = Wiki::open(&config(folder), clock.clone(), entropy).unwrap();
        let aya = UserName::new("Aya").unwrap();
        let user = wiki.users().register(aya, Template::En).unwrap().user.id;
        Self {
            wiki,
            user,
            clock,
            _folder: None,
        }
    }

    /// Creates a page and saves its first text.
    pub(crate) fn page(&self, at: &str, source: &str) -> PageId {
        page(&self.wiki, self.user, at, source)
    }
}

/// The configuration of a wiki in a folder of its own.
pub(crate) fn config(folder: &Path) -> WikiConfig {
    WikiConfig {
        database: folder.join("wiki.redb"),
        assets: folder.join("asset"),
        asset_limit: WikiConfig::ASSET_LIMIT,
        lock_ttl: WikiConfig::LOCK_TTL,
        open_timeout: Duration::ZERO,
    }
}

/// Creates a page and saves its first text.
pub(crate) fn page(wiki: &Wiki, user: UserId, at: &str, source: &str) -> PageId {
    let path = PagePath::new(at).unwrap();
    let (page_id, lock) = wiki.pages().create_draft(&path, user).unwrap();
    let request = SaveRequest {
        page_id,
        user,
        source: source.to_owned(),
        token: Some(lock.token),
        if_match: None,
        amend: false,
        keep_lock: false,
        tab: None,
        read: None,
    };
    wiki.pages().save(request).unwrap();
    page_id
}

/// Overwrites the latest text of a page.
pub(crate) fn amend(wiki: &Wiki, page_id: PageId, user: UserId, source: &str) {
    let request = SaveRequest {
        page_id,
        user,
        source: source.to_owned(),
        token: None,
        if_match: Some(Precondition::Any),
        amend: true,
        keep_lock: false,
        tab: None,
        read: None,
    };
    wiki.pages().save(request).unwrap();
}

/// Uploads a small file to a page.
pub(crate) fn file(wiki: &Wiki, page: PageId, user: UserId, name: &str) -> AssetId {
    file_with(wiki, page, user, name, b"contents")
}

/// Uploads a file to a page.
pub(crate) fn file_with(
    wiki: &Wiki,
    page: PageId,
    user: UserId,
    name: &str,
    contents: &[u8],
) -> AssetId {
    let name = FileName::new(name).unwrap();
    let mut writer = wiki.assets().begin(page, name, None).unwrap();
    writer.write(contents).unwrap();
    wiki.assets().finish(writer, user).unwrap().id
}
