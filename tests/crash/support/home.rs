//! Separate folders for one test, removed with it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fumikura_tests::stage::programs;

use super::Tracing;

/// The folders of a program.
pub(crate) struct Home {
    folder: tempfile::TempDir,
    data: PathBuf,
    cache: PathBuf,
    wrap: Vec<String>,
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("fumikura-")
            .tempdir()
            .unwrap();
        let data = folder.path().join("data");
        let cache = folder.path().join("cache");
        Self {
            folder,
            data,
            cache,
            wrap: Vec::new(),
        }
    }

    /// Puts the data into a folder of the test's own.
    pub(crate) fn with_data(mut self, data: &Path) -> Self {
        data.clone_into(&mut self.data);
        self
    }

    /// Puts the cache into a folder of the test's own.
    pub(crate) fn with_cache(mut self, cache: &Path) -> Self {
        cache.clone_into(&mut self.cache);
        self
    }

    /// Writes a configuration file.
    pub(crate) fn with_config(self, file: &str) -> Self {
        let folder = self.path().join(".config/fumikura");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("config.toml"), file).unwrap();
        self
    }

    /// Sets the programs that start the program: it runs as the last argument of the last of them.
    pub(crate) fn run_under(mut self, wrap: &[&str]) -> Self {
        self.wrap = wrap.iter().map(|&part| part.to_owned()).collect();
        self
    }

    /// Makes `strace` inject faults into the calls that name a path, with these options.
    pub(crate) fn with_faults(mut self, path: &str, options: &[&str]) -> Self {
        let output = format!("--output={}", self.path().join("injected").display());
        let path = format!("--trace-path={path}");
        let strace = "strace --daemonize --follow-forks --quiet=attach";
        let strace = strace.split(' ').chain([&output[..], &path[..]]);
        let wrap = strace.chain(options.iter().copied()).chain(["--"]);
        self.wrap = wrap.map(str::to_owned).collect();
        self
    }

    /// Makes renames to a name fail as on a full disk, only as often as `times` says, if that is not empty.
    /// If no disk can be mounted, this is equivalent to a full one.
    pub(crate) fn with_no_space_for(self, name: &str, times: &str) -> Self {
        let inject = format!("--inject=/^rename:error=ENOSPC{times}");
        self.with_faults(name, &["--trace=/^rename", &inject])
    }

    /// Traces the system calls.
    pub(crate) fn with_tracing(mut self) -> (Self, Tracing) {
        let tracing = Tracing::into(self.path());
        self.wrap = tracing.wrap();
        (self, tracing)
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// Returns every file in the folder of pages' files.
    pub(crate) fn assets(&self) -> Vec<PathBuf> {
        files(&self.data().join("asset"))
    }

    /// Returns the programs' standard error.
    pub(crate) fn stderr(&self) -> String {
        std::fs::read_to_string(self.path().join("stderr")).unwrap()
    }

    /// Returns the log on standard error without the line for each expiry run, which is no warning.
    pub(crate) fn warnings(&self) -> String {
        let of_run = "INFO fumikura_expiry::run: ";
        let log = self.stderr();
        let warnings = log.lines().filter(|line| !line.contains(of_run));
        warnings.collect()
    }

    /// Returns a command of `fumi` with arguments, in this home, isolated from the machine.
    ///
    /// The kernel kills it if the test itself is killed.
    pub(crate) fn fumi(&self, arguments: &[&str]) -> Command {
        let program = programs::headless().unwrap_or_else(|error| panic!("{error:#}"));
        let stderr = self.path().join("stderr");
        let stderr = File::options()
            .create(true)
            .append(true)
            .open(stderr)
            .unwrap();
        let mut command = Command::new("setpriv");
        command
            .args(["--pdeathsig", "KILL", "--"])
            .args(&self.wrap)
            .arg(program)
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LANG", "C.UTF-8")
            .env("HOME", self.path())
            .current_dir(self.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(stderr);
        command
    }

    /// Returns a command of `fumi serve` on the data of this home, on a free port unless the arguments override it.
    pub(crate) fn serve(&self, further: &[&str]) -> Command {
        let mut command = self.fumi(&["serve", "--user", "Aya"]);
        command.arg("--data").arg(self.data());
        command.arg("--cache").arg(&self.cache);
        command.args(further);
        command
    }
}

/// Returns every file below a folder; none if the folder does not exist.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            paths.extend(files(&entry.path()));
        } else {
            paths.push(entry.path());
        }
    }
    paths
}
