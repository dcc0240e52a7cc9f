//! The system user at the other end of a connection.
//!
//! A TCP socket on the loopback has no `SO_PEERCRED`, but the other end is a socket of this machine, and the system
//! knows its owner. It is asked for that one socket through netlink (`sock_diag`), or, where that is missing, by the
//! table in `/proc/net`, which the system formats as a whole for every reader.

use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};

use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send, socket_with,
};

/// The states of a socket whose owner is connected: established, and half closed by the owner.
const CONNECTED: [u8; 3] = [1, 4, 5];
const TCP: u8 = 6;

/// The system user at the other end of a connection, if it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PeerUser(Option<u32>);

impl PeerUser {
    /// A user that can't be determined.
    pub const UNKNOWN: Self = Self(None);

    /// Creates the user with an id.
    #[must_use]
    pub fn new(uid: u32) -> Self {
        Self(Some(uid))
    }

    /// Returns the user of this process.
    #[must_use]
    pub fn own() -> Self {
        Self::new(rustix::process::geteuid().as_raw())
    }

    /// Returns true for the user of this process.
    pub(crate) fn is_own(self) -> bool {
        self == Self::own()
    }

    /// Returns the id, if it is known.
    pub(crate) fn uid(self) -> Option<u32> {
        self.0
    }
}

/// The way in which the owners of TCP sockets are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnerLookup {
    /// One socket is looked up through netlink.
    Netlink,
    /// The table in `/proc/net` is searched.
    Table,
}

/// A socket as the system describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SocketOwner {
    uid: u32,
    inode: u32,
    state: u8,
}

impl SocketOwner {
    /// Returns the owner. A closed socket has no inode, and the system lists it as root's.
    fn user(self) -> PeerUser {
        match self.inode != 0 && CONNECTED.contains(&self.state) {
            true => PeerUser::new(self.uid),
            false => PeerUser::UNKNOWN,
        }
    }
}

impl OwnerLookup {
    /// Returns the best way that this system has.
    pub(super) fn of_the_system() -> Self {
        match Self::Netlink.finds_own_socket() {
            Ok(true) => Self::Netlink,
            Ok(false) | Err(_) => {
                tracing::info!("sockets can't be looked up through netlink; /proc/net is read");
                Self::Table
            }
        }
    }

    fn finds_own_socket(self) -> io::Result<bool> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let client = TcpStream::connect(listener.local_addr()?)?;
        let user = self.user(client.local_addr()?, client.peer_addr()?);
        Ok(user == PeerUser::own())
    }

    /// Returns the user who has the socket at `peer` that is connected to `own`.
    pub(super) fn user(self, peer: SocketAddr, own: SocketAddr) -> PeerUser {
        let owner = match self {
            Self::Netlink => ask_netlink(peer, own),
            Self::Table => search_table(peer, own),
        };
        match owner {
            Ok(owner) => owner.map_or(PeerUser::UNKNOWN, SocketOwner::user),
            Err(error) => {
                tracing::warn!("the user of a connection can't be determined: {error}");
                PeerUser::UNKNOWN
            }
        }
    }
}

/// `SOCK_DIAG_BY_FAMILY` of `linux/sock_diag.h`.
const SOCK_DIAG_BY_FAMILY: u16 = 20;
const NLM_F_REQUEST: u16 = 1;
/// The length of `struct nlmsghdr`.
const HEADER: usize = 16;
/// The offsets in an answer: `idiag_state`, `idiag_uid` and `idiag_inode` of `struct inet_diag_msg`.
const STATE: usize = HEADER + 1;
const UID: usize = HEADER + 64;
const INODE: usize = HEADER + 68;

