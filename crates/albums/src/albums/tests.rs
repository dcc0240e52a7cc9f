//! Albums over restarts, deletions, backups and imports.

use super::*;
use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SystemEntropy;

fn open(folder: &Path) -> Albums {
    let folder = folder.join("albums");
    Albums::open(
        folder,
        Arc::new(SystemClock::new()),
        Arc::new(SystemEntropy),
    )
    .unwrap()
}

fn name(text: &str) -> AlbumName {
    text.parse().unwrap()
}

fn picture(path: &str) -> NewPicture {
    NewPicture {
        path: path.into(),
        size: 1,
    }
}

fn paths(album: &Album) -> String {
    let paths = album.pictures.iter();
    paths
        .map(|item| String::from_utf8_lossy(&item.path).into_owned())
        .collect()
}

#[test]
fn albums_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let albums = open(folder.path());
    let trip = albums
        .create(name("旅"), vec![picture("a"), picture("b"), picture("a")])
        .unwrap();
    assert_eq!(paths(&trip), "ab");
    let bytes = NewPicture {
        path: b"\xff".to_vec(),
        size: 2,
    };
    albums.add(trip.id, vec![bytes], None).unwrap();
    albums
        .set_cover(trip.id, Some(trip.pictures[1].id))
        .unwrap();
    albums.create(name("海"), Vec::new()).unwrap();
    albums.favourites(name("Favourites")).unwrap();
    let again = open(folder.path());
    assert_eq!(again.all(), albums.all());
    assert!(again.all()[0].is_favourites);
    assert_eq!(again.get(trip.id).unwrap().cover().unwrap().path, b"b");
    assert_eq!(again.get(trip.id).unwrap().pictures[2].path, b"\xff");
}

#[test]
fn pictures_are_added_once_and_arranged() {
    let folder = tempfile::tempdir().unwrap();
    let albums = open(folder.path());
    let all = ["a", "b", "c", "d"].map(picture).to_vec();
    let album = albums.create(name("x"), all).unwrap();
    let id = |index: usize| album.pictures[index].id;
    let arranged = |items: &[usize], before: Option<usize>| {
        let items: Vec<_> = items.iter().map(|&one| id(one)).collect();
        paths(&albums.arrange(album.id, &items, before.map(id)).unwrap())
    };
    assert_eq!(arranged(&[3], Some(0)), "dabc");
    assert_eq!(arranged(&[3, 0], None), "bcda");
    // A place among those that move: the first picture after it that stays.
    assert_eq!(arranged(&[1, 2], Some(2)), "bcda");
    assert_eq!(arranged(&[0, 3], Some(3)), "bcad");
    let added = albums.add(album.id, vec![picture("e"), picture("b")], Some(id(1)));
    assert_eq!(paths(&added.unwrap()), "ebcad");
    let unknown = AlbumItemId::from_bytes([9; 16]);
    let refused = albums.arrange(album.id, &[id(0), unknown], None);
    assert!(matches!(refused, Err(AlbumError::ItemNotFound(item)) if item == unknown));
    assert_eq!(paths(&albums.get(album.id).unwrap()), "ebcad");
}

#[test]
fn removed_cover_is_no_longer_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let albums = open(folder.path());
    let album = albums
        .create(name("x"), vec![picture("a"), picture("b")])
        .unwrap();
    let cover = album.pictures[1].id;
    albums.set_cover(album.id, Some(cover)).unwrap();
    let left = albums.remove(album.id, &[cover]).unwrap();
    assert_eq!((left.cover, paths(&left)), (None, "a".to_owned()));
}

#[test]
fn moved_picture_keeps_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let albums = open(folder.path());
    let album = albums
        .create(name("x"), vec![picture("a"), picture("b")])
        .unwrap();
    let first = album.pictures[0].id;
    let now = albums.record(album.id, first, b"c", 5, &[7; 32]).unwrap();
    assert_eq!(paths(&now), "cb");
    assert_eq!(now.pictures[0].sha256, Some("07".repeat(32)));
}

#[test]
fn deleted_album_is_restored() {
    let folder = tempfile::tempdir().unwrap();
    let albums = open(folder.path());
    let old = albums.favourites(name("old")).unwrap();
    albums.delete(old.id).unwrap();
    assert!(albums.all().is_empty() && open(folder.path()).all().is_empty());
    assert!(matches!(
        albums.delete(old.id),
        Err(AlbumError::NotFound(_))
    ));
    let new = albums.favourites(name("new")).unwrap();
    assert!(!albums.restore(old.id).unwrap().is_favourites);
    assert_eq!(open(folder.path()).all(), albums.all());
    assert_eq!(albums.all()[0].id, new.id);
    assert!(matches!(
        albums.restore(old.id),
        Err(AlbumError::NotFound(_))
    ));
}

