//! The sessions that this launch has seen, so that requests need not read the store.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use fumikura_wiki::{SessionInfo, SessionKey};
use jiff::Timestamp;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;

/// The minimum difference between a session's last request and the stored one before it is stored: reading
/// pages writes nothing.
const SEEN_STEP: Duration = Duration::from_secs(60 * 60);

/// The storage of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionStorage {
    /// In the store, so that it outlives the launch.
    Store,
    /// In memory, because the store could not be written.
    Memory,
    /// In memory, because it is the session of a window of this program.
    Window,
}

/// A session in memory.
#[derive(Debug, Clone)]
pub(crate) struct CachedSession {
    pub(crate) info: SessionInfo,
    pub(crate) storage: SessionStorage,
    /// The time of the last request, as stored.
    stored_seen: Timestamp,
}

/// The sessions of this launch, by their keys.
pub(crate) struct Sessions {
    state: Mutex<State>,
    /// Changes each time sessions end.
    endings: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    cached: HashMap<SessionKey, CachedSession>,
    /// Sessions that were ended. A request that read one from the store just before must not restore it.
    ended: HashSet<SessionKey>,
}

/// Sessions that were ended in memory and not yet in the store.
#[must_use]
pub(crate) struct EndedSessions {
    keys: Vec<SessionKey>,
    cached: Vec<(SessionKey, CachedSession)>,
}

impl Default for Sessions {
    fn default() -> Self {
        Self {
            state: Mutex::default(),
            endings: watch::Sender::new(()),
        }
    }
}

impl Sessions {
    /// Keeps a session until its end, but at most until the launch ends. Returns false if it was ended
    /// meanwhile.
    pub(crate) fn keep(&self, key: SessionKey, info: SessionInfo, storage: SessionStorage) -> bool {
        let mut state = self.state();
        if state.ended.contains(&key) {
            return false;
        }
        let stored_seen = info.seen;
        let session = CachedSession {
            info,
            storage,
            stored_seen,
        };
        state.cached.entry(key).or_insert(session);
        true
    }

    /// Records a request of a session. Returns false if it is not in memory; the store may still have it.
    pub(crate) fn touch(&self, key: SessionKey, now: Timestamp) -> bool {
        let mut state = self.state();
        let Some(session) = state.cached.get_mut(&key) else {
            return false;
        };
        if session.info.ends <= now {
            state.cached.remove(&key);
            return false;
        }
        session.info.seen = session.info.seen.max(now);
        true
    }

    /// Returns true if the session is that of a window of this program.
    pub(crate) fn is_window(&self, key: SessionKey) -> bool {
        let state = self.state();
        let session = state.cached.get(&key);
        session.is_some_and(|session| session.storage == SessionStorage::Window)
    }

    /// Returns the sessions in memory that have not ended.
    pub(crate) fn cached(&self, now: Timestamp) -> HashMap<SessionKey, CachedSession> {
        let state = self.state();
        let current = state
            .cached
            .iter()
            .filter(|(_, cached)| cached.info.ends > now);
        current
            .map(|(key, cached)| (*key, cached.clone()))
            .collect()
    }

    /// Ends sessions: their requests are refused from now on, and their event streams close.
    pub(crate) fn end(&self, keys: Vec<SessionKey>) -> EndedSessions {
        let mut state = self.state();
        let mut cached = Vec::new();
        for key in &keys {
            state.ended.insert(*key);
            cached.extend(state.cached.remove(key).map(|session| (*key, session)));
        }
        drop(state);
        self.endings.send_replace(());
        EndedSessions { keys, cached }
    }

    /// Restores sessions whose end could not be stored.
    pub(crate) fn restore(&self, ended: EndedSessions) {
        let mut state = self.state();
        for key in &ended.keys {
            state.ended.remove(key);
        }
        state.cached.extend(ended.cached);
    }

    /// Waits until the session is ended by a call of [`end`](Self::end). Expiry does not count.
    pub(crate) async fn ended(&self, key: SessionKey) {
        let mut endings = self.endings.subscribe();
        while !self.state().ended.contains(&key) {
            if endings.changed().await.is_err() {
                return;
            }
        }
    }

