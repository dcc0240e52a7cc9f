//! Runs jobs that wait for a disk, so that a disk that never answers delays only its own jobs.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::{RootId, platform};

/// The disk that a job waits for, as far as it is known before the job runs. Jobs of different devices do not wait for
/// each other, unless as many run as the pool has threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Device {
    /// The disk of a root, asked only whether it answers. Long jobs on the same root do not delay that answer.
    Availability(RootId),
    /// Some file system at a root or beneath it.
    Root(RootId),
    /// The file system with this number.
    FileSystem(u64),
}

impl Device {
    /// Returns the disk of an absolute place beneath a root, by the table of mounts, so that no disk is asked.
    #[must_use]
    pub fn at(root: RootId, place: &Path) -> Self {
        platform::file_system_at(place).map_or(Self::Root(root), Self::FileSystem)
    }
}

/// The limits of a pool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The jobs that run at once.
    pub(crate) total: usize,
    /// The jobs of one device that run at once, unless more than half of `total` run: then each device has one.
    pub(crate) per_device: usize,
    /// The jobs of one device that wait.
    pub(crate) queue: usize,
    /// The time without a finished job after which a busy device counts as hung.
    pub(crate) hang: Duration,
    /// The jobs that are started on a device while it is hung.
    pub(crate) probes: usize,
    /// The time after which a thread without a job ends, or, while jobs wait, checks again if one of them may start.
    pub(crate) idle: Duration,
}

impl Limits {
    pub(crate) const DEFAULT: Self = Self {
        total: 128,
        per_device: 8,
        queue: 64,
        hang: Duration::from_secs(60),
        probes: 2,
        idle: Duration::from_secs(10),
    };
}

/// A job was refused. It has not begun, and never will.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// The device is hung: its jobs have been running for a minute, and none has finished.
    #[error("the disk does not answer")]
    Hung,
    /// As many jobs as possible wait for the device.
    #[error("too many jobs wait for the disk")]
    QueueFull,
    /// The pool is shut down.
    #[error("the pool is shut down")]
    ShutDown,
    /// The system has no more threads.
    #[error("no thread can be started: {0}")]
    Threads(#[source] io::Error),
}

/// A job has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WaitError {
    /// The time is up. The job goes on.
    #[error("the disk has not answered in time")]
    TimedOut,
    /// The job panicked, or the pool was shut down before the job began.
    #[error("the job ended without a result")]
    NoResult,
}

/// A claim to the result of a job.
#[derive(Debug)]
pub struct Ticket<T>(Receiver<T>);

