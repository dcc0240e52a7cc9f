//! Binding the address to listen on. Only the loopback and Unix sockets are allowed.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use crate::address::Address;
use crate::config::{Config, Listen, remember_port, remembered_port};
use crate::start::StartError;

/// A bound address that is not served yet.
#[derive(Debug)]
pub struct BoundListener {
    pub(crate) socket: Socket,
    pub(crate) address: Address,
}

/// A bound socket.
#[derive(Debug)]
pub(crate) enum Socket {
    /// A loopback port, and the same port of the other family.
    Tcp(TcpListener, Counterpart),
    /// A Unix socket.
    Unix(std::os::unix::net::UnixListener, SocketFile),
}

/// The same port of the loopback's other family. Names such as `localhost` resolve to both `127.0.0.1` and
/// `::1`, and browsers try them in turn, so a listener at the other address would receive this server's
/// requests.
#[derive(Debug)]
pub(crate) enum Counterpart {
    /// No program can listen there: it is bound without being served, or the system does not have that
    /// family.
    Closed {
        /// Held until the server ends.
        _socket: Option<OwnedFd>,
    },
    /// Another program has it, or names do not resolve to the bound address.
    Open,
}

impl Counterpart {
    /// Binds the counterpart of a bound address.
    fn of(own: SocketAddr) -> Self {
        let other: IpAddr = match own.ip() {
            ip if ip == Ipv4Addr::LOCALHOST => Ipv6Addr::LOCALHOST.into(),
            ip if ip == Ipv6Addr::LOCALHOST => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V4(_) | IpAddr::V6(_) => return Self::Open,
        };
        let other = SocketAddr::new(other, own.port());
        match hold(other) {
            Ok(socket) => Self::Closed {
                _socket: Some(socket),
            },
            Err(rustix::io::Errno::AFNOSUPPORT | rustix::io::Errno::ADDRNOTAVAIL) => {
                Self::Closed { _socket: None }
            }
            Err(error) => {
                tracing::warn!(
                    "{other} can't be bound, so browsers get no host of their own: {error}"
                );
                Self::Open
            }
        }
    }

    /// Returns true if names that resolve to the whole loopback lead only to this server.
    pub(crate) fn is_closed(&self) -> bool {
        matches!(self, Self::Closed { .. })
    }
}

/// Binds an address without listening: connections are refused, and no other program can bind it.
fn hold(address: SocketAddr) -> rustix::io::Result<OwnedFd> {
    use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, socket_with};

    let family = match address {
        SocketAddr::V4(_) => AddressFamily::INET,
        SocketAddr::V6(_) => AddressFamily::INET6,
    };
    let socket = socket_with(family, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    bind(&socket, &address)?;
    Ok(socket)
}

/// The file of a Unix socket, removed on drop: when the socket is no longer served, or never was.
#[derive(Debug)]
pub(crate) struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.0) {
            tracing::warn!("{} can't be removed: {error}", self.0.display());
        }
    }
}

impl BoundListener {
    /// Returns the server's address: `http://127.0.0.1:PORT/` with a trailing slash, or `unix:///path`.
    #[must_use]
    pub fn base(&self) -> String {
        self.address.base()
    }

    /// Returns the prefix of a login's path for [`App::login_url`](crate::App::login_url): the address, or
    /// `/` for a socket, which has no address for browsers.
    #[must_use]
    pub fn entrance(&self) -> String {
        self.address.entrance().to_owned()
    }
}

/// Binds the address that the configuration names.
///
/// # Errors
/// [`StartError`] names the conflicting program or path.
pub fn bind(config: &Config) -> Result<BoundListener, StartError> {
    match &config.listen {
        Listen::Tcp(address) => tcp(*address, config),
        Listen::RememberedPort => remembered(config),
        Listen::Unix(path) => unix(path, config),
    }
}

fn tcp(address: SocketAddr, config: &Config) -> Result<BoundListener, StartError> {
    let listener = take(address).map_err(|error| refusal(address, error))?;
    bound(listener, config)
}

/// Binds the port of the last launch. If it is taken, binds another one for this launch; if there was none,
/// binds a free one and stores it.
fn remembered(config: &Config) -> Result<BoundListener, StartError> {
    let loopback = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let remembered = remembered_port(&config.config_file)?;
    if let Some(port) = remembered {
        match take(loopback(port)) {
            Ok(listener) => return bound(listener, config),
            Err(error) => {
                tracing::warn!("port {port} can't be used, taking another for this launch: {error}")
            }
        }
    }
    let bound = tcp(loopback(0), config)?;
    if remembered.is_none()
        && let Socket::Tcp(listener, _) = &bound.socket
        && let Err(error) = listener
            .local_addr()
            .and_then(|own| remember_port(&config.config_file, own.port()))
    {
        // The window still works; only its origin may differ next time.
        tracing::warn!("the port can't be remembered: {error}");
    }
    Ok(bound)
}