#[test]
fn smart_album_has_its_search_and_no_list() {
    let [folder, backup, other] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let albums = open(folder.path());
    let search = |text: &str| text.parse::<AlbumSearch>().unwrap();
    let best = albums
        .create_smart(name("best"), search("rating:5"))
        .unwrap();
    let refused = albums.add(best.id, vec![picture("a")], None);
    assert!(matches!(refused, Err(AlbumError::Smart)));
    let best = albums.set_search(best.id, search("rating:>=4 旅")).unwrap();
    let list = albums.create(name("list"), Vec::new()).unwrap();
    let refused = albums.set_search(list.id, search("a"));
    assert!(matches!(refused, Err(AlbumError::NotSmart)));

    let again = open(folder.path());
    assert_eq!(again.get(best.id).unwrap(), best);
    again.delete(best.id).unwrap();
    assert_eq!(again.restore(best.id).unwrap(), best);
    again.back_up(backup.path()).unwrap();
    let file = other.path().join(Albums::BACKUP);
    std::fs::copy(backup.path().join(Albums::BACKUP), file).unwrap();
    assert_eq!(open(other.path()).all(), [best, list]);
}

#[test]
fn albums_go_back_to_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    let backup = tempfile::tempdir().unwrap();
    let albums = open(folder.path());
    let kept = albums.create(name("kept"), vec![picture("a")]).unwrap();
    let lost = albums.create(name("lost"), Vec::new()).unwrap();
    albums.back_up(backup.path()).unwrap();
    albums.add(kept.id, vec![picture("b")], None).unwrap();
    albums.delete(lost.id).unwrap();
    let later = albums.create(name("later"), Vec::new()).unwrap();
    drop(albums);
    let file = folder.path().join(Albums::BACKUP);
    std::fs::copy(backup.path().join(Albums::BACKUP), &file).unwrap();
    let albums = open(folder.path());
    assert_eq!(albums.all(), [kept, lost]);
    assert!(!file.exists());
    assert_eq!(albums.restore(later.id).unwrap(), later);
}

#[test]
fn imported_albums_are_the_same() {
    let [there, here] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let albums = open(there.path());
    albums.create(name("x"), vec![picture("a")]).unwrap();
    albums.favourites(name("F")).unwrap();
    let search = "rating:5".parse().unwrap();
    albums.create_smart(name("best"), search).unwrap();
    let exported = albums.export();
    let albums = open(here.path());
    assert_eq!(albums.import(exported.clone()).unwrap(), 3);
    assert_eq!(open(here.path()).export(), exported);
    assert_eq!(albums.import(exported).unwrap(), 0);
}

#[test]
fn too_many_pictures_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let albums = open(folder.path());
    let album = albums.create(name("x"), vec![picture("a")]).unwrap();
    let many = (0..Albums::MAX_PICTURES).map(|number| picture(&number.to_string()));
    let refused = albums.create(name("y"), many.chain([picture("last")]).collect());
    assert!(matches!(refused, Err(AlbumError::TooLarge)));
    let long = "x".repeat(4000);
    let long = (0..5000).map(|number| picture(&format!("{long}{number}")));
    let refused = albums.create(name("z"), long.collect());
    assert!(matches!(refused, Err(AlbumError::TooLarge)));
    assert_eq!(open(folder.path()).all(), [album]);
}

#[test]
fn damaged_or_newer_album_is_named_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let albums = open(folder.path());
    let album = albums.create(name("x"), Vec::new()).unwrap();
    let other = albums.create(name("y"), Vec::new()).unwrap();
    let path = folder.path().join(format!("albums/{}.json", album.id));
    for text in [
        "{",
        r#"{"version": 2, "name": "x", "created_at": "2026-01-01T00:00:00Z", "pictures": []}"#,
        r#"{"version": 1, "name": "x", "created_at": "2026-01-01T00:00:00Z", "pictures": [], "search": " "}"#,
        r#"{"version": 1, "name": "x", "created_at": "2026-01-01T00:00:00Z", "pictures": [], "search": "a", "is_favourites": true}"#,
    ] {
        std::fs::write(&path, text).unwrap();
        let opened = open(folder.path());
        assert_eq!(opened.all(), std::slice::from_ref(&other), "{text}");
        let [unreadable] = opened.unreadable() else {
            panic!("{text} was read");
        };
        assert_eq!(unreadable.path, path);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn imported_album_replaces_damaged_file_and_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let albums = open(folder.path());
    let album = albums.create(name("x"), vec![picture("a")]).unwrap();
    let exported = albums.export();
    let damage = || {
        std::fs::write(folder.path().join(format!("albums/{}.json", album.id)), "{").unwrap();
        open(folder.path())
    };
    let kept = folder
        .path()
        .join(format!("albums/damaged/{}.json", album.id));
    assert_eq!(damage().import(exported).unwrap(), 1);
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "{");
    let opened = open(folder.path());
    assert_eq!(
        (opened.all().as_slice(), opened.unreadable()),
        ([album.clone()].as_slice(), [].as_slice())
    );

    opened.back_up(folder.path()).unwrap();
    std::fs::remove_file(&kept).unwrap();
    assert_eq!(damage().all(), [album]);
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "{");
}

#[test]
fn damaged_backup_of_albums_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let album = open(folder.path()).create(name("x"), Vec::new()).unwrap();
    let backup = folder.path().join(Albums::BACKUP);
    std::fs::write(&backup, "[").unwrap();
    let opened = open(folder.path());
    assert_eq!(
        (opened.all(), &opened.unreadable()[0].path),
        (vec![album], &backup)
    );
    assert_eq!(std::fs::read_to_string(&backup).unwrap(), "[");
}
