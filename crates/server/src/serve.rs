//! Serving: answering requests, sweeping locks, and a clean shutdown within a time limit.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::allocator::give_back_free_memory;
use fumikura_base::handles;
use futures_util::future;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};

use crate::address::Address;
use crate::app::App;
use crate::backups;
use crate::blocking::blocking;
use crate::connections::{self, Limits, LoopbackListener, OwnUserListener};
use crate::events::Event;
use crate::expiry;
use crate::identity::ServerFile;
use crate::listen::{BoundListener, Socket};
use crate::local_socket::LocalSocket;
use crate::mirror;
use crate::services::SignIn;
use tokio::sync::oneshot;

/// The number of threads that answer requests. Disk-bound work runs on additional threads, created on demand.
/// Inline work runs on all request threads but one, regardless of the disk, so two threads are not enough.
pub const ANSWERING_THREADS: usize = 4;

/// The interval of the sweep for expired locks (docs/spec/wiki.md, Locks).
const SWEEP: Duration = Duration::from_secs(10);
/// The interval at which free memory is returned to the system.
const TRIM: Duration = Duration::from_secs(30);
/// The minimum interval of notifications about the thumbnail cache.
const CACHE_NOTIFY_INTERVAL: Duration = Duration::from_millis(500);
/// The time limit for requests in flight after the shutdown has started.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(4);
/// The time limit after that for thumbnails that are being made. The shutdown takes five seconds at most.
const LAST_THUMBNAILS: Duration = Duration::from_millis(500);

/// The time limit after that for a commit of the search index. Missing pages are indexed at the next start.
const LAST_COMMIT: Duration = Duration::from_millis(300);

/// A running server.
pub struct RunningServer {
    served: JoinHandle<io::Result<()>>,
}

impl RunningServer {
    /// Waits for the server's end.
    ///
    /// # Errors
    /// If `server.json` can't be removed. Acknowledged work is still safe.
    pub async fn finished(self) -> io::Result<()> {
        self.served.await.map_err(io::Error::other)?
    }
}

