//! Detection of folders that other users of the machine could change, and that are unsafe for private files.

use std::path::{Path, PathBuf};

/// A folder that another user could change, or replace by another one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Exposure {
    /// Another user owns it.
    #[error(
        "{} belongs to another user ({owner}); make it yours with “chown”, or use another folder",
        .folder.display()
    )]
    Owner {
        folder: PathBuf,
        /// Its owner: a name, or a number.
        owner: String,
    },
    /// Others may write to it.
    #[error(
        "other users may write to {} (its mode is {mode:04o}); run “chmod go-w” on it, or use another folder",
        .folder.display()
    )]
    Writable {
        folder: PathBuf,
        /// Its permissions.
        mode: u32,
    },
}

/// Checks that no other user than the administrator could change the folder, or replace it: the folder, and
/// its parents up to the top. A folder that does not exist yet is judged by its parents alone.
///
/// The rules are those of OpenSSH's programs, with one exception: a group with only this user (many systems
/// give each user one) is not another user.
///
/// # Errors
/// The first [`Exposure`] found, from the folder upwards.
pub fn check(folder: &Path) -> Result<(), Exposure> {
    unix::check(folder)
}

mod unix {
    use std::fs::Metadata;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use nix::unistd::{Gid, Group, Uid, User};

    use super::Exposure;

    const ADMINISTRATOR: u32 = 0;
    /// The owner that a sandbox reports for every user it does not map. Usually this is the administrator; no
    /// process in the sandbox can act as that owner.
    const UNMAPPED: u32 = 65_534;
    const GROUP_WRITES: u32 = 0o020;
    const OTHERS_WRITE: u32 = 0o002;
    /// In such a folder, only the owner of an entry can rename or remove it.
    const STICKY: u32 = 0o1000;

    pub(super) fn check(folder: &Path) -> Result<(), Exposure> {
        let user = Uid::effective().as_raw();
        // Links are followed, since the location of the folder decides.
        let resolved = folder
            .ancestors()
            .find_map(|above| Some((above, above.canonicalize().ok()?)));
        let Some((there, resolved)) = resolved else {
            return Ok(());
        };
        for (level, place) in resolved.ancestors().enumerate() {
            // A folder that can't be examined can't be used either, which its use reports itself.
            let Ok(metadata) = place.metadata() else {
                continue;
            };
            let is_the_folder = level == 0 && there == folder;
            judge(place, &metadata, user, is_the_folder)?;
        }
        Ok(())
    }

    fn judge(
        place: &Path,
        metadata: &Metadata,
        user: u32,
        is_the_folder: bool,
    ) -> Result<(), Exposure> {
        let owner = metadata.uid();
        let is_trusted = [ADMINISTRATOR, user].contains(&owner);
        if !is_trusted && (is_the_folder || owner != UNMAPPED) {
            return Err(Exposure::Owner {
                folder: place.to_owned(),
                owner: name_of(owner),
            });
        }
        let mode = metadata.mode() & 0o7777;
        if !is_the_folder && mode & STICKY != 0 {
            return Ok(());
        }
        let is_exposed = mode & OTHERS_WRITE != 0
            || mode & GROUP_WRITES != 0 && !is_private_group(metadata.gid(), user);
        if is_exposed {
            return Err(Exposure::Writable {
                folder: place.to_owned(),
                mode,
            });
        }
        Ok(())
    }

    fn name_of(owner: u32) -> String {
        let user = User::from_uid(Uid::from_raw(owner)).ok().flatten();
        user.map_or_else(|| owner.to_string(), |user| user.name)
    }

    /// True if the group contains only the user, or only the administrator.
    fn is_private_group(group: u32, user: u32) -> bool {
        let found = Group::from_gid(Gid::from_raw(group)).ok().flatten();
        found.is_some_and(|group| {
            [user, ADMINISTRATOR].iter().any(|user| {
                let user = User::from_uid(Uid::from_raw(*user)).ok().flatten();
                user.is_some_and(|user| is_own_group(&user, &group))
            })
        })
    }

    /// True if the group was made for the user. There is no list of the users whose primary group it is; but
    /// a group with the name of its user was made for them.
    fn is_own_group(user: &User, group: &Group) -> bool {
        user.gid == group.gid
            && user.name == group.name
            && group.mem.iter().all(|member| *member == user.name)
    }

