//! The accent colour of the desktop's settings (XDG Desktop Portal, "Settings"), followed while the window is open.

use std::cell::Cell;

use gtk::gio::{self, BusType, DBusCallFlags, DBusSignalFlags};
use gtk::glib::{self, MainContext, ToVariant, Variant, VariantTy, WeakRef};
use gtk::prelude::*;
use webkit2gtk::{
    UserContentInjectedFrames, UserContentManagerExt, UserStyleLevel, UserStyleSheet, WebView,
    WebViewExt,
};

use crate::accent::Accent;

const PORTAL: &str = "org.freedesktop.portal.Desktop";
const OBJECT: &str = "/org/freedesktop/portal/desktop";
const SETTINGS: &str = "org.freedesktop.portal.Settings";
const NAMESPACE: &str = "org.freedesktop.appearance";
const KEY: &str = "accent-color";
/// The timeout of a call in milliseconds. Nothing waits for it.
const PATIENCE: i32 = 5_000;

/// Gives the pages of the web view the desktop's accent, now and after each change. Without a portal, or without an accent,
/// they have their own colours.
pub(super) fn follow(webview: &WebView) {
    let webview = webview.downgrade();
    MainContext::default().spawn_local(async move {
        if let Err(error) = listen(&webview).await {
            tracing::debug!(%error, "the desktop names no accent colour");
        }
    });
}

async fn listen(webview: &WeakRef<WebView>) -> Result<(), glib::Error> {
    let bus = gio::bus_get_future(BusType::Session).await?;
    let changed = webview.clone();
    let subscription = bus.signal_subscribe(
        Some(PORTAL),
        Some(SETTINGS),
        Some("SettingChanged"),
        Some(OBJECT),
        Some(NAMESPACE),
        DBusSignalFlags::NONE,
        move |_bus, _sender, _object, _interface, _signal, parameters| {
            if let Some((_, key, value)) = parameters.get::<(String, String, Variant)>()
                && key == KEY
            {
                apply(&changed, accent_of(&value));
            }
        },
    );
    // The connection lasts as long as the web view, and so does the subscription.
    let (subscription, owner) = (Cell::new(Some(subscription)), bus.clone());
    if let Some(webview) = webview.upgrade() {
        webview.connect_destroy(move |_webview| {
            if let Some(subscription) = subscription.take() {
                owner.signal_unsubscribe(subscription);
            }
        });
    }
    let answer = bus.call_future(
        Some(PORTAL),
        OBJECT,
        SETTINGS,
        "ReadOne",
        Some(&(NAMESPACE, KEY).to_variant()),
        VariantTy::new("(v)").ok(),
        DBusCallFlags::NONE,
        PATIENCE,
    );
    let answer = answer.await?;
    apply(webview, accent_of(&answer.child_value(0)));
    Ok(())
}

/// Returns the accent of a setting's value, which may be a variant in a variant.
fn accent_of(value: &Variant) -> Option<Accent> {
    if value.type_() == VariantTy::VARIANT {
        return accent_of(&value.as_variant()?);
    }
    let (red, green, blue) = value.get()?;
    Accent::of_desktop(red, green, blue)
}

fn apply(webview: &WeakRef<WebView>, accent: Option<Accent>) {
    let manager = webview
        .upgrade()
        .and_then(|view| view.user_content_manager());
    let Some(manager) = manager else {
        return;
    };
    tracing::debug!(?accent, "the desktop's accent colour");
    manager.remove_all_style_sheets();
    if let Some(accent) = accent {
        manager.add_style_sheet(&UserStyleSheet::new(
            &accent.to_css(),
            UserContentInjectedFrames::TopFrame,
            UserStyleLevel::Author,
            &[],
            &[],
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accent_is_read_from_any_nesting() {
        let colour = (0.2, 0.5, 0.9).to_variant();
        let expected = Accent::of_desktop(0.2, 0.5, 0.9);
        for value in [
            colour.clone(),
            Variant::from_variant(&colour),
            Variant::from_variant(&Variant::from_variant(&colour)),
        ] {
            assert_eq!(accent_of(&value), expected, "{value}");
        }
        for value in ["blue".to_variant(), (-1.0, -1.0, -1.0).to_variant()] {
            assert_eq!(accent_of(&value), None, "{value}");
        }
    }
}
