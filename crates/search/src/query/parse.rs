//! Parses a query into conditions.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use regex::{Regex, RegexBuilder};

use super::{Expr, QueryError};
use crate::fold::fold;
use crate::sequence::Sequence;

/// The maximum length of a query, in characters.
pub const MAX_QUERY_CHARS: usize = 1000;
/// The maximum number of parts of a query; further parts are ignored.
const MAX_PARTS: usize = 32;
/// The memory limit of a regular expression, in bytes.
const REGEX_BYTES: usize = 1 << 20;

/// A part of a query, between blanks.
#[derive(Debug, PartialEq, Eq)]
struct Part<'t> {
    negated: bool,
    field: Option<&'t str>,
    value: &'t str,
    quoted: bool,
}

pub(super) fn parse(typed: &str) -> Result<Expr, QueryError> {
    if typed.chars().nth(MAX_QUERY_CHARS).is_some() {
        return Err(QueryError::TooLong);
    }
    let mut all: Vec<Expr> = Vec::new();
    // True if the next part is an alternative to the last one.
    let mut alternative = false;
    let mut parts = Parts(typed).take(MAX_PARTS).peekable();
    while let Some(part) = parts.next() {
        let is_word = !part.quoted && !part.negated && part.field.is_none();
        if is_word && part.value == "OR" && !all.is_empty() && parts.peek().is_some() {
            alternative = true;
            continue;
        }
        let Some(expr) = condition(&part)? else {
            continue;
        };
        match all.pop() {
            Some(Expr::Any(mut others)) if alternative => {
                others.push(expr);
                all.push(Expr::Any(others));
            }
            Some(last) if alternative => all.push(Expr::Any(vec![last, expr])),
            last => {
                all.extend(last);
                all.push(expr);
            }
        }
        alternative = false;
    }
    Ok(Expr::All(all))
}

/// Returns the condition of a part; `None` if it has no words.
fn condition(part: &Part<'_>) -> Result<Option<Expr>, QueryError> {
    let value = part.value;
    let sequence = |loose| Sequence::new(value, loose);
    let expr = match part.field {
        Some("title") => sequence(!part.quoted).map(Expr::Title),
        Some("path") if value.starts_with('/') => Some(Expr::Below(folded_path(value))),
        Some("path") => sequence(!part.quoted).map(Expr::Path),
        Some("tag") => tag(value).map(Expr::Tag),
        Some("before") => Some(Expr::Before(start(value)?)),
        Some("after") => Some(Expr::After(start(value)?)),
        Some("has") => matches!(value, "picture" | "image").then_some(Expr::HasPicture),
        Some("regex") => Some(Expr::Regex(regex(value)?)),
        Some(_) | None => sequence(!part.quoted).map(Expr::Text),
    };
    Ok(expr.map(|expr| match part.negated {
        true => Expr::Not(Box::new(expr)),
        false => expr,
    }))
}

fn tag(value: &str) -> Option<String> {
    let tag = fold(value.trim_start_matches('#').trim_matches('/'));
    (!tag.is_empty()).then_some(tag)
}

pub(super) fn folded_path(path: &str) -> String {
    match fold(path.trim_end_matches('/')) {
        path if path.is_empty() => "/".to_owned(),
        path => path,
    }
}

/// Returns the first instant of a year, month or day, in milliseconds since 1970.
fn start(date: &str) -> Result<i64, QueryError> {
    let wrong = || QueryError::Date(date.to_owned());
    let full = match date.len() {
        4 => format!("{date}-01-01"),
        7 => format!("{date}-01"),
        _ => date.to_owned(),
    };
    let day: Date = full.parse().map_err(|_| wrong())?;
    let moment = day.to_zoned(TimeZone::system()).map_err(|_| wrong())?;
    Ok(moment.timestamp().as_millisecond())
}

fn regex(pattern: &str) -> Result<Regex, QueryError> {
    let built = RegexBuilder::new(pattern)
        .multi_line(true)
        .size_limit(REGEX_BYTES)
        .dfa_size_limit(REGEX_BYTES)
        .nest_limit(50)
        .build();
    built.map_err(|error| {
        let message = error.to_string();
        QueryError::Regex(message.lines().last().unwrap_or_default().to_owned())
    })
}

