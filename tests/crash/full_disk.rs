//! A full disk: a save reports it, saved texts stay readable, and once there is room again all works without
//! a restart.

use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use rustix::process::Signal;

use crate::support::{Client, Disk, Home, Reply, Server, files, incompressible, with_a_picture};

/// More than a database keeps in reserve, even compressed as far as possible.
const LONG_TEXT_SIZE: usize = 9 << 20;

/// A page as its writer knows it.
pub(crate) struct Page {
    pub(crate) id: String,
    pub(crate) text: String,
}

impl Page {
    pub(crate) fn new(client: &Client, path: &str, text: &str) -> Self {
        let draft = client.post(&format!("/api/pages?path={path}")).unwrap();
        let draft = draft.is(201);
        let id = draft.json()["id"].as_str().unwrap().to_owned();
        let page = Self {
            id,
            text: text.to_owned(),
        };
        page.put(client, &draft.lock(), text).is(200);
        page
    }

    pub(crate) fn put(&self, client: &Client, lock: &str, text: &str) -> Reply {
        let path = format!("/api/pages/{}/source", self.id);
        client.save(&path, lock, text).unwrap()
    }

    pub(crate) fn lock(&self, client: &Client) -> String {
        let path = format!("/api/pages/{}/lock", self.id);
        client.post(&path).unwrap().is(204).lock()
    }

    #[track_caller]
    pub(crate) fn check(&self, client: &Client) {
        let path = format!("/api/pages/{}/source", self.id);
        let reply = client.get(&path).unwrap().is(200);
        assert!(reply.body == self.text, "another text");
    }
}

/// Runs the whole test, on a disk that `fill` fills and `empty` empties.
fn run(home: &Home, fill: impl Fn(&Server), empty: impl Fn(&Server)) {
    let server = Server::start(home);
    let client = server.client();
    let mut page = Page::new(&client, "/a", "before");
    let lock = page.lock(&client);
    fill(&server);

    let long = incompressible(LONG_TEXT_SIZE);
    page.put(&client, &lock, &long).refused(507, "disk_full");
    // Existing pages are still there and readable.
    page.check(&client);
    let list = client.get("/api/pages").unwrap().is(200).json();
    assert_eq!(list["items"].as_array().unwrap().len(), 2);
    client.get("/wiki/a").unwrap().is(200);
    client.get("/healthz").unwrap().is(200);
    // A new login works, for reading.
    let login = server.ready["login"].as_str().unwrap();
    let login = login.strip_prefix(server.url().trim_end_matches('/'));
    client.get(login.unwrap()).unwrap().is(200);
    // Typing continues; each attempt gets the true answer.
    let unsaved = json!({"path": "/a", "base_revision": 1, "source": long, "seq": 1});
    let journal = format!("/api/journal/{}?tab=t", page.id);
    let answer = client.put_json(&journal, &unsaved).unwrap();
    answer.refused(507, "disk_full");
    page.put(&client, &lock, &long).refused(507, "disk_full");
    page.check(&client);

    empty(&server);
    page.put(&client, &lock, &long).is(200);
    page.text = long;
    page.check(&client);
    client.put_json(&journal, &unsaved).unwrap().is(204);
    let other = Page::new(&client, "/b", "after");
    server.kill();

    let server = Server::start(home);
    let client = server.client();
    page.check(&client);
    other.check(&client);
    let meta = client.get(&format!("/api/pages/{}/meta", page.id)).unwrap();
    let scope = &meta.is(200).json()["page_info"]["revision_scope"];
    assert_eq!(scope, &json!({"latest": 2, "oldest": 1}));
    let stderr = home.stderr();
    assert!(!stderr.contains("panicked"), "{stderr}");
}

/// Limits the length of the server's files. If no disk can be mounted, the limit is an equivalent, since it
/// applies to every user.
pub(crate) fn prlimit(server: &Server, limit: &str) {
    let pid = server.pid().as_raw_nonzero().to_string();
    let status = Command::new("prlimit")
        .args(["--pid", &pid, &format!("--fsize={limit}:")])
        .status();
    assert!(status.unwrap().success());
}

#[test]
fn file_size_limit_acts_as_a_full_disk() {
    // The signal that comes with the limit would end the program; a full disk sends none.
    let home = Home::new().run_under(&["env", "--ignore-signal=XFSZ"]);
    run(
        &home,
        |server| {
            let length = std::fs::metadata(home.data().join("wiki.redb"));
            prlimit(server, &length.unwrap().len().to_string());
        },
        |server| prlimit(server, "unlimited"),
    );
}

#[test]
fn full_disk_loses_only_unacknowledged_writes() {
    let Some(disk) = Disk::mounted() else {
        // Without the right to mount, only the other test is possible.
        return file_size_limit_acts_as_a_full_disk();
    };
    let home = Home::new().with_data(&disk.path().join("data"));
    run(&home, |_| disk.fill(), |_| disk.empty());
}

