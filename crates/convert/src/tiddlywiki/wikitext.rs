//! WikiText: its blocks, and the marks within them. Macros, widgets and filters show their results only in TiddlyWiki;
//! they stay as code, and are reported.

use crate::document::{Align, Block, Image, Inline, Item, MAX_DEPTH, Mark};
use crate::html::{Addresses, Dom, Media, Options, Reader};
use crate::reading::external;
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

/// Parses a text.
pub(super) fn parse<R: Resolve>(text: &str, resolve: &mut R) -> Vec<Block> {
    let mut parser = Parser {
        lines: text.lines().collect(),
        at: 0,
        resolve,
        depth: 0,
    };
    parser.pragmas();
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
        if let Some(language) = trimmed.strip_prefix("```")
            && !language.contains('`')
        {
            self.at += 1;
            return vec![Block::Code {
                language: language.trim().to_owned(),
                text: self.until(|line| line.trim_end() == "```"),
            }];
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
            return vec![Block::Code {
                language: language.to_owned(),
                text: self.until(|line| line.trim_end() == "$$$"),
            }];
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
                || trimmed == "@@";
            if is_other {
                break;
            }
            self.at += 1;
        }
        let text = self.lines[start..self.at].join("\n");
        Block::Paragraph(self.inline(text.trim(), 0))
    }

    /// Reads the marks of a text.
    fn inline(&mut self, text: &str, depth: usize) -> Vec<Inline> {
        let mut run = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        let mut missing: Vec<&'static str> = Vec::new();
        while let Some(char) = rest.chars().next() {
            if let Some((found, length)) = self.construct(rest, &plain, depth, &mut missing) {
                match found {
                    Found::Text(text) => plain.push_str(&text),
                    Found::Run(found) => {
                        if !plain.is_empty() {
                            run.push(Inline::Text(std::mem::take(&mut plain)));
                        }
                        run.extend(found);
                    }
                }
                rest = &rest[length..];
            } else {
                // A line's end is a blank.
                plain.push(if char == '\n' { ' ' } else { char });
                rest = &rest[char.len_utf8()..];
            }
        }
        if !plain.is_empty() {
            run.push(Inline::Text(plain));
        }
        run
    }

    /// Reads a construct at the start of a text, and returns its length.
    fn construct(
        &mut self,
        text: &str,
        before: &str,
        depth: usize,
        missing: &mut Vec<&'static str>,
    ) -> Option<(Found, usize)> {
        match text.as_bytes()[0] {
            b'h' | b'f' | b'm' => return address(text, before),
            b'~' if !text.starts_with("~~") => {
                // Keeps a word of two capitals from becoming a link.
                let word = camel_case(&text[1..])?;
                return Some((Found::Text(word.to_owned()), 1 + word.len()));
            }
            b'-' if text.starts_with("--") => {
                let length = text.len() - text.trim_start_matches('-').len();
                return (length < 4).then(|| {
                    (
                        Found::Text(if length == 2 { "–" } else { "—" }.to_owned()),
                        length,
                    )
                });
            }
            b'&' => {
                let name = text.bytes().take(33).position(|byte| byte == b';')?;
                let dom = Dom::parse(&text[..=name], false);
                return Some((Found::Text(dom.text_of(0)), name + 1));
            }
            b'A'..=b'Z'
                if !before
                    .ends_with(|char: char| char.is_alphanumeric() || "/:@".contains(char)) =>
            {
                let word = camel_case(text)?;
                return self
                    .resolve
                    .exists(word)
                    .then(|| (Found::Run(self.page_link(word, word)), word.len()));
            }
            _ => {}
        }
        self.enclosed(text, depth, missing)
    }

    fn enclosed(
        &mut self,
        text: &str,
        depth: usize,
        missing: &mut Vec<&'static str>,
    ) -> Option<(Found, usize)> {
        let mut between = |open: &'static str, close: &str| -> Option<(&str, usize)> {
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
        for (open, close) in [("``", "``"), ("`", "`")] {
            if let Some((code, length)) = between(open, close) {
                return Some((Found::Run(vec![Inline::Code(code.to_owned())]), length));
            }
        }
        if let Some((_, length)) = between("<!--", "-->") {
            return Some((Found::Run(Vec::new()), length));
        }
        if let Some((inner, length)) = between("[[", "]]") {
            let (label, target) = inner.rsplit_once('|').unwrap_or((inner, inner));
            let link = self.link(label, target.trim());
            return Some((Found::Run(link), length));
        }
        if let Some((inner, length)) = between("[ext[", "]]") {
            let (label, target) = inner.rsplit_once('|').unwrap_or((inner, inner));
            let link = self.link(label, target.trim());
            return Some((Found::Run(link), length));
        }
        if let Some((inner, length)) = between("[img", "]]") {
            return Some((Found::Run(self.image(inner)?), length));
        }
        if let Some((inner, length)) = between("{{{", "}}}") {
            return Some((
                Found::Run(self.program(&format!("{{{{{{{inner}}}}}}}"))),
                length,
            ));
        }
        if let Some((inner, length)) = between("{{", "}}") {
            let run = self.transclusion(inner);
            return Some((Found::Run(run), length));
        }
        if let Some((inner, length)) = between("<<", ">>") {
            return Some((Found::Run(self.program(&format!("<<{inner}>>"))), length));
        }
        if depth < MAX_DEPTH {
            let marks = [
                ("''", Mark::Strong),
                ("//", Mark::Emphasis),
                ("__", Mark::Underline),
                ("~~", Mark::Strike),
                ("^^", Mark::Superscript),
                (",,", Mark::Subscript),
            ];
            for (open, mark) in marks {
                if let Some((inner, length)) = between(open, open) {
                    let content = self.inline(inner, depth + 1);
                    return Some((Found::Run(vec![Inline::Marked(mark, content)]), length));
                }
            }
            if let Some((inner, length)) = between("@@", "@@") {
                let run = self.styled(inner, depth);
                return Some((Found::Run(run), length));
            }
        }
        if text.starts_with('<') {
            return self.tag(text, depth);
        }
        None
    }

    fn link(&mut self, label: &str, target: &str) -> Vec<Inline> {
        let label = if label.is_empty() { target } else { label };
        if target.contains("://") || target.starts_with("mailto:") {
            return match external(target) {
                Some(target) => vec![linked(target, label)],
                None => {
                    self.resolve.lose(LossKind::UnresolvedLink, target);
                    vec![Inline::text(label)]
                }
            };
        }
        self.page_link(label, target)
    }

    fn page_link(&mut self, label: &str, title: &str) -> Vec<Inline> {
        match self.resolve.page(title) {
            Some(target) => vec![linked(target, label)],
            None => {
                self.resolve.lose(LossKind::UnresolvedLink, title);
                vec![Inline::text(label)]
            }
        }
    }

    /// Reads ` width=32 [tooltip|source`.
    fn image(&mut self, inner: &str) -> Option<Vec<Inline>> {
        let (options, source) = inner.split_once('[')?;
        let (alt, source) = source.rsplit_once('|').unwrap_or(("", source));
        let side = |name: &str| {
            let found = options
                .split_whitespace()
                .filter_map(|option| option.split_once('='))
                .find(|(other, _)| *other == name);
            found.and_then(|(_, value)| value.trim_matches('"').trim_end_matches("px").parse().ok())
        };
        let (width, height) = (side("width"), side("height"));
        let found = picture(self.resolve, source.trim(), alt.trim(), width, height);
        Some(vec![found.unwrap_or_else(|| {
            self.resolve.lose(LossKind::MissingFile, source);
            Inline::text(if alt.is_empty() { source } else { alt })
        })])
    }

    fn transclusion(&mut self, inner: &str) -> Vec<Inline> {
        let is_plain = !inner.contains("||") && !inner.contains("!!") && !inner.contains("##");
        if is_plain && self.resolve.exists(inner) {
            let media = self.resolve.file(inner);
            let is_picture = media.is_some_and(|media| media.is_embedded);
            if is_picture {
                return picture(self.resolve, inner, "", None, None)
                    .into_iter()
                    .collect();
            }
            if let Some(target) = self.resolve.page(inner) {
                return vec![Inline::Embed(target)];
            }
        }
        self.program(&format!("{{{{{inner}}}}}"))
    }

    /// Keeps what only the program can show.
    fn program(&mut self, text: &str) -> Vec<Inline> {
        self.resolve.lose(LossKind::Query, text);
        vec![Inline::Code(text.to_owned())]
    }

    fn styled(&mut self, inner: &str, depth: usize) -> Vec<Inline> {
        let mut rest = inner;
        let mut has_style = false;
        while let Some((style, after)) = rest.split_once(';').filter(|(style, _)| {
            style.split_once(':').is_some_and(|(name, _)| {
                !name.is_empty()
                    && name
                        .bytes()
                        .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            })
        }) {
            self.resolve.lose(LossKind::Markup, style);
            has_style = true;
            rest = after;
        }
        if let Some((class, after)) = rest.strip_prefix('.').and_then(|rest| rest.split_once(' ')) {
            self.resolve.lose(LossKind::Markup, class);
            has_style = true;
            rest = after;
        }
        let content = self.inline(rest, depth + 1);
        if has_style {
            content
        } else {
            vec![Inline::Marked(Mark::Highlight, content)]
        }
    }

    /// Reads a tag of HTML or of a widget.
    fn tag(&mut self, text: &str, depth: usize) -> Option<(Found, usize)> {
        let name_start = if text.starts_with("</") { 2 } else { 1 };
        let name: String = text[name_start..]
            .chars()
            .take_while(|char| char.is_ascii_alphanumeric() || "$-.".contains(*char))
            .collect();
        if !name.starts_with(|char: char| char.is_ascii_alphabetic() || char == '$') {
            return None;
        }
        let length = tag_end(text)?;
        let tag = &text[..length];
        if name_start == 2 {
            return Some((Found::Run(Vec::new()), length));
        }
        if name == "br" {
            return Some((Found::Run(vec![Inline::Break]), length));
        }
        let close = format!("</{name}>");
        let inner = text[length..]
            .find(&close)
            .map(|end| &text[length..length + end])
            .filter(|_| depth < MAX_DEPTH);
        let whole = inner.map_or(length, |inner| length + inner.len() + close.len());
        if name == "$link" {
            let title = attribute(tag, "to")
                .or(inner)
                .unwrap_or_default()
                .to_owned();
            let label = inner.filter(|inner| !inner.is_empty()).unwrap_or(&title);
            return Some((Found::Run(self.page_link(label, &title)), whole));
        }
        if name.starts_with('$') {
            return Some((Found::Run(self.program(tag)), length));
        }
        if matches!(name.as_str(), "img" | "a") {
            let dom = Dom::parse(&text[..whole], false);
            let mut reader = Reader {
                dom: &dom,
                addresses: &mut *self.resolve,
                losses: Vec::new(),
                options: Options::default(),
            };
            let run = reader.run_of(0);
            for loss in reader.losses {
                self.resolve.lose(loss.kind, &loss.detail);
            }
            return Some((Found::Run(run), if name == "img" { length } else { whole }));
        }
        let mark = match name.as_str() {
            "b" | "strong" => Mark::Strong,
            "i" | "em" => Mark::Emphasis,
            "u" => Mark::Underline,
            "s" | "del" | "strike" => Mark::Strike,
            "mark" => Mark::Highlight,
            "sub" => Mark::Subscript,
            "sup" => Mark::Superscript,
            "kbd" => Mark::Key,
            "code" => {
                let code = inner?.to_owned();
                return Some((Found::Run(vec![Inline::Code(code)]), whole));
            }
            _ => {
                if !matches!(name.as_str(), "span" | "div" | "p" | "center" | "section") {
                    self.resolve.lose(LossKind::Markup, &format!("<{name}>"));
                }
                return Some((Found::Run(Vec::new()), length));
            }
        };
        let content = self.inline(inner?, depth + 1);
        Some((Found::Run(vec![Inline::Marked(mark, content)]), whole))
    }
}

