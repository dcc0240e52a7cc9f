//! Archives for tests.

use std::fs::{self, File};
use std::io::{Cursor, Seek, Write};
use std::ops::ControlFlow;

use fumikura_wiki::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::support::{TestWiki, path};

pub(crate) const ID: &str = "01JD0000000000000000000000";
pub(crate) const OTHER: &str = "01JD0000000000000000000001";

pub(crate) fn ignore_progress(_done: u64, _total: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

pub(crate) fn exported(test: &TestWiki) -> Vec<u8> {
    let aside = tempfile::tempdir().unwrap();
    let (mut out, export) = (
        Vec::new(),
        test.wiki
            .archives()
            .begin_export(aside.path(), ExportForm::Archive)
            .unwrap(),
    );
    test.wiki
        .archives()
        .write_export(export, &mut out, &mut ignore_progress)
        .unwrap();
    out
}

pub(crate) fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    file
}

pub(crate) fn request(test: &TestWiki, on_conflict: OnConflict) -> ImportRequest {
    ImportRequest {
        user: test.ben,
        on_conflict,
        limit: 64 << 20,
    }
}

pub(crate) fn import(
    test: &TestWiki,
    archive: &[u8],
    mode: OnConflict,
) -> Result<ImportReport, ImportError> {
    let request = request(test, mode);
    let plan = test
        .wiki
        .archives()
        .plan_import(file(archive), request, &mut ignore_progress)?;
    test.wiki.archives().apply_import(plan)
}

pub(crate) fn id_at(test: &TestWiki, at: &str) -> PageId {
    test.wiki.pages().resolve(&path(at)).unwrap().id
}

pub(crate) fn text_at(test: &TestWiki, at: &str) -> String {
    test.text(id_at(test, at))
}

/// The number of files in the asset folder, including unfinished ones.
pub(crate) fn stored_files(test: &TestWiki) -> usize {
    fn count(folder: &std::path::Path) -> usize {
        let entries = fs::read_dir(folder).into_iter().flatten();
        let entries = entries.map(|entry| entry.unwrap().path());
        let counted = entries.map(|path| if path.is_dir() { count(&path) } else { 1 });
        counted.sum()
    }
    count(&test.assets())
}

/// An archive with these entries and a manifest.
pub(crate) fn archive(entries: &[(&str, &[u8])], manifest: &Value) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let manifest = manifest.to_string();
    let entries = entries.iter().copied();
    for (name, bytes) in entries.chain([("fumikura.json", manifest.as_bytes())]) {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub(crate) fn page(id: &str, at: &str, entry: &str) -> Value {
    json!({"id": id, "path": at, "file": entry, "revision": 3,
        "updated_at": "2026-01-01T00:00:00Z", "user_name": "Cho"})
}

pub(crate) fn asset(id: &str, name: &str, entry: &str, bytes: &[u8]) -> Value {
    let sha256 = hex::encode(Sha256::digest(bytes));
    json!({"id": id, "page": ID, "file_name": name, "file": entry, "mime": "text/plain",
        "size": bytes.len(), "sha256": sha256})
}

pub(crate) fn manifest(pages: &[Value], assets: &[Value]) -> Value {
    json!({"version": 1, "exported_at": "2026-01-01T00:00:00Z", "pages": pages, "assets": assets})
}

/// An archive with one page.
pub(crate) fn small(at: &str, text: &str) -> Vec<u8> {
    let manifest = manifest(&[page(ID, at, "pages/a.md")], &[]);
    archive(&[("pages/a.md", text.as_bytes())], &manifest)
}

/// A wiki with links of all kinds, and files.
pub(crate) fn full() -> TestWiki {
    let test = TestWiki::new();
    let kyoto = test.page(
        "/旅/京都",
        "# 京都\n\nback to [旅](/旅), not yet [[/later]]\n",
    );
    test.page(
        "/旅",
        "[[/旅/京都]] [beside](memo) [self](/旅#top) `[[/code]]`\r\nend",
    );
    test.page("/旅.files/con", "odd names: [x](</a b> \"t\")\n");
    test.page("/a b", "");
    let deleted_page = test.page("/gone", "text");
    test.page("/to-gone", "see [gone](/gone)\n");
    test.wiki
        .tree()
        .delete(&DeleteRequest {
            page_id: deleted_page,
            user: test.aya,
            token: None,
            recursive: false,
        })
        .unwrap();
    test.upload(kyoto, "図.png", b"\x89PNG\r\n\x1a\n").unwrap();
    test.upload(kyoto, "a:b?.txt", b"text").unwrap();
    test.upload(id_at(&test, "/"), "empty", b"").unwrap();
    test
}

pub(crate) fn pages(test: &TestWiki) -> Vec<(PagePath, PageId)> {
    let query = ListingQuery {
        prefix: PagePath::root(),
        cursor: None,
        backwards: false,
        limit: 1000,
        with_deleted: false,
    };
    let listed = test.wiki.pages().list(&query).unwrap().items;
    listed
        .into_iter()
        .map(|page| (page.path, page.page_id))
        .collect()
}
