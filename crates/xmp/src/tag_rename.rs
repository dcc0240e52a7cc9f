//! Renaming and removing tags, with everything below them.

use super::tag::{Tag, TagError, without_duplicates};

/// A renaming of tags: each of them, and every tag below it, gets another beginning, or is removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagRename {
    from: Vec<Tag>,
    to: Option<Tag>,
}

impl TagRename {
    /// Creates a renaming of tags to one other tag, which joins them; to `None`, which removes them.
    #[must_use]
    pub fn new(from: Vec<Tag>, to: Option<Tag>) -> Self {
        Self { from, to }
    }

    /// The tags that are renamed.
    #[must_use]
    pub fn from(&self) -> &[Tag] {
        &self.from
    }

    /// The new tag; `None` if the tags are removed.
    #[must_use]
    pub fn to(&self) -> Option<&Tag> {
        self.to.as_ref()
    }

    /// Returns true if a tag changes.
    #[must_use]
    pub fn changes(&self, tag: &Tag) -> bool {
        self.levels_of(tag)
            .is_some_and(|from| self.to.as_ref().is_none_or(|to| to.levels() != from))
    }

    /// Returns the new tags of a picture, in the order of those before, each once.
    ///
    /// # Errors
    /// [`TagError::TooLong`] if a new tag would be too long.
    pub fn apply(&self, tags: &[Tag]) -> Result<Vec<Tag>, TagError> {
        let mut renamed = Vec::with_capacity(tags.len());
        for tag in tags {
            renamed.extend(self.renamed(tag)?);
        }
        Ok(without_duplicates(renamed))
    }

    fn renamed(&self, tag: &Tag) -> Result<Option<Tag>, TagError> {
        let Some(from) = self.levels_of(tag) else {
            return Ok(Some(tag.clone()));
        };
        let below = &tag.levels()[from.len()..];
        let to = self.to.as_ref();
        to.map(|to| Tag::of_levels(to.levels().iter().chain(below).cloned().collect()))
            .transpose()
    }

    /// Returns the levels of the renamed tag that is a tag or above it: the narrowest if there are several.
    fn levels_of<'a>(&self, tag: &'a Tag) -> Option<&'a [String]> {
        let from = self.from.iter().map(|from| from.levels().len());
        let levels = tag.levels();
        let found = from.zip(&self.from);
        let found = found.filter(|(_, from)| levels.starts_with(from.levels()));
        let longest = found.map(|(length, _)| length).max()?;
        Some(&levels[..longest])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(names: &[&str]) -> Vec<Tag> {
        names.iter().map(|name| Tag::parse(name).unwrap()).collect()
    }

    #[track_caller]
    fn check(from: &[&str], to: Option<&str>, before: &[&str], after: &[&str]) {
        let to = to.map(|to| Tag::parse(to).unwrap());
        let rename = TagRename::new(tags(from), to);
        let before = tags(before);
        assert_eq!(rename.apply(&before).unwrap(), tags(after));
        let changes = before.iter().any(|tag| rename.changes(tag));
        assert_eq!(changes, before != tags(after));
    }

    #[test]
    fn everything_below_a_tag_is_renamed() {
        let before = [
            "a",
            "Places/Norway",
            "Places/Norway/Oslo",
            "Places/Norwayish",
        ];
        let after = ["a", "Places/Norge", "Places/Norge/Oslo", "Places/Norwayish"];
        check(&["Places/Norway"], Some("Places/Norge"), &before, &after);
        let moved = ["a", "Norway", "Norway/Oslo", "Places/Norwayish"];
        check(&["Places/Norway"], Some("Norway"), &before, &moved);
        check(&["Oslo"], Some("Bergen"), &before, &before);
    }

    #[test]
    fn renaming_to_an_existing_tag_joins_both() {
        check(
            &["sea", "SEA"],
            Some("Sea"),
            &["SEA", "a", "Sea", "sea"],
            &["Sea", "a"],
        );
        check(&["a", "a/b"], Some("c"), &["a/b/d", "a/e"], &["c/d", "c/e"]);
        check(&["a"], Some("a"), &["a", "b"], &["a", "b"]);
    }

    #[test]
    fn removal_takes_everything_below() {
        check(&["a"], None, &["a", "b", "a/c"], &["b"]);
    }

    #[test]
    fn tag_can_move_below_itself() {
        check(&["a"], Some("a/b"), &["a", "a/c"], &["a/b", "a/b/c"]);
    }

    #[test]
    fn too_long_tags_are_refused() {
        let deep = tags(&["a/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19"]);
        let to = Tag::parse("b/c").unwrap();
        let rename = TagRename::new(tags(&["a"]), Some(to));
        assert_eq!(rename.apply(&deep), Err(TagError::TooLong));
    }
}
