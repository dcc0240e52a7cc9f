//! An error with its causes: as one sentence, and a search among them.

use std::error::Error;
use std::io;
use std::sync::Arc;

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

/// Returns true if an error of the system that meets a condition is the error itself or one of its causes.
#[must_use]
pub fn any_io_cause(error: &(dyn Error + 'static), is_met: fn(&io::Error) -> bool) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let own = error.downcast_ref::<io::Error>();
        // An error with several receivers is shared.
        let shared = || error.downcast_ref::<Arc<io::Error>>().map(|error| &**error);
        let is_found = own.or_else(shared).is_some_and(|error| {
            // The `source` of an error that wraps another one skips that one.
            let inner = error.get_ref();
            is_met(error) || inner.is_some_and(|inner| any_io_cause(inner, is_met))
        });
        if is_found {
            return true;
        }
        cause = error.source();
    }
    false
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
