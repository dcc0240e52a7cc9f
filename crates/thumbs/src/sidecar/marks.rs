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
}

/// What is to be changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MarksChange {
    /// Of the rating.
    pub rating: RatingChange,
    /// Of the tags.
    pub tags: TagsChange,
}

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
        Marks { rating, tags }
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
}
