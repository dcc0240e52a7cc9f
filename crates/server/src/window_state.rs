//! The state of the desktop window that outlives it: its last view, its tabs and its zoom.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use fumikura_fs::RootId;
use fumikura_wiki::{PagePath, StorageError};
use parking_lot::Mutex;
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::services::DesktopWindow;

/// The version that this program writes.
const VERSION: u32 = 1;
/// The longest address that is stored, in bytes.
const MAX_ADDRESS: usize = 16_384;
/// The view of a first start, and of one whose last view is gone.
const FIRST_VIEW: &str = "/wiki/";
const PICTURES: &str = "/pictures/";
/// The most tabs that are stored.
const MAX_TABS: usize = 200;
/// The longest title of a tab that is stored, in bytes.
const MAX_TITLE: usize = 4_096;
/// The sizes of everything in the window, in percent of its normal size.
const ZOOMS: [u16; 13] = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300];
const NORMAL_ZOOM: u16 = 100;

/// A change of the zoom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ZoomChange {
    /// To the next larger size.
    In,
    /// To the next smaller size.
    Out,
    /// To the normal size.
    Reset,
}

/// The tabs of the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowTabs {
    /// In the order of the tab bar; at least one.
    pub tabs: Vec<WindowTab>,
    /// The index of the shown tab.
    pub active: usize,
    /// The second pane, if it is open.
    pub beside: Option<WindowTab>,
    /// The first pane's share of the width, in percent.
    pub share: u8,
}

/// A tab of the window, or its second pane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowTab {
    /// The path and query of the view.
    pub address: String,
    /// The title that was shown last.
    pub title: String,
    /// The scroll position, in CSS pixels.
    pub scroll: u32,
}

impl WindowTabs {
    fn is_valid(&self) -> bool {
        let is_tab = |tab: &WindowTab| is_view(&tab.address) && tab.title.len() <= MAX_TITLE;
        self.active < self.tabs.len()
            && self.tabs.len() <= MAX_TABS
            && self.share < 100
            && self.tabs.iter().chain(&self.beside).all(is_tab)
    }
}

/// The window's state, in a file of the data folder. Losing it costs little: a file that can't be used is replaced.
pub(crate) struct WindowState {
    file: PathBuf,
    current: Mutex<Stored>,
    /// The state in the file. Held while the file is written.
    written: Mutex<Stored>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Stored {
    version: u32,
    /// The address of the last view, without its origin.
    view: String,
    /// The zoom in percent.
    zoom: u16,
    /// `None` until the window has recorded its tabs.
    #[serde(default)]
    tabs: Option<WindowTabs>,
}

impl Default for Stored {
    fn default() -> Self {
        Self {
            version: VERSION,
            view: FIRST_VIEW.to_owned(),
            zoom: NORMAL_ZOOM,
            tabs: None,
        }
    }
}

impl WindowState {
    pub(crate) fn open(data: &Path) -> Self {
        let file = data.join("window.json");
        let stored = read(&file).unwrap_or_else(|error| {
            tracing::warn!("{} can't be used: {error}", file.display());
            Stored::default()
        });
        Self {
            file,
            current: Mutex::new(stored.clone()),
            written: Mutex::new(stored),
        }
    }

    /// Changes the state and stores it. Of several changes at once, the last is written once.
    fn change(&self, change: impl FnOnce(&mut Stored)) -> Result<(), StorageError> {
        change(&mut self.current.lock());
        let mut written = self.written.lock();
        let current = self.current.lock().clone();
        if *written != current {
            let bytes = serde_json::to_vec(&current).map_err(io::Error::from)?;
            durable::write_file(&self.file, &bytes, Access::Private)?;
            *written = current;
        }
        Ok(())
    }
}

/// Reads the file. Its absence is the state of a first start.
fn read(file: &Path) -> io::Result<Stored> {
    let bytes = match own_file::read(file, own_file::SETTINGS) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Stored::default()),
        Err(error) => return Err(error),
    };
    let stored: Stored = serde_json::from_slice(&bytes)?;
    let are_tabs = stored.tabs.as_ref().is_none_or(WindowTabs::is_valid);
    let is_state = ZOOMS.contains(&stored.zoom) && is_view(&stored.view) && are_tabs;
    if stored.version != VERSION || !is_state {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it is no state of a window",
        ));
    }
    Ok(stored)
}

/// True for the address of a page of this application: a path, with or without a query.
fn is_view(address: &str) -> bool {
    address.len() <= MAX_ADDRESS && address.starts_with('/') && !address.starts_with("//")
}

