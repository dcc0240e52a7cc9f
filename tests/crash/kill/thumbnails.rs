//! A kill while thumbnails are made: every file in the cache with its final name is complete.

use std::time::Duration;

use crate::support::{Home, Random, Server, check_thumbnails, until, write_noise};

const PICTURES: u32 = 12;

#[test]
fn thumbnails_are_complete_and_roots_survive() {
    let seed = Random::seed();
    eprintln!("again with FUMIKURA_SEED={seed}");
    let random = Random::new(seed);
    let home = Home::new();
    let allowed = home.path().join("allowed");
    let folder = allowed.join("pictures");
    std::fs::create_dir_all(&folder).unwrap();
    for number in 0..PICTURES {
        write_noise(&folder.join(format!("{number}.png")), &random);
    }
    let allow = ["--allow", allowed.to_str().unwrap()];
    let server = Server::start_with(&home, &mut home.serve(&allow));
    let opened = server.client().open_root(&folder).is(201).json();
    let root = opened["id"].as_str().unwrap().to_owned();
    server.kill();

    let thumbs = home.path().join("cache/thumbs");
    let mut made = 0;
    for round in 0..8 {
        let server = Server::start(&home);
        std::thread::scope(|scope| {
            for first in 0..3 {
                let (client, root) = (server.client(), &root);
                scope.spawn(move || {
                    for number in (first..PICTURES).step_by(3) {
                        let size = 100 + round;
                        let path = format!(
                            "/thumb?root={root}&path={number}.png&size={size}x90&format=png"
                        );
                        match client.get_bytes(&path) {
                            Ok(status) => assert_eq!(status, 200),
                            Err(_) => return,
                        }
                    }
                });
            }
            // However slow the machine is, some thumbnails are made.
            if round == 0 {
                until("one is made", || check_thumbnails(&thumbs) > 0);
            }
            std::thread::sleep(Duration::from_millis(random.below(400)));
            server.kill();
        });
        made = check_thumbnails(&thumbs);
    }
    eprintln!("{made} thumbnails");
    assert!(made > 0, "none was made");
    // Partial files of the kills are swept away, and all thumbnails can still be made.
    let server = Server::start(&home);
    let client = server.client();
    for number in 0..PICTURES {
        let path = format!("/thumb?root={root}&path={number}.png&format=png");
        assert_eq!(client.get_bytes(&path), Ok(200));
    }
    assert!(check_thumbnails(&thumbs) > made);
}
