//! Watches of everything beneath a folder, on a real disk.

use super::*;

impl House {
    fn watch_beneath(&self, path: &str) -> Lease {
        self.watcher.watch(&self.source(path), Reach::Beneath)
    }

    /// Waits for several times the delay of a report, and checks that there is none.
    #[track_caller]
    fn is_told_nothing(&self) {
        let told = self.told.recv_timeout(Duration::from_millis(300));
        assert!(told.is_err(), "{told:?}");
    }

    fn make(&self, folder: &str) {
        fs::create_dir_all(self.at(folder)).unwrap();
    }
}

#[test]
fn what_happens_in_the_folders_beneath_is_told_of_the_folder() {
    let house = House::new();
    house.make("top/a/b");
    house.make("beside");
    let lease = house.watch_beneath("top");
    assert_eq!(lease.watching, Watching::Events);
    assert!(!lease.is_renewed && house.watch_beneath("top").is_renewed);
    let steps: [&dyn Fn(); 7] = [
        &|| fs::write(house.at("top/x.jpg"), "new").unwrap(),
        &|| fs::write(house.at("top/a/b/x.jpg"), "new").unwrap(),
        &|| fs::write(house.at("top/a/b/x.jpg"), "other").unwrap(),
        &|| house.make("top/a/c"),
        &|| fs::rename(house.at("top/a/b"), house.at("top/a/d")).unwrap(),
        &|| fs::remove_file(house.at("top/a/d/x.jpg")).unwrap(),
        &|| fs::remove_dir_all(house.at("top/a")).unwrap(),
    ];
    for step in steps {
        step();
        house.hears_of("top");
        house.settles(|_| true);
    }
}

#[test]
fn folders_that_come_are_listened_to_with_all_that_came_with_them() {
    let house = House::new();
    house.make("top");
    house.make("elsewhere/new/deep");
    house.watch_beneath("top");
    fs::rename(house.at("elsewhere/new"), house.at("top/new")).unwrap();
    house.hears_of("top");
    house.settles(|_| true);
    fs::write(house.at("top/new/deep/x.jpg"), "new").unwrap();
    house.hears_of("top");
    house.settles(|_| true);
    // The folder is also watched under its new name.
    fs::rename(house.at("top/new"), house.at("top/newer")).unwrap();
    house.hears_of("top");
    house.settles(|_| true);
    fs::write(house.at("top/newer/deep/y.jpg"), "new").unwrap();
    house.hears_of("top");
}

#[test]
fn nothing_is_told_of_what_is_hidden_or_lies_elsewhere() {
    let house = House::new();
    house.make("top/.git");
    house.make("top/a");
    house.make("other");
    std::os::unix::fs::symlink(house.at("other"), house.at("top/link")).unwrap();
    house.watch_beneath("top");
    fs::write(house.at("top/.git/x"), "").unwrap();
    fs::write(house.at("top/a/.x.jpg.part"), "").unwrap();
    fs::write(house.at("other/x.jpg"), "").unwrap();
    house.make("top/.git/folder");
    house.is_told_nothing();
    fs::write(house.at("top/a/seen.jpg"), "").unwrap();
    house.hears_of("top");
    house.settles(|_| true);
    fs::write(house.at("other/y.jpg"), "").unwrap();
    house.is_told_nothing();
}

#[test]
fn one_that_goes_is_waited_for() {
    let house = House::new();
    assert_eq!(house.watch_beneath("top").watching, Watching::Waiting);
    house.make("top/a");
    house.hears_of("top");
    house.settles(|house| house.watch_beneath("top").watching == Watching::Events);
    fs::rename(house.at("top"), house.at("gone")).unwrap();
    house.hears_of("top");
    house.settles(|house| house.watch_beneath("top").watching == Watching::Waiting);
    fs::rename(house.at("gone"), house.at("top")).unwrap();
    house.hears_of("top");
    house.settles(|house| house.watch_beneath("top").watching == Watching::Events);
    fs::write(house.at("top/a/x.jpg"), "new").unwrap();
    house.hears_of("top");
}

#[test]
fn a_root_that_is_forgotten_is_watched_no_more() {
    let house = House::new();
    house.make("top/a");
    house.watch_beneath("top");
    house.watcher.forget(house.root.id());
    assert!(!house.watch_beneath("top").is_renewed);
    for number in 0..9 {
        let folder = format!("{number}");
        house.make(&folder);
        house.watch_beneath(&folder);
    }
    // Observation are too many watches by now.
    assert!(!house.watch_beneath("top").is_renewed);
    assert!(house.watch_beneath("8").is_renewed);
}

#[test]
fn where_the_system_tells_nothing_all_of_it_is_looked_at() {
    let house = House::with_both(|_| None, Arc::new(SystemProbe));
    house.make("top/a/b");
    assert_eq!(house.watch_beneath("top").watching, Watching::Polling);
    fs::write(house.at("top/a/b/x.jpg"), "new").unwrap();
    house.hears_of("top");
    house.settles(|_| true);
    fs::write(house.at("top/a/b/x.jpg"), "longer").unwrap();
    house.hears_of("top");
}

#[test]
fn replaced_folder_reports_nothing_to_either_watch() {
    let house = House::new();
    house.make("a");
    assert_eq!(house.watch("a").watching, Watching::Events);
    assert_eq!(house.watch_beneath("a").watching, Watching::Events);
    fs::rename(house.at("a"), house.at("before")).unwrap();
    house.make("a");
    // Both have found the new folder when its changes are reported to both.
    house.settles(|_| true);
    fs::write(house.at("a/x.jpg"), "").unwrap();
    house.hears_of("a");
    house.hears_of("a");
    house.settles(|_| true);
    fs::write(house.at("before/x.jpg"), "").unwrap();
    house.is_told_nothing();
}
