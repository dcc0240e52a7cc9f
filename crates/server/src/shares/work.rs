//! Bounded queues of one client's work, one for each kind. Whoever waits holds no thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Share, ShareKey};

/// A kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorkKind {
    /// Work on the blocking pool for a request.
    Blocking,
    /// A question to the service that describes pictures.
    Question,
    /// A job that describes pictures.
    Describe,
    /// A search.
    Search,
    /// A job that reads files and compares them with hash records.
    HashRun,
    /// A change of hash records, or a repair of a file, that a client waits for.
    HashRepair,
    /// An export, an import or a backup.
    Archive,
    /// An operation on files that a client waits for.
    Files,
    /// A job on the cache.
    Cache,
    /// A thumbnail of a stranger.
    Thumbnail,
}

/// The bounds of a queue.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// The number that runs at the same time.
    running: usize,
    /// The number that waits.
    waiting: usize,
}

impl WorkKind {
    const ALL: [Self; 10] = [
        Self::Blocking,
        Self::Question,
        Self::Describe,
        Self::Search,
        Self::HashRun,
        Self::HashRepair,
        Self::Archive,
        Self::Files,
        Self::Cache,
        Self::Thumbnail,
    ];

    fn bounds(self, key: ShareKey, thumbnail_workers: usize) -> Bounds {
        let (running, waiting) = match self {
            // The requests in flight are bounded already.
            Self::Blocking => (blocking_threads(key), usize::from(u16::MAX)),
            Self::Question | Self::Search => (4, 64),
            Self::Files => (4, 32),
            Self::Describe | Self::HashRun | Self::HashRepair | Self::Archive => (2, 16),
            Self::Cache => (1, 8),
            // At least one worker stays for others, if there are several.
            Self::Thumbnail => ((thumbnail_workers / 2).max(1), 64),
        };
        Bounds { running, waiting }
    }
}

/// The number of threads of the blocking pool that a client's requests may use: few of its 512.
fn blocking_threads(key: ShareKey) -> usize {
    match key {
        ShareKey::Own | ShareKey::Keyed => 64,
        ShareKey::Session(_) | ShareKey::Token(_) => 32,
        ShareKey::Strangers => 16,
    }
}

/// The queues of one client.
pub(super) struct WorkQueues([WorkQueue; WorkKind::ALL.len()]);

struct WorkQueue {
    running: Arc<Semaphore>,
    /// The number of places in use, including those of running work.
    places: AtomicUsize,
    max_places: usize,
}

impl WorkQueues {
    pub(super) fn new(key: ShareKey, thumbnail_workers: usize) -> Self {
        Self(WorkKind::ALL.map(|kind| {
            let Bounds { running, waiting } = kind.bounds(key, thumbnail_workers);
            WorkQueue {
                running: Arc::new(Semaphore::new(running)),
                places: AtomicUsize::new(0),
                max_places: running + waiting,
            }
        }))
    }

    fn of(&self, kind: WorkKind) -> &WorkQueue {
        &self.0[kind as usize]
    }
}

/// A place in a queue. It is given up when this is dropped.
pub(crate) struct WorkPlace {
    share: Arc<Share>,
    kind: WorkKind,
}

impl WorkPlace {
    /// Takes a place; `None` if the queue is full.
    pub(super) fn take(share: Arc<Share>, kind: WorkKind) -> Option<Self> {
        let queue = share.queues.of(kind);
        let next = |places| (places < queue.max_places).then_some(places + 1);
        queue
            .places
            .fetch_update(Ordering::AcqRel, Ordering::Relaxed, next)
            .ok()?;
        Some(Self { share, kind })
    }

    /// Waits for the turn. The first in the queue is next.
    pub(crate) async fn turn(self) -> WorkTurn {
        let running = Arc::clone(&self.share.queues.of(self.kind).running);
        let permit = running.acquire_owned().await;
        WorkTurn {
            _permit: permit.expect("BUG: nothing closes the semaphore"),
            _place: self,
        }
    }
}

impl Drop for WorkPlace {
    fn drop(&mut self) {
        let queue = self.share.queues.of(self.kind);
        queue.places.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The right to work, until this is dropped.
pub(crate) struct WorkTurn {
    _permit: OwnedSemaphorePermit,
    _place: WorkPlace,
}

#[cfg(test)]
mod tests {
    use fumikura_wiki::SessionKey;
    use futures_util::FutureExt;

    use super::*;
    use crate::error::ErrorCode;
    use crate::shares::Shares;

    #[test]
    fn each_kind_has_a_queue_of_its_own() {
        for (index, kind) in WorkKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index);
        }
    }

    #[tokio::test]
    async fn full_queue_refuses_only_its_client() {
        let shares = Shares::new(4);
        let [greedy, other] =
            ["greedy", "other"].map(|name| shares.of(ShareKey::Session(SessionKey::of(name))));
        let turns: Vec<_> = (0..2)
            .map(|_| {
                greedy
                    .turn(WorkKind::HashRun)
                    .now_or_never()
                    .unwrap()
                    .unwrap()
            })
            .collect();
        let waiting: Vec<_> = (0..16)
            .map(|_| greedy.queue(WorkKind::HashRun).unwrap())
            .collect();
        let refused = greedy.queue(WorkKind::HashRun).err().unwrap();
        assert_eq!(refused.code(), ErrorCode::TooMuchWork);
        for share in [&greedy, &other] {
            let kind = match share.key() == greedy.key() {
                true => WorkKind::Question,
                false => WorkKind::HashRun,
            };
            assert!(share.turn(kind).now_or_never().unwrap().is_ok());
        }
        let mut waiting = waiting.into_iter().map(WorkPlace::turn);
        let mut first = Box::pin(waiting.next().unwrap());
        assert!(first.as_mut().now_or_never().is_none());
        drop(turns);
        assert!(first.now_or_never().is_some());
    }

    #[test]
    fn strangers_leave_a_thumbnail_worker_to_others() {
        for (workers, expected) in [(1, 1), (2, 1), (4, 2)] {
            let shares = Shares::new(workers);
            let strangers = shares.of(ShareKey::Strangers);
            let running = &strangers.queues.of(WorkKind::Thumbnail).running;
            assert_eq!(running.available_permits(), expected);
        }
    }
}
