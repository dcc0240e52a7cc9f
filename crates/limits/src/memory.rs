//! The backend of a single process.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::budget::Budget;
use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use hashlink::LinkedHashMap;
use jiff::civil::Date;
use parking_lot::{Mutex, MutexGuard, RwLock};

use crate::calendar::Days;
use crate::counts::DailyCounts;
use crate::decision::RequestIds;
use crate::{
    Backend, BackendError, Calendar, ClientKey, Decision, Limits, Outcome, RequestId, Usage, WINDOW,
};

/// The maximum number of clients in memory (docs/spec/rate-limiter.md, "In memory").
pub const MAX_CLIENTS: usize = 10_000;

/// Reservations in this process's memory. The window is measured by the monotonic clock, the day by the wall clock.
pub struct Memory {
    limits: RwLock<Limits>,
    clock: Arc<dyn Clock>,
    /// Ids are drawn in blocks, because each call is a system call.
    entropy: Arc<dyn Entropy>,
    state: Mutex<MemoryState>,
}

struct MemoryState {
    calendar: Calendar,
    clients: Clients,
    total: DailyCounts,
    ids: RequestIds,
}

/// All clients with a reservation in their window or a daily count. Others have no entry.
#[derive(Default)]
struct Clients {
    /// Ordered by the time of the newest reservation: the window of the first client becomes empty first.
    active: LinkedHashMap<ClientKey, Client>,
    /// Clients that released every reservation of their window and still have a daily count.
    idle: LinkedHashMap<ClientKey, Client>,
}

#[derive(Default)]
struct Client {
    /// The entries, oldest first.
    window: VecDeque<MemoryEntry>,
    counts: DailyCounts,
}

struct MemoryEntry {
    at: Duration,
    day: Date,
    id: RequestId,
}

#[derive(Clone, Copy)]
struct CallTime {
    monotonic: Duration,
    day: Date,
    day_left: u64,
}

impl Memory {
    /// Creates an empty store.
    #[must_use]
    pub fn new(
        limits: Limits,
        calendar: Calendar,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        Self {
            limits: RwLock::new(limits),
            clock,
            entropy,
            state: Mutex::new(MemoryState {
                calendar,
                clients: Clients::default(),
                total: DailyCounts::default(),
                ids: RequestIds::default(),
            }),
        }
    }

    pub(crate) fn limits(&self) -> Limits {
        *self.limits.read()
    }

    pub(crate) fn set_limits(&self, limits: Limits) {
        *self.limits.write() = limits;
    }

    fn lock(&self) -> MutexGuard<'_, MemoryState> {
        self.state.lock()
    }

    fn now(&self, state: &mut MemoryState) -> CallTime {
        let now = self.clock.now();
        let days: Days = state.calendar.days_around(now);
        CallTime {
            monotonic: self.clock.monotonic(),
            day: days.today(),
            day_left: days.left(now),
        }
    }

    /// Returns the counts of a client, which may be unknown.
    fn usage_of(&self, client: Option<&Client>, total: &DailyCounts, now: CallTime) -> Usage {
        Usage {
            minute_count: client.map_or(0, |client| client.window.len() as u64),
            daily_count: client.map_or(0, |client| client.counts.get(now.day).into()),
            total_count: match self.limits().daily_total {
                Some(_) => total.get(now.day).into(),
                None => 0,
            },
            minute_reset: client.map_or(0, |client| client.wait(now.monotonic)),
            daily_reset: now.day_left,
        }
    }

    /// Returns the reason why a client with this usage must wait, if any.
    fn refusal(&self, usage: &Usage) -> Option<Decision> {
        let retry_after = usage.daily_reset;
        let limits = self.limits();
        if usage.daily_count >= limits.daily.into() {
            return Some(Decision::DailyLimit { retry_after });
        }
        let total = limits.daily_total;
        if total.is_some_and(|total| usage.total_count >= total.get().into()) {
            return Some(Decision::TotalLimit { retry_after });
        }
        (usage.minute_count >= limits.per_minute.into()).then_some(Decision::MinuteLimit {
            retry_after: usage.minute_reset,
        })
    }
}

