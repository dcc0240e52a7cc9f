//! Lists exchanged with `sha256sum`, `hashdeep` and `rhash`, both ways.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is missing"
)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Output};

use fumikura_hashes::lists::{ListFormat, OmissionReason, OmittedFile};
use fumikura_hashes::lists::{parse, write_hashdeep, write_rhash, write_sha256sums};
use fumikura_hashes::{Digest, FilePath, read};
use tempfile::TempDir;

const NEWLINE: &[u8] = b"line\nbreak";
const CR: &[u8] = b"ends with\r";
const BACKSLASH: &[u8] = b"back\\slash\\n";
const BLANK_END: &[u8] = b"two words ";
const NAMES: [&[u8]; 11] = [
    b"plain",
    BLANK_END,
    b" leading",
    b"-dash",
    b"#;,*",
    b"a) = b",
    NEWLINE,
    CR,
    BACKSLASH,
    "写真/東京.jpg".as_bytes(),
    b"\xff\xfe",
];

type Files = Vec<(FilePath, Digest, u64)>;

/// A folder with a file for each name.
struct Folder {
    temp: TempDir,
    base: FilePath,
    files: Files,
}

impl Folder {
    fn new(without: &[&[u8]]) -> Self {
        let temp = TempDir::new().unwrap();
        let folder = temp.path().canonicalize().unwrap().join("files");
        let mut files = Files::new();
        for name in NAMES.into_iter().filter(|name| !without.contains(name)) {
            let file = folder.join(OsStr::from_bytes(name));
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, [b"contents of ", name].concat()).unwrap();
            let path = FilePath::try_from(&*file).unwrap();
            let contents = read(&path, &|_| true).unwrap();
            files.push((path, contents.digest, contents.stat.size));
        }
        files.sort();
        let base = FilePath::try_from(&*folder).unwrap();
        Self { temp, base, files }
    }

    fn rows(&self) -> impl Iterator<Item = (&FilePath, &Digest, Option<u64>)> {
        let files = self.files.iter();
        files.map(|(path, digest, size)| (path, digest, Some(*size)))
    }

    /// Runs a program in the folder.
    #[track_caller]
    fn run(&self, program: &str, arguments: &[&OsStr]) -> Output {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.base.as_path());
        let output = command.env("LC_ALL", "C.UTF-8").output();
        output.unwrap_or_else(|error| panic!("{program} is needed for this test: {error}"))
    }

    /// Checks that a program accepts a list, and refuses it after a file has changed.
    #[track_caller]
    fn check_accepted(&self, list: &[u8], program: &str, options: &[&str], rest: &[&str]) {
        let file = self.temp.path().join("list");
        fs::write(&file, list).unwrap();
        let before = options.iter().map(OsStr::new);
        let arguments = before.chain([file.as_os_str()]);
        let arguments: Vec<_> = arguments.chain(rest.iter().map(OsStr::new)).collect();
        let accepted = self.run(program, &arguments);
        let words = String::from_utf8_lossy(&accepted.stdout);
        assert!(accepted.status.success(), "{program}: {words}");
        let changed = self.base.as_path().join("plain");
        let contents = fs::read(&changed).unwrap();
        fs::write(&changed, "something else").unwrap();
        let refused = self.run(program, &arguments);
        assert!(!refused.status.success(), "{program}");
        fs::write(&changed, contents).unwrap();
    }

    /// Checks that a program's list contains the files of the folder.
    #[track_caller]
    fn check_read(&self, program: &str, arguments: &[&str], format: ListFormat) {
        let arguments: Vec<_> = arguments.iter().map(OsStr::new).collect();
        let output = self.run(program, &arguments);
        let list = parse(&output.stdout).unwrap();
        assert_eq!((list.format, list.skipped.count()), (format, 0));
        let entries = list.entries.into_iter();
        let mut read: Vec<_> = entries
            .map(|entry| (self.absolute(&entry.path), entry.checksum, entry.size))
            .collect();
        read.sort();
        let has_size = format == ListFormat::Hashdeep;
        let files = self.files.iter().cloned();
        let expected =
            files.map(|(path, digest, size)| (path, digest.into(), has_size.then_some(size)));
        assert_eq!(read, expected.collect::<Vec<_>>());
    }

    fn absolute(&self, path: &[u8]) -> FilePath {
        let below = path.strip_prefix(b"./").unwrap_or(path);
        FilePath::new([self.base.as_bytes(), b"/", below].concat()).unwrap()
    }
}

