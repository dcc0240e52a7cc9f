//! In which order thumbnails are made.
//!
//! The more urgent class goes first. Of what is visible the newest goes first, since that is what is
//! looked at now; of the others the oldest. Every eighth job is the one that has waited longest,
//! whatever its class: so a job that has `n` jobs in the queue when it comes is begun after at most
//! `8 (n + 1)` others, however many more urgent ones keep coming.

use std::collections::BTreeMap;

use crate::priority::Priority;

/// Of so many jobs one is the oldest of all.
const OLDEST_OF: u64 = 8;

/// Jobs that wait for a worker.
#[derive(Debug)]
pub(super) struct Queue<T> {
    /// By their places, and so the oldest first.
    jobs: BTreeMap<Place, Job<T>>,
    /// The places of each class by their ranks.
    classes: [BTreeMap<u64, Place>; Priority::ALL.len()],
    next_number: u64,
    taken: u64,
}

/// A job's place in the queue, from when it came until it leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(u64);

#[derive(Debug)]
struct Job<T> {
    job: T,
    priority: Priority,
    /// When it was last asked for, in the queue's own count.
    rank: u64,
}

impl<T> Queue<T> {
    pub(super) fn new() -> Self {
        Self {
            jobs: BTreeMap::new(),
            classes: Default::default(),
            next_number: 0,
            taken: 0,
        }
    }

    /// Takes a job in.
    pub(super) fn push(&mut self, job: T, priority: Priority) -> Place {
        let rank = self.next_number();
        let place = Place(rank);
        let waiting = Job {
            job,
            priority,
            rank,
        };
        self.jobs.insert(place, waiting);
        self.class(priority).insert(rank, place);
        place
    }

    /// A job is asked for again. It is never less urgent than it was; and of what is visible it is the
    /// newest now. Its age stays.
    pub(super) fn raise(&mut self, place: Place, priority: Priority) {
        let rank = self.next_number();
        let Some(job) = self.jobs.get_mut(&place) else {
            return;
        };
        if priority > job.priority || (priority == job.priority && priority != Priority::Visible) {
            return;
        }
        let (old_priority, old_rank) = (job.priority, job.rank);
        (job.priority, job.rank) = (priority, rank);
        self.class(old_priority).remove(&old_rank);
        self.class(priority).insert(rank, place);
    }

    /// The next job.
    pub(super) fn pop(&mut self) -> Option<T> {
        let place = self.first()?;
        self.taken += 1;
        self.remove(place)
    }

    /// A job leaves before its turn.
    pub(super) fn remove(&mut self, place: Place) -> Option<T> {
        let Job {
            job,
            priority,
            rank,
        } = self.jobs.remove(&place)?;
        self.class(priority).remove(&rank);
        Some(job)
    }

    /// Empties the queue; the oldest job is first.
    pub(super) fn drain(&mut self) -> Vec<T> {
        self.classes = Default::default();
        let jobs = std::mem::take(&mut self.jobs);
        jobs.into_values().map(|waiting| waiting.job).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.jobs.len()
    }

    fn first(&self) -> Option<Place> {
        if (self.taken + 1).is_multiple_of(OLDEST_OF) {
            return self.jobs.keys().next().copied();
        }
        let mut classes = Priority::ALL.iter().zip(&self.classes);
        classes.find_map(|(priority, class)| {
            let job = match priority {
                Priority::Visible => class.last_key_value(),
                Priority::Next | Priority::Background => class.first_key_value(),
            };
            job.map(|(_, place)| *place)
        })
    }

    fn class(&mut self, priority: Priority) -> &mut BTreeMap<u64, Place> {
        &mut self.classes[priority as usize]
    }

    fn next_number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Priority::{Background, Next, Visible};
    use proptest::prelude::*;

