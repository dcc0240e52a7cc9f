//! Requests, field by field.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fumikura_vision::{Answer, ApiKey, ApiKeyError, BoundingBox, Call, Error, Gemini, Mode};
use fumikura_vision::{DetectedObject, OpenAi, Recipient, Service};
use serde_json::{Value, json};

use crate::dialects::{Dialect, KEY, MODEL, TestTimer, ask, picture, question};
use crate::server::{RecordedRequest, Server, answer};

/// Returns the only request of a question in `mode` that `written` answers, and its answer.
fn scanned(dialect: Dialect, mode: Mode, written: &str) -> (RecordedRequest, Answer) {
    let server = Server::start(vec![answer(200, &dialect.written(written))]);
    let service = dialect.service(&server.url(), TestTimer::new());
    let answer = service
        .scan(&picture(), &question(mode), &Call::default())
        .unwrap();
    let mut received = server.received();
    assert_eq!(received.len(), 1);
    (received.remove(0), answer)
}

/// Takes the instructions out of a request.
fn take_instructions(request: &mut Value, pointer: &str) -> String {
    let instructions = request.pointer_mut(pointer).unwrap().take();
    instructions.as_str().unwrap().to_owned()
}

#[test]
fn gemini_request_has_these_fields_alone() {
    let written = r#"{"description":"猫が眠っている。"}"#;
    let (received, answer) = scanned(Dialect::Gemini, Mode::Describe, written);
    assert_eq!(answer, Answer::Description("猫が眠っている。".into()));
    assert_eq!(
        (received.method.as_str(), received.target.as_str()),
        ("POST", Dialect::Gemini.scan_target())
    );
    assert_eq!(received.header("x-goog-api-key"), Some(KEY));
    assert_eq!(received.header("authorization"), None);
    let mut request = received.json();
    let instructions = take_instructions(&mut request, "/contents/0/parts/1/text");
    assert!(instructions.contains("Japanese (ja)"), "{instructions}");
    let expected = json!({
        "contents": [{"role": "user", "parts": [
            {"inline_data": {"mime_type": "image/png", "data": STANDARD.encode(picture().bytes())}},
            {"text": null},
        ]}],
        "generationConfig": {
            "responseMimeType": "application/json",
            "responseSchema": {
                "type": "OBJECT",
                "properties": {"description": {"type": "STRING"}},
                "required": ["description"],
            },
        },
    });
    assert_eq!(request, expected);
}

#[test]
fn openai_request_has_these_fields_alone() {
    let written = r#"{"description":"猫が眠っている。"}"#;
    let (received, answer) = scanned(Dialect::OpenAi, Mode::Describe, written);
    assert_eq!(answer, Answer::Description("猫が眠っている。".into()));
    assert_eq!(
        (received.method.as_str(), received.target.as_str()),
        ("POST", Dialect::OpenAi.scan_target())
    );
    assert_eq!(
        received.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert_eq!(received.header("x-goog-api-key"), None);
    let mut request = received.json();
    let instructions = take_instructions(&mut request, "/messages/0/content/0/text");
    assert!(instructions.contains("Japanese (ja)"), "{instructions}");
    let data = STANDARD.encode(picture().bytes());
    let expected = json!({
        "model": MODEL,
        "messages": [{"role": "user", "content": [
            {"type": "text", "text": null},
            {"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{data}")}},
        ]}],
        "response_format": {"type": "json_schema", "json_schema": {
            "name": "describe",
            "strict": true,
            "schema": {
                "type": "object",
                "properties": {"description": {"type": "string"}},
                "required": ["description"],
                "additionalProperties": false,
            },
        }},
        "stream": false,
    });
    assert_eq!(request, expected);
}

/// Returns the properties of the schema in a request, and the answer to it.
fn schema(dialect: Dialect, mode: Mode, written: &str) -> (Value, Answer) {
    let (received, answer) = scanned(dialect, mode, written);
    let pointer = match dialect {
        Dialect::Gemini => "/generationConfig/responseSchema/properties",
        Dialect::OpenAi => "/response_format/json_schema/schema/properties",
    };
    (received.json().pointer(pointer).unwrap().clone(), answer)
}

