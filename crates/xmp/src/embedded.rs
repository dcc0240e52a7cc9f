//! The marks in a picture's own file: those of its XMP packet, else of IPTC, else of EXIF, as the Metadata Working Group
//! advises for each of them. They are read only.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::UTF_8;
use jiff::civil::DateTime;

use super::encoding::Encoding;
use super::packet::{self, Packet};
use super::read::marks_of;
use super::schema::{
    CREATED, DESCRIPTION, PATHS, Property, RATING, RATING_OF_ACDSEE, SUBJECT, TAKEN, TITLE,
};
use super::tag::{Tag, without_duplicates};
use super::{Marks, Rating, SidecarError, SidecarMarks};

/// The text metadata of a picture, as it is stored in the file.
#[derive(Debug, Clone, Copy, Default)]
pub struct EmbeddedText<'a> {
    /// The XMP packet.
    pub xmp: Option<&'a [u8]>,
    /// The datasets of IPTC-IIM.
    pub iptc: Option<&'a [u8]>,
    pub exif: ExifText<'a>,
}

/// The texts that Windows and cameras write into EXIF.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExifText<'a> {
    /// 0 to 5 stars, as Windows writes them.
    pub rating: Option<u32>,
    /// Keywords separated by semicolons.
    pub keywords: Option<&'a str>,
    pub title: Option<&'a str>,
    pub caption: Option<&'a str>,
    /// True if EXIF states when the picture was taken: the date of the packet is not needed.
    pub is_dated: bool,
}

/// A place in a picture's file at which marks are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbeddedPlace {
    Xmp,
    Iptc,
    Exif,
}

/// The marks in a picture's own file, with the place of each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmbeddedMarks {
    pub marks: Marks,
    pub rating: Option<EmbeddedPlace>,
    pub tags: Option<EmbeddedPlace>,
    pub caption: Option<EmbeddedPlace>,
    pub title: Option<(String, EmbeddedPlace)>,
    /// When the picture was taken, by its XMP packet.
    pub taken: Option<DateTime>,
}

/// The marks at one place.
#[derive(Default)]
struct Layer {
    marks: Marks,
    title: Option<String>,
}

impl EmbeddedMarks {
    /// Reads the marks. Damaged metadata has none: the picture itself is still shown.
    #[must_use]
    pub fn read(text: &EmbeddedText<'_>) -> Self {
        let mut found = Self::default();
        let dates: &[_] = match text.exif.is_dated {
            true => &[],
            false => &[&TAKEN, &CREATED],
        };
        let xmp = text.xmp.filter(|packet| may_have_marks(packet, dates));
        let xmp = xmp.map(of_packet).transpose();
        let xmp = xmp.unwrap_or_else(|error| {
            tracing::debug!("the metadata in a picture can't be read: {error}");
            None
        });
        let layers = [
            (EmbeddedPlace::Xmp, xmp),
            (EmbeddedPlace::Iptc, text.iptc.map(of_datasets)),
            (EmbeddedPlace::Exif, Some(of_exif(&text.exif))),
        ];
        for (place, layer) in layers {
            if let Some(layer) = layer {
                found.take(place, layer);
            }
        }
        found
    }

    fn take(&mut self, place: EmbeddedPlace, layer: Layer) {
        let Layer { marks, title } = layer;
        self.taken = self.taken.or(marks.taken);
        if self.rating.is_none() && marks.rating.is_some() {
            (self.rating, self.marks.rating) = (Some(place), marks.rating);
        }
        if self.tags.is_none() && !marks.tags.is_empty() {
            (self.tags, self.marks.tags) = (Some(place), marks.tags);
        }
        if self.caption.is_none() && marks.caption.is_some() {
            (self.caption, self.marks.caption) = (Some(place), marks.caption);
        }
        if self.title.is_none() {
            self.title = title.map(|title| (title, place));
        }
    }
}

/// Returns false for a packet that names no mark and none of the other properties. Most packets of cameras do not, and
/// parsing costs more than reading.
fn may_have_marks(packet: &[u8], others: &[&Property]) -> bool {
    let paths = PATHS.iter().map(|paths| &paths.property);
    let mut names = paths
        .chain([&RATING, &RATING_OF_ACDSEE, &SUBJECT, &DESCRIPTION, &TITLE])
        .chain(others.iter().copied())
        .map(|property| property.name().as_bytes());
    // A packet in UTF-16 is always parsed.
    !packet.starts_with(b"<") || names.any(|name| contains(packet, name))
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(bytes, part).is_some()
}

