//! The Unix socket of a data folder, by which programs of the same user find and reach the running server without a
//! port or a token.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use fumikura_base::dir_handle::DirHandle;
use fumikura_base::exposure;
use rustix::fs::FileType;
use rustix::net::sockopt::socket_peercred;

use crate::listen::bind_privately;

/// The name of the application's folder among the session's runtime files.
const APPLICATION: &str = "fumikura";
/// The name of the socket in the data folder.
const IN_DATA_FOLDER: &str = "fumi.sock";
/// The modes of the socket, and of its folder among the session's runtime files.
const SOCKET_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;

/// A place where a server may have its socket.
#[derive(Debug)]
enum Place {
    /// The folder of the session's runtime files, where the sockets of several data folders are.
    Runtime(PathBuf),
    /// The data folder.
    Data(PathBuf),
}

/// The places of the socket of a data folder, the preferred one first.
fn places(data: &Path) -> impl Iterator<Item = Place> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let runtime = runtime.filter(|folder| folder.is_absolute() && is_own(folder));
    let runtime = runtime.map(Place::Runtime);
    runtime.into_iter().chain([Place::Data(data.to_owned())])
}

/// Returns true if this user owns a folder. A program that was started with `sudo` may have the runtime folder of
/// another user in its environment.
fn is_own(folder: &Path) -> bool {
    let metadata = folder.metadata();
    metadata.is_ok_and(|metadata| metadata.uid() == rustix::process::geteuid().as_raw())
}

impl Place {
    /// Opens the folder, and returns the socket's name there. The name is the identity of the data folder: its device
    /// and inode, however its path is written.
    fn open(&self, data: &Path, create: bool) -> io::Result<(DirHandle, OsString)> {
        let (Self::Runtime(above) | Self::Data(above)) = self;
        exposure::check(above).map_err(io::Error::other)?;
        let above = DirHandle::open(above)?;
        if matches!(self, Self::Data(_)) {
            return Ok((above, IN_DATA_FOLDER.into()));
        }
        let folder = match create {
            true => above.create_folder(OsStr::new(APPLICATION), FOLDER_MODE)?,
            false => above.folder(Path::new(APPLICATION))?,
        };
        if !is_own(&folder.path()) {
            return Err(io::Error::other("it belongs to another user"));
        }
        if create {
            std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(FOLDER_MODE))?;
        }
        let identity = data.metadata()?;
        let name = format!("{:x}-{:x}.sock", identity.dev(), identity.ino());
        Ok((folder, name.into()))
    }

    /// Returns the path of the folder, for messages.
    fn shown(&self) -> PathBuf {
        match self {
            Self::Runtime(above) => above.join(APPLICATION),
            Self::Data(folder) => folder.clone(),
        }
    }
}

/// The bound socket of a server. Its file is removed on drop, unless another one has taken its place.
#[derive(Debug)]
pub(crate) struct LocalSocket {
    pub(crate) listener: UnixListener,
    pub(crate) file: LocalSocketFile,
}

/// The file of a bound socket.
#[derive(Debug)]
pub(crate) struct LocalSocketFile {
    folder: DirHandle,
    name: OsString,
    /// The device and inode.
    identity: (u64, u64),
}

impl LocalSocket {
    /// Binds the socket of a data folder, which this process has locked. Without one, the server still has its address, so
    /// a failure is only logged.
    pub(crate) fn bind(data: &Path) -> Option<Self> {
        places(data).find_map(|place| {
            let bound = place
                .open(data, true)
                .and_then(|(folder, name)| Self::bind_in(folder, name));
            let warn = |error: &io::Error| {
                tracing::warn!(
                    "programs of this user can't reach the server by a socket in {}: {error}",
                    place.shown().display()
                );
            };
            bound.inspect_err(warn).ok()
        })
    }

    /// Binds through the handle of the folder. Its path may be longer than a socket's address, which has 107 bytes.
    fn bind_in(folder: DirHandle, name: OsString) -> io::Result<Self> {
        remove_stale(&folder, &name)?;
        let path = folder.path().join(&name);
        let listener = bind_privately(&path)?;
        let file = LocalSocketFile {
            identity: identity_of(&folder, &name)?,
            folder,
            name,
        };
        std::fs::set_permissions(&path, PermissionsExt::from_mode(SOCKET_MODE))?;
        listener.set_nonblocking(true)?;
        Ok(Self { listener, file })
    }
}

