//! Hash records: listing, naming, recording, verifying and repairing (docs/spec/hash-files.md).

mod badges;
mod detail;
mod folders;
mod item;
mod kept_report;
mod list;
mod lists;
mod name;
mod places;
mod repair;
mod report;
mod runs;
mod schedule;
mod state;
mod wiki_files;

pub use badges::HashBadges;
pub use detail::{HashDetail, HashDetailOf};
pub use folders::GrantHolder;
pub use item::HashItem;
pub(crate) use item::HashState;
pub use list::{HashList, HashPage};
pub use lists::{HashExport, HashExportFormat, HashExported, HashImport};
pub use name::{HashName, HashNameSteps};
pub use places::RecordedPlace;
pub use repair::{HashAccept, HashRestore, RestoredFile};
pub use report::{HashReport, HashReportOf};
pub use runs::{HashMigrate, HashRecord, HashTidy, HashVerify};
pub use schedule::{HashSchedule, NewHashSchedule};

pub(crate) use state::HashFolders;
