//! Explanations of a name, step by step.

use crate::name::{self, MAX_NAME, MalformedName, NameKind};
use crate::path::FilePath;

/// A path, its record's name, and the steps between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The path, or `None` if the name is a hash of it.
    pub path: Option<FilePath>,
    pub name: Vec<u8>,
    /// True if the name is a hash.
    pub is_hashed: bool,
    /// The length of the encoded path in bytes, or `None` if the path is not known.
    pub encoded_bytes: Option<usize>,
    /// The steps, in their order.
    pub steps: Vec<NameStep>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameStep {
    pub kind: StepKind,
    /// The text after the step.
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    Path,
    /// `/` and `~` change places.
    Substitute,
    /// `#` becomes `#1`, and `/` becomes `##`.
    Escape,
    /// The encoded name has more bytes than allowed. The text gives both numbers.
    TooLong,
    /// The hash takes its place.
    Fallback,
    Name,
    /// `##` becomes `/`, and `#1` becomes `#`.
    Unescape,
    /// The name is a hash, from which no path can be computed.
    Irreversible,
}

impl StepKind {
    /// Returns the word for it in JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Substitute => "substitute",
            Self::Escape => "escape",
            Self::TooLong => "too_long",
            Self::Fallback => "fallback",
            Self::Name => "name",
            Self::Unescape => "unescape",
            Self::Irreversible => "irreversible",
        }
    }
}

/// Explains the steps from a path to the name of its record, if names may have `limit` bytes.
#[must_use]
pub fn explain_path(path: &FilePath, limit: usize) -> Explanation {
    let substituted = name::substitute(path.as_bytes());
    let encoded = name::encode(path);
    let limit = limit.min(MAX_NAME);
    let mut steps = vec![
        NameStep::new(StepKind::Path, path.as_bytes()),
        NameStep::new(StepKind::Substitute, &substituted),
        NameStep::new(StepKind::Escape, &encoded),
    ];
    let encoded_bytes = encoded.len();
    let is_hashed = encoded_bytes > limit;
    let name = if is_hashed {
        name::short_name(path)
    } else {
        encoded
    };
    if is_hashed {
        steps.push(NameStep::new(
            StepKind::TooLong,
            format!("{encoded_bytes} > {limit}").as_bytes(),
        ));
        steps.push(NameStep::new(StepKind::Fallback, &name));
    }
    Explanation {
        path: Some(path.clone()),
        name,
        is_hashed,
        encoded_bytes: Some(encoded_bytes),
        steps,
    }
}

/// Explains the steps from a name to a path.
///
/// # Errors
/// [`MalformedName`] if it is not the name of a record.
pub fn explain_name(name: &[u8]) -> Result<Explanation, MalformedName> {
    let mut steps = vec![NameStep::new(StepKind::Name, name)];
    let path = match name::decode(name) {
        Ok(path) => Some(path),
        Err(MalformedName::Irreversible) => None,
        Err(error) => return Err(error),
    };
    match &path {
        Some(path) => {
            steps.push(NameStep::new(
                StepKind::Unescape,
                &name::substitute(path.as_bytes()),
            ));
            steps.push(NameStep::new(StepKind::Substitute, path.as_bytes()));
        }
        None => steps.push(NameStep::new(StepKind::Irreversible, name)),
    }
    Ok(Explanation {
        encoded_bytes: path.is_some().then_some(name.len()),
        is_hashed: matches!(name::kind(name), NameKind::Hashed | NameKind::Legacy),
        path,
        name: name.to_vec(),
        steps,
    })
}

impl NameStep {
    fn new(kind: StepKind, bytes: &[u8]) -> Self {
        Self {
            kind,
            bytes: bytes.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps_of(explanation: &Explanation) -> Vec<(&str, String)> {
        let steps = explanation.steps.iter();
        steps
            .map(|step| {
                (
                    step.kind.word(),
                    String::from_utf8(step.bytes.clone()).unwrap(),
                )
            })
            .collect()
    }

    #[test]
    fn both_directions_show_each_step() {
        let there = explain_path(&FilePath::new("/a#/~b").unwrap(), MAX_NAME);
        let steps = [
            ("path", "/a#/~b"),
            ("substitute", "~a#~/b"),
            ("escape", "~a#1~##b"),
        ];
        assert_eq!(
            steps_of(&there),
            steps.map(|(kind, text)| (kind, text.to_owned()))
        );
        let back = explain_name(b"~a#1~##b").unwrap();
        let steps = [
            ("name", "~a#1~##b"),
            ("unescape", "~a#~/b"),
            ("substitute", "/a#/~b"),
        ];
        assert_eq!(
            steps_of(&back),
            steps.map(|(kind, text)| (kind, text.to_owned()))
        );
        assert_eq!((back.path, back.encoded_bytes), (there.path, Some(8)));
    }

    #[test]
    fn a_long_path_shows_its_length() {
        let long = explain_path(
            &FilePath::new(format!("/{}", "a".repeat(250))).unwrap(),
            MAX_NAME,
        );
        assert!(long.is_hashed);
        assert_eq!(steps_of(&long)[3], ("too_long", String::from("251 > 250")));
        assert_eq!(long.steps[4].bytes, long.name);
    }

    #[test]
    fn hashed_name_is_irreversible() {
        let hashed = explain_name(b"AbCdEf123456.json").unwrap();
        assert!(hashed.is_hashed && hashed.path.is_none());
        assert_eq!(steps_of(&hashed)[1].0, "irreversible");
        assert!(explain_name(b"~a#").is_err());
    }
}
