//! Applies each step to the real wiki and to the model, and compares all visible state.

mod archive;
mod autosave;
mod compare;
mod files;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::ManualClock;
use fumikura_base::entropy::SeededEntropy;
use fumikura_wiki::*;

use crate::autosave::AutosaveEntries;
use crate::error_code::{self, Code};
use crate::files::{Files, page_statuses};
use crate::state::{Lock, ModelState, PageStatus, Refusals};
use crate::step::{self, ModelStep, StepPart};
use crate::text::{Form, link};

/// The time at which the model's clock is zero.
pub(crate) const NOON: i64 = 1_795_003_200;

pub(crate) struct Run {
    wiki: Option<Wiki>,
    clock: Arc<ManualClock>,
    state: ModelState,
    files: Files,
    unsaved: AutosaveEntries,
    users: [UserId; 2],
    /// All pages that ever existed, from which steps pick.
    page_ids: Vec<PageId>,
    file_ids: Vec<AssetId>,
    entry_ids: Vec<AutosaveId>,
    /// The texts that were read last.
    read: BTreeMap<PageId, String>,
    /// The text that the author of the next save has read, if the save names it.
    author_had_read: Option<String>,
    /// The last token that was granted for each page.
    tokens: BTreeMap<PageId, LockToken>,
    starts: u64,
    count: usize,
    /// The user, of the two, who takes the current step.
    by: bool,
    folder: tempfile::TempDir,
}

impl Run {
    pub(crate) fn new() -> Self {
        let noon = jiff::Timestamp::from_second(NOON).unwrap();
        let clock = Arc::new(ManualClock::new(noon));
        let folder = tempfile::tempdir().unwrap();
        let wiki = open(&folder, &clock, 0);
        let name = |text| UserName::new(text).unwrap();
        let aya = wiki.users().register(name("Aya"), Template::En).unwrap();
        let ben = wiki
            .users()
            .register(name("Ben"), Template::En)
            .unwrap()
            .user
            .id;
        let root = aya.root_page.unwrap();
        let mut state = ModelState::new();
        state.names.insert(aya.user.id, "Aya".to_owned());
        state.names.insert(ben, "Ben".to_owned());
        let text = wiki.pages().source(root, None).unwrap().source;
        state.add_initial_page(root, "/", text, aya.user.id);
        let mut run = Self {
            wiki: Some(wiki),
            clock,
            state,
            files: Files::default(),
            unsaved: AutosaveEntries::default(),
            users: [aya.user.id, ben],
            page_ids: vec![root],
            file_ids: Vec::new(),
            entry_ids: Vec::new(),
            read: BTreeMap::new(),
            author_had_read: None,
            tokens: BTreeMap::new(),
            starts: 0,
            count: 0,
            by: false,
            folder,
        };
        // The initial root page has text that the model can't parse.
        run.save(root, "w0", false, false, None);
        run.compact(root, 2, false);
        run
    }

    fn wiki(&self) -> &Wiki {
        self.wiki.as_ref().expect("it is open")
    }

    /// A user takes a step. The real wiki and the model must agree on its result.
    pub(crate) fn step(&mut self, by: bool, step: &ModelStep) {
        self.count += 1;
        self.by = by;
        let before = page_statuses(&self.state.pages);
        self.take(step);
        self.files
            .follow(&before, &page_statuses(&self.state.pages));
    }

