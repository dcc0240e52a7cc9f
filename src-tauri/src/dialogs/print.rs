//! The print dialog, and a PDF file, for the page in the window.
//!
//! The page's own `window.print()` waits until WebKit has loaded everything, which it never has while the page listens
//! to the server's events. So the shell runs the print operation.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use fumikura_base::own_file;
use gtk::glib::{self, MainContext, UserDirectory, home_dir, user_special_dir};
use gtk::prelude::*;
use gtk::{PageSetup, PrintSettings, Unit};
use tauri::WebviewWindow;
use tokio::sync::oneshot;
use webkit2gtk::{
    LoadEvent, PrintOperation, PrintOperationExt, PrintOperationResponse, SettingsExt, WebContext,
    WebView, WebViewExt,
};

use crate::messages;

/// The margins above and below, and beside the text, in millimetres, as `ui/src/styles/print.css` sets them in
/// browsers; WebKitGTK ignores those.
const MARGINS: (f64, f64) = (18.0, 16.0);
/// The settings of a file that is printed to: its name without the extension, and its folder.
const FILE_NAME: &str = "output-basename";
const FILE_FOLDER: &str = "output-dir";

/// The longest HTML file that is printed, in bytes: pages contain their pictures.
const MAX_HTML: u64 = 2 << 30;

/// True if the page was printed, false if the user cancelled, or the reason why it could not be printed.
type Printed = Result<bool, glib::Error>;

/// The name of the printer that writes files, as GTK's own texts have it.
const FILE_PRINTER: &str = "Print to File";
const GTK_DOMAIN: &str = "gtk30";
/// The settings of the printer that writes a file: the format, and the file's address.
const OUTPUT_FORMAT: &str = "output-file-format";
const OUTPUT_ADDRESS: &str = "output-uri";

/// Lets the user print the page, and waits until it has been printed.
pub(crate) async fn print(window: &WebviewWindow) -> tauri::Result<Printed> {
    start(window, None).await
}

/// Writes the page as a PDF file, without a dialog, and waits until it has been written.
pub(crate) async fn print_to_file(window: &WebviewWindow, file: PathBuf) -> tauri::Result<Printed> {
    start(window, Some(file)).await
}

/// Prints to a file, or where the user chooses.
async fn start(window: &WebviewWindow, file: Option<PathBuf>) -> tauri::Result<Printed> {
    let (answer, answered) = oneshot::channel();
    let parent = window.clone();
    window.with_webview(move |webview| {
        // The dialog iterates the main loop, so it starts outside the handler of a window event.
        let webview = webview.inner();
        MainContext::default().spawn_local(async move {
            match parent.gtk_window() {
                Ok(parent) => run(&webview, &parent, file.as_deref(), answer),
                Err(error) => tracing::warn!(%error, "a dialog has lost its window"),
            }
        });
    })?;
    Ok(answered.await.unwrap_or(Ok(false)))
}

fn run(
    webview: &WebView,
    parent: &gtk::ApplicationWindow,
    file: Option<&Path>,
    answer: oneshot::Sender<Printed>,
) {
    let operation = PrintOperation::new(webview);
    operation.set_page_setup(&page_setup());
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
    if let Some(file) = file {
        match file_settings(file) {
            Ok(settings) => {
                operation.set_print_settings(&settings);
                operation.print();
            }
            Err(error) => send(Err(error)),
        }
        return;
    }
    operation.set_print_settings(&print_settings(webview));
    if operation.run_dialog(Some(parent)) != PrintOperationResponse::Print {
        send(Ok(false));
    }
}

/// Prints an HTML file to a PDF file, in a process without a window. Needs a display.
pub(crate) fn print_html(html: &Path, pdf: &Path) -> Result<(), String> {
    let text = own_file::read_to_string(html, MAX_HTML).map_err(|error| error.to_string())?;
    let settings = file_settings(pdf).map_err(|error| error.to_string())?;
    let view_settings = webkit2gtk::Settings::new();
    view_settings.set_enable_javascript(false);
    let view = WebView::builder()
        .web_context(&WebContext::new_ephemeral())
        .settings(&view_settings)
        .build();
    let window = gtk::OffscreenWindow::new();
    window.add(&view);
    window.show_all();
    let outcome = Rc::new(RefCell::new(Err("it was not loaded".to_owned())));
    let end = {
        let outcome = Rc::clone(&outcome);
        move |printed: Result<(), String>| {
            *outcome.borrow_mut() = printed;
            gtk::main_quit();
        }
    };
    let crashed = end.clone();
    view.connect_web_process_terminated(move |_view, _reason| {
        crashed(Err("the engine of the browser ended".to_owned()));
    });
    view.connect_load_changed(move |view, event| {
        if event != LoadEvent::Finished {
            return;
        }
        let operation = PrintOperation::new(view);
        operation.set_page_setup(&page_setup());
        operation.set_print_settings(&settings);
        let failed = Rc::new(Cell::new(None));
        let failure = Rc::clone(&failed);
        operation.connect_failed(move |_operation, error| failure.set(Some(error.to_string())));
        let end = end.clone();
        // Follows a failure, too.
        operation.connect_finished(move |_operation| end(failed.take().map_or(Ok(()), Err)));
        operation.print();
    });
    view.load_html(&text, None);
    gtk::main();
    outcome.replace(Ok(()))
}

/// Chooses GTK's printer that writes files, whose name is in the user's language.
fn file_settings(file: &Path) -> Result<PrintSettings, glib::Error> {
    let settings = PrintSettings::new();
    let printer = glib::dgettext(Some(GTK_DOMAIN), FILE_PRINTER);
    settings.set_printer(&printer);
    settings.set(OUTPUT_FORMAT, Some("pdf"));
    let address = glib::filename_to_uri(file, None)?;
    settings.set(OUTPUT_ADDRESS, Some(&address));
    Ok(settings)
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
