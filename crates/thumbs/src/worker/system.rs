//! Linux facilities for parents and workers: packets with handles, files in memory that can't grow, and
//! limits that a process sets itself.

use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::cmsg_space;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use rustix::io::{Errno, retry_on_intr};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags,
    SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recv, recvmsg,
    sendmsg, socketpair, sockopt,
};
use rustix::process::{
    Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit,
};
use rustix::thread::set_no_new_privs;
use rustix::time::{ClockId, clock_gettime};

/// The maximum number of handles in a message.
const MAX_HANDLES: usize = 2;

/// Creates a pair of connected sockets that preserve packets.
pub(super) fn socket_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let flags = SocketFlags::CLOEXEC;
    Ok(socketpair(
        AddressFamily::UNIX,
        SocketType::SEQPACKET,
        flags,
        None,
    )?)
}

/// Returns true if the handle is such a socket.
pub(super) fn is_packet_socket(handle: impl AsFd) -> bool {
    matches!(
        sockopt::socket_type(handle),
        Ok(kind) if kind == SocketType::SEQPACKET
    )
}

/// Sends a message without waiting: the receiver takes one before the next is sent.
pub(super) fn send(
    socket: impl AsFd,
    message: &[u8],
    handles: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(MAX_HANDLES))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !handles.is_empty() {
        let has_room = control.push(SendAncillaryMessage::ScmRights(handles));
        assert!(has_room, "BUG: there is room for the handles of a message");
    }
    let message = [IoSlice::new(message)];
    let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
    retry_on_intr(|| sendmsg(&socket, &message, &mut control, flags))?;
    Ok(())
}

/// The result of waiting for a message.
#[derive(Debug)]
pub(super) enum ReceiveOutcome {
    /// A message of this many bytes.
    Message(usize),
    /// A message that is longer than the buffer.
    TooLong,
    /// The deadline has passed.
    Nothing,
    /// The other side has closed its socket.
    Closed,
    /// The other side has closed its socket, with an unread message in it.
    ClosedUnread,
    /// The system failed.
    Failed(io::Error),
}

/// Waits for a message until `deadline`. Handles in it are closed.
pub(super) fn receive_until(
    socket: impl AsFd,
    buffer: &mut [u8],
    deadline: Instant,
) -> ReceiveOutcome {
    loop {
        let flags = RecvFlags::DONTWAIT | RecvFlags::TRUNC;
        match recv(&socket, &mut *buffer, flags) {
            Ok((_, 0)) => return ReceiveOutcome::Closed,
            Ok((_, length)) if length > buffer.len() => return ReceiveOutcome::TooLong,
            Ok((length, _)) => return ReceiveOutcome::Message(length),
            Err(Errno::CONNRESET) => return ReceiveOutcome::ClosedUnread,
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(error) => return ReceiveOutcome::Failed(error.into()),
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return ReceiveOutcome::Nothing;
        }
        if let Err(error) = wait_readable(&socket, left) {
            return ReceiveOutcome::Failed(error);
        }
    }
}

/// Waits until there is a message, or the other side has closed its socket, but no longer than `at_most`.
pub(super) fn wait_readable(socket: &impl AsFd, at_most: Duration) -> io::Result<()> {
    // Only an absurd limit is too long for the kernel's type.
    let at_most = Timespec::try_from(at_most).ok();
    match poll(&mut [PollFd::new(socket, PollFlags::IN)], at_most.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Waits for a message without a limit. Returns its length and its handles; `None` if the other side has
/// closed its socket.
pub(super) fn receive(
    socket: impl AsFd,
    buffer: &mut [u8],
) -> io::Result<Option<(usize, Vec<OwnedFd>)>> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(MAX_HANDLES))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received = retry_on_intr(|| {
        let mut message = [IoSliceMut::new(&mut *buffer)];
        recvmsg(&socket, &mut message, &mut control, flags)
    })?;
    if received.bytes == 0 {
        return Ok(None);
    }
    let cut = ReturnFlags::TRUNC | ReturnFlags::CTRUNC;
    if received.flags.intersects(cut) {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut all = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(handles) = message {
            all.extend(handles);
        }
    }
    Ok(Some((received.bytes, all)))
}

/// Creates an empty file in memory of `length` bytes, whose length is sealed.
pub(super) fn file_in_memory(length: u64) -> io::Result<File> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let file = File::from(memfd_create("thumbnail", flags)?);
    file.set_len(length)?;
    fcntl_add_seals(&file, SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)?;
    Ok(file)
}

/// Makes this process end with the thread that started it, gain no privileges, and leave no core dump.
pub(super) fn confine() -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    set_no_new_privs(true)?;
    lower_limit(Resource::Core, 0)
}

/// Returns the memory that this process has mapped, in bytes.
pub(super) fn mapped_memory() -> io::Result<u64> {
    let sizes = std::fs::read_to_string("/proc/self/statm")?;
    let pages: Option<u64> = sizes.split(' ').next().and_then(|pages| pages.parse().ok());
    let pages = pages.ok_or(io::ErrorKind::InvalidData)?;
    Ok(pages.saturating_mul(rustix::param::page_size() as u64))
}

/// Limits the memory of this process permanently, in bytes.
pub(super) fn limit_memory_permanently(bytes: u64) -> io::Result<()> {
    lower_limit(Resource::As, bytes)
}

/// Limits the current memory of this process, in bytes.
pub(super) fn limit_memory(bytes: u64) -> io::Result<()> {
    set_current(Resource::As, bytes)
}

