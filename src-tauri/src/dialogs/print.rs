//! The print dialog, for the page in the window.
//!
//! The page's own `window.print()` waits until WebKit has loaded everything, which it never has while the page listens
//! to the server's events. So the shell runs the print operation.

use std::cell::Cell;
use std::rc::Rc;

use gtk::glib::{self, MainContext, UserDirectory, home_dir, user_special_dir};
use gtk::{PageSetup, PrintSettings, Unit};
use tauri::WebviewWindow;
use tokio::sync::oneshot;
use webkit2gtk::{PrintOperation, PrintOperationExt, PrintOperationResponse, WebView, WebViewExt};

use crate::messages;

/// The margins above and below, and beside the text, in millimetres, as `ui/src/styles/print.css` sets them in
/// browsers; WebKitGTK ignores those.
const MARGINS: (f64, f64) = (18.0, 16.0);
/// The settings of a file that is printed to: its name without the extension, and its folder.
const FILE_NAME: &str = "output-basename";
const FILE_FOLDER: &str = "output-dir";

/// True if the page was printed, false if the user cancelled, or the reason why it could not be printed.
type Printed = Result<bool, glib::Error>;

/// Lets the user print the page, and waits until it has been printed.
pub(crate) async fn print(window: &WebviewWindow) -> tauri::Result<Printed> {
    let (answer, answered) = oneshot::channel();
    let parent = window.clone();
    window.with_webview(move |webview| {
        // The dialog iterates the main loop, so it starts outside the handler of a window event.
        let webview = webview.inner();
        MainContext::default().spawn_local(async move {
            match parent.gtk_window() {
                Ok(parent) => run(&webview, &parent, answer),
                Err(error) => tracing::warn!(%error, "a dialog has lost its window"),
            }
        });
    })?;
    Ok(answered.await.unwrap_or(Ok(false)))
}

fn run(webview: &WebView, parent: &gtk::ApplicationWindow, answer: oneshot::Sender<Printed>) {
    let operation = PrintOperation::new(webview);
    operation.set_page_setup(&page_setup());
    operation.set_print_settings(&print_settings(webview));
    let answer = Rc::new(Cell::new(Some(answer)));
    let send = move |printed: Printed| {
        // The receiver is gone when the application is ending.
        let _ending = answer.take().map(|answer| answer.send(printed));
    };
    let send_failure = send.clone();
    operation.connect_failed(move |_operation, error| send_failure(Err(error.clone())));
    // Follows a failure, too; only the first answer counts.
    let send_success = send.clone();
    operation.connect_finished(move |_operation| send_success(Ok(true)));
    if operation.run_dialog(Some(parent)) != PrintOperationResponse::Print {
        send(Ok(false));
    }
}

fn page_setup() -> PageSetup {
    let setup = PageSetup::new();
    let (vertical, horizontal) = MARGINS;
    setup.set_top_margin(vertical, Unit::Mm);
    setup.set_bottom_margin(vertical, Unit::Mm);
    setup.set_left_margin(horizontal, Unit::Mm);
    setup.set_right_margin(horizontal, Unit::Mm);
    setup
}

fn print_settings(webview: &WebView) -> PrintSettings {
    let settings = PrintSettings::new();
    let title = webview.title();
    settings.set(FILE_NAME, title.map(|title| file_name(&title)).as_deref());
    let folder = user_special_dir(UserDirectory::Documents).unwrap_or_else(home_dir);
    settings.set(FILE_FOLDER, folder.to_str());
    settings
}

/// Returns the title of a page as the name of a file, without the name of the application.
fn file_name(title: &str) -> String {
    let application = format!(" – {}", messages::APPLICATION);
    let name = title.strip_suffix(&application).unwrap_or(title);
    name.replace(['/', '\0'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_file_has_the_title_as_its_name() {
        assert_eq!(file_name("庭の記録 – Fumikura"), "庭の記録");
        assert_eq!(file_name("1/2 – Fumikura"), "1-2");
        assert_eq!(file_name("Fumikura"), "Fumikura");
    }
}
