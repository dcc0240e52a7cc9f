//! A worker as seen by its parent.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fumikura_base::printable::Printable;
use fumikura_image::{DecodeError, EncodedThumbnail, PictureHash, PictureKind};
use parking_lot::Mutex;
use rustix::process::Signal;

use super::system::{self, ReceiveOutcome};
use super::wire::{self, Job, Settings, ThumbnailFile, WorkerAnswer};
use super::{WorkerConfig, WorkerError, WorkerLimits};

/// The time limit for the greeting of a worker, unless the limit for a picture is shorter.
const GREETING_TIMEOUT: Duration = Duration::from_secs(10);
/// The time limit for the exit of a killed worker, which no program can delay. A worker that waits for a disk exits
/// when the disk answers.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// The number of bytes that are kept of a worker's standard error.
const MAX_STDERR: usize = 1024;
/// The setting that makes glibc (from 2.35 on) use large pages. Without it, half of the time for decoding a large
/// picture is spent by the kernel on memory in pages of 4 KiB.
const LARGE_PAGES: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");
/// The signals that end a worker independently of the picture: a shutdown or a closed terminal sends them to
/// every process.
const EXTERNAL_SIGNALS: [Signal; 5] = [
    Signal::KILL,
    Signal::TERM,
    Signal::HUP,
    Signal::INT,
    Signal::QUIT,
];

/// The processes that were started and have not exited yet.
#[derive(Debug, Default)]
pub(super) struct ProcessTable {
    alive: AtomicUsize,
    /// Killed processes that did not exit within the time limit.
    lingering: Mutex<Vec<Child>>,
}

impl ProcessTable {
    /// Returns true if there is a process to monitor.
    pub(super) fn has_any(&self) -> bool {
        self.alive.load(Ordering::Acquire) > 0
    }

    /// Polls the lingering processes, and removes those that have exited.
    pub(super) fn reap(&self) {
        let mut lingering = self.lingering.lock();
        lingering.retain_mut(|process| {
            // A process whose status is unavailable is no longer a child.
            let lingers = matches!(process.try_wait(), Ok(None));
            if !lingers {
                self.alive.fetch_sub(1, Ordering::AcqRel);
            }
            lingers
        });
    }

    fn linger(&self, process: Child) {
        let mut lingering = self.lingering.lock();
        lingering.push(process);
    }
}

/// A worker process. It is killed on drop.
#[derive(Debug)]
pub(super) struct Worker {
    /// The process; `None` after its exit.
    process: Option<Child>,
    socket: OwnedFd,
    /// The beginning of its standard error, padded with zeros.
    stderr: File,
    jobs: u32,
    /// The number of its last job.
    last: Option<u64>,
    processes: Arc<ProcessTable>,
}

#[derive(Debug)]
pub(super) enum JobOutcome {
    /// The worker answered, and is ready for the next.
    Answered(Result<EncodedThumbnail, DecodeError>),
    /// The worker is unusable because of the picture.
    Poisoned(DecodeError),
    /// The worker is unusable, but the picture is not at fault: it ended without having accepted the job, or
    /// answered the previous job.
    NotTaken,
    /// The system failed.
    Failed(io::Error),
}

impl Worker {
    /// Starts a worker. It ends with the thread that called this.
    pub(super) fn start(config: &WorkerConfig, processes: &Arc<ProcessTable>) -> io::Result<Self> {
        let (ours, theirs) = system::socket_pair()?;
        let stderr = system::file_in_memory(MAX_STDERR as u64)?;
        let mut command = Command::new(&config.program);
        command
            .args(&config.arguments)
            // A decoder needs no secrets.
            .env_clear()
            .env(LARGE_PAGES.0, LARGE_PAGES.1)
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            // Messages of libraries contain text of the picture, of any length.
            .stderr(Stdio::from(stderr.try_clone()?))
            // Ctrl C in a terminal ends the program, which ends its workers when they have finished.
            .process_group(0);
        let process = command.spawn()?;
        processes.alive.fetch_add(1, Ordering::AcqRel);
        Ok(Self {
            process: Some(process),
            socket: ours,
            stderr,
            jobs: 0,
            last: None,
            processes: Arc::clone(processes),
        })
    }