fn ask_netlink(peer: SocketAddr, own: SocketAddr) -> io::Result<Option<SocketOwner>> {
    let protocol = Some(netlink::SOCK_DIAG);
    let (family, kind) = (AddressFamily::NETLINK, SocketType::DGRAM);
    let socket = socket_with(family, kind, SocketFlags::CLOEXEC, protocol)?;
    send(&socket, &request(peer, own), SendFlags::empty())?;
    let mut answer = [0; 512];
    // The system answers before the request returns.
    let (_, length) = recv(&socket, &mut answer[..], RecvFlags::DONTWAIT)?;
    let answer = &answer[..length.min(answer.len())];
    let word = |at: usize| Some(u32::from_ne_bytes(answer.get(at..at + 4)?.try_into().ok()?));
    let is_found = answer.get(4..6) == Some(&SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    Ok(is_found
        .then(|| {
            Some(SocketOwner {
                uid: word(UID)?,
                inode: word(INODE)?,
                state: *answer.get(STATE)?,
            })
        })
        .flatten())
}

/// Writes a `struct nlmsghdr` and a `struct inet_diag_req_v2` that ask for one socket.
fn request(peer: SocketAddr, own: SocketAddr) -> Vec<u8> {
    /// `AF_INET` and `AF_INET6`.
    const FAMILIES: [u8; 2] = [2, 10];
    const LENGTH: u32 = HEADER as u32 + 56;
    let mut request = Vec::with_capacity(LENGTH as usize);
    request.extend(LENGTH.to_ne_bytes());
    request.extend(SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    request.extend(NLM_F_REQUEST.to_ne_bytes());
    // The number of the request, and the sender: the system chooses it.
    request.extend([0; 8]);
    request.extend([FAMILIES[usize::from(peer.is_ipv6())], TCP, 0, 0]);
    request.extend(u32::MAX.to_ne_bytes());
    request.extend(peer.port().to_be_bytes());
    request.extend(own.port().to_be_bytes());
    for address in [peer.ip(), own.ip()] {
        let mut field = [0; 16];
        match address {
            IpAddr::V4(address) => field[..4].copy_from_slice(&address.octets()),
            IpAddr::V6(address) => field = address.octets(),
        }
        request.extend(field);
    }
    // Any interface, and any cookie.
    request.extend(0_u32.to_ne_bytes());
    request.extend([0xFF; 8]);
    request
}

fn search_table(peer: SocketAddr, own: SocketAddr) -> io::Result<Option<SocketOwner>> {
    let search = |table: &str, peer: SocketAddr, own: SocketAddr| {
        let (peer, own) = (in_table(peer), in_table(own));
        let text = fs::read_to_string(table)?;
        Ok::<_, io::Error>(text.lines().find_map(|line| row(line, &peer, &own)))
    };
    if let (IpAddr::V4(peer_ip), IpAddr::V4(own_ip)) = (peer.ip(), own.ip()) {
        if let Some(owner) = search("/proc/net/tcp", peer, own)? {
            return Ok(Some(owner));
        }
        // A socket of the other family may be connected to this one.
        let mapped = |ip: Ipv4Addr, of: SocketAddr| (ip.to_ipv6_mapped(), of.port()).into();
        return search("/proc/net/tcp6", mapped(peer_ip, peer), mapped(own_ip, own));
    }
    search("/proc/net/tcp6", peer, own)
}

/// Reads a row of the table, if it is the socket at `peer` that is connected to `own`.
fn row(line: &str, peer: &str, own: &str) -> Option<SocketOwner> {
    let mut columns = line.split_ascii_whitespace().skip(1);
    if columns.next()? != peer || columns.next()? != own {
        return None;
    }
    let state = u8::from_str_radix(columns.next()?, 16).ok()?;
    let uid = columns.nth(3)?.parse().ok()?;
    let inode = columns.nth(1)?.parse().ok()?;
    Some(SocketOwner { uid, inode, state })
}

/// Returns an address as the table has it: words of the machine's byte order, and the port.
fn in_table(address: SocketAddr) -> String {
    let word = |bytes: &[u8]| {
        let bytes = bytes.try_into().expect("BUG: a word has four bytes");
        format!("{:08X}", u32::from_ne_bytes(bytes))
    };
    let words: String = match address.ip() {
        IpAddr::V4(ip) => word(&ip.octets()),
        IpAddr::V6(ip) => ip.octets().chunks(4).map(word).collect(),
    };
    format!("{words}:{:04X}", address.port())
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use super::*;

    /// A connection from a client, and the two addresses as the server sees them.
    fn connection(server: SocketAddr) -> (TcpListener, TcpStream, TcpStream) {
        let listener = TcpListener::bind(server).unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (accepted, _) = listener.accept().unwrap();
        (listener, client, accepted)
    }

    #[track_caller]
    fn check(accepted: &TcpStream, expected: PeerUser) {
        let (peer, own) = (
            accepted.peer_addr().unwrap(),
            accepted.local_addr().unwrap(),
        );
        for lookup in [OwnerLookup::of_the_system(), OwnerLookup::Table] {
            assert_eq!(lookup.user(peer, own), expected, "{lookup:?}");
        }
    }

    #[test]
    fn owner_of_a_connected_client_is_found() {
        for server in [
            (Ipv4Addr::LOCALHOST, 0).into(),
            (Ipv6Addr::LOCALHOST, 0).into(),
        ] {
            let (_listener, client, accepted) = connection(server);
            check(&accepted, PeerUser::own());
            client.shutdown(std::net::Shutdown::Write).unwrap();
            check(&accepted, PeerUser::own());
        }
    }

    #[test]
    fn client_of_the_other_family_is_found() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let mapped = Ipv4Addr::LOCALHOST.to_ipv6_mapped();
        let _client = TcpStream::connect((mapped, port)).unwrap();
        let (accepted, _) = listener.accept().unwrap();
        check(&accepted, PeerUser::own());
    }

    #[test]
    fn closed_client_belongs_to_nobody() {
        let (_listener, client, accepted) = connection((Ipv4Addr::LOCALHOST, 0).into());
        // The system lists such a socket as the administrator's.
        drop(client);
        check(&accepted, PeerUser::UNKNOWN);
    }
}
