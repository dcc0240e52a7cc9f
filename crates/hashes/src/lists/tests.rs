//! Tests of reading and writing lists, and of reports.

use jiff::Timestamp;
use proptest::prelude::*;

use super::*;
use crate::checksum::{Algorithm, Checksum};
use crate::digest::Digest;
use crate::folder::{Index, Problem, RecordKind};
use crate::path::FilePath;
use crate::reason::{Reason, ReasonCode};
use crate::reported::Reported;
use crate::run::{Finding, Report, SkippedEntries};
use crate::state::FileState;

const HEX: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

fn path(bytes: impl AsRef<[u8]>) -> FilePath {
    FilePath::new(bytes.as_ref()).unwrap()
}

/// Parses a list with `HEX` as the placeholder of a hash.
fn parsed(text: impl AsRef<[u8]>) -> Result<List, UnknownList> {
    let mut bytes = Vec::new();
    let mut rest = text.as_ref();
    while let Some(at) = rest.windows(3).position(|bytes| bytes == b"HEX") {
        bytes.extend_from_slice(&rest[..at]);
        bytes.extend_from_slice(HEX.as_bytes());
        rest = &rest[at + 3..];
    }
    bytes.extend_from_slice(rest);
    parse(&bytes)
}

#[track_caller]
fn check(text: impl AsRef<[u8]>, format: ListFormat, expected: &[(&[u8], usize)]) {
    let list = parsed(text).unwrap();
    assert_eq!(list.format, format);
    let entries = list.entries.iter();
    let found: Vec<_> = entries.map(|entry| (&entry.path[..], entry.line)).collect();
    assert_eq!(found, expected);
    assert!(
        list.entries
            .iter()
            .all(|entry| entry.checksum == Digest::from_hex(HEX).unwrap().into())
    );
    assert!(list.skipped.is_empty());
}

#[track_caller]
fn check_skipped(text: impl AsRef<[u8]>, line: usize, reason: SkipReason) {
    let list = parsed(text).unwrap();
    let expected = Reported::from_iter([SkippedLine { line, reason }]);
    assert_eq!(list.skipped, expected);
}

#[test]
fn sha256sum_lines_are_read() {
    let form = ListFormat::Sha256sum;
    check("HEX  a b\n", form, &[(b"a b", 1)]);
    check("HEX *a\nHEX  -b", form, &[(b"a", 1), (b"-b", 2)]);
    check("HEX a\n", form, &[(b"a", 1)]);
    check("HEX   a\n", form, &[(b" a", 1)]);
    check("HEX  *a\n", form, &[(b"*a", 1)]);
    check("HEX  a \n", form, &[(b"a ", 1)]);
    check("\\HEX  a\\\\b\\nc\\rd\n", form, &[(b"a\\b\nc\rd", 1)]);
    check("HEX  a\\nb\n", form, &[(b"a\\nb", 1)]);
    check("# comment\n\nHEX  写真\n", form, &[("写真".as_bytes(), 3)]);
    check(b"HEX  \xff\xfe\n", form, &[(b"\xff\xfe", 1)]);
    check(b"\xef\xbb\xbfHEX  a\n", form, &[(b"a", 1)]);
    check("HEX  a\r\n\r\nHEX  b\r\n", form, &[(b"a", 1), (b"b", 3)]);
    check("HEX  a\r\nHEX  b\n", form, &[(b"a\r", 1), (b"b", 2)]);
}

#[test]
fn hashes_in_upper_case_are_read() {
    let list = parse(format!("{}  a\n", HEX.to_uppercase()).as_bytes()).unwrap();
    assert_eq!(
        list.entries[0].checksum.to_string(),
        format!("sha256:{HEX}")
    );
}

#[test]
fn tagged_lines_are_read() {
    let form = ListFormat::Bsd;
    check("SHA256 (a) = HEX\n", form, &[(b"a", 1)]);
    check("SHA256 (a) = b) = HEX\n", form, &[(b"a) = b", 1)]);
    check("\\SHA256 (a\\nb) = HEX\r\n", form, &[(b"a\nb", 1)]);
    check("SHA2-256(a)= HEX\n", form, &[(b"a", 1)]);
    check("; by RHash\nSHA256 (a) = HEX\n", form, &[(b"a", 2)]);
}

