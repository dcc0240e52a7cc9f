//! WikiText: its blocks, and the marks within them. Macros, widgets and filters show their results only in TiddlyWiki;
//! they stay as code, and are reported.

mod inline;

use crate::document::{Align, Block, Image, Inline, Item, MAX_DEPTH};
use crate::html::{Addresses, Dom, Media, Options, Reader};
use crate::source::LossKind;

/// The meaning of titles and addresses.
pub(super) trait Resolve: Addresses {
    fn exists(&self, title: &str) -> bool;

    /// Returns the target of a link to a tiddler; `None` if it is a part of the program.
    fn page(&mut self, title: &str) -> Option<String>;

    /// Returns a tiddler that is a file, or another file.
    fn file(&mut self, source: &str) -> Option<Media>;

    fn lose(&mut self, kind: LossKind, detail: &str);
}

/// The version of the syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    Five,
    /// The syntax of TiddlyWiki Classic, in which the end of a line is a break.
    Classic,
}

/// Parses a text.
pub(super) fn parse<R: Resolve>(text: &str, syntax: Syntax, resolve: &mut R) -> Vec<Block> {
    let mut parser = Parser {
        lines: text.lines().collect(),
        at: 0,
        resolve,
        depth: 0,
        syntax,
    };
    if syntax == Syntax::Five {
        parser.pragmas();
    }
    parser.blocks()
}

/// Returns a picture, or a link to another file.
pub(super) fn picture<R: Resolve>(
    resolve: &mut R,
    source: &str,
    alt: &str,
    width: Option<u16>,
    height: Option<u16>,
) -> Option<Inline> {
    let media = resolve.file(source)?;
    let alt = if alt.is_empty() {
        media.name
    } else {
        alt.to_owned()
    };
    Some(if media.is_embedded {
        Inline::Image(Image {
            target: media.target,
            alt,
            title: String::new(),
            width,
            height: width.and(height),
        })
    } else {
        Inline::Link {
            target: media.target,
            title: String::new(),
            content: vec![Inline::text(alt)],
        }
    })
}

struct Parser<'t, 'r, R> {
    lines: Vec<&'t str>,
    at: usize,
    resolve: &'r mut R,
    /// The number of blocks that contain the present one.
    depth: usize,
    syntax: Syntax,
}

