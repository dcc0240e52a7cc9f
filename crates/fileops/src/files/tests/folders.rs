//! Folders that are copied, or moved to another disk, with all their content.

use std::cell::Cell;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode};

use super::*;
use crate::system::Slot;
use crate::tree::{self, Purpose, Tree, Whose};

/// A fixture with a second root on another file system.
struct Street {
    house: House,
    elsewhere: tempfile::TempDir,
    there: Source,
}

impl Street {
    /// Creates a folder `trip` with every kind of entry that is copied.
    fn new() -> Self {
        let house = House::new();
        let elsewhere = tempfile::tempdir_in("/dev/shm").unwrap();
        let root = house.roots.add(elsewhere.path()).unwrap();
        let there = Source::new(root, RelPath::default());
        for folder in ["trip", "trip/deep", "trip/deep/empty", "trip/closed"] {
            fs::create_dir(house.path(folder)).unwrap();
        }
        house.write(&["trip/a.jpg", "trip/deep/b.jpg", "trip/closed/c.jpg", "x"]);
        fs::write(house.path("trip/none"), "").unwrap();
        symlink("../x", house.path("trip/link")).unwrap();
        symlink("..", house.path("trip/deep/round")).unwrap();
        set_mode(&house.path("trip/a.jpg"), 0o640);
        set_mode(&house.path("trip/deep"), 0o750);
        age(&house.path("trip/deep"));
        age(&house.path("trip"));
        Self {
            house,
            elsewhere,
            there,
        }
    }

    fn there(&self, path: &str) -> PathBuf {
        self.elsewhere.path().join(path)
    }

    fn moved(&self) -> Result<Done, FileError> {
        self.house.moved(&["trip"], &self.there, Existing::Refuse)
    }

    /// Moves the folder, and calls `meanwhile` after so many steps.
    fn moved_while(
        &self,
        after: u32,
        mut meanwhile: impl FnMut() -> bool,
    ) -> Result<Done, FileError> {
        let mut count = 0;
        let mut step = |_, _| {
            count += 1;
            count != after || meanwhile()
        };
        let items = [self.house.source("trip")];
        let files = &self.house.files;
        files.move_to(&self.there, &items, Existing::Refuse, &mut step)
    }

