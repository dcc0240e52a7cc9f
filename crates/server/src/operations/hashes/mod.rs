//! Hash records: listing, naming, recording, verifying and repairing (docs/spec/hash-files.md).

mod badges;
mod detail;
mod folders;
mod item;
mod list;
mod lists;
mod name;
mod places;
mod removed;
mod repair;
mod report;
mod runs;
mod schedule;
mod state;
mod stored_report;
mod wiki_files;

pub(crate) use badges::HashBadges;
pub(crate) use detail::{HashDetail, HashDetailRequest};
pub(crate) use item::HashItem;
pub(crate) use list::{HashList, HashPage};
pub(crate) use lists::{HashExport, HashImport};
pub use name::HashName;
pub(crate) use name::HashNameRequest;
pub(crate) use name::HashNameSteps;
pub(crate) use places::RecordedPlace;
pub(crate) use removed::{HashReinstate, ReinstatedHashes, RemovedHashList, RemovedHashPage};
pub(crate) use repair::{AcceptedMove, HashAccept, HashAcceptMove, HashRestore, RestoredFile};
pub(crate) use report::{HashReport, HashReportQuery, HashReports};
pub(crate) use runs::{HashMigrate, HashRecord, HashTidy, HashVerify};
pub(crate) use schedule::{HashSchedule, NewHashSchedule};

pub(crate) use state::HashFolders;
