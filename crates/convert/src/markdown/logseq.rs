//! Pages of Logseq: items with properties, ids and markers.

use super::front_matter::FrontMatter;

/// The properties of blocks that only the program needs.
const INTERNAL: [&str; 6] = [
    "id",
    "collapsed",
    "card-last-score",
    "card-repeats",
    "card-next-schedule",
    "heading",
];

/// Returns the title that the first block of a page states.
pub(super) fn title(body: &str) -> Option<String> {
    let (properties, _) = page_properties(body);
    let title = properties.into_iter().find(|(name, _)| name == "title");
    title.map(|(_, value)| value)
}

/// Returns the other titles that the first block of a page states.
pub(super) fn aliases(body: &str) -> Vec<String> {
    let (properties, _) = page_properties(body);
    let lists = properties
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "alias" | "aliases"));
    lists.flat_map(|(_, list)| titles(list)).collect()
}

/// Splits a list of titles: `a, [[b c]], #d`.
fn titles(list: &str) -> Vec<String> {
    list.split([',', '、'])
        .map(|item| item.trim().trim_matches(['#', '[', ']']).to_owned())
        .filter(|item| !item.is_empty())
        .collect()
}

/// Returns the blocks with ids, and their words.
pub(super) fn blocks(body: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut words = "";
    for line in body.lines() {
        let inner = line.trim_start();
        if let Some((name, id)) = property(inner) {
            if name == "id" {
                found.push((id.to_owned(), words.trim().to_owned()));
            }
        } else if let Some(item) = inner.strip_prefix("- ") {
            words = item;
        }
    }
    found
}

/// Converts a page. Its first properties become front matter; ids of blocks, markers of tasks, sizes of pictures and
/// embeds get the syntax of the wiki.
pub(super) fn convert(body: &str, front: &mut FrontMatter) -> String {
    let (properties, rest) = page_properties(body);
    for (name, value) in properties {
        match name.as_str() {
            "title" | "alias" | "tags" => {
                let values = titles(&value);
                let name = if name == "alias" { "aliases" } else { &name };
                let values = if name == "title" { vec![value] } else { values };
                front.add(name, &values);
            }
            name if INTERNAL.contains(&name) => {}
            name => front.add(name, &[value]),
        }
    }
    let mut out: Vec<String> = Vec::new();
    let mut item = None;
    let (mut in_fence, mut in_drawer) = (false, false);
    for line in rest.lines() {
        let inner = line.trim_start();
        let is_fence = inner.trim_start_matches("- ").starts_with("```");
        if in_drawer {
            in_drawer = inner != ":END:";
            continue;
        }
        if in_fence || is_fence {
            in_fence ^= is_fence;
            if inner.starts_with("- ") {
                item = Some(out.len());
            }
            out.push(spaces(line));
            continue;
        }
        if inner == ":LOGBOOK:" {
            in_drawer = true;
            continue;
        }
        if let Some((name, value)) = property(inner) {
            if name == "id" {
                if let Some(at) = item.filter(|at| *at < out.len()) {
                    let line: &mut String = &mut out[at];
                    line.push_str(&format!(" ^{value}"));
                }
            } else if !INTERNAL.contains(&name) {
                let indent = &line[..line.len() - inner.len()];
                out.push(spaces(&format!("{indent}{name}: {value}")));
            }
            continue;
        }
        if inner.starts_with("- ") || inner == "-" {
            item = Some(out.len());
        }
        out.push(inline(&task(&spaces(line))));
    }
    let mut text = out.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Splits the properties at the start of a page from the rest.
fn page_properties(body: &str) -> (Vec<(String, String)>, &str) {
    let mut properties = Vec::new();
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let inner = line.trim().trim_start_matches("- ");
        match property(inner) {
            Some((name, value)) if !line.starts_with([' ', '\t']) || !properties.is_empty() => {
                properties.push((name.to_owned(), value.to_owned()));
            }
            _ if line.trim().is_empty() && !properties.is_empty() => {}
            _ => break,
        }
        at += line.len();
    }
    (properties, &body[at..])
}

/// Splits `name:: value`.
fn property(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once("::")?;
    let is_name = !name.is_empty()
        && !name.contains(char::is_whitespace)
        && !name.contains([':', '`', '[', '(']);
    (is_name && (value.is_empty() || value.starts_with(' '))).then(|| (name, value.trim()))
}

