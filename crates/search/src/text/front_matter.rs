//! The values of a page's front matter.

use super::tags::Tags;

/// The contents of the front matter.
struct FrontMatter<'t> {
    /// The values, one a line.
    text: String,
    tags: &'t mut Tags,
}

/// Returns the text between the two marks at the beginning, and the rest.
pub(super) fn split(source: &str) -> (Option<&str>, &str) {
    let Some(rest) = source.strip_prefix("---") else {
        return (None, source);
    };
    let Some(rest) = rest
        .trim_start_matches([' ', '\t'])
        .strip_prefix(['\n', '\r'])
    else {
        return (None, source);
    };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return (Some(&rest[..at]), &rest[at + line.len()..]);
        }
        at += line.len();
    }
    (None, source)
}

/// Returns the values, one a line, and adds the tags. Reads keys with values, and lists; deeper levels are read as values.
pub(super) fn read(text: &str, tags: &mut Tags) -> String {
    let mut front = FrontMatter {
        text: String::new(),
        tags,
    };
    let mut in_tags = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        if let Some(item) = trimmed.strip_prefix("- ") {
            front.add(item, in_tags);
            continue;
        }
        match trimmed.split_once(':') {
            Some((key, value)) if value.is_empty() || value.starts_with(' ') => {
                in_tags = matches!(key.trim(), "tags" | "tag" | "keywords");
                front.add_values(value.trim(), in_tags);
            }
            Some(_) | None => front.add(trimmed, in_tags),
        }
    }
    front.text.truncate(front.text.trim_end().len());
    front.text
}

impl FrontMatter<'_> {
    fn add_values(&mut self, value: &str, tags: bool) {
        let list = value
            .strip_prefix('[')
            .map(|list| list.trim_end_matches(']'));
        match list {
            Some(list) => list.split(',').for_each(|item| self.add(item, tags)),
            None if tags => value
                .split([',', '、'])
                .for_each(|item| self.add(item, tags)),
            None => self.add(value, tags),
        }
    }

    fn add(&mut self, value: &str, tag: bool) {
        let value = value.split(" #").next().unwrap_or_default().trim();
        let quoted = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
        let value = quoted('"').or_else(|| quoted('\'')).unwrap_or(value);
        if value.is_empty() {
            return;
        }
        self.text.push_str(value);
        self.text.push('\n');
        let name = value.trim_start_matches('#').trim_matches('/');
        if tag && !name.is_empty() {
            self.tags.add(name);
        }
    }
}