impl Backend for Memory {
    fn reserve(&self, key: &ClientKey) -> Result<Outcome, BackendError> {
        let mut state = self.lock();
        let now = self.now(&mut state);
        let MemoryState {
            clients,
            total,
            ids,
            ..
        } = &mut *state;
        let client = clients.find(key, now.monotonic);
        let usage = self.usage_of(client.as_deref(), total, now);
        let refusal = self
            .limits()
            .refusal(now.day_left)
            .or_else(|| self.refusal(&usage));
        if let Some(decision) = refusal {
            return Ok(Outcome { decision, usage });
        }
        let id = ids.next(&*self.entropy);
        let client = clients.touch(key, now.monotonic);
        client.window.push_back(MemoryEntry {
            at: now.monotonic,
            id,
            day: now.day,
        });
        client.counts.add(now.day);
        total.add(now.day);
        Ok(Outcome {
            decision: Decision::Granted(id),
            usage: self.usage_of(Some(client), total, now),
        })
    }

    fn release(&self, key: &ClientKey, id: RequestId) -> Result<bool, BackendError> {
        let mut state = self.lock();
        let now = self.now(&mut state);
        let MemoryState { clients, total, .. } = &mut *state;
        let Some(client) = clients.find(key, now.monotonic) else {
            return Ok(false);
        };
        let Some(at) = client.window.iter().position(|entry| entry.id == id) else {
            return Ok(false);
        };
        let entry = client
            .window
            .remove(at)
            .expect("BUG: the position is in the window");
        client.counts.credit(entry.day);
        total.credit(entry.day);
        if client.window.is_empty() {
            clients.retire(key, now.day);
        }
        Ok(true)
    }

    fn usage(&self, key: &ClientKey) -> Result<Usage, BackendError> {
        let mut state = self.lock();
        let now = self.now(&mut state);
        let MemoryState { clients, total, .. } = &mut *state;
        let client = clients.find(key, now.monotonic);
        Ok(self.usage_of(client.as_deref(), total, now))
    }

    fn reset(&self, _: &Budget) -> Result<(), BackendError> {
        let mut state = self.lock();
        state.clients = Clients::default();
        state.total = DailyCounts::default();
        Ok(())
    }

    fn check(&self) -> Result<(), BackendError> {
        Ok(())
    }
}

impl Client {
    /// Returns the seconds until the oldest reservation leaves the window; 0 if there is none. Otherwise at
    /// least 1: a caller that waits for whole seconds returns after the reservation has left.
    fn wait(&self, now: Duration) -> u64 {
        let oldest = self.window.front();
        oldest.map_or(0, |oldest| {
            (oldest.at + WINDOW).saturating_sub(now).as_secs() + 1
        })
    }

    fn prune(&mut self, now: Duration) {
        while self
            .window
            .front()
            .is_some_and(|entry| is_over(entry.at, now))
        {
            self.window.pop_front();
        }
    }
}

fn is_over(at: Duration, now: Duration) -> bool {
    now.saturating_sub(at) >= WINDOW
}

impl Clients {
    /// Returns the client with its present window.
    fn find(&mut self, key: &ClientKey, now: Duration) -> Option<&mut Client> {
        let client = match self.active.get_mut(key) {
            None => self.idle.get_mut(key)?,
            Some(client) => client,
        };
        client.prune(now);
        Some(client)
    }

    /// Returns the client, moved to the end, as the one with the newest reservation.
    fn touch(&mut self, key: &ClientKey, now: Duration) -> &mut Client {
        if !self.active.contains_key(key) {
            let client = self.idle.remove(key).unwrap_or_else(|| {
                if self.active.len() + self.idle.len() >= MAX_CLIENTS {
                    self.evict(now);
                }
                Client::default()
            });
            self.active.insert(key.clone(), client);
        }
        self.active
            .to_back(key)
            .expect("BUG: the client was found or inserted")
    }

    /// Handles a client whose window has become empty by a release.
    fn retire(&mut self, key: &ClientKey, today: Date) {
        if let Some(client) = self.active.remove(key)
            && client.counts.get(today) > 0
        {
            self.idle.insert(key.clone(), client);
        }
    }

