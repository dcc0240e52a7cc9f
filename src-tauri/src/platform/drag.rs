//! Drags of pictures out of the window, as files, and of files into it.
//!
//! The page begins a drag with a link to its first picture. Within the window it stays a link, because WebKit hides the
//! page's own data in a drag with files. Other programs get the files in the place of the link.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use gtk::glib::{self, prelude::ObjectExt};
use gtk::prelude::{DragContextExtManual, SeatExt, WidgetExt};
use gtk::{SelectionData, gdk};
use parking_lot::Mutex;
use webkit2gtk::WebView;

/// The type of lists of files and links.
const URI_LIST: &str = "text/uri-list";

/// The files of the page's current drag.
#[derive(Debug, Default)]
pub(crate) struct DraggedFiles(Mutex<Option<Drag>>);

#[derive(Debug)]
struct Drag {
    /// The link that the page has put into the drag.
    link: String,
    /// The addresses of the files.
    uris: Vec<String>,
}

/// Files of another program that were dropped on the view.
pub(crate) struct DroppedFiles {
    pub(crate) paths: Vec<PathBuf>,
    /// The position in the view's coordinates.
    pub(crate) x: i32,
    pub(crate) y: i32,
    /// True if they are to be moved rather than copied.
    pub(crate) moves: bool,
}

impl DraggedFiles {
    /// Sets the files that other programs get instead of `link`. Files with addresses that can't be expressed are left
    /// out.
    pub(crate) fn set(&self, link: String, paths: &[PathBuf]) {
        let uris = paths.iter().filter_map(|path| file_uri(path)).collect();
        *self.0.lock() = Some(Drag { link, uris });
    }

    fn clear(&self) {
        *self.0.lock() = None;
    }

    /// Returns the addresses of the files, if the drag offers their link.
    fn uris_for(&self, offered: &[String]) -> Option<Vec<String>> {
        let drag = self.0.lock();
        let drag = drag.as_ref()?;
        (offered == [drag.link.as_str()] && !drag.uris.is_empty()).then(|| drag.uris.clone())
    }
}

fn file_uri(path: &Path) -> Option<String> {
    let uri = glib::filename_to_uri(path, None);
    uri.ok().map(String::from)
}

/// Returns the files among dropped addresses.
fn files_of(uris: &[String]) -> Vec<PathBuf> {
    let file = |uri: &String| Some(glib::filename_from_uri(uri).ok()?.0);
    uris.iter().filter_map(file).collect()
}

/// Passes files to other programs while the page drags pictures, and calls `on_files` with files that are dropped on
/// the view. WebKit passes no files from outside to a page.
pub(crate) fn connect(
    view: &WebView,
    dragged: Arc<DraggedFiles>,
    on_files: impl Fn(DroppedFiles) + 'static,
) {
    connect_source(view, dragged);
    connect_target(view, on_files);
}

fn connect_source(view: &WebView, dragged: Arc<DraggedFiles>) {
    // True while the view's own drag is over it.
    let is_inside = Rc::new(Cell::new(false));
    let inside = Rc::clone(&is_inside);
    view.connect_drag_motion(move |_, context, _, _, _| {
        inside.set(is_own(context));
        false
    });
    let inside = Rc::clone(&is_inside);
    view.connect_drag_leave(move |_, _, _| inside.set(false));
    let files = Arc::clone(&dragged);
    view.connect_drag_end(move |_, _| files.clear());
    // After WebKit's own handler, which sets the link.
    view.connect_local("drag-data-get", true, move |values| {
        let data = values[2].get::<&SelectionData>().ok()?;
        if !is_inside.get() && data.target().name() == URI_LIST {
            let offered: Vec<String> = data.uris().into_iter().map(String::from).collect();
            if let Some(uris) = dragged.uris_for(&offered) {
                let uris: Vec<&str> = uris.iter().map(String::as_str).collect();
                data.set_uris(&uris);
            }
        }
        None
    });
}

fn connect_target(view: &WebView, on_files: impl Fn(DroppedFiles) + 'static) {
    // The files of a drag from outside that is over the view.
    let waiting = Rc::new(RefCell::new(Vec::new()));
    let received = Rc::clone(&waiting);
    view.connect_drag_data_received(move |_, context, _, _, data, _, _| {
        if data.target().name() == URI_LIST && !is_own(context) {
            let uris: Vec<String> = data.uris().into_iter().map(String::from).collect();
            received.replace(files_of(&uris));
        }
    });
    let left = Rc::clone(&waiting);
    view.connect_drag_leave(move |_, _, _| {
        let left = Rc::clone(&left);
        // A drop comes directly after it.
        glib::idle_add_local_once(move || left.borrow_mut().clear());
    });
    view.connect_drag_drop(move |view, context, x, y, time| {
        let paths = waiting.take();
        if paths.is_empty() || is_own(context) {
            return false;
        }
        let moves = context.selected_action() == gdk::DragAction::MOVE || is_shift_pressed(view);
        context.drop_finish(true, time);
        on_files(DroppedFiles { paths, x, y, moves });
        true
    });
}

/// True while Shift is pressed, if the window system says so during a drag. Some programs offer the same actions whatever
/// is pressed.
fn is_shift_pressed(view: &WebView) -> bool {
    let pointer = view
        .display()
        .default_seat()
        .and_then(|seat| seat.pointer());
    let keys = view
        .window()
        .zip(pointer)
        .map(|(window, pointer)| window.device_position(&pointer).3);
    keys.is_some_and(|keys| keys.contains(gdk::ModifierType::SHIFT_MASK))
}

/// True if a drag comes from this window.
fn is_own(context: &gdk::DragContext) -> bool {
    context.drag_get_source_widget().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "http://127.0.0.1:4000/api/image?root=r&path=a.jpg";

    fn offered(links: &[&str]) -> Vec<String> {
        links.iter().map(|link| (*link).to_owned()).collect()
    }

    #[test]
    fn files_replace_the_link_of_their_drag() {
        let dragged = DraggedFiles::default();
        assert_eq!(dragged.uris_for(&offered(&[LINK])), None);
        let paths = ["/tmp/a b.jpg".into(), "/tmp/写真#1.jpg".into()];
        dragged.set(LINK.to_owned(), &paths);
        let uris = dragged.uris_for(&offered(&[LINK])).unwrap();
        let expected = [
            "file:///tmp/a%20b.jpg",
            "file:///tmp/%E5%86%99%E7%9C%9F%231.jpg",
        ];
        assert_eq!(uris, expected);
        assert_eq!(files_of(&uris), paths);
        dragged.clear();
        assert_eq!(dragged.uris_for(&offered(&[LINK])), None);
    }

    #[test]
    fn other_links_stay_as_they_are() {
        let dragged = DraggedFiles::default();
        dragged.set(LINK.to_owned(), &["/tmp/a.jpg".into()]);
        for links in [&["http://127.0.0.1:4000/wiki"][..], &[LINK, LINK], &[]] {
            assert_eq!(dragged.uris_for(&offered(links)), None);
        }
    }

    #[test]
    fn only_files_are_dropped_files() {
        let uris = offered(&["https://example.org/a.jpg", "file:///tmp/a%20b.jpg", "text"]);
        assert_eq!(files_of(&uris), [PathBuf::from("/tmp/a b.jpg")]);
    }
}
