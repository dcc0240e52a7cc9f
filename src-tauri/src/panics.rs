//! Faults of the program itself: they are logged, and one that ends the program is shown by another process.

use std::panic::{self, PanicHookInfo};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::arguments::{REPORT_PANIC, ShellArguments};

/// Logs each fault. One on this thread, which must be the main one, ends the program: a new process shows it.
pub(crate) fn watch(arguments: &ShellArguments) {
    let usual = panic::take_hook();
    let main = thread::current().id();
    let arguments = arguments.clone();
    let is_reported = AtomicBool::new(false);
    panic::set_hook(Box::new(move |panic| {
        let place = place(panic);
        tracing::error!(%place, "a fault in the program");
        usual(panic);
        // A fault that may not pass through another library's code is followed by a second one, which ends the process.
        if thread::current().id() == main && !is_reported.swap(true, Ordering::Relaxed) {
            report(&arguments, &place);
        }
    }));
}

/// Returns the place in the source. The message may contain texts of pages.
fn place(panic: &PanicHookInfo<'_>) -> String {
    panic.location().map_or_else(
        || "unknown".to_owned(),
        |place| format!("{}:{}", place.file(), place.line()),
    )
}

fn report(arguments: &ShellArguments, place: &str) {
    let reported = std::env::current_exe().and_then(|program| {
        Command::new(program)
            .args(arguments.options())
            .args([REPORT_PANIC, place])
            .stdin(Stdio::null())
            .spawn()
    });
    if let Err(error) = reported {
        tracing::error!(%error, "the fault can't be shown");
    }
}
