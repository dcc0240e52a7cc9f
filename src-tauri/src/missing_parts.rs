//! Parts that a Japanese desktop may lack: a font with Japanese letters, and the input method that its environment names.

use gtk::prelude::*;
use gtk::{IMMulticontext, gdk, pango};
use tauri::{Manager, WebviewWindow};

use crate::language::Language;
use crate::page::WindowPage;
use crate::{dialogs, messages};

/// Letters that every Japanese font has.
const LETTERS: &str = "あア漢字";
/// The variable that names the input methods of GTK, separated by colons.
const INPUT_METHOD: &str = "GTK_IM_MODULE";

/// A part that the system lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MissingPart {
    /// A font with Japanese letters.
    JapaneseFont,
    /// The module of an input method, by its name.
    InputMethod(String),
}

/// Returns the parts that the desktop of a user of this language lacks. Must be called on the main thread.
pub(crate) fn of_the_desktop(language: Language) -> Vec<MissingPart> {
    if language != Language::Japanese {
        return Vec::new();
    }
    let font = (!has_font()).then_some(MissingPart::JapaneseFont);
    let named = std::env::var(INPUT_METHOD).unwrap_or_default();
    let used = IMMulticontext::new().context_id().unwrap_or_default();
    let input = missing_input_method(&named, &used);
    font.into_iter().chain(input).collect()
}

fn has_font() -> bool {
    // Without a screen, nothing is known.
    gdk::pango_context_get().is_none_or(|context| {
        let layout = pango::Layout::new(&context);
        layout.set_text(LETTERS);
        layout.unknown_glyphs_count() == 0
    })
}

/// Returns the first of the named input methods, if another one is used instead of all of them.
fn missing_input_method(named: &str, used: &str) -> Option<MissingPart> {
    let names = || named.split(':').filter(|name| !name.is_empty());
    let is_used = names().any(|name| name == used);
    let first = names().next().filter(|_| !is_used)?;
    Some(MissingPart::InputMethod(first.to_owned()))
}

/// Tells the user, once there is a page, what is missing and how to get it.
pub(crate) async fn report(window: WebviewWindow, missing: Vec<MissingPart>) {
    if missing.is_empty() {
        return;
    }
    window.state::<WindowPage>().wait_until_loaded().await;
    for part in missing {
        tracing::warn!(?part, "the system lacks a part");
        let (heading, text) = messages::missing_part(&part);
        if let Err(error) = dialogs::show_message(&window, &heading, &text) {
            tracing::warn!(%error, "the message can't be shown");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_input(named: &str, used: &str, expected: Option<&str>) {
        let expected = expected.map(|name| MissingPart::InputMethod(name.to_owned()));
        assert_eq!(missing_input_method(named, used), expected);
    }

    #[test]
    fn input_method_without_its_module_is_missing() {
        check_input("fcitx", "fcitx", None);
        check_input("fcitx", "gtk-im-context-simple", Some("fcitx"));
        check_input("fcitx:ibus", "ibus", None);
        check_input("wayland:ibus", "xim", Some("wayland"));
        check_input("", "xim", None);
    }
}