#[track_caller]
fn check_left_out(omitted: &[OmittedFile], names: &[&[u8]]) {
    let names_left_out: Vec<_> = omitted.iter().map(|file| file.path.file_name()).collect();
    assert_eq!(names_left_out, names);
    let is_break = |file: &OmittedFile| file.reason == OmissionReason::LineBreak;
    assert!(omitted.iter().all(is_break));
}

/// Returns true if RHash reads every name. Versions before 1.4.4 have no escape but that of a line feed, and
/// drop a blank at a name's end.
fn rhash_reads_every_name() -> bool {
    let output = Command::new("rhash").arg("--version").output();
    let output = output.expect("rhash is needed for this test");
    let text = String::from_utf8(output.stdout).unwrap();
    let version = text.trim().trim_start_matches("RHash v");
    let numbers = version.split('.').map(|number| number.parse::<u32>());
    let numbers: Vec<_> = numbers.map(|number| number.unwrap()).collect();
    numbers >= vec![1, 4, 4]
}

#[test]
fn sha256sum_accepts_written_lists() {
    let folder = Folder::new(&[]);
    for base in [None, Some(&folder.base)] {
        let mut list = Vec::new();
        write_sha256sums(&mut list, folder.rows(), base).unwrap();
        folder.check_accepted(&list, "sha256sum", &["--strict", "--quiet", "-c"], &[]);
    }
}

#[test]
fn sha256sum_lists_are_read() {
    let folder = Folder::new(&[]);
    let files = "find . -type f -print0 | xargs -0 sha256sum";
    folder.check_read("sh", &["-c", files], ListFormat::Sha256sum);
    let binary = format!("{files} --binary");
    folder.check_read("sh", &["-c", &binary], ListFormat::Sha256sum);
    let tagged = format!("{files} --tag");
    folder.check_read("sh", &["-c", &tagged], ListFormat::Bsd);
}

#[test]
fn hashdeep_accepts_written_lists() {
    let all = Folder::new(&[]);
    let omitted = write_hashdeep(&mut Vec::new(), all.rows(), None).unwrap();
    check_left_out(&omitted, &[CR, NEWLINE]);
    let folder = Folder::new(&[NEWLINE, CR]);
    let mut list = Vec::new();
    write_hashdeep(&mut list, folder.rows(), None).unwrap();
    folder.check_accepted(&list, "hashdeep", &["-a", "-k"], &["-r", "."]);
    list.clear();
    write_hashdeep(&mut list, folder.rows(), Some(&folder.base)).unwrap();
    folder.check_accepted(&list, "hashdeep", &["-l", "-a", "-k"], &["-r", "."]);
}

#[test]
fn hashdeep_lists_are_read() {
    // A line break in a name makes two lines of a row.
    let folder = Folder::new(&[NEWLINE]);
    let form = ListFormat::Hashdeep;
    folder.check_read("hashdeep", &["-c", "sha256", "-l", "-r", "."], form);
    let columns = ["-c", "md5,sha256,tiger", "-l", "-r", "."];
    folder.check_read("hashdeep", &columns, form);
}

#[test]
fn rhash_accepts_written_lists() {
    let all = Folder::new(&[]);
    let omitted = write_rhash(&mut Vec::new(), all.rows(), None).unwrap();
    let left_out = omitted
        .iter()
        .map(|file| (file.path.file_name(), file.reason));
    let expected = [
        (BACKSLASH, OmissionReason::Backslash),
        (CR, OmissionReason::LineBreak),
        (BLANK_END, OmissionReason::BlankEnd),
    ];
    assert_eq!(left_out.collect::<Vec<_>>(), expected);
    let folder = Folder::new(&[CR, BACKSLASH, BLANK_END]);
    for base in [None, Some(&folder.base)] {
        let mut list = Vec::new();
        let omitted = write_rhash(&mut list, folder.rows(), base).unwrap();
        assert_eq!(omitted, []);
        folder.check_accepted(&list, "rhash", &["-c"], &[]);
    }
}

#[test]
fn rhash_lists_are_read() {
    let folder = match rhash_reads_every_name() {
        true => Folder::new(&[]),
        false => Folder::new(&[NEWLINE, BACKSLASH]),
    };
    let form = ListFormat::Sha256sum;
    folder.check_read("rhash", &["--sha256", "-r", "."], form);
    folder.check_read("rhash", &["--sha256", "--uppercase", "-r", "."], form);
    folder.check_read("rhash", &["--sha256", "--bsd", "-r", "."], ListFormat::Bsd);
}
