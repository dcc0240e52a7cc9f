//! The queue before the workers: bounded, with a place to wait for those who may wait.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Why a job was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Every place is taken.
    Full,
    /// No job is taken any more.
    Closed,
}

/// Jobs in the order in which they came. `capacity` of them have a place; those who may wait for
/// one are kept apart, so that waiting is an entry in a list and not a blocked thread.
#[derive(Debug)]
pub(super) struct Queue<T> {
    jobs: Mutex<Jobs<T>>,
    changed: Condvar,
    capacity: usize,
}

#[derive(Debug)]
struct Jobs<T> {
    placed: VecDeque<T>,
    waiting: VecDeque<T>,
    closed: bool,
}

impl<T> Queue<T> {
    /// A queue with `capacity` places, at least one.
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            jobs: Mutex::new(Jobs {
                placed: VecDeque::new(),
                waiting: VecDeque::new(),
                closed: false,
            }),
            changed: Condvar::new(),
            capacity: capacity.max(1),
        }
    }

    /// Takes a job if there is a place for it. Nobody who waits is overtaken.
    pub(super) fn push(&self, job: T) -> Result<(), (T, Refusal)> {
        let mut jobs = self.lock();
        if jobs.closed {
            return Err((job, Refusal::Closed));
        }
        if jobs.placed.len() >= self.capacity {
            return Err((job, Refusal::Full));
        }
        jobs.placed.push_back(job);
        self.changed.notify_one();
        Ok(())
    }

    /// Takes a job in any case; where every place is taken it waits for one.
    pub(super) fn push_or_wait(&self, job: T) -> Result<(), (T, Refusal)> {
        match self.push(job) {
            Err((job, Refusal::Full)) => {
                let mut jobs = self.lock();
                if jobs.closed {
                    return Err((job, Refusal::Closed));
                }
                jobs.waiting.push_back(job);
                // A place may have become free between the two locks.
                jobs.fill(self.capacity);
                self.changed.notify_one();
                Ok(())
            }
            result => result,
        }
    }

    /// The next job; blocks while there is none. `None` once the queue is closed.
    pub(super) fn pop(&self) -> Option<T> {
        let mut jobs = self.lock();
        loop {
            if jobs.closed {
                return None;
            }
            if let Some(job) = jobs.placed.pop_front() {
                jobs.fill(self.capacity);
                return Some(job);
            }
            jobs = self
                .changed
                .wait(jobs)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes no more jobs and gives none out; hands back those that nobody will do.
    pub(super) fn close(&self) -> Vec<T> {
        let mut jobs = self.lock();
        jobs.closed = true;
        self.changed.notify_all();
        let Jobs {
            placed, waiting, ..
        } = &mut *jobs;
        placed.drain(..).chain(waiting.drain(..)).collect()
    }

    /// How many jobs have a place, and how many wait for one.
    pub(super) fn len(&self) -> (usize, usize) {
        let jobs = self.lock();
        (jobs.placed.len(), jobs.waiting.len())
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    fn lock(&self) -> MutexGuard<'_, Jobs<T>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Jobs<T> {
    fn fill(&mut self, capacity: usize) {
        while self.placed.len() < capacity {
            match self.waiting.pop_front() {
                Some(job) => self.placed.push_back(job),
                None => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_full_queue_refuses_and_lets_wait() {
        let queue = Queue::new(2);
        queue.push(1).unwrap();
        queue.push(2).unwrap();
        assert_eq!(queue.push(3), Err((3, Refusal::Full)));
        queue.push_or_wait(3).unwrap();
        queue.push_or_wait(4).unwrap();
        assert_eq!(queue.len(), (2, 2));
        assert_eq!(queue.pop(), Some(1));
        assert_eq!(queue.len(), (2, 1));
        assert_eq!(queue.push(5), Err((5, Refusal::Full)));
        assert_eq!(
            [queue.pop(), queue.pop(), queue.pop()],
            [Some(2), Some(3), Some(4)]
        );
        queue.push(5).unwrap();
    }

    #[test]
    fn a_closed_queue_hands_back_everything() {
        let queue = Queue::new(1);
        queue.push(1).unwrap();
        queue.push_or_wait(2).unwrap();
        assert_eq!(queue.close(), [1, 2]);
        assert_eq!(queue.pop(), None);
        assert_eq!(queue.push(3), Err((3, Refusal::Closed)));
        assert_eq!(queue.push_or_wait(3), Err((3, Refusal::Closed)));
        assert!(queue.close().is_empty());
    }

    #[test]
    fn closing_wakes_those_who_wait_for_a_job() {
        let queue = Queue::<u8>::new(1);
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| queue.pop());
            queue.close();
            assert_eq!(worker.join().unwrap(), None);
        });
    }

    proptest! {
        /// Whatever is pushed comes out once and in order, and never more than `capacity` have a
        /// place.
        #[test]
        fn jobs_come_out_in_the_order_in_which_they_went_in(
            capacity in 1..5_usize,
            steps in prop::collection::vec(0..3_u8, 0..60),
        ) {
            let queue = Queue::new(capacity);
            let (mut next, mut expected) = (0, VecDeque::new());
            for step in steps {
                match step {
                    0 => if queue.push(next).is_ok() { expected.push_back(next) },
                    1 => { queue.push_or_wait(next).unwrap(); expected.push_back(next) },
                    _ => if !expected.is_empty() { prop_assert_eq!(queue.pop(), expected.pop_front()) },
                }
                next += 1;
                let (placed, waiting) = queue.len();
                prop_assert!(placed <= capacity);
                prop_assert!(waiting == 0 || placed == capacity);
                prop_assert_eq!(placed + waiting, expected.len());
            }
        }
    }
}
