//! Desktop notifications, whose action shows in the window what they are about (freedesktop.org, Desktop Notifications
//! Specification).

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use fumikura_server::HashesFound;
use gtk::gio::{self, BusType, DBusCallFlags, DBusConnection, DBusSignalFlags};
use gtk::glib::{self, MainContext, ToVariant, Variant, VariantTy};
use parking_lot::Mutex;
use tauri::{AppHandle, Manager};

use crate::language::Language;
use crate::window::MAIN;
use crate::{messages, places};

const SERVICE: &str = "org.freedesktop.Notifications";
const OBJECT: &str = "/org/freedesktop/Notifications";
/// The timeout of a call in milliseconds.
const PATIENCE: i32 = 5_000;
/// The value by which the service decides the display time of the notification.
const DEFAULT_TIMEOUT: i32 = -1;
/// The action of a click on the notification itself, and that of its button.
const ACTIONS: [&str; 2] = ["default", "show"];
/// The number of notifications whose actions are still known.
const MAX_KNOWN: usize = 32;
/// The address of the hash records.
const HASHES: &str = "/hashes";

/// A notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notification {
    pub(crate) title: String,
    pub(crate) body: String,
    /// The address in the application that its action shows.
    pub(crate) address: String,
}

/// The notifications that a user may still act on.
#[derive(Default)]
pub(crate) struct Notifications {
    /// The connection that listens to actions, as long as it exists.
    bus: OnceLock<DBusConnection>,
    known: Mutex<KnownNotifications>,
}

/// The addresses of the last notifications, by their ids.
#[derive(Default)]
struct KnownNotifications(BTreeMap<u32, String>);

impl KnownNotifications {
    fn add(&mut self, id: u32, address: String) {
        self.0.insert(id, address);
        while self.0.len() > MAX_KNOWN {
            self.0.pop_first();
        }
    }

    /// Returns the address that an action of a notification shows.
    fn address(&mut self, id: u32, action: &str) -> Option<String> {
        let is_known = ACTIONS.contains(&action);
        is_known.then(|| self.0.remove(&id)).flatten()
    }
}

/// Shows the findings of rolling verification.
pub(crate) fn hashes_found(app: &AppHandle, found: HashesFound) {
    let language = Language::of_the_user(app);
    let notification = Notification {
        title: messages::hashes_found_title(language, found).to_owned(),
        body: messages::hashes_found(language, found),
        address: HASHES.to_owned(),
    };
    show(app, notification);
}

/// Shows a notification. Without a notification service, only the page reports what happened.
pub(crate) fn show(app: &AppHandle, notification: Notification) {
    let owner = app.clone();
    let begun = app.run_on_main_thread(move || {
        MainContext::default().spawn_local(async move {
            if let Err(error) = send(&owner, notification).await {
                tracing::warn!(%error, "the notification can't be shown");
            }
        });
    });
    if let Err(error) = begun {
        tracing::warn!(%error, "the main thread does not answer");
    }
}

/// Calls the desktop's notification service.
async fn send(app: &AppHandle, notification: Notification) -> Result<(), glib::Error> {
    let Notification {
        title,
        body,
        address,
    } = notification;
    let bus = gio::bus_get_future(BusType::Session).await?;
    let notifications = app.state::<Notifications>();
    notifications.bus.get_or_init(|| listen(app, bus.clone()));
    let label = messages::show(Language::of_the_user(app));
    let parameters = parameters(&title, &body, label);
    let answered = bus.call_future(
        Some(SERVICE),
        OBJECT,
        SERVICE,
        "Notify",
        Some(&parameters),
        VariantTy::new("(u)").ok(),
        DBusCallFlags::NONE,
        PATIENCE,
    );
    if let Some((id,)) = answered.await?.get::<(u32,)>() {
        notifications.known.lock().add(id, address);
    }
    Ok(())
}

/// Returns the parameters of `Notify`.
fn parameters(title: &str, body: &str, label: &str) -> Variant {
    let nothing_to_replace = 0u32;
    let actions: Vec<&str> = ACTIONS.iter().flat_map(|action| [*action, label]).collect();
    let desktop_entry = "app.fumikura.Fumikura".to_variant();
    let hints: HashMap<&str, Variant> = HashMap::from([("desktop-entry", desktop_entry)]);
    (
        messages::APPLICATION,
        nothing_to_replace,
        "fumikura",
        title,
        // The body may have markup.
        glib::markup_escape_text(body).as_str(),
        actions,
        hints,
        DEFAULT_TIMEOUT,
    )
        .to_variant()
}

/// Listens to the actions of all notifications.
fn listen(app: &AppHandle, bus: DBusConnection) -> DBusConnection {
    let app = app.clone();
    // The subscription lasts as long as the connection.
    let _subscription = bus.signal_subscribe(
        Some(SERVICE),
        Some(SERVICE),
        Some("ActionInvoked"),
        Some(OBJECT),
        None,
        DBusSignalFlags::NONE,
        move |_bus, _sender, _object, _interface, _signal, parameters| {
            if let Some((id, action)) = parameters.get::<(u32, String)>() {
                act(&app, id, &action);
            }
        },
    );
    bus
}

fn act(app: &AppHandle, id: u32, action: &str) {
    let notifications = app.state::<Notifications>();
    let address = notifications.known.lock().address(id, action);
    let (Some(address), Some(window)) = (address, app.get_webview_window(MAIN)) else {
        return;
    };
    if let Err(error) = places::show_address(&window, address) {
        tracing::warn!(%error, "the window can't be shown");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notification_has_the_form_of_the_service() {
        let parameters = parameters("Export", "a < b", "Show");
        assert_eq!(parameters.type_().as_str(), "(susssasa{sv}i)");
        assert_eq!(parameters.child_value(4).str(), Some("a &lt; b"));
        let actions = parameters.child_value(5).get::<Vec<String>>().unwrap();
        assert_eq!(actions, ["default", "Show", "show", "Show"]);
    }

    #[test]
    fn action_leads_to_its_address_once() {
        let mut known = KnownNotifications::default();
        known.add(7, "/hashes".to_owned());
        assert_eq!(known.address(7, "other"), None);
        assert_eq!(known.address(7, "show").as_deref(), Some("/hashes"));
        assert_eq!(known.address(7, "default"), None);
    }

    #[test]
    fn old_notifications_are_forgotten() {
        let mut known = KnownNotifications::default();
        for id in 0..=MAX_KNOWN as u32 {
            known.add(id, "/".to_owned());
        }
        assert_eq!(known.address(0, "show"), None);
        assert_eq!(known.address(1, "show").as_deref(), Some("/"));
    }
}