impl<'t, R: Resolve> Parser<'t, '_, R> {
    /// Leaves out the definitions at the start.
    fn pragmas(&mut self) {
        while let Some(line) = self.lines.get(self.at).copied() {
            let trimmed = line.trim();
            if !trimmed.is_empty() && !trimmed.starts_with('\\') {
                return;
            }
            self.at += 1;
            if trimmed.is_empty() {
                continue;
            }
            if !trimmed.starts_with("\\whitespace") && !trimmed.starts_with("\\rules") {
                self.resolve.lose(LossKind::Query, trimmed);
            }
            let is_definition = ["\\define", "\\procedure", "\\function", "\\widget"]
                .iter()
                .any(|word| trimmed.starts_with(word));
            if is_definition && trimmed.ends_with(')') {
                let end = self.lines[self.at..]
                    .iter()
                    .position(|line| line.trim_start().starts_with("\\end"));
                self.at = end.map_or(self.lines.len(), |end| self.at + end + 1);
            }
        }
    }

    fn blocks(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        while let Some(line) = self.lines.get(self.at).copied() {
            if line.trim().is_empty() {
                self.at += 1;
                continue;
            }
            let block = self.block(line);
            blocks.extend(block);
        }
        blocks
    }

    fn block(&mut self, line: &'t str) -> Vec<Block> {
        let trimmed = line.trim();
        if let Some((level, title)) = heading(trimmed) {
            self.at += 1;
            return vec![Block::Heading(level, self.inline(title, 0))];
        }
        if let Some(code) = self.code(trimmed) {
            return vec![code];
        }
        if trimmed.len() >= 3 && trimmed.bytes().all(|byte| byte == b'-') {
            self.at += 1;
            return vec![Block::Rule];
        }
        if trimmed.starts_with("<<<") && self.depth < MAX_DEPTH {
            return vec![self.quotation(trimmed)];
        }
        if trimmed == "\"\"\"" {
            self.at += 1;
            let text = self.until(|line| line.trim_end() == "\"\"\"");
            let mut content = Vec::new();
            for (number, line) in text.lines().enumerate() {
                if number > 0 {
                    content.push(Inline::Break);
                }
                content.extend(self.inline(line, 0));
            }
            return vec![Block::Paragraph(content)];
        }
        if trimmed.starts_with("@@.") || (trimmed.starts_with("@@") && trimmed.ends_with(';')) {
            // A style around blocks.
            self.resolve.lose(LossKind::Markup, trimmed);
            self.at += 1;
            return Vec::new();
        }
        if trimmed == "@@" {
            self.at += 1;
            return Vec::new();
        }
        if line.starts_with('|') && table_flags(trimmed).is_some() {
            return self.table();
        }
        if is_list(line) {
            return self.list();
        }
        if trimmed.starts_with("<<") && !trimmed.contains(">>") {
            let end = self.lines[self.at..]
                .iter()
                .position(|line| line.contains(">>"));
            let end = end.map_or(self.lines.len(), |length| self.at + length + 1);
            let text = self.lines[self.at..end].join("\n");
            self.at = end;
            self.resolve.lose(LossKind::Query, &text);
            return vec![Block::Code {
                language: String::new(),
                text,
            }];
        }
        if let Some(name) = html_block(trimmed) {
            return self.html(name);
        }
        vec![self.paragraph()]
    }

    /// Reads a block of code.
    fn code(&mut self, trimmed: &str) -> Option<Block> {
        if let Some(language) = trimmed.strip_prefix("```")
            && !language.contains('`')
        {
            self.at += 1;
            return Some(Block::Code {
                language: language.trim().to_owned(),
                text: self.until(|line| line.trim_end() == "```"),
            });
        }
        if let Some(kind) = trimmed.strip_prefix("$$$") {
            self.at += 1;
            self.resolve.lose(LossKind::Markup, trimmed);
            let language = kind
                .trim()
                .trim_start_matches('.')
                .rsplit('/')
                .next()
                .unwrap_or_default();
            return Some(Block::Code {
                language: language.to_owned(),
                text: self.until(|line| line.trim_end() == "$$$"),
            });
        }
        if let Some((language, end)) = self.classic_code(trimmed) {
            self.at += 1;
            return Some(Block::Code {
                language: language.to_owned(),
                text: self.until(|line| line.trim() == end),
            });
        }
        None
    }

    /// Returns the language of a block of code in the classic syntax, and the line that ends it.
    fn classic_code(&self, line: &str) -> Option<(&'static str, &'static str)> {
        if self.syntax == Syntax::Five {
            return None;
        }
        match line {
            "{{{" => Some(("", "}}}")),
            "/*{{{*/" => Some(("css", "/*}}}*/")),
            "//{{{" => Some(("javascript", "//}}}")),
            "<!--{{{-->" => Some(("html", "<!--}}}-->")),
            _ => None,
        }
    }

    fn until(&mut self, is_end: impl Fn(&str) -> bool) -> String {
        let start = self.at;
        let length = self.lines[start..].iter().position(|line| is_end(line));
        let end = length.map_or(self.lines.len(), |length| start + length);
        self.at = (end + 1).min(self.lines.len());
        self.lines[start..end].join("\n")
    }

    /// Reads what is between `<<<` and `<<<`, with the author behind it.
    fn quotation(&mut self, first: &'t str) -> Block {
        let marks = first.len() - first.trim_start_matches('<').len();
        let fence = "<".repeat(marks);
        self.at += 1;
        let start = self.at;
        let is_end = |line: &&str| {
            line.trim_start()
                .strip_prefix(&*fence)
                .is_some_and(|rest| !rest.starts_with('<'))
        };
        let end = self.lines[start..]
            .iter()
            .position(is_end)
            .map_or(self.lines.len(), |length| start + length);
        let author = self
            .lines
            .get(end)
            .map_or("", |line| line.trim_start().trim_start_matches('<'))
            .trim();
        self.at = (end + 1).min(self.lines.len());
        let mut inner = Parser {
            lines: self.lines[start..end].to_vec(),
            at: 0,
            resolve: &mut *self.resolve,
            depth: self.depth + 1,
            syntax: self.syntax,
        };
        let mut content = inner.blocks();
        if !author.is_empty() {
            let mut line = vec![Inline::text("— ")];
            line.extend(self.inline(author, 0));
            content.push(Block::Paragraph(line));
        }
        Block::Quote(content)
    }

    fn table(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut rows: Vec<Vec<Vec<Inline>>> = Vec::new();
        let mut align = Vec::new();
        while let Some(line) = self.lines.get(self.at).copied() {
            let Some((row, flag)) = table_flags(line.trim()) else {
                break;
            };
            self.at += 1;
            match flag {
                'k' => continue,
                'c' => {
                    let caption = self.inline(row, 0);
                    blocks.push(Block::Paragraph(caption));
                    continue;
                }
                _ => {}
            }
            let mut cells: Vec<Vec<Inline>> = Vec::new();
            for cell in split_cells(row) {
                let is_merged = matches!(cell.trim(), "~" | ">" | "<");
                if is_merged {
                    self.resolve.lose(LossKind::Markup, "merged cells");
                    cells.push(Vec::new());
                    continue;
                }
                if rows.is_empty() {
                    align.resize(cells.len(), Align::None);
                    align.push(match (cell.starts_with(' '), cell.ends_with(' ')) {
                        (true, true) if cell.trim().len() + 2 == cell.len() => Align::Center,
                        (true, false) => Align::Right,
                        _ => Align::None,
                    });
                }
                let text = cell
                    .trim()
                    .trim_start_matches(['^', ','])
                    .trim_start_matches('!');
                let content = self.inline(text, 0);
                cells.push(content);
            }
            rows.push(cells);
        }
        blocks.push(Block::Table { align, rows });
        blocks
    }

    /// Reads a list. The marks at the start of each line name the lists that contain it.
    fn list(&mut self) -> Vec<Block> {
        let mut lines: Vec<(&'t str, Vec<Inline>)> = Vec::new();
        while let Some(line) = self
            .lines
            .get(self.at)
            .copied()
            .filter(|line| is_list(line))
        {
            self.at += 1;
            let text = line.trim_start_matches(['*', '#', ';', ':', '>']);
            let marks = &line[..line.len() - text.len()];
            let marks = &marks[..marks.len().min(MAX_DEPTH / 2)];
            let content = self.inline(strip_class(text).trim(), 0);
            lines.push((marks, content));
        }
        nest(&lines, 0)
    }

    fn html(&mut self, name: &'static str) -> Vec<Block> {
        let close = format!("</{name}>");
        let start = self.at;
        let end = self.lines[start..]
            .iter()
            .position(|line| line.contains(&close));
        self.at = end.map_or(self.lines.len(), |end| start + end + 1);
        let html = self.lines[start..self.at].join("\n");
        let dom = Dom::parse(&html, false);
        let mut reader = Reader {
            dom: &dom,
            addresses: &mut *self.resolve,
            losses: Vec::new(),
            options: Options::default(),
        };
        let blocks = reader.blocks(0);
        for loss in reader.losses {
            self.resolve.lose(loss.kind, &loss.detail);
        }
        blocks
    }

    fn paragraph(&mut self) -> Block {
        let start = self.at;
        self.at += 1;
        while let Some(line) = self.lines.get(self.at).copied() {
            let trimmed = line.trim();
            let is_other = trimmed.is_empty()
                || is_list(line)
                || heading(trimmed).is_some()
                || trimmed.starts_with("```")
                || trimmed.starts_with("<<<")
                || trimmed == "@@"
                || self.classic_code(trimmed).is_some();
            if is_other {
                break;
            }
            self.at += 1;
        }
        if self.syntax == Syntax::Classic {
            let mut content = Vec::new();
            for at in start..self.at {
                if at > start {
                    content.push(Inline::Break);
                }
                let line = self.lines[at].trim();
                content.extend(self.inline(line, 0));
            }
            return Block::Paragraph(content);
        }
        let text = self.lines[start..self.at].join("\n");
        Block::Paragraph(self.inline(text.trim(), 0))
    }
}

