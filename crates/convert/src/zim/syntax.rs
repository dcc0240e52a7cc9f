//! The syntax of Zim. Marks are within one line, and blocks are lines.

use std::collections::BTreeSet;

use crate::document::{Align, Block, Image, Inline, Item, MAX_DEPTH, Mark};

/// The meaning of addresses in a text.
pub(super) trait Resolve {
    /// Returns the target of a link; `None` to write its text alone.
    fn link(&mut self, address: &str) -> Option<String>;

    /// Returns the target of a file that is displayed.
    fn media(&mut self, address: &str) -> Option<Media>;
}

/// A file that is displayed.
pub(super) struct Media {
    pub(super) target: String,
    pub(super) name: String,
    pub(super) is_embedded: bool,
}

pub(super) struct Document {
    pub(super) blocks: Vec<Block>,
    pub(super) tags: Vec<String>,
    /// Constructs without a counterpart.
    pub(super) losses: Vec<String>,
}

/// Parses a text.
pub(super) fn parse(text: &str, resolve: &mut dyn Resolve) -> Document {
    let lines: Vec<&str> = text.lines().collect();
    let mut parser = Parser {
        lines: &lines,
        at: 0,
        resolve,
        tags: BTreeSet::new(),
        losses: Vec::new(),
    };
    let blocks = parser.blocks();
    Document {
        blocks,
        tags: parser.tags.into_iter().collect(),
        losses: parser.losses,
    }
}

struct Parser<'t, 'r> {
    lines: &'t [&'t str],
    at: usize,
    resolve: &'r mut dyn Resolve,
    tags: BTreeSet<String>,
    losses: Vec<String>,
}

/// The start of an item of a list.
struct Bullet<'t> {
    indent: usize,
    start: Option<u32>,
    task: Option<bool>,
    text: &'t str,
}

impl Parser<'_, '_> {
    fn blocks(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        while let Some(line) = self.lines.get(self.at).copied() {
            let trimmed = line.trim();
            if trimmed.is_empty() {
                self.at += 1;
            } else if let Some((level, title)) = heading(trimmed) {
                self.at += 1;
                let title = self.inline(title, 0);
                blocks.push(Block::Heading(level, title));
            } else if trimmed == "'''" {
                self.at += 1;
                let text = self.until(|line| line.trim() == "'''");
                blocks.push(Block::Code {
                    language: String::new(),
                    text,
                });
            } else if let Some(head) = trimmed.strip_prefix("{{{") {
                self.at += 1;
                let block = self.object(head);
                blocks.push(block);
            } else if trimmed.len() >= 5 && trimmed.bytes().all(|byte| byte == b'-') {
                self.at += 1;
                blocks.push(Block::Rule);
            } else if is_table(trimmed) {
                let table = self.table();
                blocks.push(table);
            } else if let Some(bullet) = bullet(line) {
                let list = self.list(bullet.indent, 0);
                blocks.push(list);
            } else {
                let block = self.paragraph();
                blocks.push(block);
            }
        }
        blocks
    }

    /// Returns the lines before one that ends a block, and steps behind it.
    fn until(&mut self, is_end: impl Fn(&str) -> bool) -> String {
        let start = self.at;
        let length = self.lines[start..].iter().position(|line| is_end(line));
        let end = length.map_or(self.lines.len(), |length| start + length);
        self.at = (end + 1).min(self.lines.len());
        self.lines[start..end].join("\n")
    }

    fn object(&mut self, head: &str) -> Block {
        let (kind, attributes) = head.split_once(':').unwrap_or((head, ""));
        let is_whole = head.trim_end().ends_with("}}}");
        let text = if is_whole {
            String::new()
        } else {
            self.until(|line| line.trim() == "}}}")
        };
        let language = attributes
            .split_once("lang=\"")
            .and_then(|(_, rest)| rest.split_once('"'))
            .map_or("", |(language, _)| language);
        if kind.trim() != "code" {
            self.losses.push(format!("{{{{{{{kind}: …}}}}}}"));
        }
        Block::Code {
            language: if language == "python3" {
                "python"
            } else {
                language
            }
            .to_owned(),
            text: if is_whole {
                head.trim_end_matches('}').to_owned()
            } else {
                text
            },
        }
    }

    fn table(&mut self) -> Block {
        let mut rows = Vec::new();
        let mut align = Vec::new();
        while let Some(line) = self
            .lines
            .get(self.at)
            .copied()
            .map(str::trim)
            .filter(|line| is_table(line))
        {
            self.at += 1;
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let is_rule = cells.iter().all(|cell| {
                !cell.is_empty() && cell.bytes().all(|byte| byte == b'-' || byte == b':')
            });
            if is_rule && rows.len() == 1 && align.is_empty() {
                align = cells
                    .iter()
                    .map(|cell| match (cell.starts_with(':'), cell.ends_with(':')) {
                        (true, true) => Align::Center,
                        (false, true) => Align::Right,
                        _ => Align::None,
                    })
                    .collect();
                continue;
            }
            let row = cells.iter().map(|cell| {
                let mut content = Vec::new();
                for (number, part) in cell.split("\\n").enumerate() {
                    if number > 0 {
                        content.push(Inline::Break);
                    }
                    content.extend(self.inline(part, 0));
                }
                content
            });
            let row = row.collect();
            rows.push(row);
        }
        Block::Table { align, rows }
    }

