//! Desktop notifications of verification results.

use fumikura_server::HashesFound;

use crate::language::Language;
use crate::messages;

/// Shows the findings of rolling verification. Without a notification service, only the page reports them.
pub(crate) fn hashes_found(found: HashesFound) {
    let language = Language::of_the_system();
    let title = messages::hashes_found_title(language, found);
    let body = messages::hashes_found(language, found);
    if let Err(error) = send(title, &body) {
        tracing::warn!(%error, "the notification can't be shown");
    }
}

/// Calls the desktop's notification service (freedesktop.org, Desktop Notifications Specification).
fn send(title: &str, body: &str) -> Result<(), gtk::glib::Error> {
    use std::collections::HashMap;

    use gtk::gio::{self, BusType, Cancellable, DBusCallFlags};
    use gtk::glib::{ToVariant, Variant, VariantTy};

    const SERVICE: &str = "org.freedesktop.Notifications";
    /// The timeout in milliseconds.
    const PATIENCE: i32 = 5_000;
    /// The value by which the service decides the display time of the notification.
    const DEFAULT_TIMEOUT: i32 = -1;

    let nothing_to_replace = 0u32;
    let no_actions: Vec<String> = Vec::new();
    let hints: HashMap<String, Variant> = HashMap::new();
    let notification = (
        messages::APPLICATION,
        nothing_to_replace,
        "fumikura",
        title,
        body,
        no_actions,
        hints,
        DEFAULT_TIMEOUT,
    );
    let bus = gio::bus_get_sync(BusType::Session, Cancellable::NONE)?;
    bus.call_sync(
        Some(SERVICE),
        "/org/freedesktop/Notifications",
        SERVICE,
        "Notify",
        Some(&notification.to_variant()),
        VariantTy::new("(u)").ok(),
        DBusCallFlags::NONE,
        PATIENCE,
        Cancellable::NONE,
    )?;
    Ok(())
}
