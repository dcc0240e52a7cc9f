//! The open connections of a listener: a bounded number. An idle one is closed for a new one.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::Limits;
use super::phase::Connection;

/// All open connections.
#[derive(Debug, Default)]
pub(super) struct Open {
    connections: Mutex<Connections>,
}

#[derive(Debug, Default)]
struct Connections {
    by_number: HashMap<u64, Arc<Connection>>,
    count: u64,
}

impl Open {
    fn with<T>(&self, work: impl FnOnce(&mut Connections) -> T) -> T {
        work(&mut self.connections.lock())
    }

    /// Admits a connection. At the maximum, it replaces the connection that has been idle longest. None if
    /// all are busy.
    pub(super) fn admit(self: &Arc<Self>, limits: Limits) -> Option<Admitted> {
        self.with(|connections| {
            if connections.by_number.len() >= limits.connections {
                connections.end_longest_rest()?;
            }
            let number = connections.count;
            connections.count += 1;
            let connection = Arc::new(Connection::new(limits));
            connections
                .by_number
                .insert(number, Arc::clone(&connection));
            Some(Admitted {
                open: Arc::clone(self),
                number,
                connection,
            })
        })
    }

    pub(super) fn end_longest_rest(&self) {
        self.with(|connections| connections.end_longest_rest());
    }
}

impl Connections {
    /// Ends the connection that has been idle longest, and removes it from the count. None if all are busy.
    fn end_longest_rest(&mut self) -> Option<()> {
        loop {
            let resting = self
                .by_number
                .iter()
                .filter_map(|(number, connection)| Some((connection.resting_since()?, *number)));
            let (_, number) = resting.min()?;
            // It may have become busy meanwhile; then the next one is tried.
            if self.by_number[&number].end() {
                self.by_number.remove(&number);
                return Some(());
            }
        }
    }
}

/// An admitted connection, which is removed when this is dropped.
pub(super) struct Admitted {
    open: Arc<Open>,
    number: u64,
    pub(super) connection: Arc<Connection>,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.open
            .with(|connections| connections.by_number.remove(&self.number));
    }
}
