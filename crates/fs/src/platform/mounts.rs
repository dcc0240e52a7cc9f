//! Mount points.

use std::io;
use std::path::Path;

use super::path_of;

/// Returns the mounts beneath a place. The list changes whenever a disk is mounted or unmounted there.
/// Accesses no disk.
pub fn mounts_beneath(place: &Path) -> io::Result<Vec<Vec<u8>>> {
    let table = std::fs::read("/proc/self/mountinfo")?;
    Ok(mounts_in(&table, place))
}

/// Returns the number of the file system that is mounted at a place, or else nearest above it. `None` if the
/// table can't be read. Accesses no disk.
pub(crate) fn file_system_at(place: &Path) -> Option<u64> {
    let table = std::fs::read("/proc/self/mountinfo").ok()?;
    file_system_in(&table, place)
}

fn file_system_in(table: &[u8], place: &Path) -> Option<u64> {
    let lines = table.split(|&byte| byte == b'\n');
    let mounts = lines.filter_map(|line| {
        let parts: Vec<&[u8]> = line.split(|&byte| byte == b' ').take(5).collect();
        let number = std::str::from_utf8(parts.get(2)?).ok()?;
        let point = unescaped(parts.get(4)?);
        let (major, minor) = number.split_once(':')?;
        let number = rustix::fs::makedev(major.parse().ok()?, minor.parse().ok()?);
        let is_above = place.starts_with(path_of(&point));
        is_above.then_some((point.len(), number))
    });
    // Of mounts at one point, the last one is on top.
    mounts.max_by_key(|(length, _)| *length).map(|(_, it)| it)
}

/// Parses the table of `proc_pid_mountinfo(5)`. Each line yields the ids of the mount, of its parent and of the
/// file system, the mounted part of that file system, and the mount point.
fn mounts_in(table: &[u8], place: &Path) -> Vec<Vec<u8>> {
    let lines = table.split(|&byte| byte == b'\n');
    let mounts = lines.filter_map(|line| {
        let parts: Vec<&[u8]> = line.split(|&byte| byte == b' ').take(5).collect();
        let point = unescaped(parts.get(4)?);
        let is_beneath = path_of(&point) != place && path_of(&point).starts_with(place);
        is_beneath.then(|| parts.join(&b' '))
    });
    mounts.collect()
}

/// Decodes spaces and the like, which are written as three octal digits.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut left = text;
    while let [first, rest @ ..] = left {
        left = rest;
        let digits = rest.first_chunk::<3>().filter(|_| *first == b'\\');
        let code = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        if code.is_some() {
            left = &rest[3..];
        }
        bytes.push(code.unwrap_or(*first));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_table_yields_mounts_and_file_systems() {
        let table = br"22 28 0:21 / /sys rw,nosuid shared:7 - sysfs sysfs rw
28 1 8:1 / / rw - ext4 /dev/sda1 rw
90 28 8:17 / /home/me/Pictures/old\040stick rw - vfat /dev/sdb1 rw
91 28 0:50 / /home/me/Pictures/nas rw - fuse.sshfs nas: rw
92 28 0:51 / /home/me/Pictures rw - ext4 /dev/sdc1 rw
93 28 0:52 / /home/me/Pictures2/x rw - ext4 /dev/sdd1 rw
";
        let found = |place: &str| mounts_in(table, Path::new(place));
        let all = [
            &br"90 28 8:17 / /home/me/Pictures/old\040stick"[..],
            b"91 28 0:50 / /home/me/Pictures/nas",
        ];
        assert_eq!(found("/home/me/Pictures"), all);
        assert!(found("/home/me/Pictures/old stick").is_empty());
        assert_eq!(found("/home/me").len(), 4);
        let at = |place: &str| file_system_in(table, Path::new(place));
        let number = |major, minor| Some(rustix::fs::makedev(major, minor));
        assert_eq!(at("/home/me/Pictures/nas/a/b.jpg"), number(0, 50));
        assert_eq!(at("/home/me/Pictures/old stick"), number(8, 17));
        assert_eq!(at("/home/me/Pictures/nasa"), number(0, 51));
        assert_eq!(at("/home"), number(8, 1));
        assert_eq!(unescaped(br"\040\134\04\x"), br" \\04\x".as_slice());
        // The table of this machine can be read.
        assert!(!mounts_beneath(Path::new("/")).unwrap().is_empty());
    }
}
