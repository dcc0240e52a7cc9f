//! A disk that can only be read.

use rustix::process::Signal;

use crate::support::{Disk, Place, Server, end_of};

#[test]
fn data_that_can_t_be_written_is_told_at_the_start() {
    let disk = Disk::mounted();
    let plain = Place::new();
    let folder = match &disk {
        Some(disk) => disk.path().to_owned(),
        None => plain.path().to_owned(),
    };
    let place = Place::new().with_data(&folder.join("data"));
    let server = Server::start(&place);
    assert_eq!(server.end(Signal::TERM).code, Some(0));
    match &disk {
        Some(disk) => disk.make_read_only(),
        None => lock_up(place.data()),
    }
    let ended = end_of(&mut place.serve(&[]).spawn().unwrap());
    let said = place.said();
    assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{said}");
    assert!(said.contains("data"), "it names the folder: {said}");
    assert!(
        said.to_lowercase().contains("read-only") || said.contains("denied"),
        "{said}"
    );
    assert!(!said.contains("panicked"), "{said}");
}

/// Takes the right to write from everyone, which holds for all but root.
fn lock_up(folder: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o400)).unwrap();
    }
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o500)).unwrap();
}
