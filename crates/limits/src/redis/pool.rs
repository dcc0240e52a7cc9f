//! A small pool of connections to one Redis server.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex, MutexGuard};
use redis::{
    Client, Connection, ConnectionAddr, IntoConnectionInfo, RedisError, RedisResult, Value,
};

use super::InvalidUrl;
use super::failure::failure;
use crate::BackendError;

/// The maximum number of connections.
const CONNECTIONS: usize = 4;
/// The timeout for connecting and for each answer.
pub(super) const TIMEOUT: Duration = Duration::from_millis(500);
/// The maximum time that a request waits for a connection.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// The oldest version whose scripts may read the time before they write.
const OLDEST: u64 = 5;

/// The connections. Each is used by one thread at a time.
pub(super) struct Pool {
    state: Mutex<PoolState>,
    is_free: Condvar,
    has_warned: AtomicBool,
    /// True if other servers may be used to which this one redirects.
    is_cluster: bool,
}

struct PoolState {
    client: Client,
    idle: Vec<PooledConnection>,
    /// The number of connections, idle and in use.
    open: usize,
    /// The number of failed connections so far, and the last failure. It ends the wait of all requests.
    failures: u64,
    last_failure: Option<BackendError>,
}

/// Properties of a server, read when the connection was made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Server {
    pub(super) is_cluster: bool,
}

struct PooledConnection {
    connection: Connection,
    server: Server,
}

/// A slot of the pool. Dropping it hands the slot to another thread.
struct Slot<'a> {
    pool: &'a Pool,
    pooled: Option<PooledConnection>,
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        match self.pooled.take() {
            Some(pooled) => state.idle.push(pooled),
            None => state.open -= 1,
        }
        drop(state);
        self.pool.is_free.notify_one();
    }
}

impl Pool {
    pub(super) fn new(url: &str, is_cluster: bool) -> Result<Self, InvalidUrl> {
        let info = url.into_connection_info().map_err(invalid)?;
        if let ConnectionAddr::TcpTls { insecure, .. } = info.addr() {
            if *insecure {
                return Err(InvalidUrl("the certificate is always verified".to_owned()));
            }
            // The client library takes the process's TLS implementation. An error is the one that is set already.
            let _already_set = rustls::crypto::ring::default_provider().install_default();
        }
        Ok(Self {
            state: Mutex::new(PoolState {
                client: Client::open(info).map_err(invalid)?,
                idle: Vec::new(),
                open: 0,
                failures: 0,
                last_failure: None,
            }),
            is_free: Condvar::new(),
            has_warned: AtomicBool::new(false),
            is_cluster,
        })
    }

    /// Runs commands on a connection. They are retried once on a new connection after a lost one, because
    /// Redis may have restarted while the connection was idle, and once on another node of a configured cluster after
    /// a redirect.
    pub(super) fn with<T>(
        &self,
        work: impl Fn(&mut Connection, Server) -> RedisResult<T>,
    ) -> Result<T, BackendError> {
        let (was_idle, result) = self.attempt(&work)?;
        let error = match result {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        if let Some((node, _)) = error.redirect_node().filter(|_| self.is_cluster) {
            self.move_to(node)?;
        } else if was_idle && error.is_connection_dropped() {
            self.forget_idle();
        } else {
            return Err(self.failed(failure(&error)));
        }
        let result = self.attempt(&work)?.1;
        result.map_err(|error| self.failed(failure(&error)))
    }

    /// Returns true if the connection had been used before, and the result of the commands.
    fn attempt<T>(
        &self,
        work: impl Fn(&mut Connection, Server) -> RedisResult<T>,
    ) -> Result<(bool, RedisResult<T>), BackendError> {
        let mut slot = self.take()?;
        let was_idle = slot.pooled.is_some();
        let mut pooled = match slot.pooled.take() {
            Some(pooled) => pooled,
            None => self.connect().map_err(|error| self.failed(error))?,
        };
        let result = work(&mut pooled.connection, pooled.server);
        // After a connection error, a late answer could be mistaken for the next command's.
        let is_usable = result
            .as_ref()
            .err()
            .is_none_or(|error| error.code().is_some());
        slot.pooled = is_usable.then_some(pooled);
        Ok((was_idle, result))
    }

    /// Takes an idle connection, or a slot for a new one. Waits while all connections are in use.
    fn take(&self) -> Result<Slot<'_>, BackendError> {
        let mut state = self.lock();
        let failures = state.failures;
        let must_wait = |state: &mut PoolState| state.is_full() && state.failures == failures;
        self.is_free.wait_while_for(&mut state, must_wait, MAX_WAIT);
        if state.is_full() {
            let failed = state
                .last_failure
                .clone()
                .filter(|_| state.failures != failures);
            return Err(failed.unwrap_or(BackendError::Busy));
        }
        let pooled = state.idle.pop();
        if pooled.is_none() {
            state.open += 1;
        }
        Ok(Slot { pool: self, pooled })
    }