fn take(address: SocketAddr) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

fn bound(listener: TcpListener, config: &Config) -> Result<BoundListener, StartError> {
    let own = listener.local_addr().map_err(|source| StartError::Listen {
        address: "the port".into(),
        source,
    })?;
    let address = Address::port(own.port(), &config.hosts).with_base(format!("http://{own}/"));
    let counterpart = match config.own_host && config.hosts.is_empty() {
        true => Counterpart::of(own),
        false => Counterpart::Open,
    };
    Ok(BoundListener {
        socket: Socket::Tcp(listener, counterpart),
        address,
    })
}

fn refusal(address: SocketAddr, source: io::Error) -> StartError {
    if source.kind() == ErrorKind::AddrInUse {
        return StartError::AddressTaken(address);
    }
    StartError::Listen {
        address: address.to_string(),
        source,
    }
}

/// Binds a socket that is private to its owner from the start: a client that connects before its permissions
/// are changed would stay connected. The umask applies to the process, so files that other threads create at
/// that moment are private, too.
pub(crate) fn bind_privately(path: &Path) -> io::Result<std::os::unix::net::UnixListener> {
    use rustix::fs::Mode;
    use rustix::process::umask;

    let before = umask(Mode::RWXG | Mode::RWXO);
    let bound = std::os::unix::net::UnixListener::bind(path);
    umask(before);
    bound
}

fn unix(path: &Path, config: &Config) -> Result<BoundListener, StartError> {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    use std::os::unix::net::UnixStream;

    let refused = |source| StartError::Listen {
        address: path.display().to_string(),
        source,
    };
    // A socket that refuses connections was left by a crash. Anything else may be in use.
    let is_socket = path
        .symlink_metadata()
        .is_ok_and(|metadata| metadata.file_type().is_socket());
    if is_socket
        && UnixStream::connect(path)
            .is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
    {
        std::fs::remove_file(path).map_err(refused)?;
    }
    let listener = bind_privately(path).map_err(refused)?;
    let file = SocketFile(path.to_owned());
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(refused)?;
    listener.set_nonblocking(true).map_err(refused)?;
    Ok(BoundListener {
        socket: Socket::Unix(listener, file),
        address: Address::socket(path, &config.hosts),
    })
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn counterpart_is_refused_to_others_and_to_browsers() {
        let own = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).unwrap();
        let own = own.local_addr().unwrap();
        let counterpart = Counterpart::of(own);
        assert!(counterpart.is_closed());
        let other = (Ipv4Addr::LOCALHOST, own.port());
        let taken = TcpListener::bind(other).unwrap_err();
        assert_eq!(taken.kind(), ErrorKind::AddrInUse);
        let refused = TcpStream::connect(other).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
    }

    #[test]
    fn counterpart_of_another_program_is_open() {
        let other = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = other.local_addr().unwrap().port();
        let own = SocketAddr::from((Ipv6Addr::LOCALHOST, port));
        assert!(!Counterpart::of(own).is_closed());
        let elsewhere = SocketAddr::from(([127, 0, 0, 2], port));
        assert!(!Counterpart::of(elsewhere).is_closed());
    }

    #[test]
    fn taken_port_is_replaced_for_one_launch() {
        let folder = tempfile::tempdir().unwrap();
        let other = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let taken = other.local_addr().unwrap().port();
        let config = Config {
            config_file: folder.path().join("config.toml"),
            ..Config::load(crate::Overrides {
                data: Some(folder.path().join("data")),
                cache: Some(folder.path().join("cache")),
                listen: Some(Listen::RememberedPort),
                ..crate::Overrides::default()
            })
            .unwrap()
        };
        remember_port(&config.config_file, taken).unwrap();
        let replaced = bind(&config).unwrap().base();
        assert_ne!(replaced, format!("http://127.0.0.1:{taken}/"));
        drop(other);
        let remembered = bind(&config).unwrap().base();
        assert_eq!(remembered, format!("http://127.0.0.1:{taken}/"));
    }

    #[test]
    fn socket_is_private_before_chmod() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let _bound = bind_privately(&path).unwrap();
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
}
