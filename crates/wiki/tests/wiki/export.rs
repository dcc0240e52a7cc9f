//! Archives of all readable pages.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use fumikura_wiki::*;
use serde_json::Value;
use zip::ZipArchive;

use crate::archive_support::{id_at, ignore_progress, import, text_at};
use crate::support::{TestWiki, path};

fn exported(test: &TestWiki) -> (ExportReport, Vec<u8>) {
    exported_as(test, ExportForm::Archive)
}

fn exported_as(test: &TestWiki, form: ExportForm) -> (ExportReport, Vec<u8>) {
    let aside = tempfile::tempdir().unwrap();
    let (mut out, export) = (
        Vec::new(),
        test.wiki
            .archives()
            .begin_export(aside.path(), form)
            .unwrap(),
    );
    let exported = test
        .wiki
        .archives()
        .write_export(export, &mut out, &mut ignore_progress)
        .unwrap();
    assert_eq!(fs::read_dir(aside.path()).unwrap().count(), 0);
    (exported, out)
}

fn unzip(archive: &[u8]) -> ZipArchive<Cursor<&[u8]>> {
    ZipArchive::new(Cursor::new(archive)).unwrap()
}

fn entry(archive: &[u8], name: &str) -> Vec<u8> {
    let (mut bytes, mut archive) = (Vec::new(), unzip(archive));
    let mut entry = archive.by_name(name).unwrap();
    entry.read_to_end(&mut bytes).unwrap();
    bytes
}

fn names(archive: &[u8]) -> Vec<String> {
    let archive = unzip(archive);
    let names = archive.file_names().map(|name| name.unwrap().into_owned());
    names.collect()
}

fn manifest(archive: &[u8]) -> Value {
    serde_json::from_slice(&entry(archive, "fumikura.json")).unwrap()
}

/// The path of a file's contents.
fn place(test: &TestWiki, id: AssetId) -> PathBuf {
    let (folder, beneath) = test.wiki.assets().place(id);
    folder.join(beneath)
}

#[test]
fn vault_links_name_files() {
    let test = TestWiki::new();
    test.page("/旅行/京都 2026", "# 京都\n");
    let page = test.page("/notes/a#1", "first");
    let text = "---\ntags: [a]\nsee: '[[/旅行/京都 2026]]'\n---\n[[/旅行/京都 2026#宿|Kyoto]] [b](b) [k](<../旅行/京都 2026>)\n\n\
                ![Deer|200](asset:deer%201.png \"x\") ![[deer 1.png|200]] [[/Nowhere]] `[[/a]]`\n\
                ![](asset:../../missing/x.png) <https://example.org> #tag\n";
    test.wiki
        .pages()
        .save(test.by_version(page, 1, 0, text))
        .unwrap();
    test.upload(page, "deer 1.png", b"\x89PNG\r\n\x1a\n")
        .unwrap();
    let (report, vault) = exported_as(&test, ExportForm::Vault);
    assert_eq!((report.pages, report.assets), (3, 1));
    let mut entries = names(&vault);
    entries.sort();
    assert_eq!(
        entries,
        [
            "Home.md",
            "notes/a-1.files/deer 1.png",
            "notes/a-1.md",
            "旅行/京都 2026.md"
        ]
    );
    assert_eq!(
        String::from_utf8(entry(&vault, "notes/a-1.md")).unwrap(),
        "---\ntags: [a]\nsee: '[[旅行/京都 2026]]'\n---\n[[旅行/京都 2026#宿|Kyoto]] [b](notes/b.md) [k](<旅行/京都 2026.md>)\n\n\
         ![Deer|200](notes/a-1.files/deer%201.png \"x\") ![[notes/a-1.files/deer 1.png|200]] [[Nowhere]] `[[/a]]`\n\
         ![](asset:../../missing/x.png) <https://example.org> #tag\n"
    );
}

