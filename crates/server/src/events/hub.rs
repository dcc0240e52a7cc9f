//! The event hub: one stream for all listeners, with a history for those that reconnect.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use fumikura_wiki::Change;
use parking_lot::Mutex;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::Event;

/// The number of events kept, and the number by which a listener may lag behind.
const MEMORY: usize = 256;
/// The maximum number of events of one change, each of which every listener would receive.
const MAX_BATCH: usize = 100;

/// An event with its number.
pub(crate) type NumberedEvent = (u64, Arc<Event>);

/// The hub that publishes events to listeners.
pub(crate) struct EventHub {
    /// Distinguishes this launch's numbers from those of another.
    launch: String,
    history: Mutex<EventHistory>,
    /// The time of the last change of a folder.
    folder_changed: Mutex<Option<Instant>>,
    sender: broadcast::Sender<NumberedEvent>,
}

#[derive(Default)]
struct EventHistory {
    events: VecDeque<NumberedEvent>,
    last: u64,
}

/// A listener's position in the stream.
pub(crate) struct Subscription {
    launch: String,
    missed: VecDeque<NumberedEvent>,
    receiver: broadcast::Receiver<NumberedEvent>,
    last: u64,
}

impl EventHub {
    pub(crate) fn new(launch: &str) -> Self {
        let launch = launch.chars().take(8).collect();
        Self {
            launch,
            history: Mutex::default(),
            folder_changed: Mutex::default(),
            sender: broadcast::channel(MEMORY).0,
        }
    }

    /// Publishes an event to all listeners.
    pub(crate) fn publish(&self, event: Event) {
        if matches!(event, Event::FolderChanged { .. }) {
            *self.folder_changed.lock() = Some(Instant::now());
        }
        let mut history = self.history.lock();
        history.last += 1;
        let numbered = (history.last, Arc::new(event));
        if history.events.len() == MEMORY {
            history.events.pop_front();
        }
        history.events.push_back(numbered.clone());
        // An error only means that there are no listeners.
        let _listeners = self.sender.send(numbered);
    }

    /// Returns the time of the last change of a folder that was published.
    pub(crate) fn last_folder_change(&self) -> Option<Instant> {
        *self.folder_changed.lock()
    }

    /// Publishes the changes of one commit in the wiki, or a resync if there are more than a hundred. Must be
    /// called in the order of the commits.
    pub(crate) fn publish_changes(&self, changes: Vec<Change>) {
        if changes.len() > MAX_BATCH {
            return self.publish(Event::Resync);
        }
        for change in changes {
            self.publish(change.into());
        }
    }

    /// Returns the id of the last event. A client that reads data after this call and subscribes from this id
    /// misses nothing.
    pub(crate) fn now(&self) -> String {
        let history = self.history.lock();
        id(&self.launch, history.last)
    }

    /// Subscribes from now on, or, for a listener that reconnects, from the event after the last that it
    /// received.
    pub(crate) fn subscribe(&self, last_seen: Option<&str>) -> Subscription {
        let history = self.history.lock();
        let missed = match last_seen {
            None => VecDeque::new(),
            Some(id) => self
                .since(&history, id)
                .unwrap_or_else(|| [(history.last, Arc::new(Event::Resync))].into()),
        };
        Subscription {
            launch: self.launch.clone(),
            missed,
            receiver: self.sender.subscribe(),
            last: history.last,
        }
    }

    /// Returns the events after `id`, if all of them are kept.
    fn since(&self, history: &EventHistory, id: &str) -> Option<VecDeque<NumberedEvent>> {
        let number: u64 = id
            .strip_prefix(&self.launch)?
            .strip_prefix('-')?
            .parse()
            .ok()?;
        let oldest = history
            .events
            .front()
            .map_or(history.last + 1, |(number, _)| *number);
        let is_kept = number <= history.last && number + 1 >= oldest;
        is_kept.then(|| {
            history
                .events
                .iter()
                .filter(|(other, _)| *other > number)
                .cloned()
                .collect()
        })
    }
}

impl Subscription {
    /// Returns the next event and its id; `None` if the hub is gone.
    pub(crate) async fn next(&mut self) -> Option<(String, Arc<Event>)> {
        let (number, event) = match self.missed.pop_front() {
            Some(numbered) => numbered,
            None => loop {
                match self.receiver.recv().await {
                    Ok((number, event)) if number > self.last => break (number, event),
                    Ok(_) => {}
                    Err(RecvError::Lagged(_)) => break (self.last, Arc::new(Event::Resync)),
                    Err(RecvError::Closed) => return None,
                }
            },
        };
        self.last = self.last.max(number);
        Some((id(&self.launch, number), event))
    }
}

fn id(launch: &str, number: u64) -> String {
    format!("{launch}-{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unlocked(id: u32) -> Event {
        Event::PageUnlocked {
            page_id: id.to_string(),
        }
    }

    #[tokio::test]
    async fn reconnect_delivers_missed_then_new_events() {
        let hub = EventHub::new("launch");
        hub.publish(unlocked(1));
        let mut first = hub.subscribe(None);
        hub.publish(unlocked(2));
        let (id, event) = first.next().await.unwrap();
        assert_eq!((id.as_str(), event.as_ref()), ("launch-2", &unlocked(2)));
        hub.publish(unlocked(3));
        let mut again = hub.subscribe(Some(&id));
        hub.publish(unlocked(4));
        assert_eq!(*again.next().await.unwrap().1, unlocked(3));
        assert_eq!(*again.next().await.unwrap().1, unlocked(4));
    }

    #[tokio::test]
    async fn subscription_from_a_position_misses_nothing() {
        let hub = EventHub::new("launch");
        let nothing_yet = hub.now();
        hub.publish(unlocked(1));
        let looked = hub.now();
        hub.publish(unlocked(2));
        for (at, first) in [(nothing_yet, 1), (looked, 2)] {
            let (_, event) = hub.subscribe(Some(&at)).next().await.unwrap();
            assert_eq!(*event, unlocked(first));
        }
    }

    #[tokio::test]
    async fn reconnect_beyond_history_or_launch_gets_resync() {
        let hub = EventHub::new("launch");
        for number in 0..=MEMORY as u32 + 1 {
            hub.publish(unlocked(number));
        }
        for id in ["launch-1", "other-5", "launch-99999", "nonsense", ""] {
            let mut again = hub.subscribe(Some(id));
            assert_eq!(*again.next().await.unwrap().1, Event::Resync, "{id}");
            hub.publish(unlocked(1));
            assert_eq!(*again.next().await.unwrap().1, unlocked(1), "{id}");
        }
    }

    #[tokio::test]
    async fn slow_listener_gets_resync() {
        let hub = EventHub::new("launch");
        let mut slow = hub.subscribe(None);
        for number in 0..MEMORY as u32 * 2 {
            hub.publish(unlocked(number));
        }
        assert_eq!(*slow.next().await.unwrap().1, Event::Resync);
        assert!(matches!(
            *slow.next().await.unwrap().1,
            Event::PageUnlocked { .. }
        ));
    }
}
