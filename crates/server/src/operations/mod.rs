//! Operations of several domain calls, and those that the shell calls: types with the parts that they need.

mod add_files;
mod asset_entry;
mod check;
mod export;
mod files;
mod hashes;
mod places;
mod ttl;

pub use add_files::{AddedFile, AssetAddPicture, AssetPaste};
pub(crate) use asset_entry::AssetEntry;
pub use files::{FileToSave, PlaceInRoot, WholeWiki};
pub use hashes::HashName;
pub(crate) use hashes::{
    AcceptedMove, HashAccept, HashAcceptMove, HashBadges, HashDetail, HashDetailRequest,
    HashExport, HashImport, HashItem, HashList, HashMigrate, HashNameRequest, HashNameSteps,
    HashPage, HashRecord, HashReinstate, HashReport, HashReportQuery, HashReports, HashRestore,
    HashSchedule, HashTidy, HashVerify, NewHashSchedule, RecordedFolders, RecordedFoldersRequest,
    RecordedPlace, ReinstatedHashes, RemovedHashList, RemovedHashPage, RestoredFile, hash_accept,
    hash_accept_move, hash_badges, hash_check, hash_detail, hash_export, hash_import, hash_list,
    hash_migrate, hash_name, hash_record, hash_reinstate, hash_report, hash_reports, hash_restore,
    hash_tidy, hash_verify, recorded_folders, removed_hashes,
};
pub(crate) use ttl::{
    RootTtlPolicy, TtlState, reset_ttl_policy, set_ttl_policy, ttl_policy, ttl_preview, ttl_retry,
    ttl_run, ttl_state,
};

pub(crate) use export::{archive_name, site_thumbnails, watching, written};
pub(crate) use hashes::HashFolders;
