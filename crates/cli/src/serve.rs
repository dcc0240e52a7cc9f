//! `fumi serve`: runs the application without a window, until a signal arrives.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use fumikura_base::allocator;
use fumikura_server::{
    ANSWERING_THREADS, App, BoundListener, Config, Listen, Overrides, bind, serve,
};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

#[derive(Args)]
pub(crate) struct ServeArguments {
    /// Address to listen on: a loopback address, or unix:///path
    #[arg(long, value_name = "ADDRESS")]
    addr: Option<Listen>,
    /// Additional host name that a reverse proxy uses for this server
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// A separate host name for browsers, which hides their cookies from other ports
    #[arg(long, value_name = "on|off", value_parser = ["on", "off"])]
    own_host: Option<String>,
    /// Data folder (pages, settings)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Cache folder (thumbnails)
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Folder of pictures that may be opened; can be repeated
    #[arg(long = "allow", value_name = "DIR")]
    allow: Vec<PathBuf>,
    /// User name; created if there are no users yet
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
}

impl ServeArguments {
    /// Converts the arguments. This same program also decodes the pictures.
    fn overrides(self) -> anyhow::Result<Overrides> {
        let own = std::env::current_exe().context("couldn't find this program's own path")?;
        let Self {
            addr,
            hosts,
            own_host,
            data,
            cache,
            allow,
            user,
        } = self;
        Ok(Overrides {
            data,
            cache,
            listen: addr,
            hosts,
            own_host: own_host.map(|switch| switch == "on"),
            allow,
            user,
            thumb_worker: Some(own),
        })
    }
}

pub(crate) fn run(arguments: ServeArguments) -> anyhow::Result<()> {
    allocator::limit_free_memory();
    hide_memory()?;
    let config = Config::load(arguments.overrides()?)?;
    let bound = bind(&config)?;
    let app = App::open(config)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(ANSWERING_THREADS)
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(async {
        // Registered before the ready line is printed: its reader may send a signal at once.
        let (mut interrupt, mut terminate) = (
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
        );
        let (go_on, given_up) = oneshot::channel::<()>();
        let shutdown = async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = given_up => {}
            }
        };
        let ready = ready_line(&app, &bound);
        let server = serve(app, bound, shutdown).await?;
        let printed = print(&ready).context("the ready line can't be written");
        if printed.is_err() {
            // Without the ready line, no client can find the server, so it stops as if by a signal.
            drop(go_on);
        }
        let ended = server.finished().await.context("the server failed");
        printed.and(ended)
    });
    // Blocking work that did not end in time must not delay the exit.
    runtime.shutdown_background();
    outcome
}

/// Prevents other programs of the same user from reading this process's memory, which contains its token and
/// sessions, and disables core dumps. The desktop window does not do this, because the portal of its file
/// dialogs inspects the process.
fn hide_memory() -> anyhow::Result<()> {
    set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .context("couldn't hide this process's memory from other programs")?;
    Ok(())
}

fn ready_line(app: &App, bound: &BoundListener) -> String {
    let login = app.login_url(&bound.entrance());
    let ready = json!({ "url": bound.base(), "token": app.bearer(), "login": login });
    format!("FUMIKURA_READY {ready}")
}

/// Prints the only line on standard output.
fn print(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_a_server_is_hidden() {
        let before = rustix::process::dumpable_behavior().unwrap();
        hide_memory().unwrap();
        let hidden = rustix::process::dumpable_behavior().unwrap();
        set_dumpable_behavior(before).unwrap();
        assert_eq!(hidden, DumpableBehavior::NotDumpable);
    }
}
