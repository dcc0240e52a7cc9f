//! The connections of one listener: a bounded number, each served as HTTP/1 until it has been idle for too
//! long.

mod open_connections;
mod peer_user;
mod phase;
mod refusal;
mod stream;

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use fumikura_limits::Peer;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;

use crate::held_body::HeldBody;

pub(crate) use open_connections::{ConnectionShare, ConnectionSlot};
pub use peer_user::PeerUser;

use open_connections::OpenConnections;
use peer_user::OwnerLookup;
use refusal::refuse;
use stream::TrackedStream;

/// The time limit for the head of a request.
const HEAD: Duration = Duration::from_secs(10);
/// The time for which a connection is kept open between two requests, and before the first one.
const IDLE: Duration = Duration::from_secs(30);
/// The maximum number of connections, if the limit on open handles permits it.
const MAX_CONNECTIONS: usize = 1024;
/// The minimum of that maximum, however few handles there are.
const MIN_CONNECTIONS: usize = 4;
/// The maximum number of connections of the local socket.
const MAX_LOCAL_CONNECTIONS: usize = 64;
/// The number of connections that are refused with a response at the same time. Further ones wait until one
/// of these is closed.
const REFUSALS: usize = 16;
/// The time limit for a refused connection to read the response.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(1);
/// The delay before the next attempt if the system has no handle for another connection.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// The limits of connections.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The maximum number of connections.
    pub(crate) connections: usize,
    /// The time limit for the head of a request.
    head: Duration,
    /// The time limit of a connection without a request.
    idle: Duration,
}

impl Limits {
    /// Returns the limits of a process that may have that many open handles. Half of them stay free for files
    /// and folders.
    pub(crate) fn for_handles(handles: u64) -> Self {
        let connections = usize::try_from(handles / 2).unwrap_or(MAX_CONNECTIONS);
        Self {
            connections: connections
                .saturating_sub(REFUSALS)
                .clamp(MIN_CONNECTIONS, MAX_CONNECTIONS),
            head: HEAD,
            idle: IDLE,
        }
    }

    /// Returns the limits of the local socket.
    pub(crate) fn for_local_socket(self) -> Self {
        Self {
            connections: (self.connections / 4).clamp(MIN_CONNECTIONS, MAX_LOCAL_CONNECTIONS),
            ..self
        }
    }

    /// Returns the maximum number of connections of a share.
    fn of(self, share: ConnectionShare) -> usize {
        let strangers = self.connections / 4;
        match share {
            ConnectionShare::LetIn => self.connections - strangers,
            ConnectionShare::Strangers => strangers.max(1),
        }
    }
}

/// A listener on an address.
pub(crate) trait Accept: Send + 'static {
    /// A connection of the listener.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// Waits for the next connection.
    fn accept(&self) -> impl Future<Output = io::Result<Accepted<Self::Stream>>> + Send;
}

/// A connection that was accepted.
pub(crate) struct Accepted<S> {
    stream: S,
    peer: Peer,
    user: PeerUser,
}

/// A listener on a port of the loopback.
pub(crate) struct LoopbackListener {
    listener: TcpListener,
    lookup: OwnerLookup,
}

impl LoopbackListener {
    pub(crate) fn new(listener: TcpListener) -> Self {
        Self {
            listener,
            lookup: OwnerLookup::of_the_system(),
        }
    }
}

impl Accept for LoopbackListener {
    type Stream = tokio::net::TcpStream;

    async fn accept(&self) -> io::Result<Accepted<Self::Stream>> {
        let (stream, address) = self.listener.accept().await?;
        // A connection that is closed already has no address.
        let own = stream.local_addr();
        Ok(Accepted {
            user: own.map_or(PeerUser::UNKNOWN, |own| self.lookup.user(address, own)),
            peer: Peer::Ip(address.ip()),
            stream,
        })
    }
}

impl Accept for UnixListener {
    type Stream = tokio::net::UnixStream;

    async fn accept(&self) -> io::Result<Accepted<Self::Stream>> {
        let (stream, _) = Self::accept(self).await?;
        let credentials = stream.peer_cred();
        Ok(Accepted {
            user: credentials.map_or(PeerUser::UNKNOWN, |peer| PeerUser::new(peer.uid())),
            peer: Peer::Unix,
            stream,
        })
    }
}

/// A listener for programs of this process's user alone.
pub(crate) struct OwnUserListener(pub(crate) UnixListener);

impl Accept for OwnUserListener {
    type Stream = tokio::net::UnixStream;

