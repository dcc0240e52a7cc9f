//! The fixture of all tests: a folder of files, and a folder of their records.

use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use fumikura_hashes::{
    FilePath, FileState, Finding, HashFolder, RecordOptions, Report, Scope, VerifyOptions,
};
use jiff::Timestamp;

/// A folder of files, and one for their records.
pub(crate) struct Fixture {
    pub(crate) outer: tempfile::TempDir,
    pub(crate) folder: HashFolder,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        fs::create_dir(outer.path().join("files")).unwrap();
        let folder = HashFolder::create(&outer.path().join("hashes")).unwrap();
        Self { outer, folder }
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.outer
            .path()
            .canonicalize()
            .unwrap()
            .join("files")
            .join(name)
    }

    pub(crate) fn path(&self, name: &str) -> FilePath {
        FilePath::try_from(&*self.at(name)).unwrap()
    }

    pub(crate) fn files(&self) -> FilePath {
        FilePath::try_from(self.at("").parent().unwrap().join("files").as_path()).unwrap()
    }

    /// Writes a file whose last change is a minute ago.
    pub(crate) fn write(&self, name: &str, contents: &str) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, contents).unwrap();
        set_time(&path, SystemTime::now() - Duration::from_secs(60));
    }

    pub(crate) fn record(&self) -> Report {
        self.record_with(&RecordOptions::default())
    }

    pub(crate) fn record_with(&self, options: &RecordOptions) -> Report {
        self.folder
            .record(&[self.files()], options, &Timestamp::now, &())
            .unwrap()
    }

    /// Verifies the files without reading those whose times are unchanged.
    pub(crate) fn verify_quick(&self) -> Report {
        self.verify_with(&VerifyOptions {
            quick: true,
            ..VerifyOptions::default()
        })
    }

    pub(crate) fn verify(&self) -> Report {
        self.verify_with(&VerifyOptions::default())
    }

    pub(crate) fn verify_with(&self, options: &VerifyOptions) -> Report {
        let scope = Scope::Paths(vec![self.files()]);
        self.folder
            .verify(&scope, options, Timestamp::now(), &())
            .unwrap()
    }
}

pub(crate) fn set_time(path: &Path, time: SystemTime) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
}

pub(crate) fn mtime(path: &Path) -> SystemTime {
    fs::metadata(path).unwrap().modified().unwrap()
}

/// Returns the states and names of all findings.
pub(crate) fn findings(report: &Report) -> Vec<(FileState, String)> {
    let name = |finding: &Finding| String::from_utf8_lossy(finding.path.file_name()).into_owned();
    report
        .findings
        .iter()
        .map(|finding| (finding.state, name(finding)))
        .collect()
}

#[track_caller]
pub(crate) fn check(report: &Report, expected: &[(FileState, &str)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(state, name)| (*state, (*name).to_owned()))
        .collect();
    assert_eq!(findings(report), expected, "{report:#?}");
}
