//! A program that owns the X clipboard (ICCCM, "Selections").

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt, CreateWindowAux, EventMask, PropMode, SELECTION_NOTIFY_EVENT,
    SelectionNotifyEvent, SelectionRequestEvent, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{COPY_DEPTH_FROM_PARENT, COPY_FROM_PARENT, CURRENT_TIME};

use crate::stage::Display;
use crate::wait;

/// The limit of one property of a window, in bytes; larger contents would have to be transferred in parts.
const MAX_SIZE: usize = 200_000;
/// Longer than anything that is waited for meanwhile.
const TIME_LIMIT: Duration = Duration::from_secs(300);

x11rb::atom_manager! {
    /// The names of the protocol.
    Atoms: AtomsCookie {
        CLIPBOARD,
        TARGETS,
    }
}

/// The owner of a display's clipboard, with its contents.
struct Owner {
    connection: RustConnection,
    atoms: Atoms,
    kind: Atom,
    contents: Vec<u8>,
}

/// Runs `work` while the clipboard holds `contents` of that kind (`image/png`).
///
/// # Errors
/// Fails if the clipboard can't be filled, or if `work` fails.
pub async fn while_holding<T>(
    display: &Display,
    kind: &str,
    contents: Vec<u8>,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    let owner = Owner::new(display, kind, contents)?;
    let hand_out = wait::within(TIME_LIMIT, "the clipboard to be given up", async || {
        owner.hand_out()?;
        Ok(None)
    });
    tokio::select! {
        done = work => done,
        never = hand_out => never,
    }
}

impl Owner {
    fn new(display: &Display, kind: &str, contents: Vec<u8>) -> Result<Self> {
        ensure!(
            contents.len() <= MAX_SIZE,
            "this is too large to be handed out at once"
        );
        let (connection, number) = x11rb::connect(Some(display.name())).context("the X server")?;
        let root = connection.setup().roots[number].root;
        let atoms = Atoms::new(&connection)?.reply()?;
        let kind = connection
            .intern_atom(false, kind.as_bytes())?
            .reply()?
            .atom;
        let window = window(&connection, root)?;
        connection.set_selection_owner(window, atoms.CLIPBOARD, CURRENT_TIME)?;
        let owner = connection
            .get_selection_owner(atoms.CLIPBOARD)?
            .reply()?
            .owner;
        ensure!(owner == window, "another program owns the clipboard");
        Ok(Self {
            connection,
            atoms,
            kind,
            contents,
        })
    }

    /// Answers pending requests for the available kinds and for the contents.
    fn hand_out(&self) -> Result<()> {
        while let Some(event) = self.connection.poll_for_event()? {
            if let Event::SelectionRequest(request) = event {
                self.answer(&request)?;
            }
        }
        Ok(())
    }

    fn answer(&self, request: &SelectionRequestEvent) -> Result<()> {
        let (target, to) = (request.target, request.requestor);
        let is_supported = target == self.atoms.TARGETS || target == self.kind;
        if target == self.atoms.TARGETS {
            let targets = [self.atoms.TARGETS, self.kind];
            let kind = AtomEnum::ATOM;
            self.connection.change_property32(
                PropMode::REPLACE,
                to,
                request.property,
                kind,
                &targets,
            )?;
        } else if is_supported {
            self.connection.change_property8(
                PropMode::REPLACE,
                to,
                request.property,
                target,
                &self.contents,
            )?;
        }
        let notification = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: to,
            selection: request.selection,
            target,
            property: if is_supported {
                request.property
            } else {
                x11rb::NONE
            },
        };
        self.connection
            .send_event(false, to, EventMask::NO_EVENT, notification)?;
        Ok(self.connection.flush()?)
    }
}

fn window(connection: &RustConnection, root: Window) -> Result<Window> {
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
    Ok(window)
}
