//! Linux: WebKitGTK as Fumikura wants it.

use std::ffi::OsString;
use std::fs::{self, DirEntry};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use fumikura_server::SystemFont;
use gtk::gio::prelude::FileExt;
use gtk::glib::prelude::ToVariant;
use gtk::pango::FontDescription;
use gtk::prelude::GtkSettingsExt;
use gtk::{gio, glib};
use tauri::WebviewWindow;
use webkit2gtk::{
    ContextMenuAction, ContextMenuExt, ContextMenuItemExt, InputMethodContextExt, WebViewExt,
};

use super::TRIES;
use crate::window;

/// Entries of WebKit's own menu that would open a second window or leave the application.
const ENTRIES_WITHOUT_USE: [ContextMenuAction; 9] = [
    ContextMenuAction::OpenLink,
    ContextMenuAction::OpenLinkInNewWindow,
    ContextMenuAction::DownloadLinkToDisk,
    ContextMenuAction::OpenImageInNewWindow,
    ContextMenuAction::DownloadImageToDisk,
    ContextMenuAction::OpenFrameInNewWindow,
    ContextMenuAction::GoBack,
    ContextMenuAction::GoForward,
    ContextMenuAction::Stop,
];

/// By what WebKit's processes are told that they are to draw by the processor alone, before they look
/// for what could do it faster (WebKitGTK, "Environment Variables").
const WITHOUT_ACCELERATION: [&str; 2] = [
    "WEBKIT_DISABLE_COMPOSITING_MODE",
    "WEBKIT_DISABLE_DMABUF_RENDERER",
];

/// Chooses how pages are drawn. Without a graphics card, acceleration means that the processor plays
/// one: a page appears in half the time without. Told so early, WebKit looks for less; a driver of EGL
/// it loads all the same. What somebody has set already, stays.
///
/// To be called while the process has a single thread.
#[expect(
    unsafe_code,
    reason = "WebKit is told by the environment alone, and no library changes it for us"
)]
pub(crate) fn choose_rendering() {
    if has_graphics_card() {
        return;
    }
    for name in WITHOUT_ACCELERATION {
        if std::env::var_os(name).is_none() {
            // SAFETY: the caller promises that no other thread could be reading the environment.
            unsafe { std::env::set_var(name, "1") };
        }
    }
}

/// Fails when there is no display to open a window on.
pub(crate) fn require_display() -> io::Result<()> {
    gtk::init().map_err(io::Error::other)
}

/// Whether pages that follow the system will be dark, by the same signs that WebKit goes by. The
/// desktop portal's wish is among them: the window's creation has put it into GTK's settings.
pub(crate) fn prefers_dark(_window: &WebviewWindow) -> tauri::Result<bool> {
    let settings = gtk::Settings::default();
    let Some(settings) = settings else {
        return Ok(false);
    };
    let theme = std::env::var("GTK_THEME")
        .ok()
        .or_else(|| settings.gtk_theme_name().map(String::from));
    let is_dark = |theme: String| {
        ["-dark", "-Dark", ":dark"]
            .iter()
            .any(|end| theme.ends_with(end))
    };
    Ok(settings.is_gtk_application_prefer_dark_theme() || theme.is_some_and(is_dark))
}

/// What the desktop's interface is written in: WebKitGTK does not know what `system-ui` means here.
pub(crate) fn system_font() -> Option<SystemFont> {
    let name = gtk::Settings::default().and_then(|settings| settings.gtk_font_name());
    let family = name.and_then(|name| FontDescription::from_string(&name).family());
    Some(SystemFont::of_desktop(family.as_deref()))
}

/// Makes the window ready for its first page.
pub(crate) fn prepare(window: &WebviewWindow) -> tauri::Result<()> {
    let owner = window.clone();
    window.with_webview(move |webview| {
        let webview = webview.inner();
        // wry turns it off; with it, Japanese is composed inside the text, underlined, as elsewhere.
        if let Some(input) = webview.input_method_context() {
            input.set_enable_preedit(true);
        }
        webview.connect_context_menu(|_webview, menu, _event, _target| {
            for item in menu.items() {
                if ENTRIES_WITHOUT_USE.contains(&item.stock_action()) {
                    menu.remove(&item);
                }
            }
            false
        });
        webview.connect_web_process_terminated(move |_webview, reason| {
            window::page_ended(&owner, &format!("{reason:?}"));
        });
    })
}

/// Whether the kernel offers a device to render with.
fn has_graphics_card() -> bool {
    let is_render_node = |entry: io::Result<DirEntry>| {
        entry.is_ok_and(|entry| entry.file_name().as_encoded_bytes().starts_with(b"renderD"))
    };
    fs::read_dir("/dev/dri").is_ok_and(|mut devices| devices.any(is_render_node))
}

/// How long a file manager may take to say that it shows something: it may have to be started.
const FILE_MANAGER_WITHIN_MS: i32 = 10_000;

/// Shows a file or folder in the system's file manager, selected; where there is none that can do
/// that, opens the folder that it lies in.
pub(crate) fn reveal(place: &Path) -> io::Result<()> {
    match show_items(place) {
        Ok(()) => Ok(()),
        Err(error) => {
            tracing::debug!(%error, "no file manager shows single files; its folder is opened");
            open::that_detached(place.parent().unwrap_or(place))
        }
    }
}

/// Asks by the interface that file managers share
/// (freedesktop.org, "File Manager D-Bus Interface").
fn show_items(place: &Path) -> Result<(), glib::Error> {
    const NAME: &str = "org.freedesktop.FileManager1";
    let bus = gio::bus_get_sync(gio::BusType::Session, gio::Cancellable::NONE)?;
    let address = gio::File::for_path(place).uri();
    let arguments = (vec![address.as_str()], "").to_variant();
    bus.call_sync(
        Some(NAME),
        "/org/freedesktop/FileManager1",
        NAME,
        "ShowItems",
        Some(&arguments),
        None,
        gio::DBusCallFlags::NONE,
        FILE_MANAGER_WITHIN_MS,
        gio::Cancellable::NONE,
    )?;
    Ok(())
}

/// Puts this program, with other arguments, in this process's place. Returns only if that fails.
pub(crate) fn start_again(arguments: Vec<OsString>, tries: u32) -> io::Error {
    match std::env::current_exe() {
        Ok(program) => Command::new(program)
            .args(arguments)
            .env(TRIES, tries.to_string())
            .exec(),
        Err(error) => error,
    }
}
