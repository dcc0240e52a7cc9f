//! Linux: the configuration of WebKitGTK.

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
use webkit2gtk::{InputMethodContextExt, WebViewExt};

use super::{TRIES, accent, context_menu, spelling};
use crate::window;

/// Returns the versions of the libraries that show the window.
pub(crate) fn libraries() -> String {
    let gtk = (
        gtk::major_version(),
        gtk::minor_version(),
        gtk::micro_version(),
    );
    let webkit = tauri::webview_version().unwrap_or_else(|error| error.to_string());
    format!("GTK {}.{}.{}, WebKitGTK {webkit}", gtk.0, gtk.1, gtk.2)
}

/// Fails if there is no display for a window.
pub(crate) fn require_display() -> io::Result<()> {
    gtk::init().map_err(io::Error::other)
}

/// Returns true if pages that follow the system will be dark, by the same settings as WebKit. These include
/// the preference of the desktop portal: the creation of the window has copied it into GTK's settings.
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

/// Returns the font of the desktop's interface, because WebKitGTK does not resolve `system-ui` here.
pub(crate) fn system_font() -> Option<SystemFont> {
    let name = gtk::Settings::default().and_then(|settings| settings.gtk_font_name());
    let family = name.and_then(|name| FontDescription::from_string(&name).family());
    Some(SystemFont::of_desktop(family.as_deref()))
}

/// Prepares the window for its first page.
pub(crate) fn prepare(window: &WebviewWindow) -> tauri::Result<()> {
    let owner = window.clone();
    window.with_webview(move |webview| {
        let webview = webview.inner();
        // wry disables this. If enabled, Japanese is composed inside the text, underlined, as in other
        // programs.
        if let Some(input) = webview.input_method_context() {
            input.set_enable_preedit(true);
        }
        context_menu::limit(&webview);
        spelling::enable(&webview);
        accent::follow(&webview);
        webview.connect_web_process_terminated(move |_webview, reason| {
            window::page_ended(&owner, &format!("{reason:?}"));
        });
    })
}

/// Returns true if the kernel offers a render device.
pub(crate) fn has_graphics_card() -> bool {
    let is_render_node = |entry: io::Result<DirEntry>| {
        entry.is_ok_and(|entry| entry.file_name().as_encoded_bytes().starts_with(b"renderD"))
    };
    fs::read_dir("/dev/dri").is_ok_and(|mut devices| devices.any(is_render_node))
}

/// The time limit for the answer of a file manager, which may have to be started.
const FILE_MANAGER_TIMEOUT_MS: i32 = 10_000;

/// Shows a file or folder in the system's file manager, selected. If no file manager supports that, opens the
/// containing folder.
pub(crate) fn reveal(place: &Path) -> io::Result<()> {
    match show_items(place) {
        Ok(()) => Ok(()),
        Err(error) => {
            tracing::debug!(%error, "no file manager shows single files; its folder is opened");
            open::that_detached(place.parent().unwrap_or(place))
        }
    }
}

/// Calls the common interface of file managers (freedesktop.org, "File Manager D-Bus Interface").
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
        FILE_MANAGER_TIMEOUT_MS,
        gio::Cancellable::NONE,
    )?;
    Ok(())
}

/// Replaces this process by this program with other arguments. Returns only on failure.
pub(crate) fn restart(arguments: Vec<OsString>, tries: u32) -> io::Error {
    restart_with(arguments, [(TRIES, tries.to_string())])
}

/// Replaces this process by this program with other arguments and variables. Returns only on failure.
pub(crate) fn restart_with(
    arguments: Vec<OsString>,
    variables: impl IntoIterator<Item = (&'static str, String)>,
) -> io::Error {
    match std::env::current_exe() {
        Ok(program) => Command::new(program).args(arguments).envs(variables).exec(),
        Err(error) => error,
    }
}
