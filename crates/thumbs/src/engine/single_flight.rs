//! Single flight: a thumbnail is made at most once at a time, and all who request it wait for that result
//! (docs/spec/thumbnails.md, Requests).
//!
//! A flight that has not begun stays in the queue while it has claims. Dropping the last claim removes it at once.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use fumikura_fs::{PictureVersion, SourceFile};
use fumikura_image::Variant;
use futures_channel::oneshot;
use futures_util::FutureExt;
use parking_lot::{Condvar, Mutex, MutexGuard};

use super::ThumbError;
use super::queue::{Batch, Place, Queue};
use super::ticket::{Outcome, Receiver, Ticket};
use crate::priority::Priority;

/// The key of a flight: a thumbnail of a picture in one state.
type Key = (PictureVersion, Variant);

/// The thumbnails that are being made or are queued.
pub(super) struct SingleFlight {
    state: Mutex<FlightState>,
    has_work: Condvar,
    capacity: usize,
}

struct FlightState {
    entries: HashMap<Key, FlightEntry>,
    queue: Queue<Flight>,
    next_number: u64,
    closed: bool,
}

struct FlightEntry {
    number: u64,
    receiver: Receiver,
    claims: usize,
    /// True if the thumbnail is made even if no client waits for it.
    is_detached: bool,
    /// The place in the queue. `None` once the flight has begun: from then on later requests join it, even if
    /// all earlier claims were dropped.
    place: Option<Place>,
}

/// The way a thumbnail is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestMode {
    /// The client waits for it, also for a place in the queue.
    Wait,
    /// The client does not wait. The thumbnail is still made, unless the queue is full.
    Detach,
}

/// The duty to complete one flight. If it is dropped before, the flight ends in [`ThumbError::Failed`], so
/// that no client waits for ever.
pub(super) struct Flight {
    pub(super) source_file: SourceFile,
    pub(super) variant: Variant,
    flights: Arc<SingleFlight>,
    number: u64,
    /// The batch of a visible flight that has begun.
    batch: Option<Batch>,
    sender: Option<oneshot::Sender<Outcome>>,
}

/// A client's interest in a flight.
pub(super) struct Claim {
    flights: Arc<SingleFlight>,
    key: Key,
    number: u64,
}

impl SingleFlight {
    /// Creates flights with a queue of `capacity` places, at least one.
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            state: Mutex::new(FlightState {
                entries: HashMap::new(),
                queue: Queue::new(),
                next_number: 0,
                closed: false,
            }),
            has_work: Condvar::new(),
            capacity: capacity.max(1),
        }
    }

    /// Returns a ticket for a thumbnail: joins the existing flight, or starts a new one.
    pub(super) fn join(
        self: &Arc<Self>,
        source_file: &SourceFile,
        variant: Variant,
        priority: Priority,
        mode: RequestMode,
    ) -> Result<Ticket, ThumbError> {
        let key = (source_file.version(), variant);
        let mut state = self.lock();
        if state.closed {
            return Err(ThumbError::ShuttingDown);
        }
        let FlightState { entries, queue, .. } = &mut *state;
        if let Some(entry) = entries.get_mut(&key) {
            entry.claims += 1;
            entry.is_detached |= mode == RequestMode::Detach;
            if let Some(place) = entry.place {
                queue.raise(place, priority, Instant::now());
            }
            return Ok(self.ticket(key, entry));
        }
        if mode == RequestMode::Detach && queue.len() >= self.capacity {
            return Err(ThumbError::QueueFull);
        }
        let number = state.next_number;
        state.next_number += 1;
        let (sender, receiver) = oneshot::channel();
        let flight = Flight {
            source_file: source_file.clone(),
            variant,
            flights: Arc::clone(self),
            number,
            batch: None,
            sender: Some(sender),
        };
        let entry = FlightEntry {
            number,
            receiver: receiver.shared(),
            claims: 1,
            is_detached: mode == RequestMode::Detach,
            place: Some(state.queue.push(flight, priority, Instant::now())),
        };
        let ticket = self.ticket(key, &entry);
        state.entries.insert(key, entry);
        self.has_work.notify_one();
        Ok(ticket)
    }

    /// Begins the next flight and returns it. Blocks while there is none. Returns `None` once the flights are closed.
    pub(super) fn next(&self) -> Option<Flight> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some((mut flight, batch)) = state.queue.pop() {
                flight.batch = batch;
                if let Some(entry) = state.entries.get_mut(&flight.key()) {
                    entry.place = None;
                }
                return Some(flight);
            }
            self.has_work.wait(&mut state);
        }
    }

    /// Closes the flights to requests and workers, and returns those that will not be made.
    pub(super) fn close(&self) -> Vec<Flight> {
        let mut state = self.lock();
        state.closed = true;
        self.has_work.notify_all();
        state.queue.drain()
    }

    /// Returns the number of flights that have a place in the queue, and of those that wait for one.
    pub(super) fn queued(&self) -> (usize, usize) {
        let queued = self.lock().queue.len();
        let waiting = queued.saturating_sub(self.capacity);
        (queued - waiting, waiting)
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    fn ticket(self: &Arc<Self>, key: Key, entry: &FlightEntry) -> Ticket {
        let claim = Claim {
            flights: Arc::clone(self),
            key,
            number: entry.number,
        };
        Ticket::waiting(entry.receiver.clone(), claim)
    }

    fn lock(&self) -> MutexGuard<'_, FlightState> {
        self.state.lock()
    }
}

