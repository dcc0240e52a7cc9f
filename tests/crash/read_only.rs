//! A disk that can only be read.

use std::path::Path;

use rustix::process::Signal;

use crate::support::{Disk, Place, Server, end_of};

/// The start fails with a sentence that names the folder and says why.
#[track_caller]
fn check_refused(place: &Place) {
    let ended = end_of(&mut place.serve(&[]).spawn().unwrap());
    let said = place.said();
    assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{said}");
    let folder = place.data().display().to_string();
    assert!(said.contains(&folder), "{said}");
    let reasons = ["Read-only", "read-only", "denied", "not permitted"];
    assert!(reasons.iter().any(|why| said.contains(why)), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn data_that_can_t_be_made_is_told_at_the_start() {
    // Nobody makes folders here, not even root.
    check_refused(&Place::new().with_data(Path::new("/sys/fumikura")));
}

#[test]
fn data_that_can_t_be_written_is_told_at_the_start() {
    let disk = Disk::mounted();
    if disk.is_none() && rustix::process::geteuid().is_root() {
        // Whoever may write everywhere but not mount has only the other test.
        return data_that_can_t_be_made_is_told_at_the_start();
    }
    let place = match &disk {
        Some(disk) => Place::new().with_data(&disk.path().join("data")),
        None => Place::new(),
    };
    let server = Server::start(&place);
    assert_eq!(server.end(Signal::TERM).code, Some(0));
    match &disk {
        Some(disk) => disk.make_read_only(),
        None => lock_up(place.data()),
    }
    check_refused(&place);
}

/// Takes the right to write from everyone, which holds for all but root.
fn lock_up(folder: &Path) {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        set_permissions(path, Permissions::from_mode(0o400)).unwrap();
    }
    set_permissions(folder, Permissions::from_mode(0o500)).unwrap();
}