#[test]
fn small_saves_continue_after_space_is_freed() {
    let Some(disk) = Disk::mounted() else {
        return file_size_limit_acts_as_a_full_disk();
    };
    let home = Home::new().with_data(&disk.path().join("data"));
    let server = Server::start(&home);
    let client = server.client();
    let mut page = Page::new(&client, "/a", "before");
    disk.fill();
    let lock = save_until_disk_is_full(&client, &mut page);
    page.check(&client);
    disk.empty();
    // The lock is still held, or was never acquired.
    let lock = lock.unwrap_or_else(|| page.lock(&client));
    page.put(&client, &lock, "with room again").is(200);
    page.text = "with room again".to_owned();
    page.check(&client);
    server.kill();
    let server = Server::start(&home);
    page.check(&server.client());
}

/// Saves small texts until there is no room. Returns the lock, if it is still held then.
fn save_until_disk_is_full(client: &Client, page: &mut Page) -> Option<String> {
    for number in 0..400 {
        let reply = client.post(&format!("/api/pages/{}/lock", page.id));
        let reply = reply.unwrap();
        if reply.status == 507 {
            reply.refused(507, "disk_full");
            return None;
        }
        let lock = reply.is(204).lock();
        let text = format!("{number} {}", incompressible(14_000));
        let saved = page.put(client, &lock, &text);
        if saved.status == 507 {
            saved.refused(507, "disk_full");
            return Some(lock);
        }
        saved.is(200);
        page.text = text;
    }
    panic!("the disk was never full");
}

#[test]
fn start_on_a_full_disk_names_the_reason() {
    let Some(disk) = Disk::mounted() else {
        return file_size_limit_acts_as_a_full_disk();
    };
    let home = Home::new().with_data(&disk.path().join("data"));
    let server = Server::start(&home);
    let page = Page::new(&server.client(), "/a", "before");
    server.kill();
    disk.fill();
    let outcome = crate::support::wait_for_exit(&mut home.serve(&[]).spawn().unwrap());
    let stderr = home.stderr();
    assert_eq!(outcome.code, Some(1), "{stderr}");
    assert!(
        stderr.contains("No space left") || stderr.contains("disk is full"),
        "{stderr}"
    );
    disk.empty();
    let server = Server::start(&home);
    page.check(&server.client());
}

#[test]
fn full_cache_disk_still_serves_pictures() {
    let Some(disk) = Disk::mounted() else {
        // Without the right to mount, only the other test is possible.
        return failed_thumbnail_rename_still_serves_the_picture();
    };
    let home = Home::new().with_cache(&disk.path().join("cache"));
    let (server, query) = with_a_picture(&home);
    let client = server.client();
    disk.fill();
    for _ in 0..2 {
        let answer = client.get(&format!("/thumb?{query}")).unwrap();
        answer.refused(507, "disk_full");
    }
    let whole = client.get_bytes(&format!("/api/image?{query}"));
    assert_eq!(whole, Ok(200));
    Page::new(&client, "/a", "the data has a disk of its own").check(&client);
    disk.empty();
    let thumbnail = client.get_bytes(&format!("/thumb?{query}"));
    assert_eq!(thumbnail, Ok(200));
}

/// A limit on the length of files would be reached by the worker's first output, which is no file on the disk.
#[test]
fn failed_thumbnail_rename_still_serves_the_picture() {
    let home = Home::new().with_config("[thumbnails]\nworkers = 1\n");
    let (server, query) = with_a_picture(&home);
    let address = |size: u32| format!("/thumb?{query}&size={size}x{size}");
    assert_eq!(server.client().get_bytes(&address(64)), Ok(200));
    server.stop(Signal::TERM);
    let coming = thumbnail(&home, 64).replace("64x64", "65x65");
    let name = coming.rsplit('/').next().unwrap();
    // In the one thread that makes thumbnails.
    let home = home.with_no_space_for(name, ":when=1..2");
    let pictures = home.path().join("pictures");
    let allow = ["--allow", pictures.to_str().unwrap()];
    let server = Server::start_with(&home, &mut home.serve(&allow));
    let client = server.client();
    for _ in 0..2 {
        let answer = client.get(&address(65)).unwrap();
        answer.refused(507, "disk_full");
        assert_eq!(client.get_bytes(&address(64)), Ok(200));
    }
    assert_eq!(files(&home.path().join("cache/thumbs")).len(), 2);
    let whole = client.get_bytes(&format!("/api/image?{query}"));
    assert_eq!(whole, Ok(200));
    assert_eq!(client.get_bytes(&address(65)), Ok(200));
    assert!(PathBuf::from(coming).is_file());
    let stderr = home.stderr();
    assert!(!stderr.contains("panicked"), "{stderr}");
}

/// Returns the path of the one thumbnail of this size.
fn thumbnail(home: &Home, size: u32) -> String {
    let mut pictures = files(&home.path().join("cache")).into_iter();
    let path = pictures.find(|path| path.to_string_lossy().contains(&format!("-{size}x{size}-")));
    path.unwrap().display().to_string()
}
