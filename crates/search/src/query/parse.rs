//! Parses a query into conditions.

use std::ops::Range;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use unicode_normalization::UnicodeNormalization;

use super::pattern::{MAX_DEPTH, Pattern};
use super::picture::{self, PictureCondition};
use super::{Expr, Query, QueryError};
use crate::sequence::Sequence;
use fumikura_folding::fold;

/// The maximum length of a query, in characters.
pub const MAX_QUERY_CHARS: usize = 1000;
/// The maximum number of parts of a query; further parts are ignored.
const MAX_PARTS: usize = 32;

/// A part of a query, between blanks.
#[derive(Debug, PartialEq, Eq)]
struct QueryPart<'t> {
    negated: bool,
    field: Option<&'static str>,
    /// A part in the form of a field.
    unknown: Option<String>,
    value: &'t str,
    quoted: bool,
}

pub(super) fn parse(typed: &str) -> Result<Query, QueryError> {
    if typed.chars().nth(MAX_QUERY_CHARS).is_some() {
        return Err(QueryError::TooLong);
    }
    let mut all: Vec<Expr> = Vec::new();
    let mut unknown: Vec<String> = Vec::new();
    // True if the next part is an alternative to the last one.
    let mut alternative = false;
    let mut parts = Parts(typed).take(MAX_PARTS).peekable();
    while let Some(part) = parts.next() {
        let is_word = !part.quoted && !part.negated && part.field.is_none();
        let is_or = is_word && half_width(part.value) == "OR";
        if is_or && !all.is_empty() && parts.peek().is_some() {
            alternative = true;
            continue;
        }
        let expr = condition(&part)?;
        let unknown_field = part.unknown.filter(|name| !unknown.contains(name));
        unknown.extend(unknown_field);
        let Some(expr) = expr else {
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
    Ok(Query {
        expr: Expr::All(all),
        unknown,
    })
}

pub(super) fn required_words(typed: &str) -> Vec<Range<usize>> {
    let parts = Parts(typed).take(MAX_PARTS);
    let words = parts.filter(|part| {
        let is_words = matches!(part.field, None | Some("title"));
        is_words && !part.negated && half_width(part.value) != "OR"
    });
    words
        .flat_map(|part| part.value.split_whitespace())
        .map(|word| place(typed, word))
        .collect()
}

/// Returns the place of a part of a text in it.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}

/// A tag that a query names.
pub(super) struct TagPart<'t> {
    pub(super) value: &'t str,
    /// The place of the value in the query, without its quotes.
    pub(super) place: Range<usize>,
    pub(super) quoted: bool,
}

/// Returns the tags that a query names, in its order.
pub(super) fn tag_parts(typed: &str) -> Vec<TagPart<'_>> {
    let parts = Parts(typed).take(MAX_PARTS);
    let tags = parts.filter(|part| part.field == Some("tag"));
    let tags = tags.map(|part| TagPart {
        value: part.value,
        place: place(typed, part.value),
        quoted: part.quoted,
    });
    tags.collect()
}

/// Returns the condition of a part; `None` if it has no words.
fn condition(part: &QueryPart<'_>) -> Result<Option<Expr>, QueryError> {
    let value = part.value;
    let expr = match part.field {
        Some("title") => words(part, Expr::Title),
        Some("path") if half_width(value).starts_with('/') => Some(Expr::Below(folded_path(value))),
        Some("path") => words(part, Expr::Path),
        Some("tag") => tag(value).map(Expr::Tag),
        Some("before") => Some(Expr::Before(start(value)?)),
        Some("after") => Some(Expr::After(start(value)?)),
        Some("has") if fold(value) == CAPTION => Some(Expr::Picture(PictureCondition::Captioned)),
        Some("has") => Some(Expr::HasPicture),
        Some("regex") => Some(Expr::Regex(regex(value)?)),
        Some(field) if picture::FIELDS.contains(&field) => {
            PictureCondition::read(field, value, part.quoted)?.map(Expr::Picture)
        }
        Some(_) | None => words(part, Expr::Text),
    };
    Ok(expr.map(|expr| match part.negated {
        true => Expr::Not(Box::new(expr)),
        false => expr,
    }))
}

