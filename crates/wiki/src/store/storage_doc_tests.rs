//! A check that docs/STORAGE.md names every table and every field of its records, and nothing else, by
//! comparison with the formats of the stored types.

use std::any::type_name;
use std::collections::BTreeMap;
use std::fs;

use super::error::StorageError;
use super::format_trace::{Formats, Part};
use super::schema::{CURRENT, TableVisitor, visit_tables};
use super::sets::IdSets;
use super::tables::Table;
use crate::model::asset::AssetInfo;
use crate::model::autosave::{AutosaveHead, AutosaveTombstone};
use crate::model::history::{Deletion, FormerPaths};
use crate::model::link::PageLinks;
use crate::model::lock::LockInfo;
use crate::model::page::{PageIndex, RenameInfo, StoredSource};
use crate::model::session::SessionInfo;
use crate::model::settings::Settings;
use crate::model::user::User;

/// The table whose texts are JSON, and their record.
const AS_JSON: (&str, &str) = ("settings", "Settings");
/// The table whose records are stored in another form, and the form.
const STORED_AS: (&str, &str) = ("page_source", "StoredSource");
/// The value types that are not records.
const PLAIN: [&str; 3] = ["u32", "[u8; 16]", "String"];
/// The document's words for forms that have a meaning, longer words first, and the forms.
const WORDS: [(&str, &str); 9] = [
    ("page id", "16 bytes"),
    ("user id", "16 bytes"),
    ("deletion id", "16 bytes"),
    ("session id", "16 bytes"),
    ("journal id", "16 bytes"),
    ("lock token", "16 bytes"),
    ("file name", "text"),
    ("moment", "i64"),
    ("path", "text"),
];

/// Returns the formats of all records, and of the types within them.
fn records() -> BTreeMap<String, Vec<Part>> {
    let mut formats = Formats::default();
    formats.trace::<PageIndex>();
    formats.trace::<StoredSource>();
    formats.trace::<LockInfo>();
    formats.trace::<User>();
    formats.trace::<AutosaveHead>();
    formats.trace::<AutosaveTombstone>();
    formats.trace::<SessionInfo>();
    formats.trace::<AssetInfo>();
    formats.trace::<PageLinks>();
    formats.trace::<FormerPaths>();
    formats.trace::<RenameInfo>();
    formats.trace::<Deletion>();
    formats.trace_json::<Settings>();
    formats.parts()
}

/// The names of the tables' value types, by the tables' names. Sets of ids have no value type.
#[derive(Default)]
struct Values(BTreeMap<&'static str, Option<&'static str>>);

impl TableVisitor for Values {
    fn table<K: redb::Key + 'static, V>(&mut self, table: Table<K, V>) -> Result<(), StorageError> {
        let value = type_name::<V>().rsplit("::").next();
        self.0.insert(table.name, value);
        Ok(())
    }

    fn sets<K: redb::Key + 'static>(&mut self, sets: IdSets<K>) -> Result<(), StorageError> {
        self.0.insert(sets.name, None);
        Ok(())
    }
}

fn values() -> BTreeMap<&'static str, Option<&'static str>> {
    let mut values = Values::default();
    visit_tables(&mut values).unwrap();
    let Values(mut values) = values;
    let text = values.insert(AS_JSON.0, Some(AS_JSON.1));
    assert_eq!(text, Some(Some("String")));
    let record = values.insert(STORED_AS.0, Some(STORED_AS.1));
    assert_eq!(record, Some(Some("PageSource")));
    values
}

/// Returns the cells of the table rows below a heading.
fn documented(heading: &str) -> Vec<Vec<String>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/STORAGE.md");
    let document = fs::read_to_string(path).unwrap();
    let (_, below) = document.split_once(heading).expect(heading);
    let (section, _) = below.split_once("\n#").unwrap();
    let rows = section.lines().filter(|line| line.starts_with('|'));
    let cells = |row: &str| {
        let cells = row.trim_matches('|').split(" | ");
        cells.map(|cell| cell.trim().to_owned()).collect()
    };
    // Skips the column names and the line below them.
    rows.skip(2).map(cells).collect()
}

/// Returns the text between the first two backticks.
fn quoted(cell: &str) -> Option<&str> {
    cell.split('`').nth(1)
}

/// Returns the form that the document describes. Names are in backticks.
fn form(described: &str) -> String {
    let mut parts: Vec<String> = described.split('`').map(str::to_owned).collect();
    for words in parts.iter_mut().step_by(2) {
        for (word, form) in WORDS {
            *words = words.replace(word, form);
        }
    }
    let form = parts.join("`");
    // The name of a user, which no other form contains.
    if form == "name" {
        "text".to_owned()
    } else {
        form
    }
}

#[test]
fn every_table_is_documented_with_its_record() {
    let records = records();
    let mut expected = BTreeMap::new();
    for (table, value) in values() {
        let record = value.filter(|value| !PLAIN.contains(value));
        assert!(
            record.is_none_or(|record| records.contains_key(record)),
            "{table}"
        );
        expected.insert(table.to_owned(), record.map(str::to_owned));
    }
    let rows = documented(&format!("### Schema {CURRENT}\n"));
    let found = rows.iter().map(|row| {
        let record = quoted(&row[2]).filter(|name| records.contains_key(*name));
        let table = quoted(&row[0]).unwrap();
        (table.to_owned(), record.map(str::to_owned))
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
}

#[test]
fn every_field_is_documented_with_its_form() {
    let mut found: BTreeMap<String, Vec<Part>> = BTreeMap::new();
    let mut record = String::new();
    for row in documented("### Records\n") {
        // A row that names no record has the record of the row above.
        if let Some(name) = quoted(&row[0]) {
            name.clone_into(&mut record);
        }
        let part = Part {
            name: row[1].clone(),
            form: form(&row[2]),
        };
        found.entry(record.clone()).or_default().push(part);
    }
    for (name, parts) in &records() {
        let found = found.remove(name);
        assert_eq!(found.as_ref(), Some(parts), "{name}");
    }
    assert!(found.is_empty(), "no table has {found:?}");
}
