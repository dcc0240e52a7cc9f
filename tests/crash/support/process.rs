//! A server as a process, and the end of processes.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use serde_json::Value;

use super::{Client, Home};

/// The maximum time until a program on a busy machine is ready, or has ended.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that is ready. Killed when dropped.
pub(crate) struct Server {
    pub(crate) ready: Value,
    child: Child,
    output: BufReader<ChildStdout>,
}

/// The outcome of a process.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Its exit code; none after a signal.
    pub(crate) code: Option<i32>,
    /// The remaining standard output.
    pub(crate) output: String,
    /// The time that the end took.
    pub(crate) took: Duration,
}

impl Server {
    /// Starts a server in the home.
    pub(crate) fn start(home: &Home) -> Self {
        Self::start_with(home, &mut home.serve(&[]))
    }

    /// Starts a server and waits for its one line.
    pub(crate) fn start_with(home: &Home, command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let mut line = String::new();
            let read = output.read_line(&mut line);
            // There is no receiver after the time limit.
            let _late = sender.send(read.map(|_| (line, output)));
        });
        let line = match receiver.recv_timeout(PATIENCE) {
            Ok(Ok((line, output))) if !line.is_empty() => Some((line, output)),
            Ok(_) | Err(_) => None,
        };
        let Some((line, output)) = line else {
            // Whatever it does: it is not ready.
            let _gone = child.kill();
            let status = child.wait();
            panic!("not ready ({status:?}): {}", home.stderr());
        };
        let ready = line.strip_prefix("FUMIKURA_READY ");
        let ready = ready.unwrap_or_else(|| panic!("not the ready line: {line}"));
        Self {
            ready: serde_json::from_str(ready).unwrap(),
            child,
            output,
        }
    }

    pub(crate) fn url(&self) -> &str {
        self.ready["url"].as_str().unwrap()
    }

    pub(crate) fn token(&self) -> &str {
        self.ready["token"].as_str().unwrap()
    }

    /// Returns its port on the loopback.
    pub(crate) fn port(&self) -> u16 {
        let port = self.url().trim_end_matches('/').rsplit(':').next().unwrap();
        port.parse().unwrap()
    }

    /// Returns a client of the server.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.url(), self.token())
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Sends a signal without waiting for its effect.
    pub(crate) fn signal(&self, signal: Signal) {
        rustix::process::kill_process(self.pid(), signal).unwrap();
    }

    /// Kills the server without a warning.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Terminates the server by a signal, and waits.
    pub(crate) fn stop(self, signal: Signal) -> Outcome {
        self.signal(signal);
        self.wait()
    }

    /// Waits for its end.
    pub(crate) fn wait(mut self) -> Outcome {
        let mut outcome = wait_for_exit(&mut self.child);
        self.output.read_to_string(&mut outcome.output).unwrap();
        outcome
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// Waits for a process's end, which must come.
#[track_caller]
pub(crate) fn wait_for_exit(child: &mut Child) -> Outcome {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            let took = start.elapsed();
            let mut output = String::new();
            if let Some(mut stdout) = child.stdout.take() {
                stdout.read_to_string(&mut output).unwrap();
            }
            return Outcome {
                code: status.code(),
                output,
                took,
            };
        }
        if start.elapsed() > PATIENCE {
            let _gone = child.kill();
            panic!("it did not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
