//! The published schema of what the commands print with `--json`.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Value, json};

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/fumi.schema.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
});

/// Checks that each line of a command's output fits its definition. There must be a line.
#[track_caller]
pub(crate) fn check_schema(words: &[&str], output: &str) {
    let definitions = &SCHEMA["$defs"];
    let name = |count: usize| format!("fumi-{}", words[..count].join("-"));
    let names = [2, 1].into_iter().filter(|count| words.len() >= *count);
    let mut names = names.map(name).filter(|name| definitions[name].is_object());
    let name = names
        .next()
        .unwrap_or_else(|| panic!("{words:?} has no definition"));
    let schema = json!({"$ref": format!("#/$defs/{name}"), "$defs": definitions});
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert_ne!(output, "", "{words:?}");
    for line in output.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let errors = validator.iter_errors(&line);
        let errors: Vec<_> = errors.map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{words:?}: {errors:#?}\n{line:#}");
    }
}
