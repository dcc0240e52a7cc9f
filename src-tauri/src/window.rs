//! The window: one page of the embedded server, and the few commands that the page may call.

use std::path::PathBuf;

use tauri::ipc::CapabilityBuilder;
use tauri::webview::{Color, PageLoadEvent};
use tauri::{App, Manager, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

use crate::commands::COMMANDS;
use crate::house::House;
use crate::page::Page;
use crate::{closing, folders, given, navigation, platform, words};

/// The window's label.
pub(crate) const MAIN: &str = "main";

/// What the page may use of Tauri itself: to hear what the shell tells it.
const EVENTS: [&str; 2] = ["core:event:allow-listen", "core:event:allow-unlisten"];

const SIZE: (f64, f64) = (1360.0, 860.0);
const LEAST_SIZE: (f64, f64) = (400.0, 480.0);

/// `--paper` of `ui/src/styles/tokens.css`: the window's colour until the page is painted.
const PAPER_LIGHT: Color = Color(0xfb, 0xfa, 0xf6, 0xff);
const PAPER_DARK: Color = Color(0x17, 0x19, 0x1d, 0xff);

/// Opens the window on a page of the house.
///
/// It is shown before its page is loaded, as WebKit paints nothing for a window that is not there: at
/// its place and size of last time, and in the page's own colour, so that nothing jumps or flashes.
pub(crate) fn open(
    app: &App,
    house: &House,
    page: &str,
    web_data: PathBuf,
) -> tauri::Result<WebviewWindow> {
    app.add_capability(capability(house.address()))?;
    let (handle, home) = (app.handle(), house.address());
    let window = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::External(nowhere()))
        .title(words::APPLICATION)
        .inner_size(SIZE.0, SIZE.1)
        .min_inner_size(LEAST_SIZE.0, LEAST_SIZE.1)
        .prevent_overflow()
        .visible(false)
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
    platform::prepare(&window)?;
    if let Some(font) = platform::system_font() {
        house.app().tell_system_font(font);
    }
    closing::watch(&window);
    given::watch(&window);
    window.navigate(house.entrance(page))?;
    window.show()?;
    Ok(window)
}

/// No page yet: what a page needs is set up first.
fn nowhere() -> Url {
    Url::parse("about:blank").expect("BUG: about:blank is not an address")
}

/// The commands for the server's own origin in this window, and for nothing else.
fn capability(address: &Url) -> CapabilityBuilder {
    let origin = address.origin().ascii_serialization();
    let nothing_yet = CapabilityBuilder::new(MAIN)
        .local(false)
        .remote(origin)
        .windows([MAIN]);
    let own = COMMANDS.map(|command| format!("allow-{}", command.replace('_', "-")));
    let permissions = own.into_iter().chain(EVENTS.map(str::to_owned));
    permissions.fold(nothing_yet, CapabilityBuilder::permission)
}

fn show_title(window: &WebviewWindow, title: &str) {
    let title = if title.is_empty() {
        words::APPLICATION
    } else {
        title
    };
    if let Err(error) = window.set_title(title) {
        tracing::warn!(%error, "the window's title can't be set");
    }
}

/// The page that lets the window in is gone at once: only what comes after it counts.
fn page_load(window: &WebviewWindow, url: &Url, event: PageLoadEvent) {
    tracing::debug!(path = url.path(), ?event, "page");
    let page = window.state::<Page>();
    match event {
        PageLoadEvent::Started => page.is_loading(),
        PageLoadEvent::Finished if url.path() == "/login" => {}
        PageLoadEvent::Finished => page.is_loaded(),
    }
}

/// The page's process has ended by itself. What was unsaved is on the server: the page is loaded
/// again, unless the window is closing or the same has happened just before.
pub(crate) fn page_ended(window: &WebviewWindow, reason: &str) {
    let is_worth_it = window.state::<Page>().has_ended();
    if closing::page_ended(window) {
        return;
    }
    tracing::error!(reason, "the page's process has ended");
    if !is_worth_it {
        return;
    }
    let page = window.url().map_or_else(
        |_| folders::FIRST_PAGE.to_owned(),
        |url| url.path().to_owned(),
    );
    if let Err(error) = window.navigate(window.state::<House>().entrance(&page)) {
        tracing::error!(%error, "the page can't be loaded again");
    }
}
