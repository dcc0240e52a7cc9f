//! Answers about pictures.

mod clean;
mod parse;

use serde::{Deserialize, Serialize};

pub(crate) use clean::{MAX_MESSAGE, line, text};
pub(crate) use parse::{BoxForm, MAX_TEXT, parse};

/// An answer in the requested mode. It contains no control characters and is bounded in length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// Alternative text in one sentence; never empty.
    Description(String),
    /// The text in the picture, with its line breaks; empty if there is none.
    Text(String),
    /// Keywords, each once.
    Tags(Vec<String>),
    /// The objects in the picture.
    Objects(Vec<DetectedObject>),
}

/// The fields of an answer, of which one is present.
#[cfg(feature = "wire")]
#[derive(utoipa::ToSchema)]
#[schema(as = ScanAnswer)]
#[allow(dead_code, reason = "it describes the JSON of an enum")]
pub struct AnswerFields {
    /// A sentence (`describe`).
    description: Option<String>,
    /// Text, with its line breaks (`text`).
    text: Option<String>,
    /// Keywords (`tags`).
    tags: Option<Vec<String>>,
    /// Objects (`objects`).
    objects: Option<Vec<DetectedObject>>,
}

/// An object in a picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = ScanObject))]
pub struct DetectedObject {
    /// The name of the object.
    pub name: String,
    /// The position of the object.
    #[serde(rename = "box")]
    pub bounding_box: BoundingBox,
}

/// A rectangle. Its coordinates are fractions of the picture's size, from its left and top. `left < right` and
/// `top < bottom`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = ScanBox))]
pub struct BoundingBox {
    /// The left edge.
    pub left: f64,
    /// The upper edge.
    pub top: f64,
    /// The right edge.
    pub right: f64,
    /// The lower edge.
    pub bottom: f64,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(answer: Answer, expected: serde_json::Value) {
        assert_eq!(serde_json::to_value(&answer).unwrap(), expected);
        assert_eq!(serde_json::from_value::<Answer>(expected).unwrap(), answer);
    }

    #[test]
    fn answer_has_one_field_in_json() {
        check(
            Answer::Description("猫".into()),
            json!({"description": "猫"}),
        );
        check(Answer::Text(String::new()), json!({"text": ""}));
        check(Answer::Tags(vec!["猫".into()]), json!({"tags": ["猫"]}));
        let bounding_box = BoundingBox {
            left: 0.25,
            top: 0.0,
            right: 1.0,
            bottom: 0.5,
        };
        check(
            Answer::Objects(vec![DetectedObject {
                name: "猫".into(),
                bounding_box,
            }]),
            json!({"objects": [{
                "name": "猫",
                "box": {"left": 0.25, "top": 0.0, "right": 1.0, "bottom": 0.5},
            }]}),
        );
    }
}
