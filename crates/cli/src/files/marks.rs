//! `fumi rate` and `tag`: the ratings and tags of pictures.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::place::{FileArguments, OpenFolders, Place, bytes_of, check_failed, is_joined, items};
use crate::client::{Client, Common, row, text};
use crate::output::{self, Output, named};

#[derive(Args)]
pub(crate) struct RateArguments {
    #[command(flatten)]
    common: Common,
    /// The rating: 1 to 5, `none` or `rejected`
    #[arg(value_parser = parse_rating)]
    rating: i8,
    #[command(flatten)]
    files: FileArguments,
}

#[derive(Args)]
pub(crate) struct TagArguments {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    files: FileArguments,
    /// Tag to add, such as Places/Kyoto; can be repeated
    #[arg(long, value_name = "TAG")]
    add: Vec<String>,
    /// Tag to remove; can be repeated
    #[arg(long, value_name = "TAG")]
    remove: Vec<String>,
}

fn parse_rating(word: &str) -> Result<i8, String> {
    match (word, word.parse()) {
        ("none", _) => Ok(0),
        ("rejected", _) => Ok(-1),
        (_, Ok(rating @ 0..=5)) => Ok(rating),
        _ => Err("a rating is 1 to 5, none or rejected".to_owned()),
    }
}

/// Rates pictures.
pub(crate) fn rate(arguments: &RateArguments) -> anyhow::Result<()> {
    let change = json!({"rating": arguments.rating});
    set(&arguments.common, &arguments.files.read()?, change)
}

/// Changes tags, or lists the marks of pictures.
pub(crate) fn tag(arguments: &TagArguments) -> anyhow::Result<()> {
    let files = arguments.files.read()?;
    if arguments.add.is_empty() && arguments.remove.is_empty() {
        return show(&arguments.common, &files);
    }
    let change = json!({"add_tags": arguments.add, "remove_tags": arguments.remove});
    set(&arguments.common, &files, change)
}

/// Lists the marks of pictures: path, rating, tags and caption.
fn show(common: &Common, files: &[PathBuf]) -> anyhow::Result<()> {
    let client = Client::open(common)?;
    let places = OpenFolders::get(&client)?.places(files)?;
    let joined = is_joined(&client)?;
    let mut out = output::stdout();
    for (file, place) in files.iter().zip(&places) {
        let address = format!("api/files/marks?{}&joined={joined}", place.query());
        let mut marks = client.get(&address)?;
        let path = file.as_os_str().as_encoded_bytes();
        add_name(&mut marks, path);
        print_marks(&mut out, common.json, &marks, path)?;
    }
    Ok(())
}

fn set(common: &Common, files: &[PathBuf], mut change: Value) -> anyhow::Result<()> {
    let client = Client::open(common)?;
    let places = OpenFolders::get(&client)?.places(files)?;
    change["items"] = items(&places);
    change["joined"] = is_joined(&client)?.into();
    let answer = client.send_json("POST", "api/files/marks", &change)?;
    let mut out = output::stdout();
    for marked in answer["marked"].as_array().into_iter().flatten() {
        // Further sidecars of a joined picture are not on the command line.
        let is_marked = |place: &&Place| {
            place.root() == text(marked, "root") && place.path() == bytes_of(marked, "path")
        };
        let Some(place) = places.iter().position(|place| is_marked(&place)) else {
            continue;
        };
        let path = files[place].as_os_str().as_encoded_bytes();
        let mut marked = marked.clone();
        add_name(&mut marked, path);
        print_marks(&mut out, common.json, &marked, path)?;
    }
    drop(out);
    check_failed(&answer)
}

/// Adds the path to an object, as the command line has it.
fn add_name(marks: &mut Value, path: &[u8]) {
    if let (Some(marks), Value::Object(named)) = (marks.as_object_mut(), named("file", path)) {
        marks.extend(named);
    }
}

fn print_marks(out: &mut Output, json: bool, marks: &Value, path: &[u8]) -> anyhow::Result<()> {
    if json {
        writeln!(out, "{marks}")?;
        return Ok(());
    }
    let tags = marks["tags"].as_array().into_iter().flatten();
    let tags: Vec<_> = tags.filter_map(Value::as_str).collect();
    let line = row(&[
        &String::from_utf8_lossy(path),
        &rating(marks),
        &tags.join(", "),
        text(marks, "caption"),
    ]);
    Ok(out.write_row(&line)?)
}

/// Returns the rating of a picture for a column; empty without one.
pub(super) fn rating(marks: &Value) -> String {
    match marks["rating"].as_i64() {
        None | Some(0) => String::new(),
        Some(-1) => "rejected".to_owned(),
        Some(rating) => rating.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rating_is_a_number_or_word() {
        assert_eq!(
            ["5", "none", "rejected"].map(parse_rating),
            [Ok(5), Ok(0), Ok(-1)]
        );
        assert!(
            ["6", "-2", "", "best"]
                .map(parse_rating)
                .iter()
                .all(Result::is_err)
        );
        assert_eq!(rating(&json!({"rating": -1})), "rejected");
        assert_eq!(rating(&json!({})), "");
    }
}
