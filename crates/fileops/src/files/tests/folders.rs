//! Folders that are copied, or moved to another disk, with all their content.

use std::cell::Cell;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode};

use super::*;
use crate::system::Slot;
use crate::tree::{self, Purpose, RemoveMode, Tree};

/// A fixture with a second root on another file system.
struct TwoDisks {
    fixture: FolderFixture,
    other_disk: tempfile::TempDir,
    target: Source,
}

impl TwoDisks {
    /// Creates a folder `trip` with every kind of entry that is copied.
    fn new() -> Self {
        let fixture = FolderFixture::new();
        let other_disk = tempfile::tempdir_in("/dev/shm").unwrap();
        let root = fixture.roots.add(other_disk.path()).unwrap();
        let target = Source::new(root, RelPath::default());
        for folder in ["trip", "trip/deep", "trip/deep/empty", "trip/closed"] {
            fs::create_dir(fixture.path(folder)).unwrap();
        }
        fixture.write(&["trip/a.jpg", "trip/deep/b.jpg", "trip/closed/c.jpg", "x"]);
        fs::write(fixture.path("trip/none"), "").unwrap();
        symlink("../x", fixture.path("trip/link")).unwrap();
        symlink("..", fixture.path("trip/deep/round")).unwrap();
        set_mode(&fixture.path("trip/a.jpg"), 0o640);
        set_mode(&fixture.path("trip/deep"), 0o750);
        age(&fixture.path("trip/deep"));
        age(&fixture.path("trip"));
        Self {
            fixture,
            other_disk,
            target,
        }
    }

    fn target_path(&self, path: &str) -> PathBuf {
        self.other_disk.path().join(path)
    }

    fn move_trip(&self) -> Result<FilesOutcome, FileError> {
        self.fixture
            .move_items(&["trip"], &self.target, ExistingPolicy::Refuse)
    }

    /// Moves the folder, and calls `meanwhile` after this number of steps.
    fn move_trip_with(
        &self,
        after: u32,
        mut meanwhile: impl FnMut() -> bool,
    ) -> Result<FilesOutcome, FileError> {
        let mut count = 0;
        let mut step = |_, _| {
            count += 1;
            count != after || meanwhile()
        };
        let items = [self.fixture.source("trip")];
        let files = &self.fixture.files;
        files.move_to(
            &self.target,
            &items,
            ExistingPolicy::Refuse,
            PictureFiles::Apart,
            &mut step,
        )
    }

