//! Single flight: a thumbnail is made at most once at a time, and all who request it wait for that result
//! (docs/spec/thumbnails.md, Requests).
//!
//! A flight that has not begun stays in the queue while it has claims. Dropping the last claim removes it at once.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use fumikura_fs::{Found, PictureVersion};
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
pub(super) struct Flights {
    air: Mutex<Air>,
    called: Condvar,
    capacity: usize,
}

struct Air {
    entries: HashMap<Key, Entry>,
    queue: Queue<Flight>,
    next_number: u64,
    closed: bool,
}

struct Entry {
    number: u64,
    receiver: Receiver,
    claims: usize,
    /// True if the thumbnail is made even if no client waits for it.
    kept: bool,
    /// The place in the queue. `None` once the flight has begun: from then on later requests join it, even if
    /// all earlier claims were dropped.
    place: Option<Place>,
}

/// The way a thumbnail is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asking {
    /// The client waits for it, also for a place in the queue.
    Waiting,
    /// The client does not wait. The thumbnail is made nevertheless, unless the queue is full.
    Leaving,
}

/// The duty to complete one flight. If it is dropped before, the flight ends in [`ThumbError::Failed`], so
/// that no client waits for ever.
pub(super) struct Flight {
    pub(super) found: Found,
    pub(super) variant: Variant,
    flights: Arc<Flights>,
    number: u64,
    /// The batch of a visible flight that has begun.
    batch: Option<Batch>,
    sender: Option<oneshot::Sender<Outcome>>,
}

/// A client's interest in a flight.
pub(super) struct Claim {
    flights: Arc<Flights>,
    key: Key,
    number: u64,
}

impl Flights {
    /// Creates flights with a queue of `capacity` places, at least one.
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            air: Mutex::new(Air {
                entries: HashMap::new(),
                queue: Queue::new(),
                next_number: 0,
                closed: false,
            }),
            called: Condvar::new(),
            capacity: capacity.max(1),
        }
    }

    /// Returns a ticket for a thumbnail: joins the existing flight, or starts a new one.
    pub(super) fn board(
        self: &Arc<Self>,
        found: &Found,
        variant: Variant,
        priority: Priority,
        asking: Asking,
    ) -> Result<Ticket, ThumbError> {
        let key = (found.version(), variant);
        let mut air = self.lock();
        if air.closed {
            return Err(ThumbError::ShuttingDown);
        }
        let Air { entries, queue, .. } = &mut *air;
        if let Some(entry) = entries.get_mut(&key) {
            entry.claims += 1;
            entry.kept |= asking == Asking::Leaving;
            if let Some(place) = entry.place {
                queue.raise(place, priority, Instant::now());
            }
            return Ok(self.ticket(key, entry));
        }
        if asking == Asking::Leaving && queue.len() >= self.capacity {
            return Err(ThumbError::QueueFull);
        }
        let number = air.next_number;
        air.next_number += 1;
        let (sender, receiver) = oneshot::channel();
        let flight = Flight {
            found: found.clone(),
            variant,
            flights: Arc::clone(self),
            number,
            batch: None,
            sender: Some(sender),
        };
        let entry = Entry {
            number,
            receiver: receiver.shared(),
            claims: 1,
            kept: asking == Asking::Leaving,
            place: Some(air.queue.push(flight, priority, Instant::now())),
        };
        let ticket = self.ticket(key, &entry);
        air.entries.insert(key, entry);
        self.called.notify_one();
        Ok(ticket)
    }

    /// Begins the next flight and returns it. Blocks while there is none. Returns `None` once the flights are closed.
    pub(super) fn next(&self) -> Option<Flight> {
        let mut air = self.lock();
        loop {
            if air.closed {
                return None;
            }
            if let Some((mut flight, batch)) = air.queue.pop() {
                flight.batch = batch;
                if let Some(entry) = air.entries.get_mut(&flight.key()) {
                    entry.place = None;
                }
                return Some(flight);
            }
            self.called.wait(&mut air);
        }
    }

    /// Closes the flights to requests and workers, and returns those that will not be made.
    pub(super) fn close(&self) -> Vec<Flight> {
        let mut air = self.lock();
        air.closed = true;
        self.called.notify_all();
        air.queue.drain()
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

    fn ticket(self: &Arc<Self>, key: Key, entry: &Entry) -> Ticket {
        let claim = Claim {
            flights: Arc::clone(self),
            key,
            number: entry.number,
        };
        Ticket::waiting(entry.receiver.clone(), claim)
    }

    fn lock(&self) -> MutexGuard<'_, Air> {
        self.air.lock()
    }
}

