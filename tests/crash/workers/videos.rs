//! Frames of videos, by the shipped program and the system's GStreamer.

use std::fs::{self, File};
use std::io::Cursor;
use std::path::{Path, PathBuf};

use crate::support::{Home, Server};

struct Videos {
    server: Server,
    root: String,
    folder: PathBuf,
    _home: Home,
}

/// The colour of a pixel.
type Colour = [u8; 3];

const BLUE: Colour = [0x20, 0x60, 0xc0];
const ORANGE: Colour = [0xe0, 0x80, 0x20];

impl Videos {
    fn new() -> Self {
        let home = Home::new();
        let folder = home.path().join("allowed/videos");
        fs::create_dir_all(&folder).unwrap();
        let allow = ["--allow", folder.to_str().unwrap()];
        let server = Server::start_with(&home, &mut home.serve(&allow));
        let opened = server.client().open_root(&folder).is(201).json();
        Self {
            root: opened["id"].as_str().unwrap().to_owned(),
            server,
            folder,
            _home: home,
        }
    }

    /// Writes a file of the folder.
    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.folder.join(name), bytes).unwrap();
    }

    fn address(&self, name: &str) -> String {
        format!(
            "/thumb?root={}&path={name}&size=96x96&mode=shrink&format=png",
            self.root
        )
    }

    /// Returns the size of a thumbnail, and its colours near the first and the last corner.
    fn thumbnail(&self, name: &str) -> ((u32, u32), [Colour; 2]) {
        let bytes = self.server.client().bytes(&self.address(name)).unwrap();
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        let channels = frame.color_type.samples();
        let at = |x: u32, y: u32| {
            let start = y as usize * frame.line_size + x as usize * channels;
            pixels[start..start + 3].try_into().unwrap()
        };
        let corners = [at(4, 4), at(frame.width - 5, frame.height - 5)];
        ((frame.width, frame.height), corners)
    }

    #[track_caller]
    fn check(&self, name: &str, size: (u32, u32), colours: [Colour; 2]) {
        let (found_size, found) = self.thumbnail(name);
        assert_eq!(found_size, size, "{name}");
        let differs = |(one, other): (&u8, &u8)| one.abs_diff(*other) > 24;
        let pairs = found.as_flattened().iter().zip(colours.as_flattened());
        assert!(!pairs.into_iter().any(differs), "{name}: {found:?}");
    }

    #[track_caller]
    fn check_refused(&self, name: &str, code: &str) {
        let answer = self.server.client().get(&self.address(name)).unwrap();
        assert_eq!(answer.is(422).json()["code"], code, "{name}");
    }

    /// Returns the listed state of a file.
    fn state(&self, name: &str) -> Option<String> {
        let address = format!("/api/folders?root={}", self.root);
        let listing = self.server.client().get(&address).unwrap().is(200).json();
        let entries = listing["entries"].as_array().unwrap();
        let entry = entries.iter().find(|entry| entry["name"] == name).unwrap();
        entry["state"].as_str().map(ToOwned::to_owned)
    }
}

fn sample(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/videos");
    fs::read(folder.join(name)).unwrap()
}

#[test]
fn videos_show_a_frame_upright_and_not_black() {
    let videos = Videos::new();
    for name in ["late.webm", "turned.mov", "plain.avi"] {
        videos.write(name, &sample(name));
    }
    videos.check("late.webm", (96, 72), [BLUE, ORANGE]);
    videos.check("turned.mov", (36, 96), [BLUE, ORANGE]);
    videos.check("plain.avi", (96, 36), [BLUE, ORANGE]);
}

/// Only the parts that are needed are read, so the length of a video does not matter.
#[test]
fn large_video_shows_a_frame() {
    let videos = Videos::new();
    videos.write("large.webm", &sample("late.webm"));
    let file = File::options()
        .write(true)
        .open(videos.folder.join("large.webm"))
        .unwrap();
    file.set_len(3 << 30).unwrap();
    videos.check("large.webm", (96, 72), [BLUE, ORANGE]);
}

#[test]
fn damaged_videos_affect_no_others() {
    let videos = Videos::new();
    let whole = sample("turned.mov");
    videos.write("cut.webm", &sample("late.webm")[..1500]);
    videos.write("cut.mov", &whole[..whole.len() / 2]);
    videos.write("empty.mp4", b"\0\0\0\x18ftypmp42\0\0\0\0isommp42");
    let noise: Vec<u8> = (0..20_000_u32)
        .map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    videos.write("noise.mkv", &[&sample("late.webm")[..300], &noise].concat());
    videos.write("whole.webm", &sample("late.webm"));
    assert_eq!(videos.thumbnail("cut.webm").0, (96, 72));
    for name in ["cut.mov", "empty.mp4", "noise.mkv"] {
        videos.check_refused(name, "picture_undecodable");
        assert_eq!(videos.state(name).as_deref(), Some("undecodable"), "{name}");
    }
    videos.check("whole.webm", (96, 72), [BLUE, ORANGE]);
}

/// A decoder may be installed at any time, so the video is not counted as undecodable.
#[test]
fn video_without_a_decoder_is_not_blamed() {
    let videos = Videos::new();
    let codec = b"jpeg";
    let mut unknown = sample("turned.mov");
    let places: Vec<_> = (0..unknown.len() - codec.len())
        .filter(|at| unknown[*at..].starts_with(codec))
        .collect();
    assert!(!places.is_empty());
    for at in places {
        unknown[at..at + codec.len()].copy_from_slice(b"Zz9!");
    }
    videos.write("unknown.mov", &unknown);
    videos.check_refused("unknown.mov", "no_video_decoder");
    assert_eq!(videos.state("unknown.mov"), None);
}