    fn take(&mut self, step: &ModelStep) {
        match step {
            ModelStep::Create { path } => self.create(&step::path_text(path)),
            ModelStep::Lock { page } => self.with(*page, Self::lock),
            ModelStep::Renew { page } => self.with(*page, Self::renew),
            ModelStep::Release { page } => self.with(*page, Self::release),
            ModelStep::TakeOver { page } => self.with(*page, Self::take_over),
            ModelStep::Break { page } => self.with(*page, Self::break_lock),
            ModelStep::Save {
                page,
                text,
                amend,
                stale,
                tab,
            } => self.with(*page, |run, id| {
                let source = run.written(text);
                run.save(id, &source, *amend, *stale, *tab);
            }),
            ModelStep::Autosave {
                page,
                tab,
                base,
                count,
            } => self.autosave(*page, *tab, u64::from(*base), u64::from(*count)),
            ModelStep::Discard { text } => self.discard(*text),
            ModelStep::RenameUser { name } => self.rename_user(*name),
            ModelStep::SaveAgain { page } => self.with(*page, |run, id| {
                if run.state.pages[&id].status != PageStatus::Draft {
                    let source = run.state.shown(id);
                    run.save(id, &source, false, false, None);
                }
            }),
            ModelStep::Add { path, text } => self.add(&step::path_text(path), text),
            ModelStep::Write { page, text } => self.with(*page, |run, id| run.write_text(id, text)),
            ModelStep::Read { page } => self.with(*page, Self::keep_read_text),
            ModelStep::WriteRead { page } => self.with(*page, Self::write_read_text),
            ModelStep::Rename {
                page,
                to,
                recursive,
                token,
            } => self.with(*page, |run, id| {
                run.rename(id, &step::path_text(to), *recursive, *token);
            }),
            ModelStep::Delete {
                page,
                recursive,
                hard,
                token,
            } => self.with(*page, |run, id| run.delete(id, *recursive, *hard, *token)),
            ModelStep::Restore {
                page,
                to,
                recursive,
            } => self.with(self.in_trash(*page), |run, id| {
                let to = to.as_ref().map(step::path_text);
                let to = to.unwrap_or_else(|| run.state.pages[&id].path.clone());
                run.restore(id, &to, *recursive);
            }),
            ModelStep::RollBack { page, to, token } => {
                self.with(*page, |run, id| run.roll_back(id, u64::from(*to), *token));
            }
            ModelStep::Compact {
                page,
                keep_from,
                token,
            } => self.with(*page, |run, id| {
                run.compact(id, u64::from(*keep_from), *token);
            }),
            ModelStep::Upload { page, name } => self.with(*page, |run, id| run.upload(id, *name)),
            ModelStep::File { file, step } => self.with_file(*file, step),
            ModelStep::Wait { seconds } => self.wait(*seconds),
            ModelStep::Sleep { seconds } => self.sleep(*seconds),
            ModelStep::Sweep => {
                self.wiki().locks().sweep().unwrap();
                self.state.sweep();
            }
            ModelStep::Reopen => self.reopen(),
        }
    }

    /// Creates a page and saves its text.
    fn add(&mut self, path: &str, text: &[StepPart]) {
        let known = self.page_ids.len();
        self.create(path);
        if let Some(id) = self.page_ids.get(known).copied() {
            let source = self.written(text);
            self.save(id, &source, false, false, None);
        }
    }

    /// Locks a page and saves a text, as an author who has read the page.
    fn write_text(&mut self, id: PageId, text: &[StepPart]) {
        let source = self.written(text);
        if self.state.pages[&id].status != PageStatus::Draft {
            self.author_had_read = Some(self.state.shown(id));
        }
        self.write(id, &source);
    }

    fn keep_read_text(&mut self, id: PageId) {
        if self.state.pages[&id].status != PageStatus::Draft {
            self.read.insert(id, self.state.shown(id));
        }
    }

    fn write_read_text(&mut self, id: PageId) {
        if let Some(source) = self.read.get(&id).cloned() {
            self.author_had_read = Some(source.clone());
            self.write(id, &source);
        }
    }

    fn wait(&mut self, seconds: u16) {
        self.clock.advance(Duration::from_secs(u64::from(seconds)));
        self.state.wait(i64::from(seconds));
        self.read_clock();
    }

    fn sleep(&mut self, seconds: u16) {
        self.clock.sleep(Duration::from_secs(u64::from(seconds)));
        self.state.sleep(i64::from(seconds));
        self.read_clock();
    }

    /// Reads the clock, as every query of a lock does.
    fn read_clock(&self) {
        self.wiki().locks().status(self.page_ids[0]).unwrap();
    }

    fn reopen(&mut self) {
        self.wiki = None;
        self.starts += 1;
        self.wiki = Some(open(&self.folder, &self.clock, self.starts));
        self.state.restart();
    }

    /// Applies `work` to one of the known pages. Removed pages must be unknown to the wiki.
    fn with(&mut self, page: u8, work: impl FnOnce(&mut Self, PageId)) {
        let id = self.page_ids[usize::from(page) % self.page_ids.len()];
        if self.state.pages.contains_key(&id) {
            work(self, id);
        } else {
            let gone = self.wiki().pages().meta(id, None);
            assert!(matches!(gone, Err(PageError::NotFound)), "{gone:?}");
        }
    }

    /// A page for a restore: every second number selects a page in the trash, if there is one.
    fn in_trash(&self, page: u8) -> u8 {
        let deleted = |at: &u8| {
            let page = self.state.pages.get(&self.page_ids[usize::from(*at)]);
            page.is_some_and(|page| matches!(page.status, PageStatus::Deleted { .. }))
        };
        let known = u8::try_from(self.page_ids.len()).unwrap_or(u8::MAX);
        let trash: Vec<u8> = (0..known).filter(deleted).collect();
        if page.is_multiple_of(2) && !trash.is_empty() {
            trash[usize::from(page / 2) % trash.len()]
        } else {
            page
        }
    }

