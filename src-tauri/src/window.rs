//! The window: one page of the embedded server, and the few commands that the page may call.

use std::path::PathBuf;
use std::sync::Arc;

use tauri::ipc::CapabilityBuilder;
use tauri::webview::{Color, PageLoadEvent};
use tauri::{App, Manager, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

use crate::arguments::ShellArguments;
use crate::backend::Backend;
use crate::commands;
use crate::failure::{self, Decision};
use crate::language::Language;
use crate::page::WindowPage;
use crate::platform::DraggedFiles;
use crate::{close, file_grants, messages, navigation, platform};

/// The window's label.
pub(crate) const MAIN: &str = "main";

/// The permissions of Tauri that the page gets: to listen to events of the shell.
const EVENTS: [&str; 2] = ["core:event:allow-listen", "core:event:allow-unlisten"];

const SIZE: (f64, f64) = (1360.0, 860.0);
const LEAST_SIZE: (f64, f64) = (400.0, 480.0);

/// The window's colour until the page is painted: `--paper` of `ui/src/styles/tokens.css`.
const PAPER_LIGHT: Color = Color(0xfb, 0xfa, 0xf6, 0xff);
const PAPER_DARK: Color = Color(0x17, 0x19, 0x1d, 0xff);

/// Opens the window on a page of the application.
///
/// It is shown before its page is loaded, because WebKit does not paint a hidden window. It has its last
/// position and size, and the page's own colour, so that nothing jumps or flashes.
pub(crate) fn open(
    app: &App,
    backend: &Backend,
    page: &str,
    web_data: PathBuf,
) -> tauri::Result<WebviewWindow> {
    app.add_capability(capability(backend.address()))?;
    let (handle, home) = (app.handle(), backend.address());
    let window = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::External(nowhere()))
        .title(messages::APPLICATION)
        .inner_size(SIZE.0, SIZE.1)
        .min_inner_size(LEAST_SIZE.0, LEAST_SIZE.1)
        .prevent_overflow()
        .visible(false)
        // It would take the drops of the page's own drags (`platform::connect_drags`).
        .disable_drag_drop_handler()
        .data_directory(web_data)
        .on_navigation(navigation::guard(handle.clone(), home.clone()))
        .on_new_window(navigation::no_new_window(handle.clone(), home.clone()))
        .on_document_title_changed(|window, title| show_title(&window, &title))
        .on_page_load(|window, load| page_load(&window, load.url(), load.event()))
        .build()?;
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
    close::watch(&window);
    let dragged = Arc::new(DraggedFiles::default());
    app.manage(Arc::clone(&dragged));
    file_grants::watch(&window, dragged)?;
    window.navigate(backend.entrance(page))?;
    window.show()?;
    Ok(window)
}

/// Returns a blank page, shown until the setup for the first page is complete.
fn nowhere() -> Url {
    Url::parse("about:blank").expect("BUG: about:blank is not an address")
}

/// Grants the commands to the server's own origin in this window, and to nothing else.
fn capability(address: &Url) -> CapabilityBuilder {
    let origin = address.origin().ascii_serialization();
    let nothing_yet = CapabilityBuilder::new(MAIN)
        .local(false)
        .remote(origin)
        .windows([MAIN]);
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
        PageLoadEvent::Started => page.set_loading(),
        PageLoadEvent::Finished if url.path() == "/login" => {}
        PageLoadEvent::Finished => page.set_loaded(),
    }
}

/// Handles the end of the page's process. Unsaved text is on the server, so the page is reloaded, unless the
/// window is closing. If the page has just crashed before, the user decides.
pub(crate) fn page_ended(window: &WebviewWindow, reason: &str) {
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
    let notice = failure::ended_page(Language::of_the_system(), &arguments, reason);
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
