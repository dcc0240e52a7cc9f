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

use crate::house::{House, png, until, variant};

fn surveyed(house: &House) -> Vec<CacheFile> {
    let mut files = Vec::new();
    let mut each = |file| {
        files.push(file);
        true
    };
    house.pictures.survey(&mut each).unwrap();
    files
}

#[test]
fn cache_files_are_listed_with_their_owners() {
    let house = House::new();
    house.put("a.png", &png([1, 2, 3]));
    fs::create_dir(house.pictures().join("below")).unwrap();
    house.put("below/b.png", &png([4, 5, 6]));
    let small = variant("9x9-crop.jpg");
    house.thumbnail("a.png", small).unwrap();
    house.thumbnail("below/b.png", small).unwrap();
    house.read_listing();
    let house = house.relaunched();
    let (mut named, mut unnamed, mut folders) = (0, 0, 0);
    for file in surveyed(&house) {
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
                        assert_eq!((owner, id), (house.root, house.find("a.png").id()));
                        named += 1;
                    }
                    None => unnamed += 1,
                }
            }
            CacheFile::Folder { owner, bytes, key } => {
                assert!(bytes > 0 && owner == Some(house.root));
                assert!(house.pictures.has_folder_index(key));
                folders += 1;
            }
        }
    }
    assert_eq!((named, unnamed, folders), (1, 1, 1));
}

#[test]
fn removing_cache_files_updates_the_counts() {
    let house = House::new();
    house.put("a.png", &png([1, 2, 3]));
    let small = variant("9x9-crop.jpg");
    let made = house.thumbnail("a.png", small).unwrap();
    until("all is counted", || {
        !house.pictures.thumbs().cache_stats().scanning
    });
    let id = house.find("a.png").id();
    assert!(house.pictures.thumbs().has_thumbnail(id, small));
    let size = fs::metadata(&made.path).unwrap().len();
    assert_eq!(
        house.pictures.thumbs().remove_thumbnail(id, small).unwrap(),
        Some(size)
    );
    assert_eq!(
        house.pictures.thumbs().remove_thumbnail(id, small).unwrap(),
        None
    );
    assert!(!house.pictures.thumbs().has_thumbnail(id, small) && !made.path.exists());
    assert_eq!(house.pictures.thumbs().cache_stats().files, 0);
    house.read_listing();
    house.wait_until_kept();
    let folder = surveyed(&house).into_iter().find_map(|file| match file {
        CacheFile::Folder { key, .. } => Some(key),
        CacheFile::Thumbnail { .. } => None,
    });
    let folder = folder.unwrap();
    assert!(
        house
            .pictures
            .remove_folder_index(folder)
            .unwrap()
            .is_some()
    );
    assert_eq!(house.pictures.remove_folder_index(folder).unwrap(), None);
    assert_eq!(
        house
            .pictures
            .remove_folder_index(FolderKey([0; 20]))
            .unwrap(),
        None
    );
}

#[test]
fn thumbnail_creation_and_eviction_are_reported() {
    let house = House::new();
    let told: Arc<Mutex<Vec<CacheEvent>>> = Arc::default();
    let telling = Arc::clone(&told);
    house.pictures.listen(move |event| {
        if let PicturesEvent::Cache(event) = event {
            telling.lock().push(event);
        }
    });
    house.put("a.png", &png([1, 2, 3]));
    let small = variant("9x9-crop.jpg");
    house.thumbnail("a.png", small).unwrap();
    let id = house.find("a.png").id();
    until("all is counted", || {
        !house.pictures.thumbs().cache_stats().scanning
    });
    // A smaller limit takes effect at once.
    house
        .pictures
        .thumbs()
        .set_capacity(Capacity::new(1, 0.9, 0.5).unwrap());
    until("it is evicted", || {
        house.pictures.thumbs().cache_stats().files == 0
    });
    until("all events are reported", || told.lock().len() == 3);
    let told = told.lock();
    let CacheEvent::ThumbnailMade { owner, bytes, .. } = told[0] else {
        panic!("{told:?}");
    };
    assert!(owner == Some(house.root) && bytes > 0);
    assert_eq!(told[1], CacheEvent::ThumbnailEvicted { id, variant: small });
    assert!(matches!(told[2], CacheEvent::Collected(freed) if freed.files == 1));
}

#[test]
fn existing_pictures_are_found_by_id() {
    let house = House::with(Arc::new(InProcess::default()), |_| {});
    house.put("a.png", &png([1, 2, 3]));
    fs::create_dir(house.pictures().join("below")).unwrap();
    house.put("below/b.png", &png([4, 5, 6]));
    std::os::unix::fs::symlink("a.png", house.pictures().join("link.png")).unwrap();
    std::os::unix::fs::symlink("nowhere", house.pictures().join("dead.png")).unwrap();
    let names = ["a.png", "below/b.png", "link.png"];
    let ids: HashSet<ThumbId> = names.map(|name| house.find(name).id()).into();
    let found = house
        .pictures
        .roots()
        .existing_ids(house.root, &|| true)
        .unwrap();
    let found: HashSet<_> = found
        .unwrap()
        .into_iter()
        .map(ThumbId::from_bytes)
        .collect();
    assert_eq!(found, ids);
    let [a, b, _] = names.map(|name| house.find(name).id());
    let wanted = HashSet::from([b, ThumbId::from_bytes([0; 20])]);
    let files = house
        .pictures
        .roots()
        .find_files(house.root, &wanted)
        .unwrap();
    let path = RelPath::parse(b"below/b.png").unwrap();
    assert!(!files.contains_key(&a) && files == HashMap::from([(b, path)]));
    assert!(
        house
            .pictures
            .roots()
            .existing_ids(house.root, &|| false)
            .unwrap()
            .is_none()
    );
    fs::rename(house.pictures(), house.outside().join("away")).unwrap();
    let away = house.pictures.roots().existing_ids(house.root, &|| true);
    assert!(matches!(away, Err(AccessError::FolderUnavailable { .. })));
}
