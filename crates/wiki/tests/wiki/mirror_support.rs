//! A wiki with a mirror, in a folder of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fumikura_wiki::*;

use crate::support::TestWiki;

pub(crate) struct TestMirror {
    pub(crate) test: TestWiki,
    pub(crate) report: MirrorReport,
    outer: tempfile::TempDir,
}

impl TestMirror {
    /// Returns a wiki whose mirror is up to date.
    pub(crate) fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        let mut mirror = Self {
            test: TestWiki::new(),
            report: MirrorReport::default(),
            outer,
        };
        for folder in [mirror.folder(), mirror.data()] {
            fs::create_dir(folder).unwrap();
        }
        mirror.choose().unwrap();
        mirror.update();
        mirror
    }

    pub(crate) fn choose(&self) -> Result<MirrorPlace, MirrorError> {
        MirrorPlace::choose(&self.data(), &self.folder(), "1234")
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.outer.path().canonicalize().unwrap().join("mirror")
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.outer.path().join("data")
    }

    pub(crate) fn at(&self, entry: &str) -> PathBuf {
        self.folder().join(entry)
    }

    pub(crate) fn run(&mut self, work: &MirrorWork) -> Result<(), MirrorError> {
        let data = self.data();
        let mirror = self.test.wiki.mirror(&data);
        mirror.run(work, &mut self.report, &|| false)
    }

    /// Brings everything up to date. Returns the number of files that were written or removed.
    #[track_caller]
    pub(crate) fn update(&mut self) -> u64 {
        self.test.wiki.take_changes();
        self.run(&MirrorWork::All).unwrap();
        self.report.changed
    }

    /// Brings up to date what has changed since the last pass.
    #[track_caller]
    pub(crate) fn follow(&mut self) -> u64 {
        let mut work = MirrorWork::default();
        work.add_changes(&self.test.wiki.take_changes());
        self.run(&work).unwrap();
        self.report.changed
    }

    /// Deletes what was set aside.
    #[track_caller]
    pub(crate) fn release(&mut self) {
        self.test.advance(11);
        self.run(&MirrorWork::default()).unwrap();
        assert!(!self.report.is_holding);
    }

    /// Updates, and returns the files that were edited outside.
    #[track_caller]
    pub(crate) fn outside(&mut self) -> Vec<(String, OutsideKind)> {
        self.update();
        let outside = self.report.outside.iter();
        outside
            .map(|(entry, file)| (entry.clone(), file.kind))
            .collect()
    }

    #[track_caller]
    pub(crate) fn read(&self, entry: &str) -> String {
        fs::read_to_string(self.at(entry)).unwrap()
    }

    #[track_caller]
    pub(crate) fn write(&self, entry: &str, text: &str) {
        fs::write(self.at(entry), text).unwrap();
    }

    /// Returns the files without those in hidden folders.
    pub(crate) fn files(&self) -> Vec<String> {
        let all = self.all_files().into_keys();
        all.filter(|path| !path.starts_with('.')).collect()
    }

    /// Returns all files with their contents.
    pub(crate) fn all_files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.folder(), &self.folder(), &mut found);
        found
    }

    pub(crate) fn rewrite(&self, page: PageId, text: &str) {
        let request = SaveRequest {
            if_match: Some(Precondition::Any),
            ..self.test.save_request(page, text)
        };
        self.test.wiki.pages().save(request).unwrap();
    }

    pub(crate) fn compare(&self, entry: &str) -> Result<OutsideText, MirrorError> {
        self.test.wiki.mirror(&self.data()).compare(entry)
    }

    pub(crate) fn take_over(
        &self,
        entry: &str,
        shown: Option<&ShownText>,
    ) -> Result<(PageId, SaveOutcome), MirrorError> {
        let data = self.data();
        let mirror = self.test.wiki.mirror(&data);
        mirror.take_over(entry, shown, self.test.aya)
    }

    pub(crate) fn write_again(
        &self,
        entry: &str,
        shown: Option<&ShownText>,
    ) -> Result<(), MirrorError> {
        self.test
            .wiki
            .mirror(&self.data())
            .write_again(entry, shown)
    }

    pub(crate) fn leave_file(&self, entry: &str) -> Result<(), MirrorError> {
        self.test.wiki.mirror(&self.data()).leave_file(entry)
    }
}

fn collect(top: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            collect(top, &path, found);
        } else if kind.is_file() {
            let name = path.strip_prefix(top).unwrap().to_str().unwrap();
            found.insert(name.to_owned(), fs::read(&path).unwrap());
        }
    }
}
