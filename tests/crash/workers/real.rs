//! `fumi serve` and its workers, as they are shipped.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use rustix::process::{Pid, Signal, getpgid};

use super::{ENVIRONMENT, good, is_there, kill};
use crate::support::{Place, Server, until};

/// A server that has made a thumbnail, and its root.
fn begun(place: &Place) -> (Server, String) {
    let folder = place.path().join("allowed/pictures");
    std::fs::create_dir_all(&folder).unwrap();
    for number in 0..4 {
        std::fs::write(folder.join(format!("{number}.png")), good()).unwrap();
    }
    let allow = ["--allow", folder.to_str().unwrap()];
    let server = Server::started(place, place.serve(&allow).env("ESTELLE_SECRET", "sesame"));
    let opened = server.client().open_root(&folder).is(201).json();
    let root = opened["id"].as_str().unwrap().to_owned();
    assert_eq!(thumbnail(&server, &root, 0), 200);
    (server, root)
}

fn thumbnail(server: &Server, root: &str, number: u32) -> u16 {
    let path = format!("/thumb?root={root}&path={number}.png");
    server.client().get_bytes(&path).unwrap()
}

/// The workers of a process, by what the kernel tells of its threads.
fn workers(process: i32) -> Vec<i32> {
    let mut workers = Vec::new();
    for thread in std::fs::read_dir(format!("/proc/{process}/task")).unwrap() {
        let children = thread.unwrap().path().join("children");
        // A thread may end while one reads of it.
        let children = std::fs::read_to_string(children).unwrap_or_default();
        let children = children
            .split_whitespace()
            .map(|child| child.parse().unwrap());
        workers.extend(children.filter(|child| is_worker(*child)));
    }
    workers
}

fn is_worker(process: i32) -> bool {
    let told = std::fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
    told.contains("\0thumb-worker\0")
}

fn pid(server: &Server) -> i32 {
    server.pid().as_raw_nonzero().get()
}

#[test]
fn a_server_decodes_in_a_worker_without_its_secrets() {
    let place = Place::new();
    let (server, root) = begun(&place);
    let [worker] = workers(pid(&server))[..] else {
        panic!("{:?}", workers(pid(&server)));
    };
    let environment = std::fs::read(format!("/proc/{worker}/environ")).unwrap();
    assert_eq!(String::from_utf8_lossy(&environment), ENVIRONMENT);
    kill(worker);
    assert_eq!(thumbnail(&server, &root, 1), 200);
    assert!(!is_there(worker));
}

#[test]
fn a_clean_end_leaves_no_worker() {
    let place = Place::new();
    let (server, _) = begun(&place);
    let worker = workers(pid(&server))[0];
    let ended = server.end(Signal::TERM);
    assert_eq!(ended.code, Some(0), "{}", place.said());
    assert!(!is_worker(worker));
}

#[test]
fn a_server_that_is_killed_leaves_no_worker() {
    let place = Place::new();
    let (server, _) = begun(&place);
    let worker = workers(pid(&server))[0];
    server.kill();
    until("its worker ends", || !is_worker(worker));
}

/// Of every kind of picture there is a sample, and the program that is shipped has a decoder for it, within
/// the limits that its workers have.
#[test]
fn every_sample_is_decoded_as_it_is_shipped() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/images/samples");
    let place = Place::new();
    let folder = place.path().join("allowed/samples");
    fs::create_dir_all(&folder).unwrap();
    let mut names = Vec::new();
    for sample in fs::read_dir(samples).unwrap() {
        let sample = sample.unwrap().path();
        let name = sample.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.ends_with(".py") {
            fs::copy(&sample, folder.join(&name)).unwrap();
            names.push(name);
        }
    }
    let allow = ["--allow", folder.to_str().unwrap()];
    let server = Server::started(&place, &mut place.serve(&allow));
    let client = server.client();
    let opened = client.open_root(&folder).is(201).json();
    let root = opened["id"].as_str().unwrap();
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        let path = format!("/thumb?root={root}&path={name}&size=96x96&mode=shrink&format=png");
        let thumbnail = client.bytes(&path).unwrap();
        let mut reader = png::Decoder::new(Cursor::new(thumbnail))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        assert!(frame.width.max(frame.height) <= 96, "{name}");
        let first = pixels[0];
        assert!(
            pixels.iter().any(|value| *value != first),
            "{name} is empty"
        );
    }
}

/// Ctrl C reaches all processes of a terminal's group; the workers are not among them.
#[test]
fn an_interrupt_of_the_group_does_not_reach_the_workers() {
    let place = Place::new();
    let (server, root) = begun(&place);
    let worker = workers(pid(&server))[0];
    let group = |process| getpgid(Pid::from_raw(process)).unwrap();
    assert_ne!(group(worker), group(pid(&server)));
    assert_eq!(thumbnail(&server, &root, 2), 200);
}
