//! The serialized form of a picture in a folder's manifest.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use fumikura_fs::{Ctime, Mtime};
use fumikura_image::{CameraName, Head, LensName, PictureHash};
use fumikura_xmp::{CameraRawCrop, Marks, Rating, SidecarMarks, StatedMarks, Tag};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::super::header::HeaderMetadata;
use super::super::read_state::{FileState, MetadataRead, ReadState};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Row<'a> {
    pub(super) name: &'a [u8],
    #[serde(borrow)]
    picture: Option<(StateRow, HeaderRow<'a>)>,
    #[serde(borrow)]
    sidecar: Option<(StateRow, MarksRow<'a>, StatedRow)>,
    /// The bytes of its hash.
    #[serde(borrow)]
    hash: Option<(StateRow, &'a [u8])>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StateRow {
    size: u64,
    seconds: i64,
    nanoseconds: u32,
    /// The time of the last change of the status: seconds and nanoseconds.
    status: (i64, u32),
}

#[derive(Debug, Serialize, Deserialize)]
struct HeaderRow<'a> {
    head: Option<(u32, u32, u8)>,
    taken: Option<DateRow>,
    embeds: bool,
    camera: Option<&'a str>,
    lens: Option<&'a str>,
    is_incomplete: bool,
    /// The duration of a video, in milliseconds.
    duration: Option<u64>,
    /// The marks in the picture's own file.
    #[serde(borrow)]
    embedded: Option<MarksRow<'a>>,
}

/// Seconds since 1970 and nanoseconds, as if the camera’s clock were set to UTC.
type DateRow = (i64, i32);

fn date_row(date: DateTime) -> Option<DateRow> {
    let date = TimeZone::UTC.to_timestamp(date).ok()?;
    Some((date.as_second(), date.subsec_nanosecond()))
}

fn date_of((seconds, nanoseconds): DateRow) -> Option<DateTime> {
    let date = Timestamp::new(seconds, nanoseconds).ok()?;
    Some(TimeZone::UTC.to_datetime(date))
}

/// True for each mark that a sidecar states: the rating, the tags and the caption.
type StatedRow = (bool, bool, bool);

#[derive(Debug, Serialize, Deserialize)]
struct MarksRow<'a> {
    /// The value of `xmp:Rating`; 0 if there is none.
    rating: i8,
    /// The levels of each tag, from the widest to the narrowest.
    #[serde(borrow)]
    tags: Vec<Cow<'a, str>>,
    /// The beginning of the caption.
    #[serde(borrow)]
    caption: Option<Cow<'a, str>>,
    /// The value of `tiff:Orientation`; 0 if there is none.
    orientation: u8,
    /// The top, left, bottom and right side and the angle of the crop.
    crop: Option<[i32; 5]>,
    /// The value of `exif:DateTimeOriginal`.
    taken: Option<DateRow>,
}

impl From<FileState> for StateRow {
    fn from(state: FileState) -> Self {
        Self {
            size: state.size,
            seconds: state.mtime.seconds,
            nanoseconds: state.mtime.nanoseconds,
            status: (state.ctime.seconds, state.ctime.nanoseconds),
        }
    }
}

impl From<StateRow> for FileState {
    fn from(row: StateRow) -> Self {
        Self {
            size: row.size,
            mtime: Mtime {
                seconds: row.seconds,
                nanoseconds: row.nanoseconds,
            },
            ctime: Ctime {
                seconds: row.status.0,
                nanoseconds: row.status.1,
            },
        }
    }
}

impl From<&HeaderMetadata> for HeaderRow<'_> {
    fn from(header: &HeaderMetadata) -> Self {
        Self {
            embedded: header.embedded.as_deref().map(MarksRow::from),
            head: header
                .head
                .map(|head| (head.width, head.height, head.orientation)),
            taken: header.taken.and_then(date_row),
            embeds: header.embeds,
            camera: header.camera.map(CameraName::as_str),
            lens: header.lens.map(LensName::as_str),
            is_incomplete: header.is_incomplete,
            duration: header
                .duration
                .and_then(|duration| u64::try_from(duration.as_millis()).ok()),
        }
    }
}

