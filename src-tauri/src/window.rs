//! The main window, and what it shares with the other one: a page of the embedded server, and the few commands that the
//! page may call.

use std::path::PathBuf;
use std::sync::Arc;

use tauri::ipc::CapabilityBuilder;
use tauri::webview::{Color, PageLoadEvent};
use tauri::{AppHandle, Manager, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, Wry};

use crate::arguments::ShellArguments;
use crate::backend::Backend;
use crate::commands;
use crate::failure::{self, Decision};
use crate::language::Language;
use crate::page::WindowPage;
use crate::platform::DraggedFiles;
use crate::quick::QUICK;
use crate::{close, file_grants, messages, navigation, platform};

/// The label of the main window.
pub(crate) const MAIN: &str = "main";

/// The permissions of Tauri that the page gets: to listen to events of the shell.
const EVENTS: [&str; 2] = ["core:event:allow-listen", "core:event:allow-unlisten"];

/// The sizes of a window, in logical pixels.
pub(crate) struct Appearance {
    pub(crate) size: (f64, f64),
    pub(crate) least_size: (f64, f64),
}

const APPEARANCE: Appearance = Appearance {
    size: (1360.0, 860.0),
    least_size: (400.0, 480.0),
};

/// The folder of the web view's own data, which all windows share.
pub(crate) struct WebData(pub(crate) PathBuf);

/// The window's colour until the page is painted: `--paper` of `ui/src/styles/tokens.css`.
const PAPER_LIGHT: Color = Color(0xfb, 0xfa, 0xf6, 0xff);
const PAPER_DARK: Color = Color(0x17, 0x19, 0x1d, 0xff);

/// Opens the main window on a page of the application. Must be called on the main thread.
pub(crate) fn open(app: &AppHandle, page: &str) -> tauri::Result<WebviewWindow> {
    let builder = builder(app, MAIN, messages::APPLICATION, &APPEARANCE)
        .on_page_load(|window, load| page_load(&window, load.url(), load.event()));
    let window = build(builder)?;
    close::watch(&window);
    let dragged = Arc::new(DraggedFiles::default());
    app.manage(Arc::clone(&dragged));
    file_grants::watch(&window, dragged)?;
    window.navigate(app.state::<Backend>().entrance(page))?;
    window.show()?;
    Ok(window)
}

/// Begins a window that shows nothing yet.
pub(crate) fn builder<'a>(
    app: &'a AppHandle,
    label: &str,
    title: &str,
    appearance: &Appearance,
) -> WebviewWindowBuilder<'a, Wry, AppHandle> {
    let home = app.state::<Backend>().address().clone();
    let (width, height) = appearance.size;
    let (least_width, least_height) = appearance.least_size;
    WebviewWindowBuilder::new(app, label, WebviewUrl::External(nowhere()))
        .title(title)
        .inner_size(width, height)
        .min_inner_size(least_width, least_height)
        .prevent_overflow()
        .visible(false)
        // It would take the drops of the page's own drags (`platform::connect_drags`).
        .disable_drag_drop_handler()
        .data_directory(app.state::<WebData>().0.clone())
        .on_navigation(navigation::guard(app.clone(), home.clone()))
        .on_new_window(navigation::no_new_window(app.clone(), home))
        .on_document_title_changed(|window, title| show_title(&window, &title))
}

/// Creates a window, hidden, with the page's own colour and size.
///
/// It is shown before its page is loaded, because WebKit does not paint a hidden window. It has its last
/// position and size, and the page's own colour, so that nothing jumps or flashes.
pub(crate) fn build(
    builder: WebviewWindowBuilder<'_, Wry, AppHandle>,
) -> tauri::Result<WebviewWindow> {
    let window = builder.build()?;
    let backend = window.state::<Backend>();
    let paper = if platform::prefers_dark(&window)? {
        PAPER_DARK
    } else {
        PAPER_LIGHT
    };
    window.set_background_color(Some(paper))?;
    set_zoom(&window, backend.app().window().zoom())?;
    platform::prepare(&window)?;
    if let Some(font) = platform::system_font() {
        backend.app().set_system_font(font);
    }
    Ok(window)
}

/// Returns a blank page, shown until the setup for the first page is complete.
fn nowhere() -> Url {
    Url::parse("about:blank").expect("BUG: about:blank is not an address")
}

/// Lets the pages of the server call the commands, in the windows of the application.
pub(crate) fn grant_commands(app: &AppHandle) -> tauri::Result<()> {
    app.add_capability(capability(app.state::<Backend>().address()))
}

/// Grants the commands to the server's own origin in these windows, and to nothing else.
fn capability(address: &Url) -> CapabilityBuilder {
    let origin = address.origin().ascii_serialization();
    let nothing_yet = CapabilityBuilder::new(MAIN)
        .local(false)
        .remote(origin)
        .windows([MAIN, QUICK]);
    let own = commands::names().map(|command| format!("allow-{}", command.replace('_', "-")));
    let permissions = own.chain(EVENTS.map(str::to_owned));
    permissions.fold(nothing_yet, CapabilityBuilder::permission)
}

fn show_title(window: &WebviewWindow, title: &str) {
    let title = if title.is_empty() {
        messages::APPLICATION
    } else {
        title
    };
    if let Err(error) = window.set_title(title) {
        tracing::warn!(%error, "the window's title can't be set");
    }
}

/// Sets the size of everything in the window, in percent.
pub(crate) fn set_zoom(window: &WebviewWindow, percent: u16) -> tauri::Result<()> {
    window.set_zoom(f64::from(percent) / 100.0)
}

/// Handles page loads. The page that signs the window in is replaced at once, so it does not count.
fn page_load(window: &WebviewWindow, url: &Url, event: PageLoadEvent) {
    tracing::debug!(path = url.path(), ?event, "page");
    let page = window.state::<WindowPage>();
    match event {
        PageLoadEvent::Started => {
            page.set_loading();
            if url.scheme().starts_with("http") && url.path() != "/login" {
                page.set_answered();
            }
        }
        PageLoadEvent::Finished if url.path() == "/login" => {}
        PageLoadEvent::Finished => page.set_loaded(),
    }
}

/// Handles the end of the page's process. Unsaved text is on the server, so the page is reloaded, unless the
/// window is closing. If the page has just crashed before, the user decides.
pub(crate) fn page_ended(window: &WebviewWindow, reason: &str) {
    if window.label() == QUICK {
        tracing::error!(reason, "the process of the quick note has ended");
        return close::end(window);
    }
    let should_reload = window.state::<WindowPage>().record_end();
    if close::page_ended(window) {
        return;
    }
    tracing::error!(reason, "the page's process has ended");
    if should_reload {
        load_again(window);
        return;
    }
    let arguments = window.state::<ShellArguments>();
    let notice = failure::ended_page(Language::of_the_user(window), &arguments, reason);
    let owner = window.clone();
    notice.show(move |decision| match decision {
        Decision::Quit => close::end(&owner),
        Decision::Again | Decision::Folder(_) => load_again(&owner),
    });
}

/// Loads the page that was shown last.
fn load_again(window: &WebviewWindow) {
    let backend = window.state::<Backend>();
    let page = window.url().map_or_else(
        |_| backend.app().window().last_view(),
        |url| match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        },
    );
    if let Err(error) = window.navigate(backend.entrance(&page)) {
        tracing::error!(%error, "the page can't be loaded again");
    }
}
