//! A check that docs/STORAGE.md names every table and every field of its records, and nothing else, by
//! comparison with the types in the source.

use std::any::type_name;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use syn::{
    Attribute, Expr, ExprLit, Field, GenericArgument, Ident, Item, ItemEnum, ItemStruct, Lit,
    PathArguments, Type,
};

use super::error::StorageError;
use super::schema::{CURRENT, Visit, visit};
use super::sets::IdSets;
use super::tables::Table;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");
/// The table whose texts are JSON, and their record.
const AS_JSON: (&str, &str) = ("settings", "Settings");
/// The table whose records are stored in another form, and the form.
const STORED_AS: (&str, &str) = ("page_source", "StoredSource");

/// The names of the tables' value types in the source, by the tables' names. Sets of ids have no value type.
#[derive(Default)]
struct Values(BTreeMap<&'static str, Option<&'static str>>);

impl Visit for Values {
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
    visit(&mut values).unwrap();
    let Values(mut values) = values;
    let text = values.insert(AS_JSON.0, Some(AS_JSON.1));
    assert_eq!(text, Some(Some("String")));
    let record = values.insert(STORED_AS.0, Some(STORED_AS.1));
    assert_eq!(record, Some(Some("PageSource")));
    values
}

/// Returns the cells of the table rows below a heading.
fn described(heading: &str) -> Vec<Vec<String>> {
    let path = format!("{CRATE}/../../docs/STORAGE.md");
    let description = fs::read_to_string(path).unwrap();
    let (_, below) = description.split_once(heading).expect(heading);
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

#[test]
fn every_table_is_described_with_its_record() {
    let records = records();
    let mut expected = BTreeMap::new();
    for (table, value) in values() {
        let record = value.filter(|value| records.contains_key(*value));
        expected.insert(table.to_owned(), record.map(str::to_owned));
    }
    let rows = described(&format!("### Schema {CURRENT}\n"));
    let there = rows.iter().map(|row| {
        let record = quoted(&row[2]).filter(|name| records.contains_key(*name));
        (
            quoted(&row[0]).unwrap().to_owned(),
            record.map(str::to_owned),
        )
    });
    assert_eq!(there.collect::<BTreeMap<_, _>>(), expected);
}

#[test]
fn every_field_is_described_in_its_order_as_what_it_is_stored() {
    let mut there: BTreeMap<String, Vec<Part>> = BTreeMap::new();
    let mut record = String::new();
    for row in described("### Records\n") {
        // A row that names no record has the record of the row above.
        if let Some(name) = quoted(&row[0]) {
            name.clone_into(&mut record);
        }
        let part = Part::new(row[1].clone(), row[2].clone());
        there.entry(record.clone()).or_default().push(part);
    }
    let expected = reached();
    for (name, parts) in &expected {
        let described = there.remove(name);
        assert_eq!(described.as_ref(), Some(parts), "{name}");
    }
    assert!(there.is_empty(), "nobody has {there:?}");
}

/// A field of a record, or a variant of an enum, with its name and its stored form.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    called: String,
    stored: String,
}

impl Part {
    fn new(called: String, stored: String) -> Self {
        Self { called, stored }
    }
}

/// Returns the records in tables, and the records nested in them.
fn reached() -> BTreeMap<String, Vec<Part>> {
    let mut all = records();
    let values = values().into_values().flatten();
    let mut ahead: BTreeSet<String> = values.map(str::to_owned).collect();
    ahead.retain(|name| all.contains_key(name));
    let mut reached: BTreeMap<String, Vec<Part>> = BTreeMap::new();
    while let Some(name) = ahead.pop_first() {
        if reached.contains_key(&name) {
            continue;
        }
        let parts = all.remove(&name);
        let parts = parts.unwrap_or_else(|| panic!("what is a {name}?"));
        let quoted = parts.iter().flat_map(|part| part.stored.split('`').skip(1));
        let records = quoted.filter(|name| name.starts_with(char::is_uppercase));
        ahead.extend(records.map(str::to_owned));
        reached.insert(name, parts);
    }
    reached
}

/// Returns every type of the model that can be stored, by its name.
fn records() -> BTreeMap<String, Vec<Part>> {
    let mut records = BTreeMap::new();
    for file in fs::read_dir(format!("{CRATE}/src/model")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        for item in syn::parse_file(&text).unwrap().items {
            if let Item::Struct(of) = &item
                && is_stored(&of.attrs)
            {
                records.insert(of.ident.to_string(), fields_of(of));
            }
            if let Item::Enum(of) = &item
                && is_stored(&of.attrs)
            {
                records.insert(of.ident.to_string(), variants_of(of));
            }
        }
    }
    records
}

fn is_stored(attributes: &[Attribute]) -> bool {
    said(attributes, "derive").any(|derived| derived.contains("Serialize"))
}