/// Starts to serve the application. On return, requests are answered and `server.json` has the address. When
/// `shutdown` completes, shuts down cleanly: no new work is accepted, event streams end, and requests in
/// flight are finished.
///
/// # Errors
/// If the socket can't be used, or `server.json` can't be written.
pub async fn serve(
    app: Arc<App>,
    bound: BoundListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<RunningServer> {
    let file = app.launch.server_file(&bound.address);
    let data = app.config.data_dir.clone();
    let written = file.clone();
    let writing = move || {
        let explained = |error: io::Error| {
            let message = format!("{} can't be written to: {error}", data.display());
            io::Error::new(error.kind(), message)
        };
        written.write(&data).map_err(explained)
    };
    let writing = tokio::task::spawn_blocking(writing);
    writing.await.map_err(io::Error::other)??;
    let label = match &bound.socket {
        Socket::Tcp(_, counterpart) if counterpart.is_closed() => own_host_label(&app).await?,
        Socket::Tcp(..) | Socket::Unix(..) => None,
    };
    let address = bound.address.with_own_host(label.as_deref());
    let limits = Limits::for_handles(handles::raise_limit());
    app.shares.set_connections(limits.connections);
    let local = serve_local_programs(&app, &address, limits).await?;
    let router = app.router(address);
    let stopping = until_stopping(&app);
    let served: ServeFuture = match bound.socket {
        Socket::Tcp(listener, counterpart) => {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let listener = LoopbackListener::new(listener);
            Box::pin(async move {
                let _until_it_ends = counterpart;
                connections::serve(listener, router, limits, stopping).await;
            })
        }
        Socket::Unix(listener, file) => {
            let listener = tokio::net::UnixListener::from_std(listener)?;
            Box::pin(async move {
                let _until_it_ends = file;
                connections::serve(listener, router, limits, stopping).await;
            })
        }
    };
    let stopping = Arc::clone(&app);
    tokio::spawn(async move {
        shutdown.await;
        stopping.stop();
    });
    let served = Box::pin(async move {
        future::join(served, local).await;
    });
    Ok(RunningServer {
        served: tokio::spawn(run(app, served, file)),
    })
}

/// Serves the local socket, if it can be bound. Its router trusts programs of this process's user.
async fn serve_local_programs(
    app: &Arc<App>,
    address: &Address,
    limits: Limits,
) -> io::Result<ServeFuture> {
    let data = app.config.data_dir.clone();
    let binding = tokio::task::spawn_blocking(move || LocalSocket::bind(&data));
    let Some(socket) = binding.await.map_err(io::Error::other)? else {
        return Ok(Box::pin(future::ready(())));
    };
    let listener = tokio::net::UnixListener::from_std(socket.listener)?;
    let listener = OwnUserListener(listener);
    let router = app.router(address.on_local_socket());
    let stopping = until_stopping(app);
    Ok(Box::pin(async move {
        let _until_it_ends = socket.file;
        connections::serve(listener, router, limits.for_local_socket(), stopping).await;
    }))
}

fn until_stopping(app: &App) -> impl Future<Output = ()> + Send + use<> {
    let stopping = Arc::clone(&app.stopping);
    async move { stopping.started().await }
}

async fn own_host_label(app: &Arc<App>) -> io::Result<Option<String>> {
    let app = Arc::clone(app);
    let label = tokio::task::spawn_blocking(move || app.own_host_label());
    label.await.map_err(io::Error::other)
}

type ServeFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Serves until the shutdown, and cleans up.
async fn run(app: Arc<App>, served: ServeFuture, file: ServerFile) -> io::Result<()> {
    let sweeper = tokio::spawn(sweep(Arc::clone(&app)));
    let broadcaster = tokio::spawn(broadcast_cache_changes(Arc::clone(&app)));
    let trimmer = tokio::spawn(give_back_memory());
    tokio::spawn(Arc::clone(&app.hashes).verify_while_idle(Arc::clone(&app.stopping)));
    let (expiry, stopping) = (Arc::clone(&app.expiry), Arc::clone(&app.stopping));
    let expiring = tokio::spawn(expiry::run_on_schedule(expiry, stopping));
    tokio::spawn(mirror::follow(
        Arc::clone(&app.mirroring),
        Arc::clone(&app.stopping),
    ));
    tokio::spawn(backups::run_on_schedule(
        Arc::clone(&app.backup),
        Arc::clone(&app.stopping),
    ));
    expiry::start_cleanup(&app.expiry, &app.cleanup_pending, &app.stopping);
    let (ended, indexing) = oneshot::channel();
    // It is not a thread of the runtime, which would wait for it at its own end.
    fumikura_searcher::start(&app.search, &app.wiki, || {
        let _receiver_may_be_gone = ended.send(());
    });
    let thumbnails = tokio::spawn(end_thumbnails(Arc::clone(&app)));
    until_stopped(&app, served).await;
    expiring.abort();
    sweeper.abort();
    broadcaster.abort();
    trimmer.abort();
    let ending = Arc::clone(&app);
    let removing = tokio::task::spawn_blocking(move || {
        if let Err(error) = ending.expiry.flush() {
            tracing::warn!("the index of cached artifacts can't be written: {error}");
        }
        file.remove(&ending.config.data_dir)
    });
    let removed = removing.await.map_err(io::Error::other)?;
    if !wait_at_most(LAST_THUMBNAILS, thumbnails).await {
        app.expiry.leave_open();
    }
    let closing = tokio::task::spawn_blocking(move || app.expiry.close());
    if let Err(error) = closing.await.map_err(io::Error::other).flatten() {
        tracing::warn!("the index of cached artifacts can't be closed: {error}");
    }
    if tokio::time::timeout(LAST_COMMIT, indexing).await.is_err() {
        tracing::warn!("the search index was still being written and was abandoned");
    }
    removed
}

/// Waits for the shutdown, and then finishes only the thumbnails that are being made. Callers that wait for
/// others are notified at once.
async fn end_thumbnails(app: Arc<App>) {
    app.stopping.started().await;
    let ending = tokio::task::spawn_blocking(move || app.pictures.shut_down());
    if let Err(panic) = ending.await {
        tracing::error!("the thumbnail engine did not shut down cleanly: {panic}");
    }
}

/// Waits for the thumbnails up to a limit. A slow decoder is terminated, but a disk may take any time to
/// respond; then the thumbnail is abandoned. Returns true if all have ended.
async fn wait_at_most(limit: Duration, thumbnails: JoinHandle<()>) -> bool {
    match tokio::time::timeout(limit, thumbnails).await {
        Ok(Ok(())) => return true,
        Ok(Err(error)) => {
            tracing::error!("the thumbnail engine did not shut down cleanly: {error}");
        }
        Err(_) => tracing::warn!("a thumbnail was still being made and was abandoned"),
    }
    false
}

/// Waits for the server's end, but at most the grace period after the shutdown has started.
async fn until_stopped(app: &App, served: ServeFuture) {
    let limit = async {
        app.stopping.started().await;
        tokio::time::sleep(DRAIN_TIMEOUT).await;
    };
    tokio::select! {
        () = served => {}
        () = limit => {
            tracing::warn!("some requests did not finish in time and were aborted");
        }
    }
}

/// Ends expired locks every ten seconds, and stores the times of sessions' last requests, each about once an
/// hour.
async fn sweep(app: Arc<App>) {
    let mut ticks = interval(SWEEP.min(app.config.lock_ttl));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // The error was logged at its source; the next tick retries.
        let _swept = blocking(&app.wiki, |wiki| Ok(wiki.locks().sweep()?)).await;
        let _noted = blocking(&app.sign_in, SignIn::store_seen_sessions).await;
    }
}

/// Returns free memory to the system twice a minute: between what is in use, the allocator keeps any amount of it.
async fn give_back_memory() {
    let mut ticks = interval(TRIM);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // It waits for other threads' allocations. A panic was reported, and the next tick goes on.
        let _given_back = tokio::task::spawn_blocking(give_back_free_memory).await;
    }
}

/// Notifies clients that the thumbnail cache has changed, after a delay, so that many changes cause one
/// notification, and the last change is always reported.
async fn broadcast_cache_changes(app: Arc<App>) {
    loop {
        app.cache_changed.notified().await;
        tokio::time::sleep(CACHE_NOTIFY_INTERVAL).await;
        app.events.publish(Event::CacheStats);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[tokio::test]
    async fn shutdown_does_not_wait_for_a_stuck_thumbnail() {
        let began = Instant::now();
        let never = tokio::spawn(std::future::pending());
        assert!(!wait_at_most(Duration::from_millis(20), never).await);
        assert!(began.elapsed() < Duration::from_secs(2));
    }
}