impl DesktopWindow {
    /// Records the address of the view in the window, for the next start.
    ///
    /// # Errors
    /// `bad_request` for another kind of address, and the errors of writing.
    pub async fn note_view(self: &Arc<Self>, address: String) -> Result<(), ErrorBody> {
        if !is_view(&address) {
            let message = "a view is the path of a page";
            return Err(ApiError::new(ErrorCode::BadRequest, message).into_body());
        }
        let work = move |window: &Self| Ok(window.state.change(|state| state.view = address)?);
        Ok(blocking(self, work).await?)
    }

    /// Records the tabs of the window, for the next start.
    ///
    /// # Errors
    /// `bad_request` for tabs that no window has, and the errors of writing.
    pub async fn note_tabs(self: &Arc<Self>, tabs: WindowTabs) -> Result<(), ErrorBody> {
        if !tabs.is_valid() {
            let message = "a window has one to 200 tabs, each with the path of a page";
            return Err(ApiError::new(ErrorCode::BadRequest, message).into_body());
        }
        let work = move |window: &Self| Ok(window.state.change(|state| state.tabs = Some(tabs))?);
        Ok(blocking(self, work).await?)
    }

    /// Returns the tabs that were recorded last.
    pub fn tabs(&self) -> Option<WindowTabs> {
        self.state.current.lock().tabs.clone()
    }

    /// Returns the address of the last view. Unless it is that of a tab, which shows why its page is gone, the
    /// nearest view that still exists replaces one that does not.
    pub fn last_view(&self) -> String {
        let Stored { view, tabs, .. } = self.state.current.lock().clone();
        if tabs.is_some_and(|all| all.tabs[all.active].address == view) {
            return view;
        }
        let path = view.split(['?', '#']).next().unwrap_or_default();
        if let Some(place) = path.strip_prefix(PICTURES) {
            let root = place.split('/').next().unwrap_or_default();
            let is_open = |root: RootId| self.pictures.roots().get(root).is_some();
            let is_there = root.is_empty() || root.parse().is_ok_and(is_open);
            return if is_there { view } else { PICTURES.to_owned() };
        }
        if let Some(page) = path.strip_prefix("/wiki") {
            let page = percent_decode_str(page).decode_utf8_lossy();
            let page = PagePath::new(&page);
            let is_there = page.is_ok_and(|page| self.wiki.pages().resolve(&page).is_ok());
            return if is_there {
                view
            } else {
                FIRST_VIEW.to_owned()
            };
        }
        view
    }

    /// Returns the zoom of the window, in percent.
    pub fn zoom(&self) -> u16 {
        self.state.current.lock().zoom
    }

    /// Changes the zoom of the window, and returns it in percent.
    ///
    /// # Errors
    /// The errors of writing.
    pub async fn change_zoom(self: &Arc<Self>, change: ZoomChange) -> Result<u16, ErrorBody> {
        let work = move |window: &Self| {
            window
                .state
                .change(|state| state.zoom = zoomed(state.zoom, change))?;
            Ok(window.zoom())
        };
        Ok(blocking(self, work).await?)
    }
}

fn zoomed(zoom: u16, change: ZoomChange) -> u16 {
    let next = match change {
        ZoomChange::In => ZOOMS.into_iter().find(|&one| one > zoom),
        ZoomChange::Out => ZOOMS.into_iter().rfind(|&one| one < zoom),
        ZoomChange::Reset => Some(NORMAL_ZOOM),
    };
    next.unwrap_or(zoom)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn zoom_goes_by_steps_and_stays_in_bounds() {
        assert_eq!(zoomed(100, ZoomChange::In), 110);
        assert_eq!(zoomed(100, ZoomChange::Out), 90);
        assert_eq!(zoomed(300, ZoomChange::In), 300);
        assert_eq!(zoomed(50, ZoomChange::Out), 50);
        assert_eq!(zoomed(175, ZoomChange::Reset), 100);
    }

    #[test]
    fn unusable_file_is_a_first_start() {
        let data = tempfile::tempdir().unwrap();
        let file = data.path().join("window.json");
        let state = |text: &str| {
            fs::write(&file, text).unwrap();
            WindowState::open(data.path()).current.into_inner()
        };
        for text in [
            "",
            "{",
            r#"{"version":2,"view":"/wiki/a","zoom":100}"#,
            r#"{"version":1,"view":"//evil.example/","zoom":100}"#,
            r#"{"version":1,"view":"/wiki/a","zoom":1}"#,
            r#"{"version":1,"view":"/wiki/a","zoom":100,"tabs":{"tabs":[],"active":0,"beside":null,"share":50}}"#,
        ] {
            assert_eq!(state(text), Stored::default(), "{text}");
        }
        let stored = state(r#"{"version":1,"view":"/wiki/a","zoom":150}"#);
        assert_eq!((stored.view.as_str(), stored.zoom), ("/wiki/a", 150));
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
        let opened = WindowState::open(data.path()).current.into_inner();
        assert_eq!(opened, Stored::default());
    }
}