    fn all(queue: &mut Queue<u32>) -> Vec<u32> {
        std::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn the_urgent_comes_first_and_of_what_is_visible_the_newest() {
        let mut queue = Queue::new();
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
        assert_eq!(all(&mut queue), [6, 3, 2, 5, 1, 4]);
    }

    #[test]
    fn every_eighth_job_is_the_oldest_of_all() {
        let mut queue = Queue::new();
        queue.push(100, Background);
        queue.push(101, Next);
        for job in 0..20 {
            queue.push(job, Visible);
        }
        let order = all(&mut queue);
        assert_eq!(order[..8], [19, 18, 17, 16, 15, 14, 13, 100]);
        assert_eq!(order[8..16], [12, 11, 10, 9, 8, 7, 6, 101]);
        assert_eq!(order[16..], [5, 4, 3, 2, 1, 0]);
    }

    #[test]
    fn nobody_waits_for_ever_while_more_urgent_jobs_keep_coming() {
        let mut queue = Queue::new();
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
    fn what_is_asked_for_again_is_as_urgent_as_the_most_urgent_wants() {
        let mut queue = Queue::new();
        let places: Vec<_> = [Background, Background, Next, Visible, Visible]
            .into_iter()
            .zip(1..)
            .map(|(priority, job)| queue.push(job, priority))
            .collect();
        queue.raise(places[1], Next);
        queue.raise(places[2], Background);
        queue.raise(places[2], Next);
        queue.raise(places[3], Visible);
        assert_eq!(all(&mut queue), [4, 5, 3, 2, 1]);
        queue.raise(places[1], Visible);
        assert_eq!((queue.len(), queue.pop()), (0, None));
    }

    #[test]
    fn what_leaves_leaves_nothing_behind() {
        let mut queue = Queue::new();
        let first = queue.push(1, Visible);
        queue.push(2, Visible);
        assert_eq!((queue.remove(first), queue.remove(first)), (Some(1), None));
        assert_eq!((queue.len(), queue.pop()), (1, Some(2)));
        queue.push(3, Next);
        queue.push(4, Visible);
        assert_eq!((queue.drain(), queue.len()), (vec![3, 4], 0));
        assert_eq!(queue.pop(), None);
    }

    /// The rule as a list that is looked through from its beginning each time.
    #[derive(Default)]
    struct Model {
        /// In the order in which they came: a job, its class, and when it was last asked for.
        jobs: Vec<(u32, Priority, u32)>,
        taken: u32,
        asked: u32,
    }

    impl Model {
        fn push(&mut self, job: u32, priority: Priority) {
            self.asked += 1;
            self.jobs.push((job, priority, self.asked));
        }

        fn raise(&mut self, job: u32, priority: Priority) {
            self.asked += 1;
            let asked = self.asked;
            for (other, is, when) in &mut self.jobs {
                if *other == job && (priority < *is || (priority, *is) == (Visible, Visible)) {
                    (*is, *when) = (priority, asked);
                }
            }
        }

        fn pop(&mut self) -> Option<u32> {
            if self.jobs.is_empty() {
                return None;
            }
            self.taken += 1;
            let newest_first = |when: u32| u32::MAX - when;
            let order = |at: &usize| {
                let (_, priority, when) = self.jobs[*at];
                let rank = if priority == Visible {
                    newest_first(when)
                } else {
                    when
                };
                (priority, rank)
            };
            let at = if self.taken.is_multiple_of(8) {
                0
            } else {
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
    enum Step {
        Push(Priority),
        /// Of the jobs that ever came, the one in this part of them.
        Raise(u8, Priority),
        Remove(u8),
        Pop,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let priority = || prop::sample::select(Priority::ALL.to_vec());
        let step = prop_oneof![
            4 => priority().prop_map(Step::Push),
            2 => (any::<u8>(), priority()).prop_map(|(at, to)| Step::Raise(at, to)),
            1 => any::<u8>().prop_map(Step::Remove),
            3 => Just(Step::Pop),
        ];
        prop::collection::vec(step, 0..120)
    }

    proptest! {
        #[test]
        fn jobs_come_and_go_by_the_rule(steps in steps()) {
            let (mut queue, mut model) = (Queue::new(), Model::default());
            let mut places: Vec<Place> = Vec::new();
            for step in steps {
                let pick = |at: u8| (!places.is_empty()).then(|| usize::from(at) % places.len());
                match step {
                    Step::Push(priority) => {
                        let job = places.len() as u32;
                        model.push(job, priority);
                        places.push(queue.push(job, priority));
                    }
                    Step::Raise(at, priority) => if let Some(job) = pick(at) {
                        model.raise(job as u32, priority);
                        queue.raise(places[job], priority);
                    },
                    Step::Remove(at) => if let Some(job) = pick(at) {
                        prop_assert_eq!(queue.remove(places[job]), model.remove(job as u32));
                    },
                    Step::Pop => prop_assert_eq!(queue.pop(), model.pop()),
                }
                prop_assert_eq!(queue.len(), model.jobs.len());
            }
            while let Some(job) = model.pop() {
                prop_assert_eq!(queue.pop(), Some(job));
            }
            prop_assert_eq!(queue.pop(), None);
        }
    }
}
