//! The writer of the dialect.

use std::fmt::Write as _;

use super::escape::{Paired, Place, encode_destination, escape, escape_line_start};
use super::{Align, Block, Image, Inline, Item, Mark, plain};

/// Returns the Markdown of a document, which ends with a line end unless it is empty.
pub(crate) fn write(blocks: &[Block]) -> String {
    let mut paired = Paired::default();
    count_blocks(blocks, &mut paired);
    let writer = Writer { paired };
    let mut out = writer.blocks(blocks);
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn count_blocks(blocks: &[Block], paired: &mut Paired) {
    for block in blocks {
        match block {
            Block::Paragraph(content) | Block::Heading(_, content) => {
                count_inlines(content, paired)
            }
            Block::Quote(content) => count_blocks(content, paired),
            Block::Callout { title, content, .. } => {
                count_inlines(title, paired);
                count_blocks(content, paired);
            }
            Block::Details { summary, content } => {
                count_inlines(summary, paired);
                count_blocks(content, paired);
            }
            Block::List { items, .. } => {
                for item in items {
                    count_blocks(&item.content, paired);
                }
            }
            Block::Definitions(entries) => {
                for (term, definitions) in entries {
                    count_inlines(term, paired);
                    for definition in definitions {
                        count_blocks(definition, paired);
                    }
                }
            }
            Block::Table { rows, .. } => {
                for cell in rows.iter().flatten() {
                    count_inlines(cell, paired);
                }
            }
            Block::Code { .. } | Block::Math(_) | Block::Rule => {}
        }
    }
}

fn count_inlines(content: &[Inline], paired: &mut Paired) {
    for inline in content {
        match inline {
            Inline::Text(text) => paired.count(text),
            Inline::Marked(mark, content) => {
                // What the writer adds pairs with what the text has.
                match mark {
                    Mark::Strike | Mark::Subscript => paired.tilde += 2,
                    Mark::Superscript => paired.caret += 2,
                    Mark::Highlight => paired.equals += 2,
                    Mark::Strong | Mark::Emphasis | Mark::Underline | Mark::Key => {}
                }
                count_inlines(content, paired);
            }
            Inline::Math(_) => paired.dollar += 2,
            Inline::Link { content, .. } => count_inlines(content, paired),
            Inline::Image(image) => paired.count(&image.alt),
            Inline::Code(_) | Inline::Ruby(..) | Inline::Embed(_) | Inline::Break => {}
        }
    }
}

struct Writer {
    paired: Paired,
}

impl Writer {
    fn blocks(&self, blocks: &[Block]) -> String {
        let mut out = String::new();
        let mut previous: Option<&Block> = None;
        for block in blocks {
            let written = self.block(block);
            if written.is_empty() {
                continue;
            }
            if let Some(previous) = previous {
                out.push_str("\n\n");
                // Otherwise two lists, or two quotations, would be one.
                let is_joined = match (previous, block) {
                    (Block::List { start: first, .. }, Block::List { start: second, .. }) => {
                        first.is_some() == second.is_some()
                    }
                    (
                        Block::Quote(_) | Block::Callout { .. },
                        Block::Quote(_) | Block::Callout { .. },
                    ) => false,
                    _ => false,
                };
                if is_joined {
                    out.push_str("<!-- -->\n\n");
                }
            }
            out.push_str(&written);
            previous = Some(block);
        }
        out
    }

    fn block(&self, block: &Block) -> String {
        match block {
            Block::Paragraph(content) => self.paragraph(content),
            Block::Heading(level, content) => {
                let text = self.one_line(content);
                let marks = "#".repeat(usize::from((*level).clamp(1, 6)));
                if text.is_empty() {
                    text
                } else {
                    format!("{marks} {}", closing_hashes(&text))
                }
            }
            Block::Code { language, text } => code(language, text),
            Block::Math(text) => {
                let text = text.trim();
                if text.contains("$$") || text.contains("\n\n") {
                    return code("math", text);
                }
                format!("$$\n{text}\n$$")
            }
            Block::Quote(content) => prefixed(&self.blocks(content), "> ", "> "),
            Block::Callout {
                kind,
                title,
                content,
            } => {
                let title = self.one_line(title);
                let head = format!("[!{kind}] {title}");
                let content = self.blocks(content);
                prefixed(
                    format!("{}\n{content}", head.trim_end()).trim_end(),
                    "> ",
                    "> ",
                )
            }
            Block::Details { summary, content } => {
                let mut html = String::new();
                escape_html(&mut html, &plain(summary));
                format!(
                    "<details>\n<summary>{html}</summary>\n\n{}\n\n</details>",
                    self.blocks(content)
                )
            }
            Block::List { start, items } => self.list(*start, items),
            Block::Definitions(entries) => self.definitions(entries),
            Block::Table { align, rows } => self.table(align, rows),
            Block::Rule => "***".to_owned(),
        }
    }

    fn paragraph(&self, content: &[Inline]) -> String {
        let text = self.inlines(content, Place::default());
        let lines: Vec<String> = text
            .trim()
            .lines()
            .map(|line| escape_line_start(line.trim_start()))
            .collect();
        let mut text = lines.join("\n");
        // A paragraph can't end with a break; it can end with an escaped backslash.
        let backslashes = text.len() - text.trim_end_matches('\\').len();
        if backslashes % 2 == 1 {
            text.pop();
        }
        text
    }

    fn list(&self, start: Option<u32>, items: &[Item]) -> String {
        let is_tight = items.iter().all(|item| {
            let paragraphs = |block: &&Block| !matches!(block, Block::List { .. });
            item.content.iter().filter(paragraphs).count() < 2
                && !matches!(item.content.get(1), Some(block) if !matches!(block, Block::List { .. }))
        });
        let mut out = String::new();
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push_str(if is_tight { "\n" } else { "\n\n" });
            }
            let number =
                start.map(|start| start.saturating_add(u32::try_from(index).unwrap_or(u32::MAX)));
            let marker = number.map_or("- ".to_owned(), |number| {
                format!("{}. ", number.min(999_999_999))
            });
            let indent = " ".repeat(marker.len());
            let mut content = self.blocks(&item.content);
            if is_tight {
                content = tighten(&item.content, &content, self);
            }
            let task = match item.task {
                Some(true) => "[x] ",
                Some(false) => "[ ] ",
                None => "",
            };
            // A task box belongs to a paragraph.
            let is_text = matches!(item.content.first(), Some(Block::Paragraph(_)) | None);
            let content = if task.is_empty() || is_text {
                format!("{task}{content}")
            } else {
                format!("{task}\n\n{content}")
            };
            out.push_str(prefixed(&content, &marker, &indent).trim_end());
        }
        out
    }

    fn definitions(&self, entries: &[(Vec<Inline>, Vec<Vec<Block>>)]) -> String {
        let mut out = Vec::new();
        for (term, definitions) in entries {
            let term = self.one_line(term);
            let term = if term.is_empty() {
                "\\-".to_owned()
            } else {
                escape_line_start(&term)
            };
            let mut entry = term;
            for definition in definitions {
                let content = self.blocks(definition);
                entry.push('\n');
                entry.push_str(&prefixed(&content, ": ", "  "));
            }
            out.push(entry);
        }
        out.join("\n\n")
    }

    fn table(&self, align: &[Align], rows: &[Vec<Vec<Inline>>]) -> String {
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        if columns == 0 {
            return String::new();
        }
        let mut out = String::new();
        for (index, row) in rows.iter().enumerate() {
            out.push('|');
            for column in 0..columns {
                let cell = row
                    .get(column)
                    .map(|cell| self.cell(cell))
                    .unwrap_or_default();
                write!(out, " {cell} |").expect("BUG: writing to a string failed");
            }
            out.push('\n');
            if index == 0 {
                out.push('|');
                for column in 0..columns {
                    out.push_str(match align.get(column).copied().unwrap_or_default() {
                        Align::None => " --- |",
                        Align::Center => " :-: |",
                        Align::Right => " --: |",
                    });
                }
                out.push('\n');
            }
        }
        out.pop();
        out
    }

    fn cell(&self, content: &[Inline]) -> String {
        let place = Place {
            table: true,
            link: false,
        };
        let text = self.inlines(content, place);
        text.trim().trim_end_matches("<br>").replace('\n', " ")
    }

    /// Writes a run where a line can't break.
    fn one_line(&self, content: &[Inline]) -> String {
        let text = self.inlines(content, Place::default());
        text.replace("\\\n", " ")
            .replace('\n', " ")
            .trim()
            .to_owned()
    }

    fn inlines(&self, content: &[Inline], place: Place) -> String {
        let mut out = String::new();
        self.append(&mut out, content, place, &mut Vec::new());
        out
    }

    fn append(&self, out: &mut String, content: &[Inline], place: Place, open: &mut Vec<Mark>) {
        for (index, inline) in content.iter().enumerate() {
            match inline {
                Inline::Text(text) => escape(out, text, place, &self.paired),
                Inline::Code(text) => out.push_str(&code_span(text, place)),
                Inline::Math(text) => out.push_str(&math(text)),
                Inline::Break if place.table => out.push_str("<br>"),
                Inline::Break => {
                    out.truncate(out.trim_end_matches([' ', '\t']).len());
                    if !out.is_empty() {
                        out.push_str("\\\n");
                    }
                }
                Inline::Ruby(base, reading) => {
                    out.push_str("<ruby>");
                    escape_html(out, base);
                    out.push_str("<rt>");
                    escape_html(out, reading);
                    out.push_str("</rt></ruby>");
                }
                Inline::Image(image) => self.image(out, image, place),
                Inline::Embed(target) => {
                    write!(out, "![[{target}]]").expect("BUG: writing to a string failed");
                }
                Inline::Link {
                    target,
                    title,
                    content,
                } => {
                    self.link(out, target, title, content, place, open);
                }
                Inline::Marked(mark, inner) if open.contains(mark) => {
                    self.append(out, inner, place, open);
                }
                Inline::Marked(mark, inner) => {
                    let next = content.get(index + 1).and_then(first_char);
                    self.marked(out, *mark, inner, next, place, open);
                }
            }
        }
    }

    fn marked(
        &self,
        out: &mut String,
        mark: Mark,
        inner: &[Inline],
        next: Option<char>,
        place: Place,
        open: &mut Vec<Mark>,
    ) {
        // `***` is read as emphasis within strong text.
        if let (Mark::Emphasis, [Inline::Marked(Mark::Strong, innermost)]) = (mark, inner) {
            let swapped = [Inline::Marked(Mark::Emphasis, innermost.clone())];
            return self.marked(out, Mark::Strong, &swapped, next, place, open);
        }
        let mut text = String::new();
        open.push(mark);
        self.append(&mut text, inner, place, open);
        open.pop();
        let core = text.trim();
        if core.is_empty() || core == "\\" {
            out.push_str(&text);
            return;
        }
        let start = text.len() - text.trim_start().len();
        let (before, core) = (
            &text[..start],
            core.strip_suffix("\\")
                .filter(|_| text.ends_with("\\\n"))
                .unwrap_or(core),
        );
        let after = &text[start + core.len()..];
        out.push_str(before);
        let outer_next = if after.is_empty() {
            next
        } else {
            after.chars().next()
        };
        let (open_mark, close_mark) = marks(mark, core, out, outer_next);
        out.push_str(open_mark);
        out.push_str(core);
        out.push_str(close_mark);
        out.push_str(after);
    }

    fn link(
        &self,
        out: &mut String,
        target: &str,
        title: &str,
        content: &[Inline],
        place: Place,
        open: &mut Vec<Mark>,
    ) {
        if place.link {
            // A link can't contain another one.
            self.append(out, content, place, open);
            return;
        }
        let label = plain(content);
        let is_address = target.starts_with("http://") || target.starts_with("https://");
        let is_bare = is_address && title.is_empty() && matches!(content, [] | [Inline::Text(_)]);
        if is_bare
            && (label == target || label.is_empty())
            && !target.contains(|char: char| char.is_whitespace() || "<>|".contains(char))
        {
            write!(out, "<{target}>").expect("BUG: writing to a string failed");
            return;
        }
        let inside = Place {
            link: true,
            ..place
        };
        let mut text = String::new();
        self.append(&mut text, content, inside, open);
        let text = text.replace("\\\n", " ").replace('\n', " ");
        let trimmed = text.trim();
        if text.starts_with(char::is_whitespace) && !out.ends_with(char::is_whitespace) {
            out.push(' ');
        }
        escape_bang(out);
        out.push('[');
        if trimmed.is_empty() {
            escape(out, target, inside, &self.paired);
        } else {
            out.push_str(trimmed);
        }
        out.push(']');
        push_destination(out, target, title);
        if !trimmed.is_empty() && text.ends_with(char::is_whitespace) {
            out.push(' ');
        }
    }

    fn image(&self, out: &mut String, image: &Image, place: Place) {
        out.push_str("![");
        let mut alt = String::new();
        escape(
            &mut alt,
            &one_space(&image.alt),
            Place {
                link: true,
                ..place
            },
            &self.paired,
        );
        // The end of the alternative text could be read as a size.
        out.push_str(&alt.replace("\\|", "|").replace('|', "¦"));
        let bar = if place.table { "\\|" } else { "|" };
        let side = |side: Option<u16>| side.filter(|side| (1..=9999).contains(side));
        match (side(image.width), side(image.height)) {
            (Some(width), Some(height)) => write!(out, "{bar}{width}x{height}"),
            (Some(width), None) => write!(out, "{bar}{width}"),
            (None, _) => Ok(()),
        }
        .expect("BUG: writing to a string failed");
        out.push(']');
        push_destination(out, &image.target, &image.title);
    }
}

