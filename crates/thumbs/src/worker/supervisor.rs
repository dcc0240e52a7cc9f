//! The thread that starts workers and ends idle ones.
//!
//! This thread alone starts workers, since the kernel ends a worker with the *thread* that started it: so
//! they last as long as the supervisor, whichever thread uses them.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::WorkerConfig;
use super::child::{ProcessTable, Worker};

/// The interval at which idle workers are checked, at least and at most.
const CHECK_INTERVAL: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(5));

/// Workers that wait for a job, each with the start of its wait. The one that was used last is at
/// the end.
#[derive(Debug, Default)]
pub(super) struct Idle {
    workers: Mutex<Vec<(Worker, Instant)>>,
}

impl Idle {
    pub(super) fn put(&self, worker: Worker) {
        self.lock().push((worker, Instant::now()));
    }

    pub(super) fn take(&self) -> Option<Worker> {
        self.lock().pop().map(|(worker, _)| worker)
    }

    /// Removes and returns the workers that have waited for so long.
    fn take_older(&self, age: Duration) -> Vec<(Worker, Instant)> {
        let mut workers = self.lock();
        let young = workers
            .iter()
            .position(|(_, since)| since.elapsed() < age)
            .unwrap_or(workers.len());
        workers.drain(..young).collect()
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, Vec<(Worker, Instant)>> {
        self.workers.lock()
    }
}

/// A handle of the thread.
#[derive(Debug)]
pub(super) struct Supervisor {
    requests: Sender<Request>,
    thread: JoinHandle<()>,
}

#[derive(Debug)]
enum Request {
    Start(SyncSender<io::Result<Worker>>),
    Stop,
}

impl Supervisor {
    pub(super) fn start(config: WorkerConfig, idle: Arc<Idle>) -> io::Result<Self> {
        let (requests, received) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("thumb-workers".to_owned())
            .spawn(move || run(&config, &idle, &received))?;
        Ok(Self { requests, thread })
    }

    /// Returns a handle with which workers are requested.
    pub(super) fn starter(&self) -> Starter {
        Starter(self.requests.clone())
    }

    /// Ends the idle workers, then the thread, and with it those that did not finish in time.
    pub(super) fn stop(self) {
        // A failed send means that the thread has stopped already.
        let _gone = self.requests.send(Request::Stop);
        if self.thread.join().is_err() {
            tracing::error!("the supervisor of the thumbnails' workers had panicked");
        }
    }
}

/// Requests workers from the supervisor.
#[derive(Debug, Clone)]
pub(super) struct Starter(Sender<Request>);

impl Starter {
    /// Starts a worker; `None` if the supervisor has stopped.
    pub(super) fn start(&self) -> Option<io::Result<Worker>> {
        let (reply, started) = mpsc::sync_channel(1);
        self.0.send(Request::Start(reply)).ok()?;
        started.recv().ok()
    }
}

fn run(config: &WorkerConfig, idle: &Idle, requests: &Receiver<Request>) {
    let processes = Arc::new(ProcessTable::default());
    let interval = (config.idle / 4).clamp(CHECK_INTERVAL.0, CHECK_INTERVAL.1);
    loop {
        // While there is no worker to monitor, the thread sleeps.
        let request = if processes.has_any() {
            requests.recv_timeout(interval)
        } else {
            requests.recv().map_err(|_| RecvTimeoutError::Disconnected)
        };
        match request {
            Ok(Request::Start(reply)) => {
                // If the requester no longer waits, the worker is dropped, which ends it.
                let _unwanted = reply.send(Worker::start(config, &processes));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Ok(Request::Stop) | Err(RecvTimeoutError::Disconnected) => break,
        }
        drop(idle.take_older(config.idle));
        processes.reap();
    }
    let start = Instant::now();
    drop(idle.take_older(Duration::ZERO));
    while processes.has_any() && start.elapsed() < config.finish {
        thread::sleep(CHECK_INTERVAL.0);
        drop(idle.take_older(Duration::ZERO));
        processes.reap();
    }
}
