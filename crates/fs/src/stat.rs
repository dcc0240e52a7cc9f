//! The result of one `stat` of a file: its kind, its size and its times of change.

use std::fmt;
use std::fs::File;
use std::io;

use cap_std::fs::{FileTypeExt as _, MetadataExt as _};

/// The kind of an entry of the file system, symbolic links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A regular file.
    File,
    Folder,
    /// A FIFO (named pipe).
    Fifo,
    Socket,
    /// A block or character device.
    Device,
    /// A symbolic link that was not followed, or a kind that this program doesn't know.
    Unknown,
}

impl fmt::Display for NodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "a file",
            Self::Folder => "a folder",
            Self::Fifo => "a FIFO",
            Self::Socket => "a socket",
            Self::Device => "a device",
            Self::Unknown => "of an unknown kind",
        })
    }
}

impl From<cap_std::fs::FileType> for NodeKind {
    fn from(kind: cap_std::fs::FileType) -> Self {
        if kind.is_file() {
            Self::File
        } else if kind.is_dir() {
            Self::Folder
        } else if kind.is_fifo() {
            Self::Fifo
        } else if kind.is_socket() {
            Self::Socket
        } else if kind.is_block_device() || kind.is_char_device() {
            Self::Device
        } else {
            Self::Unknown
        }
    }
}

/// The time of a file's last change: seconds since 1970 (negative before) and nanoseconds after that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mtime {
    /// Seconds since 1970.
    pub seconds: i64,
    /// Nanoseconds, 0…999,999,999.
    pub nanoseconds: u32,
}

impl Mtime {
    /// Returns the time as a timestamp. A time beyond the year 9999 (or before −9999) is clamped, since a
    /// broken clock must not make a file unreadable.
    #[must_use]
    pub fn timestamp(self) -> jiff::Timestamp {
        let nanoseconds = i32::try_from(self.nanoseconds).unwrap_or(0);
        jiff::Timestamp::new(self.seconds, nanoseconds).unwrap_or(if self.seconds < 0 {
            jiff::Timestamp::MIN
        } else {
            jiff::Timestamp::MAX
        })
    }
}

/// The time of the last change of a file's status (`st_ctime`): its content, name, links, mode or owner.
/// Unlike [`Mtime`], no program can set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ctime {
    /// Seconds since 1970.
    pub seconds: i64,
    /// Nanoseconds, 0…999,999,999.
    pub nanoseconds: u32,
}

/// The result of one `stat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    pub kind: NodeKind,
    /// The size in bytes.
    pub size: u64,
    /// The last change of the content, unless a program set it.
    pub mtime: Mtime,
    /// The last change of the status.
    pub ctime: Ctime,
}

/// The part of a [`Stat`] that describes a file's content. Unlike the status it does not change with a second
/// name or another mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentStat {
    pub kind: NodeKind,
    /// The size in bytes.
    pub size: u64,
    /// The time of the last change of the content.
    pub mtime: Mtime,
}

impl Stat {
    /// Returns the status of an open file.
    pub fn of(file: &File) -> io::Result<Self> {
        let metadata = cap_std::fs::File::from_std(file.try_clone()?).metadata()?;
        Ok(Self::from(&metadata))
    }

    /// Returns the part that describes the content.
    pub fn content(self) -> ContentStat {
        ContentStat {
            kind: self.kind,
            size: self.size,
            mtime: self.mtime,
        }
    }
}

impl From<&cap_std::fs::Metadata> for Stat {
    fn from(metadata: &cap_std::fs::Metadata) -> Self {
        Self {
            kind: metadata.file_type().into(),
            size: metadata.len(),
            mtime: Mtime {
                seconds: metadata.mtime(),
                // The kernel reports 0…999,999,999. An invalid value of a file system counts as 0.
                nanoseconds: u32::try_from(metadata.mtime_nsec()).unwrap_or(0),
            },
            ctime: Ctime {
                seconds: metadata.ctime(),
                nanoseconds: u32::try_from(metadata.ctime_nsec()).unwrap_or(0),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_beyond_the_calendar_is_clamped() {
        let time = |seconds| Mtime {
            seconds,
            nanoseconds: 5,
        };
        assert_eq!(time(1).timestamp().as_nanosecond(), 1_000_000_005);
        assert_eq!(time(i64::MAX).timestamp(), jiff::Timestamp::MAX);
        assert_eq!(time(i64::MIN).timestamp(), jiff::Timestamp::MIN);
        assert_eq!(time(-1).timestamp().as_nanosecond(), -999_999_995);
    }
}