fn heading(line: &str) -> Option<(u8, &str)> {
    let text = line.trim_start_matches('!');
    let level = line.len() - text.len();
    let level = u8::try_from(level)
        .ok()
        .filter(|level| (1..=6).contains(level))?;
    Some((level, strip_class(text).trim()))
}

/// Leaves out a class: `.class text`.
fn strip_class(text: &str) -> &str {
    let class = text.strip_prefix('.').and_then(|rest| rest.split_once(' '));
    class
        .filter(|(class, _)| !class.is_empty())
        .map_or(text, |(_, text)| text)
}

fn is_list(line: &str) -> bool {
    let text = line.trim_start_matches(['*', '#', ';', ':', '>']);
    text.len() < line.len() && !text.trim().is_empty()
}

/// Returns a row of a table without its outer bars, and the letter behind it.
fn table_flags(line: &str) -> Option<(&str, char)> {
    let inner = line.strip_prefix('|')?;
    let (row, flag) = inner.rsplit_once('|')?;
    let flag = match flag {
        "" => ' ',
        "k" | "c" | "h" | "f" => flag.chars().next()?,
        _ => return None,
    };
    Some((row, flag))
}

/// Splits a row at its bars, but not at those of links.
fn split_cells(row: &str) -> Vec<&str> {
    let mut cells = Vec::new();
    let (mut start, mut depth) = (0, 0_i32);
    let bytes = row.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let is_double = bytes.get(at + 1) == Some(byte);
        match byte {
            b'[' if is_double => depth += 1,
            b']' if is_double => depth = (depth - 1).max(0),
            b'|' if depth == 0 => {
                cells.push(&row[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    cells.push(&row[start..]);
    cells
}

/// Builds the lists of lines whose first `level` marks are read.
fn nest(lines: &[(&str, Vec<Inline>)], level: usize) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some(mark) = lines[at].0.as_bytes().get(level).copied() else {
            blocks.push(Block::Paragraph(lines[at].1.clone()));
            at += 1;
            continue;
        };
        let is_same = |marks: &str| match marks.as_bytes().get(level) {
            Some(b';' | b':') => mark == b';' || mark == b':',
            other => other == Some(&mark),
        };
        let length = lines[at..]
            .iter()
            .take_while(|(marks, _)| is_same(marks))
            .count();
        let group = &lines[at..at + length];
        at += length;
        blocks.push(match mark {
            b'>' => Block::Quote(nest(group, level + 1)),
            b';' | b':' => definitions(group, level),
            _ => {
                let mut items: Vec<Item> = Vec::new();
                let mut start = 0;
                while start < group.len() {
                    let is_own = group[start].0.len() == level + 1;
                    let below = group[start + 1..]
                        .iter()
                        .take_while(|(marks, _)| marks.len() > level + 1)
                        .count();
                    let mut content = Vec::new();
                    if is_own {
                        content.push(Block::Paragraph(group[start].1.clone()));
                        content.extend(nest(&group[start + 1..=start + below], level + 1));
                    } else {
                        content.extend(nest(&group[start..=start + below], level + 1));
                    }
                    items.push(Item {
                        task: None,
                        content,
                    });
                    start += below + 1;
                }
                Block::List {
                    start: (mark == b'#').then_some(1),
                    items,
                }
            }
        });
    }
    blocks
}

fn definitions(group: &[(&str, Vec<Inline>)], level: usize) -> Block {
    let mut entries: Vec<(Vec<Inline>, Vec<Vec<Block>>)> = Vec::new();
    for (marks, content) in group {
        if marks.as_bytes().get(level) == Some(&b';') && marks.len() == level + 1 {
            entries.push((content.clone(), Vec::new()));
            continue;
        }
        let below = nest(&[(marks, content.clone())], level + 1);
        match entries.last_mut() {
            Some((_, definitions)) => definitions.push(below),
            None => entries.push((Vec::new(), vec![below])),
        }
    }
    Block::Definitions(entries)
}

/// Returns the name of the element of HTML that a line starts, if its contents aren't WikiText.
fn html_block(line: &str) -> Option<&'static str> {
    let names = [
        "table",
        "ul",
        "ol",
        "dl",
        "details",
        "pre",
        "blockquote",
        "figure",
    ];
    names.into_iter().find(|name| {
        let rest = line
            .strip_prefix('<')
            .and_then(|rest| rest.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with(['>', ' ']) || rest.is_empty())
    })
}
