//! What is known of a picture beside its `stat`: what its header tells.

use std::fs::File;
use std::io::{self, Seek};

use jiff::civil::DateTime;

use crate::decode::{Head, taken};
use crate::stat::{Mtime, Stat};

/// Which state of a file something is known of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    pub(super) size: u64,
    pub(super) mtime: Mtime,
}

impl From<Stat> for State {
    fn from(stat: Stat) -> Self {
        Self {
            size: stat.size,
            mtime: stat.mtime,
        }
    }
}

/// What the header of a picture tells, in one state of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) of: State,
    /// None of a picture that tells nothing, or that is none. Asking for its thumbnail tells why.
    pub(super) head: Option<Head>,
    /// By the camera's own clock.
    pub(super) taken: Option<DateTime>,
}

impl Facts {
    pub(super) fn read(mut file: File, stat: Stat) -> io::Result<Self> {
        let taken = taken(file.try_clone()?, stat.size);
        // The two handles have one place in the file.
        file.rewind()?;
        Ok(Self {
            of: stat.into(),
            head: Head::read(file, stat.size),
            taken,
        })
    }
}
