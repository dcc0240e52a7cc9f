//! The system calls of a program, in order, from `strace`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use fumikura_tests::stage::programs;

/// The calls that create files, stat them, write them, name them and sync them, and those that send responses.
const CALLS: &str = "trace=?open,openat,openat2,%%stat,?mkdir,mkdirat,write,pwrite64,writev,sendto,fsync,fdatasync,\
                     ?link,linkat,?rename,?renameat,renameat2";

/// The path of a trace's output.
pub(crate) struct Tracing(PathBuf);

/// The recorded calls.
pub(crate) struct Trace(Vec<Call>);

/// A call, with the numbers of the lines in which it starts and returns.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) name: String,
    /// Its arguments and its result. A file is given by its descriptor and, in `<>`, its path.
    pub(crate) text: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Tracing {
    /// Traces into a file of this folder.
    pub(crate) fn into(folder: &Path) -> Self {
        check_allowed();
        Self(folder.join("calls"))
    }

    /// Returns the command that starts a program with its calls traced. The program stays a child of the
    /// process that starts it.
    pub(crate) fn wrap(&self) -> Vec<String> {
        let options = "strace --daemonize --follow-forks --quiet=attach --decode-fds=path";
        let mut wrap: Vec<String> = options.split(' ').map(str::to_owned).collect();
        let into = format!("--output={}", self.0.display());
        wrap.extend(["-e", CALLS, "-e", "signal=none", &into, "--"].map(str::to_owned));
        wrap
    }

    /// Returns the calls of a program that has ended.
    pub(crate) fn of_process(self, pid: rustix::process::Pid) -> Trace {
        let pid = pid.as_raw_nonzero().to_string();
        let start = Instant::now();
        loop {
            let output = std::fs::read_to_string(&self.0).unwrap();
            // A line without its end is still being written.
            let whole = &output[..output.rfind('\n').map_or(0, |end| end + 1)];
            if whole
                .lines()
                .map(parts)
                .any(|(caller, text)| caller == pid && text.starts_with("+++ "))
            {
                return Trace::read(whole);
            }
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "the program does not end"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Reports a missing permission of the system, instead of a server that did not start.
fn check_allowed() {
    let program = programs::system("strace").unwrap_or_else(|error| panic!("{error:#}"));
    let trial = Command::new(program)
        .args(["--output=/dev/null", "--", "true"])
        .output();
    let trial = trial.unwrap();
    let stderr = String::from_utf8_lossy(&trial.stderr);
    assert!(
        trial.status.success(),
        "`strace` can't trace programs here; is ptrace forbidden (kernel.yama.ptrace_scope, a container without \
         SYS_PTRACE)? {stderr}"
    );
}

/// Splits a line into the caller and the call.
fn parts(line: &str) -> (&str, &str) {
    let (caller, text) = line.split_once(' ').unwrap();
    (caller, text.trim_start())
}

impl Trace {
    fn read(output: &str) -> Self {
        let mut calls: Vec<Call> = Vec::new();
        // The calls that have not returned, by caller.
        let mut unfinished: HashMap<&str, usize> = HashMap::new();
        for (line, text) in output.lines().enumerate() {
            let (caller, text) = parts(text);
            if let Some(back) = text.strip_prefix("<... ") {
                let (_, rest) = back.split_once("resumed>").unwrap();
                let call = &mut calls[unfinished.remove(caller).unwrap()];
                call.text.push_str(rest);
                call.end = line;
            } else if let Some((name, arguments)) = text.split_once('(')
                && !text.starts_with("+++")
            {
                let start = arguments.strip_suffix(" <unfinished ...>");
                if start.is_some() {
                    unfinished.insert(caller, calls.len());
                }
                calls.push(Call {
                    name: name.to_owned(),
                    text: start.unwrap_or(arguments).to_owned(),
                    start: line,
                    // A call that never returns ends after all others.
                    end: start.map_or(line, |_| usize::MAX),
                });
            }
        }
        Self(calls)
    }

    /// Returns the successful calls of these names, in the order of their starts.
    pub(crate) fn calls<'t>(&'t self, names: &'t [&str]) -> impl Iterator<Item = &'t Call> {
        let named = |call: &&Call| names.contains(&call.name.as_str()) && call.succeeded();
        self.0.iter().filter(named)
    }

    /// Returns the calls that give a file its name.
    pub(crate) fn name_calls(&self) -> impl Iterator<Item = NameCall<'_>> {
        let names = &["link", "linkat", "rename", "renameat", "renameat2"];
        self.calls(names).map(|call| {
            let mut paths = call.paths();
            let [from, to] = [paths.next(), paths.next()].map(Option::unwrap);
            NameCall { call, from, to }
        })
    }

    /// Returns the calls that sync this file or folder.
    pub(crate) fn syncs(&self, path: &Path) -> impl Iterator<Item = &Call> {
        self.of(&["fsync", "fdatasync"], path)
    }

    /// Returns the calls that write into this file.
    pub(crate) fn writes(&self, path: &Path) -> impl Iterator<Item = &Call> {
        self.of(&["write", "pwrite64", "writev"], path)
    }

    fn of<'t>(&'t self, names: &'t [&str], path: &Path) -> impl Iterator<Item = &'t Call> {
        let file = format!("<{}>", path.display());
        let of_it =
            move |call: &&Call| call.text.split([',', ')']).next().unwrap().ends_with(&file);
        self.calls(names).filter(of_it)
    }
}

/// A call that gives a file its name.
pub(crate) struct NameCall<'t> {
    pub(crate) call: &'t Call,
    pub(crate) from: PathBuf,
    pub(crate) to: PathBuf,
}

impl Call {
    /// Returns the paths among its arguments, each in the folder whose descriptor is the argument before it.
    pub(crate) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let mut parts = self.text.split('"');
        std::iter::from_fn(move || {
            let (before, path) = (parts.next()?, parts.next()?);
            let descriptor = before.strip_suffix(">, ");
            let folder = descriptor.and_then(|before| before.rsplit_once('<'));
            let (_, folder) = folder.unwrap_or_default();
            Some(Path::new(folder).join(path))
        })
    }

    /// Returns true if the call returned before the other one started.
    pub(crate) fn is_before(&self, other: &Self) -> bool {
        self.end < other.start
    }

    fn succeeded(&self) -> bool {
        let result = self.text.rsplit(" = ").next().unwrap();
        !result.starts_with('-') && !result.starts_with('?')
    }
}
