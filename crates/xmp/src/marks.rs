//! The marks of a picture and of its sidecar, and changes of them.

use jiff::SignedDuration;
use jiff::civil::DateTime;

use super::crop::CameraRawCrop;
use super::tag::{Tag, without_duplicates};
use super::tag_rename::TagRename;

/// The rating of a picture: `xmp:Rating`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rating {
    /// −1: to be discarded.
    Rejected,
    /// One star.
    One,
    /// Two stars.
    Two,
    /// Three stars.
    Three,
    /// Four stars.
    Four,
    /// Five stars.
    Five,
}

impl Rating {
    /// All ratings, from the worst to the best.
    pub const ALL: [Self; 6] = [
        Self::Rejected,
        Self::One,
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
    ];

    /// The number of `xmp:Rating`: −1, or 1 to 5.
    #[must_use]
    pub fn number(self) -> i8 {
        match self {
            Self::Rejected => -1,
            Self::One => 1,
            Self::Two => 2,
            Self::Three => 3,
            Self::Four => 4,
            Self::Five => 5,
        }
    }

    /// Returns the rating of a number; `None` for 0, which means “not rated”, and for invalid numbers.
    #[must_use]
    pub fn of_number(number: i8) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|rating| rating.number() == number)
    }

    /// Returns the rating of a percentage of Windows; `None` for 0, which means “not rated”, and for invalid ones.
    pub(super) fn of_percent(percent: u8) -> Option<Self> {
        match percent {
            1..=12 => Some(Self::One),
            13..=37 => Some(Self::Two),
            38..=62 => Some(Self::Three),
            63..=87 => Some(Self::Four),
            88..=100 => Some(Self::Five),
            _ => None,
        }
    }

    /// Returns the percentage that Windows and digiKam write.
    pub(super) fn percent(self) -> u8 {
        match self {
            Self::Rejected => 0,
            Self::One => 1,
            Self::Two => 25,
            Self::Three => 50,
            Self::Four => 75,
            Self::Five => 99,
        }
    }

    /// Reads a number. Some programs write `3.0`, and the standard allows halves.
    pub(super) fn read(text: &str) -> Option<Self> {
        let number: f64 = text.trim().parse().ok()?;
        Self::ALL
            .into_iter()
            .find(|rating| f64::from(rating.number()) == number.round())
    }
}

/// The marks of a picture.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// The rating; `None` if the picture is not rated.
    pub rating: Option<Rating>,
    /// The tags in the order of the file, without duplicates.
    pub tags: Vec<Tag>,
    /// The caption: `dc:description`, in its default language.
    pub caption: Option<String>,
    /// The orientation, 1 to 8: `tiff:Orientation`, which replaces the one in the picture's own file.
    pub orientation: Option<u8>,
    /// The part that is shown.
    pub crop: Option<CameraRawCrop>,
    /// The date on which the picture was taken, by the clock of its place: `exif:DateTimeOriginal`, which replaces the
    /// one in the picture's own file.
    pub taken: Option<DateTime>,
}

/// The marks in a sidecar. Each mark that it does not state is the one in the picture itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SidecarMarks {
    pub marks: Marks,
    pub stated: StatedMarks,
    /// The title; `None` in a listing.
    pub title: Option<String>,
}

/// The marks that a sidecar states, even as none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StatedMarks {
    pub rating: bool,
    pub tags: bool,
    pub caption: bool,
}

impl SidecarMarks {
    /// Returns the marks for a listing, like [`Marks::truncated`].
    #[must_use]
    pub fn truncated(self) -> Self {
        Self {
            marks: self.marks.truncated(),
            title: None,
            ..self
        }
    }

