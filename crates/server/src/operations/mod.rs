//! Operations of several domain calls, and those that the shell calls: functions of [`App`](crate::App).

mod add_files;
mod asset_entry;
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
    HashSchedule, HashTidy, HashVerify, NewHashSchedule, RecordedPlace, ReinstatedHashes,
    RemovedHashList, RemovedHashPage, RestoredFile,
};
pub(crate) use ttl::{RootTtlPolicy, TtlState};

pub(crate) use export::{archive_name, watching, written};
pub(crate) use hashes::HashFolders;