    /// Reads the items of one indentation, and those below them.
    fn list(&mut self, indent: usize, depth: usize) -> Block {
        let mut items: Vec<Item> = Vec::new();
        let mut start = None;
        while let Some(line) = self.lines.get(self.at).copied() {
            let Some(found) = bullet(line) else { break };
            if found.indent < indent && depth > 0 {
                break;
            }
            if found.indent > indent && depth < MAX_DEPTH && !items.is_empty() {
                let below = self.list(found.indent, depth + 1);
                if let Some(item) = items.last_mut() {
                    item.content.push(below);
                }
                continue;
            }
            if items.is_empty() {
                start = found.start;
            } else if found.start.is_some() != start.is_some() {
                break;
            }
            self.at += 1;
            let content = self.inline(found.text, 0);
            items.push(Item {
                task: found.task,
                content: vec![Block::Paragraph(content)],
            });
        }
        Block::List { start, items }
    }

    /// Reads lines of text. Zim displays each line as one.
    fn paragraph(&mut self) -> Block {
        let mut content = Vec::new();
        let is_indented = self.lines[self.at].starts_with('\t');
        let first = self.at;
        while let Some(line) = self.lines.get(self.at).copied() {
            let trimmed = line.trim();
            let is_other = trimmed.is_empty()
                || line.starts_with('\t') != is_indented
                || heading(trimmed).is_some()
                || trimmed == "'''"
                || trimmed.starts_with("{{{")
                || bullet(line).is_some()
                || is_table(trimmed);
            if is_other && self.at > first {
                break;
            }
            if !content.is_empty() {
                content.push(Inline::Break);
            }
            content.extend(self.inline(trimmed, 0));
            self.at += 1;
        }
        let paragraph = Block::Paragraph(content);
        if is_indented {
            Block::Quote(vec![paragraph])
        } else {
            paragraph
        }
    }

    /// Reads the marks of a line.
    fn inline(&mut self, text: &str, depth: usize) -> Vec<Inline> {
        let mut run = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        // The marks that don't occur in the rest of the line.
        let mut missing: Vec<&str> = Vec::new();
        while let Some(char) = rest.chars().next() {
            if let Some((inline, length)) = self.construct(rest, &plain, depth, &mut missing) {
                if !plain.is_empty() {
                    run.push(Inline::Text(std::mem::take(&mut plain)));
                }
                run.extend(inline);
                rest = &rest[length..];
            } else {
                plain.push(char);
                rest = &rest[char.len_utf8()..];
            }
        }
        if !plain.is_empty() {
            run.push(Inline::Text(plain));
        }
        run
    }

