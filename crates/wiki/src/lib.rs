//! The wiki: pages and drafts with their revisions, edit locks, autosave entries, users, settings
//! and sessions, all in one redb database. Synchronous; independent of HTTP and windows.
//!
//! [`Wiki`] is the entry point; its parts ([`Pages`], [`Tree`] and so on) have the operations. Each is one transaction:
//! when it returns, either its changes are completely on the disk, or nothing has changed.

mod archive;
mod assets;
mod autosave;
mod backup;
mod catalogue;
mod check;
mod file_name;
#[cfg(test)]
mod fixture;
mod html;
mod id;
mod latest_text;
mod links;
mod locks;
mod markdown;
mod migration;
mod model;
mod open;
mod page_names;
mod pages;
mod parts;
mod past;
mod path;
mod pins;
#[cfg(test)]
mod power_failure_tests;
mod properties;
mod reorganize;
mod repository;
mod revisions;
mod search;
mod sessions;
mod settings;
mod size;
mod store;
mod temp_names;
mod tree;
mod tree_view;
mod user_pages;
mod users;
mod visited_folders;
mod visits;
mod wiki;

pub use archive::{
    EntryFault, Export, ExportError, ExportForm, ExportReport, ImportError, ImportPlan,
    ImportReport, ImportRequest, ImportWarning, InvalidArchive, MakeThumbnail, OnConflict,
};
pub use assets::{Asset, AssetContents, AssetError, AssetOwner, AssetWriter, OwnedAsset};
pub use autosave::{AutosaveEntry, AutosaveError, UnsavedText};
pub use backup::{
    BackupCause, BackupError, BackupFolder, BackupRecord, BackupReport, BackupRequest, Decrease,
    KeepRule, ListedBackup, MadeBackup, kept_by, list_backups,
};
pub use catalogue::{
    CataloguedPage, Comparison, Condition, OpenTask, PageAnswer, PageQuery, PageSort, PageTask,
    TagCount, TaskAnswer, TaskQuery, TaskSort, TaskTag,
};
pub use check::{CheckError, CheckReport, Depth, Fault};
pub use file_name::{FileName, InvalidFileName};
pub use id::{
    AssetId, AutosaveId, DeletionId, FolderRootId, LockToken, MigrationId, PageId, SessionId,
    UserId,
};
pub use links::{Backlink, LinkWarning, OrphanPage, PageLink, WantedPage};
pub use locks::{GateError, HeldLock, ListedLock, LockError, LockStatus, ReleasedLock};
pub use migration::{
    AssetAction, AssetPlan, ContentError, IncomingAsset, IncomingPage, MigrationContents,
    MigrationError, MigrationOutcome, MigrationPlan, MigrationRequest, PageAction, PagePlan,
    PageRole, UndoneMigration, place_path,
};
pub use model::asset::AssetState;
pub use model::autosave::AutosaveHead;
pub use model::change::{AssetChange, Change, PageChange};
pub use model::lock::LockInfo;
pub use model::migration::{Migration, MigrationCounts};
pub use model::page::{MAX_SOURCE_BYTES, PagePathState, RenameInfo};
pub use model::session::SessionInfo;
pub use model::settings::{
    FolderTemplate, InvalidTemplates, Language, Panel, PictureGrouping, PictureOrder,
    PictureQuality, Preview, ReadingWidth, Settings, Spelling, Templates, TextSize, Theme,
};
pub use model::user::{InvalidUserName, User, UserName};
pub use pages::{
    CreateError, ListedPage, Listing, ListingQuery, PageError, PageMeta, PageText, Precondition,
    PropertyError, PropertyRequest, ResolveError, ResolvedPage, RevisionInfo, SaveError,
    SaveOutcome, SaveRequest, VersionTag, text_digest,
};
pub use parts::{
    Archives, Assets, Autosave, Backups, Catalogue, Links, Locks, Migrations, PageSearch, Pages,
    Reorganize, Revisions, Sessions, Tree, Users, Visits,
};
pub use past::{Past, PastError};
pub use path::{InvalidPath, PagePath};
pub use pins::PinError;
pub use properties::{
    InvalidProperty, Properties, Property, PropertyFault, PropertyKind, PropertyValue,
};
pub use reorganize::{
    FileRename, MergeOutcome, MergeRequest, MergedFile, MergedLinks, NewPage, RenamedFile,
    ReorganizeError, TagRename, UnmergeRequest,
};
pub use revisions::{
    DiffLine, HistoryError, Hunk, LineEnd, LineKind, ListedRevision, PageDiff, RevisionList,
    RevisionWithPath, RollbackOutcome, Span, TextDiff, Wording,
};
pub use search::{
    MAX_QUERY_CHARS, MatchSpan, SearchError, SearchHit, SearchablePage, SearchableText,
};
pub use sessions::SessionKey;
pub use size::WikiSize;
pub use store::{OpenError, StorageError};
pub use tree::{
    ChangedPage, Child, Children, DeleteError, DeleteOutcome, DeleteRequest, DeletedPage,
    PageWarning, Parent, PathTaken, RenameError, RenameOutcome, RenameRequest, RestoreError,
    RestoreOutcome, RestoreRequest, TrashCursor,
};
pub use tree_view::{TreeSort, TreeView, TreeViewError};
pub use user_pages::VisitedPage;
pub use users::{RegisterError, Registration, Template};
pub use visited_folders::VisitedFolder;
pub use wiki::{Wiki, WikiConfig};
