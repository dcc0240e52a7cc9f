//! The OpenAPI document as a contract: each JSON answer of a test has the form that the document describes. The
//! page's client and its tests' fakes take their types from the same document.

use std::collections::HashMap;
use std::sync::LazyLock;

use fumikura_server::openapi_document;
use jsonschema::Validator;
use parking_lot::Mutex;
use serde_json::{Value, json};

/// The form of errors.
const ERROR: &str = "#/components/schemas/Error";

static DOCUMENT: LazyLock<Document> = LazyLock::new(|| {
    let document: Value = serde_json::from_str(&openapi_document()).unwrap();
    Document {
        document,
        validators: Mutex::default(),
    }
});

struct Document {
    document: Value,
    /// The validators of the schemas that were needed so far.
    validators: Mutex<HashMap<String, &'static Validator>>,
}

/// Checks the JSON body of an answer to a request, which is a method and a path.
#[track_caller]
pub(super) fn check(request: &str, status: u16, body: &Value) {
    let Some(operation) = DOCUMENT.operation(request) else {
        return;
    };
    let schema = match status {
        400.. => json!({ "$ref": ERROR }),
        _ => {
            let response = &operation["responses"][status.to_string()];
            assert!(!response.is_null(), "{request}: {status} is not documented");
            response["content"]["application/json"]["schema"].clone()
        }
    };
    assert!(
        !schema.is_null(),
        "{request}: the JSON of {status} is not documented"
    );
    let errors = DOCUMENT.validator(&schema).iter_errors(body);
    let errors: Vec<String> = errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(
        errors.is_empty(),
        "{request}: {status} {errors:#?}\n{body:#}"
    );
}

impl Document {
    /// Returns the operation of a request, if its path is one of the document's.
    fn operation(&self, request: &str) -> Option<&Value> {
        let (method, path) = request.split_once(' ')?;
        let path = path.split('?').next()?;
        let paths = self.document["paths"].as_object()?;
        let fitting = paths.iter().filter(|(template, _)| fits(template, path));
        // A literal segment takes precedence over a parameter.
        let (_, item) = fitting.min_by_key(|(template, _)| template.matches('{').count())?;
        item.get(method.to_ascii_lowercase())
    }

    fn validator(&self, schema: &Value) -> &'static Validator {
        let mut validators = self.validators.lock();
        validators.entry(schema.to_string()).or_insert_with(|| {
            let mut whole = schema.clone();
            whole["components"] = self.document["components"].clone();
            let validator = jsonschema::validator_for(&whole).unwrap();
            // As many as the document has forms of answers.
            Box::leak(Box::new(validator))
        })
    }
}

/// Returns true if a path fits a template with parameters in braces.
fn fits(template: &str, path: &str) -> bool {
    let mut segments = path.split('/');
    let is_fitting = template.split('/').all(|part| {
        let segment = segments.next();
        segment.is_some_and(|segment| part.starts_with('{') || part == segment)
    });
    is_fitting && segments.next().is_none()
}
