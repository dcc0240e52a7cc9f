//! The order in which thumbnails are made.
//!
//! The most urgent class goes first. Visible jobs come in batches, one for each visible screen: the newest
//! batch goes first, and a batch keeps the order of its requests, which is the order of reading. In the other
//! classes, the oldest job goes first. Every eighth job is the one that has waited longest, whatever its class:
//! a job that finds `n` jobs in the queue starts after at most `8 (n + 1)` others, however many more urgent
//! ones arrive.
//!
//! A browser has few connections, so most of a batch is requested only when an earlier part of it has been
//! answered. A request therefore belongs to the batch of the previous request if it follows soon, or to the
//! batch of a job that has just been answered.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use crate::priority::Priority;

/// The interval, in jobs, at which the oldest job of all is next.
const OLDEST_INTERVAL: u64 = 8;
/// The longest time between requests that belong together.
const BATCH_GAP: Duration = Duration::from_millis(100);

/// Jobs that wait for a worker.
#[derive(Debug)]
pub(super) struct Queue<T> {
    /// The jobs by their places, so the oldest first.
    jobs: BTreeMap<Place, Job<T>>,
    /// The places of each class by their ranks.
    classes: [BTreeMap<Rank, Place>; Priority::ALL.len()],
    batches: Batches,
    next_number: u64,
    taken: u64,
}

/// A job's place in the queue, from its arrival until it leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(u64);

/// Visible jobs that were requested together. Newer batches are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Batch(u64);

/// The order within a class, the least first: the newest batch, and within it the earliest request.
type Rank = (Reverse<Batch>, u64);

#[derive(Debug)]
struct Job<T> {
    job: T,
    priority: Priority,
    rank: Rank,
}

impl<T> Queue<T> {
    pub(super) fn new() -> Self {
        Self {
            jobs: BTreeMap::new(),
            classes: Default::default(),
            batches: Batches::default(),
            next_number: 0,
            taken: 0,
        }
    }

    /// Adds a job.
    pub(super) fn push(&mut self, job: T, priority: Priority, now: Instant) -> Place {
        let rank = self.rank(priority, now);
        let place = Place(rank.1);
        let waiting = Job {
            job,
            priority,
            rank,
        };
        self.jobs.insert(place, waiting);
        self.class(priority).insert(rank, place);
        place
    }

    /// Raises a job that is requested again. It never becomes less urgent, and if it is visible it joins the
    /// batch of this request. Its age is kept.
    pub(super) fn raise(&mut self, place: Place, priority: Priority, now: Instant) {
        let rank = self.rank(priority, now);
        let Some(job) = self.jobs.get_mut(&place) else {
            return;
        };
        let is_newer = priority == job.priority && rank.0 < job.rank.0;
        if priority >= job.priority && !is_newer {
            return;
        }
        let (old_priority, old_rank) = (job.priority, job.rank);
        (job.priority, job.rank) = (priority, rank);
        self.class(old_priority).remove(&old_rank);
        self.class(priority).insert(rank, place);
    }

    /// Removes and returns the next job, and its batch if it is visible.
    pub(super) fn pop(&mut self) -> Option<(T, Option<Batch>)> {
        let place = self.first()?;
        self.taken += 1;
        let Job {
            job,
            priority,
            rank: (Reverse(batch), _),
        } = self.take(place)?;
        Some((job, (priority == Priority::Visible).then_some(batch)))
    }

    /// Records that a visible job of this batch was answered: its client may now request the next one.
    pub(super) fn record_answer(&mut self, batch: Batch, now: Instant) {
        self.batches.record_answer(batch, now);
    }

    /// Removes a job before its turn.
    pub(super) fn remove(&mut self, place: Place) -> Option<T> {
        self.take(place).map(|waiting| waiting.job)
    }

    /// Empties the queue and returns its jobs, the oldest first.
    pub(super) fn drain(&mut self) -> Vec<T> {
        self.classes = Default::default();
        let jobs = std::mem::take(&mut self.jobs);
        jobs.into_values().map(|waiting| waiting.job).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.jobs.len()
    }

