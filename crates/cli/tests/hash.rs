//! Tests of `fumi hash` as a process: its output and its exit codes.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is missing"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// A folder with files, and a hash folder.
struct HashFixture {
    temp: tempfile::TempDir,
}

/// The result of a command.
struct Answer {
    code: i32,
    stdout: String,
    stderr: String,
}

impl HashFixture {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        fs::create_dir(temp.path().join("files")).unwrap();
        Self { temp }
    }

    fn at(&self, name: &str) -> PathBuf {
        let folder = self.temp.path().canonicalize().unwrap();
        folder.join("files").join(name)
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        fs::write(self.at(name), contents).unwrap();
    }

    /// Runs `fumi hash` among the files.
    fn run(&self, command: &str, arguments: &[&str]) -> Answer {
        let folder = self.temp.path().join("hashes");
        let dir = ["--dir", folder.to_str().unwrap()];
        self.run_alone(command, &[&dir, arguments].concat())
    }

    /// Runs a command without a hash folder.
    fn run_alone(&self, command: &str, arguments: &[&str]) -> Answer {
        let output = Command::new(env!("CARGO_BIN_EXE_fumi"))
            .args(["hash", command])
            .args(arguments)
            .current_dir(self.at("."))
            .env("HOME", self.temp.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        Answer {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Answer {
    #[track_caller]
    fn last_json(&self) -> Value {
        serde_json::from_str(self.stdout.lines().last().unwrap()).unwrap()
    }
}

#[test]
fn import_of_nothing_names_the_kind() {
    let fixture = HashFixture::new();
    fixture.write("b.txt", "beta\n");
    fixture.write("list.md5", "f0cf2a92516045024a0c99147b28f05b  b.txt\n");
    let answer = fixture.run("import", &["list.md5"]);
    assert_eq!(answer.code, 3, "{}", answer.stderr);
    assert_eq!(
        answer.stderr,
        "fumi: nothing is imported: the hash is MD5; only SHA-256 is recorded\n"
    );
}

#[test]
fn json_counts_skipped_entries() {
    let fixture = HashFixture::new();
    fixture.write("b.txt", "beta\n");
    symlink("b.txt", fixture.at("link")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, fixture.at("pipe"), rustix::fs::Mode::RUSR).unwrap();
    let answer = fixture.run("record", &["--json", "."]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let skipped = &answer.last_json()["skipped"];
    assert_eq!(
        (&skipped["links"], &skipped["special"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn lists_are_checked_in_place() {
    let fixture = HashFixture::new();
    fixture.write("a b.txt", "abc");
    fixture.write("c.txt", "other");
    let list = "; sfv\na b.txt 352441C2\n900150983cd24fb0d6963f7d28e17f72  c.txt\n\
                900150983cd24fb0d6963f7d28e17f72  none.txt\nnonsense\n";
    fixture.write("list", list);
    let answer = fixture.run_alone("check", &["--json", "list"]);
    assert_eq!(answer.code, 3, "{}", answer.stderr);
    let lines: Vec<Value> = answer
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["state"], "differs");
    assert_eq!(lines[0]["expected"], "md5:900150983cd24fb0d6963f7d28e17f72");
    assert_eq!(lines[1]["state"], "missing");
    assert_eq!(lines[2]["summary"]["ok"], 1);
    assert_eq!(lines[2]["skipped"]["lines"][0]["line"], 5);
    fixture.write("list", "900150983cd24fb0d6963f7d28e17f72  a b.txt\n");
    let answer = fixture.run_alone("check", &["list"]);
    assert_eq!((answer.code, &*answer.stdout), (0, "1 ok\n"));
    assert!(!fixture.temp.path().join("hashes").exists());
}

#[test]
fn copy_is_verified_as_its_original() {
    let fixture = HashFixture::new();
    fixture.write("original/a.txt", "abc");
    fixture.write("copy/a.txt", "abd");
    assert_eq!(fixture.run("record", &["original"]).code, 0);
    let answer = fixture.run("verify", &["--as", "original", "copy"]);
    assert_eq!(answer.code, 3, "{}", answer.stderr);
    let copy = fixture.at("copy/a.txt");
    let expected = format!("differs    {}\n0 ok, 1 differs\n", copy.display());
    assert_eq!(answer.stdout, expected);
    assert_eq!(fixture.run("verify", &["--as", "original"]).code, 1);
}

#[test]
fn name_of_a_link_is_explained() {
    let fixture = HashFixture::new();
    fixture.write("a", "a");
    symlink("a", fixture.at("link")).unwrap();
    let link = fixture.at("link").display().to_string();
    let answer = fixture.run("name", &[&link]);
    assert_eq!(
        (answer.code, answer.stdout),
        (0, format!("{}\n", link.replace('/', "~")))
    );
    let target = fixture.at("a").display().to_string();
    let note = format!("fumi: {link} is a symbolic link; the record is that of {target}\n");
    assert_eq!(answer.stderr, note);
}

#[test]
fn move_is_accepted_in_one_step() {
    let fixture = HashFixture::new();
    fixture.write("old/a.txt", "abc");
    assert_eq!(fixture.run("record", &["."]).code, 0);
    fs::rename(fixture.at("old"), fixture.at("new")).unwrap();
    assert_eq!(fixture.run("verify", &["."]).code, 3);
    let answer = fixture.run("accept-move", &["old", "new"]);
    assert!(
        answer.stdout.ends_with("/new: 1 records\n"),
        "{}",
        answer.stdout
    );
    assert_eq!(fixture.run("verify", &["."]).code, 0);
}
