//! Pictures for thumbnails, and a check of the results.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::home::files;
use super::{Home, Random, Server};

/// Returns a server that may read a folder with one picture, and the picture's query for an address.
pub(crate) fn with_a_picture(home: &Home) -> (Server, String) {
    let pictures = home.path().join("pictures");
    std::fs::create_dir(&pictures).unwrap();
    let fixture = fumikura_tests::seed::fixture("images/orientation/Landscape_1.jpg");
    std::fs::copy(fixture, pictures.join("a.jpg")).unwrap();
    let allow = ["--allow", pictures.to_str().unwrap()];
    let server = Server::start_with(home, &mut home.serve(&allow));
    let root = server.client().open_root(&pictures).is(201).json();
    let query = format!("root={}&path=a.jpg", root["id"].as_str().unwrap());
    (server, query)
}

/// Writes a picture that takes a moment to decode.
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

/// Returns the number of thumbnails, after checking that each is complete.
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
