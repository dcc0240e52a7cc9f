//! The shares of the server that its clients may occupy: requests in flight, event streams, and long work by its
//! kind. No client can occupy the server alone, and all clients without credentials have one share together.

mod streams;
mod work;

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fumikura_wiki::SessionKey;
use parking_lot::Mutex;

use crate::auth::AccessTokenId;
use crate::error::{ApiError, ErrorCode};

pub(crate) use streams::StreamSlot;
pub(crate) use work::{WorkKind, WorkPlace, WorkTurn};

use streams::EventStreams;
use work::WorkQueues;

/// The number of connections before a listener sets its own.
const CONNECTIONS: usize = 1024;
/// The least number of requests in flight that a client may have, however few connections there are.
const MIN_IN_FLIGHT: usize = 4;
/// The seconds after which a refused client may try again.
const RETRY_AFTER: u64 = 1;

/// The owner of a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ShareKey {
    /// The programs of the server's user: those with the Bearer token, and those without credentials.
    Own,
    /// The programs with the key of `/get` and `/queue`.
    Keyed,
    /// A browser with a session.
    Session(SessionKey),
    /// A program with an access token.
    Token(AccessTokenId),
    /// All clients of other users without credentials.
    Strangers,
}

impl ShareKey {
    /// Returns true if the client was let in.
    pub(crate) fn is_let_in(self) -> bool {
        match self {
            Self::Own | Self::Keyed | Self::Session(_) | Self::Token(_) => true,
            Self::Strangers => false,
        }
    }

    /// Returns the error for a client whose share is used up.
    fn used_up(self) -> ApiError {
        let refused = match self {
            Self::Strangers => ApiError::new(
                ErrorCode::ServerBusy,
                "the places for clients that are not signed in are taken; try again in a moment",
            ),
            Self::Own | Self::Keyed | Self::Session(_) | Self::Token(_) => ApiError::new(
                ErrorCode::TooMuchWork,
                "too much of this client’s work is running or waiting; try again in a moment",
            ),
        };
        refused.retry_after(RETRY_AFTER)
    }
}

/// The shares in use.
pub(crate) struct Shares {
    shares: Mutex<HashMap<ShareKey, Arc<Share>>>,
    /// The maximum number of connections of the listener.
    connections: AtomicUsize,
    /// The number of thumbnails made at the same time.
    thumbnail_workers: usize,
}

/// The share of one client.
pub(crate) struct Share {
    key: ShareKey,
    in_flight: AtomicUsize,
    streams: EventStreams,
    queues: WorkQueues,
}

tokio::task_local! {
    /// The share of the request that the task answers.
    static CURRENT: Arc<Share>;
}

impl Shares {
    pub(crate) fn new(thumbnail_workers: usize) -> Self {
        Self {
            shares: Mutex::default(),
            connections: AtomicUsize::new(CONNECTIONS),
            thumbnail_workers,
        }
    }

    /// Sets the number of connections of which the shares are parts.
    pub(crate) fn set_connections(&self, connections: usize) {
        self.connections.store(connections, Ordering::Relaxed);
    }

    /// Returns a client's share. It is kept as long as it is in use.
    pub(crate) fn of(&self, key: ShareKey) -> Arc<Share> {
        let mut shares = self.shares.lock();
        if let Some(share) = shares.get(&key) {
            return Arc::clone(share);
        }
        shares.retain(|_, share| Arc::strong_count(share) > 1);
        let share = Arc::new(Share {
            key,
            in_flight: AtomicUsize::new(0),
            streams: EventStreams::default(),
            queues: WorkQueues::new(key, self.thumbnail_workers),
        });
        shares.insert(key, Arc::clone(&share));
        share
    }

    /// Returns the share of the request that is being answered. Work that no request asked for, such as that of a
    /// window's command, counts as that of the server's user.
    pub(crate) fn current(&self) -> Arc<Share> {
        Share::current().unwrap_or_else(|| self.of(ShareKey::Own))
    }