impl Flight {
    fn key(&self) -> Key {
        (self.source_file.version(), self.variant)
    }

    /// Completes the flight: all waiting clients get the outcome, and later requests start another flight.
    pub(super) fn end(mut self, outcome: Outcome) {
        self.complete(outcome);
    }

    fn complete(&mut self, outcome: Outcome) {
        let Some(sender) = self.sender.take() else {
            return;
        };
        let key = self.key();
        let mut state = self.flights.lock();
        // An abandoned flight may already have a successor, which another worker owns.
        let ours = state.entries.get(&key).map(|entry| entry.number);
        let entry = if ours == Some(self.number) {
            state.entries.remove(&key)
        } else {
            None
        };
        if let Some(batch) = self.batch {
            state.queue.record_answer(batch, Instant::now());
        }
        drop(state);
        // A missing receiver is not a failure: the thumbnail is in the cache.
        let _ = sender.send(outcome);
        drop(entry);
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.complete(Err(ThumbError::Failed));
    }
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Claim").field(&self.key).finish()
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut state = self.flights.lock();
        let FlightState { entries, queue, .. } = &mut *state;
        let Some(entry) = entries.get_mut(&self.key) else {
            return;
        };
        if entry.number != self.number {
            return;
        }
        entry.claims -= 1;
        let Some(place) = entry
            .place
            .filter(|_| entry.claims == 0 && !entry.is_detached)
        else {
            return;
        };
        let abandoned = (entries.remove(&self.key), queue.remove(place));
        // Dropping the flight takes the lock itself.
        drop(state);
        drop(abandoned);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Priority::{Background, Next, Visible};
    use RequestMode::{Detach, Wait};
    use fumikura_fs::{RelPath, Root, Source, platform};

    /// Pictures to request, by their names.
    struct Pictures(tempfile::TempDir);

    impl Pictures {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn find(&self, name: &str) -> SourceFile {
            let path = self.0.path().join(name);
            if !path.exists() {
                std::fs::write(path, name).unwrap();
            }
            let folder = platform::bytes_of(self.0.path().as_os_str()).to_vec();
            let path = RelPath::parse(name.as_bytes()).unwrap();
            Source::new(Arc::new(Root::own(folder)), path)
                .find()
                .unwrap()
        }
    }

    struct FlightFixture {
        flights: Arc<SingleFlight>,
        pictures: Pictures,
    }

    impl FlightFixture {
        fn new(capacity: usize) -> Self {
            Self {
                flights: Arc::new(SingleFlight::new(capacity)),
                pictures: Pictures::new(),
            }
        }

        fn join(&self, name: &str, priority: Priority, mode: RequestMode) -> Ticket {
            self.try_join(name, priority, mode).unwrap()
        }

        fn try_join(
            &self,
            name: &str,
            priority: Priority,
            mode: RequestMode,
        ) -> Result<Ticket, ThumbError> {
            let source_file = self.pictures.find(name);
            self.flights
                .join(&source_file, Variant::default(), priority, mode)
        }

        fn next(&self) -> Flight {
            assert_ne!(self.flights.queued(), (0, 0));
            self.flights.next().unwrap()
        }

        fn check_next(&self, name: &str) -> Flight {
            let flight = self.next();
            assert_eq!(
                flight.source_file.id(),
                self.pictures.find(name).id(),
                "{name}"
            );
            flight
        }
    }