    /// Returns the marks of a picture that has these marks in its own file.
    #[must_use]
    pub fn over(&self, embedded: &Marks) -> Marks {
        let from = |is_stated| if is_stated { &self.marks } else { embedded };
        Marks {
            rating: from(self.stated.rating).rating,
            tags: from(self.stated.tags).tags.clone(),
            caption: from(self.stated.caption).caption.clone(),
            // The orientation, the crop and the date in the file are not marks.
            orientation: self.marks.orientation,
            crop: self.marks.crop,
            taken: self.marks.taken,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MarksChange {
    pub rating: RatingChange,
    pub tags: TagsChange,
    pub caption: CaptionChange,
    pub orientation: OrientationChange,
    pub crop: CropChange,
    pub taken: TakenChange,
    /// True to delete a sidecar that this program created if the change leaves no mark in it: an undo of the first mark.
    pub discards_empty: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum CaptionChange {
    /// The caption stays.
    #[default]
    Keep,
    /// The caption is removed.
    Clear,
    /// Sets this caption. An empty text removes it.
    Set(String),
    /// Sets this caption, unless the picture has one: a machine's text never replaces a user's.
    SetIfAbsent(String),
}

/// Returns a caption as it is stored: trimmed, with line breaks and tabs, without other control characters. A longer
/// text is cut.
fn caption_of(text: &str) -> Option<String> {
    let is_kept = |one: &char| !one.is_control() || matches!(one, '\n' | '\t');
    let text: String = text.chars().filter(is_kept).take(MAX_CAPTION).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The maximum number of characters of a caption in a listing.
const LISTED_CAPTION: usize = 500;
/// The maximum number of characters of a caption that is written.
const MAX_CAPTION: usize = 20_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrientationChange {
    /// The orientation stays.
    #[default]
    Keep,
    /// The new orientation by the present one, each 1 to 8, or 0 for none: a turn depends on the one before it.
    Map([u8; 9]),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CropChange {
    /// The crop stays.
    #[default]
    Keep,
    /// The whole picture is shown.
    Clear,
    Set(CameraRawCrop),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TakenChange {
    /// The date stays.
    #[default]
    Keep,
    /// The date is that of the picture's own file again.
    Clear,
    Set(DateTime),
    /// Moves the date. A picture without one stays without one, and so does a date that would leave the calendar.
    Shift {
        /// The date in the picture's own file.
        own: Option<DateTime>,
        by: SignedDuration,
    },
}

impl TakenChange {
    fn apply_to(self, before: Option<DateTime>) -> Option<DateTime> {
        match self {
            Self::Keep => before,
            Self::Clear => None,
            Self::Set(taken) => Some(taken),
            Self::Shift { own, by } => {
                let shifted = before.or(own)?.checked_add(by);
                shifted.map_or(before, |date| Some(date).filter(|_| own != Some(date)))
            }
        }
    }
}

/// Reads a date of XMP, of which the end may be missing, or of EXIF, which darktable writes. The time zone does not
/// matter: the date is that of the clock at the place of the picture.
pub(super) fn read_date(text: &str) -> Option<DateTime> {
    let (date, time) = text
        .trim()
        .split_at_checked("2026-11-20".len())
        .unwrap_or((text.trim(), ""));
    let date = date.replace(':', "-");
    let full = match date.len() {
        4 => format!("{date}-01-01"),
        7 => format!("{date}-01"),
        _ => date,
    };
    let time = time.trim_start_matches(['T', ' ']);
    let end = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let time = match time[..end].trim() {
        "" => "00:00",
        time => time,
    };
    format!("{full}T{time}").parse().ok()
}

/// Reads `tiff:Orientation`.
pub(super) fn read_orientation(text: &str) -> Option<u8> {
    let number: u8 = text.trim().parse().ok()?;
    (1..=8).contains(&number).then_some(number)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RatingChange {
    /// The rating stays.
    #[default]
    Keep,
    /// The rating is removed.
    Clear,
    Set(Rating),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TagsChange {
    /// The tags stay.
    #[default]
    Keep,
    /// Sets these tags, and no others.
    Set(Vec<Tag>),
    /// Adds and removes some tags, whatever other tags exist. Used for changes of many pictures at once, and safe if
    /// another program changes the file meanwhile. A tag in both lists is kept or added.
    Each {
        /// The tags to add, at the end.
        add: Vec<Tag>,
        remove: Vec<Tag>,
    },
    /// Renames or removes tags, with those below them. A tag that would be too long stays.
    Rename(TagRename),
    /// Undoes a change of tags, whatever has been changed since.
    Restore {
        /// The tags before the change.
        before: Vec<Tag>,
        /// The tags after it.
        after: Vec<Tag>,
    },
}

impl Marks {
    /// Returns the marks for a listing, which may hold those of very many pictures: with only the beginning of the
    /// caption.
    pub fn truncated(mut self) -> Self {
        self.caption =
            self.caption
                .map(|caption| match caption.char_indices().nth(LISTED_CAPTION) {
                    Some((end, _)) => caption[..end].to_owned(),
                    None => caption,
                });
        self
    }
}

impl MarksChange {
    /// Returns the result of the change of `before`.
    #[must_use]
    pub fn apply_to(&self, before: &Marks) -> Marks {
        let rating = match self.rating {
            RatingChange::Keep => before.rating,
            RatingChange::Clear => None,
            RatingChange::Set(rating) => Some(rating),
        };
        let tags = match &self.tags {
            TagsChange::Keep => before.tags.clone(),
            TagsChange::Set(tags) => without_duplicates(tags.iter().cloned()),
            TagsChange::Each { add, remove } => each(&before.tags, add, remove),
            TagsChange::Rename(rename) => {
                let renamed = rename.apply(&before.tags);
                renamed.unwrap_or_else(|_too_long| before.tags.clone())
            }
            // Then the order is restored, too.
            TagsChange::Restore {
                before: earlier,
                after,
            } if before.tags == *after => earlier.clone(),
            TagsChange::Restore {
                before: earlier,
                after,
            } => {
                let without = |some: &[Tag], others: &[Tag]| {
                    let left = some.iter().filter(|tag| !others.contains(tag));
                    left.cloned().collect::<Vec<_>>()
                };
                let (add, remove) = (without(earlier, after), without(after, earlier));
                each(&before.tags, &add, &remove)
            }
        };
        let caption = match &self.caption {
            CaptionChange::Keep => before.caption.clone(),
            CaptionChange::Clear => None,
            CaptionChange::Set(text) => caption_of(text),
            CaptionChange::SetIfAbsent(text) => before.caption.clone().or_else(|| caption_of(text)),
        };
        let orientation = match self.orientation {
            OrientationChange::Keep => before.orientation,
            OrientationChange::Map(map) => {
                let after = map[usize::from(before.orientation.unwrap_or(0))];
                Some(after).filter(|number| (1..=8).contains(number))
            }
        };
        Marks {
            rating,
            tags,
            caption,
            orientation,
            crop: match self.crop {
                CropChange::Keep => before.crop,
                CropChange::Clear => None,
                CropChange::Set(crop) => Some(crop),
            },
            taken: self.taken.apply_to(before.taken),
        }
    }
}

/// Returns tags with some removed and some added.
fn each(tags: &[Tag], add: &[Tag], remove: &[Tag]) -> Vec<Tag> {
    let goes = |tag: &&Tag| remove.contains(tag) && !add.contains(tag);
    let stay = tags.iter().filter(|tag| !goes(tag));
    without_duplicates(stay.chain(add).cloned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rating_is_parsed_leniently() {
        let check = |text, expected| assert_eq!(Rating::read(text), expected, "{text:?}");
        check("3", Some(Rating::Three));
        check(" 3.0\n", Some(Rating::Three));
        check("+5", Some(Rating::Five));
        check("4.5", Some(Rating::Five));
        check("-1", Some(Rating::Rejected));
        check("-1.0", Some(Rating::Rejected));
        for text in ["0", "0.0", "-0", "6", "-2", "", "NaN", "inf", "three", "99"] {
            check(text, None);
        }
        for rating in Rating::ALL {
            assert_eq!(Rating::of_number(rating.number()), Some(rating));
        }
        assert_eq!(Rating::of_number(0), None);
    }

    #[test]
    fn dates_of_several_forms_are_read() {
        let check = |text, expected: &str| {
            let read = read_date(text).map(|date| date.to_string());
            assert_eq!(read.as_deref().unwrap_or("none"), expected, "{text:?}");
        };
        check("2024-05-06T07:08:09", "2024-05-06T07:08:09");
        check(" 2024-05-06T07:08:09.25+09:00\n", "2024-05-06T07:08:09.25");
        check("2024-05-06T07:08Z", "2024-05-06T07:08:00");
        check("2024-05-06T07:08:09-05:00", "2024-05-06T07:08:09");
        check("2024:05:06 07:08:09", "2024-05-06T07:08:09");
        check("2024-05-06", "2024-05-06T00:00:00");
        check("1985-07", "1985-07-01T00:00:00");
        check("1985", "1985-01-01T00:00:00");
        for text in [
            "",
            "0000:00:00 00:00:00",
            "2024-02-30",
            "昨日のお昼ごろでした",
            "    :  :     :  :  ",
        ] {
            check(text, "none");
        }
    }

    #[test]
    fn shifted_date_starts_from_the_file() {
        let date = |text: &str| -> DateTime { text.parse().unwrap() };
        let own = Some(date("2024-12-31T23:30:00"));
        let by = SignedDuration::from_hours(1);
        let shift = |by| TakenChange::Shift { own, by };
        let after = Some(date("2025-01-01T00:30:00"));
        assert_eq!(shift(by).apply_to(None), after);
        // Back to that of the file: nothing is stated.
        assert_eq!(shift(-by).apply_to(after), None);
        let none = TakenChange::Shift { own: None, by };
        assert_eq!(none.apply_to(None), None);
        let last = Some(DateTime::MAX);
        assert_eq!(shift(by).apply_to(last), last);
    }

    #[test]
    fn tags_are_added_and_removed_without_duplicates() {
        let tags = |names: &[&str]| -> Vec<Tag> {
            names.iter().map(|name| Tag::parse(name).unwrap()).collect()
        };
        let before = Marks {
            rating: Some(Rating::Two),
            tags: tags(&["a", "b", "c"]),
            ..Marks::default()
        };
        let after = |change| {
            let change = MarksChange {
                tags: change,
                ..MarksChange::default()
            };
            let after = change.apply_to(&before);
            assert_eq!(after.rating, before.rating);
            after.tags
        };
        assert_eq!(after(TagsChange::Keep), before.tags);
        let set = TagsChange::Set(tags(&["x", "a", "x"]));
        assert_eq!(after(set), tags(&["x", "a"]));
        let each = TagsChange::Each {
            add: tags(&["d", "b", "d"]),
            remove: tags(&["a", "b", "z"]),
        };
        assert_eq!(after(each), tags(&["b", "c", "d"]));
        let cleared = MarksChange {
            rating: RatingChange::Clear,
            ..MarksChange::default()
        };
        assert_eq!(cleared.apply_to(&before).rating, None);
    }

    #[test]
    fn undo_of_tags_keeps_later_changes() {
        let tags = |names: &[&str]| -> Vec<Tag> {
            names.iter().map(|name| Tag::parse(name).unwrap()).collect()
        };
        let check = |now: &[&str], expected: &[&str]| {
            let tags_change = TagsChange::Restore {
                before: tags(&["a", "b", "c"]),
                after: tags(&["x", "b"]),
            };
            let change = MarksChange {
                tags: tags_change,
                ..MarksChange::default()
            };
            let now = Marks {
                tags: tags(now),
                ..Marks::default()
            };
            assert_eq!(change.apply_to(&now).tags, tags(expected), "{now:?}");
        };
        check(&["x", "b"], &["a", "b", "c"]);
        check(&["b", "x", "new"], &["b", "new", "a", "c"]);
        // The change was interrupted before this picture.
        check(&["a", "b", "c"], &["a", "b", "c"]);
    }

    #[test]
    fn machine_text_never_replaces_a_caption() {
        let after = |before: Option<&str>, change| {
            let before = Marks {
                caption: before.map(str::to_owned),
                ..Marks::default()
            };
            let change = MarksChange {
                caption: change,
                ..MarksChange::default()
            };
            change.apply_to(&before).caption
        };
        let text = || " a\r\nb\u{7} ".to_owned();
        let read = Some("a\nb".to_owned());
        assert_eq!(after(None, CaptionChange::SetIfAbsent(text())), read);
        assert_eq!(
            after(Some("mine"), CaptionChange::SetIfAbsent(text())).as_deref(),
            Some("mine")
        );
        assert_eq!(after(Some("mine"), CaptionChange::Set(text())), read);
        assert_eq!(
            after(Some("mine"), CaptionChange::Set(" ".to_owned())),
            None
        );
        assert_eq!(after(Some("mine"), CaptionChange::Clear), None);
        assert_eq!(
            after(Some("mine"), CaptionChange::Keep).as_deref(),
            Some("mine")
        );
    }
}
