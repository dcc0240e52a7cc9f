//! Conversions of the wiki's changes to events.

use fumikura_wiki::Change;

use super::{AssetChange, Event, PageChange};

impl From<Change> for Event {
    fn from(change: Change) -> Self {
        match change {
            Change::Page {
                page_id,
                path,
                revision,
                kind,
            } => Self::PageChanged {
                page_id: page_id.to_string(),
                path: path.to_string(),
                revision,
                kind: kind.into(),
            },
            Change::Asset {
                page_id,
                asset_id,
                kind,
            } => Self::AssetChanged {
                page_id: page_id.map(|id| id.to_string()),
                asset_id: asset_id.to_string(),
                kind: kind.into(),
            },
            Change::Locked {
                page_id,
                user_name,
                expire,
            } => Self::PageLocked {
                page_id: page_id.to_string(),
                user_name,
                expire,
            },
            Change::Unlocked { page_id } => Self::PageUnlocked {
                page_id: page_id.to_string(),
            },
            Change::Settings => Self::SettingsChanged,
            Change::Unknown => Self::Resync,
        }
    }
}

impl From<fumikura_wiki::PageChange> for PageChange {
    fn from(kind: fumikura_wiki::PageChange) -> Self {
        use fumikura_wiki::PageChange as Told;
        match kind {
            Told::Created => Self::Created,
            Told::Saved => Self::Saved,
            Told::Renamed => Self::Renamed,
            Told::Deleted => Self::Deleted,
            Told::Restored => Self::Restored,
            Told::Compacted => Self::Compacted,
        }
    }
}

impl From<fumikura_wiki::AssetChange> for AssetChange {
    fn from(kind: fumikura_wiki::AssetChange) -> Self {
        use fumikura_wiki::AssetChange as Told;
        match kind {
            Told::Added => Self::Added,
            Told::Renamed => Self::Renamed,
            Told::Deleted => Self::Deleted,
            Told::Restored => Self::Restored,
            Told::Moved => Self::Moved,
            Told::Purged => Self::Purged,
        }
    }
}
