//! Disks that are not mounted, and recorded folders that are away: their files do not count as missing, and their
//! records are not cleaned up.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;

use rustix::fs::FileType;

use crate::access::{is_absent, kind_of};
use crate::path::FilePath;

/// Folders in which each entry is a mount point of a removable or network disk.
const MEDIA: [&[u8]; 4] = [b"/media", b"/mnt", b"/run/media", b"/net"];
/// The folders among these with an intermediate folder for each user.
const PER_USER_MEDIA: [&[u8]; 2] = [b"/media", b"/run/media"];

/// Mount points on which no disk is mounted, and recorded folders that are away.
#[derive(Debug, Default)]
pub(super) struct MountPoints {
    /// The mount points in the system's table of file systems, mounted or not.
    fstab: Vec<FilePath>,
    /// The folders that were recorded whole: a disk may have been mounted on each.
    roots: Vec<FilePath>,
    unmounted: Cache,
    away: Cache,
}

type Cache = std::cell::RefCell<BTreeMap<FilePath, bool>>;

impl MountPoints {
    /// Reads the system's table.
    pub(super) fn new(roots: Vec<FilePath>) -> Self {
        Self {
            roots,
            ..Self::in_table(&fs::read("/etc/fstab").unwrap_or_default())
        }
    }

    fn in_table(table: &[u8]) -> Self {
        let lines = table.split(|byte| *byte == b'\n');
        let points = lines.filter_map(|line| {
            let mut fields = line
                .split(|byte| byte.is_ascii_whitespace())
                .filter(|field| !field.is_empty());
            fields.next().filter(|device| !device.starts_with(b"#"))?;
            FilePath::new(unescape(fields.next()?)).ok()
        });
        Self {
            fstab: points.filter(|point| point.as_bytes() != b"/").collect(),
            ..Self::default()
        }
    }

    /// Returns the mount point above a missing file, if nothing is mounted on it now, or the recorded folder, if
    /// it is away.
    pub(super) fn unmounted_above(&self, path: &FilePath) -> Option<FilePath> {
        let fstab = self.fstab.iter().filter(|point| path.is_within(point));
        let media = media_point(path);
        let points = fstab.cloned().chain(media);
        let unmounted = points.filter(|point| cached(&self.unmounted, point, |p| !is_mounted(p)));
        let roots = self.roots.iter().filter(|root| path.is_within(root));
        let away = roots.filter(|root| cached(&self.away, root, |root| self.is_away(root)));
        unmounted.chain(away.cloned()).max()
    }

    /// Returns true if a recorded folder is empty, as a mount point without its disk is, or does not exist. One
    /// within another recorded folder that exists was deleted or moved.
    fn is_away(&self, root: &FilePath) -> bool {
        match root.stat() {
            Ok(stat) => kind_of(&stat) == FileType::Directory && is_empty(root),
            Err(error) if is_absent(&error) => {
                let mut outer = self.roots.iter().filter(|other| *other != root);
                !outer.any(|other| root.is_within(other) && other.is_folder())
            }
            Err(_) => false,
        }
    }
}

fn cached(cache: &Cache, point: &FilePath, compute: impl FnOnce(&FilePath) -> bool) -> bool {
    if let Some(result) = cache.borrow().get(point) {
        return *result;
    }
    let result = compute(point);
    cache.borrow_mut().insert(point.clone(), result);
    result
}

/// Returns true if a folder can be listed and has no entries.
pub(super) fn is_empty(folder: &FilePath) -> bool {
    let entries = folder.open_folder().and_then(|folder| folder.entries());
    entries.is_ok_and(|entries| entries.is_empty())
}

/// Returns true if the point is on another disk than its parent folder, or is a folder with contents, which
/// the mount point of an absent disk never has.
fn is_mounted(point: &FilePath) -> bool {
    let Ok(metadata) = fs::metadata(point.as_path()) else {
        return false;
    };
    let around = point
        .parent()
        .and_then(|parent| fs::metadata(parent.as_path()).ok());
    around.is_none_or(|around| around.dev() != metadata.dev())
        || fs::read_dir(point.as_path()).is_ok_and(|mut entries| entries.next().is_some())
}

fn media_point(path: &FilePath) -> Option<FilePath> {
    let media = MEDIA
        .iter()
        .filter(|media| path.as_bytes().starts_with(media))
        .max_by_key(|media| media.len())?;
    let depth = if PER_USER_MEDIA.contains(media) { 2 } else { 1 };
    let below = path.as_bytes()[media.len()..].strip_prefix(b"/")?;
    let mut parts = below.split(|byte| *byte == b'/');
    let parts: Vec<_> = parts.by_ref().take(depth).collect();
    // The file itself is not a mount point.
    let is_above = path.as_bytes().len() > media.len() + 1 + parts.join(&b'/').len();
    let point = [media, &b"/"[..], &parts.join(&b'/')].concat();
    (parts.len() == depth && is_above)
        .then(|| FilePath::new(point).ok())
        .flatten()
}

/// Decodes blanks and the like, which the table writes as octal numbers.
fn unescape(field: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = field;
    while let Some((byte, after)) = rest.split_first() {
        let digits = after
            .get(..3)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(escaped) if *byte == b'\\' => {
                bytes.push(escaped);
                rest = &after[3..];
            }
            _ => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> FilePath {
        FilePath::new(text).unwrap()
    }

    #[test]
    fn mount_points_come_from_fstab_and_conventional_folders() {
        let points = MountPoints::in_table(b"# a comment\nUUID=1 / ext4 defaults\nUUID=2 /nowhere/my\\040disk ext4\n\nnone swap swap\n");
        assert_eq!(points.fstab, [path("/nowhere/my disk")]);
        assert_eq!(
            points.unmounted_above(&path("/nowhere/my disk/a/b")),
            Some(path("/nowhere/my disk"))
        );
        assert_eq!(points.unmounted_above(&path("/nowhere/other/a")), None);
        assert_eq!(
            points.unmounted_above(&path("/mnt/no-such-disk/a")),
            Some(path("/mnt/no-such-disk"))
        );
        assert_eq!(
            points.unmounted_above(&path("/run/media/aya/no-disk/a/b")),
            Some(path("/run/media/aya/no-disk"))
        );
        assert_eq!(points.unmounted_above(&path("/mnt/no-such-file")), None);
        assert_eq!(points.unmounted_above(&path("/mntx/a/b")), None);
    }
}