#[test]
fn text_and_tags_have_schemas_of_their_own() {
    let text = r#"{"text":"東京\n大阪"}"#;
    let tags = r#"{"tags":["猫","昼寝"]}"#;
    for (dialect, string, array) in [
        (Dialect::Gemini, "STRING", "ARRAY"),
        (Dialect::OpenAi, "string", "array"),
    ] {
        let (properties, answer) = schema(dialect, Mode::Text, text);
        assert_eq!(properties, json!({"text": {"type": string}}));
        assert_eq!(answer, Answer::Text("東京\n大阪".into()));
        let (properties, answer) = schema(dialect, Mode::Tags, tags);
        assert_eq!(
            properties,
            json!({"tags": {"type": array, "items": {"type": string}}})
        );
        assert_eq!(answer, Answer::Tags(vec!["猫".into(), "昼寝".into()]));
    }
}

#[test]
fn object_boxes_follow_the_dialect() {
    let cat = Answer::Objects(vec![DetectedObject {
        name: "猫".into(),
        bounding_box: BoundingBox {
            left: 0.2,
            top: 0.1,
            right: 0.4,
            bottom: 0.3,
        },
    }]);
    let (properties, answer) = schema(
        Dialect::Gemini,
        Mode::Objects,
        r#"{"objects":[{"name":"猫","box_2d":[100,200,300,400]}]}"#,
    );
    let box_2d =
        json!({"type": "ARRAY", "items": {"type": "INTEGER"}, "minItems": 4, "maxItems": 4});
    let item = &properties["objects"]["items"];
    assert_eq!(
        item["properties"],
        json!({"name": {"type": "STRING"}, "box_2d": box_2d})
    );
    assert_eq!(item["required"], json!(["name", "box_2d"]));
    assert_eq!(answer, cat);
    let (properties, answer) = schema(
        Dialect::OpenAi,
        Mode::Objects,
        r#"{"objects":[{"name":"猫","left":200,"top":100,"right":400,"bottom":300}]}"#,
    );
    let item = &properties["objects"]["items"];
    let mut required: Vec<&str> = item["required"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    required.sort_unstable();
    assert_eq!(required, ["bottom", "left", "name", "right", "top"]);
    assert_eq!(item["properties"]["left"], json!({"type": "integer"}));
    assert_eq!(item["additionalProperties"], json!(false));
    assert_eq!(answer, cat);
}

#[test]
fn key_is_never_part_of_the_address() {
    for dialect in Dialect::ALL {
        let reactions = vec![answer(200, &dialect.written(r#"{"description":"a"}"#))];
        let asked = ask(dialect, reactions);
        for received in asked.server.received() {
            assert!(!received.target.contains(KEY));
            assert!(!String::from_utf8(received.body).unwrap().contains(KEY));
        }
    }
}

#[test]
fn openai_needs_no_key_on_this_machine() {
    let server = Server::start(vec![answer(
        200,
        &Dialect::OpenAi.written(r#"{"description":"a"}"#),
    )]);
    let service = OpenAi::new(format!("{}/v1/", server.url()).parse().unwrap(), None).unwrap();
    let answer = service.scan(&picture(), &question(Mode::Describe), &Call::default());
    assert_eq!(answer, Ok(Answer::Description("a".into())));
    assert_eq!(server.received()[0].header("authorization"), None);
    assert_eq!(service.recipient(), Recipient::ThisMachine);
}

#[test]
fn configuration_without_a_safe_key_is_refused() {
    let key = || ApiKey::new(KEY).unwrap();
    let openai = |url: &str, key| OpenAi::new(url.parse().unwrap(), key).map(|it| it.recipient());
    let missing = Err(Error::NotConfigured(ApiKeyError::Missing));
    let keyless = |url: &str| OpenAi::without_key(url.parse().unwrap()).map(|it| it.recipient());
    for host in ["192.168.1.5", "gpu.local"] {
        let address = format!("http://{host}:8000/v1");
        assert_eq!(openai(&address, None), missing);
        assert_eq!(keyless(&address), Ok(Recipient::Host(host.into())));
    }
    assert_eq!(keyless("https://api.example.org/v1"), missing);
    let unencrypted = Err(Error::NotConfigured(ApiKeyError::Unencrypted));
    assert_eq!(openai("https://api.example.org/v1", None), missing);
    assert_eq!(
        openai("http://api.example.org/v1", Some(key())),
        unencrypted
    );
    assert_eq!(
        openai("https://api.example.org/v1", Some(key())),
        Ok(Recipient::Host("api.example.org".into()))
    );
    let gemini = Gemini::new("http://example.org".parse().unwrap(), key());
    assert_eq!(gemini.map(|it| it.recipient()), unencrypted);
    let google = Gemini::new(Gemini::DEFAULT_ADDRESS.parse().unwrap(), key()).unwrap();
    assert_eq!(
        Arc::new(google).recipient(),
        Recipient::Host("generativelanguage.googleapis.com".into())
    );
}