    #[test]
    fn concurrent_requests_get_the_same_outcome() {
        let fixture = FlightFixture::new(9);
        let a = fixture.join("a", Next, Wait);
        let b = fixture.join("a", Next, Wait);
        assert_eq!(fixture.flights.queued(), (1, 0));
        let flight = fixture.next();
        assert!(b.now().is_none());
        flight.end(Err(ThumbError::Changing));
        assert!(matches!(a.wait(), Err(ThumbError::Changing)));
        assert!(matches!(b.wait(), Err(ThumbError::Changing)));
        fixture.join("a", Next, Wait);
        assert_eq!(fixture.flights.queued(), (0, 0));
    }

    #[test]
    fn abandoned_flight_leaves_the_queue_immediately() {
        let fixture = FlightFixture::new(1);
        let first = fixture.join("a", Next, Wait);
        let second = fixture.join("a", Visible, Wait);
        let other = second.clone();
        assert!(matches!(
            fixture.try_join("b", Background, Detach),
            Err(ThumbError::QueueFull)
        ));
        drop(first);
        drop(second);
        assert_eq!(fixture.flights.queued(), (1, 0));
        drop(other);
        assert_eq!(fixture.flights.queued(), (0, 0));
        fixture.join("b", Background, Detach);
        fixture.check_next("b");
    }

    #[test]
    fn abandoned_thumbnail_can_be_requested_again() {
        let fixture = FlightFixture::new(9);
        drop(fixture.join("a", Next, Wait));
        let ticket = fixture.join("a", Next, Wait);
        let late = fixture.join("a", Next, Wait);
        drop(ticket);
        fixture.next().end(Err(ThumbError::Changing));
        assert!(matches!(late.wait(), Err(ThumbError::Changing)));
    }

    #[test]
    fn detached_flight_is_made_without_claims() {
        let fixture = FlightFixture::new(9);
        drop(fixture.join("a", Background, Detach));
        let waits = fixture.join("b", Background, Wait);
        drop(fixture.join("b", Background, Detach));
        drop(waits);
        assert_eq!(fixture.flights.queued(), (2, 0));
        fixture.check_next("a");
        fixture.check_next("b");
    }

    #[test]
    fn late_request_joins_an_abandoned_running_flight() {
        let fixture = FlightFixture::new(9);
        let ticket = fixture.join("a", Next, Wait);
        let flight = fixture.next();
        drop(ticket);
        let late = fixture.join("a", Next, Wait);
        assert_eq!(fixture.flights.queued(), (0, 0));
        drop(flight);
        assert!(matches!(late.wait(), Err(ThumbError::Failed)));
    }

    #[test]
    fn joining_raises_the_priority_of_a_flight() {
        let fixture = FlightFixture::new(9);
        let _tickets = [
            fixture.join("a", Next, Wait),
            fixture.join("b", Background, Detach),
            fixture.join("c", Visible, Wait),
            fixture.join("b", Visible, Wait),
            fixture.join("a", Background, Detach),
        ];
        fixture.check_next("c");
        fixture.check_next("b");
        fixture.check_next("a");
    }

    #[test]
    fn waiting_requests_bypass_the_queue_limit() {
        let fixture = FlightFixture::new(2);
        let tickets = ["a", "b", "c"].map(|name| fixture.join(name, Next, Wait));
        assert_eq!(fixture.flights.queued(), (2, 1));
        for name in ["a", "b"] {
            assert!(matches!(
                fixture.try_join("d", Visible, Detach),
                Err(ThumbError::QueueFull)
            ));
            // A queued flight needs no further place.
            fixture.join("c", Background, Detach);
            fixture.check_next(name);
        }
        fixture.join("d", Visible, Detach);
        drop(tickets);
        assert_eq!(fixture.flights.queued(), (2, 0));
    }

    #[test]
    fn closing_returns_queued_flights_and_refuses_requests() {
        let fixture = FlightFixture::new(1);
        let tickets = ["a", "b"].map(|name| fixture.join(name, Next, Wait));
        fixture.join("c", Next, Wait);
        assert_eq!(fixture.flights.close().len(), 2);
        assert!(fixture.flights.next().is_none());
        for ticket in tickets {
            assert!(matches!(ticket.wait(), Err(ThumbError::Failed)));
        }
        for mode in [Wait, Detach] {
            let refused = fixture.try_join("a", Next, mode);
            assert!(matches!(refused, Err(ThumbError::ShuttingDown)));
        }
        assert!(fixture.flights.close().is_empty());
    }

    #[test]
    fn closing_wakes_waiting_workers() {
        let fixture = FlightFixture::new(1);
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| fixture.flights.next().is_none());
            fixture.flights.close();
            assert!(worker.join().unwrap());
        });
    }
}