    fn first(&self) -> Option<Place> {
        if (self.taken + 1).is_multiple_of(OLDEST_INTERVAL) {
            return self.jobs.keys().next().copied();
        }
        let mut firsts = self.classes.iter().map(BTreeMap::first_key_value);
        firsts.find_map(|job| job.map(|(_, place)| *place))
    }

    fn take(&mut self, place: Place) -> Option<Job<T>> {
        let waiting = self.jobs.remove(&place)?;
        self.class(waiting.priority).remove(&waiting.rank);
        Some(waiting)
    }

    fn class(&mut self, priority: Priority) -> &mut BTreeMap<Rank, Place> {
        &mut self.classes[priority as usize]
    }

    fn rank(&mut self, priority: Priority, now: Instant) -> Rank {
        self.next_number += 1;
        let batch = match priority {
            Priority::Visible => self.batches.of_request(now),
            Priority::Next | Priority::Background => Batch::default(),
        };
        (Reverse(batch), self.next_number)
    }
}

/// Groups visible requests that belong together.
#[derive(Debug, Default)]
struct Batches {
    /// The newest batch, and the time of its last request that did not follow an answer.
    newest: Option<(Batch, Instant)>,
    /// Answers that no request has followed yet, the latest last.
    answers: VecDeque<(Batch, Instant)>,
}

impl Batches {
    fn of_request(&mut self, now: Instant) -> Batch {
        while let Some((batch, at)) = self.answers.pop_front() {
            if is_same_batch(at, now) {
                return batch;
            }
        }
        let newest = match self.newest {
            Some((newest, last)) if is_same_batch(last, now) => newest,
            Some((Batch(newest), _)) => Batch(newest + 1),
            None => Batch::default(),
        };
        self.newest = Some((newest, now));
        newest
    }

    fn record_answer(&mut self, batch: Batch, now: Instant) {
        self.answers.retain(|(_, at)| is_same_batch(*at, now));
        self.answers.push_back((batch, now));
    }
}

fn is_same_batch(before: Instant, now: Instant) -> bool {
    now.saturating_duration_since(before) <= BATCH_GAP
}

#[cfg(test)]
mod tests {
    use super::*;
    use Priority::{Background, Next, Visible};
    use proptest::prelude::*;

    /// A queue at a time that the test sets, in milliseconds.
    struct TestQueue {
        inner: Queue<u32>,
        start: Instant,
        now: u64,
    }

    impl TestQueue {
        fn new() -> Self {
            Self {
                inner: Queue::new(),
                start: Instant::now(),
                now: 0,
            }
        }

        fn at(&mut self, now: u64) -> &mut Self {
            self.now = now;
            self
        }

        fn now(&self) -> Instant {
            self.start + Duration::from_millis(self.now)
        }

        fn push(&mut self, job: u32, priority: Priority) -> Place {
            let now = self.now();
            self.inner.push(job, priority, now)
        }

        fn raise(&mut self, place: Place, priority: Priority) {
            let now = self.now();
            self.inner.raise(place, priority, now);
        }

        fn record_answer(&mut self, batch: Option<Batch>) {
            let now = self.now();
            self.inner.record_answer(batch.unwrap(), now);
        }

        fn pop(&mut self) -> Option<u32> {
            self.inner.pop().map(|(job, _)| job)
        }

        fn all(&mut self) -> Vec<u32> {
            std::iter::from_fn(|| self.pop()).collect()
        }
    }

    #[test]
    fn urgent_jobs_come_first_then_the_oldest() {
        let mut queue = TestQueue::new();
        for (job, priority) in [
            (1, Background),
            (2, Next),
            (3, Visible),
            (4, Background),
            (5, Next),
            (6, Visible),
        ] {
            queue.push(job, priority);
        }
        assert_eq!(queue.all(), [3, 6, 2, 5, 1, 4]);
    }

