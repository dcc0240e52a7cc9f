//! Reads and changes the sidecar of a picture on the disk.

use std::fs::File;

use fumikura_fs::{Source, Stat};

use super::location::{SidecarLocation, read_bytes};
use super::temp_file::{self, TempFile};
use super::write::{EditOutcome, apply};
use super::{Marks, MarksChange, SidecarError, SidecarMarks, edit, read};

/// The number of attempts at a change while other programs keep writing the file.
const ATTEMPTS: usize = 5;

/// The outcome of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarksOutcome {
    /// The marks of the picture before.
    pub before: Marks,
    /// The marks of the picture now.
    pub after: Marks,
    /// The marks in the sidecar now.
    pub sidecar: SidecarMarks,
    /// The sidecar's name and state, if it was written; its last state, if it was deleted.
    pub written: Option<SidecarFile>,
}

/// A sidecar that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SidecarFile {
    /// The name of the sidecar in the folder of the picture.
    pub name: Vec<u8>,
    /// The status of the written file.
    pub stat: Stat,
}

/// Returns the marks in the sidecar of a picture. They are empty if there is none.
///
/// # Errors
/// [`SidecarError`] if there is no such file, or its sidecar can't be read.
pub fn marks(source: &Source) -> Result<SidecarMarks, SidecarError> {
    for _ in 0..ATTEMPTS {
        let location = SidecarLocation::of(source)?;
        let Some(entry) = location.find()? else {
            return Ok(SidecarMarks::default());
        };
        if let Some((_, marks)) = location.parse_with(&entry, read)? {
            return Ok(marks);
        }
    }
    Err(SidecarError::Contended)
}

/// Returns the name of the existing sidecar of a picture; `None` if there is none.
///
/// # Errors
/// [`SidecarError`] if there is no such file, or the folder can't be read.
pub fn sidecar_name(source: &Source) -> Result<Option<Vec<u8>>, SidecarError> {
    let entry = SidecarLocation::of(source)?.find()?;
    Ok(entry.map(|entry| entry.name))
}

/// Reads the marks of a sidecar that was found by other means.
pub fn read_file(file: File, stat: Stat) -> Result<SidecarMarks, SidecarError> {
    read(&read_bytes(file, stat)?)
}

/// Changes the sidecar of a picture that has the marks `embedded` in its own file, completely or not at all. If two
/// processes of this program change it at once, the later one reads and changes the other's result. Another program has no
/// lock: its change is lost if it falls between the check and the rename.
pub fn set_marks(
    source: &Source,
    change: &MarksChange,
    embedded: &Marks,
) -> Result<MarksOutcome, SidecarError> {
    set_marks_with(source, change, embedded, &mut || {})
}

/// Changes the sidecar. `before_rename` is called between the writing of the new file and its rename.
pub(super) fn set_marks_with(
    source: &Source,
    change: &MarksChange,
    embedded: &Marks,
    before_rename: &mut dyn FnMut(),
) -> Result<MarksOutcome, SidecarError> {
    for _ in 0..ATTEMPTS {
        if let Some(outcome) = attempt(
            &SidecarLocation::of(source)?,
            change,
            embedded,
            before_rename,
        )? {
            return Ok(outcome);
        }
    }
    Err(SidecarError::Contended)
}

/// Attempts a change. `None` if another program changed the sidecar meanwhile.
fn attempt(
    location: &SidecarLocation,
    change: &MarksChange,
    embedded: &Marks,
    before_rename: &mut dyn FnMut(),
) -> Result<Option<MarksOutcome>, SidecarError> {
    let Some(entry) = location.find()? else {
        return create(location, change, embedded, before_rename);
    };
    // A link is never replaced.
    let _lock = match entry.is_link {
        true => None,
        false => match location.lock(&entry)? {
            None => return Ok(None),
            locked => locked,
        },
    };
    let edited = location.parse_with(&entry, |bytes| apply(bytes, change, embedded))?;
    let Some((there, edited)) = edited else {
        return Ok(None);
    };
    let EditOutcome {
        before,
        after,
        stated,
        sidecar,
        is_empty,
    } = edited;
    let mut outcome = MarksOutcome {
        before,
        after,
        sidecar: stated,
        written: None,
    };
    let Some(sidecar) = sidecar else {
        return Ok(Some(outcome));
    };
    if entry.is_link {
        return Err(SidecarError::Link);
    }
    // A rename needs no permission on the file itself. A file without write permission is meant to keep its content.
    if there.mode & 0o222 == 0 {
        return Err(SidecarError::ReadOnly);
    }
    let is_discarded = change.discards_empty && is_empty && entry.name == location.new_name();
    let stat = if is_discarded {
        before_rename();
        if !location.is_unchanged(&entry, &there.state)? {
            return Ok(None);
        }
        temp_file::delete(&location.folder, &entry.name).map_err(SidecarError::writing)?;
        outcome.sidecar = SidecarMarks::default();
        there.state.stat
    } else {
        let temp_file = TempFile::write(&location.folder, &sidecar, Some(there.mode))
            .map_err(SidecarError::writing)?;
        before_rename();
        if !location.is_unchanged(&entry, &there.state)? {
            return Ok(None);
        }
        temp_file
            .replace(&entry.name)
            .map_err(SidecarError::writing)?
    };
    outcome.written = Some(SidecarFile {
        name: entry.name,
        stat,
    });
    Ok(Some(outcome))
}

fn create(
    location: &SidecarLocation,
    change: &MarksChange,
    embedded: &Marks,
    before_rename: &mut dyn FnMut(),
) -> Result<Option<MarksOutcome>, SidecarError> {
    let before = embedded.clone();
    let after = change.apply_to(&before);
    let mut written = None;
    let mut stated = SidecarMarks::default();
    if after != before {
        let sidecar = edit(None, change, embedded)?;
        stated = read(&sidecar)?;
        let temp_file =
            TempFile::write(&location.folder, &sidecar, None).map_err(SidecarError::writing)?;
        before_rename();
        let name = location.new_name();
        let taken = temp_file.take(&name).map_err(SidecarError::writing)?;
        let Some(stat) = taken else {
            return Ok(None);
        };
        written = Some(SidecarFile { name, stat });
    }
    Ok(Some(MarksOutcome {
        before,
        after,
        sidecar: stated,
        written,
    }))
}
