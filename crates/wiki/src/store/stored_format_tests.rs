//! The stored formats, by the rows of a database that this schema left behind (`tests/fixtures/wiki`).

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use flate2::read::GzDecoder;
use fumikura_base::clock::ManualClock;
use fumikura_base::entropy::SeededEntropy;
use redb::{MultimapTableHandle, ReadableMultimapTable, ReadableTable};

use super::error::StorageError;
use super::open::Store;
use super::record::{Key, Record};
use super::schema::{CURRENT, TableVisitor, visit_tables};
use super::sets::IdSets;
use super::tables::{PAGE_SOURCE, Table};
use super::txn::ReadTxn;
use crate::check::Depth;
use crate::fixture::config;
use crate::wiki::Wiki;

/// Returns a folder with the database of a schema.
fn unpack(schema: u32) -> tempfile::TempDir {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/wiki");
    let packed = File::open(format!("{fixtures}/schema-{schema}.redb.gz")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut database = File::create(config(folder.path()).database).unwrap();
    std::io::copy(&mut GzDecoder::new(packed), &mut database).unwrap();
    folder
}

/// Describes the first row of each table, and of each variant if its values are an enum.
struct GoldenRows<'a> {
    txn: &'a ReadTxn,
    rows: String,
}

impl GoldenRows<'_> {
    fn add(&mut self, table: &str, key: &[u8], value: &[u8], decoded: &str) {
        let (key, value) = (hex::encode(key), hex::encode(value));
        self.rows += &format!("{table}\n  key   {key}\n  value {value}\n  {decoded}\n");
    }
}

impl TableVisitor for GoldenRows<'_> {
    fn table<K: Key, V: Record + Debug>(&mut self, table: Table<K, V>) -> Result<(), StorageError> {
        let mut variants = BTreeSet::new();
        for row in self.txn.0.open_table(table.definition)?.iter()? {
            let (key, value) = row?;
            let decoded = V::decode_whole(value.value()).unwrap();
            let encoded = decoded.encode().unwrap();
            let text = format!("{decoded:?}");
            if table.name == PAGE_SOURCE.name {
                // Another version of zstd may compress differently.
                assert_eq!(format!("{:?}", V::decode_whole(&encoded).unwrap()), text);
            } else {
                assert_eq!(encoded, value.value(), "{}: {text}", table.name);
            }
            let variant = text.split_once(['(', '{']).map(|(name, _)| name.to_owned());
            if variants.insert(variant) {
                let key = K::as_bytes(&key.value()).as_ref().to_vec();
                self.add(table.name, &key, value.value(), &text);
            }
        }
        assert!(!variants.is_empty(), "{} has no rows", table.name);
        Ok(())
    }

    fn sets<K: redb::Key + 'static>(&mut self, sets: IdSets<K>) -> Result<(), StorageError> {
        let opened = self.txn.0.open_multimap_table(sets.definition)?;
        let (key, mut ids) = opened.iter()?.next().expect(sets.name)?;
        let id = ids.next().unwrap()?.value().to_vec();
        let key = K::as_bytes(&key.value()).as_ref().to_vec();
        self.add(sets.definition.name(), &key, &id, "an id");
        Ok(())
    }
}

#[test]
fn stored_formats_are_unchanged() {
    let folder = unpack(CURRENT);
    let database = config(folder.path()).database;
    let store = Store::open(&database, Duration::ZERO, |_| Ok(())).unwrap();
    let rows = store.read(|txn| {
        let rows = String::new();
        let mut golden = GoldenRows { txn, rows };
        visit_tables(&mut golden)?;
        Ok::<_, StorageError>(golden.rows)
    });
    insta::assert_snapshot!(rows.unwrap());
}

#[test]
fn database_of_this_schema_has_no_faults() {
    check_without_faults(CURRENT);
}

#[test]
fn earlier_databases_are_upgraded() {
    check_without_faults(4);
    check_without_faults(5);
}

#[track_caller]
fn check_without_faults(schema: u32) {
    let folder = unpack(schema);
    let clock = Arc::new(ManualClock::new("2026-11-26T12:00:00Z".parse().unwrap()));
    let entropy = Arc::new(SeededEntropy::new(1));
    let wiki = Wiki::open(&config(folder.path()), clock, entropy).unwrap();
    let mut faults = wiki.check(Depth::Tables).unwrap().faults;
    // The files themselves are not part of the fixture.
    faults.retain(|fault| fault.place != "asset/");
    assert_eq!(faults, []);
    drop(wiki);
    // An earlier database is kept as it was.
    let kept = folder.path().join(format!("wiki.redb.schema-{schema}"));
    assert_eq!(kept.is_file(), schema < CURRENT, "{}", kept.display());
    if schema < CURRENT {
        let earlier = unpack(schema);
        let earlier = std::fs::read(earlier.path().join("wiki.redb")).unwrap();
        assert!(std::fs::read(kept).unwrap() == earlier);
    }
}
