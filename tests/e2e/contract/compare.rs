//! Comparison of answers, without the values that differ from run to run.

use serde_json::{Map, Value};

/// Returns true if `actual` matches the expected value, in which `"*"` is anything but null.
pub(super) fn matches(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::String(any), actual) if any == "*" => !actual.is_null(),
        (Value::Array(expected), Value::Array(actual)) => {
            expected.len() == actual.len()
                && expected.iter().zip(actual).all(|(e, c)| matches(e, c))
        }
        // Fields that the table does not name are only compared between the transports.
        (Value::Object(expected), Value::Object(actual)) => expected.iter().all(|(name, value)| {
            actual
                .get(name)
                .is_some_and(|actual| matches(value, actual))
        }),
        (expected, actual) => expected == actual,
    }
}

/// Removes ids, times, and the folder of this run's pages. Error messages are removed too: one transport
/// reads addresses and headers, the other JSON.
pub(super) fn comparable(value: Value, place: &str) -> Value {
    match value {
        Value::String(text) => Value::String(nameless(&text, place)),
        Value::Array(items) => items
            .into_iter()
            .map(|item| comparable(item, place))
            .collect(),
        Value::Object(fields) => Value::Object(comparable_fields(fields, place)),
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_)) => plain,
    }
}

fn comparable_fields(fields: Map<String, Value>, place: &str) -> Map<String, Value> {
    let is_error = fields.contains_key("code");
    let compared = fields
        .into_iter()
        .filter(|(name, _)| !(is_error && name == "message"));
    compared
        .map(|(name, value)| (nameless(&name, place), comparable(value, place)))
        .collect()
}

fn nameless(text: &str, place: &str) -> String {
    if is_id(text) {
        return "an id".to_owned();
    }
    if is_moment(text) {
        return "a moment".to_owned();
    }
    text.replace(place, "/place")
}

/// Returns true for a ULID or a job's id.
fn is_id(text: &str) -> bool {
    let is_made_of = |is_letter: fn(&u8) -> bool| {
        let mut bytes = text.bytes();
        bytes.all(|byte| byte.is_ascii_digit() || is_letter(&byte))
    };
    match text.len() {
        26 => is_made_of(u8::is_ascii_uppercase),
        32 => is_made_of(|byte| matches!(byte, b'a'..=b'f')),
        _ => false,
    }
}

fn is_moment(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 20 && bytes[4] == b'-' && bytes[10] == b'T' && text.ends_with('Z')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn star_matches_any_value_but_null() {
        let actual = json!({"token": "01JD0000000000000000000000", "items": [{"a": 1, "b": 2}], "none": null});
        for (expected, is_so) in [
            (
                json!({"token": "*", "items": [{"a": 1}], "none": null}),
                true,
            ),
            (json!({"none": "*"}), false),
            (json!({"missing": null}), false),
            (json!({"items": []}), false),
            (json!("*"), true),
        ] {
            assert_eq!(matches(&expected, &actual), is_so, "{expected}");
        }
    }

    #[test]
    fn ids_times_and_messages_are_removed() {
        let error = json!({"error": {"code": "locked", "message": "At /x/a.", "user_name": "花子",
            "expire": "2026-11-18T12:05:00.123Z", "path": "/x/a"}});
        let expected = json!({"error": {"code": "locked", "user_name": "花子",
            "expire": "a moment", "path": "/place/a"}});
        assert_eq!(comparable(error, "/x"), expected);
        assert_eq!(
            comparable(
                json!([
                    "01JD0000000000000000000000",
                    "0123456789abcdef0123456789abcdef",
                    7
                ]),
                "/x"
            ),
            json!(["an id", "an id", 7])
        );
    }
}
