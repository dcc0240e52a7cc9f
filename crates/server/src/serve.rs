//! Serving: requests answered, locks swept, and a clean end within a time limit.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::handles;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};

use crate::app::App;
use crate::blocking::blocking;
use crate::connections::{self, Limits};
use crate::events::Event;
use crate::identity::ServerFile;
use crate::listen::{Bound, Socket};
use crate::search;

/// How many threads answer requests; what waits for the disk runs on further ones, made as needed. Brief
/// work is done on all of them but one, whatever the disk does, so that two are not enough.
pub const ANSWERING_THREADS: usize = 4;

/// How often expired locks are looked for (docs/spec/wiki.md, Locks).
const SWEEP: Duration = Duration::from_secs(10);
/// How often it is told at most that the thumbnails' cache holds something else.
const CACHE_TOLD: Duration = Duration::from_millis(500);
/// How long answers in hand may take once the end has begun.
const GRACE: Duration = Duration::from_secs(4);
/// How long a thumbnail that is being made may take after that: all ends within five seconds.
const LAST_THUMBNAILS: Duration = Duration::from_millis(500);

/// How long a commit of the search index may take after that. What it does not have is indexed at the
/// next start.
const LAST_COMMIT: Duration = Duration::from_millis(300);

/// A server at work.
pub struct Running {
    served: JoinHandle<io::Result<()>>,
}

impl Running {
    /// Waits for the server's end.
    ///
    /// # Errors
    /// When `server.json` can't be removed. Work that was acknowledged is safe all the same.
    pub async fn finished(self) -> io::Result<()> {
        self.served.await.map_err(io::Error::other)?
    }
}

/// Begins to serve the application; when this returns, requests are answered and `server.json` says
/// where. When `shutdown` comes, ends cleanly: no new work, event streams ended, answers in hand
/// finished.
///
/// # Errors
/// When the socket can't be used, or `server.json` can't be written.
pub async fn serve(
    app: Arc<App>,
    bound: Bound,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<Running> {
    let file = app.server_file(&bound.address);
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
    let router = app.router(bound.address.with_own_host(label.as_deref()));
    let limits = Limits::for_handles(handles::raise_limit());
    let stopping = Arc::clone(&app);
    let stopping = async move { stopping.stopped().await };
    let served: Served = match bound.socket {
        Socket::Tcp(listener, counterpart) => {
            let listener = tokio::net::TcpListener::from_std(listener)?;
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
    Ok(Running {
        served: tokio::spawn(run(app, served, file)),
    })
}

async fn own_host_label(app: &Arc<App>) -> io::Result<Option<String>> {
    let app = Arc::clone(app);
    let label = tokio::task::spawn_blocking(move || app.own_host_label());
    label.await.map_err(io::Error::other)
}

type Served = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Serves to the end, and puts things away.
async fn run(app: Arc<App>, served: Served, file: ServerFile) -> io::Result<()> {
    let sweeper = tokio::spawn(sweep(Arc::clone(&app)));
    let teller = tokio::spawn(tell_of_cache(Arc::clone(&app)));
    tokio::spawn(Arc::clone(&app).verify_while_idle());
    let expiring = tokio::spawn(Arc::clone(&app).expire_on_schedule());
    app.start_cleanup();
    let indexing = search::start(&app);
    let thumbnails = tokio::spawn(end_thumbnails(Arc::clone(&app)));
    until_stopped(&app, served).await;
    expiring.abort();
    sweeper.abort();
    teller.abort();
    let removing = tokio::task::spawn_blocking(move || {
        if let Err(error) = app.expiry.flush() {
            tracing::warn!("the index of cached artifacts can't be written: {error}");
        }
        file.remove(&app.config.data_dir)
    });
    let removed = removing.await.map_err(io::Error::other)?;
    no_longer_than(LAST_THUMBNAILS, thumbnails).await;
    if tokio::time::timeout(LAST_COMMIT, indexing).await.is_err() {
        tracing::warn!("the search index was being written and was left");
    }
    removed
}

/// From the beginning of the end, finishes the thumbnails that are being made and no others; whoever
/// waits for another one is told at once.
async fn end_thumbnails(app: Arc<App>) {
    app.stopped().await;
    let ending = tokio::task::spawn_blocking(move || app.thumbs.shut_down());
    if let Err(panic) = ending.await {
        tracing::error!("the thumbnails did not end as they should: {panic}");
    }
}

/// A decoder that does not finish soon is ended, but a disk may take as long as it likes to answer: then
/// the thumbnail is left behind.
async fn no_longer_than(limit: Duration, thumbnails: JoinHandle<()>) {
    match tokio::time::timeout(limit, thumbnails).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::error!("the thumbnails did not end as they should: {error}"),
        Err(_) => tracing::warn!("a thumbnail was still being made and was left"),
    }
}

/// Waits for the server's end, and from the moment it begins no longer than the grace.
async fn until_stopped(app: &App, served: Served) {
    let limit = async {
        app.stopped().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        () = served => {}
        () = limit => {
            tracing::warn!("some requests did not end in time and were broken off");
        }
    }
}

/// Ends locks whose time is over, every ten seconds, and stores when sessions were seen, each about once an hour.
async fn sweep(app: Arc<App>) {
    let mut ticks = interval(SWEEP.min(app.config.lock_ttl));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // An error was logged where it happened; the next tick tries again.
        let _swept = blocking(&app, |app| Ok(app.wiki.sweep_locks()?)).await;
        let _noted = blocking(&app, App::store_seen_sessions).await;
    }
}

/// Tells the pages when the thumbnails' cache holds something else. A moment later, so that much that
/// happens at once is told once, and nothing after the last time.
async fn tell_of_cache(app: Arc<App>) {
    loop {
        app.cache_changed().await;
        tokio::time::sleep(CACHE_TOLD).await;
        app.events.publish(Event::CacheStats);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[tokio::test]
    async fn the_end_does_not_wait_for_ever_for_a_thumbnail() {
        let began = Instant::now();
        let never = tokio::spawn(std::future::pending());
        no_longer_than(Duration::from_millis(20), never).await;
        assert!(began.elapsed() < Duration::from_secs(2));
    }
}
