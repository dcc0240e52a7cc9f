//! The rows of a full archive, as JSON: the source rows of the wiki, without anything that is derived from them
//! (docs/STORAGE.md).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::autosave::beginning;
use crate::file_name::FileName;
use crate::id::{AssetId, AutosaveId, DeletionId, MigrationId, PageId, UserId};
use crate::model::asset::{AssetInfo, AssetState};
use crate::model::autosave::AutosaveHead;
use crate::model::history::{Deletion, FormerPath, FormerPaths};
use crate::model::link::{LinkTarget, PageLinks};
use crate::model::migration::{
    MigratedFile, MigratedItem, MigratedPage, Migration, MigrationCounts, MigrationRecord,
};
use crate::model::page::{
    MAX_SOURCE_BYTES, PageIndex, PageInfo, PagePathState, PageSource, RenameInfo, SourceHead,
};
use crate::model::user::{User, UserName};
use crate::path::PagePath;
use crate::repository::PageRecord;

/// The reason why a row means nothing.
type Unreadable = String;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UserRow {
    pub(super) id: UserId,
    name: String,
    created_at: Timestamp,
}

impl From<User> for UserRow {
    fn from(user: User) -> Self {
        Self {
            id: user.id,
            name: user.name.as_str().to_owned(),
            created_at: user.created_at,
        }
    }
}

impl UserRow {
    pub(super) fn read(self) -> Result<User, Unreadable> {
        let name = UserName::new(&self.name).map_err(|invalid| invalid.to_string())?;
        Ok(User {
            id: self.id,
            name,
            created_at: self.created_at,
        })
    }
}

/// A row of the settings. Their values are JSON in the database too.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SettingRow {
    pub(super) name: String,
    pub(super) value: Value,
}

