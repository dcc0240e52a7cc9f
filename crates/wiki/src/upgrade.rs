//! Bringing an older database up to the present schema: what the new tables hold is worked out from
//! what is there.

use crate::store::{StorageError, WriteTxn};

/// Fills what is new since schema `from`, in the transaction that raises the version. The tables
/// are there already.
pub(crate) fn upgrade(_txn: &WriteTxn, _from: u32) -> Result<(), StorageError> {
    Ok(())
}