/// Writes the text of a tight item: nested lists follow their paragraph without an empty line.
fn tighten(content: &[Block], written: &str, writer: &Writer) -> String {
    match content {
        [first, rest @ ..] if !rest.is_empty() => {
            let mut text = writer.block(first);
            for block in rest {
                // A list that doesn't start with 1 can't follow a line of text.
                let is_text =
                    matches!(block, Block::List { start: Some(start), .. } if *start != 1);
                text.push_str(if is_text { "\n\n" } else { "\n" });
                text.push_str(&writer.block(block));
            }
            text
        }
        _ => written.to_owned(),
    }
}

/// `#` at the end of a heading would be left out.
fn closing_hashes(text: &str) -> String {
    let end = text.trim_end_matches('#').len();
    if end < text.len() && text[..end].ends_with([' ', '\t']) || end == 0 {
        return format!("{}\\{}", &text[..end], &text[end..]);
    }
    text.to_owned()
}

/// Returns the marks around a text: HTML where those of Markdown wouldn't be read.
fn marks(mark: Mark, core: &str, before: &str, next: Option<char>) -> (&'static str, &'static str) {
    let (markdown, html) = match mark {
        Mark::Strong => ("**", ("<strong>", "</strong>")),
        Mark::Emphasis => ("*", ("<em>", "</em>")),
        Mark::Strike => ("~~", ("<del>", "</del>")),
        Mark::Highlight => ("==", ("<mark>", "</mark>")),
        Mark::Underline => return ("<u>", "</u>"),
        Mark::Key => return ("<kbd>", "</kbd>"),
        Mark::Subscript if is_script(core) && !before.ends_with('~') && next != Some('~') => {
            return ("~", "~");
        }
        Mark::Superscript if is_script(core) && !before.ends_with(['^', '(', '（']) => {
            return ("^", "^");
        }
        Mark::Subscript => return ("<sub>", "</sub>"),
        Mark::Superscript => return ("<sup>", "</sup>"),
    };
    let mark_char = markdown.chars().next();
    let previous = before.chars().next_back();
    let (first, last) = (core.chars().next(), core.chars().next_back());
    let is_separate = previous != mark_char
        && next != mark_char
        && (first != mark_char || mark == Mark::Strong && core.len() > 2)
        && (last != mark_char || core.ends_with("\\*") || mark == Mark::Strong);
    let is_single = !core.contains("\\\n\\\n");
    if is_separate && is_single && opens(previous, first) && opens(next, last) {
        (markdown, markdown)
    } else {
        html
    }
}