fn identity_of(folder: &DirHandle, name: &OsStr) -> io::Result<(u64, u64)> {
    let stat = folder.stat(Path::new(name))?;
    Ok((stat.st_dev, stat.st_ino))
}

/// Removes the socket that a killed server left. One that a program answers, and files of other kinds, stay.
fn remove_stale(folder: &DirHandle, name: &OsStr) -> io::Result<()> {
    let taken = |reason: &str| io::Error::new(ErrorKind::AddrInUse, reason.to_owned());
    let stat = match folder.stat(Path::new(name)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        stat => stat?,
    };
    if FileType::from_raw_mode(stat.st_mode) != FileType::Socket {
        return Err(taken("a file that is no socket has its name"));
    }
    match UnixStream::connect(folder.path().join(name)) {
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => folder.remove_file(name),
        Ok(_) | Err(_) => Err(taken("another program uses it")),
    }
}

impl Drop for LocalSocketFile {
    fn drop(&mut self) {
        let removed = match identity_of(&self.folder, &self.name) {
            Ok(identity) if identity == self.identity => self.folder.remove_file(&self.name),
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = removed {
            tracing::warn!("the socket for local programs can't be removed: {error}");
        }
    }
}

/// The address of a running server for programs of its user.
#[derive(Debug)]
pub struct LocalEndpoint {
    folder: DirHandle,
    name: OsString,
    path: PathBuf,
}

impl LocalEndpoint {
    /// Finds the socket on which a server of this user answers for a data folder.
    #[must_use]
    pub fn find(data: &Path) -> Option<Self> {
        places(data).find_map(|place| {
            let (folder, name) = place.open(data, false).ok()?;
            let path = place.shown().join(&name);
            let endpoint = Self { folder, name, path };
            endpoint.connect().is_ok().then_some(endpoint)
        })
    }

    /// Connects to the server.
    ///
    /// # Errors
    /// If no program listens, or one of another user.
    pub fn connect(&self) -> io::Result<UnixStream> {
        let stream = UnixStream::connect(self.folder.path().join(&self.name))?;
        if socket_peercred(&stream)?.uid != rustix::process::geteuid() {
            let message = "a program of another user listens there";
            return Err(io::Error::new(ErrorKind::PermissionDenied, message));
        }
        Ok(stream)
    }

    /// Returns the path of the socket.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(folder: &Path) -> io::Result<LocalSocket> {
        LocalSocket::bind_in(DirHandle::open(folder).unwrap(), "s".into())
    }

    #[test]
    fn socket_is_private_and_removed_at_the_end() {
        // Its path is longer than the address of a socket may be.
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("x".repeat(200));
        std::fs::create_dir(&folder).unwrap();
        let socket = bound(&folder).unwrap();
        let mode = folder.join("s").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, SOCKET_MODE);
        drop(socket);
        assert!(!folder.join("s").exists());
    }

    #[test]
    fn only_a_socket_without_a_listener_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        std::fs::write(&path, "mine").unwrap();
        assert_eq!(
            bound(folder.path()).unwrap_err().kind(),
            ErrorKind::AddrInUse
        );
        std::fs::remove_file(&path).unwrap();
        let other = UnixListener::bind(&path).unwrap();
        assert_eq!(
            bound(folder.path()).unwrap_err().kind(),
            ErrorKind::AddrInUse
        );
        drop(other);
        let socket = bound(folder.path()).unwrap();
        UnixStream::connect(&path).unwrap();
        drop(socket);
    }

    #[test]
    fn end_keeps_the_socket_of_a_successor() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let socket = bound(folder.path()).unwrap();
        // The listener of the first one holds its inode, so that it is not used again.
        std::fs::rename(&path, folder.path().join("moved")).unwrap();
        let _other = UnixListener::bind(&path).unwrap();
        drop(socket);
        assert!(path.exists());
    }
}