/// Logseq indents by tabs, which Markdown reads as up to four spaces.
fn spaces(line: &str) -> String {
    let inner = line.trim_start_matches('\t');
    let depth = line.len() - inner.len();
    format!("{}{inner}", "  ".repeat(depth))
}

fn task(line: &str) -> String {
    let Some((indent, rest)) = line.split_once("- ") else {
        return line.to_owned();
    };
    if !indent.trim().is_empty() {
        return line.to_owned();
    }
    for (marker, mark) in [
        (concat!("TO", "DO "), "[ ]"),
        ("LATER ", "[ ]"),
        ("NOW ", "[ ]"),
        ("DOING ", "[ ]"),
        ("WAITING ", "[ ]"),
        ("DONE ", "[x]"),
        ("CANCELED ", "[x]"),
        ("CANCELLED ", "[x]"),
    ] {
        if let Some(words) = rest.strip_prefix(marker) {
            return format!("{indent}- {mark} {words}");
        }
    }
    line.to_owned()
}

/// Converts references, embeds, tags in brackets and sizes of pictures in a line.
fn inline(line: &str) -> String {
    let mut line = labelled(&line.replace("#[[", "[["));
    for (open, close, embed) in [("{{embed ", "}}", "!"), ("((", "))", "")] {
        let mut at = 0;
        while let Some(start) = line[at..].find(open).map(|found| at + found) {
            let from = start + open.len();
            if line[..start].ends_with("[[") {
                // It is converted already.
                at = from;
                continue;
            }
            let Some(end) = line[from..].find(close).map(|found| from + found) else {
                break;
            };
            let inner = line[from..end].trim().to_owned();
            let is_id = |text: &str| {
                text.len() == 36
                    && text
                        .bytes()
                        .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
            };
            let id = inner.trim_start_matches('(').trim_end_matches(')');
            let new = if is_id(id) {
                format!("{embed}[[(({id}))]]")
            } else if embed == "!" && inner.starts_with("[[") {
                format!("!{inner}")
            } else {
                at = from;
                continue;
            };
            // The reference is converted once: it contains the same parentheses.
            at = start + new.len();
            let end = end + close.len();
            line.replace_range(start..end.min(line.len()), &new);
        }
    }
    sizes(&line)
}

/// `[label](((id)))` becomes `[[((id))|label]]`, and `[label]([[title]])` becomes `[[title|label]]`.
fn labelled(line: &str) -> String {
    let mut line = line.to_owned();
    for (open, close) in [("](((", ")))"), ("]([[", "]])")] {
        let mut at = 0;
        while let Some(middle) = line[at..].find(open).map(|found| at + found) {
            at = middle + open.len();
            let Some(start) = line[..middle].rfind('[') else {
                continue;
            };
            let Some(length) = line[at..].find(close) else {
                break;
            };
            let target = &line[at..at + length];
            let target = match open {
                "](((" => format!("(({target}))"),
                _ => target.to_owned(),
            };
            let label = &line[start + 1..middle];
            if label.is_empty() || label.contains('|') || target.contains(['[', '|']) {
                continue;
            }
            let new = format!("[[{target}|{label}]]");
            let end = at + length + close.len();
            line.replace_range(start..end, &new);
            at = start + new.len();
        }
    }
    line
}

/// `![a](b){:height 300, :width 400}` becomes `![a|400x300](b)`.
fn sizes(line: &str) -> String {
    let Some(start) = line.find("){:") else {
        return line.to_owned();
    };
    let Some(end) = line[start..].find('}').map(|found| start + found + 1) else {
        return line.to_owned();
    };
    let options = &line[start + 2..end - 1];
    let side = |name: &str| {
        let (_, after) = options.split_once(name)?;
        let digits: String = after
            .trim()
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        digits
            .parse::<u16>()
            .ok()
            .filter(|side| (1..=9999).contains(side))
    };
    let size = match (side(":width"), side(":height")) {
        (Some(width), Some(height)) => format!("|{width}x{height}"),
        (Some(width), None) => format!("|{width}"),
        (None, _) => String::new(),
    };
    let Some(bracket) = line[..start].rfind("](") else {
        return line.to_owned();
    };
    let after = sizes(&line[end..]);
    format!(
        "{}{size}{}){after}",
        &line[..bracket],
        &line[bracket..start]
    )
}