/// Returns the condition of words. Those with the same marks between numbers come first, in quotes only those.
fn words(part: &QueryPart<'_>, condition: fn(Sequence) -> Expr) -> Option<Expr> {
    let all = condition(Sequence::new(part.value, !part.quoted)?);
    let exact = Sequence::with_marks(part.value).filter(|_| !part.quoted);
    Some(match exact {
        Some(exact) => Expr::Any(vec![condition(exact), Expr::Faint(Box::new(all))]),
        None => all,
    })
}

fn tag(value: &str) -> Option<String> {
    let folded = fold(value);
    let tag = folded.trim_start_matches('#').trim_matches('/');
    (!tag.is_empty()).then(|| tag.to_owned())
}

pub(super) fn folded_path(path: &str) -> String {
    match fold(path).trim_end_matches('/') {
        "" => "/".to_owned(),
        path => path.to_owned(),
    }
}

/// Returns the first instant of a year, month or day, in milliseconds since 1970.
fn start(date: &str) -> Result<i64, QueryError> {
    let wrong = || QueryError::Date(date.to_owned());
    let date = half_width(date);
    let full = match date.len() {
        4 => format!("{date}-01-01"),
        7 => format!("{date}-01"),
        _ => date.clone(),
    };
    let day: Date = full.parse().map_err(|_| wrong())?;
    let moment = day.to_zoned(TimeZone::system()).map_err(|_| wrong())?;
    Ok(moment.timestamp().as_millisecond())
}

fn regex(pattern: &str) -> Result<Pattern, QueryError> {
    Pattern::new(pattern).map_err(|error| regex_fault(pattern, &error.to_string()))
}

/// Describes the first fault of a regular expression.
fn regex_fault(pattern: &str, error: &str) -> QueryError {
    let mut parser = regex_syntax::ParserBuilder::new()
        .multi_line(true)
        .nest_limit(MAX_DEPTH)
        .build();
    let (reason, offset) = match parser.parse(pattern).err() {
        Some(regex_syntax::Error::Parse(fault)) => {
            (fault.kind().to_string(), Some(fault.span().start.offset))
        }
        Some(regex_syntax::Error::Translate(fault)) => {
            (fault.kind().to_string(), Some(fault.span().start.offset))
        }
        None => ("it is too large".to_owned(), None),
        Some(_) => (error.to_owned(), None),
    };
    let before = offset.and_then(|offset| pattern.get(..offset));
    QueryError::Regex {
        reason,
        at: before.map(|before| before.chars().count() + 1),
    }
}

/// The fields that may prefix a part, beside those of pictures.
const PAGE_FIELDS: [&str; 7] = ["title", "path", "tag", "before", "after", "has", "regex"];
/// The values of `has:` that mean a picture.
const PICTURE: [&str; 2] = ["picture", "image"];
/// The value of `has:` for pictures with a caption.
const CAPTION: &str = "caption";
/// The starts of addresses, which are no fields.
const SCHEMES: [&str; 8] = [
    "http", "https", "ftp", "file", "mailto", "tel", "page", "asset",
];

struct Parts<'t>(&'t str);

impl<'t> Iterator for Parts<'t> {
    type Item = QueryPart<'t>;

