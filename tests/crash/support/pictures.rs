//! Pictures to make thumbnails of, and a look at what was made.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::Random;

/// A picture that takes a moment.
pub(crate) fn write_noise(path: &Path, random: &Random) {
    let (width, height) = (600, 400);
    let file = File::create(path).unwrap();
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    let pixels: Vec<u8> = (0..width * height * 3)
        .map(|_| random.below(256) as u8)
        .collect();
    writer.write_image_data(&pixels).unwrap();
}

/// All files beneath a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found
}

/// How many thumbnails there are, each of them whole.
pub(crate) fn check_thumbnails(cache: &Path) -> usize {
    let mut pictures = files(cache);
    pictures.retain(|path| path.extension().is_some_and(|ending| ending == "png"));
    for path in &pictures {
        let decoder = png::Decoder::new(BufReader::new(File::open(path).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let whole = reader.next_frame(&mut pixels).and_then(|_| reader.finish());
        assert!(whole.is_ok(), "{} is half: {whole:?}", path.display());
    }
    pictures.len()
}