#[test]
fn archive_has_latest_texts_and_their_files() {
    let test = TestWiki::new();
    let kyoto = test.page("/旅行/京都", "# 京都\n");
    test.page("/a", "first");
    let page = test.wiki.pages().resolve(&path("/a")).unwrap().id;
    let text = "[[/旅行/京都]] ![](asset:図.png)\n";
    test.wiki
        .pages()
        .save(test.by_version(page, 1, 0, text))
        .unwrap();
    let picture = test.upload(page, "図.png", b"\x89PNG\r\n\x1a\n").unwrap();
    test.upload(kyoto, "a:b.txt", b"text").unwrap();

    let (report, archive) = exported(&test);
    let (pages, assets, missing) = (3, 2, Vec::new());
    assert_eq!(
        report,
        ExportReport {
            pages,
            assets,
            missing
        }
    );
    assert_eq!(
        names(&archive),
        [
            "pages.md",
            "pages/a.md",
            "pages/旅行/京都.md",
            "pages/a.files/図.png",
            "pages/旅行/京都.files/a%3Ab.txt",
            "fumikura.json",
        ]
    );
    assert_eq!(entry(&archive, "pages/a.md"), text.as_bytes());
    assert_eq!(entry(&archive, "pages/旅行/京都.files/a%3Ab.txt"), b"text");

    let manifest = manifest(&archive);
    assert_eq!(manifest["version"], 1);
    assert_eq!(manifest["exported_at"], "2026-11-18T12:00:00.001Z");
    let item = &manifest["pages"][1];
    assert_eq!(item["id"], page.to_string());
    assert_eq!(
        (&item["path"], &item["file"]),
        (&"/a".into(), &"pages/a.md".into())
    );
    assert_eq!(
        (&item["revision"], &item["user_name"]),
        (&2.into(), &"Aya".into())
    );
    let item = &manifest["assets"][0];
    assert_eq!(item["id"], picture.id.to_string());
    assert_eq!(item["page"], page.to_string());
    assert_eq!(
        (&item["file_name"], &item["mime"]),
        (&"図.png".into(), &"image/png".into())
    );
    assert_eq!(item["size"], 8);
    let sha256 = "4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6";
    assert_eq!(item["sha256"], sha256);
}

#[test]
fn archive_omits_drafts_and_deleted_contents() {
    let test = TestWiki::new();
    let deleted = test.page("/deleted", "text");
    test.wiki
        .tree()
        .delete(&DeleteRequest {
            page_id: deleted,
            user: test.aya,
            token: None,
            recursive: false,
        })
        .unwrap();
    test.wiki
        .pages()
        .create_draft(&path("/draft"), test.aya)
        .unwrap();
    let page = test.page("/a", "text");
    let file = test.upload(page, "a.txt", b"text").unwrap();
    test.wiki.assets().delete(file.id).unwrap();
    let (_, archive) = exported(&test);
    assert_eq!(names(&archive), ["pages.md", "pages/a.md", "fumikura.json"]);
    assert_eq!(manifest(&archive)["assets"], Value::Array(Vec::new()));
}

#[test]
fn archive_shows_the_state_at_its_start() {
    let test = TestWiki::new();
    let page = test.page("/a", "before");
    let purged = test.upload(page, "gone.txt", b"gone").unwrap();
    let aside = tempfile::tempdir().unwrap();
    let export = test
        .wiki
        .archives()
        .begin_export(aside.path(), ExportForm::Archive)
        .unwrap();
    assert_eq!(
        export.size(),
        test.text(test.wiki.pages().resolve(&path("/")).unwrap().id)
            .len() as u64
            + 10
    );
    test.wiki
        .pages()
        .save(test.by_version(page, 1, 0, "after"))
        .unwrap();
    test.page("/b", "new");
    test.wiki.assets().purge(purged.id).unwrap();

    let mut archive = Vec::new();
    let report = test
        .wiki
        .archives()
        .write_export(export, &mut archive, &mut ignore_progress)
        .unwrap();
    assert_eq!(
        (report.pages, report.assets, report.missing),
        (2, 0, vec![purged.id])
    );
    assert_eq!(names(&archive), ["pages.md", "pages/a.md", "fumikura.json"]);
    assert_eq!(entry(&archive, "pages/a.md"), b"before");
}

