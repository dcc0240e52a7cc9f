//! Writes records like go-safe-cmd-runner: two spaces, no line break at the end, `<`, `>` and `&` escaped.

use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::ser::{Formatter, PrettyFormatter};

use super::read::{ANALYSIS, NOTES};
use super::{PreviousHash, Record, SCHEMA};

const NOTES_VERSION: u32 = 1;

impl Record {
    /// Returns the record's bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(512);
        let mut serializer =
            serde_json::Serializer::with_formatter(&mut bytes, GoFormatter::default());
        self.serialize(&mut serializer)
            .expect("BUG: a record holds nothing that JSON has no form for");
        bytes
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema_version", &SCHEMA)?;
        map.serialize_entry("file_path", &self.path.to_text())?;
        map.serialize_entry("content_hash", &self.digest.to_string())?;
        for name in ANALYSIS {
            if let Some((name, value)) = self.analysis.iter().find(|(field, _)| field == name) {
                map.serialize_entry(name, value)?;
            }
        }
        // A path that is not UTF-8 is complete in the notes only.
        if self.has_notes || self.path.as_str().is_none() {
            map.serialize_entry(NOTES, &WrittenNotes::new(self))?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct WrittenNotes<'a> {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mtime_ns: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ctime_ns: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inode: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    history: &'a [PreviousHash],
}

impl<'a> WrittenNotes<'a> {
    fn new(record: &'a Record) -> Self {
        let notes = &record.notes;
        // A time beyond the year 2262 does not fit. Without it the file is read at each verification.
        let ns = |time: i128| i64::try_from(time).ok();
        Self {
            version: NOTES_VERSION,
            size: notes.stat.map(|stat| stat.size),
            mtime_ns: notes.stat.and_then(|stat| ns(stat.mtime_ns)),
            ctime_ns: notes.stat.and_then(|stat| ns(stat.ctime_ns)),
            inode: notes.stat.map(|stat| stat.inode),
            mode: notes.mode,
            recorded_at: notes.recorded_at,
            verified_at: notes.verified_at,
            path_b64: match record.path.as_str() {
                Some(_) => None,
                None => Some(STANDARD.encode(record.path.as_bytes())),
            },
            history: &notes.history,
        }
    }
}

/// Pretty JSON with Go's escapes in strings.
#[derive(Default)]
struct GoFormatter(PrettyFormatter<'static>);

/// The characters that Go escapes and serde_json does not.
const GO_ESCAPES: [char; 5] = ['<', '>', '&', '\u{2028}', '\u{2029}'];

impl Formatter for GoFormatter {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(GO_ESCAPES) {
            writer.write_all(&rest.as_bytes()[..at])?;
            let mut letters = rest[at..].chars();
            if let Some(letter) = letters.next() {
                write!(writer, "\\u{:04x}", u32::from(letter))?;
            }
            rest = letters.as_str();
        }
        writer.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, Notes};
    use super::*;
    use crate::contents::Contents;
    use crate::digest::Digest;
    use crate::path::FilePath;
    use crate::record::read::{InvalidRecord, parse};
    use crate::stat::FileStat;
    use crate::state::FileState;

    const HASH: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    fn contents(digest: Digest) -> Contents {
        let stat = FileStat {
            size: 3,
            mtime_ns: 1,
            ctime_ns: 2,
            inode: 4,
        };
        Contents {
            digest,
            stat,
            mode: 0o640,
        }
    }

    fn record(path: impl AsRef<[u8]>) -> Record {
        let path = FilePath::new(path.as_ref()).unwrap();
        let read = contents(Digest::from_hex(HASH).unwrap());
        Record::new(path, &read, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn record_with_too_many_fields_is_refused() {
        let with_fields = |count: usize| {
            let fields = (0..count).map(|number| format!("\"field {number}\": {number}, "));
            let fields: String = fields.collect();
            let hash = format!("\"content_hash\": \"sha256:{HASH}\"");
            format!("{{{fields}\"schema_version\": 23, \"file_path\": \"/a\", {hash}}}")
        };
        assert!(parse(with_fields(997).as_bytes()).is_ok());
        // The rest of a hostile record is not even looked at.
        for count in [998, 100_000] {
            let error = parse(with_fields(count).as_bytes()).unwrap_err();
            let error = error.to_string();
            assert!(error.contains("it has more than 1000 fields"), "{error}");
        }
    }

    #[test]
    fn record_has_the_form_of_other_programs() {
        let text = String::from_utf8(record("/a <b> & c\u{2028}").to_bytes()).unwrap();
        let expected = format!(
            r#"{{
  "schema_version": 23,
  "file_path": "/a \u003cb\u003e \u0026 c\u2028",
  "content_hash": "sha256:{HASH}",
  "fumikura": {{
    "version": 1,
    "size": 3,
    "mtime_ns": 1,
    "ctime_ns": 2,
    "inode": 4,
    "mode": 416,
    "recorded_at": "1970-01-01T00:00:00Z",
    "verified_at": "1970-01-01T00:00:00Z"
  }}
}}"#
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn record_round_trips() {
        for path in [&b"/a"[..], b"/\xff~\n\"\\", "/写真".as_bytes(), b"/<&>"] {
            let written = record(path);
            let read = parse(&written.to_bytes()).unwrap();
            assert_eq!(read.path, written.path);
            assert_eq!(
                (read.digest, read.notes, read.has_notes),
                (written.digest, written.notes, true)
            );
        }
    }

    #[test]
    fn legacy_record_keeps_a_non_utf8_path() {
        let text = [b"/a\xff\n", HASH.as_bytes()].concat();
        let read = parse(&text).unwrap();
        let again = parse(&read.to_bytes()).unwrap();
        assert_eq!(again.path, read.path);
    }

    #[test]
    fn analysis_is_kept_for_equal_contents() {
        let text = format!(
            r#"{{"schema_version":23,"file_path":"/a","content_hash":"sha256:{HASH}","deps":[{{"path":"/b","hash":"x"}}],"unknown":1,"debug":{{"n":1.50}}}}"#
        );
        let read = parse(text.as_bytes()).unwrap();
        assert!(!read.has_notes);
        let same = read.renewed(&contents(read.digest), FileState::Ok, Timestamp::UNIX_EPOCH);
        let written = String::from_utf8(same.to_bytes()).unwrap();
        assert!(
            written.contains(r#""deps": [{"path":"/b","hash":"x"}]"#),
            "{written}"
        );
        assert!(
            written.contains(r#"{"n":1.50}"#) && !written.contains("unknown"),
            "{written}"
        );
        let other = same.renewed(
            &contents(Digest([9; 32])),
            FileState::Changed,
            Timestamp::UNIX_EPOCH,
        );
        assert!(other.analysis.is_empty());
        assert_eq!(
            other.notes.history[0].content_hash,
            format!("sha256:{HASH}")
        );
        assert_eq!(other.notes.history[0].state, Some(FileState::Changed));
        let again = parse(&other.to_bytes()).unwrap();
        assert_eq!(again.notes.history, other.notes.history);
    }

    #[test]
    fn older_formats_are_read() {
        for (text, format) in [
            (format!("/a\n{HASH}"), Format::Text),
            (format!("/a\n{HASH}\n"), Format::Text),
            (
                format!(
                    r#"{{"version":"1.0","format":"file-hash","timestamp":"2025-01-01T00:00:00Z","file":{{"path":"/a","hash":{{"algorithm":"sha256","value":"{HASH}"}}}}}}"#
                ),
                Format::FileHash,
            ),
            (
                format!(
                    r#"{{"schema_version":1,"file_path":"/a","content_hash":"sha256:{HASH}","updated_at":"2025-01-01T00:00:00Z"}}"#
                ),
                Format::Schema(1),
            ),
            (
                format!(
                    r#"{{"schema_version":24,"file_path":"/a","content_hash":"sha256:{HASH}"}}"#
                ),
                Format::Schema(24),
            ),
        ] {
            let read = parse(text.as_bytes()).unwrap();
            assert_eq!(
                (read.path.as_bytes(), read.digest.to_hex().as_str()),
                (&b"/a"[..], HASH),
                "{text}"
            );
            assert_eq!((read.format, read.notes), (format, Notes::default()));
        }
        assert_eq!(
            parse(format!("/a\nb\n{HASH}").as_bytes())
                .unwrap()
                .path
                .as_bytes(),
            b"/a\nb"
        );
    }

    #[test]
    fn notes_may_be_partial() {
        let text = format!(
            r#"{{"schema_version":23,"file_path":"/a","content_hash":"sha256:{HASH}","fumikura":{{"size":3,"later":[]}}}}"#
        );
        let read = parse(text.as_bytes()).unwrap();
        assert!(read.has_notes);
        assert_eq!(read.notes, Notes::default());
    }

    #[track_caller]
    fn check_invalid(text: &str, words: &str) {
        let error = parse(text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }

    #[test]
    fn invalid_record_is_refused() {
        let with = |path: &str, hash: &str, more: &str| {
            format!(r#"{{"schema_version":23,"file_path":{path},"content_hash":"{hash}"{more}}}"#)
        };
        let good = format!("sha256:{HASH}");
        assert!(matches!(parse(b""), Err(InvalidRecord::Empty)));
        check_invalid("hello", "not JSON");
        check_invalid("[]", "not JSON");
        check_invalid("{}", "“schema_version”");
        check_invalid("/a", "“hash”");
        check_invalid("/a\nabc", "64 lower-case");
        check_invalid(r#"{"format":"other"}"#, "“other” is not known");
        check_invalid(&with("\"a\"", &good, ""), "absolute");
        check_invalid(&with("1", &good, ""), "“file_path”");
        check_invalid(&with("\"/a\"", &format!("sha512:{HASH}"), ""), "sha256");
        check_invalid(
            &with("\"/a\"", &format!("sha256:{}", HASH.to_uppercase()), ""),
            "lower-case",
        );
        check_invalid(
            &with("\"/a\"", &good, r#","file_path":"/b""#),
            "comes twice",
        );
        check_invalid(
            &with("\"/a\"", &good, r#","fumikura":{"path_b64":"L2I="}"#),
            "not the same path",
        );
        check_invalid(
            &with("\"/a\"", &good, r#","fumikura":{"path_b64":"?"}"#),
            "path_b64",
        );
        check_invalid(&with("\"/a\"", &good, r#","fumikura":[]"#), "“fumikura”");
        check_invalid(&format!("{}x", with("\"/a\"", &good, "")), "not JSON");
    }
}
