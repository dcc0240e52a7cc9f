//! Hash records: listing, naming, recording, verifying and repairing (docs/spec/hash-files.md).

mod badges;
mod detail;
mod folders;
mod item;
mod list;
mod lists;
mod name;
mod places;
mod recorded_folders;
mod removed;
mod repair;
mod report;
mod runs;
mod schedule;
mod state;
mod stored_report;
mod wiki_files;

pub(crate) use badges::{HashBadges, hash_badges};
pub(crate) use detail::{HashDetail, HashDetailRequest, hash_detail};
pub(crate) use item::HashItem;
pub(crate) use list::{HashList, HashPage, hash_list};
pub(crate) use lists::{HashExport, HashImport, hash_export, hash_import};
pub use name::HashName;
pub(crate) use name::{HashNameRequest, HashNameSteps, hash_name};
pub(crate) use places::RecordedPlace;
pub(crate) use recorded_folders::{RecordedFolders, RecordedFoldersRequest, recorded_folders};
pub(crate) use removed::{
    HashReinstate, ReinstatedHashes, RemovedHashList, RemovedHashPage, hash_reinstate,
    removed_hashes,
};
pub(crate) use repair::{
    AcceptedMove, HashAccept, HashAcceptMove, HashRestore, RestoredFile, hash_accept,
    hash_accept_move, hash_restore,
};
pub(crate) use report::{HashReport, HashReportQuery, HashReports, hash_report, hash_reports};
pub(crate) use runs::{
    HashMigrate, HashRecord, HashTidy, HashVerify, hash_check, hash_migrate, hash_record,
    hash_tidy, hash_verify,
};
pub(crate) use schedule::{HashSchedule, NewHashSchedule};

pub(crate) use state::HashFolders;
