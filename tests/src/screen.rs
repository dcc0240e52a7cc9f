//! The actual contents of the screen: its windows and its pixels, from the X server.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context, Result};
use x11rb::CURRENT_TIME;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt, EventMask, ImageFormat, MapState, Window,
};
use x11rb::rust_connection::RustConnection;

use crate::stage::Display;

/// The number of dark pixels in a few letters.
const SOME_LETTERS: usize = 150;

/// The source indication of a message that results from a user's action (EWMH, "Source indication").
const USER_ACTION: u32 = 2;

/// The tolerance of similar pictures: one pixel in this many may differ.
const TOLERANCE: usize = 500;

/// A view of a display from outside of every program on it.
pub struct Screen {
    connection: RustConnection,
    root: Window,
}

/// A rectangle, from the upper left corner.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// Distance from the left edge.
    pub x: i16,
    /// Distance from the upper edge.
    pub y: i16,
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
}

/// The pixels at one moment.
pub struct Picture {
    width: u32,
    height: u32,
    /// Red, green and blue, row by row.
    pixels: Vec<[u8; 3]>,
}

impl Screen {
    /// Connects to a display.
    ///
    /// # Errors
    /// Fails if its server does not answer.
    pub fn of(display: &Display) -> Result<Self> {
        let (connection, number) = x11rb::connect(Some(display.name())).context("the X server")?;
        let root = connection.setup().roots[number].root;
        Ok(Self { connection, root })
    }

    /// Returns the windows that the window manager manages, oldest first.
    ///
    /// # Errors
    /// Fails if the server does not answer.
    pub fn windows(&self) -> Result<Vec<Window>> {
        let list = self
            .connection
            .intern_atom(false, b"_NET_CLIENT_LIST")?
            .reply()?
            .atom;
        let answer = self
            .connection
            .get_property(false, self.root, list, AtomEnum::WINDOW, 0, 1024)?
            .reply()?;
        Ok(answer.value32().into_iter().flatten().collect())
    }

