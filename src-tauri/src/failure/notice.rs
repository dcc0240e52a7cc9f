//! A window that reports a failure in words, and offers what can be done about it.
//!
//! It is made of GTK's own widgets, because the failure may be one of the web view.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use fumikura_server::{Config, ListedBackup, replace_damaged_data};
use gtk::gdk_pixbuf::{Pixbuf, PixbufLoader, prelude::PixbufLoaderExt};
use gtk::glib::{self, MainContext, MainLoop, Propagation};
use gtk::prelude::*;
use gtk::{Align, Button, ComboBoxText, FileChooserAction, FileChooserNative, Label, Orientation};
use gtk::{ResponseType, Window, gdk, gio};

use super::words;
use crate::clipboard;
use crate::language::Language;

/// The space between the parts of the window, in pixels.
const SPACING: i32 = 12;
/// The space around them.
const MARGIN: u32 = 24;
/// The width of the text, in characters.
const WIDTH: i32 = 64;
const ICON: &[u8] = include_bytes!("../../../icons/48x48.png");

/// The text of the window, and what it offers.
pub(crate) struct Notice {
    /// The language of the texts.
    pub(crate) language: Language,
    /// The failure, in a few words.
    pub(crate) heading: &'static str,
    /// The reason, in sentences.
    pub(crate) reason: String,
    /// The parts that are unaffected, or still work.
    pub(crate) safe: &'static str,
    /// The remedy.
    pub(crate) remedy: &'static str,
    /// The label of the button for another attempt.
    pub(crate) again: &'static str,
    /// A folder in which the failure can be repaired.
    pub(crate) folder: Option<PathBuf>,
    /// True if another data folder can be chosen.
    pub(crate) may_choose: bool,
    /// True if the window may end the application.
    pub(crate) may_quit: bool,
    /// The text that is copied for a report.
    pub(crate) diagnostics: String,
    pub(crate) restorable: Option<Restorable>,
}

/// Backups to which the data can go back.
pub(crate) struct Restorable {
    pub(crate) config: Config,
    pub(crate) backups: Vec<ListedBackup>,
}

/// The user's decision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Decision {
    #[default]
    Quit,
    /// Another attempt.
    Again,
    /// A start with this data folder.
    Folder(PathBuf),
}

/// Receives the decision, once.
type Decide = Rc<dyn Fn(Decision)>;

impl Notice {
    /// Shows the window, and waits for the user's decision. For a process that runs no other main loop.
    pub(super) fn show_and_wait(self) -> Decision {
        let main_loop = MainLoop::new(None, false);
        let decision = Rc::new(RefCell::new(Decision::Quit));
        let (decided, ended) = (Rc::clone(&decision), main_loop.clone());
        let _window = self.show(move |decision| {
            decided.replace(decision);
            ended.quit();
        });
        main_loop.run();
        decision.take()
    }

    /// Shows the window. It is closed before `decide` is called.
    pub(crate) fn show(self, decide: impl Fn(Decision) + 'static) -> Window {
        let (language, may_quit) = (self.language, self.may_quit);
        let window = Window::new(gtk::WindowType::Toplevel);
        window.set_title(self.heading);
        window.set_icon(icon().as_ref());
        window.set_position(gtk::WindowPosition::Center);
        window.set_resizable(false);
        window.set_border_width(MARGIN);
        let closed = window.clone();
        let decide: Decide = Rc::new(move |decision| {
            closed.hide();
            decide(decision);
        });
        let parts = gtk::Box::new(Orientation::Vertical, SPACING);
        parts.add(&self.title());
        parts.add(&paragraph(&self.reason));
        for (heading, text) in [
            (words::unaffected(language), self.safe),
            (words::what_to_do(language), self.remedy),
        ] {
            parts.add(&emphasized(heading, 1.0));
            parts.add(&paragraph(text));
        }
        let status = paragraph("");
        status.set_no_show_all(true);
        let again = self.again_button(&decide);
        let mut first = again.clone();
        if let Some(restorable) = self.restorable {
            let (row, restore) = restore_row(language, restorable, (&parts, &status), &decide);
            parts.add(&row);
            first = restore;
        }
        first.style_context().add_class("suggested-action");
        parts.add(&status);
        let actions = gtk::Box::new(Orientation::Horizontal, SPACING);
        actions.set_halign(Align::End);
        if let Some(folder) = self.folder {
            actions.add(&folder_button(language, folder, &status));
        }
        if self.may_choose {
            actions.add(&choose_button(language, &window, &decide));
        }
        actions.add(&again);
        parts.add(&actions);
        parts.add(&gtk::Separator::new(Orientation::Horizontal));
        let last = last_row(language, self.diagnostics);
        if may_quit {
            last.pack_end(&quit_button(language, &decide), false, false, 0);
        }
        parts.add(&last);
        window.add(&parts);
        quit_when_closed(&window, &decide);
        // The button has the focus before the window is shown, since a text that gets it is selected.
        parts.show_all();
        first.grab_focus();
        window.present();
        window
    }

    fn title(&self) -> gtk::Box {
        let title = gtk::Box::new(Orientation::Horizontal, SPACING);
        if let Some(icon) = icon() {
            title.add(&gtk::Image::from_pixbuf(Some(&icon)));
        }
        title.add(&emphasized(self.heading, gtk::pango::SCALE_X_LARGE));
        title
    }

