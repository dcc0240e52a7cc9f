//! Single flight: one thumbnail is made once at a time, and all who want it wait for that
//! (thumbnail-server.md §5).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_channel::oneshot;
use futures_util::FutureExt;

use super::ThumbError;
use super::ticket::{Outcome, Receiver, Ticket, WeakReceiver};
use crate::fingerprint::ThumbId;
use crate::variant::Variant;

/// What is made: a thumbnail of a picture in one state.
type Key = (ThumbId, Variant);

/// The thumbnails that are being made or will be.
#[derive(Debug, Default)]
pub(super) struct Flights {
    air: Mutex<Air>,
}

#[derive(Debug, Default)]
struct Air {
    flights: HashMap<Key, Entry>,
    next_number: u64,
}

#[derive(Debug)]
struct Entry {
    number: u64,
    receiver: WeakReceiver,
    /// Keeps the flight wanted when nobody holds a ticket: it was asked for without waiting, or it
    /// has begun and late-comers must find it.
    kept: Option<Receiver>,
}

/// Whether a request is the first for its thumbnail.
#[derive(Debug)]
pub(super) enum Boarding {
    /// Somebody asked before; the ticket is for the same outcome.
    Joined(Ticket),
    /// Nobody did: the flight must now be queued or refused.
    First(Ticket, Flight),
}

/// The duty to bring one flight to its end. Dropped without that, it ends in
/// [`ThumbError::Failed`], so that nobody waits for ever.
#[derive(Debug)]
pub(super) struct Flight {
    flights: Arc<Flights>,
    key: Key,
    number: u64,
    sender: Option<oneshot::Sender<Outcome>>,
}

impl Flights {
    /// A ticket for `key`. With `keep`, the thumbnail is made even if all tickets are dropped.
    pub(super) fn board(self: &Arc<Self>, key: Key, keep: bool) -> Boarding {
        let mut air = self.lock();
        if let Some(entry) = air.flights.get_mut(&key)
            && let Some(receiver) = entry.receiver.upgrade()
        {
            if keep {
                entry.kept = Some(receiver.clone());
            }
            return Boarding::Joined(Ticket::waiting(receiver));
        }
        // Nobody waits for a flight that may still be queued under this key: this one replaces it.
        let (sender, receiver) = oneshot::channel();
        let receiver = receiver.shared();
        let number = air.next_number;
        air.next_number += 1;
        air.flights.insert(
            key,
            Entry {
                number,
                receiver: receiver
                    .downgrade()
                    .expect("BUG: a future that was never polled has not ended"),
                kept: keep.then(|| receiver.clone()),
            },
        );
        let flight = Flight {
            flights: Arc::clone(self),
            key,
            number,
            sender: Some(sender),
        };
        Boarding::First(Ticket::waiting(receiver), flight)
    }

    fn lock(&self) -> MutexGuard<'_, Air> {
        self.air.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Flight {
    /// Begins the work, unless nobody wants it any more. From now on late-comers join it even when
    /// those who wanted it have gone.
    pub(super) fn begin(&self) -> bool {
        let mut air = self.flights.lock();
        let entry = air.flights.get_mut(&self.key);
        match entry.filter(|entry| entry.number == self.number) {
            Some(entry) => {
                entry.kept = entry.receiver.upgrade();
                entry.kept.is_some()
            }
            None => false,
        }
    }

    /// Ends the flight: all who wait get the outcome, and who asks from now on starts another.
    pub(super) fn end(mut self, outcome: Outcome) {
        self.land(outcome);
    }

    fn land(&mut self, outcome: Outcome) {
        let Some(sender) = self.sender.take() else {
            return;
        };
        let mut air = self.flights.lock();
        let ours = air.flights.get(&self.key);
        let entry = if ours.is_some_and(|entry| entry.number == self.number) {
            air.flights.remove(&self.key)
        } else {
            None
        };
        drop(air);
        // That nobody waits any more is no failure: the thumbnail lies in the cache.
        let _ = sender.send(outcome);
        drop(entry);
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.land(Err(ThumbError::Failed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        (ThumbId::from_bytes([1; 20]), Variant::default())
    }

    fn first(flights: &Arc<Flights>, keep: bool) -> (Ticket, Flight) {
        match flights.board(key(), keep) {
            Boarding::First(ticket, flight) => (ticket, flight),
            Boarding::Joined(_) => panic!("joined another flight"),
        }
    }

    fn joined(flights: &Arc<Flights>, keep: bool) -> Ticket {
        match flights.board(key(), keep) {
            Boarding::Joined(ticket) => ticket,
            Boarding::First(..) => panic!("a flight of its own"),
        }
    }

    #[test]
    fn all_who_ask_meanwhile_get_the_same_outcome() {
        let flights = Arc::new(Flights::default());
        let (a, flight) = first(&flights, false);
        let b = joined(&flights, false);
        assert!(flight.begin());
        assert!(b.now().is_none());
        flight.end(Err(ThumbError::Changing));
        assert!(matches!(a.wait(), Err(ThumbError::Changing)));
        assert!(matches!(b.wait(), Err(ThumbError::Changing)));
        first(&flights, false);
    }

    #[test]
    fn what_nobody_wants_any_more_is_not_begun() {
        let flights = Arc::new(Flights::default());
        let (ticket, flight) = first(&flights, false);
        drop(ticket);
        assert!(!flight.begin());
    }

    #[test]
    fn a_flight_that_was_replaced_leaves_its_successor_alone() {
        let flights = Arc::new(Flights::default());
        let (ticket, abandoned) = first(&flights, false);
        drop(ticket);
        let (second, flight) = first(&flights, false);
        assert!(!abandoned.begin());
        drop(abandoned);
        let third = joined(&flights, false);
        assert!(flight.begin());
        flight.end(Err(ThumbError::Changing));
        assert!(matches!(second.wait(), Err(ThumbError::Changing)));
        assert!(matches!(third.wait(), Err(ThumbError::Changing)));
    }

    #[test]
    fn what_is_kept_is_made_without_anybody_waiting() {
        let flights = Arc::new(Flights::default());
        let (ticket, flight) = first(&flights, true);
        drop(ticket);
        assert!(flight.begin());

        let flights = Arc::new(Flights::default());
        let (ticket, flight) = first(&flights, false);
        drop(joined(&flights, true));
        drop(ticket);
        assert!(flight.begin());
    }

    #[test]
    fn late_comers_join_what_has_begun_even_when_all_others_have_gone() {
        let flights = Arc::new(Flights::default());
        let (ticket, flight) = first(&flights, false);
        assert!(flight.begin());
        drop(ticket);
        let late = joined(&flights, false);
        drop(flight);
        assert!(matches!(late.wait(), Err(ThumbError::Failed)));
    }
}
