//! One case of a table: a question, and what must come of it.

use std::fmt;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::compare;
use super::fixture::Known;

/// A question, and what must come of it. `"$name"` stands for something that is known by then.
pub(super) struct Step {
    operation: &'static str,
    arguments: Value,
    expected: Expected,
    /// A field of the answer, and the name under which it is known from then on.
    kept: Option<(&'static str, &'static str)>,
}

enum Expected {
    /// The answer, in which `"*"` stands for anything that is there.
    Answer(Value),
    /// An error's code.
    Refusal(&'static str),
}

/// A question without its answer.
pub(super) struct Question(&'static str, Value);

/// Asks for an operation.
pub(super) fn ask(operation: &'static str, arguments: Value) -> Question {
    Question(operation, arguments)
}

impl Question {
    /// It is answered so.
    pub(super) fn gives(self, answer: Value) -> Step {
        self.step(Expected::Answer(answer))
    }

    /// It is refused with this code.
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
    /// A field of the answer is known as `name` from then on.
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

    /// Compares what came with what must, and keeps what is to be kept.
    pub(super) fn check(&self, outcome: &Value, known: &mut Known) -> Result<()> {
        match &self.expected {
            Expected::Answer(answer) => {
                let answer = known.filled(answer)?;
                let as_expected = outcome
                    .get("ok")
                    .is_some_and(|came| compare::matches(&answer, came));
                ensure!(as_expected, "{self} gave {outcome} instead of {answer}");
            }
            Expected::Refusal(code) => {
                let came = outcome.pointer("/error/code");
                ensure!(
                    came.and_then(Value::as_str) == Some(code),
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
            known.learn(
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
