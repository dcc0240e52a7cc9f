//! What a sidecar says of a picture, and what is to be changed in it.

use super::tag::{Tag, without_duplicates};

/// What somebody thinks of a picture: `xmp:Rating`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rating {
    /// −1: to be thrown away.
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
    /// All, from the worst to the best.
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

    /// The rating of a number; none for 0, which says “not rated”, and for all that means nothing.
    #[must_use]
    pub fn of_number(number: i8) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|rating| rating.number() == number)
    }

    /// Some programs write `3.0`, and the standard allows halves.
    pub(super) fn read(text: &str) -> Option<Self> {
        let number: f64 = text.trim().parse().ok()?;
        Self::ALL
            .into_iter()
            .find(|rating| f64::from(rating.number()) == number.round())
    }
}

/// What a sidecar says of a picture.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// None if the picture is not rated.
    pub rating: Option<Rating>,
    /// In the order of the file, none twice.
    pub tags: Vec<Tag>,
    /// The caption: `dc:description`, in its default language.
    pub caption: Option<String>,
}

/// What is to be changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MarksChange {
    /// Of the rating.
    pub rating: RatingChange,
    /// Of the tags.
    pub tags: TagsChange,
    /// Of the caption.
    pub caption: CaptionChange,
}

/// What is to become of the caption.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum CaptionChange {
    /// It stays.
    #[default]
    Keep,
    /// The picture has none any more.
    Clear,
    /// This one; an empty one is none.
    Set(String),
    /// This one, unless the picture has one: a machine's text never replaces a person's.
    SetIfAbsent(String),
}

/// A caption as it is stored: without white space around it, in lines, without other control characters. Longer ones are
/// cut.
fn caption_of(text: &str) -> Option<String> {
    let is_kept = |one: &char| !one.is_control() || matches!(one, '\n' | '\t');
    let text: String = text.chars().filter(is_kept).take(MAX_CAPTION).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The most characters of a caption that a listing keeps.
const LISTED_CAPTION: usize = 500;
/// The most characters of a caption that is written.
const MAX_CAPTION: usize = 20_000;

/// What is to become of the rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RatingChange {
    /// It stays.
    #[default]
    Keep,
    /// The picture is not rated any more.
    Clear,
    /// This one.
    Set(Rating),
}

/// What is to become of the tags.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TagsChange {
    /// They stay.
    #[default]
    Keep,
    /// These, and no others.
    Set(Vec<Tag>),
    /// Some come and others go, whatever else is there: what many pictures get at once, and what stands when somebody
    /// else changes the file meanwhile. What is in both stays, or comes.
    Each {
        /// Comes, at the end.
        add: Vec<Tag>,
        /// Goes.
        remove: Vec<Tag>,
    },
}

impl Marks {
    /// The marks for a listing, which may hold those of very many pictures: with the beginning of the caption.
    pub(crate) fn listed(mut self) -> Self {
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
    /// What it makes of `before`.
    #[must_use]
    pub fn applied(&self, before: &Marks) -> Marks {
        let rating = match self.rating {
            RatingChange::Keep => before.rating,
            RatingChange::Clear => None,
            RatingChange::Set(rating) => Some(rating),
        };
        let tags = match &self.tags {
            TagsChange::Keep => before.tags.clone(),
            TagsChange::Set(tags) => without_duplicates(tags.iter().cloned()),
            TagsChange::Each { add, remove } => {
                let goes = |tag: &&Tag| remove.contains(tag) && !add.contains(tag);
                let stay = before.tags.iter().filter(|tag| !goes(tag));
                without_duplicates(stay.chain(add).cloned())
            }
        };
        let caption = match &self.caption {
            CaptionChange::Keep => before.caption.clone(),
            CaptionChange::Clear => None,
            CaptionChange::Set(text) => caption_of(text),
            CaptionChange::SetIfAbsent(text) => before.caption.clone().or_else(|| caption_of(text)),
        };
        Marks {
            rating,
            tags,
            caption,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_is_read_however_it_is_written() {
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
    fn tags_come_and_go_and_none_is_there_twice() {
        let tags = |names: &[&str]| -> Vec<Tag> {
            names.iter().map(|name| Tag::parse(name).unwrap()).collect()
        };
        let before = Marks {
            rating: Some(Rating::Two),
            tags: tags(&["a", "b", "c"]),
            caption: None,
        };
        let after = |change| {
            let change = MarksChange {
                tags: change,
                ..MarksChange::default()
            };
            let after = change.applied(&before);
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
        assert_eq!(cleared.applied(&before).rating, None);
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
            change.applied(&before).caption
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
