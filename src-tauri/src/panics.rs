//! Faults of the program itself: they are logged, one of a task is shown in a window, and one that ends the program is
//! shown by another process.

use std::panic::{self, PanicHookInfo};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tauri::{AppHandle, Manager};
use tokio::sync::mpsc::{self, Receiver};

use crate::arguments::{REPORT_PANIC, ShellArguments};
use crate::failure;
use crate::language::Language;

/// Logs each fault. One on this thread, which must be the main one, ends the program: a new process shows it. Of the
/// others, the place of the first one is sent to the receiver.
pub(crate) fn watch(arguments: &ShellArguments) -> Receiver<String> {
    let usual = panic::take_hook();
    let main = thread::current().id();
    let arguments = arguments.clone();
    let is_reported = AtomicBool::new(false);
    let (faults, first) = mpsc::channel(1);
    panic::set_hook(Box::new(move |panic| {
        let place = place(panic);
        tracing::error!(%place, "a fault in the program");
        usual(panic);
        if thread::current().id() != main {
            // Later ones are in the log.
            let _later = faults.try_send(place);
            return;
        }
        // A fault that may not pass through another library's code is followed by a second one, which ends the process.
        if !is_reported.swap(true, Ordering::Relaxed) {
            report(&arguments, &place);
        }
    }));
    first
}

/// Shows the first fault of a task, once.
pub(crate) async fn show_first(app: AppHandle, mut faults: Receiver<String>) {
    let Some(place) = faults.recv().await else {
        return;
    };
    let owner = app.clone();
    let shown = app.run_on_main_thread(move || {
        let arguments = owner.state::<ShellArguments>();
        let language = Language::of_the_user(&owner);
        let notice = failure::background_fault(language, &arguments, &place);
        let _window = notice.show(|_closed| {});
    });
    if let Err(error) = shown {
        tracing::error!(%error, "the fault of a task can't be shown");
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_of_a_task_is_sent_with_its_place() {
        let before = panic::take_hook();
        let mut faults = watch(&ShellArguments::default());
        for _ in 0..2 {
            let task = thread::spawn(|| panic!("text of a page"));
            assert!(task.join().is_err());
        }
        panic::set_hook(before);
        let place = faults.try_recv().unwrap();
        assert!(place.contains("src/panics.rs:"), "{place}");
        assert!(!place.contains("text"), "{place}");
        assert!(faults.try_recv().is_err(), "later ones are in the log");
    }
}