impl From<HeaderRow<'_>> for HeaderMetadata {
    fn from(row: HeaderRow<'_>) -> Self {
        Self {
            embedded: row.embedded.map(|marks| Arc::new(marks.into())),
            head: row.head.map(|(width, height, orientation)| Head {
                width,
                height,
                orientation,
            }),
            taken: row.taken.and_then(date_of),
            embeds: row.embeds,
            camera: row.camera.and_then(CameraName::of_name),
            lens: row.lens.and_then(LensName::of_name),
            is_incomplete: row.is_incomplete,
            duration: row.duration.map(Duration::from_millis),
        }
    }
}

impl From<&Marks> for MarksRow<'_> {
    fn from(marks: &Marks) -> Self {
        Self {
            rating: marks.rating.map_or(0, Rating::number),
            tags: marks
                .tags
                .iter()
                .map(|tag| tag.to_string().into())
                .collect(),
            caption: marks.caption.clone().map(Cow::Owned),
            orientation: marks.orientation.unwrap_or(0),
            crop: marks
                .crop
                .map(|crop| [crop.top, crop.left, crop.bottom, crop.right, crop.angle]),
            taken: marks.taken.and_then(date_row),
        }
    }
}

impl From<MarksRow<'_>> for Marks {
    fn from(row: MarksRow<'_>) -> Self {
        Self {
            rating: Rating::of_number(row.rating),
            tags: row.tags.iter().filter_map(|tag| Tag::read(tag)).collect(),
            caption: row.caption.map(Cow::into_owned),
            orientation: Some(row.orientation).filter(|number| (1..=8).contains(number)),
            crop: row
                .crop
                .map(|[top, left, bottom, right, angle]| CameraRawCrop {
                    top,
                    left,
                    bottom,
                    right,
                    angle,
                }),
            taken: row.taken.and_then(date_of),
        }
    }
}

impl<'a> Row<'a> {
    pub(super) fn new(name: &'a [u8], outcome: &'a MetadataRead) -> Self {
        let row = |of: FileState| StateRow::from(of);
        Self {
            name,
            picture: match &outcome.header {
                ReadState::Read(of, header) => Some((row(*of), header.into())),
                ReadState::Unread | ReadState::Failed(_) => None,
            },
            sidecar: match &outcome.marks {
                ReadState::Read(of, sidecar) => {
                    let StatedMarks {
                        rating,
                        tags,
                        caption,
                    } = sidecar.stated;
                    let marks = (&sidecar.marks).into();
                    Some((row(*of), marks, (rating, tags, caption)))
                }
                ReadState::Unread | ReadState::Failed(_) => None,
            },
            hash: match &outcome.hash {
                ReadState::Read(of, hash) => Some((row(*of), hash.as_bytes())),
                ReadState::Unread | ReadState::Failed(_) => None,
            },
        }
    }

    pub(super) fn outcome(self) -> MetadataRead {
        let picture = self.picture;
        let (sidecar, hash) = (self.sidecar, self.hash);
        MetadataRead {
            header: picture.map_or(ReadState::Unread, |(of, header)| {
                ReadState::Read(of.into(), header.into())
            }),
            marks: sidecar.map_or(ReadState::Unread, |(of, marks, stated)| {
                let (rating, tags, caption) = stated;
                let sidecar = SidecarMarks {
                    marks: marks.into(),
                    stated: StatedMarks {
                        rating,
                        tags,
                        caption,
                    },
                    title: None,
                };
                ReadState::Read(of.into(), Arc::new(sidecar))
            }),
            hash: hash.map_or(ReadState::Unread, |(of, bytes)| {
                let hash = PictureHash::from_bytes(bytes);
                hash.map_or(ReadState::Unread, |hash| ReadState::Read(of.into(), hash))
            }),
        }
    }
}
