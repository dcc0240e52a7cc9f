//! A sequence of pictures in a container: the tables of its tracks (ISO/IEC 14496-12, 8.3 to 8.7, and 23008-12, 7).

use super::bytes::{Bytes, FourCc, malformed};
use super::item::{Colours, colours_in};
use super::{Container, ContainerError};

/// An animated picture: a track with its colours and possibly one with its opacity, of the same number of samples.
#[derive(Debug)]
pub struct Sequence<'a> {
    pub colours: Track<'a>,
    pub opacity: Option<Track<'a>>,
    /// True if the colours were multiplied with the opacity.
    pub is_multiplied: bool,
    /// The number of times that all samples are shown; 0 for endlessly.
    pub plays: u16,
}

/// The samples of a track.
#[derive(Debug, Default)]
pub struct Track<'a> {
    /// In pixels.
    pub width: u32,
    pub height: u32,
    /// The encoding.
    pub kind: FourCc,
    pub samples: Vec<Sample>,
    properties: Vec<(FourCc, Bytes<'a>)>,
    /// The track to which this one belongs, and how.
    references: Vec<(FourCc, u32)>,
    id: u32,
    handler: FourCc,
    plays: u16,
}

/// The place of an encoded frame in its file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sample {
    offset: u64,
    length: u32,
    /// In milliseconds.
    pub duration: u32,
    /// True if it can be decoded without those before it.
    pub is_key: bool,
}

/// The maximum number of samples.
const MAX_SAMPLES: usize = 10_000;
/// Of a matrix: the picture is shown as it is stored.
const UPRIGHT: [i32; 9] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];
const UNKNOWN: [u64; 2] = [u32::MAX as u64, u64::MAX];

impl<'a> Sequence<'a> {
    /// Reads the sequence in a file with these bytes. `None` if it has none, but a single picture.
    ///
    /// # Errors
    /// [`ContainerError`], also for more samples than a sequence may have.
    pub fn read(file: &'a [u8]) -> Result<Option<Self>, ContainerError> {
        let Some(movie) = child(Bytes(file), *b"moov")? else {
            return Ok(None);
        };
        let mut tracks = Vec::new();
        for next in movie.boxes() {
            if let (kind, body) = next?
                && kind == *b"trak"
            {
                tracks.push(Track::read(body)?);
            }
        }
        let Some(at) = tracks.iter().position(|track| track.handler == *b"pict") else {
            return Ok(None);
        };
        let colours = tracks.swap_remove(at);
        if colours.samples.len() < 2 {
            return Ok(None);
        }
        let opacity = tracks
            .into_iter()
            .find(|track| track.references.contains(&(*b"auxl", colours.id)) && track.is_opacity());
        if opacity.as_ref().is_some_and(|opacity| {
            opacity.samples.len() != colours.samples.len()
                || (opacity.width, opacity.height) != (colours.width, colours.height)
        }) {
            return Err(malformed("its opacity does not match its colours"));
        }
        let is_multiplied = opacity
            .as_ref()
            .is_some_and(|opacity| colours.references.contains(&(*b"prem", opacity.id)));
        Ok(Some(Self {
            plays: colours.plays,
            colours,
            opacity,
            is_multiplied,
        }))
    }
}

impl<'a> Track<'a> {
    fn read(body: Bytes<'a>) -> Result<Self, ContainerError> {
        let mut track = Self::default();
        let mut duration = 0;
        if let Some(head) = child(body, *b"tkhd")? {
            duration = track.read_head(head)?;
        }
        if let Some(references) = child(body, *b"tref")? {
            for next in references.boxes() {
                let (kind, mut ids) = next?;
                while !ids.0.is_empty() {
                    track.references.push((kind, ids.u32()?));
                }
            }
        }
        if let Some(edits) = child(body, *b"edts")?
            && let Some(list) = child(edits, *b"elst")?
        {
            track.plays = plays(list, duration)?;
        }
        let Some(media) = child(body, *b"mdia")? else {
            return Ok(track);
        };
        if let Some(mut handler) = child(media, *b"hdlr")? {
            handler.take(8)?;
            track.handler = handler.four_cc()?;
        }
        if !matches!(&track.handler, b"pict" | b"auxv") {
            return Ok(track);
        }
        let timescale = required(media, *b"mdhd").and_then(timescale)?;
        let table = required(required(media, *b"minf")?, *b"stbl")?;
        track.read_description(required(table, *b"stsd")?)?;
        track.samples = samples(table, timescale)?;
        Ok(track)
    }

