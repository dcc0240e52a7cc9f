//! Records in every format that go-safe-cmd-runner has written, read from a folder in its original state.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is missing"
)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use fumikura_hashes::{
    Digest, FilePath, FileState, Format, HashFolder, Index, RecordKind, load, read, record_name,
};
use tempfile::TempDir;

/// A private copy of the records: a checkout may be accessible to a group.
struct Fixture {
    temp: TempDir,
    folder: HashFolder,
}

impl Fixture {
    fn new() -> Self {
        let temp = TempDir::new().unwrap();
        let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/records");
        copy(&records, &temp.path().join("records"));
        let folder = HashFolder::open(&temp.path().join("records")).unwrap();
        Self { temp, folder }
    }

    fn index(&self) -> Index {
        self.folder.index().unwrap()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    fs::set_permissions(to, Permissions::from_mode(0o700)).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
            fs::set_permissions(&target, Permissions::from_mode(0o600)).unwrap();
        }
    }
}

fn path(text: &str) -> FilePath {
    FilePath::new(text).unwrap()
}

/// Returns a path of 105 characters whose encoded name has more than 250 bytes.
fn long_path() -> String {
    format!("/srv/{}", "長い名前".repeat(25))
}

#[test]
fn every_format_is_read() {
    let fixture = Fixture::new();
    let index = fixture.index();
    let long = long_path();
    let expected = [
        (
            "/data/\u{fffd}\u{fffd}.bin",
            RecordKind::Encoded,
            Format::Schema(23),
        ),
        (
            "/home/user/#notes~",
            RecordKind::Encoded,
            Format::Schema(23),
        ),
        (
            "/home/user/写真/東京 & 2.jpg",
            RecordKind::Encoded,
            Format::Schema(23),
        ),
        (
            "/opt/tools/schema-1",
            RecordKind::Encoded,
            Format::Schema(1),
        ),
        (
            "/opt/tools/schema-12",
            RecordKind::Encoded,
            Format::Schema(12),
        ),
        (
            "/opt/tools/schema-18",
            RecordKind::Encoded,
            Format::Schema(18),
        ),
        (
            "/opt/tools/schema-21",
            RecordKind::Encoded,
            Format::Schema(21),
        ),
        (
            "/opt/tools/schema-22",
            RecordKind::Encoded,
            Format::Schema(22),
        ),
        (
            "/opt/tools/schema-23",
            RecordKind::Encoded,
            Format::Schema(23),
        ),
        (
            "/opt/tools/schema-24",
            RecordKind::Encoded,
            Format::Schema(24),
        ),
        (&*long, RecordKind::Fallback, Format::Schema(23)),
        ("/usr/local/bin/backup", RecordKind::Legacy, Format::Text),
        (
            "/usr/local/bin/restore",
            RecordKind::Legacy,
            Format::FileHash,
        ),
    ];
    let rows = index.rows.iter();
    let found: Vec<_> = rows
        .map(|(path, row)| {
            let record = load(&fixture.folder.file(&row.name)).unwrap();
            assert_eq!((&record.path, record.digest), (path, row.digest));
            assert!(!record.has_notes && row.stat.is_none());
            (path.as_str().unwrap(), row.kind, record.format)
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn digests_are_those_of_the_contents() {
    let fixture = Fixture::new();
    let folder = fixture.temp.path().canonicalize().unwrap();
    let file = FilePath::try_from(&*folder.join("contents")).unwrap();
    for (path, row) in &fixture.index().rows {
        fs::write(file.as_path(), [b"contents of ", path.as_bytes()].concat()).unwrap();
        let digest: Digest = read(&file, &|_| true).unwrap().digest;
        assert_eq!(row.digest, digest, "{path}");
    }
}

#[test]
fn names_follow_the_crates_rule() {
    for (path, row) in &Fixture::new().index().rows {
        if row.kind != RecordKind::Legacy {
            let (name, is_short) = record_name(path, fumikura_hashes::MAX_NAME);
            assert_eq!(row.name, name, "{path}");
            assert_eq!(is_short, row.kind == RecordKind::Fallback);
        }
    }
}

#[test]
fn lossy_newer_and_analyzed_records_are_marked() {
    let index = Fixture::new().index();
    let marked = |is_marked: fn(&fumikura_hashes::RecordRow) -> bool| -> Vec<_> {
        let rows = index.rows.iter().filter(|(_, row)| is_marked(row));
        rows.map(|(path, _)| path.as_str().unwrap()).collect()
    };
    assert_eq!(marked(|row| row.is_lossy), ["/data/\u{fffd}\u{fffd}.bin"]);
    assert_eq!(marked(|row| row.is_newer), ["/opt/tools/schema-24"]);
    let analyzed =
        ["12", "18", "21", "22", "23"].map(|version| format!("/opt/tools/schema-{version}"));
    assert_eq!(marked(|row| row.has_analysis), analyzed);
}

#[test]
fn all_analysis_fields_are_kept() {
    let fixture = Fixture::new();
    let index = fixture.index();
    let row = &index.rows[&path("/opt/tools/schema-23")];
    let record = load(&fixture.folder.file(&row.name)).unwrap();
    let fields: Vec<_> = record.analysis.iter().map(|(name, _)| &**name).collect();
    let expected = [
        "syscall_analysis",
        "deps",
        "symbol_analysis",
        "shebang_chain",
        "analysis_warnings",
        "debug",
    ];
    assert_eq!(fields, expected);
}

#[test]
fn unusable_files_are_problems() {
    let index = Fixture::new().index();
    let problems = index.problems.iter();
    let found: Vec<_> = problems
        .map(|problem| {
            let name = std::str::from_utf8(&problem.name).unwrap();
            (name, problem.kind, problem.state)
        })
        .collect();
    let expected = [
        ("notes.txt", RecordKind::Foreign, FileState::Foreign),
        (
            "~opt~tools~collision",
            RecordKind::Encoded,
            FileState::Collision,
        ),
        (
            "~opt~tools~empty",
            RecordKind::Encoded,
            FileState::Malformed,
        ),
        (
            "~opt~tools~malformed#2",
            RecordKind::Malformed,
            FileState::Malformed,
        ),
        (
            "~opt~tools~sha512",
            RecordKind::Encoded,
            FileState::Malformed,
        ),
    ];
    assert_eq!(found, expected);
    assert_eq!(
        index.problems[1].path.as_deref(),
        Some(&b"/opt/tools/other"[..])
    );
}
