//! Starts that fail: a window says why, and offers what can be done.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fumikura_tests::screen::Screen;
use fumikura_tests::stage::{Process, Server, Stage, process_tree, programs};
use fumikura_tests::wait;
use reqwest::Method;
use serde_json::Value;
use tokio::process::Command;

use crate::steps;

/// The button that restores the newest backup has the focus.
pub(crate) async fn lost_database_is_restored_from_the_failure_window(
    stage: &mut Stage,
) -> Result<()> {
    steps::begin(stage).await?;
    let api = stage.api().await?;
    let id = steps::page_id(&api, "/").await?;
    let started = api.send(Method::POST, "/api/backup", &[], String::new());
    let started: Value = started.await?.error_for_status()?.json().await?;
    let id_of_job = started["id"].as_str().context("a backup has no id")?;
    let job = format!("/api/jobs/{id_of_job}");
    wait::until("the backup to be made", async || {
        let job: Value = api.get(&job).await?;
        Ok((!job["ended_at"].is_null()).then_some(()))
    })
    .await?;
    stage.stop().await?;
    let database = stage.home().data().join("wiki.redb");
    fs::remove_file(&database)?;

    let screen = Screen::of(stage.display())?;
    wait::until("the earlier window to be gone", async || {
        Ok(screen.windows()?.is_empty().then_some(()))
    })
    .await?;
    let mut command = stage.display().command(stage.home(), programs::window()?)?;
    let _started = Process::spawn(&mut command)?;
    let window = wait::until("the window to open", async || Ok(screen.windows()?.pop())).await?;
    ensure!(!database.exists(), "an empty wiki was made");
    let display = stage.display();
    display
        .xdotool(&["windowactivate", "--sync", &window.to_string()])
        .await?;
    display.xdotool(&["key", "Return"]).await?;
    wait::until("the page to be back", async || {
        let back = steps::page_id(&stage.api().await?, "/").await?;
        Ok((back == id).then_some(()))
    })
    .await
}

/// A start that fails, and what its window reports.
struct FailedStart {
    command: Command,
    /// The window's title.
    title: &'static str,
    /// The reason in the log, which has the same words as the window; empty if it is only in the window.
    reason: &'static str,
}

/// All of them start at once, because a program that finds its data in use waits for some seconds.
pub(crate) async fn failed_starts_open_windows_that_say_why(stage: &mut Stage) -> Result<()> {
    const FAILED: &str = "Fumikura couldn’t start";
    let (home, display) = (stage.home(), stage.display());
    let in_use = Server::start(home, &[]).await?;
    let damaged = home.folder("damaged")?;
    fs::write(damaged.join("wiki.redb"), "not a database")?;
    let with_data = |data: &Path| -> Result<Command> {
        let mut command = display.command(home, programs::window()?)?;
        command.arg("--data").arg(data);
        Ok(command)
    };
    let mut wrong_setting = with_data(&home.folder("setting")?)?;
    wrong_setting.env("ESTELLE_WORKERS", "0");
    // The limit acts as a full disk, without the signal that comes with it.
    let mut full = display.command(home, programs::system("prlimit")?)?;
    full.args(["--fsize=200000", "env", "--ignore-signal=XFSZ"])
        .arg(programs::window()?)
        .arg("--data")
        .arg(home.folder("full")?);
    let mut faulty = with_data(&home.data())?;
    faulty.args(["--report-panic", "src/fault.rs:1"]);
    let failed = |command, reason| FailedStart {
        command,
        title: FAILED,
        reason,
    };
    let starts = [
        failed(wrong_setting, "ESTELLE_WORKERS is “0”"),
        failed(full, "the disk is full"),
        // Even root can't create a folder there.
        failed(with_data(Path::new("/sys/fumikura"))?, "/sys/fumikura"),
        failed(
            with_data(&damaged.join("wiki.redb/data"))?,
            "Not a directory",
        ),
        failed(with_data(&damaged)?, "is damaged or no database"),
        failed(with_data(&home.data())?, "is in use"),
        FailedStart {
            command: faulty,
            title: "Fumikura has stopped",
            reason: "",
        },
    ];
    check_windows(stage, starts).await?;
    drop(in_use);
    Ok(())
}

/// Checks that each start opens a window with text, and that Escape ends it.
async fn check_windows<const N: usize>(stage: &Stage, starts: [FailedStart; N]) -> Result<()> {
    let (display, screen) = (stage.display(), Screen::of(stage.display())?);
    let mut processes = Vec::new();
    for mut start in starts {
        processes.push((
            Process::spawn(&mut start.command)?,
            start.title,
            start.reason,
        ));
    }
    let windows = wait::until("all windows to open", async || {
        let windows = screen.windows()?;
        Ok((windows.len() == N).then_some(windows))
    })
    .await?;
    for window in windows {
        let name = window.to_string();
        let pid = display.xdotool(&["getwindowpid", &name]).await?;
        let of_it =
            |(process, ..): &&(Process, _, _)| process.pid().as_raw_nonzero().to_string() == pid;
        let (_, title, reason) = processes.iter().find(of_it).context("a foreign window")?;
        let shown = display.xdotool(&["getwindowname", &name]).await?;
        ensure!(shown == *title, "{reason}: {shown}");
        display
            .xdotool(&["windowactivate", "--sync", &name])
            .await?;
        wait::until("the window to be painted", async || {
            Ok(screen.whole(window)?.shows_text().then_some(()))
        })
        .await?;
        display.xdotool(&["key", "Escape"]).await?;
    }
    for (process, _, reason) in &processes {
        wait::until(&format!("“{reason}” to end"), async || {
            Ok(process_tree::has_ended(process.pid()).then_some(()))
        })
        .await?;
    }
    let logs = ["fumikura.log", "prlimit.log"].map(|name| stage.home().logs().join(name));
    let log = logs
        .map(|log| fs::read_to_string(log).unwrap_or_default())
        .concat();
    for (_, _, reason) in processes {
        ensure!(log.contains(reason), "“{reason}” is missing: {log}");
    }
    Ok(())
}
