//! `fumi serve` and its workers, as shipped.

use std::borrow::Cow;
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::thread;

use rustix::process::{Pid, Signal, getpgid};

use super::{ENVIRONMENT, exists, good, kill};
use crate::support::{Home, Server, until};

/// Returns a server that has made a thumbnail, and its root.
fn start(home: &Home) -> (Server, String) {
    let folder = home.path().join("allowed/pictures");
    std::fs::create_dir_all(&folder).unwrap();
    for number in 0..4 {
        std::fs::write(folder.join(format!("{number}.png")), good()).unwrap();
    }
    let allow = ["--allow", folder.to_str().unwrap()];
    let server = Server::start_with(home, home.serve(&allow).env("ESTELLE_SECRET", "sesame"));
    let opened = server.client().open_root(&folder).is(201).json();
    let root = opened["id"].as_str().unwrap().to_owned();
    assert_eq!(thumbnail(&server, &root, 0), 200);
    (server, root)
}

fn thumbnail(server: &Server, root: &str, number: u32) -> u16 {
    let path = format!("/thumb?root={root}&path={number}.png");
    server.client().get_bytes(&path).unwrap()
}

/// Returns the workers of a process, from its threads' lists of children.
fn workers(process: i32) -> Vec<i32> {
    let mut workers = Vec::new();
    for thread in std::fs::read_dir(format!("/proc/{process}/task")).unwrap() {
        let children = thread.unwrap().path().join("children");
        // A thread may end while its file is read.
        let children = std::fs::read_to_string(children).unwrap_or_default();
        let children = children
            .split_whitespace()
            .map(|child| child.parse().unwrap());
        workers.extend(children.filter(|child| is_worker(*child)));
    }
    workers
}

fn is_worker(process: i32) -> bool {
    let command_line =
        std::fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
    command_line.contains("\0thumb-worker\0")
}

fn pid(server: &Server) -> i32 {
    server.pid().as_raw_nonzero().get()
}

#[test]
fn worker_does_not_inherit_server_secrets() {
    let home = Home::new();
    let (server, root) = start(&home);
    let [worker] = workers(pid(&server))[..] else {
        panic!("{:?}", workers(pid(&server)));
    };
    let environment = std::fs::read(format!("/proc/{worker}/environ")).unwrap();
    assert_eq!(String::from_utf8_lossy(&environment), ENVIRONMENT);
    kill(worker);
    assert_eq!(thumbnail(&server, &root, 1), 200);
    assert!(!exists(worker));
}

#[test]
fn shutdown_leaves_no_worker() {
    let home = Home::new();
    let (server, _) = start(&home);
    let worker = workers(pid(&server))[0];
    let outcome = server.stop(Signal::TERM);
    assert_eq!(outcome.code, Some(0), "{}", home.stderr());
    assert!(!is_worker(worker));
}

#[test]
fn killed_server_leaves_no_worker() {
    let home = Home::new();
    let (server, _) = start(&home);
    let worker = workers(pid(&server))[0];
    server.kill();
    until("its worker ends", || !is_worker(worker));
}

/// The shipped program decodes a sample of every format, within the limits of its workers.
#[test]
fn shipped_program_decodes_every_sample() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/images/samples");
    let home = Home::new();
    let folder = home.path().join("allowed/samples");
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
    let server = Server::start_with(&home, &mut home.serve(&allow));
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

/// Ctrl C reaches all processes of a terminal's group; the workers are not in it.
#[test]
fn interrupt_does_not_reach_the_workers() {
    let home = Home::new();
    let (server, root) = start(&home);
    let worker = workers(pid(&server))[0];
    let group = |process| getpgid(Pid::from_raw(process)).unwrap();
    assert_ne!(group(worker), group(pid(&server)));
    assert_eq!(thumbnail(&server, &root, 2), 200);
}

/// Returns a PNG of one pixel with a colour profile of `length` zero bytes.
fn with_profile(length: usize) -> Vec<u8> {
    let mut info = png::Info::with_size(1, 1);
    info.color_type = png::ColorType::Rgba;
    info.icc_profile = Some(Cow::Owned(vec![0; length]));
    let mut bytes = Vec::new();
    let encoder = png::Encoder::with_info(&mut bytes, info).unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[255; 4]).unwrap();
    writer.finish().unwrap();
    bytes
}

/// Returns an icon that contains this PNG of one pixel.
fn icon(png: &[u8]) -> Vec<u8> {
    let length = u32::try_from(png.len()).unwrap().to_le_bytes();
    let directory = [0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 32, 0];
    [&directory[..], &length, &22_u32.to_le_bytes(), png].concat()
}

/// Returns the peak memory of a process so far, in KiB.
fn peak(process: i32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.unwrap().split_whitespace().nth(1);
    number.unwrap().parse().unwrap()
}

#[test]
fn compressed_profiles_take_no_server_memory() {
    let home = Home::new();
    let (server, root) = start(&home);
    let folder = home.path().join("allowed/pictures");
    let png = with_profile(192 << 20);
    assert!(png.len() < 1 << 20);
    fs::write(folder.join("icon.ico"), icon(&png)).unwrap();
    for number in 0..4 {
        fs::write(folder.join(format!("bomb-{number}.png")), &png).unwrap();
    }
    let before = peak(pid(&server));
    let listing = format!("/api/folders?root={root}&limit=100");
    until("all headers are read", || {
        let listing = server.client().get(&listing).unwrap().is(200).json();
        listing["unread"] == 0
    });
    thread::scope(|scope| {
        for name in [
            "bomb-0.png",
            "bomb-1.png",
            "bomb-2.png",
            "bomb-3.png",
            "icon.ico",
        ] {
            let path = format!("/api/image/info?root={root}&path={name}");
            let client = server.client();
            scope.spawn(move || {
                let info = client.get(&path).unwrap().is(200).json();
                assert_eq!(info["width"], 1, "{name}");
            });
        }
    });
    let grown = peak(pid(&server)) - before;
    assert!(grown < 48 << 10, "{grown} KiB");
}

#[test]
fn pictures_cannot_write_to_the_log() {
    let home = Home::new();
    let (server, root) = start(&home);
    let folder = home.path().join("allowed/pictures");
    let paint = "red&#10;2026-01-01T00:00:00Z ERROR forged";
    let shape = format!("<rect width='9' height='9' fill='{paint}' filter='url(#{paint})'/>");
    let shapes = shape.repeat(2_000);
    let svg =
        format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{shapes}</svg>");
    fs::write(folder.join("a.svg"), svg).unwrap();
    let path = format!("/thumb?root={root}&path=a.svg");
    server.client().get_bytes(&path).unwrap();
    assert_eq!(home.warnings(), "");
}