/// A page, also one in the trash, or the former path of one that was permanently deleted.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageRow {
    pub(super) id: PageId,
    page: Option<SavedPage>,
    former_paths: Vec<FormerPathRow>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedPage {
    path: PagePath,
    deleted: Option<DeletionRow>,
    oldest: u64,
    latest: u64,
    path_revisions: Vec<u64>,
    unrecorded_move: Option<RenameInfo>,
    links: Vec<LinkRow>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FormerPathRow {
    path: PagePath,
    left_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeletionRow {
    at: Timestamp,
    user_name: String,
    group: DeletionId,
}

/// A link to a page by its id, or to a path.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkRow {
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<PageId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PagePath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<PageId>,
}

impl From<LinkTarget> for LinkRow {
    fn from(target: LinkTarget) -> Self {
        match target {
            LinkTarget::Page(id) => Self {
                page: Some(id),
                path: None,
                bound: None,
            },
            LinkTarget::Path { path, bound } => Self {
                page: None,
                path: Some(path),
                bound,
            },
        }
    }
}

impl LinkRow {
    fn read(self) -> Result<LinkTarget, Unreadable> {
        match (self.page, self.path, self.bound) {
            (Some(id), None, None) => Ok(LinkTarget::Page(id)),
            (None, Some(path), bound) => Ok(LinkTarget::Path { path, bound }),
            (Some(_), _, _) | (None, None, _) => {
                Err("a link leads to a page or to a path".to_owned())
            }
        }
    }
}

impl PageRow {
    /// Returns the row of a page. A draft, which lasts as long as its lock, has none.
    pub(super) fn of(id: PageId, record: PageRecord) -> Option<Self> {
        let deleted = record.deletion.map(|deletion| DeletionRow {
            at: deletion.deleted_at,
            user_name: deletion.user_name,
            group: deletion.group,
        });
        let links = record.links.map(|links| links.targets).unwrap_or_default();
        let page = match record.index {
            None => None,
            Some(PageIndex::Draft(_)) => return None,
            Some(PageIndex::Page(info)) => Some(SavedPage {
                path: info.path_state.path().clone(),
                deleted,
                oldest: info.gc_min,
                latest: info.latest,
                path_revisions: info.rename_revisions,
                unrecorded_move: record.unrecorded_move,
                links: links.into_iter().map(LinkRow::from).collect(),
            }),
        };
        let former = record.former_paths.unwrap_or_default().paths.into_iter();
        let former_paths = former.map(|former| FormerPathRow {
            path: former.path,
            left_at: former.left_at,
        });
        Some(Self {
            id,
            page,
            former_paths: former_paths.collect(),
        })
    }

    /// Returns the record of a page, without its title, which is derived from its text, and without a lock.
    pub(super) fn read(self) -> Result<PageRecord, Unreadable> {
        let former = self.former_paths.into_iter().map(|former| FormerPath {
            path: former.path,
            left_at: former.left_at,
        });
        let paths: Vec<FormerPath> = former.collect();
        let mut record = PageRecord {
            former_paths: (!paths.is_empty()).then_some(FormerPaths { paths }),
            ..PageRecord::default()
        };
        let Some(page) = self.page else {
            return Ok(record);
        };
        let path_state = match page.deleted {
            None => PagePathState::Current(page.path),
            Some(_) => PagePathState::LastDeleted(page.path),
        };
        record.index = Some(PageIndex::Page(PageInfo {
            page_id: self.id,
            path_state,
            latest: page.latest,
            gc_min: page.oldest,
            lock_token: None,
            rename_revisions: page.path_revisions,
        }));
        let targets = page.links.into_iter().map(LinkRow::read);
        let targets = targets.collect::<Result<_, _>>()?;
        record.links = Some(PageLinks { targets });
        record.unrecorded_move = page.unrecorded_move;
        record.deletion = page.deleted.map(|deletion| Deletion {
            deleted_at: deletion.at,
            user_name: deletion.user_name,
            group: deletion.group,
        });
        Ok(record)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RevisionRow {
    pub(super) page: PageId,
    pub(super) revision: u64,
    created_at: Timestamp,
    author: UserId,
    user_name: String,
    amends: u32,
    rename: Option<RenameInfo>,
    /// The Markdown, with links in stored form.
    pub(super) text: String,
}

impl RevisionRow {
    pub(super) fn of(page: PageId, source: PageSource) -> Self {
        let PageSource { head, source } = source;
        Self {
            page,
            revision: head.revision,
            created_at: head.created_at,
            author: head.author,
            user_name: head.user_name,
            amends: head.amends,
            rename: head.rename,
            text: source,
        }
    }

    pub(super) fn read(self) -> PageSource {
        PageSource {
            head: SourceHead {
                revision: self.revision,
                created_at: self.created_at,
                author: self.author,
                user_name: self.user_name,
                rename: self.rename,
                amends: self.amends,
            },
            source: self.text,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileRow {
    pub(super) id: AssetId,
    /// None if its page was permanently deleted.
    pub(super) page: Option<PageId>,
    file_name: FileName,
    original_name: FileName,
    mime: String,
    pub(super) size: u64,
    pub(super) sha256: HexDigest,
    created_at: Timestamp,
    user: UserId,
    state: FileState,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
enum FileState {
    Live {},
    Deleted { at: Timestamp, with_page: bool },
    Orphaned { at: Timestamp, last_path: PagePath },
}

impl FileRow {
    pub(super) fn of(id: AssetId, page: Option<PageId>, info: AssetInfo) -> Self {
        Self {
            id,
            page,
            file_name: info.file_name,
            original_name: info.original_name,
            mime: info.mime,
            size: info.size,
            sha256: HexDigest(info.sha256),
            created_at: info.created_at,
            user: info.user,
            state: match info.state {
                AssetState::Live => FileState::Live {},
                AssetState::Deleted { at, with_page } => FileState::Deleted { at, with_page },
                AssetState::Orphaned { at, last_path } => FileState::Orphaned { at, last_path },
            },
        }
    }

    /// Returns the row, with the type of its contents, as they were found.
    pub(super) fn read(&self, mime: Option<&str>) -> AssetInfo {
        AssetInfo {
            original_name: self.original_name.clone(),
            file_name: self.file_name.clone(),
            mime: mime.unwrap_or(&self.mime).to_owned(),
            size: self.size,
            created_at: self.created_at,
            sha256: self.sha256.0,
            user: self.user,
            state: match &self.state {
                FileState::Live {} => AssetState::Live,
                FileState::Deleted { at, with_page } => AssetState::Deleted {
                    at: *at,
                    with_page: *with_page,
                },
                FileState::Orphaned { at, last_path } => AssetState::Orphaned {
                    at: *at,
                    last_path: last_path.clone(),
                },
            },
        }
    }
}

/// Unsaved text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UnsavedRow {
    pub(super) id: AutosaveId,
    page: PageId,
    user: UserId,
    tab: String,
    path: PagePath,
    base_revision: Option<u64>,
    seq: u64,
    updated_at: Timestamp,
    text: String,
}

impl UnsavedRow {
    pub(super) fn of(head: AutosaveHead, text: String) -> Self {
        Self {
            id: head.id,
            page: head.page_id,
            user: head.user,
            tab: head.tab,
            path: head.path,
            base_revision: head.base_revision,
            seq: head.seq,
            updated_at: head.updated_at,
            text,
        }
    }

    /// True if the text is longer than any that a page can have.
    pub(super) fn is_too_long(&self) -> bool {
        self.text.len() > MAX_SOURCE_BYTES
    }

    pub(super) fn read(self) -> (AutosaveHead, String) {
        let head = AutosaveHead {
            id: self.id,
            page_id: self.page,
            user: self.user,
            tab: self.tab,
            path: self.path,
            base_revision: self.base_revision,
            seq: self.seq,
            updated_at: self.updated_at,
            size: self.text.len() as u64,
            beginning: beginning(&self.text),
        };
        (head, self.text)
    }
}

/// An import from another program.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ImportRow {
    pub(super) id: MigrationId,
    source: String,
    format: String,
    into: PagePath,
    created_at: Timestamp,
    user_name: String,
    counts: MigrationCounts,
    report: PageId,
    undone: bool,
    pages: Vec<ImportedPageRow>,
    files: Vec<ImportedFileRow>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ImportedPageRow {
    origin: Option<String>,
    page: PageId,
    revision: u64,
    before: Option<(HexDigest, u64)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ImportedFileRow {
    origin: String,
    id: AssetId,
    before: Option<(AssetId, HexDigest)>,
}

impl ImportRow {
    pub(super) fn of(record: MigrationRecord) -> Self {
        let MigrationRecord { head, pages, files } = record;
        let pages = pages.into_iter().map(|page| ImportedPageRow {
            origin: page.origin,
            page: page.page_id,
            revision: page.revision,
            before: page
                .before
                .map(|(sha256, revision)| (HexDigest(sha256), revision)),
        });
        let files = files.into_iter().map(|file| ImportedFileRow {
            origin: file.origin,
            id: file.id,
            before: file.before.map(|(id, sha256)| (id, HexDigest(sha256))),
        });
        Self {
            id: head.id,
            source: head.source,
            format: head.format,
            into: head.into,
            created_at: head.created_at,
            user_name: head.user_name,
            counts: head.counts,
            report: head.report,
            undone: head.undone,
            pages: pages.collect(),
            files: files.collect(),
        }
    }

    pub(super) fn read(self) -> MigrationRecord {
        let pages = self.pages.into_iter().map(|page| MigratedPage {
            origin: page.origin,
            page_id: page.page,
            revision: page.revision,
            before: page.before.map(|(sha256, revision)| (sha256.0, revision)),
        });
        let files = self.files.into_iter().map(|file| MigratedFile {
            origin: file.origin,
            id: file.id,
            before: file.before.map(|(id, sha256)| (id, sha256.0)),
        });
        MigrationRecord {
            head: Migration {
                id: self.id,
                source: self.source,
                format: self.format,
                into: self.into,
                created_at: self.created_at,
                user_name: self.user_name,
                counts: self.counts,
                report: self.report,
                undone: self.undone,
            },
            pages: pages.collect(),
            files: files.collect(),
        }
    }
}

/// The page or file that an item of another program has become.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ImportedItemRow {
    /// The hash of the source and the item.
    pub(super) item: HexDigest,
    sha256: HexDigest,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<PageId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<AssetId>,
}

impl ImportedItemRow {
    pub(super) fn of(item: [u8; 32], row: MigratedItem) -> Self {
        let item = HexDigest(item);
        match row {
            MigratedItem::Page {
                page_id,
                sha256,
                revision,
            } => Self {
                item,
                sha256: HexDigest(sha256),
                page: Some(page_id),
                revision: Some(revision),
                file: None,
            },
            MigratedItem::File { id, sha256 } => Self {
                item,
                sha256: HexDigest(sha256),
                page: None,
                revision: None,
                file: Some(id),
            },
        }
    }

    pub(super) fn read(self) -> Result<MigratedItem, Unreadable> {
        let sha256 = self.sha256.0;
        match (self.page, self.revision, self.file) {
            (Some(page_id), Some(revision), None) => Ok(MigratedItem::Page {
                page_id,
                sha256,
                revision,
            }),
            (None, None, Some(id)) => Ok(MigratedItem::File { id, sha256 }),
            (_, _, _) => Err("an item has become a page or a file".to_owned()),
        }
    }
}

/// A SHA-256 in 64 small hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HexDigest(pub(crate) [u8; 32]);

impl HexDigest {
    /// Reads 64 small hexadecimal digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes = hex::decode(text).ok()?.try_into().ok()?;
        Some(Self(bytes)).filter(|digest| digest.to_string() == text)
    }
}

impl std::fmt::Display for HexDigest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl Serialize for HexDigest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for HexDigest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("this is not a SHA-256"))
    }
}
