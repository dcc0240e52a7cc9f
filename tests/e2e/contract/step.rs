//! A case of a table: a call, and its expected outcome.

use std::fmt;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::compare;
use super::fixture::KnownValues;

/// A call, and its expected outcome. `"$name"` is a known value.
pub(super) struct Step {
    operation: &'static str,
    arguments: Value,
    expected: Expected,
    /// A field of the answer, and the name by which it is known afterwards.
    kept: Option<(&'static str, &'static str)>,
}

enum Expected {
    /// The answer, in which `"*"` matches anything but null.
    Answer(Value),
    /// An error code.
    Refusal(&'static str),
}

/// A call without its outcome.
pub(super) struct Call(&'static str, Value);

/// Calls an operation.
pub(super) fn ask(operation: &'static str, arguments: Value) -> Call {
    Call(operation, arguments)
}

impl Call {
    /// Expects this answer.
    pub(super) fn gives(self, answer: Value) -> Step {
        self.step(Expected::Answer(answer))
    }

    /// Expects an error with this code.
    pub(super) fn refused(self, code: &'static str) -> Step {
        self.step(Expected::Refusal(code))
    }

    fn step(self, expected: Expected) -> Step {
        let Self(operation, arguments) = self;
        Step {
            operation,
            arguments,
            expected,
            kept: None,
        }
    }
}

impl Step {
    /// Makes a field of the answer known as `name`.
    pub(super) fn keeps(mut self, field: &'static str, name: &'static str) -> Self {
        self.kept = Some((field, name));
        self
    }

    pub(super) fn operation(&self) -> &'static str {
        self.operation
    }

    pub(super) fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// Compares the outcome with the expected one, and remembers the field.
    pub(super) fn check(&self, outcome: &Value, known: &mut KnownValues) -> Result<()> {
        match &self.expected {
            Expected::Answer(answer) => {
                let answer = known.filled(answer)?;
                let as_expected = outcome
                    .get("ok")
                    .is_some_and(|actual| compare::matches(&answer, actual));
                ensure!(as_expected, "{self} gave {outcome} instead of {answer}");
            }
            Expected::Refusal(code) => {
                let actual = outcome.pointer("/error/code");
                ensure!(
                    actual.and_then(Value::as_str) == Some(code),
                    "{self} gave {outcome} instead of {code}"
                );
                let message = outcome.pointer("/error/message").and_then(Value::as_str);
                ensure!(
                    message.is_some_and(|text| !text.is_empty()),
                    "{self} says nothing"
                );
            }
        }
        if let Some((field, name)) = self.kept {
            let value = outcome["ok"][field].as_str();
            known.insert(
                name,
                value.with_context(|| format!("{self} gave no {field}"))?,
            );
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation, self.arguments)
    }
}
