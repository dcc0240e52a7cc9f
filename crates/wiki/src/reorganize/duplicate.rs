//! Duplicates a page beside itself: the latest text, and copies of its files.

use std::io::Read as _;

use crate::assets::{
    AssetError, CopiedFile, IncomingFile, add_copied, live_files, unlink_without_row,
};
use crate::id::{AssetId, PageId, UserId};
use crate::latest_text::newest;
use crate::links;
use crate::locks::remove_draft;
use crate::markdown::front_matter;
use crate::model::page::PageSource;
use crate::pages::{first_revision, present_page};
use crate::parts::Reorganize;
use crate::path::PagePath;
use crate::reorganize::{NewPage, ReorganizeError};
use crate::store::{Read, USER, WriteTxn};
use crate::tree::PathTaken;
use crate::tree::path_status::{self, PathStatus};

/// The number of paths to try for a duplicate.
const MAX_NUMBERED_PATHS: u32 = 1_000;
/// The size of the pieces in which a file is copied, in bytes.
const PIECE: usize = 1 << 16;

impl Reorganize<'_> {
    /// Duplicates a page at the next free numbered path: `/a` becomes `/a 2`. The contents of its files are copied
    /// first; then the page and the rows of its files are written together.
    ///
    /// # Errors
    /// [`ReorganizeError::RootProtected`] for the root page, which has no name to number.
    pub fn duplicate(&self, page_id: PageId, user: UserId) -> Result<NewPage, ReorganizeError> {
        let files = self.store.read(|txn| {
            present_page(txn, page_id, self.lock_time.moment())?;
            Ok::<_, ReorganizeError>(live_files(txn, page_id)?)
        })?;
        let now = self.clock.now();
        let ids = files.iter().map(|_| AssetId::generate(now, self.entropy));
        let ids: Vec<AssetId> = ids.collect();
        let pending = ids.iter().map(|id| id.to_bytes()).collect();
        let _pending = self.store.pending_files.add(pending);
        let copied: Result<(), ReorganizeError> = files
            .iter()
            .zip(&ids)
            .try_for_each(|(file, id)| Ok(self.copy_contents(file.id, *id)?));
        let created = copied.and_then(|()| {
            self.store.write(|txn| {
                let created = self.duplicate_text(txn, page_id, user)?;
                for (file, id) in files.iter().zip(&ids) {
                    let copy = CopiedFile {
                        of: file.id,
                        id: *id,
                        created_at: now,
                        user,
                    };
                    add_copied(txn, created.page_id, copy)?;
                }
                Ok(created)
            })
        });
        created.inspect_err(|_| {
            for id in &ids {
                unlink_without_row(self.store, self.files, *id);
            }
        })
    }

    fn copy_contents(&self, from: AssetId, to: AssetId) -> Result<(), AssetError> {
        let mut source = self.files.open(from)?;
        let mut copy = IncomingFile::begin(self.files)?;
        let mut piece = vec![0; PIECE];
        loop {
            match source.read(&mut piece)? {
                0 => break,
                length => copy.write(&piece[..length])?,
            }
        }
        Ok(self.files.keep(copy.finish()?.path, to)?)
    }

    fn duplicate_text(
        &self,
        txn: &WriteTxn,
        page_id: PageId,
        user: UserId,
    ) -> Result<NewPage, ReorganizeError> {
        let now = self.clock.now();
        let user = txn
            .get(USER, &user.to_bytes())?
            .ok_or(ReorganizeError::NoUser)?;
        let info = present_page(txn, page_id, self.lock_time.moment())?;
        let from = info.path_state.path();
        let (to, number) = self.numbered_path(txn, from)?;
        let source: PageSource = newest(txn, &info)?;
        // Both are in the same folder, so only bound paths need a page's id.
        let text = links::move_page(txn, &info, &source.source, &to)?.text;
        let text = with_numbered_title(text, number);
        let new_id = PageId::generate(now, self.entropy);
        first_revision(txn, new_id, to.clone(), &user, now, text)?;
        Ok(NewPage {
            page_id: new_id,
            path: to,
        })
    }

    /// Returns the first free path of the same name with a number, and that number.
    fn numbered_path(
        &self,
        txn: &WriteTxn,
        from: &PagePath,
    ) -> Result<(PagePath, u32), ReorganizeError> {
        if from.is_root() {
            return Err(ReorganizeError::RootProtected);
        }
        let stem = without_number(from.as_str());
        for number in 2..=MAX_NUMBERED_PATHS {
            let path = PagePath::new(&format!("{stem} {number}"))?;
            match path_status::read(txn, &path, self.lock_time.moment(), |_| false)? {
                PathStatus::Free => return Ok((path, number)),
                PathStatus::ExpiredDraft(draft) => {
                    remove_draft(txn, &draft)?;
                    return Ok((path, number));
                }
                PathStatus::Taken(_) => {}
            }
        }
        Err(PathTaken::Page(from.clone()).into())
    }
}

/// Numbers the title as the path, so that the two pages differ in lists. Only a heading at the start of the text is
/// changed.
fn with_numbered_title(text: String, number: u32) -> String {
    let (_, rest) = front_matter(&text);
    let body = rest.trim_start_matches(['\n', '\r']);
    if !body.starts_with("# ") {
        return text;
    }
    let start = text.len() - body.len();
    let line = body.split(['\n', '\r']).next().unwrap_or(body).trim_end();
    let open = line.trim_end_matches('#');
    // Marks after a blank close the heading; others belong to its words.
    let title = match open.ends_with([' ', '\t']) {
        true => open.trim_end(),
        false => line,
    };
    if title.len() <= "#".len() {
        return text;
    }
    let words = title["# ".len()..].trim_start();
    if words.is_empty() {
        return text;
    }
    let kept = start + title.len() - words.len() + without_number(words).len();
    format!("{} {number}{}", &text[..kept], &text[start + title.len()..])
}

/// Returns a path or a title without the number of an earlier duplicate. A name that is a number stays.
fn without_number(path: &str) -> &str {
    let stem = path.trim_end_matches(|c: char| c.is_ascii_digit());
    match stem.strip_suffix(' ') {
        Some(name) if stem.len() < path.len() && !name.ends_with('/') => name,
        Some(_) | None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_is_numbered_as_the_path() {
        let check = |text: &str, expected: &str| {
            assert_eq!(
                with_numbered_title(text.to_owned(), 3),
                expected,
                "{text:?}"
            );
        };
        check("# 京都の旅\n\ntext", "# 京都の旅 3\n\ntext");
        check(
            "---\na: b\n---\n\n# a 2\r\nb",
            "---\na: b\n---\n\n# a 3\r\nb",
        );
        check("# a #\n", "# a 3 #\n");
        check("# C#", "# C# 3");
        check("# 2026", "# 2026 3");
        for same in ["", "text\n# a", "# ", "## a", "#a"] {
            check(same, same);
        }
    }
}
