//! `acdsee:categories`: tags as an element in a text, `<Categories><Category Assigned="0">Places<Category
//! Assigned="1">Japan</Category></Category></Categories>`.

use std::collections::HashSet;

use super::splice::escaped;
use super::tag::Tag;

/// Returns true if all names in a text are names of `tags`: then it is a copy of them, as digiKam writes one.
/// Otherwise ACDSee has categories of its own.
pub(super) fn match_tags(text: &str, tags: &[Tag]) -> bool {
    let levels = tags.iter().flat_map(Tag::levels);
    // digiKam writes names unescaped, ACDSee as XML.
    let tag_names: HashSet<String> = levels
        .flat_map(|level| [level.clone(), escaped(level)])
        .collect();
    let names = text.split('<').map(|piece| match piece.split_once('>') {
        Some((_tag, name)) => name.trim(),
        None => piece.trim(),
    });
    names
        .filter(|name| !name.is_empty())
        .all(|name| tag_names.contains(name))
}

pub(super) fn to_text(tags: &[Tag]) -> String {
    let mut top = Vec::new();
    for tag in tags {
        assign(&mut top, tag.levels());
    }
    let inner: String = top.iter().map(Category::to_text).collect();
    format!("<Categories>{inner}</Categories>")
}

struct Category<'a> {
    name: &'a str,
    assigned: bool,
    inner: Vec<Category<'a>>,
}

/// Adds a tag. The recursion is no deeper than the number of its levels.
fn assign<'a>(categories: &mut Vec<Category<'a>>, levels: &'a [String]) {
    let Some((name, rest)) = levels.split_first() else {
        return;
    };
    let existing = categories.iter().position(|category| category.name == name);
    let index = existing.unwrap_or_else(|| {
        categories.push(Category {
            name,
            assigned: false,
            inner: Vec::new(),
        });
        categories.len() - 1
    });
    categories[index].assigned |= rest.is_empty();
    assign(&mut categories[index].inner, rest);
}

impl Category<'_> {
    fn to_text(&self) -> String {
        let inner: String = self.inner.iter().map(Self::to_text).collect();
        let (assigned, name) = (u8::from(self.assigned), escaped(self.name));
        format!("<Category Assigned=\"{assigned}\">{name}{inner}</Category>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(names: &[&str]) -> Vec<Tag> {
        names.iter().map(|name| Tag::parse(name).unwrap()).collect()
    }

    #[test]
    fn paths_are_nested_without_duplicate_levels() {
        let written = to_text(&tags(&[
            "Places/Japan",
            "a & b",
            "Places",
            "Places/Peru/Cuzco",
        ]));
        let expected = "<Categories><Category Assigned=\"1\">Places\
             <Category Assigned=\"1\">Japan</Category>\
             <Category Assigned=\"0\">Peru<Category Assigned=\"1\">Cuzco</Category></Category>\
             </Category><Category Assigned=\"1\">a &amp; b</Category></Categories>";
        assert_eq!(written, expected);
    }

    #[test]
    fn foreign_categories_are_not_taken_for_copies() {
        let check = |text: &str, names: &[&str]| match_tags(text, &tags(names));
        let text = "<Categories><Category Assigned=\"0\">A<Category Assigned=\"1\">b & c</Category></Category></Categories>";
        assert!(check(text, &["A/b & c", "d"]));
        assert!(check(&text.replace('&', "&amp;"), &["A/b & c"]));
        assert!(!check(text, &["A"]));
        assert!(!check(text, &["b & c"]));
        assert!(!check("A", &["b"]));
        assert!(check("<Categories/>", &[]));
    }
}