fn of_packet(packet: &[u8]) -> Result<Layer, SidecarError> {
    // Some programs end it with zeros.
    let end = packet.iter().rposition(|&byte| byte != 0);
    let packet = &packet[..end.map_or(0, |last| last + 1)];
    let (text, _) = Encoding::decode(packet)?;
    let document = packet::parse(&text)?;
    let packet = Packet::of(&document)?;
    let SidecarMarks { marks, title, .. } = marks_of(&packet)?;
    Ok(Layer { marks, title })
}

// Datasets of the second record (IPTC-IIM 4.2, chapter 6).
const OBJECT_NAME: u8 = 5;
const KEYWORDS: u8 = 25;
const CAPTION: u8 = 120;
/// The maximum number of datasets that are read.
const MAX_DATASETS: usize = 10_000;

fn of_datasets(bytes: &[u8]) -> Layer {
    let datasets: Vec<_> = Datasets(bytes).take(MAX_DATASETS).collect();
    // The first record names the coded character set: that of UTF-8 is ESC % G.
    let is_utf8 = datasets.contains(&Dataset {
        record: 1,
        number: 90,
        content: b"\x1b%G",
    });
    let of = |number| {
        datasets
            .iter()
            .filter(move |dataset| dataset.record == 2 && dataset.number == number)
            .map(|dataset| decoded(dataset.content, is_utf8))
    };
    let tags = of(KEYWORDS).filter_map(|text| Tag::read(&text));
    Layer {
        marks: Marks {
            rating: None,
            tags: without_duplicates(tags),
            caption: of(CAPTION).find_map(|text| trimmed(&text)),
            orientation: None,
            crop: None,
            taken: None,
        },
        title: of(OBJECT_NAME).find_map(|text| trimmed(&text)),
    }
}

/// Decodes a text. Without a coded character set, it may be in any that programs of its time used.
fn decoded(bytes: &[u8], is_utf8: bool) -> String {
    let bytes = bytes.strip_suffix(b"\0").unwrap_or(bytes);
    if is_utf8 || str::from_utf8(bytes).is_ok() {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let encoding = if encoding == UTF_8 {
        encoding_rs::WINDOWS_1252
    } else {
        encoding
    };
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// The datasets up to the first that is cut short.
struct Datasets<'a>(&'a [u8]);

#[derive(PartialEq, Eq)]
struct Dataset<'a> {
    record: u8,
    number: u8,
    content: &'a [u8],
}

impl<'a> Iterator for Datasets<'a> {
    type Item = Dataset<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let &[0x1C, record, number, a, b, ref rest @ ..] = self.0 else {
            return None;
        };
        // A length of more than 15 bits is in the bytes that follow; no text is that long.
        let length = u16::from_be_bytes([a, b]);
        let (content, rest) = rest.split_at_checked(usize::from(length))?;
        self.0 = rest;
        Some(Dataset {
            record,
            number,
            content,
        })
    }
}

fn of_exif(exif: &ExifText<'_>) -> Layer {
    let keywords = exif.keywords.unwrap_or_default().split(';');
    let rating = exif.rating.and_then(|stars| i8::try_from(stars).ok());
    Layer {
        marks: Marks {
            rating: rating.and_then(Rating::of_number),
            tags: without_duplicates(keywords.filter_map(Tag::read)),
            caption: exif
                .caption
                .filter(|text| !is_of_camera(text))
                .and_then(trimmed),
            orientation: None,
            crop: None,
            taken: None,
        },
        title: exif.title.and_then(trimmed),
    }
}

/// True for a description that a camera or a scanner writes into each of its pictures.
fn is_of_camera(text: &str) -> bool {
    const BY_CAMERAS: [&str; 7] = [
        "OLYMPUS DIGITAL CAMERA",
        "MINOLTA DIGITAL CAMERA",
        "SONY DSC",
        "KODAK Digital Still Camera",
        "SAMSUNG CAMERA PICTURES",
        "DIGITAL CAMERA",
        "DCIM",
    ];
    let text = text.trim();
    // Also a text whose encoding is not known.
    text.contains(char::REPLACEMENT_CHARACTER)
        || BY_CAMERAS
            .iter()
            .any(|by| text.get(..by.len()).is_some_and(|start| start == *by))
}