    /// Checks the greeting, and sends the settings for all jobs.
    pub(super) fn greet(
        &mut self,
        settings: &Settings,
        limits: &WorkerLimits,
    ) -> Result<(), WorkerError> {
        let mut buffer = [0; wire::MAX_MESSAGE_BYTES];
        let expected = wire::greeting();
        let timeout = GREETING_TIMEOUT.min(limits.wall);
        let greeting =
            match system::receive_until(&self.socket, &mut buffer, Instant::now() + timeout) {
                ReceiveOutcome::Message(length) => {
                    String::from_utf8_lossy(&buffer[..length]).into_owned()
                }
                ReceiveOutcome::TooLong => String::from_utf8_lossy(&buffer).into_owned(),
                ReceiveOutcome::Nothing => return Err(WorkerError::Silent(timeout)),
                ReceiveOutcome::Closed | ReceiveOutcome::ClosedUnread => {
                    return Err(self.early_exit_error());
                }
                ReceiveOutcome::Failed(error) => return Err(WorkerError::HandingOver(error)),
            };
        if greeting != expected {
            let says = wire::excerpt(&greeting);
            return Err(WorkerError::OtherBuild { says, expected });
        }
        match system::send(&self.socket, &wire::encode(settings), &[]) {
            Ok(()) => Ok(()),
            Err(error) if is_disconnected(&error) => Err(self.early_exit_error()),
            Err(error) => Err(WorkerError::HandingOver(error)),
        }
    }

    fn early_exit_error(&mut self) -> WorkerError {
        let how = describe_exit(self.end());
        // It had no picture yet, so the text is from the program, or from the system that could not load it.
        let mut bytes = [0; MAX_STDERR];
        let length = self.stderr.read_at(&mut bytes, 0).unwrap_or(0);
        let words = String::from_utf8_lossy(&bytes[..length]);
        let words = wire::excerpt(words.trim_end_matches('\0').trim());
        WorkerError::EndedAtOnce(match words.is_empty() {
            true => how,
            false => format!("{how}: {}", Printable(words)),
        })
    }

    /// Returns true if it waits for a job, and has sent nothing since the last one.
    pub(super) fn is_ready(&self) -> bool {
        let received = system::receive_until(&self.socket, &mut [0; 1], Instant::now());
        matches!(received, ReceiveOutcome::Nothing)
    }

    /// The number of jobs that it has had.
    pub(super) fn jobs(&self) -> u32 {
        self.jobs
    }

    /// Runs a job with the picture, and reads the result from `thumbnail`.
    pub(super) fn run(
        &mut self,
        job: Job,
        kind: PictureKind,
        handles: [&File; 2],
        limits: &WorkerLimits,
    ) -> JobOutcome {
        let thumbnail = handles[1];
        let deadline = Instant::now() + limits.wall;
        let message = wire::encode(&job);
        match system::send(&self.socket, &message, &handles.map(AsFd::as_fd)) {
            Ok(()) => self.jobs += 1,
            Err(error) if is_disconnected(&error) => return JobOutcome::NotTaken,
            Err(error) => return JobOutcome::Failed(error),
        }
        let previous = self.last.replace(job.number);
        let mut buffer = [0; wire::MAX_MESSAGE_BYTES];
        let answer = match system::receive_until(&self.socket, &mut buffer, deadline) {
            ReceiveOutcome::Message(length) => wire::decode::<WorkerAnswer>(&buffer[..length]),
            ReceiveOutcome::TooLong => None,
            ReceiveOutcome::Nothing => {
                return JobOutcome::Poisoned(DecodeError::Unanswered(limits.wall));
            }
            ReceiveOutcome::Closed => return JobOutcome::Poisoned(self.exit_error(limits)),
            ReceiveOutcome::ClosedUnread => return JobOutcome::NotTaken,
            ReceiveOutcome::Failed(error) => return JobOutcome::Failed(error),
        };
        let unintelligible = |what| JobOutcome::Poisoned(DecodeError::Unintelligible(what));
        match answer {
            None => unintelligible("it is no answer"),
            Some(answer) if Some(answer.number) == previous => JobOutcome::NotTaken,
            Some(answer) if answer.number != job.number => {
                unintelligible("it is for another picture")
            }
            Some(WorkerAnswer { outcome, .. }) => match outcome {
                Err(failure) => JobOutcome::Answered(Err(failure.into())),
                Ok(written) => self::finish_job(written, thumbnail, kind, limits),
            },
        }
    }

