//! Parses the JSON that a model wrote.

use std::collections::HashSet;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::clean::{line, text};
use super::{Answer, BoundingBox, DetectedObject};
use crate::error::{Error, MalformedReason};
use crate::question::Mode;

/// The maximum lengths in characters.
const MAX_DESCRIPTION: usize = 2000;
pub(crate) const MAX_TEXT: usize = 100_000;
const MAX_NAME: usize = 100;
/// The maximum numbers of entries.
const MAX_TAGS: usize = 64;
const MAX_OBJECTS: usize = 200;

/// The unit of boxes: thousandths of the picture's width and height.
const SCALE: f64 = 1000.0;
/// The tolerated overshoot of a box beyond the picture, in thousandths. Larger numbers are in another unit.
const OVERSHOOT: f64 = 50.0;

/// The tags after the thoughts of a model, of several families of models.
const ENDS_OF_THOUGHTS: &[&str] = &[
    "</think>",
    "</thinking>",
    "</thought>",
    "</reasoning>",
    "</seed:think>",
    "[/THINK]",
    "◁/think▷",
];
/// The tags around an answer.
const ANSWER_TAGS: &[(&str, &str)] = &[
    ("<answer>", "</answer>"),
    ("<|begin_of_box|>", "<|end_of_box|>"),
];

/// The form in which the models of a dialect return bounding boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoxForm {
    /// `box_2d: [ymin, xmin, ymax, xmax]`.
    Array,
    /// `left`, `top`, `right` and `bottom`.
    Fields,
}

/// Parses the answer to a question of `mode` from a model's text.
pub(crate) fn parse(mode: Mode, written: &str, boxes: BoxForm) -> Result<Answer, Error> {
    if trim(written).is_empty() {
        return Err(Error::EmptyAnswer);
    }
    match mode {
        Mode::Describe => {
            let Description { description } = json(written)?;
            match line(&description, MAX_DESCRIPTION) {
                empty if empty.is_empty() => Err(Error::EmptyAnswer),
                description => Ok(Answer::Description(description)),
            }
        }
        Mode::Text => {
            let Text { text: words } = json(written)?;
            Ok(Answer::Text(text(&words, MAX_TEXT)))
        }
        Mode::Tags => {
            let Tags { tags } = json(written)?;
            Ok(Answer::Tags(distinct_tags(&tags)))
        }
        Mode::Objects => {
            let found = match boxes {
                BoxForm::Array => objects::<ArrayObject>(written)?,
                BoxForm::Fields => objects::<FieldsObject>(written)?,
            };
            Ok(Answer::Objects(found))
        }
    }
}