    fn next(&mut self) -> Option<QueryPart<'t>> {
        let rest = self.0.trim_start();
        if rest.is_empty() {
            return None;
        }
        let unsigned = rest.strip_prefix(is_minus);
        let unsigned = unsigned.filter(|rest| rest.starts_with(|c: char| !c.is_whitespace()));
        let (negated, rest) = (unsigned.is_some(), unsigned.unwrap_or(rest));
        let prefix = prefix(rest);
        let field = prefix.as_ref().and_then(|(name, behind)| {
            let mut fields = PAGE_FIELDS.into_iter().chain(picture::FIELDS);
            let known = fields.find(|known| known == name)?;
            let is_value = known != "has" || is_has_value(behind);
            is_value.then_some((known, *behind))
        });
        let unknown = prefix.filter(|_| field.is_none());
        let unknown = unknown.and_then(|(name, behind)| unknown_field(name, behind));
        let (value, quoted, behind) = value(field.map_or(rest, |(_, behind)| behind));
        self.0 = behind;
        Some(QueryPart {
            negated,
            field: field.map(|(name, _)| name),
            unknown,
            value,
            quoted,
        })
    }
}

/// Returns the folded word before a colon at the beginning, and the text behind the colon.
fn prefix(rest: &str) -> Option<(String, &str)> {
    let end = rest.find(|c: char| c.is_whitespace() || is_colon(c))?;
    let behind = rest[end..].strip_prefix(is_colon)?;
    let is_followed = behind.starts_with(|c: char| !c.is_whitespace());
    is_followed.then(|| (fold(&rest[..end]), behind))
}

fn is_has_value(behind: &str) -> bool {
    let value = fold(value(behind).0);
    value == CAPTION || PICTURE.contains(&value.as_str())
}

/// Returns the name of a field that does not exist; `None` for an address, and for what is no name.
fn unknown_field(name: String, behind: &str) -> Option<String> {
    if name == "has" {
        return Some(format!("has:{}", value(behind).0));
    }
    let is_name = name.len() > 1 && name.bytes().all(|b| b.is_ascii_lowercase());
    let is_address = SCHEMES.contains(&name.as_str()) || behind.starts_with("//");
    (is_name && !is_address).then_some(name)
}

/// The quotes: those that open, and those that close them.
const QUOTES: [(&[char], &[char]); 4] = [
    (&['"', '＂', '“', '„'], &['"', '＂', '”']),
    (&['「'], &['」']),
    (&['『'], &['』']),
    (&['｢'], &['｣']),
];