    /// Reads a construct at the start of a text, and returns its length.
    fn construct<'m>(
        &mut self,
        text: &str,
        before: &str,
        depth: usize,
        missing: &mut Vec<&'m str>,
    ) -> Option<(Option<Inline>, usize)> {
        if ["http://", "https://", "ftp://"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
        {
            let end = text
                .find(|char: char| char.is_whitespace() || "<>\"|".contains(char))
                .unwrap_or(text.len());
            let end = text[..end]
                .trim_end_matches(['.', ',', ')', ']', '}', ';', '\'', ':'])
                .len();
            return Some((Some(Inline::text(&text[..end])), end));
        }
        if text.starts_with('@') && !before.ends_with(char::is_alphanumeric) {
            let name: String = text[1..]
                .chars()
                .take_while(|char| char.is_alphanumeric() || "_-".contains(*char))
                .collect();
            if !name.is_empty() {
                let length = 1 + name.len();
                self.tags.insert(name);
                return Some((Some(Inline::text(&text[..length])), length));
            }
            return None;
        }
        let mut between = |open: &'m str, close: &'m str| -> Option<(&str, usize)> {
            let inner = text.strip_prefix(open)?;
            if missing.contains(&open) {
                return None;
            }
            let Some(end) = inner.find(close) else {
                missing.push(open);
                return None;
            };
            (end > 0).then(|| (&inner[..end], open.len() + end + close.len()))
        };
        if let Some((code, length)) = between("''", "''") {
            return Some((Some(Inline::Code(code.to_owned())), length));
        }
        if let Some((inner, length)) = between("[[", "]]") {
            return Some((self.link(inner), length));
        }
        if let Some((inner, length)) = between("{{", "}}") {
            return Some((self.image(inner), length));
        }
        let marks = [
            ("**", "**", Mark::Strong),
            ("//", "//", Mark::Emphasis),
            ("__", "__", Mark::Highlight),
            ("~~", "~~", Mark::Strike),
            ("_{", "}", Mark::Subscript),
            ("^{", "}", Mark::Superscript),
        ];
        for (open, close, mark) in marks {
            if let Some((inner, length)) = between(open, close).filter(|_| depth < MAX_DEPTH) {
                let content = self.inline(inner, depth + 1);
                return Some((Some(Inline::Marked(mark, content)), length));
            }
        }
        None
    }

    fn link(&mut self, inner: &str) -> Option<Inline> {
        let (address, label) = inner.split_once('|').unwrap_or((inner, inner));
        let label = if label.trim().is_empty() {
            address
        } else {
            label
        };
        let content = vec![Inline::text(label.trim_start_matches(['+', ':']))];
        Some(match self.resolve.link(address) {
            Some(target) => Inline::Link {
                target,
                title: String::new(),
                content,
            },
            None => Inline::text(label),
        })
    }

    fn image(&mut self, inner: &str) -> Option<Inline> {
        // An anchor, to which a link leads.
        if inner.trim_start().starts_with("id:") {
            return None;
        }
        let (address, options) = inner.split_once('?').unwrap_or((inner, ""));
        let (address, alt) = address.split_once('|').unwrap_or((address, ""));
        let option = |name: &str| {
            let found = options
                .split('&')
                .filter_map(|option| option.split_once('='))
                .find(|(other, _)| *other == name);
            found.map(|(_, value)| value.to_owned())
        };
        let Some(media) = self.resolve.media(address.trim()) else {
            return Some(Inline::text(address));
        };
        let alt = if alt.is_empty() {
            media.name.clone()
        } else {
            alt.to_owned()
        };
        if !media.is_embedded {
            return Some(Inline::Link {
                target: media.target,
                title: String::new(),
                content: vec![Inline::text(alt)],
            });
        }
        let image = Inline::Image(Image {
            target: media.target,
            alt,
            title: String::new(),
            width: option("width").and_then(|width| width.parse().ok()),
            height: option("width")
                .and(option("height"))
                .and_then(|height| height.parse().ok()),
        });
        let target = option("href").and_then(|href| self.resolve.link(&href));
        Some(match target {
            Some(target) => Inline::Link {
                target,
                title: String::new(),
                content: vec![image],
            },
            None => image,
        })
    }
}

/// Returns the level and the text of a heading: six `=` are the first level.
fn heading(line: &str) -> Option<(u8, &str)> {
    let marks = line.len() - line.trim_start_matches('=').len();
    if !(2..=7).contains(&marks) || line.len() < 2 * marks {
        return None;
    }
    let text = line.trim_matches('=').trim();
    let level = u8::try_from(7 - marks.min(6)).ok()?;
    (line.ends_with("==") && !text.is_empty()).then_some((level, text))
}

fn is_table(line: &str) -> bool {
    line.len() > 2 && line.starts_with('|') && line.ends_with('|')
}

fn bullet(line: &str) -> Option<Bullet<'_>> {
    let text = line.trim_start_matches(['\t', ' ']);
    let blanks = &line[..line.len() - text.len()];
    let tabs = blanks.matches('\t').count();
    let indent = tabs + (blanks.len() - tabs) / 4;
    let make = |start, task, length: usize| Bullet {
        indent,
        start,
        task,
        text: text[length..].trim(),
    };
    if text.starts_with("* ") {
        return Some(make(None, None, 2));
    }
    let boxes = [
        ("[ ]", false),
        ("[*]", true),
        ("[x]", true),
        ("[>]", false),
        ("[<]", false),
    ];
    for (mark, is_done) in boxes {
        if text
            .strip_prefix(mark)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        {
            let mut bullet = make(None, Some(is_done), 3);
            // These states have no counterpart, and stay as text.
            if matches!(mark, "[x]" | "[>]" | "[<]") {
                bullet = Bullet {
                    text,
                    ..make(None, None, 0)
                };
                bullet.task = Some(is_done);
            }
            return Some(bullet);
        }
    }
    let (number, rest) = text.split_once('.')?;
    if !rest.starts_with(' ') {
        return None;
    }
    let length = number.len() + 2;
    if let Ok(number) = number.parse::<u32>() {
        return Some(make(Some(number), None, length));
    }
    let letter = number.bytes().next().filter(|_| number.len() == 1)?;
    let first = if letter.is_ascii_lowercase() {
        b'a'
    } else {
        b'A'
    };
    letter
        .is_ascii_alphabetic()
        .then(|| make(Some(u32::from(letter - first) + 1), None, length))
}
