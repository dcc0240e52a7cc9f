//! The phase of one connection, and its time limits.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::Limits;

/// The phase of a connection.
#[derive(Debug, Clone, Copy)]
enum Phase {
    /// No request has begun since that time.
    Idle(Instant),
    /// The head of a request has been arriving since that time.
    Head(Instant),
    /// A request is being answered.
    Busy,
    /// The connection is to be closed.
    Closed,
}

/// The shared state of a connection.
#[derive(Debug)]
pub(super) struct Connection {
    phase: Mutex<Phase>,
    /// Notified when the connection is closed.
    closed: Notify,
    limits: Limits,
}

impl Connection {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            phase: Mutex::new(Phase::Idle(Instant::now())),
            closed: Notify::new(),
            limits,
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut Phase) -> T) -> T {
        change(&mut self.phase.lock())
    }

    /// Records that bytes arrived: the head of a request, unless one is in flight already.
    pub(super) fn receives(&self) {
        self.change(|phase| {
            if let Phase::Idle(_) = phase {
                *phase = Phase::Head(Instant::now());
            }
        });
    }

    /// Records that bytes were sent. The rest of a response may still be in transit when its request is done,
    /// and a connection with a slow reader is not idle.
    pub(super) fn sends(&self) {
        self.change(|phase| {
            if let Phase::Idle(since) = phase {
                *since = Instant::now();
            }
        });
    }

    /// Begins a request, unless the connection is closed.
    pub(super) fn begin(self: &Arc<Self>) -> Option<InFlight> {
        let begins = self.change(|phase| match phase {
            Phase::Idle(_) | Phase::Head(_) | Phase::Busy => {
                *phase = Phase::Busy;
                true
            }
            Phase::Closed => false,
        });
        begins.then(|| InFlight(Arc::clone(self)))
    }

    /// Returns true if the head of a request is arriving.
    pub(super) fn is_reading_a_head(&self) -> bool {
        self.change(|phase| matches!(phase, Phase::Head(_)))
    }

    /// Returns the time since which no request is in flight, if none is.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        self.change(|phase| match phase {
            Phase::Idle(since) | Phase::Head(since) => Some(*since),
            Phase::Busy | Phase::Closed => None,
        })
    }

    /// Closes the connection if no request is in flight.
    pub(super) fn close(&self) -> bool {
        let ends = self.change(|phase| match phase {
            Phase::Idle(_) | Phase::Head(_) => {
                *phase = Phase::Closed;
                true
            }
            Phase::Busy | Phase::Closed => false,
        });
        if ends {
            self.closed.notify_one();
        }
        ends
    }

    /// Closes the connection if it has exceeded its time limit.
    fn close_if_late(&self, now: Instant) -> bool {
        self.change(|phase| {
            let (since, limit) = match phase {
                Phase::Idle(since) => (*since, self.limits.idle),
                Phase::Head(since) => (*since, self.limits.head),
                Phase::Busy => return false,
                Phase::Closed => return true,
            };
            let is_late = now.saturating_duration_since(since) >= limit;
            if is_late {
                *phase = Phase::Closed;
            }
            is_late
        })
    }

    /// Returns when the connection is closed. It may exceed its limit a little, because the limits are polled
    /// and requests need not wake a task.
    pub(super) async fn closed(&self) {
        let interval = self.limits.head.min(self.limits.idle) / 2;
        loop {
            tokio::select! {
                () = self.closed.notified() => return,
                () = tokio::time::sleep(interval) => {
                    if self.close_if_late(Instant::now()) {
                        return;
                    }
                }
            }
        }
    }
}

/// A request in flight: from its head to the end of the response's body.
pub(super) struct InFlight(Arc<Connection>);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.change(|phase| *phase = Phase::Idle(Instant::now()));
    }
}
