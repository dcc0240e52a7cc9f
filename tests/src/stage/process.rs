//! A program that ends with the test, even if the test is killed.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};

use super::home::Home;
use super::process_tree;

/// The id of the unprivileged user, and of that user's group.
pub(super) const NOBODY: u32 = 65_534;

/// A running program with all its descendants; killed when dropped.
pub struct Process {
    child: Child,
    pid: Pid,
    name: String,
}

impl Process {
    /// Returns a command in this home: no input, no variable of the developer's desktop, a log for its output.
    ///
    /// The kernel kills it if the test itself is killed.
    ///
    /// # Errors
    /// Fails if its log can't be written.
    pub fn command(home: &Home, program: impl AsRef<OsStr>) -> Result<Command> {
        Self::command_after(&["--pdeathsig", "KILL"], home, program)
    }

    /// Returns such a command of a program that refuses to run as root: if the tests run as root, it runs as
    /// the user `nobody`.
    ///
    /// # Errors
    /// Fails if its log can't be written.
    pub fn unprivileged_command(home: &Home, program: impl AsRef<OsStr>) -> Result<Command> {
        if !rustix::process::geteuid().is_root() {
            return Self::command(home, program);
        }
        let user = format!("--reuid={NOBODY}");
        let group = format!("--regid={NOBODY}");
        let words = ["--pdeathsig", "KILL", &user, &group, "--clear-groups"];
        Self::command_after(&words, home, program)
    }

    /// Returns a command that `setpriv` runs with these options.
    fn command_after(words: &[&str], home: &Home, program: impl AsRef<OsStr>) -> Result<Command> {
        let program = Path::new(program.as_ref());
        let name = program
            .file_name()
            .unwrap_or(program.as_os_str())
            .to_string_lossy()
            .into_owned();
        let log = File::options()
            .create(true)
            .append(true)
            .open(home.logs().join(format!("{name}.log")))?;
        let mut command = Command::new("setpriv");
        command.args(words).arg("--").arg(program);
        for variable in [
            "DISPLAY",
            "WAYLAND_DISPLAY",
            "DBUS_SESSION_BUS_ADDRESS",
            "XAUTHORITY",
            "LANGUAGE",
            "LC_ALL",
            "GTK_IM_MODULE",
            "XMODIFIERS",
        ] {
            command.env_remove(variable);
        }
        command
            .envs(home.variables())
            .env("PATH", home.path_variable()?)
            .env("LANG", home.language())
            .env("LOCPATH", home.locales())
            .current_dir(home.path())
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .kill_on_drop(true);
        Ok(command)
    }

    /// Starts the command.
    ///
    /// # Errors
    /// Fails if it can't be started.
    pub fn spawn(command: &mut Command) -> Result<Self> {
        let std = command.as_std();
        let name = std
            .get_args()
            .skip_while(|word| *word != "--")
            .nth(1)
            .unwrap_or_else(|| std.get_program())
            .to_string_lossy()
            .into_owned();
        let child = command
            .spawn()
            .with_context(|| format!("{name} could not be started"))?;
        let pid = child
            .id()
            .and_then(|id| Pid::from_raw(i32::try_from(id).ok()?))
            .context("BUG: a child that was just started has an id")?;
        Ok(Self { child, pid, name })
    }

    /// Starts the command and reads its first line of output.
    ///
    /// # Errors
    /// Fails if it can't be started or ends without a line.
    pub async fn spawn_and_read(command: &mut Command) -> Result<(Self, String, ChildStdout)> {
        let mut process = Self::spawn(command.stdout(Stdio::piped()))?;
        let output = process
            .child
            .stdout
            .take()
            .context("BUG: the output was piped")?;
        let mut reader = BufReader::new(output);
        let mut line = String::new();
        tokio::time::timeout(crate::wait::PATIENCE, reader.read_line(&mut line))
            .await
            .with_context(|| format!("{} printed nothing", process.name))??;
        if line.is_empty() {
            let status = process.child.wait().await?;
            anyhow::bail!("{} ended at once ({status})", process.name);
        }
        Ok((process, line.trim().to_owned(), reader.into_inner()))
    }

    /// Returns its id.
    #[must_use]
    pub fn pid(&self) -> Pid {
        self.pid
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Browsers put their helpers into process groups of their own: kill the whole tree, from the leaves up.
        let mut tree = process_tree::descendants(self.pid);
        tree.reverse();
        tree.push(self.pid);
        for pid in tree {
            // A process that has just ended is fine.
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
    }
}