impl<T> Ticket<T> {
    /// Waits for the result.
    ///
    /// # Errors
    /// [`WaitError`] if there is none, or none in time.
    pub fn wait(&self, timeout: Duration) -> Result<T, WaitError> {
        self.0.recv_timeout(timeout).map_err(|error| match error {
            RecvTimeoutError::Timeout => WaitError::TimedOut,
            RecvTimeoutError::Disconnected => WaitError::NoResult,
        })
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// A pool of threads for jobs that wait for disks.
///
/// Each device has a queue and a few threads at most. A busy device whose jobs do not finish for a minute is hung:
/// further jobs are refused, but for one each minute and two in all, which find out whether it answers again, as another
/// disk may be mounted by now. It is no longer hung as soon as any of its jobs finishes.
///
/// Threads are started when they are needed, and end when they have been idle for a while. While jobs wait, one thread is
/// always idle: it starts the probe of a hung device when that is due. Dropping the pool shuts it down: waiting jobs are
/// dropped, and running ones are not waited for, as their disks may never answer.
pub struct DiskPool(Arc<SharedPool>);

struct SharedPool {
    /// The origin of all times.
    epoch: Instant,
    limits: Limits,
    state: Mutex<PoolState>,
    /// Signals a job that may start, or the end.
    has_job: Condvar,
}

#[derive(Default)]
struct PoolState {
    queues: HashMap<Device, DeviceQueue>,
    /// The number of jobs that were submitted.
    submitted: u64,
    /// The number of running jobs.
    running: usize,
    /// The number of threads that wait for a job.
    idle: usize,
    /// True if a thread was started that has not taken its first job.
    is_starting: bool,
    is_shut_down: bool,
}

/// The jobs of one device.
#[derive(Default)]
struct DeviceQueue {
    /// The waiting jobs with their numbers, the oldest first.
    waiting: VecDeque<(u64, Job)>,
    /// The times at which the running jobs started.
    running: Vec<Duration>,
    /// The time at which the last job finished, or the only running one started.
    progressed: Duration,
    /// The time of the last probe.
    probed: Duration,
    /// The number of probes since the last progress.
    probes: usize,
}

impl DeviceQueue {
    fn is_hung(&self, limits: &Limits, now: Duration) -> bool {
        !self.running.is_empty() && now.saturating_sub(self.progressed) >= limits.hang
    }

    /// True if another job of the device may start.
    fn may_start(&self, limits: &Limits, per_device: usize, now: Duration) -> bool {
        if self.is_hung(limits, now) {
            let since = self.probed.max(self.progressed);
            return self.probes < limits.probes && now.saturating_sub(since) >= limits.hang;
        }
        // Jobs that have been stuck for long, on a disk that answers again, leave their place to others; but not
        // more than once.
        let is_stuck = |started: &&Duration| now.saturating_sub(**started) >= limits.hang;
        let stuck = self.running.iter().filter(is_stuck).count();
        self.running.len() - stuck.min(limits.per_device) < per_device
    }

    fn start(&mut self, limits: &Limits, now: Duration) -> Option<Job> {
        let (_, job) = self.waiting.pop_front()?;
        if self.is_hung(limits, now) {
            self.probes += 1;
            self.probed = now;
        }
        if self.running.is_empty() {
            self.progressed = now;
        }
        self.running.push(now);
        Some(job)
    }

    fn finish(&mut self, started: Duration, now: Duration) {
        if let Some(at) = self.running.iter().position(|it| *it == started) {
            self.running.swap_remove(at);
        }
        self.progressed = now;
        self.probes = 0;
    }

    fn is_unused(&self) -> bool {
        self.running.is_empty() && self.waiting.is_empty()
    }
}

impl PoolState {
    /// Returns the device whose job may start now, and has waited longest.
    fn next_device(&self, limits: &Limits, now: Duration) -> Option<Device> {
        if self.is_shut_down || self.running >= limits.total {
            return None;
        }
        let per_device = match self.running < limits.total / 2 {
            true => limits.per_device,
            false => 1,
        };
        let queues = self.queues.iter();
        let ready = queues.filter_map(|(device, queue)| {
            let (number, _) = queue.waiting.front()?;
            let may_start = queue.may_start(limits, per_device, now);
            may_start.then_some((*number, *device))
        });
        ready.min_by_key(|(number, _)| *number).map(|(_, it)| it)
    }

    fn has_waiting(&self) -> bool {
        let mut queues = self.queues.values();
        queues.any(|queue| !queue.waiting.is_empty())
    }

    fn start(&mut self, limits: &Limits, now: Duration) -> Option<(Device, Job)> {
        let device = self.next_device(limits, now)?;
        let job = self.queues.get_mut(&device)?.start(limits, now)?;
        self.running += 1;
        Some((device, job))
    }

    fn finish(&mut self, device: Device, started: Duration, now: Duration) {
        self.running -= 1;
        if let Some(queue) = self.queues.get_mut(&device) {
            queue.finish(started, now);
            if queue.is_unused() {
                self.queues.remove(&device);
            }
        }
    }
}

impl Default for DiskPool {
    fn default() -> Self {
        Self::with(Limits::DEFAULT)
    }
}

impl DiskPool {
    /// The time without a finished job after which a busy device counts as hung.
    pub const HANG: Duration = Limits::DEFAULT.hang;

    pub(crate) fn with(limits: Limits) -> Self {
        Self(Arc::new(SharedPool {
            epoch: Instant::now(),
            limits,
            state: Mutex::default(),
            has_job: Condvar::new(),
        }))
    }

    /// Runs a job on a thread of the pool, after other jobs of its device if there are many. Does not wait.
    ///
    /// # Errors
    /// [`SubmitError`] if the job is refused. It is dropped then.
    pub fn submit<T: Send + 'static>(
        &self,
        device: Device,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Ticket<T>, SubmitError> {
        let (give, result) = mpsc::sync_channel(1);
        let job = Box::new(move || {
            // The ticket may have been dropped.
            let _result = give.send(job());
        });
        self.0.submit(device, job)?;
        Ok(Ticket(result))
    }

    /// Refuses all further jobs, and drops those that wait. Running jobs are not waited for.
    pub fn shut_down(&self) {
        let waiting = {
            let mut state = self.0.state();
            state.is_shut_down = true;
            let queues = state.queues.values_mut();
            let waiting = queues.flat_map(|queue| queue.waiting.drain(..));
            Vec::from_iter(waiting)
        };
        self.0.has_job.notify_all();
        // Outside of the lock: what a job owns may use the pool when it is dropped.
        drop(waiting);
    }
}

impl Drop for DiskPool {
    fn drop(&mut self) {
        self.shut_down();
    }
}

impl SharedPool {
    fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock()
    }

    fn submit(self: &Arc<Self>, device: Device, job: Job) -> Result<(), SubmitError> {
        let mut state = self.state();
        if state.is_shut_down {
            return Err(SubmitError::ShutDown);
        }
        let now = self.now();
        let limits = &self.limits;
        if let Some(queue) = state.queues.get(&device) {
            if queue.is_hung(limits, now) && !queue.may_start(limits, 0, now) {
                return Err(SubmitError::Hung);
            }
            if queue.waiting.len() >= limits.queue {
                return Err(SubmitError::QueueFull);
            }
        }
        state.submitted += 1;
        let number = state.submitted;
        let queue = state.queues.entry(device).or_default();
        queue.waiting.push_back((number, job));
        if let Err(error) = self.wake_thread(&mut state)
            && state.running == 0
            && state.idle == 0
        {
            let refused = state.queues.remove(&device);
            drop(state);
            drop(refused);
            return Err(SubmitError::Threads(error));
        }
        Ok(())
    }

    /// Has a thread take the next job, at once or as soon as it may start.
    fn wake_thread(self: &Arc<Self>, state: &mut PoolState) -> io::Result<()> {
        // A thread that starts calls the next one when it has taken its job.
        if state.is_starting || !state.has_waiting() {
            return Ok(());
        }
        if state.idle > 0 {
            self.has_job.notify_one();
            return Ok(());
        }
        let shared = Arc::clone(self);
        let threads = thread::Builder::new().name("disk".to_owned());
        threads.spawn(move || shared.run())?;
        state.is_starting = true;
        Ok(())
    }

    /// Runs jobs until there has been none for a while.
    fn run(self: &Arc<Self>) {
        let mut state = self.state();
        state.is_starting = false;
        loop {
            let started = self.now();
            if let Some((device, job)) = state.start(&self.limits, started) {
                // This job may never return: another thread takes the next one.
                if let Err(error) = self.wake_thread(&mut state) {
                    tracing::warn!(%error, "a disk that does not answer may hold up others");
                }
                drop(state);
                if catch_unwind(AssertUnwindSafe(job)).is_err() {
                    tracing::error!("a job that reads a disk panicked");
                }
                state = self.state();
                state.finish(device, started, self.now());
                continue;
            }
            if state.is_shut_down {
                return;
            }
            state.idle += 1;
            let waited = self.has_job.wait_for(&mut state, self.limits.idle);
            state.idle -= 1;
            let is_needed = state.idle == 0 && state.has_waiting();
            if waited.timed_out() && !is_needed {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Barrier;
    use std::sync::mpsc::Sender;

    use super::*;

    /// A timeout that is exceeded only by waiting forever.
    const LONG: Duration = Duration::from_secs(30);
    const A: Device = Device::FileSystem(1);
    const B: Device = Device::FileSystem(2);

    /// A pool on disks that answer when the test lets them.
    struct PoolFixture {
        pool: DiskPool,
        /// The names of the jobs that have begun.
        begun: Receiver<&'static str>,
        begin: Sender<&'static str>,
    }

    /// A job that waits for its disk. The disk answers when this value is dropped.
    struct SlowJob {
        ticket: Ticket<&'static str>,
        _answer: Sender<()>,
    }

    impl PoolFixture {
        fn new(limits: Limits) -> Self {
            let (begin, begun) = mpsc::channel();
            let pool = DiskPool::with(limits);
            Self { pool, begun, begin }
        }

        fn slow(&self, device: Device, name: &'static str) -> Result<SlowJob, SubmitError> {
            let (answer, answers) = mpsc::channel::<()>();
            let begin = self.begin.clone();
            let ticket = self.pool.submit(device, move || {
                let _told = begin.send(name);
                // Ends with an error when the sender is dropped.
                let _answer = answers.recv();
                name
            })?;
            Ok(SlowJob {
                ticket,
                _answer: answer,
            })
        }

        #[track_caller]
        fn check_begun(&self, name: &str) {
            assert_eq!(self.begun.recv_timeout(LONG), Ok(name));
        }

        #[track_caller]
        fn check_answers(&self, device: Device) {
            let ticket = self.pool.submit(device, || 7).unwrap();
            assert_eq!(ticket.wait(LONG), Ok(7));
        }

        /// Waits until no job is running.
        fn wait_until_idle(&self) {
            while self.pool.0.state().running > 0 {
                thread::yield_now();
            }
        }
    }

    impl SlowJob {
        fn answer(self) -> Ticket<&'static str> {
            self.ticket
        }
    }

    fn limits(per_device: usize) -> Limits {
        Limits {
            per_device,
            hang: LONG,
            ..Limits::DEFAULT
        }
    }

    /// Limits by which a device is hung as soon as a job runs.
    fn short_limits() -> Limits {
        Limits {
            hang: Duration::ZERO,
            ..Limits::DEFAULT
        }
    }

    #[test]
    fn jobs_of_a_device_run_in_turn() {
        let fixture = PoolFixture::new(limits(1));
        let first = fixture.slow(A, "first").unwrap();
        let second = fixture.slow(A, "second").unwrap();
        fixture.check_begun("first");
        assert_eq!(second.ticket.wait(Duration::ZERO), Err(WaitError::TimedOut));
        assert!(fixture.begun.try_recv().is_err());
        assert_eq!(first.answer().wait(LONG), Ok("first"));
        fixture.check_begun("second");
        assert_eq!(second.answer().wait(LONG), Ok("second"));
    }

    #[test]
    fn device_has_a_few_threads() {
        let fixture = PoolFixture::new(limits(2));
        let both = Arc::new(Barrier::new(2));
        let meet = || {
            let both = Arc::clone(&both);
            fixture
                .pool
                .submit(A, move || both.wait().is_leader())
                .unwrap()
        };
        // Each waits for the other.
        let met: HashSet<_> = [meet(), meet()].map(|it| it.wait(LONG).unwrap()).into();
        assert_eq!(met, HashSet::from([true, false]));
        let _jobs = ["1", "2"].map(|name| fixture.slow(A, name).unwrap());
        let names = [(); 2].map(|()| fixture.begun.recv_timeout(LONG).unwrap());
        assert_eq!(HashSet::from(names), HashSet::from(["1", "2"]));
        let third = fixture.slow(A, "3").unwrap();
        fixture.check_answers(B);
        assert_eq!(third.ticket.wait(Duration::ZERO), Err(WaitError::TimedOut));
        assert!(fixture.begun.try_recv().is_err());
    }

    #[test]
    fn silent_disk_delays_no_other() {
        let fixture = PoolFixture::new(limits(1));
        let silent = fixture.slow(A, "silent").unwrap();
        fixture.check_begun("silent");
        let waiting = fixture.pool.submit(A, || 1).unwrap();
        fixture.check_answers(B);
        assert_eq!(waiting.wait(Duration::ZERO), Err(WaitError::TimedOut));
        silent.answer();
        assert_eq!(waiting.wait(LONG), Ok(1));
    }

    #[test]
    fn stuck_jobs_leave_their_places_once() {
        let limits = Limits::DEFAULT;
        let (start, later) = (Duration::ZERO, limits.hang);
        let mut queue = DeviceQueue {
            running: vec![start; limits.per_device],
            ..DeviceQueue::default()
        };
        assert!(!queue.may_start(&limits, limits.per_device, start));
        // The disk answers again: a probe has just finished.
        queue.progressed = later;
        assert!(queue.may_start(&limits, limits.per_device, later));
        queue.running.extend([later; 7]);
        assert!(queue.may_start(&limits, limits.per_device, later));
        queue.running.push(later);
        assert!(!queue.may_start(&limits, limits.per_device, later));
        // The others are stuck as well.
        let (latest, full) = (2 * later, queue.running.len());
        queue.progressed = latest;
        assert_eq!(full, 2 * limits.per_device);
        assert!(!queue.may_start(&limits, limits.per_device, latest));
    }

    #[test]
    fn hung_device_gets_a_few_probes() {
        let fixture = PoolFixture::new(short_limits());
        let jobs = ["first", "probe", "another probe"].map(|name| {
            let job = fixture.slow(A, name).unwrap();
            fixture.check_begun(name);
            job
        });
        assert!(matches!(fixture.slow(A, "more"), Err(SubmitError::Hung)));
        fixture.check_answers(B);
        // One answer is enough.
        let [first, others @ ..] = jobs;
        assert_eq!(first.answer().wait(LONG), Ok("first"));
        while fixture.pool.0.state().running > 2 {
            thread::yield_now();
        }
        fixture.check_answers(A);
        drop(others);
    }

    #[test]
    fn waiting_job_probes_a_hung_device() {
        let hang = Duration::from_millis(50);
        let fixture = PoolFixture::new(Limits {
            hang,
            idle: hang,
            ..limits(1)
        });
        let _silent = fixture.slow(A, "silent").unwrap();
        fixture.check_begun("silent");
        let waiting = fixture.pool.submit(A, || 1).unwrap();
        // No other job is submitted, and none finishes.
        assert_eq!(waiting.wait(LONG), Ok(1));
    }

    #[test]
    fn probe_is_started_once_in_a_while() {
        let limits = Limits {
            hang: LONG,
            ..Limits::DEFAULT
        };
        let mut queue = DeviceQueue::default();
        let add = |queue: &mut DeviceQueue| queue.waiting.push_back((0, Box::new(|| ())));
        let start = |queue: &mut DeviceQueue, now| {
            add(queue);
            let may_start = queue.may_start(&limits, 1, now);
            if may_start {
                queue.start(&limits, now);
            }
            queue.waiting.clear();
            may_start
        };
        assert!(start(&mut queue, LONG));
        assert!(!start(&mut queue, LONG + LONG / 2), "one job at a time");
        for number in 2..4 {
            assert!(
                start(&mut queue, number * LONG),
                "another disk may be there"
            );
            assert!(!start(&mut queue, number * LONG + LONG / 2));
        }
        assert!(!start(&mut queue, 9 * LONG), "there are enough");
        queue.finish(2 * LONG, 9 * LONG);
        assert!(!queue.is_hung(&limits, 9 * LONG + LONG / 2));
        assert!(queue.is_hung(&limits, 10 * LONG), "two jobs still run");
        assert!(start(&mut queue, 10 * LONG));
    }

    #[test]
    fn queue_is_bounded() {
        let fixture = PoolFixture::new(Limits {
            queue: 1,
            ..limits(1)
        });
        let first = fixture.slow(A, "first").unwrap();
        fixture.check_begun("first");
        let waiting = fixture.slow(A, "second").unwrap();
        assert!(matches!(
            fixture.slow(A, "more"),
            Err(SubmitError::QueueFull)
        ));
        drop(first);
        fixture.check_begun("second");
        drop(waiting);
    }

    #[test]
    fn hung_devices_leave_threads_to_others() {
        let fixture = PoolFixture::new(Limits {
            total: 4,
            ..limits(4)
        });
        let _silent = ["1", "2", "3"].map(|name| fixture.slow(A, name).unwrap());
        // With half of the threads in use, each device has one.
        for _ in 0..2 {
            fixture.begun.recv_timeout(LONG).unwrap();
        }
        let _other = fixture.slow(B, "other").unwrap();
        fixture.check_begun("other");
        fixture.check_answers(Device::FileSystem(3));
        assert!(fixture.begun.try_recv().is_err());
    }

    #[test]
    fn panicking_job_has_no_result() {
        let fixture = PoolFixture::new(limits(1));
        let ticket = fixture.pool.submit(A, || panic!("this job was to panic"));
        let panicked: Result<(), _> = ticket.unwrap().wait(LONG);
        assert_eq!(panicked, Err(WaitError::NoResult));
        fixture.check_answers(A);
    }

    #[test]
    fn shut_down_drops_waiting_jobs() {
        let fixture = PoolFixture::new(limits(1));
        let running = fixture.slow(A, "running").unwrap();
        fixture.check_begun("running");
        let waiting = fixture.slow(A, "waiting").unwrap();
        fixture.pool.shut_down();
        assert_eq!(waiting.ticket.wait(LONG), Err(WaitError::NoResult));
        assert!(matches!(
            fixture.slow(B, "late"),
            Err(SubmitError::ShutDown)
        ));
        // A running job still ends.
        assert_eq!(running.answer().wait(LONG), Ok("running"));
    }

    #[test]
    fn threads_are_used_again_and_end() {
        let fixture = PoolFixture::new(Limits {
            idle: Duration::ZERO,
            ..limits(1)
        });
        for _ in 0..100 {
            fixture.check_answers(A);
        }
        fixture.wait_until_idle();
        let shared = Arc::downgrade(&fixture.pool.0);
        drop(fixture);
        while shared.strong_count() > 0 {
            thread::yield_now();
        }
    }
}
