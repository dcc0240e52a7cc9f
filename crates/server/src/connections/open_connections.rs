//! The open connections of a listener: a bounded number. An idle one is closed for a new one.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::Limits;
use super::phase::Connection;

/// All open connections.
#[derive(Debug, Default)]
pub(super) struct OpenConnections {
    connections: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    by_number: HashMap<u64, Arc<Connection>>,
    count: u64,
}

impl OpenConnections {
    fn with<T>(&self, work: impl FnOnce(&mut Table) -> T) -> T {
        work(&mut self.connections.lock())
    }

    /// Admits a connection. At the maximum, it replaces the connection that has been idle longest. `None` if
    /// all are busy.
    pub(super) fn admit(self: &Arc<Self>, limits: Limits) -> Option<ConnectionSlot> {
        self.with(|connections| {
            if connections.by_number.len() >= limits.connections {
                connections.close_longest_idle()?;
            }
            let number = connections.count;
            connections.count += 1;
            let connection = Arc::new(Connection::new(limits));
            connections
                .by_number
                .insert(number, Arc::clone(&connection));
            Some(ConnectionSlot {
                open: Arc::clone(self),
                number,
                connection,
            })
        })
    }

    pub(super) fn close_longest_idle(&self) {
        self.with(|connections| connections.close_longest_idle());
    }
}

impl Table {
    /// Closes the connection that has been idle longest, and removes it from the count. `None` if all are busy.
    fn close_longest_idle(&mut self) -> Option<()> {
        loop {
            let idle = self
                .by_number
                .iter()
                .filter_map(|(number, connection)| Some((connection.idle_since()?, *number)));
            let (_, number) = idle.min()?;
            // It may have become busy meanwhile; then the next one is tried.
            if self.by_number[&number].close() {
                self.by_number.remove(&number);
                return Some(());
            }
        }
    }
}

/// The slot of an admitted connection, which is freed when this is dropped.
pub(super) struct ConnectionSlot {
    open: Arc<OpenConnections>,
    number: u64,
    pub(super) connection: Arc<Connection>,
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.open
            .with(|connections| connections.by_number.remove(&self.number));
    }
}