#[derive(Deserialize)]
struct Description {
    description: String,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

#[derive(Deserialize)]
struct Tags {
    tags: Vec<String>,
}

#[derive(Deserialize)]
struct Objects<T> {
    objects: Vec<T>,
}

#[derive(Deserialize)]
struct ArrayObject {
    name: String,
    box_2d: [f64; 4],
}

#[derive(Deserialize)]
struct FieldsObject {
    name: String,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

/// An object as a model wrote it, in thousandths.
struct RawObject {
    name: String,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl From<ArrayObject> for RawObject {
    fn from(object: ArrayObject) -> Self {
        let [top, left, bottom, right] = object.box_2d;
        Self {
            name: object.name,
            left,
            top,
            right,
            bottom,
        }
    }
}

impl From<FieldsObject> for RawObject {
    fn from(object: FieldsObject) -> Self {
        Self {
            name: object.name,
            left: object.left,
            top: object.top,
            right: object.right,
            bottom: object.bottom,
        }
    }
}

fn objects<T: DeserializeOwned + Into<RawObject>>(
    written: &str,
) -> Result<Vec<DetectedObject>, Error> {
    let Objects::<T> { objects } = json(written)?;
    let mut found = Vec::new();
    for object in objects.into_iter().take(MAX_OBJECTS) {
        found.extend(validate(object.into())?);
    }
    Ok(found)
}

/// Clamps the box to the picture. Returns `None` if nothing is left of it, or the object has no name.
fn validate(object: RawObject) -> Result<Option<DetectedObject>, Error> {
    let edges = [object.left, object.top, object.right, object.bottom];
    let is_near = |edge: &f64| (-OVERSHOOT..=SCALE + OVERSHOOT).contains(edge);
    if !edges.iter().all(is_near) {
        return Err(Error::MalformedAnswer(MalformedReason::BoxesOutside));
    }
    let [left, top, right, bottom] = edges.map(|edge| (edge / SCALE).clamp(0.0, 1.0));
    let name = line(&object.name, MAX_NAME);
    Ok(
        (left < right && top < bottom && !name.is_empty()).then_some(DetectedObject {
            name,
            bounding_box: BoundingBox {
                left,
                top,
                right,
                bottom,
            },
        }),
    )
}

/// Returns the tags without empty ones and repetitions, ignoring case.
fn distinct_tags(tags: &[String]) -> Vec<String> {
    let mut seen = HashSet::new();
    tags.iter()
        .map(|tag| line(tag.trim_start().trim_start_matches('#'), MAX_NAME))
        .filter(|tag| !tag.is_empty() && seen.insert(tag.to_lowercase()))
        .take(MAX_TAGS)
        .collect()
}

fn json<T: DeserializeOwned>(written: &str) -> Result<T, Error> {
    let value = answer_in(written)?;
    serde_json::from_value(value).map_err(|_| Error::MalformedAnswer(MalformedReason::WrongFields))
}

/// Returns the JSON after the thoughts that a model wrote down. Their opening tag may be missing, because it is part
/// of the prompt, and the JSON may contain a tag itself.
fn answer_in(written: &str) -> Result<Value, Error> {
    let mut rest = written;
    loop {
        if let Ok(value) = serde_json::from_str(strip_wrapping(rest)) {
            return Ok(value);
        }
        let ends = ENDS_OF_THOUGHTS
            .iter()
            .filter_map(|tag| Some(rest.find(tag)? + tag.len()));
        let Some(end) = ends.min() else {
            return Err(Error::MalformedAnswer(MalformedReason::NotJson));
        };
        rest = &rest[end..];
        if trim(rest).is_empty() {
            return Err(Error::EmptyAnswer);
        }
    }
}

/// Returns the JSON without what models put around it: a code fence, or tags of the answer.
fn strip_wrapping(written: &str) -> &str {
    let written = trim(written);
    if let Some(fenced) = written.strip_prefix("```") {
        let inside = fenced.split_once('\n').map_or("", |(_, inside)| inside);
        return inside.trim_end().strip_suffix("```").unwrap_or("");
    }
    let tagged = ANSWER_TAGS
        .iter()
        .find_map(|(start, end)| written.strip_prefix(start)?.strip_suffix(end));
    tagged.map_or(written, trim)
}

/// Removes white space and byte order marks.
fn trim(written: &str) -> &str {
    written.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOT_JSON: Error = Error::MalformedAnswer(MalformedReason::NotJson);
    const WRONG_FIELDS: Error = Error::MalformedAnswer(MalformedReason::WrongFields);
    const OUTSIDE: Error = Error::MalformedAnswer(MalformedReason::BoxesOutside);

    #[track_caller]
    fn check(mode: Mode, written: &str, expected: Result<Answer, Error>) {
        assert_eq!(parse(mode, written, BoxForm::Array), expected, "{written}");
    }

    fn description(text: &str) -> Result<Answer, Error> {
        Ok(Answer::Description(text.into()))
    }

    #[test]
    fn description_is_read_from_json() {
        let cat = description("A cat.");
        for written in [
            r#"{"description":"A cat."}"#,
            "```json\n{\"description\": \"A cat.\"}\n```",
            "```\n{\"description\": \"A cat.\", \"sure\": true}\n```\n",
            "<think>It has {whiskers}.</think>\n{\"description\":\" A\\ncat.\\u0000 \"}",
            "\u{feff}{\"description\":\"A cat.\"}",
            "The user wants JSON…</think>\n{\"description\":\"A cat.\"}",
            "{\"description\"} it is, </think> they say.</think>{\"description\":\"A cat.\"}",
            "<thinking>hm</thinking>\n```json\n{\"description\":\"A cat.\"}\n```",
            "[THINK]hm[/THINK]{\"description\":\"A cat.\"}",
            "◁think▷hm◁/think▷{\"description\":\"A cat.\"}",
            "<think></think><answer>{\"description\":\"A cat.\"}</answer>",
            "hm</think><|begin_of_box|>{\"description\":\"A cat.\"}<|end_of_box|>",
        ] {
            check(Mode::Describe, written, cat.clone());
        }
    }

    #[test]
    fn other_text_is_malformed() {
        for written in [
            "A cat.",
            r#"{"description":"A c"#,
            "```json\n{\"description\":\"A cat.\"}",
            "```json\n{\"description\":\"A c\n```",
            "```",
            "<think>{\"description\":\"A cat.\"}",
            r#"{"description":"A cat."} Shall I go on?"#,
        ] {
            check(Mode::Describe, written, Err(NOT_JSON));
        }
        check(
            Mode::Text,
            "<think>hm</think>{\"text\":\"a </think> b\"}",
            Ok(Answer::Text("a </think> b".into())),
        );
        for written in [
            r#"{"caption":"A cat."}"#,
            r#"{"description":["A cat."]}"#,
            "[]",
            "null",
        ] {
            check(Mode::Describe, written, Err(WRONG_FIELDS));
        }
    }

    #[test]
    fn description_is_never_empty_and_text_may_be() {
        for thought in [" \n", "\u{feff}", "<think>hm</think>\n"] {
            check(Mode::Describe, thought, Err(Error::EmptyAnswer));
        }
        check(
            Mode::Describe,
            r#"{"description":" \u0007"}"#,
            Err(Error::EmptyAnswer),
        );
        check(
            Mode::Text,
            r#"{"text":""}"#,
            Ok(Answer::Text(String::new())),
        );
        check(
            Mode::Text,
            r#"{"text":"一\n二"}"#,
            Ok(Answer::Text("一\n二".into())),
        );
    }

    #[test]
    fn tags_are_distinct_and_without_marks() {
        check(
            Mode::Tags,
            r##"{"tags":["#Cat","cat"," ","東京 タワー","東京 タワー"]}"##,
            Ok(Answer::Tags(vec!["Cat".into(), "東京 タワー".into()])),
        );
    }

    fn object(name: &str, [left, top, right, bottom]: [f64; 4]) -> DetectedObject {
        DetectedObject {
            name: name.into(),
            bounding_box: BoundingBox {
                left,
                top,
                right,
                bottom,
            },
        }
    }

    #[test]
    fn boxes_become_fractions_of_the_picture() {
        let cat = Ok(Answer::Objects(vec![object("cat", [0.2, 0.1, 0.4, 0.3])]));
        let array = r#"{"objects":[{"name":"cat","box_2d":[100,200,300,400]}]}"#;
        check(Mode::Objects, array, cat.clone());
        let fields =
            r#"{"objects":[{"name":"cat","left":200,"top":100,"right":400,"bottom":300}]}"#;
        assert_eq!(parse(Mode::Objects, fields, BoxForm::Fields), cat);
    }

    #[test]
    fn boxes_are_clamped_and_empty_ones_left_out() {
        check(
            Mode::Objects,
            r#"{"objects":[
                {"name":"sky","box_2d":[-3,0,500,1004.5]},
                {"name":"line","box_2d":[10,10,10,20]},
                {"name":"inverted","box_2d":[30,10,20,20]},
                {"name":"","box_2d":[0,0,10,10]}
            ]}"#,
            Ok(Answer::Objects(vec![object("sky", [0.0, 0.0, 1.0, 0.5])])),
        );
        check(
            Mode::Objects,
            r#"{"objects":[]}"#,
            Ok(Answer::Objects(Vec::new())),
        );
    }

