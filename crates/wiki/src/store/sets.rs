//! Sets of ids by key: multimap tables, typed like the other tables.

use std::borrow::Borrow;
use std::ops::{ControlFlow, RangeBounds};

use redb::{MultimapTable, MultimapTableDefinition, ReadableMultimapTable};

use super::error::StorageError;
use super::tables::IdKey;
use super::txn::{Direction, ReadTxn, WriteTxn, catch_damage};

/// A table with a set of ids for each key.
pub(crate) struct IdSets<K: redb::Key + 'static> {
    pub(super) definition: MultimapTableDefinition<'static, K, IdKey>,
    pub(crate) name: &'static str,
}

impl<K: redb::Key + 'static> IdSets<K> {
    pub(super) const fn new(name: &'static str) -> Self {
        Self {
            definition: MultimapTableDefinition::new(name),
            name,
        }
    }
}

impl<K: redb::Key + 'static> Clone for IdSets<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: redb::Key + 'static> Copy for IdSets<K> {}

/// The operations on sets that both kinds of transaction have.
pub(crate) trait ReadSets {
    /// Returns the ids at `key`, ascending.
    fn ids<'k, K: redb::Key + 'static>(
        &self,
        sets: IdSets<K>,
        key: impl Borrow<K::SelfType<'k>>,
    ) -> Result<Vec<[u8; 16]>, StorageError>;

    /// Passes the keys in `range`, each with its ids in ascending order, to `visit` until it breaks.
    fn scan_ids_in<'k, K, KR>(
        &self,
        sets: IdSets<K>,
        range: impl RangeBounds<KR> + 'k,
        direction: Direction,
        visit: impl FnMut(K::SelfType<'_>, Vec<[u8; 16]>) -> ControlFlow<()>,
    ) -> Result<(), StorageError>
    where
        K: redb::Key + 'static,
        KR: Borrow<K::SelfType<'k>> + 'k;
}

macro_rules! impl_read_sets {
    ($($txn:ty),+) => {$(
        impl ReadSets for $txn {
            fn ids<'k, K: redb::Key + 'static>(
                &self,
                sets: IdSets<K>,
                key: impl Borrow<K::SelfType<'k>>,
            ) -> Result<Vec<[u8; 16]>, StorageError> {
                let opened = self.0.open_multimap_table(sets.definition)?;
                let ids = opened.get(key)?;
                ids.map(|id| Ok(*id?.value())).collect()
            }

            fn scan_ids_in<'k, K, KR>(
                &self,
                sets: IdSets<K>,
                range: impl RangeBounds<KR> + 'k,
                direction: Direction,
                mut visit: impl FnMut(K::SelfType<'_>, Vec<[u8; 16]>) -> ControlFlow<()>,
            ) -> Result<(), StorageError>
            where
                K: redb::Key + 'static,
                KR: Borrow<K::SelfType<'k>> + 'k,
            {
                let opened = self.0.open_multimap_table(sets.definition)?;
                let mut rows = opened.range::<KR>(range)?;
                loop {
                    let row = match direction {
                        Direction::Ascending => rows.next(),
                        Direction::Descending => rows.next_back(),
                    };
                    let Some(row) = row else { return Ok(()) };
                    let (key, ids) = row?;
                    let ids = ids
                        .map(|id| Ok(*id?.value()))
                        .collect::<Result<Vec<_>, StorageError>>()?;
                    if visit(key.value(), ids).is_break() {
                        return Ok(());
                    }
                }
            }
        }
    )+};
}

impl_read_sets!(ReadTxn, WriteTxn);

impl ReadTxn {
    /// Passes every key with its ids to `visit`, ascending, until it breaks, including those that can't be
    /// read.
    ///
    /// # Errors
    /// Returns the error that prevents reading on.
    pub(crate) fn try_scan_ids<K: redb::Key + 'static>(
        &self,
        sets: IdSets<K>,
        mut visit: impl FnMut(Result<(K::SelfType<'_>, Vec<[u8; 16]>), StorageError>) -> ControlFlow<()>,
    ) -> Result<(), StorageError> {
        let opened = catch_damage(|| Ok(self.0.open_multimap_table(sets.definition)?))?;
        let mut rows = catch_damage(|| Ok(opened.iter()?))?;
        while let Some((key, ids)) = catch_damage(|| Ok(rows.next().transpose()?))? {
            let ids = catch_damage(|| {
                let _sensible = key.value();
                ids.map(|id| Ok(*id?.value())).collect()
            });
            if visit(ids.map(|ids| (key.value(), ids))).is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl WriteTxn {
    /// Inserts `id` into the set at `key`.
    pub(crate) fn insert_id<'k, K: redb::Key + 'static>(
        &self,
        sets: IdSets<K>,
        key: impl Borrow<K::SelfType<'k>>,
        id: &[u8; 16],
    ) -> Result<(), StorageError> {
        self.sets(sets)?.insert(key, id)?;
        Ok(())
    }

    /// Removes `id` from the set at `key`, if it is there.
    pub(crate) fn remove_id<'k, K: redb::Key + 'static>(
        &self,
        sets: IdSets<K>,
        key: impl Borrow<K::SelfType<'k>>,
        id: &[u8; 16],
    ) -> Result<(), StorageError> {
        self.sets(sets)?.remove(key, id)?;
        Ok(())
    }

    /// Removes all sets, also those that can't be read.
    pub(crate) fn clear_sets<K: redb::Key + 'static>(
        &self,
        sets: IdSets<K>,
    ) -> Result<(), StorageError> {
        self.0.delete_multimap_table(sets.definition)?;
        self.create_sets(sets)
    }

    pub(super) fn create_sets<K: redb::Key + 'static>(
        &self,
        sets: IdSets<K>,
    ) -> Result<(), StorageError> {
        self.sets(sets).map(drop)
    }

    fn sets<K: redb::Key + 'static>(
        &self,
        sets: IdSets<K>,
    ) -> Result<MultimapTable<'_, K, IdKey>, StorageError> {
        Ok(self.0.open_multimap_table(sets.definition)?)
    }
}