fn fields_of(record: &ItemStruct) -> Vec<Part> {
    // With `default`, a field may be missing; with `transparent`, the type is stored as its content.
    known(&record.attrs, &["default", "transparent"]);
    let part = |field: &Field| {
        let name = field.ident.as_ref().map_or("", |_| "`");
        let called = field.ident.as_ref().map(Ident::to_string);
        let called = format!("{name}{}{name}", called.unwrap_or_default());
        Part::new(called, stored_field(field))
    };
    record.fields.iter().map(part).collect()
}

fn variants_of(record: &ItemEnum) -> Vec<Part> {
    let by_name = r#"rename_all = "snake_case""#;
    known(&record.attrs, &[by_name]);
    let by_name = said(&record.attrs, "serde").any(|said| said == by_name);
    let mut parts = Vec::new();
    for (number, variant) in record.variants.iter().enumerate() {
        let name = variant.ident.to_string();
        let called = if by_name {
            let one_word = !name[1..].contains(char::is_uppercase);
            assert!(one_word, "{name}: where would the words part?");
            format!("`{}`", name.to_lowercase())
        } else {
            format!("`{number}` {name}")
        };
        let stored = variant.fields.iter().map(|field| {
            let stored = stored_field(field);
            let name = field.ident.as_ref();
            name.map_or(stored.clone(), |name| format!("`{name}` {stored}"))
        });
        let stored: Vec<String> = stored.collect();
        let nothing = || "nothing".to_owned();
        let stored = Some(stored.join(", ")).filter(|stored| !stored.is_empty());
        parts.push(Part::new(called, stored.unwrap_or_else(nothing)));
    }
    parts
}

/// Describes the stored form of a field in words.
fn stored_field(field: &Field) -> String {
    let (micros, bytes) = (r#"with = "micros""#, r#"with = "serde_bytes""#);
    known(&field.attrs, &[micros, bytes]);
    let stored = stored(&field.ty);
    let is_bytes = said(&field.attrs, "serde").any(|said| said == bytes);
    assert_eq!(is_bytes, stored == "bytes", "{:?}", field.ident);
    let in_micros = said(&field.attrs, "serde").any(|said| said == micros);
    assert_eq!(in_micros, stored == "moment", "{:?}", field.ident);
    stored
}

fn stored(of: &Type) -> String {
    if let Type::Array(array) = of {
        let Expr::Lit(ExprLit {
            lit: Lit::Int(length),
            ..
        }) = &array.len
        else {
            panic!("how long is it?")
        };
        assert_eq!(stored(&array.elem), "u8");
        return format!("{length} bytes");
    }
    let Type::Path(path) = of else {
        panic!("no word for this type")
    };
    let last = path.path.segments.last().unwrap();
    let mut within = Vec::new();
    if let PathArguments::AngleBracketed(arguments) = &last.arguments {
        for argument in &arguments.args {
            let GenericArgument::Type(of) = argument else {
                panic!("no word for this type")
            };
            within.push(stored(of));
        }
    }
    match (last.ident.to_string().as_str(), within.as_slice()) {
        (number @ ("u8" | "u32" | "u64" | "bool"), []) => number.to_owned(),
        ("String", []) => "text".to_owned(),
        ("PagePath", []) => "path".to_owned(),
        ("FileName", []) => "file name".to_owned(),
        ("UserName", []) => "name".to_owned(),
        ("PageId", []) => "page id".to_owned(),
        ("UserId", []) => "user id".to_owned(),
        ("DeletionId", []) => "deletion id".to_owned(),
        ("SessionId", []) => "session id".to_owned(),
        ("JournalId", []) => "journal id".to_owned(),
        ("LockToken", []) => "lock token".to_owned(),
        ("Timestamp", []) => "moment".to_owned(),
        ("Option", [one]) => format!("optional {one}"),
        ("Vec", [one]) if one == "u8" => "bytes".to_owned(),
        ("Vec", [one]) => format!("list of {one}"),
        ("BTreeMap", [key, value]) => format!("map from {key} to {value}"),
        (record, []) => format!("`{record}`"),
        (other, _) => panic!("no word for {other}"),
    }
}

/// Returns the contents of the attributes with this name.
fn said(attributes: &[Attribute], name: &str) -> impl Iterator<Item = String> {
    let named = attributes
        .iter()
        .filter(move |attribute| attribute.path().is_ident(name));
    named.map(|attribute| attribute.meta.require_list().unwrap().tokens.to_string())
}

/// Asserts that no serde attribute is used that the description would have to mention.
fn known(attributes: &[Attribute], known: &[&str]) {
    for said in said(attributes, "serde") {
        assert!(known.contains(&said.as_str()), "serde({said})");
    }
}
