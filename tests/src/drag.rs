//! Files dragged from another program and dropped on a window, by X drag and drop (the XDND protocol, version 5).

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use reqwest::Url;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageData, ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask,
    PropMode, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, Window,
    WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{COPY_DEPTH_FROM_PARENT, COPY_FROM_PARENT, CURRENT_TIME};

use crate::stage::Display;
use crate::wait;

const VERSION: u32 = 5;

x11rb::atom_manager! {
    /// The names of the protocol.
    Atoms: AtomsCookie {
        XdndAware,
        XdndSelection,
        XdndEnter,
        XdndPosition,
        XdndStatus,
        XdndDrop,
        XdndFinished,
        XdndActionCopy,
        TARGETS,
        UriList: b"text/uri-list",
    }
}

/// The program that files are dragged from.
struct Source {
    connection: RustConnection,
    atoms: Atoms,
    window: Window,
    target: Window,
    /// The URIs of the files, one a line.
    list: Vec<u8>,
}

/// Drops files on the middle of a window.
///
/// # Errors
/// Fails if the window takes no files.
pub async fn files_onto(display: &Display, target: Window, files: &[&Path]) -> Result<()> {
    let source = Source::new(display, target, files)?;
    let (x, y) = source.middle()?;
    let place = (u32::from(x) << 16) | u32::from(y);
    let own = source.window;
    source.send_message(
        source.atoms.XdndEnter,
        [own, VERSION << 24, source.atoms.UriList, 0, 0],
    )?;
    let copy = source.atoms.XdndActionCopy;
    source.send_message(
        source.atoms.XdndPosition,
        [own, 0, place, CURRENT_TIME, copy],
    )?;
    let status = source.answer(source.atoms.XdndStatus).await?;
    ensure!(status[1] & 1 == 1, "the window takes no files");
    source.send_message(source.atoms.XdndDrop, [own, 0, CURRENT_TIME, 0, 0])?;
    source.answer(source.atoms.XdndFinished).await?;
    Ok(())
}

impl Source {
    fn new(display: &Display, target: Window, files: &[&Path]) -> Result<Self> {
        let (connection, number) = x11rb::connect(Some(display.name())).context("the X server")?;
        let root = connection.setup().roots[number].root;
        let atoms = Atoms::new(&connection)?.reply()?;
        let aware = connection
            .get_property(false, target, atoms.XdndAware, AtomEnum::ANY, 0, 1)?
            .reply()?;
        ensure!(
            aware.value_len > 0,
            "the window does not accept dragged files"
        );
        let window = connection.generate_id()?;
        connection.create_window(
            COPY_DEPTH_FROM_PARENT,
            window,
            root,
            0,
            0,
            1,
            1,
            0,
            WindowClass::INPUT_OUTPUT,
            COPY_FROM_PARENT,
            &CreateWindowAux::new(),
        )?;
        connection.set_selection_owner(window, atoms.XdndSelection, CURRENT_TIME)?;
        connection.flush()?;
        let mut list = Vec::new();
        for file in files {
            let address = Url::from_file_path(file);
            let address = address.map_err(|()| anyhow!("{} is not absolute", file.display()))?;
            list.extend_from_slice(format!("{address}\r\n").as_bytes());
        }
        Ok(Self {
            connection,
            atoms,
            window,
            target,
            list,
        })
    }

    /// Returns the middle of the target on the screen.
    fn middle(&self) -> Result<(u16, u16)> {
        let size = self.connection.get_geometry(self.target)?.reply()?;
        let middle = (size.width / 2, size.height / 2);
        let root = size.root;
        let place = self
            .connection
            .translate_coordinates(
                self.target,
                root,
                middle.0.cast_signed(),
                middle.1.cast_signed(),
            )?
            .reply()?;
        Ok((place.dst_x.cast_unsigned(), place.dst_y.cast_unsigned()))
    }

    fn send_message(&self, kind: u32, data: [u32; 5]) -> Result<()> {
        let message = ClientMessageEvent::new(32, self.target, kind, ClientMessageData::from(data));
        self.connection
            .send_event(false, self.target, EventMask::NO_EVENT, message)?;
        Ok(self.connection.flush()?)
    }

    /// Waits for a message of the target, and meanwhile answers requests for the files' URIs.
    async fn answer(&self, kind: u32) -> Result<[u32; 5]> {
        wait::until("the window to answer the drag", async || {
            while let Some(event) = self.connection.poll_for_event()? {
                if let Event::SelectionRequest(request) = &event {
                    self.hand_out(request)?;
                }
                if let Event::ClientMessage(message) = &event
                    && message.type_ == kind
                {
                    return Ok(Some(message.data.as_data32()));
                }
            }
            Ok(None)
        })
        .await
    }

    fn hand_out(&self, request: &SelectionRequestEvent) -> Result<()> {
        let (target, property) = (request.target, request.property);
        let is_supported = target == self.atoms.UriList || target == self.atoms.TARGETS;
        if target == self.atoms.TARGETS {
            let targets = [self.atoms.TARGETS, self.atoms.UriList];
            self.connection.change_property32(
                PropMode::REPLACE,
                request.requestor,
                property,
                AtomEnum::ATOM,
                &targets,
            )?;
        } else if is_supported {
            self.connection.change_property8(
                PropMode::REPLACE,
                request.requestor,
                property,
                target,
                &self.list,
            )?;
        }
        let notification = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: request.requestor,
            selection: request.selection,
            target,
            property: if is_supported { property } else { x11rb::NONE },
        };
        self.connection
            .send_event(false, request.requestor, EventMask::NO_EVENT, notification)?;
        Ok(self.connection.flush()?)
    }
}
