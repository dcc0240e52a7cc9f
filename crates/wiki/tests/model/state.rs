//! A model of the wiki: its state, and the effect of each step. It is slow and simple, and
//! independent of the storage of the real wiki.

use std::collections::{BTreeMap, BTreeSet};

use fumikura_wiki::{LockToken, PageId, UserId};

use crate::text::{self, Piece, Text};

#[derive(Debug, Clone)]
pub(crate) struct ModelState {
    /// Seconds on the wall clock, and on the clock that stops while the machine sleeps.
    pub(crate) now: i64,
    pub(crate) awake: i64,
    /// After a sleep: locks that counted at the first time count until the second (awake).
    grace: Option<(i64, i64)>,
    pub(crate) pages: BTreeMap<PageId, Page>,
    /// The last paths of pages that were erased.
    pub(crate) erased: BTreeMap<PageId, String>,
    pub(crate) deletions: u64,
    /// The current names of users.
    pub(crate) names: BTreeMap<UserId, String>,
    /// True if the author of the text being saved has read the page as it is shown.
    pub(crate) author_knows_paths: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) path: String,
    pub(crate) status: PageStatus,
    pub(crate) lock: Option<Lock>,
    pub(crate) revisions: BTreeMap<u64, Revision>,
    /// The paths that it has left, with the times.
    pub(crate) left: BTreeMap<String, i64>,
    /// The path at which the latest revision was made, if a restore has moved the page since.
    pub(crate) unrecorded_path: Option<String>,
    /// The name of the user who deleted it last, at the time of the deletion.
    pub(crate) deleted_by: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageStatus {
    Draft,
    Existing,
    /// In the trash, with the time and the number that its deletion shares.
    Deleted {
        at: i64,
        group: u64,
    },
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Lock {
    pub(crate) token: LockToken,
    pub(crate) user: UserId,
    pub(crate) expire: i64,
}

#[derive(Debug, Clone)]
pub(crate) struct Revision {
    pub(crate) text: Text,
    pub(crate) author: UserId,
    /// The author's name as it was when the revision was made.
    pub(crate) user_name: String,
    pub(crate) amends: u32,
    /// The old and the new path of the page.
    pub(crate) rename: Option<(Option<String>, String)>,
}

/// The reasons why a step may be refused: all that apply. The real wiki reports one of them.
pub(crate) type Refusals = BTreeSet<&'static str>;

impl ModelState {
    pub(crate) fn new() -> Self {
        Self {
            now: 0,
            awake: 0,
            grace: None,
            pages: BTreeMap::new(),
            erased: BTreeMap::new(),
            deletions: 0,
            names: BTreeMap::new(),
            author_knows_paths: false,
        }
    }

    /// A new draft.
    fn new_draft(path: &str, lock: Option<Lock>) -> Page {
        Page {
            path: path.to_owned(),
            status: PageStatus::Draft,
            lock,
            revisions: BTreeMap::new(),
            left: BTreeMap::new(),
            unrecorded_path: None,
            deleted_by: String::new(),
        }
    }

    /// Adds a page that exists in a new wiki.
    pub(crate) fn add_initial_page(
        &mut self,
        id: PageId,
        path: &str,
        text: String,
        author: UserId,
    ) {
        self.pages.insert(id, Self::new_draft(path, None));
        self.put(id, vec![Piece::Word(text)], author, false);
    }

    // Time and locks

    pub(crate) fn wait(&mut self, seconds: i64) {
        self.now += seconds;
        self.awake += seconds;
        self.grace = self.grace.filter(|(_, until)| self.awake < *until);
    }

    pub(crate) fn sleep(&mut self, seconds: i64) {
        if seconds > 5 {
            let (since, until) = self.grace.unwrap_or((self.now, 0));
            self.grace = Some((since.min(self.now), until.max(self.awake + 60)));
        }
        self.now += seconds;
    }

    /// Drops the state that a new process does not have.
    pub(crate) fn restart(&mut self) {
        self.grace = None;
    }

    pub(crate) fn is_active(&self, lock: &Lock) -> bool {
        self.now < lock.expire || self.grace.is_some_and(|(since, _)| lock.expire > since)
    }

    pub(crate) fn held(&self, id: PageId) -> Option<&Lock> {
        let lock = self.pages[&id].lock.as_ref();
        lock.filter(|lock| self.is_active(lock))
    }

    pub(crate) fn set_lock(&mut self, id: PageId, lock: Lock) {
        let page = self.pages.get_mut(&id).expect("it is there");
        page.lock = Some(lock);
    }

    /// The reasons why a token can't be used for an operation of its holder.
    pub(crate) fn needs_token(&self, id: PageId, token: LockToken) -> Refusals {
        if self.is_expired_draft(id) {
            return Refusals::from(["not_found"]);
        }
        let counts = self.holds_lock(id, Some(token));
        Refusals::from_iter((!counts).then_some("lock_invalid"))
    }

    /// A draft whose lock has expired counts as removed.
    pub(crate) fn is_expired_draft(&self, id: PageId) -> bool {
        self.pages[&id].status == PageStatus::Draft && self.held(id).is_none()
    }

    /// The reasons why a draft is refused in place of a page.
    pub(crate) fn draft_refusal(&self, id: PageId) -> Refusals {
        Refusals::from([if self.is_expired_draft(id) {
            "not_found"
        } else {
            "draft"
        }])
    }

    pub(crate) fn sweep(&mut self) {
        let ended: Vec<PageId> = self
            .pages
            .iter()
            .filter(|(_, page)| page.lock.is_some_and(|lock| !self.is_active(&lock)))
            .map(|(id, _)| *id)
            .collect();
        for id in ended {
            self.unlock(id);
        }
    }

    /// Ends a page's lock. A draft is removed with it.
    pub(crate) fn unlock(&mut self, id: PageId) {
        if self.pages[&id].status == PageStatus::Draft {
            self.pages.remove(&id);
        } else if let Some(page) = self.pages.get_mut(&id) {
            page.lock = None;
        }
    }

    // Pages and their paths

    /// The page or draft at a path.
    pub(crate) fn at(&self, path: &str) -> Option<PageId> {
        let is_at =
            |page: &Page| page.path == path && !matches!(page.status, PageStatus::Deleted { .. });
        let found = self.pages.iter().find(|(_, page)| is_at(page));
        found.map(|(id, _)| *id)
    }

    pub(crate) fn saved_at(&self, path: &str) -> Option<PageId> {
        self.at(path)
            .filter(|id| self.pages[id].status == PageStatus::Existing)
    }

    pub(crate) fn within(path: &str, top: &str) -> bool {
        let stem = top.trim_end_matches('/');
        path == top
            || path
                .strip_prefix(stem)
                .is_some_and(|rest| rest.starts_with('/'))
    }

    /// The pages and drafts at a path and beneath it.
    pub(crate) fn subtree(&self, top: &str) -> Vec<PageId> {
        let matches_path = |page: &Page| {
            !matches!(page.status, PageStatus::Deleted { .. }) && Self::within(&page.path, top)
        };
        let all = self.pages.iter().filter(|(_, page)| matches_path(page));
        all.map(|(id, _)| *id).collect()
    }

    pub(crate) fn newest(&self, id: PageId) -> (u64, &Revision) {
        let last = self.pages[&id].revisions.last_key_value();
        let (number, revision) = last.expect("a saved page has a revision");
        (*number, revision)
    }

    /// The latest revision and the number of its amendments; zeros for a draft.
    pub(crate) fn version(&self, id: PageId) -> (u64, u32) {
        let last = self.pages[&id].revisions.last_key_value();
        last.map_or((0, 0), |(number, revision)| (*number, revision.amends))
    }

    /// Binds waiting links whose paths now have pages.
    pub(crate) fn bind(&mut self) {
        let there: BTreeMap<String, PageId> = self
            .pages
            .iter()
            .filter(|(_, page)| page.status == PageStatus::Existing)
            .map(|(id, page)| (page.path.clone(), *id))
            .collect();
        for page in self.pages.values_mut() {
            let base = page.path.clone();
            let Some(mut newest) = page.revisions.last_entry() else {
                continue;
            };
            for piece in &mut newest.get_mut().text {
                if let Piece::Path {
                    written,
                    bound: bound @ None,
                    ..
                } = piece
                {
                    let path = text::resolve(&base, written);
                    *bound = path.and_then(|path| there.get(&path).copied());
                }
            }
        }
    }

    // Steps

    pub(crate) fn can_create(&self, path: &str) -> Refusals {
        let taken = self.at(path).is_some_and(|id| !self.is_expired_draft(id));
        Refusals::from_iter(taken.then_some("path_taken"))
    }

    pub(crate) fn create(&mut self, id: PageId, path: &str, lock: Lock) {
        self.clear(path);
        self.pages.insert(id, Self::new_draft(path, Some(lock)));
    }

    /// Removes a dead draft from a path.
    pub(crate) fn clear(&mut self, path: &str) {
        if let Some(id) = self.at(path).filter(|id| self.is_expired_draft(*id)) {
            self.pages.remove(&id);
        }
    }

    pub(crate) fn can_lock(&self, id: PageId) -> Refusals {
        let held = self.held(id).is_some();
        let mut refusals = Refusals::from_iter(held.then_some("locked"));
        match self.pages[&id].status {
            PageStatus::Draft if !held => _ = refusals.insert("not_found"),
            PageStatus::Deleted { .. } => _ = refusals.insert("deleted"),
            PageStatus::Draft | PageStatus::Existing => {}
        }
        refusals
    }

    /// The same as `can_lock`, except that the user's own lock does not prevent it.
    pub(crate) fn can_take_over(&self, id: PageId, user: UserId) -> Refusals {
        match self.held(id) {
            Some(lock) if lock.user == user => Refusals::new(),
            Some(_) | None => self.can_lock(id),
        }
    }

    pub(crate) fn can_break(&self, id: PageId) -> Refusals {
        Refusals::from_iter(self.held(id).is_none().then_some("not_held"))
    }

    /// True if the last granted token still holds the page.
    pub(crate) fn holds_lock(&self, id: PageId, token: Option<LockToken>) -> bool {
        token.is_some() && self.held(id).map(|lock| lock.token) == token
    }

    /// The reasons why a text can't be saved. `amends` is the user who would overwrite the latest revision.
    pub(crate) fn can_save(
        &self,
        id: PageId,
        source: &str,
        token: Option<LockToken>,
        stale: bool,
        amends: Option<UserId>,
    ) -> Refusals {
        let page = &self.pages[&id];
        let held = self.held(id).is_some();
        let mut refusals = Refusals::new();
        match (page.status, token) {
            (PageStatus::Deleted { .. }, _) => return Refusals::from(["deleted"]),
            (PageStatus::Draft, _) if !held => return Refusals::from(["not_found"]),
            (_, None) if held => _ = refusals.insert("lock_required"),
            (PageStatus::Draft, _) if !self.holds_lock(id, token) => {
                refusals.insert("lock_invalid");
            }
            (PageStatus::Draft, _) => {}
            (PageStatus::Existing, _) => {
                let same = self.is_newest(id, source);
                if token.is_some() && !self.holds_lock(id, token) && !same {
                    refusals.insert("lock_invalid");
                }
                if token.is_none() && stale && !same {
                    refusals.insert("precondition_failed");
                }
                let author = self.newest(id).1.author;
                if amends.is_some_and(|user| user != author) && !same {
                    refusals.insert("not_author");
                }
            }
        }
        refusals
    }

    /// True if a text has the same meaning as the latest one.
    fn is_newest(&self, id: PageId, source: &str) -> bool {
        text::canonical(&self.read(id, source)) == text::canonical(&self.newest(id).1.text)
    }

    /// Saves an allowed text. Returns true if it was a change.
    pub(crate) fn save(
        &mut self,
        id: PageId,
        source: &str,
        user: UserId,
        amend: bool,
        token: Option<LockToken>,
    ) -> bool {
        let is_draft = self.pages[&id].status == PageStatus::Draft;
        let changed = is_draft || !self.is_newest(id, source);
        let unlocks = self.holds_lock(id, token);
        if changed {
            let text = self.read(id, source);
            self.put(id, text, user, amend);
        }
        if unlocks {
            self.unlock(id);
        }
        changed
    }

    /// Stores a text: as the first revision, as another one, or in place of the latest.
    pub(crate) fn put(&mut self, id: PageId, text: Text, author: UserId, amend: bool) {
        let now_there = self.pages[&id].status == PageStatus::Draft;
        let path = self.pages[&id].path.clone();
        let user_name = self.names[&author].clone();
        let page = self.pages.get_mut(&id).expect("the page is there");
        page.status = PageStatus::Existing;
        let last = page.revisions.last_key_value();
        // The next revision records the move of a restore.
        let unrecorded_path = page
            .unrecorded_path
            .take()
            .map(|from| (Some(from), path.clone()));
        let (number, amends, rename) = match last {
            Some((number, newest)) if amend => {
                let rename = match (newest.rename.clone(), unrecorded_path) {
                    (Some((Some(from), _)), Some((_, to))) => Some((Some(from), to)),
                    (recorded, unrecorded_path) => unrecorded_path.or(recorded),
                };
                (*number, newest.amends + 1, rename)
            }
            Some((number, _)) => (number + 1, 0, unrecorded_path),
            None => (1, 0, Some((None, path))),
        };
        page.freeze();
        page.revisions.insert(
            number,
            Revision {
                text,
                author,
                user_name,
                amends,
                rename,
            },
        );
        if now_there {
            self.bind();
        }
    }

    /// The reasons why a caller with the token can't change these pages.
    pub(crate) fn gate(&self, ids: &[PageId], token: Option<LockToken>) -> Refusals {
        let locks: Vec<LockToken> = ids
            .iter()
            .filter_map(|id| self.held(*id))
            .map(|lock| lock.token)
            .collect();
        let mut refusals = Refusals::new();
        if token.is_some_and(|token| !locks.contains(&token)) {
            refusals.insert("lock_invalid");
        }
        if locks.iter().any(|lock| Some(*lock) != token) {
            refusals.insert("lock_required");
        }
        refusals
    }
}

impl Page {
    /// Turns the latest text into an old one.
    pub(crate) fn freeze(&mut self) {
        if let Some(mut newest) = self.revisions.last_entry() {
            let text = text::canonical(&newest.get().text);
            newest.get_mut().text = text;
        }
    }
}
