//! Operations that several transports share: the HTTP interface and the window's commands call the same
//! functions of [`App`](crate::App), with the same arguments, answers and errors.

mod add_files;
mod assets;
mod cache;
mod difference;
mod export;
mod files;
mod hashes;
mod import;
mod locks;
mod places;
mod revision_info;
mod revisions;
mod ttl;

pub use add_files::{AddedFile, AssetAddPicture, AssetPaste};
pub(crate) use assets::{
    AssetEntry, AssetList, AssetMove, AssetRemove, AssetRename, AssetRequest, AssetZombies,
};
pub(crate) use cache::CacheState;
pub(crate) use difference::Difference;
pub use files::{FileToSave, PlaceInRoot, WholeWiki};
pub use hashes::HashName;
pub(crate) use hashes::{
    AcceptedMove, HashAccept, HashAcceptMove, HashBadges, HashDetail, HashDetailRequest,
    HashExport, HashImport, HashItem, HashList, HashMigrate, HashNameRequest, HashNameSteps,
    HashPage, HashRecord, HashReinstate, HashReport, HashReportQuery, HashReports, HashRestore,
    HashSchedule, HashTidy, HashVerify, NewHashSchedule, RecordedPlace, ReinstatedHashes,
    RemovedHashList, RemovedHashPage, RestoredFile,
};
pub(crate) use locks::{LockAcquire, LockState, LockStatusRequest, LockWithToken};
pub(crate) use revisions::{
    RevisionCompact, RevisionDiff, RevisionList, RevisionRollback, Revisions, RolledBackPage,
};
pub(crate) use ttl::{RootTtlPolicy, TtlState};

pub(crate) use export::{archive_name, watching, written};
pub(crate) use hashes::HashFolders;
pub(crate) use import::{import_archive, unnamed_file};
pub(crate) use locks::token_sent;
pub(crate) use revision_info::RevisionInfoDto;