#[test]
fn rhash_lists_are_read() {
    let form = ListFormat::Rhash;
    check("; by RHash\n;\nHEX  a b\n", form, &[(b"a b", 3)]);
    check("; by RHash\na b HEX\n", form, &[(b"a b", 2)]);
    check("a b    HEX\n", form, &[(b"a b", 1)]);
    check("\\a\\nb HEX\n", form, &[(b"a\nb", 1)]);
}

#[test]
fn hashdeep_lists_are_read() {
    let form = ListFormat::Hashdeep;
    let list =
        "%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n## Invoked from: /\n## \n3,HEX,/a,b\\n\n";
    check(list, form, &[(b"/a,b\\n", 5)]);
    assert_eq!(parsed(list).unwrap().entries[0].size, Some(3));
    let other = "%%%% HASHDEEP-1.0\r\n%%%% sha256,md5,size,filename\r\nHEX,00,3,;a\r\n";
    check(other, form, &[(b";a", 3)]);
    assert_eq!(parsed(other).unwrap().entries[0].size, Some(3));
    let ending = "%%%% HASHDEEP-1.0\n%%%% sha256,filename\nHEX,a\r\n";
    check(ending, form, &[(b"a\r", 3)]);
}

#[track_caller]
fn check_hash(line: &str, expected: &str, alternative: Option<Algorithm>) {
    let list = parse(line.as_bytes()).unwrap();
    let [entry] = &list.entries[..] else {
        panic!("{line}: {list:?}");
    };
    let checksum = entry.checksum.to_string();
    assert_eq!((&*checksum, entry.alternative), (expected, alternative));
    assert_eq!(entry.path, b"a");
}

#[test]
fn hashes_of_each_algorithm_are_read() {
    let digits = |count: usize| "0a".repeat(count / 2);
    for (count, word, alternative) in [
        (32, "md5", None),
        (40, "sha1", None),
        (64, "sha256", Some(Algorithm::Blake3)),
        (96, "sha384", None),
        (128, "sha512", Some(Algorithm::Blake2b)),
    ] {
        let expected = format!("{word}:{}", digits(count));
        check_hash(&format!("{}  a\n", digits(count)), &expected, alternative);
        check_hash(&format!("a {}\n", digits(count)), &expected, alternative);
    }
    check_hash("; sfv\na 0123ABCD\n", "crc32:0123abcd", None);
    for (tag, count, word) in [
        ("CRC32", 8, "crc32"),
        ("MD5", 32, "md5"),
        ("SHA1", 40, "sha1"),
        ("SHA2-512", 128, "sha512"),
        ("BLAKE2b", 128, "blake2b"),
        ("BLAKE3", 64, "blake3"),
    ] {
        let expected = format!("{word}:{}", digits(count));
        check_hash(&format!("{tag} (a) = {}\n", digits(count)), &expected, None);
    }
    let columns = format!(
        "%%%% HASHDEEP-1.0\n%%%% size,md5,sha1,filename\n3,{},{},a\n",
        digits(32),
        digits(40)
    );
    check_hash(&columns, &format!("sha1:{}", digits(40)), None);
}

#[test]
fn utf16_lists_are_read() {
    let text = format!("{HEX}  写真\\a.txt\r\n{HEX}  𠮷\r\n");
    let units = |to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    };
    let expected: [(&[u8], usize); 2] = [("写真\\a.txt".as_bytes(), 1), ("𠮷".as_bytes(), 2)];
    let form = ListFormat::Sha256sum;
    let (little, big) = (units(u16::to_le_bytes), units(u16::to_be_bytes));
    check([b"\xff\xfe", &little[..]].concat(), form, &expected);
    check([b"\xfe\xff", &big[..]].concat(), form, &expected);
    check(little, form, &expected);
    check(big, form, &expected);
}

