//! Sources in tests.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Cursor, Read as _, Write as _};
use std::ops::ControlFlow;

use zip::write::{SimpleFileOptions, ZipWriter};

use crate::source::Source;
use crate::spool::Spool;
use crate::tree::Tree;
use crate::{Format, ReadError, detect, read};

/// Reads a zip archive of these files.
pub(crate) fn read_zip(files: &[(&str, &[u8])]) -> Result<(Format, String), ReadError> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    read_file("export.zip", &zip.finish().unwrap().into_inner())
}

/// Reads a file, and describes what was read. Checks that each entry is in exactly one list.
pub(crate) fn read_file(name: &str, bytes: &[u8]) -> Result<(Format, String), ReadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let mut watch = |_, _| ControlFlow::Continue(());
    let tree = Tree::open(&path, &mut watch)?;
    let spool = Spool::new(folder.path(), 1 << 30)?;
    let format = detect(&tree)?;
    let source = read(&tree, format, &spool, &mut watch)?;
    check_sum(&tree, &source);
    Ok((format, describe(&tree, &spool, &source)))
}

/// Checks that each entry, or each item of it, is in exactly one list.
#[track_caller]
fn check_sum(tree: &Tree, source: &Source) {
    let mut origins: HashMap<&str, u32> = HashMap::new();
    let notes = source.notes.iter().map(|note| note.origin.as_str());
    let files = source.files.iter().map(|file| file.origin.as_str());
    let skipped = source.skipped.iter().map(|skipped| skipped.origin.as_str());
    for origin in notes.chain(files).chain(skipped) {
        *origins.entry(origin).or_default() += 1;
    }
    for (origin, count) in &origins {
        assert_eq!(*count, 1, "{origin} occurs in several lists");
    }
    let paths = tree.entries().iter().map(|entry| entry.path.as_str());
    for path in paths.chain(tree.skipped().iter().map(|skipped| skipped.origin.as_str())) {
        // The items of an entry follow its path.
        let is_named = origins.keys().any(|origin| {
            *origin == path
                || origin
                    .strip_prefix(path)
                    .is_some_and(|item| item.starts_with('#'))
        });
        assert!(is_named, "{path} was lost");
    }
}

fn describe(tree: &Tree, spool: &Spool, source: &Source) -> String {
    let mut out = String::new();
    let mut notes: Vec<_> = source.notes.iter().collect();
    notes.sort_by(|a, b| a.origin.cmp(&b.origin));
    for note in notes {
        writeln!(out, "=== {} → {}", note.origin, note.place.join(" / ")).unwrap();
        if note.created.is_some() || note.changed.is_some() {
            let show = |time: Option<jiff::Timestamp>| {
                time.map_or("-".to_owned(), |time| time.to_string())
            };
            writeln!(
                out,
                "created {}, changed {}",
                show(note.created),
                show(note.changed)
            )
            .unwrap();
        }
        for loss in &note.losses {
            writeln!(out, "! {:?}: {}", loss.kind, loss.detail).unwrap();
        }
        out.push_str(&spool.text(&note.text).unwrap());
    }
    let mut files: Vec<_> = source.files.iter().collect();
    files.sort_by(|a, b| a.origin.cmp(&b.origin));
    for file in files {
        let mut bytes = Vec::new();
        tree.open_content(&file.content)
            .unwrap()
            .read_to_end(&mut bytes)
            .unwrap();
        let owner = file.owner.as_deref().unwrap_or("-");
        writeln!(
            out,
            "=== file {} → {} ({} bytes, of {owner})",
            file.origin,
            file.name,
            bytes.len()
        )
        .unwrap();
    }
    let mut skipped: Vec<_> = source.skipped.iter().collect();
    skipped.sort_by(|a, b| a.origin.cmp(&b.origin));
    for skipped in skipped {
        writeln!(out, "=== skipped {}: {:?}", skipped.origin, skipped.reason).unwrap();
    }
    out
}