    fn user(&self) -> UserId {
        self.users[usize::from(self.by)]
    }

    fn token(&self, id: PageId, wanted: bool) -> Option<LockToken> {
        self.tokens.get(&id).copied().filter(|_| wanted)
    }

    fn written(&self, text: &[StepPart]) -> String {
        let parts: Vec<String> = text
            .iter()
            .map(|part| match part {
                StepPart::Word(word) => format!("w{word}"),
                StepPart::To(path) => link(Form::Plain, &step::path_text(path)),
                StepPart::Named(path) => link(Form::Wiki, &step::path_text(path)),
                StepPart::Title => "#".to_owned(),
                StepPart::InTrash(path) => {
                    link(Form::Wiki, &format!("{}@trash", step::path_text(path)))
                }
                StepPart::Beside(at) if *at < 3 => link(Form::Plain, step::name(*at)),
                StepPart::Beside(at) => link(Form::Plain, &format!("../{}", step::name(*at))),
                StepPart::Id(at) => {
                    let id = self.page_ids[usize::from(*at) % self.page_ids.len()];
                    link(Form::Plain, &format!("page:{id}"))
                }
            })
            .collect();
        parts.join(" ")
    }

    fn create(&mut self, path: &str) {
        let refusals = self.state.can_create(path);
        let user = self.user();
        let made = self.wiki().pages().create_draft(&page_path(path), user);
        if let Some((id, lock)) = agree(refusals, made, error_code::of_create) {
            self.state.create(id, path, model_lock(&lock, user));
            self.page_ids.push(id);
            self.tokens.insert(id, lock.token);
        }
    }

    fn lock(&mut self, id: PageId) {
        let refusals = self.state.can_lock(id);
        let user = self.user();
        let taken = self.wiki().locks().acquire(id, user);
        if let Some(lock) = agree(refusals, taken, error_code::of_lock) {
            self.state.set_lock(id, model_lock(&lock, user));
            self.tokens.insert(id, lock.token);
        }
    }

    fn take_over(&mut self, id: PageId) {
        let user = self.user();
        let refusals = self.state.can_take_over(id, user);
        let taken = self.wiki().locks().take_over(id, user);
        if let Some(lock) = agree(refusals, taken, error_code::of_lock) {
            self.state.set_lock(id, model_lock(&lock, user));
            self.tokens.insert(id, lock.token);
        }
    }

    fn break_lock(&mut self, id: PageId) {
        let refusals = self.state.can_break(id);
        let broken = self.wiki().locks().break_lock(id);
        if agree(refusals, broken, error_code::of_lock).is_some() {
            self.state.unlock(id);
        }
    }

    fn renew(&mut self, id: PageId) {
        let Some(token) = self.token(id, true) else {
            return;
        };
        let refusals = self.state.needs_token(id, token);
        let renewed = self.wiki().locks().renew(id, token);
        if let Some(lock) = agree(refusals, renewed, error_code::of_lock) {
            let user = self.state.pages[&id].lock.expect("it is held").user;
            self.state.set_lock(id, model_lock(&lock, user));
            self.tokens.insert(id, lock.token);
        }
    }

    fn release(&mut self, id: PageId) {
        let Some(token) = self.token(id, true) else {
            return;
        };
        let refusals = self.state.needs_token(id, token);
        let released = self.wiki().locks().release(id, token);
        if agree(refusals, released, error_code::of_lock).is_some() {
            self.state.unlock(id);
        }
    }

    fn save(&mut self, id: PageId, source: &str, amend: bool, stale: bool, tab: Option<u8>) {
        let author_had_read = self.author_had_read.take();
        self.state.author_knows_paths = author_had_read.is_some()
            && self.state.pages[&id].status != PageStatus::Draft
            && author_had_read == Some(self.state.shown(id));
        let user = self.user();
        let token = self.token(id, !stale);
        let version = self.state.version(id);
        let tag = VersionTag {
            revision: version.0 + u64::from(stale),
            amends: version.1,
        };
        let request = SaveRequest {
            page_id: id,
            user,
            source: source.to_owned(),
            token,
            if_match: token.is_none().then(|| Precondition::OneOf(vec![tag])),
            amend,
            keep_lock: false,
            tab: tab.map(|tab| tab.to_string()),
            read: author_had_read.as_deref().map(text_digest),
        };
        let refusals = self
            .state
            .can_save(id, source, token, stale, amend.then_some(user));
        let saved = self.wiki().pages().save(request);
        if let Some(saved) = agree(refusals, saved, error_code::of_save) {
            let created = self.state.pages[&id].status == PageStatus::Draft;
            let changed = self.state.save(id, source, user, amend, token);
            assert_eq!(saved.changed, changed, "whether {source:?} was a change");
            assert_eq!(saved.created, created);
            if let Some(tab) = tab {
                let is_new_revision = created || (changed && !amend);
                let revision = self.state.version(id).0;
                self.unsaved
                    .saved((id, user, tab), revision, is_new_revision);
            }
        }
        self.state.author_knows_paths = false;
    }