    #[cfg(test)]
    mod tests {
        use std::fs::{self, Permissions};
        use std::os::unix::fs::{PermissionsExt, chown, symlink};

        use super::*;

        fn set_mode(folder: &Path, mode: u32) {
            fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
        }

        /// Checks a folder with `mode` within a folder with the mode `within`.
        #[track_caller]
        fn check_mode(mode: u32, within: u32, is_refused: bool) {
            let outer = tempfile::tempdir().unwrap();
            let middle = outer.path().join("middle");
            let folder = middle.join("folder");
            fs::create_dir_all(&folder).unwrap();
            set_mode(&folder, mode);
            set_mode(&middle, within);
            let refused = super::check(&folder);
            assert_eq!(refused.is_err(), is_refused, "{mode:o} in {within:o}");
        }

        #[test]
        fn folder_writable_by_others_is_refused() {
            for mode in [0o700, 0o755, 0o750, 0o711, 0o2755] {
                check_mode(mode, 0o755, false);
            }
            for mode in [0o777, 0o757, 0o702, 0o1777] {
                check_mode(mode, 0o755, true);
            }
            check_mode(0o700, 0o777, true);
            check_mode(0o700, 0o1777, false);
        }

        #[test]
        fn missing_folder_is_checked_by_its_ancestor() {
            let outer = tempfile::tempdir().unwrap();
            let folder = outer.path().join("not/there");
            assert_eq!(super::check(&folder), Ok(()));
            set_mode(outer.path(), 0o777);
            let exposed = Exposure::Writable {
                folder: outer.path().canonicalize().unwrap(),
                mode: 0o777,
            };
            assert_eq!(super::check(&folder), Err(exposed));
        }

        #[test]
        fn link_is_checked_by_its_target() {
            let outer = tempfile::tempdir().unwrap();
            let [folder, link] = ["folder", "link"].map(|name| outer.path().join(name));
            fs::create_dir(&folder).unwrap();
            symlink(&folder, &link).unwrap();
            assert_eq!(super::check(&link), Ok(()));
            set_mode(&folder, 0o777);
            assert!(super::check(&link).is_err());
        }

        fn user(name: &str, gid: u32) -> User {
            let mut user = User::from_uid(Uid::effective()).unwrap().unwrap();
            name.clone_into(&mut user.name);
            user.gid = Gid::from_raw(gid);
            user
        }

        fn group(name: &str, gid: u32, members: &[&str]) -> Group {
            let mut group = Group::from_gid(Gid::from_raw(0)).unwrap().unwrap();
            name.clone_into(&mut group.name);
            group.gid = Gid::from_raw(gid);
            group.mem = members.iter().map(|&name| name.to_owned()).collect();
            group
        }

        #[test]
        fn own_group_has_no_other_members() {
            let aya = user("aya", 1000);
            assert!(is_own_group(&aya, &group("aya", 1000, &[])));
            assert!(is_own_group(&aya, &group("aya", 1000, &["aya"])));
            assert!(!is_own_group(&aya, &group("aya", 1000, &["aya", "ken"])));
            assert!(!is_own_group(&aya, &group("users", 1000, &[])));
            assert!(!is_own_group(&aya, &group("aya", 1001, &[])));
        }

        /// Only the administrator can give folders away.
        #[test]
        fn folder_of_another_user_or_group_is_refused() {
            let outer = tempfile::tempdir().unwrap();
            let folder = outer.path().join("folder");
            fs::create_dir(&folder).unwrap();
            if !Uid::effective().is_root() {
                let metadata = fs::metadata("/").unwrap();
                let judged = judge(Path::new("/"), &metadata, 12_345, true);
                assert_eq!(judged, Ok(()), "the administrator is no other user");
                return;
            }
            chown(&folder, None, Some(12_345)).unwrap();
            assert_eq!(super::check(&folder), Ok(()));
            set_mode(&folder, 0o770);
            assert!(matches!(
                super::check(&folder),
                Err(Exposure::Writable { .. })
            ));
            set_mode(&folder, 0o700);
            chown(&folder, Some(12_345), None).unwrap();
            let refused = super::check(&folder).unwrap_err().to_string();
            assert!(refused.contains("another user (12345)"), "{refused}");
            assert!(matches!(
                super::check(&folder.join("a")),
                Err(Exposure::Owner { .. })
            ));
        }
    }
}
