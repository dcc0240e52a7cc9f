//! Pictures with a date in their EXIF metadata, and sidecars with marks.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::fixture;

/// Writes a picture with this EXIF date (`2024:05:06 07:08:09`).
///
/// # Errors
/// Fails if it can't be written.
pub fn put_dated_picture(folder: &Path, name: &str, taken: &str) -> Result<()> {
    let picture = fs::read(fixture("images/orientation/Landscape_1.jpg"))?;
    // A TIFF of two directories: the first refers to the EXIF directory, which has the date.
    let mut notes =
        b"Exif\0\0II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x1a\0\0\0\0\0\0\0".to_vec();
    notes.extend(b"\x01\0\x03\x90\x02\0\x14\0\0\0\x2c\0\0\0\0\0\0\0");
    notes.extend(taken.as_bytes());
    notes.push(0);
    let length = u16::try_from(notes.len() + 2)?.to_be_bytes();
    let (start, rest) = picture.split_at(2);
    let bytes = [start, &[0xFF, 0xE1], &length, &notes, rest].concat();
    Ok(fs::write(folder.join(name), bytes)?)
}

/// Writes the sidecar of a picture, as another program that rates and tags would.
///
/// # Errors
/// Fails if it can't be written.
pub fn put_sidecar(folder: &Path, name: &str, rating: u8, tags: &[&str]) -> Result<()> {
    let tags: String = tags
        .iter()
        .map(|tag| format!("<rdf:li>{tag}</rdf:li>"))
        .collect();
    let sidecar = format!(
        r#"<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:digiKam="http://www.digikam.org/ns/1.0/" xmp:Rating="{rating}">
   <digiKam:TagsList><rdf:Seq>{tags}</rdf:Seq></digiKam:TagsList>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
"#
    );
    Ok(fs::write(folder.join(format!("{name}.xmp")), sidecar)?)
}
