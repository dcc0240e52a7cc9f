//! The open connections of a listener: a bounded number. An idle one is closed for a new one.
//!
//! Clients that were let in and strangers have separate shares, and connections are only replaced within a share. A
//! connection that is not of the server's user begins as a stranger's, and moves when a request of it is let in.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use super::Limits;
use super::phase::Connection;

/// The share of the connections to which one belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConnectionShare {
    /// Those of the server's user, and those on which a request was let in: three quarters.
    LetIn,
    /// All others: a quarter.
    Strangers,
}

/// All open connections.
#[derive(Debug, Default)]
pub(super) struct OpenConnections {
    connections: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    let_in: Connections,
    strangers: Connections,
    count: u64,
}

/// The connections of a share, by their numbers.
#[derive(Debug, Default)]
struct Connections(HashMap<u64, Arc<Connection>>);

impl OpenConnections {
    fn with<T>(&self, work: impl FnOnce(&mut Table) -> T) -> T {
        work(&mut self.connections.lock())
    }

    /// Admits a connection. At the maximum of its share, it replaces the connection that has been idle longest. `None`
    /// if all are busy.
    pub(super) fn admit(
        self: &Arc<Self>,
        share: ConnectionShare,
        limits: Limits,
    ) -> Option<Arc<ConnectionSlot>> {
        self.with(|table| {
            let number = table.count;
            table.count += 1;
            let connection = Arc::new(Connection::new(limits));
            let connections = table.of(share);
            connections.make_room(limits.of(share))?;
            connections.0.insert(number, Arc::clone(&connection));
            Some(Arc::new(ConnectionSlot {
                open: Arc::clone(self),
                number,
                is_let_in: AtomicBool::new(share == ConnectionShare::LetIn),
                limits,
                connection,
            }))
        })
    }

    /// Closes the connection that has been idle longest, rather a stranger's.
    pub(super) fn close_longest_idle(&self) {
        self.with(|table| {
            let closed = table.strangers.close_longest_idle();
            closed.or_else(|| table.let_in.close_longest_idle())
        });
    }
}

impl Table {
    fn of(&mut self, share: ConnectionShare) -> &mut Connections {
        match share {
            ConnectionShare::LetIn => &mut self.let_in,
            ConnectionShare::Strangers => &mut self.strangers,
        }
    }
}

impl Connections {
    /// Makes room for another connection. `None` if all are busy.
    fn make_room(&mut self, maximum: usize) -> Option<()> {
        match self.0.len() < maximum {
            true => Some(()),
            false => self.close_longest_idle(),
        }
    }

    /// Closes the connection that has been idle longest, and removes it from the count. `None` if all are busy.
    fn close_longest_idle(&mut self) -> Option<()> {
        loop {
            let idle = self
                .0
                .iter()
                .filter_map(|(number, connection)| Some((connection.idle_since()?, *number)));
            let (_, number) = idle.min()?;
            // It may have become busy meanwhile; then the next one is tried.
            if self.0[&number].close() {
                self.0.remove(&number);
                return Some(());
            }
        }
    }
}

/// The slot of an admitted connection, which is freed when this is dropped.
pub(crate) struct ConnectionSlot {
    open: Arc<OpenConnections>,
    number: u64,
    is_let_in: AtomicBool,
    limits: Limits,
    pub(super) connection: Arc<Connection>,
}

impl ConnectionSlot {
    /// Moves the connection to the share of the clients that were let in, because a request of it was. While all of
    /// these are busy, it stays where it is.
    pub(crate) fn let_in(&self) {
        if self.is_let_in.load(Ordering::Relaxed) {
            return;
        }
        self.open.with(|table| {
            // It may have been closed for another one.
            let is_open = table.strangers.0.contains_key(&self.number);
            let maximum = self.limits.of(ConnectionShare::LetIn);
            if !is_open || table.let_in.make_room(maximum).is_none() {
                return;
            }
            if let Some(connection) = table.strangers.0.remove(&self.number) {
                table.let_in.0.insert(self.number, connection);
                self.is_let_in.store(true, Ordering::Relaxed);
            }
        });
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.open.with(|table| {
            let removed = table.let_in.0.remove(&self.number);
            removed.or_else(|| table.strangers.0.remove(&self.number))
        });
    }
}
