//! Sources of other programs: what is read of them, and that nothing of them is lost.

use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;

use fumikura_convert::{Spool, Tree, detect, read};

/// The endings by which formats are known that aren't known by their contents.
const NAMES: [&str; 8] = [
    "a.zip", "a.jex", "a.enex", "a.html", "a.json", "a.tid", "a.txt", "a.md",
];

/// Checks one input.
pub fn import(data: &[u8]) {
    // The last byte chooses, so that a file of the format is an input.
    let choice = data.last().copied().unwrap_or_default();
    let folder = tempfile::tempdir().expect("a folder for a file");
    let path = folder.path().join(NAMES[usize::from(choice) % NAMES.len()]);
    fs::write(&path, data).expect("the folder is writable");
    let mut watch = |_, _| ControlFlow::Continue(());
    let Ok(tree) = Tree::open(&path, &mut watch) else {
        return;
    };
    let Ok(format) = detect(&tree) else { return };
    let spool = Spool::new(folder.path(), 64 << 20).expect("the folder is writable");
    let Ok(source) = read(&tree, format, &spool, &mut watch) else {
        return;
    };
    let notes = source.notes.iter().map(|note| note.origin.as_str());
    let files = source.files.iter().map(|file| file.origin.as_str());
    let skipped = source.skipped.iter().map(|skipped| skipped.origin.as_str());
    let mut origins = HashSet::new();
    for origin in notes.chain(files).chain(skipped) {
        assert!(origins.insert(origin), "{origin} is in several lists");
    }
    for entry in tree.entries() {
        let is_of = |origin: &&str| {
            let rest = origin.strip_prefix(entry.path.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
        };
        assert!(origins.iter().any(is_of), "{} was lost", entry.path);
    }
    for note in &source.notes {
        spool.text(&note.text).expect("the text was kept");
        assert!(
            !note.place.is_empty() || tree.entries().len() > 1,
            "{} has no place",
            note.origin
        );
    }
}