    fn exit_error(&mut self, limits: &WorkerLimits) -> DecodeError {
        let status = self.end();
        let is_by = |signal: &Signal| status.and_then(|it| it.signal()) == Some(signal.as_raw());
        if is_by(&Signal::XCPU) {
            DecodeError::TimedOut(limits.cpu)
        } else if status.is_none() || EXTERNAL_SIGNALS.iter().any(is_by) {
            DecodeError::Killed
        } else {
            DecodeError::Crashed(describe_exit(status))
        }
    }

    /// Kills it. Returns its exit status if it has exited, by itself or because it was killed here.
    fn end(&mut self) -> Option<ExitStatus> {
        let mut process = self.process.take()?;
        // This has no effect on a process that has exited by itself, whose status is read below.
        let killed = process.kill();
        let start = Instant::now();
        loop {
            match process.try_wait() {
                Ok(Some(status)) => {
                    self.processes.alive.fetch_sub(1, Ordering::AcqRel);
                    return Some(status);
                }
                Ok(None) if killed.is_ok() && start.elapsed() < EXIT_TIMEOUT => {
                    thread::sleep(Duration::from_micros(200));
                }
                Ok(None) | Err(_) => {
                    tracing::warn!(pid = process.id(), "a worker does not exit");
                    self.processes.linger(process);
                    return None;
                }
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

fn describe_exit(status: Option<ExitStatus>) -> String {
    status.map_or_else(|| "unknown status".to_owned(), |status| status.to_string())
}

/// Reads the thumbnail that a worker reports as written.
fn finish_job(
    written: ThumbnailFile,
    thumbnail: &File,
    kind: PictureKind,
    limits: &WorkerLimits,
) -> JobOutcome {
    let unintelligible = |what| JobOutcome::Poisoned(DecodeError::Unintelligible(what));
    let ThumbnailFile { length, hash } = written;
    if length > limits.output {
        return unintelligible("the thumbnail is too long");
    }
    let placeholder = hash.map(|bytes| PictureHash::from_bytes(&bytes));
    if placeholder == Some(None) {
        return unintelligible("the placeholder has an invalid length");
    }
    match read(thumbnail, length) {
        Err(error) => JobOutcome::Failed(error),
        // The output of a compromised worker is never served as another type.
        Ok(bytes) if PictureKind::of(&bytes) == Some(kind) => {
            JobOutcome::Answered(Ok(EncodedThumbnail {
                bytes,
                hash: placeholder.flatten(),
            }))
        }
        Ok(_) => unintelligible("the thumbnail is of another kind"),
    }
}

/// Returns true if sending failed because the receiver is gone.
fn is_disconnected(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::NotConnected
    )
}

fn read(thumbnail: &File, length: u64) -> io::Result<Vec<u8>> {
    let length = usize::try_from(length).map_err(io::Error::other)?;
    let mut bytes = vec![0; length];
    thumbnail.read_exact_at(&mut bytes, 0)?;
    Ok(bytes)
}
