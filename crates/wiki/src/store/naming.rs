//! For tests: the rows of all tables that name an id anywhere, in their keys or in their values.

use redb::{MultimapTableHandle, ReadableMultimapTable, ReadableTable, TableHandle};

use super::sets::IdSets;
use super::tables::*;
use super::txn::ReadTxn;

fn has(bytes: impl AsRef<[u8]>, id: &[u8; 16], text: &str) -> bool {
    let bytes = bytes.as_ref();
    let named = |name: &[u8]| bytes.windows(name.len()).any(|part| part == name);
    named(id) || named(text.as_bytes())
}

fn rows<K: redb::Key + 'static, V>(
    txn: &ReadTxn,
    table: Table<K, V>,
    id: &[u8; 16],
    text: &str,
) -> usize {
    let opened = txn.0.open_table(table.definition).unwrap();
    let rows = opened.iter().unwrap().map(|row| row.unwrap());
    let naming = rows.filter(|(key, value)| {
        has(K::as_bytes(&key.value()), id, text) || has(value.value(), id, text)
    });
    naming.count()
}

fn sets<K: redb::Key + 'static>(
    txn: &ReadTxn,
    sets: IdSets<K>,
    id: &[u8; 16],
    text: &str,
) -> usize {
    let opened = txn.0.open_multimap_table(sets.definition).unwrap();
    let rows = opened.iter().unwrap().map(|row| row.unwrap());
    rows.map(|(key, ids)| {
        let key_names = has(K::as_bytes(&key.value()), id, text);
        let ids = ids.map(|value| *value.unwrap().value());
        ids.filter(|value| key_names || value == id).count()
    })
    .sum()
}

macro_rules! naming {
    ($txn:ident, $id:ident, $text:ident, [$($table:ident),+], [$($sets:ident),+]) => {{
        let counts = [
            $((TableHandle::name(&$table.definition).to_owned(), rows($txn, $table, $id, $text)),)+
            $((MultimapTableHandle::name(&$sets.definition).to_owned(), sets($txn, $sets, $id, $text)),)+
        ];
        let known: std::collections::BTreeSet<_> = counts.iter().map(|(name, _)| name.clone()).collect();
        let tables = $txn.0.list_tables().unwrap().map(|table| table.name().to_owned());
        let multimaps = $txn.0.list_multimap_tables().unwrap().map(|table| table.name().to_owned());
        assert_eq!(known, tables.chain(multimaps).collect(), "a table is not looked at");
        counts
    }};
}

impl ReadTxn {
    /// The tables that name `id`, as bytes or as `text`, each with how many of their rows do.
    pub(crate) fn rows_naming(&self, id: &[u8; 16], text: &str) -> Vec<(String, usize)> {
        let txn = self;
        let counts = naming!(
            txn,
            id,
            text,
            [
                META,
                PAGE_PATH,
                PAGE_INDEX,
                PAGE_SOURCE,
                LOCK,
                USER,
                USER_NAME,
                JOURNAL,
                JOURNAL_TEXT,
                JOURNAL_KEY,
                SETTINGS,
                SESSION,
                PAGE_TITLE,
                PAGE_LINKS,
                FORMER_PATHS,
                DELETION,
                ASSET,
                ASSET_NAME,
                ASSET_PAGE
            ],
            [
                BACKLINK,
                WAITING_LINK,
                LEFT_PATH,
                DELETED_PAGE_PATH,
                PAGE_ASSETS
            ]
        );
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }
}
