//! A dump of every row of every table, for tests that compare whole databases.

use std::collections::BTreeMap;

use redb::{MultimapTableHandle, ReadableMultimapTable, ReadableTable};

use super::error::StorageError;
use super::open::Store;
use super::schema::{self, TableVisitor};
use super::sets::IdSets;
use super::tables::Table;
use super::txn::ReadTxn;

/// The rows of each table, as bytes.
pub(crate) type Dump = BTreeMap<String, Vec<(Vec<u8>, Vec<u8>)>>;

impl Store {
    pub(crate) fn dump(&self) -> Result<Dump, StorageError> {
        self.read(|txn| {
            let mut visitor = DumpVisitor {
                txn,
                dump: Dump::new(),
            };
            schema::visit_tables(&mut visitor)?;
            Ok(visitor.dump)
        })
    }
}

struct DumpVisitor<'a> {
    txn: &'a ReadTxn,
    dump: Dump,
}

impl TableVisitor for DumpVisitor<'_> {
    fn table<K: redb::Key + 'static, V>(&mut self, table: Table<K, V>) -> Result<(), StorageError> {
        let mut rows = Vec::new();
        for row in self.txn.0.open_table(table.definition)?.iter()? {
            let (key, value) = row?;
            let key = K::as_bytes(&key.value()).as_ref().to_vec();
            rows.push((key, value.value().to_vec()));
        }
        self.dump.insert(table.name.to_owned(), rows);
        Ok(())
    }

    fn sets<K: redb::Key + 'static>(&mut self, sets: IdSets<K>) -> Result<(), StorageError> {
        let mut rows = Vec::new();
        let opened = self.txn.0.open_multimap_table(sets.definition)?;
        for row in opened.iter()? {
            let (key, ids) = row?;
            let key = K::as_bytes(&key.value()).as_ref().to_vec();
            for id in ids {
                rows.push((key.clone(), id?.value().to_vec()));
            }
        }
        self.dump.insert(sets.definition.name().to_owned(), rows);
        Ok(())
    }
}
