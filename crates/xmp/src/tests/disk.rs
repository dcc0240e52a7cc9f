//! Tests of sidecars in real folders.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use fumikura_fs::{AccessError, RelPath, Root, Source};

use super::samples::{DARKTABLE, GTHUMB};
use super::*;
use crate::disk::set_marks_with;
use crate::location::SidecarLocation;
use crate::{MarksOutcome, marks as marks_of, set_marks};

/// A root with a folder `in` and a picture `in/a.jpg`, and a place outside.
struct DiskFixture {
    outer: tempfile::TempDir,
}

impl DiskFixture {
    fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        fs::create_dir_all(outer.path().join("root/in")).unwrap();
        let fixture = Self { outer };
        fixture.write("a.jpg", b"picture");
        fixture
    }

    fn path(&self, name: &str) -> PathBuf {
        self.outer.path().join("root/in").join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn source(&self, name: &str) -> Source {
        source(&self.outer.path().join("root"), &format!("in/{name}"))
    }

    /// Returns the marks of `a.jpg`.
    fn marks(&self) -> Result<Marks, SidecarError> {
        marks_of(&self.source("a.jpg")).map(|sidecar| sidecar.marks)
    }

    fn set(&self, change: &MarksChange) -> Result<MarksOutcome, SidecarError> {
        set_marks(&self.source("a.jpg"), change, &Marks::default())
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("")).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn source(root: &Path, path: &str) -> Source {
    let root = Root::own(root.as_os_str().as_bytes().to_vec());
    Source::new(Arc::new(root), RelPath::parse(path.as_bytes()).unwrap())
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn five() -> MarksChange {
    rated(RatingChange::Set(Rating::Five))
}

#[test]
fn new_sidecar_is_created_beside_its_picture() {
    let fixture = DiskFixture::new();
    assert_eq!(fixture.marks().unwrap(), Marks::default());
    let wanted = marks(Some(Rating::Two), &["Places/Japan"]);
    let outcome = fixture.set(&to(&wanted)).unwrap();
    assert_eq!(outcome.before, Marks::default());
    assert_eq!(outcome.after, wanted);
    let written = outcome.written.unwrap();
    assert_eq!(written.name, b"a.jpg.xmp");
    let size = fs::metadata(fixture.path("a.jpg.xmp")).unwrap().len();
    assert_eq!(written.stat.size, size);
    assert_eq!(fixture.marks().unwrap(), wanted);
    assert_eq!(fixture.names(), ["a.jpg", "a.jpg.xmp"]);
    assert_eq!(fs::read(fixture.path("a.jpg")).unwrap(), b"picture");
    File::create(fixture.path("usual")).unwrap();
    assert_eq!(
        mode(&fixture.path("a.jpg.xmp")),
        mode(&fixture.path("usual"))
    );
}

#[test]
fn undo_of_first_mark_deletes_own_sidecar() {
    let discarding = |change: MarksChange| MarksChange {
        discards_empty: true,
        ..change
    };
    let without = |tag: &str| MarksChange {
        tags: TagsChange::Each {
            add: Vec::new(),
            remove: tags(&[tag]),
        },
        ..MarksChange::default()
    };
    let unrated = || rated(RatingChange::Clear);
    for (change, back) in [
        (five(), unrated()),
        (tagged(&["Places/Japan"]), without("Places/Japan")),
        (
            MarksChange {
                caption: CaptionChange::Set("A cat".to_owned()),
                ..MarksChange::default()
            },
            MarksChange {
                caption: CaptionChange::Clear,
                ..MarksChange::default()
            },
        ),
        (oriented(6), oriented(0)),
    ] {
        let fixture = DiskFixture::new();
        let made = fixture.set(&change).unwrap();
        assert_eq!(fixture.names(), ["a.jpg", "a.jpg.xmp"]);
        let undone = fixture.set(&discarding(back.clone())).unwrap();
        assert_eq!((undone.before, undone.after), (made.after, made.before));
        assert_eq!(undone.written.unwrap().name, b"a.jpg.xmp");
        assert_eq!(fixture.names(), ["a.jpg"]);
        // A user who removes a mark keeps the sidecar: it says that there is none.
        fixture.set(&change).unwrap();
        fixture.set(&back).unwrap();
        assert_eq!(fixture.names(), ["a.jpg", "a.jpg.xmp"]);
    }
    // Something else is in it: other marks, or what another program wrote.
    let fixture = DiskFixture::new();
    fixture.set(&five()).unwrap();
    fixture.set(&tagged(&["sea"])).unwrap();
    fixture.set(&discarding(unrated())).unwrap();
    assert_eq!(fixture.marks().unwrap(), marks(None, &["sea"]));
    let own = String::from_utf8(edit(None, &five()).unwrap()).unwrap();
    for theirs in [
        own.replace("rdf:about=\"\"", "rdf:about=\"\" xmp:Label=\"Red\""),
        own.replace("</rdf:RDF>", "<!-- note --></rdf:RDF>"),
        own.replace("Fumikura", "XMP Core 5.6"),
    ] {
        assert_ne!(theirs, own);
        fixture.write("a.jpg.xmp", theirs.as_bytes());
        fixture.set(&discarding(unrated())).unwrap();
        assert_eq!(fixture.marks().unwrap(), Marks::default());
        assert_eq!(fixture.names(), ["a.jpg", "a.jpg.xmp"], "{theirs}");
    }
}

#[test]
fn unchanged_marks_write_nothing() {
    let fixture = DiskFixture::new();
    fixture.set(&rated(RatingChange::Clear)).unwrap();
    fixture.set(&tagged(&[])).unwrap();
    assert_eq!(fixture.names(), ["a.jpg"]);
    let path = fixture.write("a.jpg.xmp", GTHUMB);
    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    let outcome = fixture.set(&tagged(&["Holiday", "Sea"])).unwrap();
    assert_eq!(outcome.before, outcome.after);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
}

#[test]
fn write_keeps_mode_and_other_content() {
    let fixture = DiskFixture::new();
    let path = fixture.write("a.jpg.xmp", DARKTABLE);
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    let outcome = fixture.set(&five()).unwrap();
    assert_eq!(outcome.before.rating, Some(Rating::Rejected));
    assert_eq!(mode(&path), 0o640);
    let expected = str::from_utf8(DARKTABLE)
        .unwrap()
        .replace("Rating=\"-1\"", "Rating=\"5\"");
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    assert_eq!(fixture.names(), ["a.jpg", "a.jpg.xmp"]);
}

#[test]
fn existing_sidecar_is_the_one_changed() {
    let check = |names: &[&str], expected: &str| {
        let fixture = DiskFixture::new();
        for (index, name) in names.iter().enumerate() {
            let before = marks(Some(Rating::ALL[index + 1]), &[]);
            fixture.write(name, &edit(None, &to(&before)).unwrap());
        }
        let outcome = fixture.set(&five()).unwrap();
        assert_eq!(outcome.before.rating, Some(Rating::One), "{names:?}");
        for name in names {
            let rating = read(&fs::read(fixture.path(name)).unwrap()).unwrap().rating;
            let is_changed = rating == Some(Rating::Five);
            assert_eq!(is_changed, *name == expected, "{name} of {names:?}");
        }
        assert_eq!(fixture.names().len(), names.len() + 1);
    };
    check(&["a.jpg.xmp", "a.xmp"], "a.jpg.xmp");
    check(&["a.xmp"], "a.xmp");
    check(&["a.XMP"], "a.XMP");
    check(&["a.jpg.XmP", "a.xmp"], "a.jpg.XmP");
    check(&["a.jpg.xmp", "a.jpg.XMP"], "a.jpg.xmp");
    // These belong to other files.
    let fixture = DiskFixture::new();
    for name in ["b.xmp", "a.cr2.xmp", "a.jpg.jpg.xmp", ".xmp", "xmp"] {
        fixture.write(name, GTHUMB);
    }
    assert_eq!(fixture.marks().unwrap(), Marks::default());
}

#[test]
fn no_file_is_its_own_sidecar() {
    let fixture = DiskFixture::new();
    for name in ["b.xmp", "b.XMP", "plain", ".hidden"] {
        fixture.write(name, GTHUMB);
        let source = fixture.source(name);
        assert_eq!(marks_of(&source).unwrap().marks, Marks::default());
        set_marks(&source, &five(), &Marks::default()).unwrap();
        assert_eq!(fs::read(fixture.path(name)).unwrap(), GTHUMB);
        assert!(fixture.path(&format!("{name}.xmp")).exists());
    }
}

#[test]
fn link_is_read_inside_root_and_never_replaced() {
    let fixture = DiskFixture::new();
    let (inside, outside) = (
        fixture.outer.path().join("root/real.xmp"),
        fixture.outer.path().join("secret.xmp"),
    );
    fs::write(&inside, GTHUMB).unwrap();
    fs::write(&outside, GTHUMB).unwrap();
    let link = fixture.path("a.jpg.xmp");
    symlink("../real.xmp", &link).unwrap();
    assert_eq!(fixture.marks().unwrap().rating, Some(Rating::Two));
    assert!(matches!(fixture.set(&five()), Err(SidecarError::Link)));
    assert!(fixture.set(&rated(RatingChange::Set(Rating::Two))).is_ok());
    let leads_to = |target: &Path, expected: fn(&SidecarError) -> bool| {
        fs::remove_file(&link).unwrap();
        symlink(target, &link).unwrap();
        let error = fixture.marks().unwrap_err();
        assert!(expected(&error), "{error}");
        let error = fixture.set(&five()).unwrap_err();
        assert!(expected(&error), "{error}");
        assert_eq!(fs::read_link(&link).unwrap(), target);
    };
    let is_outside =
        |error: &SidecarError| matches!(error, SidecarError::Access(AccessError::OutsideRoots));
    leads_to(&outside, is_outside);
    leads_to(Path::new("../../secret.xmp"), is_outside);
    leads_to(Path::new("nothing"), |error| {
        matches!(error, SidecarError::DanglingLink)
    });
    assert_eq!(fs::read(&inside).unwrap(), GTHUMB);
    assert_eq!(fs::read(&outside).unwrap(), GTHUMB);
    assert_eq!(fixture.names(), ["a.jpg", "a.jpg.xmp"]);
}

#[test]
fn invalid_sidecar_is_left_unchanged() {
    let fixture = DiskFixture::new();
    for bytes in [&b"<x:xmpmeta"[..], b"", b"<a/>", &DARKTABLE[..900]] {
        let path = fixture.write("a.jpg.xmp", bytes);
        assert!(fixture.marks().is_err());
        assert!(fixture.set(&five()).is_err());
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert_eq!(fixture.names(), ["a.jpg", "a.jpg.xmp"]);
    }
    let large = File::create(fixture.path("a.jpg.xmp")).unwrap();
    large.set_len((16 << 20) + 1).unwrap();
    assert!(matches!(fixture.marks(), Err(SidecarError::TooLarge)));
    assert!(matches!(fixture.set(&five()), Err(SidecarError::TooLarge)));
    fs::remove_file(fixture.path("a.jpg.xmp")).unwrap();
    fs::create_dir(fixture.path("a.jpg.xmp")).unwrap();
    for error in [
        fixture.marks().unwrap_err(),
        fixture.set(&five()).unwrap_err(),
    ] {
        let is_folder = matches!(error, SidecarError::Access(AccessError::NotAFile(_)));
        assert!(is_folder, "{error}");
    }
}

#[test]
fn concurrent_write_by_another_program_is_kept() {
    let other = |names: &[&str]| edit(Some(DARKTABLE), &tagged(names)).unwrap();
    let add = MarksChange {
        tags: TagsChange::Each {
            add: tags(&["ours"]),
            remove: Vec::new(),
        },
        ..five()
    };
    // What another program does: writes into the file, replaces it, or creates it.
    type Interference = fn(&Path, &[u8]);
    let replace: Interference = |path, bytes| {
        let new = path.with_extension("new");
        fs::write(&new, bytes).unwrap();
        fs::rename(&new, path).unwrap();
    };
    let interferences: [(bool, Interference); 3] = [
        (true, |path, bytes| fs::write(path, bytes).unwrap()),
        (true, replace),
        (false, |path, bytes| fs::write(path, bytes).unwrap()),
    ];
    for (exists, interfere) in interferences {
        let fixture = DiskFixture::new();
        let path = fixture.path("a.jpg.xmp");
        if exists {
            fixture.write("a.jpg.xmp", DARKTABLE);
        }
        let mut times = 0;
        let outcome = set_marks_with(
            &fixture.source("a.jpg"),
            &add,
            &Marks::default(),
            &mut || {
                times += 1;
                if times == 1 {
                    interfere(&path, &other(&["theirs"]));
                }
            },
        );
        let outcome = outcome.unwrap();
        assert_eq!(times, 2);
        assert_eq!(outcome.before.tags, tags(&["theirs"]));
        assert_eq!(fixture.marks().unwrap(), outcome.after);
        assert_eq!(outcome.after.tags, tags(&["theirs", "ours"]));
        assert_eq!(fixture.names(), ["a.jpg", "a.jpg.xmp"]);
    }
}

#[test]
fn change_waits_for_another_process() {
    let fixture = DiskFixture::new();
    fixture.write("a.jpg.xmp", DARKTABLE);
    let (end, ended) = mpsc::channel();
    let mut times = 0;
    thread::scope(|scope| {
        let ours = fixture.source("a.jpg");
        let outcome = set_marks_with(&ours, &five(), &Marks::default(), &mut || {
            times += 1;
            let (fixture, end) = (&fixture, end.clone());
            scope.spawn(move || {
                let outcome = fixture.set(&rated(RatingChange::Set(Rating::Two)));
                end.send(outcome.unwrap().before.rating).unwrap();
            });
            let waits = ended.recv_timeout(Duration::from_millis(200));
            assert!(waits.is_err(), "the other change did not wait");
        });
        assert_eq!(outcome.unwrap().after.rating, Some(Rating::Five));
    });
    assert_eq!(times, 1);
    assert_eq!(ended.recv().unwrap(), Some(Rating::Five));
    assert_eq!(fixture.marks().unwrap().rating, Some(Rating::Two));
}

#[test]
fn sidecar_being_written_is_not_reported_damaged() {
    let fixture = DiskFixture::new();
    let path = fixture.write("a.jpg.xmp", &DARKTABLE[..900]);
    let location = SidecarLocation::of(&fixture.source("a.jpg")).unwrap();
    let entry = location.find().unwrap().unwrap();
    let parsed = |act: &dyn Fn()| {
        let parsed = location.parse_with(&entry, |bytes| {
            act();
            read(bytes)
        });
        parsed.map(|parsed| parsed.map(|(_, marks)| marks))
    };
    let broken = parsed(&|| {});
    assert!(matches!(broken, Err(SidecarError::Broken(_))), "{broken:?}");
    let written = parsed(&|| fs::write(&path, DARKTABLE).unwrap());
    assert_eq!(written.unwrap(), None);
    let whole = parsed(&|| fs::write(&path, GTHUMB).unwrap()).unwrap();
    assert_eq!(whole.unwrap().rating, Some(Rating::Rejected));
    fixture.write("a.jpg.xmp", b"<cut");
    assert_eq!(parsed(&|| fs::remove_file(&path).unwrap()).unwrap(), None);
    // The target of a link is checked through the link.
    let real = fixture.write("real.xmp", b"<cut");
    symlink("real.xmp", &path).unwrap();
    let entry = location.find().unwrap().unwrap();
    let broken = location.parse_with(&entry, read);
    assert!(matches!(broken, Err(SidecarError::Broken(_))));
    let written = location.parse_with(&entry, |bytes| {
        fs::write(&real, GTHUMB).unwrap();
        read(bytes)
    });
    assert!(matches!(written, Ok(None)));
}

#[test]
fn endless_contention_is_reported() {
    let fixture = DiskFixture::new();
    let path = fixture.write("a.jpg.xmp", GTHUMB);
    let mut times = 0;
    let result = set_marks_with(
        &fixture.source("a.jpg"),
        &five(),
        &Marks::default(),
        &mut || {
            times += 1;
            let theirs = tagged(&[&times.to_string()]);
            fs::write(&path, edit(Some(GTHUMB), &theirs).unwrap()).unwrap();
        },
    );
    assert!(matches!(result, Err(SidecarError::Contended)));
    assert_eq!(times, 5);
    assert_eq!(fixture.marks().unwrap(), marks(Some(Rating::Two), &["5"]));
    assert_eq!(fixture.names(), ["a.jpg", "a.jpg.xmp"]);
}

#[test]
fn sidecar_deleted_meanwhile_is_recreated() {
    let fixture = DiskFixture::new();
    let path = fixture.write("a.jpg.xmp", GTHUMB);
    let outcome = set_marks_with(
        &fixture.source("a.jpg"),
        &five(),
        &Marks::default(),
        &mut || {
            let _ = fs::remove_file(&path);
        },
    );
    assert_eq!(outcome.unwrap().before, Marks::default());
    assert_eq!(fixture.marks().unwrap(), marks(Some(Rating::Five), &[]));
}

#[test]
fn link_created_meanwhile_is_not_replaced() {
    let fixture = DiskFixture::new();
    let path = fixture.path("a.jpg.xmp");
    let result = set_marks_with(
        &fixture.source("a.jpg"),
        &five(),
        &Marks::default(),
        &mut || {
            symlink("nothing", &path).unwrap();
        },
    );
    assert!(matches!(result, Err(SidecarError::DanglingLink)));
    assert!(path.is_symlink());
}

#[test]
fn read_only_sidecar_is_not_changed() {
    let fixture = DiskFixture::new();
    let path = fixture.write("a.jpg.xmp", GTHUMB);
    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    assert!(matches!(fixture.set(&five()), Err(SidecarError::ReadOnly)));
    assert_eq!(fs::read(&path).unwrap(), GTHUMB);
    // There are few places in which root may not write.
    let closed = DiskFixture::new();
    let source = if rustix::process::geteuid().is_root() {
        source(Path::new("/sys/kernel"), "uevent_seqnum")
    } else {
        let folder = Permissions::from_mode(0o555);
        fs::set_permissions(closed.path(""), folder).unwrap();
        closed.source("a.jpg")
    };
    assert_eq!(marks_of(&source).unwrap().marks, Marks::default());
    let result = set_marks(&source, &five(), &Marks::default());
    fs::set_permissions(closed.path(""), Permissions::from_mode(0o755)).unwrap();
    assert!(matches!(result, Err(SidecarError::ReadOnly)), "{result:?}");
}

#[test]
fn missing_picture_has_no_marks() {
    let fixture = DiskFixture::new();
    fixture.write("gone.jpg.xmp", GTHUMB);
    for (name, expected) in [
        ("gone.jpg", "there is no such file or folder"),
        ("none/a.jpg", "there is no such file or folder"),
        ("", "this is a folder, not a file that can be read"),
    ] {
        let source = fixture.source(name);
        for error in [
            marks_of(&source).unwrap_err(),
            set_marks(&source, &five(), &Marks::default()).unwrap_err(),
        ] {
            assert_eq!(error.to_string(), expected);
        }
    }
    let lost = source(&fixture.outer.path().join("lost"), "a.jpg");
    let error = marks_of(&lost).unwrap_err();
    let is_lost = matches!(
        error,
        SidecarError::Access(AccessError::FolderUnavailable { .. })
    );
    assert!(is_lost, "{error}");
}

#[test]
fn name_too_long_for_sidecar_is_reported() {
    let fixture = DiskFixture::new();
    let name = "n".repeat(251) + ".jpg";
    fixture.write(&name, b"picture");
    let source = fixture.source(&name);
    assert_eq!(marks_of(&source).unwrap().marks, Marks::default());
    let result = set_marks(&source, &five(), &Marks::default());
    assert!(
        matches!(result, Err(SidecarError::NameTooLong)),
        "{result:?}"
    );
    // The shorter name of Lightroom fits.
    fixture.write(&("n".repeat(251) + ".xmp"), GTHUMB);
    assert_eq!(
        set_marks(&source, &five(), &Marks::default())
            .unwrap()
            .before
            .rating,
        Some(Rating::Two)
    );
}

#[test]
fn non_utf8_names_are_supported() {
    let fixture = DiskFixture::new();
    let name = OsStr::from_bytes(b"\xff.jpg");
    fs::write(fixture.path("").join(name), b"picture").unwrap();
    let root = Root::own(fixture.path("").as_os_str().as_bytes().to_vec());
    let path = RelPath::parse(name.as_bytes()).unwrap();
    let source = Source::new(Arc::new(root), path);
    set_marks(&source, &five(), &Marks::default()).unwrap();
    let sidecar = fixture.path("").join(OsStr::from_bytes(b"\xff.jpg.xmp"));
    assert!(sidecar.exists());
    assert_eq!(marks_of(&source).unwrap().marks.rating, Some(Rating::Five));
}

#[test]
fn names_of_temporary_files_cannot_be_taken() {
    let fixture = DiskFixture::new();
    // More names than were once tried.
    for number in 0..1100 {
        let name = format!(".fumikura-{}-{number}.tmp", std::process::id());
        fixture.write(&name, b"left");
    }
    fixture.set(&five()).unwrap();
    assert_eq!(fixture.marks().unwrap().rating, Some(Rating::Five));
    assert_eq!(fixture.names().len(), 1102);
}

#[test]
fn sidecar_hides_the_marks_in_the_picture() {
    let fixture = DiskFixture::new();
    let embedded = Marks {
        caption: Some("by the camera".to_owned()),
        ..marks(Some(Rating::Three), &["sea", "Places/Norway"])
    };
    let set =
        |change: &MarksChange| set_marks(&fixture.source("a.jpg"), change, &embedded).unwrap();
    let now = || marks_of(&fixture.source("a.jpg")).unwrap();

    // A first change states only what it changes.
    let outcome = set(&rated(RatingChange::Set(Rating::Five)));
    assert_eq!(outcome.before, embedded);
    assert_eq!(outcome.after.tags, embedded.tags);
    assert_eq!(outcome.sidecar, now());
    assert!(now().stated.rating && !now().stated.tags && !now().stated.caption);
    assert_eq!(now().over(&embedded), outcome.after);
    // Its undo leaves nothing.
    let back = MarksChange {
        discards_empty: true,
        ..rated(RatingChange::Set(Rating::Three))
    };
    assert_eq!(set(&back).after, embedded);
    assert_eq!(fixture.names(), ["a.jpg"]);

    // One more tag keeps those in the picture.
    let more = TagsChange::Each {
        add: tags(&["red"]),
        remove: tags(&["sea"]),
    };
    let more = MarksChange {
        tags: more,
        ..MarksChange::default()
    };
    assert_eq!(set(&more).after.tags, tags(&["Places/Norway", "red"]));
    // None is stated too.
    let none = Marks::default();
    assert_eq!(set(&to(&none)).after, none);
    assert_eq!(now().over(&embedded), none);
    assert_eq!(set(&to(&embedded)).after, embedded);
    assert_eq!(set(&to(&none)).after, none);
    fs::remove_file(fixture.path("a.jpg.xmp")).unwrap();
    assert_eq!(set(&to(&none)).after, none);
    assert_eq!(now().over(&embedded), none);
}