impl Flight {
    fn key(&self) -> Key {
        (self.found.version(), self.variant)
    }

    /// Completes the flight: all waiting clients get the outcome, and later requests start another flight.
    pub(super) fn end(mut self, outcome: Outcome) {
        self.land(outcome);
    }

    fn land(&mut self, outcome: Outcome) {
        let Some(sender) = self.sender.take() else {
            return;
        };
        let key = self.key();
        let mut air = self.flights.lock();
        // An abandoned flight may already have a successor, which another worker owns.
        let ours = air.entries.get(&key).map(|entry| entry.number);
        let entry = if ours == Some(self.number) {
            air.entries.remove(&key)
        } else {
            None
        };
        if let Some(batch) = self.batch {
            air.queue.answered(batch, Instant::now());
        }
        drop(air);
        // A missing receiver is not a failure: the thumbnail is in the cache.
        let _ = sender.send(outcome);
        drop(entry);
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.land(Err(ThumbError::Failed));
    }
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Claim").field(&self.key).finish()
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut air = self.flights.lock();
        let Air { entries, queue, .. } = &mut *air;
        let Some(entry) = entries.get_mut(&self.key) else {
            return;
        };
        if entry.number != self.number {
            return;
        }
        entry.claims -= 1;
        let Some(place) = entry.place.filter(|_| entry.claims == 0 && !entry.kept) else {
            return;
        };
        let abandoned = (entries.remove(&self.key), queue.remove(place));
        // Dropping the flight takes the lock itself.
        drop(air);
        drop(abandoned);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Asking::{Leaving, Waiting};
    use Priority::{Background, Next, Visible};
    use fumikura_fs::{RelPath, Root, Source, platform};

    /// Pictures to request, by their names.
    struct Pictures(tempfile::TempDir);

    impl Pictures {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn find(&self, name: &str) -> Found {
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

    struct Tower {
        flights: Arc<Flights>,
        pictures: Pictures,
    }

    impl Tower {
        fn new(capacity: usize) -> Self {
            Self {
                flights: Arc::new(Flights::new(capacity)),
                pictures: Pictures::new(),
            }
        }

        fn board(&self, name: &str, priority: Priority, asking: Asking) -> Ticket {
            self.try_board(name, priority, asking).unwrap()
        }

        fn try_board(
            &self,
            name: &str,
            priority: Priority,
            asking: Asking,
        ) -> Result<Ticket, ThumbError> {
            let found = self.pictures.find(name);
            self.flights
                .board(&found, Variant::default(), priority, asking)
        }

        fn next(&self) -> Flight {
            assert_ne!(self.flights.queued(), (0, 0));
            self.flights.next().unwrap()
        }

        fn is_next(&self, name: &str) -> Flight {
            let flight = self.next();
            assert_eq!(flight.found.id(), self.pictures.find(name).id(), "{name}");
            flight
        }
    }

    #[test]
    fn all_who_ask_meanwhile_get_the_same_outcome() {
        let tower = Tower::new(9);
        let a = tower.board("a", Next, Waiting);
        let b = tower.board("a", Next, Waiting);
        assert_eq!(tower.flights.queued(), (1, 0));
        let flight = tower.next();
        assert!(b.now().is_none());
        flight.end(Err(ThumbError::Changing));
        assert!(matches!(a.wait(), Err(ThumbError::Changing)));
        assert!(matches!(b.wait(), Err(ThumbError::Changing)));
        tower.board("a", Next, Waiting);
        assert_eq!(tower.flights.queued(), (0, 0));
    }