    fn again_button(&self, decide: &Decide) -> Button {
        let button = Button::with_label(self.again);
        let decide = Rc::clone(decide);
        button.connect_clicked(move |_button| decide(Decision::Again));
        button
    }
}

fn icon() -> Option<Pixbuf> {
    let loader = PixbufLoader::new();
    loader.write(ICON).and_then(|()| loader.close()).ok()?;
    loader.pixbuf()
}

/// Returns text that can be selected.
fn paragraph(text: &str) -> Label {
    let label = Label::new(Some(text));
    label.set_xalign(0.0);
    label.set_line_wrap(true);
    label.set_line_wrap_mode(gtk::pango::WrapMode::WordChar);
    label.set_max_width_chars(WIDTH);
    label.set_width_chars(WIDTH);
    label.set_selectable(true);
    label
}

fn emphasized(text: &str, scale: f64) -> Label {
    let label = Label::new(Some(text));
    label.set_xalign(0.0);
    let attributes = gtk::pango::AttrList::new();
    attributes.insert(gtk::pango::AttrInt::new_weight(gtk::pango::Weight::Bold));
    attributes.insert(gtk::pango::AttrFloat::new_scale(scale));
    label.set_attributes(Some(&attributes));
    label
}

/// Returns a choice of backups, and the button that goes back to the chosen one. Meanwhile nothing else can be pressed.
fn restore_row(
    language: Language,
    Restorable { config, backups }: Restorable,
    (parts, status): (&gtk::Box, &Label),
    decide: &Decide,
) -> (gtk::Box, Button) {
    let row = gtk::Box::new(Orientation::Horizontal, SPACING);
    let choice = ComboBoxText::new();
    for backup in &backups {
        choice.append(Some(&backup.name), &label_of(language, backup));
    }
    choice.set_active(Some(0));
    choice.set_hexpand(true);
    let button = Button::with_label(words::restore(language));
    row.add(&choice);
    row.add(&button);
    let (parts, status, decide) = (parts.clone(), status.clone(), Rc::clone(decide));
    button.connect_clicked(move |_button| {
        let Some(name) = choice.active_id() else {
            return;
        };
        say(&status, words::restoring(language));
        parts.set_sensitive(false);
        let (parts, status, decide) = (parts.clone(), status.clone(), Rc::clone(&decide));
        let config = config.clone();
        MainContext::default().spawn_local(async move {
            let restored = gio::spawn_blocking(move || {
                replace_damaged_data(&config, &name).map_err(|error| error.to_string())
            });
            match restored.await {
                Ok(Ok(_prepared)) => decide(Decision::Again),
                Ok(Err(reason)) => say(&status, &words::not_restored(language, &reason)),
                Err(_panic) => say(&status, &words::not_restored(language, "panic")),
            }
            parts.set_sensitive(true);
        });
    });
    (row, button)
}

/// Returns the time and the size of a backup in the words of the list.
fn label_of(language: Language, backup: &ListedBackup) -> String {
    let time = glib::DateTime::from_unix_local(backup.record.taken_at.as_second());
    let time = time.and_then(|time| time.format("%Y-%m-%d %H:%M"));
    let time = time.map_or_else(|_| backup.name.clone(), String::from);
    words::backup(
        language,
        &time,
        backup.record.pages,
        backup.record.proved_at.is_some(),
    )
}

fn folder_button(language: Language, folder: PathBuf, status: &Label) -> Button {
    let button = Button::with_label(words::open_folder(language));
    let status = status.clone();
    button.connect_clicked(move |_button| {
        if let Err(error) = open::that_detached(&folder) {
            say(&status, &words::not_opened(language, &folder, &error));
        }
    });
    button
}

fn choose_button(language: Language, window: &Window, decide: &Decide) -> Button {
    let button = Button::with_label(words::choose_folder(language));
    let (window, decide) = (window.clone(), Rc::clone(decide));
    button.connect_clicked(move |_button| {
        let chooser = FileChooserNative::new(
            Some(words::choose_folder_title(language)),
            Some(&window),
            FileChooserAction::SelectFolder,
            None,
            None,
        );
        if chooser.run() == ResponseType::Accept
            && let Some(folder) = chooser.filename()
        {
            decide(Decision::Folder(folder));
        }
    });
    button
}

/// Returns the row with what every such window has.
fn last_row(language: Language, diagnostics: String) -> gtk::Box {
    let row = gtk::Box::new(Orientation::Horizontal, SPACING);
    let copy = Button::with_label(words::copy_diagnostics(language));
    copy.connect_clicked(move |button| {
        clipboard::write_text(&diagnostics);
        button.set_label(words::copied(language));
    });
    row.pack_start(&copy, false, false, 0);
    row
}

fn quit_button(language: Language, decide: &Decide) -> Button {
    let quit = Button::with_label(words::quit(language));
    let decide = Rc::clone(decide);
    quit.connect_clicked(move |_button| decide(Decision::Quit));
    quit
}

fn quit_when_closed(window: &Window, decide: &Decide) {
    let closed = Rc::clone(decide);
    window.connect_delete_event(move |_window, _event| {
        closed(Decision::Quit);
        Propagation::Stop
    });
    let decide = Rc::clone(decide);
    window.connect_key_press_event(move |_window, event| {
        if event.keyval() != gdk::keys::constants::Escape {
            return Propagation::Proceed;
        }
        decide(Decision::Quit);
        Propagation::Stop
    });
}

fn say(status: &Label, text: &str) {
    status.set_text(text);
    status.show();
}
