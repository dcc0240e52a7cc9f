//! A search for tests: the rows of all tables that name an id anywhere in their keys or values.

use redb::{MultimapTableHandle, ReadableMultimapTable, ReadableTable, TableHandle};

use super::error::StorageError;
use super::schema::{TableVisitor, visit_tables};
use super::sets::IdSets;
use super::tables::Table;
use super::txn::ReadTxn;

struct IdSearch<'a> {
    txn: &'a ReadTxn,
    id: &'a [u8; 16],
    text: &'a str,
    found: Vec<(String, usize)>,
}

impl IdSearch<'_> {
    fn has(&self, bytes: impl AsRef<[u8]>) -> bool {
        let bytes = bytes.as_ref();
        let contains = |name: &[u8]| bytes.windows(name.len()).any(|part| part == name);
        contains(self.id) || contains(self.text.as_bytes())
    }

    fn add(&mut self, table: &str, rows: usize) {
        if rows > 0 {
            self.found.push((table.to_owned(), rows));
        }
    }
}

impl TableVisitor for IdSearch<'_> {
    fn table<K: redb::Key + 'static, V>(&mut self, table: Table<K, V>) -> Result<(), StorageError> {
        let mut rows = 0;
        for row in self.txn.0.open_table(table.definition)?.iter()? {
            let (key, value) = row?;
            rows += usize::from(self.has(K::as_bytes(&key.value())) || self.has(value.value()));
        }
        self.add(TableHandle::name(&table.definition), rows);
        Ok(())
    }

    fn sets<K: redb::Key + 'static>(&mut self, sets: IdSets<K>) -> Result<(), StorageError> {
        let mut rows = 0;
        for row in self.txn.0.open_multimap_table(sets.definition)?.iter()? {
            let (key, ids) = row?;
            let key_names = self.has(K::as_bytes(&key.value()));
            for id in ids {
                rows += usize::from(key_names || id?.value() == self.id);
            }
        }
        self.add(MultimapTableHandle::name(&sets.definition), rows);
        Ok(())
    }
}

impl ReadTxn {
    /// Returns the tables that name `id`, as bytes or as `text`, each with the number of such rows.
    pub(crate) fn rows_with_id(
        &self,
        id: &[u8; 16],
        text: &str,
    ) -> Result<Vec<(String, usize)>, StorageError> {
        let mut search = IdSearch {
            txn: self,
            id,
            text,
            found: Vec::new(),
        };
        visit_tables(&mut search)?;
        Ok(search.found)
    }
}