    /// Reads the head, and returns the duration.
    fn read_head(&mut self, mut body: Bytes<'_>) -> Result<u64, ContainerError> {
        let (version, _) = body.version()?;
        let size = if version == 1 { 8 } else { 4 };
        body.take(2 * usize::from(size))?;
        self.id = body.u32()?;
        body.take(4)?;
        let duration = body.sized(size)?;
        body.take(16)?;
        for expected in UPRIGHT {
            if body.i32()? != expected {
                return Err(malformed("its frames are turned"));
            }
        }
        Ok(duration)
    }

    fn read_description(&mut self, mut body: Bytes<'a>) -> Result<(), ContainerError> {
        body.version()?;
        if body.u32()? != 1 {
            return Err(malformed("its frames are of several kinds"));
        }
        let (kind, mut entry) = body.next_box()?;
        self.kind = kind;
        entry.take(24)?;
        (self.width, self.height) = (entry.u16()?.into(), entry.u16()?.into());
        entry.take(50)?;
        self.properties = entry.boxes().collect::<Result<_, _>>()?;
        if self.properties.iter().any(|(kind, _)| kind == b"clap") {
            return Err(malformed("its frames are cropped"));
        }
        Ok(())
    }

    fn is_opacity(&self) -> bool {
        let named = |body: &Bytes<'_>| {
            let name = body.0.get(4..).unwrap_or_default();
            name.starts_with(b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")
        };
        self.handler == *b"auxv"
            && self
                .properties
                .iter()
                .any(|(kind, body)| kind == b"auxi" && named(body))
    }

    /// Returns its colours.
    ///
    /// # Errors
    /// [`ContainerError`]
    pub fn colours(&self) -> Result<Colours<'a>, ContainerError> {
        let stated = self.properties.iter();
        colours_in(stated.filter_map(|(kind, body)| (kind == b"colr").then_some(*body)))
    }

    /// Returns the index of the last sample up to this one that can be decoded without those before it.
    #[must_use]
    pub fn key_before(&self, index: usize) -> usize {
        let mut upto = self.samples.iter().take(index + 1);
        upto.rposition(|sample| sample.is_key).unwrap_or(0)
    }
}

impl Sample {
    /// Returns its content, from the file with these bytes.
    ///
    /// # Errors
    /// [`ContainerError`] if it reaches beyond the file.
    pub fn content(self, file: &[u8]) -> Result<&[u8], ContainerError> {
        let start = usize::try_from(self.offset).ok();
        let rest = start.and_then(|start| file.get(start..));
        let content = rest.and_then(|rest| rest.get(..self.length as usize));
        content.ok_or(malformed("a frame is beyond the end"))
    }
}

