//! Merges a page into another: its text is appended, its files move, links to it lead to the other page, and the page
//! itself goes to the trash with its history.

use crate::assets::{MovedFile, move_live_files};
use crate::id::{AssetId, DeletionId, LockToken, PageId, UserId};
use crate::latest_text::newest;
use crate::links;
use crate::locks::{UnlockedPage, UnlockedPages};
use crate::markdown::{front_matter, with_distinct_footnotes};
use crate::model::history::Deletion;
use crate::model::page::{MAX_SOURCE_BYTES, PageIndex, PageInfo, PageSource};
use crate::model::user::User;
use crate::pages::{self, Revise, RevisionOutcome, present_page, revise};
use crate::parts::Reorganize;
use crate::path::PagePath;
use crate::reorganize::ReorganizeError;
use crate::repository::saved;
use crate::store::{BACKLINK, Read, ReadSets, StorageError, USER, WriteTxn};
use crate::tree::{path_history, trash_page};
use jiff::Timestamp;

/// A page to be merged into another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeRequest {
    pub page_id: PageId,
    /// The page that receives the text and the files.
    pub into: PageId,
    pub user: UserId,
    /// The token that permits changes to locked pages.
    pub token: Option<LockToken>,
}

/// The result of a merge, which undoing it requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeOutcome {
    /// The path of the page that received the text.
    pub path: PagePath,
    /// Its latest revision, which has both texts.
    pub revision: u64,
    /// The files that moved.
    pub files: Vec<MergedFile>,
    /// The pages whose links were rewritten.
    pub pages: Vec<MergedLinks>,
}

/// A file that moved with a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedFile {
    pub id: AssetId,
    /// The name that it had before; it has another one now if that was taken.
    pub name: String,
}

/// A page whose links were rewritten by a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedLinks {
    pub page_id: PageId,
    /// The revision with the rewritten links.
    pub revision: u64,
}

impl Reorganize<'_> {
    /// Merges a page into another. The text is appended under its title, relative links and files keep their
    /// meaning, and the latest texts of other pages that link to the page link to the other one, each by a new
    /// revision. The page moves to the trash, and its path leads to the other page.
    ///
    /// # Errors
    /// [`ReorganizeError::Gate`] if the page, the other one or a page that links to it is locked by someone else.
    pub fn merge(&self, request: &MergeRequest) -> Result<MergeOutcome, ReorganizeError> {
        self.store.write(|txn| {
            let now = self.clock.now();
            let user = txn
                .get(USER, &request.user.to_bytes())?
                .ok_or(ReorganizeError::NoUser)?;
            let by = (&user, now);
            let plan = self.plan_merge(txn, request)?;
            let (from, to) = (plan.source.path_state.path(), &plan.target_path);
            let from = from.clone();
            let moved = move_live_files(txn, request.page_id, request.into)?;
            let appended = appended_text(txn, &plan.source, to, request.into, &moved)?;
            let revision = append(txn, request, plan.target, &appended, by)?;
            let mut pages = Vec::new();
            for page in plan.linking {
                let page_id = page.info.page_id;
                let outcome = redirect_links(txn, page, (request.page_id, request.into), by)?;
                if outcome.changed {
                    let revision = outcome.revision;
                    pages.push(MergedLinks { page_id, revision });
                }
            }
            let deletion = Deletion {
                deleted_at: now,
                user_name: user.name.to_string(),
                group: DeletionId::generate(now, self.entropy),
            };
            trash_page(txn, plan.source, &deletion)?;
            path_history::add(txn, request.into, from, now)?;
            Ok(MergeOutcome {
                path: to.clone(),
                revision,
                files: moved.into_iter().map(MergedFile::from).collect(),
                pages,
            })
        })
    }

    fn plan_merge(
        &self,
        txn: &WriteTxn,
        request: &MergeRequest,
    ) -> Result<MergePlan, ReorganizeError> {
        let moment = self.lock_time.moment();
        if request.page_id == request.into {
            return Err(ReorganizeError::IntoItself);
        }
        let source = present_page(txn, request.page_id, moment)?;
        if source.path_state.path().is_root() {
            return Err(ReorganizeError::RootProtected);
        }
        let target = present_page(txn, request.into, moment)?;
        let target_path = target.path_state.path().clone();
        let mut all = vec![source, target];
        for id in txn.ids(BACKLINK, &request.page_id.to_bytes())? {
            let id = PageId::from_bytes(id);
            let is_other = id != request.page_id && id != request.into;
            if is_other
                && let Some(info) = saved(txn, id)?
                && !info.path_state.is_deleted()
            {
                all.push(info);
            }
        }
        let all = all.into_iter().map(PageIndex::Page).collect();
        let unlocked = UnlockedPages::verify(txn, all, request.token, moment)?;
        let mut pages = unlocked.pages.into_iter();
        let mut next = || pages.next().expect("BUG: all pages are unlocked");
        let (source, target) = (next(), UnlockedPage { info: next() });
        Ok(MergePlan {
            source,
            target,
            target_path,
            linking: pages.map(|info| UnlockedPage { info }).collect(),
        })
    }
}