#[test]
fn unusable_lines_are_skipped() {
    let tiger = format!("{}  a\n", "0".repeat(48));
    check_skipped(tiger, 1, SkipReason::OtherAlgorithm("Tiger"));
    check_skipped("TTH (a) = x\n", 1, SkipReason::OtherAlgorithm("TTH"));
    check_skipped(
        "BLAKE2b-256 (a) = HEX\n",
        1,
        SkipReason::OtherAlgorithm("a short BLAKE2"),
    );
    check_skipped("HEX  a\nMD5 (a) = 00\n", 2, SkipReason::Unknown);
    check_skipped("HEX  a\nnonsense\n", 2, SkipReason::Unknown);
    check_skipped("HEX  a\nSHA256 (a) = 00\n", 2, SkipReason::Unknown);
    check_skipped("HEX  a\nHEX  -\n", 2, SkipReason::StandardInput);
    check_skipped("HEX\n", 1, SkipReason::NoName);
    check_skipped("\\HEX  a\\x\n", 1, SkipReason::Escape);
    check_skipped("HEX  a\0\n", 1, SkipReason::ZeroByte);
    let hashdeep = |rest: &str| format!("%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n{rest}\n");
    check_skipped(hashdeep("3,HEX"), 3, SkipReason::Columns);
    check_skipped(hashdeep("x,HEX,a"), 3, SkipReason::Columns);
    check_skipped(hashdeep("3,00,a"), 3, SkipReason::Columns);
    check_skipped(hashdeep("3,HEX,"), 3, SkipReason::NoName);
    let tiger = "%%%% HASHDEEP-1.0\n%%%% size,tiger,filename\n3,00,a\n";
    check_skipped(tiger, 3, SkipReason::NoColumn);
}

#[test]
fn other_files_are_no_lists() {
    assert_eq!(parse(b""), Err(UnknownList::Empty));
    assert_eq!(
        parse(b"\xef\xbb\xbf\r\n# a\n; b\n"),
        Err(UnknownList::Empty)
    );
    assert_eq!(parse(b"Dear reader,\n"), Err(UnknownList::Form));
    assert_eq!(parse(b"facade12 is a word\n"), Err(UnknownList::Form));
    assert_eq!(parse(b"f (x) = y\n"), Err(UnknownList::Form));
    assert_eq!(parse(&b"\0\n".repeat(100_000)), Err(UnknownList::Form));
    for rest in ["", "3,00,a\n", "%%%% filename,sha256\n"] {
        let text = format!("%%%% HASHDEEP-1.0\n{rest}");
        assert_eq!(parse(text.as_bytes()), Err(UnknownList::Header));
    }
}

#[test]
fn paths_are_relative_to_the_base() {
    let digest = Digest::from_hex(HEX).unwrap();
    let check = |file: &str, base: Option<&str>, expected: &str| {
        let (file, base) = (path(file), base.map(path));
        let mut out = Vec::new();
        let files = [(&file, &digest, None)];
        write_sha256sums(&mut out, files.into_iter(), base.as_ref()).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            format!("{HEX}  {expected}\n")
        );
    };
    check("/a/b", None, "/a/b");
    check("/a/b", Some("/a"), "./b");
    check("/a/-b/c", Some("/a"), "./-b/c");
    check("/a/b", Some("/"), "./a/b");
    check("/ab", Some("/a"), "/ab");
    check("/a", Some("/a"), "/a");
}

#[test]
fn names_unsupported_by_formats_are_left_out() {
    let digest = Digest::from_hex(HEX).unwrap();
    let paths = ["/a\nb", "/a\r", "/a\rb", "/\x1b", "/c", "/a ", "/a\\"].map(path);
    let long = path(format!("/{}", "a".repeat(4094)));
    let files = || paths.iter().map(|path| (path, &digest, Some(1)));
    let reasons = |omitted: Vec<OmittedFile>| -> Vec<_> {
        let files = omitted.into_iter();
        files.map(|file| (file.path, file.reason)).collect()
    };
    let mut out = Vec::new();
    let omitted = write_hashdeep(&mut out, files(), None).unwrap();
    let breaks = |at: usize| (paths[at].clone(), OmissionReason::LineBreak);
    assert_eq!(reasons(omitted), [breaks(0), breaks(1)]);
    let unsized_file = [(&paths[4], &digest, None)];
    let omitted = write_hashdeep(&mut out, unsized_file.into_iter(), None).unwrap();
    assert_eq!(omitted[0].reason, OmissionReason::NoSize);
    let with_long = files().chain([(&long, &digest, None)]);
    let omitted = write_rhash(&mut out, with_long, None).unwrap();
    let expected = [
        breaks(1),
        breaks(2),
        (paths[3].clone(), OmissionReason::Control),
        (paths[5].clone(), OmissionReason::BlankEnd),
        (paths[6].clone(), OmissionReason::Backslash),
        (long.clone(), OmissionReason::TooLong),
    ];
    assert_eq!(reasons(omitted), expected);
}