#[test]
fn files_with_lost_contents_are_reported_as_missing() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let [lost, damaged, cut, whole] = ["lost", "damaged", "cut", "whole"]
        .map(|name| test.upload(page, name, b"contents").unwrap());
    fs::remove_file(place(&test, lost.id)).unwrap();
    fs::write(place(&test, damaged.id), b"CONTENTS").unwrap();
    fs::write(place(&test, cut.id), b"con").unwrap();
    let (mut report, archive) = exported(&test);
    let mut missing = vec![lost.id, damaged.id, cut.id];
    missing.sort();
    report.missing.sort();
    assert_eq!((report.assets, report.missing), (1, missing));
    let named = manifest(&archive)["assets"].as_array().unwrap().len();
    assert_eq!(named, 1);
    assert_eq!(entry(&archive, "pages/a.files/whole"), b"contents");
    for asset in [lost, damaged, cut, whole] {
        test.wiki.assets().purge(asset.id).unwrap();
    }
}

/// A writer that accepts a number of bytes, and then fails.
struct LimitedWriter<'o>(usize, &'o mut Vec<u8>);

impl Write for LimitedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.1.len() + bytes.len() > self.0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.1.extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn interrupted_export_is_no_valid_archive() {
    let test = TestWiki::new();
    for at in ["/a", "/b", "/c"] {
        test.page(at, &at.repeat(100));
    }
    let aside = tempfile::tempdir().unwrap();
    let (_, whole) = exported(&test);
    for steps in 0..5 {
        let (mut out, mut step) = (Vec::new(), 0);
        let export = test
            .wiki
            .archives()
            .begin_export(aside.path(), ExportForm::Archive)
            .unwrap();
        let mut watch = |done, total| {
            assert!(done <= total);
            step += 1;
            if step > steps {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let ended = test
            .wiki
            .archives()
            .write_export(export, &mut out, &mut watch);
        assert!(matches!(ended, Err(ExportError::Cancelled)), "{steps}");
        assert!(ZipArchive::new(Cursor::new(&out)).is_err(), "{steps}");
    }
    for room in 0..whole.len() {
        let mut out = Vec::new();
        let export = test
            .wiki
            .archives()
            .begin_export(aside.path(), ExportForm::Archive)
            .unwrap();
        let ended = test.wiki.archives().write_export(
            export,
            LimitedWriter(room, &mut out),
            &mut ignore_progress,
        );
        assert!(matches!(ended, Err(ExportError::Output(_))), "{room}");
        assert!(ZipArchive::new(Cursor::new(&out)).is_err(), "{room}");
    }
}

#[test]
fn names_differing_by_case_survive_a_round_trip() {
    let from = TestWiki::new();
    let texts = [("/Query", "one"), ("/query", "two"), ("/QUERY/x", "three")];
    for (at, text) in texts {
        let page = from.page(at, text);
        from.upload(page, "a.TXT", at.as_bytes()).unwrap();
        from.upload(page, "A.txt", text.as_bytes()).unwrap();
    }
    let (_, archive) = exported(&from);
    assert_eq!(entry(&archive, "pages/query~3.md"), b"two");
    let names: Vec<String> = names(&archive).iter().map(|it| it.to_lowercase()).collect();
    let distinct: BTreeSet<&String> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");

    let to = TestWiki::new();
    to.advance(1);
    import(&to, &archive, OnConflict::Fail).unwrap();
    for (at, text) in texts {
        assert_eq!(text_at(&to, at), text);
        let files = to.wiki.assets().of_page(id_at(&to, at), false).unwrap();
        let names = files.iter().map(|file| file.file_name.as_str());
        assert!(names.eq(["A.txt", "a.TXT"]), "{files:?}");
        assert_eq!(files[0].size, text.len() as u64);
    }
}