/// The pages that change, after all checks.
struct MergePlan {
    source: PageInfo,
    target: UnlockedPage,
    target_path: PagePath,
    /// The pages that link to the source.
    linking: Vec<UnlockedPage>,
}

impl From<MovedFile> for MergedFile {
    fn from(file: MovedFile) -> Self {
        Self {
            id: file.id,
            name: file.before.to_string(),
        }
    }
}

/// Returns the text of a page for the end of the page `into` at `to`: under its title, with its front matter as a
/// block of code.
fn appended_text(
    txn: &WriteTxn,
    page: &PageInfo,
    to: &PagePath,
    into: PageId,
    files: &[MovedFile],
) -> Result<String, StorageError> {
    let from = page.path_state.path();
    let source: PageSource = newest(txn, page)?;
    let text = links::move_page(txn, page, &source.source, to)?.text;
    let text = links::absolute_text(&text, from, |owner, name| {
        let file = files.iter().find(|file| file.before.as_str() == name);
        file.filter(|_| owner == from)
            .map(|file| file.after.as_str().to_owned())
    });
    let text = links::with_page_replaced(&text, page.page_id, into);
    // In a fence, links of properties are text, so they name paths.
    let shown = links::display_text(txn, page.page_id, from, &source.source, true)?;
    let ((matter, _), (_, body)) = (front_matter(&shown), front_matter(&text));
    let body = body.trim_start_matches(['\n', '\r']);
    let (heading, rest) = body.split_at(leading_heading(body));
    let heading = match heading.trim_end() {
        "" => {
            let title = pages::title(txn, page.page_id)?;
            format!("# {}", title.as_deref().unwrap_or(from.name()))
        }
        heading => heading.to_owned(),
    };
    let matter = match matter.trim_end() {
        "" => String::new(),
        matter => format!("```yaml\n{matter}\n```"),
    };
    let rest = rest.trim_start_matches(['\n', '\r']).trim_end();
    let parts = [heading.as_str(), matter.as_str(), rest];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Ok(parts.join("\n\n"))
}

/// The length of the heading of level 1 at the start of a text, in bytes.
fn leading_heading(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let second = lines.next().unwrap_or_default();
    let underline = second.trim_end();
    if first.starts_with("# ") {
        first.len()
    } else if !first.trim().is_empty()
        && underline.starts_with('=')
        && underline.bytes().all(|byte| byte == b'=')
    {
        first.len() + second.len()
    } else {
        0
    }
}

/// Appends a text in stored form to a page. Returns its latest revision.
fn append(
    txn: &WriteTxn,
    request: &MergeRequest,
    target: UnlockedPage,
    appended: &str,
    by: (&User, Timestamp),
) -> Result<u64, ReorganizeError> {
    let newest: PageSource = newest(txn, &target.info)?;
    let own = links::redirected_text(
        txn,
        &target.info,
        &newest.source,
        (request.page_id, request.into),
    )?;
    let own = own.trim_end();
    let appended = with_distinct_footnotes(appended, own);
    let lead = if own.is_empty() { "" } else { "\n\n" };
    let text = format!("{own}{lead}{appended}\n");
    if text.len() > MAX_SOURCE_BYTES {
        return Err(ReorganizeError::TooLarge(text.len()));
    }
    Ok(revise(txn, target, by, &text, Revise::Add)?.revision)
}

/// Rewrites the links of a page from one page to another.
fn redirect_links(
    txn: &WriteTxn,
    page: UnlockedPage,
    (from, to): (PageId, PageId),
    by: (&User, Timestamp),
) -> Result<RevisionOutcome, StorageError> {
    let newest: PageSource = newest(txn, &page.info)?;
    let text = links::redirected_text(txn, &page.info, &newest.source, (from, to))?;
    revise(txn, page, by, &text, Revise::Add)
}