    #[test]
    fn boxes_of_another_unit_are_malformed() {
        check(
            Mode::Objects,
            r#"{"objects":[{"name":"cat","box_2d":[100,200,300,1920]}]}"#,
            Err(OUTSIDE),
        );
        check(
            Mode::Objects,
            r#"{"objects":[{"name":"cat","box_2d":[100,200,300]}]}"#,
            Err(WRONG_FIELDS),
        );
        check(
            Mode::Objects,
            r#"{"objects":[{"name":"cat"}]}"#,
            Err(WRONG_FIELDS),
        );
        check(
            Mode::Objects,
            r#"{"objects":[{"name":"cat","box_2d":[1e999,0,1,1]}]}"#,
            Err(NOT_JSON),
        );
    }

    #[test]
    fn numbers_of_entries_are_bounded() {
        let tags: Vec<String> = (0..1000).map(|n| format!("\"{n}\"")).collect();
        let answer = parse(
            Mode::Tags,
            &format!("{{\"tags\":[{}]}}", tags.join(",")),
            BoxForm::Array,
        );
        assert!(matches!(answer, Ok(Answer::Tags(tags)) if tags.len() == MAX_TAGS));
        let deep = "[".repeat(100_000);
        check(Mode::Tags, &deep, Err(NOT_JSON));
    }
}