    /// Returns the sessions whose last request is an hour or more after the stored one, and marks them as
    /// stored.
    pub(crate) fn take_seen(&self) -> Vec<(SessionKey, Timestamp)> {
        let mut seen = Vec::new();
        for (key, session) in &mut self.state().cached {
            let is_due = session.info.seen >= session.stored_seen + SEEN_STEP;
            if session.storage == SessionStorage::Store && is_due {
                session.stored_seen = session.info.seen;
                seen.push((*key, session.info.seen));
            }
        }
        seen
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

impl EndedSessions {
    /// Returns the keys of the sessions that the store may have.
    pub(crate) fn in_store(&self) -> Vec<SessionKey> {
        let in_memory = |key: &SessionKey| {
            let mut cached = self.cached.iter();
            cached.any(|(other, session)| other == key && session.storage != SessionStorage::Store)
        };
        let keys = self.keys.iter().filter(|key| !in_memory(key));
        keys.copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use fumikura_base::clock::{Clock, ManualClock};
    use fumikura_base::entropy::SeededEntropy;

    use super::*;

    struct SessionFixture {
        clock: ManualClock,
        sessions: Sessions,
        key: SessionKey,
    }

    impl SessionFixture {
        fn new() -> Self {
            Self {
                clock: ManualClock::new(Timestamp::UNIX_EPOCH),
                sessions: Sessions::default(),
                key: SessionKey::of("secret"),
            }
        }

        fn info(&self) -> SessionInfo {
            SessionInfo::begin(None, &self.clock, &SeededEntropy::new(1))
        }

        fn is_seen(&self) -> bool {
            self.sessions.touch(self.key, self.clock.now())
        }
    }

    #[test]
    fn session_is_known_until_its_end() {
        let fixture = SessionFixture::new();
        assert!(!fixture.is_seen());
        let info = fixture.info();
        let lifetime = Duration::try_from(info.ends.duration_since(info.began)).unwrap();
        assert!(
            fixture
                .sessions
                .keep(fixture.key, info, SessionStorage::Memory)
        );
        assert!(fixture.is_seen());
        let other = SessionKey::of("other");
        assert!(!fixture.sessions.touch(other, fixture.clock.now()));
        fixture.clock.advance(lifetime);
        assert!(!fixture.is_seen());
    }

    #[test]
    fn ended_session_is_not_kept_again() {
        let fixture = SessionFixture::new();
        assert!(
            fixture
                .sessions
                .keep(fixture.key, fixture.info(), SessionStorage::Store)
        );
        let ended = fixture.sessions.end(vec![fixture.key]);
        assert_eq!(ended.in_store(), [fixture.key]);
        assert!(!fixture.is_seen());
        // A request had read it from the store just before.
        assert!(
            !fixture
                .sessions
                .keep(fixture.key, fixture.info(), SessionStorage::Store)
        );
        assert!(!fixture.is_seen());
        fixture.sessions.restore(ended);
        assert!(fixture.is_seen());
    }

    #[test]
    fn session_in_memory_is_not_ended_in_store() {
        let fixture = SessionFixture::new();
        for storage in [SessionStorage::Memory, SessionStorage::Window] {
            assert!(fixture.sessions.keep(fixture.key, fixture.info(), storage));
            let ended = fixture.sessions.end(vec![fixture.key]);
            assert_eq!(ended.in_store(), []);
            fixture.sessions.restore(ended);
            let _ended = fixture.sessions.end(vec![fixture.key]);
            fixture.sessions.state().ended.clear();
        }
    }

    #[test]
    fn last_seen_time_is_due_once_an_hour() {
        let fixture = SessionFixture::new();
        assert!(
            fixture
                .sessions
                .keep(fixture.key, fixture.info(), SessionStorage::Store)
        );
        fixture.clock.advance(SEEN_STEP - Duration::from_secs(1));
        assert!(fixture.is_seen());
        assert_eq!(fixture.sessions.take_seen(), []);
        fixture.clock.advance(Duration::from_secs(1));
        assert!(fixture.is_seen());
        let seen = [(fixture.key, fixture.clock.now())];
        assert_eq!(fixture.sessions.take_seen(), seen);
        assert_eq!(fixture.sessions.take_seen(), []);
    }

    #[tokio::test]
    async fn waiters_are_notified_of_the_end() {
        let fixture = SessionFixture::new();
        assert!(
            fixture
                .sessions
                .keep(fixture.key, fixture.info(), SessionStorage::Store)
        );
        let end = async { drop(fixture.sessions.end(vec![fixture.key])) };
        tokio::join!(fixture.sessions.ended(fixture.key), end);
        fixture.sessions.ended(fixture.key).await;
    }
}