/// Returns the first box of a kind, if there is one. An incomplete box behind it does not matter.
fn child(body: Bytes<'_>, wanted: FourCc) -> Result<Option<Bytes<'_>>, ContainerError> {
    for next in body.boxes().take(super::MAX_BOXES) {
        let (kind, content) = next?;
        if kind == wanted {
            return Ok(Some(content));
        }
    }
    Ok(None)
}

fn required(body: Bytes<'_>, wanted: FourCc) -> Result<Bytes<'_>, ContainerError> {
    child(body, wanted)?.ok_or(malformed("a table of its frames is missing"))
}

fn timescale(mut body: Bytes<'_>) -> Result<u32, ContainerError> {
    let (version, _) = body.version()?;
    body.take(if version == 1 { 16 } else { 8 })?;
    match body.u32()? {
        0 => Err(malformed("its frames have no durations")),
        timescale => Ok(timescale),
    }
}

/// Returns the plays of a list of edits, which may repeat its only one throughout the duration of the track.
fn plays(mut list: Bytes<'_>, duration: u64) -> Result<u16, ContainerError> {
    let (version, flags) = list.version()?;
    if flags & 1 == 0 {
        return Ok(1);
    }
    if list.u32()? != 1 || UNKNOWN.contains(&duration) {
        return Ok(0);
    }
    let once = list.sized(if version == 1 { 8 } else { 4 })?;
    let plays = duration.checked_div(once).unwrap_or(0);
    Ok(u16::try_from(plays).unwrap_or(0))
}

/// Returns the samples of a table.
fn samples(table: Bytes<'_>, timescale: u32) -> Result<Vec<Sample>, ContainerError> {
    let mut lengths = required(table, *b"stsz")?;
    lengths.version()?;
    let (common, count) = (lengths.u32()?, lengths.u32()? as usize);
    if count > MAX_SAMPLES {
        return Err(malformed("it has too many frames"));
    }
    let mut samples = vec![Sample::default(); count];
    for sample in &mut samples {
        sample.length = if common == 0 { lengths.u32()? } else { common };
    }
    set_offsets(&mut samples, table)?;
    set_durations(&mut samples, required(table, *b"stts")?, timescale)?;
    match child(table, *b"stss")? {
        // Without a table, each sample stands alone.
        None => samples.iter_mut().for_each(|sample| sample.is_key = true),
        Some(mut keys) => {
            keys.version()?;
            for _ in 0..(keys.u32()? as usize).min(count) {
                let number = keys.u32()? as usize;
                if let Some(sample) = number.checked_sub(1).and_then(|at| samples.get_mut(at)) {
                    sample.is_key = true;
                }
            }
        }
    }
    Ok(samples)
}

/// Places the samples one after the other in their chunks.
fn set_offsets(samples: &mut [Sample], table: Bytes<'_>) -> Result<(), ContainerError> {
    let (mut chunks, size) = match child(table, *b"stco")? {
        Some(chunks) => (chunks, 4),
        None => (required(table, *b"co64")?, 8),
    };
    chunks.version()?;
    let chunk_count = chunks.u32()?;
    let mut runs = required(table, *b"stsc")?;
    runs.version()?;
    let mut left = runs.u32()?;
    let mut run = |left: &mut u32| -> Result<Option<(u32, u32)>, ContainerError> {
        if *left == 0 {
            return Ok(None);
        }
        *left -= 1;
        let (first, length) = (runs.u32()?, runs.u32()?);
        runs.u32()?;
        Ok(Some((first, length)))
    };
    let mut rest = samples.iter_mut();
    let mut length = 0;
    let mut following = run(&mut left)?;
    for number in 1..=chunk_count {
        if let Some((first, of_run)) = following
            && first <= number
        {
            length = of_run;
            following = run(&mut left)?;
        }
        let mut offset = chunks.sized(size)?;
        for _ in 0..length {
            let Some(sample) = rest.next() else {
                return Ok(());
            };
            sample.offset = offset;
            offset = offset.saturating_add(sample.length.into());
        }
    }
    match rest.next() {
        None => Ok(()),
        Some(_) => Err(malformed("a frame has no place")),
    }
}

fn set_durations(
    samples: &mut [Sample],
    mut runs: Bytes<'_>,
    timescale: u32,
) -> Result<(), ContainerError> {
    runs.version()?;
    let mut rest = samples.iter_mut();
    for _ in 0..runs.u32()? {
        let (count, ticks) = (runs.u32()?, runs.u32()?);
        let milliseconds = u64::from(ticks) * 1000 / u64::from(timescale);
        let duration = u32::try_from(milliseconds).unwrap_or(u32::MAX);
        for _ in 0..count {
            let Some(sample) = rest.next() else {
                return Ok(());
            };
            sample.duration = duration;
        }
    }
    Ok(())
}

impl Container {
    /// True if the start of a file says that it is a sequence of AVIF pictures.
    #[must_use]
    pub fn is_sequence(head: &[u8]) -> bool {
        crate::sniff::brands(head).any(|brand| brand == b"avis")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn fixture(name: &str) -> Vec<u8> {
        let images = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/images");
        std::fs::read(images.join(name)).unwrap()
    }

    fn at(bytes: &[u8], kind: &[u8; 4]) -> usize {
        bytes.windows(4).position(|found| found == kind).unwrap()
    }

    #[test]
    fn samples_have_places_and_durations() {
        let bytes = fixture("animated/d-moving.avif");
        assert!(Container::is_sequence(&bytes));
        let sequence = Sequence::read(&bytes).unwrap().unwrap();
        let track = &sequence.colours;
        assert_eq!((track.width, track.height, &track.kind), (40, 30, b"av01"));
        let durations = track.samples.iter().map(|sample| sample.duration);
        assert_eq!(durations.collect::<Vec<_>>(), [200, 300, 400]);
        assert_eq!((sequence.plays, sequence.opacity.is_none()), (0, true));
        assert_eq!(track.key_before(2), 0);
        let lengths: usize = track
            .samples
            .iter()
            .map(|sample| sample.content(&bytes).unwrap().len())
            .sum();
        assert!(lengths <= bytes.len() - at(&bytes, b"mdat"));
    }

    #[test]
    fn opacity_is_a_track_of_its_own() {
        let bytes = fixture("animated/e-clear.avif");
        let sequence = Sequence::read(&bytes).unwrap().unwrap();
        assert_eq!(sequence.opacity.unwrap().samples.len(), 3);
        assert!(!sequence.is_multiplied);
    }

    #[test]
    fn edits_tell_the_plays() {
        let edits =
            |flags: u8, once: u8| [&[0, 0, 0, flags, 0, 0, 0, 1, 0, 0, 0, once][..]].concat();
        let read = |flags, once, duration| plays(Bytes(&edits(flags, once)), duration).unwrap();
        assert_eq!(read(0, 9, 9), 1);
        assert_eq!(read(1, 9, 27), 3);
        assert_eq!(read(1, 9, u32::MAX.into()), 0);
        assert_eq!(read(1, 0, 27), 0);
    }

    #[test]
    fn single_picture_is_no_sequence() {
        let bytes = fixture("samples/scene.avif");
        assert!(!Container::is_sequence(&bytes));
        assert!(Sequence::read(&bytes).unwrap().is_none());
    }

    #[test]
    fn too_many_and_turned_frames_are_refused() {
        let whole = fixture("animated/d-moving.avif");
        let mut many = whole.clone();
        let count = at(&whole, b"stsz") + 12;
        many[count..count + 4].copy_from_slice(&10_001_u32.to_be_bytes());
        assert!(Sequence::read(&many).is_err());
        let mut turned = whole.clone();
        let matrix = at(&whole, b"tkhd") + 4 + 52;
        turned[matrix..matrix + 4].copy_from_slice(&0_u32.to_be_bytes());
        assert!(Sequence::read(&turned).is_err());
    }

    #[test]
    fn any_cut_and_any_byte_ends() {
        let whole = fixture("animated/e-clear.avif");
        for end in 0..whole.len() {
            let _ends = Sequence::read(&whole[..end]);
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            if let Ok(Some(sequence)) = Sequence::read(&damaged) {
                let samples = sequence.colours.samples.iter();
                samples.for_each(|sample| drop(sample.content(&damaged)));
            }
        }
    }
}
