//! `fumi describe`: descriptions of pictures by a service or an OCR command.

use std::io::Write;

use clap::{Args, ValueEnum};
use serde_json::Value;

use super::place::{FileArguments, OpenFolders};
use crate::client::{Client, Common, row, text};
use crate::output::{self, named};

/// The kind of a description.
#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    /// A sentence
    Describe,
    /// The text in the picture
    Text,
    /// The objects in it
    Objects,
    /// Keywords
    Tags,
}

#[derive(Args)]
pub(crate) struct DescribeArguments {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    files: FileArguments,
    /// Kind of the description
    #[arg(long, value_name = "MODE", default_value = "describe")]
    mode: Mode,
    /// Language, such as ja, if the settings have none
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// Ask the service even if an answer is stored
    #[arg(long)]
    again: bool,
}

/// Describes pictures, one after the other: path and description.
pub(crate) fn describe(arguments: &DescribeArguments) -> anyhow::Result<()> {
    let files = arguments.files.read()?;
    let client = Client::open(&arguments.common)?;
    let places = OpenFolders::get(&client)?.places(&files)?;
    let mode = arguments.mode.to_possible_value();
    let mode = mode.as_ref().map_or("describe", |mode| mode.get_name());
    for (file, place) in files.iter().zip(&places) {
        let mut question = place.json();
        question["mode"] = mode.into();
        question["again"] = arguments.again.into();
        if let Some(language) = &arguments.language {
            question["language"] = language.as_str().into();
        }
        let mut answer = client.send_json("POST", "api/vision/scan", &question)?;
        let path = file.as_os_str().as_encoded_bytes();
        let mut out = output::stdout();
        if arguments.common.json {
            if let (Some(answer), Value::Object(named)) =
                (answer.as_object_mut(), named("file", path))
            {
                answer.extend(named);
            }
            writeln!(out, "{answer}")?;
        } else {
            let line = row(&[&String::from_utf8_lossy(path), &words(&answer)]);
            out.write_row(&line)?;
        }
    }
    Ok(())
}

/// Returns the description in an answer, on one line.
fn words(answer: &Value) -> String {
    let list = |field: &str, word: fn(&Value) -> &str| {
        let items = answer[field].as_array().into_iter().flatten();
        items.map(word).collect::<Vec<_>>().join(", ")
    };
    match text(answer, "mode") {
        "tags" => list("tags", |tag| tag.as_str().unwrap_or_default()),
        "objects" => list("objects", |object| text(object, "name")),
        "text" => text(answer, "text").to_owned(),
        _ => text(answer, "description").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn description_is_one_column() {
        let check = |answer: Value, expected| assert_eq!(words(&answer), expected);
        check(
            json!({"mode": "describe", "description": "A garden"}),
            "A garden",
        );
        check(
            json!({"mode": "tags", "tags": ["moss", "stone"]}),
            "moss, stone",
        );
        check(
            json!({"mode": "objects", "objects": [{"name": "lantern"}]}),
            "lantern",
        );
    }
}