fn report() -> Report {
    let mut report = Report::default();
    let corrupt = Finding {
        expected: Some(Digest([0; 32]).into()),
        actual: Some(Digest([0x11; 32]).into()),
        size: Some(3),
        mtime: Some(Timestamp::UNIX_EPOCH),
        ..Finding::new(path(b"/a\n\xff"), FileState::Corrupt)
    };
    let moved = Finding {
        to: Some(path("/写真,2")),
        files: Some(2),
        reason: Some(Reason::new(ReasonCode::Unreadable, "=\x1b")),
        ..Finding::new(path("/b"), FileState::Moved)
    };
    for finding in [corrupt, moved] {
        let files = finding.files.unwrap_or(1);
        report.summary.add(finding.state, files);
        report.findings.push(finding);
    }
    report.files_read = 4;
    report.files_unread = 5;
    report.skipped = SkippedEntries {
        links: 1,
        left_out: 2,
        file_systems: vec![path("/mnt/disk")],
        ..SkippedEntries::default()
    };
    report
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn findings_are_json_lines() {
    let (zeros, ones) = ("0".repeat(64), "1".repeat(64));
    let expected = format!(
        concat!(
            r#"{{"path":"/a\n{replaced}","state":"corrupt","expected":"sha256:{zeros}","actual":"sha256:{ones}","#,
            r#""size":3,"mtime":"1970-01-01T00:00:00Z","path_bytes":"L2EK/w=="}}"#,
            "\n",
            r#"{{"path":"/b","state":"moved","expected":null,"actual":null,"size":null,"mtime":null,"#,
            r#""to":"/写真,2","files":2,"reason":"=\u001b"}}"#,
            "\n",
            r#"{{"summary":{{"ok":0,"corrupt":1,"moved":2,"read":4,"unread":5}},"#,
            r#""skipped":{{"links":1,"special":0,"left_out":2,"file_systems":["/mnt/disk"]}}}}"#,
            "\n",
        ),
        replaced = '\u{fffd}',
        zeros = zeros,
        ones = ones,
    );
    assert_eq!(text(|out| report_json_lines(out, &report())), expected);
}

#[test]
fn a_json_report_holds_everything() {
    let whole = text(|out| report_json(out, &report()));
    let whole: serde_json::Value = serde_json::from_str(&whole).unwrap();
    let lines = text(|out| report_json_lines(out, &report()));
    let mut lines: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let last = lines.pop().unwrap();
    assert_eq!(whole["summary"], last["summary"]);
    assert_eq!(whole["skipped"], last["skipped"]);
    assert_eq!(whole["findings"], serde_json::Value::Array(lines));
}

#[test]
fn findings_are_rows_and_lines() {
    let (zeros, ones) = ("0".repeat(64), "1".repeat(64));
    let csv = text(|out| report_csv(out, &report()));
    let expected = format!(
        "path,state,expected,actual,size,mtime,to,files,reason,path_bytes,to_bytes\r\n\
         \"/a\n\u{fffd}\",corrupt,sha256:{zeros},sha256:{ones},3,1970-01-01T00:00:00Z,,,,L2EK/w==,\r\n\
         /b,moved,,,,,\"/写真,2\",2,'=\x1b,,\r\n"
    );
    assert_eq!(csv, expected);
    let lines = text(|out| report_text(out, &report()));
    let expected = "corrupt    /a\\n\u{fffd}\n\
                    moved      /b → /写真,2 (2 files): =\\u{1b}\n\
                    left out   /mnt/disk: on another file system\n\
                    0 ok, 1 corrupt, 2 moved; 5 unchanged by their times, not read; 4 read; passed by: 1 links, \
                    2 recorded files left out by a pattern, 1 folders on other file systems\n";
    assert_eq!(lines, expected);
}

#[test]
fn records_are_listed_in_each_form() {
    let stat = crate::stat::FileStat {
        size: 3,
        mtime_ns: 0,
        ctime_ns: 0,
        inode: 1,
    };
    let read = crate::contents::Contents {
        digest: Digest([0; 32]),
        stat,
        mode: 0o600,
    };
    let record = crate::record::Record::new(path("/a,\x1b"), &read, Timestamp::UNIX_EPOCH);
    let row = crate::folder::RecordRow::new(b"~a,\x1b".to_vec(), RecordKind::Encoded, &record);
    let mut index = Index::default();
    index.rows.insert(record.path, row);
    index.problems.push(Problem {
        name: b"-x\xff".to_vec(),
        kind: RecordKind::Foreign,
        state: FileState::Foreign,
        path: None,
        reason: Reason::new(ReasonCode::ForeignName, "no"),
    });
    let zeros = "0".repeat(64);
    let lines = text(|out| records_text(out, &index));
    let expected = format!(
        "recorded   {zeros}  encoded   /a,\\u{{1b}}\nforeign    -x\u{fffd}: no\n1 records, 1 problems\n"
    );
    assert_eq!(lines, expected);
    let csv = text(|out| records_csv(out, &index));
    let rows: Vec<_> = csv.split("\r\n").collect();
    let epoch = "1970-01-01T00:00:00Z";
    let expected =
        format!("\"/a,\x1b\",\"~a,\x1b\",encoded,,sha256:{zeros},3,{epoch},{epoch},{epoch},,,");
    assert_eq!(rows[1], expected);
    assert_eq!(rows[2], ",'-x\u{fffd},foreign,foreign,,,,,,no,,LXj/");
    let json = text(|out| records_json(out, &index));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["records"][0]["content_hash"],
        format!("sha256:{zeros}")
    );
    assert_eq!(json["problems"][0]["name_bytes"], "LXj/");
    let lines = text(|out| records_json_lines(out, &index));
    let last = r#"{"summary":{"problems":1,"records":1}}"#;
    assert_eq!(lines.lines().last(), Some(last));
}

