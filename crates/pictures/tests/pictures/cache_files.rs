//! The contents of the cache, and the events about them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::sync::Arc;

use fumikura_fs::{AccessError, RelPath, ThumbId};
use fumikura_image::InProcess;
use fumikura_library::FolderKey;
use fumikura_pictures::{CacheEvent, CacheFile, PicturesEvent};
use fumikura_thumbs::Capacity;
use parking_lot::Mutex;

use crate::test_app::{TestApp, png, variant, wait_until};

fn list_cache_files(app: &TestApp) -> Vec<CacheFile> {
    let mut files = Vec::new();
    let mut each = |file| {
        files.push(file);
        true
    };
    app.pictures.each_cache_file(&mut each).unwrap();
    files
}

#[test]
fn cache_files_are_listed_with_their_owners() {
    let app = TestApp::new();
    app.write("a.png", &png([1, 2, 3]));
    fs::create_dir(app.root_dir().join("below")).unwrap();
    app.write("below/b.png", &png([4, 5, 6]));
    let small = variant("9x9-crop.jpg");
    app.thumbnail("a.png", small).unwrap();
    app.thumbnail("below/b.png", small).unwrap();
    app.read_listing();
    let app = app.restart();
    let (mut named, mut unnamed, mut folders) = (0, 0, 0);
    for file in list_cache_files(&app) {
        match file {
            CacheFile::Thumbnail {
                owner,
                id,
                variant,
                bytes,
            } => {
                assert!(bytes > 0 && variant == small);
                // The folder below was never listed, so no index names its picture.
                match owner {
                    Some(owner) => {
                        assert_eq!((owner, id), (app.root, app.find("a.png").id()));
                        named += 1;
                    }
                    None => unnamed += 1,
                }
            }
            CacheFile::Folder { owner, bytes, key } => {
                assert!(bytes > 0 && owner == Some(app.root));
                assert!(app.pictures.has_folder_index(key));
                folders += 1;
            }
        }
    }
    assert_eq!((named, unnamed, folders), (1, 1, 1));
}

#[test]
fn removing_cache_files_updates_the_counts() {
    let app = TestApp::new();
    app.write("a.png", &png([1, 2, 3]));
    let small = variant("9x9-crop.jpg");
    let made = app.thumbnail("a.png", small).unwrap();
    wait_until("the cache is counted", || {
        !app.pictures.thumbs().cache_stats().scanning
    });
    let id = app.find("a.png").id();
    assert!(app.pictures.thumbs().has_thumbnail(id, small));
    let size = fs::metadata(&made.path).unwrap().len();
    assert_eq!(
        app.pictures
            .thumbs()
            .remove_thumbnail_if(id, small, &|| true)
            .unwrap(),
        Some(size)
    );
    assert_eq!(
        app.pictures
            .thumbs()
            .remove_thumbnail_if(id, small, &|| true)
            .unwrap(),
        None
    );
    assert!(!app.pictures.thumbs().has_thumbnail(id, small) && !made.path.exists());
    assert_eq!(app.pictures.thumbs().cache_stats().files, 0);
    app.read_listing();
    app.wait_until_saved();
    let folder = list_cache_files(&app)
        .into_iter()
        .find_map(|file| match file {
            CacheFile::Folder { key, .. } => Some(key),
            CacheFile::Thumbnail { .. } => None,
        });
    let folder = folder.unwrap();
    assert!(app.pictures.remove_folder_index(folder).unwrap().is_some());
    assert_eq!(app.pictures.remove_folder_index(folder).unwrap(), None);
    assert_eq!(
        app.pictures
            .remove_folder_index(FolderKey([0; 20]))
            .unwrap(),
        None
    );
}

#[test]
fn thumbnail_creation_and_eviction_are_reported() {
    let app = TestApp::new();
    let events: Arc<Mutex<Vec<CacheEvent>>> = Arc::default();
    let sink = Arc::clone(&events);
    app.pictures.listen(move |event| {
        if let PicturesEvent::Cache(event) = event {
            sink.lock().push(event);
        }
    });
    app.write("a.png", &png([1, 2, 3]));
    let small = variant("9x9-crop.jpg");
    app.thumbnail("a.png", small).unwrap();
    let id = app.find("a.png").id();
    wait_until("the cache is counted", || {
        !app.pictures.thumbs().cache_stats().scanning
    });
    // A smaller limit takes effect at once.
    app.pictures
        .thumbs()
        .set_capacity(Capacity::new(1, 0.9, 0.5).unwrap());
    wait_until("it is evicted", || {
        app.pictures.thumbs().cache_stats().files == 0
    });
    wait_until("all events are reported", || events.lock().len() == 3);
    let events = events.lock();
    let CacheEvent::ThumbnailMade { owner, bytes, .. } = events[0] else {
        panic!("{events:?}");
    };
    assert!(owner == Some(app.root) && bytes > 0);
    assert_eq!(
        events[1],
        CacheEvent::ThumbnailEvicted { id, variant: small }
    );
    assert!(matches!(events[2], CacheEvent::EvictionEnded(freed) if freed.files == 1));
}

#[test]
fn existing_pictures_are_found_by_id() {
    let app = TestApp::with_config(Arc::new(InProcess::default()), |_| {});
    app.write("a.png", &png([1, 2, 3]));
    fs::create_dir(app.root_dir().join("below")).unwrap();
    app.write("below/b.png", &png([4, 5, 6]));
    std::os::unix::fs::symlink("a.png", app.root_dir().join("link.png")).unwrap();
    std::os::unix::fs::symlink("nowhere", app.root_dir().join("dead.png")).unwrap();
    let names = ["a.png", "below/b.png", "link.png"];
    let ids: HashSet<ThumbId> = names.map(|name| app.find(name).id()).into();
    let found = app.pictures.existing_ids(app.root, &|| true).unwrap();
    let found: HashSet<_> = found
        .unwrap()
        .into_iter()
        .map(ThumbId::from_bytes)
        .collect();
    assert_eq!(found, ids);
    let [a, b, _] = names.map(|name| app.find(name).id());
    let wanted = HashSet::from([b, ThumbId::from_bytes([0; 20])]);
    let files = app.pictures.roots().find_files(app.root, &wanted).unwrap();
    let path = RelPath::parse(b"below/b.png").unwrap();
    assert!(!files.contains_key(&a) && files == HashMap::from([(b, path)]));
    let stopped = app.pictures.existing_ids(app.root, &|| false);
    assert!(stopped.unwrap().is_none());
    fs::rename(app.root_dir(), app.base_dir().join("away")).unwrap();
    let away = app.pictures.existing_ids(app.root, &|| true);
    assert!(matches!(away, Err(AccessError::FolderUnavailable { .. })));
}

#[test]
fn pictures_of_an_unmounted_disk_count_as_existing() {
    let app = TestApp::new();
    app.write("a.png", &png([1, 2, 3]));
    let mount_point = app.root_dir().join("disk");
    fs::create_dir_all(mount_point.join("trip")).unwrap();
    app.write("disk/trip/b.png", &png([4, 5, 6]));
    let id = app.find("disk/trip/b.png").id();
    app.read_listing_of("disk/trip");
    let app = app.restart();
    fs::rename(&mount_point, app.base_dir().join("unmounted")).unwrap();
    let has_it = || {
        let found = app.pictures.existing_ids(app.root, &|| true).unwrap();
        found.unwrap().contains(&id.to_bytes())
    };
    assert!(!has_it(), "the folder is gone");
    fs::create_dir(&mount_point).unwrap();
    assert!(has_it(), "the folder is a mount point");
}