    #[track_caller]
    fn check_target_empty(&self) {
        assert_eq!(contents(self.other_disk.path()), Vec::<String>::new());
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
fn folder_copy_is_complete_and_undo_trashes_it() {
    let TwoDisks { fixture, .. } = TwoDisks::new();
    let before = contents(&fixture.path("trip"));
    let done = fixture
        .copy_items(&["trip"], "inner", ExistingPolicy::Refuse)
        .unwrap();
    assert_eq!((done.completed, done.failed.len()), (1, 0));
    assert_eq!(contents(&fixture.path("inner/trip")), before);
    assert_eq!(contents(&fixture.path("trip")), before);
    let time = |path| {
        fs::metadata(fixture.path(path))
            .unwrap()
            .modified()
            .unwrap()
    };
    assert_eq!(time("inner/trip"), time("trip"));
    let refused = fixture.copy_items(&["trip"], "inner", ExistingPolicy::Refuse);
    assert!(matches!(refused, Err(FileError::TakenInDestination { .. })));
    let refused = fixture.copy_items(&["trip"], "inner", ExistingPolicy::Replace);
    assert!(matches!(refused, Err(FileError::Taken(_))));
    let skipped = fixture
        .copy_items(&["trip"], "inner", ExistingPolicy::Skip)
        .unwrap();
    assert_eq!((skipped.completed, skipped.skipped), (0, 1));
    fixture
        .copy_items(&["trip"], "inner", ExistingPolicy::KeepBoth)
        .unwrap();
    assert_eq!(contents(&fixture.path("inner/trip (2)")), before);
    fixture.undo(&done, false).unwrap();
    assert!(!fixture.path("inner/trip").exists());
    let trashed = fixture.trash_entries();
    assert_eq!(trashed.len(), 1);
    assert_eq!(contents(&trashed[0].0), before);
}

#[test]
fn folder_moves_to_another_disk_and_back() {
    let disks = TwoDisks::new();
    let fixture = &disks.fixture;
    let before = contents(&fixture.path("trip"));
    let done = disks.move_trip().unwrap();
    assert_eq!(
        (done.completed, done.failed.len(), done.folders.len()),
        (1, 0, 2)
    );
    assert_eq!(contents(&disks.target_path("trip")), before);
    assert_eq!(fs::read_to_string(fixture.path("x")).unwrap(), "x");
    assert!(!fixture.path("trip").exists());
    fixture.undo(&done, false).unwrap();
    assert_eq!(contents(&fixture.path("trip")), before);
    disks.check_target_empty();
    // No temporary name is left.
    let names = fs::read_dir(fixture.path("")).unwrap().count();
    assert_eq!(names, 3, "inner, trip and x");
}

#[test]
fn undo_refuses_a_changed_folder() {
    let disks = TwoDisks::new();
    let fixture = &disks.fixture;
    let copied = fixture
        .copy_items(&["trip"], "inner", ExistingPolicy::Refuse)
        .unwrap();
    fs::write(fixture.path("inner/trip/deep/new"), "").unwrap();
    let moved = disks.move_trip().unwrap();
    fs::write(disks.target_path("trip/deep/b.jpg"), "other").unwrap();
    for done in [copied, moved] {
        let conflicts = fixture.undo(&done, true).unwrap_err();
        assert_eq!(conflicts.to_string(), "trip: it has changed since");
    }
    assert!(fixture.path("inner/trip/deep/new").exists());
    assert_eq!(
        fs::read_to_string(disks.target_path("trip/deep/b.jpg")).unwrap(),
        "other"
    );
    assert!(fixture.trash_entries().is_empty());
}

#[test]
fn undo_refuses_another_folder_of_same_name() {
    let disks = TwoDisks::new();
    let fixture = &disks.fixture;
    let renamed = fixture.rename(&[("trip", "journey")]).unwrap();
    let kept = fixture.path("kept");
    fs::rename(fixture.path("journey"), &kept).unwrap();
    fs::create_dir(fixture.path("journey")).unwrap();
    let conflicts = fixture.undo(&renamed, true).unwrap_err();
    assert_eq!(conflicts.to_string(), "journey: it has changed since");
    assert!(fixture.path("journey").exists() && kept.join("a.jpg").exists());
    // The same folder goes back, whatever changed in it.
    fs::remove_dir(fixture.path("journey")).unwrap();
    fs::rename(&kept, fixture.path("journey")).unwrap();
    fs::write(fixture.path("journey/new"), "").unwrap();
    fixture.undo(&renamed, false).unwrap();
    assert!(fixture.path("trip/new").exists());
}

#[test]
fn uncopyable_entry_is_refused_before_any_change() {
    let disks = TwoDisks::new();
    let fixture = &disks.fixture;
    let pipe = fixture.path("trip/deep/pipe");
    rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
    let before = || fs::read_dir(fixture.path("trip")).unwrap().count();
    let count = before();
    for refused in [
        disks.move_trip(),
        fixture.copy_items(&["x", "trip"], "inner", ExistingPolicy::Refuse),
    ] {
        let refused = refused.unwrap_err();
        assert_eq!(
            refused.to_string(),
            "couldn't copy trip/deep/pipe with its folder: it is a FIFO"
        );
    }
    assert_eq!(before(), count);
    disks.check_target_empty();
    fixture.check_files(&[("x", "x")]);
    assert!(fixture.files.recent(9).unwrap().is_empty());
}

#[test]
fn too_deeply_nested_folders_are_not_copied() {
    let fixture = FolderFixture::new();
    fs::create_dir_all(fixture.path(&["f"; 150].join("/"))).unwrap();
    let refused = fixture
        .copy_items(&["f"], "inner", ExistingPolicy::Refuse)
        .unwrap_err();
    assert!(
        refused.to_string().ends_with("it is nested too deeply"),
        "{refused}"
    );
}

#[test]
fn folder_is_not_copied_or_moved_into_itself() {
    let fixture = FolderFixture::new();
    fs::create_dir_all(fixture.path("inner/deep")).unwrap();
    symlink("inner/deep", fixture.path("link")).unwrap();
    for to in ["inner", "inner/deep", "link"] {
        let refused = fixture.copy_items(&["inner"], to, ExistingPolicy::KeepBoth);
        assert!(
            matches!(refused, Err(FileError::IntoItself(_))),
            "{refused:?}"
        );
        let refused = fixture.move_items(&["inner"], &fixture.source(to), ExistingPolicy::KeepBoth);
        assert!(
            matches!(refused, Err(FileError::IntoItself(_))),
            "{refused:?}"
        );
    }
    assert_eq!(contents(&fixture.path("inner")).len(), 1);
}

#[test]
fn cancelled_folder_move_leaves_original_and_no_copy() {
    let disks = TwoDisks::new();
    let before = contents(&disks.fixture.path("trip"));
    // Files, links and folders are one step each.
    for after in 1..=9 {
        let cancelled = disks.move_trip_with(after, || false);
        assert!(
            matches!(cancelled, Err(FileError::Cancelled)),
            "{cancelled:?}"
        );
        assert_eq!(contents(&disks.fixture.path("trip")), before);
        disks.check_target_empty();
    }
    assert!(disks.fixture.files.recent(9).unwrap().is_empty());
}

#[test]
fn folder_move_fails_if_content_changes() {
    type Change = fn(&FolderFixture);
    let changes: [Change; 6] = [
        |fixture| fs::write(fixture.path("trip/a.jpg"), "longer than before").unwrap(),
        |fixture| fs::write(fixture.path("trip/deep/new"), "").unwrap(),
        |fixture| fs::remove_file(fixture.path("trip/none")).unwrap(),
        |fixture| {
            fs::remove_file(fixture.path("trip/link")).unwrap();
            symlink("/etc", fixture.path("trip/link")).unwrap();
        },
        // A folder that is replaced by a link is not followed.
        |fixture| {
            fs::rename(fixture.path("trip/deep"), fixture.path("deep")).unwrap();
            symlink("../deep", fixture.path("trip/deep")).unwrap();
        },
        |fixture| {
            fs::remove_file(fixture.path("trip/none")).unwrap();
            symlink("../x", fixture.path("trip/none")).unwrap();
        },
    ];
    for change in changes {
        for after in [1, 5, 9] {
            let disks = TwoDisks::new();
            let fixture = &disks.fixture;
            let refused = disks.move_trip_with(after, || {
                change(fixture);
                true
            });
            assert!(refused.is_err(), "{refused:?}");
            disks.check_target_empty();
            assert_eq!(fs::read_to_string(fixture.path("x")).unwrap(), "x");
            assert!(fixture.path("trip/closed/c.jpg").exists());
            assert!(fixture.files.recent(9).unwrap().is_empty());
        }
    }
}

#[test]
fn entry_created_during_folder_move_is_kept() {
    let disks = TwoDisks::new();
    let taken = disks.move_trip_with(9, || {
        fs::create_dir(disks.target_path("trip")).unwrap();
        true
    });
    assert!(matches!(taken, Err(FileError::Taken(_))), "{taken:?}");
    assert!(disks.fixture.path("trip/deep/b.jpg").exists());
    assert_eq!(contents(&disks.other_disk.path().join("trip")).len(), 0);
    assert_eq!(fs::read_dir(disks.other_disk.path()).unwrap().count(), 1);
}

fn scan_trip(fixture: &FolderFixture) -> (Folder, Tree) {
    let folder = Folder::open(&fixture.source("")).unwrap();
    let tree = tree::scan(folder.entry(b"trip"), Purpose::Move, None).unwrap();
    (folder, tree)
}

#[test]
fn original_that_differs_from_copy_is_kept() {
    let TwoDisks { fixture, .. } = TwoDisks::new();
    let (folder, tree) = scan_trip(&fixture);
    fs::write(fixture.path("trip/deep/new"), "").unwrap();
    let before = contents(&fixture.path("trip"));
    let is_whole = Cell::new(true);
    let refused = tree::remove_original(folder.entry(b"trip"), &tree, "tag", &is_whole);
    assert!(
        matches!(refused, Err(FileError::Changing(_))),
        "{refused:?}"
    );
    assert!(is_whole.get());
    assert_eq!(contents(&fixture.path("trip")), before);
    // The original is gone already: the copy is the only one.
    fs::rename(fixture.path("trip"), fixture.path("other")).unwrap();
    tree::remove_original(folder.entry(b"trip"), &tree, "tag", &is_whole).unwrap();
    assert!(!is_whole.get());
    assert_eq!(contents(&fixture.path("other")), before);
}

#[test]
fn entries_created_during_deletion_are_kept() {
    for path in ["trip/deep/new", "trip/zzz"] {
        let TwoDisks { fixture, .. } = TwoDisks::new();
        let (folder, tree) = scan_trip(&fixture);
        // This simulates an entry that is created after the last check.
        fs::write(fixture.path(path), "new").unwrap();
        let refused = tree::remove(
            Slot::new(&folder.dir, b"trip"),
            &tree,
            RemoveMode::Original,
            b"trip",
        );
        assert!(
            matches!(refused, Err(FileError::Changing(_))),
            "{refused:?}"
        );
        assert_eq!(fs::read_to_string(fixture.path(path)).unwrap(), "new");
    }
    let TwoDisks { fixture, .. } = TwoDisks::new();
    let (folder, tree) = scan_trip(&fixture);
    fs::remove_file(fixture.path("trip/deep/b.jpg")).unwrap();
    symlink("../../x", fixture.path("trip/deep/b.jpg")).unwrap();
    let refused = tree::remove(
        Slot::new(&folder.dir, b"trip"),
        &tree,
        RemoveMode::Original,
        b"trip",
    );
    assert!(
        matches!(refused, Err(FileError::Changing(_))),
        "{refused:?}"
    );
    assert!(fixture.path("trip/deep/b.jpg").is_symlink() && fixture.path("x").exists());
}

#[test]
fn removing_unfinished_copy_refuses_foreign_entries() {
    let TwoDisks { fixture, .. } = TwoDisks::new();
    let (folder, tree) = scan_trip(&fixture);
    // Half of it exists, with other content; a link is in the place of a folder.
    fs::create_dir_all(fixture.path("half/closed")).unwrap();
    fs::write(fixture.path("half/a.jpg"), "h").unwrap();
    symlink("../trip/deep", fixture.path("half/deep")).unwrap();
    let before = contents(&fixture.path("trip"));
    let refused = tree::remove(
        Slot::new(&folder.dir, b"half"),
        &tree,
        RemoveMode::Unfinished,
        b"half",
    );
    assert!(refused.is_err());
    fs::remove_file(fixture.path("half/deep")).unwrap();
    set_mode(&fixture.path("half"), 0o500);
    tree::remove(
        Slot::new(&folder.dir, b"half"),
        &tree,
        RemoveMode::Unfinished,
        b"half",
    )
    .unwrap();
    assert_eq!(contents(&fixture.path("trip")), before);
    assert!(!fixture.path("half").exists());
}

/// Makes the record of a step refer to the file that is at its old place now.
fn record_identity(fixture: &FolderFixture, done: &FilesOutcome, path: &str) {
    let record = format!("undo/{}.json", done.id.unwrap());
    let record = fixture.outer.path().join(record);
    let text = fs::read_to_string(&record).unwrap();
    let now =
        fumikura_fs::platform::Identity::of(&File::open(fixture.path(path)).unwrap()).unwrap();
    let (head, step) = text.split_once('\n').unwrap();
    let mut step: serde_json::Value = serde_json::from_str(step).unwrap();
    step["state"]["file"] = serde_json::json!(now.numbers());
    fs::write(&record, format!("{head}\n{step}\n")).unwrap();
}

#[test]
fn undo_keeps_copy_beside_partial_original() {
    let disks = TwoDisks::new();
    let fixture = &disks.fixture;
    let done = disks.move_trip().unwrap();
    let copy = contents(&disks.target_path("trip"));
    // This simulates an original that could not be deleted completely.
    fs::create_dir(fixture.path("trip")).unwrap();
    fixture.write(&["trip/a.jpg"]);
    record_identity(fixture, &done, "trip");
    let conflicts = fixture.undo(&done, true).unwrap_err();
    assert_eq!(conflicts.to_string(), "trip: another file is in its place");
    assert_eq!(contents(&disks.target_path("trip")), copy);
    assert!(fixture.path("trip/a.jpg").exists());
}

#[test]
fn undo_trashes_unfinished_folder_copy() {
    let TwoDisks { fixture, .. } = TwoDisks::new();
    let done = fixture
        .copy_items(&["trip"], "inner", ExistingPolicy::Refuse)
        .unwrap();
    // This simulates a crash before the copy was complete.
    let unfinished_name = format!("inner/.fumikura-copy-{}-0.part", done.id.unwrap());
    fs::rename(fixture.path("inner/trip"), fixture.path(&unfinished_name)).unwrap();
    fs::remove_file(fixture.path(&unfinished_name).join("a.jpg")).unwrap();
    let undone = fixture.undo(&done, false).unwrap();
    assert_eq!((undone.completed, undone.failed.len()), (0, 0));
    assert!(!fixture.path(&unfinished_name).exists());
    assert_eq!(fixture.trash_entries().len(), 1);
    assert!(fixture.files.recent(9).unwrap().is_empty());
}

#[test]
fn undo_trashes_leftover_of_moved_original() {
    let disks = TwoDisks::new();
    let fixture = &disks.fixture;
    let before = contents(&fixture.path("trip"));
    let done = disks.move_trip().unwrap();
    let leaving = format!(".fumikura-moved-{}-0.part", done.id.unwrap());
    fs::create_dir(fixture.path(&leaving)).unwrap();
    fixture.undo(&done, false).unwrap();
    assert_eq!(contents(&fixture.path("trip")), before);
    assert!(!fixture.path(&leaving).exists());
    assert_eq!(fixture.trash_entries().len(), 1);
}
