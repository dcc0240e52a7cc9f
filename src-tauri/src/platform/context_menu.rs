//! The web view's own context menu. It edits and copies text, and appears nowhere else: everything else that it
//! offers is a command of a browser.

use gtk::gio::SimpleAction;
use gtk::gio::prelude::ActionExt;
use gtk::glib::prelude::{CastNone, ObjectExt};
use webkit2gtk::{
    ContextMenu, ContextMenuAction, ContextMenuExt, ContextMenuItem, ContextMenuItemExt,
    HitTestResult, HitTestResultExt, WebView, WebViewExt,
};

/// The entries for a text field.
const EDITING: [ContextMenuAction; 12] = [
    ContextMenuAction::SpellingGuess,
    ContextMenuAction::NoGuessesFound,
    ContextMenuAction::IgnoreSpelling,
    ContextMenuAction::LearnSpelling,
    ContextMenuAction::Cut,
    ContextMenuAction::Copy,
    ContextMenuAction::Paste,
    ContextMenuAction::PasteAsPlainText,
    ContextMenuAction::Delete,
    ContextMenuAction::SelectAll,
    ContextMenuAction::InputMethods,
    ContextMenuAction::InsertEmoji,
];
/// The entries for a misspelled word. WebKit applies them to the selection, and disables them without one.
const OF_THE_WORD: [ContextMenuAction; 2] = [
    ContextMenuAction::IgnoreSpelling,
    ContextMenuAction::LearnSpelling,
];
/// The entries for selected text elsewhere.
const SELECTION: [ContextMenuAction; 1] = [ContextMenuAction::Copy];

/// Limits the menu to entries for text.
pub(super) fn limit(webview: &WebView) {
    webview.connect_context_menu(|webview, menu, _event, target| {
        let offered = entries(target);
        for item in menu.items() {
            if !item.is_separator() && !offered.contains(&item.stock_action()) {
                menu.remove(&item);
            } else if OF_THE_WORD.contains(&item.stock_action()) {
                select_word_first(webview, &item);
            }
        }
        remove_needless_separators(menu);
        // True if no menu is shown.
        menu.n_items() == 0
    });
}

/// Enables an entry that was disabled because nothing is selected: it then selects the word at the cursor.
fn select_word_first(webview: &WebView, item: &ContextMenuItem) {
    let Some(action) = item.gaction().and_downcast::<SimpleAction>() else {
        return;
    };
    if action.is_enabled() {
        return;
    }
    action.set_enabled(true);
    // WebKit connects its own handler when it shows the menu, so the word is selected first.
    let webview = webview.downgrade();
    action.connect_activate(move |_, _| {
        if let Some(webview) = webview.upgrade() {
            webview.execute_editing_command("SelectWord");
        }
    });
}

fn entries(target: &HitTestResult) -> &'static [ContextMenuAction] {
    if target.context_is_editable() {
        &EDITING
    } else if target.context_is_selection() {
        &SELECTION
    } else {
        &[]
    }
}

/// Removes the separators at the ends, and those that follow another one.
fn remove_needless_separators(menu: &ContextMenu) {
    let mut follows_entry = false;
    for item in menu.items() {
        if item.is_separator() && !follows_entry {
            menu.remove(&item);
        }
        follows_entry = !item.is_separator();
    }
    if let Some(last) = menu.last().filter(ContextMenuItemExt::is_separator) {
        menu.remove(&last);
    }
}
