//! Tests: a damaged index is noticed, and gives an error instead of a panic or a result that lacks pages.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::facts::{Directory, PageFacts};
use crate::query::Query;
use crate::text::extract;

const PAGES: u8 = 40;
const QUERIES: [&str; 6] = [
    "page",
    "京都",
    "o",
    "tag:旅",
    "-title:7",
    "\"number 3\" OR サーバー",
];

/// An index of several segments, with deletions.
fn build() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(folder.path()).unwrap();
    for batch in 0..5 {
        let mut writer = index.writer().unwrap();
        for number in (0..PAGES).filter(|number| number % 5 == batch) {
            let text = format!("# No. {number}\n\nPage number {number} 京都 サーバ #旅");
            let text = extract(&text).with_title(Some(format!("No. {number}")));
            writer.put(&[number; 16], 1, &text).unwrap();
        }
        writer.remove(&[PAGES; 16]);
        writer.put(&[0; 16], 1, &extract("page number 0")).unwrap();
        writer.commit().unwrap();
        writer.finish().unwrap();
    }
    index.reload().unwrap();
    let searcher = index.searcher();
    let segments = searcher.segment_readers();
    assert!(segments.len() > 1 && segments.iter().any(SegmentReader::has_deletes));
    folder
}

fn directory() -> Directory {
    let facts = |number: u8| PageFacts {
        key: [number; 16],
        path: format!("/p{number}"),
        former: Vec::new(),
        title: None,
        deleted: false,
        updated: 0,
        author: String::new(),
        version: 1,
    };
    (0..PAGES).map(facts).collect()
}

/// Returns the pages that each query finds.
fn answers(index: &Index) -> Result<Vec<BTreeSet<PageKey>>, IndexError> {
    let found = |typed: &str| {
        let hits = index.find(&Query::parse(typed).unwrap(), &directory())?;
        Ok(hits.into_iter().map(|hit| hit.key).collect())
    };
    QUERIES.into_iter().map(found).collect()
}

/// Returns the files whose contents matter.
fn files(folder: &TempDir) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files
        .filter(|path| fs::metadata(path).unwrap().len() > 0)
        .collect();
    files.sort();
    files
}

#[test]
fn flipped_bit_is_noticed_at_opening() {
    let folder = build();
    let intact = Index::open(folder.path()).unwrap();
    let (expected, versions) = (answers(&intact).unwrap(), intact.versions().unwrap());
    drop(intact);
    for file in files(&folder) {
        let bytes = fs::read(&file).unwrap();
        let step = (bytes.len() / 9).max(1);
        for at in (0..bytes.len()).step_by(step).chain([bytes.len() - 1]) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(&file, damaged).unwrap();
            // A number in a file's footer may differ without a consequence.
            if let Ok(index) = Index::open(folder.path()) {
                assert_eq!(answers(&index).unwrap(), expected, "{file:?} at {at}");
                assert_eq!(index.versions().unwrap(), versions, "{file:?} at {at}");
            }
        }
        fs::write(&file, bytes).unwrap();
    }
    assert_eq!(
        answers(&Index::open(folder.path()).unwrap()).unwrap(),
        expected
    );
}

#[test]
fn lost_or_shortened_file_is_noticed_at_opening() {
    let folder = build();
    for file in files(&folder) {
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
        assert!(Index::open(folder.path()).is_err(), "{file:?}");
        fs::remove_file(&file).unwrap();
        // Without a list of segments, the index is a new one. The list of files is for deleting old ones.
        match (
            Index::open(folder.path()),
            file.file_name().unwrap().to_str(),
        ) {
            (Err(_), _) => {}
            (Ok(index), Some("meta.json")) => assert!(index.is_empty()),
            (Ok(index), name) => {
                assert_eq!(
                    (name, index.len()),
                    (Some(".managed.json"), u64::from(PAGES))
                );
            }
        }
        fs::write(&file, bytes).unwrap();
    }
}

/// Changes each file of a segment, with an index open.
#[track_caller]
fn check_open_index(damage: impl Fn(&PathBuf, usize)) {
    let folder = build();
    for file in files(&folder) {
        if file.extension().is_none_or(|extension| extension == "json") {
            continue;
        }
        let bytes = fs::read(&file).unwrap();
        let index = Index::open(folder.path()).unwrap();
        damage(&file, bytes.len());
        // The answer may be anything but a panic, or the end of the process.
        let _any = answers(&index);
        let _any = index.versions();
        let _any = index.cut_pages();
        let found = index.validate();
        assert!(matches!(found, Err(IndexError::Unusable(_))), "{file:?}");
        let writer = index.writer().map(|_| ());
        assert!(matches!(writer, Err(IndexError::Unusable(_))), "{file:?}");
        drop(index);
        fs::write(&file, bytes).unwrap();
    }
}

#[test]
fn damage_of_an_open_index_is_an_error() {
    check_open_index(|file, length| fs::write(file, vec![0xFF; length]).unwrap());
}

#[test]
fn shortened_file_of_an_open_index_is_an_error() {
    check_open_index(|file, length| {
        let file = OpenOptions::new().write(true).open(file).unwrap();
        file.set_len(length as u64 / 2).unwrap();
    });
}