    #[test]
    fn newest_batch_comes_first_in_order() {
        let mut queue = TestQueue::new();
        for (now, job) in [(0, 1), (60, 2), (120, 3), (900, 4), (950, 5), (960, 6)] {
            queue.at(now).push(job, Visible);
        }
        assert_eq!(queue.all(), [4, 5, 6, 1, 2, 3]);
    }

    #[test]
    fn batch_order_survives_few_connections() {
        let mut queue = TestQueue::new();
        let mut jobs = 0..12;
        for job in jobs.by_ref().take(6) {
            queue.push(job, Visible);
        }
        let mut begun = Vec::new();
        // Two workers take a second for each job, and each answer lets the page request one more.
        for second in 1..=6 {
            let two = [queue.inner.pop().unwrap(), queue.inner.pop().unwrap()];
            queue.at(1_000 * second);
            for (job, batch) in two {
                begun.push(job);
                queue.record_answer(batch);
            }
            queue.at(1_000 * second + 20);
            for job in jobs.by_ref().take(2) {
                queue.push(job, Visible);
            }
        }
        assert_eq!(begun, Vec::from_iter(0..12));
    }

    #[test]
    fn one_prompt_request_continues_an_answered_batch() {
        let mut queue = TestQueue::new();
        queue.push(1, Visible);
        queue.push(2, Visible);
        let (_, first) = queue.inner.pop().unwrap();
        queue.at(1_000).push(10, Visible);
        queue.record_answer(first);
        queue.push(3, Visible);
        queue.push(11, Visible);
        queue.at(2_000).record_answer(first);
        queue.at(3_000).push(20, Visible);
        assert_eq!(queue.all(), [20, 10, 11, 2, 3]);
    }

    #[test]
    fn every_eighth_job_is_the_oldest() {
        let mut queue = TestQueue::new();
        queue.push(100, Background);
        queue.push(101, Next);
        for job in 0..20 {
            queue.push(job, Visible);
        }
        let order = queue.all();
        assert_eq!(order[..8], [0, 1, 2, 3, 4, 5, 6, 100]);
        assert_eq!(order[8..16], [7, 8, 9, 10, 11, 12, 13, 101]);
        assert_eq!(order[16..], [14, 15, 16, 17, 18, 19]);
    }

    #[test]
    fn urgent_jobs_never_starve_background_jobs() {
        let mut queue = TestQueue::new();
        for job in 0..10 {
            queue.push(job, Visible);
        }
        queue.push(100, Background);
        let mut begun = 0;
        loop {
            queue.push(1000 + begun, Visible);
            begun += 1;
            if queue.pop() == Some(100) {
                break;
            }
        }
        assert!(begun <= 8 * 11, "{begun}");
    }

    #[test]
    fn repeated_request_raises_priority_and_never_lowers_it() {
        let mut queue = TestQueue::new();
        let places: Vec<_> = [Background, Background, Next, Visible, Visible]
            .into_iter()
            .zip(1..)
            .map(|(priority, job)| queue.push(job, priority))
            .collect();
        queue.at(500).raise(places[1], Next);
        queue.raise(places[2], Background);
        queue.raise(places[2], Next);
        queue.raise(places[4], Visible);
        assert_eq!(queue.all(), [5, 4, 3, 2, 1]);
        queue.raise(places[1], Visible);
        assert_eq!((queue.inner.len(), queue.pop()), (0, None));
    }

    #[test]
    fn removed_jobs_leave_no_trace() {
        let mut queue = TestQueue::new();
        let first = queue.push(1, Visible);
        queue.push(2, Visible);
        let inner = &mut queue.inner;
        assert_eq!((inner.remove(first), inner.remove(first)), (Some(1), None));
        assert_eq!((queue.inner.len(), queue.pop()), (1, Some(2)));
        queue.push(3, Next);
        queue.push(4, Visible);
        assert_eq!(queue.inner.drain(), [3, 4]);
        assert_eq!((queue.inner.len(), queue.pop()), (0, None));
    }

