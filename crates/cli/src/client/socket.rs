//! HTTP over the Unix socket of the running server.

use std::fmt;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use fumikura_server::LocalEndpoint;
use ureq::Agent;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, LazyBuffers, NextTimeout, Transport,
};

/// The address of the server, as it is in requests.
pub(super) const BASE: &str = "http://localhost/";

/// Returns a client that sends every request to the endpoint.
pub(super) fn agent(config: Config, endpoint: LocalEndpoint) -> Agent {
    Agent::with_parts(config, SocketConnector(endpoint), NoResolver)
}

/// A connector that opens a connection to the endpoint, whatever the address is.
#[derive(Debug)]
struct SocketConnector(LocalEndpoint);

impl Connector for SocketConnector {
    type Out = SocketTransport;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        _chained: Option<()>,
    ) -> Result<Option<Self::Out>, ureq::Error> {
        let (config, stream) = (details.config, self.0.connect()?);
        let buffers = LazyBuffers::new(config.input_buffer_size(), config.output_buffer_size());
        Ok(Some(SocketTransport { stream, buffers }))
    }
}

/// A resolver for connections that have no network address.
#[derive(Debug)]
struct NoResolver;

impl Resolver for NoResolver {
    fn resolve(
        &self,
        _uri: &Uri,
        _config: &Config,
        _timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        // At least one is expected. The connector ignores it.
        let mut addresses = self.empty();
        addresses.push(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        Ok(addresses)
    }
}

/// A connection.
struct SocketTransport {
    stream: UnixStream,
    buffers: LazyBuffers,
}

impl fmt::Debug for SocketTransport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("SocketTransport").finish()
    }
}

impl Transport for SocketTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), ureq::Error> {
        let timeout = timeout.for_write();
        self.stream.set_write_timeout(limit(timeout))?;
        let written = self.stream.write_all(&self.buffers.output()[..amount]);
        written.map_err(|error| explained(error, timeout))
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, ureq::Error> {
        let timeout = timeout.for_read();
        self.stream.set_read_timeout(limit(timeout))?;
        let free = self.buffers.input_append_buf();
        let length = loop {
            match self.stream.read(free) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read.map_err(|error| explained(error, timeout))?,
            }
        };
        self.buffers.input_appended(length);
        Ok(length > 0)
    }

    /// Returns true if the server has neither closed the idle connection nor sent anything.
    fn is_open(&mut self) -> bool {
        let mut byte = [0];
        let peeked = self.stream.set_nonblocking(true).and_then(|()| {
            let read = self.stream.read(&mut byte);
            self.stream.set_nonblocking(false)?;
            read
        });
        peeked.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    }
}

/// Returns the time limit of a system call.
fn limit(timeout: NextTimeout) -> Option<Duration> {
    timeout.not_zero().map(|limit| *limit)
}

fn explained(error: std::io::Error, timeout: NextTimeout) -> ureq::Error {
    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) {
        ureq::Error::Timeout(timeout.reason)
    } else {
        error.into()
    }
}