    #[track_caller]
    fn check_nothing_there(&self) {
        assert_eq!(contents(self.elsewhere.path()), Vec::<String>::new());
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn age(path: &Path) {
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    File::open(path).unwrap().set_modified(old).unwrap();
}

/// Returns all entries of a folder by path: the content, target or kind, with mode and time.
fn contents(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let facts = fs::symlink_metadata(&path).unwrap();
        let is = if facts.is_symlink() {
            found.push(format!(
                "{name} -> {}",
                fs::read_link(&path).unwrap().display()
            ));
            continue;
        } else if facts.is_dir() {
            let inner = contents(&path).into_iter();
            found.extend(inner.map(|inner| format!("{name}/{inner}")));
            "folder".to_owned()
        } else {
            fs::read_to_string(&path).unwrap()
        };
        let (mode, time) = (facts.permissions().mode(), facts.modified().unwrap());
        found.push(format!("{name}: {is}, {mode:o}, {time:?}"));
    }
    found.sort();
    found
}

#[test]
fn a_folder_is_copied_with_all_that_lies_in_it_and_goes_into_the_bin_when_that_is_undone() {
    let Street { house, .. } = Street::new();
    let before = contents(&house.path("trip"));
    let done = house.copied(&["trip"], "inner", Existing::Refuse).unwrap();
    assert_eq!((done.done, done.failed.len()), (1, 0));
    assert_eq!(contents(&house.path("inner/trip")), before);
    assert_eq!(contents(&house.path("trip")), before);
    let time = |path| fs::metadata(house.path(path)).unwrap().modified().unwrap();
    assert_eq!(time("inner/trip"), time("trip"));
    let refused = house.copied(&["trip"], "inner", Existing::Refuse);
    assert!(matches!(refused, Err(FileError::Taken(_))));
    let refused = house.copied(&["trip"], "inner", Existing::Replace);
    assert!(matches!(refused, Err(FileError::Taken(_))));
    let skipped = house.copied(&["trip"], "inner", Existing::Skip).unwrap();
    assert_eq!((skipped.done, skipped.skipped), (0, 1));
    house
        .copied(&["trip"], "inner", Existing::KeepBoth)
        .unwrap();
    assert_eq!(contents(&house.path("inner/trip (2)")), before);
    house.undo(&done, false).unwrap();
    assert!(!house.path("inner/trip").exists());
    let binned = house.in_bin();
    assert_eq!(binned.len(), 1);
    assert_eq!(contents(&binned[0].0), before);
}

#[test]
fn to_another_disk_a_folder_is_moved_whole_and_back() {
    let street = Street::new();
    let house = &street.house;
    let before = contents(&house.path("trip"));
    let done = street.moved().unwrap();
    assert_eq!(
        (done.done, done.failed.len(), done.folders.len()),
        (1, 0, 2)
    );
    assert_eq!(contents(&street.there("trip")), before);
    assert_eq!(fs::read_to_string(house.path("x")).unwrap(), "x");
    assert!(!house.path("trip").exists());
    house.undo(&done, false).unwrap();
    assert_eq!(contents(&house.path("trip")), before);
    street.check_nothing_there();
    // No temporary name is left.
    let names = fs::read_dir(house.path("")).unwrap().count();
    assert_eq!(names, 3, "inner, trip and x");
}

#[test]
fn a_copy_that_was_changed_since_is_not_undone() {
    let street = Street::new();
    let house = &street.house;
    let copied = house.copied(&["trip"], "inner", Existing::Refuse).unwrap();
    fs::write(house.path("inner/trip/deep/new"), "").unwrap();
    let moved = street.moved().unwrap();
    fs::write(street.there("trip/deep/b.jpg"), "other").unwrap();
    for done in [copied, moved] {
        let stuck = house.undo(&done, true).unwrap_err();
        assert_eq!(stuck.to_string(), "trip: it has changed since");
    }
    assert!(house.path("inner/trip/deep/new").exists());
    assert_eq!(
        fs::read_to_string(street.there("trip/deep/b.jpg")).unwrap(),
        "other"
    );
    assert!(house.in_bin().is_empty());
}

#[test]
fn another_folder_of_the_name_is_not_taken_back() {
    let street = Street::new();
    let house = &street.house;
    let renamed = house.rename(&[("trip", "journey")]).unwrap();
    let kept = house.path("kept");
    fs::rename(house.path("journey"), &kept).unwrap();
    fs::create_dir(house.path("journey")).unwrap();
    let stuck = house.undo(&renamed, true).unwrap_err();
    assert_eq!(stuck.to_string(), "journey: it has changed since");
    assert!(house.path("journey").exists() && kept.join("a.jpg").exists());
    // The same folder goes back, whatever changed in it.
    fs::remove_dir(house.path("journey")).unwrap();
    fs::rename(&kept, house.path("journey")).unwrap();
    fs::write(house.path("journey/new"), "").unwrap();
    house.undo(&renamed, false).unwrap();
    assert!(house.path("trip/new").exists());
}

#[test]
fn what_can_not_be_copied_is_refused_before_anything_is_done() {
    let street = Street::new();
    let house = &street.house;
    let pipe = house.path("trip/deep/pipe");
    rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
    let before = || fs::read_dir(house.path("trip")).unwrap().count();
    let count = before();
    for refused in [
        street.moved(),
        house.copied(&["x", "trip"], "inner", Existing::Refuse),
    ] {
        let refused = refused.unwrap_err();
        assert_eq!(
            refused.to_string(),
            "couldn't copy trip/deep/pipe with its folder: it is a FIFO"
        );
    }
    assert_eq!(before(), count);
    street.check_nothing_there();
    house.check(&[("x", "x")]);
    assert!(house.files.recent(9).unwrap().is_empty());
}

#[test]
fn folders_that_lie_too_deep_in_each_other_are_not_copied() {
    let house = House::new();
    fs::create_dir_all(house.path(&["f"; 150].join("/"))).unwrap();
    let refused = house.copied(&["f"], "inner", Existing::Refuse).unwrap_err();
    assert!(
        refused.to_string().ends_with("it is nested too deeply"),
        "{refused}"
    );
}

#[test]
fn a_folder_is_not_copied_into_itself_by_whatever_path() {
    let house = House::new();
    fs::create_dir_all(house.path("inner/deep")).unwrap();
    symlink("inner/deep", house.path("link")).unwrap();
    for to in ["inner", "inner/deep", "link"] {
        let refused = house.copied(&["inner"], to, Existing::KeepBoth);
        assert!(
            matches!(refused, Err(FileError::IntoItself(_))),
            "{refused:?}"
        );
        let refused = house.moved(&["inner"], &house.source(to), Existing::KeepBoth);
        assert!(
            matches!(refused, Err(FileError::IntoItself(_))),
            "{refused:?}"
        );
    }
    assert_eq!(contents(&house.path("inner")).len(), 1);
}

#[test]
fn a_folder_that_is_cancelled_at_any_moment_is_where_it_was_and_nowhere_else() {
    let street = Street::new();
    let before = contents(&street.house.path("trip"));
    // Files, links and folders are one step each.
    for after in 1..=9 {
        let cancelled = street.moved_while(after, || false);
        assert!(
            matches!(cancelled, Err(FileError::Cancelled)),
            "{cancelled:?}"
        );
        assert_eq!(contents(&street.house.path("trip")), before);
        street.check_nothing_there();
    }
    assert!(street.house.files.recent(9).unwrap().is_empty());
}

#[test]
fn a_folder_that_changes_while_it_is_copied_stays_as_it_is() {
    type Change = fn(&House);
    let changes: [Change; 6] = [
        |house| fs::write(house.path("trip/a.jpg"), "longer than before").unwrap(),
        |house| fs::write(house.path("trip/deep/new"), "").unwrap(),
        |house| fs::remove_file(house.path("trip/none")).unwrap(),
        |house| {
            fs::remove_file(house.path("trip/link")).unwrap();
            symlink("/etc", house.path("trip/link")).unwrap();
        },
        // A folder that is replaced by a link is not followed.
        |house| {
            fs::rename(house.path("trip/deep"), house.path("deep")).unwrap();
            symlink("../deep", house.path("trip/deep")).unwrap();
        },
        |house| {
            fs::remove_file(house.path("trip/none")).unwrap();
            symlink("../x", house.path("trip/none")).unwrap();
        },
    ];
    for change in changes {
        for after in [1, 5, 9] {
            let street = Street::new();
            let house = &street.house;
            let refused = street.moved_while(after, || {
                change(house);
                true
            });
            assert!(refused.is_err(), "{refused:?}");
            street.check_nothing_there();
            assert_eq!(fs::read_to_string(house.path("x")).unwrap(), "x");
            assert!(house.path("trip/closed/c.jpg").exists());
            assert!(house.files.recent(9).unwrap().is_empty());
        }
    }
}

#[test]
fn somebody_else_who_takes_the_name_meanwhile_keeps_it() {
    let street = Street::new();
    let taken = street.moved_while(9, || {
        fs::create_dir(street.there("trip")).unwrap();
        true
    });
    assert!(matches!(taken, Err(FileError::Taken(_))), "{taken:?}");
    assert!(street.house.path("trip/deep/b.jpg").exists());
    assert_eq!(contents(&street.elsewhere.path().join("trip")).len(), 0);
    assert_eq!(fs::read_dir(street.elsewhere.path()).unwrap().count(), 1);
}

fn surveyed(house: &House) -> (Folder, Tree) {
    let folder = Folder::open(&house.source("")).unwrap();
    let tree = tree::survey(folder.entry(b"trip"), Purpose::Move, None).unwrap();
    (folder, tree)
}

#[test]
fn an_original_that_is_another_than_its_copy_is_not_deleted() {
    let Street { house, .. } = Street::new();
    let (folder, tree) = surveyed(&house);
    fs::write(house.path("trip/deep/new"), "").unwrap();
    let before = contents(&house.path("trip"));
    let is_whole = Cell::new(true);
    let refused = tree::remove_original(folder.entry(b"trip"), &tree, "tag", &is_whole);
    assert!(
        matches!(refused, Err(FileError::Changing(_))),
        "{refused:?}"
    );
    assert!(is_whole.get());
    assert_eq!(contents(&house.path("trip")), before);
    // The original is gone already: the copy is the only one.
    fs::rename(house.path("trip"), house.path("other")).unwrap();
    tree::remove_original(folder.entry(b"trip"), &tree, "tag", &is_whole).unwrap();
    assert!(!is_whole.get());
    assert_eq!(contents(&house.path("other")), before);
}

#[test]
fn what_comes_while_a_folder_is_deleted_stays() {
    for path in ["trip/deep/new", "trip/zzz"] {
        let Street { house, .. } = Street::new();
        let (folder, tree) = surveyed(&house);
        // This simulates an entry that is created after the last check.
        fs::write(house.path(path), "new").unwrap();
        let refused = tree::remove(
            Slot::new(&folder.dir, b"trip"),
            &tree,
            Whose::Original,
            b"trip",
        );
        assert!(
            matches!(refused, Err(FileError::Changing(_))),
            "{refused:?}"
        );
        assert_eq!(fs::read_to_string(house.path(path)).unwrap(), "new");
    }
    let Street { house, .. } = Street::new();
    let (folder, tree) = surveyed(&house);
    fs::remove_file(house.path("trip/deep/b.jpg")).unwrap();
    symlink("../../x", house.path("trip/deep/b.jpg")).unwrap();
    let refused = tree::remove(
        Slot::new(&folder.dir, b"trip"),
        &tree,
        Whose::Original,
        b"trip",
    );
    assert!(
        matches!(refused, Err(FileError::Changing(_))),
        "{refused:?}"
    );
    assert!(house.path("trip/deep/b.jpg").is_symlink() && house.path("x").exists());
}

#[test]
fn an_unfinished_copy_is_deleted_without_what_somebody_put_into_it() {
    let Street { house, .. } = Street::new();
    let (folder, tree) = surveyed(&house);
    // Half of it exists, with other content; a link is in the place of a folder.
    fs::create_dir_all(house.path("half/closed")).unwrap();
    fs::write(house.path("half/a.jpg"), "h").unwrap();
    symlink("../trip/deep", house.path("half/deep")).unwrap();
    let before = contents(&house.path("trip"));
    let refused = tree::remove(
        Slot::new(&folder.dir, b"half"),
        &tree,
        Whose::Unfinished,
        b"half",
    );
    assert!(refused.is_err());
    fs::remove_file(house.path("half/deep")).unwrap();
    set_mode(&house.path("half"), 0o500);
    tree::remove(
        Slot::new(&folder.dir, b"half"),
        &tree,
        Whose::Unfinished,
        b"half",
    )
    .unwrap();
    assert_eq!(contents(&house.path("trip")), before);
    assert!(!house.path("half").exists());
}

/// Makes the record of a step refer to the file that is at its old place now.
fn recognise(house: &House, done: &Done, path: &str) {
    let record = format!("undo/{}.json", done.id.unwrap());
    let record = house.outer.path().join(record);
    let text = fs::read_to_string(&record).unwrap();
    let now = fumikura_fs::platform::Identity::of(&File::open(house.path(path)).unwrap()).unwrap();
    let (head, step) = text.split_once('\n').unwrap();
    let mut step: serde_json::Value = serde_json::from_str(step).unwrap();
    step["state"]["file"] = serde_json::json!(now.numbers());
    fs::write(&record, format!("{head}\n{step}\n")).unwrap();
}

#[test]
fn a_copy_beside_a_part_of_its_original_stays_where_it_is() {
    let street = Street::new();
    let house = &street.house;
    let done = street.moved().unwrap();
    let copy = contents(&street.there("trip"));
    // This simulates an original that could not be deleted completely.
    fs::create_dir(house.path("trip")).unwrap();
    house.write(&["trip/a.jpg"]);
    recognise(house, &done, "trip");
    let stuck = house.undo(&done, true).unwrap_err();
    assert_eq!(stuck.to_string(), "trip: another file is in its place");
    assert_eq!(contents(&street.there("trip")), copy);
    assert!(house.path("trip/a.jpg").exists());
}

#[test]
fn what_a_crash_left_of_a_copy_goes_into_the_bin() {
    let Street { house, .. } = Street::new();
    let done = house.copied(&["trip"], "inner", Existing::Refuse).unwrap();
    // This simulates a crash before the copy was complete.
    let unfinished = format!("inner/.fumikura-copy-{}-0.part", done.id.unwrap());
    fs::rename(house.path("inner/trip"), house.path(&unfinished)).unwrap();
    fs::remove_file(house.path(&unfinished).join("a.jpg")).unwrap();
    let undone = house.undo(&done, false).unwrap();
    assert_eq!((undone.done, undone.failed.len()), (0, 0));
    assert!(!house.path(&unfinished).exists());
    assert_eq!(house.in_bin().len(), 1);
    assert!(house.files.recent(9).unwrap().is_empty());
}

#[test]
fn what_a_crash_left_of_an_original_goes_into_the_bin_when_the_copy_comes_back() {
    let street = Street::new();
    let house = &street.house;
    let before = contents(&house.path("trip"));
    let done = street.moved().unwrap();
    let leaving = format!(".fumikura-moved-{}-0.part", done.id.unwrap());
    fs::create_dir(house.path(&leaving)).unwrap();
    house.undo(&done, false).unwrap();
    assert_eq!(contents(&house.path("trip")), before);
    assert!(!house.path(&leaving).exists());
    assert_eq!(house.in_bin().len(), 1);
}