/// What a construct becomes.
enum Found {
    Text(String),
    Run(Vec<Inline>),
}

fn linked(target: String, label: &str) -> Inline {
    Inline::Link {
        target,
        title: String::new(),
        content: vec![Inline::text(label)],
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

fn address(text: &str, before: &str) -> Option<(Found, usize)> {
    let is_address = ["https://", "http://", "ftp://", "mailto:"]
        .iter()
        .any(|scheme| text.starts_with(scheme));
    if !is_address || before.ends_with(char::is_alphanumeric) {
        return None;
    }
    let end = text
        .find(|char: char| char.is_whitespace() || "<>{}[]`|\"\\^".contains(char))
        .unwrap_or(text.len());
    let end = text[..end]
        .trim_end_matches(['.', ',', ')', ';', ':', '\''])
        .len();
    Some((Found::Text(text[..end].to_owned()), end))
}

/// Returns a word such as `CamelCase` at the start of a text.
fn camel_case(text: &str) -> Option<&str> {
    let end = text
        .find(|char: char| !char.is_ascii_alphanumeric())
        .unwrap_or(text.len());
    let word = &text[..end];
    let bytes = word.as_bytes();
    if !bytes.first()?.is_ascii_uppercase() {
        return None;
    }
    let lower = bytes.iter().position(u8::is_ascii_lowercase)?;
    bytes[lower..]
        .iter()
        .any(u8::is_ascii_uppercase)
        .then_some(word)
}

/// Returns the length of a tag, whose attributes may contain `>`.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, char) in text.char_indices().take(10_000) {
        match (quote, char) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(char),
            (Some(open), char) if open == char => quote = None,
            _ => {}
        }
    }
    None
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let after = tag.split_once(&format!(" {name}="))?.1;
    let quote = after.chars().next().filter(|char| "\"'".contains(*char))?;
    after[1..].split_once(quote).map(|(value, _)| value)
}