    /// Admits a request to a share until the permit is dropped.
    ///
    /// # Errors
    /// `too_much_work`, or `server_busy` for a stranger.
    pub(crate) fn enter(&self, share: &Arc<Share>) -> Result<InFlightPermit, ApiError> {
        let limit = self.in_flight_limit(share.key);
        let next = |count| (count < limit).then_some(count + 1);
        let entered = share
            .in_flight
            .fetch_update(Ordering::AcqRel, Ordering::Relaxed, next);
        match entered {
            Ok(_) => Ok(InFlightPermit(Arc::clone(share))),
            Err(_) => Err(share.key.used_up()),
        }
    }

    /// A quarter of the connections for each client that was let in. Strangers have half of that together: less than
    /// [their connections](crate::connections::ConnectionShare), so one of these can always be replaced.
    fn in_flight_limit(&self, key: ShareKey) -> usize {
        let connections = self.connections.load(Ordering::Relaxed);
        match key {
            ShareKey::Own | ShareKey::Keyed | ShareKey::Session(_) | ShareKey::Token(_) => {
                (connections / 4).max(MIN_IN_FLIGHT)
            }
            ShareKey::Strangers => (connections / 8).max(1),
        }
    }
}

impl Share {
    /// Returns the share of the request that the task answers, if it answers one.
    pub(crate) fn current() -> Option<Arc<Self>> {
        CURRENT.try_with(Arc::clone).ok()
    }

    /// Does work on behalf of this share.
    pub(crate) async fn scope<T>(self: Arc<Self>, work: impl Future<Output = T>) -> T {
        CURRENT.scope(self, work).await
    }

    pub(crate) fn key(&self) -> ShareKey {
        self.key
    }

    /// Opens an event stream. Above the maximum, the oldest stream of the share is closed.
    pub(crate) fn open_stream(self: &Arc<Self>) -> StreamSlot {
        StreamSlot::open(Arc::clone(self))
    }

    /// Takes a place in the queue for a kind of work.
    ///
    /// # Errors
    /// `too_much_work`, or `server_busy` for a stranger, if the queue is full.
    pub(crate) fn queue(self: &Arc<Self>, kind: WorkKind) -> Result<WorkPlace, ApiError> {
        WorkPlace::take(Arc::clone(self), kind).ok_or_else(|| self.key.used_up())
    }

    /// Waits for a turn to do a kind of work.
    ///
    /// # Errors
    /// Those of [`queue`](Self::queue).
    pub(crate) async fn turn(self: &Arc<Self>, kind: WorkKind) -> Result<WorkTurn, ApiError> {
        Ok(self.queue(kind)?.turn().await)
    }
}

/// A request in flight, until this is dropped.
pub(crate) struct InFlightPermit(Arc<Share>);

impl Drop for InFlightPermit {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(name: &str) -> ShareKey {
        ShareKey::Session(SessionKey::of(name))
    }

    #[test]
    fn full_share_refuses_only_its_client() {
        let shares = Shares::new(1);
        shares.set_connections(64);
        let (greedy, other) = (shares.of(session("greedy")), shares.of(session("other")));
        let mut permits: Vec<_> = (0..16).map(|_| shares.enter(&greedy).unwrap()).collect();
        let refused = shares.enter(&greedy).err().unwrap();
        assert_eq!(refused.code(), ErrorCode::TooMuchWork);
        assert_eq!(refused.body().retry_after, Some(1));
        let _other = shares.enter(&other).unwrap();
        permits.pop();
        let _again = shares.enter(&greedy).unwrap();
    }

    #[test]
    fn strangers_share_half_as_much_together() {
        let shares = Shares::new(1);
        shares.set_connections(64);
        let strangers = shares.of(ShareKey::Strangers);
        let _permits: Vec<_> = (0..8).map(|_| shares.enter(&strangers).unwrap()).collect();
        let refused = shares.enter(&strangers).err().unwrap();
        assert_eq!(refused.code(), ErrorCode::ServerBusy);
    }

    #[test]
    fn unused_shares_are_forgotten() {
        let shares = Shares::new(1);
        let kept = shares.of(session("kept"));
        let _permit = shares.enter(&kept).unwrap();
        drop(kept);
        for number in 0..100 {
            shares.of(session(&number.to_string()));
        }
        assert_eq!(shares.shares.lock().len(), 2);
    }
}