    #[test]
    fn what_nobody_wants_any_more_leaves_the_queue_at_once() {
        let tower = Tower::new(1);
        let first = tower.board("a", Next, Waiting);
        let second = tower.board("a", Visible, Waiting);
        let other = second.clone();
        assert!(matches!(
            tower.try_board("b", Background, Leaving),
            Err(ThumbError::QueueFull)
        ));
        drop(first);
        drop(second);
        assert_eq!(tower.flights.queued(), (1, 0));
        drop(other);
        assert_eq!(tower.flights.queued(), (0, 0));
        tower.board("b", Background, Leaving);
        tower.is_next("b");
    }

    #[test]
    fn who_wants_again_what_was_given_up_gets_it() {
        let tower = Tower::new(9);
        drop(tower.board("a", Next, Waiting));
        let ticket = tower.board("a", Next, Waiting);
        let late = tower.board("a", Next, Waiting);
        drop(ticket);
        tower.next().end(Err(ThumbError::Changing));
        assert!(matches!(late.wait(), Err(ThumbError::Changing)));
    }

    #[test]
    fn what_is_kept_is_made_without_anybody_waiting() {
        let tower = Tower::new(9);
        drop(tower.board("a", Background, Leaving));
        let waits = tower.board("b", Background, Waiting);
        drop(tower.board("b", Background, Leaving));
        drop(waits);
        assert_eq!(tower.flights.queued(), (2, 0));
        tower.is_next("a");
        tower.is_next("b");
    }

    #[test]
    fn late_comers_join_what_has_begun_even_when_all_others_have_gone() {
        let tower = Tower::new(9);
        let ticket = tower.board("a", Next, Waiting);
        let flight = tower.next();
        drop(ticket);
        let late = tower.board("a", Next, Waiting);
        assert_eq!(tower.flights.queued(), (0, 0));
        drop(flight);
        assert!(matches!(late.wait(), Err(ThumbError::Failed)));
    }

    #[test]
    fn who_joins_makes_a_flight_as_urgent_as_they_are() {
        let tower = Tower::new(9);
        let _tickets = [
            tower.board("a", Next, Waiting),
            tower.board("b", Background, Leaving),
            tower.board("c", Visible, Waiting),
            tower.board("b", Visible, Waiting),
            tower.board("a", Background, Leaving),
        ];
        tower.is_next("c");
        tower.is_next("b");
        tower.is_next("a");
    }

    #[test]
    fn whoever_waits_needs_no_place_and_is_overtaken_by_nobody_who_does_not() {
        let tower = Tower::new(2);
        let tickets = ["a", "b", "c"].map(|name| tower.board(name, Next, Waiting));
        assert_eq!(tower.flights.queued(), (2, 1));
        for name in ["a", "b"] {
            assert!(matches!(
                tower.try_board("d", Visible, Leaving),
                Err(ThumbError::QueueFull)
            ));
            // A queued flight needs no further place.
            tower.board("c", Background, Leaving);
            tower.is_next(name);
        }
        tower.board("d", Visible, Leaving);
        drop(tickets);
        assert_eq!(tower.flights.queued(), (2, 0));
    }

    #[test]
    fn a_closed_tower_hands_back_everything_and_takes_nothing() {
        let tower = Tower::new(1);
        let tickets = ["a", "b"].map(|name| tower.board(name, Next, Waiting));
        tower.board("c", Next, Waiting);
        assert_eq!(tower.flights.close().len(), 2);
        assert!(tower.flights.next().is_none());
        for ticket in tickets {
            assert!(matches!(ticket.wait(), Err(ThumbError::Failed)));
        }
        for asking in [Waiting, Leaving] {
            let refused = tower.try_board("a", Next, asking);
            assert!(matches!(refused, Err(ThumbError::ShuttingDown)));
        }
        assert!(tower.flights.close().is_empty());
    }

    #[test]
    fn closing_wakes_those_who_wait_for_a_flight() {
        let tower = Tower::new(1);
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| tower.flights.next().is_none());
            tower.flights.close();
            assert!(worker.join().unwrap());
        });
    }
}
