//! Converts panics to errors: redb panics on some files with invalid contents, which means that the file is
//! damaged.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`, which may panic, without output on standard error. The error has the panic's message.
///
/// State that `work` changed may be half done, so the caller must discard it.
pub(crate) fn catch_panic<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if EXPECTED.get() {
                tracing::debug!("a damaged database: {panic}");
            } else {
                others(panic);
            }
        }));
    });
    let before = EXPECTED.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    EXPECTED.set(before);
    outcome.map_err(|panic| message(&*panic))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let first = text.and_then(|text| text.lines().next());
    format!("its contents are invalid ({})", first.unwrap_or("unknown"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_becomes_an_error_with_its_message() {
        assert_eq!(catch_panic(|| 5), Ok(5));
        let error = catch_panic(|| panic!("page {} is not there", 7)).unwrap_err();
        assert_eq!(error, "its contents are invalid (page 7 is not there)");
    }
}
