//! Parses the output of an OCR command.

use serde::Deserialize;

use super::template::OutputFormat;
use crate::answer::{MAX_TEXT, text};
use crate::error::{Error, MalformedReason};

#[derive(Deserialize)]
#[serde(untagged)]
enum Document {
    Whole { text: String },
    Pages { contents: Vec<Vec<Line>> },
}

/// A line of NDLOCR-Lite. Lines are in reading order.
#[derive(Deserialize)]
struct Line {
    text: String,
}

/// Returns the text in the picture; empty if the command found none.
pub(super) fn parse(written: &[u8], format: OutputFormat) -> Result<String, Error> {
    let malformed = |reason| move || Error::MalformedAnswer(reason);
    let written = str::from_utf8(written).ok();
    let written = written.ok_or_else(malformed(MalformedReason::NotText))?;
    let written = written.strip_prefix('\u{feff}').unwrap_or(written);
    let found = match format {
        OutputFormat::Text => written.to_owned(),
        OutputFormat::Json => {
            let value: serde_json::Value = serde_json::from_str(written)
                .ok()
                .ok_or_else(malformed(MalformedReason::NotJson))?;
            let document = serde_json::from_value(value).ok();
            match document.ok_or_else(malformed(MalformedReason::WrongFields))? {
                Document::Whole { text } => text,
                Document::Pages { contents } => joined(contents),
            }
        }
    };
    Ok(text(&found, MAX_TEXT))
}

fn joined(contents: Vec<Vec<Line>>) -> String {
    let lines: Vec<String> = contents
        .into_iter()
        .flatten()
        .map(|line| line.text)
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: OutputFormat, written: &[u8], expected: Result<&str, MalformedReason>) {
        let expected = expected.map(str::to_owned).map_err(Error::MalformedAnswer);
        assert_eq!(parse(written, format), expected);
    }

    #[test]
    fn text_is_taken_as_it_is() {
        check(OutputFormat::Text, "一\n二\n\u{c}".as_bytes(), Ok("一\n二"));
        check(OutputFormat::Text, b" \n\x0c", Ok(""));
        check(OutputFormat::Text, "\u{feff}一".as_bytes(), Ok("一"));
        check(
            OutputFormat::Text,
            b"{\"text\":\"a\"}",
            Ok("{\"text\":\"a\"}"),
        );
        check(
            OutputFormat::Text,
            b"\x88\xea",
            Err(MalformedReason::NotText),
        );
    }

    #[test]
    fn json_has_one_of_two_forms() {
        check(
            OutputFormat::Json,
            r#"{"text":"一\n二"}"#.as_bytes(),
            Ok("一\n二"),
        );
        check(
            OutputFormat::Json,
            r#"{"contents":[[{"id":0,"text":"一"},{"id":1,"text":"二"}],[]],"imginfo":{}}"#
                .as_bytes(),
            Ok("一\n二"),
        );
        let marked = "\u{feff}{\"text\":\"一\"}";
        check(OutputFormat::Json, marked.as_bytes(), Ok("一"));
        check(OutputFormat::Json, b"", Err(MalformedReason::NotJson));
        check(
            OutputFormat::Json,
            b"{\"text\":\"a",
            Err(MalformedReason::NotJson),
        );
        check(
            OutputFormat::Json,
            b"{\"lines\":[]}",
            Err(MalformedReason::WrongFields),
        );
    }
}
