//! An error with its causes, as one sentence.

use std::error::Error;

/// Returns the error's message, followed by those of its causes that it does not contain already.
#[must_use]
pub fn error_chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !text.contains(&message) {
            text = format!("{text}: {message}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the page can't be read")]
    struct Outer(#[source] Inner);

    #[derive(Debug, thiserror::Error)]
    #[error("the disk failed: {0}")]
    struct Inner(#[source] std::io::Error);

    #[test]
    fn each_cause_appears_once() {
        let error = Outer(Inner(std::io::Error::other("cable pulled")));
        assert_eq!(
            error_chain(&error),
            "the page can't be read: the disk failed: cable pulled"
        );
    }
}