    /// The reference rule: a list that is searched from its beginning each time. Batches are those of the
    /// queue.
    #[derive(Default)]
    struct Model {
        /// The jobs in order of arrival: a job, its class, its batch and the number of its last request.
        jobs: Vec<(u32, Priority, (Reverse<Batch>, u32))>,
        batches: Batches,
        taken: u32,
        requests: u32,
    }

    impl Model {
        fn rank(&mut self, priority: Priority, now: Instant) -> (Reverse<Batch>, u32) {
            self.requests += 1;
            let batch = match priority {
                Visible => self.batches.of_request(now),
                Next | Background => Batch::default(),
            };
            (Reverse(batch), self.requests)
        }

        fn push(&mut self, job: u32, priority: Priority, now: Instant) {
            let rank = self.rank(priority, now);
            self.jobs.push((job, priority, rank));
        }

        fn raise(&mut self, job: u32, priority: Priority, now: Instant) {
            let rank = self.rank(priority, now);
            for (other, is, when) in &mut self.jobs {
                let is_newer = (priority, *is) == (Visible, Visible) && rank.0.0 > when.0.0;
                if *other == job && (priority < *is || is_newer) {
                    (*is, *when) = (priority, rank);
                }
            }
        }

        fn pop(&mut self) -> Option<u32> {
            if self.jobs.is_empty() {
                return None;
            }
            self.taken += 1;
            let at = if self.taken.is_multiple_of(8) {
                0
            } else {
                let order = |at: &usize| (self.jobs[*at].1, self.jobs[*at].2);
                (0..self.jobs.len()).min_by_key(order)?
            };
            Some(self.jobs.remove(at).0)
        }

        fn remove(&mut self, job: u32) -> Option<u32> {
            let at = self.jobs.iter().position(|(other, _, _)| *other == job)?;
            Some(self.jobs.remove(at).0)
        }
    }

    #[derive(Debug, Clone, Copy)]
    enum QueueStep {
        Push(Priority),
        /// Raises the job in this part of all jobs that ever arrived.
        Raise(u8, Priority),
        Remove(u8),
        Pop,
        /// Advances the time by this many milliseconds.
        Wait(u64),
    }

    fn steps() -> impl Strategy<Value = Vec<QueueStep>> {
        let priority = || prop::sample::select(Priority::ALL.to_vec());
        let step = prop_oneof![
            4 => priority().prop_map(QueueStep::Push),
            2 => (any::<u8>(), priority()).prop_map(|(at, to)| QueueStep::Raise(at, to)),
            1 => any::<u8>().prop_map(QueueStep::Remove),
            3 => Just(QueueStep::Pop),
            2 => (0..250_u64).prop_map(QueueStep::Wait),
        ];
        prop::collection::vec(step, 0..120)
    }

    proptest! {
        #[test]
        fn queue_behaves_like_its_model(steps in steps()) {
            let (mut queue, mut model) = (TestQueue::new(), Model::default());
            let mut places: Vec<Place> = Vec::new();
            for step in steps {
                let pick = |at: u8| (!places.is_empty()).then(|| usize::from(at) % places.len());
                match step {
                    QueueStep::Push(priority) => {
                        let job = places.len() as u32;
                        model.push(job, priority, queue.now());
                        places.push(queue.push(job, priority));
                    }
                    QueueStep::Raise(at, priority) => if let Some(job) = pick(at) {
                        model.raise(job as u32, priority, queue.now());
                        queue.raise(places[job], priority);
                    },
                    QueueStep::Remove(at) => if let Some(job) = pick(at) {
                        prop_assert_eq!(queue.inner.remove(places[job]), model.remove(job as u32));
                    },
                    QueueStep::Pop => prop_assert_eq!(queue.pop(), model.pop()),
                    QueueStep::Wait(by) => queue.now += by,
                }
                prop_assert_eq!(queue.inner.len(), model.jobs.len());
            }
            while let Some(job) = model.pop() {
                prop_assert_eq!(queue.pop(), Some(job));
            }
            prop_assert_eq!(queue.pop(), None);
        }
    }
}