/// The fields that may prefix a part.
const FIELDS: [&str; 7] = ["title", "path", "tag", "before", "after", "has", "regex"];

struct Parts<'t>(&'t str);

impl<'t> Iterator for Parts<'t> {
    type Item = Part<'t>;

    fn next(&mut self) -> Option<Part<'t>> {
        let rest = self.0.trim_start();
        if rest.is_empty() {
            return None;
        }
        let unsigned = rest.strip_prefix('-');
        let unsigned = unsigned.filter(|rest| rest.starts_with(|c: char| !c.is_whitespace()));
        let (negated, rest) = (unsigned.is_some(), unsigned.unwrap_or(rest));
        let field = FIELDS.iter().find_map(|name| {
            let behind = rest.strip_prefix(name)?.strip_prefix([':', '：'])?;
            behind
                .starts_with(|c: char| !c.is_whitespace())
                .then_some((*name, behind))
        });
        let (field, rest) = match field {
            Some((name, behind)) => (Some(name), behind),
            None => (None, rest),
        };
        let (value, quoted, behind) = value(rest);
        self.0 = behind;
        Some(Part {
            negated,
            field,
            value,
            quoted,
        })
    }
}

/// Returns the value at the beginning, true if it is in quotes, and the rest.
fn value(rest: &str) -> (&str, bool, &str) {
    for (open, close) in [('"', '"'), ('“', '”'), ('「', '」')] {
        if let Some(inner) = rest.strip_prefix(open) {
            return match inner.split_once(close) {
                Some((value, behind)) => (value, true, behind),
                None => (inner, true, ""),
            };
        }
    }
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    (&rest[..end], false, &rest[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, expected: &str) {
        let expr = parse(typed).unwrap();
        assert_eq!(written(&expr), expected, "{typed:?}");
    }

    fn written(expr: &Expr) -> String {
        let list = |parts: &[Expr]| parts.iter().map(written).collect::<Vec<_>>().join(" ");
        match expr {
            Expr::All(parts) => format!("({})", list(parts)),
            Expr::Any(parts) => format!("[{}]", list(parts)),
            Expr::Not(part) => format!("!{}", written(part)),
            Expr::Text(words) if words.loose => words.text(),
            Expr::Text(words) => format!("'{}'", words.text()),
            Expr::Title(words) => format!("title={}", words.text()),
            Expr::Path(words) => format!("path={}", words.text()),
            Expr::Below(path) => format!("below={path}"),
            Expr::Tag(tag) => format!("tag={tag}"),
            Expr::Before(_) => "before".to_owned(),
            Expr::After(_) => "after".to_owned(),
            Expr::HasPicture => "picture".to_owned(),
            Expr::Regex(regex) => format!("regex={regex}"),
        }
    }

    #[test]
    fn queries_are_read() {
        check("", "()");
        check(
            "京都 Rust",
            "(京 都 rust)".replace("京 都", "京都").as_str(),
        );
        check("\"gen itgc\" x", "('genitgc' x)");
        check("「京都 大阪」", "('京都大阪')");
        check("a -b -\"c d\"", "(a !b !'cd')");
        check("a OR b OR c d", "([a b c] d)");
        check("OR a OR", "(or a or)");
        check(
            "title:旅 path:/旅/ path:kyoto tag:#旅/京都",
            "(title=旅 below=/旅 path=kyoto tag=旅/京都)",
        );
        check(
            "before:2026 after:2025-04-30 has:picture",
            "(before after picture)",
        );
        check("path:/ regex:\"a b\"", "(below=/ regex=a b)");
        check("-", "()");
        check("\"open end", "('openend')");
        check("\" \"", "()");
        check("。、", "()");
        check("http://a", "(httpa)");
        check("title: x", "(title x)");
    }

    #[test]
    fn bad_queries_are_refused() {
        assert_eq!(parse(&"a".repeat(1001)).unwrap_err(), QueryError::TooLong);
        assert!(matches!(parse("regex:("), Err(QueryError::Regex(_))));
        assert!(matches!(
            parse(r"regex:(\w{1000}){1000}"),
            Err(QueryError::Regex(_))
        ));
        assert!(matches!(parse("after:soon"), Err(QueryError::Date(_))));
        assert!(matches!(parse("before:2026-13"), Err(QueryError::Date(_))));
    }
}