    /// Evicts one client: first the one whose window has been empty for longest, then one that released all
    /// its reservations, then another.
    fn evict(&mut self, now: Duration) {
        let front = self
            .active
            .front()
            .and_then(|(_, client)| client.window.back());
        let is_active = front.is_some_and(|newest| !is_over(newest.at, now));
        if is_active && self.idle.pop_front().is_some() {
            return;
        }
        if self.active.pop_front().is_none() {
            self.idle.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use fumikura_base::clock::ManualClock;
    use fumikura_base::entropy::SeededEntropy;
    use jiff::Timestamp;
    use jiff::tz::TimeZone;

    use super::*;
    use crate::{KeyMode, Peer};

    struct LimiterFixture {
        clock: Arc<ManualClock>,
        memory: Memory,
    }

    impl LimiterFixture {
        fn new() -> Self {
            let clock = Arc::new(ManualClock::new(
                Timestamp::from_second(1_700_000_000).unwrap(),
            ));
            let memory = Memory::new(
                Limits::DEFAULT,
                Calendar::new(TimeZone::UTC),
                Arc::clone(&clock) as Arc<dyn Clock>,
                Arc::new(SeededEntropy::new(1)),
            );
            Self { clock, memory }
        }

        fn reserve(&self, number: u32) -> RequestId {
            let outcome = self.memory.reserve(&key(number)).unwrap();
            let Decision::Granted(id) = outcome.decision else {
                panic!("{outcome:?}");
            };
            id
        }

        fn daily(&self, number: u32) -> u64 {
            self.memory.usage(&key(number)).unwrap().daily_count
        }

        fn clients(&self) -> usize {
            let state = self.memory.lock();
            state.clients.active.len() + state.clients.idle.len()
        }
    }

    fn key(number: u32) -> ClientKey {
        ClientKey::new(
            Peer::Ip(std::net::Ipv4Addr::from_bits(number).into()),
            b"",
            KeyMode::Ip,
        )
    }

    const MAX: u32 = MAX_CLIENTS as u32;

    #[test]
    fn client_with_empty_window_is_evicted_first() {
        let fixture = LimiterFixture::new();
        fixture.reserve(0);
        fixture.clock.advance(WINDOW);
        for number in 1..MAX {
            fixture.reserve(number);
        }
        assert_eq!(fixture.clients(), MAX_CLIENTS);
        fixture.reserve(MAX);
        assert_eq!(fixture.clients(), MAX_CLIENTS);
        assert_eq!([0, 1, MAX].map(|number| fixture.daily(number)), [0, 1, 1]);
    }

    #[test]
    fn released_client_is_evicted_before_active_ones() {
        let fixture = LimiterFixture::new();
        for number in 0..MAX {
            fixture.reserve(number);
        }
        fixture.clock.advance(WINDOW);
        for number in 0..MAX {
            fixture.reserve(number);
        }
        // The window of this client is empty, and its daily count is 1.
        let id = fixture.reserve(MAX - 2);
        let last = fixture
            .memory
            .lock()
            .clients
            .find(&key(MAX - 2), fixture.clock.monotonic())
            .unwrap()
            .window[0]
            .id;
        assert_eq!(fixture.memory.release(&key(MAX - 2), id), Ok(true));
        assert_eq!(fixture.memory.release(&key(MAX - 2), last), Ok(true));
        assert_eq!(fixture.daily(MAX - 2), 1);
        fixture.reserve(MAX);
        assert_eq!(
            [0, MAX - 2, MAX].map(|number| fixture.daily(number)),
            [2, 0, 1]
        );
        fixture.reserve(MAX + 1);
        assert_eq!([0, 1, MAX].map(|number| fixture.daily(number)), [0, 2, 1]);
    }

    #[test]
    fn client_without_a_count_is_forgotten() {
        let fixture = LimiterFixture::new();
        let id = fixture.reserve(7);
        assert_eq!(fixture.memory.release(&key(7), id), Ok(true));
        assert_eq!(fixture.clients(), 0);
        fixture.memory.usage(&key(7)).unwrap();
        assert_eq!(fixture.clients(), 0);
    }
}