/// Returns true if a mark between an outer and an inner character is read as one (a delimiter run that flanks).
fn opens(outer: Option<char>, inner: Option<char>) -> bool {
    let is_punctuation = |char: char| !char.is_alphanumeric() && !char.is_whitespace();
    let outer_is_open = outer.is_none_or(|char| char.is_whitespace() || is_punctuation(char));
    inner.is_some_and(|char| !char.is_whitespace() && (!is_punctuation(char) || outer_is_open))
}

/// Returns true if the dialect reads a subscript or superscript with this text.
fn is_script(text: &str) -> bool {
    let is_allowed = |char: char| {
        (char.is_alphanumeric() && (char as u32) < 0x2e80) || "+-−=().,/'′".contains(char)
    };
    text.chars().count() <= 100 && text.chars().all(is_allowed)
}

fn first_char(inline: &Inline) -> Option<char> {
    match inline {
        Inline::Text(text) => text.chars().next(),
        Inline::Code(_) => Some('`'),
        Inline::Math(_) => Some('$'),
        // The mark itself, which must not touch another one.
        Inline::Marked(Mark::Strong | Mark::Emphasis, content) => content.first().map(|_| '*'),
        Inline::Marked(Mark::Strike | Mark::Subscript, _) => Some('~'),
        Inline::Marked(Mark::Highlight, _) => Some('='),
        Inline::Marked(Mark::Superscript, _) => Some('^'),
        Inline::Marked(Mark::Underline | Mark::Key, _) | Inline::Ruby(..) => Some('<'),
        Inline::Link { .. } => Some('['),
        Inline::Image(_) | Inline::Embed(_) => Some('!'),
        Inline::Break => Some('\n'),
    }
}