/// Ends this process (`SIGXCPU`) after this many more seconds of processor time.
pub(super) fn limit_computing(seconds: u64) -> io::Result<()> {
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    let used = u64::try_from(used).unwrap_or(0) + 1;
    set_current(Resource::Cpu, used.saturating_add(seconds))
}

/// Lowers both limits, never above those of the parent.
pub(super) fn lower_limit(resource: Resource, to: u64) -> io::Result<()> {
    let allowed = getrlimit(resource).maximum;
    let limit = allowed.map_or(to, |allowed| allowed.min(to));
    let limit = Rlimit {
        current: Some(limit),
        maximum: Some(limit),
    };
    Ok(setrlimit(resource, limit)?)
}

/// Sets the soft limit, which can be raised again up to the hard limit.
fn set_current(resource: Resource, to: u64) -> io::Result<()> {
    let maximum = getrlimit(resource).maximum;
    let limit = Rlimit {
        current: Some(maximum.map_or(to, |maximum| maximum.min(to))),
        maximum,
    };
    Ok(setrlimit(resource, limit)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Seek, Write};
    use std::os::unix::fs::FileExt;

    fn short_deadline() -> Instant {
        Instant::now() + Duration::from_millis(20)
    }

    #[test]
    fn messages_arrive_separately_with_their_handles() {
        let (ours, theirs) = socket_pair().unwrap();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"picture").unwrap();
        file.rewind().unwrap();
        send(&ours, b"first", &[file.as_fd()]).unwrap();
        send(&ours, b"second", &[]).unwrap();
        let mut buffer = [0; 16];
        let (length, handles) = receive(&theirs, &mut buffer).unwrap().unwrap();
        assert_eq!(&buffer[..length], b"first");
        let [handle]: [OwnedFd; 1] = handles.try_into().unwrap();
        let mut text = String::new();
        File::from(handle).read_to_string(&mut text).unwrap();
        assert_eq!(text, "picture");
        let (length, handles) = receive(&theirs, &mut buffer).unwrap().unwrap();
        assert_eq!((&buffer[..length], handles.len()), (&b"second"[..], 0));
        drop(ours);
        assert!(receive(&theirs, &mut buffer).unwrap().is_none());
    }

    #[test]
    fn excess_handles_are_an_error_and_closed() {
        let (ours, theirs) = socket_pair().unwrap();
        let (a, b) = std::io::pipe().unwrap();
        send(&ours, b"x", &[a.as_fd(), b.as_fd()]).unwrap();
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(8))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        let many = [b.as_fd(); 8];
        assert!(control.push(SendAncillaryMessage::ScmRights(&many)));
        let message = [IoSlice::new(b"y")];
        sendmsg(&ours, &message, &mut control, SendFlags::empty()).unwrap();
        drop((a, b));
        let mut buffer = [0; 16];
        let (_, handles) = receive(&theirs, &mut buffer).unwrap().unwrap();
        assert_eq!(handles.len(), 2);
        let refused = receive(&theirs, &mut buffer).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::InvalidData);
        // The writing end is closed everywhere, also in the truncated message.
        let mut reader = File::from(handles.into_iter().next().unwrap());
        assert_eq!(reader.read(&mut buffer).unwrap(), 0);
    }

    #[test]
    fn unread_message_at_close_is_distinguished() {
        let mut buffer = [0; 4];
        let (ours, theirs) = socket_pair().unwrap();
        assert!(matches!(
            receive_until(&ours, &mut buffer, short_deadline()),
            ReceiveOutcome::Nothing
        ));
        send(&ours, b"job", &[]).unwrap();
        drop(theirs);
        let received = receive_until(&ours, &mut buffer, short_deadline());
        assert!(
            matches!(received, ReceiveOutcome::ClosedUnread),
            "{received:?}"
        );

        let (ours, theirs) = socket_pair().unwrap();
        send(&ours, b"job", &[]).unwrap();
        receive(&theirs, &mut buffer).unwrap().unwrap();
        drop(theirs);
        let received = receive_until(&ours, &mut buffer, short_deadline());
        assert!(matches!(received, ReceiveOutcome::Closed), "{received:?}");
    }

    #[test]
    fn message_longer_than_buffer_is_reported() {
        let mut buffer = [0; 4];
        let (ours, theirs) = socket_pair().unwrap();
        send(&theirs, b"four", &[]).unwrap();
        send(&theirs, b"fives", &[]).unwrap();
        assert!(matches!(
            receive_until(&ours, &mut buffer, short_deadline()),
            ReceiveOutcome::Message(4)
        ));
        assert!(matches!(
            receive_until(&ours, &mut buffer, short_deadline()),
            ReceiveOutcome::TooLong
        ));
    }

    #[test]
    fn memory_file_cannot_grow_or_shrink() {
        let file = file_in_memory(4).unwrap();
        file.write_all_at(b"four", 0).unwrap();
        assert!(file.write_all_at(b"five", 1).is_err());
        assert!(file.set_len(3).is_err());
        assert!(file.set_len(5).is_err());
        let mut bytes = [0; 4];
        file.read_exact_at(&mut bytes, 0).unwrap();
        assert_eq!(&bytes, b"four");
    }

    #[test]
    fn only_packet_sockets_are_accepted() {
        let (ours, _theirs) = socket_pair().unwrap();
        assert!(is_packet_socket(&ours));
        assert!(!is_packet_socket(std::io::pipe().unwrap().0));
        assert!(!is_packet_socket(
            std::os::unix::net::UnixStream::pair().unwrap().0
        ));
    }
}
