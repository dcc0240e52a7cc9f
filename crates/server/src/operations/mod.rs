//! What can be asked for by more than one door: the HTTP interface and the window's commands call
//! the same functions of [`App`](crate::App), with the same arguments, answers and errors.

mod assets;
mod locks;

pub use assets::{
    AssetEntry, AssetEntryState, AssetList, AssetMove, AssetRemove, AssetRename, OfAsset,
};
pub use locks::{LockAcquire, LockState, LockWithToken, OfPage, PageLock};