/// `!` before a link would make a picture of it.
fn escape_bang(out: &mut String) {
    if out.ends_with('!') && !out.ends_with("\\!") {
        out.pop();
        out.push_str("\\!");
    }
}

fn push_destination(out: &mut String, target: &str, title: &str) {
    out.push('(');
    out.push_str(&encode_destination(target));
    let title = one_space(title);
    if !title.is_empty() {
        out.push_str(" \"");
        for char in title.chars() {
            if "\"\\|".contains(char) {
                out.push('\\');
            }
            out.push(char);
        }
        out.push('"');
    }
    out.push(')');
}

fn one_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn escape_html(out: &mut String, text: &str) {
    for char in text.chars() {
        match char {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // Otherwise read as Markdown between the tags.
            '*' | '_' | '`' | '[' | ']' | '~' | '^' | '$' | '\\' | '|' => {
                write!(out, "&#{};", u32::from(char)).expect("BUG: writing to a string failed");
            }
            '\n' => out.push(' '),
            char => out.push(char),
        }
    }
}

/// Returns a formula, or a code span where a formula isn't read.
fn math(text: &str) -> String {
    let text = one_space(text);
    // The formula would end there, or not be one.
    if text.contains('$') || text.ends_with('\\') {
        return code_span(&text, Place::default());
    }
    if text.is_empty() {
        text
    } else {
        format!("${text}$")
    }
}

