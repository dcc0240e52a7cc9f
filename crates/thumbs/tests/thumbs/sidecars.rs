//! Ratings and tags, in sidecars beside the pictures.

use std::thread;

use fumikura_thumbs::sidecar::{MarksChange, Tag, TagsChange};

use crate::house::{House, png};

#[test]
fn of_changes_at_once_none_is_lost() {
    let house = House::new();
    house.put("a.png", &png([1, 2, 3]));
    thread::scope(|scope| {
        for worker in 0..4 {
            let house = &house;
            scope.spawn(move || {
                for number in 0..10 {
                    let tag = Tag::parse(&format!("{worker}/{number}")).unwrap();
                    let change = MarksChange {
                        tags: TagsChange::Each {
                            add: vec![tag],
                            remove: Vec::new(),
                        },
                        ..MarksChange::default()
                    };
                    house.thumbs.mark(&house.source("a.png"), &change).unwrap();
                }
            });
        }
    });
    let marks = house.thumbs.marks(&house.source("a.png")).unwrap();
    assert_eq!(marks.tags.len(), 40);
    assert_eq!(
        std::fs::read(house.pictures().join("a.png")).unwrap(),
        png([1, 2, 3])
    );
}