/// Returns the value at the beginning, true if it is in quotes, and the rest.
fn value(rest: &str) -> (&str, bool, &str) {
    for (open, close) in QUOTES {
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

fn is_minus(c: char) -> bool {
    matches!(c, '-' | '－' | '−' | '﹣')
}

fn is_colon(c: char) -> bool {
    matches!(c, ':' | '：')
}

/// Returns a text in half width.
pub(super) fn half_width(text: &str) -> String {
    let half = text.nfkc();
    half.map(|c| if is_minus(c) { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, expected: &str) {
        let query = parse(typed).unwrap();
        assert_eq!(written(&query.expr), expected, "{typed:?}");
    }

    fn written(expr: &Expr) -> String {
        let list = |parts: &[Expr]| parts.iter().map(written).collect::<Vec<_>>().join(" ");
        match expr {
            Expr::All(parts) => format!("({})", list(parts)),
            Expr::Any(parts) => format!("[{}]", list(parts)),
            Expr::Not(part) => format!("!{}", written(part)),
            Expr::Faint(part) => format!("~{}", written(part)),
            Expr::Text(words) if words.loose => words.text(),
            Expr::Text(words) => format!("'{}'", words.text()),
            Expr::Title(words) => format!("title={}", words.text()),
            Expr::Path(words) => format!("path={}", words.text()),
            Expr::Below(path) => format!("below={path}"),
            Expr::Tag(tag) => format!("tag={tag}"),
            Expr::Before(_) => "before".to_owned(),
            Expr::After(_) => "after".to_owned(),
            Expr::HasPicture => "picture".to_owned(),
            Expr::Regex(pattern) => format!("regex={}", pattern.source()),
            Expr::Picture(PictureCondition::Album(album)) => format!("album={}", album.name),
            Expr::Picture(condition) => match condition.sequence() {
                Some(words) => format!("picture={}", words.text()),
                None => format!("picture={condition:?}"),
            },
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
    fn syntax_may_be_full_width() {
        check("京都　－旅 −b", "(京都 !旅 !b)");
        check("大阪　ＯＲ　京都", "([大阪 京都])");
        check("＂a b＂ ＂c d\" 『e f』 ｢g｣", "('ab' 'cd' 'ef' 'g')");
        check(
            "ｔａｇ：旅 Tag:＃旅 ｔｉｔｌｅ:＂旅＂",
            "(tag=旅 tag=旅 title=旅)",
        );
        check("ｐａｔｈ:／旅／ has:ｐｉｃｔｕｒｅ", "(below=/旅 picture)");
        check(
            "before:２０２６−０４ after:２０２６－０４－３０",
            "(before after)",
        );
    }

    #[test]
    fn fields_of_pictures_are_read() {
        check("rating:>=4", "(picture=Stars(AtLeast, 4))");
        check(
            "ｒａｔｉｎｇ：５ -Rating:rejected",
            "(picture=Stars(Equal, 5) !picture=Rejected)",
        );
        check("size:>1.5KB", "(picture=Size(More, 1536))");
        check("type:RAW|jpg", r#"(picture=Types(["raw", "jpg"]))"#);
        check(
            "camera:\"Nikon D5\" lens:50",
            "(picture=nikond5 picture=50)",
        );
        check(
            "folder:Trips folder:/A/",
            "(picture=trips picture=Below(\"/a\"))",
        );
        check(
            "caption:\"at dusk\" -has:Caption",
            "(picture=atdusk !picture=Captioned)",
        );
        check("Album:\"a b\" album:京都", "(album=a b album=京都)");
        check("rating: 5", "(rating 5)");
        assert!(parse("rating:9").is_err() && parse("size:big").is_err());
    }

    #[test]
    fn numbers_with_marks_come_first() {
        check("12.5", "([125 ~125])");
        check("\"12.5\" a-b", "('125' ab)");
        check("title:12.5 OR b", "([title=125 ~title=125 b])");
    }

    #[test]
    fn unknown_fields_are_named() {
        let unknown = |typed: &str| parse(typed).unwrap().unknown.join(" ");
        assert_eq!(unknown("width:5 -Width:4 ｈｅｉｇｈｔ:x"), "width height");
        assert_eq!(unknown("has:video has:image has:caption"), "has:video");
        for typed in [
            "http://a",
            "mailto:a",
            "12:30",
            "C:x",
            "title:x",
            "a: b",
            "\"width:5\"",
            "rating:5",
            "lens:24",
            "注意:a",
        ] {
            assert_eq!(unknown(typed), "", "{typed:?}");
        }
    }

    #[test]
    fn regex_fault_has_its_place() {
        let words = |typed: &str| parse(typed).unwrap_err().to_string();
        assert_eq!(
            words("regex:旅["),
            "the regular expression can't be used: unclosed character class at character 2"
        );
        assert_eq!(
            words("regex:a("),
            "the regular expression can't be used: unclosed group at character 2"
        );
        assert!(words(r"regex:(\w{1000}){1000}").ends_with("it is too large"));
    }

    #[test]
    fn bad_queries_are_refused() {
        assert_eq!(parse(&"a".repeat(1001)).unwrap_err(), QueryError::TooLong);
        assert!(matches!(parse("regex:("), Err(QueryError::Regex { .. })));
        assert!(matches!(
            parse(r"regex:(\w{1000}){1000}"),
            Err(QueryError::Regex { .. })
        ));
        assert!(matches!(parse("after:soon"), Err(QueryError::Date(_))));
        assert!(matches!(parse("before:2026-13"), Err(QueryError::Date(_))));
    }
}