fn trimmed(text: &str) -> Option<String> {
    let is_blank = |character: char| character == '\0' || character.is_whitespace();
    let text = text.trim_matches(is_blank);
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dataset(record: u8, number: u8, content: &[u8]) -> Vec<u8> {
        let length = u16::try_from(content.len()).unwrap().to_be_bytes();
        [&[0x1C, record, number], &length[..], content].concat()
    }

    fn names(marks: &Marks) -> Vec<String> {
        marks.tags.iter().map(Tag::to_string).collect()
    }

    const XMP: &[u8] = b"<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>\
        <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \
        xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' \
        xmlns:MicrosoftPhoto='http://ns.microsoft.com/photo/1.0/' \
        xmlns:lr='http://ns.adobe.com/lightroom/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/' \
        MicrosoftPhoto:Rating='75'><dc:title><rdf:Alt><rdf:li xml:lang='x-default'>A title</rdf:li>\
        </rdf:Alt></dc:title><lr:hierarchicalSubject><rdf:Bag><rdf:li>Places|Norway|Oslo</rdf:li>\
        </rdf:Bag></lr:hierarchicalSubject></rdf:Description></rdf:RDF></x:xmpmeta>\
        <?xpacket end='w'?>\0\0";

    #[test]
    fn first_place_with_a_mark_has_it() {
        let iptc = [
            dataset(1, 90, b"\x1b%G"),
            dataset(2, KEYWORDS, "海".as_bytes()),
            dataset(2, CAPTION, "夕方の庭".as_bytes()),
            dataset(2, OBJECT_NAME, b"Another title"),
        ]
        .concat();
        let exif = ExifText {
            rating: Some(2),
            keywords: Some("red; blue"),
            title: None,
            caption: Some("by Windows"),
            is_dated: true,
        };
        let all = EmbeddedText {
            xmp: Some(XMP),
            iptc: Some(&iptc),
            exif,
        };
        let found = EmbeddedMarks::read(&all);
        assert_eq!(found.marks.rating, Some(Rating::Four));
        assert_eq!(names(&found.marks), ["Places/Norway/Oslo"]);
        assert_eq!(found.marks.caption.as_deref(), Some("夕方の庭"));
        let title = ("A title".to_owned(), EmbeddedPlace::Xmp);
        assert_eq!(found.title, Some(title));
        assert_eq!(found.tags, Some(EmbeddedPlace::Xmp));
        assert_eq!(found.caption, Some(EmbeddedPlace::Iptc));
        let without = EmbeddedText {
            xmp: Some(b"<broken"),
            ..all
        };
        let found = EmbeddedMarks::read(&without);
        assert_eq!(found.rating, Some(EmbeddedPlace::Exif));
        assert_eq!(names(&found.marks), ["海"]);
        let only_exif = EmbeddedText {
            exif,
            ..EmbeddedText::default()
        };
        let found = EmbeddedMarks::read(&only_exif);
        assert_eq!(found.marks.rating, Some(Rating::Two));
        assert_eq!(names(&found.marks), ["red", "blue"]);
        assert_eq!(found.marks.caption.as_deref(), Some("by Windows"));
    }

    #[test]
    fn date_of_packet_counts_without_one_in_exif() {
        let packet = String::from_utf8(XMP.to_vec()).unwrap();
        let date = "xmlns:exif='http://ns.adobe.com/exif/1.0/' exif:DateTimeOriginal='2024-05-06T07:08+09:00' ";
        let packet = packet
            .replace("MicrosoftPhoto:Rating='75'", date)
            .replace("title", "rights")
            .replace("lr:hierarchicalSubject", "lr:other");
        let taken = |is_dated| {
            let text = EmbeddedText {
                xmp: Some(packet.as_bytes()),
                exif: ExifText {
                    is_dated,
                    ..ExifText::default()
                },
                ..EmbeddedText::default()
            };
            EmbeddedMarks::read(&text).taken
        };
        assert_eq!(taken(false), "2024-05-06T07:08:00".parse().ok());
        assert_eq!(taken(true), None);
    }

    #[test]
    fn old_japanese_keywords_are_decoded() {
        let (text, ..) = encoding_rs::SHIFT_JIS.encode("京都の紅葉、夕方の庭");
        let layer = of_datasets(&dataset(2, CAPTION, &text));
        assert_eq!(layer.marks.caption.as_deref(), Some("京都の紅葉、夕方の庭"));
        let layer = of_datasets(&dataset(2, CAPTION, b"caf\xe9 au lait"));
        assert_eq!(layer.marks.caption.as_deref(), Some("café au lait"));
        // The end is missing.
        let whole = dataset(2, KEYWORDS, b"sea");
        let cut = [&whole[..], &whole[..whole.len() - 1]].concat();
        assert_eq!(names(&of_datasets(&cut).marks), ["sea"]);
    }

    #[test]
    fn texts_of_cameras_are_no_captions() {
        for text in [
            "OLYMPUS DIGITAL CAMERA         ",
            "SONY DSC",
            "a\u{fffd}",
            " \0",
        ] {
            let exif = ExifText {
                caption: Some(text),
                ..ExifText::default()
            };
            assert_eq!(of_exif(&exif).marks.caption, None, "{text}");
        }
    }
}