    /// Returns true if a menu is open: a window that the window manager does not manage (EWMH, "popup menu").
    ///
    /// # Errors
    /// Fails if the server does not answer.
    pub fn has_menu(&self) -> Result<bool> {
        let kind = self
            .connection
            .intern_atom(false, b"_NET_WM_WINDOW_TYPE")?
            .reply()?
            .atom;
        let menu = self
            .connection
            .intern_atom(false, b"_NET_WM_WINDOW_TYPE_POPUP_MENU")?
            .reply()?
            .atom;
        for window in self.connection.query_tree(self.root)?.reply()?.children {
            // A window may be gone since the list was made.
            let Ok(attributes) = self.connection.get_window_attributes(window)?.reply() else {
                continue;
            };
            let kinds = self
                .connection
                .get_property(false, window, kind, AtomEnum::ATOM, 0, 8)?;
            let is_menu = kinds
                .reply()
                .is_ok_and(|answer| answer.value32().into_iter().flatten().any(|of| of == menu));
            if is_menu && attributes.map_state == MapState::VIEWABLE {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the window above which a dialog stays.
    ///
    /// # Errors
    /// Fails if the server does not answer.
    pub fn parent(&self, dialog: Window) -> Result<Option<Window>> {
        let name = AtomEnum::WM_TRANSIENT_FOR;
        let answer = self
            .connection
            .get_property(false, dialog, name, AtomEnum::WINDOW, 0, 1)?
            .reply()?;
        Ok(answer.value32().and_then(|mut windows| windows.next()))
    }

    /// Asks the window manager to close the newest window, as a click on its close button does. A shortcut of
    /// the window manager may be lost while the keyboard mapping changes.
    ///
    /// # Errors
    /// Fails if there is no window.
    pub fn close_window(&self) -> Result<()> {
        let window = *self.windows()?.last().context("there is no window")?;
        let close = self
            .connection
            .intern_atom(false, b"_NET_CLOSE_WINDOW")?
            .reply()?
            .atom;
        let message =
            ClientMessageEvent::new(32, window, close, [CURRENT_TIME, USER_ACTION, 0, 0, 0]);
        let listeners = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.connection
            .send_event(false, self.root, listeners, message)?
            .check()?;
        Ok(())
    }

    /// Returns the pixels of a part of a window that is entirely on the screen.
    ///
    /// # Errors
    /// Fails if it is not on the screen.
    pub fn capture(&self, window: Window, area: Area) -> Result<Picture> {
        let image = self
            .connection
            .get_image(
                ImageFormat::Z_PIXMAP,
                window,
                area.x,
                area.y,
                area.width,
                area.height,
                u32::MAX,
            )?
            .reply()?;
        // Four bytes a pixel, blue first, as the display is 24 bits deep.
        let pixels = image
            .data
            .chunks_exact(4)
            .map(|pixel| [pixel[2], pixel[1], pixel[0]])
            .collect();
        Ok(Picture {
            width: area.width.into(),
            height: area.height.into(),
            pixels,
        })
    }

    /// Returns the pixels of a whole window that is entirely on the screen.
    ///
    /// # Errors
    /// Fails if it is not on the screen.
    pub fn whole(&self, window: Window) -> Result<Picture> {
        let size = self.connection.get_geometry(window)?.reply()?;
        self.capture(
            window,
            Area {
                x: 0,
                y: 0,
                width: size.width,
                height: size.height,
            },
        )
    }

    /// Returns the position of a window's upper left corner on the screen.
    ///
    /// # Errors
    /// Fails if there is no such window.
    pub fn corner(&self, window: Window) -> Result<(i16, i16)> {
        let place = self
            .connection
            .translate_coordinates(window, self.root, 0, 0)?
            .reply()?;
        Ok((place.dst_x, place.dst_y))
    }

    /// Returns a picture of the whole screen.
    ///
    /// # Errors
    /// Fails if the server does not answer.
    pub fn picture(&self) -> Result<Picture> {
        self.whole(self.root)
    }
}

impl Picture {
    /// Returns true if the picture shows letters on paper: few dark pixels among many light ones. A window
    /// that is not painted yet is all black or all grey.
    #[must_use]
    pub fn shows_text(&self) -> bool {
        let count = |wanted: fn(u8) -> bool| {
            self.pixels
                .iter()
                .filter(|pixel| pixel.iter().all(|part| wanted(*part)))
                .count()
        };
        let (ink, paper) = (count(|part| part < 80), count(|part| part > 200));
        ink >= SOME_LETTERS && paper > self.pixels.len() / 2
    }

    /// Returns the longest run of pixels in a row that are much darker than paper. Letters have short runs,
    /// an underline has a long one.
    #[must_use]
    pub fn longest_stroke(&self) -> usize {
        let is_dark = |pixel: &[u8; 3]| pixel.iter().all(|part| *part < 160);
        let rows = self.pixels.chunks(self.width as usize);
        rows.flat_map(|row| row.split(|pixel| !is_dark(pixel)))
            .map(<[_]>::len)
            .max()
            .unwrap_or(0)
    }

    /// Returns the mean brightness of a column of pixels, from 0 to 255; a negative number counts from the right.
    ///
    /// # Panics
    /// Panics if there is no such column.
    #[must_use]
    pub fn column_brightness(&self, column: i32) -> u32 {
        let width = i32::try_from(self.width).expect("a screen's width");
        let column = usize::try_from(column.rem_euclid(width)).expect("a remainder");
        let rows = self.pixels.chunks(self.width as usize);
        let sum: u32 = rows
            .map(|row| row[column].iter().copied().map(u32::from).sum::<u32>() / 3)
            .sum();
        sum / self.height
    }

    /// Returns true if two pictures of the same area differ by no more than a caret or a scroll bar.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let differing = self
            .pixels
            .iter()
            .zip(&other.pixels)
            .filter(|(one, two)| one != two)
            .count();
        self.pixels.len() == other.pixels.len() && differing * TOLERANCE < self.pixels.len()
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    /// Fails if it can't be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        let mut encoder =
            png::Encoder::new(BufWriter::new(File::create(path)?), self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder
            .write_header()?
            .write_image_data(self.pixels.as_flattened())?;
        Ok(())
    }
}
