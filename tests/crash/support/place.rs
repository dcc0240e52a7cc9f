//! Folders of its own for one test, gone with it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fumikura_tests::stage::programs;

use super::Tracing;

/// Where a program keeps everything.
pub(crate) struct Place {
    folder: tempfile::TempDir,
    data: PathBuf,
    cache: PathBuf,
    wrap: Vec<String>,
}

impl Place {
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

    /// With the data in a folder of the test's own.
    pub(crate) fn with_data(mut self, data: &Path) -> Self {
        data.clone_into(&mut self.data);
        self
    }

    /// With the cache in a folder of the test's own.
    pub(crate) fn with_cache(mut self, cache: &Path) -> Self {
        cache.clone_into(&mut self.cache);
        self
    }

    /// With a configuration file.
    pub(crate) fn configured(self, file: &str) -> Self {
        let folder = self.path().join(".config/fumikura");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("config.toml"), file).unwrap();
        self
    }

    /// With programs that start the program: it runs as the last argument of the last of them.
    pub(crate) fn started_by(mut self, wrap: &[&str]) -> Self {
        self.wrap = wrap.iter().map(|&part| part.to_owned()).collect();
        self
    }

    /// With other answers than the kernel's to calls that name a path, as `strace` is told to give them.
    pub(crate) fn injected(mut self, path: &str, options: &[&str]) -> Self {
        let said = format!("--output={}", self.path().join("injected").display());
        let path = format!("--trace-path={path}");
        let strace = "strace --daemonize --follow-forks --quiet=attach";
        let strace = strace.split(' ').chain([&said[..], &path[..]]);
        let wrap = strace.chain(options.iter().copied()).chain(["--"]);
        self.wrap = wrap.map(str::to_owned).collect();
        self
    }

    /// On a disk that has no room for a name, which a file is to get; only as often as `times` says, if that is no empty
    /// text. Where nobody may mount a disk, this is as good as one that is full.
    pub(crate) fn without_room_for(self, name: &str, times: &str) -> Self {
        let inject = format!("--inject=/^rename:error=ENOSPC{times}");
        self.injected(name, &["--trace=/^rename", &inject])
    }

    /// With what it asks of the kernel written down.
    pub(crate) fn traced(mut self) -> (Self, Tracing) {
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

    /// Every file beneath the folder of the files that belong to pages.
    pub(crate) fn assets(&self) -> Vec<PathBuf> {
        files(&self.data().join("asset"))
    }

    /// What the programs said on standard error.
    pub(crate) fn said(&self) -> String {
        std::fs::read_to_string(self.path().join("said")).unwrap()
    }

    /// `fumi` with arguments, in this place, knowing nothing of the machine around it.
    ///
    /// The kernel kills it should the test itself be killed.
    pub(crate) fn fumi(&self, arguments: &[&str]) -> Command {
        let program = programs::headless().unwrap_or_else(|error| panic!("{error:#}"));
        let said = self.path().join("said");
        let said = File::options()
            .create(true)
            .append(true)
            .open(said)
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
            .stderr(said);
        command
    }

    /// `fumi serve` on this place's data, on a free port unless the arguments say otherwise.
    pub(crate) fn serve(&self, further: &[&str]) -> Command {
        let mut command = self.fumi(&["serve", "--user", "Aya"]);
        command.arg("--data").arg(self.data());
        command.arg("--cache").arg(&self.cache);
        command.args(further);
        command
    }
}

/// Every file beneath a folder; none if it is not there.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found
}