fn component() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        Just(b'\n'),
        Just(b'\r'),
        Just(b'\\'),
        Just(b' '),
        Just(b','),
        Just(b'n'),
        1..=255u8
    ];
    prop::collection::vec(byte.prop_filter("a slash", |byte| *byte != b'/'), 1..12)
        .prop_filter("a dot", |name| !matches!(&name[..], b"." | b".."))
}

fn files() -> impl Strategy<Value = Vec<(FilePath, Digest, u64)>> {
    let file = prop::collection::vec(component(), 1..4).prop_map(|components| {
        let parts = components.iter().flat_map(|name| [&b"/"[..], name]);
        path(parts.collect::<Vec<_>>().concat())
    });
    let digest = any::<[u8; 32]>().prop_map(Digest);
    prop::collection::vec((file, digest, any::<u64>()), 1..8)
}

/// Returns the files of a list whose paths are absolute or begin with `./` for the root.
fn read_back(bytes: &[u8], base: Option<&FilePath>) -> Vec<(FilePath, Checksum, Option<u64>)> {
    let list = parse(bytes).unwrap();
    assert!(list.skipped.is_empty());
    let entries = list.entries.into_iter();
    let read = entries.map(|entry| {
        let absolute = match base {
            Some(_) => entry.path.strip_prefix(b".").unwrap().to_vec(),
            None => entry.path,
        };
        (path(absolute), entry.checksum, entry.size)
    });
    read.collect()
}

proptest! {
    #[test]
    fn written_lists_are_read(files in files(), is_relative: bool) {
        let root = path("/");
        let base = is_relative.then_some(&root);
        let rows = || files.iter().map(|(path, digest, size)| (path, digest, Some(*size)));
        let expected = |omitted: &[OmittedFile], has_size: bool| -> Vec<_> {
            let is_written = |path: &FilePath| omitted.iter().all(|file| file.path != *path);
            files.iter()
                .filter(|(path, ..)| is_written(path))
                .map(|(path, digest, size)| (path.clone(), (*digest).into(), has_size.then_some(*size)))
                .collect()
        };
        let mut out = Vec::new();
        write_sha256sums(&mut out, rows(), base).unwrap();
        prop_assert_eq!(read_back(&out, base), expected(&[], false));
        out.clear();
        let omitted = write_hashdeep(&mut out, rows(), base).unwrap();
        prop_assert_eq!(read_back(&out, base), expected(&omitted, true));
        out.clear();
        let omitted = write_rhash(&mut out, rows(), base).unwrap();
        if omitted.len() < files.len() {
            prop_assert_eq!(read_back(&out, base), expected(&omitted, false));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(list) = parse(&bytes) {
            prop_assert!(list.entries.iter().all(|entry| !entry.path.is_empty()));
        }
    }
}