    async fn accept(&self) -> io::Result<Accepted<Self::Stream>> {
        loop {
            let accepted = Accept::accept(&self.0).await?;
            if accepted.user.is_own() {
                return Ok(accepted);
            }
        }
    }
}

/// Serves all connections of a listener until `stopping` completes. Then accepts no more, and returns when
/// the requests in flight are answered.
pub(crate) async fn serve(
    listener: impl Accept,
    router: Router,
    limits: Limits,
    stopping: impl Future<Output = ()> + Send,
) {
    let (stop, stopped) = watch::channel(false);
    let open = Arc::new(OpenConnections::default());
    // A permit is held until its connection is closed. A connection that was ended is closed a moment later.
    let permits = Arc::new(Semaphore::new(limits.connections + REFUSALS));
    let mut stopping = pin!(stopping);
    loop {
        let next = async {
            let permit = Arc::clone(&permits).acquire_owned().await;
            let permit = permit.expect("BUG: nothing closes the semaphore");
            listener.accept().await.map(|stream| (stream, permit))
        };
        let accepted = tokio::select! {
            accepted = next => accepted,
            () = &mut stopping => break,
        };
        let (accepted, permit) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                handle_accept_error(&error, &open).await;
                continue;
            }
        };
        let share = match accepted.user.is_own() {
            true => ConnectionShare::LetIn,
            false => ConnectionShare::Strangers,
        };
        match open.admit(share, limits) {
            Some(slot) => {
                let (router, stopped) = (router.clone(), stopped.clone());
                tokio::spawn(async move {
                    serve_connection(accepted, router, slot, stopped).await;
                    drop(permit);
                });
            }
            None => {
                tokio::spawn(async move {
                    let refusing = tokio::time::timeout(REFUSAL_TIMEOUT, refuse(accepted.stream));
                    let _gone_or_late = refusing.await;
                    drop(permit);
                });
            }
        }
    }
    drop(listener);
    stop.send_replace(true);
    drop(stopped);
    // Each connection holds a receiver until it ends.
    stop.closed().await;
}

/// Handles an error of accepting a connection. A connection that broke before it was accepted does not affect
/// the next one. Without a free handle, an idle connection is closed.
async fn handle_accept_error(error: &io::Error, open: &OpenConnections) {
    use io::ErrorKind as Kind;
    if matches!(
        error.kind(),
        Kind::ConnectionAborted | Kind::ConnectionReset | Kind::ConnectionRefused
    ) {
        return;
    }
    tracing::warn!("a connection can't be accepted: {error}");
    open.close_longest_idle();
    tokio::time::sleep(RETRY_DELAY).await;
}

/// Serves one connection to its end.
async fn serve_connection(
    Accepted { stream, peer, user }: Accepted<impl AsyncRead + AsyncWrite + Unpin + Send + 'static>,
    router: Router,
    slot: Arc<ConnectionSlot>,
    mut stopped: watch::Receiver<bool>,
) {
    let connection = &slot.connection;
    let service = service_fn(|request: Request<Incoming>| {
        let in_flight = connection.begin();
        let (router, slot) = (router.clone(), Arc::clone(&slot));
        async move {
            let in_flight = in_flight.ok_or(ConnectionClosed)?;
            let mut request = request.map(Body::new);
            let extensions = request.extensions_mut();
            extensions.insert(peer);
            extensions.insert(user);
            extensions.insert(slot);
            let answered = router.oneshot(request).await;
            let response = answered.unwrap_or_else(|never| match never {});
            Ok::<_, ConnectionClosed>(response.map(|body| HeldBody {
                body,
                _held: in_flight,
            }))
        }
    });
    let io = TokioIo::new(TrackedStream {
        stream,
        connection: Arc::clone(connection),
    });
    let mut served = pin!(http1::Builder::new().serve_connection(io, service));
    let mut closed = pin!(connection.closed());
    let mut is_stopping = false;
    loop {
        tokio::select! {
            outcome = served.as_mut() => {
                if let Err(error) = outcome {
                    tracing::trace!("a connection ended: {error}");
                }
                return;
            }
            () = closed.as_mut() => return,
            _ = stopped.wait_for(|stopped| *stopped), if !is_stopping => {
                if connection.is_reading_a_head() {
                    return;
                }
                is_stopping = true;
                served.as_mut().graceful_shutdown();
            }
        }
    }
}

/// An error: a request arrived on a connection that was closed between two requests.
#[derive(Debug, thiserror::Error)]
#[error("the connection is closed")]
struct ConnectionClosed;

#[cfg(test)]
mod tests;