    fn connect(&self) -> Result<PooledConnection, BackendError> {
        let client = self.lock().client.clone();
        let failed = |error: RedisError| failure(&error);
        let mut connection = client
            .get_connection_with_timeout(TIMEOUT)
            .map_err(failed)?;
        connection.set_read_timeout(Some(TIMEOUT)).map_err(failed)?;
        connection
            .set_write_timeout(Some(TIMEOUT))
            .map_err(failed)?;
        let server = self.inspect(&mut connection)?;
        Ok(PooledConnection { connection, server })
    }

    /// Reads the properties of the server from `INFO`, or from `HELLO` if the user may not run `INFO`. If neither
    /// is allowed, it is a single server, as most are.
    fn inspect(&self, connection: &mut Connection) -> Result<Server, BackendError> {
        if let Some(info) = if_allowed(redis::cmd("INFO").query::<String>(connection))? {
            return self.read_info(&info);
        }
        let hello = redis::cmd("HELLO").arg(2).to_owned();
        let hello: Option<HashMap<String, Value>> = if_allowed(hello.query(connection))?;
        let mode = hello.and_then(|mut fields| fields.remove("mode"));
        Ok(Server {
            is_cluster: mode == Some(Value::BulkString(b"cluster".to_vec())),
        })
    }

    fn read_info(&self, info: &str) -> Result<Server, BackendError> {
        let field = |name: &str| {
            let mut fields = info.lines().filter_map(|line| line.split_once(':'));
            fields
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.trim())
        };
        let version = field("redis_version").unwrap_or_default();
        let major = version.split('.').next();
        let major: Option<u64> = major.and_then(|major| major.parse().ok());
        if major.is_none_or(|major| major < OLDEST) {
            return Err(BackendError::Unsupported { major });
        }
        let policy = field("maxmemory_policy").unwrap_or("noeviction");
        if policy != "noeviction" && !self.has_warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "Redis may drop rate-limit counters when its memory is full: maxmemory-policy should be noeviction"
            );
        }
        Ok(Server {
            is_cluster: field("cluster_enabled") == Some("1"),
        })
    }

    /// Uses another node of the cluster from now on: all keys of this program are on one node.
    fn move_to(&self, node: &str) -> Result<(), BackendError> {
        let address = node
            .rsplit_once(':')
            .and_then(|(host, port)| Some((host, port.parse().ok()?)));
        let (host, port) = address.ok_or(BackendError::NotUnderstood)?;
        let mut state = self.lock();
        let info = state.client.get_connection_info().clone();
        let host = host.to_owned();
        let address = if let ConnectionAddr::TcpTls { tls_params, .. } = info.addr() {
            ConnectionAddr::TcpTls {
                host,
                port,
                insecure: false,
                tls_params: tls_params.clone(),
            }
        } else {
            ConnectionAddr::Tcp(host, port)
        };
        let info = info.set_addr(address);
        state.client = Client::open(info).map_err(|error| failure(&error))?;
        state.forget_idle();
        Ok(())
    }

    fn forget_idle(&self) {
        self.lock().forget_idle();
    }

    /// Reports an error of the connection to the waiting requests, which would only meet it one after another.
    fn failed(&self, error: BackendError) -> BackendError {
        if matches!(
            error,
            BackendError::Unreachable(_) | BackendError::TimedOut(_)
        ) {
            let mut state = self.lock();
            state.failures += 1;
            state.last_failure = Some(error.clone());
            drop(state);
            self.is_free.notify_all();
        }
        error
    }

    fn lock(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock()
    }
}

impl PoolState {
    fn is_full(&self) -> bool {
        self.idle.is_empty() && self.open >= CONNECTIONS
    }

    fn forget_idle(&mut self) {
        self.open -= self.idle.len();
        self.idle.clear();
    }
}

/// Returns `None` if the user may not run the command, or the server does not know it.
fn if_allowed<T>(answer: RedisResult<T>) -> Result<Option<T>, BackendError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if matches!(error.code(), Some("NOPERM" | "ERR")) => Ok(None),
        Err(error) => Err(failure(&error)),
    }
}

fn invalid(error: RedisError) -> InvalidUrl {
    InvalidUrl(
        error
            .detail()
            .unwrap_or("it must begin with redis://, rediss:// or unix://")
            .to_owned(),
    )
}
