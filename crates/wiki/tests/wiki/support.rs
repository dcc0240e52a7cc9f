//! A wiki on a manual clock, in a temporary folder.

use std::cell::RefCell;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::ManualClock;
use fumikura_base::entropy::SeededEntropy;
use fumikura_wiki::*;
use parking_lot::Mutex;

/// A wiki that is checked at the end of a test.
pub(crate) struct CheckedWiki {
    wiki: Wiki,
    /// Faults that the test caused on purpose, by a part of their words.
    expected: RefCell<Vec<&'static str>>,
    changes: Arc<Mutex<Vec<Change>>>,
}

impl CheckedWiki {
    /// The changes reported since the last call.
    pub(crate) fn take_changes(&self) -> Vec<Change> {
        std::mem::take(&mut *self.changes.lock())
    }

    /// Announces a fault that the test causes on purpose. At least one fault with these words must be
    /// found, and others like it are accepted.
    pub(crate) fn expect_fault(&self, words: &'static str) {
        self.expected.borrow_mut().push(words);
    }
}

impl Deref for CheckedWiki {
    type Target = Wiki;

    fn deref(&self) -> &Wiki {
        &self.wiki
    }
}

impl Drop for CheckedWiki {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let mut faults = self.wiki.check(Depth::Everything).unwrap().faults;
        let expected = self.expected.borrow();
        for words in expected.iter() {
            let found = faults.iter().any(|fault| fault.words.contains(words));
            assert!(found, "{words:?} was not found among {faults:#?}");
        }
        faults.retain(|fault| !expected.iter().any(|words| fault.words.contains(words)));
        assert!(faults.is_empty(), "{faults:#?}");
    }
}

pub(crate) struct TestWiki {
    pub(crate) wiki: CheckedWiki,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) aya: UserId,
    pub(crate) ben: UserId,
    folder: tempfile::TempDir,
}

impl TestWiki {
    pub(crate) fn new() -> Self {
        Self::open_in(tempfile::tempdir().unwrap())
    }

    /// Creates a wiki whose users and root page are not those of the others.
    pub(crate) fn other() -> Self {
        Self::open_with(tempfile::tempdir().unwrap(), 99, ["Cid", "Dan"])
    }

    /// Opens a wiki in a folder that may have contents.
    pub(crate) fn open_in(folder: tempfile::TempDir) -> Self {
        Self::open_with(folder, 1, ["Aya", "Ben"])
    }

    fn open_with(folder: tempfile::TempDir, seed: u64, names: [&str; 2]) -> Self {
        let clock = Arc::new(ManualClock::new("2026-11-18T12:00:00Z".parse().unwrap()));
        let wiki = open(&folder, &clock, seed);
        let register = |user| {
            let registered = wiki.users().register(name(user), Template::En);
            registered.unwrap().user.id
        };
        let aya = register(names[0]);
        clock.advance(Duration::from_millis(1));
        let ben = register(names[1]);
        Self {
            wiki,
            clock,
            aya,
            ben,
            folder,
        }
    }

    /// Closes the wiki and opens it again, as a restart does.
    pub(crate) fn reopen(self) -> Self {
        let Self {
            wiki,
            clock,
            aya,
            ben,
            folder,
        } = self;
        drop(wiki);
        Self {
            wiki: open(&folder, &clock, 2),
            clock,
            aya,
            ben,
            folder,
        }
    }

    /// The folder of the files that belong to pages.
    pub(crate) fn assets(&self) -> PathBuf {
        self.folder.path().join("asset")
    }

    /// Uploads a file to a page, as Aya.
    pub(crate) fn upload(
        &self,
        page: PageId,
        name: &str,
        contents: &[u8],
    ) -> Result<Asset, AssetError> {
        let mut writer = self.wiki.assets().begin(page, file_name(name), None)?;
        writer.write(contents)?;
        self.wiki.assets().finish(writer, self.aya)
    }

    pub(crate) fn clock_now(&self) -> jiff::Timestamp {
        fumikura_base::clock::Clock::now(&*self.clock)
    }

    pub(crate) fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    /// Creates a page, written by Aya.
    pub(crate) fn page(&self, at: &str, source: &str) -> PageId {
        let (id, lock) = self.wiki.pages().create_draft(&path(at), self.aya).unwrap();
        self.wiki
            .pages()
            .save(self.by_token(id, lock.token, source))
            .unwrap();
        id
    }

    pub(crate) fn by_token(&self, page_id: PageId, token: LockToken, source: &str) -> SaveRequest {
        SaveRequest {
            token: Some(token),
            ..self.save_request(page_id, source)
        }
    }

    pub(crate) fn by_version(
        &self,
        page_id: PageId,
        revision: u64,
        amends: u32,
        source: &str,
    ) -> SaveRequest {
        let versions = vec![VersionTag { revision, amends }];
        SaveRequest {
            if_match: Some(Precondition::OneOf(versions)),
            ..self.save_request(page_id, source)
        }
    }

    pub(crate) fn save_request(&self, page_id: PageId, source: &str) -> SaveRequest {
        SaveRequest {
            page_id,
            user: self.aya,
            source: source.to_owned(),
            token: None,
            if_match: None,
            amend: false,
            keep_lock: false,
            tab: None,
            read: None,
        }
    }

    /// Checks the rules of the tables.
    #[track_caller]
    pub(crate) fn check_tables(&self) {
        let report = self.wiki.check(Depth::Tables).unwrap();
        assert_eq!(report.faults, Vec::new());
    }

    pub(crate) fn text(&self, page_id: PageId) -> String {
        self.wiki.pages().source(page_id, None).unwrap().source
    }
}

/// The configuration of the wiki in a folder.
pub(crate) fn config(folder: &Path) -> WikiConfig {
    WikiConfig {
        database: folder.join("wiki.redb"),
        assets: folder.join("asset"),
        asset_limit: 1 << 20,
        lock_ttl: WikiConfig::LOCK_TTL,
        open_timeout: Duration::ZERO,
    }
}

pub(crate) fn open(folder: &tempfile::TempDir, clock: &Arc<ManualClock>, seed: u64) -> CheckedWiki {
    let config = config(folder.path());
    let clock: Arc<ManualClock> = Arc::clone(clock);
    let wiki = Wiki::open(&config, clock, Arc::new(SeededEntropy::new(seed))).unwrap();
    let changes = Arc::<Mutex<Vec<Change>>>::default();
    let observer = Arc::clone(&changes);
    CheckedWiki {
        wiki: wiki.on_change(move |changes| observer.lock().extend(changes)),
        expected: RefCell::default(),
        changes,
    }
}

pub(crate) fn path(text: &str) -> PagePath {
    PagePath::new(text).unwrap()
}

pub(crate) fn name(text: &str) -> UserName {
    UserName::new(text).unwrap()
}

pub(crate) fn file_name(text: &str) -> FileName {
    FileName::new(text).unwrap()
}
