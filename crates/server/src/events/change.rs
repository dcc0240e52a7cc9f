//! Conversions of the wiki's changes to events.

use fumikura_wiki::Change;

use super::Event;

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
                kind,
            },
            Change::Asset {
                page_id,
                asset_id,
                kind,
            } => Self::AssetChanged {
                page_id: page_id.map(|id| id.to_string()),
                asset_id: asset_id.to_string(),
                kind,
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