    /// Saves a text under a lock of its own.
    fn write(&mut self, id: PageId, source: &str) {
        self.lock(id);
        self.save(id, source, false, false, None);
    }

    fn rename(&mut self, id: PageId, to: &str, recursive: bool, token: bool) {
        let token = self.token(id, token);
        let user = self.user();
        let refusals = self.state.can_rename(id, to, recursive, token);
        let renamed = self.wiki().tree().rename(&RenameRequest {
            page_id: id,
            to: page_path(to),
            recursive,
            user,
            token,
        });
        if agree(refusals, renamed, error_code::of_rename).is_some() {
            self.state.rename(id, to, recursive, user);
        }
    }

    fn delete(&mut self, id: PageId, recursive: bool, hard: bool, token: bool) {
        let token = self.token(id, token);
        let refusals = self.state.can_delete(id, recursive, hard, token);
        let request = DeleteRequest {
            page_id: id,
            recursive,
            user: self.user(),
            token,
        };
        let deleted = if hard {
            self.wiki().tree().erase(&request)
        } else {
            self.wiki().tree().delete(&request)
        };
        if agree(refusals, deleted, error_code::of_delete).is_some() {
            self.state.delete(id, recursive, hard, request.user);
        }
    }

    fn restore(&mut self, id: PageId, to: &str, recursive: bool) {
        let refusals = self.state.can_restore(id, to, recursive);
        let restored = self.wiki().tree().restore(&RestoreRequest {
            page_id: id,
            to: page_path(to),
            recursive,
            token: None,
        });
        if agree(refusals, restored, error_code::of_restore).is_some() {
            self.state.restore(id, to, recursive);
        }
    }

    fn roll_back(&mut self, id: PageId, to: u64, token: bool) {
        let token = self.token(id, token);
        let user = self.user();
        let mut refusals = self.state.can_change_history(id, token);
        refusals.extend(self.state.can_read(id, to));
        let rolled = self.wiki().revisions().rollback(id, to, user, token);
        if let Some(rolled) = agree(refusals, rolled, error_code::of_history) {
            let changed = self.state.roll_back(id, to, user);
            assert_eq!(rolled.changed, changed);
        }
    }

    fn compact(&mut self, id: PageId, keep_from: u64, token: bool) {
        let token = self.token(id, token);
        let mut refusals = self.state.can_change_history(id, token);
        refusals.extend(self.state.can_keep_from(id, keep_from));
        let compacted = self.wiki().revisions().compact(id, keep_from, token);
        if agree(refusals, compacted, error_code::of_history).is_some() {
            self.state.compact(id, keep_from);
        }
    }
}

/// Checks that the real wiki failed for one of the model's reasons, or that both succeeded.
fn agree<T, E: std::fmt::Debug>(
    refusals: Refusals,
    real: Result<T, E>,
    code: impl Fn(&E) -> Code,
) -> Option<T> {
    match real {
        Ok(done) => {
            assert!(refusals.is_empty(), "it should have been {refusals:?}");
            Some(done)
        }
        Err(error) => {
            assert!(
                refusals.contains(code(&error)),
                "{error:?} where the model has {refusals:?}"
            );
            None
        }
    }
}

fn model_lock(lock: &HeldLock, user: UserId) -> Lock {
    Lock {
        token: lock.token,
        user,
        expire: lock.expire.as_second() - NOON,
    }
}

fn page_path(text: &str) -> PagePath {
    PagePath::new(text).unwrap()
}

fn open(folder: &tempfile::TempDir, clock: &Arc<ManualClock>, starts: u64) -> Wiki {
    let config = WikiConfig {
        database: folder.path().join("wiki.redb"),
        assets: folder.path().join("asset"),
        asset_limit: WikiConfig::ASSET_LIMIT,
        lock_ttl: WikiConfig::LOCK_TTL,
        open_timeout: Duration::ZERO,
    };
    let clock: Arc<ManualClock> = Arc::clone(clock);
    Wiki::open(&config, clock, Arc::new(SeededEntropy::new(starts))).unwrap()
}