fn code_span(text: &str, place: Place) -> String {
    let mut text = text.replace(['\n', '\r'], " ");
    if place.table {
        text = text.replace('|', "\\|");
    }
    if text.is_empty() {
        return text;
    }
    let fence = "`".repeat(longest_run(&text, '`') + 1);
    let pad = text.starts_with('`')
        || text.ends_with('`')
        || (text.starts_with(' ') && text.ends_with(' ') && !text.trim().is_empty());
    let pad = if pad { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn code(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text, '`').max(2) + 1);
    let language: String = language
        .chars()
        .filter(|char| char.is_alphanumeric() || "+#-._".contains(*char))
        .collect();
    format!(
        "{fence}{language}\n{}\n{fence}",
        text.trim_end_matches('\n')
    )
}

fn longest_run(text: &str, of: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for char in text.chars() {
        run = if char == of { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Puts a prefix before each line.
fn prefixed(text: &str, first: &str, other: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let prefix = if index == 0 { first } else { other };
        out.push_str(if line.is_empty() && index > 0 {
            prefix.trim_end()
        } else {
            prefix
        });
        out.push_str(line);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Inline {
        Inline::text(text)
    }

    #[track_caller]
    fn check(content: Vec<Inline>, expected: &str) {
        assert_eq!(write(&[Block::Paragraph(content)]), format!("{expected}\n"));
    }

    #[test]
    fn text_is_escaped_where_needed() {
        check(
            vec![text("a_b * c *d* _e_ `f`")],
            r"a_b * c \*d\* \_e\_ \`f\`",
        );
        check(vec![text("1. x")], r"1\. x");
        check(vec![text("- x")], r"\- x");
        check(vec![text("# x")], r"\# x");
        check(vec![text("#tag")], "#tag");
        check(vec![text("---")], r"\---");
        check(vec![text("costs $5")], "costs $5");
        check(vec![text("$5 or $6")], r"\$5 or \$6");
        check(
            vec![text("a < b, <b> &amp; & c")],
            r"a < b, \<b> \&amp; & c",
        );
        check(vec![text("[x] [a](b) [[c]]")], r"\[x] \[a](b) \[[c]]");
        check(vec![text("see [1] now")], "see [1] now");
        check(
            vec![text("https://a.b/c_d_*e* _x_")],
            r"https://a.b/c_d_*e* \_x\_",
        );
        check(vec![text("C:\\*")], r"C:\\\*");
    }

    #[test]
    fn marks_are_html_where_needed() {
        let strong = |inner: &str| Inline::Marked(Mark::Strong, vec![text(inner)]);
        check(vec![text("a "), strong(" b "), text("c")], "a  **b** c");
        check(
            vec![strong("「京都」"), text("へ")],
            "<strong>「京都」</strong>へ",
        );
        check(vec![text("東"), strong("京"), text("都")], "東**京**都");
        let emphasis = Inline::Marked(Mark::Emphasis, vec![text("b")]);
        check(vec![strong("a"), emphasis.clone()], "<strong>a</strong>*b*");
        check(
            vec![Inline::Marked(Mark::Strong, vec![emphasis])],
            "***b***",
        );
        let sub = |inner: &str| Inline::Marked(Mark::Subscript, vec![text(inner)]);
        check(
            vec![text("H"), sub("2"), text("O"), sub("a b")],
            "H~2~O<sub>a b</sub>",
        );
    }

    #[test]
    fn links_and_pictures() {
        let link = |target: &str, content: Vec<Inline>| Inline::Link {
            target: target.to_owned(),
            title: String::new(),
            content,
        };
        check(
            vec![text("wow!"), link("a b", vec![text("x]")])],
            r"wow\![x\]](a%20b)",
        );
        check(vec![link("b", vec![text("a")])], "[a](b)");
        let address = "https://e.x/";
        check(vec![link(address, vec![text(address)])], "<https://e.x/>");
        let image = Image {
            target: "p.png".to_owned(),
            alt: "a|b".to_owned(),
            width: Some(30),
            ..Image::default()
        };
        check(vec![Inline::Image(image)], "![a¦b|30](p.png)");
    }

    #[test]
    fn blocks_are_nested() {
        let paragraph = |inner: &str| Block::Paragraph(vec![text(inner)]);
        let inner = Block::List {
            start: Some(3),
            items: vec![Item {
                task: None,
                content: vec![
                    paragraph("c"),
                    Block::Code {
                        language: "rs".into(),
                        text: "d\n\ne".into(),
                    },
                ],
            }],
        };
        let list = Block::List {
            start: None,
            items: vec![
                Item {
                    task: Some(true),
                    content: vec![paragraph("a")],
                },
                Item {
                    task: None,
                    content: vec![paragraph("b"), inner],
                },
            ],
        };
        let table = Block::Table {
            align: vec![Align::Right],
            rows: vec![
                vec![vec![text("a|b")], vec![Inline::Code("|".into())]],
                vec![vec![text("c"), Inline::Break, text("d")]],
            ],
        };
        let quote = Block::Quote(vec![paragraph("q"), table]);
        insta::assert_snapshot!(write(&[list.clone(), list, quote]));
    }
}
